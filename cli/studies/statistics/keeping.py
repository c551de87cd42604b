"""Kept facts: audits by the hash of the bytes that they were made from.  They save work and decide nothing.

The file may be deleted at any moment; one that is damaged, or of another version, counts as empty.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from cli.studies.statistics import facts
from cli.studies.statistics.facts import Facts
from p2p_stratego.core import strict_json
from p2p_stratego.registry import ENTRIES
from protocol.wire.labels import PROTOCOL_VERSION

MOST: Final = 1 << 26
"""Bytes that are read: of some 20,000 matches."""


def edition() -> str:
    """What kept facts depend on beside a record: another edition's are thrown away."""
    games = [
        f"{name} {entry.rules.load().version} {entry.tallying.load().version if entry.tallying else 0}"
        for name, entry in ENTRIES.items()
    ]
    return f"{facts.VERSION}; {PROTOCOL_VERSION}; {', '.join(games)}"


def encode(known: Mapping[str, Facts]) -> bytes:
    """The bytes that `decode` reads."""
    rows = {digest: facts.plain(kept) for digest, kept in sorted(known.items())}
    return json.dumps({"edition": edition(), "facts": rows}, separators=(",", ":")).encode()


def decode(data: bytes) -> dict[str, Facts]:
    """The facts by digest in a file's bytes; those that are none are left out."""
    known: dict[str, Facts] = {}
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        value = strict_json.read(data, MOST)
        if value["edition"] == edition():
            for digest, kept in value["facts"].items():
                with suppress(ValueError, TypeError, KeyError, AttributeError):
                    known[digest] = facts.restored(kept)
    return known
