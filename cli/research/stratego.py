"""Stratego: a move is one word, an army is laid piece by piece, and its places are named one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.research.tables import Asking, Field, GameTable, Word, face_words, laying_for, listed, picking
from p2p_stratego.core.game import Commit
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View
from p2p_stratego.stratego.rules.board import SQUARES
from p2p_stratego.stratego.rules.cells import CRATER, EMPTY, FACE, OPEN, SLOT, SLOTS, standing
from p2p_stratego.stratego.rules.game import Fillings
from p2p_stratego.stratego.rules.notation import NONE, PLACES, STEPS, fill, filled
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import FACES, SEATS
from p2p_stratego.stratego.rules.state import State, slot

_PLACES: Final = tuple(f"place {place}" for place in range(PLACES))
_PLACE_OF: Final = {word: place for place, word in enumerate(_PLACES)}
_PHASES: Final = ("army", "squares", "play", "over")


def ask(view: View[State]) -> Asking:
    """See GameTable.ask."""
    decision = view.asked
    if isinstance(decision, Commit):
        return (yield from laying_for(decision))
    if isinstance(decision.options, Fillings):
        words = yield from picking(decision.options.count, _PLACES)
        return fill(_PLACE_OF[word] for word in words)
    return (yield from listed(((move,), move) for move in own_moves(view)))


def spell(view: View[State], decided: Decided) -> Sequence[Word]:
    """See GameTable.spell."""
    if not isinstance(decided, str):
        return face_words(decided)
    if view.state.phase == "squares":
        return [_PLACES[place] for place in filled(decided)]
    return (decided,)


_CELLS: Final = tuple(
    standing(cell) if cell < OPEN + len(SEATS) * len(FACES) else None for cell in range(256)
)
_OWNERS: Final = tuple(
    bytes(
        3 if cell == CRATER else 0 if piece is None else 1 if piece.seat == seat else 2
        for cell, piece in enumerate(_CELLS)
    )
    for seat in SEATS
)
_SHOWN: Final = bytes(
    0 if piece is None else 2 if piece.face is not None else int(piece.moved) for piece in _CELLS
)


def _faces(view: View[State]) -> Iterator[int]:
    for cell in view.state.board:
        if cell in (EMPTY, CRATER):
            yield 0
        else:
            yield 1 + (view.known.get(SLOT[cell], -1) if cell < OPEN else FACE[cell])


def _army(view: View[State]) -> Iterator[int]:
    for number in range(SLOTS):
        yield 1 + view.known.get(slot(view.seat, number), -1)


def _lost(view: View[State], seat: int) -> list[int]:
    return [view.state.lost[seat].count(face) for face in FACES]


def _last_move(view: View[State]) -> tuple[int, int]:
    report = view.state.report
    if report is None or report.move == NONE:
        return 0, 0
    source, target, _ = STEPS[report.move]
    return 1 + source, 1 + target


def _standing(view: View[State]) -> tuple[int, ...]:
    state = view.state
    return (
        _PHASES.index(state.phase),
        view.seat,
        int(state.seat == view.seat),
        state.plies,
        state.calm,
        state.quiet,
        int(state.stuck),
        int(state.tournament),
    )


TABLE: Final = GameTable(
    words=(*face_words(FACES), *_PLACES, NONE, *STEPS),
    longest=PLACES,
    fields=(
        Field(
            "phase, seat, to move, plies, moves without attack, their limit, stuck, tournament", 8, _standing
        ),
        Field(
            "owner by square: 0 nobody, 1 own, 2 enemy, 3 crater",
            len(SQUARES),
            lambda view: view.state.board.translate(_OWNERS[view.seat]),
        ),
        Field("face + 1 by square, as far as known", len(SQUARES), _faces),
        Field(
            "by square: 1 closed and moved, 2 open to all",
            len(SQUARES),
            lambda view: view.state.board.translate(_SHOWN),
        ),
        Field("face + 1 of the own pieces, in the order of laying", SLOTS, _army),
        Field("pieces of an army, by face", len(FACES), lambda view: view.state.army.counts),
        Field("own fallen, by face", len(FACES), lambda view: _lost(view, view.seat)),
        Field("enemy's fallen, by face", len(FACES), lambda view: _lost(view, SEATS[1 - view.seat])),
        Field("squares + 1 of the last move", 2, _last_move),
    ),
    moment=lambda view: view,
    ask=ask,
    spell=spell,
)
