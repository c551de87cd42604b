"""An archive's place and its tables: opened or made, read by parts, appended to, rows replaced.

Delta Lake commits by adding one file to a table's log, which succeeds for one writer only.  Every commit here
is bound to the version that it was compared with: if somebody else has committed since, nothing is written,
and the comparison is made again.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from deltalake import ColumnProperties, CommitProperties, DeltaTable, WriterProperties, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError

from cli.archive import schema
from cli.archive.schema import PARTITIONS, Table
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _

FORMAT: Final = "p2p-stratego.format"
SHARDS: Final = "p2p-stratego.shards"
"""The properties of each table."""
TRIES: Final = 100
"""Commits of others that one of ours gives way to: each of them was progress."""
SMALL: Final = 16 << 20
"""Bytes under which a file is small."""
FILE: Final = 32 << 20
"""Bytes at which a file is closed and the next begun: some of them are in memory."""
LISTED: Final = 4096
"""Matches in a condition at most: some 20,000 overflow a stack of 8 MB, which ends the process."""
CROWD: Final = 32
"""Small files of a part from which on they are made one."""
_PLAIN: Final = ColumnProperties(dictionary_enabled=False)
_WRITTEN: Final = {
    # Groups of few rows: what is read to find one match.  The least and the greatest of the bytes of records
    # would fill the files' ends, and a dictionary of them memory.
    schema.RECORDS.name: WriterProperties(
        compression="ZSTD",
        compression_level=1,
        max_row_group_size=16,
        write_batch_size=16,
        column_properties={
            "match": _PLAIN,
            "sha256": _PLAIN,
            "bytes": ColumnProperties(dictionary_enabled=False, statistics_enabled="NONE"),
        },
    )
}
_USUAL: Final = WriterProperties(compression="ZSTD", compression_level=1, max_row_group_size=4096)
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://")
_STEP: Final = re.compile(r"\s*\n\s*(?:\x1b\[31m↳\x1b\[0m\s*)?")
"""Between a failure and its cause in what Delta Lake says; the last one tells most."""
_NAME: Final = re.compile(r"[a-z0-9-]+")
"""The name of a game, or digits of a shard."""
_HEX: Final = re.compile(r"[0-9a-f]+")


class Part(NamedTuple):
    """One shard of one game."""

    game: str
    shard: str


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that is there.  `depth`: how many digits of a match's id name its shard."""

    place: str
    depth: int

    def part(self, game: str, match: str) -> Part:
        """The part in which a match lies."""
        return Part(game, schema.shard(match, self.depth))

    def table(self, table: Table, version: int | None = None) -> Any:
        """The table (deltalake.DeltaTable) as it stands, or as it was at a version."""
        return DeltaTable(_inside(self.place, table), version=version)

    def parts(self) -> list[Part]:
        """Where records are, in order."""
        known = self.table(schema.RECORDS).partitions()
        return sorted(Part(part["game"], part["shard"]) for part in known)

    def append(self, table: Table, fresh: Callable[[Any], Any]) -> Any:
        """Append the rows (pyarrow.Table) that `fresh` has for the table as it stands, and return them.

        `fresh` is asked again after each commit of somebody else: so no two writers append one row.
        """
        for _try in range(TRIES):
            standing = self.table(table)
            new = fresh(standing)
            if not len(new) or _committed(standing, table, new):
                return new
        raise _contested(self.place)

    def replace(self, table: Table, rows: Any, matches: Collection[str]) -> None:
        """Make `rows` the rows of `matches`, whatever rows these had before; many at a time, not all."""
        rows = ordered(rows)
        for _try in range(TRIES):
            standing = self.table(table)
            old = set(sorted(self.present(standing, matches))[:LISTED])
            if not old:
                if not len(rows) or _committed(standing, table, rows):
                    return
                continue
            again = pc.is_in(rows["match"], value_set=pa.array(sorted(old), pa.string()))
            if _committed(standing, table, rows.filter(again), self._where(old)):
                rows, matches = rows.filter(pc.invert(again)), {*matches} - old
        raise _contested(self.place)

    def compact(self, table: Table) -> None:
        """Make few files of the many small ones that many small commits left in some parts.

        Such a part is written anew, as a stream.  Where somebody else commits meanwhile, the rest is left to
        the next time.  Replaced files stay for a week, for those who still read them.

        Delta's own `optimize` does not serve: of two at once both commit, whatever the retries, and each row
        is there twice.  Nor does a list of the matches in small files: some 20,000 overflow the stack.
        """
        standing = self.table(table)
        files = pa.table(standing.get_add_actions(flatten=True))
        small = files.filter(pc.less(files["size_bytes"], SMALL)).to_pylist()
        counts = Counter(Part(*(file[f"partition.{name}"] for name in PARTITIONS)) for file in small)
        crowded = sorted(part for part, count in counts.items() if count >= CROWD)
        for part in crowded:
            if not all(map(_NAME.fullmatch, part)):
                raise _foreign(self.place)  # in such a name a text of SQL could end
            of = standing.to_pyarrow_dataset(file_pruning_predicate=of_part(part))
            rows = pa.RecordBatchReader.from_batches(of.schema, batches(of))
            if not _committed(standing, table, rows, f"game = '{part.game}' AND shard = '{part.shard}'"):
                return
        if crowded:
            standing.vacuum(dry_run=False)

    def shards(self, matches: Iterable[str]) -> list[str]:
        """Those in which matches lie, in order."""
        return sorted({schema.shard(match, self.depth) for match in matches})

    def present(self, standing: Any, matches: Collection[str]) -> set[str]:
        """Those of `matches` that have rows in a table as it stands."""
        if not matches:
            return set()
        lie = [("shard", "in", self.shards(matches))]
        pruned = standing.to_pyarrow_dataset(file_pruning_predicate=lie)
        known = pruned.to_table(columns=["match"], filter=within(matches))
        return set(pc.unique(known["match"]).to_pylist())

    def _where(self, matches: Collection[str]) -> str:
        """The rows of `matches`, in Delta's SQL.  Raises Sorry for ids that no archive has."""
        if not all(map(_HEX.fullmatch, matches)):
            raise _foreign(self.place)  # in such an id a text of SQL could end
        shards, ids = (
            ", ".join(f"'{digits}'" for digits in listed)
            for listed in (self.shards(matches), sorted(matches))
        )
        return f"shard IN ({shards}) AND match IN ({ids})"


