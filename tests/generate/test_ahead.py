"""Things are made some ahead, in order, and no more than are wanted."""

import threading
import time

import pytest

from longbench_eval.generate import Ahead


def test_all_of_them_in_order():
    with Ahead(range(100), 3) as items:
        assert list(items) == list(range(100))


def test_no_more_than_so_many_wait():
    made = []
    with Ahead((made.append(i) or i for i in range(100)), 3) as items:
        assert next(items) == 0
        deadline = time.monotonic() + 5
        while len(made) < 5 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.05)
        # One is taken, three wait, and the next stands at the door.
        assert made == [0, 1, 2, 3, 4]
    assert made == [0, 1, 2, 3, 4]


def test_what_goes_wrong_is_told_where_the_item_would_be():
    def items():
        yield 1
        raise ValueError("broken")

    with Ahead(items(), 5) as ahead:
        assert next(ahead) == 1
        with pytest.raises(ValueError, match="broken"):
            next(ahead)


def test_leaving_ends_the_thread():
    before = threading.active_count()
    with Ahead(iter(int, 1), 2) as items:
        next(items)
    assert threading.active_count() == before


def test_the_maker_works_in_another_thread():
    with Ahead((threading.get_ident() for _ in range(2)), 1) as items:
        assert threading.get_ident() not in list(items)
