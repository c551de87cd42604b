"""A table of three or more with real home folders and replicas; fake links between every two carry frames."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cli.games.setup_store import SetupStore
from cli.shell.settings import Settings
from cli.table.seat.controller import Environment, TableController
from p2p_stratego.core.game import Game, Options
from p2p_stratego.core.view import Bot
from p2p_stratego.registry import GAMES, make_bot
from protocol.failures import LinkLost, Loss
from protocol.record.time_control import TimeControl
from protocol.replication.replica import Replica
from protocol.storage.home import Home, Owner
from protocol.wire.encoding import Deframer, Frame
from tests.helpers.games.players import honest
from tests.helpers.links.ends import Clock, bytes_from
from tests.helpers.links.founding import founded

NAMES = ("Anna", "Boris", "Chen", "Dana", "Emil")


class Many:
    """All seats of a match; frames move only in `pump`."""

    def __init__(
        self,
        folder: Path,
        game: Game[Any],
        seats: int,
        options: Options | None = None,
        escrow: int = 0,
        control: TimeControl | None = None,
    ) -> None:
        self.clock = Clock()
        self.seats = range(seats)
        self.homes = [Home(folder / f"seat{seat}", bytes_from(f"many {seat}")) for seat in self.seats]
        self.owners = [
            Owner(home, home.identity(), name, {**GAMES, game.name: game})
            for home, name in zip(self.homes, NAMES, strict=False)
        ]
        stores = founded(game, game.options(options or {}), self.owners, "", escrow=escrow, clock=control)
        self.replicas = [
            Replica(owner, store, self.clock) for owner, store in zip(self.owners, stores, strict=True)
        ]
        self.carried: list[Frame] = []
        """All frames that came to a seat."""
        self._ways: dict[tuple[int, int], deque[bytes]] = {}
        self._deframers: dict[tuple[int, int], Deframer] = {}

    def table(self, seat: int, *, keys: bool = True) -> TableController:
        """A player's table at this match."""
        environment = Environment(
            self.clock,
            lambda: None,
            lambda: "complete: as audited.",
            keys,
            SetupStore(self.homes[seat].path),
            random.Random(seat),
        )
        table = TableController(self.replicas[seat], Settings(), environment)

        def changed() -> None:
            table.refresh()

        self.replicas[seat].on_change = changed
        return table

    def resume(self, seat: int) -> TableController:
        """A seat's program ends, with all links cut before, and begins again from its disk."""
        self.replicas[seat].close()
        store = self.homes[seat].open(self.homes[seat].games()[0].id)
        self.replicas[seat] = Replica(self.owners[seat], store, self.clock)
        return self.table(seat)

    def connect(self, *pairs: tuple[int, int]) -> None:
        """These pairs of seats are linked; without any, all are."""
        for seat, other in pairs or [(a, b) for a in self.seats for b in self.seats if a < b]:
            for way in ((seat, other), (other, seat)):
                self._ways[way], self._deframers[way] = deque(), Deframer()
            self.replicas[seat].linked(self._ways[seat, other].append, other)
            self.replicas[other].linked(self._ways[other, seat].append, seat)
        self.pump()

    def cut(self, *pairs: tuple[int, int]) -> None:
        """The links between these pairs are gone, with all frames under way."""
        for seat, other in pairs:
            self.drop((seat, other))
            self.replicas[seat].unlinked(LinkLost(Loss.BROKEN), other)
            self.replicas[other].unlinked(LinkLost(Loss.BROKEN), seat)
        self.pump()

    def drop(self, pair: tuple[int, int]) -> None:
        """All frames under way between the two are lost, and nothing more is carried."""
        self._ways.pop(pair), self._ways.pop(pair[::-1])

    def pump(self) -> None:
        """Deliver all frames under way, and those that follow from them, also after a moment."""
        for _ in range(3):
            while any(self._ways.values()):
                for (sender, to), queue in list(self._ways.items()):
                    while queue:
                        frames = list(self._deframers[sender, to].feed(queue.popleft()))
                        self.carried += frames
                        replica = self.replicas[to]
                        # In a return match every player, and so every end of a link, has moved one seat on.
                        moved = replica.seat - to
                        replica.received(frames, (sender + moved) % len(self.seats))
            self.clock.now += 0.2
            for replica in self.replicas:
                replica.tick()

    def play_on(self, bots: Sequence[Bot[Any]], until: Callable[[], bool] = lambda: False) -> None:
        """Let bots decide for all until the match is over or `until` is true."""
        while not until() and not all(replica.finished for replica in self.replicas):
            stuck = True
            for bot, replica in zip(bots, self.replicas, strict=True):
                if replica.session.decision is not None and not until():
                    replica.decide(bot.decide(replica.session.view))
                    self.pump()
                    stuck = False
            if stuck:
                self.pump()

    def play_honestly(self, until: Callable[[], bool]) -> None:
        """Let honest players decide for all until `until` is true; each round brings what is under way."""
        rng = random.Random(1)
        while not until():
            for replica in self.replicas:
                session = replica.session
                if session.decision is not None and not until():
                    replica.decide(honest(session, session.decision, rng))
                    self.pump()
            self.pump()

    def close(self) -> None:
        """Close all files."""
        for replica in self.replicas:
            replica.close()
        for home in self.homes:
            home.close()


def first_day(folder: Path) -> None:
    """Leave the homes of two players of Spies & Lies in `folder`, in the middle of their first day."""
    many = Many(folder, GAMES["spies-and-lies"], 2, {})
    many.connect()
    bots = [make_bot("spies-and-lies", "recruit", random.Random(seat)) for seat in range(2)]

    def begun() -> bool:
        state = many.replicas[0].session.referee.table.state
        return state is not None and state.turn == 2

    many.play_on(bots, begun)
    many.close()
