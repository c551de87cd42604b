"""`export`: a recorded game for people (text, or a file to look at) and for other programs (JSON);
`--html`, `--share`, `--svg` and `--cast` write over no other file.

Only the fields on the lists below are exported: a field that a later version adds to a message waits for a
decision (threat 37).  docs/json.md lists the keys.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

from cli.games.interface import terminal
from cli.page import content
from cli.reports import describe, history, match_json, match_text, sources
from cli.reports.rows import Plain
from cli.screen.replay import film
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.named_files import write_new
from cli.studies.analysis import analysis_text, own_mistakes
from cli.studies.analysis.analysing import THINKS, Analysed, Work, whole
from cli.text import language
from cli.text.layout import series
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, n_
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed, Verdict


def write(match: Replayed, data: bytes, arguments: argparse.Namespace) -> bool:
    """Write the file that the arguments ask for, if any; whether there was one.

    `data`: the transcript.  Raises OSError, and Sorry for a match without such a picture.
    """
    if arguments.film is not None and arguments.svg is None:
        raise Sorry(_("--film is for --svg: name a file with --svg OUT, too."), Exit.USAGE)
    if arguments.mistakes and arguments.html is None:
        raise Sorry(_("--mistakes is for --html: name a file with --html OUT, too."), Exit.USAGE)
    if arguments.share is not None:
        for row in _share(match, data, arguments.share, lesson=sources.is_lesson(arguments.file)):
            print(row)
        return True
    if arguments.html is not None:
        asked = _mistakes(match, arguments) if arguments.mistakes else None
        write_new(arguments.html, content.page(match, data, language.spoken(), asked))
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


def _mistakes(match: Replayed, arguments: argparse.Namespace) -> Plain | None:
    """The player's costliest decisions, as a page asks for them; None if there are none."""
    home = locate(arguments.home)
    content.check(match)
    if sources.own(home, match.referee) is None:
        raise Sorry(_("This is no game of yours, so no mistake in it is yours."), Exit.USAGE)
    again = own_mistakes.retries(match, sources.resolve(arguments.file, home), home)
    if again.over:
        print(own_mistakes.none_costly())
        return None
    asked = own_mistakes.plain(again)
    print(_("The questions on the page show what you knew then."))
    return asked


def _picture(match: Replayed, steps: int | None) -> str:
    """The end of a match as SVG, or its last `steps` as a film."""
    story = _story(match)
    shown = film.frames(story, film.last_steps(story, steps or 1))
    return (
        film.film(shown, film.caption(story)) if len(shown) > 1 else film.svg(shown[0], film.caption(story))
    )


def _cast(match: Replayed) -> str:
    """A match as an asciicast."""
    story = _story(match)
    return film.cast(film.frames(story, film.last_steps(story, len(story.steps))), film.caption(story))


def _story(match: Replayed) -> history.Story:
    story = history.of_match(match)
    if not story.steps:
        raise Sorry(_("The game was not even set up, so there is nothing to show."), Exit.DATA)
    return story


def _shown(path: Path) -> str:
    return escape(str(path))


PAGE: Final = "page.html"
PICTURE: Final = "picture.svg"
PNG: Final = "picture.png"
MESSAGE: Final = "message.txt"
_INSTALL: Final = "pip install 'p2p-stratego[pictures]'"
_MOST: Final = 100
"""Folders with numbers behind one name."""
_ZOOM: Final = 2
"""Pixels of a PNG for each unit of the drawing: sharp on a telephone."""


