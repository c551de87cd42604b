"""A recorded match as text: what happened, step by step, and its notation where the game has one."""

from __future__ import annotations

from collections.abc import Iterable

from cli.reports import asides, describe, history
from cli.reports.asides import Asides
from cli.reports.history import Part, Step, Story
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _
from p2p_stratego.core.record import RecordError
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed
from protocol.record.asks.base import Answered


def text(match: Replayed, columns: int | None = None) -> list[str]:
    """The match for people: the agreed terms, the steps and statements, the end."""
    report, referee = match.report, match.referee
    lines = describe.labelled(describe.heading(report.genesis))
    lines.append("")
    beside, complete = Asides(report.genesis), history.steps(referee)
    steps: list[Step | Part] = [*complete, *history.open_step(referee)]
    at = 0
    for happening in history.woven(steps, beside.read(referee)):
        if isinstance(happening, Step | Part):
            at = min(at + 1, len(complete) + 1)  # the open step has several parts
            lines += _numbered(at, happening.sentences, columns)
            if isinstance(happening, Step) and (standing := history.standing(report.genesis, happening)):
                lines.append(history.line("      ", standing, columns))
        else:
            lines.append(history.line("      ", asides.speak(happening, report.genesis), columns))
    for last in history.behind(referee):
        # Its parts have told the other sentences.
        lines += _numbered(len(complete) + 1, last.sentences[-1:], columns)
    return [*lines, "", history.line("", describe.verdict(report), columns)]


def _numbered(at: int, sentences: Iterable[str], columns: int | None) -> list[str]:
    """The sentences of the step `at`, counted as a replay counts."""
    return [history.line(f"{at:>4}  ", sentence, columns) for sentence in sentences]


def story_text(shown: Story, columns: int | None = None) -> list[str]:
    """A game from a text of its own notation: its steps, and its end."""
    text = [line for at, step in enumerate(shown.steps, 1) for line in _numbered(at, step.sentences, columns)]
    return [*text, "", history.line("", shown.closing, columns)]


def record(match: Replayed) -> str:
    """The match in the game's own notation.  Raises Sorry if there is none, or none for this match."""
    genesis, referee = match.report.genesis, match.referee
    entry = ENTRIES[genesis.game.name]
    if entry.record is None:
        raise Sorry(
            _(
                "{title} has no notation of its own. Leave --record out: the text says it all.",
                title=entry.title,
            )
        )
    steps = [(item.ask, item.answer) for item in referee.table.history if isinstance(item, Answered)]
    try:
        return entry.record.load().write_match(
            genesis.options, history.names(genesis), steps, referee.table.faces, match.report.outcome
        )
    except RecordError as error:
        raise Sorry(str(error), Exit.DATA) from error
