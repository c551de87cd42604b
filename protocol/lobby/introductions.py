"""Introductions: which callers get in at our port, and how we get in at another's; the steps of both sides.

Each conversation is a Dialogue, a generator: it says frames, and each `yield` waits for the other side's next
frame, which link.py brings.  The host persists an invite's use before it welcomes its holder (threat 26).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from p2p_stratego.core.game import Seat
from protocol import limits
from protocol.channel import tls
from protocol.channel.channel import ASK, CODE, MEET, RESUME, WATCH
from protocol.crypto.keys import Identity
from protocol.errors import Forged
from protocol.failures import Blocked, Code, InviteFailure, Refused, StorageFailure
from protocol.lobby.code_exchange import CallerExchange, HostExchange, OpenCode
from protocol.lobby.friends import Asks, tickets
from protocol.lobby.handshake import HostSide, JoinerSide, Person, Say
from protocol.lobby.meeting import CallerMeeting, HostMeeting, Meeting, Meetings
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES, Genesis
from protocol.rendezvous import invite as invites
from protocol.rendezvous.invite import SECRET_BYTES, Invite, InviteRecord, InviteTicket
from protocol.storage.home import Home, Owner
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Address, Relayed
from protocol.wire.encoding import Frame

T = TypeVar("T")
Dialogue: TypeAlias = Generator[None, Frame, T]
"""A generator that gets each frame of the other side; it returns a result, or raises a Refusal or Failure."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An authenticated caller with our invite to play."""

    person: Person


