"""The end: the openings, the points of each power, the scores of the seats, and the winners."""

from __future__ import annotations

from p2p_stratego.core.game import Face, Open, Outcome, Seat, Turn
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.allocation import EVEN, SEATS
from p2p_stratego.spies.rules.atlas import BRITAIN, FRANCE, GERMANY, ITALY, POWERS, Power
from p2p_stratego.spies.rules.counters import (
    A_TILE,
    COUNTERSPIES,
    DISGRACE,
    FIRST_YEAR,
    MARKER,
    MEANS,
    STRENGTHS,
    value,
)
from p2p_stratego.spies.rules.purse import BASE
from p2p_stratego.spies.rules.state import Secret, Spy, State
from p2p_stratego.spies.rules.tiles import is_coloured

_ALLIES = ((GERMANY, ITALY), (ITALY, GERMANY), (FRANCE, BRITAIN), (BRITAIN, FRANCE))
_LEAST_FACE: Face = 0


def end(act: Act) -> Turn[None]:
    """Scoring secrets and secret purses are opened, and the game is over.  Raises Stopped."""
    for secret, lying in enumerate(act.state.secrets):
        if lying.face is None and (lying.where == "cashed" or at_home(lying)):
            face: Face = yield Open(lying.slot)
            act.secret(secret, face=face)
    points = allied(act.state, [power_points(act.state, power) for power in range(len(POWERS))])
    act.set(points=tuple(points))
    money = yield from _money(act)
    scores, best = ranked(act.state, points, money)
    act.set(scores=scores)
    raise act.over(best)


def at_home(lying: Secret) -> bool:
    """Whether an original secret lies where it began, under nobody else's control."""
    return (
        lying.where == "map"
        and lying.owner is not None
        and lying.city == lying.origin
        and lying.by in (None, lying.owner)
    )


def multiple(power: Power, year: int) -> int:
    """The points of a value on a power's record of a year."""
    return MEANS[power].multiples[year - FIRST_YEAR]


def worth(face: Face, times: int) -> int:
    """The points of a secret where a value counts so many times: a counterspy counts half of that."""
    return value(face) * (times // 2 if face in COUNTERSPIES else times)


def captive(state: State, spy: Spy, face: Face) -> int:
    """The points of a captured spy for its captor: none of russia, where that changes hands."""
    if spy.captor is None or state.borrowed(spy.power):
        return 0
    return STRENGTHS[face] * multiple(spy.captor, spy.year)


def power_points(state: State, power: Power) -> int:
    """The points of a power, by the faces that are open."""
    last = multiple(power, state.year)
    points = A_TILE * sum(play.power == power and is_coloured(play.tile) for play in state.played)
    points += sum(MARKER * multiple(power, marker.year) for marker in state.markers if marker.power == power)
    for spy in state.spies:
        if spy.where == "captured" and spy.captor == power and spy.face is not None:
            points += captive(state, spy, spy.face)
    for lying in state.secrets:
        if lying.face is None:
            continue
        if lying.where == "cashed" and lying.by == power:
            points += worth(lying.face, multiple(power, lying.lost))
        elif lying.owner == power and at_home(lying):
            points += worth(lying.face, last)
    return points


def allied(state: State, points: list[int]) -> list[int]:
    """The points after the alliances, if they are played: all losses at once."""
    if not state.alliances:
        return points
    lost = [0] * len(points)
    for power, ally in _ALLIES:
        enemies = (FRANCE, BRITAIN) if power in (GERMANY, ITALY) else (GERMANY, ITALY)
        if all(points[ally] < points[enemy] for enemy in enemies):
            lost[power] = DISGRACE
    return [point - loss for point, loss in zip(points, lost, strict=True)]


def _money(act: Act) -> Turn[list[int]]:
    """The pounds of each power; secret purses are opened, as they may decide a tie."""
    money = list(act.state.money)
    for power, purse in enumerate(act.state.purses):
        for place, slot in enumerate(purse):
            face: Face | None = yield Open(slot)
            money[power] += (face or _LEAST_FACE) * BASE**place  # None: its player has left
    act.set(money=tuple(money), least=tuple(money), purses=((),) * len(POWERS))
    return money


def ranked(state: State, points: list[int], money: list[int]) -> tuple[tuple[int, ...], Outcome]:
    """The scores by seat, and who has won; a seat that has left cannot win."""
    seats = SEATS[state.seats, state.allocation]
    ranks: dict[Seat, tuple[int, int]] = {}
    for seat, own in enumerate(seats):
        ranks[seat] = _rank(state, own, points, money)
    scores = tuple(ranks[seat][0] for seat in range(state.seats))
    there = [seat for seat in ranks if seat not in state.gone]
    top = max(ranks[seat][0] for seat in there)
    tied = [seat for seat in there if ranks[seat][0] == top]
    if len(tied) == 1:
        return scores, Outcome(frozenset(tied), "points")
    richest = max(ranks[seat][1] for seat in tied)
    rich = frozenset(seat for seat in tied if ranks[seat][1] == richest)
    return scores, Outcome(rich, "money" if len(rich) == 1 else "draw")


def _rank(state: State, own: tuple[Power, ...], points: list[int], money: list[int]) -> tuple[int, int]:
    """The score of a seat, and the money that counts for it in a tie."""
    if len(own) == 1:
        return points[own[0]], money[own[0]]
    if state.handicap == "sum":
        return sum(points[power] for power in own), sum(money[power] for power in own)
    if state.handicap == "lower":
        return min(points[power] for power in own), sum(money[power] for power in own)
    best, purse = max((points[power], money[power]) for power in own)
    handicap = EVEN.get((state.seats, state.allocation), 0) if state.handicap == "even" else 0
    return best - handicap, purse
