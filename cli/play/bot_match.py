"""A match against a bot of this program, through the whole protocol: two players, two records, one process.

The bot has a home folder of its own inside the player's; the two sides talk only over a pair of sockets, so
the bot knows as little as a stranger, and both records can be audited.
"""

from __future__ import annotations

import random
from typing import Final

import trio

from cli.play.bot_front import BotFront, Pace
from p2p_stratego.core.game import Options
from p2p_stratego.registry import GAMES, make_bot
from protocol.network.link import Link
from protocol.network.peer import Peer
from protocol.network.replica import found
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import Store
from protocol.trace import Trace, silent

FOLDER: Final = "bots"
"""Within the player's home folder: one player for each level of bot."""


def bot_home(home: Home, level: str) -> Home:
    """The home folder of the bot of this level."""
    (home.path / FOLDER).mkdir(mode=0o700, exist_ok=True)
    return Home(home.path / FOLDER / level)


def bot_owner(home: Home, level: str) -> Owner:
    """The bot of this level as a player; `home` is its own."""
    return Owner(home, home.identity(), f"{level.capitalize()} bot", GAMES)


def begin(player: Owner, bot: Owner, level: str, game: str, options: Options) -> tuple[Store, Store]:
    """A new match between `player`, on the first seat, and `bot`; the store of each."""
    one, other = found(GAMES[game], GAMES[game].options(options), [player, bot], level)
    return one, other


def local_links(nursery: trio.Nursery, trace: Trace = silent) -> tuple[Link, Link]:
    """Both ends, running in `nursery`, without introductions.  `trace`: is told of the first one."""
    here, there = trio.socket.socketpair()
    one, other = Link(trio.SocketStream(here), trace), Link(trio.SocketStream(there))
    for link in (one, other):
        link.trust()
        nursery.start_soon(link.run)
    return one, other


def link_up(nursery: trio.Nursery, one: Peer, other: Peer, *, trace: Trace = silent) -> None:
    """Connect both ends of a match in this process; `trace`: is told of the first one."""
    for peer, link in zip((one, other), local_links(nursery, trace), strict=True):
        peer.take(link)


def opponent(peer: Peer, level: str, pace: Pace) -> BotFront:
    """A bot of this level at `peer`, with the operating system's chance."""
    return BotFront(peer, make_bot(peer.replica.match.game.name, level, random.SystemRandom()), pace)
