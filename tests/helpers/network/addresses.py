"""Addresses of every kind, for tests whose input is wide."""

from __future__ import annotations

import base64
from hashlib import sha3_256
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from hypothesis import strategies as st

from protocol.failures import NotAnAddress
from protocol.wire.addresses import Address, Relayed, check_host, place


def _onion(key: bytes) -> str:
    check = sha3_256(b".onion checksum" + key + b"\x03").digest()[:2]
    return base64.b32encode(key + check + b"\x03").decode().lower() + ".onion"


def _callable(ip: IPv4Address | IPv6Address) -> bool:
    try:
        return check_host(str(ip)) == str(ip)
    except NotAnAddress:
        return False


_names: Final = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{2,8}){0,3}", fullmatch=True)
_hosts: Final = st.one_of(
    st.ip_addresses().filter(_callable).map(str),
    _names.filter(lambda name: not name.endswith(".onion")),
    st.binary(min_size=32, max_size=32).map(_onion),
)
_places: Final = st.builds(place, _hosts, st.integers(1, 65_535))
addresses: Final[st.SearchStrategy[Address]] = st.one_of(
    _places, st.builds(Relayed, _places, st.binary(min_size=16, max_size=16))
)
