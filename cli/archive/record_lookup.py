"""Records of an archive by a word: the first digits of a match's id, or of a record's SHA-256."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cli.archive import sql_questions, store
from cli.archive.sql_questions import Questions
from cli.shell.exit_codes import Exit, Sorry
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, n_, number

_DIGITS: Final = re.compile(r"[0-9a-f]{4,64}")
_SHOWN: Final = 20
"""Records, or matches, that a refusal lists."""
_COPIES: Final = """
    SELECT match, sha256, size FROM records
    WHERE starts_with(match, $start) OR starts_with(sha256, $start) ORDER BY match, sha256
"""
_CODES: Final = "SELECT sha256, code FROM verdicts WHERE list_contains($copies, sha256)"
_RECORD: Final = "SELECT bytes, changed FROM records WHERE sha256 = $sha256"


class Record(NamedTuple):
    """A record as it came in; when its file was last changed, in seconds since 1970, if known."""

    data: bytes
    changed: int | None


def copies(place: str, word: str) -> list[str]:
    """The SHA-256 of each record that the word means: all copies of one match, the best first, which has no
    fault, and of those the most bytes.

    Raises Sorry if there is none, or if several matches begin so.
    """
    with store.reaching(place), sql_questions.asking(store.opened(place)) as asked:
        return _copies(asked, word)


def best(place: str, word: str) -> Record:
    """The best copy of the match that the word means.  Raises Sorry as `copies` does."""
    with store.reaching(place), sql_questions.asking(store.opened(place)) as asked:
        return _record(asked, _copies(asked, word)[0])


def only(place: str, word: str) -> Record:
    """The one record that the word means.  Raises Sorry as `copies` does, and if the match has several."""
    with store.reaching(place), sql_questions.asking(store.opened(place)) as asked:
        known = _copies(asked, word)
        if len(known) > 1:
            raise Sorry(
                _(
                    "Several records begin so. Name one by its SHA-256:{copies}",
                    copies="".join(f"\n  {sha256}" for sha256 in known[:_SHOWN]),
                ),
                Exit.USAGE,
            )
        return _record(asked, known[0])


def _copies(asked: Questions, word: str) -> list[str]:
    start = word.lower()
    if not _DIGITS.fullmatch(start):
        raise Sorry(_("{id} is no id: give at least 4 hexadecimal digits.", id=escape(start)), Exit.USAGE)
    rows = asked.ask(_COPIES, {"start": start}).rows
    if not rows:
        raise Sorry(_("The archive holds no record of {id}.", id=escape(start)), Exit.IO)
    matches = list(dict.fromkeys(match for match, _sha256, _size in rows))
    if len(matches) > 1:
        raise Sorry(
            n_(
                "{shown} match of the archive begins so. Name more of its digits:{matches}",
                "{shown} matches of the archive begin so. Name more of its digits:{matches}",
                len(matches),
                shown=number(len(matches)),
                matches="".join(f"\n  {match[:16]}" for match in matches[:_SHOWN]),
            ),
            Exit.USAGE,
        )
    sizes = {sha256: size for _match, sha256, size in rows}
    codes = dict(asked.ask(_CODES, {"copies": [*sizes]}).rows) if len(sizes) > 1 else {}
    return sorted(sizes, key=lambda sha256: (codes.get(sha256, 0) == 0, sizes[sha256], sha256), reverse=True)


def _record(asked: Questions, sha256: str) -> Record:
    return Record(*asked.ask(_RECORD, {"sha256": sha256}).rows[0])
