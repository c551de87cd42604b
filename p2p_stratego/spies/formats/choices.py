"""The choices of SPIES! in words, short enough for a table: "ge1 to Prague", "search Berlin"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.game import Face, Move, Slot
from p2p_stratego.core.language import _, mark
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import CITY_NAMED, POWERS, SEA_NAMES
from p2p_stratego.spies.rules.counters import CHIT_NAMES, DISCOVERY
from p2p_stratego.spies.rules.notation import (
    ACCEPT,
    AGAIN,
    DECLINE,
    END,
    NO_ANSWER,
    NO_TILE,
    POLICE_ANEW,
    READY,
    SEARCH,
    SEIZE,
    STAY,
)
from p2p_stratego.spies.rules.state import SPY_CODED

_PLAIN: Final[Mapping[Move, str]] = {
    END: mark("done"),
    NO_ANSWER: mark("nothing"),
    NO_TILE: mark("no tile"),
    POLICE_ANEW: mark("police laid anew"),
    SEARCH: mark("a search"),
    SEIZE: mark("the secret taken"),
    STAY: mark("back to port"),
    AGAIN: mark("a new roll"),
    ACCEPT: mark("accepted"),
    DECLINE: mark("declined"),
    READY: mark("the proposal made"),
}
_OF_PARTS: Final[Mapping[str, str]] = {
    "move": mark("{spy} to {city}"),
    "sail": mark("{spy} to the {sea} sea"),
    "land": mark("landing in {city}"),
    "at": "{city}",
    SEARCH: mark("a search in {city}"),
    "take": mark("{spy} takes {secret}"),
    "give": mark("{spy} gives its secret to the police"),
    "leave": mark("{spy} leaves its secret"),
    "cash": mark("{spy} cashes its secret"),
    "diplomacy": mark("talks with {power}"),
    "propose": mark("a proposal to {power}"),
    "tile": "{tile}",
    "discard": mark("{tile} discarded"),
    "hand": mark("{chit} handed over"),
    "return": mark("{chit} returned"),
    "discovery": mark("{spy} looks for {secret}"),
    "sanction": mark("{spy} kills {spy2}"),
    "drop": mark("{spy} hides its secret"),
    "recruit": mark("{spy} recruited in {city}"),
}
"""By the first word of a choice."""
_SECRETS: Final = ("take", CHIT_NAMES[DISCOVERY])
"""The choices in which a city names the secret that began there."""


def in_words(known: Mapping[Slot, Face], move: Move) -> str:
    """A choice of a seat that can read `known`; "" for one that has no short form, such as a proposal."""
    if move in _PLAIN:
        return _(_PLAIN[move])
    if move in SPY_CODED:
        return move
    word, *parts = move.split(" ")
    fields: dict[str, str] = {}
    for part in parts:
        if part in SPY_CODED:
            fields["spy2" if "spy" in fields else "spy"] = part
        elif part in CITY_NAMED and word in _SECRETS:
            fields["secret"] = words.secret(CITY_NAMED[part])
        elif part in CITY_NAMED:
            fields["city"] = words.city(CITY_NAMED[part])
        elif part in SEA_NAMES:
            fields["sea"] = words.sea(SEA_NAMES.index(part))
        elif part in POWERS:
            fields["power"] = words.power(POWERS.index(part))
    if word in ("hand", "return"):
        kind = known.get(int(parts[0]))
        fields["chit"] = _("a chit") if kind is None else words.chit(kind)
    if word in CHIT_NAMES and not (fields and word in _OF_PARTS):
        chit = words.chit(CHIT_NAMES.index(word))
        return _("{chit} to {city}", chit=chit, city=fields["city"]) if "city" in fields else chit
    if word in ("tile", "discard"):
        face = known.get(int(parts[0]))
        fields["tile"] = _("a tile") if face is None else words.tile(face)
    return _(_OF_PARTS[word], **fields) if word in _OF_PARTS and fields else ""
