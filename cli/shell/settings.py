"""Settings that the program remembers: name, colours, language, calls to the table, notes, goal, mouse, ways.

They are kept in the home folder and validated on reading: a value that makes no sense counts as missing, so
an old or damaged file never stops a player.  If it decides what leaves the machine, it is `unclear` instead:
with the usual value our player might show an address that was to stay hidden.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cli.shell.exit_codes import Exit, Sorry
from cli.shell.named_files import read_file
from cli.shell.shared_options import NO_CLOCK, clock_seconds
from cli.text.language import AUTO, NAMES
from cli.text.sanitize import escape
from cli.text.theme import THEMES
from p2p_stratego.core import strict_json
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.strict_json import NotJson

if TYPE_CHECKING:
    from protocol.storage.home import Home


NOTIFY: Final = ("bell", "osc9", "osc777", "command", "off")
"""How our player is called to the table: a sound; a notification of the terminal in one of two forms (of
iTerm2, of rxvt); a command of the player's own; not at all.
"""
WAYS: Final = ("relays", "relay_only", "proxy", "upnp", "nearby")
"""The settings that decide what leaves the machine."""
FILE: Final = "settings.json"
"""Its name in the home folder."""
SWITCHED_OFF: Final = {"upnp": "P2P_STRATEGO_NO_UPNP", "nearby": "P2P_STRATEGO_HIDDEN"}
"""Settings that a variable of the environment, set to anything, switches off."""
_OF_NOW: Final = ("unclear", "ruled")
"""Fields of `Settings` that are in no file."""
_RULING: Final[Sequence[tuple[str, str, str, bool | None]]] = (
    ("name", "name", "--name", None),
    ("theme", "theme", "--theme", None),
    ("language", "language", "--language", None),
    ("ascii", "ascii", "--ascii", True),
    ("notify", "notify", "--notify", None),
    ("notes", "no_notes", "--no-notes", False),
    ("animation", "no_animation", "--no-animation", False),
    ("coach", "coach", "--coach", True),
)
"""Setting, where the parsed command line has it, its option, and the value that a switch sets."""
_MOST_BYTES: Final = 1 << 20
_MOST_WORDS: Final = 32
_MOST_LETTERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one user."""

    name: str = ""
    """The name that opponents see; empty until the program has asked for it."""
    theme: str = "auto"
    language: str = AUTO
    ascii: bool = False
    notify: str = "bell"
    """One of NOTIFY."""
    notes: bool = True
    mouse: bool = True
    clock: str = NO_CLOCK
    """The clock of games that our player hosts, as it is typed."""
    goal: bool = True
    """Whether the screen says how the game is won."""
    coach: bool = False
    """Whether a sentence says what matters now."""
    animation: bool = True
    """Whether events are played before the board shows their result."""
    ladder: bool = True
    """Whether the opponents of a game open one after the other, by wins."""
    unhurried: bool = True
    """Whether bots leave our player the time to read each step."""
    chatter: bool = True
    """Whether bots say a word now and then, where nobody else plays."""
    summary: bool = True
    """Whether a page closes each day, year or round."""
    confirm: bool = False
    """Whether a move is shown first, and sent by a second Enter."""
    notify_command: tuple[str, ...] = ()
    """A program and its arguments, for `notify`: "command"."""
    relays: tuple[str, ...] = ()
    """HOST:PORT of each relay at which others can reach our player."""
    relay_only: bool = False
    proxy: str = ""
    """The URL of a SOCKS5 proxy; empty: none."""
    upnp: bool = True
    """Whether the router is asked to let others in."""
    nearby: bool = True
    """Whether the own network is told of our player's open game, and asked for those of others."""
    learnt: tuple[str, ...] = ()
    """The lessons that our player has learnt, a word for each (see `cli.games.lessons`)."""
    unclear: tuple[str, ...] = ()
    """Which of WAYS make no sense in the file; ("settings.json",) if all of it makes none.  Never saved."""
    ruled: tuple[tuple[str, str], ...] = dataclass_field(default=(), compare=False)
    """The settings by the command line, each with its option, such as "--theme"; with "" for the terminal, if
    it can show no other.  Never saved.
    """

    def changed(self, **changes: Any) -> Settings:
        """These settings with `changes`: the player's last choice rules, and no option does any more."""
        return replace(self, **changes, ruled=tuple(pair for pair in self.ruled if pair[0] not in changes))


def _words(value: Any) -> bool:
    return len(value) <= _MOST_WORDS and all(type(word) is str and _text(word) for word in value)


def _text(value: str) -> bool:
    return len(value) <= _MOST_LETTERS and value.isprintable()


