"""What each typed command does at a desk; one function a command, one table of them.

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
    from cli.table.controller import Desk
    from cli.table.setup import SettingUp

COLUMNS: Final = 72
"""Columns of a page: it fits into the smallest screen."""
Do: TypeAlias = "Callable[[Desk, str], None]"


def do(desk: Desk, order: Order, argument: str) -> None:
    """Do what a command says.  Raises Misunderstood, or what the replica raises."""
    _TABLE[order](desk, argument)


def _say(desk: Desk, text: str) -> None:
    if not text:
        raise NotPossible("Type what you want to say after the slash.")
    desk.replica.say(ucd_3_2_0.normalize("NFC", text))  # as the record wants it


def _help(desk: Desk, _: str) -> None:
    desk.page = pages.guide(COLUMNS, desk.room, screen=desk.around.keys)


def _rules(desk: Desk, topic: str) -> None:
    desk.page = desk.room.manual(topic or None, COLUMNS)


def _show(desk: Desk, title: str, say: Callable[[Sight], list[str]]) -> None:
    sight = desk.sight
    found = say(sight) if sight else ["The game is still being set up."]
    desk.page = pages.texts(title, found, COLUMNS)


def _board(desk: Desk, _: str) -> None:
    _show(desk, "The board", desk.room.say_board)


def _hand(desk: Desk, _: str) -> None:
    _show(desk, "What you have", desk.room.say_hand)


def _notes(desk: Desk, argument: str) -> None:
    if not argument:
        _show(desk, "Notes", desk.room.say_notes)
        return
    desk.settings = replace(desk.settings, notes=_switch(argument))
    desk.notice = ("dim", f"Notes are {'on' if desk.settings.notes else 'off'}.")


def _bell(desk: Desk, argument: str) -> None:
    wanted = _switch(argument) if argument else not desk.settings.bell
    desk.settings = replace(desk.settings, bell=wanted)
    desk.notice = ("dim", f"The bell is {'on' if wanted else 'off'}.")


def _switch(text: str) -> bool:
    said = {"on": True, "off": False}.get(text.strip().lower())
    if said is None:
        raise NotPossible("Say on or off.")
    return said


def _mouse(desk: Desk, argument: str) -> None:
    wanted = _switch(argument) if argument else not desk.settings.mouse
    desk.settings = replace(desk.settings, mouse=wanted)
    desk.notice = ("dim", f"The mouse is {'on' if wanted else 'off'}.")


def _setting_up(desk: Desk) -> tuple[SettingUp, Sight]:
    sight = desk.sight
    if desk.setting_up is None or sight is None or desk.setting_up.draft is None:
        raise NotPossible("There is nothing to set up now.")
    return desk.setting_up, sight


def _save(desk: Desk, name: str) -> None:
    setting_up, sight = _setting_up(desk)
    desk.notice = ("good", setting_up.save(sight, name))


def _load(desk: Desk, argument: str) -> None:
    setting_up, sight = _setting_up(desk)
    desk.notice = ("good", setting_up.load(sight, argument))


def _setups(desk: Desk, _: str) -> None:
    setting_up, sight = _setting_up(desk)
    found = [
        *setting_up.drafts.told(sight.view),
        "`load NAME` takes one of them, `load FILE` one from a file; `save NAME` keeps the present one.",
    ]
    desk.page = pages.texts("Set-ups", found, COLUMNS)


def _history(desk: Desk, _: str) -> None:
    desk.page = pages.told("History", desk.history or ["Nothing happened yet."], COLUMNS)


def _chat(desk: Desk, _: str) -> None:
    said = [f"{name}: {text}" for _, name, text in desk.chat]
    desk.page = pages.told("Chat", said or ["Nothing was said yet."], COLUMNS)


def _checks(desk: Desk, _: str) -> None:
    desk.page = pages.verified(desk.checks(), COLUMNS)


def _who(desk: Desk, _: str) -> None:
    replica = desk.replica
    facts = [("connection", desk.link()[1])]
    if replica.trouble is not None:
        facts.append(("last trouble", escape(str(replica.trouble))))
    desk.page = pages.players(replica.match, facts, replica.store.path, COLUMNS, screen=desk.around.keys)


def _running(desk: Desk) -> None:
    if desk.over:
        raise NotPossible("The game has ended.")


def _resign(desk: Desk, _: str) -> None:
    _running(desk)
    desk.confirm("Resign, and lose this game?", desk.replica.resign)


def _draw(desk: Desk, _: str) -> None:
    _running(desk)
    if desk.replica.session.draw_offer is not None:
        desk.confirm("Accept the draw?", desk.replica.accept_draw)
    else:
        desk.confirm("Offer a draw?", desk.replica.offer_draw)


def _accept(desk: Desk, argument: str) -> None:
    if desk.over:
        _rematch(desk, argument)
    elif desk.replica.session.draw_offer is None:
        raise NotPossible("Nothing is offered at the moment.")
    else:
        _draw(desk, argument)


def _claim(desk: Desk, _: str) -> None:
    if desk.replica.session.outcome is not None:
        raise NotPossible("The game has ended.")
    left = desk.replica.claimable_in
    if left is None:
        raise NotPossible("Nobody keeps you waiting: it is your turn.")
    if left:
        raise NotPossible("Not yet: a claim is possible when the time that the other side has is over.")
    desk.confirm(
        "Claim the game?",
        desk.replica.claim_away,
        ("The record will say that your opponent did not answer. That is your word alone.",),
    )


def _rematch(desk: Desk, _: str) -> None:
    if not desk.over:
        raise NotPossible("A rematch is for after the end.")
    desk.confirm("Play again, colours and start swapped?", desk.replica.offer_rematch)


def _leave(desk: Desk, _: str) -> None:
    if desk.over:
        desk.go()
    else:
        # On a screen the line is short, and the whole command is told when the screen is gone.
        how = "" if desk.around.keys else f", and `{desk.around.command} resume` goes on with it"
        desk.confirm(f"Leave? The game is saved{how}.", desk.go)


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
