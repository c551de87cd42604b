"""A port of ours at which the router lets callers in, as long as the program runs.

We ask by PCP first, by NAT-PMP and UPnP moments later.  The first mapping that lets callers in is kept:
renewed at half of its lease, and removed at the end.  After a `kill -9` the router forgets it with the lease.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, Final, TypeVar

import trio

from p2p_stratego.core import strict_json
from p2p_stratego.core.strict_json import NotJson
from protocol.network.transport import igd
from protocol.rendezvous import gateway, port_mapping
from protocol.rendezvous.gateway import Router
from protocol.rendezvous.port_mapping import LEASE, NONCE_BYTES, By, Denied, Granted
from protocol.wire.addresses import Endpoint

T = TypeVar("T")

_AGAIN_AFTER: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds to wait after each question by datagram (RFC 6886, 3.1, with fewer questions)."""
_NEXT_AFTER: Final = 0.2
"""Before the next language is tried too: a router that knows the first language has answered by then."""
_IGD_WITHIN: Final = 20.0
"""For a process that asks by UPnP."""
_IGD_OUTPUT: Final = 4096
_REMOVE_WITHIN: Final = 4.0
"""For the end of a mapping, when the program ends."""
_LONGEST, _SHORTEST = LEASE / 2, 60.0
"""Between two questions: bounds for a router that grants a second, or a century."""
_ASK_ANEW: Final = 900.0
"""Between two questions if no router lets callers in: we may be in another network by then."""
MAX_MOVES: Final = 16
"""Addresses that a router may name one after the other; further addresses are told to nobody."""
NO_ANSWER: Final = "no answer"
_MAX_HEARD: Final = 64
"""Datagrams that are read for one answer: each costs a turn of the event loop, so a flood is cut."""


@dataclass(frozen=True, slots=True)
class MappingOutcome:
    """The result of asking a router: `granted` by the language `by`; else the `trouble`, "" for silence."""

    by: By | None = None
    granted: Granted | None = None
    trouble: str = ""

    @property
    def refused(self) -> bool:
        """Whether a router answered, and lets nobody in."""
        return self.granted is None and self.trouble not in ("", NO_ANSWER, igd.NOBODY, igd.MISSING)

    @property
    def outside(self) -> Endpoint | None:
        """The place at which callers from the Internet reach us; None behind a second router."""
        granted = self.granted
        if granted is None or not port_mapping.reached_from_outside(granted.outside):
            return None
        return Endpoint(str(granted.outside), granted.port)


def ports_to_map(port: int, own: list[str]) -> list[MappedPort]:
    """The ports to keep open for callers to `port` from outside; `own`: our addresses, as in own_addresses.

    For an IPv4 address that is not reached from outside, all languages are tried; for an IPv6 address, which
    only a firewall shields, PCP alone, if its router is known.
    """
    known = {router.own: router for router in gateway.routers(own)}
    ports = []
    for ip in map(ipaddress.ip_address, own):
        if ip.version == 4 and not port_mapping.reached_from_outside(ip):
            ports.append(MappedPort(port, known.get(ip)))
        elif ip.version == 6 and port_mapping.reached_from_outside(ip) and ip in known:
            ports.append(MappedPort(port, known[ip], upnp=False))
    return ports


