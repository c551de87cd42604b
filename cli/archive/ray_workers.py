"""Workers on the machines of a Ray cluster, each with the program installed.

Ray carries a task to a machine, and again to another one if the first is lost; what judges there is the same
worker process as here, so a record that breaks a limit cannot end a process of Ray's.  Ray Data is not used:
it would gather what here is committed part by part, and needs pandas.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import ray

from cli.archive import judging_task
from cli.archive.judging_task import Results, Task
from cli.archive.worker_supervisor import Supervisor

_AHEAD: Final = 2
"""Tasks given for each processor: one runs, one waits."""
_LOOK: Final = 5.0
"""Seconds between two looks at how many processors the cluster has."""


def spread(tasks: Iterator[Task], address: str) -> Iterator[tuple[Task, Results]]:
    """The rows of each task, in the order in which they come; `address`: `auto`, HOST:PORT or ray://….

    Raises ConnectionError if there is no cluster, and supervisor.Broken.
    """
    already = ray.is_initialized()
    if not already:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    # -1: as often as machines are lost; what a task itself raises is raised here.
    remote = ray.remote(_results).options(max_retries=-1, num_cpus=1)
    running: dict[Any, Task] = {}
    try:
        most, looked = _processors(), time.monotonic()
        while True:
            if time.monotonic() - looked > _LOOK:
                most, looked = _processors(), time.monotonic()
            while len(running) < _AHEAD * most and (task := next(tasks, None)) is not None:
                running[remote.remote(task.packed())] = task
            if not running:
                return
            for ready in ray.wait([*running], num_returns=1, timeout=_LOOK)[0]:
                results: Results = ray.get(ready)
                yield running.pop(ready), results
    finally:
        if not already:
            ray.shutdown()


def _processors() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _results(data: bytes) -> Results:
    """On some machine: the rows of a task."""
    return _supervisor().results(judging_task.unpacked(data))


@cache
def _supervisor() -> Supervisor:
    """That of this process of Ray's, with its worker, for all tasks that come to it."""
    return Supervisor()