@dataclass(frozen=True, slots=True)
class ReturningPlayer:
    """A player of our match, who has proven the key of `seat`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Spectator:
    """A caller with our invite to watch, which names no key."""


@dataclass(frozen=True, slots=True)
class AskingFriend:
    """A friend with a proven key who asks our player for a game; `place`: where it listens for the match."""

    person: Person
    place: Place | None


Caller: TypeAlias = Guest | ReturningPlayer | Spectator | Meeting | AskingFriend


class Desk:
    """The listening side of introductions, on one port with one certificate.

    It has one invite to play and one invite to watch at a time.
    """

    def __init__(self, owner: Owner, certificate: tls.Certificate, port: int) -> None:
        """Raises Damaged if the certificate's key is unusable."""
        self.owner = owner
        self.certificate = certificate
        self.context = certificate.context()  # now, to find a damaged key before anybody calls
        self.port = port
        self.addresses: tuple[Address, ...] = ()
        """The addresses at which our player says that we can be called."""
        self.mapped: tuple[Address, ...] = ()
        """The addresses at which a router lets callers in now."""
        self.seen: tuple[Address, ...] = ()
        """The addresses at which a relay sees our port: others reach us there at least while we call them."""
        self.on_doubt: Callable[[bytes, Seat], None] = lambda _match, _seat: None
        """Called with a match's id and the seat of a player who asks for it, before we deny the match."""
        self.on_void: Callable[[Genesis, Seat], None] = lambda _match, _seat: None
        """Called with a match that, as its host said, never began, and the seat that calls us in it."""
        self.founding: Genesis | None = None
        """A match that its players are agreeing to."""
        self.signed: Callable[[], Genesis | None] = lambda: None
        """The match that our player has signed, in any lobby, and that may have begun."""
        self.to_watch: Invite | None = None
        """The valid invite to watch."""
        self.code: OpenCode | None = None
        """The valid short code."""
        self.meetings = Meetings()
        """The meetings with callers without an invite."""
        self.asks: Asks | None = None
        """The friends that may ask our player for a game here; None: nobody may."""
        self._ticket: InviteTicket | None = None

    @property
    def place(self) -> Place | None:
        """Our place, for other players; None if we have no address."""
        addresses = self.reached_at(self.addresses)
        return Place(addresses, self.certificate.hash) if addresses else None

    @property
    def outside(self) -> tuple[Address, ...]:
        """The addresses at which routers and relays say that we are reached."""
        return tuple(dict.fromkeys((*self.mapped, *self.seen)))

    def reached_at(self, addresses: tuple[Address, ...]) -> tuple[Address, ...]:
        """`addresses`, with those `outside` put before the addresses at relays, as far as there is room."""
        room = max(0, invites.MAX_ADDRESSES - len(addresses))
        new = [address for address in self.outside if address not in addresses][:room]
        straight = [address for address in addresses if not isinstance(address, Relayed)]
        return (*straight, *new, *(address for address in addresses if isinstance(address, Relayed)))

    def invite(
        self, addresses: tuple[Address, ...], lifetime: float, now: float, wall: float, uses: int = 1
    ) -> Invite:
        """A new invite, persisted, good for `uses` keys; the previous invite is void.

        `lifetime`: seconds; `now`: by the monotonic clock; `wall`: Unix seconds, for a later process.
        """
        self._withdraw_invite()
        reached = self.reached_at(addresses)
        invite = Invite(reached, self.certificate.hash, secrets.token_bytes(SECRET_BYTES))
        self._keep(InviteRecord(invite, wall + lifetime, uses, port=self.port))
        self.reopen(invite, now + lifetime)
        self.addresses = addresses
        return invite

    def reopen(self, invite: Invite, expires: float) -> None:
        """Accept an earlier invite with our port and certificate until `expires` (monotonic seconds)."""
        self.addresses = invite.addresses
        self._ticket = InviteTicket(invite, expires, lambda key: self._spend(invite, key))

    def withdraw(self) -> None:
        """Void the invite to play, and the short code."""
        if self.code is not None:
            self.code.void = True
        self._withdraw_invite()

    def _withdraw_invite(self) -> None:
        if self._ticket is not None:
            self.owner.home.drop_invite(self._ticket.invite.name)
            self._ticket.void = True  # kept: only a holder of its secret learns that it was used

    def invite_to_watch(self, addresses: tuple[Address, ...], wall: float) -> Invite:
        """A new invite to watch, persisted, good for anybody until revoked; the previous one is void."""
        self.revoke()
        secret = secrets.token_bytes(SECRET_BYTES)
        self.addresses = self.addresses or addresses
        self.to_watch = Invite(self.reached_at(addresses), self.certificate.hash, secret, watch=True)
        self._keep(InviteRecord(self.to_watch, wall + limits.LONGEST_INVITE_LIFETIME, 0, port=self.port))
        return self.to_watch

    def reopen_to_watch(self) -> None:
        """Accept the invite to watch of an earlier process with our certificate again, if it is valid."""
        name = Invite((), self.certificate.hash, b"", watch=True).name
        kept = self.owner.home.invites().get(name)
        if kept is not None:
            self.to_watch = invites.read_record(kept[0]).invite

    def revoke(self) -> None:
        """Void the invite to watch; `Peer.dismiss_watchers` ends the links of its spectators."""
        if self.to_watch is not None:
            self.owner.home.drop_invite(self.to_watch.name)
            self.to_watch = None

    def _keep(self, record: InviteRecord) -> None:
        self.owner.home.keep_invite(record.invite.name, bytes(record), self.certificate.pem)

    def _spend(self, invite: Invite, key: bytes) -> bool:
        """Persist that `key` uses `invite`; return whether it may."""

        def used(data: bytes) -> bytes | None:
            record = invites.read_record(data).used(key)
            return None if record is None else bytes(record)

        return self.owner.home.change_invite(invite.name, used)

    def greeting(
        self, say: Say, binding: bytes, match: Genesis | None, clock: Callable[[], float]
    ) -> Dialogue[Caller]:
        """The dialogue with a caller on the connection `binding` (64 bytes); `match`: the match that we play.

        Raises Refused, Forged, Malformed, or StorageFailure.
        """
        side = HostSide(binding, secrets.token_bytes(NONCE_BYTES))
        say(side.challenge)
        frame = yield
        if frame.kind == RESUME:
            return self._returning_player(say, side, frame, match)
        if frame.kind == WATCH:
            return self._spectator(side, frame)
        if frame.kind == CODE:
            return (yield from self._code_dialogue(say, side, frame, clock()))
        if frame.kind == MEET:
            return (yield from self._meeting_dialogue(say, binding, side, frame))
        if frame.kind == ASK:
            return (yield from self._ask_dialogue(say, side, frame, clock))
        if self._ticket is None:
            raise Refused(Code.UNKNOWN_INVITE)
        person = side.joined(frame, self._ticket.invite.secret)
        self.admit(person.key)
        self._ticket.use(person.key, clock())
        say(side.welcome(self.owner.identity, self.owner.name))
        return Guest(person)

    def _code_dialogue(self, say: Say, side: HostSide, frame: Frame, now: float) -> Dialogue[Guest]:
        """The dialogue with a caller that knows our short code."""
        code = self.code
        if code is None:
            raise Refused(Code.VOID_CODE)
        exchange = HostExchange(side, code, frame, now)
        try:
            say(exchange.share)
            sure, secret = exchange.sure((yield), self.reached_at(self.addresses))
        finally:
            exchange.end()
        say(sure)
        person = side.joined((yield), secret)
        self.admit(person.key)
        code.use(person.key)
        say(side.welcome(self.owner.identity, self.owner.name))
        return Guest(person)

    def admit(self, key: bytes) -> None:
        """Raise Refused for our own key, and Blocked for a caller that our player blocks; `key`: proven.

        Every way in calls this before it spends an invite, says a name, or shows the caller to our player.
        """
        require_wanted(self.owner, key)

    def _meeting_dialogue(self, say: Say, binding: bytes, side: HostSide, frame: Frame) -> Dialogue[Meeting]:
        meeting = HostMeeting(side, frame)
        if self.owner.home.contacts().blocked(meeting.caller.key):
            raise Refused(Code.BUSY)  # nobody has proven that key: DECLINED would tell whom we block
        met = meeting.met(self.owner.identity, self.owner.name, secrets.token_bytes(NONCE_BYTES))
        self.meetings.begin(binding)  # with our nonce the caller knows the digits: a try from here on
        say(met)
        return meeting.shown((yield))

    def _returning_player(
        self, say: Say, side: HostSide, frame: Frame, match: Genesis | None
    ) -> ReturningPlayer:
        if match is not None:
            resumed, seat = side.resumed(frame, self.owner.identity, match)
            say(resumed)
            return ReturningPlayer(seat)
        signed = self.signed()
        if signed is not None and side.named_match(frame) == signed.id:
            side.proven_seats(frame, signed)
            # Soon it begins here, or is void, or our disk has failed: the caller is to call again (threats
            # 127 and 128).
            raise Refused(Code.LEFT)
        if self.founding is not None and side.named_match(frame) == self.founding.id:
            # Only the proven key of a seat may bring the others to a new listing.
            seat, _ = side.proven_seats(frame, self.founding)
            self.on_doubt(self.founding.id, seat)
        elif (body := self.owner.home.void(side.named_match(frame))) is not None:
            void = genesis.parse(body, self.owner.games)
            seat, called = side.proven_seats(frame, void)
            if seat != called and void.players[called].key == self.owner.identity.key:
                self.on_void(void, seat)
                raise Refused(Code.LEFT)  # our player can take its seat, so the caller is to call again
        raise Refused(Code.UNKNOWN_MATCH)

    def _ask_dialogue(
        self, say: Say, side: HostSide, frame: Frame, clock: Callable[[], float]
    ) -> Dialogue[AskingFriend]:
        if self.asks is None:
            raise Refused(Code.UNKNOWN_INVITE)
        key = side.ticket_of(frame, tickets(self.owner.home))
        self.admit(key)
        self.asks.check(key, clock())
        say(side.welcome(self.owner.identity, self.owner.name))
        person, place = side.asker((yield), key)
        self.asks.begin(key, clock())
        return AskingFriend(person, place)

    def _spectator(self, side: HostSide, frame: Frame) -> Spectator:
        if self.to_watch is None:
            raise Refused(Code.UNKNOWN_INVITE)
        side.watched(frame, self.to_watch.secret)
        if self.to_watch.name not in self.owner.home.invites():
            raise Refused(Code.REVOKED)  # by another process of this home folder
        return Spectator()


