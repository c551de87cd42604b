"""Claims about hidden slots: seats make claims during play, and settle them when the match is over.

With hash commitments, a seat settles a claim by revealing its slots, many slots in several parts.  A slot
without a claim stays closed for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from p2p_stratego.core.game import Face, Seat, Slot
from protocol.wire.messages import MAX_SLOTS


@dataclass(frozen=True, slots=True)
class RecordedClaim:
    """A claim of `seat`: each of `slots` shows one of `faces`.

    `exactly`: instead, the slots together show exactly `faces`, or exactly the faces of the slots `same_as`,
    as many of each.  `number`: the entry that made the claim; `rule`: the broken rule if the claim is false.
    """

    seat: Seat
    rule: str
    slots: tuple[Slot, ...]
    faces: Collection[Face]
    exactly: bool
    number: int
    same_as: tuple[Slot, ...] = ()

    @property
    def all_slots(self) -> tuple[Slot, ...]:
        """All slots that settle the claim."""
        return self.slots + self.same_as

    def holds(self, shown: Mapping[Slot, Face]) -> bool:
        """Whether the claim can be true with the `shown` faces; a slot without a face can hide any face."""
        faces = [shown[slot] for slot in self.slots if slot in shown]
        if not self.exactly:
            return all(face in self.faces for face in faces)
        if not self.same_as:
            return not Counter(faces) - Counter(self.faces)
        # Each face on one side needs a like one on the other, shown or still hidden there.
        others = [shown[slot] for slot in self.same_as if slot in shown]
        unmatched = (Counter(faces) - Counter(others)).total()
        return unmatched <= len(self.same_as) - len(others)


@dataclass
class ClaimLedger:
    """All claims of a match, and when each slot was opened."""

    claims: list[RecordedClaim] = field(default_factory=list)
    opened_at: dict[Slot, int] = field(default_factory=dict)
    """By slot: the entry that opened it.  A REVEAL opens after play, and is not counted here."""
    settles: bool = True
    """Whether claims are settled after play.  Where decisions can be taken back they are not: a TakeBack that
    crosses a last word would change what its seat has to reveal.
    """
    _unjudged: list[RecordedClaim] = field(default_factory=list)
    """The claims that are new, or had a slot opened, since the last call of `newly_broken`."""
    _about: dict[Slot, list[RecordedClaim]] = field(default_factory=dict)
    """By slot: the claims that a face there helps to settle, in the order of the claims."""
    _due: dict[Seat, tuple[tuple[int, int, int], tuple[Slot, ...]]] = field(default_factory=dict)
    _broken: tuple[tuple[int, int], RecordedClaim | None] | None = None

    def __post_init__(self) -> None:
        for claim in self.claims:
            self._note(claim)

    def first(self, claims: int, opened: int) -> ClaimLedger:
        """A ledger of the first `claims`, with the slots that were `opened` first, so many."""
        return ClaimLedger(self.claims[:claims], dict(islice(self.opened_at.items(), opened)), self.settles)

    def add(self, claim: RecordedClaim) -> None:
        """Take note of a claim; numbers of claims never fall."""
        self.claims.append(claim)
        self._unjudged.append(claim)
        self._note(claim)

    def open(self, slot: Slot, number: int) -> None:
        """Take note that entry `number` opened `slot`; the first time counts."""
        self.opened_at.setdefault(slot, number)
        self._unjudged += self.about(slot)

    def newly_broken(self, shown: Mapping[Slot, Face]) -> RecordedClaim | None:
        """The earliest claim that the last entry disproved, or None; `shown`: all faces that are open.

        Only faces that entries opened count: a REVEAL can cross entries, and crossing is no fault (threat
        100).  Only claims that the last entry can have touched are judged: an auditor calls this for each of
        100,000 entries.
        """
        unjudged = self._unjudged
        if not unjudged:
            return None
        self._unjudged = []
        if all(self._holds_by_entries(claim, shown) for claim in unjudged):
            return None
        return next(claim for claim in self.claims if not self._holds_by_entries(claim, shown))

    def _holds_by_entries(self, claim: RecordedClaim, shown: Mapping[Slot, Face]) -> bool:
        return claim.holds({slot: shown[slot] for slot in claim.all_slots if slot in self.opened_at})

    def about(self, slot: Slot) -> Sequence[RecordedClaim]:
        """The claims that a face at `slot` helps to settle, in the order of the claims."""
        return self._about.get(slot, ())

    def due(self, seat: Seat, count: int) -> tuple[Slot, ...]:
        """The slots, ascending, that `seat` has to reveal if play ends after `count` entries.

        The result depends on the chain alone, so the order in which statements arrive can blame no seat.
        """
        if not self.settles:
            return ()
        asked = count, len(self.claims), len(self.opened_at)
        last = self._due.get(seat)
        if last is None or last[0] != asked:  # kept: called several times a record, over thousands of slots
            last = self._due[seat] = asked, self._find_due(seat, count)
        return last[1]

    def part(self, seat: Seat, count: int, number: int) -> tuple[Slot, ...]:
        """The due slots of part `number` (from 0): at most MAX_SLOTS, and none behind the last part."""
        return self.due(seat, count)[number * MAX_SLOTS : (number + 1) * MAX_SLOTS]

    def _find_due(self, seat: Seat, count: int) -> tuple[Slot, ...]:
        due = (
            slot
            for slot, claims in self._about.items()
            if claims[0].seat == seat
            and claims[0].number < count
            and not self.opened_at.get(slot, count) < count
        )
        return tuple(sorted(due))

    def broken(self, shown: Mapping[Slot, Face]) -> RecordedClaim | None:
        """The earliest claim that the `shown` faces disprove, or None.  The caller only ever adds faces."""
        asked = len(self.claims), len(shown)
        if self._broken is None or self._broken[0] != asked:
            first = next((claim for claim in self.claims if not claim.holds(shown)), None)
            self._broken = asked, first
        return self._broken[1]

    def liars(self, shown: Mapping[Slot, Face]) -> set[Seat]:
        """The seats with a claim that the `shown` faces disprove."""
        return {claim.seat for claim in self.claims if not claim.holds(shown)}

    def settled(self, shown: Mapping[Slot, Face]) -> int:
        """The number of claims whose slots all show faces that make the claim true."""
        whole = [claim for claim in self.claims if shown.keys() >= set(claim.all_slots)]
        return sum(claim.holds(shown) for claim in whole)

    def _note(self, claim: RecordedClaim) -> None:
        for slot in claim.all_slots:
            self._about.setdefault(slot, []).append(claim)
