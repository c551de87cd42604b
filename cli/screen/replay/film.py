"""A recorded game as pictures: frames of the screen of a replay, as SVG, as a short film, and for asciinema.

A film in SVG moves by CSS alone: no script, nothing from elsewhere, one picture where motion is not wanted.
A GIF would say the same in many times the bytes, and needs a library to write it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import Final

from cli.games.interface import terminal
from cli.reports.history import Story
from cli.screen.replay.replay import screen
from cli.studies.playback import Replay
from cli.text import theme
from cli.text.layout import Line
from cli.text.sanitize import cells

COLUMNS: Final = 80
MOST_ROWS: Final = 34
LAST: Final = 3
"""How many times as long the last frame of a film stays."""
_CELL: Final = (8.4, 18.0)
"""Width and height of a cell in the units of a drawing."""
_SIZE: Final = 14
_EDGE: Final = 12
_PAPER: Final = "#0f141b"
_FONT: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_HEX: Final = re.compile(r"(bg:)?#([0-9a-f]{6})")


@dataclass(frozen=True, slots=True)
class CellStyle:
    """The style of a run of cells: colours as "#rrggbb"; `paper`: None for that of the whole."""

    ink: str
    paper: str | None
    bold: bool


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One screen, and the seconds for which it stays."""

    lines: tuple[Line, ...]
    seconds: float


def last_steps(story: Story, count: int) -> range:
    """The last `count` steps of a game, or all."""
    steps = len(story.steps)
    return range(max(steps - count, 0) + 1, steps + 1)


def frames(story: Story, steps: Iterable[int], columns: int = COLUMNS) -> list[FilmFrame]:
    """The frames of these steps, from 1, with all faces known at the end; without the row of keys."""
    here = terminal(story.game)
    high = here.board.fitting(columns, MOST_ROWS)[1]
    shown = []
    for at in steps:
        place = replace(Replay.of(story), at=at, open=True)
        lines = screen(place, columns, min(high + 8, MOST_ROWS))[:-1]
        shown.append(FilmFrame(tuple(lines), place.pause(here.pace)))
    return shown


# Looks


def _looks(style: str, table: theme.Table) -> CellStyle:
    """The look of a text with this style: classes given later win."""
    ink = paper = None
    bold = False
    for name in ("", *re.findall(r"class:([\w.-]+)", style)):
        rule = table.get(name, "")
        base = table.get(name.partition(".")[0], "") if "." in name else ""
        for part in (*base.split(), *rule.split()):
            colour = _HEX.fullmatch(part)
            if colour is None:
                bold = bold or part == "bold"
            elif colour[1]:
                paper = f"#{colour[2]}"
            else:
                ink = f"#{colour[2]}"
    return CellStyle(ink or "#d8d8d8", paper, bold)


def _runs(line: Line, table: theme.Table) -> Iterator[tuple[CellStyle, str]]:
    """The line as runs of one look each."""
    parts = [(_looks(style, table), text) for style, text in line]
    for look, group in groupby(parts, key=lambda part: part[0]):
        yield look, "".join(text for _, text in group)


# SVG


def svg(shown: FilmFrame, title: str) -> str:
    """One frame as a picture."""
    return _document([shown], title, "", [""])


def film(shown: Sequence[FilmFrame], title: str) -> str:
    """Frames as a picture that moves, over and over; the last one stays longer."""
    slots = len(shown) - 1 + LAST
    seconds = sum(frame.seconds for frame in shown) / len(shown)
    whole = seconds * slots
    share = 100 / slots
    rules = [
        f".f{{visibility:hidden;animation:f {whole:.2f}s step-end infinite}}",
        f"@keyframes f{{0%{{visibility:visible}}{share:.3f}%,to{{visibility:hidden}}}}",
        f".l{{visibility:hidden;animation:l {whole:.2f}s step-end infinite}}",
        f"@keyframes l{{0%{{visibility:hidden}}{100 - share * LAST:.3f}%,to{{visibility:visible}}}}",
        *(f".d{at}{{animation-delay:{seconds * at:.2f}s}}" for at in range(1, len(shown) - 1)),
        "@media (prefers-reduced-motion:reduce){.f{animation:none}.l{animation:none;visibility:visible}}",
    ]
    classes = [*(f"f d{at}" if at else "f" for at in range(len(shown) - 1)), "l"]
    return _document(shown, title, "".join(rules), classes)


