"""The chance to win of each seat of SPIES!, by what everybody can see, or by what one seat knows.

Each seat has a sum of weighed measures: the points on its record and on their way there, as far as they are
known, and the means of its powers for the years to come.  The chances are in proportion to the exponentials
of these sums.  The weights are fitted to games of the bots, by the number of seats and by whose knowledge:
`benchmarks.bots.spies_prospects` writes them to `prospects.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, log1p
from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.figures import figures
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.allocation import EVEN
from p2p_stratego.spies.rules.atlas import CAPITALS, POWERS, Power
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.counters import FIRST_YEAR, HAND, LAST_YEAR, MEANS, SPACES, SPIES
from p2p_stratego.spies.rules.points import at_home
from p2p_stratego.spies.rules.state import State

MEASURES: Final = (
    *("record", "record late", "at home", "at home late", "on the way", "on the way late"),
    *("pounds", "chits", "spies", "years to come"),
    *POWERS,
)
"""The names of what is measured of each seat; means count for the part of the game that is left, and so do
the last ones: by which powers a seat has, since none is as strong as another."""
RECORD, LATE, HOME = 0, 1, 2
"""The places of some of them: what is on the record stays there, what lies at home may be carried away."""
UNIT: Final = 10.0
"""Points that a measure of points counts as 1."""
CARRIED: Final = 0.96
"""The share left of a secret on its way for each space from home."""
Knowing: TypeAlias = Literal["seen", "own"]
"""Whose knowledge: everybody's, or one seat's."""
KNOWING: Final[tuple[Knowing, ...]] = ("seen", "own")
_STEPS: Final = len(POWERS)
"""Turns of a year."""


Attempted: TypeAlias = Literal["search", "discovery", "sanction"]
"""What a chit of another power can answer."""
ATTEMPTED: Final[tuple[Attempted, ...]] = ("search", "discovery", "sanction")


class Weights(NamedTuple):
    """What is fitted."""

    by: Mapping[tuple[Knowing, int], Sequence[float]]
    """By knowledge and number of seats: the weights of `MEASURES`."""
    answered: Mapping[Attempted, float]
    """How much likelier each chit in a hand makes an answer to an attempt that spoils it."""


@cache
def fitted() -> Weights:
    """The weights of this version."""
    written = figures("p2p_stratego.spies.bots", "prospects.json")
    return Weights(
        {
            (knowing, int(seats)): tuple(named[name] for name in MEASURES)
            for knowing in KNOWING
            for seats, named in written["weights"][knowing].items()
        },
        {kind: written["answered"][kind] for kind in ATTEMPTED},
    )


def stands(kind: Attempted, chits: int) -> float:
    """How likely no answer from a hand of so many chits spoils an attempt."""
    return max(0.0, 1 - fitted().answered[kind] * chits)


def late(state: State) -> float:
    """How much of the game is over, 0 to 1."""
    last = FIRST_YEAR + 5 if state.crisis else LAST_YEAR
    turns = _STEPS * (state.year - FIRST_YEAR) + state.power * (state.phase in ("tile", "turn"))
    return min(1.0, turns / (_STEPS * (last - FIRST_YEAR + 1)))


def measures(state: State, known: Mapping[Slot, Face]) -> list[list[float]]:
    """`MEASURES`, by seat, to somebody who can read the faces in `known` besides what lies open."""
    worths = Worths(state, 0, known)  # what is asked here is the same for each seat
    points = [_points(worths, power) for power in range(len(POWERS))]
    return [_of(worths, seat, points) for seat in range(state.seats)]


class _Points(NamedTuple):
    """The points of a power."""

    record: float
    home: float
    """Of its own secrets where they began."""
    carried: float
    """Of foreign secrets that it may bring home."""


def _points(worths: Worths, power: Power) -> _Points:
    own = (
        secret for secret, lying in enumerate(worths.state.secrets) if lying.owner == power and at_home(lying)
    )
    home = sum(worths.at_end(power, secret) for secret in own)
    return _Points(worths.so_far(power) - home, home, _carried(worths, power))


def _of(worths: Worths, seat: Seat, points: Sequence[_Points]) -> list[float]:
    state, own = worths.state, powers_of(worths.state, seat)
    over = late(state)
    left = 1 - over
    counting, handicap = scoring(state, seat, [sum(of_power) for of_power in points])
    record, home, carried = (sum(points[power][at] for power in counting) / UNIT for at in range(3))
    record -= handicap / UNIT
    return [
        record,
        record * over,
        home,
        home * over,
        carried,
        carried * over,
        left * sum(log1p(worths.pounds(power)) for power in own) / len(own),
        left * sum(len(state.hands[power]) for power in own) / len(own) / HAND,
        left * sum(sum(1 for _ in state.own(power)) for power in own) / len(own) / SPIES,
        sum(_to_come(worths, power) for power in own) / len(own) / UNIT,
        *(left * (power in own) / len(own) for power in range(len(POWERS))),
    ]


def scoring(state: State, seat: Seat, points: Sequence[float]) -> tuple[tuple[Power, ...], int]:
    """The powers whose points a seat counts, and the handicap on them (see `rules.points`)."""
    own = powers_of(state, seat)
    if len(own) == 1 or state.handicap == "sum":
        return own, 0
    if state.handicap == "lower":
        return (min(own, key=points.__getitem__),), 0
    even = EVEN.get((state.seats, state.allocation), 0) if state.handicap == "even" else 0
    return (max(own, key=points.__getitem__),), even


def _carried(worths: Worths, power: Power) -> float:
    """The points of foreign secrets that a power controls, and can still bring home."""
    points, state = 0.0, worths.state
    turns = worths.turns_left(power) + (state.power == power and state.phase == "turn")
    for secret, lying in enumerate(state.secrets):
        if lying.where != "map" or lying.by != power or lying.owner == power:
            continue
        way = cost(lying.city, CAPITALS[power])
        if way <= SPACES * turns:
            promise = worths.beliefs.promise(secret)
            counts = promise.genuine * promise.value * worths.multiple(power, lying.lost or None)
            points += counts * CARRIED**way
    return points


def _to_come(worths: Worths, power: Power) -> float:
    """The multiples of the turns that a power still has."""
    state = worths.state
    first = state.year + (state.phase in ("tile", "turn") and state.power > power)
    return float(
        sum(MEANS[power].multiples[year - FIRST_YEAR] for year in range(first, worths.last_year + 1))
    )


def chance(state: State, known: Mapping[Slot, Face] | None = None) -> tuple[float, ...]:
    """How likely each seat is to win, 0 to 1, together 1; exact once the game is over.

    `known`: the faces that one seat can read; None: by what everybody can see.
    """
    if state.ended is not None:
        winners = state.ended.winners or frozenset(range(state.seats))
        return tuple((seat in winners) / len(winners) for seat in range(state.seats))
    there = [seat for seat in range(state.seats) if seat not in state.gone]
    if not begun(state):
        return tuple((seat in there) / len(there) for seat in range(state.seats))
    by = fitted().by["seen" if known is None else "own", state.seats]
    rows = measures(state, known or {})
    return chances({seat: rows[seat] for seat in there}, by, state.seats)


def begun(state: State) -> bool:
    """Whether the first turn has begun."""
    return state.phase in ("tile", "turn", "over") or state.year > FIRST_YEAR


def chances(rows: Mapping[Seat, Sequence[float]], by: Sequence[float], seats: int) -> tuple[float, ...]:
    """The chances of these rows of measures under weights, by seat; 0 for a seat without a row."""
    sums = {
        seat: sum(weight * value for weight, value in zip(by, row, strict=True)) for seat, row in rows.items()
    }
    most = max(sums.values())
    shares = {seat: exp(amount - most) for seat, amount in sums.items()}
    total = sum(shares.values())
    return tuple(shares.get(seat, 0.0) / total for seat in range(seats))


def gain(state: State, points: float) -> float:
    """What so many points more add to the sum of a seat."""
    weights = fitted().by["own", state.seats]
    return (weights[RECORD] + weights[LATE] * late(state)) * points / UNIT


def readable(state: State, seat: Seat) -> list[Slot]:
    """The slots of secrets and purses that a seat can read, and others cannot: its own knowledge."""
    slots = [
        lying.slot
        for lying in state.secrets
        if lying.face is None
        and lying.where != "removed"
        and (lying.holder == seat or any(viewer == seat for viewer, _copy in lying.seen))
    ]
    own = (power for power, runner in enumerate(state.runs) if runner == seat)
    return [*slots, *(slot for power in own for slot in state.purses[power])]
