"""Results of one player out of many matches: by game, seat and opponent; runs of return matches; ratings.

Pure: facts in, values out.  A win counts 1, a draw ½, a loss 0, and a first place that several sides share is
a draw.  For ratings each pair of players of different sides counts as one game, which a winner won against a
loser, and which two winners or two losers drew.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

from cli.studies.statistics import glicko
from cli.studies.statistics.facts import Facts
from cli.studies.statistics.glicko import Rating
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Verdict

DAY: Final = 86_400
"""Seconds of a rating period: a day (UTC) of the record's last change."""


class Match(NamedTuple):
    """A match that counts, and when its record last changed: seconds since 1970, from the file, unproven."""

    facts: Facts
    when: float


class Left(NamedTuple):
    """A record that does not count: its name, why (a word), and its facts if it could be read."""

    name: str
    why: str
    facts: Facts | None = None


class Found(NamedTuple):
    """A record: the name of its file, when that changed, and its facts; None if it is unreadable."""

    name: str
    when: float
    facts: Facts | None
    lesson: bool = False
    """Whether a tutor played by a script, as the files beside it tell."""
    practice: bool = False
    """Whether a hint was shown, as the files beside it tell; of a decision taken back its facts tell."""


def sifted(records: Iterable[Found]) -> tuple[list[Match], list[Left]]:
    """The matches that count, each once, oldest first, and all other records.

    Two copies of a match that both are complete and tell different ends count for nothing; of copies that
    agree the oldest is taken.  A lesson counts for nothing, since its tutor follows a script; nor does
    practice.  The order of `records` does not matter.
    """
    copies: defaultdict[str, list[Found]] = defaultdict(list)
    left: list[Left] = []
    for record in sorted(records, key=lambda record: (record.when, record.name)):
        if record.facts is None:
            left.append(Left(record.name, "unreadable"))
        else:
            copies[record.facts.id].append(record)
    matches: list[Match] = []
    for several in copies.values():
        whole = [record for record in several if record.facts is not None and record.facts.counted]
        ends = {
            (record.facts.head, record.facts.winners, record.facts.reason) for record in whole if record.facts
        }
        worse = [record for record in several if record.facts is not None and record.facts.verdict in _PROVEN]
        if not worse and any(record.lesson for record in several):
            left.append(Left(several[0].name, "lesson", several[0].facts))
        elif worse or not whole:
            first = (worse or several)[0]
            left.append(Left(first.name, _why(first), first.facts))
        elif any(record.practice for record in several):
            left.append(Left(whole[0].name, "practice", whole[0].facts))
        elif len(ends) > 1:
            left.append(Left(whole[0].name, "contradictory", whole[0].facts))
        elif whole[0].facts is not None:
            matches.append(Match(whole[0].facts, whole[0].when))
    return sorted(matches, key=lambda match: (match.when, match.facts.id)), left


def _why(record: Found) -> str:
    """Why a record that was read does not count."""
    if record.facts is None:
        return ""
    whole = record.facts.verdict == Verdict.COMPLETE.value
    return "practice" if whole and record.facts.practice else record.facts.verdict


_PROVEN: Final = ("cheated", "equivocated")
"""Verdicts with a proof: they stand, whatever another copy of the match tells."""


@dataclass(slots=True)
class Score:
    """Matches won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, score: float) -> None:
        """One more match."""
        self.won += score == 1
        self.drawn += score == 0.5
        self.lost += score == 0

    @property
    def played(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """1 for a win, ½ for a draw."""
        return self.won + self.drawn / 2


class Series(NamedTuple):
    """A run of return matches: each with the same players at the same game, every seat moved on by one."""

    opponents: tuple[str, ...]
    """Their keys."""
    scores: tuple[float, ...]
    """Oldest first."""


@dataclass(slots=True)
class OfGame:
    """One player's matches of one game."""

    game: str
    total: Score = field(default_factory=Score)
    seats: dict[str, Score] = field(default_factory=dict)
    """By the seat's name, and the number of seats where there are more than two."""
    began: Score = field(default_factory=Score)
    """Of the matches in which this player's side began."""
    opponents: dict[str, Score] = field(default_factory=dict)
    """By key, the one met most often first; not the players of the own side."""
    sequence: list[float] = field(default_factory=list)
    """The scores, oldest first."""
    counts: Counter[str] = field(default_factory=Counter)
    liked: dict[str, Counter[str]] = field(default_factory=dict)
    series: list[Series] = field(default_factory=list)
    on_ladder: Rating | None = None
    """Against this program's bots, of our player: what the menu and the end page tell."""
    ladder_matches: int = 0
    """How many matches that rating comes from."""
    ratings: list[tuple[int, Rating]] = field(default_factory=list)
    """After each day, in days since 1970, on which it played."""


