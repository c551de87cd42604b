"""The rules for a silent seat among three or more: pure decisions about one place of the chain (SPEC 10.9).

A place has one owner, the seat that owes the entry there.  If the owner is silent, each accuser signs an AWAY
over the place, and only one seat, the *decider*, may put a Gone there.  So two honest copies never hold
different records for one place, in any order of arrival.  The session of a seat and the referee call these
functions; tests/protocol/record/test_leaving_model.py explores every course of events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core.game import Seat

MANY: Final = 3
"""The fewest present seats with which a Gone is possible.  Of two seats each would decide alone."""


@dataclass(frozen=True, slots=True)
class ChainPlace:
    """One place of the chain: `owner` owes the entry there; `present`: all seats not gone before it."""

    owner: Seat
    present: frozenset[Seat]

    @property
    def many(self) -> bool:
        """Whether enough seats are left to go on without the owner."""
        return len(self.present) >= MANY

    @property
    def decider(self) -> Seat:
        """The highest present seat but the owner, which alone may sign a Gone.  Needs two present seats."""
        return max(self.present - {self.owner})

    @property
    def accusers(self) -> frozenset[Seat]:
        """The seats whose AWAYs a Gone needs, every one: all present seats except owner and decider."""
        return self.present - {self.owner, self.decider}

    def vouching(self, away: Collection[Seat]) -> frozenset[Seat]:
        """The seats whose BACK makes the owner's record sure; `away`: the seats that signed AWAY."""
        return self.present - {self.owner} - (self.accusers & set(away))


@dataclass(frozen=True, slots=True)
class Successor:
    """The first entry of another seat behind the owner's own record of a place.

    `seat`: its author; `backs`: the seats whose BACKs over the place it carries.
    """

    seat: Seat
    backs: frozenset[Seat] = frozenset()


def may_accuse(place: ChainPlace, seat: Seat, accused: Seat) -> bool:
    """Whether `seat`, in whose copy the place is empty, may sign AWAY over it against `accused`.

    An accuser can accuse the decider, too: of a missing Gone, or of a missing BACK.
    """
    return place.many and seat in place.accusers and accused in (place.owner, place.decider)


def may_remove(place: ChainPlace, seat: Seat, away: Collection[Seat]) -> bool:
    """Whether `seat`, in whose copy the place is empty, may put a Gone there.

    `away`: the seats that signed AWAY over the place against its owner.
    """
    return place.many and seat == place.decider and place.accusers <= set(away)


def must_hold(place: ChainPlace, seat: Seat, away: Collection[Seat]) -> bool:
    """Whether `seat` has to hold back the owner's record of an empty place until `may_admit` is true.

    The seat has signed AWAY over the place, so the decider may have put a Gone there.
    """
    return place.many and seat in place.accusers and seat in away


def may_admit(
    place: ChainPlace, away: Collection[Seat], backs: Collection[Seat], built: Successor | None
) -> bool:
    """Whether an owner's record that was held back is now sure to stay.

    `backs`: the seats that signed BACK over the place; `built`: the first entry of another seat behind it.
    The author of a BACK rules a Gone out: it is the decider, or its AWAY is one that the Gone would need.
    """
    return bool(place.vouching(away) & set(backs)) or (
        built is not None and not _unreleased(place, away, built)
    )


def may_say_back(place: ChainPlace, seat: Seat, away: Collection[Seat], built: Successor | None) -> bool:
    """Whether `seat`, whose copy holds the owner's record, is to sign a BACK.

    It is, if an accuser may hold the record back, and no entry behind the record shows yet that it stays.
    """
    return (
        place.many and built is None and seat in place.vouching(away) and not place.accusers.isdisjoint(away)
    )


def needs_release(place: ChainPlace, seat: Seat, away: Collection[Seat], built: Successor | None) -> bool:
    """Whether all that `seat` signs over the owner's record rests on a BACK of another seat.

    Then its first statement there is a BACK that holds the other BACK, and its entry behind the record
    carries the other BACK.
    """
    return built is None and must_hold(place, seat, away)


@dataclass(frozen=True, slots=True)
class Grounds:
    """All that is known of a place that its owner's record takes: sets of seats.

    `away`: the seats that have called the owner away, also within a Gone.  `backs`: the seats that have
    signed a BACK without a release, in a statement or in the release of a statement.  `later`: the seats that
    have signed a statement over the record.  `bare`: the seats of `later` whose first such statement has
    neither a release nor an entry of another seat below it, and so nothing to show that the record stays.
    `gone`: whether there is a Gone with the AWAYs of all accusers for the same place.
    """

    away: Collection[Seat] = ()
    backs: Collection[Seat] = ()
    built: Successor | None = None
    later: Collection[Seat] = ()
    bare: Collection[Seat] = ()
    gone: bool = False


def both_ways(place: ChainPlace, known: Grounds) -> Seat | None:
    """The seat that is proven to have had it both ways at a place, or None: the first culprit in SPEC 10.12.

    The owner's record takes the place.  Only records that the culprit signed count; a withheld record can
    blame nobody.
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


def superseded(place: ChainPlace, later: Collection[Seat], built: Successor | None, *, gone: bool) -> bool:
    """Whether a Gone supersedes the owner's record: no other present seat has signed for that record.

    `later`: the seats that have signed a statement over the record.  If a right Gone does not supersede, a
    seat had it both ways: the decider, an accuser, or the seat whose BACK released an accuser.
    """
    return place.many and gone and built is None and (place.present - {place.owner}).isdisjoint(later)


def _unreleased(place: ChainPlace, away: Collection[Seat], built: Successor) -> bool:
    """Whether the author of `built` had to hold the record back, and `built` carries no releasing BACK."""
    return must_hold(place, built.seat, away) and not built.backs & (
        place.present - {place.owner, built.seat}
    )


def silent(place: ChainPlace, accusations: Iterable[tuple[Seat, Seat]]) -> frozenset[Seat]:
    """Owner and decider, if every accuser has accused both over the place; otherwise none.

    `accusations`: claimant and accused of each AWAY over the place.  With both silent the match cannot go on.
    """
    pairs = set(accusations)
    wanted = {(seat, accused) for seat in place.accusers for accused in (place.owner, place.decider)}
    return frozenset({place.owner, place.decider}) if place.many and wanted <= pairs else frozenset()
