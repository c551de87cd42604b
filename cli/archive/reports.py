"""What an archive tells about its games: tables of a few columns, each the answer to one question.

A match counts where its column `counted` says so: played to its end, honestly, not as practice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from cli.archive.questions import Questions
from cli.studies.statistics import glicko
from p2p_stratego.core.language import _, mark

MOST_ROWS: Final = 20
"""Rows of a table of which there may be any number: first lines, players."""
DAY: Final = 86_400
"""Seconds of a rating period, as in `stats`."""


@dataclass(frozen=True, slots=True)
class Query:
    """A table of a report: its title, the heads of its columns, and its SQL, with $game and $most.

    `share`: the column, counted from 0, that is drawn as a bar; it holds numbers from 0 to 1.
    """

    title: str
    heads: tuple[str, ...]
    sql: str
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A table of a report with its rows; `name` and `columns` in English, as other programs read them."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    share: int | None = None

    @property
    def title(self) -> str:
        """The name in the player's language."""
        return _(self.name)

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns in the player's language."""
        return tuple(map(_, self.columns))


_SEATS: Final = """
    WITH sat AS (
        SELECT seats, unnest(players, recursive := true) FROM matches WHERE game = $game AND counted
    )
"""
_SCORES: Final = """
    count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0.5), count(*) FILTER (score = 0),
    avg(score)
"""
_SCORE_HEADS: Final = (mark("games"), mark("won"), mark("drawn"), mark("lost"), mark("score"))

QUERIES: Final = (
    Query(
        mark("What the records come to"),
        (mark("verdict"), mark("matches"), mark("share")),
        """
        SELECT verdict, count(*), count(*) / sum(count(*)) OVER ()
        FROM matches WHERE game = $game GROUP BY verdict ORDER BY 2 DESC, 1
        """,
        share=2,
    ),
    Query(
        mark("Results by seat"),
        (mark("players"), mark("seat"), *_SCORE_HEADS),
        f"{_SEATS} SELECT seats, seat, {_SCORES} FROM sat GROUP BY seats, seat ORDER BY 1, 7 DESC, 2",
        share=6,
    ),
    Query(
        mark("Results of who began"),
        (mark("players"), mark("began"), *_SCORE_HEADS),
        f"""{_SEATS} SELECT seats, CASE WHEN began THEN 'yes' ELSE 'no' END, {_SCORES}
        FROM sat WHERE began IS NOT NULL GROUP BY seats, began ORDER BY 1, 2 DESC""",
        share=6,
    ),
    Query(
        mark("How they end"),
        (mark("players"), mark("reason"), mark("matches"), mark("share")),
        """
        SELECT seats, reason, count(*), count(*) / sum(count(*)) OVER (PARTITION BY seats)
        FROM matches WHERE game = $game AND counted GROUP BY seats, reason ORDER BY 1, 3 DESC, 2
        """,
        share=3,
    ),
    Query(
        mark("How long they are, in steps"),
        (
            mark("players"),
            mark("matches"),
            mark("shortest"),
            mark("median"),
            mark("9 of 10"),
            mark("longest"),
        ),
        """
        SELECT seats, count(*), min(steps), quantile_disc(steps, 0.5), quantile_disc(steps, 0.9), max(steps)
        FROM matches WHERE game = $game AND counted GROUP BY seats ORDER BY 1
        """,
    ),
    Query(
        mark("Cheating that is proven"),
        (mark("rule"), mark("verdict"), mark("matches")),
        """
        SELECT rule, verdict, count(*) FROM matches
        WHERE game = $game AND culprit IS NOT NULL GROUP BY rule, verdict ORDER BY 3 DESC, 1, 2
        """,
    ),
    Query(
        mark("What players like, and how it fares"),
        (mark("choice"), mark("what"), *_SCORE_HEADS),
        f"""
        WITH sat AS (SELECT unnest(players, recursive := true) FROM matches WHERE game = $game AND counted),
        kinds AS (SELECT unnest(json_keys(liked)) AS kind, liked, score FROM sat),
        chosen AS (
            SELECT kind, score,
                unnest(list_distinct(CAST(json_extract(liked, '$.' || kind) AS VARCHAR[]))) AS what
            FROM kinds
        ),
        counted AS (
            SELECT kind, what, {_SCORES},
                row_number() OVER (PARTITION BY kind ORDER BY count(*) DESC, what) AS place
            FROM chosen GROUP BY kind, what
        )
        SELECT * EXCLUDE (place) FROM counted WHERE place <= $most ORDER BY kind, place
        """,
        share=6,
    ),
)
"""Of one game, in the order in which they are shown."""
_GAMES: Final = (
    "SELECT game, count(*), count(*) FILTER (counted) FROM matches GROUP BY game ORDER BY 2 DESC, 1"
)
_PAIRS: Final = f"""
    WITH sat AS (
        SELECT match, changed // {DAY} AS day, unnest(players, recursive := true) FROM matches
        WHERE game = $game AND counted AND changed IS NOT NULL
    )
    SELECT one.day, one.key, other.key,
        sum((1 + one.won::INTEGER - other.won::INTEGER) / 2), count(*)
    FROM sat AS one JOIN sat AS other
        ON one.match = other.match AND one.key < other.key AND one.side <> other.side
    GROUP BY ALL ORDER BY 1, 2, 3
"""
"""Each two players of different sides, with their score on a day: as `stats` counts them."""
_NAMES: Final = """
    WITH sat AS (
        SELECT changed, unnest(players, recursive := true) FROM matches WHERE game = $game AND counted
    )
    SELECT key, max_by(name, changed), max_by(fingerprint, changed), count(*) FROM sat
    WHERE list_contains($keys, key) GROUP BY key
"""
"""The newest name of each player."""


def games(questions: Questions) -> Sequence[tuple[Any, ...]]:
    """Each game in the archive, its matches, and those that count; the game with most matches first."""
    return questions.ask(_GAMES).rows


def report(questions: Questions, game: str) -> Iterator[Chart]:
    """What the archive tells about a game; tables without a row are left out."""
    for query in QUERIES:
        values: dict[str, object] = {"game": game}
        if "$most" in query.sql:
            values["most"] = MOST_ROWS
        rows = questions.ask(query.sql, values).rows
        if rows:
            yield Chart(query.title, query.heads, rows, query.share)
    rated = ratings(questions, game)
    if rated:
        heads = (mark("player"), mark("fingerprint"), mark("games"), mark("rating"), "±")
        yield Chart(mark("The best by rating"), heads, rated)


def ratings(questions: Questions, game: str, most: int = MOST_ROWS) -> list[tuple[str, str, int, int, int]]:
    """The players with the highest ratings: name, fingerprint, games, rating, and twice its deviation.

    A rating stands from the last day on which the player played, as `stats` tells it.
    """
    rows = questions.ask(_PAIRS, {"game": game}).rows
    periods = (
        (day, [glicko.Game(one, other, score / count, count) for _day, one, other, score, count in pairs])
        for day, pairs in groupby(rows, key=itemgetter(0))
    )
    newest = {key: history[-1][1] for key, history in glicko.over_time(periods).items()}
    best = sorted(newest, key=lambda key: (-newest[key].rating, key))[:most]
    if not best:
        return []
    names = {key: rest for key, *rest in questions.ask(_NAMES, {"game": game, "keys": best}).rows}
    return [
        (*names[key], round(newest[key].rating), round(2 * newest[key].deviation))
        for key in best
        if key in names
    ]
