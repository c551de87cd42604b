"""Looks ahead in worlds that could be: alpha-beta on sampled faces of the enemy's closed pieces.

In each world the enemy's pieces are what was drawn, but nobody cheats: an own attack on a closed piece is
worth what it is worth by all beliefs, and ends the line; the enemy attacks a closed own piece as often as
`Replies` has it.  A move is as good as the mean over all worlds, beside what the `Weigher` says.  The number
of positions is bounded, not the time, so that the same chance leads to the same moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.view import Chance
from p2p_stratego.stratego.bots.evaluation import BETRAYED, Weigher
from p2p_stratego.stratego.bots.position import IS_OPEN, NEVER_MOVED, Picture
from p2p_stratego.stratego.bots.setup_generator import sample
from p2p_stratego.stratego.rules.board import NEIGHBOURS, RAYS, SQUARES, Square
from p2p_stratego.stratego.rules.cells import FACE, MOVED, OPEN
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, FLAG, MOBILE, SCOUT

DEPTH: Final = 3
"""Moves that are tried after the one in question and before the attacks alone, that one included."""
ATTACKS: Final = 3
"""Attacks in a row after those."""
LEARNT: Final = 0.25
"""The share of its own worth that a closed enemy piece loses by being seen."""
PRIOR: Final = 0.5
"""How much the weigher's own judgement counts."""
SURE: Final = 4
"""Worlds after which a move is dropped that is worse than the best by MARGIN."""
MARGIN: Final = 4.0
NEAR: Final = 10.0
"""The cost of an enemy beside the flag; half as much for each further step, up to REACH."""
REACH: Final = 6
LOST: Final = 50.0
"""What a side loses that has no move."""
_TAKES_FLAG: Final = 1000.0
_TAKES: Final = 50.0
"""For the order in which attacks are tried: more than any worth."""
_QUIET: Final = -0.5
"""The same of other moves: behind all attacks that gain."""
_SWAPS: Final = 4
"""Exchanges of faces for each closed piece, which bring a drawn world nearer to what is believed."""

