"""A process of `workers`: jobs in, results out.  The process opens no file of a match and keeps nothing.

A ProofError is a result.  Any other exception ends the process; the parent then runs the job itself, and
meets the exception there.
"""

from __future__ import annotations

import pickle  # from the parent only
import signal
import sys
from typing import Any

from protocol.crypto.group.received import ProofError


def main() -> None:
    """Serve until the parent closes the pipe, or has gone."""
    # An interrupt at the keyboard reaches all processes of a terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    jobs, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            job = pickle.load(jobs)  # noqa: S301  # see the import
        except EOFError:
            return
        try:
            answer: tuple[str | None, Any] = None, job.run()
        except ProofError as error:
            answer = error.rule, None
        try:
            pickle.dump(answer, answers)
            answers.flush()
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()
