"""Making things in a thread of their own, some ahead of whoever takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread
from types import TracebackType
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
_BREAK_OFF_EVERY_S = 0.1


class _Made(NamedTuple, Generic[T]):
    item: T


class Ahead(Generic[T]):
    """Iterates over `items`, which a thread makes while the last ones are in use; at most `depth` wait to be taken.

    What `items` raises is raised where the next one is asked for. Leaving the block ends the thread after the item it
    is at; the rest is never made.
    """

    def __init__(self, items: Iterable[T], depth: int, break_off: Callable[[], None] = lambda: None) -> None:
        """Take what makes the items, and how many may wait.

        Args:
            items: Iterated over in the thread.
            depth: How many wait to be taken at most.
            break_off: Called when the block is left and until the thread has ended: ends what an item waits for, by
                an error where it waits.
        """
        self._items, self._break_off = items, break_off
        self._room = Semaphore(depth)
        self._ready: SimpleQueue[_Made[T] | BaseException | None] = SimpleQueue()
        self._left = False
        self._thread = Thread(target=self._make, name="longbench-eval ahead", daemon=True)

    def __enter__(self) -> Iterator[T]:
        self._thread.start()
        return self._take()

    def _make(self) -> None:
        try:
            for item in self._items:
                self._room.acquire()
                if self._left:
                    return
                self._ready.put(_Made(item))
        except BaseException as error:  # it belongs to whoever asks for the item
            self._ready.put(error)
        else:
            self._ready.put(None)

    def _take(self) -> Iterator[T]:
        while (made := self._ready.get()) is not None:
            if isinstance(made, BaseException):
                raise made
            self._room.release()
            yield made.item

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._left = True
        self._room.release()
        # Between two things that it waits for there may be nothing to break off yet: hence again and again.
        while self._thread.is_alive():
            self._break_off()
            self._thread.join(_BREAK_OFF_EVERY_S)
