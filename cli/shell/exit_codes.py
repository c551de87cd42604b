"""Exit codes, and the error with which a command gives up; `explain` has the words for all other errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Final, TypeAlias

from p2p_stratego.core.language import mark


class Exit(IntEnum):
    """Results of a command.  10 to 60 are verdicts; from 64 on they follow BSD's sysexits.h."""

    OK = 0
    INCOMPLETE = 10
    CHEATED = 20
    EQUIVOCATED = 21
    UNRESPONSIVE = 31
    TAMPERED = 40
    UNSUPPORTED = 50
    MISSED = 60
    USAGE = 64
    DATA = 65
    UNREACHABLE = 69
    BUG = 70
    IO = 74
    CONFIG = 78
    INTERRUPTED = 130
    PIPE = 141


MEANINGS: Final = {
    Exit.OK: mark("done; of an audit: every game was played to its end, and honestly"),
    Exit.INCOMPLETE: mark("audit: the game stopped early, nobody at fault"),
    Exit.CHEATED: mark("audit: somebody broke the rules of the game or of the protocol"),
    Exit.EQUIVOCATED: mark("audit: somebody signed two versions of the same thing"),
    Exit.UNRESPONSIVE: mark("audit: one side says that the other stopped answering"),
    Exit.TAMPERED: mark("audit: the record is damaged or forged, and nobody can be blamed for it"),
    Exit.UNSUPPORTED: mark("made by a version, or for a game, that this program does not know"),
    Exit.MISSED: mark("arena: fewer games were won than were asked for"),
    Exit.USAGE: mark("the command line was not understood"),
    Exit.DATA: mark("a file, an invite, a scenario or an answer to a puzzle is not what it should be"),
    Exit.UNREACHABLE: mark("no connection: address, port, invite, or the other side said no"),
    Exit.BUG: mark("a bug in this program; a report was written to the home folder"),
    Exit.IO: mark("a file, folder or game is not there, or could not be read or written"),
    Exit.CONFIG: mark(
        "a library that this command needs is not there, or not safe to use; install what it asks for"
    ),
    Exit.INTERRUPTED: mark("interrupted from the keyboard"),
    Exit.PIPE: mark("the reader of the output went away"),
}


def gravest(codes: Iterable[Exit]) -> Exit:
    """The exit code of several files: a proven fault outranks all others, else the highest counts."""
    return max(codes, key=lambda code: (code in (Exit.CHEATED, Exit.EQUIVOCATED), code), default=Exit.OK)


Run: TypeAlias = Callable[[str], str]
"""Turns a command and its arguments ("games") into text to paste: program, home folder, backticks."""
Words: TypeAlias = str | Callable[[Run], str]
"""Sentences for a person; those with a command in them take a Run, which writes it."""


def bare(words: str) -> str:
    """A command as documentation writes it, without a home folder."""
    return f"`{words}`"


def worded(words: Words, run: Run) -> str:
    """`words` with their commands as `run` writes them."""
    return words if isinstance(words, str) else words(run)


class Sorry(Exception):
    """A command cannot go on; the words tell the event, its meaning, and a remedy."""

    def __init__(self, words: Words, code: Exit = Exit.USAGE) -> None:
        self.code = code
        self._words = words
        super().__init__(worded(words, bare))

    def sentence(self, run: Run) -> str:
        """The words, with commands as `run` writes them."""
        return worded(self._words, run)
