"""`python -m longbench_eval` is `longbench-eval`."""

from longbench_eval.cli import main

main()