class MappedPort:
    """One port of ours at one router; for IPv6 a hole in the router's firewall, by PCP alone."""

    def __init__(self, port: int, router: Router | None, *, upnp: bool = True) -> None:
        """`router`: None if the system names none; `upnp`: whether UPnP is tried, too."""
        self.port = port
        self.router = router
        self.outcome: MappingOutcome | None = None
        """The last outcome; None before the first."""
        self.tried = trio.Event()
        """Set when there is an outcome."""
        self.outside: Endpoint | None = None
        """The place at which callers from outside reach us."""
        self.on_change: Callable[[], None] = lambda: None
        self._upnp = upnp
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._mappings: dict[By, MappingOutcome] = {}
        """By language: a mapping of ours that may exist, with its last outcome."""
        self._moves = 0

    @property
    def of_ipv6(self) -> bool:
        """Whether the port is a hole in a firewall, without translation of addresses."""
        return self.router is not None and self.router.own.version == 6

    async def run(self) -> None:
        """Keep the port open until cancelled; then remove the mapping, within seconds."""
        try:
            while True:
                outcome = await self._renew()
                self.learn(outcome)
                granted = outcome.granted
                pause = min(_LONGEST, max(_SHORTEST, granted.lifetime / 2)) if granted else _ASK_ANEW
                await trio.sleep(pause)
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + _REMOVE_WITHIN):
                await self._remove()

    def learn(self, outcome: MappingOutcome) -> None:
        self.outcome = outcome
        if outcome.outside != self.outside and self._moves < MAX_MOVES:
            self.outside = outcome.outside
            self._moves += 1
        self.tried.set()
        self.on_change()

    async def _renew(self) -> MappingOutcome:
        """The outcome of asking again, first in the language that served last time."""
        last = self.outcome
        if last is not None and last.by is not None and last.granted is not None:
            outcome = await self._ask(last.by, last)
            if outcome.granted is not None:
                return outcome
        return await self._race()

    async def _race(self) -> MappingOutcome:
        """The first outcome that lets callers in; else the most telling outcome."""
        answers: list[MappingOutcome] = []
        languages = self._languages()
        over = [trio.Event() for _ in languages]

        async def ask(turn: int) -> None:
            if turn:
                with trio.move_on_after(_NEXT_AFTER * turn):
                    await over[turn - 1].wait()
            answers.append(await self._ask(languages[turn], None))
            over[turn].set()
            if answers[-1].granted is not None:
                nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for turn in range(len(languages)):
                nursery.start_soon(ask, turn)
        by_worth = sorted(answers, key=lambda answer: (answer.granted is None, not answer.refused))
        return by_worth[0] if by_worth else MappingOutcome()

    def _languages(self) -> list[By]:
        if self.router is None:
            return [By.UPNP] if self._upnp else []
        if self.router.own.version == 6:
            return [By.PCP]
        return [By.PCP, By.NAT_PMP, *([By.UPNP] if self._upnp else [])]

    async def _ask(self, by: By, last: MappingOutcome | None) -> MappingOutcome:
        self._mappings[by] = last or MappingOutcome(by)
        if by is By.UPNP:
            outcome = await self._by_upnp("open", last, LEASE)
        elif by is By.PCP:
            outcome = await self._by_pcp(None if last is None else last.granted, LEASE)
        else:
            outcome = await self._by_nat_pmp(None if last is None else last.granted)
        if outcome.granted is not None:
            self._mappings[by] = outcome
        else:
            self._mappings.pop(by, None)
        return outcome

    async def _remove(self) -> None:
        """Remove every mapping; a mapping whose grant may have been lost is removed by a single datagram."""
        async with trio.open_nursery() as nursery:
            for by, known in self._mappings.items():
                pauses = _AGAIN_AFTER[: None if known.granted else 1]
                if by is By.UPNP and known.granted is not None:
                    nursery.start_soon(self._by_upnp, "close", known, 0)
                elif by is By.PCP:
                    nursery.start_soon(self._by_pcp, known.granted, 0, pauses)
                elif by is By.NAT_PMP:
                    end = port_mapping.nat_pmp_map(self.port, 0)
                    nursery.start_soon(self._exchange, end, self._read_nat_pmp, pauses)

    # PCP and NAT-PMP

    async def _by_pcp(
        self, wish: Granted | None, lifetime: int, pauses: Sequence[float] = _AGAIN_AFTER
    ) -> MappingOutcome:
        if self.router is None:
            return MappingOutcome(By.PCP)
        own = self.router.own
        question = port_mapping.pcp_map(own, self.port, lifetime, self._nonce, wish)

        def read(data: bytes) -> Granted | Denied | None:
            return port_mapping.read_pcp_map(data, own, self.port, self._nonce)

        return _outcome(By.PCP, await self._exchange(question, read, pauses))

    async def _by_nat_pmp(self, wish: Granted | None) -> MappingOutcome:
        read = port_mapping.read_nat_pmp_address
        outside: IPv4Address | Denied | None = await self._exchange(port_mapping.nat_pmp_address(), read)
        if outside is None or isinstance(outside, Denied):
            return _outcome(By.NAT_PMP, outside)
        question = port_mapping.nat_pmp_map(self.port, LEASE, self.port if wish is None else wish.port)
        mapped: tuple[int, int] | Denied | None = await self._exchange(question, self._read_nat_pmp)
        if isinstance(mapped, tuple):
            return _outcome(By.NAT_PMP, Granted(outside, *mapped))
        return _outcome(By.NAT_PMP, mapped)

    def _read_nat_pmp(self, data: bytes) -> tuple[int, int] | Denied | None:
        return port_mapping.read_nat_pmp_map(data, self.port)

    async def _exchange(
        self, question: bytes, read: Callable[[bytes], T | None], pauses: Sequence[float] = _AGAIN_AFTER
    ) -> T | None:
        """The result of `read` for the router's answer to `question`; None if no answer comes.

        `pauses`: the seconds to wait after each time of asking.
        """
        router, datagrams = self.router, 0
        if router is None:
            return None
        family = socket.AF_INET6 if router.own.version == 6 else socket.AF_INET
        with suppress(OSError), trio.socket.socket(family, socket.SOCK_DGRAM) as asking:
            await asking.bind((str(router.own), 0))  # PCP compares this address with the one in the question
            await asking.connect((router.host, router.port))  # so only the router's datagrams come in
            for pause in pauses:
                with trio.move_on_after(pause):
                    with suppress(ConnectionRefusedError):  # nobody listens there now, but may later
                        await asking.send(question)
                    while datagrams < _MAX_HEARD:
                        answer = await _next_datagram(asking)
                        datagrams += 1
                        if (result := read(answer)) is not None:
                            return result
        return None

    # UPnP

    async def _by_upnp(self, action: str, last: MappingOutcome | None, lease: int) -> MappingOutcome:
        outside = self.port if last is None or last.granted is None else last.granted.port
        words = [action, str(self.port), str(outside), str(lease)]
        with trio.move_on_after(_IGD_WITHIN):
            return read_igd(await ask_igd(words))
        return MappingOutcome(By.UPNP, trouble=NO_ANSWER)


