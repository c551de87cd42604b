"""Work spread over processes.  A process that the system kills takes only the item in its hands with it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_MOST: Final = 32
"""Items that a process is given at once."""
_COLLECTED: Final = 100_000
"""Objects after which garbage is looked for: those of some records."""


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def collect_rarely() -> None:
    """For work on many records: hardly any object of theirs is in a cycle, and a collector that walks all
    that lives again and again would cost a quarter of an audit.
    """
    gc.set_threshold(_COLLECTED)


def spread(
    work: Callable[[_Item], _Result], items: Sequence[_Item], processes: int, lost: Callable[[_Item], _Result]
) -> Iterator[_Result]:
    """`work` of each item, in order, in that many processes; `lost` of an item whose process died over it.

    When a process dies, every process is replaced, and each item that it may have held is tried once more,
    alone in a process.  `work` must be picklable; what it raises is raised here.
    """
    size = max(1, min(_MOST, len(items) // (4 * processes)))
    chunks = deque(items[start : start + size] for start in range(0, len(items), size))
    while chunks:
        with _pool(processes) as pool:
            try:
                for future in [pool.submit(_all, work, chunk) for chunk in chunks]:
                    results = future.result()
                    chunks.popleft()
                    yield from results
            except BrokenProcessPool:
                pass  # below each suspect runs alone, which shows the item that kills
        # Chunks are taken in order, so the dead process most likely held one of these, or the next round's.
        suspects = [item for _ in range(min(processes, len(chunks))) for item in chunks.popleft()]
        yield from _one_by_one(work, deque(suspects), lost)


def _all(work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    return [work(item) for item in items]


def _one_by_one(
    work: Callable[[_Item], _Result], items: deque[_Item], lost: Callable[[_Item], _Result]
) -> Iterator[_Result]:
    """`work` of each item in one process, which is replaced when it dies."""
    while items:
        with _pool(1) as pool:
            try:
                while items:
                    result = pool.submit(work, items[0]).result()
                    items.popleft()
                    yield result
            except BrokenProcessPool:
                yield lost(items.popleft())


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block; at once, if an exception ends it."""
    # spawn: the same everywhere, and nothing of this process is inherited by accident.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _begin)
    before = set(multiprocessing.active_children())
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    collect_rarely()
