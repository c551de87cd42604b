"""The one place that makes text from elsewhere safe for a terminal (threats 23 and 24).

Names, chat and reasons come from an opponent, file names and errors from anywhere.  A terminal obeys
control characters: OSC 52 writes the clipboard, OSC 8 hides an address behind a link, bidirectional marks
and zero-width characters make one name look like another.  So only visible characters pass: an allow-list by
Unicode category and by width, never a list of bad sequences.  Callers print such text through `escape` only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from wcwidth import wcswidth, wcwidth

MOST_CELLS: Final = 1000
"""Room for a sentence about a long path, and less than a screenful."""
CHAT_CELLS: Final = 500
"""The most cells of one chat message that are shown: enough for the longest in letters of one cell."""
NAME_CELLS: Final = 24
ELLIPSIS: Final = "…"

_MARKS_PER_LETTER: Final = 2
"""Vietnamese and Devanagari need two; a flood of them ("zalgo") would paint over the lines above."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs by category that show nothing, or too little to be noticed."""
_HIDDEN_MARKS: Final = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0xFE00, 0xFE0F),  # variation selectors: they also change a character's width
    (0xE0100, 0xE01EF),
)
_MODIFIERS: Final = (
    (0x1F1E6, 0x1F1FF),  # regional indicators join into flags, and no two terminals agree how wide
    (0x1F3FB, 0x1F3FF),  # skin tones melt into the sign before them
)


@lru_cache(maxsize=4096)
def cell(character: str) -> int:
    """How many columns of a terminal one `character` takes: 0, 1 or 2.

    Terminals give a spacing mark (Mc) a cell of its own, beside its letter.  wcwidth counts it with the
    letter, as 0; and its tables may be newer than Python's.
    """
    category = unicodedata.category(character)
    if category in ("Mn", "Mc"):
        return max(wcswidth("a" + character) - 1, int(category == "Mc"))
    return max(wcwidth(character), 0)


@lru_cache(maxsize=4096)
def _widest(character: str) -> int:
    if character.isascii() or cell(character) == 0:
        return cell(character)
    sure = unicodedata.category(character)[0] in "LNM" and unicodedata.east_asian_width(character) in "NH"
    return cell(character) if sure else 2


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes; `text` is escaped, or our own."""
    return len(text) if text.isascii() else _counted(text)


@lru_cache(maxsize=1024)
def _counted(text: str) -> int:
    """A screen measures the same lines again with each key."""
    return sum(map(cell, text))


def most_cells(text: str) -> int:
    """How many columns `text` takes at most: some signs and letters take one or two, as the terminal decides
    (UAX #11, ambiguous).  Lines are broken by this, so that no terminal breaks them itself (threat 23).
    """
    return len(text) if text.isascii() else sum(map(_widest, text))


def escape(text: str, limit: int = MOST_CELLS, *, ascii_only: bool = False) -> str:
    """`text` as it may be shown: one line, at most `limit` cells, every unseen character spelt out.

    White space of any kind becomes one space; a character that cannot be shown becomes `<U+202E>`.  With
    `ascii_only` so does everything beyond ASCII, but Latin letters become plain ones.  Total: any str is
    accepted, lone surrogates included.
    """
    return crop("".join(_spelt(text[: 4 * limit], ascii_only)).strip(), limit)


def crop(text: str, limit: int) -> str:
    """The beginning of `text` in at most `limit` cells, with an ellipsis where something is missing."""
    if cells(text) <= limit:
        return text
    mark = ELLIPSIS if limit > 0 else ""
    kept: list[str] = []
    used = len(mark)
    for character in text:
        used += cell(character)
        if used > limit:
            break
        kept.append(character)
    return "".join(kept).rstrip() + mark


def looks_like(name: str, other: str) -> bool:
    """Whether a hurried reader would take both names for the same."""
    return skeleton(name) == skeleton(other)


PLAIN: Final = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
    "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
    "ı": "i",
}  # fmt: skip
"""Latin letters that are no others with accents, as they are written in ASCII."""


def _without_accents(character: str) -> str:
    """The ASCII letters for a Latin one, which may have accents; "" for another character."""
    parts = unicodedata.normalize("NFD", character)
    plain = PLAIN.get(parts[0], parts[0])
    is_letter = plain.isascii() and plain.isalpha() and all(map(unicodedata.combining, parts[1:]))
    return plain if is_letter else ""


def _spelt(text: str, ascii_only: bool) -> Iterator[str]:
    marks = 0
    base = False
    for character in unicodedata.normalize("NFC", text):
        if character.isspace() or character in "\x1c\x1d\x1e\x1f":
            # Also the line and paragraph separators: a line of chat must not look like one of ours.
            marks, base = 0, False
            yield " "
        elif ascii_only and not character.isascii():
            yield _without_accents(character) or f"<U+{ord(character):04X}>"
        elif _kind(character) == "mark" and base and marks < _MARKS_PER_LETTER:
            marks += 1
            yield character
        elif _kind(character) == "seen":
            marks, base = 0, character.isalpha()
            yield character
        else:
            base = False
            yield f"<U+{ord(character):04X}>"


@lru_cache(maxsize=4096)
def _kind(character: str) -> str:
    """`seen`: has one or two cells of its own; `mark`: belongs to the letter before; `hidden`: the rest."""
    if "\x20" <= character <= "\x7e":
        return "seen"
    point = ord(character)
    category = unicodedata.category(character)
    if any(low <= point <= high for low, high in _HIDDEN_MARKS + _MODIFIERS) or character in _BLANK:
        return "hidden"
    if category == "Mc" or (category == "Mn" and wcwidth(character) == 0):
        return "mark"
    # A font decides how private use looks; unassigned code points have no known look.
    return "seen" if category[0] in "LNPS" and wcwidth(character) in (1, 2) else "hidden"


# Characters that most fonts draw like a Latin letter, small or capital.  A part of Unicode's confusables.txt,
# enough to warn: players must compare fingerprints.
_LOOKS: Final = {
    "a": "аα4@ɑ", "b": "вβ8ьƅ", "c": "сϲ¢", "d": "ԁ", "e": "еε3є", "g": "ɡ9ց", "h": "нһη", "j": "јϳ",
    "k": "кκ", "l": "1|!ıіιǀ∣ӏӀi", "m": "мμ", "n": "п", "o": "0оοσօ", "p": "рρ", "q": "ԛ", "s": "5$ѕ",
    "t": "7тτ", "u": "υս", "v": "νѵ", "w": "ԝωш", "x": "хχ×", "y": "уγү", "z": "2ζ",
}  # fmt: skip
_TABLE: Final = str.maketrans(PLAIN | {look: letter for letter, looks in _LOOKS.items() for look in looks})


def skeleton(name: str) -> str:
    """`name` without the differences that the eye skips: marks, case, spaces, alphabets."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    kept = (c for c in plain if unicodedata.category(c)[0] in "LNPS")
    return "".join(kept).translate(_TABLE).replace("rn", "m").replace("vv", "w")
