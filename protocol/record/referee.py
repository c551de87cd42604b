"""The referee: one gate through which every entry and statement passes, ours like theirs.

It keeps the chain and the match it spells out, knows public things only, and either admits a record whole
or raises a Refusal and stays as it was.  Blame (Violation, Equivocation) is raised only for bytes whose
signature by the accused has been verified.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, NoReturn

from p2p_stratego.core.game import Breach, Outcome, Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.sealed import public_key
from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Violation
from protocol.record import receipts, statements
from protocol.record.asks.base import Broken, Owed, Table
from protocol.record.asks.open import check_opening
from protocol.record.asks.play import play
from protocol.record.asks.registry import CODEC, DECISIONS, is_decision
from protocol.record.complaints import face_shown, flaw
from protocol.record.endings import Endings, Waiting, cheated
from protocol.record.entries import Entry, entry_hash, parse_entry
from protocol.record.genesis import Genesis
from protocol.record.statements import MAX_STATEMENTS, Kind, Statement, statement_hash
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from protocol.wire.messages import Message

_LAST_ONES: Final = (Kind.RESIGN, Kind.ACCEPT_DRAW, Kind.REVEAL, Kind.END)
"""Behind one of these no entry of its seat is under way any more, unless it can still decline a draw."""
_TURNS_THE_END: Final = (Kind.RESIGN, Kind.OFFER_DRAW, Kind.ACCEPT_DRAW)
_NO_SEAT: Final = "There is no such seat in this match."


class Duplicate(Misplaced):
    """Exactly this record is admitted already: a harmless repetition after a reconnect."""


class Referee:
    """A match as far as its admitted records tell."""

    def __init__(self, genesis: Genesis, *, history: bool = True) -> None:
        """`history`: whether the table keeps every step of the game, for players, replays and exports."""
        self.genesis = genesis
        self.table = Table(genesis, keeps_history=history)
        self.entries: list[Entry] = []
        self.heads: list[bytes] = [genesis.id]
        """heads[n]: the head after n entries, 32 bytes."""
        self.statements: tuple[list[Statement], ...] = tuple([] for _ in genesis.players)
        self.said: tuple[list[bytes], ...] = tuple([genesis.id] for _ in genesis.players)
        """said[seat][n]: the head of the seat's statements after n of them, 32 bytes."""
        self.record: list[Entry | Statement] = []
        """All admitted records in order; an empty copy can admit them in the same order."""
        self.decided_at: tuple[list[int], ...] = tuple([] for _ in genesis.players)
        """The numbers of each seat's entries that were decisions of a player."""
        self._signed_at: tuple[list[int], ...] = tuple([] for _ in genesis.players)
        """The numbers of each seat's entries."""
        self.ended_by_rules: Outcome | None = None
        self.endings = Endings(self.decided_at)
        self.agreed = False
        """Whether every seat has signed its consent to the genesis; before, nothing else is admitted."""
        self._broken = False
        self._script = play(self.table)
        self.owed: Owed | None = next(self._script)
        """The obligation outstanding; None when the rules have ended the game."""
        self._owing: list[Seat | None] = [self.owed.seat]
        """_owing[n]: who owed an entry after n of them.  An Owed would keep that state of the game alive."""

    @property
    def count(self) -> int:
        """Entries admitted."""
        return len(self.entries)

    @property
    def head(self) -> bytes:
        """The hash of the whole chain so far, 32 bytes."""
        return self.heads[-1]

    @property
    def provisional(self) -> Outcome | None:
        """How play ended, by the rules or an agreed draw or a resignation, with claims perhaps unsettled."""
        return self.ended_by_rules or self.endings.ended

    @property
    def ended_by_word(self) -> bool:
        """Whether a resignation or an agreed draw ended play, which no head shows."""
        return self.ended_by_rules is None and self.endings.ended is not None

    @property
    def breach(self) -> Breach | None:
        """The breach with which the rules ended the game, if they did: that is the end at once."""
        return None if self.ended_by_rules is None else self.ended_by_rules.breach

    @property
    def unsettled(self) -> tuple[Seat, ...]:
        """The seats that owe a REVEAL: play has ended, and claims of theirs speak of slots still closed."""
        ledger, faces = self.table.ledger, self.table.faces
        if self.provisional is None or self.breach or not ledger.claims:
            return ()
        seats = range(len(self.genesis.players))
        return tuple(s for s in seats if any(slot not in faces for slot in ledger.due(s, self.count)))

    @property
    def waited_for(self) -> tuple[Seat, ...]:
        """The seats that owe something, ascending: the next entry or, play being over, a REVEAL.  None before
        all have agreed to the match.
        """
        if self.provisional is not None:
            return self.unsettled
        return (self.owed.seat,) if self.agreed and self.owed is not None else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, all claims settled; or that a seat is said to be away; or None.

        A breach that the rules found is the end at once: no claim that turns out false could change it.
        """
        provisional = self.provisional
        if provisional is not None and not self.breach:
            broken = self.table.ledger.broken(self.table.faces)
            if broken is not None:
                return cheated(self.genesis.sides, broken.seat, broken.rule, provisional)
        if provisional is None or self.unsettled:
            if not self.endings.accuses:  # asked for several times a record
                return None
            return self.endings.said_away(self._waiting)
        return provisional

    @property
    def contested(self) -> tuple[Seat, ...]:
        """The seats that accuse each other of being away, ascending: neither is believed."""
        if not self.endings.accuses or self.outcome is not None:
            return ()
        return tuple(sorted(self.endings.contested(self._waiting)))

    @property
    def _waiting(self) -> Waiting:
        seen = [
            max(said[-1].count if said else 0, signed[-1] + 1 if signed else 0)
            for said, signed in zip(self.statements, self._signed_at, strict=True)
        ]
        return Waiting(self.count, self.waited_for, seen, self.ended_by_word)

    def has_acknowledged(self, seat: Seat) -> bool:
        """Whether the record proves that `seat` knew its present obligation."""
        return self.endings.knew(seat, self._waiting)

    def standing_offer(self, seat: Seat) -> Statement | None:
        """The last offer of a draw by `seat`, if nobody else has decided anything since."""
        return self.endings.standing_offer(seat, self.count)

    def entry_body(self, message: Message) -> bytes:
        """The bytes that the seat which owes must sign to say `message` now."""
        owed = self.owed
        if owed is None:
            raise RuntimeError("nobody owes an entry")
        return encode((self.count, owed.seat, self.head, CODEC.value(message)))

    def newest_entry(self, seat: Seat) -> Entry | None:
        """The last entry of `seat`, if it has made any."""
        signed = self._signed_at[seat]
        return self.entries[signed[-1]] if signed else None

    def admit(self, frame: Frame, *, verified: bool = False) -> Entry | Statement:
        """Admit the record in `frame`.  Raises as admit_entry does."""
        if frame.kind == ENTRY:
            return self.admit_entry(frame.payload, verified=verified)
        if frame.kind == STATEMENT:
            return self.admit_statement(frame.payload, verified=verified)
        raise Malformed(f"A record of kind {frame.kind} has no place in a match.")

    def admit_entry(self, payload: bytes, *, verified: bool = False) -> Entry:
        """Admit the next entry.

        `verified`: the caller vouches for the signature: it has just made it, or an END by every seat
        endorses the head. Raises Malformed, Forged, Duplicate, Misplaced, Violation or Equivocation.
        Behind a Violation nothing more can be admitted.
        """
        entry = self._next_entry(payload, verified=verified)
        if not self.agreed:
            raise Misplaced("An entry comes before every seat has agreed to the match.")
        return self._append(entry)

    def judge_entry(self, payload: bytes) -> Entry:
        """As admit_entry, in a proof, which holds the chain without the seats' consents."""
        return self._append(self._next_entry(payload))

    def admit_statement(self, payload: bytes, *, verified: bool = False) -> Statement:
        """Admit a statement.  Raises as admit_entry does."""
        statement = statements.parse(payload)
        seat = statement.seat
        if seat >= len(self.statements):
            raise Malformed(_NO_SEAT)
        known = self.statements[seat]
        earlier = known[statement.index] if statement.index < len(known) else None
        if earlier is not None and earlier.body == statement.body:
            raise Duplicate("This statement is known already.")
        if not verified:
            self._check_signature(seat, labels.SIGN_STATEMENT, payload)
        if earlier is not None:
            raise Equivocation(seat, "statement", statement.index, (earlier.payload, payload))
        if statement.index != len(known) or len(known) >= MAX_STATEMENTS:
            raise Misplaced(f"A statement of seat {seat} is missing before this one, or there are too many.")
        if statement.previous != self.said[seat][-1]:
            raise Misplaced(f"A statement of seat {seat} follows another one than the one known here.")
        if known:
            self._check_order(statement, known)
        self._check_statement(statement)
        known.append(statement)
        self.said[seat].append(statement_hash(statement.body))
        self.agreed = self.agreed or all(self.statements)
        self.record.append(statement)
        self.endings.add(statement)
        return statement

    def judge_statement(self, payload: bytes, *, last: bool) -> None:
        """As admit_statement, in a proof, which holds only what matters of what was said.

        An END that is not its `last` record stands there as its seat's last word: what it says may rest on
        statements that the proof does not hold.
        """
        statement = statements.parse(payload)
        self._check_signature(statement.seat, labels.SIGN_STATEMENT, payload)
        self._check_statement(statement, beside=not last)
        self.endings.add(statement)

    def _next_entry(self, payload: bytes, *, verified: bool = False) -> Entry:
        """An entry that is well signed and stands at the head."""
        entry = parse_entry(payload)
        if entry.number != len(self.entries) or entry.previous != self.heads[-1]:
            self._refuse_elsewhere(entry, verified=verified)
        if not verified:
            self._check_signature(entry.seat, labels.SIGN_ENTRY, payload)
        if self._broken:
            raise Misplaced("The chain ends here with an entry that broke a rule.")
        return entry

    def _append(self, entry: Entry) -> Entry:
        number, seat, owed = entry.number, entry.seat, self.owed
        if owed is None or owed.seat != seat or self.endings.last_words[seat] is not None:
            self._refuse_unowed(entry)
        try:
            message = CODEC.parse(entry.message)
        except Malformed as error:
            raise Violation(seat, "entry", number, "not-a-message") from error
        if type(message) is not owed.message:
            raise Violation(seat, "entry", number, "wrong-message")
        self.table.number = number
        try:
            self.owed = following = self._script.send(message)
            self._owing.append(following.seat)
        except Broken as broken:
            self._broken = True
            raise Violation(seat, "entry", number, broken.rule) from broken
        except StopIteration as stop:
            self.owed, self.ended_by_rules = None, stop.value
            self._owing.append(None)
        self.entries.append(entry)
        self.record.append(entry)
        self.heads.append(entry_hash(entry.payload[:-SIGNATURE_BYTES]))
        self._signed_at[seat].append(number)
        if owed.message in DECISIONS and is_decision(owed):
            self.decided_at[seat].append(number)
        return entry

    def _check_signature(self, seat: Seat, label: bytes, payload: bytes) -> None:
        if seat >= len(self.genesis.players):
            raise Malformed(_NO_SEAT)
        if not self.genesis.signed(seat, label, payload):
            raise Forged(f"A signature of seat {seat} does not verify: anybody could have written this.")

    def _refuse_elsewhere(self, entry: Entry, *, verified: bool) -> NoReturn:
        """Refuse an entry that does not stand at the head: a known one, another one for a place that is taken
        (an equivocation, or an entry out of turn), or one of another chain.

        A known one is told by its bytes: repeating it must not cost a verification.
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
        if earlier.seat == seat:
            raise Equivocation(seat, "entry", number, (earlier.payload, entry.payload))
        if entry.previous == self.heads[number]:
            raise Violation(seat, "entry", number, "out-of-turn")
        raise Misplaced(f"Entry {number} belongs to another chain than the one known here.")

    def _refuse_unowed(self, entry: Entry) -> NoReturn:
        """Blame the seat of an entry at the head that it does not owe, or not any more."""
        if self.owed is None:
            raise Violation(entry.seat, "entry", entry.number, "after-the-end")
        if self.owed.seat != entry.seat:
            raise Violation(entry.seat, "entry", entry.number, "out-of-turn")
        word = self.endings.last_words[entry.seat]
        beside = () if word is None else (word.payload,)
        raise Violation(entry.seat, "entry", entry.number, "went-on", beside)

    def _check_order(self, statement: Statement, known: list[Statement]) -> None:
        """Raise Misplaced unless the statement may follow the earlier ones of its seat."""
        if not self.agreed and statement.kind is not Kind.AGREE:
            raise Misplaced("A statement comes before every seat has agreed to the match.")
        if statement.count < known[-1].count:
            raise Misplaced("A statement is dated back before one that its seat made earlier.")
        if statement.kind in _TURNS_THE_END and any(s.kind is Kind.END for s in known):
            raise Misplaced("A seat that has signed the END cannot give it another one.")
        if statement.kind is Kind.COMPLAIN and self.endings.last_words[statement.seat] is not None:
            raise Misplaced("A seat that has declared the match over cannot complain any more.")
        if statement.kind is Kind.REVEAL and self.provisional is None:
            raise Misplaced("A REVEAL settles claims of a match that has not ended here.")

    def _check_statement(self, statement: Statement, *, beside: bool = False) -> None:
        seat, count, kind = statement.seat, statement.count, statement.kind
        if count > self.count or statement.head != self.heads[count]:
            raise Misplaced("A statement stands over a head that is not known here.")
        if (statement.index == 0) != (kind is Kind.AGREE):
            raise Violation(seat, "statement", count, "no-consent-first")
        signed = self._signed_at[seat]
        later = bisect_left(signed, count)
        if later < len(signed) and self.endings.is_last_word(kind):
            raise Violation(seat, "entry", signed[later], "went-on")
        if kind is Kind.AWAY:
            self._check_away(statement)
        elif kind is Kind.REVEAL:
            self._reveal(statement)
        elif kind is Kind.COMPLAIN:
            self._complain(statement)
        elif kind is Kind.END and not beside:
            self._check_end(statement)

    def _check_away(self, statement: Statement) -> None:
        """AWAY accuses a seat of owing the next entry or, after play, a REVEAL.

        Only the chain can show that it did not.  Whether play was over may depend on a resignation that has
        not reached this copy; nobody is blamed for that.
        """
        accused, count = statement.content[0], statement.count
        owing = self._owing[count]
        if accused == statement.seat or accused >= len(self.genesis.players):
            raise Violation(statement.seat, "statement", count, "false-away")
        receipt = statement.content[2]
        if receipt and not receipts.is_signed(self.genesis, accused, count, statement.head, receipt):
            raise Violation(statement.seat, "statement", count, "false-away")
        if owing == accused:
            return
        if (owing is None and self.breach) or not self.table.ledger.due(accused, count):
            raise Violation(statement.seat, "statement", count, "false-away")
        if self.provisional is None:
            raise Misplaced("A seat is said to owe a REVEAL of a match that has not ended here.")

    def _check_end(self, statement: Statement) -> None:
        """Whether the match can have ended like this, for somebody who had all the entries that it names.

        Where the chain ends the match and its claims are settled, what they come to follows from the chain
        and its commitments, so another END is a lie.  Elsewhere it may rest on statements that have not
        reached this copy, or not on some that have: two seats that resign at once are seen in either order.
        """
        count, outcome = statement.count, self.outcome
        if self._owing[count] is None and not self.unsettled:
            if outcome is None or statement.content != statements.end_content(outcome):
                revealed = [s.payload for known in self.statements for s in known if s.kind is Kind.REVEAL]
                raise Violation(statement.seat, "statement", count, "false-end", tuple(revealed))
            return
        # An AWAY is one seat's word, which no END confirms.
        known = outcome is not None and outcome.reason != "unresponsive"
        ends = [*self.endings.possible(), *([outcome] if outcome is not None and known else [])]
        if self.unsettled or statement.content not in map(statements.end_content, ends):
            raise Misplaced("An END speaks of an end that is not known here.")

    def _complain(self, statement: Statement) -> NoReturn:
        """A COMPLAIN proves a fault in any case: of the owner who sealed something else, or of its signer.

        It counts until the viewer's next entry: a seat must not keep it for a time when it would lose.
        """
        seat, count, (number, secret) = statement.seat, statement.count, statement.content
        look, signed = self.table.looks.get(number), self._signed_at[seat]
        if look is not None and look.place.viewer == seat and number < count:
            in_time = bisect_left(signed, count) == bisect_left(signed, number)
            if in_time and public_key(secret) == look.viewer_key:
                found = flaw(self.table, look, face_shown(self.table, look, secret), count)
                if found is not None:
                    raise Violation(look.place.owner, "entry", found.number, found.rule)
        raise Violation(seat, "statement", count, "false-complaint")

    def _reveal(self, statement: Statement) -> None:
        """Open one part of what `statement.seat` has to reveal over that many entries, in slot order."""
        seat, count, (part, openings) = statement.seat, statement.count, statement.content
        slots = self.table.ledger.part(seat, count, part)
        if len(openings) != len(slots):
            raise Violation(seat, "statement", count, "wrong-count")
        try:
            for slot, opening in zip(slots, openings, strict=True):
                check_opening(self.table, slot, opening)
        except Broken as broken:
            raise Violation(seat, "statement", count, broken.rule) from broken
        self.table.faces.update((slot, opening.face) for slot, opening in zip(slots, openings, strict=True))


def end_is_due(referee: Referee, seat: Seat) -> bool:
    """Whether `seat` is to sign the END now, by what it has admitted.

    A seat that resigned or accepted a draw first waits for another's record, which shows whether a last entry
    crossed it; so both sign the same END.  If a record of a third seat changes the end, it signs END again.
    """
    outcome, own = referee.outcome, referee.statements[seat]
    if outcome is None or outcome.reason == "unresponsive" or referee.unsettled:
        return False
    ends = [s for s in own if s.kind is Kind.END]
    if ends:
        return (ends[-1].count, ends[-1].content) != (referee.count, statements.end_content(outcome))
    if referee.ended_by_rules or not any(s.kind in (Kind.RESIGN, Kind.ACCEPT_DRAW) for s in own):
        return True
    others = (s for known in referee.statements if known is not own for s in known)
    return any(s.kind in _LAST_ONES for s in others)