def _share(match: Replayed, data: bytes, folder: Path, *, lesson: bool = False) -> list[str]:
    """Make `folder`, which shows a match to a friend, or if it is there already, one named after it.

    `data`: the match's transcript.  Lines on what is in the folder, and the message to send.  Raises OSError,
    and Sorry for a game that was not set up.
    """
    story = history.of_match(match)
    if not story.steps:
        raise Sorry(_("The game was not even set up, so there is nothing to show."), Exit.DATA)
    analysed = _analysed(match, story, lesson=lesson)
    turn = None if analysed is None else analysed.pivot
    at = len(story.steps) if turn is None else turn.at
    svg = film.svg(film.frames(story, [at])[0], film.caption(story))
    message = _message(match, story, analysed)
    files = {PICTURE: svg.encode(), PNG: png(svg), MESSAGE: "".join(f"{row}\n" for row in message).encode()}
    if describe.has_page(match.report.genesis):
        files = {PAGE: content.page(match, data, language.spoken()), **files}
    folder = _made(folder)
    made = {name: written for name, written in files.items() if written is not None}
    for name, written in made.items():
        write_new(folder / name, written)
    sentences = [_("In {folder}: {files}.", folder=escape(str(folder.absolute())), files=series(list(made)))]
    if PNG not in made:
        sentences.append(_("For a picture as PNG, install what draws it: {command}", command=_INSTALL))
    return [*sentences, _("Three lines to send:"), *message]


def _made(folder: Path) -> Path:
    """The folder, made now; if it is there, the first with a number behind its name: no file is lost.

    Raises OSError.
    """
    for name in (folder, *(Path(f"{folder.absolute()}-{number}") for number in range(2, _MOST))):
        with suppress(FileExistsError):
            name.mkdir()
            return name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _analysed(match: Replayed, story: history.Story, *, lesson: bool) -> Analysed | None:
    """The analysis of a match by its record alone; None if it has none."""
    report = match.report
    if ENTRIES[report.genesis.game.name].analysis is None or report.verdict is Verdict.TAMPERED:
        return None
    return whole(lambda: Work(match, story, lesson=lesson), THINKS)


def _message(match: Replayed, story: history.Story, analysed: Analysed | None) -> list[str]:
    """Three lines for a messenger: who played what and how it ended, when it turned, what is enclosed."""
    report, count = match.report, len(story.steps)
    genesis, outcome = report.genesis, report.outcome
    if outcome is not None:
        ended = describe.ending(genesis, outcome, story.names, match.referee)
        scores = terminal(genesis.game.name).scores
        if scores is not None and (counted := scores(match.referee.table.state)):
            sums = [f"{name} {score}" for name, score in zip(story.names, counted, strict=True)]
            ended += " " + _("Scores: {scores}.", scores=series(sums))
    elif report.verdict is Verdict.INCOMPLETE and report.waited_for:
        waited = series([story.names[seat] for seat in sorted(report.waited_for)])
        ended = _("Not over yet: {players} to move.", players=waited)
    else:
        ended = story.closing
    turn = "" if analysed is None or outcome is None else analysis_text.turning(analysed)
    if outcome is None:
        turn = n_("{count} step so far.", "{count} steps so far.", count)
    elif not turn:
        turn = n_("It took {count} step.", "It took {count} steps.", count)
    enclosed = (
        _("The page replays it in any browser, and checks every signed move.")
        if describe.has_page(genesis)
        else _("Every move is signed, and the record proves it.")
    )
    return [f"{film.caption(story)}. {ended}", turn, enclosed]


def png(svg: str) -> bytes | None:
    """A picture in SVG as PNG; None where the extra `pictures` is not installed."""
    try:
        draws = import_module("resvg_py")
    except ImportError:
        return None
    return bytes(draws.svg_to_bytes(svg_string=svg, zoom=_ZOOM))


def run(arguments: argparse.Namespace) -> int:
    """Print one transcript; the exit code is the audit's, so that no bad record goes unnoticed."""
    name = sources.resolve(arguments.file, locate(arguments.home))
    data = sources.read(name)
    match = sources.shown_to_be_checked(name, data)
    if write(match, data, arguments):
        return match.report.exit_code
    if arguments.record:
        print(match_text.record(match), end="")
    elif arguments.json:
        print(json.dumps(match_json.plain(match), indent=1))
    else:
        print("\n".join(match_text.text(match, history.reading_width())))
    return match.report.exit_code
