"""Making things in a thread of their own, some ahead of whoever takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread
from types import TracebackType
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class _Made(NamedTuple, Generic[T]):
    item: T


class Ahead(Generic[T]):
    """Iterates over `items`, which a thread makes while the last ones are in use; at most `depth` wait to be taken.

    What `items` raises is raised where the next one is asked for. Leaving the block ends the thread after the item it
    is at; the rest is never made.
    """

    def __init__(self, items: Iterable[T], depth: int) -> None:
        self._items = items
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
        self._thread.join()
