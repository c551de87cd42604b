"""The registry of transports: the kind of an address chooses its transport, and no other code tells them
apart.

A transport is a pair of functions: the function registered here connects to an address of its kinds; the
other listens, and hands each caller to an Answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from typing import Any, NamedTuple, TypeAlias

import trio

from protocol.failures import Unserved
from protocol.limits import CONNECT_WITHIN
from protocol.rendezvous.via import Origin, Via
from protocol.wire.addresses import Callee, Endpoint, Onion, Relayed, address_text

Answer: TypeAlias = Callable[[trio.abc.Stream, Origin], Awaitable[None]]
"""Handles one caller until its connection ends.  Raises no error for any input."""


class Connection(NamedTuple):
    """A new connection to an address, before its first byte."""

    stream: trio.abc.Stream
    via: Via


Connect: TypeAlias = Callable[[Any], Awaitable[Connection]]
"""Calls an address of a kind that it is registered for.  Raises OSError or NetworkFailure."""


class Transports:
    """The transports for the calls of this process."""

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

        `hidden`: called players do not learn our address.  `only`: the relays that may be called, if not all;
        the owner of any other relay would learn our address.
        """
        self._only = only
        self._by_kind = dict(by_kind)
        self.dial = dial or self.connect
        self.hidden = hidden
        self.within = within
        """Seconds for a call."""

    def straight_by(self, connect: Connect) -> Transports:
        """The same transports, but `connect` calls IP addresses and host names."""
        changed = copy(self)
        if Endpoint in self._by_kind:
            changed._by_kind = {**self._by_kind, Endpoint: connect}
        return changed

    def serves(self, address: Callee) -> bool:
        """Whether a transport serves the kind of `address`, and its relay, if any, may be called."""
        return type(address) in self._by_kind and not self._left_out(address)

    def _left_out(self, address: Callee) -> bool:
        return self._only is not None and isinstance(address, Relayed) and address.relay not in self._only

    async def connect(self, address: Callee) -> Connection:
        """A connection to `address`.  Raises OSError or NetworkFailure."""
        connect = self._by_kind.get(type(address))
        if isinstance(address, Relayed) and self._left_out(address):
            raise Unserved((address_text(address),), (str(address.relay),))
        if connect is None:
            raise Unserved((address_text(address),))
        return await connect(address)
