"""Evidence about the closed pieces of a side, and what it says of their faces, by weights fitted to games.

Evidence is where a piece was laid, when it moved first and how often, what stands beside it, and what it went
up to, ran from or left alone.  All of this is public.  The sum of the weights of all that holds for a piece
is the logarithm of how strongly it leans to a face (a softmax regression, whose offsets are the counts of
`beliefs.even_chances`).  `benchmarks.bots.evidence` fits the weights to games of players of many styles and
writes them to `evidence.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from math import exp, log
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.figures import figures
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.beliefs import Chances, even_chances
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.intentions import Choice, judged, worth
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.piece_values import alive
from p2p_stratego.stratego.bots.placement_data import HALF, half, shares
from p2p_stratego.stratego.bots.position import Picture
from p2p_stratego.stratego.rules.armies import Army
from p2p_stratego.stratego.rules.board import HOME_ROWS, NEIGHBOURS, PLACE, SIDE, SQUARES, Square
from p2p_stratego.stratego.rules.cells import CRATER, EMPTY, FACE, MOVED, OPEN, OWNER, SLOT, Cell
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import (
    BOMB,
    FACES,
    FLAG,
    LIEUTENANT,
    MOBILE,
    RED,
)
from p2p_stratego.stratego.rules.state import State

Event: TypeAlias = str
"""What a piece did towards an open enemy: one of EVENTS."""

EVENTS: Final[tuple[Event, ...]] = ("met", "near", "nearing", "ran", "left", "spared")
"""Went beside it; to two steps from it; nearer from afar; away from beside it; away from it; stood beside it
while another piece moved."""
FAR: Final = 3
"""Ranks; also the steps from which a piece is near no more, and those to which it still nears."""
SEEN_FROM: Final = 5
"""Steps: beyond, an enemy is nothing that a move is judged by."""
MOST_SEEN: Final = 4
"""The same event more often says nothing more."""
LEAST: Final = 0.002
"""The least weight of a face beside the greatest, for evidence is never proof."""


BLOCKS: Final = ("laid", "went", "astray", "stayed", "chose", "chose sharply", "waited", "waited sharply")
"""What is measured of a piece, by face: how common the place where it was laid is for the face; how much
nearer to the goals of the face its quiet moves led, and how much less near than other moves of it; of a
piece that did not move, how much nearer a step would have led; and, in nats, how much likelier a player would
have moved as it did if the piece were of this face: by the moves of the piece, and by those of others while
it waited, each for two tempers."""
LAID, WENT, ASTRAY, STAYED, CHOSE, _, WAITED, _ = range(len(BLOCKS))
_FAINT: Final = 0.2
"""The gain that counts half: whether a step leads nearer says more than how much."""
SHARPNESS: Final = (1.0, 4.0)
"""How surely a player takes the best move: by the worth of its moves times this, as softmax has it."""
_DAMPED: Final = 8.0
"""The measure that counts half."""

_MOVES: Final = (1, 2, 3, 6, 11)
_ORDERS: Final = (1, 2, 3, 5, 9)
_RESTS: Final = (1, 2, 4, 9, 21)
_FIRSTS: Final = (1, 5, 13, 31, 71)
_STAGES: Final = 4
"""Quarters of the army that never moved and were never opened."""
_AHEAD: Final = ("ahead", "beside", "behind")
_AROUND: Final = ("edge", "free", "still", "moved", "open bomb", "open", "enemy")
_NAMES: Final = (
    *(f"{state}, stage {stage}" for state in ("moved", "still") for stage in range(_STAGES + 1)),
    *(f"{state}, laid on {place}" for state in ("moved", "still") for place in range(HALF)),
    *(f"moves {least}" for least in _MOVES),
    *(f"moved as number {least}" for least in _ORDERS),
    *(f"moved first at {least}" for least in _FIRSTS),
    *(f"rests since {least}" for least in _RESTS),
    *(f"row {row}" for row in range(SIDE)),
    *(f"column {column}" for column in range(SIDE // 2)),
    *(f"still, beside {count} still" for count in range(5)),
    *(f"still, beside {count} free" for count in range(5)),
    *(f"still, beside {count} open bombs" for count in range(3)),
    *(f"still, {where} {thing}" for where in _AHEAD for thing in _AROUND),
    *(f"beside {count} closed enemies" for count in range(3)),
    "went beside a closed enemy that moved",
    "went beside a closed enemy that never moved",
    "left a closed enemy",
    "spared a closed enemy",
    "beside an open friend",
)
ROWS: Final = {name: number for number, name in enumerate(_NAMES)}
"""The rows of weights, and their numbers; those of events towards each open enemy follow."""


class Mark(NamedTuple):
    """All evidence about one closed piece."""

    slot: Slot
    moved: bool
    place: int | None
    """Where it was laid, see `board.HOME`; None for a piece that moved before anybody watched."""
    rows: tuple[int, ...]
    """The numbers of the rows that hold, each as often as it does."""
    measures: Sequence[float]
    """By block, by face: 96 numbers."""


class _Past:
    """What one closed piece did."""

    def __init__(self, place: int | None) -> None:
        self.place = place
        self.moves = 0
        self.order = 0
        self.first = 0
        self.last = 0
        self.rows: Counter[int] = Counter()
        self.sums = [[0.0] * len(FACES) for _ in BLOCKS]


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
            self._judge_choice(state, source, target)
        if quiet and MOVED <= state.board[target] < OPEN:
            self._judge_move(state, source, target)
        self._judge_rest(state, target)

    def _judge_move(self, state: State, source: Square, target: Square) -> None:
        past = self._pasts[SLOT[state.board[target]]]
        past.moves += 1
        past.last = state.plies
        if past.moves == 1:
            self._moved += 1
            past.order, past.first = self._moved, state.plies
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

    def _judge_choice(self, state: State, source: Square, target: Square) -> None:
        """Judge what moved, and what could have, by what a piece of each face wants."""
        before = bytearray(state.board)
        before[source], before[target] = before[target], EMPTY
        there = alive(state, self._seat)
        weigher = Weigher(self._picture(state._replace(board=bytes(before))))
        pulls = {face: weigher.goals(face) for face in MOBILE if there[face]}
        self._judge_drives(before, pulls, source, target)
        even = even_chances(state, self._seat)
        choices = {
            square: choice._replace(worth=worth(weigher, pulls, square, choice))
            for square, choice in self._choices(before, even)
        }
        if source in choices and target in choices[source].steps:
            for number, sharpness in enumerate(SHARPNESS):
                for square, odds in judged(choices, source, target, sharpness):
                    past = self._pasts[SLOT[before[square]]]
                    block = past.sums[(CHOSE if square == source else WAITED) + number]
                    for face, nats in odds.items():
                        block[face] += nats

    def _choices(self, board: bytearray, even: tuple[Chances, Chances]) -> Iterator[tuple[Square, Choice]]:
        """What each piece can do, and be; what that is worth is left open."""
        for square, cell in enumerate(board):
            if not (EMPTY < cell < CRATER and OWNER[cell] == self._seat):
                continue
            steps = [to for to in NEIGHBOURS[square] if OWNER[board[to]] != self._seat]
            if not steps:
                continue
            if cell >= OPEN:
                yield square, Choice(None, {FACE[cell]: 1.0}, steps, {})
            else:
                chose, usual = self._pasts[SLOT[cell]].sums[CHOSE], even[cell >= MOVED]
                most = max(chose)
                odds = {face: share * exp(chose[face] - most) for face, share in enumerate(usual) if share}
                whole = sum(odds.values())
                yield (
                    square,
                    Choice(SLOT[cell], {face: weight / whole for face, weight in odds.items()}, steps, {}),
                )

    def _judge_drives(
        self, before: bytearray, pulls: Mapping[Face, Sequence[float]], source: Square, target: Square
    ) -> None:
        """Judge what moved, and what could have, by where a piece of each face wants to go."""
        for square, cell in enumerate(before):
            if not (EMPTY < cell < OPEN and OWNER[cell] == self._seat):
                continue
            free = [beside for beside in NEIGHBOURS[square] if before[beside] == EMPTY]
            if not free:
                continue
            sums = self._pasts[SLOT[cell]].sums
            for face, pull in pulls.items():
                best = max(pull[beside] for beside in free) - pull[square]
                if square == source:
                    gain = pull[target] - pull[square]
                    sums[WENT][face] += _squashed(gain)
                    sums[ASTRAY][face] += _squashed(best - gain)
                elif best > 0:
                    sums[STAYED][face] += _squashed(best)

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
        common = log_shares(state.army.size)
        for square, cell in enumerate(state.board):
            if EMPTY < cell < OPEN and OWNER[cell] == self._seat:
                past = self._pasts.get(SLOT[cell]) or _Past(None)
                rows = tuple(self._rows(state, square, past, stage))
                if past.place is not None:
                    past.sums[LAID] = common[past.place]
                measures = [score / (1 + abs(score) / _DAMPED) for block in past.sums for score in block]
                yield square, Mark(SLOT[cell], cell >= MOVED, past.place, rows, measures)

    def scene(self, state: State) -> tuple[float, ...]:
        """What counts for all pieces alike: the shares of faces that are closed, and alive on both sides."""
        counts = state.army.counts
        closed = state.left[self._seat]
        both = (closed, alive(state, self._seat), alive(state, 1 - self._seat))
        return tuple(
            has / had if had else 0.0 for side in both for has, had in zip(side, counts, strict=True)
        )

    def _rows(self, state: State, square: Square, past: _Past, stage: int) -> Iterator[int]:
        still = state.board[square] < MOVED
        kind = "still" if still else "moved"
        around = [state.board[beside] for beside in NEIGHBOURS[square]]
        ours = [cell for cell in around if OWNER[cell] == self._seat]
        yield ROWS[f"{kind}, stage {stage}"]
        row, column = divmod(square, SIDE)
        yield ROWS[f"row {row if self._seat == RED else SIDE - 1 - row}"]
        yield ROWS[f"column {min(column, SIDE - 1 - column)}"]
        if past.place is not None:
            yield ROWS[f"{kind}, laid on {half(past.place)}"]
        if still:
            yield ROWS[f"still, beside {sum(cell < MOVED for cell in ours)} still"]
            yield ROWS[f"still, beside {around.count(EMPTY)} free"]
            bombs = sum(cell >= OPEN and FACE[cell] == BOMB for cell in ours)
            yield ROWS[f"still, beside {min(2, bombs)} open bombs"]
            yield from self._rows_around(state, square)
        elif past.moves:
            yield ROWS[f"moves {_step(_MOVES, past.moves)}"]
            yield ROWS[f"moved as number {_step(_ORDERS, past.order)}"]
            yield ROWS[f"moved first at {_step(_FIRSTS, past.first)}"]
            yield ROWS[f"rests since {_step(_RESTS, state.plies - past.last + 1)}"]
        closed = sum(EMPTY < cell < OPEN and OWNER[cell] == 1 - self._seat for cell in around)
        yield ROWS[f"beside {min(2, closed)} closed enemies"]
        if any(cell >= OPEN for cell in ours):
            yield ROWS["beside an open friend"]
        for number, often in past.rows.items():
            yield from repeat(number, min(often, MOST_SEEN))

    def _rows_around(self, state: State, square: Square) -> Iterator[int]:
        """What stands on each side of a piece that never moved."""
        ahead = SIDE if self._seat == RED else -SIDE
        column = square % SIDE
        for where, beside, inside in (
            ("ahead", square + ahead, 0 <= square + ahead < len(SQUARES)),
            ("behind", square - ahead, 0 <= square - ahead < len(SQUARES)),
            ("beside", square + 1, column < SIDE - 1),
            ("beside", square - 1, column > 0),
        ):
            cell = state.board[beside] if inside else CRATER
            yield ROWS[f"still, {where} {self._thing(cell)}"]

    def _thing(self, cell: Cell) -> str:
        if cell in (EMPTY, CRATER):
            return "edge" if cell else "free"
        if OWNER[cell] != self._seat:
            return "enemy"
        if cell >= OPEN:
            return "open bomb" if FACE[cell] == BOMB else "open"
        return "moved" if cell >= MOVED else "still"

    def leanings(self, state: State) -> dict[Slot, list[float]]:
        """See `beliefs.Leanings`: of every closed piece on the board."""
        network = fitted(state.army)
        shared = network.shared(self.scene(state))
        return {mark.slot: leaning(network.scores(mark, shared)) for _, mark in self.marks(state)}


def _apart(square: Square, other: Square) -> int:
    return _APART[square][other]


_APART: Final = tuple(
    bytes(abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE) for b in SQUARES) for a in SQUARES
)


def leaning(sums: Sequence[float]) -> list[float]:
    """By face, how strongly a piece with these scores leans to it, LEAST to 1."""
    most = max(sums)
    return [max(LEAST, exp(score - most)) for score in sums]


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


@cache
def log_shares(size: int) -> tuple[list[float], ...]:
    """By place, by face: the logarithm of `placement_data.shares`, in an army of this size, 2 to 40."""
    common = shares(size)
    return tuple([log(common[face][place]) for face in FACES] for place in range(HOME_ROWS * SIDE))


class Network(NamedTuple):
    """A network with one hidden layer, beside weights that lead straight from facts to faces.

    Columns of `rows`, `scene` and `bias` are the faces, then the hidden units.
    """

    rows: Sequence[Sequence[float]]
    """By row, those of events included."""
    scene: Sequence[Sequence[float]]
    """By number of the scene."""
    bias: Sequence[float]
    straight: Sequence[Sequence[float]]
    """Of a piece that never moved, and of one that has, by block and face: what its measure counts there."""
    mixed: Sequence[Sequence[float]]
    """By hidden unit: the weights of all measures."""
    out: Sequence[Sequence[float]]
    """By face: the weights of the hidden units."""

    def shared(self, scene: Sequence[float]) -> list[float]:
        """What a scene gives to the faces and hidden units of all pieces."""
        columns = zip(*self.scene, strict=True)
        return [start + _product(scene, column) for start, column in zip(self.bias, columns, strict=True)]

    def scores(self, mark: Mark, shared: Sequence[float]) -> list[float]:
        """By face: the logarithm of how strongly a piece leans to it; `shared`: of its scene."""
        sums = [
            sum(column) for column in zip(shared, *(self.rows[number] for number in mark.rows), strict=True)
        ]
        faces = len(FACES)
        hidden = [
            max(0.0, score + _product(mark.measures, weights))
            for score, weights in zip(sums[faces:], self.mixed, strict=True)
        ]
        counted = list(map(mul, mark.measures, self.straight[mark.moved]))
        return [
            sums[face] + sum(counted[face::faces]) + _product(hidden, weights)
            for face, weights in enumerate(self.out)
        ]


def _product(values: Sequence[float], weights: Sequence[float]) -> float:
    product: float = sum(map(mul, values, weights))
    return product


@cache
def _fitted() -> dict[int, Network]:
    written = figures("p2p_stratego.stratego.bots", "evidence.json")["networks"]
    return {int(size): Network(**parts) for size, parts in written.items()}


def fitted(army: Army) -> Network:
    """The network of the fitted army that is nearest in size."""
    by_size = _fitted()
    return by_size[min(by_size, key=lambda size: (abs(size - army.size), size))]
