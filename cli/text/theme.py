"""Colours and attributes by name, and how much of them a terminal can show.

A screen names what a piece of text is ("seat0", "target", "warn"); only this table says what that looks
like.  Nothing is told by colour alone: every class that matters has its own sign, word or border in the
screen itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import Style

Table = Mapping[str, str]

_DARK: Final[Table] = {
    "": "#d8d8d8",
    "seat0": "#ff7b72",
    "seat1": "#79b8ff",
    "tile0": "bold #ffffff bg:#a02c2c",
    "tile0.alt": "bg:#872222",
    "tile1": "bold #ffffff bg:#1f62a8",
    "tile1.alt": "bg:#1a5487",
    "floor": "",
    "face0": "bold #ffffff bg:#a02c2c",
    "face0.alt": "bg:#872222",
    "face1": "bold #ffffff bg:#1f62a8",
    "face1.alt": "bg:#1a5487",
    "back0": "#a02c2c",
    "back0.alt": "#872222",
    "back1": "#1f62a8",
    "back1.alt": "#1a5487",
    "dim": "#7d8590",
    "strong": "bold #ffffff",
    "title": "bg:#1f2630 #d8d8d8",
    "title.name": "bold bg:#1f2630 #ffd479",
    "panel": "bold #d8d8d8",
    "rule": "#4b5563",
    "target": "bold #ffd479",
    "fresh": "bold #ffffff bg:#3d4f2a",
    "told": "#e8f5d0",
    "chosen": "bold #101010 bg:#ffd479",
    "likely": "bold #d2f29b",
    "good": "#8ddb8c",
    "bad": "#ff9b8e",
    "warn": "bold #ffcc66",
    "token": "#d2a8ff",
    "mark": "#7ee0d0",
    "agent": "bold #ffd479",
    "fog": "#3b434d",
    "key": "bold #a5d6ff",
    "question": "bold #ffffff",
    "input": "#ffffff",
    "chat": "#d8d8d8",
    "footer": "bg:#1f2630 #9aa4b2",
    "footer.key": "bg:#1f2630 bold #a5d6ff",
}
_LIGHT: Final[Table] = {
    "": "#24292f",
    "seat0": "#b3261e",
    "seat1": "#0b57a4",
    "tile0": "bold #ffffff bg:#b3261e",
    "tile0.alt": "bg:#962019",
    "tile1": "bold #ffffff bg:#0b57a4",
    "tile1.alt": "bg:#094887",
    "floor": "",
    "face0": "bold #ffffff bg:#b3261e",
    "face0.alt": "bg:#962019",
    "face1": "bold #ffffff bg:#0b57a4",
    "face1.alt": "bg:#094887",
    "back0": "#b3261e",
    "back0.alt": "#962019",
    "back1": "#0b57a4",
    "back1.alt": "#094887",
    "dim": "#6e7781",
    "strong": "bold #000000",
    "title": "bg:#e6eaef #24292f",
    "title.name": "bold bg:#e6eaef #8a5a00",
    "panel": "bold #24292f",
    "rule": "#afb8c1",
    "target": "bold #8a5a00",
    "fresh": "bold #000000 bg:#d7f0c3",
    "told": "bold #24292f",
    "chosen": "bold #ffffff bg:#8a5a00",
    "likely": "bold #1a6b2c",
    "good": "#1a6b2c",
    "bad": "#b3261e",
    "warn": "bold #8a5a00",
    "token": "#7a3fb0",
    "mark": "#00706a",
    "agent": "bold #8a5a00",
    "fog": "#c3c9d0",
    "key": "bold #0b57a4",
    "question": "bold #000000",
    "input": "#000000",
    "chat": "#24292f",
    "footer": "bg:#e6eaef #57606a",
    "footer.key": "bg:#e6eaef bold #0b57a4",
}
# High contrast: nothing dimmed, attributes doing most of the work, pure colours on black.
_CONTRAST: Final[Table] = {
    "": "#ffffff bg:#000000",
    "seat0": "bold #ff6060",
    "seat1": "bold #60c0ff",
    "tile0": "bold #ffffff bg:#c00000",
    "tile0.alt": "bg:#900000",
    "tile1": "bold #ffffff bg:#0040d0",
    "tile1.alt": "bg:#0030a0",
    "floor": "",
    "face0": "bold #ffffff bg:#c00000",
    "face0.alt": "bg:#900000",
    "face1": "bold #ffffff bg:#0040d0",
    "face1.alt": "bg:#0030a0",
    "back0": "#ff6060",
    "back0.alt": "#ff6060",
    "back1": "#60c0ff",
    "back1.alt": "#60c0ff",
    "dim": "#ffffff",
    "strong": "bold #ffffff",
    "title": "#000000 bg:#ffffff",
    "title.name": "bold #000000 bg:#ffffff",
    "panel": "bold #ffffff",
    "rule": "#ffffff",
    "target": "bold #ffff00",
    "fresh": "bold #000000 bg:#ffff00",
    "told": "bold #ffffff",
    "chosen": "bold #000000 bg:#ffffff",
    "likely": "bold underline #ffffff",
    "good": "bold #60ff60",
    "bad": "bold #ff6060",
    "warn": "bold #000000 bg:#ffff00",
    "token": "bold #ff80ff",
    "mark": "bold #00ffff",
    "agent": "bold #ffff00",
    "fog": "#ffffff",
    "key": "bold underline #ffffff",
    "question": "bold #ffff00",
    "input": "bold #ffffff",
    "chat": "#ffffff",
    "footer": "#000000 bg:#ffffff",
    "footer.key": "bold #000000 bg:#ffffff",
}
# The same out of the sixteen colours by name; no bold black, which many terminals draw as grey.
_CONTRAST_OF_SIXTEEN: Final[Table] = {
    "": "ansiwhite bg:ansiblack",
    "seat0": "bold ansibrightred",
    "seat1": "bold ansibrightcyan",
    "tile0": "bold ansiwhite bg:ansired",
    "tile0.alt": "",
    "tile1": "bold ansiwhite bg:ansiblue",
    "tile1.alt": "",
    "floor": "underline",
    "face0": "bold ansiwhite bg:ansired",
    "face0.alt": "",
    "face1": "bold ansiwhite bg:ansiblue",
    "face1.alt": "",
    "back0": "ansibrightred",
    "back0.alt": "",
    "back1": "ansibrightcyan",
    "back1.alt": "",
    "dim": "ansiwhite",
    "strong": "bold ansiwhite",
    "title": "ansiblack bg:ansiwhite",
    "title.name": "ansiblack bg:ansiwhite",
    "panel": "bold ansiwhite",
    "rule": "ansiwhite",
    "target": "bold ansibrightyellow",
    "fresh": "ansiblack bg:ansiyellow",
    "told": "bold ansiwhite",
    "chosen": "ansiblack bg:ansiwhite",
    "likely": "bold underline ansiwhite",
    "good": "bold ansibrightgreen",
    "bad": "bold ansibrightred",
    "warn": "ansiblack bg:ansiyellow",
    "token": "bold ansibrightmagenta",
    "mark": "bold ansibrightcyan",
    "agent": "bold ansibrightyellow",
    "fog": "ansiwhite",
    "key": "bold underline ansiwhite",
    "question": "bold ansibrightyellow",
    "input": "bold ansiwhite",
    "chat": "ansiwhite",
    "footer": "ansiblack bg:ansiwhite",
    "footer.key": "underline ansiblack bg:ansiwhite",
}
# The sixteen colours by name, so that the terminal's own palette decides, dark or light.  There are no two
# shades of one, so a line under each piece keeps it apart from the next.
_SIXTEEN: Final[Table] = {
    "": "",
    "seat0": "ansibrightred",
    "seat1": "ansibrightblue",
    "tile0": "reverse ansired",
    "tile0.alt": "",
    "tile1": "reverse ansiblue",
    "tile1.alt": "",
    "floor": "underline",
    "face0": "bold ansired",
    "face0.alt": "",
    "face1": "bold ansiblue",
    "face1.alt": "",
    "back0": "ansired",
    "back0.alt": "",
    "back1": "ansiblue",
    "back1.alt": "",
    "dim": "",
    "strong": "bold",
    "title": "reverse",
    "title.name": "bold reverse",
    "panel": "bold",
    "rule": "",
    "target": "bold ansiyellow",
    "fresh": "bold reverse",
    "told": "bold",
    "chosen": "bold reverse",
    "likely": "bold ansigreen",
    "good": "ansigreen",
    "bad": "ansired",
    "warn": "bold ansiyellow",
    "token": "ansimagenta",
    "mark": "ansicyan",
    "agent": "bold ansiyellow",
    "fog": "",
    "key": "bold",
    "question": "bold",
    "input": "",
    "chat": "",
    "footer": "reverse",
    "footer.key": "bold reverse",
}
_COLOURS: Final = "ansi"


def _without_colours(table: Table) -> Table:
    return {name: " ".join(w for w in rule.split() if _COLOURS not in w) for name, rule in table.items()}


TABLES: Final[Mapping[str, Table]] = {
    "dark": _DARK,
    "light": _LIGHT,
    "contrast": _CONTRAST,
    "sixteen": _SIXTEEN,
    "mono": _without_colours(_SIXTEEN),
}
THEMES: Final = ("auto", *TABLES)
_OF_FEW: Final[Mapping[str, Table]] = {"contrast": _CONTRAST_OF_SIXTEEN}
"""Themes as they are where the terminal cannot show their own colours, but the nearest of sixteen; all others
leave the colours to the terminal then.
"""


def described(term: str) -> int:
    """How many colours terminfo knows of `term`; -1 for none."""
    with suppress(ImportError):
        import curses

        with suppress(curses.error):
            curses.setupterm(term, 1)
            return curses.tigetnum("colors")
    return 256 if "256" in term else 16


def colours(environment: Mapping[str, str] = os.environ, describe: Callable[[str], int] = described) -> int:
    """How many colours the terminal shows: 0, 8, 16, 256 or 2**24.

    NO_COLOR, if set and not empty, means none (no-color.org); COLORTERM promises true colour; otherwise the
    terminal's own description decides, since many that lack COLORTERM show 256.
    """
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in ("", "dumb"):
        return 0
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit") or term.endswith("-direct"):
        return 2**24
    return max(describe(term), 0)


def table(wanted: str, count: int) -> Table:
    """The theme `wanted` ("auto": what suits `count` colours best)."""
    if count < 8:
        return TABLES["mono"]
    if count < 256:
        return TABLES["mono"] if wanted == "mono" else _OF_FEW.get(wanted, TABLES["sixteen"])
    return TABLES["dark" if wanted == "auto" else wanted]


def style(wanted: str, count: int) -> Style:
    """The same as a prompt_toolkit Style."""
    from prompt_toolkit.styles import Style

    rules = table(wanted, count)
    return Style([(name, rule) for name, rule in rules.items() if name] + [("", rules[""])])


def depth(count: int) -> ColorDepth:
    """The prompt_toolkit colour depth for `count` colours."""
    from prompt_toolkit.output import ColorDepth

    steps = ((2**24, ColorDepth.DEPTH_24_BIT), (256, ColorDepth.DEPTH_8_BIT), (8, ColorDepth.DEPTH_4_BIT))
    return next((deep for least, deep in steps if count >= least), ColorDepth.DEPTH_1_BIT)
