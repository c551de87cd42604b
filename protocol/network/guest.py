"""A guest: from an invite through the lobby of its host to a match.

`visit` leads into the lobby, where a person decides; `join` goes on to the match if a function agrees.  Tasks
run in the caller's nursery and end with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import trio

from p2p_stratego.core.game import Seat
from protocol import limits
from protocol.errors import Refusal
from protocol.failures import Code, Declined, LinkLost, Loss, NetworkFailure, NotNow, Refused, Unreachable
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.handshake import Person
from protocol.lobby.introductions import (
    AskingFriend,
    Desk,
    code_dialogue,
    guest_route,
    invite_dialogue,
    meeting_dialogue,
    place_of,
)
from protocol.lobby.meeting import Encounter
from protocol.network.link import Link, call, call_unknown, confirm
from protocol.network.peer import Peer
from protocol.network.transport import choice
from protocol.network.transport.registry import Transports
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.short_code import ShortCode
from protocol.storage.home import Owner
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Address, Callee


class Visitor:
    """Our stay in the lobby of a host, over one link; our player answers through `visit`."""

    def __init__(  # noqa: PLR0913 - who visits whom, and how the match will find the others
        self,
        nursery: trio.Nursery,
        owner: Owner,
        link: Link,
        host: Person,
        route: Callable[[Seat], Route],
        *,
        transports: Transports = choice.STANDARD,
    ) -> None:
        """`link`: to the host, which has welcomed us; `route`: as Visit takes it."""
        self.visit = Visit(owner, host, lambda frame: link.send(bytes(frame)), route, trio.current_time)
        self.link = link
        self._nursery, self._owner = nursery, owner
        self._transports = transports
        self._patience = trio.CancelScope()
        self.on_seated: Callable[[Peer], None] = lambda _: None
        """Called with the match before others can know our address."""

    def quit(self) -> None:
        """Leave the lobby; the host is told that we declined."""
        self.link.close(Code.DECLINED)

    async def gone(self) -> None:
        """Return when the link is gone, at the latest after LINGER."""
        with trio.CancelScope(shield=True):
            await self.link.gone.wait()  # or our CLOSE would be lost with the connection

    async def seated(self) -> Peer:
        """The match, once it has begun, or once only the host knows whether it has: then the Peer asks.

        Raises NetworkFailure, a Refusal or StorageFailure.
        """
        visit, link = self.visit, self.link
        visit.on_stir = self._due
        lost: Refusal | NetworkFailure = LinkLost(Loss.SILENT)
        try:
            with self._patience:
                await link.attend(lambda _: visit.attending())
        except (NetworkFailure, Refusal) as error:
            lost = error
            if isinstance(error, Refused) and error.code in _NEVER_BEGAN:
                visit.set_aside()
        if visit.store is None:
            raise lost
        peer = Peer(self._nursery, self._owner, visit.store, self._transports)
        self.on_seated(peer)
        if visit.begun:
            peer.take(link, visit.host_seat)
        return peer

    def _due(self) -> None:
        self._patience.deadline = self.visit.deadline

    async def agreeing(self, agree: Callable[[Visit], Awaitable[bool]]) -> Peer:
        """The match, as `seated`; meanwhile `agree` decides on each proposal with a player on every seat.

        Raises Declined if `agree` says no, and as `seated`.
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
                            self.quit()
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
            await self.link.gone.wait()
            raise Declined from None
        finally:
            answering.cancel()


_NEVER_BEGAN: Final = (Code.DECLINED, Code.TIMEOUT, Code.LEFT, Code.NO_SEAT)
"""The codes by which a host says that the match that we signed never began."""


async def visit(
    nursery: trio.Nursery,
    owner: Owner,
    invite: Invite,
    desk: Desk | None = None,
    transports: Transports = choice.STANDARD,
) -> Visitor:
    """A visit to the lobby of the host of `invite`; `desk`: where we listen for the match.

    Raises InviteOfAnotherKind, NetworkFailure, or a Refusal.
    """
    invite.require(watch=False)
    link = await call(nursery, place_of(invite), owner.trace, transports)
    host = await link.attend(lambda say: invite_dialogue(say, link.binding, owner, invite.secret))
    return _visitor(nursery, owner, link, host, place_of(invite), desk=desk, transports=transports)


def _visitor(  # noqa: PLR0913 - who visits whom, and how the match will find the others
    nursery: trio.Nursery,
    owner: Owner,
    link: Link,
    host: Person,
    place: Place | None,
    *,
    desk: Desk | None,
    transports: Transports,
) -> Visitor:
    route = partial(guest_route, place, desk, hidden=transports.hidden)
    visitor = Visitor(nursery, owner, link, host, route, transports=transports)
    if desk is not None:
        visitor.visit.certificate = desk.certificate.pem
        desk.signed = lambda: visitor.visit.signed
    return visitor


