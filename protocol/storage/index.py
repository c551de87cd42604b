"""An index of the matches in a home folder: a list of thousands needs to read no records.

The index saves work and decides nothing: judging, resuming or replaying a match reads its record.  A user can
remove the index at any moment; an index that is damaged, of another version or for another owner counts as
empty.  The caller defines the content of a summary.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from p2p_stratego.core import strict_json
from protocol.errors import Malformed

VERSION: Final = 1
MOST: Final = 1 << 26
"""Bytes that are read: of some 60,000 matches."""
UNSURE: Final = 2 * 10**9
"""Nanoseconds before the index was written: a record changed later than that may change again within one
tick of the file system's clock and keep its stamp (git's index has the same rule)."""

Summary: TypeAlias = dict[str, Any]
"""The summary of one match for a list: JSON values."""


class FileStamp(NamedTuple):
    """The marks of a file's state: times of content and of status in nanoseconds, bytes, and inode."""

    modified: int
    changed: int
    size: int
    inode: int


def stamp(path: Path) -> FileStamp:
    """The stamp of the record at `path`; take it before reading the record.  Zeros if there is none."""
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return FileStamp(0, 0, 0, 0)
    return FileStamp(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


class Index:
    """Summaries by match id, each good for the stamp of the record that it was made from."""

    def __init__(self, entries: dict[str, tuple[FileStamp, Summary]] | None = None, written: int = 0) -> None:
        """`written`: when the index was written, in nanoseconds of the file system's clock."""
        self._entries = entries or {}
        self._written = written

    def get(self, id_: str, stamp: FileStamp) -> Summary | None:
        """The summary of the record with exactly this stamp, or None if it is missing or uncertain."""
        known, summary = self._entries.get(id_, (None, None))
        if known != stamp or max(stamp.modified, stamp.changed) > self._written - UNSURE:
            return None
        return summary


def encode(owner: str, entries: Iterable[tuple[str, FileStamp, Summary]]) -> bytes:
    """The bytes that `decode` reads; `owner`: the player for whom the summaries were made."""
    rows = {id_: [*stamp, summary] for id_, stamp, summary in entries}
    return json.dumps({"version": VERSION, "owner": owner, "matches": rows}).encode()


def decode(data: bytes, owner: str, written: int) -> Index:
    """The index in a file's bytes.  Raises Malformed if it is damaged or not for `owner`."""
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        value = strict_json.read(data, MOST)
        if (value["version"], value["owner"]) == (VERSION, owner):
            return Index({id_: _entry(row) for id_, row in value["matches"].items()}, written)
    raise Malformed("The index of matches cannot be read.")


def _entry(row: list[Any]) -> tuple[FileStamp, Summary]:
    *stamp, summary = row
    if len(stamp) != len(FileStamp._fields) or not all(type(field) is int for field in stamp):
        raise ValueError("no stamp")
    if type(summary) is not dict:
        raise TypeError("no summary")
    return FileStamp(*stamp), summary
