"""The records in a home folder, audited as far as no audit of the same bytes is kept."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cli.reports import sources
from cli.shell import workers
from cli.shell.exit_codes import Sorry
from cli.shell.progress import Progress
from cli.studies.statistics import facts, keeping
from cli.studies.statistics.facts import Facts
from cli.studies.statistics.results import Found
from p2p_stratego.core.language import _
from protocol.storage.home import Home
from protocol.storage.match_store import is_practice

SERIAL: Final = 24
"""Up to this many records, starting other processes takes longer than the audits."""


class Gathered(NamedTuple):
    """All records of a home folder."""

    records: list[Found]
    audited: int
    """How many of them were audited now."""
    seconds: float
    bugs: list[tuple[str, Exception]]
    """The files over which this program failed, each with what it met; they count as unreadable."""


def gather(path: Path, *, afresh: bool = False, tutor: str = "", also: Sequence[str] = ()) -> Gathered:
    """The records in the home folder at `path`, played and watched; `afresh`: audit all of them again.

    `also`: files beside them; `tutor`: the key of this folder's tutor (64 hex digits), if it has one: a copy
    of a lesson without the files beside it is known by that.
    """
    started = time.perf_counter()
    with Home(path) as home:
        places = [str(saved.path) for saved in (*home.games(), *home.watched())]
        places += sources.find(also, path)
        known = {} if afresh else keeping.decode(home.statistics())
        digests = {place: _digest(place) for place in places}
        new = [place for place, digest in digests.items() if digest is None or digest not in known]
        fresh: dict[str, Facts | None] = {}
        bugs: list[tuple[str, Exception]] = []
        with Progress(len(new), _("records")) as progress:
            for done, (place, result) in enumerate(zip(new, audited(new), strict=True), start=1):
                if isinstance(result, Exception):
                    bugs.append((place, result))
                fresh[place] = None if isinstance(result, Exception) else result
                progress.step(done)
        kept: dict[str, Facts] = {}
        records: list[Found] = []
        for place, digest in digests.items():
            match_facts = fresh[place] if place in fresh else known.get(digest or "")
            records.append(
                Found(
                    place,
                    sources.changed(place),
                    match_facts,
                    sources.is_lesson(place) or _with(match_facts, tutor),
                    is_practice(Path(place).parent),
                )
            )
            if match_facts is not None and digest is not None:
                kept[digest] = match_facts
        if fresh or kept.keys() != known.keys():
            home.save_statistics(keeping.encode(kept))
    return Gathered(records, len(new), time.perf_counter() - started, bugs)


def _with(match_facts: Facts | None, key: str) -> bool:
    """Whether the player with this key sat in the match."""
    return match_facts is not None and key != "" and match_facts.seat_of(key) is not None


def audited(places: Sequence[str]) -> Iterator[Facts | Exception | None]:
    """The facts of the records in these files, in order, on all cores if that is worth it; None: unreadable;
    an exception: what a bug raised.
    """
    processes = min(workers.cores(), len(places))
    if len(places) <= SERIAL or processes == 1:
        return map(tried, places)
    return workers.spread(tried, places, processes, _lost)


def tried(place: str) -> Facts | Exception | None:
    """The facts of one record; None if it cannot be read, or a bug: one match must not end the others."""
    try:
        return facts.read(place)
    except (OSError, Sorry, MemoryError):
        return None
    except Exception as bug:
        bug.add_note(traceback.format_exc())
        return bug


def _lost(_place: str) -> Facts | Exception | None:
    """The system ended the audit, as it does when memory is short."""
    return None


def _digest(place: str) -> str | None:
    try:
        return facts.digest(sources.read(place))
    except (OSError, Sorry):
        return None


def names(records: Sequence[Found]) -> Mapping[str, str]:
    """By key, the name in the newest record."""
    known: dict[str, str] = {}
    for record in sorted(records, key=lambda record: record.when):
        if record.facts is not None:
            known.update({player.key: player.name for player in record.facts.players})
    return known
