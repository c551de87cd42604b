"""`export`: a recorded game for people (text, or a file to look at) and for other programs (JSON);
`--html`, `--share`, `--svg` and `--cast` write over no other file.

Only the fields on the lists below are exported: a field that a later version adds to a message waits for a
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


def write(match: Replayed, data: bytes, arguments: argparse.Namespace) -> bool:
    """Write the file that the arguments ask for, if any; whether there was one.

    `data`: the transcript.  Raises OSError, and Sorry for a match without such a picture.
    """
    if arguments.film is not None and arguments.svg is None:
        raise Sorry(_("--film is for --svg: name a file with --svg OUT, too."), Exit.USAGE)
    if arguments.share is not None:
        from cli.commands import sharing

        for row in sharing.write(match, data, arguments.share, lesson=sources.is_lesson(arguments.file)):
            print(row)
        return True
    if arguments.html is not None:
        from cli.page import content

        write_new(arguments.html, content.page(match, data, language.spoken()))
        remark = _(
            "The page is in {path}: open it in a browser, or send it to a friend.",
            path=_shown(arguments.html),
        )
    elif arguments.svg is not None:
        write_new(arguments.svg, _picture(match, arguments.film).encode())
        remark = _("The picture is in {path}.", path=_shown(arguments.svg))
    elif arguments.cast is not None:
        write_new(arguments.cast, _cast(match).encode())
        remark = _("The recording is in {path}: asciinema plays it.", path=_shown(arguments.cast))
    else:
        return False
    print(remark)
    return True


def _picture(match: Replayed, steps: int | None) -> str:
    """The end of a match as SVG, or its last `steps` as a film."""
    from cli.screen.replay import film

    story = _story(match)
    shown = film.frames(story, film.last_steps(story, steps or 1))
    return (
        film.film(shown, film.caption(story)) if len(shown) > 1 else film.svg(shown[0], film.caption(story))
    )


def _cast(match: Replayed) -> str:
    """A match as an asciicast."""
    from cli.screen.replay import film

    story = _story(match)
    return film.cast(film.frames(story, film.last_steps(story, len(story.steps))), film.caption(story))


def _story(match: Replayed) -> history.Story:
    story = history.of_match(match)
    if not story.steps:
        raise Sorry(_("The game was not even set up, so there is nothing to show."), Exit.DATA)
    return story


def _shown(path: Path) -> str:
    return escape(str(path))


FORMAT: Final = 1
"""The version of the JSON; it grows when a key goes away or changes its meaning."""
STATEMENT_KEYS: Final[dict[Kind, tuple[str, ...]]] = {
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
LONGER_KEYS: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.AGREE: ("talk_key",),
    Kind.RESIGN: ("card_key",),
    Kind.AWAY: ("away", "seconds", "receipt", "cause"),
    Kind.COMPLAIN: ("deal", "point", "proof"),
    Kind.BACK: ("late", "release"),
}
"""The keys for the longer contents that these kinds can have."""
_SEATS: Final = frozenset({"offered_by", "away", "winners", "reader"})


def run(arguments: argparse.Namespace) -> int:
    """Print one transcript; the exit code is the audit's, so that no bad record goes unnoticed."""
    name = sources.resolve(arguments.file, locate(arguments.home))
    data = sources.read(name)
    match = sources.shown_to_be_checked(name, data)
    if write(match, data, arguments):
        return match.report.exit_code
    if arguments.record:
        print(record(match), end="")
    elif arguments.json:
        print(json.dumps(plain(match), indent=1))
    else:
        print("\n".join(text(match, history.reading_width())))
    return match.report.exit_code


def plain(match: Replayed) -> Plain:
    """The whole match as JSON values: all public facts, and no others."""
    report, referee = match.report, match.referee
    return {
        "format": FORMAT,
        **describe.audited(report),
        "steps": history.plain_steps(referee),
        "record": [plain_entry(report, entry) for entry in referee.entries],
        "statements": [_statement(report, statement) for known in referee.statements for statement in known],
        "opened": {str(slot): face for slot, face in sorted(referee.table.faces.items())},
    }


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


def plain_entry(report: Report, entry: Entry) -> Plain:
    seat = describe.seat_name(report.genesis, entry.seat)
    if isinstance(entry, Folded):
        folded = statements.parse(entry.payload)
        return {"entry": entry.number, "seat": seat, "message": folded.kind.name, "statement": folded.index}
    message = CODEC.parse(entry.message)
    if isinstance(message, Gone):
        gone = describe.seat_name(report.genesis, message.seat)
        return {"entry": entry.number, "seat": seat, "message": "Gone", "gone": gone}
    fields = {name: _value(getattr(message, name)) for name in KINDS[type(message)].public}
    return {"entry": entry.number, "seat": seat, "message": type(message).__name__, **fields}


def _statement(report: Report, statement: Statement) -> Plain:
    genesis = report.genesis
    fields: Plain = {
        "seat": describe.seat_name(genesis, statement.seat),
        "index": statement.index,
        "after_entries": statement.count,
        "kind": statement.kind.name,
    }
    keys = STATEMENT_KEYS[statement.kind]
    if len(statement.content) > len(keys):
        keys = LONGER_KEYS[statement.kind]
    for name, value in zip(keys, statement.content, strict=True):
        fields[name] = _seats(genesis, value) if name in _SEATS else _value(value)
    return fields


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
