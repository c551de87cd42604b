"""The invite: one word that friends paste, and the host's record of its uses.

It is to play or to watch.  It holds the host's addresses, the hash of the host's certificate, and a secret
that proves the invitation; so the host must send it to its friends only.  One to play is good for as many
keys as there are seats for guests; one to watch is good for anybody until the host revokes it.  Written in
Crockford's base32 (no letters to misread; https://www.crockford.com/base32.html) so that it can be
double-clicked, read aloud and typed. No code here waits, reads a clock, touches a disk or prints the secret
(threat 38).
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

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
from protocol.wire.encoding import tagged

PREFIX: Final = "P2PS"
VERSION: Final = 2
SECRET_BYTES: Final = 16
CHECK_BYTES: Final = 4
"""Bytes of the checksum: it misses one typo in 2^32."""
MAX_ADDRESSES: Final = 8
MAX_HOST: Final = 253
MAX_TEXT: Final = 4096
"""Characters that `read` accepts: the longest invite has fewer than 3,700."""
LIFETIME: Final = 3600.0
"""Seconds that an invite is valid unless the host says otherwise."""
LONGEST_LIFETIME: Final = 7 * 24 * 3600.0

_TO_PLAY, _TO_WATCH = 0, 1
_IPV4, _IPV6, _HOST_NAME = 4, 6, 0
_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES: Final = {digit: value for value, digit in enumerate(_DIGITS)}
_READ_AS: Final = str.maketrans("ILO", "110")
_SKIPPED: Final = re.compile(r"[\s\-|\u2502\u200b\u2060\ufeff]+")
"""Insertions of mail programs, line breaks, readers and pages: spaces, hyphens, zero-width marks, a frame."""
_HOST_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")

_checksum = tagged(labels.INVITE_CHECKSUM)


@dataclass(frozen=True, slots=True)
class Invite:
    """`addresses`: 1 to 8 IP addresses or host names, best first; `port`: 1 to 65,535; `certificate`:
    SHA-256 of the host's certificate (32 bytes, DER); `secret`: 16 bytes; `watch`: to watch, not to play.
    """

    addresses: tuple[str, ...]
    port: int
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


def check_address(text: str) -> str:
    """`text`, an IP address or host name, in the form of an invite.  Raises NotAnAddress."""
    try:
        # A zone ("%eth0") has a meaning on this machine only.
        return str(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        pass
    name = text.lower().rstrip(".")
    parts = name.split(".")
    if len(name) <= MAX_HOST and all(map(_HOST_LABEL.fullmatch, parts)) and not parts[-1].isdigit():
        return name  # no top-level domain is a number (RFC 3696, 2); "300.1.1.1" is a slip
    raise NotAnAddress(text)


def write(invite: Invite) -> str:
    """The word for `invite`, upper case."""
    parts = [
        bytes((VERSION, _TO_WATCH if invite.watch else _TO_PLAY)),
        invite.certificate,
        invite.secret,
        invite.port.to_bytes(2, "big"),
        bytes((len(invite.addresses),)),
        *map(_pack_address, invite.addresses),
    ]
    body = b"".join(parts)
    return PREFIX + _to_base32(body + _checksum(body)[:CHECK_BYTES])


def read(text: str) -> Invite:
    """The invite in a pasted or typed text.

    It accepts lower case, I and L for 1, O for 0, spaces, hyphens, line breaks and the lines of a frame.
    Raises NotAnInvite, InviteTypo, or InviteNewer.
    """
    word = _SKIPPED.sub("", text[:MAX_TEXT]).upper()
    if not word.startswith(PREFIX):
        raise NotAnInvite(Flaw.NO_PREFIX)
    data = _from_base32(word[len(PREFIX) :].translate(_READ_AS))
    if data is None or len(data) <= CHECK_BYTES or len(text) > MAX_TEXT:
        raise InviteTypo
    body, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if not hmac.compare_digest(_checksum(body)[:CHECK_BYTES], check):
        raise InviteTypo
    # All versions share the checksum, so the rest is no typo: a program wrote it.
    if body[0] != VERSION:
        raise InviteNewer(body[0])
    return _unpack(body)


def _pack_address(address: str) -> bytes:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        name = address.encode("ascii")
        return bytes((_HOST_NAME, len(name))) + name
    return bytes((ip.version,)) + ip.packed


def _unpack(body: bytes) -> Invite:
    """The fields of an invite's body after its version; the checksum is right."""
    kind, certificate, rest = body[1:2], body[2:34], body[34:]
    if kind not in (bytes((_TO_PLAY,)), bytes((_TO_WATCH,))):
        raise NotAnInvite(Flaw.BAD_KIND)
    secret, port, count, rest = rest[:16], int.from_bytes(rest[16:18], "big"), rest[18:19], rest[19:]
    if len(count) != 1 or not 0 < count[0] <= MAX_ADDRESSES or port == 0:
        raise NotAnInvite(Flaw.NO_PLACE)
    addresses = []
    for _ in range(count[0]):
        address, rest = _take_address(rest)
        addresses.append(address)
    invite = Invite(tuple(addresses), port, certificate, secret, kind == bytes((_TO_WATCH,)))
    if rest or not all(map(_as_written, addresses)):
        raise NotAnInvite(Flaw.TOO_MUCH)
    return invite


