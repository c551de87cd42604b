"""`play`: a match against bots and engines, or the lesson that a newcomer is offered.

Before a match the program speaks in lines; the match itself is on the screen, or in lines too.
"""

from __future__ import annotations

import argparse
from functools import partial

from cli.games import lessons
from cli.games import options as game_options
from cli.play.arriving.against_bots import hire_engines, play_alone
from cli.play.runner import PlaySession, spend
from cli.play.teaching import teach
from cli.reports.own_games import listed
from cli.shell import parser
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES


async def play_bots(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Begin a match with a bot on every other seat, and play it."""
    terms = game_options.at_table(arguments)
    engines = await hire_engines(arguments, session, terms.seats - 1, "--seats")
    by_ladder = session.interactive and len(engines) < terms.seats - 1
    level = arguments.level or _usual_level(session, ENTRIES[terms.game.name], by_ladder=by_ladder)
    await play_alone(session, terms, level, engines=engines)


def _usual_level(session: PlaySession, entry: GameEntry, *, by_ladder: bool) -> str:
    """Whom our player meets who named no level: the right one on the ladder; a script the first one."""
    if not by_ladder:
        return next(iter(entry.bots))
    from cli.studies.statistics import ladder
    from cli.text.names import bot_name

    rows = listed(session.home.path)
    rungs = ladder.rungs(entry, rows, all_open=not session.settings.ladder)
    level = rungs[ladder.right(entry, rungs, ladder.rating(entry, rows))].level
    session.talk.say(_("You meet {name}; --level names another one.", name=bot_name(level)))
    return level


def run(arguments: argparse.Namespace) -> int:
    """A match against bots, or the lesson that is offered to a newcomer."""
    return spend(arguments, partial(_playing, arguments))


async def _playing(arguments: argparse.Namespace, session: PlaySession) -> None:
    if arguments.usual and await _begins_with_a_lesson(session):
        await teach(parser.parsed("learn", lessons.taught()[0]), session)
    else:
        await play_bots(arguments, session)


async def _begins_with_a_lesson(session: PlaySession) -> bool:
    """Whether a newcomer wants a lesson; it is asked once, before the program knows its name."""
    if session.settings.name or not session.interactive or session.home.games():
        return False
    question = _("Your first game? A lesson takes ten minutes, with a coach beside you. Begin with it?")
    return await session.talk.confirm(question)
