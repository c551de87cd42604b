"""The introduction: both sides prove who they are, within TLS and without I/O.

    host, or a player who listens              caller
    CHALLENGE(versions, nonce)            →
                                          ←    JOIN(version, nonce, key, name; proof of the invite; signature)
    WELCOME(key, name; signature)         →    and the lobby follows (lobby.py)
or, for a match that both sides hold,
                                          ←    RESUME(match, seat, called seat, nonce; signature)
    RESUMED(signature)                    →
or, for a spectator,
                                          ←    WATCH(version, nonce; proof of the invite)
    WATCHED(genesis)                      →    once the match has begun
or, for a friend who asks us for a game at our standing door,
                                          ←    ASK(version, nonce; proof of the friend's ticket)
    WELCOME(key, name; signature)         →
                                          ←    ASKER(name, its place; signature), and the caller's lobby

Each signature covers the certificate's hash, the TLS connection (RFC 9266), both nonces, the frame's kind and
all earlier frames, under a label for the signer's role.  So a signature is worthless on another connection
(threat 25), in the other direction, or for another pair of players (threat 27).  A host hides its key from
strangers, so the joiner cannot sign that key in JOIN; the joiner signs it in its consent to the genesis,
which names all keys.  Cheap checks come first: the invite's proof is an HMAC, so strangers cost no signature
check (threat 21).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from p2p_stratego.core.game import Game, Options, Seat
from protocol.channel.channel import ASK, ASKER, CHALLENGE, JOIN, RESUME, RESUMED, WATCH, WATCHED, WELCOME
from protocol.crypto.keys import SIGNATURE_BYTES, Identity, check_key, verify
from protocol.errors import Forged, Malformed
from protocol.failures import Code, Refused
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES, Genesis, Player, chain_length
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl
from protocol.rendezvous.address_cards import place_value, read_place
from protocol.seat.secrets import MatchSecrets
from protocol.storage.route import Place
from protocol.wire import labels
from protocol.wire.encoding import Frame, Value, decode, encode, tagged

Say: TypeAlias = Callable[[Frame], None]
"""Queues a frame for the other side."""

MAC_BYTES: Final = 32
MAX_VERSIONS: Final = 16

bind = tagged(labels.HANDSHAKE)
"""The input of all signatures and MACs of introductions: a hash (32 bytes) of the frames up to now."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player in an introduction: Ed25519 key (32 bytes) and name."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match to be: game, options, number of seats, and the host's first seat.

    `proofs` and `escrow` (the profile), `pace`, `clock`: as in the genesis.
    """

    game: Game[Any]
    options: Options
    seats: int = 2
    seat: Seat = 0
    proofs: bool = False
    escrow: int = 0
    pace: Pace = Pace.LIVE
    clock: TimeControl | None = None


def seat_part(person: Person, game: Game[Any], seat: Seat, secrets: MatchSecrets) -> Player:
    """The part of `person` on `seat` in the genesis: key, name, nonce, and the anchor of its chance chain."""
    return Player(person.key, person.name, secrets.nonce, secrets.links(seat, chain_length(game))[0])


class _Side:
    """One end of an introduction."""

    def __init__(self, binding: bytes, challenge: bytes) -> None:
        self._preamble: list[Value] = [binding, challenge]
        self.opening = binding + challenge
        """The name of this connection and this introduction, the same at both ends."""

    def cover(self, *frames: Frame) -> None:
        """Let later signatures cover these frames, which came before JOIN in this order."""
        self._preamble += [frame.payload for frame in frames]

    @property
    def preamble(self) -> tuple[Value, ...]:
        """The binding, then the payloads of all frames up to now, in both directions."""
        return tuple(self._preamble)


class HostSide(_Side):
    """The listening side of one connection."""

    def __init__(self, binding: bytes, nonce: bytes) -> None:
        """`binding`: 64 bytes that name the connection (tls.TLSSession); `nonce`: 32 fresh bytes."""
        self.challenge = Frame(CHALLENGE, encode([[labels.PROTOCOL_VERSION], nonce]))
        super().__init__(binding, self.challenge.payload)

    def joined(self, frame: Frame, secret: bytes) -> Person:
        """The caller in a JOIN, with a proven key; `secret`: the invite's, 16 bytes.

        Raises Refused for another invite, Forged, or Malformed.
        """
        body, mac, signature = _split(frame, JOIN, MAC_BYTES, SIGNATURE_BYTES)
        match decode(body):
            case [int() as version, bytes() as nonce, bytes() as key, str() as name] if (
                len(nonce) == NONCE_BYTES
            ):
                pass
            case _:
                raise Malformed("A JOIN is not a version, a nonce, a key and a name.")
        bound = binding_of(JOIN, self._preamble, body)
        # The HMAC before the signature: a stranger costs no signature check (threat 21).
        if not hmac.compare_digest(mac_of(secret, bound), mac):
            raise Refused(Code.UNKNOWN_INVITE)
        if version != labels.PROTOCOL_VERSION:
            raise Refused(Code.VERSION)
        check_key(key)
        genesis.check_name(name)
        if not verify(key, labels.SIGN_JOINER, bound, signature):
            raise Forged("The joiner does not hold the player key that it named.")
        self._preamble.append(frame.payload)
        return Person(key, name)

    def welcome(self, identity: Identity, name: str) -> Frame:
        """The WELCOME: our key and our name, for an authenticated caller."""
        body = encode([identity.key, name])
        signature = identity.sign(labels.SIGN_HOST, binding_of(WELCOME, self._preamble, body))
        self._welcome = body + signature
        return Frame(WELCOME, self._welcome)

    def ticket_of(self, frame: Frame, tickets: Mapping[bytes, bytes]) -> bytes:
        """The key (32 bytes) of the friend whose ticket the caller of an ASK holds; it is not proven yet.

        `tickets`: by key, the ticket (16 bytes) that we gave that friend.  Raises Refused if the caller holds
        no such ticket, or Malformed.
        """
        body, mac = _split(frame, ASK, MAC_BYTES)
        match decode(body):
            case [int() as version, bytes() as nonce] if len(nonce) == NONCE_BYTES:
                pass
            case _:
                raise Malformed("An ASK is not a version and a nonce.")
        bound = binding_of(ASK, self._preamble, body)
        # All tickets are tried, so the time shows nobody's place among our friends.
        keys = [
            key
            for key, ticket in tickets.items()
            if hmac.compare_digest(mac_of(ticket, bound, labels.MAC_FRIEND), mac)
        ]
        if not keys:
            raise Refused(Code.UNKNOWN_INVITE)
        if version != labels.PROTOCOL_VERSION:
            raise Refused(Code.VERSION)
        self._preamble.append(frame.payload)
        return keys[0]

    def asker(self, frame: Frame, key: bytes) -> tuple[Person, Place | None]:
        """The friend in an ASKER, with a proven `key`, and where it listens for the match; None: nowhere.

        Raises Forged or Malformed.
        """
        body, signature = _split(frame, ASKER, SIGNATURE_BYTES)
        match decode(body):
            case [str() as name, list() as listed, bytes() as pin]:
                place = read_place(listed, pin)
            case _:
                raise Malformed("An ASKER is not a name, addresses and a certificate's hash.")
        genesis.check_name(name)
        bound = binding_of(ASKER, [*self._preamble, self._welcome], body)
        if not verify(key, labels.SIGN_JOINER, bound, signature):
            raise Forged("The caller holds a friend's ticket, but not the key of that friend.")
        return Person(key, name), place

    def watched(self, frame: Frame, secret: bytes) -> None:
        """Return if the caller of a WATCH knows the `secret` (16 bytes) of the invite; it names no key.

        Raises Refused for another invite, or Malformed.
        """
        body, mac = _split(frame, WATCH, MAC_BYTES)
        match decode(body):
            case [int() as version, bytes() as nonce] if len(nonce) == NONCE_BYTES:
                pass
            case _:
                raise Malformed("A WATCH is not a version and a nonce.")
        if not hmac.compare_digest(mac_of(secret, binding_of(WATCH, self._preamble, body)), mac):
            raise Refused(Code.UNKNOWN_INVITE)
        if version != labels.PROTOCOL_VERSION:
            raise Refused(Code.VERSION)

    def resumed(self, frame: Frame, identity: Identity, match: Genesis) -> tuple[Frame, Seat]:
        """The RESUMED for the caller of a RESUME in `match`, and the caller's seat, with a proven key.

        Raises Refused for another match or a call of another seat than ours, Forged, or Malformed.
        """
        wanted = self.named_match(frame)
        if wanted != match.id:
            raise Refused(Code.UNKNOWN_MATCH)
        seat, called = self.proven_seats(frame, match)
        if seat == called or match.players[called].key != identity.key:
            raise Refused(Code.UNKNOWN_MATCH)
        self._preamble.append(frame.payload)
        return Frame(RESUMED, identity.sign(labels.SIGN_HOST, binding_of(RESUMED, self._preamble, b""))), seat

    def named_match(self, frame: Frame) -> bytes:
        """The id (32 bytes) of the match that a RESUME names.  Raises Malformed."""
        return _read_resume(frame)[0]

    def proven_seats(self, frame: Frame, match: Genesis) -> tuple[Seat, Seat]:
        """The seat in `match` whose key the caller of a RESUME has proven, and the seat that it calls.

        Raises Refused if the match has no such seats, Forged, or Malformed.
        """
        _, seat, called, body, signature = _read_resume(frame)
        if max(seat, called) >= len(match.players):
            raise Refused(Code.UNKNOWN_MATCH)
        bound = binding_of(RESUME, self._preamble, body)
        if not verify(match.players[seat].key, labels.SIGN_JOINER, bound, signature):
            raise Forged("The caller does not hold the key of the seat that it named.")
        return seat, called


def _read_resume(frame: Frame) -> tuple[bytes, Seat, Seat, bytes, bytes]:
    """The match's id, the caller's and the called seat, the body and the signature.  Raises Malformed."""
    body, signature = _split(frame, RESUME, SIGNATURE_BYTES)
    match decode(body):
        case [bytes() as wanted, int() as seat, int() as called, bytes() as nonce] if (
            len(nonce) == NONCE_BYTES and len(wanted) == 32
        ):
            return wanted, seat, called, body, signature
    raise Malformed("A RESUME is not a match, two seats and a nonce.")


def watched_frame(match: Genesis) -> Frame:
    """The WATCHED: the genesis for a spectator, unsigned, as the pinned certificate vouches for it."""
    return Frame(WATCHED, encode([match.body]))


class JoinerSide(_Side):
    """The calling side of one connection; its caller has checked the host's certificate."""

    def __init__(self, binding: bytes, challenge: Frame) -> None:
        """`binding`: 64 bytes that name the connection (tls.TLSSession).

        Raises Malformed, or Refused for the host's versions.
        """
        payload = _split(challenge, CHALLENGE)[0]
        match decode(payload):
            case [list() as versions, bytes() as nonce] if (
                len(nonce) == NONCE_BYTES and 0 < len(versions) <= MAX_VERSIONS
            ):
                pass
            case _:
                raise Malformed("A CHALLENGE is not a few versions and a nonce.")
        if labels.PROTOCOL_VERSION not in versions:
            raise Refused(Code.VERSION)
        super().__init__(binding, payload)

    def join(self, identity: Identity, name: str, nonce: bytes, secret: bytes) -> Frame:
        """The JOIN; `nonce`: 32 fresh bytes; `secret`: the invite's, 16 bytes."""
        self._key = identity.key
        body = encode([labels.PROTOCOL_VERSION, nonce, identity.key, name])
        bound = binding_of(JOIN, self._preamble, body)
        frame = Frame(JOIN, body + mac_of(secret, bound) + identity.sign(labels.SIGN_JOINER, bound))
        self._preamble.append(frame.payload)
        return frame

    def welcomed(self, frame: Frame) -> Person:
        """The host in a WELCOME, with a proven key.  Raises Forged, Malformed, or Refused for our own key."""
        body, signature = _split(frame, WELCOME, SIGNATURE_BYTES)
        match decode(body):
            case [bytes() as key, str() as name]:
                pass
            case _:
                raise Malformed("A WELCOME is not a key and a name.")
        check_key(key)
        genesis.check_name(name)
        if not verify(key, labels.SIGN_HOST, binding_of(WELCOME, self._preamble, body), signature):
            raise Forged("The host does not hold the player key that it named.")
        if key == self._key:
            raise Refused(Code.SAME_PLAYER)
        self._welcome = frame.payload
        return Person(key, name)

    def ask(self, identity: Identity, nonce: bytes, ticket: bytes) -> Frame:
        """The ASK, which names no key; `nonce`: 32 fresh bytes; `ticket`: from the friend, 16 bytes."""
        self._key = identity.key
        body = encode([labels.PROTOCOL_VERSION, nonce])
        proof = mac_of(ticket, binding_of(ASK, self._preamble, body), labels.MAC_FRIEND)
        self._preamble.append(body + proof)
        return Frame(ASK, body + proof)

    def asker(self, identity: Identity, name: str, place: Place | None) -> Frame:
        """The ASKER, after the friend has proven its key; `place`: where we listen for the match."""
        body = encode([name, *place_value(place)])
        bound = binding_of(ASKER, [*self._preamble, self._welcome], body)
        return Frame(ASKER, body + identity.sign(labels.SIGN_JOINER, bound))

    def watch(self, nonce: bytes, secret: bytes) -> Frame:
        """The WATCH; `nonce`: 32 fresh bytes; `secret`: of an invite to watch, 16 bytes."""
        body = encode([labels.PROTOCOL_VERSION, nonce])
        return Frame(WATCH, body + mac_of(secret, binding_of(WATCH, self._preamble, body)))

    def watched(self, frame: Frame) -> bytes:
        """The body of the genesis in a WATCHED, not parsed yet.  Raises Malformed."""
        match decode(_split(frame, WATCHED)[0]):
            case [bytes() as body]:
                return body
        raise Malformed("A WATCHED is not a genesis.")

    def resume(self, identity: Identity, match: Genesis, seat: Seat, called: Seat, nonce: bytes) -> Frame:
        """The RESUME of `match` on our `seat`, to the player of `called`; `nonce`: 32 fresh bytes."""
        body = encode([match.id, seat, called, nonce])
        frame = Frame(
            RESUME, body + identity.sign(labels.SIGN_JOINER, binding_of(RESUME, self._preamble, body))
        )
        self._preamble.append(frame.payload)
        return frame

    def resumed(self, frame: Frame, called: bytes) -> None:
        """Check that the other side holds the key `called` (32 bytes).  Raises Forged or Malformed."""
        rest, signature = _split(frame, RESUMED, SIGNATURE_BYTES)
        if rest or not verify(called, labels.SIGN_HOST, binding_of(RESUMED, self._preamble, b""), signature):
            raise Forged("The player that answers does not hold the key of the seat that we called.")


def binding_of(kind: int, preamble: Sequence[Value], body: bytes) -> bytes:
    """The input of a signature or proof: 32 bytes, unique to this connection, place and kind of frame."""
    return bind(encode([kind, *preamble, body]))


def mac_of(secret: bytes, bound: bytes, label: bytes = labels.MAC_INVITE) -> bytes:
    """The MAC (32 bytes) of `bound`, as of `binding_of`, under a `secret` of 16 bytes."""
    return hmac.digest(secret, label + b"\0" + bound, "sha256")


def _split(frame: Frame, kind: int, *tails: int) -> list[bytes]:
    """The payload's body, then its parts of fixed length, `tails` bytes each.  Raises Malformed."""
    if frame.kind != kind or len(frame.payload) < sum(tails):
        raise Malformed("The other side said something else than the introduction asks for.")
    parts: list[bytes] = []
    rest = frame.payload
    for size in reversed(tails):  # from the end: only the body has no fixed length
        rest, part = rest[:-size], rest[-size:]
        parts.append(part)
    return [rest, *reversed(parts)]
