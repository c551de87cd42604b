"""What each typed command does at a table; one function a command, one table of them.

A function may look at the match, show a page, ask for a confirmation, or pass a wish on to the replica, which
raises NotNow if it cannot be.  Everything that ends a game or shows up in its record is confirmed first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import ucd_3_2_0

from cli.games.interface import NotPossible, Sight
from cli.table import pages
from cli.table.commands import Order
from cli.text.sanitize import escape

if TYPE_CHECKING:
    from cli.table.controller import TableController
    from cli.table.setup import SettingUp

COLUMNS: Final = 72
"""Columns of a page: it fits into the smallest screen."""
Do: TypeAlias = "Callable[[TableController, str], None]"


def do(table: TableController, order: Order, argument: str) -> None:
    """Do what a command says.  Raises Misunderstood, or what the replica raises."""
    _TABLE[order](table, argument)


def _say(table: TableController, text: str) -> None:
    if not text:
        raise NotPossible("Type what you want to say after the slash.")
    table.replica.say(ucd_3_2_0.normalize("NFC", text))  # as the record wants it


def _help(table: TableController, _: str) -> None:
    table.page = pages.guide(COLUMNS, table.room, screen=table.environment.keys)


def _rules(table: TableController, topic: str) -> None:
    table.page = table.room.manual(topic or None, COLUMNS)


def _show(table: TableController, title: str, say: Callable[[Sight], list[str]]) -> None:
    sight = table.sight
    found = say(sight) if sight else ["The game is still being set up."]
    table.page = pages.texts(title, found, COLUMNS)


def _board(table: TableController, _: str) -> None:
    _show(table, "The board", table.room.say_board)


def _hand(table: TableController, _: str) -> None:
    _show(table, "What you have", table.room.say_hand)


def _notes(table: TableController, argument: str) -> None:
    if not argument:
        _show(table, "Notes", table.room.say_notes)
        return
    table.settings = replace(table.settings, notes=_switch(argument))
    table.notice = ("dim", f"Notes are {'on' if table.settings.notes else 'off'}.")


def _bell(table: TableController, argument: str) -> None:
    wanted = _switch(argument) if argument else not table.settings.bell
    table.settings = replace(table.settings, bell=wanted)
    table.notice = ("dim", f"The bell is {'on' if wanted else 'off'}.")


def _switch(text: str) -> bool:
    said = {"on": True, "off": False}.get(text.strip().lower())
    if said is None:
        raise NotPossible("Say on or off.")
    return said


def _mouse(table: TableController, argument: str) -> None:
    wanted = _switch(argument) if argument else not table.settings.mouse
    table.settings = replace(table.settings, mouse=wanted)
    table.notice = ("dim", f"The mouse is {'on' if wanted else 'off'}.")


def _setting_up(table: TableController) -> tuple[SettingUp, Sight]:
    sight = table.sight
    if table.setting_up is None or sight is None or table.setting_up.draft is None:
        raise NotPossible("There is nothing to set up now.")
    return table.setting_up, sight


def _save(table: TableController, name: str) -> None:
    setting_up, sight = _setting_up(table)
    table.notice = ("good", setting_up.save(sight, name))


def _load(table: TableController, argument: str) -> None:
    setting_up, sight = _setting_up(table)
    table.notice = ("good", setting_up.load(sight, argument))


def _setups(table: TableController, _: str) -> None:
    setting_up, sight = _setting_up(table)
    found = [
        *setting_up.drafts.told(sight.view),
        "`load NAME` takes one of them, `load FILE` one from a file; `save NAME` keeps the present one.",
    ]
    table.page = pages.texts("Set-ups", found, COLUMNS)


def _history(table: TableController, _: str) -> None:
    table.page = pages.told("History", table.history or ["Nothing happened yet."], COLUMNS)


def _chat(table: TableController, _: str) -> None:
    said = [f"{name}: {text}" for _, name, text in table.chat]
    table.page = pages.told("Chat", said or ["Nothing was said yet."], COLUMNS)


def _checks(table: TableController, _: str) -> None:
    table.page = pages.verified(table.checks(), COLUMNS)


def _who(table: TableController, _: str) -> None:
    replica = table.replica
    facts = [("connection", table.link()[1])]
    if replica.trouble is not None:
        facts.append(("last trouble", escape(str(replica.trouble))))
    table.page = pages.players(
        replica.match, facts, replica.store.path, COLUMNS, screen=table.environment.keys
    )


def _running(table: TableController) -> None:
    if table.over:
        raise NotPossible("The game has ended.")


def _resign(table: TableController, _: str) -> None:
    _running(table)
    table.confirm("Resign, and lose this game?", table.replica.resign)


def _draw(table: TableController, _: str) -> None:
    _running(table)
    if table.replica.session.draw_offer is not None:
        table.confirm("Accept the draw?", table.replica.accept_draw)
    else:
        table.confirm("Offer a draw?", table.replica.offer_draw)


def _accept(table: TableController, argument: str) -> None:
    if table.over:
        _rematch(table, argument)
    elif table.replica.session.draw_offer is None:
        raise NotPossible("Nothing is offered at the moment.")
    else:
        _draw(table, argument)


def _claim(table: TableController, _: str) -> None:
    if table.replica.session.outcome is not None:
        raise NotPossible("The game has ended.")
    left = table.replica.claimable_in
    if left is None:
        raise NotPossible("Nobody keeps you waiting: it is your turn.")
    if left:
        raise NotPossible("Not yet: a claim is possible when the time that the other side has is over.")
    table.confirm(
        "Claim the game?",
        table.replica.claim_away,
        ("The record will say that your opponent did not answer. That is your word alone.",),
    )


def _rematch(table: TableController, _: str) -> None:
    if not table.over:
        raise NotPossible("A rematch is for after the end.")
    table.confirm("Play again, colours and start swapped?", table.replica.offer_rematch)


def _leave(table: TableController, _: str) -> None:
    if table.over:
        table.go()
    else:
        # On a screen the line is short, and the whole command is told when the screen is gone.
        how = "" if table.environment.keys else f", and `{table.environment.command} resume` goes on with it"
        table.confirm(f"Leave? The game is saved{how}.", table.go)


_TABLE: Final[dict[Order, Do]] = {
    Order.SAY: _say,
    Order.HELP: _help,
    Order.RULES: _rules,
    Order.BOARD: _board,
    Order.HAND: _hand,
    Order.NOTES: _notes,
    Order.HISTORY: _history,
    Order.CHAT: _chat,
    Order.CHECKS: _checks,
    Order.WHO: _who,
    Order.RESIGN: _resign,
    Order.DRAW: _draw,
    Order.ACCEPT: _accept,
    Order.CLAIM: _claim,
    Order.REMATCH: _rematch,
    Order.BELL: _bell,
    Order.MOUSE: _mouse,
    Order.SAVE: _save,
    Order.LOAD: _load,
    Order.SETUPS: _setups,
    Order.LEAVE: _leave,
}
