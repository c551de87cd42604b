"""The common parts of all scenario players: strict reading, and the typed error.

A scenario is a whole game written down with its hidden things and its chance, to be played without a network;
`referee` prints the lines.  The formats belong to the games; neither input nor output may change without the
rules' version.  A stranger wrote the text: every value is checked for its exact type, and an unknown key
is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from json import JSONDecodeError
from typing import Final, TypeAlias

from p2p_stratego.core import strict_json
from p2p_stratego.core.language import _
from p2p_stratego.core.strict_json import NotJson

LONGEST: Final = 1 << 20
"""Bytes of one scenario; a whole game takes two thousand, a very long one fifty."""

_LONG_NUMBER: Final = 20
"""Digits of a number that is quoted."""

Line: TypeAlias = dict[str, object]
"""One line of a referee's output; it can be written as JSON."""


class ScenarioError(Exception):
    """A scenario breaks its format, or asks for a choice that the rules do not offer.

    `why`: a sentence for people; in English, as the words of a scenario are, once a scenario could be read.
    `where`: the first step that could not be played, such as day and turn, the largest part first; empty if
    the text is no scenario of a known game.
    """

    def __init__(self, why: str, where: Mapping[str, int] | None = None) -> None:
        self.why = why
        self.where = dict(where or {})
        place = ", ".join(f"{name} {number}" for name, number in self.where.items())
        super().__init__(f"{place}: {why}" if place else why)


def load(data: bytes) -> object:
    """The JSON value in `data`, at most LONGEST bytes, as strict_json reads it.  Raises ScenarioError."""
    try:
        value: object = strict_json.read(data, LONGEST)
    except NotJson as error:
        raise ScenarioError(_flaw(error)) from error
    return value


def _flaw(error: NotJson) -> str:
    """Why the bytes are no JSON, as a clause."""
    cause = error.__cause__
    if isinstance(cause, UnicodeDecodeError):
        return _("it is not UTF-8 at byte {at}, so it is no scenario", at=cause.start)
    if isinstance(cause, JSONDecodeError):
        return _(
            "it is not JSON at line {line}, column {column}, so it is no scenario",
            line=cause.lineno,
            column=cause.colno,
        )
    if error.why == "long":
        return _("it is longer than {most} bytes, so it is no scenario", most=LONGEST)
    if error.why == "deep":
        return _("it is nested far too deep, so it is no scenario")
    if error.why == "twice":
        return f"it has the key {error.what[:40]!a} twice in one object"
    if len(error.what) > _LONG_NUMBER:
        return _("it has a number of absurd length, so it is no scenario")
    return f"{error.what} is no number of a scenario"


@dataclass(frozen=True)
class Reader:
    """Reads parts of a scenario; every method raises ScenarioError with its `where`."""

    where: Mapping[str, int] = field(default_factory=dict)

    def error(self, why: str) -> ScenarioError:
        return ScenarioError(why, self.where)

    def record(
        self, value: object, what: str, required: Collection[str], optional: Collection[str] = ()
    ) -> dict[str, object]:
        """An object with all of the `required` keys and no others than these and the `optional` ones."""
        if not isinstance(value, dict):
            raise self.error(f"{what} must be an object, not {_kind(value)}")
        for key in value:
            if key not in required and key not in optional:
                allowed = _listed((*required, *optional))
                raise self.error(f"{what} has the unknown key {key!a}; it may have {allowed}")
        for key in required:
            if key not in value:
                raise self.error(f"{what} lacks the key {key!a}")
        return value

    def items(self, value: object, what: str) -> list[object]:
        """A list with items of any type."""
        if not isinstance(value, list):
            raise self.error(f"{what} must be a list, not {_kind(value)}")
        return value

    def whole(self, value: object, what: str, least: int, most: int) -> int:
        """An integer within limits; true, false and 1.0 are none."""
        if type(value) is not int or not least <= value <= most:
            raise self.error(f"{what} must be a whole number from {least} to {most}, not {_shown(value)}")
        return value

    def wholes(self, value: object, what: str, least: int, most: int) -> list[int]:
        """A list of integers within limits."""
        return [self.whole(item, f"each of {what}", least, most) for item in self.items(value, what)]

    def flag(self, value: object, what: str) -> bool:
        """true or false."""
        if not isinstance(value, bool):
            raise self.error(f"{what} must be true or false, not {_shown(value)}")
        return value

    def word(self, value: object, what: str, words: Sequence[str]) -> str:
        """One of `words`."""
        if not isinstance(value, str) or value not in words:
            raise self.error(f"{what} must be {_listed(words, 'or')}, not {_shown(value)}")
        return value


def _listed(words: Sequence[str], link: str = "and") -> str:
    if not words:
        return "none"
    quoted = [f'"{word}"' for word in words]
    return f"{', '.join(quoted[:-1])} {link} {quoted[-1]}" if len(quoted) > 1 else quoted[0]


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: object) -> str:
    """A value as an error quotes it: short for any input."""
    if isinstance(value, dict | list | bool) or value is None:
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else _kind(value)
    quoted = ascii(value)
    return quoted if len(quoted) <= 40 else quoted[:40] + "..."
