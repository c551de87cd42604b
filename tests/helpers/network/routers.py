"""A small router that hears PCP and NAT-PMP, by its own reading of the RFCs."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import trio

HANGING: Final = 10
Change = Callable[[str, str, int, int], None]
"""Told "open" or "close", the client, its port, and the router's."""


@dataclass
class Table:
    """What a router lets in: by its own port, the client, its port, and the seconds."""

    outside: str = "203.0.113.7"
    rows: dict[int, tuple[str, int, int]] = field(default_factory=dict)
    changed: Change = lambda *_: None

    def open(self, client: str, port: int, wish: int, lifetime: int) -> int:
        """Let callers in; the router's port."""
        ours = [at for at, row in self.rows.items() if row[:2] == (client, port)]
        at = ours[0] if ours else wish or port
        while at in self.rows and not ours:
            at += 1
        self.rows[at] = client, port, lifetime
        if not ours:
            self.changed("open", client, port, at)
        return at

    def close(self, client: str, port: int) -> None:
        """Let them in no longer."""
        for at in [at for at, row in self.rows.items() if row[:2] == (client, port)]:
            del self.rows[at]
            self.changed("close", client, port, at)


class Datagrams:
    """PCP and NAT-PMP on one socket.  `answer` may be replaced by a router that lies."""

    def __init__(self, table: Table, languages: tuple[str, ...] = ("pcp", "nat-pmp")) -> None:
        self.table = table
        self.languages = languages
        self.port = 0
        self.asked: list[bytes] = []
        self.answer: Callable[[bytes, str], list[bytes]] = self.honest

    async def run(
        self, host: str, port: int = 0, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Answer until cancelled."""
        family = trio.socket.AF_INET6 if ":" in host else trio.socket.AF_INET
        with trio.socket.socket(family, trio.socket.SOCK_DGRAM) as hearing:
            await hearing.bind((host, port))
            self.port = hearing.getsockname()[1]
            task_status.started()
            while True:
                data, where = await hearing.recvfrom(2048)
                self.asked.append(data)
                for answer in self.answer(data, where[0]):
                    await hearing.sendto(answer, where)

    def honest(self, data: bytes, client: str) -> list[bytes]:
        """What a router answers."""
        version, operation = data[0], data[1]
        if version == 2 and "pcp" in self.languages:
            return [self._pcp(data, client)]
        if version == 0 and "nat-pmp" in self.languages:
            return [self._nat_pmp(data, operation, client)]
        if "nat-pmp" in self.languages:  # RFC 6887, appendix A
            return [struct.pack("!BBHI", 0, 128 | operation, 1, 100)]
        return []

    def _pcp(self, data: bytes, client: str) -> bytes:
        lifetime, sixteen = struct.unpack("!I16s", data[4:24])
        nonce, protocol, port, wish = struct.unpack("!12sB3xHH", data[24:44])
        six = ipaddress.IPv6Address(sixteen)
        if str(six.ipv4_mapped or six) != client:
            return struct.pack("!BBBBII12x", 2, data[1] | 128, 0, 12, 1800, 1) + data[24:]
        assert protocol == 6
        if lifetime:
            at = self.table.open(client, port, wish, lifetime)
        else:
            self.table.close(client, port)
            at = 0
        mapped = self.table.outside if ":" in self.table.outside else f"::ffff:{self.table.outside}"
        outside = ipaddress.IPv6Address(mapped).packed
        head: bytes = struct.pack("!BBBBII12x", 2, data[1] | 128, 0, 0, lifetime, 1)
        return head + bytes(nonce) + struct.pack("!B3xHH", 6, port, at) + outside

    def _nat_pmp(self, data: bytes, operation: int, client: str) -> bytes:
        if operation == 0:
            outside = ipaddress.IPv4Address(self.table.outside).packed
            return bytes(struct.pack("!BBHI", 0, 128, 0, 1) + outside)
        port, wish, lifetime = struct.unpack("!HHI", data[4:12])
        at = 0
        if lifetime:
            at = self.table.open(client, port, wish, lifetime)
        else:
            self.table.close(client, port)
        return struct.pack("!BBHIHHI", 0, 128 | operation, 0, 1, port, at, lifetime)