def _as_written(address: str) -> bool:
    """Whether `write` would have written `address` like this."""
    try:
        return check_address(address) == address
    except NotAnAddress:
        return False


def _take_address(data: bytes) -> tuple[str, bytes]:
    """The first address in `data`, and the bytes after it."""
    kind, rest = data[:1], data[1:]
    if kind == bytes((_HOST_NAME,)) and rest:
        size, rest = rest[0], rest[1:]
    else:
        size = {b"\x04": 4, b"\x06": 16}.get(kind, 0)
    taken = rest[:size]
    if len(taken) != size or size == 0:
        raise NotAnInvite(Flaw.BAD_ADDRESS)
    if kind == bytes((_HOST_NAME,)):
        return taken.decode("ascii", errors="replace"), rest[size:]
    return str(ipaddress.ip_address(taken)), rest[size:]


def _to_base32(data: bytes) -> str:
    """Five bits a digit, most significant first, the last digit filled up with zero bits."""
    spare = -len(data) * 8 % 5
    number = int.from_bytes(data, "big") << spare
    digits = (len(data) * 8 + spare) // 5
    return "".join(_DIGITS[number >> 5 * place & 31] for place in range(digits - 1, -1, -1))


def _from_base32(text: str) -> bytes | None:
    """The bytes, or None if `_to_base32` would not write `text`."""
    if not all(digit in _VALUES for digit in text):
        return None
    number = 0
    for digit in text:
        number = number << 5 | _VALUES[digit]
    size, spare = divmod(len(text) * 5, 8)
    if spare >= 5 or number & (1 << spare) - 1:
        return None
    return (number >> spare).to_bytes(size, "big")


@dataclass(frozen=True, slots=True)
class Record:
    """An invite on the host's disk: when it `expires` (Unix seconds), for how many keys it is good (`uses`),
    and the `keys` (32 bytes each) that have used it.
    """

    invite: Invite
    expires: float
    uses: int
    keys: tuple[bytes, ...] = ()

    def __bytes__(self) -> bytes:
        """The bytes that `read_record` reads."""
        value = {
            "invite": write(self.invite),
            "expires": self.expires,
            "uses": self.uses,
            "keys": [key.hex() for key in self.keys],
        }
        return (json.dumps(value) + "\n").encode()

    def used(self, key: bytes) -> Record | None:
        """The record once `key` has used the invite; None if it is good for no more keys."""
        if key in self.keys:
            return self
        return replace(self, keys=(*self.keys, key)) if len(self.keys) < self.uses else None


def read_record(data: bytes) -> Record:
    """The record in bytes of a Record.  Raises NotAnInvite, InviteTypo or InviteNewer."""
    try:
        value = json.loads(data)
        keys = tuple(map(bytes.fromhex, value["keys"]))
        return Record(read(value["invite"]), float(value["expires"]), int(value["uses"]), keys)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotAnInvite(Flaw.BAD_RECORD) from error


class Ticket:
    """An open invite to play: good for some keys until it expires, for a key that has used it always (threat
    26).
    """

    def __init__(self, invite: Invite, expires: float, spend: Callable[[bytes], bool]) -> None:
        """`expires`: seconds by the caller's monotonic clock.  `spend` persists that a key (32 bytes) uses
        the invite, and returns whether that is one of its uses.
        """
        self.invite = invite
        self.expires = expires
        self.void = False
        """Whether nobody gets in with it any more."""
        self._spend = spend
        self._keys: set[bytes] = set()

    def use(self, key: bytes, now: float) -> None:
        """Return once the use by `key` is persisted.  Raises Refused, and the same as `spend`."""
        if self.void:
            raise Refused(Code.USED_INVITE)
        if key in self._keys:
            return  # it was here before: its connection broke, or its player came back
        if now >= self.expires:
            raise Refused(Code.EXPIRED_INVITE)
        if not self._spend(key):
            raise Refused(Code.USED_INVITE)
        self._keys.add(key)
