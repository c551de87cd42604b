"""Where every error ends: one sentence on standard error and an exit code, never a traceback.

Nothing that a command needs is loaded here: `--help` pays for this module too.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

import platform
import traceback
from collections.abc import Iterator
from typing import Final

from cli.shell import version

NAME: Final = "crash.log"
_ROOT: Final = Path(__file__).parents[2]


def report(error: BaseException, given: Sequence[str], commands: Collection[str]) -> Path | None:
    """Write a report of `error` to the home folder; the file's path, or None if it cannot be written.

    `given`: the command line, of which only a word among `commands` is written.  Only the latest report is
    kept: 0600, and never through a symbolic link (threat 36).
    """
    from cli.shell.locations import given_in, locate
    from protocol.storage.files import make_folders

    try:
        folder = locate(given_in(given))
        make_folders(folder)
        path = folder / NAME
        # O_NOFOLLOW: a planted link would have the report written over another file (threat 36).
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write("\n".join(_lines(error, given, commands)) + "\n")
    except (OSError, RuntimeError):  # RuntimeError: a machine without a home directory
        return None
    return path


def _lines(error: BaseException, given: Sequence[str], commands: Collection[str]) -> Iterator[str]:
    yield f"{version.program_version()}, Python {platform.python_version()}, {platform.system()}"
    yield f"command: {next((word for word in given if word in commands), 'start menu')}"
    yield from _crash_lines(error, "")


def _crash_lines(error: BaseException, indent: str) -> Iterator[str]:
    """An exception's type and places, its cause, and the members of a group."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _crash_lines(before, indent)
        yield f"{indent}then:"
    yield f"{indent}{type(error).__module__}.{type(error).__qualname__}"
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        name = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(path.name)
        yield f"{indent}  {name}:{frame.lineno} in {frame.name}"
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from _crash_lines(member, indent + "    ")


class _Closed(TextIOWrapper):
    """Standard output that was closed before the program began: text sent there would reach nobody."""

    def write(self, _text: str) -> int:
        """Raise Sorry."""
        raise Sorry(
            _("Standard output is closed, so nothing can be told. Open it, or send it to a file."), Exit.IO
        )


def run_guarded(work: Callable[[], int], given: Sequence[str], commands: Collection[str] = ()) -> int:
    """Do `work` and return its exit code; tell every error that it raises.

    `given`: the command line; `commands`: the names of all commands, for the report of a bug.
    """
    _no_core_dumps()
    _open_streams()
    _whole_output()
    _tolerant_output()
    terminal = sys.stdout.isatty()
    try:
        try:
            code = work()
        except SystemExit as end:  # argparse leaves this way after --help and --version
            code = end.code if isinstance(end.code, int) else Exit.OK
        sys.stdout.flush()  # here, where a full disk or a closed pipe can still be told
    except BaseException as error:  # the last door: every error is told, and no traceback reaches a person
        if terminal and not sys.stdout.isatty() and _hung_up(error):
            error = KeyboardInterrupt()  # as by SIGHUP, which may come later or be ignored
        return _exit(error, given, commands)
    finally:  # or Python's own flush at the exit fails, and its code (120) takes the place of ours
        _let_go_of(sys.stderr)
    return code


def _exit(error: BaseException, given: Sequence[str], commands: Collection[str]) -> int:
    _let_go_of(sys.stdout)
    if _unread(error):
        return Exit.PIPE
    if _interrupted(error):
        complain(_("Interrupted. Nothing that was saved is lost."))
        return Exit.INTERRUPTED
    from cli.shell.explain import explain
    from cli.shell.locations import given_in, runs

    explained = explain(error, runs(given_in(given)))
    if explained is None:
        return _bug(error, given, commands)
    complain(explained[0])
    return explained[1]


