"""Since when somebody keeps a match waiting: what a claim that it does not answer rests on."""

from __future__ import annotations

from protocol.network.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED


class Patience:
    """For how long somebody has been waited for; `now` is always seconds on one monotonic clock.

    The clock runs from when the obligation arose.  Coming back for a moment stops it no more than it meets
    the obligation: the times away since then add up.
    """

    def __init__(self, now: float) -> None:
        """Begins without a connection."""
        self._gone: float | None = now
        self.renew(now)

    def renew(self, now: float) -> None:
        """Something else is waited for from now on."""
        self._began = now
        self._away = 0.0

    def gone(self, now: float) -> None:
        """There is no connection, from now on at the latest."""
        if self._gone is None:
            self._gone = now

    def back(self, now: float) -> None:
        """There is a connection again."""
        self._away = self._absent(now)
        self._gone = None

    def waited(self, now: float) -> float:
        """Seconds since the obligation arose."""
        return now - self._began

    def left(self, now: float) -> float:
        """Seconds until a claim is fair, 0 if it is: sooner while there is no connection, since whoever is
        back should have the time to answer.
        """
        left = CLAIM_WHEN_CONNECTED - self.waited(now)
        if self._gone is not None:
            left = min(left, CLAIM_WHEN_AWAY - self._absent(now))
        return max(0.0, left)

    def _absent(self, now: float) -> float:
        return self._away + (0.0 if self._gone is None else now - max(self._gone, self._began))
