"""Settings in the start menu, each switched or typed anew."""

from __future__ import annotations

import argparse
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
from cli.shell.settings import ABOUT, NOTIFY, Settings, in_force, worded
from cli.shell.shared_options import NO_CLOCK, clock
from cli.text import language
from cli.text.layout import series
from cli.text.theme import THEMES
from p2p_stratego.core.language import _, mark
from protocol.errors import Malformed
from protocol.record.genesis import check_name
from protocol.storage.home import Home

_NOTIFY: Final = {
    "bell": mark("a sound"),
    "osc9": mark("a notification of the terminal (OSC 9: iTerm2, kitty, WezTerm, Windows Terminal)"),
    "osc777": mark("the same in another form (OSC 777: foot, Ghostty, rxvt, VTE)"),
    "command": mark("your own command"),
    "off": mark("not at all"),
}
_NONE: Final = "-"
"""Typed to empty a setting."""


def run(prompt: Prompt, home: Path, arguments: argparse.Namespace) -> int:
    """Show the settings and change them, until the player goes back.

    `arguments`: the command line, whose options rule until the player chooses anew.  Raises EOFError for a
    player who quits.
    """
    with Home(home) as opened:
        while True:
            kept = opened.settings()
            if kept is None:
                prompt.say(_("settings.json in your home folder cannot be read: mend it, or move it away."))
                return Exit.OK
            saved, names = settings.read(kept), list(ABOUT)
            now = settings.given(saved, arguments)
            now = settings.in_environment(settings.shown_on(now, sys.stdout.encoding))
            prompt.look(now)
            if saved.unclear:
                prompt.say(
                    _(
                        "What stands for {unclear} cannot be read: set it anew.",
                        unclear=series(list(saved.unclear)),
                    )
                )
            at = prompt.pick(_("What do you want to change?"), [_line(name, now) for name in names], None)
            if at is None:
                return Exit.OK
            changed = _changed(prompt, now, names[at])
            if changed is not None:
                new = _new(now, changed, names[at])
                opened.save_settings(kept | new)
                settings.overruled(arguments, new)
                if "ascii" in new or "language" in new:
                    plain = settings.shown_on(changed, sys.stdout.encoding).ascii
                    language.install(changed.language, ascii_only=plain)


def _new(before: Settings, after: Settings, name: str) -> dict[str, Any]:
    """The values to save: the chosen setting, and another one that changed with it."""
    old, new = settings.written(before), settings.written(after)
    return {field: value for field, value in new.items() if field == name or value != old[field]}


def _line(name: str, now: Settings) -> str:
    if name in now.unclear:
        return _("{about}: cannot be read", about=_(ABOUT[name]))
    return f"{_(ABOUT[name])}: {in_force(name, now)}"


def _changed(prompt: Prompt, saved: Settings, name: str) -> Settings | None:
    """The settings with `name` changed; None if it stays as it is."""
    if isinstance(getattr(saved, name), bool):
        switched = settings.read(settings.written(saved) | {name: not getattr(saved, name)})
        if switched.relay_only and not switched.relays:
            prompt.say(_("Name a relay too: without one nobody can reach you."))
        return switched
    if name == "theme":
        at = prompt.pick(_("Which colours?"), [worded("theme", theme) for theme in THEMES], None)
        return None if at is None else replace(saved, theme=THEMES[at])
    if name == "language":
        return _language(prompt, saved)
    if name == "notify":
        return _notify(prompt, saved)
    question, read = _TYPED[name]
    answer = prompt.ask(_(question, none=_NONE, no_clock=NO_CLOCK))
    if not answer:
        return None
    try:
        value = read(answer)
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
    """The settings with the chosen language."""
    choices = (language.AUTO, *language.NAMES)
    at = prompt.pick(_("Which language?"), [worded("language", code) for code in choices], None)
    if at is None:
        return None
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


def _name(answer: str) -> str:
    check_name(answer)
    return answer


def _clock(answer: str) -> str:
    try:
        return clock(answer)
    except ArgumentTypeError as error:
        raise Sorry(str(error), Exit.USAGE) from error


def _command(answer: str) -> tuple[str, ...]:
    return () if answer == _NONE else tuple(shlex.split(answer))


def _relays(answer: str) -> tuple[str, ...]:
    from cli.play.arriving import network_options

    return (
        ()
        if answer == _NONE
        else tuple(str(network_options.relay(text)) for text in answer.replace(",", " ").split())
    )


def _proxy(answer: str) -> str:
    from cli.play.arriving import network_options

    if answer == _NONE:
        return ""
    network_options.proxy(answer)
    return answer


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
"""For each setting that is typed: the question, and the reader of the answer.

Readers raise Malformed, Sorry or ValueError.
"""
