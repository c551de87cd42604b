"""Claims about hidden slots: made during play, unproven until they are settled when the match is over.

With hash commitments, revealing its slots settles a claim.  Slots without a claim stay closed for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from p2p_stratego.core.game import Face, Seat, Slot


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim of `seat`: `slots` show exactly `faces` (as a multiset), otherwise one of `faces` each.

    `number`: the entry it came with; `rule`: the broken rule if it is false.
    """

    seat: Seat
    rule: str
    slots: tuple[Slot, ...]
    faces: Collection[Face]
    exactly: bool
    number: int

    def holds(self, shown: Mapping[Slot, Face]) -> bool:
        """Whether the claim agrees with these faces; slots without a face count as agreeing."""
        faces = [shown[slot] for slot in self.slots if slot in shown]
        if self.exactly:
            return not Counter(faces) - Counter(self.faces)
        return all(face in self.faces for face in faces)


@dataclass
class Ledger:
    """All claims of a match, and when each slot was opened."""

    claims: list[Claimed] = field(default_factory=list)
    opened_at: dict[Slot, int] = field(default_factory=dict)
    """By slot: the entry that opened it, without the openings of a REVEAL."""

    def due(self, seat: Seat, count: int) -> tuple[Slot, ...]:
        """The slots, ascending, that `seat` has to reveal if play ends after `count` entries.

        It depends on the chain alone, so the order in which statements arrived can blame no seat.
        """
        slots = {
            s for claim in self.claims if claim.seat == seat and claim.number < count for s in claim.slots
        }
        return tuple(sorted(s for s in slots if not self.opened_at.get(s, count) < count))

    def broken(self, shown: Mapping[Slot, Face]) -> Claimed | None:
        """The earliest claim that these faces disprove, or None."""
        return next((claim for claim in self.claims if not claim.holds(shown)), None)