def _unread(error: BaseException) -> bool:
    """Whether the only error is a pipe without a reader, also in a group, as tasks side by side raise it."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(_unread, error.exceptions))
    return isinstance(error, BrokenPipeError)


def _hung_up(error: BaseException) -> bool:
    """Whether the only error is one of a closed terminal, also in a group.  Errors of files name the file.

    If it arose while another error was handled, that other error must be such an error, too.
    """
    if isinstance(error, BaseExceptionGroup):
        return all(map(_hung_up, error.exceptions))
    lost = isinstance(error, OSError) and error.errno in (errno.EIO, errno.ENXIO) and error.filename is None
    return lost and (error.__context__ is None or _hung_up(error.__context__))


def _interrupted(error: BaseException) -> bool:
    """Whether Ctrl-C ended the program, also in a group, as parallel tasks raise it."""
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(KeyboardInterrupt) is not None
    return isinstance(error, KeyboardInterrupt)


def report_failure(name: str, error: Exception, command: str, home: Path | None) -> Exit:
    """Tell the error of `command` over one of several files, and keep the report of a bug; the command goes
    on with the other files.

    `name`: the file in a sentence; `home`: what --home says.
    """
    from cli.shell.explain import explain
    from cli.shell.locations import runs

    explained = explain(error, runs(home))
    if explained is not None:
        complain(f"{name}: {explained[0]}")
        return explained[1]
    given = [command] if home is None else ["--home", str(home), command]
    return _bug(error, given, (command,), f"{name}: ")


def _bug(
    error: BaseException, given: Sequence[str], commands: Collection[str], about: str = ""
) -> Literal[Exit.BUG]:
    """Apologise, and keep a report that holds no secrets."""

    path = report(error, given, commands)
    kept = (
        _("A report is in {path}: please send it to the developers.", path=path)
        if path
        else _("No report could be written.")
    )
    complain(f"{about}{_('Sorry, this is a bug in the program; what was saved is intact.')} {kept}")
    return Exit.BUG


def complain(text: str) -> None:
    """A sentence on standard error.  It may quote a file or the other side, so it is escaped (threat 23)."""
    from shutil import get_terminal_size

    from cli.text.layout import hung
    from cli.text.sanitize import escape

    try:
        columns = get_terminal_size().columns - 1 if sys.stderr.isatty() else None
        for line in hung(f"p2p-stratego: {escape(text)}", columns, whole_words=True):
            print(line, file=sys.stderr, flush=True)
    except OSError:  # nobody is left to be told
        _let_go_of(sys.stderr)


def _no_core_dumps() -> None:
    """Have the system keep no memory of this process, or of one that it starts, if it crashes (threat 38).

    Keys and cards lie in it, and a core file goes to other places than the home folder: to reports of bugs.
    """
    with suppress(
        ImportError, OSError, ValueError
    ):  # ValueError: nothing is kept here, or it cannot be changed
        import resource

        # Not 0, which Linux looks at for files alone: 1 also ends what goes to a program (its fs/coredump.c).
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))


def _open_streams() -> None:
    """Replace closed standard streams, for which Python has None.

    Each replacement takes its descriptor too, the lowest first: else a transcript could be opened as number
    2, and libraries would print their errors into it.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the program runs
    if sys.stdout is None:
        sys.stdout = _Closed(open(os.devnull, "wb"), encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class _Whole(BufferedWriter):
    """Hands on all bytes at once, to the last one."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of `data`; its length."""
        written = super().write(data)
        self.flush()
        return written


def _whole_output() -> None:
    """Write whole screens and files also where PYTHONUNBUFFERED is set, as images of Python set it.

    Standard output is then the bare descriptor: a signal, such as that of a resized window, ends a write(2)
    in the middle, and Python's text layer drops the rest without a word.
    """
    if sys.stdout is sys.__stdout__ and (whole := _whole(sys.stdout)) is not None:
        sys.stdout = whole
    if sys.stderr is sys.__stderr__ and (whole := _whole(sys.stderr)) is not None:
        sys.stderr = whole


def _whole(stream: object) -> TextIOWrapper | None:
    """A stream in the place of a bare descriptor, whose writes may be short; None for any other stream."""
    if not isinstance(stream, TextIOWrapper) or not isinstance(stream.buffer, FileIO):
        return None
    return TextIOWrapper(_Whole(stream.buffer), stream.encoding, stream.errors, write_through=True)


def _tolerant_output() -> None:
    """A terminal or pipe that cannot show a character gets a `?` in its place, not an exception."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _let_go_of(stream: TextIO) -> None:
    """If a stream failed, point it elsewhere, so that the flush at exit does not fail again."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
