"""Sending requests to a model and taking what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from longbench_eval.errors import ModelError
from longbench_eval.models.base import Model
from longbench_eval.records import Completion, Request

# A model that fails so often in a row is broken: hours of failed rows would help nobody.
MOST_FAILURES_IN_A_ROW = 10


def answer(model: Model, requests: Iterable[Request]) -> Iterator[Completion]:
    """Yield the model's completions as they arrive.

    Raises:
        ModelError: The model failed on ten requests in a row, for another reason than their length. What came
            before has been yielded.
    """
    failures = 0
    for completion in model.generate(requests):
        yield completion
        broken = completion.error is not None and completion.error.kind != "overlong"
        failures = failures + 1 if broken else 0
        if failures == MOST_FAILURES_IN_A_ROW and completion.error:
            raise ModelError(
                f"The model {model.name!r} failed {failures} times in a row, the last time with: "
                f"{completion.error.message}. Mend the model and run the command again."
            )
