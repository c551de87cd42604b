"""Choices as texts: ASCII, 1 to 32 characters, a word and its parts with a space between.

Cities, seas and powers have their names, spies their codes ("ge1"), a secret the name of the city where it
began, a chit the number of its slot.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from p2p_stratego.core.game import Move, Slot
from p2p_stratego.spies.rules.atlas import NAMES, SIGNED, City, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES, Chit

END: Final = "end"
NO_ANSWER: Final = "pass"
NO_TILE: Final = "no tile"
POLICE_ANEW: Final = "police"
SEARCH: Final = "search"
STAY: Final = "stay"
AGAIN: Final = "again"
CAPTURED: Final = "captured"
FREE: Final = "free"
IS_GENUINE: Final = "genuine"
IS_COUNTERSPY: Final = "counterspy"
IS_COUSIN: Final = "cousin"
NO_COUSIN: Final = "not cousin"
SURVIVES: Final = "survives"
SEIZE: Final = "seize"
ACCEPT: Final = "accept"
DECLINE: Final = "decline"
READY: Final = "ready"
NO_MORE: Final = "no more"
HIDDEN: Final = "?"


def words(*parts: object) -> Move:
    """A choice: "move ge1 leipzig"."""
    return " ".join(map(str, parts))


def chit(kind: Chit, slot: Slot, *parts: str) -> Move:
    """To play a chit: "discovery 4096 ge1 prague"."""
    return " ".join((CHIT_NAMES[kind], str(slot), *parts))


def city(at: City) -> Move:
    """To lay the next secret or spy there: "at berlin"."""
    return words("at", NAMES[at])


def lay(power: Power, cities: Iterable[City]) -> Move:
    """Where a power's police stand: "lay 21001011", a digit for each city with a sign, in their order.

    One unit in a city without a sign stands behind: "lay 21001010 prague".
    """
    standing = list(cities)
    unsigned = [NAMES[at] for at in standing if at not in SIGNED[power]]
    return words("lay", "".join(str(standing.count(at)) for at in SIGNED[power]), *unsigned)


def stand(secrets: Iterable[int]) -> Move:
    """The secrets that police stand on, by number: "stand 0 12"; "stand" for none."""
    return words("stand", *secrets)
