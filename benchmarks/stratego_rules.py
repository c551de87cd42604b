"""Figures of Stratego's rules alone: a move found and made, against the naive rules, and a referee's replay.

`python -m benchmarks.stratego_rules` prints them by themselves.
"""

from __future__ import annotations

import json
import random
import sys
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.measure import rounds, timed
from benchmarks.report import Figure, at_least, machine, show, times_over, whole
from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import Move
from p2p_stratego.core.scenario import load
from p2p_stratego.registry import play_scenario
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.cells import EMPTY
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.movement import closed_reach, legal
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import SEATS
from p2p_stratego.stratego.rules.state import State, open_position
from tests.helpers.stratego.walks import Pieces, naive_of, set_up, setup_of

PARTS: Final = 25
"""Games that are looked at in their middle."""
ROUNDS: Final = 20
MIDDLE: Final = 250
"""Moves after which a game is in its middle."""
MEASURED: Final = 20
"""Moves that are measured from there."""
LONG: Final = 3000
"""Moves of the game that the referee replays."""
PEACE: Final = 0.98
"""How often a random player passes an attack by, so that games grow long."""

REACH: Final = tuple(closed_reach(seat, 0) for seat in SEATS)


class Part(NamedTuple):
    """A stretch of a random game: the position that it starts from, and its moves."""

    start: State
    moves: list[Move]


def game(seed: int, plies: int) -> tuple[Pieces, list[Move]]:
    """The set-up and the moves of a random classic game that lasts so long."""
    rng = random.Random(seed)
    while True:
        pieces = set_up(rng, "classic")
        moves: list[Move] = []
        state = open_position(ARMIES["classic"], pieces)
        while state.ended is None and len(moves) < plies and (found := legal(state, REACH[state.seat])):
            peaceful = [move for move in found if state.board[STEPS[move][1]] == EMPTY]
            moves.append(rng.choice(peaceful if peaceful and rng.random() < PEACE else found))
            state = made(state, moves[-1])
        if len(moves) == plies:
            return pieces, moves


def middle(seed: int) -> Part:
    """The rest of a game from its middle on."""
    pieces, moves = game(seed, MIDDLE + MEASURED)
    state = open_position(ARMIES["classic"], pieces)
    for move in moves[:MIDDLE]:
        state = made(state, move)
    return Part(state, moves[MIDDLE:])


def made(state: State, move: Move) -> State:
    """The state after a move, by the rulebook itself."""
    return drive(GAME.turn(state), lambda _: move)


def fast(parts: list[Part]) -> None:
    """Find all legal moves, make one, and so on."""
    for state, moves in parts:
        for move in moves:
            legal(state, REACH[state.seat])
            state = made(state, move)  # noqa: PLW2901  the state is what goes on


def naive(parts: list[Part]) -> float:
    """The same by the naive rules; the seconds it took, without those to set the positions up."""
    games = [naive_of(state) for state, _ in parts]
    begun = perf_counter()
    for slow, (_, moves) in zip(games, parts, strict=True):
        for move in moves:
            slow.legal()
            slow.play(move)
    return perf_counter() - begun


def moves() -> list[Figure]:
    """Legal moves and applying one, classic, mid-game."""
    parts = [middle(seed) for seed in range(PARTS)]
    plies = sum(len(part.moves) for part in parts)
    ours, theirs = rounds(ROUNDS, timed(lambda: fast(parts)), lambda: naive(parts))
    rate, floor = ours.rate(plies), theirs.rate(plies)
    name = "Stratego: moves found, one made, a second"
    return [
        Figure(name, rate, whole, "", at_least(rate, 60_000, "≥ 60,000")),
        Figure("  and by the naive rules", floor, whole, "", times_over(rate.over(floor), 3)),
    ]


def replay() -> Figure:
    """A scenario from its bytes to the lines that the referee prints."""
    pieces, said = game(0, LONG)
    data = json.dumps({"game": GAME.name, "setup": setup_of(pieces), "moves": said}).encode()

    def referee() -> None:
        for line in play_scenario(load(data)):
            json.dumps(line)

    [taken] = rounds(ROUNDS, timed(referee))
    rate = taken.rate(LONG)
    name = "Stratego: moves replayed by the referee, a second"
    return Figure(name, rate, whole, "", at_least(rate, 40_000, "≥ 40,000"))


def figures() -> list[Figure]:
    """All figures of this room."""
    return [*moves(), replay()]


if __name__ == "__main__":
    sys.stdout.write(f"{machine()}\n\n")
    sys.exit(0 if show(figures()) else 1)
