"""Texts in normal form C, by one fixed version of Unicode, so that any two verifiers agree on every text."""

from __future__ import annotations

from itertools import groupby
from unicodedata import ucd_3_2_0


def normal_form(text: str) -> str:
    """`text` in normal form C by Unicode 3.2, the version of RFC 3454.

    Later code points stand for themselves.  So the text is cut at them: of whole texts `ucd_3_2_0` composes
    some later ones (U+1B05 U+1B35) and gives others (U+0357) a combining class, by the data of its own time.
    """
    if text.isascii():
        return text
    return "".join(
        "".join(run) if later else ucd_3_2_0.normalize("NFC", "".join(run))
        for later, run in groupby(text, _is_later)
    )


def is_normal(text: str) -> bool:
    """Whether `text` is in that form."""
    return text.isascii() or normal_form(text) == text


def _is_later(letter: str) -> bool:
    return ucd_3_2_0.category(letter) == "Cn"
