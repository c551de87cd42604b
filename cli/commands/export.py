"""`export`: a recorded game for people (text, or a file to look at) and for other programs (JSON);
`--html`, `--svg` and `--cast` write it over no other file.

Only fields on the lists below are exported, so a field that a later version adds to a message waits for a
decision (threat 37).  docs/json.md lists the keys.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from cli.reports import asides, describe, history, sources
from cli.reports.asides import Asides
from cli.reports.history import Part, Step, Story
from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.writing import write_new
from cli.text import language
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from p2p_stratego.core.record import RecordError
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed, Report
from protocol.record import statements
from protocol.record.asks.base import Answered
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC, KINDS
from protocol.record.entries import Entry, Folded
from protocol.record.genesis import Genesis
from protocol.record.gone import Gone
from protocol.record.statements import Kind, Statement


def write(found: Replayed, data: bytes, arguments: argparse.Namespace) -> bool:
    """Write the file that the arguments ask for; whether they ask for one.

    `data`: the transcript.  Raises Sorry for a match that cannot be shown so, and OSError.
    """
    if arguments.film is not None and arguments.svg is None:
        raise Sorry(_("--film is for --svg: name a file with --svg OUT, too."), Exit.USAGE)
    if arguments.html is not None:
        from cli.page import content

        write_new(arguments.html, content.page(found, data, language.spoken()))
        told = _(
            "The page is in {path}: open it in a browser, or send it to a friend.",
            path=_shown(arguments.html),
        )
    elif arguments.svg is not None:
        write_new(arguments.svg, _picture(found, arguments.film).encode())
        told = _("The picture is in {path}.", path=_shown(arguments.svg))
    elif arguments.cast is not None:
        write_new(arguments.cast, _cast(found).encode())
        told = _("The recording is in {path}: asciinema plays it.", path=_shown(arguments.cast))
    else:
        return False
    print(told)
    return True


def _picture(found: Replayed, steps: int | None) -> str:
    """The end of a match as SVG, or its last `steps` as a film."""
    from cli.screen.replay import film

    story = _story(found)
    shown = film.frames(story, film.last_steps(story, steps or 1))
    return (
        film.film(shown, film.caption(story)) if len(shown) > 1 else film.svg(shown[0], film.caption(story))
    )


def _cast(found: Replayed) -> str:
    """A match as an asciicast."""
    from cli.screen.replay import film

    story = _story(found)
    return film.cast(film.frames(story, film.last_steps(story, len(story.steps))), film.caption(story))


def _story(found: Replayed) -> history.Story:
    story = history.of_match(found)
    if not story.steps:
        raise Sorry(_("The game was not even set up, so there is nothing to show."), Exit.DATA)
    return story


def _shown(path: Path) -> str:
    return escape(str(path))


FORMAT: Final = 1
"""Of the JSON; grows when a key goes away or changes its meaning."""
SAID: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.AGREE: (),
    Kind.CHAT: ("text",),
    Kind.RESIGN: (),
    Kind.OFFER_DRAW: (),
    Kind.ACCEPT_DRAW: ("offered_by", "offer"),
    Kind.AWAY: ("away", "seconds", "receipt"),
    Kind.END: ("winners", "reason"),
    Kind.REVEAL: ("part", "openings"),
    Kind.COMPLAIN: ("look", "secret"),
    Kind.BACK: ("late",),
    Kind.SEALED: ("reader", "box"),
}
"""The keys for the parts of each statement's content."""
MORE: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.AGREE: ("talk_key",),
    Kind.RESIGN: ("card_key",),
    Kind.AWAY: ("away", "seconds", "receipt", "cause"),
    Kind.COMPLAIN: ("deal", "point", "proof"),
    Kind.BACK: ("late", "release"),
}
"""Those of the longer contents that these kinds can have."""
_SEATS: Final = frozenset({"offered_by", "away", "winners", "reader"})


def run(arguments: argparse.Namespace) -> int:
    """Print one transcript; the exit code is the audit's, so that no bad record goes unnoticed."""
    name = sources.resolve(arguments.file, locate(arguments.home))
    data = sources.read(name)
    found = sources.shown_to_be_checked(name, data)
    if write(found, data, arguments):
        return found.report.exit_code
    if arguments.record:
        print(record(found), end="")
    elif arguments.json:
        print(json.dumps(plain(found), indent=1))
    else:
        print("\n".join(text(found, history.reading_width())))
    return found.report.exit_code


