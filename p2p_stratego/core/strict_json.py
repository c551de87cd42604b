"""JSON from files and from other programs, in one strict reading.

Stricter than RFC 8259 asks: a key written twice means different things to different readers; NaN and Infinity
are no JSON, nor is a number that a float holds as infinite one (1e400); no integer has more than 64 bits.
Lengths and depth have bounds.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final, Literal, NoReturn, TypeAlias

MOST: Final = 1 << 20
"""Bytes, unless the caller says otherwise."""
DEPTH: Final = 32
"""Arrays and objects in each other."""
_INTEGERS: Final = 2**64
_NESTS: Final = frozenset({dict, list})
"""The types, and no heirs of them, that the reader makes of objects and arrays."""

Why: TypeAlias = Literal["long", "encoding", "syntax", "deep", "number", "twice"]
"""Over the length; no UTF-8; no JSON; nested too deep; a number out of range, or none; a key twice."""


class NotJson(ValueError):
    """The bytes are not JSON in the strict reading.  `why`: as in Why; `what`: the key or the number."""

    def __init__(self, why: Why, what: str = "") -> None:
        self.why: Why = why
        self.what = what
        super().__init__(f"no JSON that is read here ({why})")


def read(data: bytes, most: int = MOST) -> Any:
    """The value in `data`, UTF-8 with or without its mark, at most `most` bytes.

    It is made of dict, list, str, int below 2^64 on both sides of 0, finite float, bool and None.  Raises
    NotJson, a ValueError.
    """
    if len(data) > most:
        raise NotJson("long")
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_refused,
            parse_float=_float,
            parse_int=_integer,
        )
    except UnicodeDecodeError as error:
        raise NotJson("encoding") from error
    except json.JSONDecodeError as error:
        raise NotJson("syntax") from error
    except RecursionError as error:
        raise NotJson("deep") from error
    _require_flat(value)
    return value


def read_shipped(data: bytes) -> Any:
    """The value in a file of the program's own, trusted as its modules are, in a fifth of the time."""
    return json.loads(data)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)  # it keeps the last of two equal keys; another reader may keep the first
    if len(value) != len(pairs):
        once: set[str] = set()
        for key, _ in pairs:
            if key in once:
                raise NotJson("twice", key)
            once.add(key)
    return value


def _refused(name: str) -> NoReturn:
    raise NotJson("number", name)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):  # 1e400 is a number of JSON, and infinite as a float
        raise NotJson("number", digits)
    return value


def _integer(digits: str) -> int:
    # The length comes first: `int` takes quadratic time, and the writer of the file chose the length.
    if len(digits) > len(str(_INTEGERS)) + 1 or abs(value := int(digits)) >= _INTEGERS:
        raise NotJson("number", digits)
    return value


def _require_flat(value: Any) -> None:
    """Raise NotJson if arrays and objects stand deeper in each other than DEPTH."""
    level = [value]
    for _ in range(DEPTH + 1):  # level by level: a recursion would go as deep as the writer likes
        level = [inner for item in level for inner in _inside(item) if type(inner) in _NESTS]
        if not level:
            return
    raise NotJson("deep")


def _inside(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
