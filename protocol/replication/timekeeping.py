"""The time of a match for one player: the patience with who is silent, and the clock that all agreed on."""

from __future__ import annotations

from contextlib import suppress
from math import inf

from p2p_stratego.core.game import Seat
from protocol.failures import StorageFailure
from protocol.record.debts import DebtKind, debts
from protocol.replication.clocks import Clocks, Reached, kept_json, read_kept
from protocol.replication.exchange import Exchange
from protocol.replication.presence import Presence, Way
from protocol.seat import waiting
from protocol.seat.session import Session
from protocol.storage.match_store import Store


class TimeKeeper:
    """The clocks of a match, if it has any, kept in step with its session and its links.

    `now`: monotonic seconds; `wall`: seconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        session: Session,
        exchange: Exchange,
        presence: Presence,
        wall: float,
    ) -> None:
        self._store, self._session, self._exchange, self._presence = store, session, exchange, presence
        match, self.clocks = session.genesis, None
        if match.clock is None:
            return
        self.clocks = Clocks(match.clock, len(match.players), session.seat, proofs=match.proofs)
        with suppress(StorageFailure):
            # A power cut may have damaged the newer file, or brought an old one back.
            found = [kept for data in store.clocks if (kept := read_kept(data)) is not None]
            if found:
                self.clocks.resume(max(found, key=lambda kept: kept.serial), wall)

    def follow(self, now: float, wall: float, *, last: bool = False) -> None:
        """Take note of the match as it stands, and save what was measured if it is time, or the `last`."""
        if self.clocks is None:
            return
        session, count = self._session, self._session.referee.count
        links, receipts = self._presence.links, self._exchange.gossip.receipts
        reached = Reached(
            lambda seat: links[seat].way in (Way.DIRECT, Way.THROUGH),
            lambda seat: (
                session.decision is None
                if seat == session.seat
                else seat in receipts and receipts[seat].count == count
            ),
            session.referee.has_acknowledged,
        )
        self.clocks.follow(session.referee, now, reached, linked=self._exchange.compared)
        if (kept := self.clocks.keep(now, wall, last=last)) is not None:
            with suppress(StorageFailure):  # what is forgotten counts for nobody
                self._store.keep_clocks(kept_json(kept), synced=last or self.clocks.to_sync(now))

    @property
    def due(self) -> float:
        """When `follow` is to be called, if nothing happens before."""
        return inf if self.clocks is None else self.clocks.due

    def claimable_in(self, accused: Seat, now: float) -> float:
        """Seconds until it is fair to accuse a seat, of silence or of having used up its time; 0 if it is.

        As long as the clock of a seat runs that is connected, the clock alone says how long it may take.
        """
        if self.clocks is None or not self._on_the_clock(accused) or self._session.behind:
            return self._presence.left(accused, now)
        time = self.clocks.claimable_in(accused, now)
        there = self._presence.links[accused].way in (Way.DIRECT, Way.THROUGH)
        return time if there else min(self._presence.absence_left(accused, now), time)

    def voice_in(self, accused: Seat, now: float) -> float:
        """Seconds until our program may accuse a seat by itself, on no other measure than its own; 0 if it
        may, infinite if only a word of that seat, or a lost link, can change that.
        """
        if self.is_over(accused, now):
            return 0.0
        debt = debts(self._session.referee).get(accused)
        thinks = self._session.referee.provisional is None and (
            debt is None or debt.duty is DebtKind.DECISION
        )
        silence = self._presence.silence_left(accused, now, thinks=thinks)
        if self.clocks is None or not self._on_the_clock(accused) or self._session.behind:
            return silence
        return min(silence, self.clocks.claimable_in(accused, now))

    def is_over(self, seat: Seat, now: float) -> bool:
        """Whether a seat owes the next entry and has used up its time."""
        if self.clocks is None or not self._on_the_clock(seat) or self._session.behind:
            return False
        return self.clocks.claimable_in(seat, now) == 0.0

    def waited(self, accused: Seat, now: float) -> tuple[int, bool]:
        """What an AWAY says of a seat: the seconds that it has owed, and whether it has used up its time."""
        return int(self._presence.waited(accused, now)), self.is_over(accused, now)

    def _on_the_clock(self, seat: Seat) -> bool:
        debt = debts(self._session.referee).get(seat)
        return debt is not None and debt.next


class Voice:
    """The voice of one player of three or more against a silent seat.  Its program gives it without
    asking in two cases, and on no other ground than its own measure.

    For a player who has resigned, another seat's AWAY is the occasion.  The decider signs Gone when the last
    accuser's AWAY comes behind that of its player, if the silent seat was not heard meanwhile.
    """

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
