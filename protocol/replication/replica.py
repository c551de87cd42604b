"""One seat's copy of a match, for its player: its state, the player's actions, and the return match.

The Exchange keeps it in step with the disk and with the copies of the other seats.  No code here waits or has
a clock of its own; peer.py brings frames and times.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, Final

from p2p_stratego.core.game import Seat
from protocol.channel import tracing
from protocol.channel.channel import REMATCH
from protocol.crypto.workers import Job
from protocol.errors import Refusal, Stale
from protocol.failures import Failure, NotNow, NotOurs, StorageFailure, Why
from protocol.lobby.friends import Friendships
from protocol.record import genesis
from protocol.record.asks.base import Decided
from protocol.record.genesis import Genesis, Player
from protocol.record.referee import Referee
from protocol.replication import presence
from protocol.replication.clocks import Clocks
from protocol.replication.exchange import Exchange
from protocol.replication.gossip import End, Queued, RipeRecord, Send
from protocol.replication.presence import Presence, SeatLink, Way
from protocol.replication.proofs import Judgement, Trial
from protocol.replication.rematch import Rematch, next_seat
from protocol.replication.timekeeping import TimeKeeper, Voice
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Route
from protocol.wire.encoding import Frame

TWO: Final = 2


class Status(Enum):
    """The state of the match with the other seats."""

    CONNECTING = "connecting"
    """No connection yet since this process began."""
    CONNECTED = "connected"
    """Connected, and two copies were compared or are being completed."""
    AWAY = "away"
    """All connections are gone; peer.py restores them if it can."""
    STALE = "stale"
    """This copy is old and never changes again; the match goes on elsewhere (threat 31)."""
    OVER = "over"
    """The record is final, and nobody is connected."""


class Replica:
    """A match in progress for one player.

    A front end may call the player's actions at any time, from the thread that runs the match; they raise
    NotNow or StorageFailure.
    """

    def __init__(self, owner: Owner, store: Store, clock: Callable[[], float]) -> None:
        """Owns `store` and closes it in the end.  `clock`: monotonic seconds.

        Raises NotOurs, Damaged, Unsupported or another Refusal: the record on the disk is not one of ours.
        """
        self.on_change: Callable[[], None] = lambda: None
        """For a front end: called after every change that a player could see."""
        self.settle: Callable[[], None] = lambda: None
        """For the caller with the links: called after every change, and at the beginning of a return match
        before any frame about it.  The caller compares `match`, `due`, `route`, `status`, `failure` and the
        job with those that it acted on.
        """
        self.annotate_link: Callable[[SeatLink], SeatLink] = lambda known: known
        """Adds the properties of a link of our own to the way to a seat."""
        self.status = Status.CONNECTING
        self.friends = Friendships(owner.home)
        """The friendships at this table."""
        self._owner, self._clock = owner, clock
        self.closed = self.by_post = False
        """Whether the match goes by post, or posts were taken or written in this process."""
        self._met = False
        """Whether any other seat was linked since this process began."""
        self._followed: set[End] = set()
        """The ends whose link a newer link takes over, until the newer one has brought a SYNC."""
        self._unreached: set[Seat] = set()
        """The seats that could not be called."""
        try:
            self._adopt(store)
        except (Failure, Refusal):
            store.close()
            raise
        self.since = self._clock()
        """The time at which `status` last changed."""

    def _adopt(self, store: Store) -> None:
        """Go on with the match in `store`."""
        match = genesis.parse(store.genesis, self._owner.games)
        seats = [seat for seat, player in enumerate(match.players) if player.key == self._owner.identity.key]
        if not seats:
            raise NotOurs(store.path)
        self.store = store
        store.trace = self._owner.trace
        self._owner.trace("match", id=match.id.hex()[:8], seat=seats[0], seats=len(match.players))
        self.session = Session(match, seats[0], self._owner.identity, store.secrets, store.recorded)
        self.session.jobs.elsewhere = self._owner.workers > 0
        if not self.session.answerable:
            raise store.secrets_damage
        self.exchange = Exchange(self._owner, store, self.session, self._now, self.friends)
        """The links, and the places where seats listen."""
        self.exchange.elsewhere = self._owner.workers > 0
        self.exchange.changed = self._settle
        self.begun = self._clock()
        """The time at which this program began or resumed the match."""
        others = sorted({*range(len(match.players))} - {seats[0]})
        self._presence = Presence(others, self._clock(), match.pace)
        self._times = TimeKeeper(store, self.session, self.exchange, self._presence, self._owner.wall())
        self._voice = Voice(self.session, self._presence, self._times)
        self._rematch = Rematch(match, seats[0])
        self.session.agree()
        self.exchange.flush()
        if store.secrets.stale:
            self._enter(Status.STALE)
        self._owe(self._clock())
        presence.resume_wait(store, match.pace, self._presence, self._clock(), self._owner.wall())

    def close(self) -> None:
        """Let others open the match."""
        if not self.closed:
            with suppress(StorageFailure):  # no record is lost without these
                self.exchange.keep_receipts()
                self.exchange.keep_place()
                presence.keep_wait(
                    self.store, self.match.pace, self._presence, self._clock(), self._owner.wall()
                )
                self._times.follow(self._clock(), self._owner.wall(), last=True)
        self.closed = True
        self.store.close()

    # State

    @property
    def trouble(self) -> Failure | Refusal | None:
        """The last reason why a link was lost, could not be made, or brought a refused frame."""
        return self.exchange.trouble

    @property
    def failure(self) -> StorageFailure | None:
        """The reason why the match can no longer be saved."""
        return self.exchange.failure

    @property
    def route(self) -> Route:
        """The ways to the other seats."""
        return self.exchange.route

    @property
    def connected(self) -> bool:
        """Whether any other seat is connected."""
        return self.exchange.connected

    @property
    def links(self) -> tuple[SeatLink, ...]:
        """The way to each other seat, in the order of seats."""
        return tuple(map(self.annotate_link, self._presence.links.values()))

    @property
    def watchers(self) -> int:
        """The number of spectators, as the present seats report."""
        known = self._presence.links.values()
        there = {self.seat, *(link.seat for link in known if link.way in (Way.DIRECT, Way.THROUGH))}
        return sum(number for seat, number in self.exchange.audiences.numbers.items() if seat in there)

    @property
    def seat(self) -> Seat:
        """Our seat."""
        return self.session.seat

    @property
    def match(self) -> Genesis:
        """The genesis."""
        return self.session.genesis

    @property
    def referee(self) -> Referee:
        """The referee over the record with all records that are held back."""
        return self.session.ahead.reached

    @property
    def across(self) -> Seat:
        """The next seat; of two seats, the other."""
        return next_seat(self.match, self.seat)

    @property
    def opponent(self) -> Player:
        """The player of the next seat; of two players, the other."""
        return self.match.players[self.across]

    @property
    def finished(self) -> bool:
        """Whether the record is complete, or no seat is linked that could sign an END behind a breach."""
        if self.session.copy.complete:
            return True
        outcome = self.session.outcome
        return outcome is not None and outcome.breach is not None and not self.connected

    @property
    def claimed(self) -> bool:
        """Whether our match ended by AWAYs."""
        outcome = self.session.outcome
        return outcome is not None and outcome.reason == "unresponsive" and self.session.over

    @property
    def answerable(self) -> bool:
        """Whether the accused seat can still answer the AWAYs: not after it was taken out with its key."""
        return self.claimed and self.session.referee.ended_by_rules is None

    @property
    def rematch_wanted(self) -> tuple[bool, bool]:
        """Whether we asked for a return match, and whether any other seat did."""
        asked = self._rematch.asked
        return self.seat in asked, bool(asked - {self.seat})

    @property
    def rematch_missing(self) -> tuple[Seat, ...]:
        """The seats that have not asked for a return match, if others have asked and a seat is connected."""
        asked = self._rematch.asked if self.connected else frozenset()
        return tuple(s for s in range(len(self.match.players)) if s not in asked) if asked else ()

    @property
    def claimable_in(self) -> float | None:
        """The seconds until `claim_away` is possible, 0 if it is; None if there is no seat to accuse."""
        accused = self.session.claimable
        if accused is None or self.status is Status.STALE:
            return None
        return self._times.claimable_in(accused, self._clock())

    @property
    def clocks(self) -> Clocks | None:
        """The clocks that all agreed on, as this program measures them."""
        return self._times.clocks

    @property
    def time_is_over(self) -> Seat | None:
        """The seat that can be accused of having used up its time, or None."""
        accused = self.session.claimable
        return accused if accused is not None and self._times.is_over(accused, self._clock()) else None

    @property
    def due(self) -> float:
        """The time of the next call of `tick`, if nothing happens before."""
        return min(self.exchange.due, self._times.due, self._voice.due)

    @property
    def waited_for(self) -> tuple[Seat, ...]:
        """The other seats that owe an entry or a REVEAL."""
        return tuple(seat for seat in self.session.referee.waited_for if seat != self.seat)

    # Actions of our player

    def decide(self, decided: Decided) -> None:
        """Answer `session.decision`; without a connection the answer waits for the next connection."""
        self.perform(lambda: self.session.decide(decided))
        self._owner.trace("decision")

    def take_back(self) -> None:
        """Take our last decision back, where the match allows it."""
        self.perform(self.session.take_back)

    def say(self, text: str, to: Seat | None = None) -> None:
        """Send a line of chat to all, or sealed to one other seat."""
        self.perform(lambda: self.session.say(text, to))

    def resign(self) -> None:
        """Give the match up."""
        self._require_compared()
        self.perform(self.session.resign)

    def offer_draw(self) -> None:
        """Offer a draw."""
        self._require_compared()
        self.perform(self.session.offer_draw)

    def accept_draw(self) -> None:
        """Accept the offered draw."""
        self._require_compared()
        self.perform(self.session.accept_draw)

    def claim_away(self) -> None:
        """Accuse a seat of being away or out of time, and end the match by that claim."""
        if left := self.claimable_in:
            raise NotNow(Why.STILL_TIME, round(left))
        waited = self._voice.given(self._clock())
        self.perform(lambda: self.session.claim_away(*waited))

    def finish(self, job: Job[Any], result: object) -> None:
        """Take the result of a job of the session."""
        self.perform(lambda: self.session.finish(job, result))

    def offer_rematch(self) -> None:
        """Ask for a return match with the seats moved on by one, or agree to it."""
        if not self.finished or self.session.fault is not None or not self.exchange.compared:
            raise NotNow(Why.NO_REMATCH)
        if self.seat not in self._rematch.asked:
            self._ask_again()
        self.perform(self._begin_rematch)

    def _ask_again(self) -> None:
        """Send a new wish of our player for a return match."""
        number, frame = self._rematch.ask(self._owner.identity, self._owner.home.entropy)
        self.exchange.gossip.note(self.seat, number, frame)

    def _require_compared(self) -> None:
        if not self.session.proven:
            raise NotNow(Why.NOT_COMPARED)

    def perform(self, action: Callable[[], None]) -> None:
        """Do an `action` of our player's on the session, and send what follows from it."""
        if self.failure is not None:
            raise self.failure
        action()
        self.exchange.flush()
        self._changed()

    # The links

    def linked(
        self, send: Send, end: End | None = None, queued: Queued | None = None, *, fresh: bool = True
    ) -> None:
        """Use an authenticated link to `end` (default: the next seat); `send` queues frames.

        `queued`: the number of bytes that wait for the other side, if it is bounded; `fresh`: as in
        Exchange.opened.
        """
        end = self.across if end is None else end
        self._owner.trace("linked", end=end)
        self._met = self._met or end < len(self.match.players)
        self.exchange.opened(end, send, queued=queued, fresh=fresh)
        self._settle()

    def received(self, frames: list[Frame], end: End | None = None) -> None:
        """Take frames from one link, by default that of the next seat; one sync covers all of one call.

        Raises StorageFailure; Stale; Violation or Equivocation of that seat, recorded as evidence; or another
        Refusal, which leaves the match as it was.  After any of them the link is of no more use.
        """
        end = self.across if end is None else end
        try:
            for frame in frames:
                match = self.match
                self._take(frame, end)
                if self.match is not match and end < len(match.players):
                    end = next_seat(match, end)
            self.exchange.require_complete(end)
        finally:
            self.exchange.flush()
            self._changed()

    def work(self) -> Trial | RipeRecord | None:
        """The next long check of frames that came, if the caller does such work; else None."""
        return self.exchange.work()

    def ripened(self, ripe: RipeRecord) -> None:
        """Go on with a record from `work` whose proof was checked.  Raises the same as `received`."""
        self._act(lambda: self.exchange.ripened(ripe))

    def judged(self, trial: Trial, judgement: Judgement, end: End) -> None:
        """Take the `judgement` of `trial`, which frames of `end` caused.  Raises the same as `received`."""
        if trial.genesis is not self.match:
            return  # a return match has begun
        self._act(lambda: self.exchange.judged(trial, judgement, end))

    def _act(self, action: Callable[[], None]) -> None:
        try:
            action()
        finally:
            self.exchange.flush()
            self._changed()

    def _take(self, frame: Frame, end: End) -> None:
        gossip, seats = self.exchange.gossip, len(self.match.players)
        # A REMATCH can overtake a last END, which may have come to its sender by another way.
        if frame.kind == REMATCH and end < seats and gossip.lines[end].compared:
            if (wish := self._rematch.take(frame.payload, end)) is None:
                gossip.vain(end)
            else:
                gossip.note(*wish, frame, end)
            if self._rematch.overtaken and self.finished:
                self._ask_again()
            self._begin_rematch()
        else:
            self.exchange.take(frame, end)
        if (line := self.exchange.gossip.lines.get(end)) is not None and line.compared:
            self._followed.discard(end)
        if self.exchange.compared:
            self._enter(Status.CONNECTED)

    def watched(self, number: int) -> None:
        """Tell the table the `number` of spectators on our links."""
        self.exchange.audiences.count(number)
        with suppress(StorageFailure):  # kept in self.failure
            self.tick()

    def unlinked(self, reason: Failure | Refusal, end: End | None = None, *, followed: bool = False) -> None:
        """Let go of a lost link (default: to the next seat).

        `followed`: a newer link to the same peer is up and re-sends what the old one lost: the peer counts as
        present until that link fails too.
        """
        end = self.across if end is None else end
        (self._followed.add if followed else self._followed.discard)(end)
        tracing.trace_trouble(self._owner.trace, "unlinked", reason)
        self.exchange.closed(end)
        if end < len(self.match.players):  # a spectator that goes is no trouble of our player's
            self.exchange.trouble = reason
        if isinstance(reason, StorageFailure):
            self.exchange.fail(reason)
        with suppress(StorageFailure):  # kept in self.failure
            self.exchange.give_up()
            self.exchange.keep_receipts()
        if isinstance(reason, Stale):
            self._enter(Status.STALE)
        self._let_go()

    def not_followed(self, key: bytes) -> None:
        """No newer link to the player with this key takes over: the call for it has failed."""
        ends = {seat for seat, player in enumerate(self.match.players) if player.key == key}
        if not self._followed.isdisjoint(ends):
            self._followed -= ends
            self._let_go()

    def _let_go(self) -> None:
        if self.status is Status.CONNECTED and not (self.connected or self._followed):
            self._enter(Status.AWAY)
        self._changed()

    def not_reached(self, reason: Failure | Refusal, seat: Seat | None = None) -> None:
        """Note that a seat (default: the next) could not be called."""
        self._unreached.add(self.across if seat is None else seat)
        tracing.trace_trouble(self._owner.trace, "not reached", reason)
        if not self.connected:
            self.exchange.trouble = reason
        self._changed()

    def tick(self) -> None:
        """Do the work that is due: pass records on, and stop waiting for records that were only announced."""
        self.exchange.give_up()
        self._changed()

    def _begin_rematch(self) -> None:
        """Once all have asked, persist the new match and compare the copies again.

        Frames before another side's SYNC of the new match are about the old match.
        """
        new = self._rematch.agreed(self.session.referee.table.state) if self.finished else None
        if new is None:
            return
        # Records that came with the last wish belong to the ended match, and that wish is passed on.
        self.exchange.flush()
        self._changed()
        self.exchange.keep_receipts()
        seats = len(new.players)
        route = self.route.reseated({seat: next_seat(new, seat) for seat in range(seats)})
        certificate = self.store.certificate if route.own is not None else b""
        store = self._owner.home.create(new, self._rematch.master, route, certificate)
        self.store.close()
        lines = self.exchange.gossip.lines
        self._followed = {next_seat(new, end) for end in self._followed}
        self._adopt(store)
        self.settle()
        for end, line in lines.items():  # every player has moved one seat on, and so has its link
            if end < seats:
                self.exchange.opened(next_seat(new, end), line.send, switching=True, queued=line.queued)

    # Internals

    def _now(self) -> float:
        return self._clock()

    def _settle(self) -> None:
        self.settle()  # looked up at each call: its caller comes after the first exchange

    def _enter(self, status: Status) -> None:
        if status is not self.status:
            self._owner.trace("status", now=status.value)
            self.status = status
            self.since = self._clock()

    def _changed(self) -> None:
        reach, now = self.exchange.gossip.reach, self._clock()
        if reach is not None:
            self._presence.hear(self.exchange.gossip.words, now)
            self._presence.update(reach.hops, reach.way, self.exchange.heard, now, followed=self._followed)
        self._owe(now)
        self._speak(now)
        if self._alone and self.finished and self.status is not Status.STALE:
            self._enter(Status.OVER)
        self.on_change()
        self.exchange.acknowledge()  # it waits for the disk, so on_change comes first
        self.settle()

    def _speak(self, now: float) -> None:
        """Give our player's voice against a silent seat in the cases of Voice."""
        if (accused := self._voice.against(now)) is not None:
            with suppress(NotNow):
                self.session.claim_away(*self._times.waited(accused, now))
                self.exchange.flush()
            self._owe(now)

    @property
    def _alone(self) -> bool:
        """Whether no seat will connect any more: the last link is gone, or all calls failed.

        Until then another seat may still come for records that it lacks.
        """
        if self.connected or self._followed:
            return False
        return self._met or self._unreached >= self.route.others.keys()

    def _owe(self, now: float) -> None:
        """Bring the waits and the clocks into step with the debts."""
        referee, owing = self.session.referee, set(self.session.referee.waited_for)
        if len(self.match.players) > TWO and (accused := self.session.claimable) is not None:
            owing.add(accused)  # a seat that owes no record, but a decision about one that does
        self._presence.owe(referee.count, owing, now)
        self._times.follow(now, self._owner.wall())
