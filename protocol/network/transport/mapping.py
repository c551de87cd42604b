"""A port of ours that the router lets callers in at, as long as the program runs.

PCP is asked first, NAT-PMP and UPnP moments later; the first that lets callers in is kept, asked again at
half of its lease, and told to stop at the end.  After a `kill -9` the router forgets us with the lease.
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
"""Seconds between questions by datagram, the last one for the answer (RFC 6886, 3.1; no more of them)."""
_NEXT_AFTER: Final = 0.2
"""Before the next language is tried too: a router that knows the first has answered by then."""
_IGD_WITHIN: Final = 20.0
"""For a process that asks by UPnP."""
_IGD_OUTPUT: Final = 4096
_REMOVE_WITHIN: Final = 4.0
"""For the end of a mapping, when the program ends."""
_LONGEST, _SHORTEST = LEASE / 2, 60.0
"""Between two questions: a router that grants a second, or a century, is asked as others are."""
_ASK_ANEW: Final = 900.0
"""After nobody let callers in: another network may be here, or another router."""
MAX_MOVES: Final = 16
"""Addresses that a router may name one after the other; the rest is not told to anybody."""
NO_ANSWER: Final = "no answer"
_MAX_HEARD: Final = 64
"""Datagrams that are looked at for one answer: each costs a turn of the event loop."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of asking: `granted` if `by` it callers are let in; else the `trouble`, "" for silence."""

    by: By | None = None
    granted: Granted | None = None
    trouble: str = ""

    @property
    def refused(self) -> bool:
        """Whether somebody answered, and lets nobody in."""
        return self.granted is None and self.trouble not in ("", NO_ANSWER, igd.NOBODY, igd.MISSING)

    @property
    def outside(self) -> Endpoint | None:
        """Where callers from the Internet reach us; None if another router stands before this one."""
        granted = self.granted
        if granted is None or not port_mapping.reached_from_outside(granted.outside):
            return None
        return Endpoint(str(granted.outside), granted.port)


