"""What the record says of clocks that ran out: the word of those who said so, and no more."""

from __future__ import annotations

from p2p_stratego.core.game import Seat
from protocol.record.standing import Standing
from protocol.record.statements import is_of_time


def out_of_time(match: Standing) -> tuple[Seat, ...]:
    """The seats whose clocks ran out, as others say: one that owes the next entry, and those that were taken
    out of the match over such a word; ascending.
    """
    owing = match.owed.seat if match.owed is not None and match.provisional is None else None
    late = {
        said.content[0]
        for known in match.statements
        for said in known
        if is_of_time(said)
        and (
            (said.count == match.count and said.content[0] == owing)
            or match.table.gone.get(said.content[0]) == said.count
        )
    }
    return tuple(sorted(late & {*match.taken_out, owing}))
