"""The standing of a match by its admitted records: the seat to move, the gone seats, the end.

Everything here is public, and the same for all who hold the same records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from p2p_stratego.core.game import Breach, Outcome, Seat
from p2p_stratego.core.sides import side_of
from protocol.errors import Violation
from protocol.record import leaving
from protocol.record.absence import Absences
from protocol.record.asks.base import Owed, Table
from protocol.record.asks.play import play
from protocol.record.claims import Claimed
from protocol.record.endings import Endings, Waiting, cheated
from protocol.record.entries import Entry, Folded
from protocol.record.evidence import Evidence
from protocol.record.genesis import Genesis
from protocol.record.statements import Kind, Statement, end_content, is_of_time, parse
from protocol.wire.encoding import Frame

TWO: Final = 2
_LAST_ONES: Final = (Kind.RESIGN, Kind.ACCEPT_DRAW, Kind.REVEAL, Kind.END)
"""Behind one of these no entry of its seat is under way any more, unless it can still decline a draw."""


class Standing:
    """A match as far as its admitted records tell; a Referee admits them."""

    def __init__(self, genesis: Genesis, *, history: bool = True, agreed: bool = False) -> None:
        """`history`: whether the table keeps every step of the game, for players, replays and exports;
        `agreed`: take it that every seat consented to the genesis, as in a proof, which holds no consents.
        """
        self.genesis = genesis
        self.many = len(genesis.players) > TWO
        """Whether the match goes on when one seat leaves; of two the other one wins."""
        self.forgotten: set[Seat] = set()
        """The seats whose newest statements a Gone made this copy forget: their indices are used."""
        self.undone: tuple[Violation, Evidence] | None = None
        """The fault, with its proof, that was shown by entries which a Gone made this copy forget."""
        self._consents_taken = agreed
        self._begin(history=history)

    def _begin(self, *, history: bool) -> None:
        genesis = self.genesis
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
        self.false_claim: Claimed | None = None
        """The claim that an opening proved false, which ended play."""
        self.endings = Endings(self.decided_at)
        self.agreed = self._consents_taken
        """Whether every seat has signed its consent to the genesis; before, nothing else is admitted."""
        self._broken = False
        self._drawn: int | None = None
        """Among three or more: the place at which a draw was agreed."""
        self._script = play(self.table)
        self.owed: Owed | None = next(self._script)
        """The obligation outstanding; None when the rules have ended the game."""
        self._owing: list[Seat | None] = [self.owed.seat]
        """_owing[n]: who owed an entry after n of them.  An Owed would keep that state of the game alive."""
        self.absences = Absences(genesis, self.entries, self.heads, self._owing, self.table.gone)
        self._reserved = -1
        """The place that a Gone takes next, so no RESIGN does."""

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
        return self.ended_by_rules or (None if self.many else self.endings.ended)

    @property
    def ranked(self) -> Outcome | None:
        """How play ended, without the sides of the seats that all others say withhold a REVEAL: a fault that
        is found later changes nothing else.
        """
        outcome = self.outcome
        return outcome if outcome is not None and outcome.reason == "unrevealed" else self.provisional

    @property
    def ended_by_word(self) -> bool:
        """Whether a resignation or an agreed draw ended play, which no head shows."""
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
            ledger, shown = self.table.ledger, self.table.faces
            broken = ledger.broken(shown)
            if broken is not None:
                liars = ledger.liars(shown)
                return cheated(self.genesis.sides, broken.seat, broken.rule, provisional, liars)
        if provisional is None or self.unsettled:
            if not self.endings.accuses:  # asked for several times a record
                return None
            return self._said_away(provisional)
        return provisional

    def _said_away(self, ended: Outcome | None) -> Outcome | None:
        """The end by AWAYs over the last head.

        Of two seats left, one has the word of the other.  Among more, all others have to say so: of the seat
        that owes the entry and of the decider, or of all that owe a REVEAL, whose sides leave the winners.
        """
        sides, count = self.genesis.sides, self.count
        there = self.absences.present(count)
        if len(there) > TWO:
            if ended is None:
                return Outcome(frozenset(), "unresponsive") if self.silent else None
            owing = set(self.unsettled)
            wanted = {(seat, accused) for seat in there - owing for accused in owing}
            if not wanted or not wanted <= set(self.absences.accusations(count)):
                return None
            if len(there - owing) == 1:
                return Outcome(frozenset(), "unresponsive")
            out = frozenset().union(*(side_of(sides, seat) for seat in owing))
            return Outcome(ended.winners - out, "unrevealed")
        accused = self.endings.said_away(self._waiting)
        if accused is None:
            return None
        away = {*self.table.gone, accused}
        left = [side for side in sides if not side <= away]
        return Outcome(frozenset().union(*left), "unresponsive")

    @property
    def silent(self) -> frozenset[Seat]:
        """Of three or more: the seat that owes the entry, and the decider, if all others call both away."""
        if not self.many or self.owed is None:
            return frozenset()
        place = self.absences.place(self.count)
        return leaving.silent(place, self.absences.accusations(self.count)) if place.many else frozenset()

    @property
    def signers(self) -> tuple[Seat, ...]:
        """The seats whose END the match takes: all that are not gone and do not hold back a REVEAL."""
        seats, unsettled = range(len(self.genesis.players)), self.unsettled
        return tuple(seat for seat in seats if seat not in unsettled and self.left_at(seat) is None)

    def end_is_due(self, seat: Seat) -> bool:
        """Whether `seat` is to sign the END now, by what it has admitted.

        A seat that resigned or accepted a draw first waits for another's record, which shows whether a last
        entry crossed it; so both sign the same END.  If a record of a third seat changes the end, it signs
        END again.
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
        two = len(self.absences.present(self.count)) == TWO
        if not two or not self.endings.accuses or self.outcome is not None:
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

    def may_close(self, seat: Seat, offered: tuple[int, int]) -> bool:
        """Whether `seat`, which owes the next entry, can agree to a draw instead, as the last one.

        `offered`: author and index of the offer.
        """
        owing = self.owed is not None and self.owed.seat == seat
        present = self.absences.present(self.count)
        return owing and self.endings.all_others_agree(seat, offered, self.count, present)

    def gives_key(self, seat: Seat, count: int) -> bool:
        """Whether a RESIGN of `seat` over so many entries carries the secret of its key for cards.

        It does where the match goes on without the seat, in a game with decks, once the key is in use.
        """
        cards = self.table.cards
        return self.many and self.genesis.game.needs_proofs and cards.keys_at.get(seat, count) < count

    def has_left(self, seat: Seat) -> bool:
        """Whether `seat` is gone from a match that goes on, or will be where it next owes an entry."""
        return self.many and (seat in self.table.gone or self.endings.resigned_by(seat) is not None)

    def left_at(self, seat: Seat) -> int | None:
        """The place at which `seat` left, or None: that of its Gone or its RESIGN, or of the draw that the
        others agreed on before its RESIGN had a place.
        """
        gone = self.table.gone.get(seat)
        if gone is None and self._drawn is not None and seat in self.endings.resigned_until(self._drawn):
            return self._drawn
        return gone

    def _rests_on_words(self, end: Statement) -> bool:
        """Whether an END beside a draw can be true by a RESIGN or a REVEAL that another copy has: who signs
        both makes two ends.
        """
        if self._drawn is None or end.content[1] not in ("agreed-draw", "cheated"):
            return False
        there = self.absences.present(self.count)
        return any(self.table.ledger.due(seat, self.count) for seat in there)

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
        """The seats whose clocks ran out, by the word of others: one that owes the next entry, and those that
        were taken out of the match over such a word; ascending.
        """
        if not self.endings.accuses:
            return ()
        owing = self.owed.seat if self.owed is not None and self.provisional is None else None
        late = {
            said.content[0]
            for known in self.statements
            for said in known
            if is_of_time(said)
            and (
                (said.count == self.count and said.content[0] == owing)
                or self.table.gone.get(said.content[0]) == said.count
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
