"""One bot as a process: hosts or joins like a person, plays one match, tells what happens as lines of JSON.

Standard input: a line of settings (JSON: see Setting) and, for who joins, a line with the invite, which is a
secret and so never an argument.  Standard output: what happens, a line each, by its `event`: invite,
begin, step, end.
Needs neither a terminal nor its libraries: a bot has to start quickly.
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

from cli.play.bot_match import react
from cli.reports import describe
from cli.reports.history import Teller
from cli.shell.exit_codes import Exit
from cli.shell.guard import guarded
from p2p_stratego import GAMES
from p2p_stratego.bots import make_bot
from p2p_stratego.core.game import OptionValue
from p2p_stratego.core.view import Bot
from protocol.network import invite, peer, tls
from protocol.network.handshake import Terms
from protocol.network.peer import Peer
from protocol.storage.home import Home, Owner

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Setting:
    """What one bot is told.

    `role`: "host" or "join"; `home`: its folder; `options`: of the game, for the host; `seed`: None, or text
    from which keys, secrets, cards and moves follow; `pause`: seconds between two steps, for people who read
    along.
    """

    role: str
    name: str
    home: str
    game: str
    options: dict[str, OptionValue]
    level: str
    seed: str | None
    pause: float


class Seeded:
    """Bytes that follow from a text: for demonstrations that can be repeated, and for nothing else."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._calls = 0

    def __call__(self, length: int) -> bytes:
        """The next `length` bytes, the same in every run."""
        self._calls += 1
        return hashlib.shake_256(b"p2p-stratego demo\0%d\0" % self._calls + self._seed).digest(length)


def main() -> int:
    """Read the settings and play; errors leave as those of every command do."""
    setting = Setting(**json.loads(sys.stdin.readline()))
    word = sys.stdin.readline() if setting.role == "join" else ""

    def play() -> int:
        trio.run(_match, setting, word)
        return Exit.OK

    return guarded(play, ["--home", setting.home])


def _say(event: str, **more: Any) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


async def _match(setting: Setting, word: str) -> None:
    entropy: Callable[[int], bytes] = secrets.token_bytes if setting.seed is None else Seeded(setting.seed)
    chance = random.SystemRandom() if setting.seed is None else random.Random(setting.seed)  # noqa: S311 - a bot's moves
    bot = make_bot(setting.game, setting.level, chance)
    with Home(Path(setting.home), entropy) as home:
        async with trio.open_nursery() as nursery:
            player = _Player(bot, setting.pause)
            owner = Owner(home, home.identity(), setting.name)
            if setting.role == "host":
                match = await _host(nursery, owner, setting)
            else:
                match = await peer.join(nursery, owner, invite.read(word), _agree)
            nursery.start_soon(player.play, match)
            await match.run()
            nursery.cancel_scope.cancel()
    _say("end", transcript=match.store.path)


async def _host(nursery: trio.Nursery, owner: Owner, setting: Setting) -> Peer:
    host = await peer.listen(nursery, owner, tls.make(), interfaces=[LOOPBACK])
    _say("invite", invite=invite.write(host.invite([LOOPBACK])))
    game = GAMES[setting.game]
    return await host.meet(Terms(game, game.options(setting.options)), _agree)


async def _agree(_: object) -> bool:
    """A bot plays whoever comes; both sides of this match are ours."""
    return True


class _Player:
    """Answers whatever the match asks of the bot, and tells every step."""

    def __init__(self, bot: Bot[Any], pause: float) -> None:
        self._bot = bot
        self._pause = pause
        self._next = 0.0

    async def play(self, match: Peer) -> None:
        """Go on until the record is complete, then leave."""
        teller = Teller(match.match)
        players = [describe.who(match.match, seat) for seat in range(len(match.match.players))]
        _say("begin", match=match.match.id.hex(), players=players)

        async def act() -> bool:
            for step in teller.hear(match.session.referee.table.history):
                _say("step", entry=step.number, told=step.sentences)
                self._next = trio.current_time() + self._pause
            if match.session.decision is not None and not match.finished:
                await trio.sleep_until(self._next)
                match.decide(self._bot.decide(match.session.view))
            return not match.finished

        await react(match, act)
        match.leave()


if __name__ == "__main__":
    sys.exit(main())
