"""Settings in the start menu, each switched or typed anew."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentTypeError
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cli.lines.prompt import Prompt
from cli.shell import settings
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from cli.shell.options import NO_CLOCK, clock
from cli.shell.settings import NOTIFY, Settings, unicode_is_possible
from cli.text import language
from cli.text.layout import series
from cli.text.sanitize import escape
from cli.text.theme import THEMES
from p2p_stratego.core.language import _, mark
from protocol.errors import Malformed
from protocol.record.genesis import check_name
from protocol.storage.home import Home

ABOUT: Final = {
    "name": mark("the name that opponents see"),
    "theme": mark("colours of the screen"),
    "ascii": mark("draw with ASCII characters only"),
    "notify": mark("how you are told that it is your turn"),
    "notes": mark("show what the enemy's hidden things can be"),
    "mouse": mark("clicks play; off: the terminal selects text"),
    "goal": mark("say the goal and the direction beside the board"),
    "notify_command": mark("your own command for that"),
    "relays": mark("relays at which friends reach you, too"),
    "relay_only": mark("only through relays: the others do not learn your address"),
    "proxy": mark("call through a SOCKS5 proxy alone, such as Tor's"),
    "upnp": mark("ask your router to let friends in"),
    "nearby": mark("your network sees your open game, and is asked for those of others"),
    "language": mark("the language of all text"),
    "coach": mark("one sentence on what matters now"),
    "animation": mark("cards turn, points count up, a combat is seen"),
    "confirm": mark("a move is shown first, and sent by a second Enter"),
    "clock": mark("the clock of games that you host"),
    "summary": mark("a page that closes each day, year or round"),
}
"""Every setting in a few words."""
_NOTIFY: Final = {
    "bell": mark("a sound"),
    "osc9": mark("a notification of the terminal (OSC 9: iTerm2, kitty, WezTerm, Windows Terminal)"),
    "osc777": mark("the same in another form (OSC 777: foot, Ghostty, rxvt, VTE)"),
    "command": mark("a command of yours"),
    "off": mark("not at all"),
}
_NONE: Final = "-"
"""Typed to empty a setting."""


def run(prompt: Prompt, home: Path) -> int:
    """Show the settings and change them, until the player goes back.  Raises EOFError for one who quits."""
    with Home(home) as opened:
        while True:
            kept = opened.settings()
            if kept is None:
                prompt.say(_("settings.json in your home folder cannot be read: mend it, or move it away."))
                return Exit.OK
            saved, names = settings.read(kept), list(ABOUT)
            if saved.unclear:
                prompt.say(
                    _(
                        "What stands for {unclear} cannot be read: set it anew.",
                        unclear=series(list(saved.unclear)),
                    )
                )
            at = prompt.pick(_("Change which one?"), [_line(name, saved) for name in names], None)
            if at is None:
                return Exit.OK
            changed = _changed(prompt, saved, names[at])
            if changed is not None:
                opened.save_settings(kept | _new(saved, changed, names[at]))


def _new(before: Settings, after: Settings, name: str) -> dict[str, Any]:
    """What to write: the chosen setting, and another one if that changed with it."""
    old, new = settings.written(before), settings.written(after)
    return {field: value for field, value in new.items() if field == name or value != old[field]}


def _line(name: str, saved: Settings) -> str:
    if name in saved.unclear:
        return _("{about}: cannot be read", about=_(ABOUT[name]))
    value: Any = getattr(saved, name)
    if isinstance(value, bool):
        shown = _("on") if value else _("off")
    elif isinstance(value, tuple):
        shown = escape(shlex.join(value), 60) or _("none")
    else:
        shown = escape(value, 60) or (_("asked for") if name == "name" else _("none"))
    return f"{_(ABOUT[name])}: {shown}"


def _changed(prompt: Prompt, saved: Settings, name: str) -> Settings | None:
    """The settings with one of them changed; None if it stays as it is."""
    if isinstance(getattr(saved, name), bool):
        switched = settings.read(settings.written(saved) | {name: not getattr(saved, name)})
        if switched.relay_only and not switched.relays:
            prompt.say(_("Name a relay too: without one nobody can reach you."))
        return switched
    if name == "theme":
        at = prompt.pick(_("Which colours?"), list(THEMES), None)
        return None if at is None else replace(saved, theme=THEMES[at])
    if name == "language":
        return _language(prompt, saved)
    if name == "notify":
        return _notify(prompt, saved)
    question, read = _TYPED[name]
    said = prompt.ask(_(question, none=_NONE, no_clock=NO_CLOCK))
    if not said:
        return None
    try:
        value = read(said)
    except (Malformed, Sorry) as error:
        prompt.say(sentence(error))
    except ValueError:
        prompt.say(_("A quotation mark is open at the end."))
    else:
        changed = settings.read(settings.written(saved) | {name: value})
        if getattr(changed, name) == value:
            return changed
        prompt.say(_("That is too long, or holds signs that nobody sees."))
    return None


def _language(prompt: Prompt, saved: Settings) -> Settings | None:
    """The settings with the chosen language, which the program speaks from now on."""
    choices = (language.AUTO, *language.NAMES)
    at = prompt.pick(_("Which language?"), [_("that of the system"), *language.NAMES.values()], None)
    if at is None:
        return None
    language.install(choices[at], ascii_only=saved.ascii or not unicode_is_possible(sys.stdout.encoding))
    return replace(saved, language=choices[at])


def _notify(prompt: Prompt, saved: Settings) -> Settings | None:
    at = prompt.pick(_("How?"), [_(_NOTIFY[way]) for way in NOTIFY], None)
    if at is None:
        return None
    changed = replace(saved, notify=NOTIFY[at])
    if changed.notify == "command" and not saved.notify_command:
        named = _changed(prompt, saved, "notify_command")
        return None if named is None or not named.notify_command else replace(named, notify="command")
    return changed


def _name(said: str) -> str:
    check_name(said)
    return said


def _clock(said: str) -> str:
    try:
        return clock(said)
    except ArgumentTypeError as error:
        raise Sorry(str(error), Exit.USAGE) from error


def _command(said: str) -> tuple[str, ...]:
    return () if said == _NONE else tuple(shlex.split(said))


def _relays(said: str) -> tuple[str, ...]:
    from cli.play import ways  # trio and the transports, for which the menu need not wait

    return () if said == _NONE else tuple(str(ways.relay(text)) for text in said.replace(",", " ").split())


def _proxy(said: str) -> str:
    from cli.play import ways

    if said == _NONE:
        return ""
    ways.proxy(said)
    return said


_TYPED: Final = {
    "name": (mark("Your name, as opponents will see it (Enter: as it is) "), _name),
    "notify_command": (
        mark(
            "A program and its arguments; the sentence becomes the last one, and no shell reads it "
            "({none}: none; Enter: as it is) "
        ),
        _command,
    ),
    "relays": (mark("HOST:PORT of each, with spaces between ({none}: none; Enter: as it is) "), _relays),
    "clock": (
        mark(
            "15+10: 15 minutes each, and 10 seconds more for each decision; 60/move: 60 seconds for each; "
            "{no_clock} (Enter: as it is) "
        ),
        _clock,
    ),
    "proxy": (mark("Such as socks5://127.0.0.1:9050 ({none}: none; Enter: as it is) "), _proxy),
}
"""For each setting that is typed: the question, and how the answer is read.

Readers raise Malformed, Sorry or ValueError.
"""
