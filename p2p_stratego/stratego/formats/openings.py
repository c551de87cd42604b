"""The openings of Stratego: where each side's flag, spy, Marshal and bombs stand, and the first moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from p2p_stratego.core.analysis import MadeDecision
from p2p_stratego.core.game import Commit, Face, Seat, Slot
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.opening import DEPTH, Opening, OpeningChoice, OpeningKind, Openings, line, own_line
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import HOME
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FLAG, MARSHAL, PIECES, SEATS, SPY
from p2p_stratego.stratego.rules.state import State

_TOLD: Final = (FLAG, SPY, MARSHAL, BOMB)
"""The pieces whose squares make a set-up, in the order in which it is followed."""
_OWN_ARMY: Final = mark("own army")


def openings(made: Iterator[MadeDecision], seats: int) -> Iterable[Opening]:
    """See `core.opening.Openings.of`."""
    del seats
    faces: dict[Slot, Face] = {}
    moves: list[OpeningChoice] = []
    laid: State | None = None
    for decision in made:
        if isinstance(decision.view.decision, Commit) and isinstance(decision.answer, tuple):
            faces.update(zip(decision.view.decision.slots, decision.answer, strict=True))
        if decision.view.state.phase == "play":
            laid = laid or decision.view.state
            moves.append(OpeningChoice(decision.seat, str(decision.answer)))
            if len(moves) == DEPTH:
                break
    if laid is None:
        return
    variant = laid.army.text if laid.army.text in ARMIES else _OWN_ARMY
    for seat in SEATS:
        yield from own_line("setups", variant, seat, _set_up(laid, faces, seat))
    yield from line("moves", variant, moves)


def _set_up(state: State, faces: Mapping[Slot, Face], seat: Seat) -> Iterator[str]:
    """The squares of the pieces that are told, as this side sees its own half: "flag b1", "bomb a1 c1"."""
    pieces = [(name, state.at(square)) for name, square in zip(SQUARE_NAMES, HOME[seat], strict=False)]
    for face in _TOLD:
        squares = [name for name, piece in pieces if piece is not None and _face(piece.slot, faces) == face]
        if squares:
            yield " ".join((PIECES[face].name, *squares))


def _face(slot: Slot | None, faces: Mapping[Slot, Face]) -> Face | None:
    return None if slot is None else faces.get(slot)


_NAMED: Final = {PIECES[face].name: face for face in FACES}


def shown(word: str) -> str:
    """See `core.opening.Openings.shown`."""
    if word in STEPS:
        source, target, _between = STEPS[word]
        return _("{source} to {target}", source=SQUARE_NAMES[source], target=SQUARE_NAMES[target])
    name, *squares = word.split(" ")
    if not squares or not {*squares} <= {*SQUARE_NAMES}:
        raise ValueError("no set-up")
    return f"{narration.pieces(_NAMED[name], len(squares))}: {', '.join(squares)}"


OPENINGS: Final = Openings(
    openings,
    (
        OpeningKind("setups", mark("Set-ups, as red sees its own half")),
        OpeningKind("moves", mark("First moves")),
    ),
    shown,
)
