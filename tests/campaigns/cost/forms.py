"""Payloads in the forms that cost most to look at, for frames of any kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from protocol.wire.encoding import MAX_ARRAY, MAX_TEXT, encode

Make = Callable[[random.Random, int], Any]


def _filled(item: Any, size: int) -> Any:
    """Arrays of arrays of `item` that take at most `size` bytes."""
    length = len(encode(item))
    rows, rest = divmod(max(1, (size - 64) // (length + 1)), MAX_ARRAY - 1)
    return [[item] * (MAX_ARRAY - 1) for _ in range(min(rows, MAX_ARRAY - 1))] or [item] * rest


def _texts(letters: str, size: int) -> Any:
    """As many texts of the longest sort as `size` bytes have room for."""
    text = (letters * MAX_TEXT)[:MAX_TEXT]
    return [text] * min(MAX_ARRAY, max(1, (size - 64) // (len(text.encode()) + 3)))


FORMS: Final[Mapping[str, Make]] = {
    "marks in two orders": lambda _, size: "a" + "\u0300\u0334" * ((size - 64) // 4),
    "marks, high then low": lambda _, size: (
        "a" + "\u0315" * ((size - 64) // 4) + "\u0334" * ((size - 64) // 4)
    ),
    "letters that are two marks": lambda _, size: "\u0f73" * ((size - 64) // 3),
    "thirty marks a letter": lambda _, size: _texts("q" + "\u0300\u0334" * 15, size),
    "letters of later versions": lambda _, size: _texts("\u0378a\u0301", size),
    "parts of Hangul": lambda _, size: _texts("\u1100\u1161\u11a8", size),
    "letters with three marks": lambda _, size: _texts("\u1f82", size),
    "short texts": lambda _, size: _filled("\u00e9", size),
    "small integers": lambda _, size: _filled(1, size),
    "large integers": lambda _, size: _filled(2**53 - 1, size),
    "empty arrays": lambda _, size: _filled([], size),
    "eight arrays in each other": lambda _, size: _filled([[[[[[]]]]]], size),
    "short byte strings": lambda _, size: _filled(b"x", size),
    "one byte string": lambda rng, size: rng.randbytes(size - 64),
}


def payloads(rng: random.Random, size: int) -> Iterator[tuple[str, bytes]]:
    """Each form in at most `size` bytes, by name; noise, and a signature behind it, too."""
    for name, make in FORMS.items():
        yield name, encode(make(rng, size))[:size]
    yield "noise", rng.randbytes(size)
    yield "small integers, and a signature", encode(_filled(1, size - 64)) + rng.randbytes(64)
