"""A table of five in a line of links: an entry from its author to the last seat, and what gossip costs.

All five seats share one thread here, so what a seat does beside the way of the entry counts too.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from contextlib import ExitStack
from functools import partial
from itertools import combinations, count, pairwise
from pathlib import Path
from time import perf_counter
from typing import Final

import trio

from benchmarks import floors
from benchmarks.links import linked
from benchmarks.measure import Measure, exact, rounds
from benchmarks.report import Figure, at_most, times
from protocol.channel import tls
from protocol.lobby.founding import found
from protocol.network.peer import Peer
from protocol.storage.home import Home, Owner
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.links.gossiping import Gossiping

SEATS: Final = 5
HOPS: Final = SEATS - 1
MATCHES: Final = 6
_MESH: Final = tuple(combinations(range(SEATS), 2))


def last_seat() -> Figure:
    """The median entry of each of some matches, from one end of the line to the other."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        seeds, entries = count(), list[float]()

        def play() -> float:
            seed = next(seeds)
            took = trio.run(_match, folder / str(seed), seed)
            entries.extend(took)
            return statistics.median(took)

        value, trip, sign, verify, sync = rounds(
            MATCHES,
            play,
            stack.enter_context(floors.one_way_trip()),
            floors.signature(),
            floors.verification(),
            stack.enter_context(floors.sync(str(folder))),
        )
    parts = zip(trip.samples, sign.samples, verify.samples, sync.samples, strict=True)
    floor = Measure(tuple(one + HOPS * (way + check + disk) for way, one, check, disk in parts))
    way, one, check, disk = (f"{part.median * 1e6:.0f}" for part in (trip, sign, verify, sync))
    return Figure(
        f"entry to the last of {SEATS} in a line, of {len(entries)}",
        value,
        lambda seconds: f"{seconds * 1e6:.0f} µs",
        f"sign {one} + {HOPS} x (trip {way}, verify {check}, sync {disk}) = {floor.median * 1e6:.0f} µs",
        times(value.over(floor), 4),
    )


async def _match(folder: Path, seed: int) -> list[float]:
    """Seconds of every entry of a player at one end of the line until it is in the copy at the other end."""
    with ExitStack() as homes:
        owners = []
        for seat in range(SEATS):
            home = homes.enter_context(Home(folder / str(seat)))
            owners.append(Owner(home, home.identity(), f"seat {seat}", {TOY.name: TOY}))
        stores = found(TOY, TOY.options({"rounds": 3}), owners, "")
        async with trio.open_nursery() as nursery:
            peers = [Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True)]
            certificate = tls.make()
            for one, other in pairwise(range(SEATS)):
                here, there = await linked(nursery, certificate)
                peers[one].take(here, other)
                peers[other].take(there, one)
            line = _Line(peers, random.Random(seed))
            for peer in peers:
                nursery.start_soon(peer.run)
            await line.play()
            for peer in peers:
                peer.leave()
    return line.took


class _Line:
    """Decides for all seats, one at a time, once every copy has all that came before."""

    def __init__(self, peers: list[Peer], rng: random.Random) -> None:
        self.took: list[float] = []
        self._sides = [peer.replica for peer in peers]
        self._rng = rng
        self._stirred = trio.Event()
        self._timed: tuple[int, int, float] | None = None
        """The seat that is to get an entry, the count with it, and when it set out."""
        for seat, side in enumerate(self._sides):
            side.on_change = partial(self._changed, seat)

    def _changed(self, seat: int) -> None:
        if self._timed is not None:
            to, number, began = self._timed
            if seat == to and self._sides[seat].session.referee.count >= number:
                self.took.append(perf_counter() - began)
                self._timed = None
        self._stirred.set()

    async def play(self) -> None:
        """Play to the end of the match."""
        while not all(side.finished for side in self._sides):
            if self._timed is None and self._quiet and (seat := self._deciding()) is not None:
                self._decide(seat)
                continue
            self._stirred = trio.Event()
            await self._stirred.wait()

    @property
    def _quiet(self) -> bool:
        """Whether all copies are equal, and all seats have agreed."""
        first = self._sides[0].session
        return first.referee.agreed and all(
            side.session.position() == first.position() for side in self._sides
        )

    def _deciding(self) -> int | None:
        """The seat that owes a decision of its player, if one does."""
        for seat, side in enumerate(self._sides):
            owed = side.session.referee.owed
            if owed is not None and owed.seat == seat and side.session.decision is not None:
                return seat
        return None

    def _decide(self, seat: int) -> None:
        session = self._sides[seat].session
        decision = session.decision
        if decision is None:
            return
        decided = honest(session, decision, self._rng)
        if seat in (0, HOPS):
            self._timed = HOPS - seat, session.referee.count + 1, perf_counter()
        self._sides[seat].decide(decided)


def overhead() -> Figure:
    """All bytes over the links of five seats, each linked to each, by those of one copy a seat."""
    with tempfile.TemporaryDirectory() as folder:
        table = Gossiping(Path(folder), SEATS, _MESH, options={"rounds": 3}).mend_all().settle()
        before = len(table.seats[0].session.referee.record)
        table.sent.clear()
        table.play()
        record = table.seats[0].session.referee.record[before:]
        need = (SEATS - 1) * sum(len(one.frame) for one in record)
        carried = sum(len(frame) for _, _, frame in table.sent)
        table.close()
    ratio = exact(carried / need)
    return Figure(
        f"gossip of {SEATS}, {len(_MESH)} links: bytes a record",
        exact(carried / len(record)),
        lambda size: f"{size:,.0f} B",
        f"{SEATS - 1} copies: {need / len(record):,.0f} B",
        at_most(ratio, 1.2, f"≤ 1.2 x: {ratio.median:.2f} x"),
    )


def figures() -> list[Figure]:
    """All figures of this room."""
    return [last_seat(), overhead()]
