"""Every setting and its values in words: the same in the start menu and at the table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Final

from cli.shell.options import NO_CLOCK
from cli.shell.settings import Settings
from cli.text.language import AUTO, NAMES
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark

ABOUT: Final = {
    "name": mark("the name that opponents see"),
    "theme": mark("colours of the screen"),
    "ascii": mark("draw with ASCII characters only"),
    "language": mark("the language of all text"),
    "coach": mark("one sentence on what matters now"),
    "notes": mark("what the enemy's hidden things can be"),
    "goal": mark("how the game is won, beside the board"),
    "animation": mark("cards turn, points count up"),
    "summary": mark("a page that closes each day, year or round"),
    "confirm": mark("a move is shown first, and sent by a second Enter"),
    "mouse": mark("clicks play; off: the terminal selects text"),
    "notify": mark("how you are told that it is your turn"),
    "notify_command": mark("your own command for that"),
    "clock": mark("the clock of games that you host"),
    "relays": mark("relays at which friends reach you, too"),
    "relay_only": mark("only through relays: the others do not learn your address"),
    "proxy": mark("call through a SOCKS5 proxy alone, such as Tor's"),
    "upnp": mark("ask your router to let friends in"),
    "nearby": mark("your network sees your open game, and is asked for those of others"),
    "ladder": mark("a win opens the next opponent; off: all are open at once"),
    "unhurried": mark("bots leave you the time to read"),
}
"""Every setting in a few words, in the order in which they are shown."""
THEME: Final = {
    "auto": mark("automatic"),
    "dark": mark("dark"),
    "light": mark("light"),
    "contrast": mark("strong contrast"),
    "sixteen": mark("sixteen colours"),
    "mono": mark("no colours"),
}
_NOTIFY: Final = {
    "bell": mark("a sound"),
    "osc9": "OSC 9",
    "osc777": "OSC 777",
    "command": mark("your own command"),
    "off": mark("not at all"),
}
_NAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "theme": THEME,
    "notify": _NOTIFY,
    "language": {AUTO: mark("that of the system")},
    "clock": {NO_CLOCK: mark("no clock")},
    "name": {"": mark("asked for")},
    "proxy": {"": mark("no proxy")},
    "relays": {"": mark("no relay")},
    "notify_command": {"": mark("no command")},
}
"""By setting, the words for values that say nothing themselves."""
_MOST: Final = 60
"""Cells of a value."""


def worded(field: str, value: Any) -> str:
    """A value of the setting `field` in words.  Total."""
    if isinstance(value, bool):
        return _("on") if value else _("off")
    text = shlex.join(value) if isinstance(value, tuple) else str(value)
    word = _NAMED.get(field, {}).get(text)
    if word is not None:
        return _(word)
    return NAMES.get(text, text) if field == "language" else escape(text, _MOST)


def in_force(field: str, settings: Settings) -> str:
    """The value in force, with the option of the command line that set it, if one did."""
    value = worded(field, getattr(settings, field))
    option = dict(settings.ruled).get(field)
    if option is None:
        return value
    if not option:
        return _("{value}, by the terminal", value=value)
    return _("{value}, by {option}", value=value, option=option)
