"""The ladder of a game's opponents: results against each, which are open, and which one is right for now.

A win opens the next opponent.  Only matches count that were played to their end against bots of one level of
this program, on this machine: nobody else's program says how strong it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf
from types import MappingProxyType
from typing import Final, NamedTuple

from cli.reports.rows import Plain
from cli.studies.statistics import glicko
from cli.studies.statistics.glicko import Played, Rating
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.figures import figures
from p2p_stratego.core.sides import score, side_of

EVEN: Final = 0.5
"""The score that is expected against the right opponent."""


@cache
def shipped(game: str) -> Mapping[str, Rating]:
    """By level, the ratings of the bots of a game at a table of two; {} for a game that has none.

    They come from games between these bots (`make ladder`).
    """
    known = figures("cli.studies.statistics", "ratings.json").get(game, {})
    return MappingProxyType({level: Rating(*values) for level, values in known.items()})


class Rung(NamedTuple):
    """One opponent: its level, how our player fared against it, and whether it can be chosen."""

    level: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    open: bool = True

    @property
    def played(self) -> int:
        """How many matches."""
        return self.won + self.drawn + self.lost


def rungs(entry: GameEntry, rows: Iterable[Plain], *, all_open: bool = False) -> list[Rung]:
    """The opponents of a game, the weakest first; `rows`: of the list of games.

    An opponent is open if the one before it was beaten, or one behind that.
    """
    scores: dict[str, list[float]] = {level: [] for level in levels(entry)}
    for level, result, _others in results(entry, rows):
        scores[level].append(result)
    ladder, beaten = [], all_open
    for level, played in reversed(scores.items()):  # from the top, since a win opens all below
        beaten = beaten or 1.0 in played
        ladder.append(Rung(level, played.count(1.0), played.count(0.5), played.count(0.0), beaten))
    ladder.reverse()
    return [
        rung._replace(open=rung.open or at == 0 or (ladder[at - 1].won > 0)) for at, rung in enumerate(ladder)
    ]


def levels(entry: GameEntry) -> Sequence[str]:
    """The levels of a game's bots, the weakest first: by their ratings; above them those that have none."""
    rated, order = shipped(entry.name), [*entry.bots][::-1]
    return sorted(order, key=lambda level: rated[level].rating if level in rated else inf)


def results(
    entry: GameEntry, rows: Iterable[Plain], *, practice: bool = False
) -> Iterator[tuple[str, float, int]]:
    """Of each match that counts: the level of its bots, our player's score, and how many others played.

    `practice`: of practice, too, which does not count.
    """
    for row in rows:
        bots, others = row.get("bots", []), row.get("others", [])
        against = bots and len(bots) == len(others) and len({*bots}) == 1
        ended = row.get("verdict") == "complete" and row.get("reason") is not None
        serious = ended and (practice or not row.get("practice"))
        if row.get("game") == entry.name and against and serious and bots[0] in entry.bots:
            yield bots[0], _score(entry, row), len(others)


def _score(entry: GameEntry, row: Plain) -> float:
    """What a finished match counts for our player."""
    winners, seats = row["winners"] or (), len(row["others"]) + 1
    if len(winners) < 2:  # the rules, which are read late, need not say who is whose mate
        return score({*winners}, {row["seat"]})
    rules = entry.rules.load()
    names = rules.seat_names(seats)
    side = side_of(rules.sides(seats), names.index(row["seat"]))
    return score({*winners}, {names[seat] for seat in side})


def rating(entry: GameEntry, rows: Iterable[Plain]) -> Rating | None:
    """Our player's rating by its matches of two against rated opponents; None without any."""
    played = rated_matches(entry, rows)
    return glicko.rated(Rating(), played) if played else None


def rated_matches(entry: GameEntry, rows: Iterable[Plain]) -> Sequence[Played]:
    """Our player's matches of two against rated opponents."""
    rated: Mapping[str, Rating] = shipped(entry.name)
    return [
        Played(rated[level], result)
        for level, result, others in results(entry, rows)
        if others == 1 and level in rated
    ]


def right(entry: GameEntry, ladder: Sequence[Rung], own: Rating | None) -> int:
    """The place in the ladder of the opponent for the next match: an open one whose strength is nearest.

    For a player without a rating: the one above the strongest that was beaten, else the weakest.
    """
    rated = shipped(entry.name)
    offered = [at for at, rung in enumerate(ladder) if rung.open]
    known = [at for at in offered if ladder[at].level in rated]
    if own is None or not known:
        beaten = [at for at in offered if ladder[at].won]
        return min(beaten[-1] + 1, offered[-1]) if beaten else offered[0]
    return min(known, key=lambda at: abs(glicko.expected(own, rated[ladder[at].level]) - EVEN))
