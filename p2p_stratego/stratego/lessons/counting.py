"""What each move of Stratego brings, counted over every way in which the enemy's closed pieces can lie.

The count looks at four half-moves: our move, the enemy's reply, our next capture of a piece that we know, and
whether a piece beside it may retake.  It is strict with us: the enemy sees all our pieces and replies as is
worst for us, while our next capture rests on what everybody has seen by then.

A code stands for a piece: 1 + face for ours, 20 + face for an open one of the enemy, 40 + n for its n-th
closed piece, which never moved, and 80 + n for one that has moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.piece_values import FLAG_WORTH, worth
from p2p_stratego.stratego.rules.board import NEIGHBOURS, RAYS, SQUARES, Square
from p2p_stratego.stratego.rules.cells import CRATER, EMPTY, FACE, MOVED, OPEN, OWNER, SLOT
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FIGHTS, FLAG, IMMOBILE, MOBILE, SCOUT
from p2p_stratego.stratego.rules.state import State

MOST: Final = 1000
"""Ways that are counted: of a position with more, no puzzle is made."""
_OURS: Final = range(1, 20)
_THEIRS: Final = 20
_CLOSED: Final = 40
_MOVED: Final = 80
_BESIDE: Final = tuple(tuple((square,) for square in beside) for beside in NEIGHBOURS)
_HURTS: Final = ("won", "both")
Way: TypeAlias = tuple[Face, ...]
"""The faces of the enemy's closed pieces, by their numbers."""


class Public(NamedTuple):
    """What everybody sees of a position, and our own faces."""

    at: tuple[int, ...]
    """By square: a code; 0 for an empty one, -1 for a crater."""
    left: tuple[int, ...]
    """By face: how many of the enemy's pieces have never been opened."""
    unmoved: int
    """How many of the enemy's pieces were neither opened nor moved."""

    def possible(self, code: int) -> frozenset[Face]:
        """What a piece of the enemy can be, by what everybody has seen."""
        if code < _CLOSED:
            return _ALONE[code - _THEIRS]
        some = frozenset(face for face in FACES if self.left[face])
        if code >= _MOVED:
            return some - IMMOBILE
        return some & IMMOBILE if self.unmoved <= self.left[BOMB] + self.left[FLAG] else some

    def opened(self, square: Square, face: Face) -> Public:
        """The closed piece on `square` is turned up."""
        code, left = self.at[square], list(self.left)
        left[face] -= 1
        return Public(_with(self.at, {square: _THEIRS + face}), tuple(left), self.unmoved - (code < _MOVED))

    def changed(self, squares: dict[Square, int]) -> Public:
        """Other codes on some squares."""
        return self._replace(at=_with(self.at, squares))


_ALONE: Final = tuple(frozenset((face,)) for face in FACES)


def _with(at: tuple[int, ...], squares: dict[Square, int]) -> tuple[int, ...]:
    board = list(at)
    for square, code in squares.items():
        board[square] = code
    return tuple(board)


def _targets(at: Sequence[int], square: Square, *, runs: bool) -> Iterator[Square]:
    """The squares that a piece can reach, its own side's pieces among them."""
    for ray in RAYS[square] if runs else _BESIDE[square]:
        for target in ray:
            if at[target] < 0:
                break
            yield target
            if at[target]:
                break


def is_theirs(code: int) -> bool:
    """Whether it is a piece of the enemy."""
    return code >= _THEIRS


