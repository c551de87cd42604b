"""What an archive tells about its games: tables of a few columns, each the answer to one question.

A match counts where its column `counted` says so: played to its end, honestly, not as practice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from cli.archive.opening_explorer import variant, words
from cli.studies.statistics import glicko
from p2p_stratego.core.language import _, _c, mark, mark_c
from p2p_stratego.registry import ENTRIES

if TYPE_CHECKING:  # a page needs no engine
    from cli.archive.sql_questions import Questions

MOST_ROWS: Final = 20
"""Rows of a table of which there may be any number: first lines, players."""
MOST_OPENINGS: Final = 10
"""First choices of a kind of line."""
RESULTS: Final = (mark_c("result", "won"), mark_c("result", "drawn"), mark_c("result", "lost"))
"""The columns of how it ended for a player."""
BARS: Final = 16
"""Of a histogram."""
DAY: Final = 86_400
"""Seconds of a rating period, as in `stats`."""


@dataclass(frozen=True, slots=True)
class Query:
    """A table of a report: its title, the heads of its columns, and its SQL, with $game and $most.

    `share`: the column, counted from 0, that is drawn as a bar; it holds numbers from 0 to 1; `histogram`:
    whether the bars of each number of players make a picture.
    """

    title: str
    heads: tuple[str, ...]
    sql: str
    share: int | None = None
    histogram: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A table of a report with its rows; `name` and `columns` in English, as other programs read them."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    share: int | None = None
    histogram: bool = False
    variant: str = ""
    shown: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    """By the name of a column, its texts in the player's language."""

    @property
    def title(self) -> str:
        """The name in the player's language."""
        return f"{_(self.name)} ({variant(self.variant)})" if self.variant else _(self.name)

    def readable_rows(self) -> list[tuple[Any, ...]]:
        """The rows as people read them."""
        say = [self.shown.get(column) for column in self.columns]
        return [
            tuple(
                value if how is None or value is None else how(value)
                for how, value in zip(say, row, strict=True)
            )
            for row in self.rows
        ]

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns in the player's language."""
        return tuple(_c("result", column) if column in RESULTS else _(column) for column in self.columns)


