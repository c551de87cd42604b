"""The tables of an archive: columns, types, partitions.  docs/archive.md says the same for people.

All tables are cut alike: by the name of the game, then by the first digits of the match's id, the shard.  So
one game is a few folders, one match lies in one of them, and a part can be judged without the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final

from protocol.audit.verdict import Checks

FORMAT: Final = 1
"""Of the tables; grows when a column goes away or changes its meaning."""
SHARDS: Final = (1, 16, 256, 4096)
"""How many parts a game may be cut into: one by no digit of the match's id, 16 by its first, and so on."""
USUAL_SHARDS: Final = 16
UNKNOWN: Final = "-"
"""The game of a record whose game cannot be read, or is none of this program's; and the shard of no digit.

Delta Lake takes an empty text in a partition for null.
"""


class Kind(Enum):
    """The type of a column."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    BYTES = "bytes"
    TEXTS = "texts"
    NUMBERS = "numbers"
    CHECKS = "checks"
    PLAYERS = "players"
    OPENINGS = "openings"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `may_lack`: whether it can be null."""

    name: str
    kind: Kind
    may_lack: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, which is its folder, too; its columns behind those that every table begins with."""

    name: str
    own: tuple[Column, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in order."""
        return (*KEYS, *self.own)


def _columns(kind: Kind, names: str, *, may_lack: bool = False) -> tuple[Column, ...]:
    return tuple(Column(name, kind, may_lack) for name in names.split())


PARTITIONS: Final = ("game", "shard")
KEYS: Final = _columns(Kind.TEXT, "game shard match")
"""With these every table begins: the game's name or UNKNOWN; the shard, the first digits of `match`; the
match's id, 64 hex digits: for a record whose match cannot be read, the record's own SHA-256.
"""
_FAULT: Final = (
    *_columns(Kind.TEXT, "culprit culprit_key rule what", may_lack=True),
    *_columns(Kind.INTEGER, "number", may_lack=True),
    *_columns(Kind.TEXT, "problem", may_lack=True),
)
"""The seat at fault, its key, the rule, the place; why nothing can be said."""
RECORDS: Final = Table(
    "records",
    (
        *_columns(Kind.TEXT, "sha256"),
        *_columns(Kind.INTEGER, "size"),
        *_columns(Kind.INTEGER, "changed", may_lack=True),
        *_columns(Kind.BYTES, "bytes"),
    ),
)
VERDICTS: Final = Table(
    "verdicts",
    (
        *_columns(Kind.TEXT, "sha256 version verdict"),
        *_columns(Kind.INTEGER, "code"),
        *_FAULT,
        *_columns(Kind.INTEGER, "at_record", may_lack=True),
        *_columns(Kind.FLAG, "torn"),
        *_columns(Kind.TEXT, "head", may_lack=True),
        *_columns(Kind.CHECKS, "checks", may_lack=True),
    ),
)
MATCHES: Final = Table(
    "matches",
    (
        *_columns(Kind.TEXT, "version verdict"),
        *_columns(Kind.INTEGER, "code copies"),
        *_columns(Kind.TEXT, "comparison", may_lack=True),
        *_FAULT,
        *_columns(Kind.TEXT, "winner reason", may_lack=True),
        *_columns(Kind.TEXTS, "winners"),
        *_columns(Kind.INTEGER, "seats entries steps decisions size"),
        *_columns(Kind.INTEGER, "changed", may_lack=True),
        *_columns(Kind.TEXT, "options"),
        *_columns(Kind.TEXT, "rules_version package pace clock head", may_lack=True),
        *_columns(Kind.FLAG, "proofs"),
        *_columns(Kind.INTEGER, "escrow"),
        *_columns(Kind.FLAG, "takebacks practice counted told"),
        *_columns(Kind.FLAG, "analysed", may_lack=True),
        Column("players", Kind.PLAYERS),
        Column("openings", Kind.OPENINGS),
    ),
)
DECISIONS: Final = Table(
    "decisions",
    (
        *_columns(Kind.INTEGER, "entry step"),
        *_columns(Kind.TEXT, "seat key kind"),
        *_columns(Kind.TEXT, "decided chosen best", may_lack=True),
        *_columns(Kind.NUMBER, "odds best_odds", may_lack=True),
        *_columns(Kind.FLAG, "came", may_lack=True),
        *_columns(Kind.NUMBER, "lost luck given gained", may_lack=True),
        *_columns(Kind.TEXT, "knew"),
        *_columns(Kind.FLAG, "unknown hasty"),
        *_columns(Kind.TEXT, "judge"),
        *_columns(Kind.INTEGER, "judge_version"),
    ),
)
EVENTS: Final = Table(
    "events",
    (
        *_columns(Kind.INTEGER, "step"),
        *_columns(Kind.INTEGER, "entry", may_lack=True),
        *_columns(Kind.TEXTS, "told"),
        *_columns(Kind.TEXT, "standing", may_lack=True),
        *_columns(Kind.FLAG, "complete"),
    ),
)
TABLES: Final = (RECORDS, VERDICTS, MATCHES, DECISIONS, EVENTS)
PLAYER: Final = (
    *_columns(Kind.TEXT, "seat name key fingerprint"),
    *_columns(Kind.INTEGER, "side"),
    *_columns(Kind.FLAG, "won"),
    *_columns(Kind.NUMBER, "score", may_lack=True),
    *_columns(Kind.FLAG, "began", may_lack=True),
    *_columns(Kind.TEXT, "counts liked"),
)
"""The fields of each value of `players`, in the order of seats."""
OPENING: Final = (
    *_columns(Kind.TEXT, "kind variant"),
    *_columns(Kind.TEXTS, "choices seats"),
    Column("scores", Kind.NUMBERS),
)
"""The fields of each value of `openings`."""
CHECKS: Final = tuple(Column(field.name, Kind.INTEGER) for field in fields(Checks))
"""The fields of `checks`."""


def digits(shards: int) -> int:
    """How many digits of a match's id name one of so many shards.  Raises ValueError for another number."""
    return SHARDS.index(shards)


def shard(match: str, depth: int) -> str:
    """The shard of a match by its id; `depth`: digits."""
    return match[:depth] or UNKNOWN


def arrow(table: Table) -> Any:
    """The columns as Arrow's schema (pyarrow.Schema)."""
    import pyarrow as pa

    return pa.schema([_field(column) for column in table.columns])


def _field(column: Column) -> Any:
    import pyarrow as pa

    return pa.field(column.name, _type(column.kind), nullable=column.may_lack)


def _type(kind: Kind) -> Any:
    import pyarrow as pa

    match kind:
        case Kind.TEXT:
            return pa.string()
        case Kind.INTEGER:
            return pa.int64()
        case Kind.NUMBER:
            return pa.float64()
        case Kind.FLAG:
            return pa.bool_()
        case Kind.BYTES:
            return pa.binary()
        case Kind.TEXTS:
            return pa.list_(pa.string())
        case Kind.NUMBERS:
            return pa.list_(pa.float64())
        case Kind.CHECKS:
            return pa.struct([_field(column) for column in CHECKS])
        case Kind.PLAYERS:
            return pa.list_(pa.struct([_field(column) for column in PLAYER]))
        case Kind.OPENINGS:
            return pa.list_(pa.struct([_field(column) for column in OPENING]))
