"""Questions before a match, one line at a time and without trio, for the menus.

Piped input is read byte by byte, past the buffer of sys.stdin: the rest is for the chosen command
(see `cli.lines.console`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import Final

from cli.shell.settings import Settings
from cli.text.layout import MAX_LINE, ascii_text, hung
from cli.text.sanitize import cells
from p2p_stratego.core.language import _

QUIT: Final = ("q", "quit", "exit")
_BACK: Final = ("", "b", "back")
_ON: Final = "on"


class Prompt:
    """One conversation on standard input and output."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.ascii_only = ascii_only
        self.interactive = sys.stdin.isatty()
        """Whether a person types."""

    def say(self, text: str = "") -> None:
        """Print a line, broken at its words where it is longer than the terminal is wide."""
        for line in self._rows(text):
            print(ascii_text(line) if self.ascii_only else line)

    def ask(self, question: str, usual: str = "") -> str:
        """The answer to a question; "" from a player who goes back.  Raises EOFError at the end of the input,
        and for one that quits.

        `usual`: what Enter alone answers.
        """
        line = self._line(question)
        if line is None:
            return ""
        answer = line.strip()
        if answer.lower() in QUIT:
            raise EOFError
        return answer or usual

    def pick(
        self,
        question: str,
        titles: Sequence[str],
        usual: int | None,
        pictures: Sequence[Sequence[str]] = (),  # noqa: ARG002 - for those who can show them
    ) -> int | None:
        """The index of the one of `titles` that is picked; None: the player goes back.

        `usual`: the index that Enter picks; None: Enter goes back; `pictures`: of each title, in lines.
        Raises EOFError as `ask` does.
        """
        self.say()
        for number, title in enumerate(titles, start=1):
            self.say(f"  {number:>2}  {title}")
        how = f"[{usual + 1}]" if usual is not None else _("(Enter: back)")
        while True:
            answer = self.ask(f"{question} {how} ").lower()
            if answer == "" and usual is not None:
                return usual
            if answer in _BACK:
                return None
            if answer.isascii() and answer.isdigit() and 0 < int(answer[:9]) <= len(titles):
                return int(answer[:9]) - 1
            self.say(
                _("Please type a number from 1 to {count}, b to go back, or q to quit.", count=len(titles))
            )

    def page(self, lines: Sequence[str]) -> None:
        """Print lines, a screenful at a time if a person reads them.  Raises EOFError as `ask` does."""
        rows = max(get_terminal_size().lines - 1, 2)
        for at, line in enumerate(lines):
            if self.interactive and at and at % rows == 0:
                more = len(lines) - at
                question = (
                    _("-- {more} more line; Enter: go on, b: back -- ", more=more)
                    if more == 1
                    else _("-- {more} more lines; Enter: go on, b: back -- ", more=more)
                )
                if self.ask(question, _ON) != _ON:
                    return
            self.say(line)

    def look(self, settings: Settings) -> None:
        """Show what follows by these settings."""
        self.ascii_only = settings.ascii

    def flush(self) -> None:
        """Print what was said and is not printed yet: here nothing."""

    def printed(self) -> None:
        """A command has printed something; only a screen that would cover it needs to know."""

    def _rows(self, text: str, behind: int = 0) -> list[str]:
        """`text` in rows of the terminal, if a person reads it and one row has no room for it.

        `behind`: the cells that one row has to leave free.
        """
        columns = get_terminal_size().columns
        return hung(text, columns) if self.interactive and cells(text) + behind > columns else [text]

    def _line(self, question: str) -> str | None:
        """A line of standard input; None after a key that goes back.  Raises EOFError at its end."""
        if self.interactive:
            *rows, last = self._rows(question, 1)
            for row in rows:
                print(row)
            return self._typed(last if last.endswith(" ") else f"{last} ")
        print(question, end="", flush=True)
        data = b""
        while not data.endswith(b"\n") and (byte := _byte()):
            data = (data + byte)[-MAX_LINE:]
        print()
        if not data:
            raise EOFError
        return data.decode(errors="replace")

    def _typed(self, question: str) -> str | None:
        """What a person types behind a question; None after a key that goes back.  Raises EOFError at the end
        of the input.
        """
        return input(question)


def _byte() -> bytes:
    """One byte of standard input; none at its end, or if it is closed."""
    try:
        return os.read(sys.stdin.fileno(), 1)
    except (OSError, ValueError):
        return b""
