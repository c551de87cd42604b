"""The addresses of this machine for a friend, and the reason for a failed call."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from protocol.failures import NetworkFailure, RelayRefused, Unreachable, Unserved, WrongHost

_FAR_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation (RFC 5737, RFC 3849): no machine has them, and we send them nothing."""


def own_addresses() -> list[str]:
    """The source addresses of calls from this machine to the Internet, IPv4 first; at most two, perhaps none.

    Behind a router that translates addresses, they are good only within the router's network.
    """
    addresses = []
    for family, far_away in _FAR_AWAY:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far_away, 9))  # a datagram socket only looks up the route
            addresses.append(str(probe.getsockname()[0]))
    return addresses


def unreachable(addresses: Sequence[str], errors: Iterable[BaseException]) -> NetworkFailure:
    """The failure of a call to a host at `addresses`, by the most telling of the calls' `errors`."""
    errors = list(errors)
    for telling in (WrongHost, RelayRefused):
        for error in errors:
            if isinstance(error, telling):
                return error
    unserved = [error for error in errors if isinstance(error, Unserved)]
    if errors and len(unserved) == len(errors):
        return Unserved(tuple(addresses), tuple(relay for error in unserved for relay in error.relays))
    refused = any(isinstance(error, ConnectionRefusedError) or _refused(error) for error in errors)
    return Unreachable(tuple(addresses), refused=refused)


def _refused(error: BaseException) -> bool:
    """Whether this is a group of refused connections, one for each address that a host name stands for."""
    inner = getattr(error, "__cause__", None)
    return isinstance(inner, BaseExceptionGroup) and inner.subgroup(ConnectionRefusedError) is not None
