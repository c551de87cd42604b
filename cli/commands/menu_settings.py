"""Settings in the start menu, each switched or typed anew."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from cli.lines.prompt import Prompt
from cli.shell import settings
from cli.shell.exit_codes import Exit
from cli.shell.explain import sentence
from cli.shell.settings import Settings
from cli.text.sanitize import escape
from cli.text.theme import THEMES
from protocol.errors import Malformed
from protocol.record.genesis import check_name
from protocol.storage.home import Home

ABOUT: Final = {
    "name": "the name that opponents see",
    "theme": "colours of the screen",
    "ascii": "draw with ASCII characters only",
    "bell": "ring when it is your turn",
    "notes": "show what the enemy's hidden things can be",
    "goal": "say the goal and the direction beside the board",
    "mouse": "clicks play; off: the terminal selects text",
}
"""Every setting in a few words."""


def run(prompt: Prompt, home: Path) -> int:
    """Show the settings and change them, until the player goes back.  Raises EOFError for one who quits."""
    with Home(home) as opened:
        while True:
            saved = settings.read(opened.settings())
            names = list(asdict(saved))
            at = prompt.pick("Change which one?", [_line(name, saved) for name in names], None)
            if at is None:
                return Exit.OK
            changed = _changed(prompt, saved, names[at])
            if changed is not None:
                opened.save_settings(settings.written(changed))


def _line(name: str, saved: Settings) -> str:
    value: Any = getattr(saved, name)
    shown = ("on" if value else "off") if isinstance(value, bool) else escape(value) or "asked for"
    return f"{ABOUT[name]}: {shown}"


def _changed(prompt: Prompt, saved: Settings, name: str) -> Settings | None:
    """The settings with one of them changed; None if it stays as it is."""
    value: Any = getattr(saved, name)
    if isinstance(value, bool):
        return settings.read(settings.written(saved) | {name: not value})
    if name == "theme":
        at = prompt.pick("Which colours?", list(THEMES), None)
        return None if at is None else replace(saved, theme=THEMES[at])
    said = prompt.ask("Your name, as opponents will see it (Enter: as it is) ")
    if not said:
        return None
    try:
        check_name(said)
    except Malformed as error:
        prompt.say(sentence(error))
        return None
    return replace(saved, name=said)
