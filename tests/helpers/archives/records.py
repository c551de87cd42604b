"""Records for archives: whole matches of bots, both copies, and what becomes of records."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

import pyarrow as pa

from p2p_stratego.registry import GAMES
from protocol.wire.transcript import MAGIC
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Table

CHANGED: Final = 1_700_000_000
"""When the first of the files was changed, in seconds since 1970."""


@cache
def match(seed: int, game: str = "spies-and-lies") -> tuple[bytes, ...]:
    """The copies of a match, one by seat, both whole."""
    return tuple(seat.transcript for seat in Table(seed, game=GAMES[game], decide=honest).play().seats)


@cache
def samples() -> Mapping[str, bytes]:
    """Records of every kind: whole ones in two copies, cut, spoilt, of another version."""
    records: dict[str, bytes] = {}
    for seed in range(6):
        records |= {f"match-{seed}-{seat}": data for seat, data in enumerate(match(seed))}
    first, second = match(6)[0], match(7)[0]
    third = bytearray(match(8)[0])
    third[len(third) // 2] ^= 1
    return {
        **records,
        "torn": first[:-3],
        "stopped": first[: len(first) // 2],
        "swapped": second[:200] + second[201:],
        "spoilt": bytes(third),
        "headless": MAGIC + b"\0" * 40,
        "stratego": match(0, "stratego")[0],
        "newer": b"p2p-stratego transcript 9\n" + first[len(MAGIC) :],
    }


def junk(number: int, size: int) -> bytes:
    """So many bytes that begin as a record does."""
    return MAGIC + number.to_bytes(8, "big") + b"\xff" * (size - len(MAGIC) - 8)


def tar(records: Mapping[str, bytes], form: Literal[0, 1, 2] = tarfile.USTAR_FORMAT) -> bytes:
    """A pack of them."""
    return members(records, form) + bytes(2 * tarfile.BLOCKSIZE)


def members(records: Mapping[str, bytes], form: Literal[0, 1, 2] = tarfile.USTAR_FORMAT) -> bytes:
    """The same without its end, so that more can follow."""
    parts = []
    for at, (name, data) in enumerate(records.items()):
        member = tarfile.TarInfo(f"{name}.p2ps")
        member.size, member.mtime = len(data), CHANGED + at
        parts += [member.tobuf(form), data, bytes(-len(data) % tarfile.BLOCKSIZE)]
    return b"".join(parts)


def compressed(pack: bytes, codec: str) -> bytes:
    """The same, compressed with `gzip` or `zstd`."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as stream:
        stream.write(pack)
    return bytes(sink.getvalue())
