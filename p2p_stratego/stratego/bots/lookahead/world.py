"""A world of the search: a board on which every piece is known, with moves to make and to take back.

Squares hold numbers of pieces; a piece is told by a code for its side, its face and how it is seen.  The
score is kept with each move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face
from p2p_stratego.stratego.bots.evaluation import BETRAYED, Weigher
from p2p_stratego.stratego.bots.position import IS_OPEN, NEVER_MOVED, Picture
from p2p_stratego.stratego.rules.board import NEIGHBOURS, RAYS, SQUARES, Square
from p2p_stratego.stratego.rules.cells import FACE, MOVED, OPEN
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, FLAG, MOBILE, SCOUT

Code: TypeAlias = int
"""36 × side + 3 × face + how it is seen; the side is 0 for us, 1 for the enemy."""
Step: TypeAlias = tuple[float, int, Square]
"""The number by which a move is tried, the greatest first; the piece, and where it goes."""
Undo: TypeAlias = tuple[float, int, Square, Code, int, Code, Square]
"""Before a move: the score; the piece, its square and code; the piece attacked or NOBODY, its code; where."""

LEARNT: Final = 0.25
"""The share of its own worth that a closed enemy piece loses by being seen."""
NEAR: Final = 10.0
"""The cost of an enemy beside the flag; half as much for each further step, up to REACH."""
REACH: Final = 6
NOBODY: Final = -1
_GONE: Final[Square] = -1
_TAKES_FLAG: Final = 1000.0
_TAKES: Final = 50.0
"""For the order in which attacks are tried: more than any worth."""
_QUIET: Final = 0.5
"""The same of other moves: so much less than they gain."""

SEEN: Final = 3
SIDE: Final = SEEN * len(FACES)
FACE_OF: Final = tuple(code % SIDE // SEEN for code in range(2 * SIDE))
"""By code."""
_OPENED: Final = tuple(code - code % SEEN + IS_OPEN for code in range(2 * SIDE))
_STEPPED: Final = tuple(code + (code % SEEN == NEVER_MOVED) for code in range(2 * SIDE))
_STAYS: Final = ("won", "flag")
_ONE_STEP: Final = (1, 10)
_BESIDE: Final = tuple(tuple((square,) for square in beside) for beside in NEIGHBOURS)


class World:
    """The board; `lay` puts the pieces on it."""

    def __init__(self, picture: Picture, weigher: Weigher) -> None:
        self._weigher = weigher
        mine, seen, _ = picture.stand
        self.homes: Final[tuple[Square, ...]] = (*mine, *picture.foes)
        """By piece: where it stands; our pieces first."""
        self._mine = len(mine)
        self._start = [SEEN * face + seen[square] for square, face in mine.items()]
        self.hidden: Final = dict[int, bool]()
        """The enemy's closed pieces, and whether each has moved."""
        for piece, square in enumerate(picture.foes, self._mine):
            cell = picture.state.board[square]
            self._start.append(SIDE + (SEEN * FACE[cell] + IS_OPEN if cell >= OPEN else cell >= MOVED))
            if cell < OPEN:
                self.hidden[piece] = cell >= MOVED
        self._ids = (range(self._mine), range(self._mine, len(self.homes)))
        self._worths = _worths(picture, weigher)
        self.values: Final = _values(picture, weigher, self._worths)
        """By code and square: what a piece there counts for us."""
        self._gains: dict[tuple[int, Code], float] = {}
        self.at: list[int] = []
        """By square: the piece there, or NOBODY."""
        self.where: list[Square] = []
        """By piece: its square, below 0 if it has fallen."""
        self.codes: list[Code] = []
        """By piece."""
        self.score = 0.0
        """The sum of `values`: how well we stand."""

    def lay(self, faces: Mapping[int, Face]) -> None:
        """All pieces stand at home again; `faces`: of the hidden ones."""
        self.codes = self._start.copy()
        for piece, face in faces.items():
            self.codes[piece] += SEEN * face
        self.where = list(self.homes)
        self.at = [NOBODY] * len(SQUARES)
        for piece, square in enumerate(self.homes):
            self.at[square] = piece
        self.score = sum(
            self.values[code][square] for code, square in zip(self.codes, self.homes, strict=True)
        )

    def is_hidden(self, piece: int) -> bool:
        """Whether we would not know its face; `piece` may be NOBODY."""
        return piece >= self._mine and self.codes[piece] % SEEN != IS_OPEN

    def moves(self, side: int, attacks: bool) -> list[Step]:
        """Moves of a side, or attacks that gain alone."""
        at, codes, where, moves = self.at, self.codes, self.where, []
        sign, first = 1 - 2 * side, self._mine
        for piece in self._ids[side]:
            square, code = where[piece], codes[piece]
            if square < 0 or FACE_OF[code] not in MOBILE:
                continue
            value = self.values[code]
            here = sign * value[square] + _QUIET
            for ray in RAYS[square] if FACE_OF[code] == SCOUT else _BESIDE[square]:
                for target in ray:
                    other = at[target]
                    if other < 0:
                        if not attacks:
                            moves.append((sign * value[target] - here, piece, target))
                        continue
                    if (other >= first) != side:
                        order = self._order(piece, other)
                        if order > 0 or not attacks:
                            moves.append((order, piece, target))
                    break
        return moves

    def _order(self, piece: int, foe: int) -> float:
        """How early to try an attack; of ours on a closed piece, what it is worth."""
        code, other = self.codes[piece], self.codes[foe]
        if foe >= self._mine and other % SEEN != IS_OPEN:
            return self.gain(foe, code)
        result = FIGHTS[FACE_OF[code]][FACE_OF[other]]
        if result == "won":
            return _TAKES + self._worths[other]
        return _TAKES_FLAG if result == "flag" else -1.0

    def gain(self, foe: int, code: Code) -> float:
        """The expected gain of our attack on a closed piece."""
        gain = self._gains.get((foe, code))
        if gain is None:
            gain = self._weigher.gain(FACE_OF[code], self.homes[foe], closed=code % SEEN != IS_OPEN)
            self._gains[foe, code] = gain
        return gain

    def make(self, piece: int, target: Square) -> Undo:
        at, codes, where, values = self.at, self.codes, self.where, self.values
        source, code, foe = where[piece], codes[piece], at[target]
        other = codes[foe] if foe >= 0 else 0
        undo = (self.score, piece, source, code, foe, other, target)
        self.score -= values[code][source]
        at[source] = NOBODY
        if foe < 0:
            far = abs(target - source) not in _ONE_STEP
            result, code = "won", _OPENED[code] if far else _STEPPED[code]
        else:
            result, code = FIGHTS[FACE_OF[code]][FACE_OF[other]], _OPENED[code]
            self.score -= values[other][target]
            codes[foe] = _OPENED[other]
            if result == "lost":
                self.score += values[codes[foe]][target]
            else:
                where[foe] = _GONE
        codes[piece] = code
        if result in _STAYS:
            where[piece], at[target] = target, piece
            self.score += values[code][target]
        else:
            where[piece] = _GONE
            if result == "both":
                at[target] = NOBODY
        return undo

    def unmake(self, undo: Undo) -> None:
        self.score, piece, source, code, foe, other, target = undo
        self.codes[piece], self.where[piece], self.at[source] = code, source, piece
        self.at[target] = foe
        if foe >= 0:
            self.codes[foe], self.where[foe] = other, target


