"""A guest with a short code: both ends prove to each other that they know its words (SPAKE2, RFC 9382).

    caller                                host
    CODE(version, pA)               →
                                    ←     CODE(pB)
    SURE(cA)                        →
                                    ←     SURE(cB, addresses)
    JOIN, with the shared secret in the place of an invite's

The exchange follows the CHALLENGE of an introduction, over TLS with a certificate that nobody has vouched for
yet.  Both confirmations cover that certificate, the connection and the CHALLENGE: so an attacker between the
two gains nothing, nor does a recording, and each exchange tests one guess of the words at most (threat 85).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.channel.channel import CODE, SURE
from protocol.crypto.spake2 import CONFIRMATION_BYTES, SHARE_BYTES, SpakeExchange, SpakeParty
from protocol.errors import Malformed
from protocol.failures import Code, NotAnAddress, Refused
from protocol.limits import CODE_TRIES
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.rendezvous.invite import MAX_ADDRESSES, SECRET_BYTES
from protocol.rendezvous.short_code import ShortCode
from protocol.wire import labels
from protocol.wire.addresses import Address, pack, unpack
from protocol.wire.encoding import Frame, Value, decode, encode

_MAX_LISTED: Final = 900
"""Bytes of addresses in a SURE, best first: the guest does not trust us yet, so it accepts no long frame."""
_NAMES: Final = (labels.CODE_CALLER, labels.CODE_HOST)


class OpenCode:
    """A code of ours.  It is good for some keys until it expires, or too many tries have failed.

    Every exchange counts as a failed try from its first frame until the caller has confirmed the words: an
    attacker may learn from our share whether a guess was right, and break off (threat 85).
    """

    def __init__(self, code: ShortCode, scalar: bytes, expires: float, uses: int) -> None:
        """`scalar`: the scalar of the code, 32 bytes; `expires`: seconds by the monotonic clock; `uses`: the
        number of keys (32 bytes each) for which the code is good.
        """
        self.code = code
        self.expires = expires
        self.tries = CODE_TRIES
        """The tries that are left."""
        self.void = False
        """Whether the code is withdrawn."""
        self.on_failure: Callable[[], None] = lambda: None
        """Called after each failed try."""
        self._scalar = scalar
        self._uses = uses
        self._keys: set[bytes] = set()

    def good(self, now: float) -> bool:
        """Whether a caller may try the code."""
        return not self.void and self.tries > 0 and now < self.expires

    def begin(self, now: float) -> SpakeExchange:
        """Our end of a new exchange, which costs a try.  Raises Refused."""
        if not self.good(now):
            raise Refused(Code.VOID_CODE)
        self.tries -= 1  # before our share goes out; `confirmed` gives it back
        return SpakeExchange(SpakeParty.B, self._scalar, _NAMES)

    def confirmed(self) -> None:
        """Give a try back: the caller of an exchange knows the words."""
        self.tries += 1

    def use(self, key: bytes) -> None:
        """Spend a use on `key` (32 bytes), unless that key has one.  Raises Refused if none is left."""
        if self.void:
            raise Refused(Code.VOID_CODE)
        if key not in self._keys and len(self._keys) >= self._uses:
            raise Refused(Code.USED_INVITE)
        self._keys.add(key)


class HostDetails(NamedTuple):
    """The host's part of a finished exchange, as its caller learns it.

    `secret`: stands in the place of an invite's, 16 bytes; `addresses`: where the host can be called.
    """

    secret: bytes
    addresses: tuple[Address, ...]


class HostExchange:
    """The host's part, frame by frame: construct, then `sure`, and `end` in any case."""

    def __init__(self, side: HostSide, open_code: OpenCode, frame: Frame, now: float) -> None:
        """`frame`: the caller's CODE, which costs a try.  Raises Refused or Malformed."""
        self._side, self._code = side, open_code
        self._over = False
        share = _read_share(frame, versions=True)
        exchange = open_code.begin(now)
        try:
            self._keys = exchange.keys(share, side.opening)
        except Malformed:
            self.end()
            raise
        self.share = Frame(CODE, encode([exchange.share]))
        """Our CODE, for the caller."""
        side.cover(frame, self.share)

    def end(self) -> None:
        """Count an unfinished exchange as failed; no effect after `sure`, or a second time."""
        if not self._over:
            self._over = True
            self._code.on_failure()

    def sure(self, frame: Frame, addresses: tuple[Address, ...]) -> tuple[Frame, bytes]:
        """Our SURE, and the secret (16 bytes) that JOIN proves; `frame`: the caller's SURE.

        Raises Refused for wrong words, or Malformed.
        """
        match decode(_payload(frame, SURE)):
            case [bytes() as confirmation] if len(confirmation) == CONFIRMATION_BYTES:
                pass
            case _:
                raise Malformed("A caller's SURE is not a confirmation.")
        if not hmac.compare_digest(confirmation, self._keys.of_a):
            raise Refused(Code.WRONG_CODE)
        self._over = True
        self._code.confirmed()
        fitting: list[Value] = []
        for packed in map(pack, addresses):
            fitting += [packed] if len(encode([*fitting, packed])) <= _MAX_LISTED else []
        ours = Frame(SURE, encode([self._keys.of_b, fitting]))
        self._side.cover(frame, ours)
        return ours, secret_of(self._keys.shared)


