"""The openings of SPIES!: where each country's spies begin, and what it does first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from p2p_stratego.core.analysis import MadeDecision
from p2p_stratego.core.game import Commit, Seat
from p2p_stratego.core.language import mark
from p2p_stratego.core.opening import Opening, OpeningKind, Openings, own_line, played_by
from p2p_stratego.spies.formats import choices, words
from p2p_stratego.spies.rules.atlas import POWERS
from p2p_stratego.spies.rules.counters import CHIT_NAMES

_TOLD: Final = frozenset(("move", "sail", "land", "take", "search", "diplomacy", "propose", "cash", "drop"))
"""The first words of the choices that make a first turn; a chit is told without its number."""


def openings(made: Iterator[MadeDecision], seats: int) -> Iterable[Opening]:
    """See `core.opening.Openings.of`."""
    lines: dict[tuple[str, int], tuple[Seat, list[str]]] = {}
    year = None
    for decision in made:
        state, answer = decision.view.state, str(decision.answer)
        year = year or state.year
        if state.year != year:
            break
        if isinstance(decision.view.decision, Commit) or decision.seat != state.runs[state.power]:
            continue
        kind = {"spies": "spies", "turn": "turns"}.get(state.phase)
        word = _told(answer)
        if kind is not None and word is not None:
            seat, opening = lines.setdefault((kind, state.power), (decision.seat, [POWERS[state.power]]))
            if seat == decision.seat:
                opening.append(word)
    for (kind, _power), (seat, opening) in lines.items():
        yield from own_line(kind, played_by(seats), seat, opening)


def _told(answer: str) -> str | None:
    """A choice without what only this match knows; None for one that is not told."""
    word, *parts = answer.split(" ")
    if word in CHIT_NAMES:
        return " ".join((word, *(part for part in parts if not part.isdigit())))
    return answer if word in _TOLD or word == "at" else None


def shown(word: str) -> str:
    """See `core.opening.Openings.shown`."""
    if word in POWERS:
        return words.power(POWERS.index(word))
    choice = choices.in_words({}, word)
    if not choice:
        raise ValueError("no choice of a first turn")
    return choice


OPENINGS: Final = Openings(
    openings,
    (
        OpeningKind("spies", mark("Where the spies of a country begin")),
        OpeningKind("turns", mark("The first turn of a country")),
    ),
    shown,
)
