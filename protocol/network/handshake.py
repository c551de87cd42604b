"""The introduction: both sides prove their keys to each other, within TLS and without I/O.

    host                                      joiner
    CHALLENGE(versions, nonce)          →
                                        ←     JOIN(version, nonce, key, name; proof of the invite; signature)
    WELCOME(key, name, terms; signature) →
                                        ←     SEAT(nonce, anchor), when its player agrees
or, for a match that both hold,
                                        ←     RESUME(match, seat, nonce; signature)
    RESUMED(signature)                  →

Each signature covers the certificate's hash, the TLS connection (RFC 9266), both nonces, the frame's kind and
all earlier frames, under a label for the signer's role.  So it is worthless on another connection (threat
25), in the other direction, or for another pair of players (threat 27).  A host hides its key from strangers,
so the joiner cannot sign that key in JOIN; it signs it in its consent to the genesis, which names both keys.
Cheap checks come first: the invite's proof is an HMAC, so that strangers cost no signature check (threat 21).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from p2p_stratego.core.game import Game, Options, Seat
from protocol.crypto.keys import SIGNATURE_BYTES, Identity, check_key, verify
from protocol.errors import Forged, Malformed, Unsupported
from protocol.failures import Code, Refused
from protocol.network.channel import CHALLENGE, JOIN, RESUME, RESUMED, SEAT, WELCOME
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES, Genesis, Player
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels
from protocol.wire.encoding import Frame, Value, decode, encode, tagged

MAC_BYTES: Final = 32
MAX_VERSIONS: Final = 16

_bind = tagged(labels.HANDSHAKE)


@dataclass(frozen=True, slots=True)
class Person:
    """A player in an introduction: Ed25519 key (32 bytes) and name."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Terms:
    """The host's proposal: game, options, and the host's own seat."""

    game: Game[Any]
    options: Options
    seat: Seat = 0


def seat_part(person: Person, game: Game[Any], seat: Seat, secrets: MatchSecrets) -> Player:
    """The part of `person`, on `seat`, in the genesis."""
    return Player(person.key, person.name, secrets.nonce, secrets.links(seat, game.most_rolls)[0])