def _worths(picture: Picture, weigher: Weigher) -> list[float]:
    """By code: what a piece is worth to its side."""
    own = [
        worth * (1.0 if face == FLAG else weigher.losses_count) for face, worth in enumerate(picture.worth)
    ]
    return [worth for side in (own, picture.foe_worth) for worth in side for _ in range(SEEN)]


def _values(picture: Picture, weigher: Weigher, worths: Sequence[float]) -> list[list[float]]:
    """By code and square: what a piece there counts for us."""
    near, values = _near(picture), []
    for code, worth in enumerate(worths):
        face, closed = FACE_OF[code], code % SEEN != IS_OPEN
        if code < SIDE:
            base, there = worth * (1 + BETRAYED * closed), _pull(picture, weigher, face)
        else:
            base, there = -worth * (1 + LEARNT * closed), near
        values.append([base + pull for pull in there] if face in MOBILE else [base] * len(SQUARES))
    return values


def _pull(picture: Picture, weigher: Weigher, face: Face) -> list[float]:
    """By square: the pull on an own piece; on an enemy's square, that of the best one beside it."""
    if face not in MOBILE or face not in picture.stand.mine.values():
        return [0.0] * len(SQUARES)
    pull = weigher.goals(face)
    for square in picture.foes:
        beside = (pull[other] for other in NEIGHBOURS[square] if other not in picture.foes)
        pull[square] = max(beside, default=0.0)
    return pull


def _near(picture: Picture) -> list[float]:
    """By square: what an enemy there costs, so near to our flag."""
    near = [0.0] * len(SQUARES)
    reached, ring, cost = {picture.flag}, [picture.flag], NEAR
    for _ in range(REACH):
        beyond = [other for square in ring for other in NEIGHBOURS[square]]
        ring = [square for square in dict.fromkeys(beyond) if square not in reached | {*picture.stand.mine}]
        reached.update(ring)
        for square in ring:
            near[square] = -cost
        cost /= 2
    return near