def of_part(part: Part) -> list[tuple[str, str, str]]:
    """The files of a part, as a filter of Delta's."""
    return [(name, "=", value) for name, value in zip(PARTITIONS, part, strict=True)]


def opened(place: str) -> Archive:
    """The archive at a place: a folder, or the URL of one.  Raises Sorry if there is none."""
    place = _normal(place)
    try:
        table = DeltaTable(_inside(place, schema.RECORDS))
    except TableNotFoundError as error:
        raise Sorry(
            lambda run: _(
                "There is no archive in {place}. {command} makes one.",
                place=place,
                command=run(f"archive add {place} FILE"),
            ),
            Exit.IO,
        ) from error
    except (DeltaError, OSError) as error:
        raise unreached(place, error) from error
    properties = table.metadata().configuration
    try:
        form, depth = int(properties[FORMAT]), schema.digits(int(properties[SHARDS]))
    except (KeyError, ValueError) as error:
        raise _foreign(place) from error
    if form != schema.FORMAT:
        raise Sorry(
            _(
                "The archive in {place} has format {form}, and this program reads format {known}. Install "
                "the newest version of the program for it.",
                place=place,
                form=form,
                known=schema.FORMAT,
            ),
            Exit.UNSUPPORTED,
        )
    return Archive(place, depth)


def made(place: str, shards: int | None) -> Archive:
    """The archive at a place, which is made if there is none; `shards`: of each game, if it is made.

    Raises Sorry if there is one with another number of shards.
    """
    place = _normal(place)
    if not is_archive(place):
        # Whoever makes `records` first decides on the shards; the loser opens it, and makes what lacks.
        _make(place, schema.RECORDS, shards or schema.USUAL_SHARDS)
    archive = opened(place)
    count = schema.SHARDS[archive.depth]
    if shards not in (None, count):
        raise Sorry(
            _(
                "The archive in {place} has {count} shards a game, as it was made. Leave --shards out.",
                place=place,
                count=count,
            ),
            Exit.USAGE,
        )
    for table in schema.TABLES:
        _make(place, table, count)
    return archive


