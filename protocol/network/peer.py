"""One seat of a match over the network: a Peer keeps its Replica linked to the other seats.

It goes on over every link that it is given, and calls every other seat whose address it knows, as long as the
match lives: a lower seat calls a higher one at once, a higher one after a while, or at once if it has no link
at all.  Tasks run in the caller's nursery and end with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count

import trio

from p2p_stratego.core.game import Seat
from protocol.channel import limits
from protocol.crypto.workers import Pool, PoolClosed
from protocol.errors import Refusal, Stale
from protocol.failures import Code, Failure, LinkLost, Loss, NetworkFailure, Refused, StorageFailure
from protocol.lobby.introductions import resuming
from protocol.network.checks import Checks
from protocol.network.closing import closing_code
from protocol.network.link import Link, call
from protocol.network.transport import choice
from protocol.network.transport.crossing import Crossing, relay_among
from protocol.network.transport.registry import Transports
from protocol.rendezvous.via import Via
from protocol.replication.calling import Journal
from protocol.replication.gossip import End
from protocol.replication.presence import SeatLink
from protocol.replication.rematch import next_seat
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint, Relayed
from protocol.wire.encoding import Frame


class Talk:
    """A link in use; `caller`: the seat that made it."""

    def __init__(self, link: Link, end: End, caller: Seat) -> None:
        self.link = link
        self.end = end
        self.caller = caller
        self.began = trio.current_time()
        self.over = trio.Event()
        """Set when the replica has let the link go."""

    @property
    def rank(self) -> tuple[bool, Seat]:
        """Of two that cross the lower stays: a straight one, then the lower seat's; both ends agree."""
        return self.link.via.relayed, self.caller


