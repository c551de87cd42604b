"""When a program gives its player's voice against a silent seat without asking: twice, and on no other ground
than its own measure.

For a player who has resigned, another seat's AWAY is the occasion.  The decider signs Gone when the last
accuser's AWAY comes behind that of its player, if the silent seat was not heard meanwhile.
"""

from __future__ import annotations

from math import inf

from p2p_stratego.core.game import Seat
from protocol.replication.presence import Presence
from protocol.replication.timekeeping import TimeKeeper
from protocol.seat import waiting
from protocol.seat.session import Session


class Voice:
    """The voice of one player at a table of three or more."""

    def __init__(self, session: Session, presence: Presence, times: TimeKeeper) -> None:
        self._session, self._presence, self._times = session, presence, times
        self._given: tuple[int, Seat, float] | None = None
        """After how many entries our player called which seat away last, and when, in this process."""
        self.due = inf
        """When `against` is to be asked next, if nothing happens before."""

    def given(self, now: float) -> tuple[int, bool]:
        """Our player calls a seat away: the seconds that its AWAY tells, and whether it is of time."""
        if (accused := self._session.claimable) is None:
            return 0, False
        self._given = self._session.referee.count, accused, now
        return self._times.waited(accused, now)

    def against(self, now: float) -> Seat | None:
        """The seat against which the program is to give the voice now; None if there is none."""
        session, self.due = self._session, inf
        accused = session.claimable
        if accused is None or not session.referee.many or not session.proven:
            return None
        left = self._left(accused, now) if session.left else self._stands(accused, now)
        self.due = now + left if left else inf
        return None if left else accused

    def _left(self, accused: Seat, now: float) -> float:
        """Seconds until the program of a seat that has resigned may say that another one is away."""
        session = self._session
        called = waiting.others_call(session.referee, accused, session.seat)
        return self._times.voice_in(accused, now) if called else inf

    def _stands(self, accused: Seat, now: float) -> float:
        """0 if the decider's own word still stands by its own measure, otherwise infinite."""
        referee, given = self._session.referee, self._given
        if given is None or not waiting.is_called(referee, accused, by=self._session.seat):
            return inf
        same, at = given[:2] == (referee.count, accused), given[2]
        heard = self._presence.heard_at(accused) >= at
        return 0.0 if same and not heard and self._times.claimable_in(accused, now) == 0.0 else inf
