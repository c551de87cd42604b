"""The exchange of one match with the other seats: frames of its links in, records on the disk, frames out.

It joins a Session, which knows the game, a Store, which knows the disk, and a Gossip, which knows the records
at each link.  It syncs every record of ours before it sends it.  It lets the session sign only after this
copy was compared with another (threats 30 and 31), and gives each neighbour the records that it lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import inf

from p2p_stratego.core.game import Seat
from protocol.channel import tracing
from protocol.channel.channel import (
    AUDIENCE,
    CARD,
    FRIEND,
    HAVE,
    RECEIPT,
    SYNC,
    Sync,
    read_receipt,
    read_sync,
)
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Violation
from protocol.failures import Failure, StorageFailure
from protocol.limits import COMPLETE_WITHIN, MAX_CARDS, PROGRESS_WITHIN
from protocol.lobby.friends import Friendships
from protocol.record.entries import Entry
from protocol.record.judgement import has_shared
from protocol.record.standing import TWO
from protocol.record.statements import Record, parse_record
from protocol.rendezvous.address_cards import own_card, read_card, seat_and_serial
from protocol.replication.audience import Audiences, sign_audience
from protocol.replication.gossip import End, Gossip, Queued, Receipt, RipeRecord, Send
from protocol.replication.holdings import read_have
from protocol.replication.proofs import Incoming, Judgement, Trial
from protocol.seat.effects import Duty
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Place
from protocol.wire.addresses import Address
from protocol.wire.encoding import ENTRY, PROOF, STATEMENT, Frame, decode, encode


class Exchange:
    """The links of a match that `session` plays and `store` keeps."""

    def __init__(
        self,
        owner: Owner,
        store: Store,
        session: Session,
        clock: Callable[[], float],
        friends: Friendships,
    ) -> None:
        """`clock`: monotonic seconds."""
        self.gossip = Gossip(session.copy, session.seat)
        self.route = self._kept = store.route
        self.trouble: Failure | Refusal | None = None
        """As in Replica; None as soon as copies agree."""
        self.failure: StorageFailure | None = None
        """The reason why the match can no longer be saved."""
        self.changed: Callable[[], None] = lambda: None
        """Called after a change without a frame or an action of the Replica, and when saving has failed."""
        self.elsewhere = False
        """Whether the caller does long work: it calls `work` after frames, and `judged` or `ripened` then."""
        self._ripe = list[RipeRecord]()
        """Heavy records that wait for `work`."""
        self._owner = owner
        self._friends = friends
        self._store = store
        self._session = session
        self._clock = clock
        self._seats = len(session.genesis.players)
        self._complete_by: dict[End, float] = {}
        """By end: the deadline for its SYNC and for the records that it announced."""
        self._progress_by: dict[End, float] = {}
        """By end: the deadline for its SYNC, then for the next new record of these."""
        self._fresh: dict[End, bool] = {}
        """By end: whether the announcements on its link are of now; those of a post may be old."""
        self._cards = Counter[Seat]()
        self._proofs = Incoming()
        self._offered = b""
        """The head at which `_offer_held` last offered the held records to our copy."""
        self.audiences = Audiences(session.genesis, session.seat)
        self._remember_receipts()
        self._tell_place()

    # Links

    @property
    def connected(self) -> bool:
        """Whether any other seat is linked."""
        return any(end < self._seats for end in self.gossip.lines)

    @property
    def compared(self) -> bool:
        """Whether any other seat is linked, with a compared copy."""
        return any(end < self._seats and line.compared for end, line in self.gossip.lines.items())

    @property
    def due(self) -> float:
        """The time of the next call of `tick`, if no frame comes before."""
        waiting = (at for end, at in self._complete_by.items() if end not in self.gossip.lines)
        return min([self.gossip.due, self.audiences.due, *waiting])

    def deadline(self, end: End) -> float:
        """The time at which the link to `end` ends, unless all announced records have come over it."""
        if end not in self._complete_by:
            return inf
        return min(self._complete_by[end], self._progress_by.get(end, inf))

    def opened(
        self,
        end: End,
        send: Send,
        *,
        switching: bool = False,
        queued: Queued | None = None,
        fresh: bool = True,
    ) -> None:
        """Use an authenticated link to `end`; `send` queues frames.

        `switching`: frames about the match before this match may still come; `queued`: as in Line; `fresh`:
        whether the announcements on it are of now.
        """
        self.give_up()
        self._fresh[end] = fresh
        self.gossip.opened(end, send, switching=switching, queued=queued)
        if end < self._seats:
            self._session.pause(end)
        # The deadline of an earlier link stays: a seat could call anew for ever, and keep us waiting.
        self._complete_by.setdefault(end, self._clock() + COMPLETE_WITHIN)
        self._progress_by[end] = inf if switching else self._clock() + PROGRESS_WITHIN
        entry, statement = self._session.copy.newest(end) if end < self._seats else (b"", b"")
        send(bytes(Sync(self._session.genesis.id, self._session.position(), entry, statement).frame))

    def closed(self, end: End) -> None:
        """Forget the link to `end`; its announced records may still come by other links."""
        self.gossip.closed(end)
        self._proofs.closed(end)
        self._progress_by.pop(end, None)
        if end < self._seats:
            self._session.pause(end)
        else:
            self._complete_by.pop(end, None)

    def give_up(self) -> None:
        """Stop waiting for records that a seat announced before its link was lost, after their deadline, or
        if no record is missing.
        """
        for end in [end for end in self._complete_by if end not in self.gossip.lines]:
            if self._clock() >= self._complete_by[end] or self._session.copy.remote(end).goal is None:
                del self._complete_by[end]
                self._session.give_up(end)
        self.flush()

    def abandon(self, end: End) -> None:
        """Stop waiting for records that a post of `end` announced and did not bring: no frame follows it."""
        self._complete_by.pop(end, None)
        self._session.give_up(end)
        self.flush()

    def require_complete(self, end: End) -> None:
        """Raise Malformed if `end` has not sent its announced records in time."""
        player = end < self._seats
        if self._session.copy.remote(end).live if player else self.gossip.lines[end].compared:
            self._complete_by.pop(end, None)
        elif self._clock() >= self.deadline(end):
            self._complete_by[end] = self._clock()  # so we do not wait for it without a link either
            raise Malformed("The other side has not sent in time all that it has of this match.")

    # Frames

    def take(self, frame: Frame, end: End) -> None:
        """Take a frame from `end`.  Raises as Replica.received."""
        line = self.gossip.lines[end]
        if frame.kind == SYNC:
            self._compare(frame, end)
        elif not line.compared:
            # A frame about the previous match: the other side did not know of the new one yet.
            if not line.switching:
                raise Malformed("The other side speaks before the two copies were compared.")
        elif end >= self._seats:
            raise Malformed("A spectator has nothing to say.")
        elif frame.kind in (ENTRY, STATEMENT):
            self._record(parse_record(frame), end)
            self._try_proofs()
        elif frame.kind == PROOF and self._seats > TWO:
            self._proof(frame, end)
        elif frame.kind == RECEIPT:
            match, seat, count, receipt = read_receipt(frame.payload)
            if match != self._session.genesis.id:
                raise Malformed("The other side acknowledges another match than this one.")
            self.gossip.acknowledged(end, Receipt(seat, count, receipt))
        elif frame.kind == HAVE:
            has = read_have(frame.payload, self._seats)
            self.gossip.have(end, has, self._clock())
            self._session.rewound(end, has.counts.entries)
        else:
            self._aside(frame, end)

    def _aside(self, frame: Frame, end: End) -> None:
        """Take a frame beside the record."""
        if frame.kind == CARD:
            self._take_card(frame, end)
        elif frame.kind == FRIEND:
            self._befriended(frame, end)
        elif frame.kind == AUDIENCE:
            self.gossip.vain(end)
            if (audience := self.audiences.take(frame.payload)) is not None:
                self.gossip.note(audience.seat, audience.serial, frame, end)
        else:
            raise Malformed("The other side sent what has no place in a match, or not yet.")

    def _compare(self, frame: Frame, end: End) -> None:
        """Note what the other side lacks, and what we lack."""
        sync = read_sync(frame.payload)
        if sync.match != self._session.genesis.id or self.gossip.lines[end].compared:
            raise Malformed("The other side compares another match than this one.")
        self._progressed(end)
        same = self.gossip.compared(end, sync.position, sync.entry)
        if end < self._seats:
            self.trouble = None if same else Misplaced("The copies of two seats are not the same.")
            with suppress(Misplaced):  # told already
                shown = sync.entry, sync.statement
                self._session.go_live(sync.position, shown, seat=end, fresh=self._fresh[end])
            self._tell_friend(end)

    def _record(self, record: Record, end: End) -> None:
        """Take a record; after a new record, the records that came before their time."""
        self._go_on(self._admit(record, end))

    def _go_on(self, progress: bool) -> None:
        while progress and self._session.fault is None:
            progress = False
            for ripe in self.gossip.ripe(self._session.ahead.reached):
                if self.elsewhere and ripe.heavy:
                    self._ripe.append(ripe)
                else:
                    progress = self._admit_ripe(ripe) or progress
            progress = self._offer_held() or progress

    def _admit_ripe(self, ripe: RipeRecord) -> bool:
        try:
            return self._admit(ripe.record, ripe.end, again=True)
        except Refusal as refusal:  # a fault, or one record too many of that link
            self.trouble = refusal  # the link at hand is not to blame
            return False

    def ripened(self, ripe: RipeRecord) -> None:
        """Go on with a heavy record from `work` whose proof was checked."""
        if ripe.end in self.gossip.lines:  # else a new link brings it again
            self._go_on(self._admit_ripe(ripe))
            self._try_proofs()

    def _proof(self, frame: Frame, end: End) -> None:
        """Take a PROOF from `end`; if it shares entries that we lack, it waits for them.

        Raises Malformed for too many PROOFs, or for a PROOF without a fault.
        """
        self.gossip.vain(end)
        self._proofs.take(end, frame)
        self._try_proofs(end)

    def _try_proofs(self, end: End | None = None) -> None:
        """Judge the PROOFs, unless the caller does; `end`: the sender of the last.  Raises as `judged`."""
        while not self.elsewhere and (trial := self._trial()) is not None:
            self.judged(trial, trial.run(), end)

    def work(self) -> Trial | RipeRecord | None:
        """The next long check, if the caller does such work; each is given once."""
        if not self.elsewhere:
            return None
        return self._ripe.pop(0) if self._ripe else self._trial()

    def _trial(self) -> Trial | None:
        """A PROOF that can be judged now, or None."""
        if self._session.fault is not None or self._session.referee.breach is not None:
            self._proofs.clear()
        return self._proofs.trial(self._session.referee)

    def judged(self, trial: Trial, judgement: Judgement, end: End | None) -> None:
        """Take the `judgement` of `trial`, which frames of `end` caused.

        Raises Malformed if the PROOF is of `end` and proves no fault, and the proven fault of `end` itself.
        """
        if not isinstance(judgement, Violation | Equivocation):
            self._proofs.distrust(trial.end)
            if trial.end == end:
                raise Malformed("The other side sent a proof of a fault that proves none.") from judgement
        elif not has_shared(self._session.referee, trial.proof.evidence):
            self._proofs.again(trial)  # a Gone came meanwhile
        else:
            try:
                self._session.receive(trial.proof, judgement)
            except Misplaced:
                return  # another fault ended the match meanwhile
            except (Violation, Equivocation) as fault:
                self._proofs.clear()
                self.trouble = fault
                if fault.seat == end:
                    raise

    def _offer_held(self) -> bool:
        """Offer the held records to the session again; return whether it takes any of them.

        Only another head can change its answer: chat over the same head costs no further try (threat 106).
        """
        progress, head = False, self._session.referee.head
        if head == self._offered:
            return False
        self._offered = head
        for record in self.gossip.held:
            before = self._session.referee.record
            size = len(before)
            try:
                self._session.receive(record)
            except Misplaced:
                continue
            except (Violation, Equivocation) as fault:
                self.trouble = fault
                return False
            after = self._session.referee.record
            if after is not before:
                self._rewound(record, before)
            progress = progress or after is not before or len(after) > size
        return progress

    def _rewound(self, gone: Record, before: list[Record]) -> None:
        """Tell the links that `gone` took the place of an entry of our copy, whose record was `before`."""
        if isinstance(gone, Entry):
            self.gossip.rewound(gone.number, before)

    def _admit(self, record: Record, end: End, *, again: bool = False) -> bool:
        """Admit a record; return whether it is new, or held back now, so that others can follow it.

        Raises a fault if the culprit itself sent it: other carriers of the proof are not to blame.
        """
        before, ahead = self._session.referee.record, len(self._session.ahead.reached.record)
        size = len(before)
        if self._session.fault is not None:
            self.gossip.came_late(end, record)
            return False
        try:
            self._session.receive(record)
        except Misplaced:
            self.gossip.came_early(end, record, again=again)
            return False
        except (Violation, Equivocation) as fault:
            if self._session.referee.record is not before:  # a Gone that makes us forget what shows the fault
                self._rewound(record, before)
            self.trouble = fault
            if fault.seat == end:
                raise
            return False
        after = self._session.referee.record
        if after is not before:  # another record has taken the place of an entry
            self._rewound(record, before)
            self.gossip.came(end, record)
            self._progressed(end)
            return True
        # One record can let in others that were held back, before or after it.
        if any(admitted.payload == record.payload for admitted in after[size:]):
            self.gossip.came(end, record)
            self._progressed(end)
        else:
            self.gossip.came_aside(end, record)
        # What our session holds back is news, too: a BACK that came before it can now release it.
        return len(after) > size or len(self._session.ahead.reached.record) > ahead

    def _progressed(self, end: End) -> None:
        """Move the deadline of `end`: a new record came from it, and it may have more."""
        self._progress_by[end] = self._clock() + PROGRESS_WITHIN

    # The disk

    def flush(self) -> None:
        """Persist the outputs of the session, then send each other side the records that it lacks."""
        try:
            # What we have signed is on the disk before anything else is judged.
            if self._persist():  # ours can let in what came early (T126)
                self._go_on(True)
                self._persist()
            self._keep_route()
            self._friends.keep()
        except StorageFailure as failure:
            self.fail(failure)
            raise
        self._pass_on()

    def _persist(self) -> bool:
        """Persist the outputs of the session; whether a record of ours is among them.  Raises StorageFailure.

        After a proven fault we sign nothing more, so only this syncs the proof.
        """
        outputs = self._session.outputs()
        if not outputs and self.failure is None:
            return False
        tracing.trace_records(self._owner.trace, outputs)
        self._store.execute(outputs, durable=self._session.fault is not None)
        return any(output.duty is Duty.SEND for output in outputs)

    def fail(self, failure: StorageFailure) -> None:
        """Stop all links before another frame goes out: the match can no longer be saved."""
        self.failure = failure
        self.changed()

    def acknowledge(self) -> None:
        """Send a receipt for the entries that make us owe a decision, once they are on our disk."""
        known = self.gossip.receipts.get(self._session.seat)
        if (known is not None and known.count == self._session.referee.count) or not self.compared:
            return
        if signed := self._session.receipt():
            try:
                self._store.sync()
            except StorageFailure as failure:
                self.fail(failure)
                raise
            self.gossip.acknowledge(Receipt(self._session.seat, *signed))
            self._pass_on()

    def heard(self, seat: Seat) -> bool:
        """Whether `seat` has signed that it knows the present head, in a receipt or in a record."""
        referee, receipt = self._session.referee, self.gossip.receipts.get(seat)
        return (receipt is not None and receipt.count == referee.count) or referee.has_acknowledged(seat)

    def keep_receipts(self) -> None:
        """Save the others' receipts: they must survive a restart as proofs of known obligations."""
        copy = self._session.copy
        kept = [
            [seat, *remote.receipt]
            for seat, remote in sorted(copy.remotes.items())
            if remote.receipt and copy.receipt(seat)
        ]
        if kept:
            self._store.keep_receipt(encode(kept))

    def keep_place(self) -> None:
        """Save the place of our folder, if this copy was shown to be the newest: later posts rest on it."""
        ledger, mark = self._store.ledger, self._store.mark
        if self._session.proven and (ledger.here, ledger.doubted) != (mark, 0):
            self._store.keep_ledger(replace(ledger, here=mark, doubted=0))

    def _remember_receipts(self) -> None:
        with suppress(Malformed):
            match decode(self._store.receipt):
                case [*kept]:
                    for value in kept:
                        match value:
                            case [int() as seat, int() as count, bytes() as receipt] if seat < self._seats:
                                self._session.copy.acknowledged(seat, count, receipt)

    def _pass_on(self) -> None:
        if (audience := self.audiences.to_tell(self._clock())) is not None:
            frame = sign_audience(self._owner.identity, self._session.genesis, audience)
            self.gossip.note(audience.seat, audience.serial, frame)
        self.gossip.pass_on(self._clock())

    # Places

    def befriend(self, seat: Seat) -> None:
        """Let the player of `seat` ask ours for other games from now on.

        That is on the disk first.  Then a FRIEND goes to that seat alone, over a link of our own, or over the
        next such link.  Raises StorageFailure.
        """
        self._friends.let_ask(self._session.genesis.players[seat].key)
        line = self.gossip.lines.get(seat)
        if line is not None and line.compared:
            self._tell_friend(seat)

    def _tell_friend(self, seat: Seat) -> None:
        frame = self._friends.frame_for(self._session.genesis.players[seat].key)
        if frame is not None:
            self.gossip.lines[seat].send(bytes(frame))

    def _befriended(self, frame: Frame, end: End) -> None:
        self.gossip.vain(end)
        self._friends.receive(self._session.genesis.players[end].key, frame.payload)

    def reroute(self, seat: Seat, place: Place) -> None:
        """Look for `seat` at `place` from now on."""
        self.route = self.route.with_place(seat, place)
        self._keep_route()
        self.changed()

    def listen_at(self, place: Place | None, port: int, mapped: tuple[Address, ...] = ()) -> None:
        """Tell the table that we listen at `place` from now on; None: nowhere.

        `port`: our port here, or 0; `mapped`: as in Route.
        """
        if place != self.route.own:
            self.route = self.route.relocated(self._session.seat, place, port, mapped)
            self._keep_route()
            self._tell_place()
            self._pass_on()
        elif (port, mapped) != (self.route.port, self.route.mapped):
            self.route = replace(self.route, port=port, mapped=mapped)
            self._keep_route()
        self.changed()

    def _keep_route(self) -> None:
        """Save the places of the others, once for all cards of a moment (threat 106)."""
        if self.route != self._kept:
            self._store.set_route(self.route)
            self._kept = self.route

    def _tell_place(self) -> None:
        session = self._session
        if own := own_card(self._owner.identity, session.genesis, session.seat, self.route):
            card, frame = own
            self.gossip.note(card.seat, card.serial, frame)

    def _take_card(self, frame: Frame, end: End) -> None:
        """Take the card of a seat; the newest counts, and cards over MAX_CARDS are dropped.

        A card that we know from an earlier process is passed on to the others all the same.
        """
        self.gossip.vain(end)
        seat, serial = seat_and_serial(frame.payload)
        newest = self.route.serials.get(seat, -1)
        known = serial < newest or self.gossip.noted(CARD, seat) >= serial
        if seat == self._session.seat or known or self._cards[seat] >= MAX_CARDS:
            return
        card = read_card(frame.payload, self._session.genesis)
        self._cards[seat] += 1
        self.gossip.note(card.seat, card.serial, frame, end)
        if serial > newest:
            # kept with the next `flush`
            self.route = self.route.with_place(card.seat, card.place, card.serial)
