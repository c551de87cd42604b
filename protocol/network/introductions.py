"""How two players come to a match: the steps of either side, without waiting.

Each conversation is a Talk, a generator that reads like the dialogue: it says frames, and each `yield` waits
for the other side's next frame, which link.py brings.  Each side persists a match before it says that it
plays (threat 30), and the host persists an invite's use before it welcomes its holder (threat 26).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import Identity
from protocol.failures import Code, InviteFailure, Refused, StorageFailure
from protocol.network import invite as invites
from protocol.network import tls
from protocol.network.channel import RESUME
from protocol.network.handshake import HostSide, JoinerSide, Person, Terms
from protocol.network.invite import SECRET_BYTES, Invite, Ticket
from protocol.record.genesis import NONCE_BYTES, Genesis, Player
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import Route, Store
from protocol.wire.encoding import Frame

T = TypeVar("T")
Talk: TypeAlias = Generator[None, Frame, T]
"""Is sent each frame of the other side; returns the result.  Raises Refusal or Failure to break off."""
Say: TypeAlias = Callable[[Frame], None]


@dataclass(frozen=True, slots=True)
class Guest:
    """An authenticated caller with our invite."""

    person: Person
    side: HostSide


class Desk:
    """The host's side of introductions, on one port with one certificate, one invite at a time."""

    def __init__(self, owner: Owner, certificate: tls.Certificate, port: int) -> None:
        """Raises Damaged if the certificate's key is unusable."""
        self.owner = owner
        self.certificate = certificate
        self.context = certificate.context()  # now, to find a damaged key before anybody calls
        self.port = port
        self._ticket: Ticket | None = None

    def invite(self, addresses: tuple[str, ...], lifetime: float, now: float, wall: float) -> Invite:
        """A new invite, persisted; it voids the previous one.

        `lifetime`: seconds; `now`: by the monotonic clock; `wall`: Unix seconds, for a later process.
        """
        self.withdraw()
        secret = secrets.token_bytes(SECRET_BYTES)
        invite = Invite(addresses, self.port, self.certificate.hash, secret)
        kept = invites.record(invite, wall + lifetime)
        self.owner.home.keep_invite(invite.name, kept, self.certificate.pem)
        self.reopen(invite, now + lifetime)
        return invite

    def reopen(self, invite: Invite, expires: float) -> None:
        """Accept an earlier invite with our port and certificate until `expires` (monotonic seconds)."""
        self._ticket = Ticket(invite, expires, lambda: self.owner.home.spend_invite(invite.name))

    def withdraw(self) -> None:
        """Void the invite."""
        if self._ticket is not None:
            self.owner.home.drop_invite(self._ticket.invite.name)
            self._ticket.used = True  # kept: only a holder of its secret learns that it was used

    def greeting(
        self, say: Say, binding: bytes, match: Genesis | None, clock: Callable[[], float]
    ) -> Talk[Guest | None]:
        """The talk with a caller on the connection `binding`.  None: it is the returning player of `match`.

        Raises Refused, Forged, Malformed, or StorageFailure.
        """
        side = HostSide(binding, secrets.token_bytes(NONCE_BYTES))
        say(side.challenge)
        frame = yield
        if frame.kind == RESUME:
            if match is None:
                raise Refused(Code.UNKNOWN_MATCH)
            say(side.resumed(frame, self.owner.identity, match))
            return None
        if self._ticket is None:
            raise Refused(Code.UNKNOWN_INVITE)
        person = side.joined(frame, self._ticket.invite.secret)
        self._ticket.use(clock())
        return Guest(person, side)

    def seating(self, say: Say, guest: Guest, terms: Terms) -> Talk[Store]:
        """The talk with a guest whom our player accepts: the match, once the guest agrees too.

        Raises Malformed or StorageFailure.
        """
        master = self.owner.home.entropy(MASTER_BYTES)
        say(guest.side.welcome(self.owner.identity, self.owner.name, terms, MatchSecrets(master)))
        frame = yield
        match = guest.side.seated(frame, guest.person)
        addresses = self._ticket.invite.addresses if self._ticket else ()
        route = Route(True, addresses, self.port, self.certificate.hash)
        store = self.owner.home.create(match, master, route, self.certificate.pem)
        self.withdraw()
        return store


@dataclass(frozen=True, slots=True)
class OpenInvite:
    """An unused invite of an earlier process, valid for another `left` seconds."""

    invite: Invite
    left: float
    certificate: tls.Certificate


def open_invites(home: Home, wall: float) -> list[OpenInvite]:
    """The invites still valid at `wall` (Unix seconds); the others are removed from the disk.

    An invite beyond the longest lifetime was made under another clock, and counts as expired.
    """
    still_good = []
    for name, (data, pem) in home.invites().items():
        try:
            invite, expires = invites.read_record(data)
            kept = OpenInvite(invite, expires - wall, tls.Certificate(pem))
        except (InviteFailure, StorageFailure):
            home.drop_invite(name)
            continue
        if 0 < kept.left <= invites.LONGEST_LIFETIME and invite.name == name:
            still_good.append(kept)
        else:
            home.drop_invite(name)
    return still_good


class Proposal:
    """A host's proposal to us, the joiner: `match` and our `seat` in it, once `joining` is over."""

    match: Genesis
    seat: Seat

    def __init__(self, owner: Owner, route: Route) -> None:
        """`route`: the way to the host."""
        self._owner = owner
        self._route = route
        self._master = owner.home.entropy(MASTER_BYTES)

    @property
    def host(self) -> Player:
        """The player who proposes."""
        return self.match.players[1 - self.seat]

    def joining(self, say: Say, binding: bytes, secret: bytes) -> Talk[None]:
        """The talk with the host on the connection `binding` (64 bytes); `secret`: the invite's, 16 bytes.

        Raises Refused, Forged, Malformed, or Unsupported.
        """
        side = JoinerSide(binding, (yield))
        say(side.join(self._owner.identity, self._owner.name, secrets.token_bytes(NONCE_BYTES), secret))
        self.match, self.seat = side.welcomed((yield), MatchSecrets(self._master), self._owner.games)
        self._side = side

    def begin(self, say: Say) -> Store:
        """Our player agrees: persist the match, then say so.  Raises StorageFailure before any consent."""
        store = self._owner.home.create(self.match, self._master, self._route)
        say(self._side.seat(self.match, self.seat))
        return store


def resuming(say: Say, binding: bytes, identity: Identity, match: Genesis, seat: Seat) -> Talk[None]:
    """The talk with the host of `match`, in which we have `seat`, on the connection `binding` (64 bytes).

    Raises Refused, Forged, or Malformed.
    """
    side = JoinerSide(binding, (yield))
    say(side.resume(identity, match, seat, secrets.token_bytes(NONCE_BYTES)))
    side.resumed((yield), match.players[1 - seat].key)
