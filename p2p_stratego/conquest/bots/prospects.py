"""The chance to win of each seat of Conquest Stratego, by what everybody can see.

Each seat has a sum of weighed measures: land, captured flags, the army on the board, and how near movers are
to where flags can stand.  The chances of those still in the game are in proportion to the exponentials of
these sums.  The weights are fitted to games of the bots, by the number of seats:
`benchmarks.bots.conquest_prospects` writes them to `prospects.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from typing import Final, NamedTuple

from p2p_stratego.conquest.bots.beliefs import Beliefs, may_move
from p2p_stratego.conquest.bots.distances import STEPS_APART
from p2p_stratego.conquest.bots.evaluation import VALUES
from p2p_stratego.conquest.rules.atlas import CITIES, TERRITORIES, Zone
from p2p_stratego.conquest.rules.pieces import ARMY, FLAG
from p2p_stratego.conquest.rules.state import ON_BOARD, State
from p2p_stratego.core.figures import figures
from p2p_stratego.core.game import Seat

MEASURES: Final = (
    *("territories", "cities", "captured flags", "own flag", "flag open", "pieces", "strength"),
    *("danger to the flag", "reach of flags", "turn", "captured late", "territories late", "pieces late"),
)
"""The names of what is measured of each seat."""
CAPTURED, HOME, STRENGTH, DANGER, REACH = 2, 3, 6, 7, 8
"""The places of some of them."""
_ALL: Final = sum(VALUES[face] for face in ARMY)
ONLOOKER: Final[Seat] = -1
"""Who has no pieces, and knows what everybody can see."""


class Weights(NamedTuple):
    """The fitted weights, by the number of seats."""

    by: Mapping[int, Sequence[float]]
    """The weights of `MEASURES`."""
    steepness: Mapping[int, float]
    """The weight of the strength alone, as a share of an army."""


@cache
def fitted() -> Weights:
    """The weights of this version."""
    written = figures("p2p_stratego.conquest.bots", "prospects.json")
    return Weights(
        {int(seats): tuple(named[name] for name in MEASURES) for seats, named in written["weights"].items()},
        {int(seats): steepness for seats, steepness in written["steepness"].items()},
    )


def measures(state: State) -> list[list[float]]:
    """`MEASURES`, by seat."""
    beliefs = Beliefs(state, ONLOOKER, {})
    flags = beliefs.flag_zones()
    movers = _movers(state, beliefs)
    return [_of(state, seat, beliefs, flags, movers) for seat in range(state.seats)]


def _of(
    state: State,
    seat: Seat,
    beliefs: Beliefs,
    flags: Mapping[Zone, float],
    movers: Sequence[Sequence[Zone]],
) -> list[float]:
    own = [piece for piece in state.board if piece is not None and piece.seat == seat]
    strength = sum(
        chance * VALUES[face]
        for piece in own
        for face, chance in beliefs.chances(piece).items()
        if face != FLAG
    )
    late = state.round / state.rounds
    land, captured = len(state.owned(seat)) / len(TERRITORIES), len(state.captives(seat))
    enemies = [zone for other, zones in enumerate(movers) if other != seat for zone in zones]
    mine = {zone: chance for zone, chance in flags.items() if _owner(state, zone) == seat}
    theirs = {zone: chance for zone, chance in flags.items() if _owner(state, zone) != seat}
    return [
        land,
        state.cities(seat) / len(CITIES),
        float(captured),
        float(state.flags[seat] == ON_BOARD),
        float(any(piece.face == FLAG for piece in own)),
        len(own) / len(ARMY),
        strength / _ALL,
        _nearness(mine, enemies),
        _nearness(theirs, movers[seat]),
        float(state.seat == seat),
        captured * late,
        land * late,
        late * len(own) / len(ARMY),
    ]


def _movers(state: State, beliefs: Beliefs) -> list[list[Zone]]:
    """By seat, where pieces stand that may move."""
    movers: list[list[Zone]] = [[] for _ in range(state.seats)]
    for zone, piece in enumerate(state.board):
        if piece is not None and may_move(piece, beliefs.face(piece)):
            movers[piece.seat].append(zone)
    return movers


def _owner(state: State, zone: Zone) -> Seat | None:
    piece = state.board[zone]
    return None if piece is None else piece.seat


def _nearness(flags: Mapping[Zone, float], movers: Sequence[Zone]) -> float:
    """How near the nearest mover is to each place of a flag, by the odds that it is there."""
    return sum(
        chance * max((1 / (1 + STEPS_APART[mover][zone]) for mover in movers), default=0.0)
        for zone, chance in flags.items()
    )


def weights(state: State) -> Sequence[float]:
    """The weights of `MEASURES` at this table."""
    return fitted().by[state.seats]


def sums(state: State, measures_of: Sequence[Sequence[float]]) -> dict[Seat, float]:
    """The weighed sums of the seats that are still in the game; `measures_of`: by seat."""
    by = weights(state)
    return {
        seat: sum(weight * value for weight, value in zip(by, measures_of[seat], strict=True))
        for seat in state.still_in
    }


def chances(of: Mapping[Seat, float], seats: int) -> tuple[float, ...]:
    """The chances of these sums, by seat; 0 for a seat without a sum."""
    most = max(of.values(), default=0.0)
    shares = {seat: exp(amount - most) for seat, amount in of.items()}
    total = sum(shares.values())
    return tuple(shares.get(seat, 0.0) / total if total else 1 / seats for seat in range(seats))


def chance(state: State) -> tuple[float, ...]:
    """How likely each seat is to win, 0 to 1, together 1; exact once the game is over."""
    if state.ended is not None:
        winners = state.ended.winners or frozenset(range(state.seats))
        return tuple((seat in winners) / len(winners) for seat in range(state.seats))
    if not state.turn:
        return (1 / state.seats,) * state.seats
    return chances(sums(state, measures(state)), state.seats)


def loss(state: State, worth: float) -> float:
    """The loss in the sum of a seat for so much worth, in the units of `evaluation.VALUES`."""
    return fitted().steepness[state.seats] * worth / _ALL
