"""A look at a match that has just ended, as a process beside its table: `cli.play.after_match` starts it.

Standard input: one line of JSON, see AfterMatch.  Standard output: a line of JSON whenever something is
known, with fields of `cli.table.pages.end_page.Aftermath`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cli.games import packages
from cli.reports import history, sources
from cli.reports.own_games import listed
from cli.reports.rows import Plain
from cli.shell import settings
from cli.shell.exit_codes import Exit
from cli.shell.guard import run_guarded
from cli.studies.analysis import analysis_text, mistakes
from cli.studies.analysis.analysing import THINKS, Work, whole
from cli.studies.statistics import ladder
from cli.studies.statistics.glicko import Rating
from cli.text import language
from cli.text.names import bot_name
from p2p_stratego.core import strict_json
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES

_NICE: Final = 10
"""How far it steps back behind the table."""
_GUESS: Final = 100.0
"""With a greater deviation the strength may lie 200 off, and a match moves the rating by a hundred."""


@dataclass(frozen=True, slots=True)
class AfterMatch:
    """The match to look at: the home folder, its record in there, and how to speak."""

    home: str
    record: str
    language: str
    ascii: bool


def main() -> int:
    """Look, and print what is found; errors leave as those of every command do."""
    asked = AfterMatch(**strict_json.read(sys.stdin.readline().encode()))
    language.install(asked.language, ascii_only=asked.ascii)
    packages.load()  # the program that started this one has told what is left out
    os.nice(_NICE)

    def look() -> int:
        for news in findings(Path(asked.home), Path(asked.record)):
            print(json.dumps(news), flush=True)
        return Exit.OK

    return run_guarded(look, ["--home", asked.home])


def findings(home: Path, record: Path) -> Iterator[Plain]:
    """What is known about a match that is over, in the order in which it is found."""
    match = sources.replayed(str(record), sources.read(str(record)))
    entry = ENTRIES[match.report.genesis.game.name]
    rows = listed(home)
    yield standing(entry, rows, record.parent.name, all_open=not settings.glance(home).ladder)
    own = sources.own(home, match.referee)
    if entry.analysis is None or own is None:
        return
    seat, secrets = own
    story = replace(history.of_match(match), own=seat, secrets=secrets)
    if not story.steps:
        yield {"turned": "", "costly": 0}
        return
    analysed = whole(lambda: Work(match, story), THINKS)
    yield {
        "turned": analysis_text.where_it_turned(analysed, seat),
        "costly": len(mistakes.costliest(analysed, seat)),
    }


def standing(entry: GameEntry, rows: Sequence[Plain], match: str, *, all_open: bool) -> Plain:
    """What the match of that id changed on the ladder, and who comes next.

    `all_open`: the player wants no opponent to be closed.
    """
    now = [row for row in rows if row["id"] == match]
    before = [row for row in rows if row["id"] != match]
    counts, uncounted = [*ladder.results(entry, now)], _("this game does not count")
    played = [*ladder.results(entry, now, practice=True)]
    if not played:
        return {"following": "", "closed": uncounted}
    (level, result, others), *_none = played
    rungs, were = (ladder.rungs(entry, some, all_open=all_open) for some in (rows, before))
    at = next(at for at, rung in enumerate(rungs) if rung.level == level)
    after = rungs[at + 1 : at + 2]
    sentences = [
        _("Your win opens the next opponent: {name}.", name=bot_name(rung.level))
        for rung, was in zip(rungs, were, strict=True)
        if rung.open and not was.open
    ]
    if counts and result == 1.0 and not after:
        sentences.append(_("You have beaten the strongest opponent of this game."))
    beat = _("first beat: {name}", name=bot_name(level)) if counts else uncounted
    closed = [beat for rung in after if not rung.open]
    own = ladder.rating(entry, rows)
    if counts and others == 1 and own is not None:
        sentences.append(_rating(own, ladder.rating(entry, before)))
    following = [rung.level for rung in after if rung.open]
    return {
        "standing": sentences,
        "following": bot_name(following[0]) if following else "",
        "level": following[0] if following else "",
        "closed": "".join(closed),
    }


def _rating(own: Rating, before: Rating | None) -> str:
    """The rating, with what the match changed; of one that few games tell, neither is worth its digits."""
    if before is None or own.deviation > _GUESS:
        return _("Your rating: about {rating}, still a guess.", rating=round(own.rating / 10) * 10)
    change = round(own.rating) - round(before.rating)
    return _("Your rating: {rating} ({change}).", rating=round(own.rating), change=f"{change:+d}")


if __name__ == "__main__":
    sys.exit(main())