async def _next_datagram(asking: trio.socket.SocketType) -> bytes:
    """The next datagram; after a refusal by the system, none for ever."""
    while True:
        try:
            return await asking.recv(port_mapping.MAX_ANSWER + 1)
        except ConnectionRefusedError:
            await trio.sleep_forever()


def _outcome(by: By, answer: Granted | Denied | None) -> MappingOutcome:
    if isinstance(answer, Granted):
        return MappingOutcome(by, answer if answer.lifetime else None)
    return MappingOutcome(by, trouble="" if answer is None else f"result {answer.result}")


async def ask_igd(words: Sequence[str]) -> bytes:
    """The output of a process that asks by UPnP, at most some KiB; b"" if it cannot run."""
    command = [sys.executable, "-P", str(Path(igd.__file__)), *words]
    try:
        process = await trio.lowlevel.open_process(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except (OSError, ValueError):  # also words that no system takes, from a process that was taken over
        return b""
    output, out = b"", process.stdout
    try:
        while out is not None and len(output) <= _IGD_OUTPUT:
            if not (more := await out.receive_some(_IGD_OUTPUT)):
                break
            output += more
    finally:
        process.kill()  # it may hang, or write for ever
        with trio.CancelScope(shield=True):
            await process.wait()
            if out is not None:
                await out.aclose()
    return output


def read_igd(output: bytes) -> MappingOutcome:
    """The outcome in the output of a process that asked by UPnP; the output may be cut anywhere."""
    value: Any = None
    with suppress(NotJson):
        value = strict_json.read(output, _IGD_OUTPUT)
    match value:
        case {"outside": str(outside), "port": int(port)} if 0 < port < 2**16 and port is not True:
            with suppress(ValueError):
                return MappingOutcome(By.UPNP, Granted(IPv4Address(outside), port, LEASE))
            return MappingOutcome(By.UPNP, trouble="no address")
        case {"trouble": str(trouble)}:
            return MappingOutcome(By.UPNP, trouble=trouble)
    return MappingOutcome(By.UPNP, trouble=NO_ANSWER)
