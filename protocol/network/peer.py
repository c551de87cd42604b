"""One side of a match over the network: a Peer keeps a Replica connected; `join` begins a match as a guest.

Tasks run in the caller's nursery and end with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from protocol.errors import Refusal
from protocol.failures import Code, Declined, Failure, NetworkFailure, Refused, StorageFailure
from protocol.network import limits
from protocol.network.introductions import Proposal, resuming
from protocol.network.invite import Invite
from protocol.network.link import Link, call
from protocol.network.replica import Replica, Status, closing_code
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
        self._delay = 0.0
        self._waiting = trio.CancelScope()

    @property
    def rtt(self) -> float | None:
        """Round trip in seconds to the other side, while connected."""
        connected = self._link is not None and self.replica.status is Status.CONNECTED
        return self._link.rtt if self._link is not None and connected else None

    def take(self, link: Link) -> None:
        """Go on over `link`, whose other end is authenticated; drop an older link."""
        self.stop(Code.REPLACED)
        self._next = link

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
                lambda say: resuming(say, link.binding, self._identity, replica.match, replica.seat)
            )
        except (NetworkFailure, Refusal) as failure:
            final = isinstance(failure, Refused) and failure.final
            if final and not (replica.finished or replica.claimed):
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


async def join(
    nursery: trio.Nursery, owner: Owner, invite: Invite, agree: Callable[[Proposal], Awaitable[bool]]
) -> Peer:
    """The match that the host of `invite` proposes, once both players agree.

    Raises NetworkFailure (Declined if our player declines), a Refusal or StorageFailure.
    """
    route = Route(False, invite.addresses, invite.port, invite.certificate)
    link = await call(nursery, route, owner.trace)
    proposal = Proposal(owner, route)
    await link.attend(lambda say: proposal.joining(say, link.binding, invite.secret))
    if not await agree(proposal):
        link.close(Code.DECLINED)
        await link.gone.wait()  # or the reason would be lost with the connection
        raise Declined
    if link.lost is not None:
        raise link.lost
    peer = Peer(nursery, owner, proposal.begin(lambda frame: link.send(bytes(frame))))
    peer.take(link)
    return peer
