"""Who may do what when a seat keeps three or more waiting: pure decisions about one place of the chain.

A place has one owner, the seat that owes the entry there.  If the owner is silent, the others say so, each
with an AWAY over the place, and one seat alone, the *decider*, may put a Gone there.  So two honest copies
never hold different records for one place, in any order of arrival.  The session of a seat and the
referee ask these functions; tests/protocol/record/test_leaving_model.py explores all that can follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core.game import Seat

MANY: Final = 3
"""Seats still in, from which on a Gone is possible.  Of two, each would decide alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the chain: `owner` owes the entry there; `present`: all seats not gone before it."""

    owner: Seat
    present: frozenset[Seat]

    @property
    def many(self) -> bool:
        """Whether enough seats are left to go on without the owner."""
        return len(self.present) >= MANY

    @property
    def decider(self) -> Seat:
        """The highest seat present other than the owner: it alone may sign Gone.  There must be one."""
        return max(self.present - {self.owner})

    @property
    def accusers(self) -> frozenset[Seat]:
        """The seats whose AWAYs a Gone needs, every one: all that are present but owner and decider."""
        return self.present - {self.owner, self.decider}

    def vouching(self, away: Collection[Seat]) -> frozenset[Seat]:
        """The seats whose BACK makes the owner's record sure; `away`: who signed AWAY over the place."""
        return self.present - {self.owner} - (self.accusers & set(away))


@dataclass(frozen=True, slots=True)
class Built:
    """The first entry of another seat behind the owner's own record of a place.

    `seat`: its author; `backs`: the seats whose BACKs over the place it carries.
    """

    seat: Seat
    backs: frozenset[Seat] = frozenset()


def may_accuse(place: Place, seat: Seat, accused: Seat) -> bool:
    """Whether `seat`, in whose copy the place is empty, may sign AWAY over it against `accused`.

    Besides the owner the decider can be accused: of signing no Gone, or no BACK.
    """
    return place.many and seat in place.accusers and accused in (place.owner, place.decider)


def may_remove(place: Place, seat: Seat, away: Collection[Seat]) -> bool:
    """Whether `seat`, in whose copy the place is empty, may put a Gone there.

    `away`: the seats that signed AWAY over the place against its owner.
    """
    return place.many and seat == place.decider and place.accusers <= set(away)


def must_hold(place: Place, seat: Seat, away: Collection[Seat]) -> bool:
    """Whether `seat` has to hold back the owner's record of an empty place until `may_admit`.

    It has signed AWAY over the place, so the decider may have put a Gone there.
    """
    return place.many and seat in place.accusers and seat in away


def may_admit(place: Place, away: Collection[Seat], backs: Collection[Seat], built: Built | None) -> bool:
    """Whether an owner's record that was held back is now sure to stay.

    `backs`: the seats that said BACK over the place; `built`: the first entry of another seat behind it.
    Without the BACK's author there can be no Gone: it is the decider, or the Gone needs its AWAY.
    """
    return bool(place.vouching(away) & set(backs)) or (
        built is not None and not _unreleased(place, away, built)
    )


def may_say_back(place: Place, seat: Seat, away: Collection[Seat], built: Built | None) -> bool:
    """Whether `seat`, whose copy holds the owner's record, is to say BACK: somebody may hold it back, and no
    entry behind it shows yet that it stays.
    """
    return (
        place.many and built is None and seat in place.vouching(away) and not place.accusers.isdisjoint(away)
    )


def needs_release(place: Place, seat: Seat, away: Collection[Seat], built: Built | None) -> bool:
    """Whether all that `seat` signs over the owner's record rests on a BACK of another seat.

    Its first statement there is a BACK that holds that one, and its entry behind the record carries it.
    """
    return built is None and must_hold(place, seat, away)


@dataclass(frozen=True, slots=True)
class Grounds:
    """All that is known of a place that its owner's record takes, by the seats that signed it.

    `away`: who has called the owner away, also within a Gone; `backs`: who has said a BACK without a release,
    in a statement or in the release of one; `later`: who has signed a statement over the record; `bare`: of
    these, whose first one shows neither by a release nor by an entry of another seat below it that the record
    stays; `gone`: whether there is a Gone with the AWAYs of all accusers for the same place.
    """

    away: Collection[Seat] = ()
    backs: Collection[Seat] = ()
    built: Built | None = None
    later: Collection[Seat] = ()
    bare: Collection[Seat] = ()
    gone: bool = False


def both_ways(place: Place, known: Grounds) -> Seat | None:
    """The seat that is proven to have had it both ways at a place that its owner's record takes, or None: the
    first culprit in SPEC 10.12.

    Only signed records of the culprit count; what somebody withholds can blame nobody.
    """
    if not place.many:
        return None
    built = known.built
    backers = set(known.backs) | (built.backs if built else set())
    called = place.accusers & set(known.away)
    if liars := backers & called:
        return min(liars)
    if built is not None and _unreleased(place, known.away, built):
        return built.seat
    if hasty := called & set(known.bare):
        return min(hasty)
    signed = backers | set(known.later) | ({built.seat} if built is not None else set())
    return place.decider if known.gone and place.decider in signed else None


def superseded(place: Place, later: Collection[Seat], built: Built | None, *, gone: bool) -> bool:
    """Whether a Gone takes the place of its owner's record: no other present seat has signed for that one.

    `later`: who has signed a statement over the record.  If a right Gone does not supersede, somebody had it
    both ways: the decider, an accuser, or the seat whose BACK released an accuser.
    """
    return place.many and gone and built is None and (place.present - {place.owner}).isdisjoint(later)


def _unreleased(place: Place, away: Collection[Seat], built: Built) -> bool:
    """Whether the author of `built` held the record back, and nothing in it says why it does no longer."""
    return must_hold(place, built.seat, away) and not built.backs & (
        place.present - {place.owner, built.seat}
    )


def silent(place: Place, accusations: Iterable[tuple[Seat, Seat]]) -> frozenset[Seat]:
    """Owner and decider, if every accuser has accused both over the place; otherwise none.

    `accusations`: claimant and accused of each AWAY over the place.  Then the match cannot go on.
    """
    pairs = set(accusations)
    wanted = {(seat, accused) for seat in place.accusers for accused in (place.owner, place.decider)}
    return frozenset({place.owner, place.decider}) if place.many and wanted <= pairs else frozenset()