_SEATS: Final = """
    WITH sat AS (
        SELECT seats, unnest(players, recursive := true) FROM matches WHERE game = $game AND counted
    )
"""
_SCORES: Final = """
    count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0.5), count(*) FILTER (score = 0),
    avg(score)
"""
_SUMS: Final = """
    sum(n)::BIGINT, coalesce(sum(n) FILTER (score = 1), 0)::BIGINT,
    coalesce(sum(n) FILTER (score = 0.5), 0)::BIGINT, coalesce(sum(n) FILTER (score = 0), 0)::BIGINT,
    sum(n * score) / sum(n)
"""
"""The same of rows that stand for `n` each."""
_SCORE_HEADS: Final = (mark("games"), *RESULTS, mark("score"))

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
        mark("How many take how many steps"),
        (mark("players"), mark("from step"), mark("to step"), mark("matches"), mark("of the most")),
        """
        WITH spans AS (
            SELECT seats, min(steps) AS least,
                greatest(1, ceil((max(steps) - min(steps) + 1) / $bars))::BIGINT AS width
            FROM matches WHERE game = $game AND counted GROUP BY seats
        ),
        bars AS (
            SELECT seats, least, width, (steps - least) // width AS bar, count(*) AS count
            FROM matches JOIN spans USING (seats) WHERE game = $game AND counted GROUP BY ALL
        )
        SELECT seats, least + bar * width, least + (bar + 1) * width - 1, count,
            count / max(count) OVER (PARTITION BY seats)
        FROM bars ORDER BY 1, 2
        """,
        share=4,
        histogram=True,
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
        WITH sat AS (SELECT unnest(players) AS player FROM matches WHERE game = $game AND counted),
        alike AS (  -- before anything is parsed: many players like the same
            SELECT player.liked::JSON::MAP(VARCHAR, VARCHAR[]) AS liked, player.score AS score, count(*) AS n
            FROM sat GROUP BY player.liked, player.score
        ),
        kinds AS (SELECT unnest(map_entries(liked)) AS kind, score, n FROM alike),
        chosen AS (
            SELECT kind.key AS kind, score, n, unnest(list_distinct(kind.value)) AS what FROM kinds
        ),
        counted AS (
            SELECT kind, what, {_SUMS},
                row_number() OVER (PARTITION BY kind ORDER BY sum(n) DESC, what) AS place
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
_OPENINGS: Final = f"""
    WITH lines AS (SELECT unnest(openings) AS line FROM matches WHERE game = $game AND counted),
    chosen AS (
        SELECT line.kind AS kind, line.variant AS variant, line.choices[1] AS choice,
            line.scores[1] AS score
        FROM lines
    ),
    counted AS (
        SELECT kind, variant, choice, {_SCORES}, sum(count(*)) OVER (PARTITION BY kind, variant) AS lines,
            row_number() OVER (PARTITION BY kind, variant ORDER BY count(*) DESC, choice) AS place
        FROM chosen GROUP BY kind, variant, choice
    )
    SELECT * EXCLUDE (place, lines) FROM counted WHERE place <= $most
    ORDER BY lines DESC, kind, variant, place
"""
"""The first choices of each kind of line, by variant."""
_PAIRS: Final = f"""
    WITH pairs AS (
        SELECT changed // {DAY} AS day, unnest(flatten(list_transform(players, lambda one: list_transform(
            list_filter(players, lambda other: one.key < other.key AND one.side <> other.side),
            lambda other: {{
                'one': one.key, 'other': other.key, 'score': (1 + one.won::INTEGER - other.won::INTEGER) / 2
            }}
        )))) AS pair
        FROM matches WHERE game = $game AND counted AND changed IS NOT NULL
    )
    SELECT day, pair.one, pair.other, sum(pair.score), count(*) FROM pairs GROUP BY ALL ORDER BY 1, 2, 3
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
    reason = ENTRIES[game].narration.load().reason if game in ENTRIES else str
    spoken = {**dict.fromkeys(("verdict", "seat", "began"), _), "reason": reason}
    for query in QUERIES:
        rows = answer(questions, query, game)
        if rows:
            yield Chart(query.title, query.heads, rows, query.share, query.histogram, shown=spoken)
    yield from openings(questions, game)
    rated = ratings(questions, game)
    if rated:
        heads = (mark("player"), mark("fingerprint"), mark("games"), mark("rating"), "±")
        yield Chart(mark("The best by rating"), heads, rated)


def answer(questions: Questions, query: Query, game: str) -> Sequence[tuple[Any, ...]]:
    """The rows of one table."""
    known: dict[str, object] = {"game": game, "most": MOST_ROWS, "bars": BARS}
    values = {name: value for name, value in known.items() if f"${name}" in query.sql}
    return questions.ask(query.sql, values).rows


def openings(questions: Questions, game: str) -> Iterator[Chart]:
    """How matches begin: the first choices of each kind of line, and how they fared."""
    known = ENTRIES[game].openings if game in ENTRIES else None
    if known is None:
        return
    book = known.load()
    titles = {kind.name: kind.words for kind in book.kinds}
    rows = questions.ask(_OPENINGS, {"game": game, "most": MOST_OPENINGS}).rows
    for (kind, of), group in groupby(rows, key=itemgetter(0, 1)):
        heads = (mark("choice"), *_SCORE_HEADS)
        chosen = [row[2:] for row in group]
        yield Chart(
            titles.get(kind, kind), heads, chosen, 5, variant=of, shown={heads[0]: partial(words, book)}
        )


def ratings(questions: Questions, game: str, most: int = MOST_ROWS) -> list[tuple[str, str, int, int, int]]:
    """The players with the highest ratings: name, fingerprint, games, rating, and twice its deviation.

    A rating stands from the last day on which the player played, as `stats` tells it.
    """
    rows = questions.one_by_one(_PAIRS, {"game": game})
    periods = (
        (
            day,
            [glicko.Game(player, other, score / count, count) for _day, player, other, score, count in pairs],
        )
        for day, pairs in groupby(rows, key=itemgetter(0))
    )
    newest = {key: rating for key, _day, rating in glicko.changes(periods)}
    best = sorted(newest, key=lambda key: (-newest[key].rating, key))[:most]
    if not best:
        return []
    names = {key: rest for key, *rest in questions.ask(_NAMES, {"game": game, "keys": best}).rows}
    return [
        (*names[key], round(newest[key].rating), round(2 * newest[key].deviation))
        for key in best
        if key in names
    ]
