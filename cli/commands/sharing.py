"""A folder to show a match to a friend: the page, the picture of where it turned, three lines to send.

All of it rests on the record alone, since it is made to be given away (threat 37).
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

from cli.page import content
from cli.reports import describe, history
from cli.screen.replay import film
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.writing import write_new
from cli.studies.analysis import analysis_text
from cli.studies.analysis.analysing import THINKS, Analysed, Work, whole
from cli.text import language
from cli.text.layout import series
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed, Verdict

PAGE: Final = "page.html"
PICTURE: Final = "picture.svg"
PNG: Final = "picture.png"
MESSAGE: Final = "message.txt"
_INSTALL: Final = "pip install 'p2p-stratego[pictures]'"
_MOST: Final = 100
"""Folders with numbers behind one name."""
_ZOOM: Final = 2
"""Pixels of a PNG for each unit of the drawing: sharp on a telephone."""


def write(match: Replayed, data: bytes, folder: Path, *, lesson: bool = False) -> list[str]:
    """Make `folder` for a match with the transcript `data`, or if it is there already, one named after it;
    what is in it, and the message: lines.

    Raises OSError, and Sorry for a game that was not set up.
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
    genesis, outcome = match.report.genesis, match.report.outcome
    ended = (
        story.closing if outcome is None else describe.ending(genesis, outcome, story.names, match.referee)
    )
    turn = "" if analysed is None else analysis_text.turning(analysed)
    if not turn:
        turn = _("It took {count} steps.", count=len(story.steps))
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
