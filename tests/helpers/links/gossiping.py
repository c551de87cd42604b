"""A table of real replicas with homes on the disk, joined by fake links in any graph; tests move frames."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from p2p_stratego.core.game import Game, Options
from protocol.errors import Refusal
from protocol.failures import Failure, LinkLost, Loss, NotNow
from protocol.record.time_control import TimeControl
from protocol.replication.replica import Replica
from protocol.seat.session import Signer
from protocol.storage.home import Owner
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.links.founding import founded
from tests.helpers.machine.homes import KeptHome, kill

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
Edge = tuple[int, int]

STEP = 0.005
"""Seconds of an event while a table plays: about a trip between neighbours."""
LOST = LinkLost(Loss.BROKEN)


def graphs(seats: int) -> dict[str, list[Edge]]:
    """The graphs of links by name, for three to five seats."""
    line = [(seat, seat + 1) for seat in range(seats - 1)]
    half = seats // 2
    left, right = combinations(range(half), 2), combinations(range(half, seats), 2)
    return {
        "star": [(0, seat) for seat in range(1, seats)],
        "line": line,
        "ring": [*line, (0, seats - 1)],
        "mesh": list(combinations(range(seats), 2)),
        "bridge": [*left, *right, (half - 1, half)],
    }


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Gossiping:
    """`seats` replicas of one match, and the links of a graph; frames move one by one."""

    def __init__(
        self,
        folder: Path,
        seats: int,
        edges: Iterable[Edge],
        *,
        seed: int = 0,
        options: Options | None = None,
        game: Game[Any] = TOY,
        control: TimeControl | None = None,
        proofs: bool = False,
        escrow: int = 0,
        takebacks: bool = False,
    ) -> None:
        """`control`: the clock that all agree on; `proofs`, `escrow`, `takebacks`: as in the genesis."""
        self.rng = random.Random(seed)
        self.clock = Clock()
        self.owners = [
            Owner(home, home.identity(), name, {game.name: game}, wall=self.clock)
            for name in NAMES[:seats]
            for home in [KeptHome(folder / name, random.Random(f"{name} {seed}").randbytes)]
        ]
        agreed = game.options(options or {})
        stores = founded(
            game,
            agreed,
            self.owners,
            "",
            proofs=proofs,
            escrow=escrow,
            clock=control,
            takebacks=takebacks,
        )
        self.seats = [Replica(own, store, self.clock) for own, store in zip(self.owners, stores, strict=True)]
        self.edges = list(edges)
        self.links: dict[Edge, deque[Frame]] = {}
        """By sender and receiver, the frames under way; none while the link is cut."""
        self.dead: set[int] = set()
        """Seats whose process is gone."""
        self.carried: dict[Edge, int] = {}
        """By sender and receiver, the bytes sent so far."""
        self.sent: list[tuple[int, int, Frame]] = []
        self.hung_up: list[tuple[int, int, Refusal | Failure]] = []
        """Who ended a link to whom, and why."""

    def process(self, seat: int) -> AbstractContextManager[None]:
        """What the process of a seat does happens in it; a table on which processes die has its own."""
        return nullcontext()

    # Links

    def mend(self, edge: Edge) -> None:
        """Both ends have a new link."""
        if edge in self.links or self.dead & set(edge):
            return
        self.links[edge] = deque()
        self.links[edge[::-1]] = deque()
        for end, other in (edge, edge[::-1]):
            if edge not in self.links:
                return  # the process of the first end has died of it
            with self.process(end):
                self.seats[end].linked(partial(self.send, end, other), self._known(end, other))

    def _known(self, end: int, other: int) -> int:
        """The seat of `other` in the match that `end` plays: a return match moves all seats on."""
        return (other + self.seats[end].seat - end) % len(self.seats)

    def mend_all(self) -> Gossiping:
        """All links of the graph are there."""
        for edge in self.edges:
            self.mend(edge)
        return self

    def send(self, end: int, other: int, data: bytes) -> None:
        """Put the frames of a seat on the way to another."""
        if (end, other) not in self.links:
            return
        self.carried[end, other] = self.carried.get((end, other), 0) + len(data)
        for frame in Deframer().feed(data):
            self.links[end, other].append(frame)
            self.sent.append((end, other, frame))

    def cut(self, edge: Edge, why: Refusal | Failure = LOST) -> None:
        """The link is gone with all frames under way."""
        low, high = sorted(edge)
        if (low, high) in self.links:
            del self.links[low, high], self.links[high, low]
            for end, other in ((low, high), (high, low)):
                if end not in self.dead:
                    with self.process(end):
                        self.seats[end].unlinked(why, self._known(end, other))

    def deliver(self, edge: Edge, count: int = 1) -> None:
        """The next frames of a link arrive; a refusal ends it."""
        sender, receiver = edge
        frames = [self.links[edge].popleft() for _ in range(min(count, len(self.links[edge])))]
        try:
            with self.process(receiver):
                self.seats[receiver].received(frames, self._known(receiver, sender))
        except (Refusal, Failure) as error:
            self.hung_up.append((receiver, sender, error))
            self.cut(edge, error)

    def kill(self, seat: int) -> None:
        """The process of `seat` dies."""
        self.dead.add(seat)
        for edge in [edge for edge in self.links if seat in edge]:
            self.cut(edge)
        kill(self.seats[seat].store)

    def restart(self, seat: int) -> Replica:
        """A new process opens the files of a dead seat."""
        match = self.seats[seat].match.id.hex()[:32]
        self.seats[seat] = Replica(self.owners[seat], self.owners[seat].home.open(match), self.clock)
        self.dead.discard(seat)
        return self.seats[seat]

    def signer(self, seat: int) -> Signer:
        """Signs with the key of a seat what its program would not."""
        return Signer(self.owners[seat].identity, self.seats[seat].match, self.seats[seat].seat)

    # Events

    @property
    def alive(self) -> list[Replica]:
        return [end for seat, end in enumerate(self.seats) if seat not in self.dead]

    def decide(self, replica: Replica) -> bool:
        """Its player decides, if there is something to decide."""
        decision = replica.session.decision
        if decision is not None:
            with self.process(replica.seat):
                replica.decide(honest(replica.session, decision, self.rng))
        return decision is not None

    def claim(self) -> None:
        """Every player whose patience is at an end says so."""
        for seat in self.alive:
            if seat.claimable_in == 0:
                with suppress(NotNow):
                    seat.claim_away()

    def settle(self) -> Gossiping:
        """Deliver all frames under way, in any order that links allow, and let the timers run out."""
        while True:
            while busy := [edge for edge, queue in self.links.items() if queue]:
                self.deliver(self.rng.choice(busy))
            due = min((seat.exchange.due for seat in self.alive), default=float("inf"))
            if due == float("inf"):
                return self
            self.clock.now = max(self.clock.now, due)
            for seat in self.alive:
                seat.tick()

    def step(self) -> bool:
        """One event: a frame arrives or a player decides, else the next timer."""
        events: list[Any] = [edge for edge, queue in self.links.items() if queue]
        events += [seat for seat in self.alive if seat.session.decision is not None]
        if events:
            self.clock.now += STEP
            event = self.rng.choice(events)
            if isinstance(event, tuple):
                self.deliver(event, self.rng.choice((1, 1, 3)))
            else:
                self.decide(event)
            return True
        due = min((seat.exchange.due for seat in self.alive), default=float("inf"))
        if due == float("inf"):
            return False
        self.clock.now = max(self.clock.now, due)
        for seat in self.alive:
            seat.tick()
        return True

    def play(self, steps: int = 100_000) -> Gossiping:
        """Go on until nothing happens any more."""
        while steps and self.step():
            steps -= 1
        assert steps, "the table does not come to rest"
        return self

    def trouble(self, muddled: bool = False) -> None:
        """Something happens to a link or a process; `muddled`: or to the order of the frames of a link."""
        edge = self.rng.choice(self.edges)
        seat = self.rng.randrange(len(self.seats))
        queues = [queue for queue in self.links.values() if queue]
        what = self.rng.choice(("cut", "mend", "kill", "restart", "wait") + ("muddle",) * 4 * muddled)
        if what == "cut":
            self.cut(edge)
        elif what == "mend":
            self.mend(edge)
        elif what == "kill" and seat not in self.dead:
            self.kill(seat)
        elif what == "restart" and seat in self.dead:
            self.restart(seat)
        elif what == "wait":
            self.clock.now += self.rng.random() * 5
        elif queues:
            self._muddle(self.rng.choice(queues))

    def _muddle(self, queue: deque[Frame]) -> None:
        """Whoever carries records gives some twice, and in another order."""
        frames = list(queue)
        if all(frame.kind in (ENTRY, STATEMENT) for frame in frames):
            frames += self.rng.sample(frames, min(2, len(frames)))
            self.rng.shuffle(frames)
            queue.clear()
            queue.extend(frames)

    def heal(self) -> Gossiping:
        """All processes and all links are there again."""
        for seat in sorted(self.dead):
            self.restart(seat)
        return self.mend_all()

    def until_owing(self, seat: int) -> Replica:
        """All is at rest, and the table waits for a decision of `seat`."""
        while True:
            self.settle()
            owed = self.seats[seat].session.referee.owed
            if owed is not None and owed.seat == seat and self.seats[seat].session.decision is not None:
                return self.seats[seat]
            others = [end for other, end in enumerate(self.seats) if other != seat]
            assert sum(map(self.decide, others)), "no other seat has anything to decide"

    # What came of it

    def records(self, seat: int) -> set[bytes]:
        return {record.payload for record in self.seats[seat].session.referee.record}

    def equal(self, seats: Sequence[int] | None = None) -> bool:
        """Whether the copies hold the same records."""
        first, *others = [self.records(seat) for seat in seats or range(len(self.seats))]
        return all(other == first for other in others)

    def copies(self, kinds: Iterable[int] = (ENTRY, STATEMENT)) -> int:
        """How many frames of these kinds went over all links."""
        return sum(frame.kind in kinds for _, _, frame in self.sent)

    def close(self) -> None:
        for seat in self.alive:
            seat.close()
        for own in self.owners:
            own.home.close()