class CallerExchange:
    """The caller's part, frame by frame: construct, then `sure`, then `details`."""

    def __init__(self, side: JoinerSide, scalar: bytes) -> None:
        """`scalar`: the scalar of the code, 32 bytes."""
        self._side = side
        self._exchange = SpakeExchange(SpakeParty.A, scalar, _NAMES)
        self.share = Frame(CODE, encode([labels.PROTOCOL_VERSION, self._exchange.share]))
        """Our CODE, for the host."""

    def sure(self, frame: Frame) -> Frame:
        """Our SURE; `frame`: the host's CODE.  Raises Malformed."""
        self._keys = self._exchange.keys(_read_share(frame, versions=False), self._side.opening)
        ours = Frame(SURE, encode([self._keys.of_a]))
        self._side.cover(self.share, frame, ours)
        return ours

    def details(self, frame: Frame) -> HostDetails:
        """The shared secret and the host's addresses; `frame`: the host's SURE.

        Raises Refused if the other end does not know the words, or Malformed.
        """
        match decode(_payload(frame, SURE)):
            case [bytes() as confirmation, list() as listed] if len(listed) <= MAX_ADDRESSES:
                pass
            case _:
                raise Malformed("A host's SURE is not a confirmation and a few addresses.")
        if not hmac.compare_digest(confirmation, self._keys.of_b):
            raise Refused(Code.WRONG_CODE)
        self._side.cover(frame)
        return HostDetails(secret_of(self._keys.shared), _read_addresses(listed))


def _read_addresses(listed: list[Value]) -> tuple[Address, ...]:
    """The addresses of the kinds that this version knows.  Raises Malformed."""
    addresses: list[Address] = []
    for packed in listed:
        if not isinstance(packed, bytes):
            raise Malformed("An address in a SURE is not bytes.")
        try:
            address = unpack(packed)
        except NotAnAddress as error:
            raise Malformed("A SURE holds an address that is none.") from error
        addresses += [] if address is None else [address]
    return tuple(addresses)


def _read_share(frame: Frame, *, versions: bool) -> bytes:
    """The share (32 bytes) in a CODE, behind a version if `versions`.  Raises Malformed or Refused."""
    value = decode(_payload(frame, CODE))
    match value:
        case [int() as version, bytes() as share] if versions:
            if version != labels.PROTOCOL_VERSION:
                raise Refused(Code.VERSION)
        case [bytes() as share] if not versions:
            pass
        case _:
            raise Malformed("A CODE is not a version and a share.")
    if len(share) != SHARE_BYTES:
        raise Malformed("The share in a CODE is not 32 bytes.")
    return share


def _payload(frame: Frame, kind: int) -> bytes:
    if frame.kind != kind:
        raise Malformed("The other side said something else than a meeting by code asks for.")
    return frame.payload


def secret_of(shared: bytes) -> bytes:
    """The secret in the place of an invite's, 16 bytes; `shared`: Ke of RFC 9382."""
    return HKDF(algorithm=SHA256(), length=SECRET_BYTES, salt=None, info=labels.KDF_CODE).derive(shared)
