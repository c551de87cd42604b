"""How long the others have kept a match waiting: the ground of an AWAY claim."""

from __future__ import annotations

from protocol.channel.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.record.pace import Pace


class Patience:
    """Measures one wait; `now` is always seconds on one monotonic clock.

    The clock starts when the obligation arises.  A brief reconnection does not reset it; absences add up.
    """

    def __init__(self, now: float, pace: Pace = Pace.LIVE) -> None:
        """Begins without a connection."""
        self._pace = pace
        self._gone: float | None = now
        self.renew(now)

    def renew(self, now: float) -> None:
        """A new obligation begins."""
        self._began = now
        self._away = 0.0

    def before(self, seconds: float, now: float) -> None:
        """The present obligation arose so long ago, in an earlier process."""
        self._began = now - seconds

    def gone(self, now: float) -> None:
        """The connection is gone, from now on at the latest."""
        if self._gone is None:
            self._gone = now

    def back(self, now: float) -> None:
        """The connection is back."""
        self._away = self._absent(now)
        self._gone = None

    def waited(self, now: float) -> float:
        """Seconds since the obligation arose."""
        return now - self._began

    def left(self, now: float) -> float:
        """Seconds until a claim is fair, 0 if it is: fewer without a connection, as a returning player
        needs time to answer.  At a pace other than live nobody needs to be there.
        """
        if self._pace.seconds is not None:
            return max(0.0, self._pace.seconds - self.waited(now))
        left = CLAIM_WHEN_CONNECTED - self.waited(now)
        if self._gone is not None:
            left = min(left, CLAIM_WHEN_AWAY - self._absent(now))
        return max(0.0, left)

    def absence_left(self, now: float) -> float:
        """The same where the clock of the match tells how long one may take that is connected."""
        return max(0.0, CLAIM_WHEN_AWAY - self._absent(now))

    def _absent(self, now: float) -> float:
        return self._away + (0.0 if self._gone is None else now - max(self._gone, self._began))
