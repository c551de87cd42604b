"""Why a move is good, in a sentence: by the agent's eyes, from one seat's view and nothing else."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.core.language import _
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.position import HAS_MOVED, Picture, Stand, fares
from p2p_stratego.stratego.bots.potential_fields import FADING
from p2p_stratego.stratego.bots.threats import Replies
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.rules.board import NAMES, Square, apart
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.state import State

_SAFER: Final = 0.5
"""So much less to lose, in the worth of pieces, is worth a word."""
_UNLIKELY: Final = 0.5
"""An attack that wins less often needs another reason."""


def why(view: View[State], move: Move) -> str:
    """A sentence about a step to an empty square, or an attack that probably fails; "" for other answers."""
    if view.state.phase != "play" or move not in STEPS:
        return ""
    source, target, _between = STEPS[move]
    picture = Picture(view, {})
    mine, seen, _gone = picture.stand
    face = mine[source]
    if target in picture.foes:
        odds = fares(face, picture.foes[target])
        unlikely = odds["won"] + odds["flag"] < _UNLIKELY
        return (
            _("It may fail, but what it can win or show you weighs more than your piece.") if unlikely else ""
        )
    left = {square: own for square, own in mine.items() if square != source}
    moved = Stand({**left, target: face}, {**seen, target: max(HAS_MOVED, seen[source])})
    replies = Replies(picture)
    if replies.cost(picture.stand) - replies.cost(moved) > _SAFER:
        return _("So your pieces have less to fear from the enemy's next move.")
    weigher = Weigher(picture)

    def drawn(foe: Square) -> float:
        """How strongly an enemy draws the piece closer by this move; 0 for one that it moves away from."""
        steps = apart(target, foe)
        return weigher.pull(face, foe) * FADING**steps * (steps < apart(source, foe))

    goal = max(picture.foes, key=drawn, default=None)
    if goal is None or drawn(goal) <= 0:
        return ""
    odds = fares(face, picture.foes[goal])
    return _(
        "Your {mine} goes for the piece on {square}, which it beats at {share}.",
        mine=piece(face),
        square=NAMES[goal],
        share=percent(min(odds["won"] + odds["flag"], 1.0)),
    )
