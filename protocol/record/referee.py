"""The referee: one gate through which every entry and statement passes, ours like theirs.

The referee keeps the chain and plays the match that the chain spells out.  It knows public things only.  It
either admits a record whole, or raises a Refusal and stays as it was.  It raises blame (Violation,
Equivocation) only for bytes whose signature by the accused it has verified.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from p2p_stratego.core.game import Outcome, Seat
from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs.escrow import judge
from protocol.crypto.proofs.keys import read_secret
from protocol.crypto.proofs.party import Party
from protocol.crypto.proofs.verification import admitted_before
from protocol.crypto.sealed import is_sound, public_key
from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Violation
from protocol.limits import MAX_AWAYS, MAX_STATEMENTS, MAX_TAKEBACKS, TAKEN_BACK_WITHIN
from protocol.record import receipts, statements
from protocol.record.asks.base import BrokenRule, Obligation, SeatLeft, Table
from protocol.record.asks.open import check_opening
from protocol.record.asks.play import play
from protocol.record.asks.registry import CODEC, is_decision
from protocol.record.asks.takeback import Lasting, TakeBack, note, take_back
from protocol.record.complaints import face_shown, flaw
from protocol.record.endings import breach_outcome
from protocol.record.entries import Entry, Folded, folded
from protocol.record.gathering import forgotten_fault
from protocol.record.genesis import Genesis
from protocol.record.silence import rules
from protocol.record.silence.gone import Gone
from protocol.record.standing import TWO, Standing
from protocol.record.statements import Kind, Record, Statement, statement_hash
from protocol.wire import labels
from protocol.wire.encoding import encode
from protocol.wire.messages import Message


def check_chat(genesis: Genesis, statement: Statement) -> None:
    """Raise Malformed if a statement has another form than this match gives it.

    An AGREE carries the seat's key for talk exactly where the game allows talk between two; a SEALED stands
    only in such a game, and names another seat.  Only the reader opens the box, so nobody judges its content.
    """
    seat, content, private = statement.seat, statement.content, genesis.game.private_talk
    if statement.kind is Kind.AGREE and bool(content) != private:
        raise Malformed("A consent carries a key for talk exactly where the game allows talk between two.")
    if statement.kind is Kind.AGREE and content and not is_sound(content[0]):
        raise Malformed("What is sealed with this key for talk, everybody could read.")
    if statement.kind is not Kind.SEALED:
        return
    if not private:
        raise Malformed("In this game all talk is open to all.")
    if content[0] == seat or content[0] >= len(genesis.players):
        raise Malformed("Sealed talk is for one other seat of the match.")


def check(table: Table, statement: Statement, *, due: bool) -> None:
    """Raise Violation unless a RESIGN carries the secret of its seat's key if that is `due`, else nothing."""
    seat, count = statement.seat, statement.count
    if bool(statement.content) != due:
        raise Violation(seat, "statement", count, "wrong-key")
    if statement.content:
        try:
            read_secret(statement.content[0], table.cards.sent[seat])
        except ProofError as error:
            raise Violation(seat, "statement", count, "wrong-key") from error


def judge_complaint(table: Table, statement: Statement, signed: Sequence[int]) -> NoReturn:
    """Blame the dealer of a key in shares, or the receiver that complains of its share (SPEC P8).

    `signed`: the numbers of the receiver's entries.  Always raises Violation.
    """
    seat, count, (number, shared, proof) = statement.seat, statement.count, statement.content
    dealer = table.cards.deals_at.get(number, seat)
    in_time = bisect_left(signed, count) == bisect_left(signed, number)
    if dealer != seat and number < count and in_time:
        dealt = table.cards.deals[dealer]
        ctx = dealt.dealer.ctx._replace(seat=seat)
        if judge(Party(ctx, table.cards.share_keys[seat]), dealt, shared, proof):
            raise Violation(dealer, "entry", number, "wrong-share")
    raise Violation(seat, "statement", count, "false-complaint")


_TURNS_THE_END: Final = (Kind.RESIGN, Kind.OFFER_DRAW, Kind.ACCEPT_DRAW, Kind.REVEAL)
_NO_SEAT: Final = "There is no such seat in this match."


class Duplicate(Misplaced):
    """Exactly this record is admitted already: a harmless repetition after a reconnect."""


class LateRecord(Misplaced):
    """A record for a place where a Gone has taken its seat out of the match: no seat is at fault."""