def _document(shown: Sequence[FilmFrame], title: str, rules: str, classes: Sequence[str]) -> str:
    table = theme.TABLES["dark"]
    wide = max(sum(cells(text) for _, text in line) for frame in shown for line in frame.lines)
    width = wide * _CELL[0] + 2 * _EDGE
    height = max(len(frame.lines) for frame in shown) * _CELL[1] + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'font-family="{_FONT}" font-size="{_SIZE}">',
        f"<title>{_text(title)}</title>",
        *([f"<style>{rules}</style>"] if rules else []),
        f'<rect width="100%" height="100%" rx="8" fill="{_PAPER}"/>',
    ]
    for frame, name in zip(shown, classes, strict=True):
        parts.append(
            f'<g{f" class={chr(34)}{name}{chr(34)}" if name else ""} transform="translate({_EDGE} {_EDGE})">'
        )
        for row, line in enumerate(frame.lines):
            parts += _drawn(line, row * _CELL[1], table)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _drawn(line: Line, y: float, table: theme.Table) -> Iterator[str]:
    """The runs of a line: first their papers, then their words, each at its own place."""
    place = 0
    for look, text in _runs(line, table):
        x = place * _CELL[0]
        if look.paper is not None:
            yield (
                f'<rect x="{x:g}" y="{y:g}" width="{cells(text) * _CELL[0]:g}" height="{_CELL[1]:g}" '
                f'fill="{look.paper}"/>'
            )
        weight = ' font-weight="bold"' if look.bold else ""
        for word in re.finditer(r"\S+", text):
            left = x + cells(text[: word.start()]) * _CELL[0]
            yield (
                f'<text x="{left:g}" y="{y + _CELL[1] - 5:g}" fill="{look.ink}"{weight} '
                f'textLength="{cells(word[0]) * _CELL[0]:g}">{_text(word[0])}</text>'
            )
        place += cells(text)


def _text(text: str) -> str:
    """`text` in an element, without anything that XML forbids."""
    return escape("".join(sign for sign in text if sign.isprintable()), quote=False)


# asciinema


def cast(shown: Sequence[FilmFrame], title: str) -> str:
    """Frames as an asciicast, version 2: a header, and a line for each frame at its second.

    Only changed rows are drawn: the file of a long game stays small.
    """
    table = theme.TABLES["dark"]
    columns = max(sum(cells(text) for _, text in line) for frame in shown for line in frame.lines)
    rows = max(len(frame.lines) for frame in shown)
    head = {"version": 2, "width": columns, "height": rows, "title": title}
    lines = [json.dumps(head, ensure_ascii=False)]
    second, screen_now = 0.0, [""] * rows
    for at, frame in enumerate(shown):
        painted = [_painted(line, table) for line in frame.lines] + [""] * (rows - len(frame.lines))
        drawn = "".join(
            f"\x1b[{row};1H{text}\x1b[0m\x1b[K"
            for row, (text, before) in enumerate(zip(painted, screen_now, strict=True), start=1)
            if text != before
        )
        screen_now = painted
        start = "\x1b[?25l\x1b[2J" if at == 0 else ""
        lines.append(json.dumps([round(second, 3), "o", start + drawn], ensure_ascii=False))
        second += frame.seconds
    lines.append(json.dumps([round(second, 3), "o", f"\x1b[{rows};1H\x1b[?25h\x1b[0m\r\n"]))
    return "\n".join([*lines, ""])


def _painted(line: Line, table: theme.Table) -> str:
    """A line with the escape sequences of its colours."""
    parts = []
    for look, text in _runs(line, table):
        codes = ["0", *(["1"] if look.bold else []), f"38;2;{_rgb(look.ink)}"]
        codes += [f"48;2;{_rgb(look.paper)}"] if look.paper else []
        parts.append(f"\x1b[{';'.join(codes)}m{text}")
    return "".join(parts)


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))


def caption(story: Story) -> str:
    """The title of a picture: the game and its players."""
    return f"{terminal(story.game).title}: {' · '.join(story.names)}"
