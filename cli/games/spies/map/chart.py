"""Europe as a chart of cells: the place of each city, in three sizes, and the dots of rails between them.

The pictures name cities by their codes; the maps by their present names, in the room of a cell.  This module
knows the map, and nothing of a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cli.games.spies.cities import CODES, code, short
from cli.text.layout import longest
from cli.text.regions import marked
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import BY_RAIL, NAMES, City

_ROOM: Final = 1
"""Cells beside a whole name for a capital's sign, or the second one around it."""
_ROOMY: Final = """
                            osl       sto      hel
                                                         len
                            cop               rig
            edi
                            ham      dan                         mos
         liv                                  kon
                   ams              ber                 min
bir       lon                                 war
                   bru      col      lei
       lil                                    bre      kie      kha
                  str              pra
                                                                     sta
       par       gen      stu      mun       vie      bud
                                                                ode
       bor        lyo      mil      ven       bel      buc

                       mar      rom         sof
           mad                                       ist
 lis                bar          nap      tir

                                 pal          ath
         gib        alg
                                   mal            rho
        tan                                                bei
                                 tri
                                                   ale      hai

"""
_TIGHT: Final = """
                    osl   sto   hel   len
        edi         cop         rig
   liv        ham   ber   dan   kon           mos
 bir    ams   col   lei   war         min
  lon   bru   stu   pra   bre   kie   kha
    lil   str   mun   vie   bud               sta
   par   gen   mil   ven   bel   ode
  bor   lyo                   buc
            mar   rom   tir   sof
     mad   bar     nap    ath    ist
 lis              pal
 tan   gib   alg        mal    rho     bei
                  tri                  hai
                                  ale
"""


@dataclass(frozen=True)
class Chart:
    """The map in one size: a picture of its cities, and cells of `wide` columns, a gap at the end among them.

    `high`: rows of a cell; from 2 on the pieces stand below the name, with 1 behind its code.
    """

    picture: str
    wide: int
    high: int
    enlarged: tuple[int, int] | None = None
    """The size of a cell in the picture, if that of this map is larger; names then have more room."""

    def label(self, city: City) -> str:
        """The name of a city on this map, in the player's language."""
        if self.high == 1:
            return code(city)
        room = self.wide - 1 if self.enlarged is None else self.wide - 1 - _ROOM
        return longest((words.city(city), short(city)), room)

    @cached_property
    def corners(self) -> dict[City, tuple[int, int]]:
        """By city, the column and row where its cell begins."""
        wide, high = self.enlarged or (self.wide, self.high)
        return {
            CODES.index(match[0]): (match.start() * self.wide // wide, row * self.high // high)
            for row, line in enumerate(self.picture.strip("\n").split("\n"))
            for match in re.finditer(r"\S+", line)
        }

    @cached_property
    def columns(self) -> int:
        """Of the whole map; a gap stands between cells, and none at the rim."""
        return max(column for column, _ in self.corners.values()) + self.wide - 1

    def near(self, city: City) -> bool:
        """Whether another city begins right behind the gap of its cell, in one of its rows."""
        left, top = self.corners[city]
        return any(
            column == left + self.wide and abs(row - top) < self.high for column, row in self.corners.values()
        )

    @cached_property
    def rows(self) -> int:
        """Of the whole map."""
        return max(row for _, row in self.corners.values()) + self.high

    @cached_property
    def places(self) -> list[list[str]]:
        """By row and column, the mark of the city that is drawn there; "" between cities."""
        cities = [[self.city(column, row) for column in range(self.columns)] for row in range(self.rows)]
        return [["" if city is None else marked(NAMES[city]) for city in row] for row in cities]

    def city(self, column: int, row: int) -> City | None:
        """The city drawn at this column and row; the gap before a cell is its own, as the sign there is."""
        return self._cities.get((column, row))

    @cached_property
    def _cities(self) -> dict[tuple[int, int], City]:
        """By column and row: every cell of the map is asked for each time that it is drawn."""
        by_place: dict[tuple[int, int], City] = {}
        for city, (left, top) in self.corners.items():
            for column in range(left - 1, left + self.wide - 1):
                for row in range(top, top + self.high):
                    by_place.setdefault((column, row), city)
        return by_place

    @cached_property
    def dots(self) -> frozenset[tuple[int, int]]:
        """Columns and rows of the rails, where no city stands."""
        places = {place for city, other in BY_RAIL if city < other for place in self._between(city, other)}
        return frozenset(
            (column, row)
            for column, row in places
            if self.city(column, row) is None and self.city(column - 1, row) is None
        )

    def _between(self, start: City, end: City) -> Iterator[tuple[int, int]]:
        """A dotted line from the middle of one cell to the middle of another."""
        (x, y), (to_x, to_y) = (self._middle(city) for city in (start, end))
        steps = int(max(abs(to_x - x) / 2, abs(to_y - y))) + 1
        for step in range(1, steps):
            yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)

    def _middle(self, city: City) -> tuple[float, float]:
        column, row = self.corners[city]
        return column + self.wide / 2 - 1, row + (self.high - 1) / 2


WIDE: Final = Chart(_ROOMY, 13, 3, enlarged=(9, 2))
ROOMY: Final = Chart(_ROOMY, 9, 2)
TIGHT: Final = Chart(_TIGHT, 6, 1)
