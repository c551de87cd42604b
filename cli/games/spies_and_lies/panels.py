"""Help for deciding in Spies & Lies: the ten soldiers, and notes on the enemy's cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.interface import Ambiguous, Panel, Unknown, ViewContext
from cli.games.spies_and_lies import cards
from cli.games.spies_and_lies.board import listed_on_card
from cli.games.spies_and_lies.cards import MOST_GAIN, gain, strip
from cli.games.spies_and_lies.names import short, side_name, soldier
from cli.games.spies_and_lies.questions import kind
from cli.games.spies_and_lies.snapshot import snapshot
from cli.games.spies_and_lies.soldiers import drafted, named, words_of
from cli.text.layout import EMPTY, Line, filled, fit, longest, marked, overlaid, styled, whole, wrapped
from cli.text.sanitize import cells
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.sampling import percent
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, RANKS, SOLDIERS, Rank, title

ASSUMED: Final = mark("honest lines equally likely")
"""The assumption behind the percentages of all notes: an owner who breaks the rules is not thought of."""


def panels(context: ViewContext, columns: int, board: tuple[int, int] | None = None) -> list[Panel]:
    """The panels beside the board, the most useful first; they repeat nothing that the cards show in full."""
    panels_shown = [Panel("soldiers", _("Soldiers"), list(_soldiers(context, columns)), len(RANKS))]
    state = context.view.state
    if context.notes and state.phase not in ("deploy", "look", "over"):
        enemy = side_name(context.players, 1 - state.seating.side(context.view.seat))
        title = longest(
            (
                _("Notes on {enemy} ({assumed})", enemy=enemy, assumed=_(ASSUMED)),
                _("Notes ({assumed})", assumed=_(ASSUMED)),
                _("Notes (honest lines)"),
                _("Notes"),
            ),
            columns - 3,
        )
        lines = list(_notes(context, columns, 0 if board is None else listed_on_card(*board)))
        panels_shown.append(Panel("notes", title, lines, 4))
    return panels_shown


def _soldiers(context: ViewContext, columns: int) -> Iterator[Line]:
    """Each soldier with its ability; exhausted ones and those laid today are marked."""
    moment = snapshot(context.view)
    wide = min(max(cells(title(rank)) for rank in RANKS), columns - _BESIDE - MOST_GAIN)
    for rank in RANKS:
        out = rank in moment.state.exhausted[moment.side]
        sign = "×" if out else "•" if rank in moment.before else " "
        called = longest((title(rank), short(rank)), wide)
        name = styled(f"{sign}{rank:>2} {filled(called, wide)} ", "dim" if out else "strong")
        row = overlaid(
            (*name, *styled(_ability(rank, columns - _BESIDE - wide, columns), "dim")),
            marked(f"{cards.SOLDIER}{rank}"),
        )
        yield from wrapped(row, columns, _BESIDE + wide)


def _ability(rank: Rank, room: int, columns: int) -> str:
    """The ability of a soldier, or its gain, if the ability needs more than its `room` in a narrow panel."""
    ability = _(SOLDIERS[rank].ability)
    return ability if columns >= _WIDE else longest((ability, gain(rank)), room)


_BESIDE: Final = 5
"""Cells of a row beside the name and the ability: a sign, the rank, and two blanks."""
_WIDE: Final = 60
"""From so many columns on an ability is written in full, if need be in two rows."""


def _notes(context: ViewContext, columns: int, listed: int) -> Iterator[Line]:
    """The ranks that each closed enemy card can still have, with their shares, but for the `listed` likeliest
    ones, which the card itself names.
    """
    state = context.view.state
    enemy = 1 - state.seating.side(context.view.seat)
    for mission, shares in zip(MISSIONS, chances(Evidence.of(state, enemy)), strict=True):
        card = state.cards[enemy][mission - 1]
        start = styled(f" {mission} ", f"seat{enemy}")
        if card is not None and not listed:
            yield fit((*start, *styled(f"{card.rank} {title(card.rank)}", "dim")), columns)
        elif card is None and len(shares) > listed and mission not in state.closed[enemy]:
            ranks = sorted(shares, key=lambda rank: -shares[rank])
            text = "  ".join(whole(f"{rank}: {percent(shares[rank])}") for rank in ranks[listed:])
            began = styled("… ", "dim") if listed else strip(shares, 12)
            yield from wrapped((*start, *began, *styled(text, "dim")), columns, 3)


def tray(context: ViewContext, columns: int) -> Line:
    """The hand in one line; the soldiers laid, or typed so far, stand out."""
    moment = snapshot(context.view)
    laid = [rank for rank in moment.line if rank is not None]
    return cards.tray(moment.hand, [*laid, *drafted(context.view, context.typed)], columns)


def explain(context: ViewContext) -> Line:
    """The ability of the soldier that is being typed, or of the card the question is about."""
    asked = kind(context.view)
    if asked not in ("deploy", "guess", "captain"):
        return EMPTY
    words = words_of(context.typed, asked)
    try:
        rank = named(words[-1]) if words else None
    except (Unknown, Ambiguous):
        rank = None
    if rank is None:
        return EMPTY
    if asked == "deploy" and rank in snapshot(context.view).state.exhausted[snapshot(context.view).side]:
        return styled(_("{soldier}: exhausted today.", soldier=soldier(rank)), "warn")
    return styled(f"{soldier(rank)}: ", "strong") + styled(f"{_(SOLDIERS[rank].ability)}.", "dim")
