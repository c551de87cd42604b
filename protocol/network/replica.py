"""One seat's copy of a match, in step with the disk and with the other side's copy.

It joins a Session, which knows the game, and a Store, which knows the disk, over one connection after
another: it syncs every record before it sends it, signs only after both copies were compared (threats 30
and 31), and gives the other side the records that it lacks.  After the END it can agree on a return match.
It does not wait and has no clock of its own; peer.py brings frames and times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import Any

from p2p_stratego.core.game import Game, Options, Seat
from protocol.errors import Malformed, Misplaced, Refusal, Stale
from protocol.failures import Code, Failure, NotNow, NotOurs, Refused, StorageFailure, Why
from protocol.network import tracing
from protocol.network.channel import RECEIPT, REMATCH, SYNC, Sync, read_receipt, read_sync, receipt_frame
from protocol.network.handshake import Person, seat_part
from protocol.network.limits import COMPLETE_WITHIN
from protocol.network.patience import Patience
from protocol.network.rematch import Rematch, next_seat
from protocol.record import genesis
from protocol.record.asks.base import Decided
from protocol.record.genesis import Genesis, Player
from protocol.record.statements import Kind
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Route, Store
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, decode, encode


class Status(Enum):
    """Where the match stands with the other side."""

    CONNECTING = "connecting"
    """No connection yet since this process began."""
    CONNECTED = "connected"
    """Connected, and the two copies were compared or are being completed."""
    AWAY = "away"
    """The connection is gone; peer.py restores it if it can."""
    STALE = "stale"
    """This copy is old and stays unchanged; the match goes on elsewhere."""
    OVER = "over"
    """The record is final, and nobody is connected."""


@dataclass(slots=True)
class Connection:
    """The state of a replica's connection to one other seat."""

    send: Callable[[bytes], None] | None = None
    """Queues whole frames for the other side; None while it is not connected."""
    synced: bool = False
    """Whether the other side has sent its SYNC on this connection."""
    switching: bool = False
    """Whether frames about the previous match may still come, right after agreeing on a return match."""
    complete_by: float = inf
    """The deadline for the other side's announced records, by the replica's clock."""
    acknowledged: int = -1
    """The count of entries in the last receipt that we sent."""


