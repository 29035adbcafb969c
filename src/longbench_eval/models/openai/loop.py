"""An event loop in a thread of its own: many requests at once, and all of them broken off at Ctrl-C.

Blocking threads could not be: one that waits for a server's answer would keep the process alive until it came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
Item = TypeVar("Item")


class LoopThread:
    """Runs coroutines for callers that wait."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="longbench-eval requests", daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether it was ended."""
        return self._loop.is_closed()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start some work."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work and wait for it; never from within the loop."""
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stream(self, work: Callable[[Item], Coroutine[Any, Any, T]], items: Iterable[Item], ahead: int) -> Iterator[T]:
        """Yield results as they come, with at most `ahead` items taken whose result is still to come.

        Whatever ends the iteration (an error, Ctrl-C, a consumer that had enough) breaks off the rest.
        """
        finished: SimpleQueue[Future[T]] = SimpleQueue()
        running: set[Future[T]] = set()
        source = iter(items)
        try:
            while True:
                # What is finished goes out before more is taken: a slow source must not hold answers back.
                while len(running) < ahead and finished.empty():
                    try:
                        item = next(source)
                    except StopIteration:
                        break
                    future = self.submit(work(item))
                    running.add(future)
                    future.add_done_callback(finished.put)
                if not running:
                    return
                future = finished.get()
                running.discard(future)
                yield future.result()
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        """Break off what is running, and end the thread."""
        if self.closed:
            return
        self.break_off()
        self.call(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def break_off(self) -> None:
        """Cancel what is running, and wait until it has ended."""
        self.call(self._cancel_all())

    async def _cancel_all(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
