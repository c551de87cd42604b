"""The commands that only show something: a page about the match, the rules or the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cli.games.interface import NotPossible, ViewContext, page_about
from cli.shell.explain import sentence
from cli.table.news import events
from cli.table.pages import match_pages
from cli.table.pages.match_pages import COLUMNS
from cli.table.scene import presentation
from cli.table.seat import hints
from cli.table.seat.controller import TableController
from cli.table.words import call_attempts, connection, spared_players
from cli.table.words.other_players import with_doing
from cli.text.layout import styled
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark, n_


def guide(table: TableController, _said: str) -> None:
    """All keys and commands."""
    table.page = match_pages.guide(COLUMNS, table.terminal, screen=table.environment.keys)


def rules(table: TableController, topic: str) -> None:
    """The rules in short, or all about a `topic`."""
    table.page = page_about(table.terminal, topic or None, COLUMNS)


def show(table: TableController, title: str, say: Callable[[ViewContext], list[str]]) -> None:
    """Sentences of the game about the present moment, on a page."""
    context = table.context
    sentences = say(context) if context else [_("The game is still being set up.")]
    table.page = match_pages.texts(title, sentences, COLUMNS)


def board(table: TableController, _said: str) -> None:
    """The whole board in words."""
    show(table, _("The board"), table.terminal.description.board)


def hand(table: TableController, _said: str) -> None:
    """All that the player has."""
    show(table, _("What you have"), table.terminal.description.hand)


def moves(table: TableController, _said: str) -> None:
    """All answers to the present question."""
    choices = presentation.choices(table, "") if table.asked else ()
    groups = [", ".join(group) for group in match_pages.alike([choice.shown for choice in choices])]
    table.page = match_pages.texts(
        _("What you can say"), groups or [_("Nothing is asked of you now.")], COLUMNS
    )


def hint(table: TableController, _said: str) -> None:
    """A good answer to the present question, and why, the first time after a question."""
    refused = hints.why_not(table)
    if refused:
        raise NotPossible(_("No hint: {why}.", why=refused))
    if table.practice:
        _show_hint(table)
        return
    question = _("Show a hint? Then this game is practice, and counts for no statistics.")
    table.confirm(question, lambda: _first_hint(table))


def _first_hint(table: TableController) -> None:
    """Keep that the match is practice, and then show the hint."""
    table.replica.store.keep_practice()
    table.environment.practise()
    hint(table, "")


def _show_hint(table: TableController) -> None:
    """The hint on a page; on a screen its answer stands in the input line, to be sent."""
    proposal = hints.proposed(table)
    if table.environment.keys:
        table.returned = proposal.line
    if table.returned:
        table.notice = ("dim", _("The hint stands in the line: Enter sends it."))
    whole = [styled(text) for text in proposal.sentences]  # beside the board they are broken for its columns
    table.page = replace(match_pages.texts(_("Hint"), proposal.sentences, COLUMNS), aside=True, slim=whole)


def history(table: TableController, _said: str) -> None:
    """Everything that happened."""
    table.page = match_pages.history(table.log.history, table.log.fresh, COLUMNS)
    table.log.look()


def chat(table: TableController, _said: str) -> None:
    """All messages."""
    messages = [f"{name}: {text}" for _unused, name, text in table.log.chat]
    hearing = table.players.hearing
    title = _("Chat: {hearing}", hearing=hearing) if hearing else _("Chat")
    if table.terminal.private is not None:
        title = _("Chat: to all, or to one alone")
    table.page = match_pages.messages(title, messages or [_("Nobody has said anything yet.")], COLUMNS)


def looked(table: TableController, _said: str) -> None:
    """The looks of the player alone."""
    looks = table.unread.looked_at(table.context)
    if looks is None:
        raise NotPossible(
            _("What is shown to you alone in this game stands in the question, while you may see it.")
        )
    proved = table.terminal.alone is not None
    title, text = _NOTHING_SHOWN
    table.page = (
        match_pages.looked(looks, proved=proved) if looks else match_pages.texts(_(title), [_(text)], COLUMNS)
    )


_NOTHING_SHOWN: Final = (mark("For your eyes only"), mark("Nothing has been shown to you alone yet."))


def listing(table: TableController, title: str, say: Callable[[ViewContext], Sequence[str]] | None) -> None:
    """A page that only some games have; `say`: None for a game without it."""
    if say is None:
        raise NotPossible(_("This game has no such page: the board tells all."))
    show(table, title, lambda context: list(say(context)))


def checks(table: TableController, _said: str) -> None:
    """The checks so far, and their meaning."""
    table.page = match_pages.verified(
        events.checks(table.session), COLUMNS, settled=not table.session.genesis.takebacks
    )


def who(table: TableController, _said: str) -> None:
    """Who plays, and how each is connected."""
    replica = table.replica
    fellows = presentation.fellows(table)
    link, doing = presentation.link(table)[1], presentation.doing(table)
    facts = [] if fellows else [(mark("connection"), with_doing(link, doing[0]) if doing else link)]
    if escrow := spared_players.escrow_words(replica):
        facts.append((mark("escrow"), escrow))
    if replica.watchers:
        facts.append((mark("watching"), n_("{count} spectator", "{count} spectators", replica.watchers)))
    if replica.trouble is not None:
        facts.append((_("last trouble"), escape(sentence(replica.trouble))))
    table.page = match_pages.players(
        replica.match, facts, replica.store.path, screen=table.environment.keys, fellows=fellows
    )


def ways(table: TableController, _said: str) -> None:
    """Each address of each player, and how the last call there went."""
    replica, now, players = table.replica, table.environment.clock(), table.players
    others = []
    for link in replica.links:
        if link.seat in replica.route.bots:
            continue
        place = connection.seat_link(replica, players, link, now)
        others.append((f"{players.names[link.seat]}: {place}", call_attempts.report(link, now)))
    own = call_attempts.own(replica.route.own, table.environment.relays(), replica.route.mapped)
    table.page = match_pages.ways(others, own, COLUMNS)
