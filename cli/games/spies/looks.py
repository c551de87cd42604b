"""What was shown to the player alone, in words."""

from __future__ import annotations

from cli.games.interface import ViewContext
from cli.games.spies.knowledge import secret_told
from cli.games.spies.snapshot import snapshot
from p2p_stratego.core.game import Slot
from p2p_stratego.spies.formats import words


def looked(context: ViewContext, slot: Slot) -> list[str]:
    """The card under a slot as one sentence; a spy, a secret, or police."""
    face = context.view.known.get(slot)
    if face is None:
        return []
    moment = snapshot(context)
    for spy, piece in enumerate(moment.state.spies):
        if slot in (piece.slot, *(copy for _, copy in piece.seen)):
            return [f"{words.spy(spy, face)}."]
    for secret, lying in enumerate(moment.state.secrets):
        if slot in (lying.slot, *(copy for _, copy in lying.seen)):
            return [f"{secret_told(moment, secret)}."]
    return []
