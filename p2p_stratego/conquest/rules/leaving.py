"""A player has left the match: its pieces and its flag go, flags that it had captured come back."""

from __future__ import annotations

from p2p_stratego.conquest.rules.act import Act
from p2p_stratego.conquest.rules.draft import pass_pick
from p2p_stratego.conquest.rules.flags import put_back
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, Event, owners
from p2p_stratego.conquest.rules.turns import end, fixed, not_begun
from p2p_stratego.core.game import Seat, Turn


def left(act: Act, seat: Seat) -> Turn[None]:
    """`seat` is gone for good.  Raises Stopped if that ends the game."""
    act.tell(Event("left", seat))
    state = act.state
    act.state = state._replace(status=(*state.status[:seat], "gone", *state.status[seat + 1 :]))
    if state.phase in ("draft", "army", "zones"):
        act.state = act.state._replace(flags=_lost(act.state.flags, seat))
        if state.phase == "draft":
            pass_pick(act)
        return
    _take_away(act, seat)
    for owner in act.state.captives(seat):
        if act.state.status[owner] == "in":
            yield from put_back(act, owner)
        else:
            act.state = act.state._replace(flags=_lost(act.state.flags, owner))
    act.state = act.state._replace(territories=owners(act.state.board))
    ended = act.won_by_flag()
    if ended is not None:
        raise ended
    if state.seat == seat:
        if not_begun(state):  # the next player's turn gets this one's number
            act.state = act.state._replace(turn=state.turn - 1)
        end(act)
    elif not_begun(state):
        act.state = fixed(act.state, state.seat)


def _take_away(act: Act, seat: Seat) -> None:
    """All pieces of `seat` leave board, bag and hand; its flag is lost unless it is captured."""
    state = act.state
    act.state = state._replace(
        board=tuple(None if piece is not None and piece.seat == seat else piece for piece in state.board),
        bags=(*state.bags[:seat], (), *state.bags[seat + 1 :]),
        hand=None if state.hand is not None and state.hand.seat == seat else state.hand,
        flags=_lost(state.flags, seat) if state.flags[seat] == ON_BOARD else state.flags,
    )


def _lost(flags: tuple[Seat, ...], owner: Seat) -> tuple[Seat, ...]:
    return (*flags[:owner], LOST, *flags[owner + 1 :])
