"""One mission's card as a box of text, and the bars and strips that stand beside cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from cli.games.spies_and_lies.names import result_on_card, short, soldier
from cli.text.layout import EMPTY, Line, block, fit, longest, marked, overlaid, styled, wrapped
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.sampling import percent
from p2p_stratego.spies_and_lies.rules.components import (
    INFILTRATION,
    MARSHAL,
    RANKS,
    SOLDIERS,
    Mission,
    Rank,
    Side,
    title,
)
from p2p_stratego.spies_and_lies.rules.state import Result

MARKED: Final = "◉"
LAID: Final = "◆"
LOST: Final = mark(" stays shut")
"""The label of a card whose player is gone."""
NARROWEST: Final = 13
LOWEST: Final = 4
SOLDIER: Final = "soldier-"
"""The prefix of places of soldiers that can be clicked; their ranks follow."""
OWN_MISSION: Final = "mission-"
"""The prefix of places of the seat's own cards; their missions follow."""
_CARD: Final = ("╭", "─", "╮", "│", "╰", "╯")
_TARGET: Final = ("╔", "═", "╗", "║", "╚", "╝")
_GOOD: Final[frozenset[Result]] = frozenset(("activated",))


@dataclass(frozen=True, slots=True)
class Card:
    """The visible facts of one card."""

    mission: Mission
    owner: Side
    rank: Rank | None = None
    """None: face down, and nobody at this screen knows it."""
    result: Result | None = None
    """How it came to be face up; None while it is face down for the others."""
    draft: bool = False
    """Not laid yet: only typed."""
    laid: bool = True
    """Whether there is a card at all."""
    marked: bool = False
    token: bool = False
    target: bool = False
    """Whether the card is being guessed."""
    fresh: bool = False
    """Whether the card was turned up last."""
    chances: Mapping[Rank, float] | None = None
    """Notes: how likely each rank is; None: do not show any."""
    lost: bool = False
    """Whether the card stays face down for good, because the player that laid it is gone."""


def card_lines(card: Card, columns: int, rows: int) -> list[Line]:
    """`card` in `rows` (at least 4) lines of `columns` (at least 13) cells."""
    corner, across, end, down, low, last = _TARGET if card.target else _CARD
    border = "target" if card.target else f"seat{card.owner}" if card.laid else "fog"
    signs = (MARKED if card.marked else across) + across + (LAID if card.token else across)
    number = "dim" if border == "fog" else border
    top = (
        *styled(f"{corner}{across} ", border),
        *styled(f"{card.mission}", number),
        *styled(" " + across * (columns - 10), border),
        *styled(signs[0], "mark" if card.marked else border),
        *styled(signs[1], border),
        *styled(signs[2], "token" if card.token else border),
        *styled(across + end, border),
    )
    inside = _inside(card, columns - 2, rows - 2)
    if card.fresh:
        inside = [overlaid(line, f"fresh{card.owner}") for line in inside]
    body = [(*styled(down, border), *line, *styled(down, border)) for line in inside]
    return [top, *body, styled(low + across * (columns - 2) + last, border)]


def _inside(card: Card, columns: int, rows: int) -> list[Line]:
    """The content of the border, in exactly so many rows and columns."""
    if card.rank is None:
        return _closed(card, columns, rows)
    called = f" {soldier(card.rank)}"
    called = called if len(called) <= columns else f" {card.rank} {short(card.rank)}"
    lines = [styled(called, "chosen" if card.draft else "strong")]
    if card.result is not None:
        text = result_on_card(card.result, columns)
        lines.append(styled(text, "good" if card.result in _GOOD else "dim"))
    ability = wrapped((("", " "), *styled(_(SOLDIERS[card.rank].ability), "dim")), columns - 1, 1)
    if len(lines) + len(ability) > rows:
        ability = [styled(longest((f" {gain(card.rank)}", gain(card.rank)), columns), "dim")]
    return block([*lines, *ability], columns, rows)


def _closed(card: Card, columns: int, rows: int) -> list[Line]:
    """A card that nobody at this screen knows: with notes, its possible ranks, the likeliest first."""
    fog = styled("░" * columns, "fog") if card.laid else EMPTY
    if card.lost:
        return block([styled(_(LOST)[:columns], "dim"), *[fog] * (rows - 1)], columns, rows)
    if not card.chances:
        return block([fog] * rows, columns, rows)
    likeliest = sorted(card.chances, key=lambda rank: -card.chances[rank])  # type: ignore[index]
    lines = [
        overlaid(
            styled(f" {soldier(rank)}: {percent(card.chances[rank])}", "dim"), marked(f"{SOLDIER}{rank}")
        )
        for rank in likeliest[: listed(columns, rows)]
    ]
    return block([*[fog] * (rows - 1 - len(lines)), *lines, strip(card.chances, columns)], columns, rows)


_LONGEST: Final = max(len(f" {soldier(rank)}: 100 %") for rank in RANKS)


def listed(columns: int, rows: int) -> int:
    """How many ranks a closed card lists by name within a border of this size."""
    return max(rows - 2, int(rows > 2)) if columns >= _LONGEST else 0


MOST_GAIN: Final = 11


def gain(rank: Rank) -> str:
    """A soldier's ability in at most MOST_GAIN cells."""
    return _(_GAINS[rank])


def _by_rank(*texts: str) -> Mapping[Rank, str]:
    return dict(zip(RANKS, texts, strict=True))


_GAINS: Final = _by_rank(
    *(mark("1 and token"), mark("2, finds 4"), mark("3, no Bombs"), mark("4, anywhere"), mark("agent 1")),
    *(mark("6 or a copy"), mark("blast"), mark("8, all kept"), mark("agent 2"), mark("10 or 5/−5")),
)


def strip(chances: Mapping[Rank, float], columns: int) -> Line:
    """The possible ranks of a card: each at its own place, X for ten, the likeliest standing out.

    At least 11 columns: " 1··45·7··X".
    """
    if len(chances) == 1:
        return fit(styled(f"={title(next(iter(chances)))}", "likely"), columns)
    most = max(chances.values())
    parts = styled(" ")
    for rank in RANKS:
        style = "fog" if rank not in chances else "likely" if chances[rank] >= most - 1e-9 else "strong"
        parts += styled("·" if rank not in chances else "X" if rank == MARSHAL else str(rank), style)
    return fit(parts, columns)


def bar(points: int) -> Line:
    """The infiltration track: a marker between 0 and 10."""
    return (
        *styled("■" * points, "strong"),
        *styled("□" * (INFILTRATION - points), "dim"),
        *styled(f" {points}/{INFILTRATION}", "strong"),
    )


def tray(hand: Collection[Rank], chosen: Collection[Rank], columns: int) -> Line:
    """A hand in one line, the `chosen` soldiers standing out in brackets."""
    full = sum(len(soldier(rank)) + 2 for rank in hand) + 6 <= columns
    parts = styled(_(" Hand "), "dim")
    for rank in hand:
        name = soldier(rank) if full else f"{rank} {short(rank)}"
        here = rank in chosen
        shown = styled(f"[{name}]" if here else f" {name} ", "chosen" if here else "")
        parts += overlaid(shown, marked(f"{SOLDIER}{rank}"))
    return parts
