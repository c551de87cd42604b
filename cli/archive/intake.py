"""Records into an archive: from files, folders, packs and standard input, a batch at a time.

Memory holds one batch.  A batch is committed whole or not at all, and only with what the archive lacks: so
the same sources can be added any number of times, by any number of writers.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from cli.archive import packs, schema, store
from cli.archive.store import Archive
from cli.reports.sources import STDIN, SUFFIX
from cli.shell.reading import read_file
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES
from protocol.audit.comparison import HEAD, match_in
from protocol.errors import Refusal
from protocol.record.genesis import id_of
from protocol.wire.encoding import decode
from protocol.wire.transcript import MAX_WITH_PROOFS

BATCH: Final = 32 << 20
"""Bytes of a batch, beside its last record."""
_MOST: Final = 20_000
"""Records of a batch."""
_NAMED: Final = 10
"""Sources of which it is told why nothing was taken; the others are counted."""
_RECORD: Final = re.compile(rb"p2p-stratego transcript (0|[1-9]\d{0,17})\n")
"""The first line of a record, of any version."""


class Incoming(NamedTuple):
    """Bytes that may be a record; `changed`: when, in seconds since 1970, if that is known."""

    name: str
    changed: int | None
    data: bytes


class Refused(NamedTuple):
    """Something of which nothing was taken, and why, in words."""

    name: str
    why: str


@dataclass(slots=True)
class Taken:
    """What was done so far.  `known`: records that were there already; `refused`: sources that are none."""

    added: int = 0
    known: int = 0
    bytes: int = 0
    commits: int = 0
    refused: int = 0
    named: list[Refused] = field(default_factory=list)
    """The first of the refused."""

    def refuse(self, one: Refused) -> None:
        """Count it, and keep its name if there is room."""
        self.refused += 1
        if len(self.named) < _NAMED:
            self.named.append(one)


def add(archive: Archive, incoming: Iterable[Incoming | Refused], step: Callable[[Taken], None]) -> Taken:
    """Add all records; `step` is called after each batch.  Raises OSError and Sorry."""
    taken, batch, size = Taken(), dict[str, Incoming](), 0
    for one in incoming:
        if isinstance(one, Refused):
            taken.refuse(one)
            continue
        name = hashlib.sha256(one.data).hexdigest()
        if name in batch:
            taken.known += 1
            continue
        batch[name] = one
        size += len(one.data)
        if size >= BATCH or len(batch) >= _MOST:
            _commit(archive, batch, taken)
            step(taken)
            batch, size = {}, 0
    if batch:
        _commit(archive, batch, taken)
        step(taken)
    return taken


def _commit(archive: Archive, batch: dict[str, Incoming], taken: Taken) -> None:
    rows = store.rows_of(schema.RECORDS, (_row(archive, name, one) for name, one in batch.items()))
    new = archive.append(schema.RECORDS, lambda standing: _fresh(standing, rows))
    taken.added += len(new)
    taken.known += len(rows) - len(new)
    taken.bytes += pc.sum(new["size"]).as_py() or 0
    taken.commits += bool(len(new))


def _row(archive: Archive, name: str, one: Incoming) -> dict[str, Any]:
    match, game = place(one.data)
    part = archive.part(game, match or name)
    return {
        "game": part.game,
        "shard": part.shard,
        "match": match or name,
        "sha256": name,
        "size": len(one.data),
        "changed": one.changed,
        "bytes": one.data,
    }


def place(data: bytes) -> tuple[str | None, str]:
    """The id of the match in a record (64 hex digits; None if it cannot be read), and its game.

    Only a game of this program names a part: else anybody could make a million folders (threat 47).
    """
    body = match_in(data[:HEAD])
    if body is None:
        return None, schema.UNKNOWN
    try:
        value = decode(body)
    except Refusal:
        return None, schema.UNKNOWN
    name = value[1] if type(value) is list and len(value) > 1 else None
    return id_of(body).hex(), name if isinstance(name, str) and name in ENTRIES else schema.UNKNOWN


def _fresh(standing: Any, rows: Any) -> Any:
    """Those of `rows` that a table as it stands does not have."""
    shards = pc.unique(rows["shard"]).to_pylist()
    pruned = standing.to_pyarrow_dataset(file_pruning_predicate=[("shard", "in", shards)])
    # A hash table of the batch, past which the archive's hashes go: memory does not grow with the archive.
    wanted = pa.array(rows["sha256"].to_pylist(), pa.string())
    known: list[str] = []
    for batch in store.batches(pruned, columns=["sha256"], filter=pc.field("sha256").isin(wanted)):
        known += batch["sha256"].to_pylist()
    return rows.filter(pc.invert(pc.is_in(rows["sha256"], value_set=pa.array(known, pa.string()))))


# Sources


def read(names: Iterable[str], stdin: IO[bytes]) -> Iterator[Incoming | Refused]:
    """Everything in files, folders (their records, in order) and packs; `-` is standard input.

    Raises OSError for a name that is not there: a typing error should not look like an empty folder.
    """
    for name in names:
        if name == STDIN:
            yield from _of_stream(_("Standard input"), None, packs.Stream(stdin))
        elif Path(name).is_dir():
            yield from _below(name)
        else:
            yield from _of_file(name)


def _below(folder: str) -> Iterator[Incoming | Refused]:
    """Links to folders are not followed: they could lead around in a circle."""
    for path, folders, files in os.walk(folder, onerror=_raise):
        folders.sort()
        for name in sorted(files):
            if name.endswith(SUFFIX):
                whole = os.path.join(path, name)
                try:
                    yield from _of_file(whole)
                except OSError as error:  # one file must not end the others
                    yield Refused(whole, error.strerror or str(error))


def _raise(error: OSError) -> None:
    raise error


def _of_file(name: str) -> Iterator[Incoming | Refused]:
    """The record in a file, or those in a pack."""
    changed = int(os.stat(name).st_mtime)
    if name.endswith(packs.SUFFIXES):
        with open(name, "rb") as source:
            yield from _of_stream(name, changed, packs.Stream(source))
        return
    yield _judged(name, changed, read_file(name, MAX_WITH_PROOFS + 1))


def _of_stream(name: str, changed: int | None, stream: packs.Stream) -> Iterator[Incoming | Refused]:
    """The records in a pack, or the one that a stream is."""
    try:
        pack = packs.unpacked(stream)
        if pack is None:
            yield _judged(name, changed, stream.read(MAX_WITH_PROOFS + 1))
            return
        for member in packs.members(pack):
            inner = f"{name}: {member.name}"
            yield (
                Refused(inner, _too_long())
                if member.data is None
                else _judged(inner, member.changed, member.data)
            )
    except packs.Damaged as error:
        yield Refused(name, _("the pack is damaged, and was read up to there: {why}", why=error))


def _judged(name: str, changed: int | None, data: bytes) -> Incoming | Refused:
    """Only the first line is looked at: a damaged record is a record."""
    if len(data) > MAX_WITH_PROOFS:
        return Refused(name, _too_long())
    if _RECORD.match(data) is None:
        return Refused(name, _("it is not the record of a game"))
    return Incoming(name, changed, data)


def _too_long() -> str:
    return _("it is far too long to be the record of a game")
