"""Addresses: where a program can be called, each of a kind that says how.

Every address has one form in bytes, for invites and cards, and one form as text, for files and screens.
Bytes and texts from others are hostile: `unpack` takes only bytes that `pack` would write, and no address
where nobody can listen.

    kind   bytes after the kind                    text
    1      host name ‖ port u16                    example.org:4000
    2      key of an onion service 32 ‖ port u16   (56 letters).onion:4000
    3      token 16 ‖ an address of another kind   relay://example.org:4000/(26 digits of base 32)
    4      IPv4 address 4 ‖ port u16               192.0.2.1:4000
    6      IPv6 address 16 ‖ port u16              [2001:db8::1]:4000
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
from dataclasses import dataclass
from hashlib import sha3_256
from typing import Final, TypeAlias

from protocol.failures import NotAnAddress
from protocol.wire.base32 import from_base32, to_base32

MAX_PACKED: Final = 255
"""Bytes of an address."""
MAX_TEXT: Final = 512
"""Characters of a text that is read: the longest address has fewer than 300."""
TOKEN_BYTES: Final = 16
_NAME, _ONION, _RELAYED, _IPV4, _IPV6 = 1, 2, 3, 4, 6
_IP_BYTES: Final = {_IPV4: 4, _IPV6: 16}
_HOST_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""The last label of a host that `inet_aton` takes for an IPv4 address (WHATWG URL, "ends in a number")."""
_MAX_NAME: Final = MAX_PACKED - 3 - 1 - TOKEN_BYTES
"""Characters of a host name: with kind, port, and the token of a relay, its address still fits MAX_PACKED."""
_ZONE: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
_RELAY_URL: Final = "relay://"
_ONION_DOMAIN: Final = ".onion"
_ONION_KEY: Final = 32
_ONION_VERSION: Final = b"\x03"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An IP address or a host name, in the form of `check_host`, and a TCP port (1 to 65,535).

    `host` of one that stays on this machine may have a zone: "fe80::1%eth0".
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Onion:
    """An onion service of Tor: `host` is 56 letters and ".onion", `port` 1 to 65,535."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Relayed:
    """A player who waits at a `relay`, where a caller asks for the player by `token` (16 bytes)."""

    relay: Endpoint | Onion
    token: bytes

    def __str__(self) -> str:
        return f"{_RELAY_URL}{self.relay}/{to_base32(self.token)}"


@dataclass(frozen=True, slots=True)
class Numbered:
    """A player who waits at a `relay`, where callers ask by a `number` that the relay gave out.

    No Address: a number is good for minutes, and stands in a short code only.
    """

    relay: Endpoint | Onion
    number: int

    def __str__(self) -> str:
        return f"the relay {self.relay}"


Address: TypeAlias = Endpoint | Onion | Relayed
Callee: TypeAlias = Address | Numbered
"""Everything that a program can call."""


def address_text(address: Callee) -> str:
    """`address` for people: without the token at a relay, since everybody with the token can call there."""
    return f"the relay {address.relay}" if isinstance(address, Relayed) else str(address)


def check_host(text: str) -> str:
    """`text`, an IP address or host name, in the one form that an address has.  Raises NotAnAddress."""
    try:
        # A zone ("%eth0") has a meaning on this machine only, and at IPv6 addresses only.
        ip = ipaddress.ip_address(text.partition("%")[0] if ":" in text else text)
    except ValueError:
        pass
    else:
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        if ip.is_unspecified or ip.is_multicast or ip == ipaddress.IPv4Address("255.255.255.255"):
            raise NotAnAddress(text)  # nobody listens there: a call would reach another program
        return str(ip)
    name = text.lower().rstrip(".")
    parts = name.split(".")
    good = len(name) <= _MAX_NAME and all(map(_HOST_LABEL.fullmatch, parts))
    # No top-level domain is a number (RFC 3696, 2): "300.1.1.1" is a slip, and 0x7f000001 another form of
    # 127.0.0.1 to a resolver.
    if not good or _NUMBER.fullmatch(parts[-1]) or (parts[-1] == "onion" and _onion_key(name) is None):
        raise NotAnAddress(text)
    return name


def place(host: str, port: int) -> Endpoint | Onion:
    """The address of a `host`, in any form that `check_host` takes.  Raises NotAnAddress."""
    host = check_host(host)
    if not 0 < port < 2**16:
        raise NotAnAddress(f"{host}:{port}")
    return Onion(host, port) if host.endswith(_ONION_DOMAIN) else Endpoint(host, port)


def read(text: str, port: int | None = None, *, zones: bool = False) -> Address:
    """The address in a text: "host:4000", "[::1]:4000", "relay://…", or a host alone, if there is a `port`.

    `zones`: keep the "%eth0" behind an IPv6 address, the interface of this machine for the call.  Raises
    NotAnAddress.
    """
    given, text = text, text.strip()
    if len(text) > MAX_TEXT:
        raise NotAnAddress(given[:MAX_TEXT])
    if text.startswith(_RELAY_URL):
        where, _, digits = text.removeprefix(_RELAY_URL).rpartition("/")
        token, relay = from_base32(digits), read(where, zones=zones)
        if token is None or len(token) != TOKEN_BYTES or isinstance(relay, Relayed):
            raise NotAnAddress(given)
        return Relayed(relay, token)
    host, colon, number = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, number = text, "" if port is None else str(port)
    if not (number.isascii() and number.isdigit() and len(number) < 6):
        raise NotAnAddress(given)
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        address = place(bare, int(number))
    except NotAnAddress:
        raise NotAnAddress(given) from None
    _, percent, zone = bare.partition("%")
    if not (percent and zones):
        return address
    if ":" not in address.host or not _ZONE.fullmatch(zone):
        raise NotAnAddress(given)
    return Endpoint(f"{address.host}%{zone}", address.port)


def pack(address: Address) -> bytes:
    """The bytes of `address`, at most MAX_PACKED, without a zone."""
    if isinstance(address, Relayed):
        return bytes((_RELAYED,)) + address.token + pack(address.relay)
    port = address.port.to_bytes(2, "big")
    if isinstance(address, Onion):
        key = _onion_key(address.host)
        if key is None:
            raise ValueError(f"no onion address: {address.host!r}")
        return bytes((_ONION,)) + key + port
    try:
        ip = ipaddress.ip_address(address.host.partition("%")[0])
    except ValueError:
        return bytes((_NAME,)) + address.host.encode("ascii") + port
    return bytes((ip.version,)) + ip.packed + port


def unpack(data: bytes) -> Address | None:
    """The address in `data`, None if it is of a kind that a later program may know.

    Raises NotAnAddress unless `pack` would write just these bytes.
    """
    kind, rest = data[:1], data[1:]
    if not kind or len(data) > MAX_PACKED:
        raise _not_packed(data)
    if kind[0] == _RELAYED:
        relay = unpack(rest[TOKEN_BYTES:])
        if relay is None:
            return None
        if isinstance(relay, Relayed):
            raise _not_packed(data)
        return Relayed(relay, rest[:TOKEN_BYTES])
    if kind[0] not in (_NAME, _ONION, *_IP_BYTES):
        return None
    address = place(_host_in(kind[0], rest[:-2], data), int.from_bytes(rest[-2:], "big"))
    if pack(address) != data:
        raise _not_packed(data)
    return address


def _host_in(kind: int, body: bytes, data: bytes) -> str:
    if kind == _ONION and len(body) == _ONION_KEY:
        return _onion_host(body)
    if kind == _NAME:
        return body.decode("ascii", errors="replace")
    if len(body) == _IP_BYTES.get(kind):
        return str(ipaddress.ip_address(body))
    raise _not_packed(data)


def _not_packed(data: bytes) -> NotAnAddress:
    return NotAnAddress(data[:MAX_PACKED].hex())


def _onion_host(key: bytes) -> str:
    """The name of the onion service with a `key` (32 bytes; rend-spec-v3 of Tor, section 6)."""
    check = sha3_256(b".onion checksum" + key + _ONION_VERSION).digest()[:2]
    return base64.b32encode(key + check + _ONION_VERSION).decode().lower() + _ONION_DOMAIN


def _onion_key(host: str) -> bytes | None:
    """The key (32 bytes) of an onion service; None if `host` names none.

    No other name under .onion is an address: a lookup would tell the name to name servers (RFC 7686).
    """
    try:
        key = base64.b32decode(host.removesuffix(_ONION_DOMAIN).upper())[:_ONION_KEY]
    except binascii.Error:
        return None
    return key if len(key) == _ONION_KEY and _onion_host(key) == host else None
