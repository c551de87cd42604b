"""Outgoing calls: to the other seats of a match as long as it lives, and to a friend at its standing door.

A lower seat calls a higher seat at once.  A higher seat waits a while, unless it has no link at all.  So two
seats that know of each other seldom call at the same moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import trio

from p2p_stratego.core.game import Seat
from protocol import limits
from protocol.errors import Refusal
from protocol.failures import Code, LinkLost, Loss, NetworkFailure, Refused
from protocol.lobby.handshake import Person
from protocol.lobby.introductions import ask_dialogue, resume_dialogue
from protocol.network.link import Link, call, call_unknown
from protocol.network.transport.crossing import Crossing, relay_among
from protocol.network.transport.registry import Transports
from protocol.rendezvous.own_addresses import unreachable
from protocol.replication.gossip import End
from protocol.replication.journal import CallState, Journal
from protocol.replication.replica import Replica
from protocol.storage.contacts import Contact, Door
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Address, Endpoint, Relayed, address_text
from protocol.wire.encoding import Frame


class ActiveLink:
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
        """The order of two links that cross: the lower stays.  Straight before relayed, then the lower
        seat's.

        Both ends compute the same order, so they keep the same link.
        """
        return self.link.via.relayed, self.caller


class OutgoingCalls:
    """The calls of one seat; `run` them in a nursery that ends with the match."""

    def __init__(
        self,
        nursery: trio.Nursery,
        owner: Owner,
        replica: Replica,
        transports: Transports,
        take: Callable[[ActiveLink], None],
    ) -> None:
        """`nursery`: the links run in it, beyond the life of the match; `take`: takes each new link."""
        self.in_use: dict[End, ActiveLink] = {}
        """By end: the link in use; Peer writes it."""
        self.failure: Refused | None = None
        """The refusal that makes every further call useless."""
        self.void = False
        """Whether the match never began: no seat that we can call knows it, and not all have agreed."""
        self._nursery, self._identity, self._trace = nursery, owner.identity, owner.trace
        self._replica, self._transports, self._take = replica, transports, take
        self._crossing: Crossing | None = None
        self._seen: Callable[[Endpoint], None] = lambda _: None
        self._notified = trio.Event()
        """Set, and replaced, when links or addresses have changed."""
        self.begin()

    def begin(self) -> None:
        """Forget all calls: a match or a return match begins."""
        self._pauses: dict[Seat, float] = {}
        """By seat: the seconds before the next call."""
        self._unsteady: dict[Seat, float] = {}
        """By seat with a straight link that was soon lost: the seconds before the next straight call."""
        self.hopeless: dict[Seat, Place] = {}
        """By seat: the place whose answer was that further calls are useless."""
        self._journal = Journal(trio.current_time)
        """The reports of all calls, by seat."""
        self.under_way: Counter[Seat] = Counter()
        """How many calls to each seat have no answer yet."""

    def cross(self, crossing: Crossing, seen: Callable[[Endpoint], None]) -> None:
        """As Peer.cross."""
        self._crossing, self._seen = crossing, seen
        self.notify()

    def calling(self, seat: Seat) -> CallState:
        """The present state of the calls to `seat`."""
        return self._journal.of(seat, self._place(seat))

    def notify(self) -> None:
        """Wake all calls: links or addresses have changed."""
        self._notified.set()
        self._notified = trio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return once `condition` holds; it is evaluated after every `notify`."""
        while not condition():
            await self._notified.wait()

    async def run(self) -> None:
        """Call every other seat until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_looking)
            for seat in range(len(self._replica.match.players)):
                nursery.start_soon(self._keep_calling, seat)
                nursery.start_soon(self._keep_improving, seat)

    def lost(self, active: ActiveLink) -> None:
        """Set the pauses of the next calls, after a link is lost.

        A straight link that takes over and soon breaks, again and again, would cost more time than the relay:
        so each time its next call waits twice as long.
        """
        settled = trio.current_time() >= active.began + limits.SETTLED
        if settled:
            self._pauses.pop(active.end, None)
        if active.end < len(self._replica.match.players) and not active.link.via.relayed:
            before = self._unsteady.pop(active.end, 0.0)
            if not settled:
                after = max(limits.STRAIGHT_AFTER, 2 * before)
                self._unsteady[active.end] = min(limits.LONGEST_STRAIGHT, after)

    async def _keep_calling(self, seat: Seat) -> None:
        """Call `seat` whenever its place is known and no link leads there."""
        while True:
            await self.until(lambda: self._callable(seat))
            pause = self._pauses.get(seat, 0.0)
            if self.in_use and self._replica.seat > seat and self._replica.route.own is not None:
                pause = max(pause, limits.HIGHER_CALLS_AFTER)  # the other one calls
            place = self._replica.route.others[seat]
            self._journal.waits(seat, trio.current_time() + pause)
            with trio.move_on_after(pause):
                await self.until(partial(self._changed, seat, place))
            self._journal.waits(seat, None)
            if self._place(seat) != place:
                self._pauses.pop(seat, None)
            elif self._callable(seat):
                self._pauses[seat] = min(limits.LONGEST_WAIT, max(1.0, 2 * self._pauses.get(seat, 0.0)))
                await self.call(seat, place)

    def _changed(self, seat: Seat, place: Place) -> bool:
        """Whether the wait for the next call of `seat` at `place` has become useless."""
        return not self._callable(seat) or self._place(seat) != place

    def _place(self, seat: Seat) -> Place | None:
        return self._replica.route.others.get(seat)

    def _callable(self, seat: Seat) -> bool:
        place = self._place(seat)
        here = seat == self._replica.seat or seat in self.in_use
        return not here and place is not None and self.hopeless.get(seat) != place

    async def call(self, seat: Seat, place: Place) -> None:
        """Call `seat` at `place` once, and hand the link over."""
        replica, match = self._replica, self._replica.match
        try:
            link = await self.new_link(seat, place)
        except (NetworkFailure, Refusal) as failure:
            if replica.match is not match:
                return  # a return match has begun: `seat` belongs to another player
            replica.not_reached(failure, seat)
            if isinstance(failure, Refused) and failure.final and not (replica.finished or replica.claimed):
                self.hopeless[seat] = place
                self._give_up_if_hopeless(failure)
        else:
            self._take(ActiveLink(link, seat, replica.seat))

    async def _keep_improving(self, seat: Seat) -> None:
        """Call `seat` straight, ever less often, while the link to it goes through a relay.

        The new link takes over: SYNC brings every frame that was under way on the old link.
        """
        while True:
            await self.until(lambda: self._straight(seat) is not None)
            place, pause = self._straight(seat), self._unsteady.get(seat, 0.0)
            step = max(limits.STRAIGHT_AFTER, pause)
            if self._replica.seat > seat and self._replica.route.own is not None and self._crossing is None:
                pause = max(pause, limits.HIGHER_CALLS_AFTER)  # the other one calls
            while place is not None and self._straight(seat) == place:
                self._journal.waits(seat, trio.current_time() + pause, better=True)
                with trio.move_on_after(pause):
                    await self.until(partial(self._no_longer_straight, seat, place))
                    break
                pause, step = step, min(limits.LONGEST_STRAIGHT, 2 * step)
                self._journal.waits(seat, None, better=True)
                with suppress(NetworkFailure, Refusal):
                    link = await self.new_link(seat, place, crosses=True)
                    self._take(ActiveLink(link, seat, self._replica.seat))
            self._journal.settled(seat)

    async def _keep_looking(self) -> None:
        """Learn where our port is seen from outside, as long as a link goes through a relay.

        With that, both ends can call each other at the same moment.
        """
        while True:
            await self.until(lambda: self._relay() is not None)
            relay = self._relay()
            if relay is not None and self._crossing is not None:
                await self._crossing.look(relay, self._seen)
            await trio.sleep(limits.LONGEST_STRAIGHT)

    def _relay(self) -> Endpoint | None:
        """A relay that may say where our port is seen; None if no link goes through a relay."""
        places = [self._place(active.end) for active in self.in_use.values() if active.link.via.relayed]
        if self._crossing is None or not places:
            return None
        return relay_among((self._replica.route.own, *places), self._transports)

    def _straight(self, seat: Seat) -> Place | None:
        """The place at which `seat` could be called straight; None if its link is not relayed."""
        active, place = self.in_use.get(seat), self._place(seat)
        if active is None or not active.link.via.relayed or place is None:
            return None
        ways = [
            way for way in place.addresses if not isinstance(way, Relayed) and self._transports.serves(way)
        ]
        return Place(tuple(ways), place.certificate) if ways else None

    def _no_longer_straight(self, seat: Seat, place: Place) -> bool:
        return self._straight(seat) != place

    async def new_link(self, seat: Seat, place: Place, *, crosses: bool = False) -> Link:
        """A link to the player of `seat` at `place`.  Raises NetworkFailure or a Refusal.

        `crosses`: the other end may call at the same moment, and the two calls become the lower seat's call.
        If a return match begins meanwhile, its seats are others, and this link is of no use.
        """
        under_way, player = self.under_way, self._replica.match.players[seat].key
        under_way[seat] += 1
        try:
            return await self._answered(seat, place, crosses=crosses)
        except (NetworkFailure, Refusal):
            if under_way[seat] == 1:
                self._replica.not_followed(player)
            raise
        finally:
            under_way[seat] -= 1

    async def _answered(self, seat: Seat, place: Place, *, crosses: bool) -> Link:
        replica, match, own = self._replica, self._replica.match, self._replica.seat
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
                lambda say: resume_dialogue(say, link.binding, self._identity, match, seat=own, called=seat)
            )
        except (NetworkFailure, Refusal) as failure:
            journal.refused(seat, failure)
            raise
        if replica.match is not match:
            link.close(Code.REPLACED)
            raise LinkLost(Loss.CLOSED_HERE)
        return link

    def _give_up_if_hopeless(self, failure: Refused) -> None:
        """Give up if we can call no seat any more, and no seat can call us."""
        replica = self._replica
        agreed = replica.session.referee.agreed
        left = [seat for seat, place in replica.route.others.items() if self.hopeless.get(seat) != place]
        callers = len(replica.links) - len(self.hopeless) if replica.route.own is not None and agreed else 0
        if not self.in_use and not left and not callers:
            self.failure = failure
            self.void = failure.code == Code.UNKNOWN_MATCH and not agreed
        self.notify()


async def ring(
    nursery: trio.Nursery, owner: Owner, friend: Contact, place: Place | None, transports: Transports
) -> tuple[Link, Person]:
    """A link to a friend that has proven its key and knows our key; `place`: where we listen.

    Addresses are hints and can be old: a stranger who answers there learns only that somebody called.  Raises
    Refused with the answer of the friend or of a stranger in its place, or another NetworkFailure.
    """
    door = friend.door or Door((), b"")
    introduced: list[tuple[Link, Person, Frame]] = []
    failures: list[Exception] = []
    links: list[Link] = []

    async def attempt(address: Address) -> None:
        try:
            if isinstance(address, Relayed):
                await trio.sleep(limits.RELAY_AFTER)
            link, _ = await call_unknown(nursery, (address,), owner.trace, transports)
            links.append(link)
            person, asker = await link.attend(
                lambda say: ask_dialogue(
                    say, link.binding, owner, friend=friend.key, ticket=door.ticket, place=place
                )
            )
        except (NetworkFailure, Refusal) as error:
            failures.append(error)
        else:
            introduced.append((link, person, asker))
            attempts.cancel_scope.cancel()

    with trio.move_on_after(transports.within + limits.AUTHENTICATE_AFAR_WITHIN):
        async with trio.open_nursery() as attempts:
            for address in door.addresses:
                attempts.start_soon(attempt, address)
    for link in links:
        if not introduced or link is not introduced[0][0]:
            link.close(Code.LEFT)
    if not introduced:
        refused = (error for error in failures if isinstance(error, Refused))
        raise next(refused, None) or unreachable(tuple(map(address_text, door.addresses)), failures)
    link, person, asker = introduced[0]
    link.trust()
    link.send(bytes(asker))
    return link, person
