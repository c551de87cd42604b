"""The invite: one word that friends paste, and the host's record of its uses.

An invite is to play or to watch.  It holds the host's addresses, the hash of the host's certificate, and a
secret that proves the invitation; so the host must send it to friends only.  An invite to play is good for as
many keys as there are seats for guests; an invite to watch is good for anybody until the host revokes it.
Crockford's base32 lets people double-click, read aloud and type the word.  No code here waits, reads a clock,
touches a disk or prints the secret (threat 38).
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from p2p_stratego.core import strict_json
from protocol.failures import (
    Code,
    Flaw,
    InviteNewer,
    InviteOfAnotherKind,
    InviteTypo,
    NotAnAddress,
    NotAnInvite,
    Refused,
)
from protocol.wire import labels
from protocol.wire.addresses import Address, pack, unpack
from protocol.wire.base32 import from_base32, to_base32
from protocol.wire.encoding import tagged

PREFIX: Final = "P2PS"
VERSION: Final = 3
_BEFORE: Final = 2
"""The version before: its invites are read, none is written."""
SECRET_BYTES: Final = 16
CHECK_BYTES: Final = 4
"""Bytes of the checksum, which misses one typo in 2^32."""
MAX_ADDRESSES: Final = 8
MAX_TEXT: Final = 4096
"""Characters that `read` accepts: the longest invite has fewer than 3,400."""

_TO_PLAY, _TO_WATCH = 0, 1
_SKIPPED: Final = re.compile(r"[\s\-|\u2502\u200b\u2060\ufeff]+")
"""Characters that mails, readers and pages insert: spaces, hyphens, zero-width marks, a frame."""

checksum = tagged(labels.INVITE_CHECKSUM)
"""A hash (32 bytes) whose first CHECK_BYTES stand at the end of an invite."""


@dataclass(frozen=True, slots=True)
class Invite:
    """`addresses`: 1 to 8, best first; `certificate`: SHA-256 of the host's certificate (32 bytes, DER);
    `secret`: 16 bytes; `watch`: to watch, not to play.
    """

    addresses: tuple[Address, ...]
    certificate: bytes
    secret: bytes = field(repr=False)
    watch: bool = False

    def __str__(self) -> str:
        """The word.  It holds the secret: for the guest, never for a log."""
        return write(self)

    @property
    def name(self) -> str:
        """The name of files about this invite: 32 hex digits of the certificate's hash; a w to watch."""
        return self.certificate.hex()[:32] + "w" * self.watch

    def require(self, *, watch: bool) -> Invite:
        """The invite itself.  Raises InviteOfAnotherKind unless it is to `watch`, or to play."""
        if self.watch is not watch:
            raise InviteOfAnotherKind(watch=self.watch)
        return self


def write(invite: Invite) -> str:
    """The word for `invite`, upper case."""
    parts = [
        bytes((VERSION, _TO_WATCH if invite.watch else _TO_PLAY)),
        invite.certificate,
        invite.secret,
        bytes((len(invite.addresses),)),
    ]
    for address in map(pack, invite.addresses):
        parts += [bytes((len(address),)), address]
    body = b"".join(parts)
    return PREFIX + to_base32(body + checksum(body)[:CHECK_BYTES])


def read(text: str) -> Invite:
    """The invite in a pasted or typed text.

    Lower case, I and L for 1, O for 0, spaces, hyphens, line breaks and the lines of a frame are accepted.
    Raises NotAnInvite, InviteTypo, or InviteNewer.
    """
    word = _SKIPPED.sub("", text[:MAX_TEXT]).upper()
    if not word.startswith(PREFIX):
        raise NotAnInvite(Flaw.NO_PREFIX)
    data = from_base32(word[len(PREFIX) :])
    if data is None or len(data) <= CHECK_BYTES or len(text) > MAX_TEXT:
        raise InviteTypo
    body, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if not hmac.compare_digest(checksum(body)[:CHECK_BYTES], check):
        raise InviteTypo
    # All versions share the checksum, so a program wrote the rest: it holds no typo.
    if body[0] not in (VERSION, _BEFORE):
        raise InviteNewer(body[0])
    return _unpack(body)


def _unpack(body: bytes) -> Invite:
    """The invite with this body; the checksum is right."""
    version, kind, certificate, secret, rest = body[0], body[1:2], body[2:34], body[34:50], body[50:]
    if kind not in (bytes((_TO_PLAY,)), bytes((_TO_WATCH,))):
        raise NotAnInvite(Flaw.BAD_KIND)
    addresses = _addresses(rest) if version == VERSION else _addresses_before(rest)
    return Invite(addresses, certificate, secret, kind == bytes((_TO_WATCH,)))


