"""Players and sides in words: with two players a side has its player's name, else it is Red or Blue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cli.games.interface import Players
from cli.text.layout import longest, series, told_apart
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from p2p_stratego.spies_and_lies.formats.narration import side_names
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.soldiers import Mission, Side


def side_name(players: Players, side: Side) -> str:
    """A side in a sentence."""
    return side_names(players.names)[side]


def mission_of(players: Players, seating: Seating, side: Side, mission: Mission) -> str:
    """A mission of a side with its owner: "your mission 3" or "Anna's mission 3"."""
    return players.has(seating.player(side, mission), _("mission {mission}", mission=mission))


def missions(numbers: Iterable[Mission]) -> str:
    """Several missions in a sentence: "1 to 4", "3 and 4"."""
    listed = [*map(str, numbers)]
    return (
        _("{listed} to {listed_listed}", listed=listed[0], listed_listed=listed[-1])
        if len(listed) > 2
        else series(listed)
    )


def named(players: Players, seats: Iterable[Seat]) -> str:
    """Several players in a sentence."""
    return series([players.names[seat] for seat in seats])


def roster(players: Players, seating: Seating, side: Side, room: int | None = None) -> str:
    """The players of a side, with their missions if they share it: "Anna (you) 1-2, Cleo 3-4".

    Names are shortened to fit into `room` cells.
    """
    whole = _roster(players, seating, side, _LONGEST)
    if room is None:
        return whole
    return longest([_roster(players, seating, side, cells) for cells in (_LONGEST, 16, 12, 8, 5)], room)


_LONGEST: Final = 100
"""Cells that no name needs."""


def _roster(players: Players, seating: Seating, side: Side, cells: int) -> str:
    names = []
    short = told_apart(players.names, cells)
    for seat in seating.mates(side):
        own = seating.missions(seat)
        span = f" {own[0]}–{own[-1]}" if seating.is_team(side) else ""
        you = _(" (you)") if seat == players.me else _(" (gone)") if seat in seating.gone else ""
        names.append(f"{short[seat]}{you}{span}")
    return ", ".join(names)
