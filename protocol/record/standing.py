"""The standing of a match by its admitted records: the seat to move, the gone seats, the end.

Everything here is public, and the same for all who hold the same records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from p2p_stratego.core.game import Breach, Outcome, Seat
from protocol.errors import Violation
from protocol.record.asks.base import Obligation, Table
from protocol.record.asks.play import play
from protocol.record.asks.registry import is_decision
from protocol.record.claims import RecordedClaim
from protocol.record.endings import Delay, Endings, breach_outcome, withheld_outcome
from protocol.record.entries import Entry, Folded
from protocol.record.evidence import Evidence
from protocol.record.genesis import Genesis
from protocol.record.silence import rules
from protocol.record.silence.absences import Absences
from protocol.record.statements import (
    Kind,
    Statement,
    end_content,
    is_of_time,
    parse,
)
from protocol.wire.encoding import Frame

TWO: Final = 2
_LAST_ONES: Final = (Kind.RESIGN, Kind.ACCEPT_DRAW, Kind.REVEAL, Kind.END)
"""Behind such a statement no entry of its seat is under way, unless the seat can still decline a draw."""


class Standing:
    """A match as far as its admitted records tell; a Referee admits them."""

    def __init__(self, genesis: Genesis, *, history: bool = True, agreed: bool = False) -> None:
        """`history`: whether the table keeps every step of the game, for players, replays and exports;
        `agreed`: whether to take all consents to the genesis as given: a proof holds no consents.
        """
        self.genesis = genesis
        self.many = len(genesis.players) > TWO
        """Whether the match has three seats or more, and so goes on when a seat leaves."""
        self.forgotten: set[Seat] = set()
        """The seats whose newest statements a Gone made this copy forget: their indices are used."""
        self.undone: tuple[Violation, Evidence] | None = None
        """The fault, with its proof, that entries showed before a Gone made this copy forget them."""
        self._consents_taken = agreed
        self._begin(history=history)

    def _begin(self, *, history: bool) -> None:
        genesis = self.genesis
        self.table = Table(genesis, keeps_history=history)
        self.entries: list[Entry] = []
        self.heads: list[bytes] = [genesis.id]
        """heads[n]: the head after n entries, 32 bytes."""
        self.statements: tuple[list[Statement], ...] = tuple([] for _ in genesis.players)
        self.statement_heads: tuple[list[bytes], ...] = tuple([genesis.id] for _ in genesis.players)
        """statement_heads[seat][n]: the head of the seat's statements after n of them, 32 bytes."""
        self.kinds: tuple[Counter[Kind], ...] = tuple(Counter() for _ in genesis.players)
        """By seat: how many of its admitted statements are of each kind."""
        self.record: list[Entry | Statement] = []
        """All admitted records in order; an empty copy can admit them in the same order."""
        self.decided_at: tuple[list[int], ...] = tuple([] for _ in genesis.players)
        """The numbers of each seat's entries that were decisions of a player."""
        self._signed_at: tuple[list[int], ...] = tuple([] for _ in genesis.players)
        """The numbers of each seat's entries."""
        self.ended_by_rules: Outcome | None = None
        self.false_claim: RecordedClaim | None = None
        """The claim that an opening proved false, which ended play."""
        self.endings = Endings(self.decided_at)
        self.agreed = self._consents_taken
        """Whether every seat has signed its consent to the genesis; before, nothing else is admitted."""
        self._broken = False
        self._drawn: int | None = None
        """Among three or more: the place at which a draw was agreed."""
        self._script = play(self.table)
        self.owed: Obligation | None = next(self._script)
        """The obligation outstanding; None when the rules have ended the game."""
        self.owing: list[Seat | None] = [self.owed.seat]
        """owing[n]: the seat that owed entry n.  An Obligation would keep the state of the game alive."""
        self.absences = Absences(genesis, self.entries, self.heads, self.owing, self.table.gone)
        self._reserved = -1
        """The place that a Gone is about to take, so that no RESIGN is folded there; −1: none."""

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
        """How play ended, by the rules, a draw or a resignation, perhaps with claims unsettled; or None."""
        return self.ended_by_rules or (None if self.many else self.endings.ended)

    @property
    def ranked(self) -> Outcome | None:
        """How play ended, as a fault proven later takes it.

        The sides of seats that are called away, since they withhold a REVEAL, are out of the winners: else a
        friend's fault would bring them back (threat 132).
        """
        ended, outcome = self.provisional, self.outcome
        return outcome if ended is not None and outcome is not None and outcome.breach is None else ended

    @property
    def ended_by_word(self) -> bool:
        """Whether a resignation or an agreed draw ended play: statements, which no head covers."""
        return not self.many and self.ended_by_rules is None and self.endings.ended is not None

    @property
    def breach(self) -> Breach | None:
        """The breach, found by the rules or in a claim that was opened, with which play ended at once."""
        return None if self.ended_by_rules is None else self.ended_by_rules.breach

    @property
    def unsettled(self) -> tuple[Seat, ...]:
        """The seats that owe a REVEAL: play has ended, and claims of theirs speak of slots still closed."""
        return tuple(seat for seat in self._closed if self.left_at(seat) is None)

    @property
    def never_settled(self) -> tuple[Seat, ...]:
        """The seats that are gone, and whose claims speak of slots that stay closed: no fault of theirs."""
        return tuple(seat for seat in self._closed if self.left_at(seat) is not None)

    @property
    def _closed(self) -> Iterator[Seat]:
        ledger, faces = self.table.ledger, self.table.faces
        if self.provisional is not None and not self.breach and ledger.claims:
            for seat in range(len(self.genesis.players)):
                if any(slot not in faces for slot in ledger.due(seat, self.count)):
                    yield seat

    @property
    def waited_for(self) -> tuple[Seat, ...]:
        """The seats that owe the next entry or, after play, a REVEAL, ascending.

        Before all seats have agreed to the match, no seat.
        """
        if self.provisional is not None:
            return self.unsettled
        return (self.owed.seat,) if self.agreed and self.owed is not None else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, with all claims settled; or that a seat is called away; or None.

        A breach that the rules found ends the match at once: no false claim can change that end.
        """
        provisional = self.provisional
        if provisional is not None and not self.breach:
            ledger, shown = self.table.ledger, self.table.faces
            broken = ledger.broken(shown)
            if broken is not None:
                liars = ledger.liars(shown)
                return breach_outcome(self.genesis.sides, broken.seat, broken.rule, provisional, liars)
        if provisional is None or self.unsettled:
            if not self.endings.accuses:  # the short way: this property is read several times a record
                return None
            return self._silence_outcome(provisional)
        return provisional

    def _silence_outcome(self, ended: Outcome | None) -> Outcome | None:
        """The end by AWAYs over the last head, or None.

        Of two seats left, the word of one counts.  Among more, all others have to sign an AWAY: against the
        seat that owes the entry and the decider; or against all that owe a REVEAL.
        """
        if len(there := self.there) > TWO:
            if ended is None:
                return Outcome(frozenset(), "unresponsive") if self.silent else None
            owing = set(self.unsettled)
            wanted = {(seat, accused) for seat in there - owing for accused in owing}
            if not wanted or not wanted <= set(self.absences.accusations(self.count)):
                return None
            reason = "unresponsive" if len(there - owing) == 1 else "unrevealed"
            return withheld_outcome(self.genesis.sides, owing, ended, reason)
        accused = self.endings.accused(self._waiting)
        if accused is None:
            return None
        if self.many and ended is not None:
            return withheld_outcome(self.genesis.sides, self.unsettled, ended, "unresponsive")
        left = [side for side in self.genesis.sides if not side <= {*self.table.gone, accused}]
        return Outcome(frozenset().union(*left), "unresponsive")

    @property
    def there(self) -> frozenset[Seat]:
        """The seats that have not gone, with a draw neither: by their words alone a seat counts as silent."""
        return frozenset(seat for seat in self.absences.present(self.count) if self.left_at(seat) is None)

    @property
    def silent(self) -> frozenset[Seat]:
        """Of three or more: the seat that owes the entry, and the decider, if all others call both away."""
        if not self.many or self.owed is None:
            return frozenset()
        place = self.absences.place(self.count)
        return rules.silent(place, self.absences.accusations(self.count)) if place.many else frozenset()

    @property
    def signers(self) -> tuple[Seat, ...]:
        """The seats whose END the match takes: all that are not gone and do not hold back a REVEAL."""
        seats, unsettled = range(len(self.genesis.players)), self.unsettled
        return tuple(seat for seat in seats if seat not in unsettled and self.left_at(seat) is None)

    def end_is_due(self, seat: Seat) -> bool:
        """Whether `seat` is to sign the END now, by the records that it has admitted.

        A seat that resigned or accepted a draw first waits for a record of another seat, which shows whether
        a last entry crossed its own; so both sign the same END.  If a record of a third seat changes the end,
        a seat signs END again.
        """
        outcome, own = self.outcome, self.statements[seat]
        if outcome is None or outcome.reason == "unresponsive" or seat not in self.signers:
            return False
        if self.unsettled and outcome.reason != "unrevealed":
            return False
        ends = [s for s in own if s.kind is Kind.END]
        if ends:
            return (ends[-1].count, ends[-1].content) != (self.count, end_content(outcome))
        if self.ended_by_rules or not any(s.kind in (Kind.RESIGN, Kind.ACCEPT_DRAW) for s in own):
            return True
        others = (s for known in self.statements if known is not own for s in known)
        return any(s.kind in _LAST_ONES for s in others)

    @property
    def contested(self) -> tuple[Seat, ...]:
        """The two seats left, ascending, if they accuse each other of being away: neither is believed."""
        if len(self.there) != TWO or not self.endings.accuses or self.outcome is not None:
            return ()
        return tuple(sorted(self.endings.contested(self._waiting)))

    @property
    def _waiting(self) -> Delay:
        seen = [
            max(statements[-1].count if statements else 0, signed[-1] + 1 if signed else 0)
            for statements, signed in zip(self.statements, self._signed_at, strict=True)
        ]
        return Delay(self.count, self.waited_for, seen, self.ended_by_word)

    def has_acknowledged(self, seat: Seat) -> bool:
        """Whether the record proves that `seat` knew its present obligation."""
        return self.endings.knew(seat, self._waiting)

    def standing_offer(self, seat: Seat) -> Statement | None:
        """The last offer of a draw by `seat`, if nobody else has decided anything since."""
        return self.endings.standing_offer(seat, self.count)

    def may_close(self, seat: Seat, offered: tuple[int, int]) -> bool:
        """Whether `seat`, which owes the next decision, can agree to a draw instead, as the last one.

        `offered`: author and index of the offer.  Who owes a program's entry knows more (threat 130).
        """
        owing = self.owed is not None and self.owed.seat == seat and is_decision(self.owed)
        present = self.absences.present(self.count)
        return owing and self.endings.all_others_agree(seat, offered, self.count, present)

    def gives_key(self, seat: Seat, count: int) -> bool:
        """Whether a RESIGN of `seat` over so many entries carries the secret of its key for cards.

        True if the match goes on without the seat, in a game with decks, once the key is in use.
        """
        cards = self.table.cards
        return self.many and self.genesis.game.needs_proofs and cards.keys_at.get(seat, count) < count

    def has_left(self, seat: Seat) -> bool:
        """Whether `seat` is gone from a match that goes on, or will be where it next owes an entry."""
        return self.many and (seat in self.table.gone or self.endings.resigned_by(seat) is not None)

    def left_at(self, seat: Seat) -> int | None:
        """The place at which `seat` left, or None.

        This is the place of its Gone, or of its RESIGN, or of a draw that the others agreed on before its
        RESIGN had a place.
        """
        gone = self.table.gone.get(seat)
        if gone is None and self._drawn is not None and seat in self.endings.resigned_until(self._drawn):
            return self._drawn
        return gone

    def _rests_on_words(self, end: Statement) -> bool:
        """Whether an END beside a draw can be true by a RESIGN or a REVEAL that only another copy has.

        A seat that signs both a draw and such a statement makes two ends possible.
        """
        if self._drawn is None or end.content[1] not in ("agreed-draw", "cheated"):
            return False
        return any(self.table.ledger.due(seat, self.count) for seat in self.absences.present(self.count))

    @property
    def resigned(self) -> tuple[Seat, ...]:
        """Of three or more seats, those that resigned before the match ended, ascending."""
        last = self.count - (self.provisional is not None)
        return tuple(sorted(self.endings.resigned_until(last))) if self.many else ()

    @property
    def taken_out(self) -> tuple[Seat, ...]:
        """The seats that the others took out of the match, since they did not answer, ascending."""
        return tuple(seat for seat in sorted(self.table.gone) if self.endings.resigned_by(seat) is None)

    @property
    def keyless(self) -> Seat | None:
        """The seat without whose key the match could not go on, or None."""
        ended = self.ended_by_rules
        return self.table.cards.missing if ended is not None and ended.reason == "unresponsive" else None

    @property
    def out_of_time(self) -> tuple[Seat, ...]:
        """The seats whose clocks ran out by the word of others, ascending.

        These are the seat that owes the next entry, and the seats taken out of the match over such a word.
        """
        if not self.endings.accuses:
            return ()
        owing = self.owed.seat if self.owed is not None and self.provisional is None else None
        late = {
            statement.content[0]
            for known in self.statements
            for statement in known
            if is_of_time(statement)
            and (
                (statement.count == self.count and statement.content[0] == owing)
                or self.table.gone.get(statement.content[0]) == statement.count
            )
        }
        return tuple(sorted(late & {*self.taken_out, owing}))

    def support(self, entry: Entry) -> Iterator[Frame]:
        """The frames that put `entry` into the chain: its own, behind those that a folded draw rests on."""
        last = parse(entry.payload) if isinstance(entry, Folded) else None
        if last is not None and last.kind is Kind.ACCEPT_DRAW:
            for statement in self.endings.agreed_by(last, self.absences.present(entry.number)):
                yield statement.frame
        yield entry.frame

    def newest_entry(self, seat: Seat) -> Entry | None:
        """The last entry of `seat`, if it has made any."""
        signed = self._signed_at[seat]
        return self.entries[signed[-1]] if signed else None
