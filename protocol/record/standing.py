"""The standing of a match by its admitted records: the seat to move, the gone seats, the end.

Everything here is public, and the same for all who hold the same records.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from p2p_stratego.core.game import Breach, Outcome, Seat
from protocol.errors import Malformed, Violation
from protocol.record import silence, statements
from protocol.record.asks.base import Obligation, Table
from protocol.record.asks.play import play
from protocol.record.asks.registry import is_decision
from protocol.record.claims import RecordedClaim
from protocol.record.endings import Delay, Endings, breach_outcome, withheld_outcome
from protocol.record.entries import Entry, Folded
from protocol.record.evidence import Evidence
from protocol.record.genesis import Genesis
from protocol.record.gone import Gone
from protocol.record.silence import ChainPlace, Grounds, Successor
from protocol.record.statements import (
    Content,
    Kind,
    Statement,
    end_content,
    is_of_time,
    parse,
    statement_hash,
)
from protocol.wire import labels
from protocol.wire.encoding import Frame


@dataclass(frozen=True, slots=True)
class KnownBack:
    """A BACK without a release; `shown`: the statement that shows it, itself or one that holds it."""

    payload: bytes
    shown: bytes


class Absences:
    """The absences in a match of three or more: the AWAYs and BACKs among the admitted records, by place."""

    def __init__(
        self,
        genesis: Genesis,
        entries: Sequence[Entry],
        heads: Sequence[bytes],
        owing: Sequence[Seat | None],
        gone: Mapping[Seat, int],
    ) -> None:
        """`entries`, `heads`, `owing` (by number: who owed that entry) and `gone` are those of the referee,
        which keeps them up to date.
        """
        self._genesis, self._entries, self._heads, self._owing, self._gone = (
            genesis,
            entries,
            heads,
            owing,
            gone,
        )
        self._seats = frozenset(range(len(genesis.players)))
        self._away: dict[int, dict[tuple[Seat, Seat], Statement]] = {}
        """By place: the AWAYs over it, by claimant and accused."""
        self._backs: dict[int, dict[Seat, KnownBack]] = {}
        """By place: the BACKs without a release over it, by author."""
        self._answered: dict[int, set[Seat]] = {}
        """By place: the seats that have signed BACK over it, with a release or without."""
        self._noted: dict[Seat, dict[int, Statement]] = {}
        """By seat and index: all statements.  A proof holds only some statements, in any order."""
        self._furthest: dict[Seat, int] = {}
        """By seat: the highest count of its statements."""
        self.open: list[int] = []
        """The places, ascending, whose owner was called away, whose record takes the place all the same, and
        behind which no other seat has an entry yet: in whatever order they are marked, the lowest goes first.
        """

    def present(self, number: int) -> frozenset[Seat]:
        """The seats that are not gone before entry `number`."""
        gone = self._gone  # of nobody mostly, and this is read many times a record
        return self._seats - {seat for seat, at in gone.items() if at < number} if gone else self._seats

    def place(self, number: int) -> ChainPlace:
        """The place of entry `number`, which somebody owes or owed."""
        owner = self._owing[number]
        if owner is None:
            raise RuntimeError(f"nobody owes entry {number}")
        return ChainPlace(owner, self.present(number))

    def accusations(self, number: int) -> Collection[tuple[Seat, Seat]]:
        """Claimant and accused of each AWAY over `number` entries."""
        return self._away.get(number, {}).keys()

    def away(self, number: int) -> dict[Seat, Statement]:
        """The AWAYs over a place against its owner, by claimant."""
        owner = self._owing[number]
        return {
            seat: statement
            for (seat, accused), statement in self._away.get(number, {}).items()
            if accused == owner
        }

    def backs(self, number: int) -> Mapping[Seat, KnownBack]:
        """The BACKs without a release over a place, by author."""
        return self._backs.get(number, {})

    def later(self, number: int) -> frozenset[Seat]:
        """The seats that have signed a statement over more than `number` entries."""
        return frozenset(seat for seat, count in self._furthest.items() if count > number)

    def _step(self, seat: Seat, number: int) -> tuple[Statement, Statement] | None:
        """The first statement of `seat` over more than `number` entries, behind the one before it."""
        for statement in self._noted.get(seat, {}).values():
            if statement.count > number and (before := self._before(statement)) and before.count <= number:
                return before, statement
        return None

    def _before(self, statement: Statement) -> Statement | None:
        """The statement of its seat before this one, if it is known."""
        before = self._noted.get(statement.seat, {}).get(statement.index - 1)
        linked = before is not None and statement_hash(before.body) == statement.previous
        return before if linked else None

    def _bare(self, number: int) -> frozenset[Seat]:
        """The seats whose first statement over more than `number` entries does not show why the owner's
        record at that place stays.
        """
        steps = ((seat, self._step(seat, number)) for seat in self._noted)
        return frozenset(seat for seat, step in steps if step and self._is_bare(step[1], number))

    def _is_bare(self, first: Statement, number: int) -> bool:
        if first.kind is Kind.BACK and first.content[0] == number and len(first.content) > 1:
            return False
        entry = self._first_behind(number)
        return entry is None or entry.number >= first.count

    def _first_behind(self, number: int) -> Entry | None:
        """The first entry of another seat, not a fold, behind the one at `number`, which is its owner's."""
        owner, behind = self._owing[number], self._entries[number + 1 :]
        return next(
            (entry for entry in behind if entry.seat != owner and not isinstance(entry, Folded)), None
        )

    def built(self, number: int) -> Successor | None:
        """The first entry of another seat behind the one at `number`, which is its owner's."""
        entry = self._first_behind(number)
        return None if entry is None else Successor(entry.seat, self._released(entry, number))

    def add(self, statement: Statement) -> None:
        """Take note of a statement that was judged."""
        seat = statement.seat
        self._noted.setdefault(seat, {})[statement.index] = statement
        self._furthest[seat] = max(statement.count, self._furthest.get(seat, 0))
        if statement.kind is Kind.AWAY:
            number, accused = statement.count, statement.content[0]
            self._away.setdefault(number, {}).setdefault((seat, accused), statement)
            if accused == self._owing[number]:
                self._watch(number)
        elif statement.kind is Kind.BACK:
            number, *release = statement.content
            self._answered.setdefault(number, set()).add(seat)
            payload = release[0] if release else statement.payload
            signer = statements.parse(payload).seat
            self._backs.setdefault(number, {}).setdefault(signer, KnownBack(payload, statement.payload))

    def appended(self, entry: Entry) -> None:
        """Take note of an entry, judged and appended."""
        if self.open and not isinstance(entry, Folded):
            self.open = [number for number in self.open if self._owing[number] == entry.seat]
        if self._away:
            self._watch(entry.number)

    def _watch(self, number: int) -> None:
        """Mark a place as open, if it is."""
        if (
            number < len(self._entries)
            and number not in self.open
            and self.stands(number)
            and self.away(number)
        ):
            place = self.place(number)
            if place.many and self.built(number) is None:
                insort(self.open, number)

    def stands(self, number: int) -> bool:
        """Whether the owner's own record takes its place."""
        return self._entries[number].seat == self._owing[number]

    # Judging

    def check_entry(self, entry: Entry) -> None:
        """Raise Violation if the author of `entry`, at the head, builds on a record that it called away."""
        for number in self.open:
            if self._owing[number] != entry.seat:
                built = Successor(entry.seat, self._released(entry, number))
                self._judge(number, Grounds(built=built), "entry", entry.number)

    def check_away(self, statement: Statement) -> None:
        """Raise Violation if its signer has gone on behind the record of the seat that it calls away."""
        number = statement.count
        if (
            number < len(self._entries)
            and statement.content[0] == self._owing[number]
            and self.stands(number)
        ):
            grounds = Grounds(built=self.built(number), away=frozenset({statement.seat}))
            self._judge(number, grounds, "statement", number)

    def check_back(self, statement: Statement) -> None:
        """Raise Violation unless the signers of a BACK, and of the BACK in it, may sign over that place."""
        (number, *release), seat = statement.content, statement.seat
        if number < statement.count and self.stands(number):
            place = self.place(number)
            others = place.present - {place.owner}
            signer = self._vouched(statement, others) if release else seat
            if place.many and seat in others and signer is not None:
                grounds = Grounds(built=self.built(number), backs=frozenset({signer}))
                self._judge(number, grounds, "statement", statement.count)
                return
        raise Violation(seat, "statement", statement.count, "false-back")

    def _vouched(self, statement: Statement, others: Collection[Seat]) -> Seat | None:
        """The seat whose BACK a BACK with a release holds; None unless that seat is one of the `others`."""
        number, back = statement.content[0], _parsed(statement.content[1])
        if back is None or back.seat == statement.seat or back.seat not in others:
            return None
        return back.seat if self._is_back(back, number, statement.count) else None

    def check_over(self, statement: Statement) -> None:
        """Raise Violation if a seat that called an owner away signs first over the record, and does not
        show why that record stays.
        """
        before = self._before(statement) if self._away else None
        if before is None or before.count == statement.count:
            return
        seat, number = statement.seat, before.count
        if self._is_called(seat, number) and self._is_bare(statement, number):
            grounds = Grounds(built=self.built(number), bare=frozenset({seat}))
            self._judge(number, grounds, "statement", statement.count)

    def _is_called(self, seat: Seat, number: int) -> bool:
        """Whether `seat` has called away the owner of an entry that stands now."""
        return number < len(self._entries) and seat in self.away(number) and self.stands(number)

    def check_gone(self, entry: Entry, message: Gone) -> None:
        """Raise Violation unless `entry` is the Gone of the decider, with the AWAYs of all accusers."""
        number, owner = entry.number, self._owing[entry.number]
        if owner is not None and message.seat == owner:
            place = self.place(number)
            if place.many and entry.seat == place.decider and self._complete(place, number, message.aways):
                return
        raise Violation(entry.seat, "entry", number, "false-gone")

    def check_superseding(self, entry: Entry) -> None:
        """Raise Violation if a good Gone meets the owner's record, for which another seat has signed."""
        number, built = entry.number, self.built(entry.number)
        place = self.place(number)
        grounds = Grounds(built=built, away=place.accusers, bare=self._bare(number), gone=True)
        self._judge(number, grounds, "entry", number)
        signed = self.later(number) - (self._unlinked(number) & place.accusers)
        if not silence.superseded(place, signed, built, gone=True):
            raise RuntimeError(f"a Gone does not supersede entry {number}, and nobody had it both ways")

    def _unlinked(self, number: int) -> frozenset[Seat]:
        """The seats of which a proof lacks two successive statements around the place."""
        return frozenset(seat for seat in self.later(number) if self._step(seat, number) is None)

    def _judge(self, number: int, grounds: Grounds, kind: str, at: int) -> None:
        """Raise Violation if somebody had it both ways, by all that is known, the new `grounds` included."""
        away, backs = self.away(number), self.backs(number)
        known = replace(
            grounds,
            away=away.keys() | grounds.away,
            backs=backs.keys() | grounds.backs,
            later=self.later(number),
        )
        culprit = silence.both_ways(self.place(number), known)
        if culprit is not None:
            raise Violation(culprit, kind, at, "both-ways", self._evidence(culprit, number))

    def _evidence(self, culprit: Seat, number: int) -> tuple[bytes, ...]:
        """The known statements of `culprit` (payloads) that show both ways that it had at a place."""
        shown = []
        if culprit in (away := self.away(number)):
            shown.append(away[culprit].payload)
        if culprit in (backs := self.backs(number)):
            shown.append(backs[culprit].shown)
        known = self._noted.get(culprit, {})
        step, last = self._step(culprit, number), known.get(max(known, default=0))
        if step is not None:
            shown += [statement.payload for statement in step]
        elif last is not None and last.count == number:  # the record under judgement follows it
            shown.append(last.payload)
        return tuple(dict.fromkeys(shown))

    def _complete(self, place: ChainPlace, number: int, aways: Sequence[bytes]) -> bool:
        accusers = sorted(place.accusers)
        return len(aways) == len(accusers) and all(
            self._is_away(payload, seat, number, place.owner)
            for seat, payload in zip(accusers, aways, strict=True)
        )

    def _is_away(self, payload: bytes, seat: Seat, number: int, owner: Seat) -> bool:
        known = self.away(number).get(seat)
        if known is not None and known.payload == payload:
            return True
        statement = _parsed(payload)
        return (
            statement is not None
            and (statement.kind, statement.seat, statement.content[0]) == (Kind.AWAY, seat, owner)
            and (statement.count, statement.head) == (number, self._heads[number])
            and self._genesis.signed(seat, labels.SIGN_STATEMENT, payload)
        )

    def _released(self, entry: Entry, number: int) -> frozenset[Seat]:
        """The seats whose BACKs over place `number` the entry carries."""
        carried = map(_parsed, entry.release)
        return frozenset(
            back.seat for back in carried if back is not None and self._is_back(back, number, entry.number)
        )

    def _is_back(self, statement: Statement, number: int, most: int) -> bool:
        """Whether a released statement is a signed BACK over place `number` and at most `most` entries."""
        return (
            (statement.kind, statement.content) == (Kind.BACK, (number,))
            and number < statement.count <= most
            and statement.head == self._heads[statement.count]
            and statement.seat < len(self._genesis.players)
            and self._genesis.signed(statement.seat, labels.SIGN_STATEMENT, statement.payload)
        )

    # For the session of a seat

    def release(self, seat: Seat) -> tuple[bytes, ...]:
        """The BACKs that an entry of `seat` at the head has to carry."""
        return tuple(back for _, back in self._releasing(seat) if back is not None)

    def bound(self, seat: Seat) -> bool:
        """Whether `seat` may sign nothing more for now.

        It has called away the owner of a record that its copy holds, and holds no BACK of another seat.  Only
        a crash while records were written leads there.
        """
        return any(back is None for _, back in self._releasing(seat))

    def _releasing(self, seat: Seat) -> Iterator[tuple[int, bytes | None]]:
        """The open places whose owner `seat` has called away, each with its releasing BACK or None."""
        for number in self.open:
            place, away = self.place(number), self.away(number)
            if place.owner != seat and silence.needs_release(place, seat, away, None):
                backs = self.backs(number)
                known = place.vouching(away) & backs.keys()
                yield number, backs[min(known)].payload if known else None

    def back_due(self, seat: Seat) -> Content | None:
        """The content of a BACK that `seat` still has to sign; None if it owes none."""
        for number, back in self._releasing(seat):
            if back is not None and seat not in self._answered.get(number, ()):
                return number, back
        for number in self.open:
            may = silence.may_say_back(self.place(number), seat, self.away(number), None)
            if may and seat not in self._answered.get(number, ()):
                return (number,)
        return None

    def sure(self, number: int) -> bool:
        """Whether the owner's record at a place is sure to stay, for a seat that called its owner away."""
        place, away = self.place(number), self.away(number)
        return silence.may_admit(place, away, self.backs(number), self.built(number))


def _parsed(payload: bytes) -> Statement | None:
    try:
        return statements.parse(payload)
    except Malformed:
        return None


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
        return silence.silent(place, self.absences.accusations(self.count)) if place.many else frozenset()

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
