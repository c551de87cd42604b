"""The settings that a player may change in the middle of a match: what they can be, and what each is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cli.games.interface import NotPossible
from cli.shell.settings import ABOUT, NOTIFY, Settings, in_force, worded
from cli.table.scene.scene import Overlay, OverlayRow
from cli.text.language import AUTO, NAMES
from cli.text.layout import series
from cli.text.sanitize import escape
from cli.text.theme import THEMES
from p2p_stratego.core.language import _

_SWITCH: Final = (True, False)


@dataclass(frozen=True, slots=True)
class Preference:
    """One setting: its field, which is also the word that is typed, and its values."""

    field: str
    values: tuple[Any, ...] = _SWITCH


_OF_MANY: Final[dict[str, tuple[Any, ...]]] = {"theme": THEMES, "language": (AUTO, *NAMES), "notify": NOTIFY}
_AT_A_TABLE: Final = (
    "theme",
    "ascii",
    "language",
    "coach",
    "notes",
    "goal",
    "animation",
    "summary",
    "confirm",
    "mouse",
    "notify",
    "chatter",
)
PREFERENCES: Final = tuple(
    Preference(field, _OF_MANY.get(field, _SWITCH)) for field in ABOUT if field in _AT_A_TABLE
)
"""The settings that matter at a table, in the order of the start menu."""


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


def read(text: str, settings: Settings) -> tuple[Preference, Any]:
    """The preference in `text` and its new value; a switch without one is switched.  Raises NotPossible."""
    word, _space, rest = text.partition(" ")
    name = word.lower()
    named = [preference for preference in PREFERENCES if preference.field == name] or [
        preference for preference in PREFERENCES if preference.field.startswith(name)
    ]
    if len(named) != 1:
        quoted = escape(word, 24)
        words = series([preference.field for preference in PREFERENCES])
        raise NotPossible(_("“{word}” is no setting of the table: {words}.", word=quoted, words=words))
    preference, wanted = named[0], rest.strip().lower()
    values = possible(preference, settings)
    if not wanted and preference.values is _SWITCH:
        return preference, not getattr(settings, preference.field)
    for value in values:
        if wanted in (shown(value), worded(preference.field, value).lower()):
            return preference, value
    words = _listed(preference, settings)
    raise NotPossible(_("Say one of these behind {setting}: {words}.", setting=preference.field, words=words))


def sentences(settings: Settings) -> list[str]:
    """Every preference with its value, what it is about, and what may be typed: sentences for a page."""
    return [
        _(
            "{setting}: {value} ({about}: {words})",
            setting=preference.field,
            value=in_force(preference.field, settings),
            about=_(ABOUT[preference.field]),
            words=_listed(preference, settings),
        )
        for preference in PREFERENCES
    ]


def _listed(preference: Preference, settings: Settings) -> str:
    """The words that may be typed: those of the program, each with its meaning where that is another word."""
    words = []
    for value in possible(preference, settings):
        typed, word = shown(value), worded(preference.field, value)
        words.append(typed if typed == word else f"{typed} ({word})")
    return ", ".join(words)


def overlay(settings: Settings, selected: int, *, lesson: bool = False) -> Overlay:
    """The preferences as a list over the board, one row selected.  In a lesson the coach is on."""
    rows = tuple(
        OverlayRow(
            preference.field,
            _(ABOUT[preference.field]),
            _("on, by the lesson")
            if lesson and preference.field == "coach"
            else in_force(preference.field, settings),
        )
        for preference in PREFERENCES
    )
    return Overlay(
        _("Settings"), rows, selected, _("↑↓ choose · ←→ or Enter change · Esc closes; all is saved")
    )
