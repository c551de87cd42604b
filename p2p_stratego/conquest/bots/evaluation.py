"""The worth of a move to the agent: fights by their odds, territories, the way to a flag, and the own flag.

Everything is counted in the strength of pieces: a duke that goes to its bag costs about what VALUES says.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.conquest.bots.beliefs import Beliefs, may_move
from p2p_stratego.conquest.bots.characters import EVEN, Temper
from p2p_stratego.conquest.bots.distances import STEPS_APART
from p2p_stratego.conquest.rules.atlas import CITIES, NEIGHBOURS, TERRITORIES, TERRITORY_OF, TerritoryId, Zone
from p2p_stratego.conquest.rules.flags import keeper, winner_by
from p2p_stratego.conquest.rules.pieces import FIGHTS, FIXED, FLAG, SPY
from p2p_stratego.conquest.rules.state import Piece
from p2p_stratego.core.game import Face, Seat

VALUES: Final[tuple[float, ...]] = (2.0, 1.2, 1.0, 1.4, 1.4, 1.8, 2.3, 2.9, 3.6, 4.4, 5.0, 30.0)
"""By face: the cost of its loss from the board."""
TERRITORY: Final = 0.7
CITY: Final = 1.5
"""The worth of owning a territory, and a city on top of that."""
OTHERS: Final = 0.5
"""The worth of an enemy's loss of a territory, beside an own gain."""
SHOWN: Final = 0.12
"""The part of its value that a piece loses by being opened."""


FLAG_TAKEN: Final = 40.0
"""The worth of an enemy's flag, and FLAG_WITH_IT each flag that the enemy had captured."""
FLAG_WITH_IT: Final = 15.0
NEAR_HOME: Final = 3
"""Steps from the own flag within which an enemy is worth fighting for that alone."""
ALARM: Final = 6
"""Steps from the own flag within which a piece that may move is a danger."""
LEARNT: Final = 0.2
"""The part of an enemy's value that it loses by being seen."""


