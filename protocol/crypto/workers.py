"""Processes that check proofs and make shuffles, so that neither key presses nor other seats wait.

Threads would not help: the group's functions are short, and Python's lock is held around them.  A job goes to
a process through its standard input, and so do secrets: never on a command line, never through a file.  A
process ends when the pipe to it closes, which the system does for a parent that was killed.
"""

from __future__ import annotations

import os
import pickle  # between this program and its own child only, never of bytes from elsewhere
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from queue import LifoQueue
from threading import Lock
from types import TracebackType
from typing import IO, Any, Final, Protocol, TypeVar, cast, runtime_checkable

from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs.verification import CardProof, is_remembered, remember

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

COMMAND: Final = (sys.executable, "-P", "-m", "protocol.crypto.worker")
"""The command line of a process, without a secret (threat 76)."""
MOST: Final = 2
"""Processes beside the player's own: one checks arriving proofs, one makes our own shuffle; or both check."""


class Job(Protocol[T_co]):
    """Picklable work; apart from random numbers, two runs give the same result."""

    def run(self) -> T_co:
        """Do the work.  Raises ProofError."""


@runtime_checkable
class Divisible(Protocol[T]):
    """A CardProof whose check several processes can share: `verify` is `conclude` over a single part."""

    def parts(self, most: int) -> Sequence[Job[T]]:
        """The parts of the check, at most so many.  Raises ProofError."""

    def conclude(self, results: Sequence[T]) -> None:
        """Raise ProofError unless the proof holds, given what all `parts` returned, in order."""


class PoolClosed(Exception):
    """The pool was closed, so nobody needs the result any more."""


class Pool:
    """A pool of processes; each begins when it is first needed."""

    def __init__(self, size: int | None = None) -> None:
        """`size`: the most processes; None: one a processor of the machine, at most MOST."""
        self._idle: LifoQueue[Worker | None] = LifoQueue()
        self.workers: list[Worker] = []
        """The processes that were begun and have not ended."""
        self._closed = False
        self._changing = Lock()
        """Held while processes are begun or ended: after `close` no thread begins one."""
        self._size = size or min(MOST, os.cpu_count() or 1)
        for _ in range(self._size):
            self._idle.put(None)

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, job: Job[T]) -> T:
        """The result of `job`, from a process of the pool.  Blocks: never call it in the event loop.

        If a process cannot be started, or dies over the job, this process runs the job.  Raises ProofError
        and PoolClosed.
        """
        worker = self._idle.get()
        try:
            if worker is None:
                worker = self._begin()
            rule, result = worker.run(job)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as error:
            self._drop(worker)
            worker = None
            if self._closed:
                raise PoolClosed from error
            return job.run()
        except BaseException:  # interrupted with an answer still to come, which would be the next job's
            self._drop(worker)
            worker = None
            raise
        finally:
            self._idle.put(worker)
        if rule is not None:
            raise ProofError(rule)
        return result  # type: ignore[no-any-return]  # what job.run returned in the process

    def check(self, statement: CardProof) -> None:
        """Check a proof that is not remembered, and remember that it holds.  Raises as `run` does."""
        if is_remembered(statement):
            return
        if isinstance(statement, Divisible):
            statement.conclude(self._together(statement.parts(self._size)))
        else:
            self.run(Verification(statement))
        remember(statement)

    def _together(self, jobs: Sequence[Job[T]]) -> list[T]:
        """The results of at least one job, each from a process of its own if one is idle."""
        if len(jobs) == 1:
            return [self.run(jobs[0])]
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # 5 ms that most programs never need

        with ThreadPoolExecutor(len(jobs)) as threads:
            return [*threads.map(self.run, jobs)]

    def close(self) -> None:
        """End all processes, and all jobs with them."""
        with self._changing:
            self._closed = True
            workers, self.workers = self.workers, []
        for worker in workers:
            worker.end()

    def _begin(self) -> Worker:
        with self._changing:
            if self._closed:
                raise PoolClosed
            worker = Worker()
            self.workers.append(worker)
            return worker

    def _drop(self, worker: Worker | None) -> None:
        if worker is None:
            return
        with self._changing:
            ended = worker not in self.workers
            if not ended:
                self.workers.remove(worker)
        if not ended:
            worker.end()


class Verification:
    """The check of one proof as a job."""

    __slots__ = ("statement",)

    def __init__(self, statement: CardProof) -> None:
        self.statement = statement

    def run(self) -> None:
        """Raise ProofError unless the proof holds."""
        self.statement.verify()


class Worker:
    """One process; see worker.py."""

    def __init__(self) -> None:
        """Raises OSError."""
        self.process = subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.jobs = cast("IO[bytes]", self.process.stdin)
        self._answers = cast("IO[bytes]", self.process.stdout)

    def run(self, job: Job[Any]) -> tuple[str | None, Any]:
        """The broken rule or None, and the result.  Raises OSError or EOFError if the process is gone."""
        pickle.dump(job, self.jobs)
        self.jobs.flush()
        answer: tuple[str | None, Any] = pickle.load(self._answers)  # noqa: S301  # see the import
        return answer

    def end(self) -> None:
        """Kill the process, which has nothing to save, and wait for its end."""
        self.process.kill()
        self.process.wait()
        for stream in (self.jobs, self._answers):
            with suppress(OSError):  # what a dead process did not read
                stream.close()
