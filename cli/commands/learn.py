"""`learn`: a first game with a coach, against a tutor who plays by a script.

The match is a real one: two seats, the whole protocol, a record that anybody can audit.  A lesson that was
left goes on, unless the player wants to begin anew.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from cli.commands.games import listed
from cli.commands.play import play_bots, resume_match
from cli.games.setup_store import SetupStore
from cli.play.arriving.alone import play_alone
from cli.play.runner import PlaySession, spend
from cli.reports.sources import is_lesson
from cli.shell import parser
from p2p_stratego.core.language import _
from p2p_stratego.core.lesson import TUTOR, Lesson
from p2p_stratego.registry import GAMES, lesson
from protocol.lobby.handshake import Terms
from protocol.record.genesis import Genesis
from protocol.storage.home import ID_DIGITS


def run(arguments: argparse.Namespace) -> int:
    """Go on with the lesson that was left, or begin one."""
    return spend(arguments, partial(teach, arguments))


def play(arguments: argparse.Namespace) -> int:
    """A match against bots, or the lesson that is offered to a newcomer."""
    return spend(arguments, partial(_playing, arguments))


async def _playing(arguments: argparse.Namespace, session: PlaySession) -> None:
    if arguments.usual and await _begins_with_a_lesson(session):
        await teach(parser.parsed("learn"), session)
    else:
        await play_bots(arguments, session)


async def _begins_with_a_lesson(session: PlaySession) -> bool:
    """Whether a newcomer wants a lesson; it is asked once, before the program knows its name."""
    if session.settings.name or not session.interactive or session.home.games():
        return False
    question = _("Your first game? A lesson takes ten minutes, with a coach beside you. Begin with it?")
    return await session.talk.confirm(question)


async def teach(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Play the lesson of `arguments.game`."""
    taught = lesson(arguments.game)
    if taught is None:  # the parser offers no other game
        raise RuntimeError(f"{arguments.game} has no lesson")
    left = None if arguments.new else _left(session.home.path, arguments.game)
    if left is not None:
        session.talk.say(_("Your lesson goes on; with --new it begins anew."))
        await resume_match(parser.parsed("resume", left), session)
    else:
        rules = GAMES[arguments.game]
        terms = Terms(rules, rules.options(taught.options), 2)
        await play_alone(session, terms, TUTOR, partial(_prepare, session, taught))


def _left(home: Path, game: str) -> str | None:
    """The id of the last lesson of this game that is not over; None for none."""
    for row in listed(home):
        if row.get("resumable") and row.get("game") == game and is_lesson(row["transcript"]):
            return str(row["id"])
    return None


def _prepare(session: PlaySession, taught: Lesson, match: Genesis) -> None:
    """Lay the learner's set-up out, if the lesson has one."""
    if taught.setup:
        SetupStore(session.home.path).keep_plan(match.id.hex()[:ID_DIGITS], taught.setup)
