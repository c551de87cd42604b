"""One bot as a process: hosts or joins like a person, plays one match, tells its events as lines of JSON.

Standard input: a line of settings (JSON: see Setting) and, for a guest, a line with the invite, a secret and
so never an argument.  Standard output: a line for each `event`: invite, seated (somebody
sat down), begin, step, end. Needs neither a
terminal nor its libraries: a bot has to start quickly.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import trio

from cli.games import packages
from cli.play.bots.bot_front import BotFront, steadily
from cli.reports import describe
from cli.reports.history import Step
from cli.shell.exit_codes import Exit
from cli.shell.guard import run_guarded
from cli.shell.trace_log import tracing
from cli.text import language
from cli.text.language import ENGLISH
from p2p_stratego.core import strict_json
from p2p_stratego.core.game import OptionValue
from p2p_stratego.registry import GAMES, make_bot
from protocol.channel import tls
from protocol.lobby.handshake import Terms
from protocol.network import guest
from protocol.network.host import listen
from protocol.network.peer import Peer
from protocol.rendezvous import invite
from protocol.storage.home import Home, Owner
from protocol.trace import Trace, silent
from protocol.wire.addresses import Endpoint

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class BotSettings:
    """The settings of one bot.

    `role`: "host" or "join"; `home`: its folder; `options`: of the game, for the host, `seats`, how many
    play, and the profile, `proofs` and `escrow`; `seed`: None, or text from which keys, secrets, cards and
    moves follow; `pause`: seconds between two steps, for people who read along.
    """

    role: str
    name: str
    home: str
    game: str
    options: dict[str, OptionValue]
    level: str
    seed: str | None
    pause: float
    seats: int = 2
    proofs: bool = False
    escrow: int = 0
    log: str | None = None
    """A file for the trace, besides the environment's."""
    language: str = ENGLISH
    """Of the sentences about steps: a key of `cli.text.language.NAMES`."""


class SeededBytes:
    """Bytes that follow from a text, only for demonstrations that can be repeated."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._calls = 0

    def __call__(self, length: int) -> bytes:
        """The next `length` bytes, the same in every run."""
        self._calls += 1
        return hashlib.shake_256(b"p2p-stratego demo\0%d\0" % self._calls + self._seed).digest(length)


def main() -> int:
    """Read the settings and play; errors leave as those of every command do."""
    setting = BotSettings(**strict_json.read(sys.stdin.readline().encode()))
    word = sys.stdin.readline() if setting.role == "join" else ""
    language.install(setting.language)
    packages.load()  # the program that started this one has told what is left out

    def play() -> int:
        with tracing(Path(setting.log) if setting.log else None) as log:
            trio.run(_match, setting, word, log or silent)
        return Exit.OK

    return run_guarded(play, ["--home", setting.home])


def _say(event: str, **more: Any) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


async def _match(setting: BotSettings, word: str, trace: Trace) -> None:
    entropy: Callable[[int], bytes] = (
        secrets.token_bytes if setting.seed is None else SeededBytes(setting.seed)
    )
    chance = random.SystemRandom() if setting.seed is None else random.Random(setting.seed)  # noqa: S311 - a bot's moves
    bot = make_bot(setting.game, setting.level, chance)
    with Home(Path(setting.home), entropy) as home:
        async with trio.open_nursery() as nursery:
            owner = Owner(home, home.identity(), setting.name, GAMES, trace)
            if setting.role == "host":
                match = await _host(nursery, owner, setting)
            else:
                match = await _join(nursery, owner, invite.read(word))
            _begin(match)
            front = BotFront(match, bot, steadily(setting.pause), _tell)

            async def play() -> None:
                await front.run(rematches=False)
                match.leave()

            nursery.start_soon(play)
            await match.run()
            nursery.cancel_scope.cancel()
    _say("end", transcript=match.replica.store.path)


async def _host(nursery: trio.Nursery, owner: Owner, setting: BotSettings) -> Peer:
    host = await listen(nursery, owner, tls.make(), interfaces=[LOOPBACK])
    word = invite.write(host.invite([Endpoint(LOOPBACK, host.desk.port)], uses=setting.seats - 1))
    game = GAMES[setting.game]
    options = game.options(setting.options)
    _say("invite", invite=word)

    async def seated(_: object) -> bool:
        _say("seated")
        return True

    terms = Terms(game, options, setting.seats, proofs=setting.proofs, escrow=setting.escrow)
    return await host.meet(terms, seated)


async def _join(nursery: trio.Nursery, owner: Owner, word: invite.Invite) -> Peer:
    door = await listen(nursery, owner, tls.make(), interfaces=[LOOPBACK])
    door.desk.addresses = (Endpoint(LOOPBACK, door.desk.port),)
    visitor = await guest.visit(nursery, owner, word, door.desk)
    visitor.on_seated = door.show
    return await visitor.agreeing(_agree)


def _begin(match: Peer) -> None:
    players = [
        describe.seat_and_player(match.replica.match, seat)
        for seat in range(len(match.replica.match.players))
    ]
    _say("begin", match=match.replica.match.id.hex(), players=players)


def _tell(step: Step) -> None:
    _say("step", entry=step.number, told=step.sentences)


async def _agree(_: object) -> bool:
    """A bot plays any host; all sides of this match are ours."""
    return True


if __name__ == "__main__":
    sys.exit(main())
