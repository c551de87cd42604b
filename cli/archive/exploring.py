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
    from cli.archive.questions import Questions

MOST: Final = 200
"""Choices, or matches, that are listed."""
_LINES: Final = """
    WITH lines AS (
        SELECT match, unnest(openings, recursive := true) FROM matches WHERE game = $game AND counted
    )
"""
_BRANCHES: Final = f"""{_LINES}
    SELECT kind, variant, count(*), count(DISTINCT match) FROM lines GROUP BY ALL ORDER BY 4 DESC, 1, 2
"""
_CHOSEN: Final = "kind = $kind AND variant = $variant AND choices[:$depth] = $path"
_CHOICES: Final = f"""{_LINES},
    chosen AS (
        SELECT choices[$depth + 1] AS choice, seats[least($depth + 1, len(seats))] AS seat,
            scores[least($depth + 1, len(scores))] AS score
        FROM lines WHERE {_CHOSEN} AND len(choices) > $depth
    )
    SELECT choice, CASE WHEN min(seat) = max(seat) THEN min(seat) END,
        count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0.5), count(*) FILTER (score = 0),
        avg(score), count(*) OVER ()
    FROM chosen GROUP BY choice ORDER BY 3 DESC, 1 LIMIT $most
"""
_MATCHES: Final = f"""{_LINES}
    SELECT match, list_transform(players, lambda player: player.name), winner, reason, steps, changed,
        count(*) OVER ()
    FROM matches WHERE game = $game AND match IN (SELECT match FROM lines WHERE {_CHOSEN})
    ORDER BY changed DESC NULLS LAST, match LIMIT $most
"""


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
    """A kind of line in one variant: its lines, and the matches that have them."""

    node: Node
    lines: int
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
        return [Branch(Node(kind, variant), lines, matches) for kind, variant, lines, matches in rows]

    def choices(self, node: Node) -> Listed:
        """The choices at a place."""
        rows = self._asked.ask(_CHOICES, self._values(node)).rows
        return Listed([Choice(*row[:-1]) for row in rows], rows[0][-1] if rows else 0)

    def matches(self, node: Node) -> Listed:
        """The matches that came there."""
        rows = self._asked.ask(_MATCHES, self._values(node)).rows
        return Listed([Match(*row[:-1]) for row in rows], rows[0][-1] if rows else 0)

    def _values(self, node: Node) -> dict[str, object]:
        return {
            "game": self.game,
            "kind": node.kind,
            "variant": node.variant,
            "path": list(node.path),
            "depth": len(node.path),
            "most": MOST,
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
                {"kind": branch.node.kind, "variant": branch.node.variant, **_counts(branch)}
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


def _counts(branch: Branch) -> Plain:
    return {"lines": branch.lines, "matches": branch.matches}


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
