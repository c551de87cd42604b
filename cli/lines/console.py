"""Standard input and output as trio sees them: lines in, lines out, no thread.

A thread that waits in `readline` cannot be cancelled and keeps the interpreter from ending, so standard input
is read when the system says that there is something to read.
"""

from __future__ import annotations

import codecs
import os
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from shutil import get_terminal_size
from typing import Final, TextIO

import trio

from cli.shell.settings import Settings
from cli.text import notices
from cli.text.language import yes_or_no
from cli.text.layout import MAX_LINE, ascii_text, hung
from cli.text.sanitize import escape
from p2p_stratego.core.language import _

_CHUNK: Final = 4096


class Lines:
    """The lines of standard input, as they come."""

    def __init__(self, source: TextIO | None = None) -> None:
        """`source`: None is standard input; a stream without a file descriptor is read directly."""
        self._source = sys.stdin if source is None else source
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._text = ""
        self._over = False

    async def read(self) -> str | None:
        """The next line without its end; None at the end of the input."""
        while "\n" not in self._text and not self._over:
            data = await self._more()
            self._over = not data
            self._text += self._decoder.decode(data, final=not data).replace("\0", "")
            if "\n" not in self._text:
                self._text = self._text[:MAX_LINE]
        if not self._text and self._over:
            return None
        line, _, self._text = self._text.partition("\n")
        return line.rstrip("\r")[:MAX_LINE]

    def forget(self) -> None:
        """Drop unread input of a terminal; a script's lines are meant to come early."""
        if self._source.isatty():
            self._text = ""
            with suppress(termios.error):
                termios.tcflush(self._source.fileno(), termios.TCIFLUSH)

    async def _more(self) -> bytes:
        """Some bytes; none at the end of the input, or when its terminal is gone."""
        try:
            descriptor = self._source.fileno()
        except (OSError, ValueError):  # no file at all, or closed
            await trio.lowlevel.checkpoint()
            return b"" if self._source.closed else self._source.readline().encode()
        try:
            await trio.lowlevel.wait_readable(descriptor)
        except PermissionError:
            # A plain file is always readable, and epoll refuses it (epoll_ctl(2), EPERM).
            await trio.lowlevel.checkpoint()
        try:
            return os.read(descriptor, _CHUNK)
        except OSError:
            return b""


class Console:
    """A conversation in lines: before a game on the screen, and all of a game in line mode."""

    def __init__(
        self, lines: Lines | None = None, out: TextIO | None = None, *, ascii_only: bool = False
    ) -> None:
        """`lines`: None is standard input; `out`: None is standard output."""
        self._lines = lines or Lines()
        self.out = out or sys.stdout
        self._wraps = self.out.isatty()
        self.ascii_only = ascii_only
        self._open = self._broken = ""
        """The prompt that the cursor stands behind, and one that other lines have pushed up."""

    def say(self, text: str = "") -> None:
        """Print a sentence, wrapped if it goes to a terminal.  Text of others in it has passed
        `cli.text.sanitize`, and never stands at the beginning of a line.
        """
        for line in hung(text, get_terminal_size().columns - 1 if self._wraps else None):
            self.verbatim(line)

    def verbatim(self, text: str) -> None:
        """Print one line as it is, so that it can be copied."""
        self.break_off()
        print(ascii_text(text) if self.ascii_only else text, file=self.out, flush=True)

    async def ask(self, question: str) -> str | None:
        """Print a question and read the answer; None at the end of the input."""
        self.prompt(question)
        return await self.line()

    def prompt(self, question: str) -> None:
        """Print a question without ending the line."""
        self._open, self._broken = question, ""
        text = ascii_text(question) if self.ascii_only else question
        print(text, end=" ", file=self.out, flush=True)

    def break_off(self) -> None:
        """End the line of a prompt on a terminal, where news behind it would look typed."""
        if self._open and self._wraps:
            print(file=self.out, flush=True)
            self._broken, self._open = self._open, ""

    def prompt_again(self) -> None:
        """Put the prompt that was broken off, if one was and none came after it."""
        if self._broken:
            self.prompt(self._broken)

    def notify(self, settings: Settings, sentence: str, run_command: Callable[[str], None]) -> None:
        """Call the player with `sentence`, as the settings say, if a terminal shows this conversation.

        Lines are read as the terminal hands them over, so it is not asked whether the player looks at it.
        """
        if not self._wraps:
            return
        if settings.notify == "command":
            run_command(sentence)
        written = notices.sequence(settings.notify, sentence, ascii_only=self.ascii_only)
        print(written, end="", file=self.out, flush=True)

    def forget(self) -> None:
        """Drop what was typed at a terminal before the question that comes now; a script's lines stay."""
        self._lines.forget()

    async def line(self) -> str | None:
        """The next line of input; None at its end."""
        line = await self._lines.read()
        self._open = self._broken = ""
        return line

    async def confirm(self, question: str) -> bool:
        """Ask until the answer is yes or no; the end of the input is a no.

        Input that was typed at a terminal before the question does not answer it.
        """
        self._lines.forget()
        while True:
            answer = await self.ask(_("{question} (yes/no)", question=question))
            consent = yes_or_no("no" if answer is None else answer)
            if consent is not None:
                return consent
            typed = (
                _("“{answer}” is neither yes nor no.", answer=escape(answer, 40))
                if answer
                else _("Nothing is typed.")
            )
            self.say(_("{typed} Please answer yes or no.", typed=typed))
