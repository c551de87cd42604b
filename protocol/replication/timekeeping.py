"""The time of a match for one player: the wait for silent seats, and the clock that all agreed on."""

from __future__ import annotations

from contextlib import suppress
from math import inf

from p2p_stratego.core.game import Seat
from protocol.failures import StorageFailure
from protocol.record.debts import DebtKind, debts
from protocol.replication.clocks import Clocks, Knowledge, clocks_json, read_clocks
from protocol.replication.exchange import Exchange
from protocol.replication.presence import Presence, Way
from protocol.seat import accusations
from protocol.seat.session import Session
from protocol.storage.match_store import Store


class TimeKeeper:
    """The clocks of a match, if it has any, in step with its session and its links.

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
            saved = [kept for data in store.clocks if (kept := read_clocks(data)) is not None]
            if saved:
                self.clocks.resume(max(saved, key=lambda kept: kept.serial), wall)

    def follow(self, now: float, wall: float, *, last: bool = False) -> None:
        """Bring the clocks into step with the match, and save them if it is time, or `last`."""
        if self.clocks is None:
            return
        session, count = self._session, self._session.referee.count
        links, receipts = self._presence.links, self._exchange.gossip.receipts
        knowledge = Knowledge(
            lambda seat: links[seat].way in (Way.DIRECT, Way.THROUGH),
            lambda seat: (
                session.decision is None
                if seat == session.seat
                else seat in receipts and receipts[seat].count == count
            ),
            session.referee.has_acknowledged,
        )
        self.clocks.follow(session.referee, now, knowledge, linked=self._exchange.compared)
        if (kept := self.clocks.keep(now, wall, last=last)) is not None:
            with suppress(StorageFailure):  # forgotten time is charged to nobody
                self._store.keep_clocks(clocks_json(kept), synced=last or self.clocks.to_sync(now))

    @property
    def due(self) -> float:
        """The time of the next call of `follow`, if nothing happens before."""
        return inf if self.clocks is None else self.clocks.due

    def claimable_in(self, accused: Seat, now: float) -> float:
        """The seconds until it is fair to accuse a seat, of silence or of its time; 0 if it is fair now.

        If the clock of a connected seat runs, the clock alone counts.
        """
        if self.clocks is None or not self._on_the_clock(accused) or self._session.behind:
            return self._presence.left(accused, now)
        time = self.clocks.claimable_in(accused, now)
        there = self._presence.links[accused].way in (Way.DIRECT, Way.THROUGH)
        return time if there else min(self._presence.absence_left(accused, now), time)

    def voice_in(self, accused: Seat, now: float) -> float:
        """The seconds until our program may accuse a seat by itself, by its own measure alone.

        0 if it may; infinite if only a record of that seat, or a lost link, can change that.
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
        """The facts in an AWAY of a seat: the seconds of its debt, and whether its time is used up."""
        return int(self._presence.waited(accused, now)), self.is_over(accused, now)

    def _on_the_clock(self, seat: Seat) -> bool:
        debt = debts(self._session.referee).get(seat)
        return debt is not None and debt.next


class Voice:
    """The voice of one player of three or more against a silent seat.

    In two cases the program gives it without asking, by its own measure alone.  A player who has resigned
    follows another seat's AWAY.  The decider signs a Gone when the last accuser's AWAY comes behind its own
    player's AWAY, if the silent seat gave no sign of life meanwhile.
    """

    def __init__(self, session: Session, presence: Presence, times: TimeKeeper) -> None:
        self._session, self._presence, self._times = session, presence, times
        self._given: tuple[int, Seat, float] | None = None
        """Our player's last AWAY in this process: the count of entries, the seat, and the time."""
        self.due = inf
        """The time of the next call of `against`, if nothing happens before."""

    def given(self, now: float) -> tuple[int, bool]:
        """Note an AWAY of our player; return its seconds, and whether it is of time."""
        if (accused := self._session.claimable) is None:
            return 0, False
        self._given = self._session.referee.count, accused, now
        return self._times.waited(accused, now)

    def against(self, now: float) -> Seat | None:
        """The seat against which the program gives the voice now; None if there is none."""
        session, self.due = self._session, inf
        if not (session.referee.many and session.proven) or (accused := session.claimable) is None:
            return None
        at = now + (self._left(accused, now) if session.left else self._stands(accused, now))
        # A wait below the precision of `now` is over: a timer set for it would ring at once, without end.
        if at <= now:
            return accused
        self.due = at
        return None

    def _left(self, accused: Seat, now: float) -> float:
        """The seconds until the program of a seat that has resigned may accuse `accused`."""
        session = self._session
        called = accusations.others_call(session.referee, accused, session.seat)
        return self._times.voice_in(accused, now) if called else inf

    def _stands(self, accused: Seat, now: float) -> float:
        """0 if the decider's own AWAY still holds by its own measure, else infinite."""
        referee, given = self._session.referee, self._given
        if given is None or not accusations.is_called(referee, accused, by=self._session.seat):
            return inf
        same, at = given[:2] == (referee.count, accused), given[2]
        heard = self._presence.heard_at(accused) >= at
        return 0.0 if same and not heard and self._times.claimable_in(accused, now) == 0.0 else inf
