"""The chance to win of each side of a position, by the known faces.

The logistic function turns a sum of weighed measures (pieces by worth, free ranks, miners, the spy, the
closed pieces, pieces that can be taken at once, and the ways to the flags) into a chance.  The weights are
fitted to games of bots, apart for three kinds of knowledge: `benchmarks.bots.prospects` writes them to
`prospects.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.figures import figures
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.stratego.bots.access import NEVER, Ways
from p2p_stratego.stratego.bots.beliefs import CERTAIN, Chances, Leanings, chances
from p2p_stratego.stratego.bots.piece_values import Worth, alive, worth_among
from p2p_stratego.stratego.rules.armies import Army
from p2p_stratego.stratego.rules.board import NEIGHBOURS, Square
from p2p_stratego.stratego.rules.cells import EMPTY, FACE, OPEN, OWNER, SLOT, SLOTS
from p2p_stratego.stratego.rules.pieces import BOMB, FIGHTS, FLAG, MARSHAL, MINER, MOBILE, SEATS, SPY
from p2p_stratego.stratego.rules.state import State

Knowing: TypeAlias = Literal["open", "own", "all"]
"""Of which closed pieces the faces are known: of none, of those of one side, of all."""
Beliefs: TypeAlias = tuple[Mapping[Square, Chances], Mapping[Square, Chances]]
"""By seat, by square: the chances of the piece there."""
Leaningses: TypeAlias = tuple[Leanings, Leanings]
"""By seat, the leanings of its closed pieces."""

NEAR: Final = (1, 2, 3, 5, 8, 12, 18, 26)
"""Moves of both sides within which the flag can be reached: a measure each."""
_OLD_AGE: Final = 200
"""Moves without an attack that count as the last ones before a draw, where the match sets no limit."""


class Weights(NamedTuple):
    """The fitted weights, by size of the army."""

    by: Mapping[Knowing, Mapping[int, Sequence[float]]]
    """The weights of `MEASURES`."""
    steepness: Mapping[int, float]
    """How much the logarithm of the odds grows with a lead in worth, which is -1 to 1."""


class Scene(NamedTuple):
    """A position, by what somebody knows of it."""

    army: Army
    mover: Seat
    haste: float
    """How near the draw for want of attacks is: 0 to 1."""
    alive: tuple[Sequence[int], Sequence[int]]
    """By seat, by face: how many pieces are left."""
    beliefs: Beliefs
    open: frozenset[Square]
    """Where pieces stand that everybody knows."""


class Way(NamedTuple):
    """A way to the enemy's flag."""

    cost: int
    """Own moves, 1 to NEVER; see `access`."""
    face: Face
    """Whose it is."""


def scene(state: State, beliefs: Beliefs) -> Scene:
    """A state in play, by these beliefs."""
    return Scene(
        state.army,
        state.seat,
        min(1.0, state.calm / (state.quiet or _OLD_AGE)),
        (alive(state, 0), alive(state, 1)),
        beliefs,
        frozenset(square for square, cell in enumerate(state.board) if cell >= OPEN and OWNER[cell] in SEATS),
    )


def believed(state: State, known: Mapping[Slot, Face], leanings: Leaningses | None = None) -> Beliefs:
    """The chances of each piece, to somebody who knows these closed ones.

    A side is known wholly or not at all: if `known` lacks a closed piece of a side, all pieces of the side
    are believed.
    """

    def side(seat: Seat) -> Mapping[Square, Chances]:
        if not knows(state, seat, known):
            return chances(state, seat, leanings[seat] if leanings else None)
        return {
            square: CERTAIN[known[SLOT[cell]] if closed_of(seat, cell) else FACE[cell]]
            for square, cell in enumerate(state.board)
            if OWNER[cell] == seat
        }

    return side(0), side(1)


