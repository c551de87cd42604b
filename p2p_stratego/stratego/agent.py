"""The strong opponent: weighs every move by what it expects to win, what it exposes, and where it leads.

It looks one step ahead, at what each attack can meet and at what the enemy can take in reply, by beliefs about
what closed pieces can be.  It sees what its seat may see, and does not bluff on purpose.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from ..table import Commit, Face, Move
from ..view import Chance, View
from .beliefs import expected
from .board import NEIGHBOURS, SIDE, Square
from .cells import EMPTY, MOVED, OPEN
from .deploy import dealt
from .fields import field
from .leanings import Conduct
from .movement import legal, own_reach
from .notation import NONE, PLACES, STEPS, fill
from .picture import BETRAYED, Picture
from .pieces import FIGHTS, MOBILE
from .recruit import drawn
from .replies import OPEN_SEEN, SEEN_MOVED, UNSEEN, Replies
from .setups import answers
from .state import State

WHIM: Final = 0.02
FIRST_STEP: Final = 0.05
STALE: Final = 0.06
GUARD: Final = 12.0
GUARD_FADING: Final = 0.6
RUNS_AWAY: Final = 0.4
EXPOSED: Final = 10.0
IMPATIENCE: Final = 80


class Agent:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._fill: Move | None = None
        self._conduct: Conduct | None = None
        self._been: Counter[Square] = Counter()

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """What to answer to `view.decision`, of which there must be one."""
        state = view.state
        if isinstance(view.decision, Commit):
            faces, self._fill = answers(dealt(state.army, self._chance))
            return faces
        if state.phase == "squares":
            return self._fill or fill(drawn(range(PLACES), state.army.size, self._chance))
        if self._conduct is None:
            self._conduct = Conduct(1 - view.seat)
        self._conduct.watch(state)
        moves = legal(state, own_reach(view.seat, view.known))
        if not moves:
            return NONE
        if state.calm < 2:
            self._been.clear()
        best = self._best(Picture(view, self._conduct.leanings), moves)
        self._been[STEPS[best][1]] += 1
        return best

    def _best(self, picture: Picture, moves: list[Move]) -> Move:
        weigher = Weigher(picture)
        whims = {move: self._chance.random() * WHIM - STALE * self._been[STEPS[move][1]] for move in moves}
        return max(moves, key=lambda move: weigher.weigh(move) + whims[move])


class Weigher:
    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.replies = Replies(picture)
        state = picture.state
        self.seen = {
            square: OPEN_SEEN if cell >= OPEN else SEEN_MOVED if cell >= MOVED else UNSEEN
            for square in picture.mine
            for cell in (state.board[square],)
        }
        impatience = min(1.0, state.calm / IMPATIENCE)
        self.boldness = 0.8 * impatience * max(0.0, min(1.0, 2 * picture.lead - 0.6))
        self.urge = 1 + 2 * impatience
        self.gains = {}
        self.fields = {}

    def gain(self, face: Face, target: Square, closed: bool) -> float:
        key = (face, closed)
        if key not in self.gains:
            self.gains[key] = self.picture.gains(face, closed=closed, boldness=self.boldness)
        unknown, known = self.gains[key]
        return expected(
            self.picture.foes[target], known if self.picture.state.board[target] >= OPEN else unknown
        )

    def field(self, face: Face) -> list[float]:
        if face not in self.fields:
            pulls = {}
            picture = self.picture
            for target, found in picture.foes.items():
                gain = self.gain(face, target, False)
                mobile = sum(found[f] for f in MOBILE)
                gain *= 1 - RUNS_AWAY * mobile
                wins = sum(share for f, share in enumerate(found) if share and FIGHTS[face][f] == "won")
                apart = abs(target // SIDE - picture.flag // SIDE) + abs(target % SIDE - picture.flag % SIDE)
                gain += GUARD * GUARD_FADING**apart * mobile * wins
                if gain > 0:
                    pulls[target] = gain
            self.fields[face] = field(picture, face, pulls)
        return self.fields[face]

    def weigh(self, move: Move) -> float:
        picture = self.picture
        source, target, between = STEPS[move]
        face = picture.mine[source]
        mine = dict(picture.mine)
        del mine[source]
        seen = dict(self.seen)
        closed = source in picture.closed
        board = picture.state.board
        points = -FIRST_STEP if closed and board[source] < MOVED else 0.0
        if board[target] == EMPTY:
            mine[target] = face
            seen[target] = OPEN_SEEN if between or not closed else SEEN_MOVED
            if between and closed:
                points -= BETRAYED * picture.worth[face]
            where = self.field(face)
            points += self.urge * (where[target] - where[source])
            return points - self.replies.loss(mine, seen) - self.exposed(mine)
        points += self.gain(face, target, closed)
        found = picture.foes[target]
        wins = sum(share for f, share in enumerate(found) if share and FIGHTS[face][f] in ("won", "flag"))
        loses = sum(share for f, share in enumerate(found) if share and FIGHTS[face][f] == "lost")
        after = {**mine, target: face}
        seen[target] = OPEN_SEEN
        if wins:
            points -= wins * (self.replies.loss(after, seen, target) + self.exposed(after, target))
        if loses:
            points -= loses * (self.replies.loss(mine, seen) + self.exposed(mine))
        if wins + loses < 1:
            points -= (1 - wins - loses) * (
                self.replies.loss(mine, seen, target) + self.exposed(mine, target)
            )
        return points

    def exposed(self, mine, gone=-1) -> float:
        picture = self.picture
        near = {picture.flag}
        reached = {picture.flag}
        worst = 0.0
        weight = EXPOSED
        for _ in range(6):
            ring = set()
            for square in near:
                for beside in NEIGHBOURS[square]:
                    if beside not in reached:
                        reached.add(beside)
                        if beside in picture.foes and beside != gone:
                            found = picture.foes[beside]
                            worst = max(worst, weight * (1 - found[0] - found[11]))
                        elif beside not in mine:
                            ring.add(beside)
            near = ring
            weight *= 0.5
            if not near or worst >= weight:
                break
        return worst