@dataclass(frozen=True, slots=True)
class OpenInvite:
    """An invite to play of an earlier process, valid for another `left` seconds.

    `uses`: the number of keys for which it is good; `keys`: the keys that have used it; `port`: the port at
    which that process listened.
    """

    invite: Invite
    left: float
    certificate: tls.Certificate
    uses: int
    keys: tuple[bytes, ...]
    port: int


def open_invites(home: Home, wall: float) -> list[OpenInvite]:
    """The invites to play that are valid at `wall` (Unix seconds); other invites leave the disk.

    An invite beyond the longest lifetime was made under another clock, and counts as expired.
    """
    still_good = []
    for name, (data, pem) in home.invites().items():
        try:
            record = invites.read_record(data)
            invite, left = record.invite, record.expires - wall
            kept = OpenInvite(invite, left, tls.Certificate(pem), record.uses, record.keys, record.port)
        except (InviteFailure, StorageFailure):
            home.drop_invite(name)
            continue
        if 0 < kept.left <= limits.LONGEST_INVITE_LIFETIME and invite.name == name:
            still_good += [] if invite.watch else [kept]
        else:
            home.drop_invite(name)
    return still_good


def require_wanted(owner: Owner, key: bytes) -> None:
    """Raise Blocked if our player blocks the other side, and Refused for our own key; `key`: proven."""
    if key == owner.identity.key:
        raise Refused(Code.SAME_PLAYER)
    if owner.home.contacts().blocked(key):
        raise Blocked


def host_route(desk: Desk, bots: Mapping[Seat, str], *, hidden: bool = False) -> Route:
    """The ways to the seats of a match, on its host's side; `bots`: by seat, the levels of the bots here.

    `hidden`: as in Route.
    """
    return Route(desk.place, bots=bots, port=desk.port, hidden=hidden, mapped=desk.outside)


