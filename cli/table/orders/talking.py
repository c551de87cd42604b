"""Talk at a table: a typed message goes to all, or sealed to one player, where the game has that.

A message that reads as a decision is asked about first: it would give that away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cli.games.interface import Misunderstood, NotPossible, Unknown
from cli.games.typed_names import in_english
from cli.table.scene import presentation, readers
from cli.table.seat.controller import TableController
from cli.table.seat.setup import READY
from cli.table.words import commands, end_and_rematch
from cli.table.words.commands import Order
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from p2p_stratego.core.view import View
from protocol.wire.normal_form import normal_form


def say(table: TableController, text: str) -> None:
    """Send a message to all; one that names its reader, as "to Anna …" does, to that one alone."""
    if not text:
        raise NotPossible(_("Type your message after the slash."))
    rest = readers.behind(text) if table.terminal.private is not None else None
    if rest and readers.addressee(table, rest) is not None:
        say_to_one(table, rest)
    elif rest:
        name = escape(rest.split(maxsplit=1)[0], 24)
        _send(table, text, None, [_("Nobody else is called “{name}”: all would read this.", name=name)])
    else:
        _send(table, text, None)


def say_to_one(table: TableController, text: str) -> None:
    """Send a message, "NAME TEXT", sealed to the player of that name."""
    closed = readers.closed(table)
    if closed:
        raise NotPossible(closed)
    addressee = readers.addressee(table, text)
    if addressee is None and len(text.split()) > 1:
        name = escape(text.split(maxsplit=1)[0], 24)
        others = presentation.others(table)
        raise NotPossible(
            _(
                "Nobody else is called “{name}”; the others: {others}. Type to NAME TEXT.",
                name=name,
                others=others,
            )
        )
    if addressee is None or not addressee[1]:
        raise NotPossible(
            _("Type the name and your message: to {example} TEXT.", example=readers.example(table))
        )
    reader, message = addressee
    if refused := readers.refused(table, reader):
        raise NotPossible(refused)
    _send(table, message, reader)


def _send(table: TableController, text: str, reader: Seat | None, warned: Sequence[str] = ()) -> None:
    """Send a message; if there are warnings (`warned`), or if it reads as something else, ask first."""
    hearing = presentation.others(table) if reader is None else table.players.names[reader]

    def send() -> None:
        table.replica.say(normal_form(text), reader)  # as the record wants it
        if reader is not None:
            table.notice = ("good", readers.sealed_for(hearing))

    asked = presentation.question(table)[0]
    if _reads_as_answer(table, text):
        warnings = [
            _("You are asked: {asked}", asked=asked),
            _("“{text}” reads as your answer to that.", text=escape(text)),
        ]
    elif meant := _reads_as_command(table, text):
        warnings = [
            meant,
            _("As a message it only tells {hearing}; the command is the word without “/”.", hearing=hearing),
        ]
    elif not table.over and _reveals(table, text):
        warnings = [_("“{text}” reads as a decision of yours, which it would tell.", text=escape(text))]
    else:
        warnings = []
    if not warned and not warnings:
        send()
        return
    question = (
        _("Send it to {hearing} as a message?", hearing=hearing)
        if reader is None
        else _("Send it to {hearing} alone as a message?", hearing=hearing)
    )
    table.confirm(question, send, [*warned, *warnings], text)


def _reveals(table: TableController, text: str) -> bool:
    """Whether a message would tell a decision, in English or in the language that is spoken."""
    view, here = _view(table), table.terminal
    return any(here.questions.reveals(view, wording) for wording in (text, in_english(text, here.names())))


def _view(table: TableController) -> View[Any] | None:
    context = table.context
    return None if context is None else context.view


def _reads_as_answer(table: TableController, text: str) -> bool:
    """Whether a message reads as an answer to the open question, possible or not."""
    typed = text.strip().rstrip(".!?")
    context = table.context_with(typed)
    if not table.asked or context is None:
        return False
    setting_up = table.setting_up
    try:
        if setting_up is not None and setting_up.question(context) is not None:
            if context.typed.lower() not in READY:
                setting_up.editor.edit(context, context.typed, table.environment.chance)
        else:
            table.terminal.questions.read(context.view, context.typed)
    except Unknown:
        return False
    except Misunderstood:
        return True
    return True


def _reads_as_command(table: TableController, text: str) -> str:
    """A sentence, if a message reads as a command that could be meant now; else ""."""
    command = commands.decision(text)
    if command is None:
        return ""
    order, offer = command.order, table.session.draw_offer
    if offer is not None and order in (Order.ACCEPT, Order.DRAW):
        named = table.players.names[offer.seat]
        return _(
            "{named} offers a draw, and “{text}” reads as your answer to that.",
            named=named,
            text=escape(text),
        )
    can_be_meant = {
        Order.RESIGN: not table.over,
        Order.DRAW: not table.over,
        Order.ACCEPT: table.over and end_and_rematch.rematch_is_offered(table.replica),
        Order.CLAIM: table.session.outcome is None and table.replica.claimable_in == 0,
        Order.REMATCH: table.over and Order.REMATCH in end_and_rematch.offered(table.replica),
        Order.LEAVE: True,
    }[order]
    return (
        _("“{text}” reads as your command: {about}.", text=escape(text), about=command.about)
        if can_be_meant
        else ""
    )