def known_to(seat: Seat, faces: Mapping[Slot, Face], knowing: Knowing) -> Mapping[Slot, Face]:
    """The part of these faces that `seat` knows, with so much knowledge."""
    if knowing == "own":
        return {slot: face for slot, face in faces.items() if slot // SLOTS == seat}
    return faces if knowing == "all" else {}


def closed_of(seat: Seat, cell: int) -> bool:
    """Whether a cell holds a closed piece of this side."""
    return EMPTY < cell < OPEN and OWNER[cell] == seat


def chance(scene: Scene, knowing: Knowing, knower: Seat = 0) -> tuple[float, float]:
    """How likely each seat is to win, 0 to 1; `knower`: of "own", the seat that knows its own pieces."""
    return of_measures(measures(scene, knowing, knower), weights(scene.army, knowing), knower)


def of_measures(values: Sequence[float], by: Sequence[float], knower: Seat) -> tuple[float, float]:
    """The same of measures, and their weights."""
    of_knower = 1 / (1 + exp(-sum(value * weight for value, weight in zip(values, by, strict=True))))
    return (of_knower, 1 - of_knower) if knower == 0 else (1 - of_knower, of_knower)


@cache
def fitted() -> Weights:
    """The weights of this version."""
    written = figures("p2p_stratego.stratego.bots", "prospects.json")
    return Weights(
        {
            knowing: {
                int(size): tuple(named[name] for name in MEASURES[knowing]) for size, named in sizes.items()
            }
            for knowing, sizes in written["weights"].items()
        },
        {int(size): steepness for size, steepness in written["steepness"].items()},
    )


def weights(army: Army, knowing: Knowing) -> Sequence[float]:
    """The weights of `MEASURES`, of the fitted army that is nearest in size."""
    return fitted().by[knowing][_fitted_size(army)]


def steepness(army: Army) -> float:
    """See `Weights.steepness`."""
    return fitted().steepness[_fitted_size(army)]


def _fitted_size(army: Army) -> int:
    return min(fitted().steepness, key=lambda size: (abs(size - army.size), size))


def in_odds(scene: Scene) -> dict[str, float]:
    """The part of each measure in the logarithm of red's odds, with all pieces known."""
    by = weights(scene.army, "all")
    return {
        name: value * weight
        for name, value, weight in zip(MEASURES["all"], measures(scene, "all"), by, strict=True)
    }


def worth_of_ways(scene: Scene, seat: Seat) -> float:
    """The part of the ways of `seat` to the flag in the logarithm of its odds, with all pieces known."""
    by = weights(scene.army, "all")[-len(_WAYS) :]
    return sum(value * weight for value, weight in zip(_nearness(scene, seat), by, strict=True))


def knows(state: State, seat: Seat, known: Mapping[Slot, Face]) -> bool:
    """Whether these faces tell every closed piece of `seat` on the board."""
    return all(SLOT[cell] in known for cell in state.board if closed_of(seat, cell))


def met(before: Scene, source: Square, target: Square, attacker: Face, defender: Face) -> Scene:
    """The position after a piece of the mover met a piece other than the flag."""
    seat, result = before.mover, FIGHTS[attacker][defender]
    own, foes = dict(before.beliefs[seat]), dict(before.beliefs[1 - seat])
    left, foes_left = list(before.alive[seat]), list(before.alive[1 - seat])
    del own[source], foes[target]
    if result == "won":
        own[target] = CERTAIN[attacker]
    else:
        left[attacker] -= 1
    if result == "lost":
        foes[target] = CERTAIN[defender]
    else:
        foes_left[defender] = max(foes_left[defender] - 1, 0)
    stood = before.open - {source, target}
    return before._replace(
        mover=1 - seat,
        haste=0.0,
        alive=(left, foes_left) if seat == 0 else (foes_left, left),
        beliefs=(own, foes) if seat == 0 else (foes, own),
        open=stood if result == "both" else stood | {target},
    )


# Measures

_NO_WAY: Final = Way(NEVER, FLAG)
_WAYS: Final = (
    *(f"flag in {moves}" for moves in NEAR),
    *(f"flag unguarded in {moves}" for moves in NEAR),
)
_OF_A_SIDE: Final = (
    *("share", "share late", "share in haste", "top", "free", "spy", "no miner", "miners", "closed", "army"),
    *("mover", "prize", "prize next"),
    *_WAYS,
)
_OF_THE_KNOWER: Final = ("knower", *(f"own {name}" for name in _WAYS))
MEASURES: Final[Mapping[Knowing, tuple[str, ...]]] = {
    "open": _OF_A_SIDE,
    "own": (*_OF_A_SIDE, *_OF_THE_KNOWER),
    "all": _OF_A_SIDE,
}
"""The names of what is measured: a side's less the other's; of a knower, whose two sides are not known
equally well, its own ways apart, too."""


def measures(scene: Scene, knowing: Knowing, knower: Seat = 0) -> list[float]:
    """`MEASURES` of a position; the first side is the knower's."""
    ours, theirs = (_of_a_side(scene, seat) for seat in (knower, 1 - knower))
    differences = [mine - other for mine, other in zip(ours, theirs, strict=True)]
    return [*differences, 1.0, *ours[-len(_WAYS) :]] if knowing == "own" else differences


def _of_a_side(scene: Scene, seat: Seat) -> list[float]:
    own, enemy = scene.alive[seat], scene.alive[1 - seat]
    worth, foe_worth = worth_among(scene.army, own, enemy), worth_among(scene.army, enemy, own)
    ours, theirs = _worth_of(worth, own), _worth_of(foe_worth, enemy)
    share = ours / (ours + theirs) if ours + theirs else 0.5
    late = 1 - (sum(own) + sum(enemy)) / (2 * scene.army.size)
    highest = [max((face for face in MOBILE if side[face]), default=0) for side in (own, enemy)]
    moving = sum(own[face] for face in MOBILE)
    prize = _prize(scene, seat, worth, foe_worth) / (ours + theirs) if ours + theirs else 0.0
    to_move = scene.mover == seat
    return [
        share,
        share * late,
        share * scene.haste,
        float(highest[0] > highest[1]),
        sum(own[face] for face in MOBILE if face > highest[1]) / max(1, moving),
        float(own[SPY] > 0 and enemy[MARSHAL] > 0),
        float(enemy[BOMB] > 0 and not own[MINER]),
        min(1.0, own[MINER] / enemy[BOMB]) if enemy[BOMB] else 1.0,
        _closed(scene, seat, worth) / ours if ours else 0.0,
        moving / scene.army.size,
        float(to_move),
        prize if to_move else 0.0,
        0.0 if to_move else prize,
        *_nearness(scene, seat),
    ]


def _worth_of(worth: Worth, pieces: Sequence[int]) -> float:
    return sum(worth[face] * pieces[face] for face in MOBILE)


def _closed(scene: Scene, seat: Seat, worth: Worth) -> float:
    """The worth of all pieces that move and that the other side does not know."""
    return sum(
        odds[face] * worth[face]
        for square, odds in scene.beliefs[seat].items()
        if square not in scene.open
        for face in MOBILE
        if odds[face]
    )


def _prize(scene: Scene, seat: Seat, worth: Worth, foe_worth: Worth) -> float:
    """The greatest expected gain, ≥ 0, of an attack by a piece that stands beside an enemy."""
    best, own, foes = 0.0, scene.beliefs[seat], scene.beliefs[1 - seat]
    for square, foe in foes.items():
        for beside in NEIGHBOURS[square]:
            attacker = own.get(beside)
            if attacker is not None:
                best = max(best, _gain(attacker, foe, worth, foe_worth))
    return best


def _gain(attacker: Chances, foe: Chances, worth: Worth, foe_worth: Worth) -> float:
    """The expected gain of an attack; 0 for a piece that cannot move."""
    defenders = [(face, odds) for face, odds in enumerate(foe) if odds and face != FLAG]
    gain = 0.0
    for face in MOBILE:
        share = attacker[face]
        if share:
            for other, odds in defenders:
                result = FIGHTS[face][other]
                prize = foe_worth[other] if result != "lost" else 0.0
                gain += share * odds * (prize - (worth[face] if result != "won" else 0.0))
    return gain


def _nearness(scene: Scene, seat: Seat) -> list[float]:
    """By distance in NEAR, whether the flag is within it; then the same on ways that no guard outruns."""
    late = 0 if scene.mover == seat else 1
    return [float(2 * way.cost - 1 + late <= moves) for way in ways(scene, seat) for moves in NEAR]


def ways(scene: Scene, seat: Seat) -> tuple[Way, Way]:
    """The shortest way to the enemy's flag, and the shortest way that no guard outruns."""
    candidates = list(Ways(scene.beliefs[seat], scene.beliefs[1 - seat]).costs())
    shortest = min((Way(cost, face) for face, cost, _guarded in candidates), default=_NO_WAY)
    return shortest, min(
        (Way(cost, face) for face, cost, guarded in candidates if not guarded), default=_NO_WAY
    )
