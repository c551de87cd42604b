"""What the games say in the same words: how a match ended.

Only public things are told, to everybody alike.  `names` is what each seat is called, by seat: "Red" and
"Blue", or the players' names, already made safe for a terminal by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from p2p_stratego.core.game import Outcome


class Words(NamedTuple):
    """How an end that no rule of a game brings about is told."""

    sentence: str
    """With `{W}` for the winners, `{L}` for the losers and `{breach}` for what the losers did."""
    clause: str
    """Behind the winners, or behind "a draw"."""
    short: str
    """Behind "won", "lost" or "a draw", in a list."""


OUTSIDE_THE_RULES: Final[Mapping[str, Words]] = {
    "resigned": Words("{W} wins: {L} has resigned.", "has won by resignation", "resigned"),
    "agreed-draw": Words("A draw, as both agreed.", "as both agreed", "agreed"),
    "unresponsive": Words(
        "{W} claims the game: {L} did not answer.",
        "claims the game: the other side did not answer, as the winner alone says",
        "claimed",
    ),
    "cheated": Words("{W} wins: {L} {breach}.", "has won because the other side cheated", "cheating"),
}
"""By reason; the same for every game."""


def tell_outcome(outcome: Outcome, names: Sequence[str], reasons: Mapping[str, str], breach: str = "") -> str:
    """How the game ended; a reason that the game does not know is told as it is.

    `reasons`: the game's own, with `{W}` for the winners and `{L}` for the losers; `breach`: what the losers
    did, if they cheated, as the end of a sentence that begins with their names.
    """
    winners = [name for seat, name in enumerate(names) if seat in outcome.winners]
    losers = [name for seat, name in enumerate(names) if seat not in outcome.winners]
    plain = "{W} wins: {reason}." if winners else "A draw: {reason}."
    outside = OUTSIDE_THE_RULES.get(outcome.reason)
    told = reasons.get(outcome.reason) or (outside.sentence if outside else plain)
    return told.format(W=" and ".join(winners), L=" and ".join(losers), reason=outcome.reason, breach=breach)
