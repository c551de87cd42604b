"""The sentences of argparse itself, which asks gettext's own catalogue for them; here it asks ours.

The module has no place for a translator, and gettext's knows no `--language`.  A version of Python with other
sentences says those in English.
"""

from __future__ import annotations

import argparse
from typing import Final

from p2p_stratego.core.language import _, mark, n_

WORDS: Final = (
    mark("usage: "),
    mark("positional arguments"),
    mark("options"),
    mark("show this help message and exit"),
    mark("argument %(argument_name)s: %(message)s"),
    mark("expected one argument"),
    mark("expected at most one argument"),
    mark("expected at least one argument"),
    mark("ignored explicit argument %r"),
    mark("not allowed with argument %s"),
    mark("the following arguments are required: %s"),
    mark("one of the arguments %s is required"),
    mark("unrecognized arguments: %s"),
)
"""What a player of this program may read of argparse, with its own signs for fields."""


def _counted(one: str, many: str, count: int) -> str:
    if one == "expected %s argument":
        return n_("expected %s argument", "expected %s arguments", count)
    return one if count == 1 else many


def translate() -> None:
    """Let argparse speak the player's language from now on."""
    vars(argparse).update(_=_, ngettext=_counted)
