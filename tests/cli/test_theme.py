"""Every terminal gets as many colours as it has, and no meaning hangs on them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from prompt_toolkit.output import ColorDepth

from cli.theme import TABLES, THEMES, colours, depth, style, table

SOURCES = [
    path for path in Path(__file__).parents[2].joinpath("cli").rglob("*.py") if path.name != "theme.py"
]


def test_all_themes_name_the_same_things() -> None:
    for name, rules in TABLES.items():
        assert set(rules) == set(TABLES["dark"]), name


def test_every_class_that_a_screen_uses_is_in_the_themes() -> None:
    known = set(TABLES["dark"])
    used = set()
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        used |= {name for found in re.findall(r"class:([a-z0-9.]+)", text) for name in [found]}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "styled":
                used |= {arg.value for arg in node.args[1:] if isinstance(arg, ast.Constant)}
    assert used - known - {"seat", "at", ""} == set()  # seats are counted; places to point at have no look


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
    ask = "from cli.theme import described as d; print(d('surely-unheard-of'))"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout.strip() in ("16", "256")


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
    assert table("light", 16) == TABLES["light"]


@pytest.mark.parametrize("wanted", THEMES)
@pytest.mark.parametrize("count", [0, 16, 256, 2**24])
def test_the_toolkit_understands_every_rule(wanted: str, count: int) -> None:
    made = style(wanted, count)
    for name in TABLES["dark"]:
        assert made.get_attrs_for_style_str(f"class:{name}") is not None
