"""The way out of every command: its output is whole, whatever happens while it is written."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios

import pytest

from tests.helpers.program.commands import HANGING, ending_within
from tests.helpers.program.window import ROOT

_LINES = 40_000
_PROGRAM = f"""
import signal, sys
from cli.shell.guard import run_guarded
signal.signal(signal.SIGWINCH, lambda *_: None)
def work():
    sys.{{stream}}.write("".join(f"line {{{{n}}}}\\n" for n in range({_LINES})))
    return 0
sys.exit(run_guarded(work, []))
"""


def _unread(descriptor: int) -> int:
    """How many bytes wait in a pipe."""
    answer = fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4))
    return int(struct.unpack("i", answer)[0])


@pytest.mark.skipif(not hasattr(fcntl, "F_GETPIPE_SZ"), reason="the size of a pipe is not told here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_is_whole_though_a_signal_comes_in_the_middle(stream: str, unbuffered: str) -> None:
    """A pipe is full and its writer waits within write(2), as for a slow terminal, when the signal comes."""
    reading, writing = os.pipe()
    full = fcntl.fcntl(reading, fcntl.F_GETPIPE_SZ)
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(stream=stream)],
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        stdout=writing if stream == "stdout" else None,
        stderr=writing if stream == "stderr" else None,
    )
    os.close(writing)
    with ending_within(HANGING):
        while _unread(reading) < full:
            os.sched_yield()
        process.send_signal(signal.SIGWINCH)
        with open(reading, "rb") as pipe:
            assert pipe.read().decode().splitlines() == [f"line {n}" for n in range(_LINES)]
        assert process.wait() == 0