def plain(found: Replayed) -> Plain:
    """The whole match as JSON values: everything public, nothing else."""
    report, referee = found.report, found.referee
    return {
        "format": FORMAT,
        **describe.audited(report),
        "steps": [
            {
                "step": at,
                "entry": step.number,
                "told": list(step.sentences),
                "standing": _standing(report.genesis, step) or None,
                "complete": step.complete,
            }
            for at, step in enumerate((*history.steps(referee), *history.behind(referee)), start=1)
        ],
        "record": [_entry(report, entry) for entry in referee.entries],
        "statements": [_statement(report, statement) for known in referee.statements for statement in known],
        "opened": {str(slot): face for slot, face in sorted(referee.table.faces.items())},
    }


def text(found: Replayed, columns: int | None = None) -> list[str]:
    """The match for people: the agreed terms, the steps and statements, the end."""
    report, referee = found.report, found.referee
    lines = describe.labelled(describe.heading(report.genesis))
    lines.append("")
    beside, complete = Asides(report.genesis), history.steps(referee)
    told: list[Step | Part] = [*complete, *history.open_step(referee)]
    at = 0
    for each in history.woven(told, beside.read(referee)):
        if isinstance(each, Step | Part):
            at = min(at + 1, len(complete) + 1)  # the open step has several parts
            lines += _numbered(at, each.sentences, columns)
            if isinstance(each, Step) and (standing := _standing(report.genesis, each)):
                lines.append(history.line("      ", standing, columns))
        else:
            lines.append(history.line("      ", asides.speak(each, report.genesis), columns))
    for last in history.behind(referee):
        lines += _numbered(len(complete) + 1, last.sentences[-1:], columns)  # the parts told the others
    return [*lines, "", history.line("", describe.verdict(report), columns)]


def _standing(genesis: Genesis, step: Step) -> str:
    """What the markers show after a complete step, for people who check by hand."""
    told = ENTRIES[genesis.game.name].standing
    return "" if told is None or not step.complete else told.load()(step.state, history.names(genesis))


def _numbered(at: int, sentences: Iterable[str], columns: int | None) -> list[str]:
    """The sentences of the step `at`, counted as a replay counts."""
    return [history.line(f"{at:>4}  ", sentence, columns) for sentence in sentences]


def story_text(shown: Story, columns: int | None = None) -> list[str]:
    """A game from a text of its own notation: its steps, and its end."""
    told = [line for at, step in enumerate(shown.steps, 1) for line in _numbered(at, step.sentences, columns)]
    return [*told, "", history.line("", shown.closing, columns)]


def record(found: Replayed) -> str:
    """The match in the game's own notation.  Raises Sorry if it has none, or not for this match."""
    genesis, referee = found.report.genesis, found.referee
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
            genesis.options, history.names(genesis), steps, referee.table.faces, found.report.outcome
        )
    except RecordError as error:
        raise Sorry(str(error), Exit.DATA) from error


def _entry(report: Report, entry: Entry) -> Plain:
    seat = describe.seat_name(report.genesis, entry.seat)
    if isinstance(entry, Folded):
        said = statements.parse(entry.payload)
        return {"entry": entry.number, "seat": seat, "message": said.kind.name, "statement": said.index}
    message = CODEC.parse(entry.message)
    if isinstance(message, Gone):
        gone = describe.seat_name(report.genesis, message.seat)
        return {"entry": entry.number, "seat": seat, "message": "Gone", "gone": gone}
    fields = {name: _value(getattr(message, name)) for name in KINDS[type(message)].public}
    return {"entry": entry.number, "seat": seat, "message": type(message).__name__, **fields}


def _statement(report: Report, statement: Statement) -> Plain:
    genesis = report.genesis
    said: Plain = {
        "seat": describe.seat_name(genesis, statement.seat),
        "index": statement.index,
        "after_entries": statement.count,
        "kind": statement.kind.name,
    }
    keys = SAID[statement.kind]
    if len(statement.content) > len(keys):
        keys = MORE[statement.kind]
    for name, value in zip(keys, statement.content, strict=True):
        said[name] = _seats(genesis, value) if name in _SEATS else _value(value)
    return said


def _seats(genesis: Genesis, value: Seat | tuple[Seat, ...]) -> Any:
    """Names for seats.  A player that accepts a draw may write any number there; it stays a number."""
    if isinstance(value, tuple):
        return [_seats(genesis, seat) for seat in value]
    return describe.seat_name(genesis, value) if value < len(genesis.players) else value


def _value(value: Any) -> Any:
    """Bytes as hexadecimal digits, tuples as arrays, openings with the names of their fields."""
    if isinstance(value, Opening):
        return {name: _value(getattr(value, name)) for name in KINDS[Opening].public}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [_value(item) for item in value]
    return value