def is_archive(place: str) -> bool:
    """Whether there is an archive at a place.  Raises Sorry if the place cannot be reached."""
    try:
        return bool(DeltaTable.is_deltatable(_inside(_normal(place), schema.RECORDS)))
    except (DeltaError, OSError) as error:
        raise unreached(place, error) from error


@contextmanager
def reaching(place: str) -> Iterator[None]:
    """Raise Sorry where the system, the object store or the table's format gives up inside."""
    try:
        yield
    except (DeltaError, pa.ArrowException) as error:
        raise unreached(place, error) from error
    except OSError as error:
        if error.errno is not None:  # of a file, and told as such
            raise
        raise unreached(place, error) from error


def unreached(place: str, error: Exception) -> Sorry:
    """The refusal when the system, or the object store, gives no access."""
    why = ": ".join(filter(None, _STEP.split(str(error))))
    return Sorry(_("The archive in {place} cannot be reached: {why}", place=place, why=why), Exit.IO)


def _make(place: str, table: Table, shards: int) -> None:
    """Make a table, unless it is there."""
    properties = {FORMAT: str(schema.FORMAT), SHARDS: str(shards)}
    try:
        if not DeltaTable.is_deltatable(_inside(place, table)):
            DeltaTable.create(
                _inside(place, table),
                schema.arrow(table),
                mode="ignore",
                partition_by=[*PARTITIONS],
                name=table.name,
                configuration=properties,
                raise_if_key_not_exists=False,
            )
    except CommitFailedError:
        return  # somebody else has just made it
    except (DeltaError, OSError) as error:
        if DeltaTable.is_deltatable(_inside(place, table)):
            return
        raise unreached(place, error) from error


def _committed(standing: Any, table: Table, rows: Any, where: str | None = None) -> bool:
    """Append `rows` to a table if it still stands so, in place of the rows `where`, if given; whether it did.

    `rows` are in the order of KEYS, or pieces that are: so a group of them in a file holds few matches.
    """
    replacing = {} if where is None else {"predicate": where}
    try:
        write_deltalake(
            standing,
            rows,
            mode="append" if where is None else "overwrite",
            target_file_size=FILE,
            writer_properties=written(table),
            commit_properties=CommitProperties(max_commit_retries=0),
            **replacing,
        )
    except CommitFailedError:
        return False
    return True


def written(table: Table) -> WriterProperties:
    """How the files of a table are written."""
    return _WRITTEN.get(table.name, _USUAL)


def _foreign(place: str) -> Sorry:
    return Sorry(
        _("The tables in {place} are those of another program, and no archive of records.", place=place),
        Exit.DATA,
    )


def _contested(place: str) -> Sorry:
    return Sorry(
        _("Too many others write to the archive in {place}. Try again when fewer do.", place=place), Exit.IO
    )


def _normal(place: str) -> str:
    if _URL.match(place):
        return place.rstrip("/")
    if Path(place).is_file():
        raise Sorry(
            _("{place} is a file, and an archive is a folder. Name the folder.", place=place), Exit.IO
        )
    return os.path.abspath(place)


def _inside(place: str, table: Table) -> str:
    return f"{place}/{table.name}"


def rows_of(table: Table, rows: Iterable[Mapping[str, Any]]) -> Any:
    """Rows as values to a pyarrow.Table.  Raises pyarrow.ArrowInvalid if they are not of the schema."""
    return pa.Table.from_pylist([*rows], schema=schema.arrow(table))


def ordered(rows: Any) -> Any:
    """Rows in the order in which they are written."""
    return rows.sort_by([(column.name, "ascending") for column in schema.KEYS])


def within(matches: Collection[str]) -> Any:
    """The rows of these matches (at least one), as a filter of Arrow.

    The bounds let a reader pass over groups of rows; the set alone would not.
    """
    wanted = pa.array(sorted(matches), pa.string())
    match = pc.field("match")
    return (match >= wanted[0]) & (match <= wanted[-1]) & match.isin(wanted)


def batches(dataset: Any, **options: Any) -> Iterator[Any]:
    """The record batches of a dataset, one after another, without reading far ahead."""
    yield from dataset.to_batches(batch_readahead=1, fragment_readahead=1, **options)
