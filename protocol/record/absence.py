"""The record of silent seats among three or more: AWAYs, BACKs and Gones by place of the chain.

What they allow and prove is decided in `leaving`; here stands which of them a copy holds.  Blame (Violation)
needs the signature of the accused over both of two things that exclude each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from p2p_stratego.core.game import Seat
from protocol.errors import Malformed, Violation
from protocol.record import leaving, statements
from protocol.record.entries import Entry, Folded
from protocol.record.genesis import Genesis
from protocol.record.gone import Gone
from protocol.record.leaving import Built, Place
from protocol.record.statements import Kind, Statement
from protocol.wire import labels


@dataclass(frozen=True, slots=True)
class _Said:
    """The evidence that a record under judgement adds about a place."""

    built: Built | None
    away: frozenset[Seat] = frozenset()
    backs: frozenset[Seat] = frozenset()
    gone: bool = False


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
        self._backs: dict[int, dict[Seat, Statement]] = {}
        """By place: the BACKs over it."""
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

    def backs(self, number: int) -> Mapping[Seat, Statement]:
        """The BACKs over a place, by seat."""
        return self._backs.get(number, {})

    def built(self, number: int) -> Built | None:
        """The first entry of another seat behind the one at `number`, which is its owner's."""
        owner = self._owing[number]
        for entry in self._entries[number + 1 :]:
            if entry.seat != owner and not isinstance(entry, Folded):
                return Built(entry.seat, self._released(entry, number))
        return None

    def add(self, statement: Statement) -> None:
        """Take note of an AWAY or a BACK that was judged."""
        if statement.kind is Kind.AWAY:
            number, accused = statement.count, statement.content[0]
            self._away.setdefault(number, {}).setdefault((statement.seat, accused), statement)
            if accused == self._owing[number]:
                self._watch(number)
        elif statement.kind is Kind.BACK:
            self._backs.setdefault(statement.content[0], {}).setdefault(statement.seat, statement)

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
                self._judge(number, _Said(built), "entry", entry.number)

    def check_away(self, statement: Statement) -> None:
        """Raise Violation if its signer has gone on behind the record of the seat that it calls away."""
        number = statement.count
        if (
            number < len(self._entries)
            and statement.content[0] == self._owing[number]
            and self.stands(number)
        ):
            said = _Said(self.built(number), away=frozenset({statement.seat}))
            self._judge(number, said, "statement", number)

    def check_back(self, statement: Statement) -> None:
        """Raise Violation unless its signer may say BACK over that place."""
        (number,), seat = statement.content, statement.seat
        if number < statement.count and self.stands(number):
            place = self.place(number)
            if place.many and seat in place.present - {place.owner}:
                said = _Said(self.built(number), backs=frozenset({seat}))
                self._judge(number, said, "statement", statement.count)
                return
        raise Violation(seat, "statement", statement.count, "false-back")

    def check_gone(self, entry: Entry, message: Gone) -> None:
        """Raise Violation unless `entry` is the Gone of the decider, with the AWAYs of all accusers."""
        number, owner = entry.number, self._owing[entry.number]
        if owner is not None and message.seat == owner:
            place = self.place(number)
            if place.many and entry.seat == place.decider and self._complete(place, number, message.aways):
                return
        raise Violation(entry.seat, "entry", number, "false-gone")

    def check_superseding(self, entry: Entry) -> None:
        """Raise Violation if a good Gone meets its owner's record, and somebody has gone on behind that."""
        number, built = entry.number, self.built(entry.number)
        place = self.place(number)
        if leaving.superseded(place, self.backs(number), built, gone=True):
            return
        self._judge(number, _Said(built, away=place.accusers, gone=True), "entry", number)
        raise RuntimeError(f"a Gone does not supersede entry {number}, and nobody had it both ways")

    def _judge(self, number: int, said: _Said, what: str, at: int) -> None:
        """Raise Violation if somebody had it both ways, by what is known and what is `said` now."""
        away, backs = self.away(number), self.backs(number)
        culprit = leaving.both_ways(
            self.place(number), away.keys() | said.away, backs.keys() | said.backs, said.built, gone=said.gone
        )
        if culprit is not None:
            beside = [known[culprit].payload for known in (away, backs) if culprit in known]
            raise Violation(culprit, what, at, "both-ways", tuple(beside))

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
        return frozenset(
            said.seat
            for said in map(_parsed, entry.release)
            if said is not None
            and said.kind is Kind.BACK
            and said.content[0] == number < said.count <= entry.number
            and said.head == self._heads[said.count]
            and said.seat < len(self._genesis.players)
            and self._genesis.signed(said.seat, labels.SIGN_STATEMENT, said.payload)
        )

    # For the session of a seat

    def release(self, seat: Seat) -> tuple[bytes, ...]:
        """The BACKs that an entry of `seat` at the head has to carry."""
        backs = []
        for number in self.open:
            place, away = self.place(number), self.away(number)
            if place.owner != seat and leaving.needs_release(place, seat, away, None):
                said = self.backs(number)
                backs.append(said[min(place.vouching(away) & said.keys())].payload)
        return tuple(backs)

    def back_due(self, seat: Seat) -> int | None:
        """A place over which `seat` is to say BACK, and has not; None if there is none."""
        for number in self.open:
            may = leaving.may_say_back(self.place(number), seat, self.away(number), None)
            if may and seat not in self.backs(number):
                return number
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
