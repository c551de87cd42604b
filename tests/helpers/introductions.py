"""Introductions without a network: keys, certificates, and both sides of one, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from p2p_stratego.registry import GAMES
from protocol.crypto.keys import Identity
from protocol.network.handshake import HostSide, JoinerSide, Person, Terms
from protocol.record.genesis import Genesis
from protocol.seat.secrets import MatchSecrets
from protocol.wire.encoding import Frame
from tests.helpers.peers import TERMS

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
    """One whole introduction, frame by frame."""

    host: HostSide
    joiner: JoinerSide
    join: Frame
    guest: Person
    welcome: Frame
    match: Genesis
    seat: int


def meet(terms: Terms = TERMS) -> Meeting:
    """Ada hosts on `terms`, Ben joins with the invite's secret."""
    host, joiner = sides()
    join = joiner.join(BEN, "Ben", nonce(), SECRET)
    guest = host.joined(join, SECRET)
    welcome = host.welcome(ADA, "Ada", terms, secrets_of(b"A"))
    match, seat = joiner.welcomed(welcome, secrets_of(b"B"), GAMES)
    return Meeting(host, joiner, join, guest, welcome, match, seat)
