"""`learn`: lessons with a coach, each against a tutor who plays by a script.

A lesson is a real match: two seats, the whole protocol, a record that anybody can audit.  One that was left
goes on, unless the player wants to begin anew.  Nobody but a script meets the learner, so no name is asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from functools import partial

from cli.commands.games import listed
from cli.commands.play import play_bots, resume_match
from cli.games import lessons
from cli.games.lessons import LessonKey
from cli.games.setup_store import SetupStore
from cli.play.arriving.alone import play_alone
from cli.play.runner import PlaySession, spend
from cli.reports.sources import begun
from cli.shell import parser
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate, runs
from cli.shell.settings import Settings, glance
from cli.text.layout import ascii_text
from p2p_stratego import registry
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.lesson import TUTOR, Lesson
from p2p_stratego.registry import ENTRIES, GAMES, lesson
from protocol.lobby.handshake import Terms
from protocol.record.genesis import Genesis
from protocol.storage.home import ID_DIGITS


def run(arguments: argparse.Namespace) -> int:
    """Go on with the lesson that was left, or begin one; without a game, list all lessons."""
    if arguments.game is not None:
        return spend(arguments, partial(teach, arguments))
    home = locate(arguments.home)
    saved = glance(home)
    lines = "\n".join(_listing(saved, begun(listed(home)) if home.exists() else (), arguments))
    print(ascii_text(lines) if arguments.ascii or saved.ascii else lines)
    return Exit.OK


def _listing(saved: Settings, left: Collection[LessonKey], arguments: argparse.Namespace) -> list[str]:
    """All lessons with their ticks and those that were left, and how to begin one."""
    lines = [_("Each lesson is a game against a tutor, with a coach beside you.")]
    for name in lessons.taught():
        rows = enumerate(lessons.listed(saved, name, left), start=1)
        lines += ["", _(ENTRIES[name].title), *(f"  {tick:1} {at}  {title}" for at, (tick, title) in rows)]
    name = lessons.taught()[0]
    command = runs(arguments.home)(f"learn {name} {lessons.due(saved, name)}")
    return [*lines, "", _("{command} begins a lesson.", command=command)]


def play(arguments: argparse.Namespace) -> int:
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
    """Play the lessons that the learner asks for, each behind the last one."""
    while session.table is not None and session.table.onward is not None:
        await _begin(session, session.table.replica.match.game.name, session.table.onward)


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
