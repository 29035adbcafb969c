"""Tokens a second, from the answers that were given anyway."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from longbench_eval.doctor.answers import Answer
from longbench_eval.doctor.known import Known

_LEAST_S = 1e-6


@dataclass(frozen=True, slots=True)
class Speeds:
    """Tokens a second for one request at a time."""

    prompt: float
    new: float

    def seconds(self, prompt_tokens: float, new_tokens: float) -> float:
        """How long so many tokens take, one request after another."""
        return prompt_tokens / self.prompt + new_tokens / self.new


def measure(known: Known) -> Speeds | None:
    """Speeds by the server's clock where it has one, else by ours, the network included; None without counts."""
    prompt, new = _prompt_speed(known.page, known.long), _new_speed(known.stories)
    return Speeds(prompt, new) if prompt and new else None


def _new_speed(stories: Sequence[Answer]) -> float | None:
    # The last one: a server's first answer may have had to wake it up.
    answer = next((story for story in reversed(stories) if story.failure is None), None)
    if answer is None or not answer.new_tokens:
        return None
    if answer.timing and answer.timing.new_tokens and answer.timing.new_s:
        return answer.timing.new_tokens / answer.timing.new_s
    return answer.new_tokens / max(answer.latency_s, _LEAST_S)


def _prompt_speed(page: Answer | None, long: Answer | None) -> float | None:
    answers = [answer for answer in (long, page) if answer is not None and answer.failure is None]
    if not answers:
        return None
    timing = answers[0].timing
    if timing and timing.prompt_tokens and timing.prompt_s:
        return timing.prompt_tokens / timing.prompt_s
    read = [answer.prompt_tokens or answer.counted or 0 for answer in answers]
    if len(answers) > 1 and read[0] > read[1] and answers[0].latency_s > answers[1].latency_s:
        # What both have in common, the way to the server and back, is not reading.
        return (read[0] - read[1]) / (answers[0].latency_s - answers[1].latency_s)
    return read[0] / max(answers[0].latency_s, _LEAST_S)
