"""Notifications of a terminal: what may stand in them, and how each kind is written (threat 89).

A notification leaves the window that our program draws: the terminal, or a command of the player's own, shows
it elsewhere.  So nothing of another player reaches it but visible characters, and no semicolon, with which
OSC 777 divides its parts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from cli.text.layout import ascii_text
from cli.text.sanitize import escape

MOST: Final = 80
"""Characters of a sentence."""
TITLE: Final = "P2P Stratego"
_ESCAPE: Final = "\x1b"
_END: Final = f"{_ESCAPE}\\"


def plain(sentence: str, *, ascii_only: bool = False) -> str:
    """`sentence` as any notification may hold it: at most MOST visible characters, no semicolon, and a letter
    or digit first: what begins with a hyphen or an @, as a name can, is an option or a file to some commands.
    """
    text = escape(sentence, MOST)
    text = ascii_text(text) if ascii_only else text
    return (text if text[:1].isalnum() else f"{TITLE}: {text}").replace(";", ",")[:MOST]


def sequence(
    how: str, sentence: str, *, ascii_only: bool = False, environment: Mapping[str, str] = os.environ
) -> str:
    """What to write to a terminal so that it notifies: `how` is "bell", "osc9" (iTerm2) or "osc777" (rxvt).

    Empty for any other `how`.  tmux passes a sequence on if it is told to (tmux(1), allow-passthrough).
    """
    notice = plain(sentence, ascii_only=ascii_only)
    if how == "bell":
        return "\a"
    if how == "osc9":
        control = f"{_ESCAPE}]9;{notice}{_END}"
    elif how == "osc777":
        control = f"{_ESCAPE}]777;notify;{TITLE};{notice}{_END}"
    else:
        return ""
    if "TMUX" in environment:
        return f"{_ESCAPE}Ptmux;{control.replace(_ESCAPE, 2 * _ESCAPE)}{_END}"
    return control