def of_player(key: str, matches: Sequence[Match]) -> list[OfGame]:
    """The results of the player with this key, by game, in the registry's order."""
    games: dict[str, OfGame] = {}
    for match in matches:
        seat = match.facts.seat_of(key)
        if seat is not None:
            _add(games.setdefault(match.facts.game, OfGame(match.facts.game)), match.facts, seat)
    for name, results in games.items():
        results.opponents = dict(
            sorted(results.opponents.items(), key=lambda known: (-known[1].played, known[0]))
        )
        played = [match.facts for match in matches if match.facts.game == name]
        results.series = _series(key, played)
        results.ratings = list(ratings(name, matches).get(key, ()))
    return [games[name] for name in ENTRIES if name in games]


def _add(game: OfGame, facts: Facts, seat: int) -> None:
    own, score = facts.players[seat], facts.score(seat)
    game.total.add(score)
    game.sequence.append(score)
    table = own.seat if len(facts.players) == 2 else f"{own.seat}/{len(facts.players)}"
    game.seats.setdefault(table, Score()).add(score)
    if seat in facts.began:
        game.began.add(score)
    for other in facts.players:
        if other.side != own.side:
            game.opponents.setdefault(other.key, Score()).add(score)
    if facts.counts:
        game.counts.update(facts.counts[seat])
        for name, choices in facts.liked[seat].items():
            game.liked.setdefault(name, Counter()).update(choices)


def _series(key: str, played: Sequence[Facts]) -> list[Series]:
    """The runs of two matches or more.  A genesis does not name the match before it, so the seats tell."""
    tables: defaultdict[frozenset[str], list[Facts]] = defaultdict(list)
    for facts in played:
        if facts.seat_of(key) is not None:
            tables[frozenset(player.key for player in facts.players)].append(facts)
    runs = []
    for several in tables.values():
        run = [several[0]]
        for facts in several[1:]:
            if _keys(facts) != _moved_on(_keys(run[-1])):
                runs.append(run)
                run = []
            run.append(facts)
        runs.append(run)
    return [_told(key, run) for run in runs if len(run) > 1]


def _keys(facts: Facts) -> tuple[str, ...]:
    return tuple(player.key for player in facts.players)


def _moved_on(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The players by seat in the return match (protocol.replication.rematch.next_seat)."""
    return (keys[-1], *keys[:-1])


def _told(key: str, run: Sequence[Facts]) -> Series:
    others = tuple(player.key for player in run[0].players if player.key != key)
    return Series(others, tuple(facts.score(facts.seat_of(key) or 0) for facts in run))


def ratings(game: str, matches: Iterable[Match]) -> Mapping[str, list[tuple[int, Rating]]]:
    """By player, its rating in a game after each day on which it played."""
    days: defaultdict[int, list[glicko.Game]] = defaultdict(list)
    for facts, when in matches:
        if facts.game == game:
            days[int(when // DAY)] += _pairs(facts)
    return glicko.over_time(sorted(days.items()))


def _pairs(facts: Facts) -> list[glicko.Game]:
    """The games between two that a match counts as."""
    games = []
    for seat, other in combinations(range(len(facts.players)), 2):
        if facts.players[seat].side != facts.players[other].side:
            first, second = facts.players[seat].key, facts.players[other].key
            games.append(glicko.Game(first, second, facts.against(seat, other)))
    return games
