"""Which of the known classes the prediction names.

Source: classification_score of metrics.py in THUDM/LongBench at 2e00731.
"""

from __future__ import annotations

from collections.abc import Sequence

from longbench_eval.metrics.metric import Classes


def classification(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return 1/n if the right class is among the n classes named in `prediction`, else 0.0.

    A class is named if it occurs anywhere as a substring, case included. In the reference a prediction that names none
    is meant to count as the most similar class, but that branch is never reached (it tests whether a list equals 0).

    Raises:
        ValueError: `classes` is None.
    """
    kept = without_parts(named_classes(prediction, classes), answer)
    return 1.0 / len(kept) if answer in kept else 0.0


def named_classes(prediction: str, classes: Classes) -> list[str]:
    """Find the classes that occur in `prediction`, in the order of `classes`; ValueError if that is None."""
    if classes is None:
        raise ValueError("classification needs the row's list of classes (`all_classes`); it was not given.")
    return [name for name in classes if name in prediction]


def without_parts(named: Sequence[str], answer: str) -> list[str]:
    """Drop the classes that were found only as a part of the right one, such as `sport` within `sport event`.

    Quirk of metrics.py: it removes from the list it walks, so the class after each removed one slides into its place
    and is never looked at. Two such parts in a row leave the second standing, and the score is halved.
    """
    kept = list(named)
    position = 0
    while position < len(kept):
        name = kept[position]
        if name != answer and name in answer:
            kept.remove(name)
        position += 1
    return kept