class Weigher:
    """Weighs the moves of one seat at one moment."""

    def __init__(self, beliefs: Beliefs, temper: Temper = EVEN) -> None:
        self._temper = temper
        self.beliefs, self.state, self.seat = beliefs, beliefs.state, beliefs.seat
        self.owner = [None if piece is None else piece.seat for piece in self.state.board]
        self.rivals = tuple(self._rival(seat) for seat in range(self.state.seats))
        flags = beliefs.flag_zones().items()
        self.flags = tuple((zone, share) for zone, share in flags if self.captures(self.owner[zone] or 0))
        self.home = self._home()
        self.danger = self._danger()

    def _rival(self, seat: Seat) -> float:
        """How much damage to a seat counts: the strongest one the most."""
        state = self.state
        strength = [
            len(state.owned(other)) + 4 * len(state.captives(other)) + len(state.zones_held(other)) / 3
            for other in range(state.seats)
        ]
        most = max((power for other, power in enumerate(strength) if other != self.seat), default=1) or 1
        return 0.6 + 0.6 * strength[seat] / most

    def _home(self) -> Zone | None:
        """Where the own flag stands."""
        for zone, piece in enumerate(self.state.board):
            if piece is not None and piece.seat == self.seat and self.beliefs.face(piece) == FLAG:
                return zone
        return None

    def _danger(self) -> float:
        """How near the enemies are to the own flag: 0, and about 1 for a piece beside it."""
        if self.home is None:
            return 0.0
        return sum(
            max(0, ALARM - STEPS_APART[zone][self.home]) / ALARM
            for zone, piece in enumerate(self.state.board)
            if piece is not None and piece.seat != self.seat and may_move(piece, self.beliefs.face(piece))
        )

    def land(self, changes: dict[Zone, Seat | None]) -> float:
        """The gain in territories from changes on these zones, for the seat."""
        gain = 0.0
        for place in {TERRITORY_OF[zone] for zone in changes}:
            zones = TERRITORIES[place].zones
            before = {self.owner[zone] for zone in zones}
            after = {changes.get(zone, self.owner[zone]) for zone in zones}
            gain += self._owned(place, after) - self._owned(place, before)
        return gain

    def _owned(self, place: TerritoryId, there: set[Seat | None]) -> float:
        """The worth of these pieces in a territory; None: an empty zone."""
        seats = there - {None}
        if len(seats) != 1:
            return 0.0
        worth = self._temper.land * (TERRITORY + CITY * (place in CITIES))
        owner = seats.pop()
        return worth if owner == self.seat or owner is None else -OTHERS * self.rivals[owner] * worth

    def pull(self, zone: Zone, face: Face) -> float:
        """How much the enemies' flags attract a piece on `zone`."""
        near = STEPS_APART[zone]
        drawn = sum(
            chance * self.rivals[self.owner[there] or 0] / (1 + near[there]) for there, chance in self.flags
        )
        worth = self._temper.approach * drawn
        if self._temper.strike:  # one move leads here: those behind it may lead on
            within = self.state.moves_left - 1
            close = sum(chance / (1 + near[there]) for there, chance in self.flags if near[there] <= within)
            worth += self._temper.strike * close
        return worth * (0.4 if face == SPY else 1.0)

    def guard(self, zone: Zone) -> float:
        """The worth of a piece on `zone` for the own flag."""
        if self.home is None or zone not in NEIGHBOURS[self.home]:
            return 0.0
        return self._temper.guard * (0.4 + min(self.danger, 2.0))

    def risk(self, zone: Zone, face: Face, *, shown: bool) -> float:
        """The expected loss of a piece on `zone` to the strongest neighbour."""
        worst = 0.0
        for other in NEIGHBOURS[zone]:
            piece = self.state.board[other]
            if piece is None or piece.seat == self.seat or not may_move(piece, self.beliefs.face(piece)):
                continue
            beaten = sum(
                chance
                for its, chance in self.beliefs.chances(piece).items()
                if its not in FIXED and FIGHTS[its][face] in ("won", "flag")
            )
            worst = max(worst, beaten)
        return worst * VALUES[face] * self._temper.risk * (1.0 if shown else 0.6)

    def move(self, source: Zone, target: Zone) -> float:
        """The worth of a legal move."""
        piece, foe = self.state.board[source], self.state.board[target]
        face = None if piece is None else self.beliefs.face(piece)
        if piece is None or face is None:
            return 0.0
        shown = piece.face is not None
        leaving = -self.guard(source)
        if foe is None:
            ran = target not in NEIGHBOURS[source]
            gain = self.land({source: None, target: self.seat}) + self.guard(target)
            gain += self.pull(target, face) - self.pull(source, face)
            gain += self.risk(source, face, shown=shown) - self.risk(target, face, shown=shown or ran)
            return gain + leaving - (SHOWN * VALUES[face] if ran and not shown else 0.0)
        gain = self.attack(face, source, target, foe)
        return gain + leaving - (0.0 if shown else SHOWN * VALUES[face])

    def attack(self, face: Face, source: Zone, target: Zone, foe: Piece) -> float:
        """The worth of an attack, over all that the defender can be."""
        moved_in = self.land({source: None, target: self.seat}) - self.risk(target, face, shown=True)
        if self._temper.pursuit:
            moved_in += self._temper.pursuit * (self.pull(target, face) - self.pull(source, face))
        both_gone = self.land({source: None, target: None})
        fallen = self.land({source: None})
        own = self._temper.caution * VALUES[face]
        rival, near_home = self.rivals[foe.seat], self._near_home(target, foe)
        gain = 0.0
        for its, chance in self.beliefs.chances(foe).items():
            result = FIGHTS[face][its]
            if result == "flag":
                gain += chance * (moved_in + self.flag_worth(foe.seat))
            elif result == "won":
                gain += chance * (moved_in + rival * VALUES[its] + near_home)
            elif result == "both":
                gain += chance * (both_gone + rival * VALUES[its] + near_home - own)
            else:
                gain += chance * (fallen - own + (LEARNT * VALUES[its] if foe.face is None else 0.0))
        return gain

    def flag_worth(self, victim: Seat) -> float:
        """The worth of capturing the flag of `victim`; without its own, the seat captures for another one."""
        if not self.captures(victim):
            return -FLAG_TAKEN if winner_by(self.state, self.seat, victim) is not None else 0.0
        captives = len(self.state.captives(victim))
        return FLAG_TAKEN * self.rivals[victim] + FLAG_WITH_IT * captives

    def captures(self, victim: Seat) -> bool:
        """Whether the seat keeps what it captures of `victim`."""
        return keeper(self.state, self.seat, victim) == self.seat

    def _near_home(self, zone: Zone, foe: Piece) -> float:
        """The worth for the own flag of the loss of an enemy on `zone`."""
        if self.home is None or not may_move(foe, self.beliefs.face(foe)):
            return 0.0
        return max(0.0, 2.0 * (NEAR_HOME + 1 - STEPS_APART[zone][self.home]))

    def placed(self, zone: Zone, face: Face) -> float:
        """The worth of a piece from the bag on a free zone."""
        gain = self.land({zone: self.seat}) + self.guard(zone) + VALUES[face] / 2
        moves = 0.0 if face in FIXED else self.pull(zone, face)
        return gain + moves - self.risk(zone, face, shown=False)

    def safe(self, zone: Zone) -> float:
        """How well the own flag stands on a free zone."""
        enemies = [
            STEPS_APART[zone][there]
            for there, piece in enumerate(self.state.board)
            if piece is not None and piece.seat != self.seat and may_move(piece, self.beliefs.face(piece))
        ]
        own = sum(self.owner[near] == self.seat for near in NEIGHBOURS[zone])
        return min(enemies, default=12) + 0.7 * own - 0.4 * len(NEIGHBOURS[zone])
