"""Statements about keys for cards: a RESIGN that gives one, and a COMPLAIN of a share of one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NoReturn

from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs.escrow import judge
from protocol.crypto.proofs.keys import released
from protocol.crypto.proofs.party import Party
from protocol.errors import Violation
from protocol.record.asks.base import Table
from protocol.record.statements import Statement


def check(table: Table, statement: Statement, *, due: bool) -> None:
    """Raise Violation unless a RESIGN carries what the others need to go on; `due`: it has to."""
    seat, count = statement.seat, statement.count
    if bool(statement.content) != due:
        raise Violation(seat, "statement", count, "wrong-key")
    if statement.content:
        try:
            released(statement.content[0], table.cards.sent[seat])
        except ProofError as error:
            raise Violation(seat, "statement", count, "wrong-key") from error


def judge_complaint(table: Table, statement: Statement, signed: Sequence[int]) -> NoReturn:
    """Blame the dealer, or the receiver that complains of its share of a key.

    `signed`: the numbers of the receiver's entries.  Raises Violation in any case.
    """
    seat, count, (number, shared, proof) = statement.seat, statement.count, statement.content
    dealer = table.cards.deals_at.get(number, seat)
    in_time = bisect_left(signed, count) == bisect_left(signed, number)
    if dealer != seat and number < count and in_time:
        dealt = table.cards.deals[dealer]
        ctx = dealt.dealer.ctx._replace(seat=seat)
        if judge(Party(ctx, table.cards.share_keys[seat]), dealt, shared, proof):
            raise Violation(dealer, "entry", number, "wrong-share")
    raise Violation(seat, "statement", count, "false-complaint")
