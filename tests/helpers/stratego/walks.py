"""Random games with many repeated moves and chases, for the rules on repetition."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import CRATERS, HOME, NEIGHBOURS, SQUARES
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.cells import EMPTY, FACE
from p2p_stratego.stratego.rules.notation import STEPS, move
from p2p_stratego.stratego.rules.pieces import (
    BOMB,
    FLAG,
    MARSHAL,
    MINER,
    NAMES,
    SCOUT,
    SEAT_NAMES,
    SEATS,
    SERGEANT,
    SPY,
)
from p2p_stratego.stratego.rules.state import State, open_position
from tests.helpers.stratego.boards import squares_of
from tests.helpers.stratego.naive import Naive, position

Pieces = dict[int, tuple[Seat, Face]]

_SKIRMISHERS = (SCOUT, SCOUT, MINER, SERGEANT, MARSHAL, SPY, BOMB)


def set_up(random: Random, army: str) -> Pieces:
    """A whole army a side, at random on its own rows."""
    pieces: Pieces = {}
    for seat in SEATS:
        faces = ARMIES[army].faces
        squares = random.sample(HOME[seat], len(faces))
        pieces |= {square: (seat, face) for square, face in zip(squares, faces, strict=True)}
    return pieces


def skirmish(random: Random) -> Pieces:
    """A few pieces anywhere, each side's flag among them."""
    squares = random.sample([square for square in SQUARES if square not in CRATERS], random.randint(4, 10))
    pieces = {square: (random.choice(SEATS), random.choice(_SKIRMISHERS)) for square in squares[2:]}
    return pieces | {square: (seat, FLAG) for seat, square in zip(SEATS, squares, strict=False)}


def start(random: Random) -> State:
    """A start position of a walk, with all pieces known."""
    kind = random.random()
    if kind < 0.8:
        pieces = skirmish(random)
    else:
        pieces = set_up(random, random.choice(["quickplay", "classic", "barrage", "duel"]))
    return open_position(ARMIES["classic"], pieces, tournament=random.random() < 0.5)


def choose(random: Random, state: State, moves: Sequence[Move]) -> Move:
    """One of the legal moves: often straight back, away from the last threat, or after who fled."""
    own, theirs = state.memory.trails[state.seat], state.memory.trails[1 - state.seat]
    moves = sorted(moves)  # a walk must not depend on the order in which moves are found
    quiet = [step for step in moves if state.board[STEPS[step][1]] == EMPTY]
    wish = random.random()
    if wish < 0.15 and own and move(own[-1], own[-2]) in quiet:
        return move(own[-1], own[-2])
    if wish < 0.95 and theirs:
        last = NEIGHBOURS[theirs[-1]]
        chased = [step for step in quiet if STEPS[step][0] in last]
        chasing = [step for step in quiet if STEPS[step][1] in last]
        if state.plies % 2 and chased:
            return random.choice(chased)
        if chasing or chased:
            return random.choice(chasing or chased)
    return random.choice(moves)


def setup_of(pieces: Pieces) -> dict[str, dict[str, str]]:
    """The pieces as a scenario writes them."""
    return {
        side: {SQUARE_NAMES[square]: NAMES[face] for square, (owner, face) in pieces.items() if owner == seat}
        for seat, side in enumerate(SEAT_NAMES)
    }


def naive_of(state: State) -> Naive:
    """The same open position."""
    board = state.board
    pieces = {square: (seat, FACE[board[square]]) for seat in SEATS for square in squares_of(board, seat)}
    return position(setup_of(pieces), tournament=state.tournament)
