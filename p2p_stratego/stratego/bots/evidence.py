"""Evidence about the closed pieces of a side, and what it says of their faces, by weights fitted to games.

Evidence is where a piece was laid, when it moved first and how often, what stands beside it, and what it went
up to, ran from or left alone.  All of this is public.  The sum of the weights of all that holds for a piece
is the logarithm of how strongly it leans to a face (a softmax regression, whose offsets are the counts of
`beliefs.even_chances`).  `benchmarks.evidence` fits the weights to games of players of many styles and writes
them to `evidence.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import repeat
from math import exp, log, log1p
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.figures import figures
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.placement_data import shares
from p2p_stratego.stratego.bots.position import Picture
from p2p_stratego.stratego.rules.armies import Army
from p2p_stratego.stratego.rules.board import HOME_ROWS, NEIGHBOURS, PLACE, SIDE, SQUARES, Square
from p2p_stratego.stratego.rules.cells import EMPTY, FACE, MOVED, OPEN, OWNER, SLOT
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import (
    BOMB,
    FACES,
    FIGHTS,
    FLAG,
    IMMOBILE,
    LIEUTENANT,
    MOBILE,
    RED,
    SPY,
)
from p2p_stratego.stratego.rules.state import State

Event: TypeAlias = str
"""What a piece did towards an open enemy: one of EVENTS."""

EVENTS: Final[tuple[Event, ...]] = ("met", "near", "nearing", "ran", "left", "spared")
"""Went beside it; to two steps from it; nearer from afar; away from beside it; away from it; stood beside it
while another piece moved."""
CLASSES: Final = ("rooted", "far below", "below", "equal", "above", "far above", "special", "bombed")
"""How a face fares against an open enemy: it cannot move; falls to a rank three or more above, or less; both
fall; it takes one less than three below, or more; as spy the marshal or as miner a bomb; falls to a bomb."""
FAR: Final = 3
"""Ranks; also the steps from which a piece is near no more, and those to which it still nears."""
SEEN_FROM: Final = 5
"""Steps: beyond, an enemy is nothing that a move is judged by."""
MOST_SEEN: Final = 4
"""The same event more often says nothing more."""
LEAST: Final = 0.002
"""The least weight of a face beside the greatest, for evidence is never proof."""


def _class(foe: Face, face: Face) -> int:
    if face in IMMOBILE:
        return CLASSES.index("rooted")
    if foe == BOMB:
        return CLASSES.index("special" if FIGHTS[face][foe] == "won" else "bombed")
    if face == SPY and FIGHTS[face][foe] == "won":
        return CLASSES.index("special")
    above = face - foe
    if not above:
        return CLASSES.index("equal")
    if above > 0:
        return CLASSES.index("above" if above < FAR else "far above")
    return CLASSES.index("below" if above > -FAR else "far below")


CLASS: Final = tuple(tuple(_class(foe, face) for face in FACES) for foe in FACES)
"""CLASS[foe][face]: the number of the class."""

DRIVES: Final = ("went", "astray", "stayed")
"""Of a quiet move, how much nearer to the goals of a face it led, and how much less near than another move of
the piece; of a piece that did not move, how much nearer a step would have led."""
_FAINT: Final = 0.2
"""The gain that counts half: whether a step leads nearer says more than how much."""

_MOVES: Final = (1, 2, 3, 6, 11)
_ORDERS: Final = (1, 2, 3, 5, 9)
_STAGES: Final = 4
"""Quarters of the army that never moved and were never opened."""
_NAMES: Final = (
    *(f"{state}, stage {stage}" for state in ("moved", "still") for stage in range(_STAGES + 1)),
    *(f"moves {least}" for least in _MOVES),
    *(f"moved as number {least}" for least in _ORDERS),
    *(f"row {row}" for row in range(SIDE)),
    *(f"still, beside {count} still" for count in range(5)),
    *(f"still, beside {count} free" for count in range(5)),
    *(f"still, beside {count} open bombs" for count in range(3)),
    *(f"beside {count} closed enemies" for count in range(3)),
    "went beside a closed enemy that moved",
    "went beside a closed enemy that never moved",
    "left a closed enemy",
    "spared a closed enemy",
    "beside an open friend",
)
ROWS: Final = {name: number for number, name in enumerate(_NAMES)}
"""The rows of weights by face, and their numbers; those of events towards each open enemy follow."""


class Weights(NamedTuple):
    """The fitted weights for one size of army."""

    rows: Sequence[Sequence[float]]
    """By row, by face."""
    events: Sequence[Sequence[float]]
    """By event, by class."""
    places: Sequence[Sequence[float]]
    """Of a piece that never moved, and of one that has, by face: the exponent of `placement_data.shares`."""
    drives: Sequence[Sequence[float]]
    """By drive, by face."""

    @property
    def table(self) -> tuple[Sequence[float], ...]:
        """By row, by face: those of events towards each open enemy written out."""
        spread = (tuple(by[CLASS[foe][face]] for face in FACES) for by in self.events for foe in FACES)
        return (*self.rows, *spread)


class Mark(NamedTuple):
    """All evidence about one closed piece."""

    slot: Slot
    moved: bool
    place: int | None
    """Where it was laid, see `board.HOME`; None for a piece that moved before anybody watched."""
    rows: tuple[int, ...]
    """The numbers of the rows that hold, each as often as it does."""
    drives: tuple[tuple[float, ...], ...]
    """By drive, by face: how much it did what a piece of this face wants."""


class _Past:
    """What one closed piece did."""

    def __init__(self, place: int | None) -> None:
        self.place = place
        self.moves = 0
        self.order = 0
        self.rows: Counter[int] = Counter()
        self.drives = [[0.0] * len(FACES) for _ in DRIVES]


class Evidence:
    """What the closed pieces of `seat` did; tell it of every state in which the other side is to move."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._pasts: dict[Slot, _Past] = {}
        self._moved = 0
        self._other = Conduct(1 - seat)

    def watch(self, state: State) -> None:
        """Learn from the last move; called once for each state, in order, the sooner begun the better."""
        report = state.report
        source = target = -1
        if report is not None and report.seat == self._seat and report.result != "none":
            source, target, _ = STEPS[report.move]
        quiet = report is not None and report.result == "moved"
        for square, cell in enumerate(state.board):
            if EMPTY < cell < OPEN and OWNER[cell] == self._seat and SLOT[cell] not in self._pasts:
                home = source if quiet and square == target else square
                known = cell < MOVED or home != square
                self._pasts[SLOT[cell]] = _Past(PLACE[self._seat].get(home) if known else None)
        self._other.watch(state)  # tells where the other side laid its pieces
        if target < 0:
            return
        if quiet and state.left[self._seat][FLAG]:
            self._judge_drives(state, source, target)
        if quiet and MOVED <= state.board[target] < OPEN:
            self._judge_move(state, source, target)
        self._judge_rest(state, target)

    def _judge_move(self, state: State, source: Square, target: Square) -> None:
        past = self._pasts[SLOT[state.board[target]]]
        past.moves += 1
        if past.moves == 1:
            self._moved += 1
            past.order = self._moved
        for square, cell in enumerate(state.board):
            if OWNER[cell] != 1 - self._seat:
                continue
            before, now = _apart(square, source), _apart(square, target)
            if min(before, now) > SEEN_FROM or before == now:
                continue
            if cell >= OPEN:
                past.rows[_towards(_event(before, now), FACE[cell])] += 1
            elif now == 1:
                row = "that moved" if cell >= MOVED else "that never moved"
                past.rows[ROWS[f"went beside a closed enemy {row}"]] += 1
            elif before == 1:
                past.rows[ROWS["left a closed enemy"]] += 1

    def _judge_drives(self, state: State, source: Square, target: Square) -> None:
        """Judge what moved, and what could have, by where a piece of each face wants to go."""
        before = bytearray(state.board)
        before[source], before[target] = before[target], EMPTY
        weigher = Weigher(self._picture(state._replace(board=bytes(before))))
        goals = [(face, weigher.goals(face)) for face in sorted(MOBILE) if state.left[self._seat][face]]
        for square, cell in enumerate(before):
            if not (EMPTY < cell < OPEN and OWNER[cell] == self._seat):
                continue
            free = [beside for beside in NEIGHBOURS[square] if before[beside] == EMPTY]
            if not free:
                continue
            went, astray, stayed = self._pasts[SLOT[cell]].drives
            for face, pull in goals:
                best = max(pull[beside] for beside in free) - pull[square]
                if square == source:
                    gain = pull[target] - pull[square]
                    went[face] += _squashed(gain)
                    astray[face] += _squashed(best - gain)
                elif best > 0:
                    stayed[face] += _squashed(best)

    def _picture(self, state: State) -> Picture:
        """The board as this side may see it: its flag is supposed where flags stand most often."""
        own = {SLOT[cell]: cell for cell in state.board if EMPTY < cell < OPEN and OWNER[cell] == self._seat}
        common = shares(state.army.size)[FLAG]

        def odds(slot: Slot) -> float:
            place = self._pasts[slot].place
            return 0.0 if place is None or own[slot] >= MOVED else common[place]

        supposed = dict.fromkeys(own, LIEUTENANT)
        supposed[max(own, key=odds)] = FLAG
        return Picture(View(self._seat, state, supposed), self._other.leanings)

    def _judge_rest(self, state: State, moved_to: Square) -> None:
        """Judge the other pieces, which did not attack."""
        for square, cell in enumerate(state.board):
            if OWNER[cell] != 1 - self._seat:
                continue
            for beside in NEIGHBOURS[square]:
                friend = state.board[beside]
                if EMPTY < friend < OPEN and OWNER[friend] == self._seat and beside != moved_to:
                    past = self._pasts[SLOT[friend]]
                    if cell >= OPEN:
                        past.rows[_towards("spared", FACE[cell])] += 1
                    else:
                        past.rows[ROWS["spared a closed enemy"]] += 1

    def marks(self, state: State) -> Iterator[tuple[Square, Mark]]:
        """The evidence about each closed piece on the board."""
        stage = -(-_STAGES * state.unmoved[self._seat] // state.army.size)
        for square, cell in enumerate(state.board):
            if EMPTY < cell < OPEN and OWNER[cell] == self._seat:
                past = self._pasts.get(SLOT[cell]) or _Past(None)
                rows = tuple(self._rows(state, square, past, stage))
                went, astray, stayed = past.drives
                drives = (tuple(went), tuple(astray), tuple(map(log1p, stayed)))
                yield square, Mark(SLOT[cell], cell >= MOVED, past.place, rows, drives)

    def _rows(self, state: State, square: Square, past: _Past, stage: int) -> Iterator[int]:
        still = state.board[square] < MOVED
        around = [state.board[beside] for beside in NEIGHBOURS[square]]
        ours = [cell for cell in around if OWNER[cell] == self._seat]
        yield ROWS[f"{'still' if still else 'moved'}, stage {stage}"]
        row = square // SIDE
        yield ROWS[f"row {row if self._seat == RED else SIDE - 1 - row}"]
        if still:
            yield ROWS[f"still, beside {sum(cell < MOVED for cell in ours)} still"]
            yield ROWS[f"still, beside {around.count(EMPTY)} free"]
            bombs = sum(cell >= OPEN and FACE[cell] == BOMB for cell in ours)
            yield ROWS[f"still, beside {min(2, bombs)} open bombs"]
        elif past.moves:
            yield ROWS[f"moves {_step(_MOVES, past.moves)}"]
            yield ROWS[f"moved as number {_step(_ORDERS, past.order)}"]
        closed = sum(EMPTY < cell < OPEN and OWNER[cell] == 1 - self._seat for cell in around)
        yield ROWS[f"beside {min(2, closed)} closed enemies"]
        if any(cell >= OPEN for cell in ours):
            yield ROWS["beside an open friend"]
        for number, often in past.rows.items():
            yield from repeat(number, min(often, MOST_SEEN))

    def leanings(self, state: State) -> dict[Slot, list[float]]:
        """See `beliefs.Leanings`: of every closed piece on the board."""
        weights, table = fitted(state.army)
        found = {}
        for _, mark in self.marks(state):
            found[mark.slot] = leaning(scores(mark, weights, table, state.army.size))
        return found


def _apart(square: Square, other: Square) -> int:
    return _APART[square][other]


_APART: Final = tuple(
    bytes(abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE) for b in SQUARES) for a in SQUARES
)


