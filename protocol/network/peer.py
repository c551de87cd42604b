"""One side of a match over the network: a Peer keeps a Replica connected; `join` begins a match as a guest.

Tasks run in the caller's nursery and end with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import trio

from p2p_stratego.core.game import Seat
from protocol.errors import Refusal
from protocol.failures import (
    Code,
    Declined,
    Failure,
    LinkLost,
    Loss,
    NetworkFailure,
    NotNow,
    Refused,
    StorageFailure,
)
from protocol.network import limits
from protocol.network.handshake import Person
from protocol.network.introductions import guest_route, joining, resuming
from protocol.network.invite import Invite
from protocol.network.link import Link, call
from protocol.network.replica import Replica, Status, closing_code
from protocol.network.visit import Visit
from protocol.storage.home import Owner
from protocol.storage.match_store import Route, Store
from protocol.wire.encoding import Frame


class Peer:
    """Continues one match over one link after another: `run` it, and play through its `replica`."""

    def __init__(self, nursery: trio.Nursery, owner: Owner, store: Store) -> None:
        """Raises the same as Replica.  The guest of a match calls its host again by itself."""
        self.replica = Replica(owner, store, trio.current_time)
        self.replica.on_stop = self.stop
        self._identity = owner.identity
        self._trace = owner.trace
        self._nursery = nursery
        self._link: Link | None = None
        self._next: Link | None = None
        self._leaving = False
        self._home = owner.home
        self._discard = False
        """Whether the match never began: the host of its lobby does not know it, and not all have agreed."""
        self._delay = 0.0
        self._waiting = trio.CancelScope()

    @property
    def rtt(self) -> float | None:
        """Round trip in seconds to the other side, while connected."""
        connected = self._link is not None and self.replica.status is Status.CONNECTED
        return self._link.rtt if self._link is not None and connected else None

    def take(self, link: Link, seat: Seat | None = None) -> None:  # noqa: ARG002
        """Go on over `link`, whose other end is authenticated; drop an older link."""
        self.stop(Code.REPLACED)
        self._next = link

    def take_watcher(self, link: Link) -> None:
        """Show the match to a spectator."""
        link.close(Code.LEFT)

    def leave(self) -> None:
        """Save and leave; `run` returns once the other side knows, at the latest after LINGER."""
        self._leaving = True
        self.stop(Code.LEFT)

    def stop(self, code: Code) -> None:
        """End the connection and the waiting for one."""
        for link in (self._next, self._link):
            if link is not None:
                link.close(code)
        self._waiting.cancel()

    def _show(self) -> None:
        self.replica.on_change()  # looked up at each call: a front end may set it later

    async def run(self) -> None:
        """Continue the match until it is over and the other side gone, or we leave; then close it.

        Raises StorageFailure if it can no longer be saved; Refused if the other side lacks the match or our
        version.
        """
        try:
            while (link := await self._next_link()) is not None:
                self._link, self._next = link, None
                await self._converse(link)
        finally:
            self.stop(Code.LEFT)
            self.replica.close()
            if self._discard:
                self._home.discard(self.replica.store)
            if self._link is not None:
                await self._link.gone.wait()

    async def _next_link(self) -> Link | None:
        while self.replica.failure is None:
            if self._leaving or self.replica.status in (Status.STALE, Status.OVER):
                return None
            if self._next is not None:
                return self._next
            with trio.CancelScope() as self._waiting:
                await self._wait_or_call()
        raise self.replica.failure

    async def _wait_or_call(self) -> None:
        """Wait for a call, or make one after a pause."""
        replica = self.replica
        if replica.route.hosting or not replica.route.addresses:
            await trio.sleep_until(replica.complete_by)
            replica.give_up()
            return
        await trio.sleep(self._delay)
        self._delay = min(limits.LONGEST_WAIT, max(1.0, 2 * self._delay))
        try:
            link = await call(self._nursery, replica.route, self._trace)
            await link.attend(
                lambda say: resuming(
                    say,
                    link.binding,
                    self._identity,
                    replica.match,
                    seat=replica.seat,
                    called=1 - replica.seat,
                )
            )
        except (NetworkFailure, Refusal) as failure:
            over = replica.finished or replica.claimed
            if isinstance(failure, Refused) and failure.final and not over:
                unknown = failure.code == Code.UNKNOWN_MATCH
                self._discard = unknown and not replica.session.referee.agreed
                raise
            replica.unlinked(failure)
        else:
            self._next = link

    async def _converse(self, link: Link) -> None:
        """Hand frames to the replica until `link` is lost."""
        began = trio.current_time()
        link.on_round_trip = self._show
        reason: Failure | Refusal
        try:
            self.replica.linked(link.send)
            while True:
                frames: list[Frame] = []
                with trio.move_on_at(self.replica.complete_by):
                    frames = await link.receive()
                self.replica.received(frames)
        except (NetworkFailure, StorageFailure, Refusal) as error:
            reason = error
        link.close(closing_code(reason))
        if trio.current_time() >= began + limits.SETTLED:
            self._delay = 0.0
        self.replica.unlinked(reason)


class Visitor:
    """We in the lobby of a host, over one link; our player answers through `visit`."""

    def __init__(
        self, nursery: trio.Nursery, owner: Owner, link: Link, host: Person, route: Callable[[Seat], Route]
    ) -> None:
        """`link`: to the host, which has welcomed us; `route`: as Visit takes it."""
        self.visit = Visit(owner, host, lambda frame: link.send(bytes(frame)), route, trio.current_time)
        self._nursery, self._owner, self._link = nursery, owner, link
        self._patience = trio.CancelScope()

    async def leave(self, code: Code = Code.DECLINED) -> None:
        """Leave the lobby; returns once the host knows, at the latest after LINGER."""
        self._link.close(code)
        with trio.CancelScope(shield=True):
            await self._link.gone.wait()  # or the reason would be lost with the connection

    async def seated(self) -> Peer:
        """The match, once it has begun, or once only the host can tell whether it has: the Peer asks it.

        Raises NetworkFailure, a Refusal or StorageFailure.
        """
        visit, link = self.visit, self._link
        visit.on_stir = self._due
        lost: Refusal | NetworkFailure = LinkLost(Loss.SILENT)
        try:
            with self._patience:
                await link.attend(lambda _: visit.attending(), cancelled=Code.TIMEOUT)
        except (NetworkFailure, Refusal) as error:
            lost = error
            if isinstance(error, Refused) and error.code in _NEVER_BEGAN:
                visit.discard()
        if visit.store is None:
            raise lost
        peer = Peer(self._nursery, self._owner, visit.store)
        if visit.begun:
            peer.take(link, visit.host_seat)
        return peer

    def _due(self) -> None:
        self._patience.deadline = self.visit.deadline

    async def agreeing(self, agree: Callable[[Visit], Awaitable[bool]]) -> Peer:
        """`seated`, while `agree` is asked about each proposal that has a player on every seat.

        Raises Declined if it says no, and as `seated`.
        """
        visit, declined = self.visit, False
        changed = trio.Event()

        async def answer() -> None:
            nonlocal changed, declined
            with answering:
                while not (visit.begun or declined):
                    changed = trio.Event()
                    listing = visit.listing
                    if listing is not None and listing.full and not visit.ready:
                        if await agree(visit):
                            with suppress(NotNow):  # another proposal came meanwhile
                                visit.agree(listing.number)
                        else:
                            declined = True
                            self._link.close(Code.DECLINED)
                    await changed.wait()

        def change() -> None:
            changed.set()

        answering = trio.CancelScope()
        visit.on_change = change
        self._nursery.start_soon(answer)
        try:
            return await self.seated()
        except (NetworkFailure, Refusal):
            if not declined:
                raise
            await self._link.gone.wait()
            raise Declined from None
        finally:
            answering.cancel()


_NEVER_BEGAN: Final = (Code.DECLINED, Code.TIMEOUT, Code.LEFT, Code.NO_SEAT)
"""Codes by which a host says that the match that we signed never began."""


async def visit(nursery: trio.Nursery, owner: Owner, invite: Invite) -> Visitor:
    """We in the lobby of the host of `invite`.

    Raises InviteOfAnotherKind, NetworkFailure, or a Refusal.
    """
    invite.require(watch=False)
    route = guest_route(invite)
    link = await call(nursery, route, owner.trace)
    host = await link.attend(lambda say: joining(say, link.binding, owner, invite.secret))
    return Visitor(nursery, owner, link, host, lambda _: route)


async def join(
    nursery: trio.Nursery, owner: Owner, invite: Invite, agree: Callable[[Visit], Awaitable[bool]]
) -> Peer:
    """The match of the lobby to which `invite` leads, once all agree.

    Raises InviteOfAnotherKind, NetworkFailure (Declined if `agree` says no), a Refusal or StorageFailure.
    """
    return await (await visit(nursery, owner, invite)).agreeing(agree)
