"""Captured flags: who gets them, and how a player's own comes back to the board."""

from __future__ import annotations

from p2p_stratego.conquest.rules.act import Act, free_zones
from p2p_stratego.conquest.rules.notation import flag, zones_in
from p2p_stratego.conquest.rules.pieces import FLAG
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, Event, Piece, State
from p2p_stratego.core.game import Choose, Move, Seat, Slot, Turn


def keeper(state: State, taker: Seat, victim: Seat) -> Seat:
    """The seat that gets the flag of `victim`, with all flags that `victim` holds, if `taker` captures it."""
    home = state.flags[taker]
    return taker if home in (ON_BOARD, victim) else home


def winner_by(state: State, taker: Seat, victim: Seat) -> Seat | None:
    """Who wins at once if `taker` captures the flag of `victim` now; None: the game goes on."""
    left = {seat for seat, where in enumerate(state.flags) if where == ON_BOARD and seat != victim}
    if state.flags[taker] == victim:
        left.add(taker)
    return left.pop() if len(left) == 1 else None


def captured(act: Act, taker: Seat, victim: Seat, slot: Slot) -> Turn[None]:
    """`taker` captures the flag of `victim`, which is off the board by now.

    A player without a flag of its own can keep none: the captor of its flag gets this one too; if that captor
    is the victim, the player's own flag comes back instead.  Raises Stopped if only one flag is left.
    """
    state = act.state
    holder, back = keeper(state, taker, victim), state.flags[taker] == victim
    act.state = state._replace(
        flags=tuple(
            ON_BOARD
            if back and seat == taker  # counted as on the board, where it is about to be
            else holder
            if victim in (seat, where)
            else where
            for seat, where in enumerate(state.flags)
        ),
        flag_slots=tuple(slot if seat == victim else known for seat, known in enumerate(state.flag_slots)),
    )
    ended = act.won_by_flag()
    if ended is not None:
        raise ended
    if back:
        act.state = act.state._replace(flags=_with(act.state.flags, taker, victim))
        yield from put_back(act, taker)


def put_back(act: Act, owner: Seat) -> Turn[None]:
    """The own flag comes back, open, to a free zone of the owner's choice; lost if the owner has left."""
    answer: Move | None = yield Choose(owner, tuple(map(flag, free_zones(act.state))))
    state = act.state
    slot = state.flag_slots[owner]
    where = LOST if answer is None else ON_BOARD
    act.state = state._replace(
        flags=_with(state.flags, owner, where),
        flag_slots=tuple(None if seat == owner else known for seat, known in enumerate(state.flag_slots)),
    )
    if answer is not None and slot is not None:
        (zone,) = zones_in(answer)
        act.put(zone, Piece(slot, owner, FLAG, could=1 << FLAG))
        act.tell(Event("flag-back", owner, (zone,)))


def _with(flags: tuple[Seat, ...], owner: Seat, where: Seat) -> tuple[Seat, ...]:
    return (*flags[:owner], where, *flags[owner + 1 :])