def guest_route(place: Place | None, desk: Desk | None, host: Seat, *, hidden: bool = False) -> Route:
    """The ways to the seats of a match, on the side of a guest of the host at `place`.

    `desk`: where the guest listens, None if it cannot; `host`: the host's seat; `hidden`: as in Route.
    """
    own = Route(hidden=hidden)
    if desk is not None:
        own = Route(desk.place, port=desk.port, hidden=hidden, mapped=desk.outside)
    return own.with_place(host, place)


def place_of(invite: Invite) -> Place:
    """The place at which the host of `invite` listens."""
    return Place(invite.addresses, invite.certificate)


def invite_dialogue(say: Say, binding: bytes, owner: Owner, secret: bytes) -> Dialogue[Person]:
    """The dialogue with a host on the connection `binding` (64 bytes); `secret`: the invite's, 16 bytes.

    Returns the host.  The lobby follows.  Raises Refused, Forged, or Malformed.
    """
    side = JoinerSide(binding, (yield))
    say(side.join(owner.identity, owner.name, secrets.token_bytes(NONCE_BYTES), secret))
    host = side.welcomed((yield))
    require_wanted(owner, host.key)
    return host


def code_dialogue(
    say: Say, binding: bytes, owner: Owner, scalar: bytes
) -> Dialogue[tuple[Person, tuple[Address, ...]]]:
    """The dialogue with a host whose short code we know; `scalar`: the scalar of the code, 32 bytes.

    Returns the host and its addresses.  Only the end of the dialogue shows that the certificate is the
    host's.  Raises as `invite_dialogue`.
    """
    side = JoinerSide(binding, (yield))
    exchange = CallerExchange(side, scalar)
    say(exchange.share)
    say(exchange.sure((yield)))
    details = exchange.details((yield))
    say(side.join(owner.identity, owner.name, secrets.token_bytes(NONCE_BYTES), details.secret))
    host = side.welcomed((yield))
    require_wanted(owner, host.key)
    return host, details.addresses


def meeting_dialogue(say: Say, binding: bytes, owner: Owner) -> Dialogue[Meeting]:
    """The dialogue with a host without its invite, on the connection `binding` (64 bytes).

    Raises Refused or Malformed.
    """
    side = JoinerSide(binding, (yield))
    caller = CallerMeeting(side, owner.identity, owner.name, secrets.token_bytes(NONCE_BYTES))
    say(caller.meet)
    show, met = caller.met((yield))
    require_wanted(owner, met.other.key)  # before SHOW: a blocked host learns no digits
    say(show)
    return met


def resume_dialogue(  # noqa: PLR0913 - who calls whom, about which match
    say: Say, binding: bytes, identity: Identity, match: Genesis, *, seat: Seat, called: Seat
) -> Dialogue[None]:
    """The dialogue with the player of seat `called` in `match`, on the connection `binding` (64 bytes).

    `seat`: ours.  Raises Refused, Forged, or Malformed.
    """
    side = JoinerSide(binding, (yield))
    say(side.resume(identity, match, seat, called, secrets.token_bytes(NONCE_BYTES)))
    side.resumed((yield), match.players[called].key)


def ask_dialogue(  # noqa: PLR0913 - who asks whom
    say: Say, binding: bytes, owner: Owner, *, friend: bytes, ticket: bytes, place: Place | None
) -> Dialogue[tuple[Person, Frame]]:
    """The dialogue with a friend at its standing door, on the connection `binding` (64 bytes).

    Returns the friend and the ASKER.  The caller says the ASKER on a single one of its connections, and our
    lobby follows.  Before the friend proves its key, no frame tells who we are.  `friend`: its key (32
    bytes); `ticket`: the ticket that the friend gave us; `place`: where we listen for the match.  Raises
    Refused, Forged, or Malformed.
    """
    side = JoinerSide(binding, (yield))
    say(side.ask(owner.identity, secrets.token_bytes(NONCE_BYTES), ticket))
    person = side.welcomed((yield))
    if person.key != friend:
        raise Forged("Another player than the friend that we called answers.")
    require_wanted(owner, person.key)
    return person, side.asker(owner.identity, owner.name, place)


def watch_dialogue(say: Say, binding: bytes, secret: bytes) -> Dialogue[bytes]:
    """The dialogue with a host whose match we watch, on the connection `binding` (64 bytes).

    `secret`: of an invite to watch, 16 bytes.  Returns the body of the genesis, not parsed yet, once the
    match has begun.  Raises Refused or Malformed.
    """
    side = JoinerSide(binding, (yield))
    say(side.watch(secrets.token_bytes(NONCE_BYTES), secret))
    return side.watched((yield))
