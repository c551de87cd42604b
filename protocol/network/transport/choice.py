"""Which transports a process calls with, as its player wishes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from protocol.network.transport import relayed, tcp
from protocol.network.transport.registry import Connect, Transports
from protocol.wire.addresses import Address, Endpoint, Relayed


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a player wants to reach others, and to be reached.

    `straight`: from machine to machine; without it others learn no address of ours, and relays alone do.
    `relays`: through relays that others name, too.
    """

    straight: bool = True
    relays: bool = True


def chosen(wishes: Wishes) -> Transports:
    """The transports for calls of a player with these wishes."""
    dial = Transports({Endpoint: tcp.connect}).connect
    by_kind: dict[type[Address], Connect] = {}
    if wishes.straight:
        by_kind[Endpoint] = dial
    if wishes.relays:
        by_kind[Relayed] = partial(relayed.connect, dial=dial)
    return Transports(by_kind, dial)


STANDARD: Final = chosen(Wishes())
