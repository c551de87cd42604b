"""A finding of `doctor`: one check, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from cli.shell.exit_codes import Exit
from p2p_stratego.core.language import _


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
        return _("failure") if self.code else _("warning") if self.advice else _("ok")
