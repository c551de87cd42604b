"""Railways and airlines drawn on a map of SPIES!: railways as lines that go around names, airlines dotted.

A line runs along the eight directions, as on a plan of an underground.  It is worked out once for each size
and language: the way of least cost, where bends, other lines and places of pieces cost something.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.spies.rules.atlas import BY_AIR, BY_RAIL, City

Cell: TypeAlias = tuple[int, int]
"""Column and row."""
Step: TypeAlias = tuple[int, int]
STEPS: Final[Sequence[Step]] = [(x, y) for x, y in product((-1, 0, 1), repeat=2) if (x, y) != (0, 0)]
_LENGTH: Final = {1: 1.0, 2: 2.0, 3: 2.3}
"""Of a step to the side, of one up or down, and aslant: a cell is twice as high as wide."""
_BEND: Final = 1.0
_CORNER: Final = 4.0
_CROWDED: Final = 1.5
"""A cell in which pieces can stand."""
_TAKEN: Final = 9.0
"""A cell of another line, which this one does not cross straight."""
_CROSSED: Final = 2.0
_SIGNS: Final = {(1, 0): "─", (0, 1): "│", (1, 1): "╲", (1, -1): "╱"}
_CROSSINGS: Final = {frozenset("─│"): "┼", frozenset("╱╲"): "╳"}
DOT: Final = "·"


class Room(NamedTuple):
    """What a city takes of the map: columns of its name, in one row, and rows of pieces below it."""

    column: int
    row: int
    length: int
    below: int


def rails(rooms: Mapping[City, Room], columns: int, rows: int) -> dict[Cell, str]:
    """By column and row, the sign of a railway."""
    plan = Plan(rooms, columns, rows)
    plan.draw(BY_RAIL)
    return plan.signs


def airlines(
    rooms: Mapping[City, Room], drawn: Collection[Cell], links: Collection[tuple[City, City]] = BY_AIR
) -> dict[Cell, str]:
    """By column and row, the dot of an airline, where neither a name stands nor what is drawn already."""
    taken = {cell for room in rooms.values() for cell in _named(room)} | set(drawn)
    dots = set[Cell]()
    for start, end in sorted(link for link in links if link[0] < link[1]):
        way = rooms[start], rooms[end]
        dots |= set(_dots(*way)) - taken or set(_dots(*way, every=1)) - taken  # between close names, too
    return dict.fromkeys(dots, DOT)


def dotted(rooms: Mapping[City, Room], links: Collection[tuple[City, City]]) -> set[Cell]:
    """The cells of straight dotted lines, also where names stand."""
    return {cell for start, end in links if start < end for cell in _dots(rooms[start], rooms[end])}


def _named(room: Room) -> Iterator[Cell]:
    """The cells of a name."""
    return ((room.column + at, room.row) for at in range(room.length))


def _middle(room: Room) -> tuple[float, float]:
    return room.column + (room.length - 1) / 2, room.row


def _apart(start: Room, end: Room) -> float:
    """How far two names are from each other."""
    (x, y), (to_x, to_y) = _middle(start), _middle(end)
    return abs(to_x - x) + 2 * abs(to_y - y)


def _dots(start: Room, end: Room, every: int = 2) -> Iterator[Cell]:
    """A dotted straight line between two names, a dot every so many columns or every row."""
    (x, y), (to_x, to_y) = _middle(start), _middle(end)
    steps = int(max(abs(to_x - x) / every, abs(to_y - y))) + 1
    for step in range(1, steps):
        yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)


class Plan:
    """The railways drawn so far."""

    def __init__(self, rooms: Mapping[City, Room], columns: int, rows: int) -> None:
        self.signs: dict[Cell, str] = {}
        self.drawn: dict[tuple[City, City], list[Cell]] = {}
        """By link, the cells of its line."""
        self._rooms, self._columns, self._rows = rooms, columns, rows
        self._names = {cell for room in rooms.values() for cell in _named(room)}
        self._pieces = {
            (room.column + at, room.row + 1 + below)
            for room in rooms.values()
            for at in range(min(room.length, 6))
            for below in range(room.below)
        }

    def draw(self, links: Collection[tuple[City, City]]) -> None:
        """Draw all these links, the shortest first: they have the fewest ways to go around another one."""

        def order(link: tuple[City, City]) -> tuple[float, tuple[City, City]]:
            return _apart(self._rooms[link[0]], self._rooms[link[1]]), link

        for start, end in sorted((link for link in links if link[0] < link[1]), key=order):
            way = self.way(start, end)
            self.drawn[start, end] = [cell for cell, _step in way if cell not in self._names]
            self._add(way)

    def way(self, start: City, end: City) -> Sequence[tuple[Cell, Step]]:
        """The cells of the cheapest way between two names, each with the step that leads to it."""
        goal = self._rooms[end]
        goals = set(_named(goal))
        open_: list[tuple[float, float, Cell, Step]] = []
        came: dict[tuple[Cell, Step], tuple[Cell, Step] | None] = {}
        costs: dict[tuple[Cell, Step], float] = {}
        for cell in _named(self._rooms[start]):
            costs[cell, (0, 0)], came[cell, (0, 0)] = 0.0, None
            heapq.heappush(open_, (self._ahead(cell, goal), 0.0, cell, (0, 0)))
        while open_:
            _ahead, cost, cell, heading = heapq.heappop(open_)
            if cost > costs[cell, heading]:
                continue
            if cell in goals:
                return self._back(came, (cell, heading))
            for step in STEPS:
                near = (cell[0] + step[0], cell[1] + step[1])
                if not (0 <= near[0] < self._columns and 0 <= near[1] < self._rows):
                    continue
                if near in self._names and near not in goals:
                    continue
                dearer = cost + _LENGTH[abs(step[0]) + 2 * abs(step[1])] + _bend(heading, step)
                dearer += self._crowd(near, step)
                if dearer < costs.get((near, step), 1e9):
                    costs[near, step], came[near, step] = dearer, (cell, heading)
                    heapq.heappush(open_, (dearer + self._ahead(near, goal), dearer, near, step))
        return ()

    def _ahead(self, cell: Cell, goal: Room) -> float:
        """The least that is left to a name."""
        x = max(goal.column - cell[0], 0, cell[0] - goal.column - goal.length + 1)
        y = abs(goal.row - cell[1])
        return max(x, 2.0 * y)

    def _crowd(self, cell: Cell, step: Step) -> float:
        cost = _CROWDED * (cell in self._pieces)
        if (there := self.signs.get(cell)) is not None:
            crossing = frozenset((there, _sign(step))) in _CROSSINGS
            cost += _CROSSED if crossing else _TAKEN
        return cost

    def _back(
        self, came: Mapping[tuple[Cell, Step], tuple[Cell, Step] | None], at: tuple[Cell, Step]
    ) -> Sequence[tuple[Cell, Step]]:
        way = []
        before: tuple[Cell, Step] | None = at
        while before is not None:
            way.append(before)
            before = came[before]
        return way[::-1]

    def _add(self, way: Sequence[tuple[Cell, Step]]) -> None:
        """Draw a way, without its ends, which are names."""
        for (cell, step), (_next, onward) in pairwise(way):
            if cell in self._names:
                continue
            sign = _turn(step, onward)
            there = self.signs.get(cell)
            self.signs[cell] = sign if there is None else _CROSSINGS.get(frozenset((there, sign)), sign)


def _bend(heading: Step, step: Step) -> float:
    """The cost of going on in another direction."""
    if heading in ((0, 0), step):
        return 0.0
    turned = heading[0] * step[0] + heading[1] * step[1]
    return _BEND if turned > 0 else _CORNER if turned == 0 else 99.0


def _sign(step: Step) -> str:
    return _SIGNS.get(step) or _SIGNS[-step[0], -step[1]]


_TURNS: Final = {
    ((1, 0), (0, 1)): "┐",
    ((0, -1), (-1, 0)): "┐",
    ((1, 0), (0, -1)): "┘",
    ((0, 1), (-1, 0)): "┘",
    ((-1, 0), (0, 1)): "┌",
    ((0, -1), (1, 0)): "┌",
    ((-1, 0), (0, -1)): "└",
    ((0, 1), (1, 0)): "└",
}


def _turn(step: Step, onward: Step) -> str:
    """The sign of a cell that a line enters and leaves so."""
    return _TURNS.get((step, onward)) or _sign(step)
