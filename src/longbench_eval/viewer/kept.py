"""A small cache whose values are good for one state of the files they were made from."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """The last values of a function, each good for one stamp; only who needs one that is being made waits for it."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}
        self._values: OrderedDict[Hashable, tuple[object, T]] = OrderedDict()

    def peek(self, key: Hashable, stamp: object) -> T | None:
        """The value of a key, if it is there."""
        held = self._values.get(key)
        return held[1] if held and held[0] == stamp else None

    def get(self, key: Hashable, stamp: object, make: Callable[[], T]) -> T:
        """The value of a key, made anew when its stamp is another."""
        if (value := self.peek(key, stamp)) is not None:
            return value
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            value = self.peek(key, stamp)
            return self._keep(key, stamp, make()) if value is None else value

    def _keep(self, key: Hashable, stamp: object, value: T) -> T:
        with self._lock:
            self._making.pop(key, None)
            self._values[key] = (stamp, value)
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
