"""Workers on this machine: a thread keeps each.  None is started before there is a task."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import chain
from queue import SimpleQueue
from typing import Final

from cli.archive.judging_task import Results, Task
from cli.archive.worker_supervisor import Supervisor

_AHEAD: Final = 4
"""Tasks given for each worker: they last while what came back is committed."""


def spread(
    tasks: Iterator[Task], workers: int, supervisor: Callable[[], Supervisor] = Supervisor
) -> Generator[tuple[Task, Results], None, None]:
    """The rows of each task, in the order in which they come.  Raises supervisor.Broken."""
    first = next(tasks, None)
    if first is None:
        return
    tasks = chain([first], tasks)
    keepers = [supervisor() for _ in range(workers)]
    idle: SimpleQueue[Supervisor] = SimpleQueue()
    for keeper in keepers:
        idle.put(keeper)

    def results(task: Task) -> Results:
        keeper = idle.get()
        try:
            return keeper.results(task)
        finally:
            idle.put(keeper)

    pool = ThreadPoolExecutor(workers)
    running: dict[Future[Results], Task] = {}
    try:
        for keeper in keepers:
            keeper.start()  # they all load at once, also those whose first task is yet to be made
        while True:
            while len(running) < _AHEAD * workers and (task := next(tasks, None)) is not None:
                running[pool.submit(results, task)] = task
            if not running:
                return
            for ready in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(ready), ready.result()
    finally:
        for keeper in keepers:
            keeper.stop()
        pool.shutdown(cancel_futures=True)
        for keeper in keepers:
            keeper.close()
