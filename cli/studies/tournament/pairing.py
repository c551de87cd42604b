"""Who plays whom: Berger tables, a simplified Dutch system, brackets.  Pure: numbers in, numbers out.

Players are numbers from 1, in the order of seeding.  The same games give the same pairings, always.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from cli.studies.tournament.event import Pairing

NOBODY: Final[Mapping[int, int]] = MappingProxyType({})
"""By player, the round from which on that player has withdrawn: where nobody has."""
_MOST_TRIED: Final = 200_000
"""Pairs that a Swiss round looks at before it gives up: far more than any field of 256 players takes."""


class Game(NamedTuple):
    """A pairing of an earlier round, and the half points of both; None while there is no result.

    `forfeit`: whether it has its result because somebody withdrew: points, and no game.
    """

    round: int
    table: int
    first: int
    second: int
    halves: tuple[int, int] | None
    forfeit: bool = False

    @property
    def winner(self) -> int | None:
        """Who won; None for a draw, no result, or no winner."""
        if self.halves is None or self.halves[0] == self.halves[1]:
            return None
        return self.first if self.halves[0] > self.halves[1] else self.second


class Bye(NamedTuple):
    """A round that a player had off."""

    round: int
    player: int


class NoPairing(Exception):
    """No round can be made: `why` is a word, "open" (results are missing), "over", "repeats", or "few" (of
    the players the others have withdrawn)."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


Paired = tuple[tuple[Pairing, ...], tuple[int, ...]]
"""The pairings of a round, and those who have none."""


