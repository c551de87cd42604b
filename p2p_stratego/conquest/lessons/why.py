"""Why a move is good, in a sentence: by the agent's eyes, from one seat's view and nothing else."""

from __future__ import annotations

from typing import Final

from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.rules.notation import zones
from p2p_stratego.conquest.rules.pieces import FIGHTS
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Move
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View

_LEAST: Final = 0.05
"""A gain that is less is no reason."""
_REASONS: Final = {
    "land": mark("It gains land."),
    "flag": mark("It comes nearer to where a flag can stand."),
    "safe": mark("It goes where it has less to fear."),
    "home": mark("It guards your flag."),
}


def why(view: View[State], move: Move) -> str:
    """A sentence about a step or an attack; "" for other answers."""
    step = zones(move)
    if step is None:
        return ""
    source, target = step
    weigher = Weigher(Beliefs(now(view), view.seat, view.known))
    piece = weigher.state.board[source]
    face = None if piece is None else weigher.beliefs.face(piece)
    if piece is None or face is None:
        return ""
    if (foe := weigher.state.board[target]) is not None:
        chances = weigher.beliefs.chances(foe).items()
        share = sum(chance for its, chance in chances if FIGHTS[face][its] in ("won", "flag"))
        return _("By what you know it comes right with {share}.", share=percent(min(share, 1.0)))
    shown = piece.face is not None
    gains = {
        "land": weigher.land({source: None, target: view.seat}),
        "flag": weigher.pull(target, face) - weigher.pull(source, face),
        "safe": weigher.risk(source, face, shown=shown) - weigher.risk(target, face, shown=shown),
        "home": weigher.guard(target) - weigher.guard(source),
    }
    best = max(gains, key=lambda reason: gains[reason])
    return _(_REASONS[best]) if gains[best] > _LEAST else ""
