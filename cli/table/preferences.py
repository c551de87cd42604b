"""The settings that a player may change in the middle of a match: what they can be, and what each is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cli.games.interface import NotPossible
from cli.shell.settings import NOTIFY, Settings
from cli.table.scene import Overlay, Row
from cli.text.language import AUTO, NAMES
from cli.text.layout import series
from cli.text.sanitize import escape
from cli.text.theme import THEMES
from p2p_stratego.core.language import _, mark

_SWITCH: Final = (True, False)


@dataclass(frozen=True, slots=True)
class Preference:
    """One setting: how it is typed, its field, a few words about it, and its values."""

    word: str
    field: str
    about: str
    values: tuple[Any, ...] = _SWITCH


PREFERENCES: Final = (
    Preference("theme", "theme", mark("colours of the screen"), THEMES),
    Preference("ascii", "ascii", mark("draw with ASCII characters only")),
    Preference("language", "language", mark("the language of all text"), (AUTO, *NAMES)),
    Preference("coach", "coach", mark("one sentence on what matters now")),
    Preference("notes", "notes", mark("what each hidden thing of the enemy's can be")),
    Preference("goal", "goal", mark("how the game is won, beside the board")),
    Preference("animation", "animation", mark("cards turn, points count up, a combat is seen")),
    Preference("summary", "summary", mark("a page that closes each day, year or round")),
    Preference("confirm", "confirm", mark("a move is shown first, and sent by a second Enter")),
    Preference("notify", "notify", mark("how you are told that it is your turn"), NOTIFY),
    Preference("mouse", "mouse", mark("clicks play; off: your terminal selects text")),
)
"""Those that matter at a table, in the order in which they are shown."""


def shown(value: object) -> str:
    """A value as it is typed: "on", "off" or its name."""
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def possible(preference: Preference, settings: Settings) -> tuple[Any, ...]:
    """The values that it can have: a command of the player's own only where there is one."""
    if preference.field == "notify" and not settings.notify_command:
        return tuple(value for value in preference.values if value != "command")
    return preference.values


def stepped(preference: Preference, settings: Settings, step: int) -> Any:
    """The value so many places behind the present one; after the last comes the first."""
    values = possible(preference, settings)
    now = getattr(settings, preference.field)
    at = values.index(now) if now in values else 0
    return values[(at + step) % len(values)]


def read(said: str, settings: Settings) -> tuple[Preference, Any]:
    """The preference in `said` and its new value; a switch without one is switched.  Raises NotPossible."""
    word, _space, rest = said.partition(" ")
    name = word.lower()
    found = [one for one in PREFERENCES if one.word == name] or [
        one for one in PREFERENCES if one.word.startswith(name)
    ]
    if len(found) != 1:
        told = escape(word, 24)
        words = series([one.word for one in PREFERENCES])
        raise NotPossible(_("“{word}” is no setting of the table: {words}.", word=told, words=words))
    preference, wanted = found[0], rest.strip().lower()
    values = possible(preference, settings)
    if not wanted and preference.values is _SWITCH:
        return preference, not getattr(settings, preference.field)
    value = next((value for value in values if shown(value) == wanted), None)
    if value is None:
        words = ", ".join(map(shown, values))
        raise NotPossible(
            _("Say one of these behind {setting}: {words}.", setting=preference.word, words=words)
        )
    return preference, value


def told(settings: Settings) -> list[str]:
    """Every preference with its value, and what it is about: sentences for a page."""
    return [
        f"{each.word} {shown(getattr(settings, each.field))}: {_(each.about)}{_values(each, settings)}"
        for each in PREFERENCES
    ]


def _values(preference: Preference, settings: Settings) -> str:
    return f" ({_listed(possible(preference, settings))})"


def _listed(values: tuple[Any, ...]) -> str:
    return ", ".join(map(shown, values))


def overlay(settings: Settings, selected: int) -> Overlay:
    """The same as a list over the board, in which one is selected."""
    rows = tuple(Row(each.word, _(each.about), shown(getattr(settings, each.field))) for each in PREFERENCES)
    return Overlay(
        _("Settings"), rows, selected, _("↑↓ choose · ←→ or Enter change · Esc closes; all is saved")
    )
