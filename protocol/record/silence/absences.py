"""The absences in a match of three or more: who was called away over which place, and by whom (SPEC 10.9)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from p2p_stratego.core.game import Seat
from protocol.errors import Malformed, Violation
from protocol.record import statements
from protocol.record.entries import Entry, Folded
from protocol.record.genesis import Genesis
from protocol.record.silence import rules
from protocol.record.silence.gone import Gone
from protocol.record.silence.rules import ChainPlace, Grounds, Successor
from protocol.record.statements import Content, Kind, Statement, statement_hash
from protocol.wire import labels


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
        if not rules.superseded(place, signed, built, gone=True):
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
        culprit = rules.both_ways(self.place(number), known)
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
            if place.owner != seat and rules.needs_release(place, seat, away, None):
                backs = self.backs(number)
                known = place.vouching(away) & backs.keys()
                yield number, backs[min(known)].payload if known else None

    def back_due(self, seat: Seat) -> Content | None:
        """The content of a BACK that `seat` still has to sign; None if it owes none."""
        for number, back in self._releasing(seat):
            if back is not None and seat not in self._answered.get(number, ()):
                return number, back
        for number in self.open:
            may = rules.may_say_back(self.place(number), seat, self.away(number), None)
            if may and seat not in self._answered.get(number, ()):
                return (number,)
        return None

    def sure(self, number: int) -> bool:
        """Whether the owner's record at a place is sure to stay, for a seat that called its owner away."""
        place, away = self.place(number), self.away(number)
        return rules.may_admit(place, away, self.backs(number), self.built(number))


def _parsed(payload: bytes) -> Statement | None:
    try:
        return statements.parse(payload)
    except Malformed:
        return None
