"""A finding of `doctor`: one check, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cli.shell.exit_codes import Exit
from p2p_stratego.core.language import mark

NAMES: Final = (
    mark("program"),
    mark("libraries"),
    mark("tls"),
    mark("decks"),
    mark("terminal"),
    mark("colours"),
    mark("encoding"),
    mark("home"),
    mark("permissions"),
    mark("space"),
    mark("clock"),
    mark("port"),
    mark("network"),
    mark("asking"),
    mark("friends"),
    mark("proxy"),
    mark("relay"),
    mark("settings"),
)
"""Of checks, for translators."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: the finding and, unless it is fine, advice.  `code` is not OK only for a failure."""

    name: str
    found: str
    advice: str = ""
    code: Exit = Exit.OK

    @property
    def status(self) -> str:
        """`ok`, `warning` (it works, but worse) or `failure` (something will not work)."""
        return mark("failure") if self.code else mark("warning") if self.advice else mark("ok")
