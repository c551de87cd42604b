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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import add, itemgetter
from typing import NamedTuple, TypeAlias

from p2p_stratego.spies_and_lies.bots.beliefs import DEPLOYMENTS, Evidence, hand, members, possible
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.soldiers import MISSIONS, IntelRange, Mission, Rank
from p2p_stratego.spies_and_lies.rules.state import Deployment

Entry: TypeAlias = int
Cell: TypeAlias = int
ByEntry: TypeAlias = Callable[[list[float]], tuple[float, ...]]
"""From a value for each cell, or each line, to one for each entry."""
Open: TypeAlias = tuple[IntelRange, frozenset[Mission], tuple[Rank, ...]]
"""What a guesser knows: the intel card, the owner's marks, and the ranks that are open, mission 1 first."""


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
    cells: Mapping[Open, tuple[Cell, ...]]
    """By what the guesser knows: the cells of the ranks that the card may have."""

    @property
    def choices(self) -> int:
        """The cells in which the guesser has a choice; they are the first ones."""
        return self.blocks[-1].end if self.blocks else 0

    def totals(self, values: Sequence[float]) -> list[float]:
        """By cell with a choice: the sum of `values` over all cells of its set."""
        sums: list[float] = []
        for start, sets, size in self.blocks:
            total = list(values[start : start + sets])
            for at in range(1, size):
                total = list(map(add, total, values[start + at * sets : start + (at + 1) * sets]))
            sums += total * size
        return sums


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
    return Tree(
        lines,
        rows,
        itemgetter(*(row.laid for row in rows)),
        tuple(_column(rows, mission) for mission in MISSIONS),
        tuple((*same, entry) for same, entry in alone.items()),
        tuple((*same, *both) for same, both in pairs.items()),
    )


def _column(rows: Iterable[Row], mission: Mission) -> Column:
    sets: dict[Open, dict[Rank, None]] = {}
    for row in rows:
        sets.setdefault((row.intel, row.marks, row.line[: mission - 1]), {})[row.line[mission - 1]] = None
    sizes = sorted({len(ranks) for ranks in sets.values()}, reverse=True)
    by_size = [[(seen, tuple(ranks)) for seen, ranks in sets.items() if len(ranks) == size] for size in sizes]
    starts = accumulate((size * len(known) for size, known in zip(sizes, by_size, strict=True)), initial=0)
    blocks = [
        Block(start, len(known), size) for start, known, size in zip(starts, by_size, sizes, strict=False)
    ]
    names: list[Rank] = []
    cells: dict[Open, tuple[Cell, ...]] = {}
    for block, known in zip(blocks, by_size, strict=True):
        names += [ranks[at] for at in range(block.size) for _, ranks in known]
        for place, (seen, _) in enumerate(known, block.start):
            cells[seen] = tuple(range(place, block.end, block.sets))
    at = {(seen, names[cell]): cell for seen, some in cells.items() for cell in some}
    cell_of = [at[(row.intel, row.marks, row.line[: mission - 1]), row.line[mission - 1]] for row in rows]
    return Column(
        tuple(cell_of),
        itemgetter(*cell_of),
        tuple(names),
        tuple(block for block in blocks if block.size > 1),
        cells,
    )
