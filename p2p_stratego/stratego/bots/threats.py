"""The threats of the enemy's next move, after an agent's considered move.

It looks one step ahead, at every enemy piece that can reach an own one: its chances, its owner's courage, and
the own piece that could take back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face
from p2p_stratego.stratego.bots.position import IS_OPEN, Picture, Stand
from p2p_stratego.stratego.rules.board import NEIGHBOURS, RAYS, Square
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, FLAG, MARSHAL, MOBILE, SCOUT, SPY

TIMID: Final = 0.25
"""How often an enemy attacks a closed piece against its own expectation."""
REST: Final = 0.3
"""The weight of all threats but the worst: the enemy can carry out only one at a time."""
EXPOSED: Final = 10.0
"""The cost of an enemy piece next to the flag; half as much for each further step."""
DOORSTEPS: Final = 6
"""The distance from the flag within which that counts."""
RUN_DOWN: Final = (FLAG, SPY)
"""The faces that a scout from afar can take."""


class _Threat(NamedTuple):
    """The factors in the cost of one enemy piece beside one own piece."""

    source: Square
    own: Face
    seen: int
    guard: Face
    """The highest own rank that could take back, 0 for none."""
    spied: bool
    """Whether a spy could take back."""


class Replies:
    """The threats to one side's pieces, cached between considered moves."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._costs: dict[_Threat, float] = {}
        own, foes = picture.worth, picture.foe_worth
        self._prizes = [
            [
                {"won": own[mine], "lost": -foes[foe], "both": own[mine] - foes[foe], "flag": own[mine]}[
                    FIGHTS[foe][mine]
                ]
                for mine in FACES
            ]
            for foe in FACES
        ]
        """By enemy face and own face: the enemy's gain by that attack."""
        self.dares: Final = [
            [1.0 if sum(map(float.__mul__, thought, prizes)) > 0 else TIMID for prizes in self._prizes]
            for thought in picture.thought
        ]
        """By the seen state of a closed own piece and by enemy face: how likely the enemy attacks it."""
        self._armed = [square for square, mobile in picture.mobile.items() if mobile]

    def cost(self, stand: Stand) -> float:
        """The expected loss to the enemy's reply, and its nearness to the flag; in worth, mostly ≥ 0."""
        costs = [cost for cost in self._reply_costs(stand) if cost > 0]
        worst = max(costs, default=0.0)
        return worst + REST * (sum(costs) - worst) + self._exposed(stand)

    def _reply_costs(self, stand: Stand) -> Iterator[float]:
        mine, seen, gone = stand
        for source in self._armed:
            if source != gone:
                for square in NEIGHBOURS[source]:
                    if square in mine:
                        yield self.threat(source, mine[square], seen[square], *_guards(mine, square))
        for square, face in mine.items():
            if face in RUN_DOWN:
                yield from self._run_down(stand, square)

    def threat(self, source: Square, own: Face, seen: int, guard: Face = 0, spied: bool = False) -> float:
        """The expected loss to the enemy on `source` of an own piece beside it: see `_Threat`."""
        threat = _Threat(source, own, seen, guard, spied)
        cost = self._costs.get(threat)
        if cost is None:
            cost = self._costs[threat] = self._weighed(threat)
        return cost

    def _weighed(self, threat: _Threat) -> float:
        cost = 0.0
        for face in MOBILE:
            share = self._picture.foes[threat.source][face]
            if share:
                prize = self._prizes[face][threat.own]
                taken_back = threat.guard > face or (threat.spied and face == MARSHAL)
                if taken_back and FIGHTS[face][threat.own] == "won":
                    prize -= self._picture.foe_worth[face]
                if threat.seen == IS_OPEN:
                    cost += share * max(0.0, prize)
                else:
                    cost += share * prize * self.dares[threat.seen][face]
        return cost

    def _run_down(self, stand: Stand, square: Square) -> Iterator[float]:
        """Scouts that see an own piece along a free line of two squares or more."""
        mine, seen, gone = stand
        foes, face = self._picture.foes, mine[square]
        for ray in RAYS[square]:
            for steps, other in enumerate(ray):
                if other in mine:
                    break
                if other in foes and other != gone:
                    if steps:
                        daring = 1.0 if seen[square] == IS_OPEN else self.dares[seen[square]][SCOUT]
                        yield foes[other][SCOUT] * daring * self._prizes[SCOUT][face]
                    break

    def _exposed(self, stand: Stand) -> float:
        """How near an enemy is to the flag along a free way; worse the likelier it can move."""
        mine, _, gone = stand
        foes, flag = self._picture.foes, self._picture.flag
        reached, ring, weight = {flag}, [flag], EXPOSED
        for _ in range(DOORSTEPS):
            worst, beyond = 0.0, []
            for square in ring:
                for beside in NEIGHBOURS[square]:
                    if beside in foes and beside != gone:
                        worst = max(worst, self._picture.mobile[beside])
                    elif beside not in mine and beside not in reached:
                        reached.add(beside)
                        beyond.append(beside)
            if worst:
                return weight * worst
            ring, weight = beyond, weight / 2
        return 0.0


def _guards(mine: Mapping[Square, Face], square: Square) -> tuple[Face, bool]:
    """The highest own rank beside a square, and whether there is a spy."""
    faces = [face for beside in NEIGHBOURS[square] if (face := mine.get(beside, FLAG)) in MOBILE]
    return max(faces, default=0), SPY in faces
