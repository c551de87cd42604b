"""Records out of packs: tar archives, plain or compressed with gzip or zstd, read as a stream.

The standard library's `tarfile` reads a member's extended header whole, however long it says it is; so the
headers alone are parsed by it, and nothing longer than a record is ever held (threat 47).
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pyarrow as pa

from protocol.limits import MAX_WITH_PROOFS

SUFFIXES: Final = (".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst")
_COMPRESSED: Final = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
_TAR: Final = b"ustar"
_TAR_AT: Final = 257
_READ: Final = 1 << 20
"""Bytes taken at once where nothing is kept."""
_LATEST: Final = 1 << 40
"""Of times of files, in Unix seconds: some 35,000 years."""
DENSEST: Final = 100
FREE: Final = 1 << 30
"""A pack that unpacks to more bytes than these, and to so many times its own, holds no records: signatures do
not compress (threat 47).
"""
HEAD: Final = tarfile.BLOCKSIZE
"""Bytes by which a stream is recognised."""


class Damaged(Exception):
    """A pack that cannot be read on; the text says why."""


class Member(NamedTuple):
    """A file in a pack: its bytes, None if there are more than a record can have; when it was changed, in
    seconds since 1970.
    """

    name: str
    changed: int | None
    data: bytes | None


class Stream:
    """A stream that can be looked into, and is read once."""

    def __init__(self, source: Any) -> None:
        """`source` has `read(size)`, which returns fewer bytes at the end only."""
        self._source = source
        self._head: bytes = source.read(HEAD)
        self.taken = len(self._head)
        """Bytes that the source gave so far."""

    @property
    def head(self) -> bytes:
        """The first bytes: HEAD of them, or all."""
        return self._head

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end.  Raises OSError, also for damaged compression."""
        parts = [self._head[:size]]
        self._head = self._head[size:]
        left = size - len(parts[0])
        while left and (more := self._source.read(left)):
            parts.append(bytes(more))
            left -= len(more)
            self.taken += len(more)
        return b"".join(parts)

    # What a stream is to pyarrow:
    closed = False

    def readable(self) -> bool:
        """Always."""
        return True

    def close(self) -> None:
        """Nothing: whoever opened the source closes it."""


class _Unpacked:
    """The bytes of a compressed stream, so long as there are not far too many."""

    def __init__(self, packed: Stream, codec: str) -> None:
        """Raises OSError if it cannot be read."""
        self._packed = packed
        self._inner = pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), codec)
        self._size = 0

    def read(self, size: int) -> bytes:
        """The next bytes.  Raises OSError and Damaged."""
        part: bytes = self._inner.read(size)
        self._size += len(part)
        if self._size > max(FREE, DENSEST * self._packed.taken):
            raise Damaged(f"it unpacks to more than {DENSEST} times its size")
        return part


def unpacked(source: Stream) -> Stream | None:
    """The tar archive in a stream of which nothing was read, which may be compressed; None if it is none.

    Raises Damaged, as does reading from it.
    """
    if _is_tar(source.head):
        return Stream(source)
    for magic, codec in _COMPRESSED:
        if source.head.startswith(magic):
            try:
                inner = Stream(_Unpacked(source, codec))
            except OSError as error:
                raise Damaged(str(error)) from error
            return inner if _is_tar(inner.head) else None
    return None


def _is_tar(head: bytes) -> bool:
    return head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR


def members(pack: Stream) -> Iterator[Member]:
    """The regular files in a tar archive, in order.  Raises Damaged where it cannot be read on."""
    try:
        while (header := _header(pack.read(tarfile.BLOCKSIZE))) is not None:
            # Names longer than a header, and times finer than a second, stand in members of their own.
            if not header.isreg() or header.size > MAX_WITH_PROOFS:
                _skip(pack, header.size)
                if header.isreg():
                    yield Member(header.name, _changed(header), None)
                continue
            data = pack.read(header.size)
            if len(data) < header.size:
                raise Damaged("it ends within a file")
            _skip(pack, 0, header.size)
            yield Member(header.name, _changed(header), data)
    except OSError as error:
        raise Damaged(str(error)) from error


def _header(block: bytes) -> tarfile.TarInfo | None:
    """The header in a block; None at the end.  Raises Damaged."""
    if not block:
        raise Damaged("it has no end")
    if not block.strip(b"\0"):
        return None
    try:
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError as error:
        raise Damaged(str(error)) from error
    if header.size < 0 or header.issparse():
        raise Damaged("it has a file of a size that cannot be")
    return header


def _changed(header: tarfile.TarInfo) -> int | None:
    """When a file was last changed, in Unix seconds; None for a time that no clock shows (in base 256)."""
    return int(header.mtime) if 0 <= header.mtime < _LATEST else None


def _skip(pack: Stream, size: int, read: int = 0) -> None:
    """Pass over `size` bytes, and to the end of the block behind them and the `read` ones before."""
    left = size + -(size + read) % tarfile.BLOCKSIZE
    while left:
        taken = len(pack.read(min(left, _READ)))
        if not taken:
            raise Damaged("it ends within a file")
        left -= taken