class Replica:
    """A match in progress for one player.  A front end may call the player's actions at any time, from the
    thread that runs the match; they raise NotNow or StorageFailure.
    """

    def __init__(self, owner: Owner, store: Store, clock: Callable[[], float]) -> None:
        """Owns `store` and closes it in the end.  `clock`: monotonic seconds.

        Raises NotOurs, Damaged, Unsupported or another Refusal: the record on the disk is not one of ours.
        """
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change that a player could see."""
        self.on_stop: Callable[[Code], None] = lambda _: None
        """Called when the connection and the waiting for one should end; the other side is told the code."""
        self.status = Status.CONNECTING
        self.trouble: Failure | Refusal | None = None
        """Why there is no connection, or why we refused the last frame."""
        self._owner = owner
        self._clock = clock
        self.failure: StorageFailure | None = None
        """Why the match can no longer be saved."""
        self._connections: dict[Seat, Connection] = {}
        self._patience = Patience(clock())
        self.closed = False
        try:
            self._adopt(store)
        except (Failure, Refusal):
            store.close()
            raise
        self.since = self._clock()
        """When `status` last changed."""

    def _adopt(self, store: Store) -> None:
        """Go on with the match in `store`."""
        match = genesis.parse(store.genesis, self._owner.games)
        seats = [seat for seat, one in enumerate(match.players) if one.key == self._owner.identity.key]
        if not seats:
            raise NotOurs(store.path)
        self.store = store
        store.trace = self._owner.trace
        self._owner.trace("match", id=match.id.hex()[:8], seat=seats[0], seats=len(match.players))
        self.route = store.route
        self.session = Session(match, seats[0], self._owner.identity, store.secrets, store.recorded)
        if not self.session.answerable:
            raise store.secrets_damage
        # A connection on which a return match was agreed goes on; its other end has changed seats, too.
        going_on = [one.send for one in self._connections.values() if one.send is not None]
        self._connections = {}
        for send in going_on:
            self._connections[self._across] = Connection(send, switching=True)
        self._rematch = Rematch(match, seats[0])
        if kept := store.receipt:
            self._remember_receipt(kept)
        self.session.agree()
        self._flush()
        if store.secrets.stale:
            self._enter(Status.STALE)
        self._known = self._stand()
        self._patience.renew(self._clock())

    def close(self) -> None:
        """Let others open the match."""
        if not self.closed:
            with suppress(StorageFailure):  # nothing of the match is lost without it
                self._keep_receipt()
        self.closed = True
        self.store.close()

    def reroute(self, addresses: tuple[str, ...], port: int) -> None:
        """From now on look for the host of this match there."""
        self.store.set_route(replace(self.route, addresses=addresses, port=port))
        self.route = self.store.route

    # State

    @property
    def connected(self) -> bool:
        """Whether any other seat is connected."""
        return any(one.send is not None for one in self._connections.values())

    @property
    def complete_by(self) -> float:
        """The earliest deadline for announced records of another side, by `clock`."""
        return min((one.complete_by for one in self._connections.values()), default=inf)

    @property
    def seat(self) -> Seat:
        """Our seat."""
        return self.session.seat

    @property
    def match(self) -> Genesis:
        """The genesis."""
        return self.session.genesis

    @property
    def opponent(self) -> Player:
        """The other side."""
        return self.match.players[self._across]

    @property
    def finished(self) -> bool:
        """Whether every seat signed END, or a fault is proven and nobody is connected to sign."""
        outcome = self.session.outcome
        if outcome is None or outcome.reason == "unresponsive":
            return False
        if self.session.fault is not None or (outcome.breach is not None and not self.connected):
            return True
        statements = self.session.referee.statements
        return all(any(said.kind is Kind.END for said in known) for known in statements)

    @property
    def claimed(self) -> bool:
        """Whether our match ended with an AWAY, which the accused seat can still answer."""
        outcome = self.session.outcome
        return outcome is not None and outcome.reason == "unresponsive" and self.session.over

    @property
    def rematch_wanted(self) -> tuple[bool, bool]:
        """Whether we, and whether the other side, asked for a return match."""
        return self._rematch.wanted

    @property
    def claimable_in(self) -> float | None:
        """Seconds until `claim_away` is possible, 0 if it is; None while no other seat owes a record, or no
        signature proves that it knows its obligation.
        """
        if self.session.claimable is None or self.status is Status.STALE:
            return None
        return self._patience.left(self._clock())

    @property
    def waited_for(self) -> tuple[Seat, ...]:
        """The other seats that owe an entry or a REVEAL."""
        return tuple(seat for seat in self.session.referee.waited_for if seat != self.seat)

    # Actions of our player

    def decide(self, decided: Decided) -> None:
        """Answer `session.decision`; without a connection the answer waits for the next one."""
        self._perform(lambda: self.session.decide(decided))
        self._owner.trace("decision")

    def say(self, text: str) -> None:
        """Send a line of chat."""
        self._perform(lambda: self.session.say(text))

    def resign(self) -> None:
        """Give the match up."""
        self._require_compared()
        self._perform(self.session.resign)

    def offer_draw(self) -> None:
        """Offer a draw."""
        self._require_compared()
        self._perform(self.session.offer_draw)

    def accept_draw(self) -> None:
        """Accept the draw that was offered."""
        self._require_compared()
        self._perform(self.session.accept_draw)

    def claim_away(self) -> None:
        """Accuse the other side of being away, and end the match by that claim."""
        if left := self.claimable_in:
            raise NotNow(Why.STILL_TIME, round(left))
        waited = int(self._patience.waited(self._clock()))
        self._perform(lambda: self.session.claim_away(waited))

    def offer_rematch(self) -> None:
        """Ask for a return match with the seats swapped, or agree to one; both on this connection."""
        other = self._connection(self._across)
        if not self.finished or self.session.fault is not None or other.send is None or not other.synced:
            raise NotNow(Why.NO_REMATCH)
        if not self._rematch.wanted[0]:
            other.send(bytes(self._rematch.ask(self._owner.home.entropy)))
        self._perform(self._begin_rematch)

    def _require_compared(self) -> None:
        if not self.session.proven:
            raise NotNow(Why.NOT_COMPARED)

    def _perform(self, action: Callable[[], None]) -> None:
        if self.failure is not None:
            raise self.failure
        action()
        self._flush()
        self._changed()

    # The connection

    def linked(self, send: Callable[[bytes], None], seat: Seat | None = None) -> None:
        """The player of `seat` (default: the other one) is there, authenticated; `send` queues frames."""
        self._owner.trace("linked")
        other = self._connection(self._across if seat is None else seat)
        other.send = send
        other.synced = other.switching = False
        other.acknowledged = -1
        self.session.pause(seat)
        self.give_up()
        if other.complete_by == inf:
            other.complete_by = self._clock() + COMPLETE_WITHIN
        self._send_sync(self._across if seat is None else seat)

    def received(self, frames: list[Frame], seat: Seat | None = None) -> None:
        """Take frames of the other side; one sync covers all of one call.

        Raises StorageFailure; Stale; Violation or Equivocation, recorded as evidence; or another Refusal,
        which leaves the match as it was.  After any of them the connection is of no more use.
        """
        try:
            for frame in frames:
                self._take(frame, self._across if seat is None else seat)
            other = self._connection(self._across if seat is None else seat)
            if self.session.live:
                other.complete_by = inf
            elif self._clock() >= other.complete_by:
                raise Malformed("The other side has not sent in time all that it has of this match.")
        finally:
            self._flush()
            self._changed()

    def unlinked(self, reason: Failure | Refusal, seat: Seat | None = None) -> None:
        """The connection to the player of `seat` (of two, the other one) is gone, or could not be made."""
        tracing.trouble(self._owner.trace, "unlinked", reason)
        other = self._connection(self._across if seat is None else seat)
        other.send = None
        other.synced = other.switching = False
        self._rematch = Rematch(self.match, self.seat)
        self.session.pause(seat)
        self.trouble = reason
        if isinstance(reason, StorageFailure):
            self.failure = reason
        with suppress(StorageFailure):  # kept in self.failure
            self.give_up()
            self._keep_receipt()
        if isinstance(reason, Stale):
            self._enter(Status.STALE)
        elif self.status is Status.CONNECTED:
            self._enter(Status.AWAY)
        self._changed()

    def give_up(self) -> None:
        """Stop waiting for announced records once their deadline is over, or if none are missing."""
        if not self.session.behind or self._clock() >= self.complete_by:
            for other in self._connections.values():
                other.complete_by = inf
            self.session.give_up()
        self._flush()

    def _take(self, frame: Frame, seat: Seat) -> None:
        other = self._connection(seat)
        if frame.kind == SYNC:
            self._compare(frame, seat)
        elif not other.synced:
            # A frame about the previous match: the other side did not know of the new one yet.
            if not other.switching:
                raise Malformed("The other side speaks before the two copies were compared.")
        elif frame.kind in (ENTRY, STATEMENT):
            self.session.receive(frame)
        elif frame.kind == RECEIPT:
            match, count, receipt = read_receipt(frame.payload)
            if match != self.match.id:
                raise Malformed("The other side acknowledges another match than this one.")
            self.session.copy.acknowledged(seat, count, receipt)
        elif frame.kind == REMATCH and self.finished:
            self._rematch.asked(frame.payload)
            self._begin_rematch()
        else:
            raise Malformed("The other side sent what has no place in a match, or not yet.")

    def _send_sync(self, seat: Seat) -> None:
        if send := self._connection(seat).send:
            entry, statement = self.session.copy.newest(seat)
            send(bytes(Sync(self.match.id, self.session.position(), entry, statement).frame))

    def _compare(self, frame: Frame, seat: Seat) -> None:
        """Send the records that the other side lacks, and note those that we lack."""
        other, sync = self._connection(seat), read_sync(frame.payload)
        if sync.match != self.match.id or other.synced or other.send is None:
            raise Malformed("The other side compares another match than this one.")
        other.synced, other.switching, self.trouble = True, False, None
        try:
            missing = self.session.missing(sync.position)
        except Misplaced as fork:
            # A seat signed two records for one place.  A copy that sees both has the proof: send all.
            self.trouble = fork
            missing = [record.frame for record in self.session.referee.record]
        other.send(b"".join(map(bytes, missing)))
        with suppress(Misplaced):  # kept in self.trouble
            self.session.go_live(sync.position, (sync.entry, sync.statement), seat=seat)
        self._enter(Status.CONNECTED)

    def _begin_rematch(self) -> None:
        """Once both have asked, persist the new match and compare the copies again.  All frames before the
        other side's SYNC of the new match are about the old one.
        """
        new = self._rematch.agreed(self.session.referee.table.state)
        if new is None:
            return
        # Records that came with the agreement belong to the match that ended.
        self._flush()
        self._changed()
        self._keep_receipt()
        certificate = self.store.certificate if self.route.hosting else b""
        store = self._owner.home.create(new, self._rematch.master, self.route, certificate)
        self.store.close()
        self._adopt(store)
        self._send_sync(self._across)

    # Internals

    def _flush(self) -> None:
        """Persist the outputs of the session, then send them."""
        try:
            # After a proven fault we send nothing more, so only this syncs the proof.
            outputs = self.session.outputs()
            tracing.records(self._owner.trace, outputs)
            data = self.store.execute(outputs, durable=self.session.fault is not None)
        except StorageFailure as failure:
            self._fail(failure)
            raise
        for other in self._connections.values():
            if data and other.send is not None and other.synced:
                other.send(data)

    def _acknowledge(self) -> None:
        """Send a receipt for the entries that make us owe a decision, once they are on our disk."""
        for other in self._connections.values():
            if other.send is None or not other.synced or other.acknowledged == self.session.referee.count:
                continue
            if signed := self.session.receipt():
                try:
                    self.store.sync()
                except StorageFailure as failure:
                    self._fail(failure)
                    raise
                other.acknowledged = signed[0]
                other.send(bytes(receipt_frame(self.match.id, *signed)))

    def _fail(self, failure: StorageFailure) -> None:
        self.failure = failure
        self.on_stop(Code.FAILED)

    def _keep_receipt(self) -> None:
        """Save the other side's receipt: it must survive a restart as proof of the known obligation."""
        remote = self.session.copy.remote(self._across)
        if remote.receipt and self.session.copy.receipt(self._across):
            self.store.keep_receipt(encode(remote.receipt))

    def _remember_receipt(self, kept: bytes) -> None:
        with suppress(Malformed):
            match decode(kept):
                case [int() as count, bytes() as receipt]:
                    self.session.copy.acknowledged(self._across, count, receipt)

    @property
    def _across(self) -> Seat:
        """Of two seats, the other one."""
        return next_seat(self.match, self.seat)

    def _connection(self, seat: Seat) -> Connection:
        return self._connections.setdefault(seat, Connection())

    def _enter(self, status: Status) -> None:
        if status is not self.status:
            self._owner.trace("status", now=status.value)
            self.status = status
            self.since = self._clock()
            (self._patience.back if status is Status.CONNECTED else self._patience.gone)(self.since)

    def _changed(self) -> None:
        if (stand := self._stand()) != self._known:
            self._known = stand
            self._patience.renew(self._clock())
        if self.finished and not self.connected and self.status is not Status.STALE:
            self._enter(Status.OVER)
            self.on_stop(Code.LEFT)
        self.on_change()
        self._acknowledge()  # it waits for the disk, so on_change comes first

    def _stand(self) -> tuple[int, tuple[Seat, ...]]:
        """A value that changes when a seat meets an obligation, or has a new one."""
        return self.session.referee.count, self.session.referee.waited_for


def closing_code(error: Failure | Refusal) -> int:
    """The code to send when `error` ends the connection."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, Stale):
        return Code.STALE
    if isinstance(error, StorageFailure):
        return Code.FAILED
    return Code.PROTOCOL


def found(game: Game[Any], options: Options, owners: Sequence[Owner], bot: str) -> list[Store]:
    """A new match between players of this machine, one store for each seat in order; `bot`: the other side's
    bot, for their routes.
    """
    masters = [owner.home.entropy(MASTER_BYTES) for owner in owners]
    players = tuple(
        seat_part(Person(owner.identity.key, owner.name), game, seat, MatchSecrets(masters[seat]))
        for seat, owner in enumerate(owners)
    )
    match = genesis.make(game, options, players)
    route = Route(False, (), 0, b"", bot)
    return [owner.home.create(match, master, route) for owner, master in zip(owners, masters, strict=True)]
