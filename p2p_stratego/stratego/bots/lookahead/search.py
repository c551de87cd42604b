"""Looks ahead in worlds that could be: alpha-beta on sampled faces of the enemy's closed pieces.

In each world the enemy's pieces are what was drawn, but nobody cheats: an own attack on a closed piece is
worth what it is worth by all beliefs, and ends the line; the enemy attacks a closed own piece as often as
`Replies` has it.  A move is as good as the mean over all worlds, beside what the `Weigher` says.  The number
of positions is bounded, not the time, so that the same chance leads to the same moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.view import Chance
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.lookahead.world import FACE_OF, SEEN, World
from p2p_stratego.stratego.bots.position import IS_OPEN, Picture
from p2p_stratego.stratego.bots.setup_generator import sample
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import FLAG

DEPTH: Final = 3
"""Moves that are tried one after the other, the one in question included, before attacks alone."""
DEEPER: Final = 32_000
"""With so many positions to see, one move more: with fewer it would see too few worlds."""
ATTACKS: Final = 3
"""Attacks in a row after those."""
PRIOR: Final = 0.5
"""How much the weigher's own judgement counts."""
SURE: Final = 4
"""Worlds after which a move is dropped that is worse than the best by MARGIN."""
MARGIN: Final = 4.0
LOST: Final = 50.0
"""What a side loses that has no move."""
_SWAPS: Final = 4
"""Exchanges of faces for each closed piece, which bring a drawn world nearer to what is believed."""


class Search:
    """Looks ahead from one position."""

    def __init__(self, picture: Picture, weigher: Weigher, chance: Chance) -> None:
        self._picture, self._weigher, self._chance = picture, weigher, chance
        self.world: Final = World(picture, weigher)
        self._nodes = 0
        self._depth = DEPTH

    def points(self, moves: Sequence[Move], nodes: int) -> dict[Move, float]:
        """How good each move is; it ends with the world in which it has seen so many positions."""
        self._depth = DEPTH + (nodes >= DEEPER)
        prior = {move: PRIOR * self._weigher.weigh(move) for move in moves}
        sums, left, worlds = dict.fromkeys(moves, 0.0), list(moves), 0
        while True:
            self.world.lay(self.drawn())
            for move in left:
                sums[move] += self.tried(move)
            worlds += 1
            points = {move: prior[move] + sums[move] / worlds for move in left}
            if worlds >= SURE:
                least = max(points.values()) - MARGIN
                left = [move for move in left if points[move] >= least]
            if self._nodes > nodes or len(left) == 1 or not self.world.hidden:  # else each is as the last
                return {move: points.get(move, -inf) for move in moves}

    def drawn(self) -> dict[int, Face]:
        """A face for each hidden piece, all together those that are left."""
        hidden = self.world.hidden
        odds = {piece: self._picture.foes[self.world.homes[piece]] for piece in hidden}
        state = self._picture.state
        all_left = state.left[1 - state.seat]
        left, faces = list(all_left), dict[int, int]()
        pieces = sample(hidden, len(hidden), self._chance)
        for piece in sorted(pieces, key=lambda piece: not hidden[piece]):
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
            first, other = (pieces[int(self._chance.random() * len(pieces))] for _ in range(2))
            face, with_face = faces[first], faces[other]
            if face != with_face:
                now = odds[first][face] * odds[other][with_face]
                then = odds[first][with_face] * odds[other][face]
                if self._chance.random() * now < then:
                    faces[first], faces[other] = with_face, face
        return faces

    def tried(self, move: Move) -> float:
        """What a move gains in this world."""
        world = self.world
        source, target, _ = STEPS[move]
        piece, foe, base = world.at[source], world.at[target], world.score
        closed = world.is_hidden(foe)
        gain = world.gain(foe, world.codes[piece]) if closed else 0.0
        undo = world.make(piece, target)
        at_once = world.score - base
        taken = foe >= 0 and FACE_OF[undo[5]] == FLAG
        self._nodes += taken  # a position like any other: where every move takes the flag, no other is seen
        value = world.score if taken else -self.value(1, self._depth - 1, -inf, inf)
        world.unmake(undo)
        return gain + value - base - at_once if closed else value - base

    def value(self, side: int, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move; from depth 0 on only by attacks that gain, or by none."""
        self._nodes += 1
        sign = 1 - 2 * side
        best = -inf
        if depth <= 0:
            best = sign * self.world.score
            alpha = max(alpha, best)
            if alpha >= beta or depth == -ATTACKS:
                return best
        moves = self.world.moves(side, depth <= 0)
        if depth > 0 and not moves:
            return sign * self.world.score - LOST
        moves.sort(reverse=True)
        for order, piece, target in moves:
            if not side and self.world.is_hidden(self.world.at[target]):
                value = self.world.score + order
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
        world, (piece, target) = self.world, move
        foe, daring, sign = world.at[target], 1.0, 1 - 2 * side
        still = sign * world.score
        if side and foe >= 0:
            face, seen = divmod(world.codes[foe], SEEN)
            if seen != IS_OPEN and face != FLAG:
                daring = self._weigher.dares[seen][FACE_OF[world.codes[piece]]]
        undo = world.make(piece, target)
        if foe >= 0 and FACE_OF[undo[5]] == FLAG:
            value = sign * world.score
        elif daring < 1:
            value = daring * -self.value(1 - side, depth - 1, -inf, inf) + (1 - daring) * still
        else:
            value = -self.value(1 - side, depth - 1, -beta, -alpha)
        world.unmake(undo)
        return value
