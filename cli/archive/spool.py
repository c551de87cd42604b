"""Records that wait to be added, on the local disk: sorted before they are written, so that a part of an
archive gets few and large files, and memory holds a batch and an index.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Final, NamedTuple

SIZE: Final = 512 << 20
"""Bytes after which a spool is emptied."""
_MOST: Final = 100_000
"""Records after which it is: its index stays under 50 MB."""


class Waiting(NamedTuple):
    """A record that waits: the columns of `records` but its bytes, in the order in which rows are written."""

    game: str
    shard: str
    match: str
    sha256: str
    size: int
    changed: int | None
    start: int
    """The place of its bytes in the file."""


Batch = list[tuple[Waiting, bytes]]


class Spool:
    """Records in a file without a name, which is gone with the program, however that ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the spool
        self._waiting: dict[str, Waiting] = {}
        self._size = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __contains__(self, sha256: str) -> bool:
        return sha256 in self._waiting

    @property
    def full(self) -> bool:
        """Whether it should be emptied."""
        return self._size >= SIZE or len(self._waiting) >= _MOST

    def take(self, keys: tuple[str, str, str], sha256: str, changed: int | None, data: bytes) -> None:
        """Keep a record; `keys`: game, shard and match."""
        self._file.seek(self._size)
        self._file.write(data)
        self._waiting[sha256] = Waiting(*keys, sha256, len(data), changed, self._size)
        self._size += len(data)

    def emptied(self, most: int) -> Iterator[Batch]:
        """All records, sorted, in batches of at least one and of at most `most` bytes, where records fit."""
        batch: Batch = []
        size = 0
        for waiting in sorted(self._waiting.values(), key=lambda record: record[:4]):
            if batch and size + waiting.size > most:
                yield batch
                batch, size = [], 0
            self._file.seek(waiting.start)
            batch.append((waiting, self._file.read(waiting.size)))
            size += waiting.size
        if batch:
            yield batch
        self._waiting.clear()
        self._file.truncate(0)
        self._size = 0
