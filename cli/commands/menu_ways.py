"""By which ways friends reach a host, as the start menu words and asks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from cli.lines.prompt import Prompt
from cli.shell.exit_codes import Sorry
from cli.shell.settings import Settings
from cli.text.layout import series
from cli.text.sanitize import escape
from p2p_stratego.core.language import _

Variants: TypeAlias = Sequence[tuple[str, list[str]]]
"""A title for each, and the options of the command line that choose it."""
_NAMED: Final = ["--relay"]
"""Stands for relays that are still to be typed."""


def told(saved: Settings) -> str:
    """How the settings have our player call and be called, as a sentence; empty: straight, as usual."""
    parts = []
    if saved.proxy:
        parts.append(
            _(
                "through the proxy {rpartition}",
                rpartition=escape(saved.proxy.rpartition("@")[2].rpartition("/")[2], 60),
            )
        )
    relays = escape(series(list(saved.relays)), 60)
    if saved.relay_only:
        parts.append(
            _("through {relays} only, so that nobody learns your address", relays=relays or _("relays"))
        )
    elif relays:
        parts.append(_("also at {relays}", relays=relays))
    return _("By your settings: {parts}.", parts="; ".join(parts)) if parts else ""


def of_host(saved: Settings) -> Variants:
    """How friends can reach a host, the way of the settings first."""
    if saved.proxy or saved.relay_only:
        usual = _("as your settings say")
    else:
        usual = _("straight, or through your relays") if saved.relays else _("straight")
    found: list[tuple[str, list[str]]] = [(usual, [])]
    if saved.relays and not saved.relay_only:
        found.append((_("through your relays only: they do not learn your address"), ["--relay-only"]))
    found.append((_("through another relay, too: somebody's machine that all can reach"), _NAMED))
    return found


def asked(prompt: Prompt, saved: Settings) -> list[str] | None:
    """The options for how friends reach our player; None: the player goes back.  Raises EOFError."""
    if words := told(saved):
        prompt.say(words)
    offered = of_host(saved)
    at = prompt.pick(_("How do friends reach you?"), [title for title, _unused in offered], 0)
    if at is None:
        return None
    return _typed(prompt, saved) if offered[at][1] is _NAMED else offered[at][1]


def _typed(prompt: Prompt, saved: Settings) -> list[str] | None:
    """The options that name the relays of the settings and one more; None: back."""
    from cli.play.arriving import ways

    while said := prompt.ask(_("Its HOST:PORT (Enter: back) ")):
        try:
            named = [*saved.relays, str(ways.relay(said))]
        except Sorry as error:
            prompt.say(str(error))
        else:
            return [word for relay in named for word in ("--relay", relay)]
    return None
