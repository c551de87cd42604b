"""A match against a bot of this program, through the whole protocol: two players, two records, one process.

The bot has a home folder of its own inside the player's; the two sides talk over a pair of sockets and
nothing else, so the bot knows no more than a stranger would, and both records can be audited.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any, Final

import trio

from p2p_stratego import GAMES
from p2p_stratego.bots import make_bot
from p2p_stratego.core.game import Options, Together
from p2p_stratego.core.view import Bot, Chance
from protocol.network.peer import Link, Peer
from protocol.network.replica import Status, found
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import Store

FOLDER: Final = "bots"
"""Within the player's home folder: one player for each level of bot."""
PAUSE: Final = 0.9
"""Seconds a bot waits before it answers, so that a person can see what happened before."""


def bot_home(home: Home, level: str) -> Home:
    """The home folder of the bot of this level."""
    (home.path / FOLDER).mkdir(mode=0o700, exist_ok=True)
    return Home(home.path / FOLDER / level)


def bot_owner(home: Home, level: str) -> Owner:
    """The bot of this level as a player; `home` is its own."""
    return Owner(home, home.identity(), f"{level.capitalize()} bot")


def begin(player: Owner, bot: Owner, level: str, game: str, options: Options) -> tuple[Store, Store]:
    """A new match between `player`, on the first seat, and `bot`; the store of each."""
    one, other = found(GAMES[game], GAMES[game].options(options), [player, bot], level)
    return one, other


def local_links(nursery: trio.Nursery) -> tuple[Link, Link]:
    """Both ends, running in `nursery`; nobody has to prove who it is."""
    one, other = (Link(trio.SocketStream(end)) for end in trio.socket.socketpair())
    for link in (one, other):
        link.trust()
        nursery.start_soon(link.run)
    return one, other


def link_up(nursery: trio.Nursery, one: Peer, other: Peer) -> None:
    """Connect both ends of a match in this process."""
    for peer, link in zip((one, other), local_links(nursery), strict=True):
        peer.take(link)


async def react(peer: Peer, act: Callable[[], Awaitable[bool]]) -> None:
    """Call `act` now, and again whenever something has changed in the match, until it says False."""
    changed = trio.Event()

    def stir() -> None:
        changed.set()

    peer.on_change = stir
    while await act():
        await changed.wait()
        changed = trio.Event()


class BotPlayer:
    """Answers whatever a match asks of the bot, return matches too."""

    def __init__(self, peer: Peer, level: str, chance: Chance, pause: float) -> None:
        """`chance`: for the bot alone; `pause`: seconds before an answer."""
        self._peer = peer
        self._bot: Bot[Any] = make_bot(peer.match.game.name, level, chance)
        self._pause = pause

    async def run(self) -> None:
        """Play until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._peer.run)
            await react(self._peer, self._act)

    async def _act(self) -> bool:
        while self._due():
            await self._answer()
        if self._wanted_again():
            self._peer.offer_rematch()
        return True

    def _due(self) -> bool:
        peer = self._peer  # closed: the player left while the bot's thread was thinking
        return peer.session.decision is not None and peer.status is Status.CONNECTED and not peer.closed

    def _wanted_again(self) -> bool:
        ours, theirs = self._peer.rematch_wanted
        return theirs and not ours

    async def _answer(self) -> None:
        owed = self._peer.session.referee.owed
        if owed is not None and not isinstance(owed.ask, Together):
            await trio.sleep(self._pause)  # who decides at the same time does not have to be waited for
        if not self._due():
            return
        view = self._peer.session.view
        # In a thread: half a second of thinking must not freeze the player's screen.
        decided = await trio.to_thread.run_sync(self._bot.decide, view)
        if self._due() and self._peer.session.view.decision == view.decision:
            self._peer.decide(decided)


def opponent(peer: Peer, level: str, pause: float) -> BotPlayer:
    """A bot of this level at `peer`, with the operating system's chance."""
    return BotPlayer(peer, level, random.SystemRandom(), pause)
