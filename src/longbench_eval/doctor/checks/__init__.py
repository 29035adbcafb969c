"""One small file a check: each is a function from what is known to findings. A new check is a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from longbench_eval.doctor.checks.agreement import check_agreement
from longbench_eval.doctor.checks.bos import check_bos
from longbench_eval.doctor.checks.cut import check_cut
from longbench_eval.doctor.checks.ending import check_ending
from longbench_eval.doctor.checks.endpoints import check_chat, check_completions
from longbench_eval.doctor.checks.name import check_name
from longbench_eval.doctor.checks.speed import check_speed
from longbench_eval.doctor.checks.thinking import check_thinking
from longbench_eval.doctor.checks.tokens import check_tokens
from longbench_eval.doctor.checks.window import check_window
from longbench_eval.doctor.finding import Finding
from longbench_eval.doctor.known import Known

Check = Callable[[Known], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_name,
    check_completions,
    check_chat,
    check_window,
    check_tokens,
    check_bos,
    check_ending,
    check_thinking,
    check_agreement,
    check_cut,
    check_speed,
)
