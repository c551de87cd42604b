"""Rows of the list of games as the index keeps them: whether one that was read back may be shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from cli.shell.shared_options import PACES
from cli.text.sanitize import MOST_CELLS, escape
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES

Plain: TypeAlias = dict[str, Any]
"""What `--json` prints of something."""
SHOWN_ID: Final = 8
"""Hex digits of a match's id in the list: enough to name it to `resume`, `replay`, `export` and `audit`."""
VERDICTS: Final = ("complete", "incomplete", "cheated", "equivocated", "unresponsive", "tampered")
"""The values of `protocol.audit.verdict.Verdict`, whose module takes longer to load than a list."""


def damaged(command: str) -> str:
    """The status of a match of which the record is damaged; `command`: the audit that tells more."""
    return _("damaged: see {command}", command=command)


def _text(value: Any) -> bool:
    """Printable as it is: anybody may have written the index (threat 23)."""
    if type(value) is not str or len(value) > MOST_CELLS:
        return False
    return (value.isascii() and value.isprintable()) or escape(value) == value


def _texts(value: Any) -> bool:
    return type(value) is list and all(map(_text, value))


def _name(value: Any) -> bool:
    return type(value) is str


def _owed(value: Any) -> bool:
    return type(value) is dict and value.keys() == {"seat", "message"} and all(map(_text, value.values()))


def _clock(value: Any) -> bool:
    return type(value) is dict and all(_text(key) and type(number) is int for key, number in value.items())


def _either(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


_FIELDS: Final[dict[str, Callable[[Any], bool]]] = {
    "verdict": lambda value: value in VERDICTS,
    "game": lambda value: type(value) is str and value in ENTRIES,
    "seat": _either(_text),
    "others": lambda value: type(value) is list and all(map(_name, value)),
    "pace": lambda value: value in PACES,
    "clock": _either(_clock),
    "entries": lambda value: type(value) is int,
    "winner": _either(_text),
    "winners": _either(_texts),
    "reason": _either(_text),
    "unfinished": lambda value: type(value) is bool,
    "resumable": lambda value: type(value) is bool,
    "owed": _either(_owed),
    "unsettled": _texts,
    "never_settled": _texts,
    "silent": _texts,
    "bots": _texts,
    "practice": lambda value: type(value) is bool,
    "status": _text,
}
"""The fields of a row for a readable record; names of players are escaped where they are shown."""


def legible(row: Plain) -> bool:
    """Whether `row` has every field of a row, and each holds what it may."""
    return row.keys() == _FIELDS.keys() and all(fits(row[name]) for name, fits in _FIELDS.items())
