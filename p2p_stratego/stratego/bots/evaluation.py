"""How good a move is: its immediate gain or loss, its risk, the information it gives, its direction.

All in the units of `worth`.  The numbers serve only to compare moves of one position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.game import Face, Move
from p2p_stratego.stratego.bots.beliefs import expected
from p2p_stratego.stratego.bots.characters import EVEN, Temper
from p2p_stratego.stratego.bots.position import HAS_MOVED, IS_OPEN, NEVER_MOVED, Picture, Stand, fares, taken
from p2p_stratego.stratego.bots.potential_fields import field
from p2p_stratego.stratego.bots.threats import Replies
from p2p_stratego.stratego.rules.board import NEIGHBOURS, SIDE, Square
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, Fight

BETRAYED: Final = 0.12
"""The share of its own worth that a closed piece loses by being seen."""
FIRST_STEP: Final = 0.05
"""The cost of showing that a piece is neither bomb nor flag."""
RUNS_AWAY: Final = 0.4
"""How much less a mobile target attracts."""
GUARD_FADING: Final = 0.6
"""The factor on a temper's guard for each step of the enemy's distance from the flag."""
PATIENCE: Final = 80
"""After so many moves without an attack, boldness and urge are at their height."""
MOST_BOLDNESS: Final = 0.8
"""The share of own losses that counts nothing by then, to a side far ahead."""
MORE_URGE: Final = 2.0
"""How much more of a temper's urge counts by then."""

_GONE: Final[Mapping[Fight, bool]] = {"won": True, "both": True, "lost": False}
"""Whether the piece attacked is off the board; taking the flag ends the game."""


class Weigher:
    """Weighs the moves of one position."""

    def __init__(self, picture: Picture, temper: Temper = EVEN) -> None:
        self._picture = picture
        self._temper = temper
        self._replies = Replies(picture)
        self.dares: Final = self._replies.dares
        self._gains: dict[tuple[Face, bool, bool], list[float]] = {}
        self._fields: dict[Face, list[float]] = {}
        impatience = min(1.0, picture.state.calm / PATIENCE)
        ahead = max(0.0, min(1.0, 2 * picture.lead - 0.6))
        self.losses_count: Final = temper.caution * (1 - MOST_BOLDNESS * impatience * ahead)
        self._urge = temper.urge * (1 + MORE_URGE * impatience)

    def weigh(self, move: Move) -> float:
        """How good a legal move from square to square is; the greater the better."""
        source, target, between = STEPS[move]
        mine, seen, _ = self._picture.stand
        face = mine[source]
        others = {square: own for square, own in mine.items() if square != source}
        points = -FIRST_STEP if seen[source] == NEVER_MOVED else 0.0
        if target in self._picture.foes:
            return points + self._clash(face, source, target, others)
        shown = IS_OPEN if between else max(HAS_MOVED, seen[source])
        if shown > max(HAS_MOVED, seen[source]):
            points -= BETRAYED * self._picture.worth[face]
        ways = self._field(face)
        points += self._urge * (ways[target] - ways[source])
        stand = Stand({**others, target: face}, {**seen, target: shown})
        return points - self._temper.dread * self._replies.cost(stand)

    def goals(self, face: Face) -> list[float]:
        """By square, how much an own piece of this face wants to be there, ≥ 0."""
        return [self._urge * pull for pull in self._field(face)]

    def attacks(self, square: Square) -> bool:
        """Whether a move there is an attack."""
        return square in self._picture.foes

    def risk(self, face: Face, square: Square, shown: int) -> float:
        """What the enemies beside a square threaten to take of an own piece of this face there, ≥ 0."""
        beside = (other for other in NEIGHBOURS[square] if other in self._picture.foes)
        return sum(max(0.0, self._replies.threat(other, face, shown)) for other in beside)

    def _clash(self, face: Face, source: Square, target: Square, others: dict[Square, Face]) -> float:
        """The value of an attack: its expected gain, and the enemy's replies to each of its results."""
        seen = self._picture.stand.seen
        points = self.gain(face, target, closed=seen[source] != IS_OPEN)
        results = fares(face, self._picture.foes[target])
        for result, gone in _GONE.items():
            if results[result]:
                mine = {**others, target: face} if result == "won" else others
                stand = Stand(mine, {**seen, target: IS_OPEN}, *([target] if gone else []))
                points -= self._temper.dread * results[result] * self._replies.cost(stand)
        return points

    def gain(self, face: Face, target: Square, *, closed: bool) -> float:
        """The expected gain of an attack by an own piece, closed or open."""
        odds = self._picture.foes[target]
        key = (face, closed, max(odds) < 1)
        gains = self._gains.get(key)
        if gains is None:
            gains = self._gains[key] = [self._prize(*key, foe) for foe in FACES]
        return expected(odds, gains)

    def _prize(self, face: Face, closed: bool, unknown: bool, foe: Face) -> float:
        own = self._picture.worth[face]
        risked, prize = own * self.losses_count, self._picture.foe_worth[foe]
        prizes: dict[Fight, float] = {
            "won": prize - (BETRAYED * own if closed else 0.0),
            "lost": (self._temper.curiosity * prize if unknown else 0.0) - risked,
            "both": prize - risked,
            "flag": self._temper.flag_greed * prize,
        }
        return prizes[FIGHTS[face][foe]]

    def _field(self, face: Face) -> list[float]:
        ways = self._fields.get(face)
        if ways is None:
            pulls = {target: self.pull(face, target) for target in self._picture.foes}
            pulls = {target: pull for target, pull in pulls.items() if pull > 0}
            ways = self._fields[face] = field(self._picture, face, pulls)
        return ways

    def pull(self, face: Face, target: Square) -> float:
        """How much an own piece wants to attack there, also to keep the enemy away from the flag."""
        odds, flag = self._picture.foes[target], self._picture.flag
        mobile = self._picture.mobile[target]
        apart = abs(target // SIDE - flag // SIDE) + abs(target % SIDE - flag % SIDE)
        guarding = self._temper.guard * GUARD_FADING**apart * mobile * taken(face, odds)
        return self.gain(face, target, closed=False) * (1 - RUNS_AWAY * mobile) + guarding
