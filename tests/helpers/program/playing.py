"""Sessions of one or two players in line mode: their input and output."""

from __future__ import annotations

import argparse
import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import trio
import trio.testing

from cli.commands.host import host_match
from cli.commands.join import join_match
from cli.lines.console import Console, Lines
from cli.play.runner import PlaySession
from cli.shell import parser
from cli.shell.settings import Settings
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from tests.helpers.machine.homes import KeptHome

PATIENCE = 60.0
Answer = Callable[[PlaySession], str | None]


def arguments(*words: str) -> argparse.Namespace:
    """A command line as the program reads it."""
    return parser.parsed(*words)


class Answering:
    """Standard input of a player who answers the last printed line."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.session: PlaySession | None = None

    async def read(self) -> str | None:
        """A line as soon as there is a question; None at the end of the input."""
        assert self.session is not None
        line: str | None = ""
        while line == "":
            await trio.testing.wait_all_tasks_blocked()
            line = self._answer(self.session)
        return line

    def forget(self) -> None:
        """Drop input typed before its question; here there is none."""


class Printed(io.StringIO):
    """Standard output that can be looked at."""

    @property
    def last(self) -> str:
        """The last line or question."""
        return self.getvalue().rstrip().rsplit("\n", 1)[-1]


def play_session(folder: Path, source: object, *, interactive: bool = False, name: str = "") -> PlaySession:
    """A session of one player in lines, with a home folder of its own."""
    talk = Console(source, Printed())  # type: ignore[arg-type]  # anything with a `read`
    made = PlaySession(KeptHome(folder), Settings(name=name, notify="off"), talk, interactive, None)
    if isinstance(source, Answering):
        source.session = made
    return made


def lines(*given: str) -> Lines:
    """Standard input that holds these lines."""
    return Lines(io.StringIO("".join(f"{line}\n" for line in given)))


def printed(of: PlaySession) -> Printed:
    """The output so far."""
    out = of.talk.out
    assert isinstance(out, Printed)
    return out


async def seen(of: PlaySession, pattern: str) -> re.Match[str]:
    """The match of `pattern` in the output, as soon as there is one."""
    while (hit := re.search(pattern, printed(of).getvalue())) is None:
        await trio.testing.wait_all_tasks_blocked()
    return hit


def spoken(decided: object) -> str:
    """A bot's decision as one would type it."""
    return " ".join(map(str, decided)) if isinstance(decided, tuple) else str(decided)


def bot_answers(seed: int, *, confirm: str = "yes", after: str = "leave") -> Answer:
    """Says `confirm` to questions, plays like a bot, and says `after` after the end."""
    bot = Recruit(random.Random(seed))

    def answer(of: PlaySession) -> str | None:
        table = of.table
        asks = table is not None and table.pending is not None  # news of others may stand below the question
        if asks or printed(of).last.endswith("(yes/no)"):
            return confirm
        if table is None:
            return ""
        if table.replica.session.decision is not None:
            return spoken(bot.decide(table.replica.session.view))
        return after if table.replica.finished else ""

    return answer


async def both(tmp_path: Path, host: Answer, guest: Answer, *options: str) -> tuple[PlaySession, PlaySession]:
    """A host and a guest, who is given the invite that the host prints."""
    session = play_session(tmp_path / "host", Answering(host), name="Anna")
    two = play_session(tmp_path / "guest", Answering(guest), name="Boris")
    hosting = arguments("host", "--address", "127.0.0.1", *options)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host_match, hosting, session)
            word = await seen(session, r"P2PS\w+")
            await join_match(arguments("join", word[0]), two)
    return session, two


def record(of: PlaySession) -> Path:
    """The transcript of the only game."""
    games = of.home.games()
    assert len(games) == 1
    return games[0].path
