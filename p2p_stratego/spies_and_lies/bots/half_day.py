"""One side's line of a day against the other's guesses: half of a day, as a tree laid flat in tuples.

The owner lays a line; an intel card is turned up; the owner marks, where only the Sergeant leaves it a
choice; then, mission by mission, the guesser names a rank and the card is open.  Tokens stand in no tree: the
solver goes through it once for each number of tokens that the owner may have left.

An *entry* is all that the owner knows: a line, an intel card and marks.  The guesser knows the card, the
marks and the ranks that are open; with a rank that the next card may have, these make a *cell* of its
mission.  Sets of cells between which the guesser chooses lie together by their size, the first cells of all
sets first: so the sums over all these sets are a sum of slices, which costs pure Python least.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add, itemgetter
from typing import NamedTuple, TypeAlias

from p2p_stratego.spies_and_lies.bots.beliefs import (
    DEPLOYMENTS,
    FREE,
    FREE_MARK,
    Evidence,
    hand,
    members,
    possible,
)
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, IntelRange, Mission, Rank
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.state import Deployment

Entry: TypeAlias = int
Cell: TypeAlias = int
ByEntry: TypeAlias = Callable[[list[float]], tuple[float, ...]]
"""From a value for each cell, or each line, to one for each entry."""
Open: TypeAlias = tuple[IntelRange, frozenset[Mission], tuple[Rank, ...]]
"""What a guesser knows: the intel card, the owner's marks, and the ranks that are open, mission 1 first."""
Cells: TypeAlias = Mapping[Open, tuple[Cell, ...]]
"""By what the guesser knows: the cells of the ranks that the card may have."""


class Row(NamedTuple):
    """An entry."""

    intel: IntelRange
    marks: frozenset[Mission]
    line: Deployment
    laid: int
    """The place of the line among the lines of the tree."""


class Block(NamedTuple):
    """The cells of all sets of one size: all first cells, then all second cells, and so on."""

    start: Cell
    sets: int
    size: int

    @property
    def end(self) -> Cell:
        return self.start + self.sets * self.size


@dataclass(frozen=True, slots=True)
class Column:
    """One mission of the tree."""

    cell_of: tuple[Cell, ...]
    """By entry."""
    by_entry: ByEntry
    """From values by cell."""
    ranks: tuple[Rank, ...]
    """By cell."""
    blocks: tuple[Block, ...]
    """The sets of two cells and more, by size; the cells that stand alone come after them."""
    come: Sequence[float]
    """By cell with a choice: the entries in it; one with the Sergeant, marked or not, counts half."""
    known: tuple[Cell, ...]
    """The cells of one entry that stand alone: the guesser knows the line."""

    @property
    def choices(self) -> int:
        """The cells in which the guesser has a choice; they are the first ones."""
        return self.blocks[-1].end if self.blocks else 0

    def totals(self, values: Sequence[float]) -> list[float]:
        """By cell with a choice: the sum of `values` over all cells of its set."""
        return self._over_sets(add, values)

    def best(self, values: Sequence[float]) -> list[float]:
        """By cell with a choice: the largest of `values` in its set."""
        return self._over_sets(max, values)

    def _over_sets(self, both: Callable[[float, float], float], values: Sequence[float]) -> list[float]:
        results: list[float] = []
        for start, sets, size in self.blocks:
            whole = list(values[start : start + sets])
            for at in range(1, size):
                whole = list(map(both, whole, values[start + at * sets : start + (at + 1) * sets]))
            results += whole * size
        return results