def berger(players: int, number: int) -> Paired:
    """Round `number`, from 1, of a round robin by the Berger tables (FIDE Handbook C.05, annex 1).

    With an odd number of players the highest number is missing, and its opponent has a bye.  From the second
    cycle on the seats are changed.
    """
    even = players + players % 2
    cycle, at = divmod(number - 1, even - 1)
    ring, lead = even - 1, at * even // 2 % (even - 1)
    pairs = [(lead + 1, even) if at % 2 == 0 else (even, lead + 1)]
    pairs += [((lead + k) % ring + 1, (lead - k) % ring + 1) for k in range(1, even // 2)]
    if cycle % 2:
        pairs = [(second, first) for first, second in pairs]
    present = [pair for pair in pairs if max(pair) <= players]
    byes = tuple(min(pair) for pair in pairs if max(pair) > players)
    return _tables(present), byes


def swiss(
    players: int, games: Sequence[Game], byes: Sequence[Bye], gone: Collection[int] = frozenset()
) -> Paired:
    """The next round of a Swiss tournament without those who are `gone`.  Raises NoPairing.

    1. Players are ranked by points, then by number; a bye and a forfeit count a point.
    2. If they are odd, the last in the ranking who had neither bye nor point by forfeit, and whose absence
       leaves a pairing, has it (FIDE Handbook C.04.1).
    3. From the first down, each is paired with the first whom it has not met, of: the lower half of those
       with as many points, from its top; the upper half, from its end; then the others as ranked.  Where
       that leaves somebody without an opponent, the pairs made last are undone first.
    4. The first seat goes to the one with fewer first seats, counted against second ones; then to the one who
       had the second seat last; then, at odd tables, to the higher ranked one.

    A forfeit is no game: nobody has met or sat anywhere by it.
    """
    if any(game.halves is None for game in games):
        raise NoPairing("open")
    here = [player for player in range(1, players + 1) if player not in gone]
    if len(here) < 2:
        raise NoPairing("few")
    ranked = sorted(here, key=lambda player: (-points(player, games, byes), player))
    sat = [game for game in games if not game.forfeit]
    met = {frozenset((game.first, game.second)) for game in sat}
    if len(ranked) % 2 == 0:
        return _seated(_matched(ranked, games, byes, met), sat), ()
    given = {bye.player for bye in byes} | {game.winner for game in games if game.forfeit}
    for free in reversed(ranked):
        if free not in given:
            try:
                pairs = _matched([player for player in ranked if player != free], games, byes, met)
            except NoPairing:
                continue
            return _seated(pairs, sat), (free,)
    raise NoPairing("repeats")


def points(player: int, games: Sequence[Game], byes: Sequence[Bye]) -> int:
    """The half points of a player, those by forfeit too; a bye counts two."""
    halves = 2 * sum(bye.player == player for bye in byes)
    for game in games:
        if game.halves is not None and player in (game.first, game.second):
            halves += game.halves[game.second == player]
    return halves


def _matched(
    ranked: list[int], games: Sequence[Game], byes: Sequence[Bye], met: set[frozenset[int]]
) -> list[tuple[int, int]]:
    """Pairs of all in `ranked`, none of whom has met; the one ranked higher stands first.

    The search keeps its own stack: as deep as half the players, and no set of players that cannot be paired
    is tried twice.
    """
    of = {player: points(player, games, byes) for player in ranked}
    dead: set[tuple[int, ...]] = set()
    stack: list[tuple[tuple[int, ...], Iterator[int]]] = []
    made: list[tuple[int, int]] = []
    rest, tried = tuple(ranked), 0
    stack.append((rest, iter(_candidates(rest, of))))
    while stack:
        rest, candidates = stack[-1]
        if not rest:
            return made
        for other in candidates:
            tried += 1
            left = tuple(player for player in rest[1:] if player != other)
            if frozenset((rest[0], other)) not in met and left not in dead:
                made.append((rest[0], other))
                stack.append((left, iter(_candidates(left, of))))
                break
        else:
            dead.add(rest)
            stack.pop()
            del made[-1:]
        if tried > _MOST_TRIED:
            break
    raise NoPairing("repeats")


def _candidates(rest: tuple[int, ...], of: dict[int, int]) -> list[int]:
    """The others in the order in which the first of `rest` is to meet them."""
    if not rest:
        return []
    group = [player for player in rest if of[player] == of[rest[0]]]
    half = max(len(group) // 2, 1)
    return [
        *group[half:],
        *reversed(group[1:half]),
        *(player for player in rest if of[player] != of[rest[0]]),
    ]


def _seated(pairs: Sequence[tuple[int, int]], games: Sequence[Game]) -> tuple[Pairing, ...]:
    """The pairs at tables, each with the first seat for one of the two."""
    seated = []
    for table, (high, low) in enumerate(pairs, 1):
        wish = _balance(high, games), _last(high, games)
        other = _balance(low, games), _last(low, games)
        first = wish < other if wish != other else table % 2 == 1
        seated.append((high, low) if first else (low, high))
    return _tables(seated)


def _balance(player: int, games: Sequence[Game]) -> int:
    """First seats minus second seats."""
    return sum((game.first == player) - (game.second == player) for game in games)


def _last(player: int, games: Sequence[Game]) -> int:
    """1 if the player's last game was in the first seat, -1 if in the second one, 0 before any."""
    own = [game for game in games if player in (game.first, game.second)]
    return 0 if not own else 1 if max(own).first == player else -1


def knockout(players: int, number: int, games: Sequence[Game], left: Mapping[int, int] = NOBODY) -> Paired:
    """Round `number` of a knockout.  Raises NoPairing.

    The bracket keeps the first and the second of the seeding apart until the final; where there are fewer
    players than places, the best of the seeding have a bye in round 1.  The first seat goes to the one with
    fewer first seats, counted against second ones; else to the better of the seeding.  The place of a player
    who has withdrawn, by `left`, is empty from then on, and whoever would have met that player goes on.
    """
    standing = _present(bracket(players), 1, games, left)
    for earlier in range(1, number):
        standing = _present(_advanced(standing, earlier, games), earlier + 1, games, left)
    if len(standing) < 2:
        raise NoPairing("over")
    if not any(standing):
        raise NoPairing("few")
    both = list(zip(standing[::2], standing[1::2], strict=True))
    byes = tuple(max(pair) for pair in both if min(pair) == 0 < max(pair))
    pairs = [tuple(sorted(pair)) for pair in both if min(pair)]
    sat = [game for game in games if not game.forfeit]
    seated = [(b, a) if _balance(a, sat) > _balance(b, sat) else (a, b) for a, b in pairs]
    return _tables(seated), byes


def _present(
    standing: Sequence[int], number: int, games: Sequence[Game], left: Mapping[int, int]
) -> list[int]:
    """The places in round `number`, 0 for those who had withdrawn before it was paired."""
    paired = {player for game in games if game.round == number for player in (game.first, game.second)}
    return [
        0 if left.get(player, number + 1) <= number and player not in paired else player
        for player in standing
    ]


def _advanced(standing: Sequence[int], number: int, games: Sequence[Game]) -> list[int]:
    """The places after round `number`; 0 where both have withdrawn.  Raises NoPairing."""
    decided = {frozenset((game.first, game.second)): game for game in games if game.round == number}
    advanced = []
    for first, second in zip(standing[::2], standing[1::2], strict=True):
        game = decided.get(frozenset((first, second)))
        if min(first, second) == 0:
            advanced.append(max(first, second))
        elif game is not None and (game.winner is not None or game.forfeit):
            advanced.append(game.winner or 0)
        else:
            raise NoPairing("open")
    return advanced


def bracket(players: int) -> list[int]:
    """The players by their places in the bracket, a power of two; 0 where there is nobody."""
    places = [1]
    while len(places) < players:
        size = 2 * len(places)
        places = [seed for better in places for seed in (better, size + 1 - better)]
    return [seed if seed <= players else 0 for seed in places]


def _tables(pairs: Sequence[tuple[int, ...]]) -> tuple[Pairing, ...]:
    return tuple(Pairing(table, pair[0], pair[1]) for table, pair in enumerate(pairs, 1))