_Code: TypeAlias = int
"""36 × side + 3 × face + how it is seen; the side is 0 for us, 1 for the enemy."""
_SEEN: Final = 3
_SIDE: Final = _SEEN * len(FACES)
_FACE: Final = tuple(code % _SIDE // _SEEN for code in range(2 * _SIDE))
_OPENED: Final = tuple(code - code % _SEEN + IS_OPEN for code in range(2 * _SIDE))
_STEPPED: Final = tuple(code + (code % _SEEN == NEVER_MOVED) for code in range(2 * _SIDE))
_NOBODY: Final = -1
_GONE: Final[Square] = -1


class Search:
    """Looks ahead from one position."""

    def __init__(self, picture: Picture, weigher: Weigher, chance: Chance) -> None:
        self._picture, self._weigher, self._chance = picture, weigher, chance
        mine, seen, _ = picture.stand
        board = picture.state.board
        self._homes: tuple[Square, ...] = (*mine, *picture.foes)
        self._mine = len(mine)
        self._start: list[_Code] = [_SEEN * face + seen[square] for square, face in mine.items()]
        self._hidden: list[int] = []
        for piece, square in enumerate(picture.foes, self._mine):
            cell = board[square]
            if cell >= OPEN:
                self._start.append(_SIDE + _SEEN * FACE[cell] + IS_OPEN)
            else:
                self._start.append(_SIDE + (cell >= MOVED))
                self._hidden.append(piece)
        self._ids = (range(self._mine), range(self._mine, len(self._homes)))
        self._worths = _worths(picture, weigher)
        self._values = _values(picture, weigher, self._worths)
        self._gains: dict[tuple[int, _Code], float] = {}
        self._at: list[int] = []
        self._where: list[Square] = []
        self._codes: list[_Code] = []
        self._score = 0.0
        self._nodes = 0

    def points(self, moves: Sequence[Move], nodes: int) -> dict[Move, float]:
        """How good each move is; it ends with the world in which it has seen so many positions."""
        prior = {move: PRIOR * self._weigher.weigh(move) for move in moves}
        sums, left, worlds = dict.fromkeys(moves, 0.0), list(moves), 0
        while True:
            self._draw()
            for move in left:
                sums[move] += self._tried(move)
            worlds += 1
            points = {move: prior[move] + sums[move] / worlds for move in left}
            if worlds >= SURE:
                least = max(points.values()) - MARGIN
                left = [move for move in left if points[move] >= least]
            if self._nodes > nodes or len(left) == 1:
                return {move: points.get(move, -inf) for move in moves}

    def _draw(self) -> None:
        """A world: each closed enemy piece gets a face, all together those that are left."""
        faces = self._faces()
        self._codes = self._start.copy()
        for piece, face in faces.items():
            self._codes[piece] += _SEEN * face
        self._where = list(self._homes)
        self._at = [_NOBODY] * len(SQUARES)
        for piece, square in enumerate(self._homes):
            self._at[square] = piece
        self._score = sum(self._values[code][self._homes[piece]] for piece, code in enumerate(self._codes))

    def _faces(self) -> dict[int, int]:
        odds = {piece: self._picture.foes[self._homes[piece]] for piece in self._hidden}
        state = self._picture.state
        all_left = state.left[1 - state.seat]
        left, faces = list(all_left), dict[int, int]()
        pieces = sample(self._hidden, len(self._hidden), self._chance)
        for piece in sorted(pieces, key=lambda piece: self._start[piece] % _SEEN == NEVER_MOVED):
            weights = [
                share * has / of if has else 0.0
                for share, has, of in zip(odds[piece], left, all_left, strict=True)
            ]
            whole = sum(weights) or 1.0
            lot, drawn = self._chance.random() * whole, FLAG
            for face, weight in enumerate(weights):
                if left[face] and (weight or not sum(weights)):
                    drawn, lot = face, lot - weight
                    if lot < 0:
                        break
            faces[piece] = drawn
            left[drawn] -= 1
        for _ in range(_SWAPS * len(pieces)):
            one, other = (pieces[int(self._chance.random() * len(pieces))] for _ in range(2))
            face, with_face = faces[one], faces[other]
            if face != with_face:
                now = odds[one][face] * odds[other][with_face]
                then = odds[one][with_face] * odds[other][face]
                if self._chance.random() * now < then:
                    faces[one], faces[other] = with_face, face
        return faces

    def _tried(self, move: Move) -> float:
        """What a move gains in this world."""
        source, target, _ = STEPS[move]
        piece, foe, base = self._at[source], self._at[target], self._score
        closed = foe >= 0 and self._codes[foe] % _SEEN != IS_OPEN
        gain = self._gain(foe, self._codes[piece]) if closed else 0.0
        undo = self._make(piece, target)
        at_once = self._score - base
        taken = foe >= 0 and _FACE[undo[5]] == FLAG
        value = self._score if taken else -self._search(1, DEPTH - 1, -inf, inf)
        self._unmake(undo)
        return gain + value - base - at_once if closed else value - base

    def _search(self, side: int, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move; from depth 0 on only by attacks that gain, or by none."""
        self._nodes += 1
        sign = 1 - 2 * side
        best = -inf
        if depth <= 0:
            best = sign * self._score
            alpha = max(alpha, best)
            if alpha >= beta or depth == -ATTACKS:
                return best
        moves = self._moves(side, depth <= 0)
        if depth > 0 and not moves:
            return sign * self._score - LOST
        moves.sort(reverse=True)
        at, codes = self._at, self._codes
        for order, piece, target in moves:
            foe = at[target]
            if foe >= 0 and not side and codes[foe] % _SEEN != IS_OPEN:
                value = self._score + order
            else:
                value = self._after(side, depth, (piece, target), alpha, beta)
            if value > best:
                best = value
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best

    def _after(self, side: int, depth: int, move: tuple[int, Square], alpha: float, beta: float) -> float:
        """The value for its side of a move: a piece, and where it goes."""
        piece, target = move
        foe, daring = self._at[target], 1.0
        still = (1 - 2 * side) * self._score
        if side and foe >= 0:
            face, seen = divmod(self._codes[foe], _SEEN)
            if seen != IS_OPEN and face != FLAG:
                daring = self._weigher.dares[seen][_FACE[self._codes[piece]]]
        undo = self._make(piece, target)
        if foe >= 0 and _FACE[undo[5]] == FLAG:
            value = (1 - 2 * side) * self._score
        elif daring < 1:
            value = daring * -self._search(1 - side, depth - 1, -inf, inf) + (1 - daring) * still
        else:
            value = -self._search(1 - side, depth - 1, -beta, -alpha)
        self._unmake(undo)
        return value

    def _moves(self, side: int, attacks: bool) -> list[tuple[float, int, Square]]:
        """Moves, or attacks that gain alone: each with the number by which they are tried, and the piece."""
        at, codes, where, moves = self._at, self._codes, self._where, []
        sign, first = 1 - 2 * side, self._mine
        for piece in self._ids[side]:
            square, code = where[piece], codes[piece]
            if square < 0 or _FACE[code] not in MOBILE:
                continue
            value = self._values[code]
            here = sign * value[square] - _QUIET
            for ray in RAYS[square] if _FACE[code] == SCOUT else _BESIDE[square]:
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
        code, other = self._codes[piece], self._codes[foe]
        if foe >= self._mine and other % _SEEN != IS_OPEN:
            return self._gain(foe, code)
        result = FIGHTS[_FACE[code]][_FACE[other]]
        if result == "won":
            return _TAKES + self._worths[other]
        return _TAKES_FLAG if result == "flag" else -1.0

    def _gain(self, foe: int, code: _Code) -> float:
        """The expected gain of our attack on a closed piece."""
        gain = self._gains.get((foe, code))
        if gain is None:
            gain = self._weigher.gain(_FACE[code], self._homes[foe], closed=code % _SEEN != IS_OPEN)
            self._gains[foe, code] = gain
        return gain

    def _make(self, piece: int, target: Square) -> _Undo:
        at, codes, where, values = self._at, self._codes, self._where, self._values
        source, code, foe = where[piece], codes[piece], at[target]
        other = codes[foe] if foe >= 0 else 0
        undo = (self._score, piece, source, code, foe, other, target)
        self._score -= values[code][source]
        at[source] = _NOBODY
        if foe < 0:
            far = abs(target - source) not in _ONE_STEP
            result, code = "won", _OPENED[code] if far else _STEPPED[code]
        else:
            result, code = FIGHTS[_FACE[code]][_FACE[other]], _OPENED[code]
            self._score -= values[other][target]
            codes[foe] = _OPENED[other]
            if result == "lost":
                self._score += values[codes[foe]][target]
            else:
                where[foe] = _GONE
        codes[piece] = code
        if result in _STAYS:
            where[piece], at[target] = target, piece
            self._score += values[code][target]
        else:
            where[piece] = _GONE
            if result == "both":
                at[target] = _NOBODY
        return undo

    def _unmake(self, undo: _Undo) -> None:
        self._score, piece, source, code, foe, other, target = undo
        self._codes[piece], self._where[piece], self._at[source] = code, source, piece
        self._at[target] = foe
        if foe >= 0:
            self._codes[foe], self._where[foe] = other, target


_Undo: TypeAlias = tuple[float, int, Square, _Code, int, _Code, Square]
"""Before a move: the score; the piece, its square and code; the piece attacked or _NOBODY, its code, square."""
_STAYS: Final = ("won", "flag")
_ONE_STEP: Final = (1, 10)
_BESIDE: Final = tuple(tuple((square,) for square in beside) for beside in NEIGHBOURS)


def _worths(picture: Picture, weigher: Weigher) -> list[float]:
    """By code: what a piece is worth to its side."""
    own = [
        worth * (1.0 if face == FLAG else weigher.losses_count) for face, worth in enumerate(picture.worth)
    ]
    return [worth for side in (own, picture.foe_worth) for worth in side for _ in range(_SEEN)]


def _values(picture: Picture, weigher: Weigher, worths: Sequence[float]) -> list[list[float]]:
    """By code and square: what a piece there counts for us."""
    near, values = _near(picture), []
    for code, worth in enumerate(worths):
        face, closed = _FACE[code], code % _SEEN != IS_OPEN
        if code < _SIDE:
            base, there = worth * (1 + BETRAYED * closed), _pull(picture, weigher, face)
        else:
            base, there = -worth * (1 + LEARNT * closed), near
        values.append([base + each for each in there] if face in MOBILE else [base] * len(SQUARES))
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