def _addresses(data: bytes) -> tuple[Address, ...]:
    """Addresses, each behind its length, without those of kinds that only later programs know."""
    count, data = data[:1], data[1:]
    addresses: list[Address] = []
    for _ in range(_counted(count)):
        size, data = data[:1], data[1:]
        packed = data[: size[0]] if size else b""
        if not size or len(packed) != size[0]:
            raise NotAnInvite(Flaw.BAD_ADDRESS)
        data = data[len(packed) :]
        try:
            address = unpack(packed)
        except NotAnAddress as error:
            raise NotAnInvite(Flaw.BAD_ADDRESS) from error
        addresses += [] if address is None else [address]
    if data:
        raise NotAnInvite(Flaw.TOO_MUCH)
    if not addresses:
        raise NotAnInvite(Flaw.NO_PLACE)
    return tuple(addresses)


def _addresses_before(data: bytes) -> tuple[Address, ...]:
    """The addresses of version 2: one port for all, then IP addresses and, with their length, host names."""
    port, count, data = int.from_bytes(data[:2], "big"), data[2:3], data[3:]
    addresses: list[Address] = []
    for _ in range(_counted(count)):
        kind, data = data[:1], data[1:]
        if kind == b"\x00" and data:
            size, kind, data = data[0], b"\x01", data[1:]
        else:
            size = {b"\x04": 4, b"\x06": 16}.get(kind, 0)
        try:
            address = unpack(kind + data[:size] + port.to_bytes(2, "big")) if 0 < size <= len(data) else None
        except NotAnAddress as error:
            raise NotAnInvite(Flaw.BAD_ADDRESS) from error
        if address is None:
            raise NotAnInvite(Flaw.BAD_ADDRESS)
        addresses.append(address)
        data = data[size:]
    if data:
        raise NotAnInvite(Flaw.TOO_MUCH)
    return tuple(addresses)


def _counted(count: bytes) -> int:
    """The number of addresses, 1 to MAX_ADDRESSES.  Raises NotAnInvite."""
    if len(count) != 1 or not 0 < count[0] <= MAX_ADDRESSES:
        raise NotAnInvite(Flaw.NO_PLACE)
    return count[0]


@dataclass(frozen=True, slots=True)
class InviteRecord:
    """An invite on the host's disk.

    `expires`: Unix seconds; `uses`: for how many keys the invite is good; `keys`: the keys (32 bytes each)
    that have used it; `port`: where the host listened, which a router may know under another number.
    """

    invite: Invite
    expires: float
    uses: int
    keys: tuple[bytes, ...] = ()
    port: int = 0

    def __bytes__(self) -> bytes:
        """The bytes that `read_record` reads."""
        value = {
            "invite": write(self.invite),
            "expires": self.expires,
            "uses": self.uses,
            "keys": [key.hex() for key in self.keys],
            "port": self.port,
        }
        return (json.dumps(value) + "\n").encode()

    def used(self, key: bytes) -> InviteRecord | None:
        """The record once `key` has used the invite; None if it is good for no more keys."""
        if key in self.keys:
            return self
        return replace(self, keys=(*self.keys, key)) if len(self.keys) < self.uses else None


def read_record(data: bytes) -> InviteRecord:
    """The record in bytes of a Record.  Raises NotAnInvite, InviteTypo or InviteNewer."""
    try:
        match strict_json.read(data):
            case {
                "invite": str(invite),
                "expires": int() | float() as expires,
                "uses": int(uses),
                "keys": [*keys],
                "port": int(port),
            } if 0 <= port < 2**16:
                return InviteRecord(read(invite), float(expires), uses, tuple(map(bytes.fromhex, keys)), port)
    except (ValueError, TypeError) as error:
        raise NotAnInvite(Flaw.BAD_RECORD) from error
    raise NotAnInvite(Flaw.BAD_RECORD)


class InviteTicket:
    """An open invite to play: good for some keys until it expires, and always for a key that has used it
    (threat 26).
    """

    def __init__(self, invite: Invite, expires: float, spend: Callable[[bytes], bool]) -> None:
        """`expires`: seconds by the caller's monotonic clock.  `spend` persists that a key (32 bytes) uses
        the invite, and returns whether that is one of its uses.
        """
        self.invite = invite
        self.expires = expires
        self.void = False
        """Whether the invite lets nobody in any more."""
        self._spend = spend
        self._keys: set[bytes] = set()

    def use(self, key: bytes, now: float) -> None:
        """Return once the use by `key` is persisted.  Raises Refused, and the same as `spend`."""
        if self.void:
            raise Refused(Code.USED_INVITE)
        if key in self._keys:
            return  # this key was here before: its connection broke, or its player came back
        if now >= self.expires:
            raise Refused(Code.EXPIRED_INVITE)
        if not self._spend(key):
            raise Refused(Code.USED_INVITE)
        self._keys.add(key)