@dataclass(frozen=True, slots=True)
class Tree:
    """The half day of an owner with certain soldiers, before certain intel cards."""

    lines: tuple[int, ...]
    """The lines that the owner may lay, as indices into `beliefs.DEPLOYMENTS`."""
    rows: tuple[Row, ...]
    """By entry."""
    laid: ByEntry
    """From values by line."""
    columns: tuple[Column, ...]
    """By mission, [0] is mission 1."""
    cells: tuple[Cells, ...]
    """By mission, too."""
    alone: tuple[tuple[int, IntelRange, Entry], ...]
    """For a line without the Sergeant and an intel card: the only entry."""
    pairs: tuple[tuple[int, IntelRange, Entry, Entry], ...]
    """For a line with the Sergeant: the two entries, of which one marks it."""

    def fitting(
        self, intel: IntelRange, known: Sequence[Rank | None], marks: frozenset[Mission] | None = None
    ) -> Iterator[Entry]:
        """The entries with this card and these marks (None: any) whose line has the known soldiers.

        `known`: [0] under mission 1, None where nothing is known.
        """
        wanted = [(at, rank) for at, rank in enumerate(known) if rank is not None]
        for entry, row in enumerate(self.rows):
            if row.intel != intel or marks not in (None, row.marks):
                continue
            if all(row.line[at] == rank for at, rank in wanted):
                yield entry


@lru_cache(maxsize=32)
def tree(exhausted: tuple[Rank, ...], kinds: tuple[IntelRange, ...]) -> Tree:
    """The half day of an owner without these soldiers, before an intel card of one of the `kinds`."""
    there = hand(exhausted)
    lines = tuple(members(there))
    laid = {index: place for place, index in enumerate(lines)}
    rows = tuple(
        Row(intel, marks, DEPLOYMENTS[index], laid[index])
        for intel in kinds
        for marks in MARKS.values()
        for index in members(there & possible(Evidence(intel=intel, marks=marks)))
    )
    alone: dict[tuple[int, IntelRange], Entry] = {}
    pairs: dict[tuple[int, IntelRange], tuple[Entry, Entry]] = {}
    for entry, row in enumerate(rows):
        same = (row.laid, row.intel)
        if same in alone:
            pairs[same] = alone.pop(same), entry  # a Sergeant may be marked or not; nobody else has a choice
        else:
            alone[same] = entry
    columns, cells = zip(*(_column(rows, mission) for mission in MISSIONS), strict=True)
    return Tree(
        lines,
        rows,
        itemgetter(*(row.laid for row in rows)),
        columns,
        cells,
        tuple((*same, entry) for same, entry in alone.items()),
        tuple((*same, *both) for same, both in pairs.items()),
    )


def _column(rows: Sequence[Row], mission: Mission) -> tuple[Column, Cells]:
    seen: list[Open] = [(row.intel, row.marks, row.line[: mission - 1]) for row in rows]
    names = [row.line[mission - 1] for row in rows]
    sets: dict[Open, dict[Rank, list[float]]] = {}
    for known, rank, row in zip(seen, names, rows, strict=True):
        count = 1.0 if FREE.isdisjoint(row.line) else FREE_MARK
        sets.setdefault(known, {}).setdefault(rank, []).append(count)
    by_size: dict[int, list[Open]] = {size: [] for size in sorted({*map(len, sets.values())}, reverse=True)}
    for known, ranks in sets.items():
        by_size[len(ranks)].append(known)
    blocks: list[Block] = []
    cells: list[tuple[Rank, list[float]]] = []
    at: dict[Open, dict[Rank, Cell]] = {}
    for size, alike in by_size.items():
        blocks.append(Block(len(cells), len(alike), size))
        for place, known in enumerate(alike, len(cells)):
            at[known] = dict(
                zip(sets[known], range(place, place + size * len(alike), len(alike)), strict=True)
            )
        for some in zip(*(sets[known].items() for known in alike), strict=True):
            cells += some
    cell_of = tuple(at[known][rank] for known, rank in zip(seen, names, strict=True))
    free = [block for block in blocks if block.size > 1]
    choices = free[-1].end if free else 0
    column = Column(
        cell_of,
        itemgetter(*cell_of),
        tuple(rank for rank, _ in cells),
        tuple(free),
        array("d", (sum(counts) for _, counts in cells[:choices])),
        tuple(cell for cell, (_, counts) in enumerate(cells) if cell >= choices and len(counts) == 1),
    )
    return column, {known: tuple(ranks.values()) for known, ranks in at.items()}
