"""Standings and tie-breaks.  Pure: games and byes in, rows out.

Of players with as many points the order is: direct encounter (points of the games among exactly those, if
all of them have met), then in a Swiss tournament Buchholz without the lowest opponent, and Buchholz (sums of
the opponents' points), then Sonneborn-Berger (points of those beaten and half of those drawn with), then
wins, then the number.  A knockout is ordered by rounds survived.  Byes count points, and nothing in a
tie-break.  A place is shared where everything but the number is equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from cli.tournament.event import System
from cli.tournament.pairing import Bye, Game


class Row(NamedTuple):
    """A player's row.  Points and Buchholz count halves, Sonneborn-Berger quarters."""

    place: int
    player: int
    played: int
    won: int
    drawn: int
    lost: int
    points: int
    direct: int | None
    """None where not all those with as many points have met."""
    buchholz_cut: int
    buchholz: int
    sonneborn: int
    survived: int
    """Rounds of a knockout that the player got through."""


def standings(system: System, players: int, games: Sequence[Game], byes: Sequence[Bye]) -> list[Row]:
    """All players, the first one first.  Only games with a result count."""
    played = [game for game in games if game.halves is not None]
    rest = [bye for bye in byes if system != "round-robin"]
    numbers = range(1, players + 1)
    points = {one: _points(one, played) + 2 * sum(bye.player == one for bye in rest) for one in numbers}
    rows = [_row(one, played, rest, points) for one in numbers]
    if system == "knockout":
        return _placed([(-row.survived, -row.points) for row in rows], rows)
    rows = [row._replace(direct=_direct(row.player, points, played)) for row in rows]
    buchholz = system == "swiss"
    keys = [
        (
            -row.points,
            -(row.direct or 0),
            -row.buchholz_cut * buchholz,
            -row.buchholz * buchholz,
            -row.sonneborn,
            -row.won,
        )
        for row in rows
    ]
    return _placed(keys, rows)


def _placed(keys: Sequence[tuple[int, ...]], rows: Sequence[Row]) -> list[Row]:
    order = sorted(zip(keys, rows, strict=True), key=lambda one: (one[0], one[1].player))
    placed: list[Row] = []
    for at, (key, row) in enumerate(order):
        shared = at > 0 and order[at - 1][0] == key
        placed.append(row._replace(place=placed[-1].place if shared else at + 1))
    return placed


def _own(player: int, games: Sequence[Game]) -> list[tuple[int, int]]:
    """The opponent and the half points of each game of a player."""
    return [
        (game.second, game.halves[0]) if game.first == player else (game.first, game.halves[1])
        for game in games
        if game.halves is not None and player in (game.first, game.second)
    ]


def _points(player: int, games: Sequence[Game]) -> int:
    return sum(halves for _, halves in _own(player, games))


def _row(player: int, games: Sequence[Game], byes: Sequence[Bye], points: dict[int, int]) -> Row:
    own = _own(player, games)
    opponents = sorted(points[other] for other, _ in own)
    through = sum(game.winner == player for game in games) + sum(bye.player == player for bye in byes)
    return Row(
        0,
        player,
        len(own),
        sum(halves == 2 for _, halves in own),
        sum(halves == 1 for _, halves in own),
        sum(halves == 0 for _, halves in own),
        points[player],
        None,
        sum(opponents[1:]),
        sum(opponents),
        sum(points[other] * halves for other, halves in own),
        through,
    )


def _direct(player: int, points: dict[int, int], games: Sequence[Game]) -> int | None:
    """Half points against those with as many points; None if some of them have not met, or nobody has."""
    tied = [one for one, count in points.items() if count == points[player]]
    among = [game for game in games if game.first in tied and game.second in tied]
    met = {frozenset((game.first, game.second)) for game in among}
    if len(tied) < 2 or any(frozenset(pair) not in met for pair in combinations(tied, 2)):
        return None
    return _points(player, among)
