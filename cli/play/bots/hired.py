"""Engines that play in matches of this program: how they are hired, and what a match tells them."""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import SystemRandom
from typing import Any, Final

import trio

from cli.play.engines import cage
from cli.play.engines.consultation import LossCause, Lost
from cli.play.engines.engine_bot import EngineBot
from cli.play.engines.forms import GameTerms
from cli.play.engines.process import EngineCommand, EngineProcess
from cli.play.own_name import objection
from cli.reports.history import names
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.text.sanitize import escape
from p2p_stratego.core.characters import level_of
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES
from protocol.limits import MAX_NAME
from protocol.network.peer import Peer
from protocol.seat.session import Session

LEVEL: Final = "engine-"
"""The beginning of the level under which an engine sits at a table; some digits of its hash follow."""
_RESERVE: Final = 1.0
"""Seconds of the seat's clock that an engine is not given: its decision has to be signed and sent."""
_LEAST: Final = 0.05
_COMPLAINT_CELLS: Final = 300

_CAUSES: Final = {
    LossCause.LATE: mark("{name} has not answered in time."),
    LossCause.GONE: mark("The program of {name} has ended."),
    LossCause.LONG: mark("The program of {name} writes lines without an end."),
    LossCause.DEAF: mark("The program of {name} does not read what it is told."),
    LossCause.WRONG: mark("The program of {name} does not keep to the lines of an engine: {text}."),
    LossCause.GAVE_UP: mark("The program of {name} gives up: {text}."),
    LossCause.RESIGNED: mark("{name} gives the game up."),
}


def sentences(lost: Lost, name: str, complaints: str) -> str:
    """Why an engine plays no further, in sentences; `name`: escaped; `complaints`: its standard error."""
    sentence = _(_CAUSES[lost.cause], name=name, text=escape(lost.text.rstrip("."), _COMPLAINT_CELLS))
    last = complaints.strip().rpartition("\n")[2]
    if not last or lost.cause is LossCause.RESIGNED:
        return sentence
    return f"{sentence} {_('It wrote last: {words}', words=escape(last, _COMPLAINT_CELLS))}"


@dataclass(frozen=True, slots=True)
class HiredEngine:
    """An engine that has said hello; each seat that it has gets a process of its own."""

    command: EngineCommand
    called: str
    """The name that it gave itself, fit for a player."""
    seconds: float
    """For each decision."""
    closed: Path
    """The home folder, which is closed to it."""

    @property
    def level(self) -> str:
        """As which it sits at the table: the same for the same command."""
        whole = json.dumps([self.command.words, sorted(self.command.options.items())])
        return f"{LEVEL}{hashlib.sha256(whole.encode()).hexdigest()[:8]}"

    def bot(self) -> EngineBot:
        """One more player of it, which is not started yet."""
        return bot(self.command, self.closed)


def bot(command: EngineCommand, closed: Path) -> EngineBot:
    """A player, which is not started yet; `closed`: the home folder, besides the usual one."""
    launch = partial(EngineProcess, command, [closed, locate(None)], time.monotonic)
    return EngineBot(launch, command.options, time.monotonic, SystemRandom())


def commands(arguments: argparse.Namespace) -> list[EngineCommand]:
    """The engines of a command line.  Raises Sorry."""
    read = []
    for text, options in arguments.engines or ():
        try:
            read.append(EngineCommand.read(text, options))
        except ValueError as error:
            raise Sorry(
                _("--engine names no program: {text}", text=escape(repr(text), 60)), Exit.USAGE
            ) from error
    return read


async def hire(arguments: argparse.Namespace, home: Path) -> tuple[HiredEngine, ...]:
    """Say hello to each engine of a command line, which then ends again.  Raises Sorry."""
    hired = []
    for command in commands(arguments):
        name = await trio.to_thread.run_sync(partial(introduced, command, home))
        hired.append(HiredEngine(command, called(name), arguments.engine_time, home))
    return tuple(hired)


def introduced(command: EngineCommand, home: Path) -> str:
    """The name that an engine gives itself, not escaped.  Raises Sorry if it does not play."""
    engine = bot(command, home)
    shown = escape(command.words[0], 60)
    try:
        return engine.greet().name
    except Lost as lost:
        code = Exit.IO if lost.cause is LossCause.GONE else Exit.DATA
        raise Sorry(sentences(lost, shown, engine.complaints), code) from lost
    except ValueError as error:
        sentence = _(
            "The engine has no such option, or no such value of it: {option}", option=escape(str(error), 60)
        )
        raise Sorry(sentence, Exit.USAGE) from error
    finally:
        engine.close()


def called(name: str) -> str:
    """The name of a player for an engine that calls itself `name`: a bot's, and not one of ours."""
    name_of_bot = f"{name[: MAX_NAME - 8].strip()} bot"
    ours = {level for entry in ENTRIES.values() for level in entry.bots}
    is_ours = level_of(name.casefold()) in ours
    return "Engine bot" if objection(name_of_bot) or is_ours else name_of_bot


def warning() -> str:
    """What a player should know before an engine runs here; "" where the home folder is closed to it."""
    if cage.landlock():
        return ""
    return _("This system cannot close your home folder to a program: run only engines that you trust.")


class EngineInMatch:
    """What the front of a bot needs of an engine: a decision is prepared here, and made in a thread."""

    def __init__(self, peer: Peer, hired: HiredEngine) -> None:
        self.bot = hired.bot()
        self._replica = peer.replica
        self._hired = hired
        self._session: Session | None = None
        """That of the match which the engine has begun."""

    def thinks(self, view: View[Any]) -> Callable[[], Decided]:
        """Take what the engine is told of this moment; the result asks it, and may raise Lost."""
        session, clocks = self._replica.session, self._replica.clocks
        left = None if clocks is None else clocks.left(session.seat, trio.current_time())
        seconds = self._hired.seconds
        if left is not None:
            seconds = max(min(seconds, left - _RESERVE), _LEAST)
        history = tuple(session.referee.table.history)

        def decided() -> Decided:
            if self._session is not session:
                self._ended()
                match = session.genesis
                self.bot.begin(GameTerms(match.game, match.options, session.seat, names(match)))
                self._session = session
            self.bot.history, self.bot.seconds, self.bot.left = history, seconds, left
            return self.bot.decide(view)

        return decided

    def lost(self, lost: Lost) -> str:
        """Why the bot resigns, in sentences."""
        session = self._replica.session
        return sentences(lost, names(session.genesis)[session.seat], self.bot.complaints)

    def close(self) -> None:
        """End the engine; a decision that a thread waits for is given up."""
        self.bot.stop_waiting()
        self._ended()
        self.bot.close()

    def _ended(self) -> None:
        """Tell the engine how its last match ended."""
        session = self._session
        if session is not None:
            self.bot.end(session.outcome, tuple(session.referee.table.history))


def come_back(levels: Sequence[str], hired: Sequence[HiredEngine]) -> dict[str, HiredEngine]:
    """The engines of a match that began before: `levels`, of its bots; `hired`, in the same order.

    Raises Sorry if there are too few.
    """
    wanted = list(dict.fromkeys(level for level in levels if level.startswith(LEVEL)))
    own = {engine.level: engine for engine in hired}
    # The same command has its seat again; a command that was changed gets one of those that are left.
    others = iter([engine for level, engine in own.items() if level not in wanted])
    back = {level: own.get(level) or next(others, None) for level in wanted}
    named = {level: engine for level, engine in back.items() if engine is not None}
    if len(named) < len(back):
        raise Sorry(_("An engine plays in that game: name it again with --engine."), Exit.USAGE)
    return named
