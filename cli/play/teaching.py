"""Playing lessons, one behind the other, and going on with one that was left."""

from __future__ import annotations

import argparse
from functools import partial

from cli.games import lessons
from cli.games import options as game_options
from cli.games.setup_store import SetupStore
from cli.play.arriving.against_bots import play_alone
from cli.play.resuming import resume_match
from cli.play.runner import PlaySession, spend
from cli.reports.own_games import listed
from cli.reports.sources import begun
from cli.shell import parser
from cli.shell.exit_codes import Exit, Sorry
from cli.table.words.commands import Order
from p2p_stratego import registry
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.lesson import TUTOR, Lesson
from p2p_stratego.registry import ENTRIES, GAMES, lesson
from protocol.lobby.handshake import Terms
from protocol.record.genesis import Genesis
from protocol.storage.home import ID_DIGITS


async def teach(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Play a lesson of `arguments.game`, and those that the learner asks for behind it.  Raises Sorry."""
    game: str = arguments.game
    left = None if arguments.new else _left(session, game, arguments.number)
    if left is not None:
        session.talk.say(_("Your lesson goes on; with --new it begins anew."))
        await resume_match(parser.parsed("resume", left), session)
    else:
        await _begin(session, game, arguments.number or lessons.due(session.settings, game))
    await _go_on(session)


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a match, and from a lesson with those that the learner asks for behind it.

    `cli.commands.resume` comes first and names it, unless a person chooses here.
    """
    return spend(arguments, partial(_resuming, arguments))


async def _resuming(arguments: argparse.Namespace, session: PlaySession) -> None:
    await resume_match(arguments, session)
    await _go_on(session)


async def _go_on(session: PlaySession) -> None:
    """Play the lessons that the learner asks for, each behind the last one, and then the first real game."""
    while (table := session.table) is not None and table.onward is not None:
        await _begin(session, table.replica.match.game.name, table.onward)
    if table is not None and table.coach.teaches and table.wish is Order.NEXT:
        game = table.replica.match.game.name
        terms = game_options.at_table(parser.parsed("play", "--game", game))
        *_stronger, first = ENTRIES[game].bots
        await play_alone(session, terms, first)


async def _begin(session: PlaySession, game: str, number: int) -> None:
    """Play one lesson from its beginning."""
    taught = lesson(game, number)
    if taught is None:
        count = len(registry.lessons(game))
        title = _(ENTRIES[game].title)
        raise Sorry(
            n_("{title} has {count} lesson.", "{title} has {count} lessons.", count, title=title), Exit.USAGE
        )
    rules = GAMES[game]
    terms = Terms(rules, rules.options(taught.options), 2)
    # A name that the settings do not know yet is asked for before the first game with somebody else.
    await play_alone(session, terms, TUTOR, partial(_prepare, session, taught))


def _left(session: PlaySession, game: str, number: int | None) -> str | None:
    """The id of the last lesson of this game and perhaps this number that is not over; None for none."""
    left = begun(listed(session.home.path))
    return next((name for (of, at), name in left.items() if of == game and number in (None, at)), None)


def _prepare(session: PlaySession, taught: Lesson, match: Genesis) -> None:
    """Lay the learner's set-up out, if the lesson has one."""
    if taught.setup:
        SetupStore(session.home.path).keep_plan(match.id.hex()[:ID_DIGITS], taught.setup)