class HostSide:
    """The listening side of one connection."""

    def __init__(self, binding: bytes, nonce: bytes) -> None:
        """`binding`: 64 bytes that name the connection (tls.Session); `nonce`: 32 fresh bytes."""
        self.challenge = Frame(CHALLENGE, encode([[labels.PROTOCOL_VERSION], nonce]))
        self._said: list[Value] = [binding, self.challenge.payload]

    def joined(self, frame: Frame, secret: bytes) -> Person:
        """The caller, who has proven its key and the invite's `secret` (16 bytes).

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
        bound = _bound(JOIN, self._said, body)
        if not hmac.compare_digest(_proof(secret, bound), mac):
            raise Refused(Code.UNKNOWN_INVITE)
        if version != labels.PROTOCOL_VERSION:
            raise Refused(Code.VERSION)
        check_key(key)
        genesis.check_name(name)
        if not verify(key, labels.SIGN_JOINER, bound, signature):
            raise Forged("The joiner does not hold the player key that it named.")
        self._said.append(frame.payload)
        return Person(key, name)

    def welcome(self, identity: Identity, name: str, terms: Terms, secrets: MatchSecrets) -> Frame:
        """The WELCOME: our key, our name and the terms; the joiner gets the other seat of two."""
        self._terms = terms
        self._own = seat_part(Person(identity.key, name), terms.game, terms.seat, secrets)
        options = [list(option) for option in terms.game.options(terms.options).items()]
        own = self._own
        wanted = [terms.game.name, terms.game.version, options, terms.seat]
        body = encode([own.key, own.name, *wanted, own.nonce, own.anchor])
        return Frame(WELCOME, body + identity.sign(labels.SIGN_HOST, _bound(WELCOME, self._said, body)))

    def seated(self, frame: Frame, guest: Person) -> Genesis:
        """The genesis with the part of the joiner, who has agreed.  Raises Malformed."""
        match decode(_split(frame, SEAT)[0]):
            case [bytes() as nonce, bytes() as anchor]:
                theirs = Player(guest.key, guest.name, nonce, anchor)
            case _:
                raise Malformed("A SEAT is not a nonce and an anchor.")
        players = (self._own, theirs) if self._terms.seat == 0 else (theirs, self._own)
        return genesis.make(self._terms.game, self._terms.options, players)

    def resumed(self, frame: Frame, identity: Identity, match: Genesis) -> Frame:
        """The RESUMED for the other player of `match`, who has proven its key in RESUME.

        Raises Refused for another match, Forged, or Malformed.
        """
        body, signature = _split(frame, RESUME, SIGNATURE_BYTES)
        match decode(body):
            case [bytes() as wanted, int() as seat, bytes() as nonce] if len(nonce) == NONCE_BYTES:
                pass
            case _:
                raise Malformed("A RESUME is not a match, a seat and a nonce.")
        if wanted != match.id or seat >= len(match.players) or match.players[seat].key == identity.key:
            raise Refused(Code.UNKNOWN_MATCH)
        bound = _bound(RESUME, self._said, body)
        if not verify(match.players[seat].key, labels.SIGN_JOINER, bound, signature):
            raise Forged("The caller does not hold the key of the seat that it named.")
        self._said.append(frame.payload)
        return Frame(RESUMED, identity.sign(labels.SIGN_HOST, _bound(RESUMED, self._said, b"")))


class JoinerSide:
    """The calling side of one connection; its caller has checked the host's certificate."""

    def __init__(self, binding: bytes, challenge: Frame) -> None:
        """`binding`: 64 bytes that name the connection (tls.Session).

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
        self._said: list[Value] = [binding, payload]

    def join(self, identity: Identity, name: str, nonce: bytes, secret: bytes) -> Frame:
        """The JOIN; `nonce`: 32 fresh bytes; `secret`: the invite's, 16 bytes."""
        self._person = Person(identity.key, name)
        body = encode([labels.PROTOCOL_VERSION, nonce, identity.key, name])
        bound = _bound(JOIN, self._said, body)
        frame = Frame(JOIN, body + _proof(secret, bound) + identity.sign(labels.SIGN_JOINER, bound))
        self._said.append(frame.payload)
        return frame

    def welcomed(
        self, frame: Frame, secrets: MatchSecrets, games: Mapping[str, Game[Any]]
    ) -> tuple[Genesis, Seat]:
        """The host's offer: the genesis if we agree, and our seat in it.

        Raises Forged, Malformed, Refused if the host has our own key, or Unsupported for an unknown game.
        """
        body, signature = _split(frame, WELCOME, SIGNATURE_BYTES)
        match decode(body):
            case [bytes() as key, str() as name, game, version, options, int() as seat, nonce, anchor] if (
                seat < 2
            ):
                pass
            case _:
                raise Malformed("A WELCOME is not a player, a game, its options and a seat.")
        check_key(key)
        if not verify(key, labels.SIGN_HOST, _bound(WELCOME, self._said, body), signature):
            raise Forged("The host does not hold the player key that it named.")
        if key == self._person.key:
            raise Refused(Code.SAME_PLAYER)
        if type(game) is not str or game not in games:
            raise Unsupported("game")
        own = seat_part(self._person, games[game], 1 - seat, secrets)
        ours: list[Value] = [own.key, own.name, own.nonce, own.anchor]
        theirs: list[Value] = [key, name, nonce, anchor]
        players = [theirs, ours] if seat == 0 else [ours, theirs]
        proposed = encode([labels.PROTOCOL_VERSION, game, version, options, players])
        return genesis.parse(proposed, games), 1 - seat

    def seat(self, match: Genesis, seat: Seat) -> Frame:
        """The SEAT: our part, and our consent to play; to be sent once the match is on our disk."""
        own = match.players[seat]
        return Frame(SEAT, encode([own.nonce, own.anchor]))

    def resume(self, identity: Identity, match: Genesis, seat: Seat, nonce: bytes) -> Frame:
        """The RESUME of `match` on our `seat`; `nonce`: 32 fresh bytes."""
        body = encode([match.id, seat, nonce])
        frame = Frame(RESUME, body + identity.sign(labels.SIGN_JOINER, _bound(RESUME, self._said, body)))
        self._said.append(frame.payload)
        return frame

    def resumed(self, frame: Frame, host: bytes) -> None:
        """Check that the other side holds the key `host` (32 bytes).  Raises Forged or Malformed."""
        rest, signature = _split(frame, RESUMED, SIGNATURE_BYTES)
        if rest or not verify(host, labels.SIGN_HOST, _bound(RESUMED, self._said, b""), signature):
            raise Forged("The host that answers does not hold the key of this match's host.")


def _bound(kind: int, said: list[Value], body: bytes) -> bytes:
    """The input of a signature or proof: 32 bytes, unique to this connection, place and kind of frame."""
    return _bind(encode([kind, *said, body]))


def _proof(secret: bytes, bound: bytes) -> bytes:
    return hmac.digest(secret, labels.MAC_INVITE + b"\0" + bound, "sha256")


def _split(frame: Frame, kind: int, *tails: int) -> list[bytes]:
    """The payload's body and the parts of fixed length after it.  Raises Malformed."""
    if frame.kind != kind or len(frame.payload) < sum(tails):
        raise Malformed("The other side said something else than the introduction asks for.")
    parts: list[bytes] = []
    rest = frame.payload
    for size in reversed(tails):
        rest, part = rest[:-size], rest[-size:]
        parts.append(part)
    return [rest, *reversed(parts)]
