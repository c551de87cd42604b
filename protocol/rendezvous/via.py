"""The ways by which a connection can go, for screens and for the choice between two connections."""

from __future__ import annotations

import ipaddress
from enum import Enum
from typing import NamedTuple


class Via(Enum):
    """The way of a connection."""

    NEARBY = "nearby"
    """Straight, within this network or this machine."""
    DIRECT = "direct"
    """Straight, across the Internet."""
    RELAY = "relay"
    """Through a relay."""
    PROXY = "proxy"
    """Through a proxy of ours, and from there on straight."""

    @property
    def relayed(self) -> bool:
        """Whether a relay stands between: then a straight way is better, and both ends judge so alike."""
        return self is Via.RELAY


class Origin(NamedTuple):
    """Where a caller comes from: its `network` counts in a crowd (strangers.py)."""

    network: str
    via: Via


def via_of(ip: str) -> Via:
    """The way of a connection straight to or from an IP address; NEARBY if no router passes it on (RFC 1918,
    RFC 3927, RFC 4193, RFC 4291).
    """
    try:
        address = ipaddress.ip_address(ip.partition("%")[0])
    except ValueError:
        return Via.DIRECT
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    near = address.is_loopback or address.is_link_local or any(address in net for net in _PRIVATE)
    return Via.NEARBY if near else Via.DIRECT


_PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
"""Used instead of `is_private`, which is also true of shared addresses and of those for documentation."""
