"""Armies: how many of each piece a side has.  The boxed ones by name, a player's own as text.

An army is data, never a branch of the rules.  As an option of the game it is one of the names below or, for
a player's own army, its twelve counts in the order of ORDER, "1-1-1-1-2-2-2-2-4-1-2-1"; each army has
exactly one such spelling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face, OptionError
from p2p_stratego.core.language import _
from p2p_stratego.stratego.rules.pieces import (
    BOMB,
    CAPTAIN,
    COLONEL,
    FACES,
    FLAG,
    GENERAL,
    LIEUTENANT,
    MAJOR,
    MARSHAL,
    MINER,
    MOBILE,
    SCOUT,
    SERGEANT,
    SPY,
)

ORDER: Final = (
    *(MARSHAL, GENERAL, COLONEL, MAJOR, CAPTAIN, LIEUTENANT, SERGEANT, MINER, SCOUT, SPY),
    *(BOMB, FLAG),
)
"""The order of the counts: the highest rank first, the immobile pieces last."""
FEWEST_PIECES: Final = 2
MOST_PIECES: Final = 40

Counts = bytes
"""Twelve numbers 0 to 40, by face."""


class Army(NamedTuple):
    """One side's pieces; both sides have the same."""

    text: str
    """As in the option `army`."""
    counts: Counts

    @property
    def faces(self) -> tuple[Face, ...]:
        """Every piece, highest rank first, each as often as there are of it."""
        return tuple(face for face in ORDER for _ in range(self.counts[face]))

    @property
    def size(self) -> int:
        """2 to 40."""
        return sum(self.counts)


def _counted(*numbers: int) -> Counts:
    counts = dict(zip(ORDER, numbers, strict=True))
    return bytes(counts[face] for face in FACES)


ARMIES: Final[Mapping[str, Army]] = MappingProxyType(
    {
        name: Army(name, _counted(*numbers))
        for name, numbers in {
            "quickplay": (1, 1, 1, 1, 2, 2, 2, 2, 4, 1, 2, 1),
            "classic": (1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1),
            "barrage": (1, 1, 0, 0, 0, 0, 0, 1, 2, 1, 1, 1),
            "duel": (1, 1, 0, 0, 0, 0, 0, 2, 2, 1, 2, 1),
        }.items()
    }
)
"""The armies that have a name."""
_NAME_OF: Final = {army.counts: army for army in ARMIES.values()}
_TEXT: Final = re.compile(r"(?:0|[1-9][0-9]?)(?:-(?:0|[1-9][0-9]?)){11}")


def named(counts: Counts) -> Army:
    """The army with these pieces, under its one spelling.  Raises OptionError for an unplayable army."""
    if counts[FLAG] != 1:
        raise OptionError(_("an army has exactly one flag, not {count}", count=counts[FLAG]))
    if not FEWEST_PIECES <= sum(counts) <= MOST_PIECES:
        raise OptionError(
            _(
                "an army has {fewest_pieces} to {most_pieces} pieces, not {counts}",
                fewest_pieces=FEWEST_PIECES,
                most_pieces=MOST_PIECES,
                counts=sum(counts),
            )
        )
    if not any(counts[face] for face in MOBILE):
        raise OptionError(
            _("an army needs at least one piece that moves: with bombs and a flag alone it cannot")
        )
    return _NAME_OF.get(counts) or Army("-".join(str(counts[face]) for face in ORDER), counts)


def army(option: object) -> Army:
    """The army that the option names, or spells out.  Raises OptionError."""
    if not isinstance(option, str):
        raise OptionError(_("army must be a text, not {option!a}", option=option))
    if option in ARMIES:
        return ARMIES[option]
    if not _TEXT.fullmatch(option):
        known = ", ".join(ARMIES)
        raise OptionError(
            _(
                "army must be one of {known}, or twelve counts from marshal to flag such as"
                " 1-1-1-1-2-2-2-2-4-1-2-1, not {option!a}",
                known=known,
                option=option[:40],
            )
        )
    numbers = [int(number) for number in option.split("-")]
    return named(_counted(*numbers))
