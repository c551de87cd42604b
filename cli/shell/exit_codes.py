"""Exit codes, and the one place that turns an error into a sentence for a person and a code for a script.

A refusal or a failing system call is told in one sentence.  Everything else is a bug of ours: it must never
be dressed up as somebody's mistake, so `explain` says None and the caller apologises (`cli.__main__`).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final


class Exit(IntEnum):
    """What a command tells the shell.  10 to 50 are verdicts; from 64 on they follow BSD's sysexits.h."""

    OK = 0
    INCOMPLETE = 10
    CHEATED = 20
    EQUIVOCATED = 21
    UNRESPONSIVE = 31
    TAMPERED = 40
    UNSUPPORTED = 50
    USAGE = 64
    DATA = 65
    UNREACHABLE = 69
    BUG = 70
    IO = 74
    INTERRUPTED = 130
    PIPE = 141


MEANINGS: Final = {
    Exit.OK: "done; of an audit: every game was played to its end, and honestly",
    Exit.INCOMPLETE: "audit: the game stopped early, nobody at fault",
    Exit.CHEATED: "audit: somebody broke the rules of the game or of the protocol",
    Exit.EQUIVOCATED: "audit: somebody signed two versions of the same thing",
    Exit.UNRESPONSIVE: "audit: one side says that the other stopped answering",
    Exit.TAMPERED: "audit: the record is damaged or forged, and nobody can be blamed for it",
    Exit.UNSUPPORTED: "made by a version, or for a game, that this program does not know",
    Exit.USAGE: "the command line was not understood",
    Exit.DATA: "a file, an invite or a scenario is not what it should be",
    Exit.UNREACHABLE: "no connection: address, port, invite, or the other side said no",
    Exit.BUG: "a bug in this program; a report was written to the home folder",
    Exit.IO: "a file, folder or game is not there, or could not be read or written",
    Exit.INTERRUPTED: "interrupted from the keyboard",
    Exit.PIPE: "whoever read the output went away",
}


def gravest(codes: Iterable[Exit]) -> Exit:
    """What several files come to: a proven fault outranks whatever else there is, then the highest code."""
    return max(codes, key=lambda code: (code in (Exit.CHEATED, Exit.EQUIVOCATED), code), default=Exit.OK)


class Sorry(Exception):
    """A command cannot go on; the text says what happened, what it means, and what to do."""

    def __init__(self, text: str, code: Exit = Exit.USAGE) -> None:
        self.code = code
        super().__init__(text)


_SYSTEM: Final = {
    errno.ENOENT: "There is no {name}. Check the path.",
    errno.EEXIST: "{Name} is there already, and nothing is overwritten. Choose another name.",
    errno.EISDIR: "{Name} is a folder, and a file is needed here. Name a file in it.",
    errno.ENOTDIR: "{Name} is not in a folder: something on its path is a file. Check the path.",
    errno.EACCES: "{Name} may not be opened by this user. Change its permissions, or use another one.",
    errno.EPERM: "{Name} may not be changed by this user. Change its permissions, or use another one.",
    errno.EROFS: "{Name} is on a read-only disk. Choose another place, for the home folder with --home DIR.",
    errno.ENOSPC: "The disk of {name} is full. Make room and try again; what was saved before is intact.",
    errno.EDQUOT: "The quota for {name} is used up. Make room and try again; what was saved is intact.",
    errno.EIO: "The disk failed at {name}. Nothing more is written; copy the folder before trying again.",
    errno.ELOOP: "{Name} is a symbolic link, which is not followed here. Name the real file.",
    errno.ENAMETOOLONG: "The name of {name} is too long. Choose a shorter one.",
    errno.EMFILE: "Too many files are open. Close some programs and try again.",
}
_NETWORK: Final = {
    errno.EADDRINUSE: "The port is already in use. Choose another one with --port N, or --port 0 for any.",
    errno.EADDRNOTAVAIL: "This machine does not have that address. Choose one that it has, or leave it out.",
    errno.ECONNREFUSED: "Nobody answers at the address of the invite. Ask whether your opponent still waits.",
    errno.ECONNRESET: "The other side closed the connection. What was saved is intact: try `resume`.",
    errno.ETIMEDOUT: "The other side did not answer in time. Check the address and the network between you.",
    errno.EHOSTUNREACH: "There is no way to that address. Check the address and the network.",
    errno.ENETUNREACH: "There is no way to that network. Check that this machine is online.",
}


def explain(error: BaseException) -> tuple[str, Exit] | None:
    """The sentence and the exit code for `error`, or None if it is a bug of this program.

    A group of errors, as tasks running side by side raise it, is explained if each of its members is.
    """
    if isinstance(error, BaseExceptionGroup):
        told = [explain(leaf) for leaf in _leaves(error)]
        return None if None in told else told[0]
    if isinstance(error, Sorry):
        return str(error), error.code
    if isinstance(error, OSError):
        return _of_system(error)
    return _of_refusal(error)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for member in group.exceptions:
        if isinstance(member, BaseExceptionGroup):
            yield from _leaves(member)
        else:
            yield member


def _of_system(error: OSError) -> tuple[str, Exit]:
    number = error.errno or 0
    if number in _NETWORK:
        return _NETWORK[number], Exit.UNREACHABLE
    path = os.fspath(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else None
    name = f"'{os.fsdecode(path)}'" if path is not None else "the file in use"
    if number in _SYSTEM:
        return _SYSTEM[number].format(name=name, Name=name[0].upper() + name[1:]), Exit.IO
    reason = (error.strerror or type(error).__name__).rstrip(".")
    return f"The system refused: {reason}{f' ({name})' if path else ''}. Mend that and try again.", Exit.IO


def _of_refusal(error: BaseException) -> tuple[str, Exit] | None:
    """Refusals and failures by type; the protocol is only imported once something went wrong."""
    from p2p_stratego.bots import NoSuchBot
    from p2p_stratego.core.game import OptionError
    from protocol import errors, failures

    codes: tuple[tuple[type[Exception], Exit], ...] = (
        (NoSuchBot, Exit.USAGE),
        (errors.Violation, Exit.CHEATED),
        (errors.Equivocation, Exit.EQUIVOCATED),
        (errors.Forged, Exit.TAMPERED),
        (errors.Misplaced, Exit.TAMPERED),
        (errors.Unsupported, Exit.UNSUPPORTED),
        (errors.Refusal, Exit.DATA),
        (failures.StorageFailure, Exit.IO),
        (failures.InviteNewer, Exit.UNSUPPORTED),
        (failures.InviteFailure, Exit.DATA),
        (failures.NetworkFailure, Exit.UNREACHABLE),
    )
    if isinstance(error, OptionError):  # its text is a clause, since some callers go on from it
        return f"{str(error).rstrip('.')}.", Exit.USAGE
    return next(((str(error), code) for kind, code in codes if isinstance(error, kind)), None)
