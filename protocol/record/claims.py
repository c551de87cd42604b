"""Claims about hidden slots: made during play, believed by nobody, settled when the match is over.

With hash commitments a claim is settled by revealing the slots it speaks of.  Slots that no claim speaks of
stay closed for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from p2p_stratego.core.game import Face, Seat, Slot


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim of `seat`: `slots` show exactly `faces` (as a multiset), or else one of `faces` each.

    `number`: the entry it came with; `rule`: what is broken if it is false.
    """

    seat: Seat
    rule: str
    slots: tuple[Slot, ...]
    faces: Collection[Face]
    exactly: bool
    number: int

    def holds(self, shown: Mapping[Slot, Face]) -> bool:
        """Whether it is true of these faces; slots that are not shown do not speak against it."""
        faces = [shown[slot] for slot in self.slots if slot in shown]
        if self.exactly:
            return not Counter(faces) - Counter(self.faces)
        return all(face in self.faces for face in faces)


@dataclass
class Ledger:
    """All claims of a match, and when each slot was opened."""

    claims: list[Claimed] = field(default_factory=list)
    opened_at: dict[Slot, int] = field(default_factory=dict)
    """By slot: the entry that opened it.  What a REVEAL opens is not in here."""

    def due(self, seat: Seat, count: int) -> tuple[Slot, ...]:
        """The slots, ascending, that `seat` has to reveal if play ends when `count` entries have been made.

        A matter of the chain alone, so that nobody who has the chain can be blamed for the order in which
        statements reached it.
        """
        slots = {
            s for claim in self.claims if claim.seat == seat and claim.number < count for s in claim.slots
        }
        return tuple(sorted(s for s in slots if not self.opened_at.get(s, count) < count))

    def broken(self, shown: Mapping[Slot, Face]) -> Claimed | None:
        """The earliest claim that these faces show to be false."""
        return next((claim for claim in self.claims if not claim.holds(shown)), None)
