"""Armies of a player's own as files, and the option `army` in a player's words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from p2p_stratego.core.game import Face, OptionError
from p2p_stratego.core.language import _
from p2p_stratego.stratego.formats.diagram import TextError, lines_of
from p2p_stratego.stratego.rules.armies import ARMIES, ORDER, Army, army, named
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, FACES, NAMES


class ArmyError(TextError):
    """A file is no army."""


_LINE: Final = re.compile(r"([a-z]+)\s*[:=]?\s*([0-9]{1,2})")


def read(text: str) -> Army:
    """The army in a file: a line "marshal 1" for each kind of piece in it.

    A kind without a line has no piece; "#" begins a comment line; case does not matter.  Raises ArmyError.
    """
    counts: dict[Face, int] = {}
    for number, line in lines_of(text):
        match = _LINE.fullmatch(line.lower())
        if not match:
            raise ArmyError(
                _('write a piece and its number, such as "scout 4", not {line!a}', line=line[:40]), number
            )
        if match[1] not in FACE_NAMED:
            known = ", ".join(NAMES[face] for face in ORDER)
            raise ArmyError(
                _("{piece!a} is no piece; the pieces are {known}", piece=match[1][:24], known=known), number
            )
        face = FACE_NAMED[match[1]]
        if face in counts:
            raise ArmyError(_("the {piece} is named twice", piece=match[1]), number)
        counts[face] = int(match[2])
    try:
        return named(bytes(counts.get(face, 0) for face in FACES))
    except OptionError as error:
        raise ArmyError(str(error)) from error


def write(chosen: Army) -> str:
    """The text of a file from which `read` restores this army."""
    return "".join(f"{NAMES[face]} {chosen.counts[face]}\n" for face in ORDER)


def option(typed: str, text_of: Callable[[str], str | None]) -> str:
    """The option `army` for the words of a player: a known name, a file, or twelve counts.

    `text_of` gives the text of a file, None if there is no such file.  Raises OptionError, which quotes
    `typed` as it is: the caller makes it safe for a terminal.
    """
    if typed in ARMIES:
        return typed
    text = text_of(typed)
    try:
        return army(typed).text if text is None else read(text).text
    except (OptionError, ArmyError) as error:
        if text is not None or typed[:1].isdigit():  # counts, an unlikely name of a file
            raise OptionError(
                _("{typed} is no army: {error}.", typed=typed[:_LONGEST], error=error)
            ) from error
        known = ", ".join(ARMIES)
        raise OptionError(
            _(
                "There is no army “{typed}”, and no such file. The armies are {known}, or a file of your "
                "own.",
                typed=typed[:_LONGEST],
                known=known,
            )
        ) from error


_LONGEST: Final = 60
"""Characters of the player's words in a sentence."""
