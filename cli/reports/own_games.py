"""The games of our player, as rows of a list: all matches in its home folder, and those that wait for it.

No match is opened for playing; a row out of the index loads no audit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from cli.reports.rows import SHOWN_ID, Plain, legible
from cli.shell.exit_codes import Exit, Sorry
from cli.text.language import ENGLISH, spoken
from cli.text.layout import series
from cli.text.names import shown
from p2p_stratego.core.language import _, _c, mark, translating
from p2p_stratego.registry import ENTRIES
from protocol.storage.home import Home, SavedMatch
from protocol.storage.index import FileStamp, stamp
from protocol.storage.match_store import is_old, is_open

_ROWS: Final = 10
"""The version of the rows: an index of another version is ignored."""
_STATUSES: Final = "statuses"
"""In the index: the status of a match, by each language in which it was told so far."""
UNREAD: Final = mark("unreadable, damaged or made by another version of the program")
_OPEN: Final = mark("open in another window")


def listed(path: Path, failed: dict[Path, Exception] | None = None) -> list[Plain]:
    """A row for each match in the home folder at `path`, the newest first, played or only watched.

    If a record did not change since the last list, its row comes from the index.  `failed`: takes, by record,
    the bugs of this program; such a row has the verdict "failed".
    """
    failed = {} if failed is None else failed
    key = own_key(path)
    owner, speaks = f"{_ROWS} {key.hex()}", spoken() if translating() else ENGLISH
    with Home(path) as home:
        index = home.index(owner)
        played, seen = home.games(), home.watched()
        own = {saved.id for saved in played}  # a game that our player plays and watches is in both folders
        stamped = [(saved, stamp(saved.path)) for saved in (*played, *(s for s in seen if s.id not in own))]
        stamped.sort(key=lambda pair: pair[1].modified, reverse=True)
        rows: list[Plain] = []
        entries: list[tuple[str, FileStamp, Plain, Plain]] = []
        judged = False
        for saved, now in stamped:
            summary, statuses = _in_language(index.get(saved.id, now), speaks)
            kept = summary is not None and legible(summary)
            if summary is None or not kept:
                summary, judged = _tried(saved, key, failed), True
                kept = legible(summary)
            if kept:
                entries.append((saved.id, now, summary, statuses))
            row = {"id": saved.id, "transcript": str(saved.path), "changed": now.modified // 10**9}
            rows.append(row | {"watched": False} | summary)
            if summary.get("resumable") and is_old(saved.path.parent):  # its record cannot show that
                old = _("an old copy: go on where it was played last")
                rows[-1] |= {"unfinished": False, "resumable": False, "status": old}
            if saved.id not in own:
                rows[-1] |= {"watched": True, "resumable": False}
            if rows[-1].get("resumable"):
                rows[-1]["open"] = is_open(saved.path.parent)
                rows[-1]["status"] = _(_OPEN) if rows[-1]["open"] else rows[-1]["status"]
        if judged:  # else the index stays as it is, and no match of thousands is worded anew
            home.save_index(owner, (_in_languages(*entry, speaks) for entry in entries))
    return rows


def _in_language(kept: Plain | None, speaks: str) -> tuple[Plain | None, Plain]:
    """The summary of a match in the index, if it has one in this language; and its status by language.

    It is `kept` itself, with the status in the place of those by language.
    """
    statuses = {} if kept is None else kept.pop(_STATUSES, None)
    if kept is None or not isinstance(statuses, dict) or "status" in kept:
        return None, {}
    if speaks not in statuses:
        return None, statuses
    kept["status"] = statuses[speaks]
    return kept, statuses


def _in_languages(
    id_: str, now: FileStamp, summary: Plain, statuses: Plain, speaks: str
) -> tuple[str, FileStamp, Plain]:
    """An entry of the index: the summary with its status in all languages in which it was told."""
    rest = {field: value for field, value in summary.items() if field != "status"}
    return id_, now, rest | {_STATUSES: statuses | {speaks: summary["status"]}}


def waiting(
    path: Path,
    *,
    interactive: bool,
    command: str = "resume",
    besides: Callable[[Plain], bool] = lambda _unused: False,
) -> list[Plain]:
    """The rows of the matches that can go on: one, or several if a person is there to choose.

    `command`: the command that goes on with a match; `besides`: accepts further rows.  Raises Sorry
    otherwise.
    """
    every = listed(path)
    rows = [row for row in every if row.get("resumable") or besides(row)]
    if not rows:
        raise nothing_waits(every)
    if not interactive:  # nobody is there to choose: not one that another window plays
        rows = [row for row in rows if not row.get("open")] or rows
    if len(rows) > 1 and not interactive:
        ids = ", ".join(f"{row['id'][:SHOWN_ID]} ({others(row)})" for row in rows)
        raise Sorry(
            lambda run: _(
                "Several games can be gone on with. Say which: {command}, where GAME is one of {ids}.",
                command=run(f"{command} GAME"),
                ids=ids,
            )
        )
    return rows


def nothing_waits(rows: Iterable[Plain] = ()) -> Sorry:
    """The refusal if no match can go on; `rows`: of all matches."""
    closed = [row["id"][:SHOWN_ID] for row in rows if row.get("verdict") == "unreadable"]
    unread = (
        _(" Of {closed} the record is {unread}.", closed=series(closed), unread=_(UNREAD)) if closed else ""
    )
    return Sorry(
        lambda run: _(
            "No game waits to be gone on with.{unread} {command} begins one against a bot, "
            "{command2} with a friend.",
            unread=unread,
            command=run("play"),
            command2=run("host"),
        ),
        Exit.IO,
    )


def own_key(path: Path) -> bytes:
    """The public key (32 bytes) of the player of this home folder; empty if there is no player yet.

    Raises StorageFailure for a key that cannot be read, and for a link to a key.
    """
    with Home(path) as home:
        return home.key


def _tried(saved: SavedMatch, key: bytes, failed: dict[Path, Exception]) -> Plain:
    """`recorded`, or a row for a bug: one match must not end the list of the others."""
    try:
        return recorded(saved, key)
    except Exception as bug:
        failed[saved.path] = bug
        return {"verdict": "failed", "problem": None}


def recorded(saved: SavedMatch, key: bytes) -> Plain:
    """The part of a row that comes from the record itself; a list out of the index loads no audit."""
    from cli.reports import summary

    return summary.of(saved.path, key)


def game(row: Plain) -> str:
    """A match in a few words, for a list to choose from."""
    beside = _("of") if row["watched"] else _("with")
    return f"{row['id'][:SHOWN_ID]}  {ENTRIES[row['game']].title} {beside} {others(row)}: {row['status']}"


def others(row: Plain) -> str:
    """The names of the other players of a match."""
    return series([shown(name) for name in row.get("others", ())])


def day(changed: float, now: float) -> str:
    """A moment in words: day and time if it is in this year, else the date; both in seconds since 1970."""
    then = time.localtime(changed)
    this_year = then.tm_year == time.localtime(now).tm_year
    return time.strftime(_c("date", "%m-%d %H:%M") if this_year else _c("date", "%Y-%m-%d"), then)
