"""Whether a sealed opening is in order: the viewer judges it so, and after a COMPLAIN all others do.

A COMPLAIN publishes the viewer's secret of one look; then everybody can open that box.  The judgement depends
on the chain up to the COMPLAIN alone, so copies agree though records arrived in another order (SPEC 10.3).
"""

from __future__ import annotations

from typing import NamedTuple

from p2p_stratego.core.game import Face
from protocol.crypto.sealed import unseal
from protocol.record.asks.base import BrokenRule, Look, Table
from protocol.record.asks.open import Opening, check_opening


class Flaw(NamedTuple):
    """The rule that the owner of a slot broke, and the number of its entry that shows the fault."""

    rule: str
    number: int


def face_shown(table: Table, look: Look, secret: bytes) -> Face | Flaw:
    """The face that `look` showed to its viewer, or the flaw; `secret`: the viewer's, 32 bytes."""
    opening = unseal(look.place, secret, look.sender_key, look.box)
    if opening is None:
        return Flaw("wrong-opening", look.number)
    try:
        check_opening(table, look.place.slot, Opening(*opening))
    except BrokenRule as broken:
        return Flaw(broken.rule, look.number)
    return opening[0]


def flaw(table: Table, look: Look, shown: Face | Flaw, count: int) -> Flaw | None:
    """The fault of the owner, by the first `count` entries and the card that the look has `shown`, or None.

    A face that fits its commitment can still disprove a claim: one that these entries made, together with the
    faces that these entries opened.
    """
    if isinstance(shown, Flaw):
        return shown
    slot, ledger = look.place.slot, table.ledger
    opened = {other: table.faces[other] for other, number in ledger.opened_at.items() if number < count}
    for claim in ledger.about(slot):
        if claim.number < count and not claim.holds({**opened, slot: shown}):
            return Flaw(claim.rule, claim.number)
    return None