_SENSIBLE: Final[Mapping[str, Callable[[Any], bool]]] = {
    "theme": THEMES.__contains__,
    "language": (AUTO, *NAMES).__contains__,
    "notify": NOTIFY.__contains__,
    "clock": lambda value: value == NO_CLOCK or clock_seconds(value) is not None,
    "notify_command": _words,
    "relays": _words,
    "learnt": _words,
    "proxy": _text,
}
"""By setting, the condition besides the type of the usual value."""


def read(saved: Mapping[str, Any] | None) -> Settings:
    """The settings in the content of a file; None: the file cannot be read."""
    if saved is None:
        return Settings(unclear=("settings.json",))
    values, unclear = dict[str, Any](), []
    for field, usual in _kept(Settings()).items():
        value = tuple(saved[field]) if type(saved.get(field)) is list else saved.get(field, usual)
        # Exact types: True is an int, and a damaged file may hold anything.
        if type(value) is type(usual) and _SENSIBLE.get(field, lambda _: True)(value):
            values[field] = value
        elif field in WAYS:
            unclear.append(field)
    if values.get("notify") == "command" and not values.get("notify_command"):
        del values["notify"]
    return Settings(**values, unclear=tuple(unclear))


def glance(home: Path) -> Settings:
    """The settings in the folder `home`, without opening it: for a screen that is to be there at once.

    A file that cannot be read is told later, when the home folder is opened.
    """
    try:
        saved = strict_json.read(read_file(home / FILE, _MOST_BYTES))
    except FileNotFoundError:
        saved = {}
    except (OSError, Sorry, NotJson):
        saved = None
    return read(saved if isinstance(saved, dict) else None)


def written(settings: Settings) -> dict[str, Any]:
    """The content of a file, for `read`."""
    return {field: list(value) if type(value) is tuple else value for field, value in _kept(settings).items()}


def _kept(settings: Settings) -> dict[str, Any]:
    return {field: value for field, value in asdict(settings).items() if field not in _OF_NOW}


def remember(home: Home, before: Settings, after: Settings) -> None:
    """Save the fields of `after` that differ from `before`; the others in the file stay.

    Lessons are added to those in the file: another window may have seen some learnt.  A file that nobody can
    read stays as it is, to be mended: it may say how to hide an address.
    """
    saved, old = home.settings(), written(before)
    new = {field: value for field, value in written(after).items() if value != old[field]}
    if saved is not None and "learnt" in new:
        new["learnt"] = [*dict.fromkeys((*read(saved).learnt, *new["learnt"]))]
    if saved is not None and new:
        home.save_settings(saved | new)


def given(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings for this run: the command line goes before the remembered ones.

    The ways that it names are read elsewhere (`cli.play.arriving.network_options`).  Raises Sorry if the
    player's own command is wanted, and none is known.
    """
    values: dict[str, Any] = {}
    for setting, place, _option, switched in _RULING:
        value = getattr(arguments, place, None)
        if switched is None and value is not None:
            values[setting] = value
        elif switched is not None and value:
            values[setting] = switched
    if values.get("notify", settings.notify) == "command" and not settings.notify_command:
        raise Sorry(
            _("--notify command needs a command of yours: name it in the settings of the start menu."),
            Exit.USAGE,
        )
    ruled = tuple((setting, option) for setting, _place, option, _switched in _RULING if setting in values)
    return replace(settings, **values, ruled=ruled)


def overruled(arguments: argparse.Namespace, settings: Iterable[str]) -> None:
    """Let the options for these settings rule no longer: the player has just chosen anew."""
    for setting, place, _option, switched in _RULING:
        if setting in settings and hasattr(arguments, place):
            setattr(arguments, place, None if switched is None else False)


def shown_on(settings: Settings, encoding: str | None) -> Settings:
    """The settings as a terminal with this encoding can show them: perhaps by ASCII alone."""
    if unicode_is_possible(encoding):
        return settings
    rest = tuple(pair for pair in settings.ruled if pair[0] != "ascii")
    return replace(settings, ascii=True, ruled=(*rest, ("ascii", "")))


def in_environment(settings: Settings, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings where variables of the environment switch ways off."""
    off = {setting: name for setting, name in SWITCHED_OFF.items() if environment.get(name)}
    values: dict[str, Any] = dict.fromkeys(off, False)
    return replace(settings, **values, ruled=(*settings.ruled, *off.items()))


def unicode_is_possible(encoding: str | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a terminal with this encoding shows more than ASCII; the Linux console has too few signs."""
    name = (encoding or "").lower().replace("-", "").replace("_", "")
    return name.startswith("utf") and environment.get("TERM") != "linux"


def on_screen(arguments: argparse.Namespace) -> bool:
    """Whether there is a terminal that can show a full screen, and it is wanted."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb")
    return terminal and not arguments.plain


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
    "chatter": mark("bots say a word now and then"),
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
