"""Standings and tie-breaks.  Pure: games and byes in, rows out.

Of players with as many points the order is: direct encounter (points of the games among exactly those, if
all of them have met), then in a Swiss tournament Buchholz without the lowest opponent, and Buchholz (sums of
the opponents' points), then Sonneborn-Berger (points of those beaten and half of those drawn with), then
wins, then the number.  A knockout is ordered by rounds survived.  Byes and forfeits count points, and nothing
in a tie-break.  A place is shared where everything but the number is equal.

Withdrawals follow the FIDE Handbook.  In a round robin the results of a player who has played fewer than
half of the scheduled games count for nobody, and that player has no place; else all of them stand (C.06,
chapter V, 4).  In a Swiss tournament points stand (there, 5); to the Buchholz and Sonneborn-Berger of the
opponents, the rounds for which the player was not paired any more count as draws (C.07, article 16.3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from cli.studies.tournament.event import System
from cli.studies.tournament.pairing import Bye, Game
from cli.studies.tournament.pairing import points as scored


class Row(NamedTuple):
    """A player's row.  Points and Buchholz count halves, Sonneborn-Berger quarters."""

    place: int
    """0 for a player whose results do not count."""
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


class Absent(NamedTuple):
    """Those who have withdrawn."""

    left: Mapping[int, int] = {}
    """By player, the round from which on."""
    out: Collection[int] = ()
    """Those of them who are `uncounted`."""


_ALL_HERE: Final = Absent()


def uncounted(
    system: System, players: int, rounds: int, games: Sequence[Game], left: Mapping[int, int]
) -> frozenset[int]:
    """Those whose results count for nobody; `rounds` is the number for which the tournament was announced."""
    if system != "round-robin":
        return frozenset()
    cycles = rounds // (players - 1 + players % 2)
    scheduled = cycles * (players - 1)
    return frozenset(player for player in left if 2 * len(_own(player, games)) < scheduled)


def standings(
    system: System, players: int, games: Sequence[Game], byes: Sequence[Bye], absent: Absent = _ALL_HERE
) -> list[Row]:
    """All players, the first one first.  Only games with a result count."""
    left, out = absent
    played = [game for game in games if game.halves is not None and not {game.first, game.second} & {*out}]
    sat = [game for game in played if not game.forfeit]
    rest = [bye for bye in byes if system != "round-robin"]
    numbers = range(1, players + 1)
    points = {player: scored(player, played, rest) for player in numbers}
    drawn = left if system == "swiss" else {}
    worth = points | {
        player: points[player] + _missed(player, drawn[player], games, byes) for player in drawn
    }
    rows = [_row(player, played, rest, points, worth) for player in numbers]
    if system == "knockout":
        return _placed([(-row.survived, -row.points) for row in rows], rows)
    rows = [row._replace(direct=_direct(row.player, points, sat)) for row in rows]
    buchholz = system == "swiss"
    keys = [
        (
            row.player in out,
            -row.points,
            -(row.direct or 0),
            -row.buchholz_cut * buchholz,
            -row.buchholz * buchholz,
            -row.sonneborn,
            -row.won,
        )
        for row in rows
    ]
    return [row._replace(place=0) if row.player in out else row for row in _placed(keys, rows)]


def _missed(player: int, start: int, games: Sequence[Game], byes: Sequence[Bye]) -> int:
    """The rounds from `start` on in which a player was not paired."""
    paired = {game.round for game in games} | {bye.round for bye in byes}
    own = {game.round for game in games if player in (game.first, game.second)}
    return len({number for number in paired if number >= start} - own)


def _placed(keys: Sequence[tuple[int, ...]], rows: Sequence[Row]) -> list[Row]:
    order = sorted(zip(keys, rows, strict=True), key=lambda pair: (pair[0], pair[1].player))
    placed: list[Row] = []
    for at, (key, row) in enumerate(order):
        shared = at > 0 and order[at - 1][0] == key
        placed.append(row._replace(place=placed[-1].place if shared else at + 1))
    return placed


def _own(player: int, games: Sequence[Game]) -> list[tuple[int, int]]:
    """The opponent and the half points of each game that a player has played."""
    return [
        (game.second, game.halves[0]) if game.first == player else (game.first, game.halves[1])
        for game in games
        if game.halves is not None and not game.forfeit and player in (game.first, game.second)
    ]


def _row(
    player: int, games: Sequence[Game], byes: Sequence[Bye], points: dict[int, int], worth: dict[int, int]
) -> Row:
    """`worth`: the points of each player as an opponent."""
    own = _own(player, games)
    opponents = sorted(worth[other] for other, _ in own)
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
        sum(worth[other] * halves for other, halves in own),
        through,
    )


def _direct(player: int, points: dict[int, int], games: Sequence[Game]) -> int | None:
    """Half points against those with as many points; None if some of them have not met, or nobody has."""
    tied = [other for other, count in points.items() if count == points[player]]
    among = [game for game in games if game.first in tied and game.second in tied]
    met = {frozenset((game.first, game.second)) for game in among}
    if len(tied) < 2 or any(frozenset(pair) not in met for pair in combinations(tied, 2)):
        return None
    return scored(player, among, ())
