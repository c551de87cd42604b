"""The costliest decisions of the owner of a home folder, analysed with what the owner knew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cli.reports import history, sources
from cli.reports.describe import seats_named
from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.progress import Progress
from cli.studies.analysis import mistakes_plain
from cli.studies.analysis.analysing import THINKS, Analysed, Work, within
from cli.studies.analysis.mistakes import Retries
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.language import _
from protocol.audit.verdict import Replayed


def retries(match: Replayed, name: str, home: Path, seat_name: str | None = None) -> Retries:
    """The questions to the owner of the home folder, or to a named seat, on a record of that file name.

    Raises Sorry for a game that nobody here has played, and for a lesson.
    """
    own = sources.own(home, match.referee)
    if seat_name is not None:
        seat = seats_named(match.report.genesis, seat_name)[0]
    elif own is not None:
        seat = own[0]
    else:
        raise Sorry(_("This is no game of yours. Say whose mistakes: --seat NAME."), Exit.USAGE)
    secrets = own[1] if own is not None and own[0] == seat else {}
    analysed = _analysed(match, secrets, lesson=sources.is_lesson(name))
    return Retries(analysed, seat, within(THINKS))


def none_costly() -> str:
    """The praise for a game without a question."""
    return _("Nothing here cost as much as half a point of the chance to win. Well played!")


def plain(again: Retries) -> Plain:
    """The questions with their answers, for a page."""
    questions = []
    with Progress(len(again.questions), _("questions")) as progress:
        for question in mistakes_plain.questions(again):
            questions.append(question)
            progress.step(len(questions))
    return {"seat": again.seat, "player": again.player, "bot": again.bot, "questions": questions}


def _analysed(match: Replayed, secrets: Mapping[Slot, Face], *, lesson: bool) -> Analysed:
    """The analysis of a match, with what its player knew.  Raises Sorry for a lesson."""
    if lesson:
        raise Sorry(_("A lesson follows a script: nothing in it is a mistake."), Exit.USAGE)
    work = Work(match, replace(history.of_match(match), secrets=secrets))
    with Progress(work.total, _("decisions")) as progress:
        for done, _one in enumerate(work.judge(within(THINKS)), start=1):
            progress.step(done)
    return work.done()
