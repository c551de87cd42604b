"""The content of a page: the words and facts of one match as plain values, beside its transcript.

The words are those of the history and of the audit, in the reader's language.  The page shows them as text
beside its own findings, and refuses to show them if they do not fit the record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cli.page import build, wording
from cli.reports import asides, describe, history
from cli.reports.asides import Asides
from cli.reports.history import Step
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.version import program_version as program_told
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import listed
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed, Report, Verdict
from protocol.record.genesis import Genesis

GAMES: Final = tuple(sorted(name for name, entry in ENTRIES.items() if entry.page))
"""The games whose rules the page has."""
Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the history: the step that the board shows with it, from 0, its kind, and its sentences."""

    at: int
    kind: str
    """"step"; "said": a statement; "end": an end that the rules did not bring about."""
    text: tuple[str, ...]


def page(match: Replayed, record: bytes, language: str, mistakes: Plain | None = None) -> bytes:
    """The page of a match.  `record`: its transcript; `language`: of the words, as in `lang`.

    `mistakes`: the costliest decisions of one player, as `cli/page/view/mistakes.mjs` takes them.
    Raises Sorry for a match that has no page, and for a page that would be too long.
    """
    check(match)
    told_record = content(match, record) | ({} if mistakes is None else {"mistakes": mistakes})
    html = build.page(_frame(told_record, language), told_record, record)
    most = build.MOST_WITH_PROOFS if match.report.genesis.proofs else build.MOST
    if len(html) > most:
        raise Sorry(
            lambda run: _(
                "The page would have {size} bytes, and {most} are the most that it may have: the game is too "
                "long. {audit} checks it, and {replay} shows it.",
                size=len(html),
                most=most,
                audit=run("audit FILE"),
                replay=run("replay FILE"),
            ),
            Exit.DATA,
        )
    return html


def check(match: Replayed) -> None:
    """Raises Sorry if this match can have no page."""
    genesis, report = match.report.genesis, match.report
    if not describe.has_page(genesis):
        why = _(
            "{game} has no page yet: a page checks {games} alone.",
            game=ENTRIES[genesis.game.name].title,
            games=listed([ENTRIES[name].title for name in GAMES]),
        )
        raise Sorry(
            lambda run: " ".join(
                (
                    why,
                    _(
                        "{export} tells the game as text, and {replay} shows it.",
                        export=run("export FILE"),
                        replay=run("replay FILE"),
                    ),
                )
            ),
            Exit.UNSUPPORTED,
        )
    if report.verdict is Verdict.TAMPERED:
        raise Sorry(
            lambda run: _(
                "The record is damaged or forged, so no page is made of it. {audit} says where.",
                audit=run("audit FILE"),
            ),
            Exit.TAMPERED,
        )
    if not history.steps(match.referee):
        raise Sorry(_("The game was not even set up, so there is nothing to show on a page."), Exit.DATA)


def content(match: Replayed, record: bytes) -> Plain:
    """Everything that the page tells besides the record, as JSON values."""
    report, referee = match.report, match.referee
    genesis = report.genesis
    names = history.names(genesis)
    title = ENTRIES[genesis.game.name].title
    steps = history.steps(referee)
    return {
        "title": title,
        "how": _how(report, names),
        "options": ", ".join(_terms(genesis)),
        # As they stand in the sentences.  Shown are those that the page finds in the record.
        "names": list(names),
        "story": [
            {"at": line.at, "kind": line.kind, "text": list(line.text)} for line in lines(match, steps)
        ],
        "steps": [step.number for step in steps],
        "labels": wording.labels(genesis.game.name, len(genesis.players)),
        "program": program_told(),
        "file_name": f"{genesis.game.name}-{genesis.id.hex()[:8]}.p2ps",
        "expected": _expected(report, record),
    }


def _terms(genesis: Genesis) -> Iterator[str]:
    """What the players had agreed on, in a few words each."""
    narration = ENTRIES[genesis.game.name].narration.load()
    yield from narration.options(genesis.options, len(genesis.players))
    yield from (clause for label, clause in describe.heading(genesis) if label in ("pace", "clock"))


def _expected(report: Report, record: bytes) -> Plain:
    """What the page must find, too."""
    outcome, fault = report.outcome, report.fault
    return {
        "sha256": hashlib.sha256(record).hexdigest(),
        "id": report.genesis.id.hex(),
        "verdict": report.verdict.value,
        "winners": None if outcome is None else sorted(outcome.winners),
        "fault": fault and [fault.seat, fault.what, fault.number, fault.rule],
    }


def _how(report: Report, names: tuple[str, ...]) -> str:
    """How the game ended, in a sentence; the page says itself who won."""
    genesis, outcome = report.genesis, report.outcome
    if report.fault is not None:
        broke = describe.broke(genesis, report.fault)
        return f"{broke[:1].upper()}{broke[1:]}."
    if outcome is None:
        return _("The game is unfinished.")
    return describe.ending(genesis, outcome, names, report)


def lines(match: Replayed, steps: list[Step]) -> Iterator[Line]:
    """The history: each step at its board, each statement at the board that its seat had seen.

    What came behind the last complete step is counted as one more, at the board of the one before.
    """
    report, referee = match.report, match.referee
    beside = Asides(report.genesis)
    at = -1
    for event in history.woven(steps, beside.read(referee)):
        if isinstance(event, Step):
            at += 1
            yield Line(at, "step", event.sentences)
        else:
            yield Line(max(at, 0), "said", (asides.speak(event, report.genesis),))
        after = beside.hear(event, referee)
        if after:
            yield Line(max(at, 0), "said", tuple(after))
    for last in history.behind(referee):
        yield Line(at + 1, "end" if last.ends else "open", last.sentences)


def _frame(content: Plain, language: str) -> build.Frame:
    return build.Frame(
        language=language,
        program=content["program"],
        title=content["title"],
        waiting=_("Opening the game … Any browser of 2023 or newer shows it."),
        scriptless=_("This page draws and checks the game with JavaScript, which is turned off here."),
        broken=_("The page cannot be shown: it is damaged, or the browser is older than 2023."),
        bloated=_(
            "This page is refused: the data in it unpack to more than any game has. So nothing of it is "
            "shown. Ask whoever sent it for another copy."
        ),
    )
