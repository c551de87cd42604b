"""Claim: a seat claims something about slots that stay hidden; no message answers it."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Claim
from protocol.record.asks.base import AskKind, Script, Table
from protocol.record.claims import RecordedClaim


def script(table: Table, ask: Claim) -> Script[None]:
    """No message: the previous entry made the claim; openings settle it when the match is over."""
    table.ledger.add(
        RecordedClaim(ask.seat, ask.rule, ask.slots, ask.faces, exactly=False, number=table.number)
    )
    yield from ()


KIND: Final = AskKind(Claim, script)
