"""The options of Stratego as people say and read them: an army by its name, by counts, or from a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.games.interface import NotPossible, Unknown
from cli.text.sanitize import escape
from p2p_stratego.core.game import OptionError, OptionValue
from p2p_stratego.stratego.rules.armies import ARMIES, ArmyError, army, read

_LONGEST: Final = 60
"""Cells of a file's name in a sentence."""


def option(name: str, said: OptionValue, text_of: Callable[[str], str | None]) -> OptionValue:
    """The value of the option `name`.  Raises Misunderstood for an army that is none."""
    return army_option(str(said), text_of) if name == "army" else said


def army_option(said: str, text_of: Callable[[str], str | None]) -> str:
    """The option `army` for what a player said; `text_of` gives a file's text, None if there is none.

    Raises Misunderstood.
    """
    if said in ARMIES:
        return said
    shown = escape(said, _LONGEST)
    text = text_of(said)
    if text is not None:
        try:
            return read(text).text
        except ArmyError as error:
            raise Unknown(f"{shown} is no army: {error}.") from error
    try:
        return army(said).text
    except OptionError as error:
        if said[:1].isdigit():  # counts, and not a name that could be a file's
            raise Unknown(f"{shown} is no army: {error}.") from error
        known = ", ".join(ARMIES)
        text = f"There is no army “{shown}”, and no such file. The armies are {known}, or a file of your own."
        raise NotPossible(text) from error
