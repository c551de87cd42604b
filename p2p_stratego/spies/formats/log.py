"""Events as the log of a scenario tells them: short texts that never change without the rules' version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.spies.rules.atlas import NAMES, POWERS
from p2p_stratego.spies.rules.counters import CHIT_NAMES, SPIES, spy_names
from p2p_stratego.spies.rules.state import Event, State, secret_name, spy_code

_FOR: Final = {"capture": "for a capture", "secret": "for a secret"}
_SILENT: Final = frozenset({"secrets", "spies", "left", "talked"})


def told(state: State, event: Event) -> str | None:
    """The text of an event; None if the log does not tell it."""
    if event.kind in _SILENT:
        return None
    return _TEXTS[event.kind](state, event)


def _power(event: Event) -> str:
    return POWERS[event.power] if event.power >= 0 else "nobody"


def _name(event: Event) -> str:
    return f"{spy_code(event.spy)} {spy_names(event.spy // SPIES)[event.face]}"


def _secret(state: State, event: Event) -> str:
    return secret_name(state, event.secret)


def _draws(_: State, event: Event) -> str:
    why = _FOR.get(event.word) or f"at {NAMES[event.city]}"
    return f"{_power(event)} draws {event.numbers[0]} {why}"


def _sails(_: State, event: Event) -> str:
    return f"{spy_code(event.spy)} sails {event.word} {' '.join(map(str, event.numbers))}"


def _trade(_: State, event: Event) -> str:
    own, theirs = (" ".join(map(str, part)) for part in (event.numbers[:3], event.numbers[3:]))
    declined = " declined" if event.word else ""
    return f"trade {_power(event)} {own}, {POWERS[event.other]} {theirs}{declined}"


_TEXTS: Final[Mapping[str, Callable[[State, Event], str]]] = {
    "russia": lambda _, e: f"russia to seat {e.other} for {e.numbers[0]}",
    "plays tile": lambda _, e: f"plays tile {e.face}",
    "discards": lambda _, __: "discards a tile",
    "no tile": lambda _, __: "no tile",
    "gains": lambda _, e: f"{_power(e)} gains {e.numbers[0]} at {NAMES[e.city]}",
    "draws": _draws,
    "returns": lambda _, e: f"{_power(e)} returns {e.numbers[0]}",
    "police": lambda _, __: "police",
    "searches": lambda _, e: f"{_power(e)} searches {spy_code(e.spy)} in {NAMES[e.city]}",
    "escapes": lambda _, e: f"{spy_code(e.spy)} escapes to {NAMES[e.city]}",
    "too strong": lambda _, e: f"{spy_code(e.spy)} is too strong",
    "captured": lambda _, e: f"{_name(e)} captured by {_power(e)}",
    "plays": lambda _, e: f"{_power(e)} plays {CHIT_NAMES[e.face]}",
    "moves": lambda _, e: f"{spy_code(e.spy)} to {NAMES[e.city]}",
    "sails": _sails,
    "stays": lambda _, e: f"{spy_code(e.spy)} stays",
    "takes": lambda s, e: f"{spy_code(e.spy)} takes {_secret(s, e)}",
    "gives": lambda s, e: f"{spy_code(e.spy)} gives {_secret(s, e)} to police",
    "leaves": lambda s, e: f"{spy_code(e.spy)} leaves {_secret(s, e)}",
    "cashes": lambda s, e: f"{spy_code(e.spy)} cashes {_secret(s, e)}",
    "discovers": lambda s, e: f"{spy_code(e.spy)} discovers {_secret(s, e)}",
    "discovery fails": lambda _, __: "discovery fails",
    "controls": lambda s, e: f"{spy_code(e.spy)} controls {_secret(s, e)}",
    "counterspy": lambda s, e: f"{_secret(s, e)} is counterspy {e.numbers[0]}",
    "survives": lambda _, e: f"{spy_code(e.spy)} survives",
    "sanctions": lambda _, e: f"{spy_code(e.spy)} sanctions {spy_code(e.other)}",
    "is the cousin": lambda _, e: f"{spy_code(e.spy)} is the cousin",
    "killed": lambda _, e: f"{_name(e)} killed by {_power(e)}",
    "sanction fails": lambda _, __: "sanction fails",
    "drops": lambda s, e: f"{spy_code(e.spy)} drops {_secret(s, e)}",
    "drop stands": lambda s, e: f"drop of {_secret(s, e)} stands",
    "intercepts": lambda s, e: f"{_power(e)} intercepts {_secret(s, e)}",
    "tries to escape": lambda _, e: f"{spy_code(e.spy)} tries to escape",
    "escape fails": lambda _, __: "escape fails",
    "recruited": lambda _, e: f"{spy_code(e.spy)} recruited in {NAMES[e.city]}",
    "diplomacy": lambda _, e: f"diplomacy with {POWERS[e.other]}",
    "trade": _trade,
}
"""By kind of event."""
