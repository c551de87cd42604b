"""A worker process and what keeps it: it is replaced when it dies, and ended when a record holds it up.

What ends its process twice, a record or the comparison of copies, is spoilt: its verdict is that it was not
judged, and the others go on.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Final

import msgpack

from cli.archive import worker_process
from cli.archive.judging_task import Results, Task
from cli.archive.verdict_rows import LOST, TIME

COMMAND: Final = (sys.executable, "-m", "cli.archive.worker_process")
_PATIENCE: Final = 5
"""How much longer than its limit of processor time a record may take, where many share the processors."""
_READING: Final = 60.0
"""Seconds on top: what comes before the first record, and between two."""
DEATHS: Final = 2
"""So often may a worker die over one record: the first time, a person or a system may have ended it."""
UNCLEAR: Final = 5
"""So often may it die before any record is begun."""


class Broken(Exception):
    """A task cannot be done: a bug, or no worker stays alive."""


class Supervisor:
    """One worker process, started when it is needed."""

    def __init__(self, command: Sequence[str] = COMMAND, reading: float = _READING) -> None:
        self._command = command
        self._reading = reading
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        """Whether it has loaded."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object
        self._file.truncate(worker_process.Mark.SIZE)
        self._mark = worker_process.Mark(self._file.fileno())
        self._stopped = False
        self._lock = threading.Lock()
        """Of the two: `stop` comes from another thread."""

    def results(self, task: Task) -> Results:
        """The rows of a task, however often the worker has to be replaced.  Raises Broken."""
        deaths: Counter[str] = Counter()
        while True:
            self._late = False
            outcome = self._tried(task)
            if outcome is not None:
                return outcome
            _count, name = self._mark.get()
            deaths[name] += 1
            if not name and deaths[name] >= UNCLEAR:
                raise Broken("no worker process stays alive")
            if name and (self._late or deaths[name] >= DEATHS):
                why = TIME if self._late else LOST
                task = replace(task, spoilt={**task.spoilt, name: why})

    def _tried(self, task: Task) -> Results | None:
        """The rows, or None if the worker died; the mark then says what it was at."""
        process = self._started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a worker has pipes")
        try:
            worker_process.send(process.stdin, b"T", task.packed())
            self._wait(process, process.stdout, task)
            message = worker_process.receive(process.stdout)
        except BrokenPipeError:
            message = None
        if message is None:
            self._end()
            return None
        kind, body = message
        if kind == worker_process.FAILED:
            raise Broken(body.decode())
        results: dict[str, bytes] = msgpack.unpackb(body)
        return results

    def _wait(self, process: subprocess.Popen[bytes], stream: IO[bytes], task: Task) -> None:
        """Until a message comes; the worker is ended if it is at one thing for too long."""
        patience = task.limits.seconds * _PATIENCE + self._reading
        before = self._mark.get()
        while not select.select([stream], [], [], patience)[0]:
            now = self._mark.get()
            if now == before:
                self._late = True
                process.kill()
                return
            before = now

    def start(self) -> None:
        """Begin to load the worker, for a task that comes later.  Raises Broken."""
        with self._lock:
            if self._stopped:
                raise Broken("the worker was ended")
            if self._process is not None:
                return
            # Threads of Arrow would only wait for each other: there is a worker for each processor.
            single = {"OMP_NUM_THREADS": "1", "ARROW_IO_THREADS": "2", "TOKIO_WORKER_THREADS": "1"}
            self._file.truncate(0)
            self._file.truncate(worker_process.Mark.SIZE)
            self._ready = False
            self._process = subprocess.Popen(  # noqa: S603 - this program, or a test's
                [*self._command, str(self._file.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[self._file.fileno()],
                bufsize=0,  # or bytes could wait in a buffer, where select sees none
                env={**os.environ, **single},
            )

    def _started(self) -> subprocess.Popen[bytes]:
        self.start()
        process = self._process
        if process is None:  # only `close` leaves none, and no task comes behind it
            raise Broken("the worker was ended")
        if not self._ready:
            if process.stdout is None or worker_process.receive(process.stdout) is None:
                self._end()
                raise Broken("a worker process does not start")
            self._ready = True
        return process

    def stop(self) -> None:
        """From any thread: end the worker and start none again; what it was at raises Broken."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the worker for good."""
        self._end()
        self._mark.close()
        self._file.close()

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            with process:
                pass
