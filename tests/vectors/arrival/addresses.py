"""Vectors of addresses: their bytes and their texts, and bytes and texts that are none."""

from __future__ import annotations

import base64
from hashlib import sha3_256
from typing import Final

from protocol.failures import NotAnAddress
from protocol.wire.addresses import Address, Onion, Relayed, pack, place, read, unpack
from tests.vectors.primitives import Vector, seed

TOKEN: Final = seed("vector relay token")[:16]
KEY: Final = seed("vector onion service")


def onion(key: bytes, version: int = 3) -> str:
    """The name of an onion service, as Tor's specification makes it."""
    tail = bytes((version,))
    check = sha3_256(b".onion checksum" + key + tail).digest()[:2]
    return base64.b32encode(key + check + tail).decode().lower() + ".onion"


GOOD: Final[tuple[Address, ...]] = (
    place("192.0.2.7", 4000),
    place("2001:db8::7", 65_535),
    place("example.org", 1),
    place(".".join(["a" * 46] * 5), 4000),
    Onion(onion(KEY), 4000),
    Relayed(place("192.0.2.7", 4001), TOKEN),
    Relayed(place("2001:db8::7", 4001), TOKEN),
    Relayed(place("relay.example", 4001), TOKEN),
    Relayed(place(onion(KEY), 4001), TOKEN),
)
OTHERWISE: Final = (
    ("192.0.2.7", "192.0.2.7:4000"),
    ("EXAMPLE.org.:4000", "example.org:4000"),
    ("[2001:DB8:0::7]", "[2001:db8::7]:4000"),
    ("2001:db8::7", "[2001:db8::7]:4000"),
    ("fe80::7%eth0", "[fe80::7]:4000"),
    ("::ffff:192.0.2.7", "192.0.2.7:4000"),
    (onion(KEY).upper(), f"{onion(KEY)}:4000"),
)
"""Texts that a person may type where the port is 4000 unless said, and what they mean."""
_PORT: Final = b"\x0f\xa0"
_BAD: Final = (
    ("nothing", b""),
    ("a kind alone", b"\x04"),
    ("an IPv4 address of three bytes", b"\x04\xc0\x00\x02" + _PORT),
    ("an IPv4 address of five bytes", b"\x04\xc0\x00\x02\x07\x07" + _PORT),
    ("port 0", b"\x04\xc0\x00\x02\x07\x00\x00"),
    ("the address of no machine", b"\x04" + bytes(4) + _PORT),
    ("a multicast address", b"\x04\xe0\x00\x00\xfb" + _PORT),
    ("the broadcast address", b"\x04\xff\xff\xff\xff" + _PORT),
    ("an IPv6 multicast address", b"\x06\xff\x02" + bytes(13) + b"\x01" + _PORT),
    ("an IPv4 address as an IPv6 one", b"\x06" + bytes(10) + b"\xff\xff\xc0\x00\x02\x07" + _PORT),
    ("a host name of nothing", b"\x01" + _PORT),
    ("a host name that is none", b"\x01a_b" + _PORT),
    ("a host name in capitals", b"\x01EXAMPLE.org" + _PORT),
    ("a host name that is an IP address", b"\x01192.0.2.7" + _PORT),
    ("a host name that is an onion service", b"\x01" + onion(KEY).encode() + _PORT),
    ("a host name that stands for an IP address", b"\x010x7f000001" + _PORT),
    ("a host name under .onion that is no service", b"\x01example.onion" + _PORT),
    ("a host name not in ASCII", b"\x01\xc3\xa4.org" + _PORT),
    ("a host name of 239 characters", b"\x01" + b".".join([b"a" * 59] * 4) + _PORT),
    ("a key of 31 bytes", b"\x02" + KEY[:31] + _PORT),
    ("a relay without an address", b"\x03" + TOKEN),
    ("a token cut off", b"\x03" + TOKEN[:15]),
    ("a relay at a relay", b"\x03" + TOKEN + b"\x03" + TOKEN + b"\x04\xc0\x00\x02\x07" + _PORT),
    ("256 bytes", b"\x09" + bytes(255)),
)
_BAD_TEXTS: Final = (
    "",
    ":4000",
    "example.org",
    "example.org:",
    "example.org:0",
    "example.org:65536",
    "example.org:+1",
    "[192.0.2.7:4000",
    "300.1.1.1:4000",
    "192.0.2.7%eth0:4000",
    "example.onion:4000",
    f"{onion(KEY, 2)}:4000",
    "relay://192.0.2.7:4001",
    "relay://192.0.2.7:4001/",
    "relay://192.0.2.7:4001/0123",
    "relay://192.0.2.7/00000000000000000000000000",
    "relay://relay://192.0.2.7:4001/00000000000000000000000000/00000000000000000000000000",
)


def addresses() -> Vector:
    """Addresses by bytes and text."""
    for why, data in _BAD:
        try:
            unpack(data)
        except NotAnAddress:
            continue
        raise AssertionError(why)
    for text in _BAD_TEXTS:
        try:
            read(text)
        except NotAnAddress:
            continue
        raise AssertionError(text)
    return {
        "good": [{"text": str(address), "packed": pack(address).hex()} for address in GOOD],
        "typed, with port 4000": [{"text": text, "means": means} for text, means in OTHERWISE],
        "of a kind that is not known": [b"\x09whatever".hex(), (b"\x03" + TOKEN + b"\x09x").hex()],
        "bad": [{"packed": data.hex(), "why": why} for why, data in _BAD],
        "bad texts": list(_BAD_TEXTS),
    }