class Peer:
    """Continues one match over one link after another: `run` it, and play through its `replica`."""

    def __init__(
        self, nursery: trio.Nursery, owner: Owner, store: Store, transports: Transports = choice.STANDARD
    ) -> None:
        """Raises the same as Replica.  It calls the other seats by itself."""
        self.replica = Replica(owner, store, trio.current_time)
        self.replica.on_stop = self.stop
        self.replica.on_due = self._rearm
        self.replica.on_news = self._stir
        self.replica.on_rematch = self._move
        self.replica.on_job = self._stir
        self.replica.measured = self._measured
        self._pool = Pool(owner.workers) if owner.workers else None
        self._checks = None if self._pool is None else Checks(self._pool)
        self._identity = owner.identity
        self._home = owner.home
        self._void = False
        """Whether the match never began: nobody whom we can call knows it, and not all have agreed."""
        self._trace = owner.trace
        self._transports = transports
        self._nursery = nursery
        """Where links run, beyond the life of the match."""
        self._talks: dict[End, Talk] = {}
        """By end: the link in use."""
        self._given: list[Talk] = []
        """Links that wait: for `run`, or until the replica has let the older one go."""
        self._crew: trio.Nursery | None = None
        self._helpers = trio.CancelScope()
        """Around the calls and the timer."""
        self._stirred = trio.Event()
        """Set, and replaced, when links or addresses have changed."""
        self._rearmed = trio.Event()
        """The same when the replica's next moment has."""
        self._pauses: dict[Seat, float] = {}
        """By seat, the seconds before it is called again."""
        self._unsteady: dict[Seat, float] = {}
        """By seat whose last straight link was soon lost, the seconds before the next one is sought."""
        self._hopeless: dict[Seat, Place] = {}
        """The places where a seat said that calling again is useless."""
        self._journal = Journal(trio.current_time)
        """How calls to each seat went."""
        self._crossing: Crossing | None = None
        self._seen: Callable[[Endpoint], None] = lambda _: None
        self._closing: set[Link] = set()
        self._watching: list[Link] = []
        """The links of spectators, in the order in which they came."""
        self.vias: dict[bytes, Via] = {}
        """By key of another player: by which way the last link to it went."""
        self._ends = count(len(self.replica.match.players))
        self._leaving = False
        self._failed: Failure | Refusal | None = None

    @property
    def links(self) -> tuple[SeatLink, ...]:
        """The way to each other seat, ascending."""
        return self.replica.links

    @property
    def rtt(self) -> float | None:
        """The round trip in seconds to the next seat that has one: of two, the other side."""
        return next((one.rtt for one in self.links if one.rtt is not None), None)

    def _measured(self, known: SeatLink) -> SeatLink:
        """What is known of the way to a seat, with the properties of our link to it, and of our calls."""
        known = replace(known, calling=self._journal.of(known.seat, self._place(known.seat)))
        talk = self._talks.get(known.seat)
        line = self.replica.exchange.gossip.lines.get(known.seat)
        if talk is None or line is None or not line.compared:
            return known
        return replace(known, rtt=talk.link.rtt, via=talk.link.via)

    def cross(self, crossing: Crossing, seen: Callable[[Endpoint], None]) -> None:
        """Call from our port from now on, at the moment when the other end calls; `seen`: told where it is
        seen from outside.
        """
        self._crossing, self._seen = crossing, seen
        self._stir()

    def take(self, link: Link, seat: Seat | None = None) -> None:
        """Go on over `link` to `seat` (default: the next one), which has proven its key."""
        seat = self.replica.across if seat is None else seat
        self._take(Talk(link, seat, seat))

    def take_watcher(self, link: Link) -> None:
        """Show the match to a spectator with the right to watch; of too many the first one must go."""
        self._watching = [other for other in self._watching if other.lost is None]
        if len(self._watching) >= limits.MAX_WATCHERS:
            self._watching[0].close(Code.REPLACED)
        self._watching.append(link)
        end = next(self._ends)
        self._take(Talk(link, end, end))
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
        """Save and leave; `run` returns once the other sides know, at the latest after LINGER."""
        self._leaving = True
        self.stop(Code.LEFT)

    def stop(self, code: Code) -> None:
        """End all links and the waiting for some."""
        for talk in (*self._talks.values(), *self._given):
            talk.link.close(code)
        if self._over:
            self._helpers.cancel()

    async def run(self) -> None:
        """Continue the match until it is over and the others gone, or we leave; then close it.

        Raises StorageFailure if it can no longer be saved; Refused if no other seat knows the match or our
        version.
        """
        try:
            async with trio.open_nursery() as self._crew:
                for talk in self._given:
                    self._crew.start_soon(self._converse, talk)
                with self._helpers:
                    async with trio.open_nursery() as helpers:
                        helpers.start_soon(self._keep_time)
                        helpers.start_soon(self._keep_working)
                        helpers.start_soon(self._keep_looking)
                        for seat in range(len(self.replica.match.players)):
                            helpers.start_soon(self._keep_calling, seat)
                            helpers.start_soon(self._keep_improving, seat)
                        await self._until(lambda: self._over)
                        helpers.cancel_scope.cancel()
                self.stop(Code.LEFT)
        finally:
            self.stop(Code.LEFT)
            self.replica.close()
            if self._pool is not None:
                self._pool.close()
            if self._void:
                self._home.set_aside(self.replica.store)
            for link in tuple(self._closing):  # a caller who is told now that we leave is not waited for
                await link.gone.wait()
        if self.replica.failure is not None:
            raise self.replica.failure
        if self._failed is not None:
            raise self._failed

    @property
    def _over(self) -> bool:
        ended = self.replica.status in (Status.STALE, Status.OVER)
        return self._leaving or ended or self.replica.failure is not None or self._failed is not None

    def _stir(self) -> None:
        """Links or addresses have changed."""
        self._stirred.set()
        self._stirred = trio.Event()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._stirred.wait()

    def _rearm(self) -> None:
        """The replica's next moment is another one."""
        self._rearmed.set()
        self._rearmed = trio.Event()

    async def _keep_time(self) -> None:
        """Tell the replica when its next moment has come."""
        while True:
            with trio.move_on_at(self.replica.due):
                await self._rearmed.wait()
                continue
            try:
                self.replica.tick()
            except StorageFailure:
                return  # kept in the replica, which has stopped us

    def _show(self) -> None:
        self.replica.on_change()  # looked up at each call: a front end may set it later

    # Links in use

    def _take(self, talk: Talk) -> None:
        if self._over or self.replica.closed:
            talk.link.close(Code.LEFT)
            self._closing.add(talk.link)
            return
        for known in [*self._given, *self._talks.values()]:
            if known.end != talk.end:
                continue
            crossed = trio.current_time() < known.began + limits.CROSSED_WITHIN
            if crossed and known.rank < talk.rank and known.link.lost is None:
                talk.link.close(Code.REPLACED)
                return
            known.link.close(Code.REPLACED)
        self._given.append(talk)
        if self._crew is not None:
            self._crew.start_soon(self._converse, talk)

    async def _converse(self, talk: Talk) -> None:
        """Hand frames to the replica until the link is lost."""
        link, replica = talk.link, self.replica
        self._closing = {one for one in self._closing if not one.gone.is_set()} | {link}
        while (old := self._talks.get(talk.end)) is not None:
            if old.link.lost is None and link.lost is not None:
                self._given.remove(talk)  # of two that waited the other one was first, and is the newer
                talk.over.set()
                return
            old.link.close(Code.REPLACED)
            await old.over.wait()
        self._given.remove(talk)
        self._talks[talk.end] = talk
        self._stir()
        link.on_round_trip = self._show
        if talk.end < len(replica.match.players):
            self.vias[replica.match.players[talk.end].key] = link.via
        reason: Failure | Refusal
        try:
            replica.linked(link.send, talk.end, lambda: link.queued)
            await link.feed(
                lambda frames: self._received(frames, talk), lambda: replica.exchange.deadline(talk.end)
            )
        except (NetworkFailure, StorageFailure, Refusal) as error:
            reason = error
        link.close(closing_code(reason))
        self._judge(talk)
        del self._talks[talk.end]
        replica.unlinked(reason, talk.end, followed=any(one.end == talk.end for one in self._given))
        if link in self._watching:
            self._count_watchers()
        talk.over.set()
        if isinstance(reason, Stale | StorageFailure):
            self.stop(Code(closing_code(reason)))
        self._stir()

    def _judge(self, talk: Talk) -> None:
        """Its link is lost.  A straight one that takes over and soon breaks, again and again, would cost more
        time than the relay does.
        """
        settled = trio.current_time() >= talk.began + limits.SETTLED
        if settled:
            self._pauses.pop(talk.end, None)
        if talk.end < len(self.replica.match.players) and not talk.link.via.relayed:
            before = self._unsteady.pop(talk.end, 0.0)
            if not settled:
                after = max(limits.STRAIGHT_AFTER, 2 * before)
                self._unsteady[talk.end] = min(limits.LONGEST_STRAIGHT, after)

    def _received(self, frames: list[Frame], talk: Talk) -> Callable[[], Awaitable[None]] | None:
        """Hand frames to the replica at once; where that takes long, return what does it in time."""
        if self._checks is not None:
            return self._checks.take(self.replica, frames, talk.end)
        self.replica.received(frames, talk.end)
        return None

    async def _keep_working(self) -> None:
        """Have the session's jobs done in a process, one after the other."""
        while self._pool is not None:
            await self._until(lambda: self.replica.session.works.job is not None)
            job = self.replica.session.works.job
            if job is not None:
                with suppress(
                    PoolClosed, StorageFailure
                ):  # the replica, which keeps the failure, has stopped us
                    result = await trio.to_thread.run_sync(self._pool.run, job, abandon_on_cancel=True)
                    self.replica.made(job, result)

    def _move(self) -> None:
        """A return match has begun: every player has moved one seat on, and spectators come anew."""
        self.dismiss_watchers(Code.REPLACED)
        seats = len(self.replica.match.players)
        for talk in (*self._talks.values(), *self._given):
            if talk.end < seats:
                talk.end = next_seat(self.replica.match, talk.end)
                talk.caller = next_seat(self.replica.match, talk.caller)
        self._talks = {talk.end: talk for talk in self._talks.values()}
        self._pauses, self._hopeless, self._unsteady = {}, {}, {}
        self._journal = Journal(trio.current_time)

    # Calls

    async def _keep_calling(self, seat: Seat) -> None:
        """Call `seat` whenever it is known where it listens and no link leads there."""
        while True:
            await self._until(lambda: self._callable(seat))
            pause = self._pauses.get(seat, 0.0)
            if self._talks and self.replica.seat > seat and self.replica.route.own is not None:
                pause = max(pause, limits.HIGHER_CALLS_AFTER)  # the other one calls
            place = self.replica.route.others[seat]
            self._journal.waits(seat, trio.current_time() + pause)
            with trio.move_on_after(pause):
                await self._until(partial(self._changed, seat, place))
            self._journal.waits(seat, None)
            if self._place(seat) != place:
                self._pauses.pop(seat, None)
            elif self._callable(seat):
                self._pauses[seat] = min(limits.LONGEST_WAIT, max(1.0, 2 * self._pauses.get(seat, 0.0)))
                await self._call(seat, place)

    def _changed(self, seat: Seat, place: Place) -> bool:
        """Whether it is no use to wait for the moment to call `seat` at `place`."""
        return not self._callable(seat) or self._place(seat) != place

    def _place(self, seat: Seat) -> Place | None:
        return self.replica.route.others.get(seat)

    def _callable(self, seat: Seat) -> bool:
        place = self._place(seat)
        here = seat == self.replica.seat or seat in self._talks
        return not here and place is not None and self._hopeless.get(seat) != place

    async def _call(self, seat: Seat, place: Place) -> None:
        replica, match = self.replica, self.replica.match
        try:
            link = await self._linked(seat, place)
        except (NetworkFailure, Refusal) as failure:
            if replica.match is not match:
                return  # a return match has begun: `seat` is another player's
            replica.not_reached(failure, seat)
            if isinstance(failure, Refused) and failure.final and not (replica.finished or replica.claimed):
                self._hopeless[seat] = place
                self._despair(failure)
        else:
            self._take(Talk(link, seat, replica.seat))

    async def _keep_improving(self, seat: Seat) -> None:
        """Call `seat` straight, ever less often, while the link to it goes through a relay.

        A link that comes so takes over: SYNC brings whatever was under way on the other one.
        """
        while True:
            await self._until(lambda: self._straight(seat) is not None)
            place, pause = self._straight(seat), self._unsteady.get(seat, 0.0)
            step = max(limits.STRAIGHT_AFTER, pause)
            if self.replica.seat > seat and self.replica.route.own is not None and self._crossing is None:
                pause = max(pause, limits.HIGHER_CALLS_AFTER)  # the other one calls
            while place is not None and self._straight(seat) == place:
                self._journal.waits(seat, trio.current_time() + pause, better=True)
                with trio.move_on_after(pause):
                    await self._until(partial(self._no_longer_straight, seat, place))
                    break
                pause, step = step, min(limits.LONGEST_STRAIGHT, 2 * step)
                self._journal.waits(seat, None, better=True)
                with suppress(NetworkFailure, Refusal):
                    link = await self._linked(seat, place, crosses=True)
                    self._take(Talk(link, seat, self.replica.seat))
            self._journal.settled(seat)

    async def _keep_looking(self) -> None:
        """Learn where our port is seen from outside while a link goes through a relay, so that the ends can
        call each other at the same moment.
        """
        while True:
            await self._until(lambda: self._relay() is not None)
            relay = self._relay()
            if relay is not None and self._crossing is not None:
                await self._crossing.look(relay, self._seen)
            await trio.sleep(limits.LONGEST_STRAIGHT)

    def _relay(self) -> Endpoint | None:
        """A relay that may be asked where our port is seen; None if no link goes through one."""
        places = [self._place(talk.end) for talk in self._talks.values() if talk.link.via.relayed]
        if self._crossing is None or not places:
            return None
        return relay_among((self.replica.route.own, *places), self._transports)

    def _straight(self, seat: Seat) -> Place | None:
        """Where `seat` could be called straight, if the link to it goes through a relay."""
        talk, place = self._talks.get(seat), self._place(seat)
        if talk is None or not talk.link.via.relayed or place is None:
            return None
        ways = [
            way for way in place.addresses if not isinstance(way, Relayed) and self._transports.serves(way)
        ]
        return Place(tuple(ways), place.certificate) if ways else None

    def _no_longer_straight(self, seat: Seat, place: Place) -> bool:
        return self._straight(seat) != place

    async def _linked(self, seat: Seat, place: Place, *, crosses: bool = False) -> Link:
        """A link to the player of `seat` at `place`.  Raises NetworkFailure or a Refusal.

        `crosses`: the other end may call at the same moment; of the two calls the lower seat's is one.

        In a return match that begins meanwhile the seats are other ones, and so this link is of no use.
        """
        replica, match, own = self.replica, self.replica.match, self.replica.seat
        journal = self._journal  # that of this match
        transports = self._transports
        if crosses and self._crossing is not None:
            transports = self._crossing.transports(transports, yields=own > seat)
        try:
            link = await call(self._nursery, place, self._trace, transports, journal.report(seat))
        finally:
            journal.ended(seat)
        try:
            await link.attend(
                lambda say: resuming(say, link.binding, self._identity, match, seat=own, called=seat)
            )
        except (NetworkFailure, Refusal) as failure:
            journal.refused(seat, failure)
            raise
        if replica.match is not match:
            link.close(Code.REPLACED)
            raise LinkLost(Loss.CLOSED_HERE)
        return link

    def _despair(self, failure: Refused) -> None:
        """Give up if no seat is left that we could call, nor one that could call us."""
        replica = self.replica
        agreed = replica.session.referee.agreed
        left = [seat for seat, place in replica.route.others.items() if self._hopeless.get(seat) != place]
        callers = len(replica.links) - len(self._hopeless) if replica.route.own is not None and agreed else 0
        if not self._talks and not left and not callers:
            self._failed = failure
            self._void = failure.code == Code.UNKNOWN_MATCH and not agreed
        self._stir()
