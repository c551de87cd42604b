"""A language in which every sentence of the catalogue stands in brackets: others stand outside."""

from __future__ import annotations

import re
from typing import Final

OPEN, CLOSE = "⟦", "⟧"
_WORD: Final = re.compile(r"(?<![\w/.:-])[A-Za-z]{3,}(?![\w/.:-]*[\w/])")
_COMMAND: Final = re.compile(r"`[^`]*`|--?[a-z][\w-]*|\{[^}]*\}")
_FIELD: Final = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})")


def _outside(field: re.Match[str]) -> str:
    return f"{CLOSE}{field[0]}{OPEN}"


class Brackets:
    """The catalogue of that language."""

    def gettext(self, message: str, /) -> str:
        """`message` in brackets, its fields outside of them.

        Each line has its own, since a coach's lines may be told apart; the sections of a manual are whole.
        """
        lines = [message] if message.startswith("#") else message.split("\n")
        return "\n".join(f"{OPEN}{_FIELD.sub(_outside, line)}{CLOSE}" for line in lines)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """The same of the form for `n`."""
        return self.gettext(singular if n == 1 else plural)

    def pgettext(self, _context: str, message: str, /) -> str:
        """The same of a word in one of its senses; the marks within numbers stay bare."""
        return message if message in ".," else self.gettext(message)


def outside(text: str) -> str:
    """`text` without what stands in brackets."""
    kept, depth = [], 0
    for character in text:
        depth += (character == OPEN) - (character == CLOSE)
        if depth == 0:
            kept.append(" " if character == CLOSE else character)
    return "".join(kept)


def words_outside(text: str) -> set[str]:
    """The words outside of brackets, lines apart, without commands and options."""
    return set(_WORD.findall(_COMMAND.sub(" ", outside(text))))