def wanted(port: int, own: list[str]) -> list[MappedPort]:
    """The ports to keep open for callers to `port` from outside; `own`: as own_addresses has them.

    For an IPv4 address that nobody outside reaches, by all languages; for an IPv6 one that others reach but
    for a firewall, by PCP, if its router is known.
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
    """One port of ours at one router; for IPv6 a hole in its firewall, by PCP alone."""

    def __init__(self, port: int, router: Router | None, *, upnp: bool = True) -> None:
        """`router`: None where the system tells none; `upnp`: whether that is asked, too."""
        self.port = port
        self.router = router
        self.outcome: Outcome | None = None
        """Of the last time; None before the first."""
        self.tried = trio.Event()
        """Set once there is an outcome."""
        self.outside: Endpoint | None = None
        """Where callers from outside reach us."""
        self.on_change: Callable[[], None] = lambda: None
        self._upnp = upnp
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._asked: dict[By, Outcome] = {}
        """By which languages there may be a mapping of ours, and the last that is known of it."""
        self._moves = 0

    @property
    def of_ipv6(self) -> bool:
        """Whether it is a hole in a firewall, and nothing is translated."""
        return self.router is not None and self.router.own.version == 6

    async def run(self) -> None:
        """Keep the port open until cancelled; then end it, within seconds."""
        try:
            while True:
                outcome = await self._asked_again()
                self._set(outcome)
                granted = outcome.granted
                pause = min(_LONGEST, max(_SHORTEST, granted.lifetime / 2)) if granted else _ASK_ANEW
                await trio.sleep(pause)
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + _REMOVE_WITHIN):
                await self._remove()

    def _set(self, outcome: Outcome) -> None:
        self.outcome = outcome
        if outcome.outside != self.outside and self._moves < MAX_MOVES:
            self.outside = outcome.outside
            self._moves += 1
        self.tried.set()
        self.on_change()

    async def _asked_again(self) -> Outcome:
        """What comes of asking: first by the language that served last time."""
        last = self.outcome
        if last is not None and last.by is not None and last.granted is not None:
            outcome = await self._ask(last.by, last)
            if outcome.granted is not None:
                return outcome
        return await self._race()

    async def _race(self) -> Outcome:
        """The first answer that lets callers in; else the most telling one."""
        answers: list[Outcome] = []
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
        by_worth = sorted(answers, key=lambda it: (it.granted is None, not it.refused))
        return by_worth[0] if by_worth else Outcome()

    def _languages(self) -> list[By]:
        if self.router is None:
            return [By.UPNP] if self._upnp else []
        if self.router.own.version == 6:
            return [By.PCP]
        return [By.PCP, By.NAT_PMP, *([By.UPNP] if self._upnp else [])]

    async def _ask(self, by: By, last: Outcome | None) -> Outcome:
        self._asked[by] = last or Outcome(by)
        if by is By.UPNP:
            outcome = await self._by_upnp("open", last, LEASE)
        elif by is By.PCP:
            outcome = await self._by_pcp(None if last is None else last.granted, LEASE)
        else:
            outcome = await self._by_nat_pmp(None if last is None else last.granted)
        if outcome.granted is not None:
            self._asked[by] = outcome
        else:
            self._asked.pop(by, None)
        return outcome

    async def _remove(self) -> None:
        """Have whatever was granted ended; where an answer may only have been lost, it is said once."""
        async with trio.open_nursery() as nursery:
            for by, known in self._asked.items():
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
    ) -> Outcome:
        if self.router is None:
            return Outcome(By.PCP)
        own = self.router.own
        question = port_mapping.pcp_map(own, self.port, lifetime, self._nonce, wish)

        def read(data: bytes) -> Granted | Denied | None:
            return port_mapping.read_pcp_map(data, own, self.port, self._nonce)

        return _outcome(By.PCP, await self._exchange(question, read, pauses))

    async def _by_nat_pmp(self, wish: Granted | None) -> Outcome:
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
        self,
        question: bytes,
        read: Callable[[bytes], T | None],
        pauses: Sequence[float] = _AGAIN_AFTER,
    ) -> T | None:
        """What `read` makes of the router's answer; `pauses`: how long to wait for it, each time it is asked.

        None if no answer comes.
        """
        router, heard = self.router, 0
        if router is None:
            return None
        family = socket.AF_INET6 if router.own.version == 6 else socket.AF_INET
        with suppress(OSError), trio.socket.socket(family, socket.SOCK_DGRAM) as asking:
            await asking.bind((str(router.own), 0))  # or PCP would take us for another machine
            await asking.connect((router.host, router.port))  # only its datagrams come in
            for pause in pauses:
                with trio.move_on_after(pause):
                    with suppress(ConnectionRefusedError):  # nobody hears there now; later somebody may
                        await asking.send(question)
                    while heard < _MAX_HEARD:
                        answer = await _heard(asking)
                        heard += 1
                        if (found := read(answer)) is not None:
                            return found
        return None

    # UPnP

    async def _by_upnp(self, action: str, last: Outcome | None, lease: int) -> Outcome:
        outside = self.port if last is None or last.granted is None else last.granted.port
        words = [action, str(self.port), str(outside), str(lease)]
        with trio.move_on_after(_IGD_WITHIN):
            return read_igd(await ask_igd(words))
        return Outcome(By.UPNP, trouble=NO_ANSWER)


async def _heard(asking: trio.socket.SocketType) -> bytes:
    """The next datagram; a refusal by the system there is none."""
    while True:
        try:
            return await asking.recv(port_mapping.MAX_ANSWER + 1)
        except ConnectionRefusedError:
            await trio.sleep_forever()


def _outcome(by: By, answer: Granted | Denied | None) -> Outcome:
    if isinstance(answer, Granted):
        return Outcome(by, answer if answer.lifetime else None)
    return Outcome(by, trouble="" if answer is None else f"result {answer.result}")


async def ask_igd(words: Sequence[str]) -> bytes:
    """The output of a process that asks by UPnP, at most some KiB; b"" if it could not be run."""
    command = [sys.executable, "-P", str(Path(igd.__file__)), *words]
    try:
        process = await trio.lowlevel.open_process(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except (OSError, ValueError):  # also words that no system takes, from a process that was taken over
        return b""
    said, out = b"", process.stdout
    try:
        while out is not None and len(said) <= _IGD_OUTPUT:
            if not (more := await out.receive_some(_IGD_OUTPUT)):
                break
            said += more
    finally:
        process.kill()  # no more of it is wanted, even if it hangs
        with trio.CancelScope(shield=True):
            await process.wait()
            if out is not None:
                await out.aclose()
    return said


def read_igd(said: bytes) -> Outcome:
    """What a process that asked by UPnP found out; it may have been killed in the middle of a word."""
    value: Any = None
    with suppress(NotJson):
        value = strict_json.read(said, _IGD_OUTPUT)
    match value:
        case {"outside": str(outside), "port": int(port)} if 0 < port < 2**16 and port is not True:
            with suppress(ValueError):
                return Outcome(By.UPNP, Granted(IPv4Address(outside), port, LEASE))
            return Outcome(By.UPNP, trouble="no address")
        case {"trouble": str(trouble)}:
            return Outcome(By.UPNP, trouble=trouble)
    return Outcome(By.UPNP, trouble=NO_ANSWER)
