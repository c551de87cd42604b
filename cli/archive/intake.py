"""Records into an archive: from files, folders, packs and standard input, a batch at a time.

Memory holds one batch, the disk the spool.  A batch is committed whole or not at all,
and only with what the archive lacks: so the same sources can be added any number of times, by any number of
writers.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import pyarrow.compute as pc

from cli.archive import packs, schema, store
from cli.archive.spool import Batch, Spool
from cli.archive.store import Archive
from cli.reports.sources import STDIN, SUFFIX
from cli.shell.exit_codes import Sorry
from cli.shell.named_files import opened, read_file
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES
from protocol.audit.comparison import HEAD, match_in
from protocol.errors import Refusal
from protocol.limits import MAX_WITH_PROOFS
from protocol.record.genesis import id_of
from protocol.wire.encoding import decode

BATCH: Final = 16 << 20
"""Bytes of a batch."""
_COLUMNS: Final = tuple(column.name for column in schema.RECORDS.columns if column.name != "bytes")
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
    """What was done so far, in records.  `known`: they were there already; `refused`: what is none."""

    read: int = 0
    added: int = 0
    known: int = 0
    bytes: int = 0
    commits: int = 0
    refused: int = 0
    named: list[Refused] = field(default_factory=list)
    """The first of the refused."""

    def refuse(self, refusal: Refused) -> None:
        """Count it, and keep its name if there is room."""
        self.refused += 1
        if len(self.named) < _NAMED:
            self.named.append(refusal)


def add(archive: Archive, incoming: Iterable[Incoming | Refused], step: Callable[[Taken], None]) -> Taken:
    """Add all records; `step` is called after each record.  Raises OSError and Sorry."""
    taken = Taken()
    with Spool() as spool:
        for record in incoming:
            if isinstance(record, Refused):
                taken.refuse(record)
                continue
            taken.read += 1
            name = hashlib.sha256(record.data).hexdigest()
            if name in spool:
                taken.known += 1
                continue
            match, game = place(record.data)
            part = archive.part(game, match or name)
            spool.take((*part, match or name), name, record.changed, record.data)
            if spool.full:
                _commit(archive, spool, taken)
            step(taken)
        _commit(archive, spool, taken)
        step(taken)
    if taken.added:
        archive.compact(schema.RECORDS)
    return taken


def _commit(archive: Archive, spool: Spool, taken: Taken) -> None:
    for batch in spool.emptied(BATCH):
        new = archive.append(schema.RECORDS, partial(_fresh, batch))
        taken.added += len(new)
        taken.known += len(batch) - len(new)
        taken.bytes += pc.sum(new["size"]).as_py() or 0
        taken.commits += bool(len(new))


def _fresh(batch: Batch, standing: Any) -> Any:
    """The rows of a batch that a table as it stands does not have; made only now, as they are large.

    A record of a match that is there lies where the match lies: the program that brought that may have known
    another set of games.
    """
    known, games = _known(batch, standing)
    new = [
        (waiting._replace(game=games.get(waiting.match, waiting.game)), data)
        for waiting, data in batch
        if waiting.sha256 not in known
    ]
    new.sort(key=itemgetter(0))
    return store.rows_of(
        schema.RECORDS,
        [{**{name: getattr(waiting, name) for name in _COLUMNS}, "bytes": data} for waiting, data in new],
    )


def _known(batch: Batch, standing: Any) -> tuple[set[str], dict[str, str]]:
    """What a table as it stands has of the matches of a batch: records, by SHA-256, and games, by match."""
    shards = sorted({waiting.shard for waiting, _data in batch})
    pruned = standing.to_pyarrow_dataset(file_pruning_predicate=[("shard", "in", shards)])
    # A hash table of the batch, past which the archive's matches go: memory does not grow with the archive.
    wanted = store.within({waiting.match for waiting, _data in batch})
    hashes = {waiting.sha256 for waiting, _data in batch}
    known, games = set[str](), dict[str, str]()
    for rows in store.batches(pruned, columns=["game", "match", "sha256"], filter=wanted):
        known.update(hashes.intersection(rows["sha256"].to_pylist()))
        games.update(zip(rows["match"].to_pylist(), rows["game"].to_pylist(), strict=True))
    return known, games


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
                except Sorry as error:
                    yield Refused(whole, str(error))


def _raise(error: OSError) -> None:
    raise error


def _of_file(name: str) -> Iterator[Incoming | Refused]:
    """The record in a file, or those in a pack."""
    changed = int(os.stat(name).st_mtime)
    if name.endswith(packs.SUFFIXES):
        with opened(name) as source:
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
