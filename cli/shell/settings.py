"""Settings that the program remembers: name, colours, bell, notes, goal, mouse.

They are kept in the home folder and validated on reading: a value that makes no sense counts as missing, so
an old or damaged file never stops a player.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from cli.text.theme import THEMES


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one user."""

    name: str = ""
    """The name that opponents see; empty until the program has asked for it."""
    theme: str = "auto"
    ascii: bool = False
    bell: bool = True
    notes: bool = True
    mouse: bool = True
    goal: bool = True
    """Whether the screen says how the game is won."""


def read(saved: Mapping[str, Any]) -> Settings:
    """The settings in the content of a file."""
    legible = {
        field: saved[field]
        for field, usual in asdict(Settings()).items()
        if type(saved.get(field)) is type(usual) and (field != "theme" or saved[field] in THEMES)
    }
    return Settings(**legible)


def written(settings: Settings) -> dict[str, Any]:
    """The content of a file, for `read`."""
    return asdict(settings)


def given(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings for this run: the command line goes before the remembered ones."""
    said = {
        name: getattr(arguments, name, None) for name in ("name", "theme", "ascii", "no_bell", "no_notes")
    }
    return replace(
        settings,
        name=settings.name if said["name"] is None else said["name"],
        theme=settings.theme if said["theme"] is None else said["theme"],
        ascii=settings.ascii or bool(said["ascii"]),
        bell=settings.bell and not said["no_bell"],
        notes=settings.notes and not said["no_notes"],
    )


def changed(saved: Settings, before: Settings, after: Settings) -> Settings:
    """`saved` with the fields of `after` that differ from `before`."""
    old, new = asdict(before), asdict(after)
    return replace(saved, **{field: value for field, value in new.items() if value != old[field]})


def unicode_is_possible(encoding: str | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a terminal with this encoding shows more than ASCII; the Linux console has too few signs."""
    name = (encoding or "").lower().replace("-", "").replace("_", "")
    return name.startswith("utf") and environment.get("TERM") != "linux"


def on_screen(arguments: argparse.Namespace) -> bool:
    """Whether there is a terminal that can show a full screen, and it is wanted."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb")
    return terminal and not arguments.plain
