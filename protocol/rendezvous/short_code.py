"""The short code of a host, to be read out on the phone: 7-amber-violin.

The number names the place where the host waits.  The two words are 20 secret bits, by which a caller proves
that the host told them (protocol.lobby.codes).  No code here waits or reads a clock.
"""

from __future__ import annotations

import difflib
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from protocol.crypto.spake2 import password_scalar
from protocol.failures import NotACode
from protocol.rendezvous.code_words import WORDS
from protocol.wire import labels

MAX_NUMBER: Final = 999
MAX_TEXT: Final = 64
"""Characters that `read` accepts."""
_WORDS: Final = 2
_BETWEEN: Final = re.compile(r"[\s\-_.,;:/\u2010-\u2015\u200b]+")
_FORM: Final = re.compile(r"\s*[0-9]{1,4}[\s\-_.,;:/\u2010-\u2015\u200b]+[A-Za-z]")
_TOLD: Final = 3
"""Words or beginnings of codes that a refusal names."""
_NEAR: Final = 0.7
"""How similar to a mistyped word a word of the list must be to be suggested, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ShortCode:
    """`number`: 1 to MAX_NUMBER; `words`: two of the list."""

    number: int
    words: tuple[str, str] = field(repr=False)

    def __str__(self) -> str:
        """The one form of the code.  It holds the words: for the friend, never for a log."""
        return f"{self.number}-{'-'.join(self.words)}"

    def scalar(self) -> bytes:
        """w of SPAKE2, 32 bytes.  Takes a tenth of a second."""
        return password_scalar(str(self).encode(), labels.CODE_WORDS)


def new_code(number: int, choose: Callable[[Sequence[str]], str] = secrets.choice) -> ShortCode:
    """A new code with this `number`."""
    return ShortCode(number, (choose(WORDS), choose(WORDS)))


def is_code(text: str) -> bool:
    """Whether a text begins as a code does: with a number of a few digits, and a letter behind a gap."""
    return _FORM.match(text) is not None


def read(text: str) -> ShortCode:
    """The code in a typed text: in any case, with spaces or hyphens, its words shortened as long as unique.

    Raises NotACode.
    """
    number, *words = _parts(text)
    if not (number.isascii() and number.isdigit() and 0 < int(number) <= MAX_NUMBER):
        raise NotACode
    if len(words) != _WORDS:
        raise NotACode(near=tuple(completions(text)[:_TOLD]))
    first, second = map(_word, words)
    return ShortCode(int(number), (first, second))


def completions(text: str) -> list[str]:
    """The codes, or beginnings of codes, to which a typed beginning leads.

    Words are suggested from the second letter on.
    """
    *whole, begun = _parts(text)
    if not whole or len(whole) > _WORDS or len(begun) < 2:
        return []
    try:
        words = [_word(word) for word in whole[1:]]
    except NotACode:
        return []
    return ["-".join((whole[0], *words, word)) for word in WORDS if word.startswith(begun)]


def _parts(text: str) -> list[str]:
    return _BETWEEN.split(text[:MAX_TEXT].strip().lower()) or [""]


def _word(typed: str) -> str:
    """The word of the list that was meant.  Raises NotACode."""
    matches = [typed] if typed in WORDS else [word for word in WORDS if typed and word.startswith(typed)]
    if len(matches) != 1:
        near = matches[:_TOLD] or difflib.get_close_matches(typed, WORDS, _TOLD, _NEAR)
        raise NotACode(typed, tuple(near))
    return matches[0]
