"""The transports of a process, as its player wishes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final

from protocol.limits import CONNECT_AFAR_WITHIN, CONNECT_WITHIN
from protocol.network.transport import proxied, relay_client, tcp
from protocol.network.transport.proxied import Proxy
from protocol.network.transport.registry import Connect, Transports
from protocol.wire.addresses import Callee, Endpoint, Numbered, Onion, Relayed


@dataclass(frozen=True, slots=True)
class Wishes:
    """A player's wishes for calls, in both directions.

    `straight`: from machine to machine; without it no player learns our address, and of the relays only those
    that our player names: an invite or a card can name a relay of its author's.  `relays`: through relays
    that others name, too.  `proxy`: every call goes through it.
    """

    straight: bool = True
    relays: bool = True
    proxy: Proxy | None = None

    @property
    def hidden(self) -> bool:
        """Whether the others do not learn our address."""
        return not self.straight or self.proxy is not None


def transports_for(wishes: Wishes, relays: Collection[Endpoint | Onion] = ()) -> Transports:
    """The transports for calls with these `wishes`; `relays`: those that our player names."""
    by_kind: dict[type[Callee], Connect] = {}
    if wishes.proxy is None:
        places: dict[type[Callee], Connect] = {Endpoint: tcp.connect}
    else:
        connect = partial(proxied.connect, proxy=wishes.proxy)
        places = {Endpoint: connect, Onion: connect}
    dial = Transports(places).connect
    if wishes.straight:
        by_kind |= places
    if wishes.relays:
        by_kind[Relayed] = partial(relay_client.connect, dial=dial)
        by_kind[Numbered] = partial(relay_client.connect_numbered, dial=dial)
    within = CONNECT_WITHIN if wishes.proxy is None else CONNECT_AFAR_WITHIN
    only = None if wishes.straight or wishes.proxy is not None else frozenset(relays)
    return Transports(by_kind, dial, hidden=wishes.hidden, within=within, only=only)


STANDARD: Final = transports_for(Wishes())
