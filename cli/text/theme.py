"""Colours and attributes by name, and how much of them a terminal can show.

A screen names the meaning of a piece of text ("seat0", "target", "warn"); only this table gives it a look.
Nothing is told by colour alone: every class that matters has its own sign, word or border in the screen
itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import Style

Table = Mapping[str, str]
Tone: TypeAlias = Literal["good", "warn", "bad", "dim"]
"""The classes of notices: all is well, look here, something is wrong, by the way."""

Shade: TypeAlias = Literal["dark", "light"]
"""Of the terminal's background."""

_DEFAULT: Final = "text"
"""Stands in the tables below for text without a class, whose name is ""."""


def _table(looks: Mapping[str, str], **colours: str) -> Table:
    """The looks by class, from classes by look; `colours` fill the names in braces."""
    return {
        "" if name == _DEFAULT else name: look.format_map(colours)
        for look, names in looks.items()
        for name in names.split()
    }


# Where a terminal has at least 256 colours: one table of looks, and a palette for each theme.
_LOOKS: Final = {
    "{text}": "text chat",
    "{red}": "seat0",
    "{blue}": "seat1",
    "{green}": "seat2",
    "{yellow}": "seat3",
    "bold {on_tile} bg:{red_tile}": "tile0 face0",
    "bold {on_tile} bg:{blue_tile}": "tile1 face1",
    "bold {on_tile} bg:{green_tile}": "tile2 face2",
    "bold {on_tile} bg:{yellow_tile}": "tile3 face3",
    "bold {on_tile} bg:{violet_tile}": "tile4",
    "bg:{red_shade}": "tile0.alt face0.alt",
    "bg:{blue_shade}": "tile1.alt face1.alt",
    "bg:{green_shade}": "tile2.alt face2.alt",
    "bg:{yellow_shade}": "tile3.alt face3.alt",
    "{red_wall}": "back0",
    "{red_wall_shade}": "back0.alt",
    "{blue_wall}": "back1",
    "{blue_wall_shade}": "back1.alt",
    "{green_wall}": "back2",
    "{green_wall_shade}": "back2.alt",
    "{yellow_wall}": "back3",
    "{yellow_wall_shade}": "back3.alt",
    "bold {on_fresh} bg:{red_fresh}": "fresh0",
    "bold {on_fresh} bg:{blue_fresh}": "fresh1",
    "bold {on_fresh} bg:{green_fresh}": "fresh2",
    "bold {on_fresh} bg:{yellow_fresh}": "fresh3",
    "bg:{red_land}": "land0",
    "bg:{blue_land}": "land1",
    "bg:{green_land}": "land2",
    "bg:{yellow_land}": "land3",
    "{stone}": "mountain",
    "": "floor",
    "{dim}": "dim",
    "{rule}": "rule",
    "{fog}": "fog",
    "bold {strong}": "strong",
    "bold {text}": "panel",
    "{bar} {on_bar}": "title",
    "{bar} {dim_on_bar}": "footer",
    "{bar} bold {gold_on_bar}": "title.name",
    "{bar} bold {key_on_bar}": "footer.key",
    "bold {gold}": "target agent",
    "bold {on_chosen} bg:{chosen}": "chosen",
    "{told}": "told",
    "bold {likely}": "likely",
    "{good}": "good",
    "{bad}": "bad",
    "bold {warn}": "warn",
    "{violet}": "token seat4",
    "{teal}": "mark",
    "bold {key}": "key",
    "bold {question}": "question",
    "{strong}": "input",
}
_DARK: Final = _table(
    _LOOKS, text="#d8d8d8", strong="#ffffff", question="#ffffff", told="#e8f5d0", dim="#949da8",
    rule="#4b5563", fog="#3b434d", red="#ff7b72", blue="#79b8ff", on_tile="#ffffff",
    red_tile="#a02c2c", red_shade="#872222", red_wall="#a02c2c", red_wall_shade="#872222",
    blue_tile="#1f62a8", blue_shade="#1a5487", blue_wall="#1f62a8", blue_wall_shade="#1a5487",
    on_fresh="#ffffff", red_fresh="#d14343", blue_fresh="#2a78c4", bar="bg:#1f2630", on_bar="#d8d8d8",
    dim_on_bar="#9aa4b2", gold_on_bar="#ffd479", key_on_bar="#a5d6ff", gold="#ffd479",
    on_chosen="#101010", chosen="#ffd479", likely="#d2f29b", good="#8ddb8c", bad="#ff9b8e",
    warn="#ffcc66", violet="#d2a8ff", teal="#7ee0d0", key="#a5d6ff",
    green="#7ee787", yellow="#f2cc60", green_tile="#1f6f3a", green_shade="#195c30",
    green_wall="#2ea04f", green_wall_shade="#25823f", green_fresh="#247f44", yellow_tile="#7d5c00",
    yellow_shade="#684c00", yellow_wall="#a97e00", yellow_wall_shade="#8c6800", yellow_fresh="#8f6a06",
    violet_tile="#6f42a8",
    red_land="#311315", blue_land="#0f2238", green_land="#0e2716", yellow_land="#2b2208", stone="#c19a6b",
)  # fmt: skip
_LIGHT: Final = _table(
    _LOOKS, text="#24292f", strong="#000000", question="#000000", told="bold #24292f", dim="#5f6871",
    rule="#8c959f", fog="#b4bcc5", red="#b3261e", blue="#0b57a4", on_tile="#ffffff",
    red_tile="#b3261e", red_shade="#962019", red_wall="#b3261e", red_wall_shade="#962019",
    blue_tile="#0b57a4", blue_shade="#094887", blue_wall="#0b57a4", blue_wall_shade="#094887",
    on_fresh="#ffffff", red_fresh="#cf433a", blue_fresh="#2a74c0", bar="bg:#e6eaef", on_bar="#24292f",
    dim_on_bar="#57606a", gold_on_bar="#8a5a00", key_on_bar="#0b57a4", gold="#8a5a00",
    on_chosen="#ffffff", chosen="#8a5a00", likely="#1a6b2c", good="#1a6b2c", bad="#b3261e",
    warn="#8a5a00", violet="#7a3fb0", teal="#00706a", key="#0b57a4",
    green="#1a6b2c", yellow="#7a5600", green_tile="#1a6b2c", green_shade="#155824",
    green_wall="#1a6b2c", green_wall_shade="#155824", green_fresh="#27823e", yellow_tile="#7a5600",
    yellow_shade="#644700", yellow_wall="#7a5600", yellow_wall_shade="#644700", yellow_fresh="#96700a",
    violet_tile="#7a3fb0",
    red_land="#fbe3e1", blue_land="#dfeafb", green_land="#ddf2e1", yellow_land="#f7eccb", stone="#6b4a1f",
)  # fmt: skip
# High contrast: nothing dimmed, attributes doing most of the work, pure colours on black.
_CONTRAST: Final = _table(
    _LOOKS, text="#ffffff bg:#000000", strong="#ffffff", question="#ffff00", told="bold #ffffff",
    dim="#ffffff", rule="#ffffff", fog="#ffffff", red="bold #ff6060", blue="bold #60c0ff",
    on_tile="#ffffff", red_tile="#c00000", red_shade="#900000", red_wall="#ff6060",
    red_wall_shade="#ff6060", blue_tile="#0040d0", blue_shade="#0030a0", blue_wall="#60c0ff",
    blue_wall_shade="#60c0ff", on_fresh="#000000", red_fresh="#ff9090", blue_fresh="#90c8ff",
    bar="bg:#ffffff", on_bar="#000000", dim_on_bar="#000000", gold_on_bar="#000000",
    key_on_bar="#000000", gold="#ffff00", on_chosen="#000000", chosen="#ffffff",
    likely="underline #ffffff", good="bold #60ff60", bad="bold #ff6060", warn="#000000 bg:#ffff00",
    violet="bold #ff80ff", teal="bold #00ffff", key="underline #ffffff",
    green="bold #60ff60", yellow="bold #ffff60", green_tile="#006000", green_shade="#004800",
    green_wall="#60ff60", green_wall_shade="#60ff60", green_fresh="#90ff90", yellow_tile="#605000",
    yellow_shade="#483c00", yellow_wall="#ffff60", yellow_wall_shade="#ffff60", yellow_fresh="#ffff90",
    violet_tile="#7000a0",
    red_land="#000000", blue_land="#000000", green_land="#000000", yellow_land="#000000",
    stone="bold #ffffff",
)  # fmt: skip
_PLAIN: Final = " ".join(
    ["land0 land1 land2 land3"] + [f"tile{seat}.alt face{seat}.alt back{seat}.alt" for seat in range(4)]
)
"""What has no look of its own where there are no shades of a colour."""
# The same out of the sixteen colours by name; no bold black, which many terminals draw as grey.
_CONTRAST_OF_SIXTEEN: Final = _table(
    {
        "ansiwhite bg:ansiblack": "text",
        "ansiwhite": "dim rule fog chat",
        "bold ansiwhite": "strong panel told input mountain",
        "bold underline ansiwhite": "likely key",
        "ansiblack bg:ansiwhite": "title title.name chosen footer",
        "underline ansiblack bg:ansiwhite": "footer.key",
        "ansiblack bg:ansiyellow": "warn tile3 face3",
        "bold ansibrightyellow": "target agent question seat3",
        "bold ansibrightgreen": "good seat2",
        "bold ansibrightred": "seat0 bad",
        "bold ansibrightcyan": "seat1 mark",
        "bold ansibrightmagenta": "token seat4",
        "bold ansiwhite bg:ansired": "tile0 face0",
        "bold ansiwhite bg:ansiblue": "tile1 face1",
        "ansiblack bg:ansigreen": "tile2 face2",
        "ansiblack bg:ansibrightmagenta": "tile4",
        "ansibrightred": "back0",
        "ansibrightcyan": "back1",
        "ansibrightgreen": "back2",
        "ansibrightyellow": "back3",
        "ansiblack bg:ansibrightred": "fresh0",
        "ansiblack bg:ansibrightcyan": "fresh1",
        "ansiblack bg:ansibrightgreen": "fresh2",
        "ansiblack bg:ansibrightyellow": "fresh3",
        "": _PLAIN,
        "underline": "floor",
    }
)
# The sixteen colours by name, so that the terminal's own palette decides, dark or light.  There are no two
# shades of one, so a line under each piece keeps it apart from the next.
_SIXTEEN: Final = _table(
    {
        "": f"text dim rule fog input chat {_PLAIN}",
        "ansibrightred": "seat0",
        "ansibrightblue": "seat1",
        "ansibrightgreen": "seat2",
        "ansibrightyellow": "seat3",
        "reverse ansired": "tile0",
        "reverse ansiblue": "tile1",
        "reverse ansigreen": "tile2",
        "reverse ansiyellow": "tile3",
        "reverse ansimagenta": "tile4",
        "bold ansired": "face0",
        "bold ansiblue": "face1",
        "ansired": "back0 bad",
        "ansiblue": "back1",
        "ansiyellow": "back3 mountain",
        "bold reverse ansired": "fresh0",
        "bold reverse ansiblue": "fresh1",
        "bold reverse ansigreen": "fresh2",
        "bold reverse ansiyellow": "fresh3",
        "underline": "floor",
        "bold": "strong panel told key question",
        "reverse": "title footer",
        "bold reverse": "title.name footer.key chosen",
        "bold ansiyellow": "target agent warn face3",
        "bold ansigreen": "likely face2",
        "ansigreen": "good back2",
        "ansimagenta": "token seat4",
        "ansicyan": "mark",
    }
)
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
"""Tables for terminals that have only the nearest of sixteen colours; other themes use the terminal's own.
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


def table(wanted: str, count: int, shade: Shade | None = None) -> Table:
    """The theme `wanted` ("auto": what suits `count` colours and a background of that shade best)."""
    if count < 8:
        return TABLES["mono"]
    if count < 256:
        return TABLES["mono"] if wanted == "mono" else _OF_FEW.get(wanted, TABLES["sixteen"])
    return TABLES[shade or "dark" if wanted == "auto" else wanted]


def style(wanted: str, count: int, shade: Shade | None = None) -> Style:
    """The same as a prompt_toolkit Style."""
    from prompt_toolkit.styles import Style

    rules = table(wanted, count, shade)
    return Style([(name, rule) for name, rule in rules.items() if name] + [("", rules[""])])


def depth(count: int) -> ColorDepth:
    """The prompt_toolkit colour depth for `count` colours."""
    from prompt_toolkit.output import ColorDepth

    steps = ((2**24, ColorDepth.DEPTH_24_BIT), (256, ColorDepth.DEPTH_8_BIT), (8, ColorDepth.DEPTH_4_BIT))
    return next((deep for least, deep in steps if count >= least), ColorDepth.DEPTH_1_BIT)