def leaning(sums: Sequence[float]) -> list[float]:
    """By face, how strongly a piece with these scores leans to it, LEAST to 1."""
    most = max(sums)
    return [max(LEAST, exp(each - most)) for each in sums]


def _event(before: int, now: int) -> Event:
    if now < before:
        return "met" if now == 1 else "near" if now < FAR else "nearing"
    return "ran" if before == 1 else "left"


def _towards(event: Event, foe: Face) -> int:
    return len(ROWS) + len(FACES) * EVENTS.index(event) + foe


def _squashed(gain: float) -> float:
    return gain / (abs(gain) + _FAINT)


def _step(steps: Sequence[int], number: int) -> int:
    return max(step for step in steps if step <= number)


def scores(mark: Mark, weights: Weights, table: Sequence[Sequence[float]], size: int) -> list[float]:
    """By face: the sum of the weights of all that holds for a piece of an army of this size.

    `table` is that of the weights.
    """
    sums = [sum(column, 0.0) for column in zip(*(table[number] for number in mark.rows), strict=True)]
    for weights_of, values in scaled(mark, weights, size):
        sums = [each + weight * value for each, weight, value in zip(sums, weights_of, values, strict=True)]
    return sums


def scaled(mark: Mark, weights: Weights, size: int) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Of weights that count by a measure: these, and the measure, by face."""
    if mark.place is not None:
        yield weights.places[mark.moved], log_shares(size)[mark.place]
    yield from zip(weights.drives, mark.drives, strict=True)


@cache
def log_shares(size: int) -> tuple[tuple[float, ...], ...]:
    """By place, by face: the logarithm of `placement_data.shares`, in an army of this size, 2 to 40."""
    common = shares(size)
    return tuple(tuple(log(common[face][place]) for face in FACES) for place in range(HOME_ROWS * SIDE))


@cache
def _fitted() -> dict[int, tuple[Weights, tuple[Sequence[float], ...]]]:
    found = {}
    for size, written in figures("p2p_stratego.stratego.bots", "evidence.json")["weights"].items():
        rows, events = ([written[part][name] for name in names] for part, names in _PARTS.items())
        weights = Weights(rows, events, written["places"], written["drives"])
        found[int(size)] = weights, weights.table
    return found


_PARTS: Final = {"rows": tuple(ROWS), "events": EVENTS}


def fitted(army: Army) -> tuple[Weights, Sequence[Sequence[float]]]:
    """The weights of the fitted army that is nearest in size, and their table."""
    by_size = _fitted()
    return by_size[min(by_size, key=lambda size: (abs(size - army.size), size))]
