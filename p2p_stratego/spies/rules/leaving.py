"""A player has left for good: its cards lie open, and its powers do nothing any more."""

from __future__ import annotations

from p2p_stratego.core.game import Face, Open, Seat, Turn
from p2p_stratego.spies.rules.act import Act, put
from p2p_stratego.spies.rules.state import Police
from p2p_stratego.spies.rules.turns import finish


def left(act: Act, seat: Seat) -> Turn[None]:
    """`seat` is gone: everybody reads its spies, police and secrets, and its turn is over.

    Raises Stopped if that ends the game.
    """
    act.set(gone=tuple(sorted((*act.state.gone, seat))))
    powers = [power for power, runner in enumerate(act.state.runs) if runner == seat]
    for power in powers:
        act.tell("left", power)
    for spy, piece in enumerate(act.state.spies):
        if piece.power in powers and piece.face is None and piece.where not in ("reserve", "lost"):
            face: Face | None = yield Open(piece.slot)
            act.spy(spy, face=face)
    for secret, lying in enumerate(act.state.secrets):
        if lying.holder == seat and lying.face is None and lying.where != "removed":
            face = yield Open(lying.slot)
            act.secret(secret, face=face)
    for power in powers:
        units = []
        for unit in act.state.police[power]:
            face = yield Open(unit.slot)
            units.append(Police(unit.slot, unit.city, face))
        act.set(police=put(act.state.police, power, tuple(units)))
    if act.state.phase in ("tile", "turn") and act.state.power in powers:
        yield from finish(act)
