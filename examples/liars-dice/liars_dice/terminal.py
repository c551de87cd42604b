"""The game at the terminal: the plain one, from three functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cli.games.interface import Decided, GameTerminal, Players
from cli.games.plain import Plain, moves
from liars_dice.entry import ENTRY
from liars_dice.rules import State, values
from liars_dice.words import of_bid, of_dice
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import View

MANUAL: Final = (
    mark("At the beginning of a round everybody rolls in secret. You see your own dice alone."),
    mark(
        "In turn each player says how many dice of all on the table show a face at least: 3 5 means three "
        "fives. A bid must be higher than the one before it: more dice, or as many of a higher face."
    ),
    mark("Unless the players agreed that ones are plain, a one counts as every face."),
    mark(
        "Instead of bidding, say liar. All dice are opened: if there are as many as the bid says, you lose "
        "a die; if not, the bidder does. The loser begins the next round. Without dice you are out."
    ),
    mark(
        "Every roll needs every player: so please stay at the table when you are out, or leave it with the "
        "word leave. The dice of a player who leaves stay closed, and the round is void."
    ),
)


def lines(view: View[State], players: Players) -> list[str]:
    """The table: who has how many dice, our own dice, and the bid."""
    state = view.state
    shown = [_("Round {round}, {dice} dice on the table.", round=max(state.round, 1), dice=state.total)]
    for seat, (name, count) in enumerate(zip(players.names, state.dice, strict=True)):
        turn = "▶" if seat == state.next and state.ended is None else " "
        left = n_("{count} die", "{count} dice", count) if count else _("out")
        shown.append(f"{turn} {name}: {left}")
    own = values(state.cups[view.seat], view.known) if state.cups else ()
    if own:
        shown.append(_("Your dice: {dice}", dice=of_dice(own)))
    if state.bid is not None:
        shown.append(_("{name} bids {bid}.", name=players.names[state.bidder], bid=of_bid(state.bid)))
    return shown


def asking(view: View[State]) -> str:
    """The question."""
    return _("What do you bid?") if view.state.bid is None else _("A higher bid, or liar?")


def answers(view: View[State]) -> Mapping[str, Decided]:
    """A bid without its word: "3 5"; and liar."""
    return {word.removeprefix("bid "): decided for word, decided in moves(view).items()}


def secret(text: str) -> bool:
    """Whether a message names dice, as the player's own could be named: "5", "2 5 5"."""
    return re.fullmatch(r"[1-6]( [1-6])*", text) is not None


TERMINAL: Final[GameTerminal] = Plain(
    mark("Have dice left when nobody else has."),
    MANUAL,
    lines,
    asking,
    answers,
    secret,
).terminal(ENTRY.title)