def visit_asker(
    nursery: trio.Nursery,
    link: Link,
    friend: AskingFriend,
    desk: Desk,
    transports: Transports = choice.STANDARD,
) -> Visitor:
    """A visit to the lobby of a `friend` that has called us over `link`; `desk`: where we listen."""
    return _visitor(nursery, desk.owner, link, friend.person, friend.place, desk=desk, transports=transports)


class Approach:
    """Our way to a host without its invite: our player compares the digits of `encounter`."""

    def __init__(self, encounter: Encounter, link: Link, enter: Callable[[Person], Visitor]) -> None:
        self.encounter = encounter
        self.link, self._enter = link, enter

    def give_up(self) -> None:
        """Leave a host that is not the host we wanted; it is told that we declined."""
        self.link.close(Code.DECLINED)

    async def visitor(self) -> Visitor:
        """A visit to the host's lobby, after both persons have said that they see the same digits.

        Raises NotTheSame, NetworkFailure, or a Refusal.
        """
        await confirm(self.link, self.encounter)
        return self._enter(self.encounter.meeting.other)


async def approach(
    nursery: trio.Nursery,
    owner: Owner,
    addresses: tuple[Address, ...],
    desk: Desk | None = None,
    transports: Transports = choice.STANDARD,
) -> Approach:
    """An approach to the host at `addresses`; `desk`: as `visit` takes it.

    Raises NetworkFailure, or a Refusal.
    """
    link, place = await call_unknown(nursery, addresses, owner.trace, transports)
    with trio.move_on_after(limits.AUTHENTICATE_WITHIN):
        met = await link.attend(lambda say: meeting_dialogue(say, link.binding, owner))
        encounter = Encounter(met, owner.identity, lambda frame: link.send(bytes(frame)), link.close)
        return Approach(
            encounter,
            link,
            lambda host: _visitor(nursery, owner, link, host, place, desk=desk, transports=transports),
        )
    raise LinkLost(Loss.SILENT)


async def visit_by_code(  # noqa: PLR0913 - who visits whom, by which ways
    nursery: trio.Nursery,
    owner: Owner,
    code: ShortCode,
    callees: Sequence[tuple[Callee, ...]],
    *,
    desk: Desk | None = None,
    transports: Transports = choice.STANDARD,
) -> Visitor:
    """A visit to the lobby of the host with this short `code`; `desk`: as `visit` takes it.

    `callees`: the places at which that host may wait.  They are called one after the other, and only the
    first MAX_CODE_PLACES: a stranger may have the same number at a place, and has one guess at the words
    (threat 85).  Raises the most telling NetworkFailure or Refusal; Unreachable if there is no place.
    """
    scalar = await trio.to_thread.run_sync(code.scalar)
    failures: list[NetworkFailure | Refusal] = []
    for addresses in callees[: limits.MAX_CODE_PLACES]:
        try:
            link, place = await call_unknown(nursery, addresses, owner.trace, transports)
            with trio.move_on_after(limits.AUTHENTICATE_AFAR_WITHIN):
                host, listed = await link.attend(
                    partial(code_dialogue, binding=link.binding, owner=owner, scalar=scalar)
                )
                link.trust()
                place = Place(listed or place.addresses, place.certificate)
                return _visitor(nursery, owner, link, host, place, desk=desk, transports=transports)
            raise LinkLost(Loss.SILENT)
        except (NetworkFailure, Refusal) as error:
            failures.append(error)
    raise max(failures, key=_telling) if failures else Unreachable((), refused=False)


def _telling(error: NetworkFailure | Refusal) -> int:
    """The rank of an error among those of several places: the highest says most about the host of a code."""
    if isinstance(error, Refused):
        return 2 if error.code == Code.VOID_CODE else 3
    return int(not isinstance(error, Unreachable))


async def join(
    nursery: trio.Nursery,
    owner: Owner,
    invite: Invite,
    agree: Callable[[Visit], Awaitable[bool]],
    transports: Transports = choice.STANDARD,
) -> Peer:
    """The match of the lobby to which `invite` leads, once all agree.

    Raises InviteOfAnotherKind, NetworkFailure (Declined if `agree` says no), a Refusal or StorageFailure.
    """
    return await (await visit(nursery, owner, invite, transports=transports)).agreeing(agree)
