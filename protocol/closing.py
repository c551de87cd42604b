"""When a seat signs the END: as soon as it can know that the other seats come to the same one."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Seat
from protocol.record import statements
from protocol.record.referee import Referee
from protocol.record.statements import Kind

_LAST_ONES: Final = (Kind.RESIGN, Kind.ACCEPT_DRAW, Kind.REVEAL, Kind.END)
"""Behind one of these no entry of its seat is under way any more, unless it can still decline a draw."""


def end_is_due(referee: Referee, seat: Seat) -> bool:
    """Whether `seat` is to sign the END now, by what it has admitted.

    Whoever resigned or accepted a draw waits for another's word, which may show that a last entry crossed it;
    so that two sign the same END.  If something arrives from a third, the END is signed again.
    """
    outcome, own = referee.outcome, referee.statements[seat]
    if outcome is None or outcome.reason == "unresponsive" or referee.unsettled:
        return False
    ends = [s for s in own if s.kind is Kind.END]
    if ends:
        return (ends[-1].count, ends[-1].content) != (referee.count, statements.end_content(outcome))
    if referee.ended_by_rules or not any(s.kind in (Kind.RESIGN, Kind.ACCEPT_DRAW) for s in own):
        return True
    others = (s for known in referee.statements if known is not own for s in known)
    return any(s.kind in _LAST_ONES for s in others)
