"""The openings of Conquest Stratego: the land that players take, where flag and traps stand, first turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from p2p_stratego.conquest.formats import words
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORY_OF, ZONE_NAMED
from p2p_stratego.conquest.rules.cards import CARD_NAMED
from p2p_stratego.conquest.rules.notation import PLAY_NONE, taken, zones
from p2p_stratego.conquest.rules.pieces import CURSED, FACE_NAMED, FLAG, KING
from p2p_stratego.conquest.rules.pieces import NAMES as FACE_NAMES
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.analysis import MadeDecision
from p2p_stratego.core.game import Commit, Face, Seat, Slot
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.opening import (
    Opening,
    OpeningChoice,
    OpeningKind,
    Openings,
    line,
    own_line,
    played_by,
)

_TOLD: Final = (FLAG, CURSED, KING)
"""The pieces whose zones make a set-up, in the order in which it is followed."""
_PLAYING: Final = ("play", "move")


def openings(made: Iterator[MadeDecision], seats: int) -> Iterable[Opening]:
    """See `core.opening.Openings.of`."""
    faces: dict[Slot, Face] = {}
    draft: list[OpeningChoice] = []
    turns: dict[Seat, list[str]] = {seat: [] for seat in range(seats)}
    laid: State | None = None
    for decision in made:
        state, answer = decision.view.state, decision.answer
        if isinstance(decision.view.decision, Commit):
            if isinstance(answer, tuple):
                faces.update(zip(decision.view.decision.slots, answer, strict=True))
        elif state.phase == "draft":
            draft.append(OpeningChoice(decision.seat, str(answer)))
        elif state.phase in _PLAYING and decision.seat == state.seat:
            laid = laid or state
            if state.turn > seats:  # each had its first turn
                break
            if zones(answer) is not None or str(answer).startswith("play "):
                turns[decision.seat].append(str(answer))
    variant = played_by(seats)
    yield from line("land", variant, draft)
    if laid is not None:
        for seat in range(seats):
            yield from own_line("setups", variant, seat, _set_up(laid, faces, seat))
    for seat, moves in turns.items():
        yield from own_line("turns", variant, seat, moves)


def _set_up(state: State, faces: Mapping[Slot, Face], seat: Seat) -> Iterator[str]:
    """The zones of the pieces that are told: "flag a5", "cursed a4 b3"."""
    pieces = [(zone, piece) for zone, piece in enumerate(state.board) if piece and piece.seat == seat]
    for face in _TOLD:
        places = [NAMES[zone] for zone, piece in pieces if faces.get(piece.slot) == face]
        if places:
            yield " ".join((FACE_NAMES[face], *places))


def shown(word: str) -> str:
    """See `core.opening.Openings.shown`."""
    step = zones(word)
    if step is not None:
        return _("{source} to {target}", source=NAMES[step[0]], target=NAMES[step[1]])
    if word == PLAY_NONE:
        return _("no card")
    kind, *rest = word.split(" ")
    if kind == "take":
        return words.territory(taken(word))
    if kind == "play":
        return words.card(CARD_NAMED[rest[0]])
    if not rest:
        raise ValueError("no set-up")
    places = [f"{place} ({words.land(TERRITORY_OF[ZONE_NAMED[place]])})" for place in rest]
    return f"{words.named(FACE_NAMED[kind])}: {', '.join(places)}"


OPENINGS: Final = Openings(
    openings,
    (
        OpeningKind("land", mark("Territories, as players take them")),
        OpeningKind("setups", mark("Set-ups of a player")),
        OpeningKind("turns", mark("The first turn of a player")),
    ),
    shown,
)
