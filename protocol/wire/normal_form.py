"""Texts in normal form C, by one fixed version of Unicode, so that any two verifiers agree on every text."""

from __future__ import annotations

from itertools import groupby
from typing import Final
from unicodedata import ucd_3_2_0

MAX_MARKS: Final = 30
"""Marks in a row: more than any writing needs (UAX #15, Stream-Safe Text Format).  Sorting n marks takes n²
steps (threat 106).
"""
_TWO_MARKS: Final = "\u0f73\u0f75\u0f81"
"""All code points of class 0 that decompose into marks alone."""


def normal_form(text: str) -> str:
    """`text` in normal form C by Unicode 3.2, the version of RFC 3454.

    Later code points stay as they are.  So the text is cut at them: `ucd_3_2_0` would compose some later code
    points (U+1B05 U+1B35), and give others (U+0357) a combining class, by the data of the running Python.
    """
    if text.isascii():
        return text
    if not any(map(_is_later, text)):
        return ucd_3_2_0.normalize("NFC", text)
    return "".join(
        "".join(run) if later else ucd_3_2_0.normalize("NFC", "".join(run))
        for later, run in groupby(text, _is_later)
    )


def is_normal(text: str) -> bool:
    """Whether `text` is in normal form C, and has few marks in a row."""
    return text.isascii() or (has_few_marks(text) and normal_form(text) == text)


def has_few_marks(text: str) -> bool:
    """Whether at most MAX_MARKS marks stand in a row anywhere in `text`."""
    row = 0
    for letter in text:
        row = row + 1 if is_mark(letter) else 0
        if row > MAX_MARKS:
            return False
    return True


def is_mark(letter: str) -> bool:
    """Whether a code point has a combining class in Unicode 3.2, or decomposes into such alone."""
    return bool(ucd_3_2_0.combining(letter)) or letter in _TWO_MARKS


def _is_later(letter: str) -> bool:
    return ucd_3_2_0.category(letter) == "Cn"
