"""What helps to decide in Spies & Lies: the ten soldiers, and notes on the enemy's cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.interface import Ambiguous, Panel, Unknown, ViewContext
from cli.games.spies_and_lies import cards
from cli.games.spies_and_lies.cards import gain, strip
from cli.games.spies_and_lies.names import soldier
from cli.games.spies_and_lies.questions import drafted, kind, named, words_of
from cli.games.spies_and_lies.snapshot import snapshot
from cli.text.layout import EMPTY, Line, fit, percent, styled, whole, wrapped
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules.soldiers import MISSIONS, RANKS, SOLDIERS


def panels(context: ViewContext, columns: int) -> list[Panel]:
    """The panels beside the board, the most useful first."""
    found = [Panel("soldiers", "Soldiers", list(_soldiers(context, columns)), len(RANKS))]
    if context.notes and context.view.state.phase not in ("deploy", "over"):
        found.append(
            Panel(
                "notes",
                f"Notes on {context.players.names[1 - context.view.seat]}",
                list(_notes(context, columns)),
                4,
            )
        )
    return found


def _soldiers(context: ViewContext, columns: int) -> Iterator[Line]:
    """Each soldier with its ability; those exhausted or laid today are told apart."""
    moment = snapshot(context.view)
    for rank in RANKS:
        out = rank in moment.state.exhausted[moment.seat]
        sign = "×" if out else "•" if rank in moment.line else " "
        name = styled(f"{sign}{rank:>2} {SOLDIERS[rank].name:<10} ", "dim" if out else "strong")
        ability = SOLDIERS[rank].ability
        if columns < _WIDE and len(ability) + 15 > columns:
            ability = gain(rank)
        yield from wrapped((*name, *styled(ability, "dim")), columns, 15)


_WIDE: Final = 60
"""Columns from which on an ability is told in full, and if need be goes on in a second row."""


def _notes(context: ViewContext, columns: int) -> Iterator[Line]:
    """What each closed enemy card can still be, and how likely its likeliest ranks are."""
    state = context.view.state
    enemy = 1 - context.view.seat
    found = chances(Evidence.of(state, enemy))
    rest: list[tuple[Line, str]] = []  # told in full below, where there is room
    for mission in MISSIONS:
        card = state.cards[enemy][mission - 1]
        start = styled(f" {mission} ", f"seat{enemy}")
        if card is not None:
            yield fit((*start, *styled(f"{card.rank} {SOLDIERS[card.rank].name}", "dim")), columns)
            continue
        shares = found[mission - 1]
        ranks = sorted(shares, key=lambda rank: -shares[rank])
        top = ranks[: max((columns - 13) // 9, 1)]
        told = "  ".join(f"{rank}: {percent(shares[rank])}" for rank in top)
        yield fit((*start, *strip(shares, 12), *styled(told, "dim")), columns)
        if len(top) < len(ranks):
            rest.append((start, "  ".join(whole(f"{rank}: {percent(shares[rank])}") for rank in ranks)))
    for start, told in rest:
        yield from wrapped((*start, *styled(told, "dim")), columns, 3)


def tray(context: ViewContext, columns: int) -> Line:
    """The hand in one line; the soldiers laid, or typed so far, stand out."""
    moment = snapshot(context.view)
    laid = [rank for rank in moment.line if rank is not None]
    return cards.tray(moment.hand, laid or drafted(context.view, context.typed), columns)


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
    if asked == "deploy" and rank in context.view.state.exhausted[context.view.seat]:
        return styled(f"{soldier(rank)}: exhausted today.", "warn")
    return styled(f"{soldier(rank)}: ", "strong") + styled(f"{SOLDIERS[rank].ability}.", "dim")
