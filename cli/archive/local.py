"""Workers on this machine: a thread keeps each."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Final

from cli.archive.supervisor import Supervisor
from cli.archive.work import Results, Task

_AHEAD: Final = 2
"""Results that wait for each worker until they are taken."""


def spread(
    tasks: Iterator[Task], workers: int, supervisor: Callable[[], Supervisor] = Supervisor
) -> Iterator[tuple[Task, Results]]:
    """The rows of each task, in the order in which they come.  Raises supervisor.Broken."""
    lock, stopped = threading.Lock(), threading.Event()
    ready: queue.Queue[tuple[Task, Results] | BaseException | None] = queue.Queue(_AHEAD * workers)
    keepers = [supervisor() for _ in range(workers)]

    def following() -> Task | None:
        with lock:
            return None if stopped.is_set() else next(tasks, None)

    def keep(keeper: Supervisor) -> None:
        try:
            while (task := following()) is not None:
                ready.put((task, keeper.results(task)))
            ready.put(None)
        except BaseException as error:  # told where the results are taken
            ready.put(error)

    threads = [threading.Thread(target=keep, args=(keeper,), daemon=True) for keeper in keepers]
    for thread in threads:
        thread.start()
    try:
        running = workers
        while running:
            item = ready.get()
            if isinstance(item, BaseException):
                raise item
            if item is None:
                running -= 1
            else:
                yield item
    finally:
        stopped.set()
        for keeper in keepers:
            keeper.close()