class Referee(Standing):
    """The gate of one copy of a match."""

    def entry_body(self, message: Message) -> bytes:
        """The bytes that the seat which owes must sign to say `message` now."""
        owed = self.owed
        if owed is None:
            raise RuntimeError("nobody owes an entry")
        return self._body(owed.seat, message)

    def takeable(self, seat: Seat) -> int | None:
        """The number of the last decision of `seat` that it can take back now."""
        owed, table = self.owed, self.table
        if owed is None or owed.seat != seat or not is_decision(owed) or table.taken_back >= MAX_TAKEBACKS:
            return None
        return next((at for at in reversed(table.takeable) if self.entries[at].seat == seat), None)

    def lasting(self, seat: Seat) -> Lasting:
        """Why `seat`, which owes a decision, can take none back."""
        table, own = self.table, self.decided_at[seat]
        if table.taken_back >= MAX_TAKEBACKS:
            return Lasting.MOST
        if own and any(own[0] < number for number in table.gone.values()):
            return Lasting.LEFT
        many = sum(map(len, self.decided_at)) > TAKEN_BACK_WITHIN
        return Lasting.FAR if many and own and own[0] < min(table.takeable, default=0) else Lasting.NONE

    def gone_body(self) -> bytes:
        """The bytes that the decider must sign to take the seat that owes out of the match."""
        place = self.absences.place(self.count)
        away = self.absences.away(self.count)
        aways = tuple(away[seat].payload for seat in sorted(place.accusers))
        return self._body(place.decider, Gone(place.owner, aways))

    def _body(self, seat: Seat, message: Message) -> bytes:
        release = self.absences.release(seat)
        fields = (self.count, seat, self.head, CODEC.value(message))
        return encode((*fields, release) if release else fields)

    def admit(self, record: Record, *, verified: bool = False) -> None:
        """Admit an entry or a statement.  Raises as admit_entry does."""
        if isinstance(record, Entry):
            self.admit_entry(record, verified=verified)
        else:
            self.admit_statement(record, verified=verified)

    def admit_entry(self, entry: Entry, *, verified: bool = False) -> None:
        """Admit the next entry.

        `verified`: the caller vouches for the signature: the caller has just made it, or an END by every seat
        endorses the head.  Raises Malformed, Forged, Duplicate, Misplaced, Violation or Equivocation.  After
        a Violation no further entry can be admitted.
        """
        if entry.release and not self.many:
            raise Malformed("An entry holds a release, though of two seats none can ask for one.")
        if entry.number != len(self.entries) or entry.previous != self.heads[-1]:
            self._refuse_elsewhere(entry, verified=verified)
        elif not verified:
            self._check_signature(entry.seat, labels.SIGN_ENTRY, entry.payload)
        if self._broken:
            raise Misplaced("The chain ends here with an entry that broke a rule.")
        if not self.agreed:
            raise Misplaced("An entry comes before every seat has agreed to the match.")
        self._append(entry)

    def admit_statement(self, statement: Statement, *, verified: bool = False) -> None:
        """Admit a statement.  Raises as admit_entry does."""
        seat = statement.seat
        if seat >= len(self.statements):
            raise Malformed(_NO_SEAT)
        known = self.statements[seat]
        earlier = known[statement.index] if statement.index < len(known) else None
        if earlier is not None and earlier.body == statement.body:
            raise Duplicate("This statement is known already.")
        if not verified:
            self._check_signature(seat, labels.SIGN_STATEMENT, statement.payload)
        if earlier is not None:
            raise Equivocation(seat, "statement", statement.index, (earlier.payload, statement.payload))
        if statement.index != len(known) or len(known) >= MAX_STATEMENTS:
            raise Misplaced(f"A statement of seat {seat} is missing before this one, or there are too many.")
        if statement.previous != self.statement_heads[seat][-1]:
            raise Misplaced(f"A statement of seat {seat} follows another one than the one known here.")
        if known:
            self._check_dates(statement, known)
        self._check_place(statement)
        if known:
            self._check_order(statement)
        self._check_statement(statement)
        known.append(statement)
        self.kinds[seat][statement.kind] += 1
        self.statement_heads[seat].append(statement_hash(statement.body))
        self.agreed = self.agreed or all(self.statements)
        self.record.append(statement)
        self._note(statement)

    def judge_statement(self, statement: Statement, *, last: bool, verified: bool = False) -> None:
        """As admit_statement, for a proof, which holds only the statements that matter.

        An END that is not the `last` record stands in the proof only as its seat's last word: its content may
        rest on statements that the proof does not hold.
        """
        if not verified:
            self._check_signature(statement.seat, labels.SIGN_STATEMENT, statement.payload)
        self._check_place(statement)
        self._check_presence(statement)
        self._check_statement(statement, beside=not last)
        self._note(statement)

    def _note(self, statement: Statement) -> None:
        closes = self._closes(statement)
        self.endings.add(statement)
        if self.many:
            self.absences.add(statement)
            if closes:
                self._fold(statement)
            self._fold_resigned()

    def _append(self, entry: Entry) -> None:
        number, seat, owed = entry.number, entry.seat, self.owed
        if owed is None or owed.seat != seat or self.endings.last_words[seat] is not None:
            self._append_gone(entry)
            return
        if self.absences.open:
            self.absences.check_entry(entry)
        try:
            message = CODEC.parse(entry.message)
        except Malformed as error:
            raise Violation(seat, "entry", number, "not-a-message") from error
        back = isinstance(message, TakeBack) and self.genesis.takebacks and is_decision(owed)
        if type(message) is not owed.message and not back:
            raise Violation(seat, "entry", number, "wrong-message")
        self.table.number, moment = number, self.table.moment
        try:
            if isinstance(message, TakeBack):
                self._take_back(seat, message.number)
            self._go_on(self._script.send, None if back else message)
        except (BrokenRule, ProofError) as broken:
            self._broken = True
            raise Violation(seat, "entry", number, broken.rule) from broken
        self.entries.append(entry)
        self.record.append(entry)
        self.heads.append(entry.head)
        self._signed_at[seat].append(number)
        if is_decision(owed) and not back:
            self.decided_at[seat].append(number)
            if moment is not None:
                note(self.table, number, moment)
        if self.many:
            self.absences.appended(entry)
            self._fold_resigned()

    def _take_back(self, seat: Seat, number: int) -> None:
        """Go back to the Ask in whose answer entry `number` decided.  Raises BrokenRule."""
        at, moment = self.table.number, take_back(self.table, self.entries, seat, number)
        self._script.close()
        self.table = self.table.back_at(moment)
        self.table.number = at
        self._script = play(self.table, moment)

    def _append_gone(self, entry: Entry) -> None:
        """Append an entry that its seat does not owe: only a Gone can be one (SPEC 8.2.19)."""
        owed, message = self.owed, None
        with suppress(Malformed):
            message = CODEC.parse(entry.message)
        if owed is None or owed.seat == entry.seat or not isinstance(message, Gone):
            self._refuse_unowed(entry)
        self.absences.check_entry(entry)
        self.absences.check_gone(entry, message)
        self.record.append(entry)
        self._signed_at[entry.seat].append(entry.number)
        self._leave(entry, owed.seat)
        self.absences.appended(entry)
        self._fold_resigned()

    def _leave(self, entry: Entry, seat: Seat) -> None:
        """Take `seat`, which owes, out of the match; `entry` stands in the place of the owed entry."""
        self.table.number = entry.number
        self.table.gone[seat] = entry.number
        self.table.takeable.clear()  # nobody comes back by what another seat takes back
        self._go_on(self._script.throw, SeatLeft())
        self.entries.append(entry)
        self.heads.append(entry.head)

    def _go_on(self, step: Callable[[Any], Obligation], given: Message | SeatLeft | None) -> None:
        """Take a `step` of the script, with a value.  If it proves a claim false, play ends as by breach."""
        try:
            self.owed = step(given)
        except StopIteration as stop:
            self.owed, self.ended_by_rules = None, stop.value
        false = None if self.breach else self.table.ledger.newly_broken(self.table.faces)
        if false is not None:
            self._script.close()
            self.owed, self.ended_by_rules = (
                None,
                breach_outcome(self.genesis.sides, false.seat, false.rule, None),
            )
            self.false_claim = false
        self.owing.append(None if self.owed is None else self.owed.seat)

    def _fold_resigned(self) -> None:
        """Let every RESIGN take effect whose seat owes the next entry."""
        while self.owed is not None and self.count != self._reserved:
            statement = self.endings.resigned_by(self.owed.seat)
            if statement is None:
                return
            self._fold(statement)

    def _fold(self, statement: Statement) -> None:
        """Put a RESIGN, or the last acceptance of a draw, into the place of the entry that its seat owes."""
        entry = folded(self.count, statement.seat, self.head, statement.payload)
        if statement.kind is Kind.RESIGN:
            if statement.content:
                secret = int.from_bytes(statement.content[0], "little")
                self.table.cards.released[statement.seat] = secret
            self._leave(entry, statement.seat)
        else:
            self._script.close()
            self.table.cut = None if self.owed is None else self.owed.ask
            self._drawn = entry.number
            self.owed, self.ended_by_rules = None, Outcome(frozenset(), "agreed-draw")
            self.owing.append(None)
            self.entries.append(entry)
            self.heads.append(entry.head)
        self.absences.appended(entry)

    def _closes(self, statement: Statement) -> bool:
        """Whether `statement` closes a draw among three or more, in the place of the owed entry."""
        owed = self.owing[statement.count]
        return self.many and statement.kind is Kind.ACCEPT_DRAW and owed == statement.seat

    def rewind(self, number: int) -> None:
        """Forget entry `number` and all records that rest on it: a Gone takes its place (SPEC 8.4)."""
        kept: list[Record] = []
        cut: set[Seat] = set()
        for record in self.record:
            if isinstance(record, Entry):
                if record.number < number:
                    kept.append(record)
            elif record.seat not in cut and record.count <= number:
                kept.append(record)
            else:  # later statements of this seat hold its hash: they are forgotten, too
                cut.add(record.seat)
        self.undone = self.undone or forgotten_fault(self, number)
        self._begin(history=self.table.keeps_history)
        self._reserved = number
        with admitted_before():
            for record in kept:
                try:
                    self.admit(record, verified=True)
                except Misplaced:  # dated back by a seat that knew of what is forgotten now
                    cut.add(record.seat)
        self.forgotten |= cut

    def _check_signature(self, seat: Seat, label: bytes, payload: bytes) -> None:
        if seat >= len(self.genesis.players):
            raise Malformed(_NO_SEAT)
        if not self.genesis.signed(seat, label, payload):
            raise Forged(f"A signature of seat {seat} does not verify: anybody could have written this.")

    def _refuse_elsewhere(self, entry: Entry, *, verified: bool) -> None:
        """Refuse an entry that does not stand at the head (SPEC 8.2.2 to 8.2.14).

        Such an entry is known already, or for a place that is taken (an equivocation, or out of turn), or of
        another chain.  The referee knows a repeated entry by its bytes: a repetition must not cost the
        verification of a signature.  Only a Gone may return from here: if no other seat has built on the
        owner's record, the Gone takes its place, and the chain then ends before that place.
        """
        number, seat = entry.number, entry.seat
        earlier = self.entries[number] if number < len(self.entries) else None
        if earlier is not None and earlier.body == entry.body:
            raise Duplicate(f"Entry {number} is known already.")
        if not verified:
            self._check_signature(seat, labels.SIGN_ENTRY, entry.payload)
        if earlier is None:
            last = len(self.entries) - 1
            raise Misplaced(f"Entry {number} does not follow from entry {last} as it is known here.")
        if earlier.seat == seat and not isinstance(earlier, Folded):
            raise Equivocation(seat, "entry", number, (earlier.payload, entry.payload))
        if entry.previous == self.heads[number]:
            if earlier.seat == seat:
                beside = tuple(frame.payload for frame in self.support(earlier))
                raise Violation(seat, "entry", number, "went-on", beside)
            if self.table.gone.get(seat) == number:
                raise LateRecord(f"Entry {number} comes after its seat was taken out of the match.")
            if self._supersedes(entry):
                return
            if self.table.gone.get(seat, number) < number:
                raise Violation(seat, "entry", number, "went-on")
            raise Violation(seat, "entry", number, "out-of-turn")
        raise Misplaced(f"Entry {number} belongs to another chain than the one known here.")

    def _supersedes(self, entry: Entry) -> bool:
        """Whether `entry` is a Gone that supersedes the owner's record; that record is then forgotten."""
        message = None
        with suppress(Malformed):
            message = CODEC.parse(entry.message)
        if not isinstance(message, Gone):
            return False
        self.absences.check_gone(entry, message)
        self.absences.check_superseding(entry)
        self.rewind(entry.number)
        return True

    def _refuse_unowed(self, entry: Entry) -> NoReturn:
        """Blame the seat of an entry at the head that the seat does not owe (SPEC 8.2.16 to 8.2.21)."""
        if self.owed is None:
            raise Violation(entry.seat, "entry", entry.number, "after-the-end")
        if self.owed.seat != entry.seat:
            if entry.seat in self.table.gone:
                raise Violation(entry.seat, "entry", entry.number, "went-on")
            raise Violation(entry.seat, "entry", entry.number, "out-of-turn")
        word = self.endings.last_words[entry.seat]
        beside = () if word is None else (word.payload,)
        raise Violation(entry.seat, "entry", entry.number, "went-on", beside)

    def _check_dates(self, statement: Statement, known: list[Statement]) -> None:
        """Raise Misplaced for a statement before all consents, or dated back (SPEC 9.6.5, 9.6.6)."""
        if not self.agreed and statement.kind is not Kind.AGREE:
            raise Misplaced("A statement comes before every seat has agreed to the match.")
        if statement.count < known[-1].count:
            raise Misplaced("A statement is dated back before one that its seat made earlier.")

    def _check_place(self, statement: Statement) -> None:
        """Raise Misplaced for an unknown head (SPEC 9.6.7), Violation for no consent or a second (9.6.8)."""
        seat, count = statement.seat, statement.count
        if count > self.count or statement.head != self.heads[count]:
            raise Misplaced("A statement stands over a head that is not known here.")
        if (statement.index == 0) != (statement.kind is Kind.AGREE):
            raise Violation(seat, "statement", count, "no-consent-first")

    def _check_presence(self, statement: Statement) -> None:
        """Raise Misplaced for a word of a seat that is gone (SPEC 9.6.9): its REVEAL settles nothing."""
        left = self.left_at(statement.seat)
        over = left is not None and (statement.count > left or statement.kind is Kind.REVEAL)
        if over and statement.kind is not Kind.BACK:  # a place before it left may need its BACK
            raise Misplaced("A seat that is gone has nothing more to say.")

    def _check_order(self, statement: Statement) -> None:
        """Raise Misplaced unless the statement may follow the earlier ones of its seat (SPEC 9.6.9)."""
        self._check_presence(statement)
        known = self.kinds[statement.seat]
        if self.many and statement.kind is Kind.AWAY and known[Kind.AWAY] >= MAX_AWAYS:
            raise Misplaced("A seat has called others away too often.")
        if statement.kind in _TURNS_THE_END and known[Kind.END]:
            raise Misplaced("A seat that has signed the END cannot give it another one.")
        if statement.kind is Kind.COMPLAIN and self.endings.last_words[statement.seat] is not None:
            raise Misplaced("A seat that has declared the match over cannot complain any more.")
        if statement.kind is Kind.REVEAL and self.provisional is None:
            raise Misplaced("A REVEAL settles claims of a match that has not ended here.")

    def _check_statement(self, statement: Statement, *, beside: bool = False) -> None:
        seat, count, kind = statement.seat, statement.count, statement.kind
        check_chat(self.genesis, statement)
        if statements.is_of_time(statement) and self.genesis.clock is None:
            raise Malformed("A match without a clock has no seat whose clock could run out.")
        signed = self._signed_at[seat]
        later = [number for number in signed[bisect_left(signed, count) :] if self.owing[number] == seat]
        if later and self.endings.is_last_word(kind):
            raise Violation(seat, "entry", later[0], "went-on")
        if self.many:
            self.absences.check_over(statement)
        if later and later[0] == count and self._closes(statement):  # SPEC 10.8.7
            raise Violation(seat, "entry", count, "went-on")
        if kind is Kind.RESIGN:
            check(self.table, statement, due=self.gives_key(seat, count))
        if kind is Kind.AWAY:
            self._check_away(statement)
        elif kind is Kind.BACK:
            self.absences.check_back(statement)
        elif kind is Kind.ACCEPT_DRAW and self._closes(statement):
            self._check_closing(statement)
        elif kind is Kind.REVEAL:
            self._reveal(statement)
        elif kind is Kind.COMPLAIN:
            self._complain(statement)
        elif kind is Kind.END and not beside:
            self._check_end(statement)

    def _check_away(self, statement: Statement) -> None:
        """Judge an AWAY, which accuses a seat of owing the next entry or, after play, a REVEAL.

        Only the chain can prove an AWAY false.  Whether play was over may depend on a resignation that has
        not reached this copy: then the AWAY is misplaced, and no seat is blamed.
        """
        accused, count = statement.content[0], statement.count
        owing = self.owing[count]
        if accused == statement.seat or accused >= len(self.genesis.players):
            raise Violation(statement.seat, "statement", count, "false-away")
        receipt = statement.content[2]
        if receipt and not receipts.is_signed(self.genesis, accused, count, statement.head, receipt):
            raise Violation(statement.seat, "statement", count, "false-away")
        if owing == accused:
            if self.many:
                self.absences.check_away(statement)
            return
        if statements.is_of_time(statement):  # the clock runs for entries alone
            raise Violation(statement.seat, "statement", count, "false-away")
        if owing is not None and self.many:
            if rules.may_accuse(self.absences.place(count), statement.seat, accused):
                return
            raise Violation(statement.seat, "statement", count, "false-away")
        left = self.table.gone.get(accused, count) < count
        if (owing is None and self.breach) or left or not self.table.ledger.due(accused, count):
            raise Violation(statement.seat, "statement", count, "false-away")
        if self.provisional is None:
            raise Misplaced("A seat is said to owe a REVEAL of a match that has not ended here.")

    def _check_closing(self, statement: Statement) -> None:
        """Raise Misplaced unless the seat that owes the next entry may close a draw instead of that entry."""
        taken = statement.count < self.count or statement.count == self._reserved
        if taken or not self.may_close(statement.seat, statement.content):
            raise Misplaced("A seat that owes an entry accepts a draw that not all others have accepted.")

    def _check_end(self, statement: Statement) -> None:
        """Judge whether the match can have ended as an END says, for a seat that had all entries below it.

        If the chain ends the match and all claims are settled, the result follows from the chain and its
        commitments, so another END is a lie.  Otherwise an END may rest on statements that have not reached
        this copy, or may lack some that have: two seats that resign at once are seen in either order.  Beside
        a draw, a seat that has resigned leaves the match; if it had not, its REVEAL could end the draw.
        """
        count, outcome = statement.count, self.outcome
        if self.many and self.owing[count] is None and statement.content[1] == "unrevealed":
            return  # it rested on AWAYs, which a REVEAL may have answered
        if self.owing[count] is None and not self.unsettled and not self._rests_on_words(statement):
            if outcome is None or statement.content != statements.end_content(outcome):
                revealed = [s.payload for known in self.statements for s in known if s.kind is Kind.REVEAL]
                raise Violation(statement.seat, "statement", count, "false-end", tuple(revealed))
            return
        # An AWAY is one seat's word, which no END confirms.
        known = outcome is not None and outcome.reason != "unresponsive"
        ends = [
            *(() if self.many else self.endings.possible()),
            *([outcome] if outcome is not None and known else []),
        ]
        withheld = outcome is not None and outcome.reason == "unrevealed"
        if (self.unsettled and not withheld) or statement.content not in map(statements.end_content, ends):
            raise Misplaced("An END speaks of an end that is not known here.")

    def _complain(self, statement: Statement) -> NoReturn:
        """Blame by a COMPLAIN, always: the owner that sealed something else, or else the signer.

        A COMPLAIN counts until the viewer's next entry: a seat must not save it for a match that it loses.
        """
        if len(statement.content) > TWO:
            judge_complaint(self.table, statement, self._signed_at[statement.seat])
        seat, count, (number, secret) = statement.seat, statement.count, statement.content
        table = self.table.unseen.get(number, self.table)  # a TakeBack can cross it, and changes no judgement
        look, signed = table.looks.get(number), self._signed_at[seat]
        if look is not None and look.place.viewer == seat and number < count:
            in_time = bisect_left(signed, count) == bisect_left(signed, number)
            if in_time and public_key(secret) == look.viewer_key:
                fault = flaw(table, look, face_shown(table, look, secret), count)
                if fault is not None:
                    raise Violation(look.place.owner, "entry", fault.number, fault.rule)
        raise Violation(seat, "statement", count, "false-complaint")

    def _reveal(self, statement: Statement) -> None:
        """Open one part of the slots that the seat has to reveal over that many entries, in slot order."""
        seat, count, (part, openings) = statement.seat, statement.count, statement.content
        slots = self.table.ledger.part(seat, count, part)
        if len(openings) != len(slots):
            raise Violation(seat, "statement", count, "wrong-count")
        try:
            for slot, opening in zip(slots, openings, strict=True):
                check_opening(self.table, slot, opening)
        except BrokenRule as broken:
            raise Violation(seat, "statement", count, broken.rule) from broken
        self.table.faces.update((slot, opening.face) for slot, opening in zip(slots, openings, strict=True))
