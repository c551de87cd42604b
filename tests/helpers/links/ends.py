"""Two players of one match with real home folders and replicas; a fake link carries their frames."""

from __future__ import annotations

import hashlib
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli.games.setup_store import SetupStore
from cli.shell.settings import Settings
from cli.table.seat.controller import Environment, TableController
from p2p_stratego.core.game import Game, Options
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.view import Bot
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.rules.game import GAME
from protocol.failures import LinkLost, Loss
from protocol.record.time_control import TimeControl
from protocol.replication.replica import Replica
from protocol.storage.home import Home, Owner
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import Deframer
from tests.helpers.links.founding import founded

NAMES = ("Anna", "Boris")


def bytes_from(seed: str) -> Callable[[int], bytes]:
    """Bytes that follow from `seed`: the same keys, secrets and chance in every run."""
    calls = iter(range(10**6))
    return lambda length: hashlib.shake_256(f"{seed} {next(calls)}".encode()).digest(length)


class Clock:
    """A clock that a test advances."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


STILL = Settings(animation=False, summary=False)
"""The usual settings, but that nothing moves and no page opens by itself."""


class Ends:
    """Both ends of a match; frames move only in `pump`."""

    def __init__(
        self,
        folder: Path,
        seed: str = "ends",
        names: tuple[str, str] = NAMES,
        options: Options | None = None,
        game: Game[Any] = GAME,
        control: TimeControl | None = None,
        takebacks: bool = False,
    ) -> None:
        """`control`: the clock that both agree on."""
        self.clock = Clock()
        self.homes = [Home(folder / f"seat{seat}", bytes_from(f"{seed} {seat}")) for seat in (0, 1)]
        owners = [
            Owner(home, home.identity(), name, GAMES) for home, name in zip(self.homes, names, strict=True)
        ]
        usual = {"starter": "red"} if game is GAME else {}
        stores = founded(game, game.options(options or usual), owners, "", clock=control, takebacks=takebacks)
        for seat, store in enumerate(stores):
            store.set_route(Route().with_place(1 - seat, Place((Endpoint("127.0.0.1", 4000),), bytes(32))))
        self.owners = owners
        self.replicas = [
            Replica(owner, store, self.clock) for owner, store in zip(owners, stores, strict=True)
        ]
        self.under_way: list[deque[bytes]] = [deque(), deque()]
        self._deframers = [Deframer(), Deframer()]

    def table(
        self,
        seat: int,
        settings: Settings | None = None,
        *,
        keys: bool = True,
        lesson: Lesson | None = None,
        number: int = 1,
        bot: bool = False,
    ) -> TableController:
        """A player's table at this match, or at this lesson of that number.

        `bot`: the other is one of this program.
        """
        chance = random.Random(seat)
        setups = SetupStore(self.homes[seat].path)
        environment = Environment(
            self.clock,
            lambda: 0.012,
            lambda: "complete: as audited.",
            keys,
            setups,
            chance,
            lesson=lesson,
            lesson_number=number,
        )
        if bot:
            exchange = self.replicas[seat].exchange
            exchange.route = replace(exchange.route, bots={1 - seat: "agent"})
        table = TableController(
            self.replicas[seat], settings or Settings(animation=False, summary=False), environment
        )

        def changed() -> None:
            table.refresh()

        self.replicas[seat].on_change = changed
        return table

    def connect(self) -> None:
        """Both ends are there."""
        self.under_way = [deque(), deque()]
        self._deframers = [Deframer(), Deframer()]
        for seat, replica in enumerate(self.replicas):
            replica.linked(self.under_way[1 - seat].append)
        self.pump()

    def resume(self, seat: int) -> TableController:
        """A seat's program ends, with the link cut before, and begins again from its disk."""
        self.replicas[seat].close()
        store = self.homes[seat].open(self.homes[seat].games()[0].id)
        self.replicas[seat] = Replica(self.owners[seat], store, self.clock)
        return self.table(seat)

    def cut(self) -> None:
        """The connection is gone, with all frames under way."""
        for replica in self.replicas:
            replica.unlinked(LinkLost(Loss.BROKEN))
        self.under_way = [deque(), deque()]

    def pump(self) -> None:
        """Deliver all frames under way, and those that follow from them."""
        while any(self.under_way):
            for seat, queue in enumerate(self.under_way):
                while queue:
                    self.replicas[seat].received(list(self._deframers[seat].feed(queue.popleft())))

    def play_on(self, bots: Sequence[Bot[Any]], until: Callable[[], bool] = lambda: False) -> None:
        """Let bots decide for both until the match is over or `until` is true."""
        while not until() and not all(replica.finished for replica in self.replicas):
            for bot, replica in zip(bots, self.replicas, strict=True):
                if replica.session.decision is not None and not until():
                    replica.decide(bot.decide(replica.session.view))
                    self.pump()

    def close(self) -> None:
        """Close all files."""
        for replica in self.replicas:
            replica.close()
        for home in self.homes:
            home.close()
