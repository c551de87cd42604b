"""The moves of pieces: steps, runs, and the first rule that a move breaks.

Public: the rules see a closed piece as able both to step and to run; a player's program gives its face.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from p2p_stratego.conquest.rules.atlas import (
    ALL,
    NEAR,
    NEIGHBOURS,
    Field,
    Zone,
    around,
    beside,
    flood,
    zones_of,
)
from p2p_stratego.conquest.rules.pieces import FIXED, SCOUT
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Face, Seat

Rule: TypeAlias = Literal["not-yours", "fixed", "own-piece", "mountain", "too-far", "blocked"]


def steps(state: State, seat: Seat, zone: Zone) -> tuple[Zone, ...]:
    """Where a piece of `seat` on `zone` could step: the neighbours that are free or hold an enemy."""
    return tuple(
        other for other in NEIGHBOURS[zone] if (piece := state.board[other]) is None or piece.seat != seat
    )


def run_targets(state: State, seat: Seat, zone: Zone, free: Field) -> Field:
    """Where a scout of `seat` on `zone` could run; `free`: the board's free zones."""
    reached = flood(zone, free)
    targets = reached & ~NEAR[zone]
    if state.charge:
        targets |= around(reached) & ~NEAR[zone] & ALL & ~free & ~state.held(seat)
    return targets & ~(1 << zone)


def public_face(state: State, zone: Zone) -> Face:
    """The face by which rules judge the piece on `zone`: a scout's, which can do most, for a closed one."""
    piece = state.board[zone]
    return SCOUT if piece is None or piece.face is None else piece.face


def illegal(state: State, source: Zone, target: Zone, face: Face) -> Rule | None:
    """The first rule that the move breaks if the piece to move is `face`; None for a legal move."""
    seat, piece, there = state.seat, state.board[source], state.board[target]
    if piece is None or piece.seat != seat:
        return "not-yours"
    if face in FIXED:
        return "fixed"
    if there is not None and there.seat == seat:
        return "own-piece"
    if target in NEIGHBOURS[source]:
        return None
    if face != SCOUT:
        return "mountain" if target in beside(source) else "too-far"
    if there is not None and not state.charge:
        return "too-far"
    return None if run_targets(state, seat, source, state.free()) >> target & 1 else "blocked"


def may(state: State, source: Zone, target: Zone) -> bool:
    """Whether the seat to move could make this move by what everybody can see."""
    return illegal(state, source, target, public_face(state, source)) is None


def moves_of(state: State, faces: Iterable[tuple[Zone, Face]]) -> Iterator[tuple[Zone, Zone]]:
    """Every legal move of the seat to move with pieces of these faces, by source, then target."""
    free, seat = state.free(), state.seat
    for zone, face in faces:
        if face in FIXED:
            continue
        targets = steps(state, seat, zone)
        if face == SCOUT:
            targets = tuple(sorted((*targets, *zones_of(run_targets(state, seat, zone, free)))))
        yield from ((zone, target) for target in targets)


def surely_steps(state: State) -> bool:
    """Whether an open piece of the seat to move, not fixed, can step: then "none" is no option."""
    return any(
        piece.face is not None and piece.face not in FIXED and steps(state, state.seat, zone)
        for zone, piece in enumerate(state.board)
        if piece is not None and piece.seat == state.seat
    )


def closed_steppers(state: State) -> tuple[Zone, ...]:
    """The closed pieces of the seat to move that have a free or an enemy neighbour, ascending."""
    return tuple(
        zone
        for zone, piece in enumerate(state.board)
        if piece is not None
        and piece.seat == state.seat
        and piece.face is None
        and steps(state, state.seat, zone)
    )
