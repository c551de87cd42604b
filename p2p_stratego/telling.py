"""What the games say in the same words: how a match ended.

Only public things are told, to everybody alike.  `names` is what each seat is called, by seat: "Red" and
"Blue", or the players' names, already made safe for a terminal by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .table import Outcome

_REASONS: Final[Mapping[str, str]] = {
    "cheated": "{W} wins: {L} {breach}.",
    "resigned": "{W} wins: {L} has resigned.",
}


def tell_outcome(outcome: Outcome, names: Sequence[str], reasons: Mapping[str, str], breach: str = "") -> str:
    """How the game ended; a reason that the game does not know is told as it is.

    `reasons`: the game's own, with `{W}` for the winners and `{L}` for the losers; `breach`: what the losers
    did, if they cheated, as the end of a sentence that begins with their names.
    """
    winners = [name for seat, name in enumerate(names) if seat in outcome.winners]
    losers = [name for seat, name in enumerate(names) if seat not in outcome.winners]
    plain = "{W} wins: {reason}." if winners else "A draw: {reason}."
    told = reasons.get(outcome.reason) or _REASONS.get(outcome.reason, plain)
    return told.format(W=" and ".join(winners), L=" and ".join(losers), reason=outcome.reason, breach=breach)
