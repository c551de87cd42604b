"""Every terminal gets as many colours as it has, and no meaning hangs on them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from prompt_toolkit.output import ColorDepth

from cli.text.theme import TABLES, THEMES, colours, depth, style, table

SOURCES = [
    path for path in Path(__file__).parents[3].joinpath("cli").rglob("*.py") if path.name != "theme.py"
]


def test_all_themes_name_the_same_things() -> None:
    for name, rules in TABLES.items():
        assert set(rules) == set(TABLES["dark"]), name


def test_every_class_that_a_screen_uses_is_in_the_themes() -> None:
    known = set(TABLES["dark"])
    used = set()
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        used |= {name for hit in re.findall(r"class:([a-z0-9.]+)", text) for name in [hit]}
        for node in ast.walk(ast.parse(text)) if "styled(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "styled":
                used |= {arg.value for arg in node.args[1:] if isinstance(arg, ast.Constant)}
    # Seats and their backs are counted; places to point at have no look.
    assert used - known - {"seat", "back", "at", ""} == set()


@pytest.mark.parametrize(
    ("environment", "count"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 2**24),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, 2**24),
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 256),  # no-color.org: only if not empty
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, 0),
        ({"TERM": "dumb"}, 0),
        ({"TERM": ""}, 0),
        ({}, 0),
        ({"TERM": "vt100"}, 0),
        ({"TERM": "linux"}, 8),
    ],
)
def test_the_terminal_decides_how_many_colours(environment: dict[str, str], count: int) -> None:
    terminfo = {"xterm-256color": 256, "vt100": -1, "linux": 8}
    assert colours(environment, terminfo.__getitem__) == count


def test_a_terminal_that_terminfo_does_not_know_gets_some_colours() -> None:
    """In a process of its own, since curses reads one description only."""
    ask = "from cli.text.theme import described as d; print(d('surely-unheard-of'))"
    process = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert process.stdout.strip() in ("16", "256")


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (2**24, ColorDepth.DEPTH_24_BIT),
        (256, ColorDepth.DEPTH_8_BIT),
        (16, ColorDepth.DEPTH_4_BIT),
        (8, ColorDepth.DEPTH_4_BIT),
        (0, ColorDepth.DEPTH_1_BIT),
    ],
)
def test_the_depth_follows_the_count(count: int, expected: ColorDepth) -> None:
    assert depth(count) is expected


def test_without_colours_every_theme_is_mono_and_mono_names_none() -> None:
    for wanted in THEMES:
        assert table(wanted, 0) == TABLES["mono"]
    assert not any("#" in rule or "ansi" in rule for rule in TABLES["mono"].values())


def test_auto_suits_the_count() -> None:
    assert table("auto", 16) == TABLES["sixteen"]
    assert table("auto", 256) == TABLES["dark"]
    assert table("light", 256) == TABLES["light"]
    assert table("light", 16) == table("dark", 8) == TABLES["sixteen"]  # the nearest of sixteen was no light
    assert table("mono", 256) == table("mono", 16) == TABLES["mono"]
    assert set(table("contrast", 16)) == set(TABLES["contrast"])


XTERM = {
    "black": "000000", "red": "cd0000", "green": "00cd00", "yellow": "cdcd00", "blue": "0000ee",
    "gray": "e5e5e5", "brightred": "ff0000", "brightgreen": "00ff00", "brightyellow": "ffff00",
    "brightmagenta": "ff00ff", "brightcyan": "00ffff", "white": "ffffff",
}  # fmt: skip
"""The sixteen colours as xterm shows them, as far as a theme of high contrast names them."""


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("count", [16, 256])
def test_with_high_contrast_everything_can_be_told_from_what_is_behind_it(count: int) -> None:
    """At least 4.5 to 1, as WCAG 2.1 wants of text."""
    made = style("contrast", count)
    for name in TABLES["contrast"]:
        look = made.get_attrs_for_style_str(f"class:{name}")
        shown = [
            XTERM.get((colour or "").removeprefix("ansi"), colour or "")
            for colour in (look.color, look.bgcolor)
        ]
        dark, light = sorted(luminance(colour) for colour in shown)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (name, shown)
        if count == 16:
            assert not (look.bold and look.color == "ansiblack"), name


@pytest.mark.parametrize("wanted", THEMES)
@pytest.mark.parametrize("count", [0, 16, 256, 2**24])
def test_the_toolkit_understands_every_rule(wanted: str, count: int) -> None:
    made = style(wanted, count)
    for name in TABLES["dark"]:
        assert made.get_attrs_for_style_str(f"class:{name}") is not None
