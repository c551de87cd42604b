"""Bots of this program on seats of a match, through the whole protocol: several players, one process.

Each bot has a home folder of its own inside the player's; it sits down in the player's lobby and plays over a
pair of sockets, so it knows as little as a stranger, and all records can be audited.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

import trio

from cli.play.bots.bot_front import THINK, BotFront, ReadingPace, slower
from cli.play.bots.hired import EngineInMatch, HiredEngine
from cli.play.bots.small_talk import SmallTalk
from cli.play.engines.consultation import Lost
from cli.reports.describe import FOLDER
from cli.table.seat import timing
from p2p_stratego.core.characters import short_name
from p2p_stratego.core.game import Seat
from p2p_stratego.core.lesson import TUTOR
from p2p_stratego.core.view import Bot
from p2p_stratego.registry import GAMES, lesson, lesson_number, make_bot
from protocol.errors import Refusal
from protocol.failures import Missing, NetworkFailure
from protocol.lobby.handshake import Person
from protocol.network.guest import Visitor
from protocol.network.host import Host
from protocol.network.link import Link
from protocol.network.peer import Peer
from protocol.storage.home import ID_DIGITS, Home, Owner
from protocol.storage.route import Route
from protocol.trace import Trace, silent

_SLOWER: Final = 3.0
"""How many times as long a tutor leaves each step to be read."""


def bot_home(home: Home, level: str, number: int = 1) -> Home:
    """The home folder of the bot of this level; `number`: which of several."""
    (home.path / FOLDER).mkdir(mode=0o700, exist_ok=True)
    return Home(home.path / FOLDER / (level if number == 1 else f"{level}-{number}"))


def bot_owner(home: Home, level: str, number: int = 1, called: str = "") -> Owner:
    """The bot of this level as a player; `home` is its own, and `called` the name of an engine."""
    name = (called or f"{short_name(level)} bot") + (f" {number}" if number > 1 else "")
    return Owner(home, home.identity(), name, GAMES, workers=1)  # beside a person, who must not wait for it


def local_links(nursery: trio.Nursery, trace: Trace = silent) -> tuple[Link, Link]:
    """Both ends of a link in `nursery`, without introductions.  `trace`: gets the events of the first."""
    here, there = trio.socket.socketpair()
    ours, theirs = Link(trio.SocketStream(here), trace), Link(trio.SocketStream(there))
    for link in (ours, theirs):
        link.trust()
        nursery.start_soon(link.run)
    return ours, theirs


def link_up(nursery: trio.Nursery, first: Peer, second: Peer, *, trace: Trace = silent) -> None:
    """Connect two sides of a match in this process; `trace`: gets the events of the first."""
    here, there = local_links(nursery, trace)
    first.take(here, second.replica.seat)
    second.take(there, first.replica.seat)


class Bots:
    """The bots of one table; they play in `nursery`."""

    def __init__(
        self, nursery: trio.Nursery, home: Home, homes: ExitStack, pace: ReadingPace, trace: Trace = silent
    ) -> None:
        """`home`: the player's; `homes`: closes theirs in the end; `pace`: of every bot."""
        self.fronts: list[BotFront] = []
        self.engines: Mapping[str, HiredEngine] = {}
        """By the level under which they sit."""
        self.on_remark: Callable[[str], None] = lambda _sentence: None
        """Told, in sentences, why an engine resigns."""
        self._nursery, self._home, self._pace, self._trace = nursery, home, pace, trace
        self._homes = homes
        self._keys: set[bytes] = set()
        """The keys of the bots that sit here."""
        self._here: set[tuple[str, int]] = set()
        """Level and number of each bot that sits here."""
        self.talks: Callable[[], bool] = lambda: False
        """Whether bots say a word now and then, to our player alone."""
        self.think: int | None = None
        """See `make_bot`."""

    @property
    def pausing(self) -> bool:
        """Whether a bot waits for the player to read the last step."""
        return any(front.pausing for front in self.fronts)

    @property
    def parting(self) -> bool:
        """Whether a tutor is about to give up: its lesson is over."""
        return any(front.parting for front in self.fronts)

    def go_on(self) -> None:
        """End the pauses: the player has read enough."""
        for front in self.fronts:
            front.go_on()

    def hurry(self, wanted: bool) -> None:
        """Pause no more, or again: the player does not want to read each step."""
        for front in self.fronts:
            front.hurries = wanted
        if wanted:
            self.go_on()

    def practise(self) -> None:
        """Remember nothing of this match later: our player has had a hint."""
        for front in self.fronts:
            front.replica.store.keep_practice()

    def seat(self, host: Host, engines: Sequence[HiredEngine], number: int, level: str) -> None:
        """Let `number` players into the open lobby of `host`: the engines, then bots of `level`."""
        self.engines = {engine.level: engine for engine in engines}
        for engine in engines:
            self.sit_down(host, engine.level)
        for _ in range(number - len(engines)):
            self.sit_down(host, level)

    def sit_down(self, host: Host, level: str) -> None:
        """Let one more bot of this level come into the open lobby of `host`."""
        number = 1
        while (level, number) in self._here:
            number += 1
        self._here.add((level, number))
        owner = self._owner(level, number)
        link, its = local_links(self._nursery, self._trace)
        person = Person(owner.identity.key, owner.name)
        self._nursery.start_soon(host.entertain, link, person, level)
        self._nursery.start_soon(self._visit, host, its, owner, (level, number))

    def come_back(self, ours: Peer, levels: Mapping[Seat, str]) -> list[Peer]:
        """The sides of the bots in a match that began before; `levels`: by seat.  Raises StorageFailure."""
        sides = []
        match = ours.replica.match
        for seat, level in levels.items():
            number = 1
            while (owner := self._owner(level, number)).identity.key != match.players[seat].key:
                number += 1
                if not (self._home.path / FOLDER / f"{level}-{number}").exists():
                    raise Missing(str(self._home.path / FOLDER / level))
            sides.append(Peer(self._nursery, owner, owner.home.open(match.id.hex()[:ID_DIGITS])))
        return sides

    def serve(self, peer: Peer, level: str) -> None:
        """Let a bot of this level play for `peer`, return matches too."""
        name = peer.replica.match.game.name
        people = sum(player.key not in self._keys for player in peer.replica.match.players)
        number = lesson_number(name, peer.replica.match.options) if level == TUTOR else None
        taught = None if number is None else lesson(name, number)
        hired = self.engines.get(level)
        engine = None if hired is None else EngineInMatch(peer, hired)
        made: Callable[[], Bot[Any]] = (
            partial(make_bot, name, level, random.SystemRandom(), self.think)
            if taught is None
            else partial(taught.tutor, random.SystemRandom())
        )
        front = BotFront(
            peer,
            made() if engine is None else engine.bot,
            self._pace if taught is None else slower(self._pace, _SLOWER),
            hold=_held if people > 1 else lambda: 0.0,  # nobody else learns anything from its moments
        )
        if engine is None:
            front.anew = made
            if people == 1 and taught is None:  # nobody else's record gets a word of it
                front.small_talk = partial(self._small_talk, peer, level)
                front.talks = self._talks
        else:
            self._homes.callback(engine.close)
            front.thinks = engine.thinks
            front.on_lost = partial(self._remark, engine)
        if taught is not None:
            front.over, front.quick = taught.over, taught.quick
        front.think = THINK if self.think is None else self.think
        self.fronts.append(front)
        self._nursery.start_soon(partial(front.serve, rematches=taught is None))

    def _talks(self) -> bool:
        return self.talks()  # as it is set by then

    def _small_talk(self, peer: Peer, level: str) -> SmallTalk:
        return SmallTalk(peer.replica.match, peer.replica.seat, level)

    def _remark(self, engine: EngineInMatch, lost: Lost) -> None:
        self.on_remark(engine.lost(lost))

    def _owner(self, level: str, number: int) -> Owner:
        home = self._homes.enter_context(bot_home(self._home, level, number))
        hired = self.engines.get(level)
        owner = bot_owner(home, level, number, "" if hired is None else hired.called)
        self._keys.add(owner.identity.key)
        return owner

    async def _visit(self, host: Host, link: Link, owner: Owner, which: tuple[str, int]) -> None:
        """Say yes to each proposal of the host, and play the match."""
        us = host.desk.owner
        person = Person(us.identity.key, us.name)
        visitor = Visitor(self._nursery, owner, link, person, lambda _: Route())
        visitor.visit.takebacks = True  # with our player alone
        try:
            peer = await visitor.agreeing(_yes)
        except (NetworkFailure, Refusal):
            self._here.discard(which)
            return  # sent away
        self.serve(peer, which[0])


def _held() -> float:
    """Seconds for which a pass is held back, as people's passes are (threat 40)."""
    return random.SystemRandom().uniform(timing.LEAST, timing.MOST)


async def _yes(_: object) -> bool:
    return True
