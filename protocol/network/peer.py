"""One seat of a match over the network: a Peer keeps its Replica linked to the other seats.

It goes on over every link that it gets, and its OutgoingCalls make links to the other seats, as long as the
match lives.  Tasks run in the caller's nursery and end with it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Final

import trio

from p2p_stratego.core.game import Seat
from protocol import limits
from protocol.crypto.workers import Pool, PoolClosed
from protocol.errors import Refusal
from protocol.failures import Code, Failure, NetworkFailure, Refused, StorageFailure
from protocol.network.caller import ActiveLink, OutgoingCalls
from protocol.network.checks import Checks
from protocol.network.link import Continuation, Link, closing_code
from protocol.network.transport import choice
from protocol.network.transport.crossing import Crossing
from protocol.network.transport.registry import Transports
from protocol.rendezvous.via import Via
from protocol.replication.gossip import End
from protocol.replication.presence import SeatLink
from protocol.replication.rematch import next_seat
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import Frame

_ENDS: Final = {Status.STALE: Code.STALE, Status.OVER: Code.LEFT}
"""By status: the code with which all links end, and the calls too."""


class Peer:
    """Continues one match over one link after another: `run` it, and play through its `replica`."""

    def __init__(
        self, nursery: trio.Nursery, owner: Owner, store: Store, transports: Transports = choice.STANDARD
    ) -> None:
        """Raises the same as Replica."""
        self.replica = Replica(owner, store, trio.current_time)
        self.replica.settle = self._settle
        self.replica.annotate_link = self._annotate_link
        self._match, self._due = self.replica.match, self.replica.due
        self._route, self._job = self.replica.route, self.replica.session.jobs.job
        self._pool = Pool(owner.workers) if owner.workers else None
        self._checks = None if self._pool is None else Checks(self._pool)
        self._home = owner.home
        self.calls = OutgoingCalls(nursery, owner, self.replica, transports, self._take)
        self.active = self.calls.in_use
        """The link in use to each neighbour, by its PeerId."""
        self.queued: list[ActiveLink] = []
        """Links that wait: for `run`, or until the replica has let the older link go."""
        self._crew: trio.Nursery | None = None
        self._helpers = trio.CancelScope()
        """Around the calls and the timer."""
        self._rearmed = trio.Event()
        """Set, and replaced, when the replica's `due` has changed."""
        self._closing: list[Link] = []
        self._watching: list[Link] = []
        """The links of spectators, in the order in which they came."""
        self.vias: dict[bytes, Via] = {}
        """By key of another player: the way of the last link to it."""
        self._ends = count(len(self.replica.match.players))
        self._leaving = False

    @property
    def links(self) -> tuple[SeatLink, ...]:
        """The link to each other seat, in the order of seats."""
        return self.replica.links

    @property
    def rtt(self) -> float | None:
        """The round trip in seconds to the first seat that has one; None if no seat has one."""
        return next((link.rtt for link in self.links if link.rtt is not None), None)

    def _annotate_link(self, known: SeatLink) -> SeatLink:
        """`known` with the properties of our link to that seat, and of our calls."""
        known = replace(known, calling=self.calls.calling(known.seat))
        active = self.active.get(known.seat)
        line = self.replica.exchange.gossip.lines.get(known.seat)
        if active is None or line is None or not line.compared:
            return known
        return replace(known, rtt=active.link.rtt, via=active.link.via)

    def cross(self, crossing: Crossing, seen: Callable[[Endpoint], None]) -> None:
        """Call from our port from now on, at the moment when the other end calls.

        `seen`: called with the place at which our port is seen from outside.
        """
        self.calls.cross(crossing, seen)

    def take(self, link: Link, seat: Seat | None = None) -> None:
        """Go on over `link` to `seat` (default: the next one), which has proven its key."""
        seat = self.replica.across if seat is None else seat
        self._take(ActiveLink(link, seat, seat))

    def take_watcher(self, link: Link) -> None:
        """Show the match to an admitted spectator; of too many the first must go."""
        self._watching = [other for other in self._watching if other.lost is None]
        if len(self._watching) >= limits.MAX_WATCHERS:
            self._watching[0].close(Code.REPLACED)
        self._watching.append(link)
        end = next(self._ends)
        self._take(ActiveLink(link, end, end))
        self._count_watchers()

    def _count_watchers(self) -> None:
        self._watching = [link for link in self._watching if link.lost is None]
        if not self.replica.closed:
            self.replica.watched(len(self._watching))

    def dismiss_watchers(self, code: Code = Code.REVOKED) -> None:
        """End all links of spectators."""
        for link in self._watching:
            link.close(code)

    def leave(self) -> None:
        """Save and leave; `run` returns when the other sides know, at the latest after LINGER."""
        self._leaving = True
        self.stop(Code.LEFT)

    def stop(self, code: Code) -> None:
        """End all links, and the calls if the match is over."""
        for active in (*self.active.values(), *self.queued):
            active.link.close(code)
        if self._over:
            self._helpers.cancel()

    async def run(self) -> None:
        """Continue the match until it is over and the others are gone, or we leave; then close it.

        Raises StorageFailure if the match can no longer be saved; Refused if no other seat knows the match or
        our version.
        """
        try:
            async with trio.open_nursery() as self._crew:
                for active in self.queued:
                    self._crew.start_soon(self._converse, active)
                with self._helpers:
                    async with trio.open_nursery() as helpers:
                        helpers.start_soon(self._keep_time)
                        helpers.start_soon(self._keep_working)
                        helpers.start_soon(self.calls.run)
                        await self.calls.until(lambda: self._over)
                        helpers.cancel_scope.cancel()
                self.stop(Code.LEFT)
        finally:
            self.stop(Code.LEFT)
            self.replica.close()
            if self._pool is not None:
                self._pool.close()
            if self.calls.void:
                self._home.set_aside(self.replica.store)
            for link in tuple(self._closing):  # a copy: nobody waits for a caller that comes only now
                await link.gone.wait()
        if self.replica.failure is not None:
            raise self.replica.failure
        if self.calls.failure is not None:
            raise self.calls.failure

    @property
    def _over(self) -> bool:
        ended = self.replica.status in (Status.STALE, Status.OVER)
        failed = self.replica.failure is not None or self.calls.failure is not None
        return self._leaving or ended or failed

    def _settle(self) -> None:
        """Bring links, calls, the timer and the working process into step with a changed replica."""
        replica = self.replica
        if replica.match is not self._match:
            self._match = replica.match
            self._move()
        if (due := replica.due) != self._due:
            self._due = due
            self._rearmed.set()
            self._rearmed = trio.Event()
        if replica.route is not self._route or replica.session.jobs.job is not self._job:
            self._route, self._job = replica.route, replica.session.jobs.job
            self.calls.notify()
        code = Code.FAILED if replica.failure is not None else _ENDS.get(replica.status)
        if code is not None:
            self.stop(code)

    async def _keep_time(self) -> None:
        """Call the replica's `tick` whenever it is due."""
        while True:
            with trio.move_on_at(self.replica.due):
                await self._rearmed.wait()
                continue  # `due` is another one: wait for that
            try:
                self.replica.tick()
            except StorageFailure:
                return  # the replica keeps the failure, and has stopped us

    def _show(self) -> None:
        self.replica.on_change()  # looked up at each call: a front end may set it later

    # Links in use

    def _take(self, active: ActiveLink) -> None:
        if self._over or self.replica.closed:
            active.link.close(Code.LEFT)
            self._closing.append(active.link)
            return
        for known in [*self.queued, *self.active.values()]:
            if known.end != active.end:
                continue
            # Both ends judge two links that crossed by the same rank, so both keep the same one.
            crossed = trio.current_time() < known.began + limits.CROSSED_WITHIN
            if crossed and known.rank < active.rank and known.link.lost is None:
                active.link.close(Code.REPLACED)
                return
            known.link.close(Code.REPLACED)
        self.queued.append(active)
        if self._crew is not None:
            self._crew.start_soon(self._converse, active)

    async def _converse(self, active: ActiveLink) -> None:
        """Hand frames to the replica until the link is lost."""
        link, replica = active.link, self.replica
        self._closing = [*(other for other in self._closing if not other.gone.is_set()), link]
        while (old := self.active.get(active.end)) is not None:
            if old.link.lost is None and link.lost is not None:
                self.queued.remove(active)  # both waited: `old` is the newer, and went first
                active.over.set()
                return
            old.link.close(Code.REPLACED)
            await old.over.wait()
        self.queued.remove(active)
        self.active[active.end] = active
        self.calls.notify()
        link.on_round_trip = self._show
        if active.end < len(replica.match.players):
            self.vias[replica.match.players[active.end].key] = link.via
        reason: Failure | Refusal
        try:
            replica.linked(link.send, active.end, lambda: link.queued)
            await link.feed(
                lambda frames: self._received(frames, active), lambda: replica.exchange.deadline(active.end)
            )
        except (NetworkFailure, StorageFailure, Refusal) as error:
            reason = error
        link.close(closing_code(reason))
        self.calls.lost(active)
        del self.active[active.end]
        replica.unlinked(reason, active.end, followed=self._followed(active.end, reason))
        if link in self._watching:
            self._count_watchers()
        active.over.set()
        self.calls.notify()

    def _followed(self, end: End, reason: Failure | Refusal) -> bool:
        """Whether a newer link to `end` is up.

        Its other end may close the older link before its answer to our call is here.
        """
        replaced = isinstance(reason, Refused) and reason.code == Code.REPLACED
        return any(given.end == end for given in self.queued) or (replaced and self.calls.under_way[end] > 0)

    def _received(self, frames: list[Frame], active: ActiveLink) -> Continuation | None:
        """Hand frames to the replica at once; if a check takes long, return a call that goes on with it."""
        if self._checks is not None:
            return self._checks.take(self.replica, frames, active.end)
        self.replica.received(frames, active.end)
        return None

    async def _keep_working(self) -> None:
        """Run the session's jobs in a process, one after the other."""
        while self._pool is not None:
            await self.calls.until(lambda: self.replica.session.jobs.job is not None)
            job = self.replica.session.jobs.job
            if job is not None:
                # The replica keeps a StorageFailure, and has stopped us.
                with suppress(PoolClosed, StorageFailure):
                    result = await trio.to_thread.run_sync(self._pool.run, job, abandon_on_cancel=True)
                    self.replica.finish(job, result)

    def _move(self) -> None:
        """Follow a return match: every player has moved one seat on, and spectators come anew."""
        self.dismiss_watchers(Code.REPLACED)
        seats = len(self.replica.match.players)
        for active in (*self.active.values(), *self.queued):
            if active.end < seats:
                active.end = next_seat(self.replica.match, active.end)
                active.caller = next_seat(self.replica.match, active.caller)
        moved = {active.end: active for active in self.active.values()}
        self.active.clear()
        self.active.update(moved)
        self.calls.begin()
