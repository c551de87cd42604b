"""Where the program starts and where every error ends: one sentence, an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

from cli.exits import Exit, explain


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is one of `cli.exits.Exit`."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    _tolerant_output()
    try:
        code = _run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_gone()
    except KeyboardInterrupt:
        _say("Interrupted. Nothing that was saved is lost.")
        return Exit.INTERRUPTED
    return code


def _run(given: Sequence[str]) -> int:
    from cli import commands

    try:
        return commands.run(given)
    except BrokenPipeError:
        raise
    except SystemExit as end:  # argparse leaves this way after --help and --version
        return end.code if isinstance(end.code, int) else Exit.OK
    except Exception as error:  # the last door: what is no explained error is a bug, and is reported as one
        told = explain(error)
        if told is None:
            return _bug(error, given)
        _say(told[0])
        return told[1]


def _bug(error: Exception, given: Sequence[str]) -> int:
    """Apologise, and keep a report that holds no secrets."""
    from cli.crash import report

    path = report(error, given)
    where = (
        f"A report is in {path}: please send it to the developers." if path else "No report could be written."
    )
    _say(f"Sorry, this is a bug in the program; what was saved is intact. {where}")
    return Exit.BUG


def _say(text: str) -> None:
    """One line on standard error.  It may quote a file or the other side, so it is escaped (threat 23)."""
    from cli.escape import escape

    with suppress(OSError):  # nobody is left to be told
        print(f"p2p-stratego: {escape(text)}", file=sys.stderr, flush=True)


def _tolerant_output() -> None:
    """A terminal or pipe that cannot show a character gets a `?` in its place, not an exception."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _reader_gone() -> int:
    """The reader closed the pipe: point stdout elsewhere, so that the flush at exit does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Exit.PIPE


if __name__ == "__main__":
    sys.exit(main())
