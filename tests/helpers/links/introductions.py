"""Introductions without a network: keys, certificates, and both sides of one, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from protocol.crypto.keys import Identity
from protocol.lobby.handshake import HostSide, JoinerSide, Person, Terms, seat_part
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.seat.secrets import MatchSecrets
from protocol.wire.encoding import Frame
from tests.helpers.links.peers import TERMS

ADA, BEN, EVE = (Identity(name * 32) for name in (b"a", b"b", b"e"))
CERTIFICATE, OTHER_CERTIFICATE = b"c" * 64, b"d" * 64
"""Bindings of connections: a certificate's hash and an exporter of TLS, 64 bytes."""
SECRET, OTHER_SECRET = b"s" * 16, b"t" * 16
_serial = count()


def nonce() -> bytes:
    """32 bytes, different in every call."""
    return next(_serial).to_bytes(32, "big")


def secrets_of(letter: bytes) -> MatchSecrets:
    """The secrets from a master of 32 times this byte."""
    return MatchSecrets(letter * 32)


def sides(seen: bytes = CERTIFICATE) -> tuple[HostSide, JoinerSide]:
    """The host's side, on CERTIFICATE, and the side of a joiner that has `seen` a certificate."""
    host = HostSide(CERTIFICATE, nonce())
    return host, JoinerSide(seen, host.challenge)


@dataclass
class Meeting:
    """One whole introduction, frame by frame; `met`: the host, as its guest sees it."""

    host: HostSide
    joiner: JoinerSide
    join: Frame
    guest: Person
    welcome: Frame
    met: Person


def meet() -> Meeting:
    """Ada hosts, Ben joins with the invite's secret."""
    host, joiner = sides()
    join = joiner.join(BEN, "Ben", nonce(), SECRET)
    guest = host.joined(join, SECRET)
    welcome = host.welcome(ADA, "Ada")
    met = joiner.welcomed(welcome)
    return Meeting(host, joiner, join, guest, welcome, met)


def match_of(terms: Terms = TERMS) -> Genesis:
    """A match between Ada, on the first seat, and Ben."""
    people = ((Person(ADA.key, "Ada"), b"A"), (Person(BEN.key, "Ben"), b"B"))
    parts = (
        seat_part(person, terms.game, seat, secrets_of(letter))
        for seat, (person, letter) in enumerate(people)
    )
    return genesis.make(terms.game, terms.options, tuple(parts))