class Count:
    """The position of one view, and what its moves bring."""

    def __init__(self, view: View[State]) -> None:
        state, seat = view.state, view.seat
        at, closed = [0] * len(SQUARES), list[Square]()
        for square, cell in enumerate(state.board):
            if cell == CRATER:
                at[square] = -1
            elif OWNER[cell] == seat:
                at[square] = 1 + (FACE[cell] if cell >= OPEN else view.known[SLOT[cell]])
            elif cell >= OPEN:
                at[square] = _THEIRS + FACE[cell]
            elif cell != EMPTY:
                at[square] = (_MOVED if cell >= MOVED else _CLOSED) + len(closed)
                closed.append(square)
        self.public: Final = Public(tuple(at), tuple(state.left[1 - seat]), state.unmoved[1 - seat])
        self.closed: Final = tuple(closed)
        """The squares of the enemy's closed pieces, by their numbers."""
        self.moves: Final = own_moves(view)
        self._mine, self._theirs = worth(state, seat), worth(state, 1 - seat)

    @cached_property
    def ways(self) -> list[Way]:
        """Every way in which the closed pieces can lie; of more than MOST, MOST + 1 of them."""
        codes = [self.public.at[square] for square in self.closed]
        order = sorted(range(len(codes)), key=lambda n: codes[n] < _MOVED)
        left, faces, ways = list(self.public.left), [FLAG] * len(codes), list[Way]()

        def lay(place: int) -> None:
            if len(ways) > MOST:
                return
            if place == len(order):
                ways.append(tuple(faces))
                return
            n = order[place]
            for face in FACES:
                if left[face] and (codes[n] < _MOVED or face in MOBILE):
                    left[face] -= 1
                    faces[n] = face
                    lay(place + 1)
                    left[face] += 1

        lay(0)
        return ways

    def worths(self) -> dict[Move, float]:
        """By legal move: what it brings on average."""
        return {move: self.brings(move) for move in self.moves if move != NONE}

    def brings(self, move: Move) -> float:
        """What a move brings on average over all ways."""
        source, target, _between = STEPS[move]
        at = self.public.at
        mine, foe = at[source] - 1, at[target]
        if not foe:
            return self._replied(self.public.changed({source: 0, target: 1 + mine}), self.ways)
        if foe < _CLOSED:
            return self._fought(self.public, move, foe - _THEIRS, self.ways)
        n, whole = foe % _CLOSED, 0.0
        for face in {way[n] for way in self.ways}:
            some = [way for way in self.ways if way[n] == face]
            whole += len(some) * self._fought(self.public.opened(target, face), move, face, some)
        return whole / len(self.ways)

    def wins(self, move: Move) -> float:
        """The share of the ways in which an attack wins."""
        source, target, _between = STEPS[move]
        mine, foe = self.public.at[source] - 1, self.public.at[target]
        if foe < _CLOSED:
            return float(FIGHTS[mine][foe - _THEIRS] in ("won", "flag"))
        return sum(FIGHTS[mine][way[foe % _CLOSED]] in ("won", "flag") for way in self.ways) / len(self.ways)

    def threats(self, public: Public) -> list[tuple[float, Square]]:
        """What our next captures would bring if the enemy did nothing, by square, the greatest first."""
        best: dict[Square, float] = {}
        for gain, _source, target in self._captures(public):
            best[target] = max(best.get(target, 0.0), gain)
        return sorted(((gain, target) for target, gain in best.items()), reverse=True)

    def after_quiet(self, move: Move) -> Public:
        """What everybody sees after a move that attacks nothing."""
        source, target, _between = STEPS[move]
        return self.public.changed({source: 0, target: self.public.at[source]})

    def in_danger(self) -> Face | None:
        """The costliest of our pieces that a known piece of the enemy could take now; None for none."""
        at, lost = self.public.at, [(0.0, FLAG)]
        for square in SQUARES:
            if _THEIRS <= at[square] < _CLOSED and at[square] - _THEIRS in MOBILE:
                face = at[square] - _THEIRS
                hit = [at[t] - 1 for t in _targets(at, square, runs=face == SCOUT) if at[t] in _OURS]
                lost += [(self._mine[mine], mine) for mine in hit if FIGHTS[face][mine] == "won"]
        cost, mine = max(lost)
        return mine if cost else None

    def _fought(self, public: Public, move: Move, face: Face, ways: Sequence[Way]) -> float:
        """What our attack on an open piece brings."""
        source, target, _between = STEPS[move]
        mine = public.at[source] - 1
        result = FIGHTS[mine][face]
        if result == "flag":
            return FLAG_WORTH
        gain = self._theirs[face] * (result in _HURTS) - self._mine[mine] * (result in ("lost", "both"))
        there = {"won": 1 + mine, "both": 0, "lost": public.at[target]}[result]
        return gain + self._replied(public.changed({source: 0, target: there}), ways)

    # The enemy's reply

    def _replied(self, public: Public, ways: Sequence[Way]) -> float:
        """What is left after the worst reply, on average over `ways`."""
        surely, by_number = list[float](), dict[int, dict[Face, float]]()
        for square, code in enumerate(public.at):
            if code < _THEIRS:
                continue
            worst = self._worst(public, square)
            if code < _CLOSED:
                surely += worst.values()
            elif worst:
                by_number[code % _CLOSED] = worst
        least = min(surely, default=FLAG_WORTH)  # an enemy that cannot move has lost
        tables = list(by_number.items())
        return sum(
            min([least, *(table[way[n]] for n, table in tables if way[n] in table)]) for way in ways
        ) / len(ways)

    def _worst(self, public: Public, square: Square) -> dict[Face, float]:
        """By face that can move, what is left after the worst move of the enemy's piece on a square."""
        code, quiet, worst = public.at[square], dict[Square, float](), dict[Face, float]()
        for face in public.possible(code) & MOBILE:
            values = []
            for target in _targets(public.at, square, runs=face == SCOUT):
                if public.at[target] in _OURS:
                    values.append(self._hit(public, square, target, face))
                elif not public.at[target]:
                    if target not in quiet:
                        quiet[target] = self._second(_stepped(public, square, target))
                    values.append(quiet[target])
            if values:
                worst[face] = min(values)
        return worst

    def _hit(self, public: Public, square: Square, target: Square, face: Face) -> float:
        """What is left after an attack of the enemy's."""
        mine = public.at[target] - 1
        result = FIGHTS[face][mine]
        if result == "flag":
            return -FLAG_WORTH
        shown = public if public.at[square] < _CLOSED else public.opened(square, face)
        gain = self._theirs[face] * (result in ("lost", "both")) - self._mine[mine] * (result in _HURTS)
        there = {"won": _THEIRS + face, "both": 0, "lost": 1 + mine}[result]
        return gain + self._second(shown.changed({square: 0, target: there}))

    # Our next capture

    def _second(self, public: Public) -> float:
        """What our next capture brings; 0 for none."""
        return max((gain for gain, _source, _target in self._captures(public)), default=0.0)

    def _captures(self, public: Public) -> Iterator[tuple[float, Square, Square]]:
        """What captures of known pieces gain, from where and where."""
        at = public.at
        for source in SQUARES:
            mine = at[source] - 1
            if at[source] not in _OURS or mine in IMMOBILE:
                continue
            for target in _targets(at, source, runs=mine == SCOUT):
                if not is_theirs(at[target]):
                    continue
                faces = public.possible(at[target])
                if len(faces) > 1:
                    continue
                gain = self._gain(public, source, target, *faces)
                if gain > 0:
                    yield gain, source, target

    def _gain(self, public: Public, source: Square, target: Square, face: Face) -> float:
        mine = public.at[source] - 1
        result = FIGHTS[mine][face]
        if result == "flag":
            return FLAG_WORTH
        if result == "lost":
            return -self._mine[mine]
        falls = result == "both" or _retaken(public, source, target, mine)
        return self._theirs[face] - self._mine[mine] * falls


def _stepped(public: Public, square: Square, target: Square) -> Public:
    """A piece of the enemy goes to a free square; one that runs is seen to be a scout."""
    code = public.at[square]
    if code >= _CLOSED and target not in NEIGHBOURS[square]:
        public = public.opened(square, SCOUT)
        code = public.at[square]
    elif _CLOSED <= code < _MOVED:
        public, code = public._replace(unmoved=public.unmoved - 1), code + _MOVED - _CLOSED
    return public.changed({square: 0, target: code})


def _retaken(public: Public, source: Square, target: Square, mine: Face) -> bool:
    """Whether a piece beside `target` may beat ours there."""
    beside: Iterable[int] = (public.at[square] for square in NEIGHBOURS[target] if square != source)
    return any(
        FIGHTS[face][mine] in _HURTS
        for code in beside
        if is_theirs(code)
        for face in public.possible(code) & MOBILE
    )
