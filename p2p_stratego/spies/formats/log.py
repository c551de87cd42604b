"""Events as the log of a scenario tells them: short texts that never change without the rules' version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from p2p_stratego.core.narration import Fields
from p2p_stratego.spies.rules.atlas import NAMES, POWERS
from p2p_stratego.spies.rules.counters import CHIT_NAMES, SPIES, spy_names
from p2p_stratego.spies.rules.state import Event, State, secret_name, spy_code

TEXTS: Final[Mapping[str, str]] = {
    "russia": "russia to seat {other} for {number}",
    "plays tile": "plays tile {face}",
    "discards": "discards a tile",
    "no tile": "no tile",
    "gains": "{power} gains {number} at {city}",
    "draws": "{power} draws {number} {why}",
    "returns": "{power} returns {number}",
    "police": "police",
    "searches": "{power} searches {spy} in {city}",
    "escapes": "{spy} escapes to {city}",
    "too strong": "{spy} is too strong",
    "captured": "{name} captured by {power}",
    "plays": "{power} plays {chit}",
    "moves": "{spy} to {city}",
    "sails": "{spy} sails {word} {numbers}",
    "stays": "{spy} stays",
    "takes": "{spy} takes {secret}",
    "gives": "{spy} gives {secret} to police",
    "leaves": "{spy} leaves {secret}",
    "cashes": "{spy} cashes {secret}",
    "discovers": "{spy} discovers {secret}",
    "discovery fails": "discovery fails",
    "controls": "{spy} controls {secret}",
    "counterspy": "{secret} is counterspy {number}",
    "survives": "{spy} survives",
    "sanctions": "{spy} sanctions {victim}",
    "is the cousin": "{spy} is the cousin",
    "killed": "{name} killed by {power}",
    "sanction fails": "sanction fails",
    "drops": "{spy} drops {secret}",
    "drop stands": "drop of {secret} stands",
    "intercepts": "{power} intercepts {secret}",
    "tries to escape": "{spy} tries to escape",
    "escape fails": "escape fails",
    "recruited": "{spy} recruited in {city}",
    "diplomacy": "diplomacy with {partner}",
    "trade": "trade {power} {own}, {partner} {theirs}{declined}",
}
"""By kind of event."""
SILENT: Final = frozenset({"secrets", "spies", "left", "talked"})
_FOR: Final = {"capture": "for a capture", "secret": "for a secret"}
_FIELDS: Final[Mapping[str, Callable[[State, Event], object]]] = {
    "power": lambda _, e: POWERS[e.power] if e.power >= 0 else "nobody",
    "partner": lambda _, e: POWERS[e.other],
    "other": lambda _, e: e.other,
    "spy": lambda _, e: spy_code(e.spy),
    "victim": lambda _, e: spy_code(e.other),
    "name": lambda _, e: f"{spy_code(e.spy)} {spy_names(e.spy // SPIES)[e.face]}",
    "secret": lambda s, e: secret_name(s, e.secret),
    "city": lambda _, e: NAMES[e.city],
    "chit": lambda _, e: CHIT_NAMES[e.face],
    "face": lambda _, e: e.face,
    "word": lambda _, e: e.word,
    "number": lambda _, e: e.numbers[0],
    "numbers": lambda _, e: _spaced(e.numbers),
    "why": lambda _, e: _FOR.get(e.word) or f"at {NAMES[e.city]}",
    "own": lambda _, e: _spaced(e.numbers[:3]),
    "theirs": lambda _, e: _spaced(e.numbers[3:]),
    "declined": lambda _, e: " declined" if e.word else "",
}
"""By field of these texts."""


def log_text(state: State, event: Event) -> str | None:
    """The text of an event; None if the log does not tell it."""
    return None if event.kind in SILENT else TEXTS[event.kind].format_map(Fields(_FIELDS, state, event))


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
