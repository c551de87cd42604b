"""Whether the terminal's background is dark or light: what it answers, or what its environment says.

A terminal that knows xterm's control sequence OSC 11 answers with the colour of its background.  The answer
comes as input, whenever it likes or never: `Answers` takes it out of what is typed, so that nobody waits for
it and none of its bytes counts as a key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Final

from cli.text.theme import Shade

QUERY: Final = "\x1b]11;?\x1b\\"
_SHOWS_IT: Final = ("linux",)
"""Beginnings of TERM for terminals that would show the question."""
_BEGIN: Final = "\x1b]11;"
_LATE: Final = _BEGIN[1:]
"""The same where the Esc came alone and was passed on."""
_ENDS: Final = re.compile("\x07|\x1b\\\\|\x9c|(?=[\x00-\x1a\x1c-\x1f\x7f]|\x1b[^\\\\])")
"""The end of an answer; or the key behind one without end, such as text that was pasted: it counts."""
_MOST: Final = 64
"""Characters of an answer; a longer one is dropped up to its end."""
_RGB: Final = re.compile(
    r"rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})(/[0-9a-fA-F]{1,4})?"
)
_HEX: Final = re.compile("#[0-9a-fA-F]{6}")
_DARK_STEP: Final = 0.04045
"""The share of a channel below which sRGB is linear."""
MIDDLE: Final = 0.179
"""The luminance on which black and white can be read equally well: (1.05 * 0.05) ** 0.5 - 0.05."""
_LIGHT_OF_SIXTEEN: Final = frozenset((7, *range(9, 16)))


def luminance(colour: str) -> float:
    """The relative luminance of "#rrggbb", from 0.0 for black to 1.0 for white (WCAG 2.2, definitions)."""
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        share / 12.92 if share <= _DARK_STEP else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def shade_of(answer: str) -> Shade | None:
    """The shade in an answer such as "rgb:ffff/ffff/ffff"; None if it is none."""
    if _HEX.fullmatch(answer):
        colour = answer
    elif (rgb := _RGB.fullmatch(answer)) is not None:
        shares = (int(part, 16) / (16 ** len(part) - 1) for part in rgb.groups()[:3])
        colour = "#" + "".join(f"{round(share * 255):02x}" for share in shares)
    else:
        return None
    return "light" if luminance(colour) > MIDDLE else "dark"


def guessed(environment: Mapping[str, str] = os.environ) -> Shade | None:
    """The shade that COLORFGBG tells, as rxvt and Konsole set it: "15;0", the background last."""
    last = environment.get("COLORFGBG", "").rpartition(";")[2]
    if not (last.isascii() and last.isdigit()) or int(last[:3]) > 15:
        return None
    return "light" if int(last) in _LIGHT_OF_SIXTEEN else "dark"


def can_be_asked(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal takes QUERY without showing it."""
    return not environment.get("TERM", "").startswith(_SHOWS_IT)


class Answers:
    """Takes the answers to QUERY out of what a terminal sends."""

    def __init__(self, on_shade: Callable[[Shade], None]) -> None:
        """`on_shade`: is called with the shade in each answer."""
        self._on_shade = on_shade
        self.held = ""
        """What begins like an answer, whose end is still to come."""
        self._escaped = False
        """Whether the last character that was passed on is an Esc."""

    def keep(self, data: str) -> str:
        """What of `data` was typed."""
        text, self.held, typed = self.held + data, "", ""
        if self._escaped and text.startswith(_LATE):
            text = "\x1b" + text  # the Esc before it is a key by now
        while (at := text.find(_BEGIN)) >= 0:
            typed, text = typed + text[:at], text[at:]
            end = _ENDS.search(text, len(_BEGIN))
            if end is None:
                last = "\x1b" if text.endswith("\x1b") else ""
                self.held, text = text[: len(_BEGIN) + _MOST].rstrip("\x1b") + last, ""
                break
            shade = shade_of(text[len(_BEGIN) : end.start()])
            if shade is not None:
                self._on_shade(shade)
            text = text[end.end() :]
        begun = next((size for size in range(len(_BEGIN) - 1, 1, -1) if text.endswith(_BEGIN[:size])), 0)
        if begun:
            text, self.held = text[:-begun], text[-begun:]
        typed += text
        if typed:
            self._escaped = typed.endswith("\x1b")
        return typed
