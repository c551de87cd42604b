"""`export --html`, `--svg` and `--cast`: a recorded game as a file to be looked at, over no other file."""

from __future__ import annotations

import argparse
from pathlib import Path

from cli.reports import history
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.writing import write_new
from cli.text import language
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from protocol.audit.verdict import Replayed


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
