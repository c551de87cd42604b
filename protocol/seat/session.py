"""One seat of a match: records in, records out.  No sockets, no files, no clock.

The session answers every ask that needs no decision (openings, shares, the END), asks its player for the
rest, and passes every record, its own too, through the referee.  The caller must persist the outputs in
order before it sends any of them.  Then no acknowledged record can be lost, and the seat never signs two
different contents for one place of the chain (threats 30 and 31).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, NoReturn

from p2p_stratego.core.game import Choose, Decision, Face, Outcome, Seat, Slot
from p2p_stratego.core.view import View
from protocol.crypto.keys import Identity
from protocol.crypto.workers import Job
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Stale, Violation, WrongKey
from protocol.failures import NotNow, Why
from protocol.limits import MAX_STATEMENTS
from protocol.record import receipts, statements
from protocol.record.asks.base import Decided, Reached
from protocol.record.asks.choose import Choice
from protocol.record.asks.takeback import TakeBack
from protocol.record.evidence import Proof
from protocol.record.genesis import Genesis
from protocol.record.position import Position
from protocol.record.referee import Duplicate, LateRecord, Referee
from protocol.record.statements import Content, Kind, Record, Statement, parse_record
from protocol.seat import accusations, replies
from protocol.seat.effects import Duty, Output
from protocol.seat.faces import Faces
from protocol.seat.follower import Follower, Remote, reread
from protocol.seat.jobs import Jobs
from protocol.seat.secrets import STALE, MatchSecrets, encode_decision
from protocol.seat.talk import Talk
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from protocol.wire.messages import Message


def standing_offers(referee: Referee) -> list[Statement]:
    """The offers of a draw that stand, of seats that are not gone: first the one that most have accepted, of
    equal ones that of the lowest seat.
    """
    seats = sorted(referee.absences.present(referee.count))
    offers = [offer for seat in seats if (offer := referee.standing_offer(seat)) is not None]
    return sorted(offers, key=lambda offer: -len(willing(referee, offer)))


def willing(referee: Referee, offer: Statement) -> set[Seat]:
    """The seats that have accepted an offer of a draw, but for the seat that owes the next entry: it accepts
    last, whatever it has said before.
    """
    last = None if referee.owed is None else referee.owed.seat
    return referee.endings.acceptances(offer, referee.count).keys() - {last}


def acceptable_draw(referee: Referee, seat: Seat) -> Statement | None:
    """An offer of a draw that `seat` can accept now, another seat's, the first of `standing_offers`.

    Among three or more the seat that owes the next entry accepts last, instead of that entry; then also its
    own offer.
    """
    offers = standing_offers(referee)
    if referee.many and referee.owed is not None and referee.owed.seat == seat:
        return next((s for s in offers if referee.may_close(seat, (s.seat, s.index))), None)
    return next(
        (s for s in offers if s.seat != seat and seat not in referee.endings.acceptances(s, referee.count)),
        None,
    )


def closing_acceptance(referee: Referee, seat: Seat) -> Content | None:
    """The content of the acceptance with which `seat`, which owes the next entry, makes its own offer good
    after all others have accepted it; None if they have not.  Also if an entry has come since the offer, or
    if a seat that is present has resigned: then its player, who has seen more, is asked again (threat 131).
    """
    offer = referee.standing_offer(seat) if referee.many else None
    if offer is None or offer.count < referee.count or not referee.may_close(seat, (seat, offer.index)):
        return None
    going = referee.endings.resigned_until(referee.count) & referee.absences.present(referee.count)
    return None if going else (seat, offer.index)


class Signer:
    """Signs for `seat` of a match, each record in the place that the record so far leaves for it."""

    def __init__(self, identity: Identity, genesis: Genesis, seat: Seat) -> None:
        self._identity, self._genesis, self._seat = identity, genesis, seat

    def entry(self, referee: Referee, message: Message) -> Frame:
        """The next entry, which our seat owes."""
        body = referee.entry_body(message)
        return Frame(ENTRY, body + self._sign(labels.SIGN_ENTRY, body))

    def gone(self, referee: Referee) -> Frame:
        """The entry that takes the seat which owes it out of the match; our seat is the decider."""
        body = referee.gone_body()
        return Frame(ENTRY, body + self._sign(labels.SIGN_ENTRY, body))

    def statement(self, referee: Referee, kind: Kind, content: Content = ()) -> Frame:
        """The next statement of our seat, over all entries."""
        after = (len(referee.statements[self._seat]), referee.statement_heads[self._seat][-1])
        body = statements.body(self._seat, after, (referee.count, referee.head), kind, content)
        return Frame(STATEMENT, body + self._sign(labels.SIGN_STATEMENT, body))

    def receipt(self, referee: Referee) -> bytes:
        """Our receipt (64 bytes) for all entries."""
        return receipts.sign(self._identity, self._genesis, self._seat, referee.count, referee.head)

    def _sign(self, label: bytes, body: bytes) -> bytes:
        return self._identity.sign(label, self._genesis.id + body)


_KEPT: Final = 400
"""Statements of a seat that chat and offers must not use: for a resignation, the END, its AWAYs, and up to
320 BACKs, which AWAYs make it say, or 256 parts of a REVEAL.
"""


class Session:
    """One seat of one match, from its genesis, its record and its earlier decisions."""

    def __init__(
        self,
        genesis: Genesis,
        seat: Seat,
        identity: Identity,
        secrets: MatchSecrets,
        recorded: Iterable[Frame] = (),
    ) -> None:
        """Raises a Refusal if `recorded` is not a valid record of this match, WrongKey for another key."""
        if genesis.players[seat].key != identity.key:
            raise WrongKey
        self.genesis = genesis
        self.seat = seat
        self.copy = Follower(genesis)
        self.referee = self.copy.referee
        self._signer = Signer(identity, genesis, seat)
        self._secrets = secrets
        self.faces = Faces(self.referee, seat, secrets)
        self.talk = Talk(self.referee, seat, secrets)
        self._mended = secrets.lost > 0
        """Whether the player may have decided over records that this copy lost."""
        self._outputs: list[Output] = []
        self.ahead = accusations.AdvanceCopy(self.referee, seat)
        self.jobs = Jobs()
        self.proven = False
        """Whether a comparison in this process showed that this copy has everything that our key signed."""
        reread(recorded, self._admit)

    # State

    @property
    def fault(self) -> Violation | Equivocation | None:
        """The proven fault of another seat that ended the match."""
        return self.copy.fault

    @property
    def behind(self) -> bool:
        """Whether announced records of another seat are missing here; until they arrive, we sign no entry."""
        return self.copy.behind

    @property
    def _sure(self) -> bool:
        """Whether we may sign entries.  A seat that announces in vain holds up its own link only."""
        sure = self.proven and not self._secrets.lost and not self._bound
        return sure and (self.live or not self.behind)

    @property
    def _bound(self) -> bool:
        """Whether our copy has a record that we held back, and still lacks the BACK that makes it stay."""
        return self.referee.many and self.referee.absences.bound(self.seat)

    @property
    def answerable(self) -> bool:
        """Whether we still know every decision to which our commitments in the record bind us."""
        return self.faces.answerable

    @property
    def live(self) -> bool:
        """Whether a compared copy is connected."""
        return self.copy.live

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended (by the rules, a statement, or another seat's proven fault), or None."""
        return self.copy.outcome

    @property
    def over(self) -> bool:
        """Whether play has ended; the outcome may still wait for claims to be settled."""
        ended, outcome = self.left or self.referee.provisional is not None, self.outcome
        if ended or outcome is None:
            return ended
        if outcome.reason != "unresponsive":
            return True
        # A seat accused of being away can still send the message that it owes: that answers the claim.
        silent = self.referee.silent
        return self.seat not in silent if silent else self.seat in outcome.winners

    @property
    def left(self) -> bool:
        """Whether our seat has resigned, or is gone, while the others play on."""
        return self.referee.has_left(self.seat)

    @property
    def decision(self) -> Decision | None:
        """The decision open to our player now, or None; of simultaneous decisions, ours does not wait."""
        owed = self.referee.owed
        if owed is None or self.over or self.referee.table.serial in self._secrets.decided:
            return None
        return next(iter(self.faces.parts(owed.ask)), None)

    @property
    def kept(self) -> Decided | None:
        """Our player's decision for an entry that we owe and could not send yet."""
        owed, serial = self.referee.owed, self.referee.table.serial
        return self._secrets.decided.get(serial) if owed and owed.seat == self.seat else None

    @property
    def known(self) -> dict[Slot, Face]:
        """The faces that we can read, by slot: our own, the opened ones, and those shown to us alone."""
        return self.faces.known

    @property
    def view(self) -> View[Any]:
        """The view of our player, for screens and bots; call it only once the set-up is complete."""
        table = self.referee.table
        since = tuple((step.ask, step.answer) for step in table.since)
        return View(self.seat, table.state, self.known, self.decision, since)

    @property
    def long_view(self) -> View[Any]:
        """The same view with all states before it, for a bot that learns from a whole match."""
        past = [step.state for step in self.referee.table.history if isinstance(step, Reached)]
        return replace(self.view, past=past[:-1])

    @property
    def draw_offer(self) -> Statement | None:
        """An offer of a draw that we can accept now."""
        return None if self.over else acceptable_draw(self.referee, self.seat)

    def position(self) -> Position:
        """The position of our record."""
        return self.copy.position()

    @property
    def claimable(self) -> Seat | None:
        """The seat that we can accuse of being away, as in `accusations`; None if there is none."""
        return accusations.claimable(self.copy, self.seat) if self._may_claim else None

    @property
    def _may_claim(self) -> bool:
        """Whether nothing has ended the match but a claim that our seat, the decider, can still answer."""
        return self.outcome is None or (self.fault is None and self.seat in self.referee.silent)

    # Actions of our player

    def decide(self, decided: Decided) -> None:
        """Answer `decision`.  Raises NotNow if there is none, or if the rules do not offer this answer.

        The decision is persisted and stays secret until our seat owes its entry.
        """
        if (decision := self.decision) is None:
            raise NotNow(Why.NOTHING_TO_DECIDE)
        if isinstance(decision, Choose):
            if decided not in decision.options:
                raise NotNow(Why.NOT_OFFERED, str(decided))
        elif not self.faces.fits(decision, decided):
            raise NotNow(Why.WRONG_COUNT, len(decision.slots))
        owed, serial = self.referee.owed, self.referee.table.serial
        self._secrets.decided[serial] = decided
        if not (
            self._sure and self.referee.agreed and owed and (owed.seat, owed.message) == (self.seat, Choice)
        ):
            # Otherwise the entry follows at once and records the decision.
            self._outputs.append(Output(Duty.SECRET, encode_decision(serial, decided)))
        self._advance()

    def take_back(self) -> None:
        """Take back the last decision of our player that stands, and all behind it.  Raises NotNow."""
        self._require_running()
        number = self.referee.takeable(self.seat)
        if number is None or not self._sure:
            raise NotNow(Why.NOTHING_TO_TAKE_BACK)
        self._give(self._signer.entry(self.referee, TakeBack(number)))
        self._advance()

    def say(self, text: str, to: Seat | None = None) -> None:
        """Send a line of chat, 1 to 500 characters, to all or sealed to one seat alone.  Raises NotNow."""
        self.talk.check(text, to)
        if not self.live or self.fault is not None or not self.referee.agreed:
            raise NotNow(Why.NOT_CONNECTED)
        if self._secrets.lost:  # a lost statement may stand at the index that we would sign
            raise NotNow(Why.NOT_COMPARED)
        self._require_room()
        self._say_back()  # what is sealed is sealed for one index
        kind, content, kept = self.talk.say(text, to)
        self._outputs += kept
        self._state(kind, content)

    def resign(self) -> None:
        """Give the match up.  Raises NotNow if it has ended."""
        self._require_running()
        self._state(Kind.RESIGN, replies.key_to_give(self._secrets, self.referee, self.seat))
        self._advance()

    def offer_draw(self) -> None:
        """Offer a draw; the offer lapses with another seat's next decision.  Raises NotNow."""
        self._require_running()
        if self.referee.standing_offer(self.seat) is not None:
            raise NotNow(Why.OFFER_STANDS)
        self._require_room()
        self._state(Kind.OFFER_DRAW)

    def accept_draw(self) -> None:
        """Accept `draw_offer`.  Raises NotNow."""
        self._require_running()
        if (offer := self.draw_offer) is None:
            raise NotNow(Why.NO_OFFER)
        self._require_room()
        self._state(Kind.ACCEPT_DRAW, (offer.seat, offer.index))
        self._advance()

    def claim_away(self, seconds: int, of_time: bool = False) -> None:
        """Accuse `claimable` of silence for `seconds` (below 2^32), or `of_time` of using up its time.

        Of two seats left, that ends the match, also while records are missing here: a liar could announce
        them for ever.  Among more the decider takes the silent seat out by it, once all others have said so.
        Raises NotNow if no seat can be accused: if it is our turn, say, or if no signature proves that the
        seat knows.
        """
        if not (self._may_claim and self.referee.agreed):
            raise NotNow(Why.NO_MATCH)
        if self._secrets.stale or self._secrets.lost:
            raise NotNow(Why.OLD_COPY if self._secrets.stale else Why.NOT_COMPARED)
        accused = accusations.accused(self.copy, self.seat)
        if self._bound or (accusations.many_left(self.referee) and not self.proven):
            raise NotNow(Why.NOT_COMPARED)  # our key may have signed that the accused has answered
        if not accusations.may_remove(self.referee, self.seat):  # else our Gone alone is missing
            cause = accusations.cause(self.referee, accused) if of_time else ()
            self._state(Kind.AWAY, (accused, seconds, accusations.receipt(self.copy, accused), *cause))
        if accusations.may_remove(self.referee, self.seat):  # perhaps by the AWAY just signed
            self._give(self._signer.gone(self.referee))
        self._advance()

    # The connection

    def agree(self) -> None:
        """Sign our consent to the genesis, once."""
        if not self.referee.statements[self.seat] and self.fault is None and not self._secrets.stale:
            self._state(Kind.AGREE, self.talk.key)

    def go_live(
        self,
        theirs: Position | None = None,
        shown: tuple[bytes, bytes] | None = None,
        *,
        seat: Seat | None = None,
        fresh: bool = True,
    ) -> None:
        """Another seat is connected and announced `theirs`; sign no entry until our record covers it.

        `shown`: the newest entry and statement of our seat that it holds, as payloads, or empty.
        Only our key can have signed one that is missing here, so a missing one proves that this copy is old.
        `seat`: the owner of that copy; by default the next seat.  `fresh`: whether the announcement is of
        now; an old one can show that this copy is older, and never that this copy is the newest.  Raises
        Misplaced if the chains differ, Malformed, and Stale if this copy is old.
        """
        seat = self._next if seat is None else seat
        remote = self.copy.remote(seat)
        remote.live, remote.goal, remote.shown, remote.fresh = False, None, shown, fresh
        if self._secrets.stale:
            self._freeze()
        held = shown is not None and not self.copy.lacks(self.seat, shown)
        if theirs is None:
            self.proven = True
        elif held:  # every record of ours that the other seat holds, also if a Gone makes our chains differ
            self._prove([remote])
        try:
            if theirs is not None:
                self.copy.announced(seat, theirs, patient=self._secrets.lost > 0)
        except Misplaced:
            self._advance()
            raise
        if shown is not None and not held and not self._secrets.lost:  # else they may come back
            self._freeze()
        if remote.goal is None:
            remote.live = True
        self._catch_up()
        self._advance()

    def pause(self, seat: Seat | None = None) -> None:
        """The connection to `seat` is gone.  The comparison still holds: until a restart we go on signing the
        entries that we owe, so that our record shows no debt.
        """
        self.copy.remote(self._next if seat is None else seat).live = False

    def give_up(self, seat: Seat | None = None) -> None:
        """Stop waiting for records that `seat` (default: the next one) announced and that are missing."""
        self.copy.give_up(self._next if seat is None else seat)
        self._advance()

    def rewound(self, seat: Seat, count: int) -> None:
        """The copy of `seat` has `count` entries now: a Gone may have made it forget what it announced.

        Between two there is no Gone.  A copy that lost records waits for them whatever a HAVE says: else it
        would sign a lost place a second time (threat 35).
        """
        if not self.referee.many or self._secrets.lost or self._secrets.stale:
            return
        if self.copy.rewound(seat, count):
            self._advance()

    def missing(self, theirs: Position) -> list[Frame]:
        """The records that a seat at `theirs` lacks.  Raises Misplaced if the chains differ, or Malformed."""
        if self._secrets.stale:
            self._freeze()
        return self.copy.missing(theirs)

    def receipt(self) -> tuple[int, bytes] | None:
        """The entries we acknowledge and our receipt (64 bytes); None if none is due.

        Due: our seat owes an entry and no record proves that it knows; or a clock runs for a decision our
        player made early.
        """
        referee, seat = self.referee, self.seat
        owes = referee.owed is not None and referee.owed.seat == seat and not referee.has_acknowledged(seat)
        # In this order: most matches have no clock, and a decision takes the Ask apart.
        due = owes or (accusations.decides(referee, seat) and self.decision is None)
        if not (due and self._sure and referee.agreed) or self.over:
            return None
        return referee.count, self._signer.receipt(referee)

    def receive(self, record: Record | Proof, proved: Violation | Equivocation | None = None) -> None:
        """Admit a record from another seat, or a proof; `proved`: the fault in the proof.

        Raises a Refusal that blames nobody (the record is dropped), or Stale.  A Violation or Equivocation is
        recorded as evidence, ends the match, and is raised too.
        """
        if self._secrets.stale:
            self._freeze()
        before = self.referee.record
        size = len(before)
        if not self.ahead.holds_back(record, partial(self._take, verified=True)):
            self._take(record, proved)
        # What is known, or held back, changes nothing that we owe (threat 106).
        if self._catch_up() or self.referee.record is not before or len(before) != size:
            self._advance()

    def _take(
        self,
        record: Record | Proof,
        proved: Violation | Equivocation | None = None,
        *,
        verified: bool = False,
    ) -> None:
        """Admit a record from another seat, and answer nothing yet; `verified`: the copy that runs ahead has
        verified its signature, once for both.
        """
        try:
            self._admit(record, verified=verified, proved=proved)
        except (Duplicate, LateRecord):
            return
        except (Violation, Equivocation):
            self._outputs.append(Output(Duty.RECORD, bytes(record.frame)))
            raise
        except Misplaced:
            self._beware(record)
            raise
        frame = record.frame
        if self._is_ours(record) and not self._comes_back(frame):
            self._freeze()
        self._outputs.append(Output(Duty.RECORD, bytes(frame)))

    def finish(self, job: Job[Any], result: object) -> None:
        """Take the result of `jobs.job`, which another process has done."""
        self.jobs.finish(job, result)
        self._advance()

    def outputs(self) -> list[Output]:
        """The outputs since the last call, in order: to be persisted, then sent."""
        outputs, self._outputs = self._outputs, []
        return outputs

    # Internals

    @property
    def _next(self) -> Seat:
        """The next seat: of two, the other one."""
        return (self.seat + 1) % len(self.genesis.players)

    def _admit(
        self,
        record: Record | Proof,
        *,
        verified: bool = False,
        proved: Violation | Equivocation | None = None,
    ) -> None:
        """Admit a record through the referee; a fault of our own seat proves an old copy, not a cheat."""
        try:
            self.copy.admit(record, verified=verified, proved=proved)
        except (Violation, Equivocation) as fault:
            if fault.seat == self.seat:
                self.copy.fault = None
                self._freeze()
            raise

    def _is_ours(self, record: Record | Proof) -> bool:
        return not isinstance(record, Proof) and record.seat == self.seat

    def _beware(self, record: Record | Proof) -> None:
        """Freeze if a record that does not follow here is our own: another copy of ours has signed it."""
        if self.seat in self.referee.table.gone:
            return  # we signed it before we knew
        if self.fault is None and self._is_ours(record) and not self._secrets.lost:
            self._freeze()

    def _comes_back(self, frame: Frame) -> bool:
        """Whether a record of ours, received from another seat, can be one that our disk lost.

        It can if the other seat announced it, if it fits into the bytes that were set aside, and if we still
        know the decision behind every commitment of ours in the record.
        """
        if not self.behind or len(frame) > self._secrets.lost:
            return False
        self._secrets.lost -= len(frame)
        self.faces.forget()
        return self.answerable

    def _freeze(self) -> NoReturn:
        """Our key has signed records that this copy lacks: it never signs again (threat 31)."""
        if not self._secrets.stale:
            self._secrets.stale = True
            self._outputs.append(Output(Duty.SECRET, STALE))
        self.proven = False
        for remote in self.copy.remotes.values():
            remote.live = False
        raise Stale

    def _catch_up(self) -> bool:
        """Whether all has come that some other copy had announced."""
        # A record that we hold back has arrived, too (threat 116).  A record that our disk lost has arrived
        # only once our copy itself has it: else we could sign its place again.
        arrived = self.referee if self._secrets.lost else self.ahead.reached
        if not (reached := self.copy.catch_up(arrived)):
            return False
        for remote in self.copy.remotes.values():
            # It holds lost records of ours and announced fewer: we must not sign the withheld places again.
            if remote.live and remote.shown is not None and self.copy.lacks(self.seat, remote.shown):
                remote.live = False
                raise Malformed("The other side shows records of ours that it has not sent.")
        self._prove(reached)  # every lost record that the other seat holds is here again
        return True

    def _prove(self, by: list[Remote]) -> None:
        """Note that our copy has everything that our key signed, if one of these announcements is of now."""
        if any(remote.fresh for remote in by):
            self.proven = True
            self._secrets.lost = 0

    def _require_running(self) -> None:
        if self.over or not self.referee.agreed:
            raise NotNow(Why.ENDED if self.over else Why.NOT_BEGUN)
        self._require_current()

    def _require_current(self) -> None:
        if self._secrets.stale:
            raise NotNow(Why.OLD_COPY)
        if (self.behind and not self.proven) or self._bound:
            raise NotNow(Why.BEHIND)
        if self._secrets.lost:  # a lost record may stand at the place that we would sign
            raise NotNow(Why.NOT_COMPARED)

    def _require_room(self) -> None:
        if self._bound:
            raise NotNow(Why.BEHIND)
        if len(self.referee.statements[self.seat]) >= MAX_STATEMENTS - _KEPT:
            raise NotNow(Why.FULL)

    def _advance(self) -> None:
        """Sign everything that we owe and that needs no further decision."""
        referee = self.referee
        if not self._sure or self.seat in referee.forgotten:  # or we would sign one index a second time
            return
        self._complain()
        self._say_back()
        while (owed := referee.owed) and owed.seat == self.seat and referee.agreed and not self.over:
            if self._mended:
                self.faces.forget_misfit(owed)
            if self.kept is None and (closing := closing_acceptance(referee, self.seat)):
                self._state(Kind.ACCEPT_DRAW, closing)
                break
            message = self.jobs.reply(self._secrets, referee, owed, self.faces.own)
            if message is None:
                break
            self._give(self._signer.entry(referee, message))
        if self.seat in referee.unsettled and self.fault is None:
            own = self.faces.own
            for part in replies.parts(referee, self.seat):
                opened = replies.openings(self._secrets, referee, self.seat, own, part)
                self._state(Kind.REVEAL, (part, opened))
        if self.fault is None and (outcome := referee.outcome) and referee.end_is_due(self.seat):
            self._state(Kind.END, statements.end_content(outcome))
        if not self.over:
            self.jobs.prepare(self._secrets, referee, self.seat)

    def _say_back(self) -> None:
        """Say BACK over late records, before anything else is said over them."""
        absences, many = self.referee.absences, self.referee.many and self.fault is None
        while many and (back := absences.back_due(self.seat)):
            self._give(self._signer.statement(self.referee, Kind.BACK, back))

    def _complain(self) -> None:
        """Publish our secret of a look if the owner of its slot sealed something else than a right opening.

        Then the record shows the owner's fault, and the COMPLAIN ends the match like any proven fault.
        """
        ended = self.fault is not None or self.referee.endings.last_words[self.seat] is not None
        flawed = None if ended or self.referee.breach else self.faces.complaint()
        if flawed is not None:
            self._say_back()
            frame = self._signer.statement(self.referee, Kind.COMPLAIN, flawed)
            with suppress(Violation):  # the owner's, kept in self.fault
                self._admit(parse_record(frame), verified=True)
            self._outputs.append(Output(Duty.SEND, bytes(frame)))

    def _state(self, kind: Kind, content: Content = ()) -> None:
        self._say_back()
        self._give(self._signer.statement(self.referee, kind, content))

    def _give(self, frame: Frame) -> None:
        """Admit and queue a record that we have just signed.  A refusal here is a bug, so it raises
        RuntimeError.
        """
        try:
            record = parse_record(frame)
            self._admit(record, verified=True)
        except Refusal as refusal:
            raise RuntimeError("our own record was refused") from refusal
        with suppress(Violation, Equivocation):  # kept in self.fault
            self.ahead.follow(record, partial(self._take, verified=True))
        self._outputs.append(Output(Duty.SEND, bytes(frame)))
