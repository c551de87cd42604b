"""The explorer of openings of an archive: lists of choices, deeper with Enter, back with Backspace, down to
the matches.

Making a page is pure; `explore` turns what is picked into the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from cli.archive.opening_explorer import Choice, Explorer, Match, Node, variant
from cli.screen.chooser import BACK, QUIT, ChoiceList, ChoiceRow
from cli.text.names import shown
from cli.text.sanitize import escape
from cli.text.tables import table
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.registry import ENTRIES


@dataclass(frozen=True, slots=True)
class Behind:
    """The matches behind a place."""

    node: Node


Target: TypeAlias = Node | Behind | str
"""What a row leads to: a place, the matches behind one, or a match by its id."""
_INDENT: Final = "     "
"""Cells before the title of a choice."""
_MATCHES: Final = "m"
_DAY: Final = "%Y-%m-%d"


@dataclass(frozen=True, slots=True)
class Page:
    """A list, and what each of its rows leads to."""

    listing: ChoiceList
    targets: Sequence[Target]

    def lines(self) -> list[str]:
        """The page where nobody chooses."""
        return [
            self.listing.title,
            *self.listing.sentences,
            *(_INDENT + row.title for row in self.listing.rows),
        ]


def page(explorer: Explorer, target: Node | Behind) -> Page:
    """The page of a place; where no choice follows, that of the matches."""
    if isinstance(target, Behind):
        return _of_matches(explorer, target.node)
    if target.is_root:
        return _of_branches(explorer)
    return _of_choices(explorer, target) or _of_matches(explorer, target)


def _of_branches(explorer: Explorer) -> Page:
    branches = explorer.branches()
    rows = [
        (explorer.kind(branch.node.kind), variant(branch.node.variant), branch.matches) for branch in branches
    ]
    listed = _listed(explorer.title(Node()), (_("how matches begin"), _("variant"), _("games")), rows)
    return Page(listed, [branch.node for branch in branches])


def _of_choices(explorer: Explorer, node: Node) -> Page | None:
    listing = explorer.choices(node)
    if not listing.rows:
        return None
    rows = [(explorer.choice(choice.word), choice.games, choice.score) for choice in listing.rows]
    heads = (_("choice"), _("games"), _("score"))
    abouts = [*map(_about, listing.rows)]
    listed = _listed(explorer.title(node), heads, rows, abouts, share=2)
    more = _more(len(rows), listing.total)
    matches = ChoiceRow(_("the matches that began so"), letter=_MATCHES)
    listed = replace(listed, rows=[*listed.rows, matches], sentences=[*more, *listed.sentences])
    return Page(listed, [*(node.then(choice.word) for choice in listing.rows), Behind(node)])


def _about(choice: Choice) -> str:
    """How a choice fared, in a sentence."""
    counts = {"won": number(choice.won), "drawn": number(choice.drawn), "lost": number(choice.lost)}
    if choice.seat is None:
        return _("won {won}, drawn {drawn}, lost {lost}", **counts)
    return _("won {won}, drawn {drawn}, lost {lost}; {seat} chose it", seat=escape(_(choice.seat)), **counts)


def _of_matches(explorer: Explorer, node: Node) -> Page:
    listing = explorer.matches(node)
    rows = [_match(explorer.game, match) for match in listing.rows]
    heads = (_("players"), _("winner"), _("reason"), _("steps"), _("day"))
    count = n_("{shown} match", "{shown} matches", listing.total, shown=number(listing.total))
    listed = _listed(f"{explorer.title(node)} › {count}", heads, rows)
    listed = replace(listed, sentences=[*_more(len(rows), listing.total), *listed.sentences])
    return Page(listed, [match.id for match in listing.rows])


def _match(game: str, match: Match) -> tuple[str, str, str, int, str]:
    day = "–" if match.changed is None else time.strftime(_DAY, time.gmtime(match.changed))
    winner = "–" if match.winner is None else "+".join(map(_, match.winner.split("+")))
    reason = ENTRIES[game].narration.load().reason(match.reason) if game in ENTRIES else match.reason
    return " – ".join(map(shown, match.names)), winner, reason, match.steps, day


def _more(listed: int, total: int) -> list[str]:
    """That only some of them are listed."""
    if listed >= total:
        return []
    return [_("The first {listed} of {total}.", listed=number(listed), total=number(total))]


def _listed(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[object]],
    abouts: Sequence[str] | None = None,
    share: int | None = None,
) -> ChoiceList:
    """Rows in columns; `abouts`: a sentence about each; `share`: as in `table`."""
    head, *lines = table(heads, rows, share)
    sentences = abouts or [""] * len(lines)
    choices = [ChoiceRow(line, about) for line, about in zip(lines, sentences, strict=True)]
    return ChoiceList(title, choices, sentences=[_INDENT + head])


def explore(
    explorer: Explorer,
    start: Node,
    pick: Callable[[ChoiceList], int],
    replay: Callable[[str], None],
) -> None:
    """Show pages from `start` on, until the player leaves.

    `pick`: lets the player choose a row, or gives BACK or QUIT; `replay`: shows the match with an id.
    """
    pages = [page(explorer, start)]
    while pages:
        now = pages[-1]
        at = pick(replace(now.listing, nested=len(pages) > 1))
        if at == QUIT:
            return
        if at == BACK:
            pages.pop()
            continue
        pages[-1] = replace(now, listing=replace(now.listing, at=at))
        target = now.targets[at]
        if isinstance(target, str):
            replay(target)
        else:
            pages.append(page(explorer, target))
