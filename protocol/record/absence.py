"""The record of silent seats among three or more: AWAYs, BACKs and Gones by place of the chain.

What they allow and prove (SPEC 10.9 to 10.12) is decided in `leaving`; here stands which of them a copy
holds.  Blame (Violation) needs the signature of the accused over both of two things that exclude each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from p2p_stratego.core.game import Seat
from protocol.errors import Malformed, Violation
from protocol.record import leaving, statements
from protocol.record.entries import Entry, Folded
from protocol.record.genesis import Genesis
from protocol.record.gone import Gone
from protocol.record.leaving import Built, Evidence, Place
from protocol.record.statements import Content, Kind, Statement, statement_hash
from protocol.wire import labels


@dataclass(frozen=True, slots=True)
class Back:
    """A BACK without a release, and the statement that shows it, itself or one that holds it: payloads."""

    payload: bytes
    shown: bytes


class Absences:
    """All that the admitted records say of seats that keep the others waiting."""

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
        self._away: dict[int, dict[tuple[Seat, Seat], Statement]] = {}
        """By place: the AWAYs over it, by claimant and accused."""
        self._backs: dict[int, dict[Seat, Back]] = {}
        """By place: the BACKs without a release over it, by who says them."""
        self._answered: dict[int, set[Seat]] = {}
        """By place: who has said BACK over it, with a release or without one."""
        self._noted: dict[Seat, dict[int, Statement]] = {}
        """By seat and index: all statements; in a proof, which does not hold all, in any order."""
        self._furthest: dict[Seat, int] = {}
        """By seat: the highest count of its statements."""
        self.open: list[int] = []
        """The places that their owner's record takes though it was called away, without an entry of another
        seat behind them yet.
        """

    def present(self, number: int) -> frozenset[Seat]:
        """The seats that are not gone before entry `number`."""
        return frozenset(s for s in range(len(self._genesis.players)) if self._gone.get(s, number) >= number)

    def place(self, number: int) -> Place:
        """The place of entry `number`, which somebody owes or owed."""
        owner = self._owing[number]
        if owner is None:
            raise RuntimeError(f"nobody owes entry {number}")
        return Place(owner, self.present(number))

    def accusations(self, number: int) -> Collection[tuple[Seat, Seat]]:
        """Claimant and accused of each AWAY over `number` entries."""
        return self._away.get(number, {}).keys()

    def away(self, number: int) -> dict[Seat, Statement]:
        """The AWAYs over a place against its owner, by claimant."""
        owner = self._owing[number]
        return {
            seat: said for (seat, accused), said in self._away.get(number, {}).items() if accused == owner
        }

    def backs(self, number: int) -> Mapping[Seat, Back]:
        """The BACKs without a release over a place, by who says them."""
        return self._backs.get(number, {})

    def later(self, number: int) -> frozenset[Seat]:
        """The seats that have signed a statement over more than `number` entries."""
        return frozenset(seat for seat, count in self._furthest.items() if count > number)

    def _step(self, seat: Seat, number: int) -> tuple[Statement, Statement] | None:
        """The first statement of `seat` over more than `number` entries, behind the one before it."""
        for said in self._noted.get(seat, {}).values():
            if said.count > number and (before := self._before(said)) and before.count <= number:
                return before, said
        return None

    def _before(self, statement: Statement) -> Statement | None:
        """The statement of its seat before this one, if it is known."""
        before = self._noted.get(statement.seat, {}).get(statement.index - 1)
        linked = before is not None and statement_hash(before.body) == statement.previous
        return before if linked else None

    def _bare(self, number: int) -> frozenset[Seat]:
        """The seats whose first statement over more than `number` entries shows nothing by which the owner's
        record there stays.
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
        return next((one for one in behind if one.seat != owner and not isinstance(one, Folded)), None)

    def built(self, number: int) -> Built | None:
        """The first entry of another seat behind the one at `number`, which is its owner's."""
        entry = self._first_behind(number)
        return None if entry is None else Built(entry.seat, self._released(entry, number))

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
            who = statements.parse(payload).seat
            self._backs.setdefault(number, {}).setdefault(who, Back(payload, statement.payload))

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
                self.open.append(number)

    def stands(self, number: int) -> bool:
        """Whether the owner's own record takes its place."""
        return self._entries[number].seat == self._owing[number]

    # Judging

    def check_entry(self, entry: Entry) -> None:
        """Raise Violation if `entry`, at the head, goes on behind a record that its author called away."""
        for number in self.open:
            if self._owing[number] != entry.seat:
                built = Built(entry.seat, self._released(entry, number))
                self._judge(number, Evidence(built=built), "entry", entry.number)

    def check_away(self, statement: Statement) -> None:
        """Raise Violation if its signer has gone on behind the record of the seat that it calls away."""
        number = statement.count
        if (
            number < len(self._entries)
            and statement.content[0] == self._owing[number]
            and self.stands(number)
        ):
            said = Evidence(built=self.built(number), away=frozenset({statement.seat}))
            self._judge(number, said, "statement", number)

    def check_back(self, statement: Statement) -> None:
        """Raise Violation unless its signer may say BACK over that place, and so what it holds."""
        (number, *release), seat = statement.content, statement.seat
        if number < statement.count and self.stands(number):
            place = self.place(number)
            others = place.present - {place.owner}
            who = self._vouched(statement, others) if release else seat
            if place.many and seat in others and who is not None:
                said = Evidence(built=self.built(number), backs=frozenset({who}))
                self._judge(number, said, "statement", statement.count)
                return
        raise Violation(seat, "statement", statement.count, "false-back")

    def _vouched(self, statement: Statement, others: Collection[Seat]) -> Seat | None:
        """The seat whose BACK a BACK with a release holds, if that is one of the `others`, as it must be."""
        number, back = statement.content[0], _parsed(statement.content[1])
        if back is None or back.seat == statement.seat or back.seat not in others:
            return None
        return back.seat if self._is_back(back, number, statement.count) else None

    def check_over(self, statement: Statement) -> None:
        """Raise Violation if it is the first statement of its seat over the record of a seat that it called
        away, and nothing shows why that stays.
        """
        before = self._before(statement) if self._away else None
        if before is None or before.count == statement.count:
            return
        seat, number = statement.seat, before.count
        if self._is_called(seat, number) and self._is_bare(statement, number):
            said = Evidence(built=self.built(number), bare=frozenset({seat}))
            self._judge(number, said, "statement", statement.count)

    def _is_called(self, seat: Seat, number: int) -> bool:
        """Whether `seat` has called the owner of an entry away that stands now."""
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
        """Raise Violation if a good Gone meets its owner's record, and another seat has signed for that."""
        number, built = entry.number, self.built(entry.number)
        place = self.place(number)
        said = Evidence(built=built, away=place.accusers, bare=self._bare(number), gone=True)
        self._judge(number, said, "entry", number)
        signed = self.later(number) - (self._unlinked(number) & place.accusers)
        if not leaving.superseded(place, signed, built, gone=True):
            raise RuntimeError(f"a Gone does not supersede entry {number}, and nobody had it both ways")

    def _unlinked(self, number: int) -> frozenset[Seat]:
        """The seats of which a proof holds no two neighbours that show the first statement over a record."""
        return frozenset(seat for seat in self.later(number) if self._step(seat, number) is None)

    def _judge(self, number: int, said: Evidence, what: str, at: int) -> None:
        """Raise Violation if somebody had it both ways, by what is known and what is `said` now."""
        away, backs = self.away(number), self.backs(number)
        known = replace(
            said,
            away=away.keys() | said.away,
            backs=backs.keys() | said.backs,
            later=self.later(number),
        )
        culprit = leaving.both_ways(self.place(number), known)
        if culprit is not None:
            raise Violation(culprit, what, at, "both-ways", self._evidence(culprit, number))

    def _evidence(self, culprit: Seat, number: int) -> tuple[bytes, ...]:
        """The statements known here that show what `culprit` said of a place."""
        shown = []
        if culprit in (away := self.away(number)):
            shown.append(away[culprit].payload)
        if culprit in (backs := self.backs(number)):
            shown.append(backs[culprit].shown)
        known = self._noted.get(culprit, {})
        step, last = self._step(culprit, number), known.get(max(known, default=0))
        if step is not None:
            shown += [one.payload for one in step]
        elif last is not None and last.count == number:  # the record under judgement follows it
            shown.append(last.payload)
        return tuple(dict.fromkeys(shown))

    def _complete(self, place: Place, number: int, aways: Sequence[bytes]) -> bool:
        accusers = sorted(place.accusers)
        return len(aways) == len(accusers) and all(
            self._is_away(payload, seat, number, place.owner)
            for seat, payload in zip(accusers, aways, strict=True)
        )

    def _is_away(self, payload: bytes, seat: Seat, number: int, owner: Seat) -> bool:
        known = self.away(number).get(seat)
        if known is not None and known.payload == payload:
            return True
        said = _parsed(payload)
        return (
            said is not None
            and (said.kind, said.seat, said.content[0]) == (Kind.AWAY, seat, owner)
            and (said.count, said.head) == (number, self._heads[number])
            and self._genesis.signed(seat, labels.SIGN_STATEMENT, payload)
        )

    def _released(self, entry: Entry, number: int) -> frozenset[Seat]:
        """The seats whose BACKs over place `number` the entry carries."""
        carried = map(_parsed, entry.release)
        return frozenset(
            said.seat for said in carried if said is not None and self._is_back(said, number, entry.number)
        )

    def _is_back(self, said: Statement, number: int, most: int) -> bool:
        """Whether what a release holds is a BACK over place `number`, over at most so many entries."""
        return (
            (said.kind, said.content) == (Kind.BACK, (number,))
            and number < said.count <= most
            and said.head == self._heads[said.count]
            and said.seat < len(self._genesis.players)
            and self._genesis.signed(said.seat, labels.SIGN_STATEMENT, said.payload)
        )

    # For the session of a seat

    def release(self, seat: Seat) -> tuple[bytes, ...]:
        """The BACKs that an entry of `seat` at the head has to carry."""
        return tuple(back for _, back in self._releasing(seat) if back is not None)

    def bound(self, seat: Seat) -> bool:
        """Whether `seat` may sign nothing more: it has called the owner of a record away that its copy holds,
        and no BACK of another seat is here.  Only a crash while records were written leaves that.
        """
        return any(back is None for _, back in self._releasing(seat))

    def _releasing(self, seat: Seat) -> Iterator[tuple[int, bytes | None]]:
        """The open places whose owner `seat` has called away, each with the BACK by which it goes on."""
        for number in self.open:
            place, away = self.place(number), self.away(number)
            if place.owner != seat and leaving.needs_release(place, seat, away, None):
                said = self.backs(number)
                known = place.vouching(away) & said.keys()
                yield number, said[min(known)].payload if known else None

    def back_due(self, seat: Seat) -> Content | None:
        """The content of a BACK that `seat` is to say, and has not; None if there is none."""
        for number, back in self._releasing(seat):
            if back is not None and seat not in self._answered.get(number, ()):
                return number, back
        for number in self.open:
            may = leaving.may_say_back(self.place(number), seat, self.away(number), None)
            if may and seat not in self._answered.get(number, ()):
                return (number,)
        return None

    def sure(self, number: int) -> bool:
        """Whether the owner's record at a place is sure to stay, for a seat that called its owner away."""
        place, away = self.place(number), self.away(number)
        return leaving.may_admit(place, away, self.backs(number), self.built(number))


def _parsed(payload: bytes) -> Statement | None:
    try:
        return statements.parse(payload)
    except Malformed:
        return None
