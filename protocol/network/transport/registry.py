"""Which transport calls an address, by its kind; the rest of the protocol does not know one from another.

A transport is a pair: a function that connects to an address of its kinds, here, and one that listens, which
hands each caller to an Answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from typing import Any, NamedTuple, TypeAlias

import trio

from protocol.channel.limits import CONNECT_WITHIN
from protocol.failures import Unserved
from protocol.rendezvous.via import Origin, Via
from protocol.wire.addresses import Callee, Endpoint, Onion, Relayed, address_text

Answer: TypeAlias = Callable[[trio.abc.Stream, Origin], Awaitable[None]]
"""Handles one caller until its connection ends.  Raises no error for any input."""


class Connected(NamedTuple):
    """A connection to an address, before anything is said on it."""

    stream: trio.abc.Stream
    via: Via


Connect: TypeAlias = Callable[[Any], Awaitable[Connected]]
"""Calls an address of a kind that it is registered for.  Raises OSError or NetworkFailure."""


class Transports:
    """The transports that this process calls with."""

    def __init__(
        self,
        by_kind: Mapping[type[Callee], Connect],
        dial: Connect | None = None,
        *,
        hidden: bool = False,
        within: float = CONNECT_WITHIN,
        only: frozenset[Endpoint | Onion] | None = None,
    ) -> None:
        """`dial`: connects to relays at which we wait ourselves; default: as to any other address.

        `hidden`: those who are called do not learn our address.  `only`: the relays that are called, if not
        all; whoever runs another one would learn it.
        """
        self._only = only
        self._by_kind = dict(by_kind)
        self.dial = dial or self.connect
        self.hidden = hidden
        self.within = within
        """Seconds for a call."""

    def straight_by(self, connect: Connect) -> Transports:
        """The same transports, but IP addresses and host names are called by `connect`."""
        changed = copy(self)
        if Endpoint in self._by_kind:
            changed._by_kind = {**self._by_kind, Endpoint: connect}
        return changed

    def serves(self, address: Callee) -> bool:
        """Whether `address` is of a kind that a transport is there for, and at no relay that is left out."""
        return type(address) in self._by_kind and not self._left_out(address)

    def _left_out(self, address: Callee) -> bool:
        return self._only is not None and isinstance(address, Relayed) and address.relay not in self._only

    async def connect(self, address: Callee) -> Connected:
        """A connection to `address`.  Raises OSError or NetworkFailure."""
        connect = self._by_kind.get(type(address))
        if isinstance(address, Relayed) and self._left_out(address):
            raise Unserved((address_text(address),), (str(address.relay),))
        if connect is None:
            raise Unserved((address_text(address),))
        return await connect(address)
