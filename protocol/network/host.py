"""The listening side: a Host answers guests with its invite, returning players, spectators, and friends.

Tasks run in the caller's nursery and end with it.  A caller can end only its own connection.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import trio

from protocol import limits
from protocol.channel import tls
from protocol.channel.strangers import Stage, Strangers
from protocol.channel.tracing import trace_trouble
from protocol.errors import Malformed, Refusal
from protocol.failures import Code, LinkLost, Loss, NetworkFailure, Refused, StorageFailure
from protocol.limits import INVITE_LIFETIME
from protocol.lobby.handshake import Person, Terms, watched_frame
from protocol.lobby.host_lobby import Lobby, Member
from protocol.lobby.introductions import (
    AskingFriend,
    Caller,
    Desk,
    Guest,
    ReturningPlayer,
    Spectator,
    host_route,
)
from protocol.lobby.meeting import Encounter, Meeting
from protocol.network.caller import ring
from protocol.network.link import BROKEN, Link, TLSStream, closing_code, confirm
from protocol.network.peer import Peer
from protocol.network.transport import choice, crossing, relay_client, tcp
from protocol.network.transport.crossing import Crossing
from protocol.network.transport.registry import Transports
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.relay_switchboard import Role, token_of
from protocol.rendezvous.via import Origin
from protocol.storage.contacts import Contact
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire import labels
from protocol.wire.addresses import TOKEN_BYTES, Address, Endpoint, Onion, Relayed, pack


class MeteredStream(trio.abc.Stream):
    """A stranger's stream: each chunk waits for its turn, since it can cost a step of TLS (threat 20)."""

    def __init__(self, stream: trio.abc.Stream, pace: tcp.Throttle) -> None:
        self.freely = False
        """Whether chunks no longer wait."""
        self.stream = stream
        """The stream below."""
        self._pace = pace
        self._heard: bytes | None = None

    async def hear(self) -> None:
        """Wait for the first bytes."""
        self._heard = bytes(await self.stream.receive_some(limits.CHUNK))

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """The next chunk; the first one whole."""
        data, self._heard = self._heard, None
        if data is None:
            data = bytes(await self.stream.receive_some(max_bytes))
        if not self.freely:
            await self._pace.turn()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send `data`."""
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Return when `send_all` may take something."""
        await self.stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Close the stream."""
        await self.stream.aclose()


class Host:
    """Answers callers: guests sit down in its `lobby`, other callers come to its `peer`."""

    def __init__(self, nursery: trio.Nursery, desk: Desk, transports: Transports = choice.STANDARD) -> None:
        """`transports`: for calls of its match to the other players."""
        self.desk = desk
        self.peer: Peer | None = None
        """The match whose players may return, and that spectators may watch."""
        self.lobby: Lobby | None = None
        """The lobby in which guests sit down for a match to be."""
        self.watching: dict[Link, trio.CancelScope] = {}
        """The links of spectators that wait for the match to begin, the oldest first, and the scopes in which
        they wait.
        """
        self.encounter: Encounter | None = None
        """The meeting of our player with a caller without an invite."""
        self.strangers = Strangers()
        """The callers that have not proven who they are."""
        self.on_encounter: Callable[[], None] = lambda: None
        """Called after every change of `encounter`."""
        self.on_asked: Callable[[Link, AskingFriend], None] = lambda link, _: link.close(Code.BUSY)
        """Called for a friend that asks our player for a game; `desk.asks` says when a friend may."""
        self._nursery = nursery
        self._transports = transports
        self._turns = tcp.Throttle(limits.STRANGERS_BYTES_EVERY)
        self._opened = trio.Event()
        self._stirred = trio.Event()
        self._failed: StorageFailure | None = None
        self._seen_at = 0
        """The number of places that relays have named."""
        self._seated: dict[Member, tuple[Link, trio.CancelScope]] = {}

    def show(self, peer: Peer) -> None:
        """Answer for the match of `peer` from now on."""
        self.peer = peer
        self._cross(peer)

    def _cross(self, peer: Peer) -> None:
        """Let `peer` call from our port, if we listen and do not hide."""
        if crossing.POSSIBLE and self.desk.port and not self._transports.hidden:

            def answer(stream: trio.abc.Stream, origin: Origin) -> None:
                self._nursery.start_soon(self.greet, stream, origin)

            peer.cross(Crossing(self.desk.port, answer), self.note_seen)

    def note_seen(self, outside: Endpoint) -> None:
        """Take the place at which a relay sees our port."""
        if (outside,) != self.desk.seen and self._seen_at < limits.MAX_SEEN:
            self._seen_at += 1
            self.desk.seen = (outside,)
            self.reached()

    def reached(self) -> None:
        """Tell the table our place, which may have changed outside."""
        desk, peer = self.desk, self.peer
        if peer is None or peer.replica.closed or (own := peer.replica.route.own) is None:
            return
        kept = tuple(address for address in own.addresses if address not in peer.replica.route.mapped)
        place = Place(desk.reached_at(kept), own.certificate)
        with suppress(StorageFailure):  # the next record reports the broken disk
            peer.replica.exchange.listen_at(place, desk.port, desk.outside)

    def invite(
        self, addresses: Sequence[Address], lifetime: float = INVITE_LIFETIME, uses: int = 1
    ) -> Invite:
        """A new invite, good for `uses` keys within `lifetime` seconds; the previous invite is void."""
        return self.desk.invite(tuple(addresses), lifetime, trio.current_time(), time.time(), uses)

    def let_watch(self, addresses: Sequence[Address], wall: float) -> Invite:
        """The valid invite to watch, or a new one; `wall`: Unix seconds."""
        return self.desk.to_watch or self.desk.invite_to_watch(tuple(addresses), wall)

    def wait_at(
        self, relay: Endpoint | Onion, secret: bytes | None = None
    ) -> tuple[Relayed, relay_client.Waiter]:
        """Answer callers at `relay` too, from now on; return our address there, and the waiting itself.

        `secret`: 16 bytes; by default derived from the key of our certificate, so the address stays as long
        as the certificate.
        """
        if secret is None:
            secret = self.desk.certificate.derived(labels.KDF_RELAY, pack(relay))[:TOKEN_BYTES]
        waiter = relay_client.Waiter(relay, secret, self._transports.dial)
        self._nursery.start_soon(waiter.run, self._nursery, self.greet)
        return Relayed(relay, token_of(secret)), waiter

    def wait_at_number(self, relay: Endpoint | Onion) -> relay_client.Waiter:
        """Answer callers at `relay` by a number from now on; return the waiting, which has the number."""
        dial, secret = self._transports.dial, secrets.token_bytes(TOKEN_BYTES)
        waiter = relay_client.Waiter(relay, secret, dial, Role.WAIT_AT_NUMBER)
        self._nursery.start_soon(waiter.run, self._nursery, self.greet)
        return waiter

    def end_watching(self) -> None:
        """Void the invite to watch, and end the links of all spectators, in the lobby and in play."""
        self.desk.revoke()
        for link in list(self.watching):
            link.close(Code.REVOKED)
        if self.peer is not None:
            self.peer.dismiss_watchers()

    # The lobby

    def open(self, terms: Terms) -> Lobby:
        """A lobby for a new match; our guests enter it, also those that wait already."""
        desk = self.desk
        self.lobby = lobby = Lobby(
            desk.owner,
            terms,
            partial(host_route, desk, hidden=self._transports.hidden),
            desk.certificate.pem,
            trio.current_time,
        )
        lobby.on_stir = self._stir
        desk.on_doubt = lobby.doubted
        desk.signed = lambda: lobby.signed
        self._opened.set()
        self._count_watchers()
        return lobby

    async def gather(self) -> Peer:
        """The match of the open lobby, once all have agreed; then the invite is void.

        Raises StorageFailure if it cannot be saved.
        """
        lobby = self.lobby
        if lobby is None:
            raise RuntimeError("no lobby is open")
        try:
            while self.peer is None:
                if self._failed is not None:
                    raise self._failed
                self._stirred = trio.Event()
                with trio.move_on_at(lobby.due):
                    await self._stirred.wait()
                lobby.tick()
        except StorageFailure:
            await self.dismiss(Code.FAILED)
            raise
        self.desk.withdraw()
        return self.peer

    async def meet(self, terms: Terms, approve: Callable[[Person], Awaitable[bool]]) -> Peer:
        """The match with the guests that come, for a host without a person at its lobby.

        `approve`: decides on each guest.  The host says yes when the table is full.  Raises StorageFailure.
        """
        lobby = self.open(terms)
        changed = trio.Event()

        def change() -> None:
            changed.set()

        async def usher() -> None:
            nonlocal changed
            known: set[bytes] = set()
            while self.peer is None:
                changed = trio.Event()
                for seat, member in lobby.guests():
                    if member.person.key not in known and not member.bot:
                        known.add(member.person.key)
                        if (
                            not await approve(member.person)
                            and lobby.listing.seat_of(member.person.key) == seat
                        ):
                            lobby.refuse(seat)
                        changed.set()
                        break
                else:
                    if lobby.listing.full and not lobby.started:
                        self.guarded(lobby.start)
                await changed.wait()

        ushering = trio.CancelScope()

        async def run() -> None:
            with ushering:
                await usher()

        lobby.on_change = change
        self._nursery.start_soon(run)
        try:
            return await self.gather()
        finally:
            ushering.cancel()

    def guarded(self, action: Callable[[], None]) -> None:
        """Do an `action` of our player in the lobby; a StorageFailure in it ends `gather`."""
        try:
            action()
        except StorageFailure as failure:
            self._fail(failure)

    async def dismiss(self, code: Code) -> None:
        """Send all guests and spectators away; return when they know, at the latest after LINGER."""
        links = [link for link, _ in self._seated.values()]
        for link in (*links, *self.watching):
            link.close(code)
        with trio.CancelScope(shield=True, deadline=trio.current_time() + 2 * limits.LINGER):
            for link in links:
                await link.gone.wait()

    async def entertain(self, link: Link, person: Person, bot: str = "") -> None:
        """Let an authenticated guest sit in the lobby until the match begins or the guest is gone.

        `bot`: the level of a bot of this program, else "".
        """
        await self._opened.wait()
        lobby = self.lobby
        if lobby is None or self.peer is not None:
            link.close(Code.USED_INVITE)
            return
        try:
            member = lobby.enter(person, lambda frame: link.send(bytes(frame)), link.close, bot)
        except Refused as refused:
            link.close(refused.code)
            return
        reading = trio.CancelScope()
        self._seated[member] = link, reading
        try:
            with reading:
                while self.peer is None:
                    for frame in await link.receive():
                        lobby.received(member, frame)
        except StorageFailure as failure:
            self._fail(failure)
        except (NetworkFailure, Refusal) as error:
            trace_trouble(self.desk.owner.trace, "refusal", error)
            link.close(closing_code(error))
            lobby.left(member)
        finally:
            if self.peer is None:
                del self._seated[member]

    async def ask(self, friend: Contact) -> None:
        """Ask a `friend` at its standing door, and let it sit in our lobby, as `entertain`.

        Raises Unreachable or another NetworkFailure if nobody answers there, Refused if the friend says no or
        leaves, and Forged if a stranger answers in its place.
        """
        desk = self.desk
        link, person = await ring(self._nursery, desk.owner, friend, desk.place, self._transports)
        await self.entertain(link, person)
        if self.peer is None:
            raise link.lost or LinkLost(Loss.ENDED)

    def _stir(self) -> None:
        """Act on a change of the lobby: if the match has begun, hand the links over to it.

        That happens at once, so no frame of the match can come to the lobby.
        """
        lobby = self.lobby
        if lobby is not None:
            self.desk.founding = lobby.founding_match
            if lobby.store is not None and self.peer is None:
                self.peer = Peer(self._nursery, self.desk.owner, lobby.store, self._transports)
                self._cross(self.peer)
                for seat, member in lobby.guests():
                    link, reading = self._seated[member]
                    reading.cancel()
                    self.peer.take(link, seat)
                for waiting in self.watching.values():
                    waiting.cancel()
        self._stirred.set()

    def _fail(self, failure: StorageFailure) -> None:
        self._failed = failure
        self._stirred.set()

    # Callers

    def known(self) -> tuple[str, ...]:
        """The networks from which players came; a crowd cannot keep them out."""
        return self.strangers.known

    async def greet(self, stream: trio.abc.Stream, origin: Origin) -> None:
        """Handle the connection of one caller until it ends.  Raises no error for any input."""
        metered = MeteredStream(stream, self._turns)
        async with trio.open_nursery() as nursery:
            came = await self._authenticated_link(nursery, metered, origin)
            metered.freely = True
            if came is None:
                return
            link, caller = came
            if isinstance(caller, Guest):
                await self.entertain(link, caller.person)
            elif isinstance(caller, Meeting):
                if await self._compared(link, caller):
                    await self.entertain(link, caller.other)
            elif isinstance(caller, ReturningPlayer) and self.peer is not None:
                self.peer.take(link, caller.seat)
            elif isinstance(caller, Spectator):
                await self._show(link)
            elif isinstance(caller, AskingFriend):
                self.on_asked(link, caller)

    async def _authenticated_link(
        self, nursery: trio.Nursery, stream: MeteredStream, origin: Origin
    ) -> tuple[Link, Caller] | None:
        """The running link to an authenticated caller, with the caller.

        None if the caller failed, was too slow, or was pushed out; then the connection ends.
        """
        link: Link | None = None
        known: Caller | None = None
        trace = self.desk.owner.trace
        trace("link", state="stranger")
        afar = origin.via.relayed or self._transports.hidden
        speak = limits.SPEAK_AFAR_WITHIN if afar else limits.SPEAK_WITHIN
        prove = limits.AUTHENTICATE_AFAR_WITHIN if afar else limits.AUTHENTICATE_WITHIN
        introduction = trio.CancelScope()
        caller = self.strangers.enter(origin.network, introduction.cancel)
        try:
            with introduction, trio.move_on_after(prove):
                with trio.fail_after(speak):
                    await stream.hear()
                caller.stage = Stage.SPOKE
                session = tls.TLSSession(self.desk.context, hosting=True)
                secure = TLSStream(stream, session, stream.stream)
                await secure.do_handshake()
                caller.stage = Stage.ENCRYPTED
                link = Link(secure, trace, session.binding(self.desk.certificate.hash), origin.via)
                nursery.start_soon(link.run)
                known = await self._introduce(link)
                if not isinstance(known, Meeting):
                    link.trust()
                    self.strangers.recognise(caller)
                return link, known
        except (NetworkFailure, Refusal) as failure:
            trace_trouble(trace, "refusal", failure)
            if link is not None:
                link.close(closing_code(failure))
        except StorageFailure as failure:
            if link is not None:
                link.close(closing_code(failure))
            self._fail(failure)
        except (trio.TooSlowError, *BROKEN):
            pass  # a silent caller, or a lost one, or no TLS: nobody to tell
        finally:
            self.strangers.leave(caller)
            if link is not None and not isinstance(known, Meeting):
                self._met_nobody(link)
            if link is None:
                await trio.aclose_forcefully(stream)
        return None

    async def _compared(self, link: Link, meeting: Meeting) -> bool:
        """Whether both persons of a meeting see the same digits; `on_encounter` brings it to our player."""
        owner = self.desk.owner
        encounter = Encounter(meeting, owner.identity, lambda frame: link.send(bytes(frame)), link.close)
        self.encounter = encounter
        self.on_encounter()
        try:
            with trio.move_on_after(limits.MEET_WITHIN):
                await confirm(link, encounter)
                self.desk.meetings.met(link.binding)
                return True
            link.close(Code.TIMEOUT)
        except (NetworkFailure, Refusal) as error:
            trace_trouble(owner.trace, "refusal", error)
        finally:
            self.encounter = None
            self._met_nobody(link)
            self.on_encounter()
        return False

    def _met_nobody(self, link: Link) -> None:
        self.desk.meetings.ended(link.binding, trio.current_time())

    async def _show(self, link: Link) -> None:
        """Let a spectator watch the match, once it has begun; until then its frames are refused."""
        waiting = trio.CancelScope()
        self.watching[link] = waiting
        self._count_watchers()
        if len(self.watching) > limits.MAX_WATCHERS:
            next(iter(self.watching)).close(Code.REPLACED)
        try:
            with waiting:
                if self.peer is None:
                    await link.receive()
                    raise Malformed("A spectator speaks.")
        except (NetworkFailure, Refusal) as error:
            link.close(closing_code(error))
        else:
            if self.peer is not None:
                link.send(bytes(watched_frame(self.peer.replica.match)))
                self.peer.take_watcher(link)
        finally:
            del self.watching[link]
            self._count_watchers()

    def _count_watchers(self) -> None:
        if self.lobby is not None and self.peer is None:
            self.lobby.watched(len(self.watching))

    async def _introduce(self, link: Link) -> Caller:
        """The caller at the other end, as Desk.greeting."""
        if self.peer is not None and self.peer.replica.closed:
            raise Refused(Code.LEFT)
        match = self.peer.replica.match if self.peer is not None else None
        return await link.attend(
            lambda say: self.desk.greeting(say, link.binding, match, trio.current_time),
            cancelled=Code.TIMEOUT,
        )


async def listen(  # noqa: PLR0913 - who, where, by which ways
    nursery: trio.Nursery,
    owner: Owner,
    certificate: tls.Certificate,
    port: int = 0,
    interfaces: Sequence[str] = tcp.EVERYWHERE,
    *,
    transports: Transports = choice.STANDARD,
) -> Host:
    """Answer calls on `port` (0: any, the same everywhere) of `interfaces`; `transports`: for our own calls.

    Raises CannotListen, and Damaged if the certificate's key is unusable.
    """
    host = Host(nursery, Desk(owner, certificate, port), transports)
    host.desk.port = await tcp.listen(nursery, port, host.greet, interfaces, host.known)
    return host
