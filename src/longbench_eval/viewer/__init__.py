"""The local web page over all runs in a folder: `longbench-eval view`. It reads, and never writes."""
