"""How the matches of an archive began: lines of choices, counted choice by choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cli.reports.rows import Plain
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.opening import Openings
from p2p_stratego.registry import ENTRIES

if TYPE_CHECKING:  # drawing needs no engine
    from cli.archive.sql_questions import Questions

MOST: Final = 200
"""Choices, or matches, that are listed."""
_COUNTED: Final = "FROM matches WHERE game = $game AND counted"
_BRANCHES: Final = f"""
    WITH kinds AS (
        SELECT unnest(list_distinct(list_transform(openings, lambda line:
            {{'kind': line.kind, 'variant': line.variant}}))) AS line {_COUNTED}
    )
    SELECT line.kind, line.variant, count(*) FROM kinds GROUP BY ALL ORDER BY 3 DESC, 1, 2
"""
_HERE: Final = "line.kind = $kind AND line.variant = $variant AND line.choices[:$depth] = $path"
_CHOICES: Final = f"""
    WITH lines AS (SELECT unnest(openings) AS line {_COUNTED}),
    chosen AS (
        SELECT line.choices[$depth + 1] AS choice, line.seats[least($depth + 1, len(line.seats))] AS seat,
            line.scores[least($depth + 1, len(line.scores))] AS score
        FROM lines WHERE {_HERE} AND len(line.choices) > $depth
    )
    SELECT choice, CASE WHEN min(seat) = max(seat) THEN min(seat) END,
        count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0.5), count(*) FILTER (score = 0),
        avg(score), count(*) OVER ()
    FROM chosen GROUP BY choice ORDER BY 3 DESC, 1 LIMIT $most
"""
_BEHIND: Final = f"{_COUNTED} AND len(list_filter(openings, lambda line: {_HERE})) > 0"
_MATCHES: Final = f"""
    SELECT match, list_transform(players, lambda player: player.name), winner, reason, steps, changed
    {_BEHIND} ORDER BY changed DESC NULLS LAST, match LIMIT $most
"""
_HOW_MANY: Final = f"SELECT count(*) {_BEHIND}"


@dataclass(frozen=True, slots=True)
class Node:
    """A place in the tree: a kind of line, the variant of the game, and the choices made so far."""

    kind: str = ""
    variant: str = ""
    path: tuple[str, ...] = ()

    @property
    def is_root(self) -> bool:
        """Whether no line is chosen yet."""
        return not self.kind

    def then(self, choice: str) -> Node:
        """The place behind one more choice."""
        return replace(self, path=(*self.path, choice))


class Branch(NamedTuple):
    """A kind of line in one variant, and how many matches have such a line."""

    node: Node
    matches: int


class Choice(NamedTuple):
    """A choice at a place, in the game's notation: by which seat (None: by several), and how it fared."""

    word: str
    seat: str | None
    games: int
    won: int
    drawn: int
    lost: int
    score: float


class Match(NamedTuple):
    """A match behind a place.  `winner`, `reason`: as in `matches`; `changed`: seconds since 1970."""

    id: str
    names: Sequence[str]
    winner: str | None
    reason: str
    steps: int
    changed: int | None


@dataclass(frozen=True, slots=True)
class Listed:
    """Choices or matches, the most frequent or newest first; `total`: how many there are."""

    rows: Sequence[Any]
    total: int


class Explorer:
    """The lines of one game in an archive."""

    def __init__(self, asked: Questions, game: str) -> None:
        self.game = game
        self._asked = asked
        openings = ENTRIES[game].openings if game in ENTRIES else None
        self._openings: Openings | None = None if openings is None else openings.load()

    def branches(self) -> list[Branch]:
        """What can be explored, that of most matches first."""
        rows = self._asked.ask(_BRANCHES, {"game": self.game}).rows
        return [Branch(Node(kind, of), matches) for kind, of, matches in rows]

    def choices(self, node: Node) -> Listed:
        """The choices at a place."""
        rows = self._asked.ask(_CHOICES, {**self._values(node), "most": MOST}).rows
        return Listed([Choice(*row[:-1]) for row in rows], rows[0][-1] if rows else 0)

    def matches(self, node: Node) -> Listed:
        """The matches that came there."""
        values = self._values(node)
        rows = [Match(*row) for row in self._asked.ask(_MATCHES, {**values, "most": MOST}).rows]
        whole = len(rows) < MOST
        return Listed(rows, len(rows) if whole else self._asked.ask(_HOW_MANY, values).rows[0][0])

    def _values(self, node: Node) -> dict[str, object]:
        return {
            "game": self.game,
            "kind": node.kind,
            "variant": node.variant,
            "path": list(node.path),
            "depth": len(node.path),
        }

    # In words

    def title(self, node: Node) -> str:
        """The place in words: "Stratego › Set-ups (classic) › Flag: b1"."""
        parts = [ENTRIES[self.game].title if self.game in ENTRIES else escape(self.game)]
        if not node.is_root:
            parts.append(f"{self.kind(node.kind)} ({variant(node.variant)})")
        return " › ".join([*parts, *map(self.choice, node.path)])

    def kind(self, name: str) -> str:
        """A kind of line in words."""
        kinds = () if self._openings is None else self._openings.kinds
        return next((_(kind.words) for kind in kinds if kind.name == name), escape(name))

    def choice(self, word: str) -> str:
        """A choice in words."""
        return escape(word) if self._openings is None else words(self._openings, word)

    def plain(self, node: Node) -> Plain:
        """A place as JSON; docs/json.md lists the keys."""
        if node.is_root:
            rows = [
                {"kind": branch.node.kind, "variant": branch.node.variant, "matches": branch.matches}
                for branch in self.branches()
            ]
            return {"type": "archive-explore", "game": self.game, "branches": rows}
        choices, matches = self.choices(node), self.matches(node)
        return {
            "type": "archive-explore",
            "game": self.game,
            "kind": node.kind,
            "variant": node.variant,
            "path": list(node.path),
            "choices": [choice._asdict() for choice in choices.rows],
            "choices_in_all": choices.total,
            "matches": [match._asdict() for match in matches.rows],
            "matches_in_all": matches.total,
        }


def variant(name: str) -> str:
    """A variant in words: "classic", "2 players"."""
    if name.isascii() and name.isdigit() and len(name) < 3:
        return n_("{count} player", "{count} players", int(name))
    return escape(_(name))


def words(openings: Openings, word: str) -> str:
    """A choice in words, or as it stands, if the game does not know it."""
    try:
        return openings.shown(word)
    except (ValueError, KeyError, IndexError):
        return escape(word)
