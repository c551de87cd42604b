"""The consequences of the Captain's and the Marshal's choices, found by running the rules.

Everything used here is public or the player's own: the guess was said, the card is open, and if the flag is
taken only the player's own cards are turned up.
"""

from __future__ import annotations

import math
from typing import Final

from p2p_stratego.core.game import Ask, Choose, Move, Open
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import DEPLOYMENTS, Evidence, members, possible
from p2p_stratego.spies_and_lies.bots.evaluation import lead
from p2p_stratego.spies_and_lies.bots.lookahead import rehearse
from p2p_stratego.spies_and_lies.rules.components import RANKS, Mission, Rank, Side
from p2p_stratego.spies_and_lies.rules.mission import mission
from p2p_stratego.spies_and_lies.rules.observation import own_line
from p2p_stratego.spies_and_lies.rules.seating import winner
from p2p_stratego.spies_and_lies.rules.state import Effect, State, place

_TERSE: Final = {
    "agent": mark("agent +{n}"),
    "wall": mark("stops at the wall"),
    "flag": mark("takes the flag"),
    "token": mark("a token"),
    "in force": mark("in force today"),
    "blast": mark("blasts your next guess"),
    "in vain": mark("in vain"),
    "undone": mark("agent −{n}"),
}
"""Effects with words of their own; points have common ones."""


def consequence(view: View[State], option: Move, enemy: str) -> str:
    """The consequences of `option` for the side of `view`, in a few words; `enemy`: the other one's name."""
    after, side = _played(view, option), view.state.seating.side(view.seat)
    if after is None:
        return _("then ten or five")
    effects = [] if after.report is None else [effect for effect in after.report.effects if _follows(effect)]
    parts = list(_points(effects, side, enemy))
    parts += [
        _(_TERSE[effect.kind], n=effect.amount)
        for effect in effects
        if effect.kind in _TERSE and effect.side == side
    ]
    if after.ended is not None and "takes the flag" in parts:
        won = _("you win") if None not in _own_cards(view) else _("you win if your mate's cards are in order")
        parts.append(
            won if winner(after.ended) == side else _("but your line is flawed: {enemy} wins", enemy=enemy)
        )
    return ", ".join(parts) or _("nothing")


def best_first(view: View[State], options: list[Move]) -> list[Move]:
    """The options, the most promising one first; equals as they were."""
    return sorted(options, key=lambda option: -_value(view, option))


def _value(view: View[State], option: Move) -> float:
    """How good an option is for the side of `view`, as the bots see it; the worst if it loses the game."""
    after, side = _played(view, option), view.state.seating.side(view.seat)
    if after is not None and after.ended is not None and winner(after.ended) == 1 - side:
        return -math.inf
    return rehearse(view.state, [*(answer for _, answer in view.since), option], side, lead)


def _played(view: View[State], option: Move) -> State | None:
    """The state after the mission turn that goes on with `option`; None if another choice comes first.

    A mate's closed cards are supposed to be in order.
    """
    turn = mission(view.state)
    answers = [answer for _, answer in view.since] + [option]
    try:
        ask: Ask = next(turn)
        for answer in answers:
            ask = turn.send(answer)
        while isinstance(ask, Open):  # the flag is taken, and its taker turns its own line up
            ask = turn.send(_rank(view, place(ask.slot)[2]))
    except StopIteration as end:
        after: State = end.value
        return after
    assert isinstance(ask, Choose)  # noqa: S101 - a copied Marshal's
    return None


def _own_cards(view: View[State]) -> list[Rank | None]:
    """The side's cards of today as far as the player may know them: open, or its own."""
    state = view.state
    opened = state.cards[state.seating.side(view.seat)]
    return [shown.rank if shown else own for shown, own in zip(opened, own_line(view), strict=True)]


def _rank(view: View[State], mission: Mission) -> Rank:
    """The side's card there; where only the mate knows it, a card that keeps the rules, if there is one."""
    state = view.state
    side, cards = state.seating.side(view.seat), _own_cards(view)
    own = cards[mission - 1]
    if own is not None:
        return own
    seen = Evidence(
        state.exhausted[side], tuple(cards), state.intel[-1], state.marks[side], state.closed[side]
    )
    lines = possible(seen)
    if lines:
        return DEPLOYMENTS[next(members(lines))][mission - 1]
    free = [rank for rank in RANKS if rank not in cards and rank not in state.exhausted[side]]
    return free[mission - 1]


def _follows(effect: Effect) -> bool:
    """Whether an effect follows from the choice: a waiting blast went off before it."""
    return effect.kind not in ("blasted", "double")


def _points(effects: list[Effect], side: Side, enemy: str) -> list[str]:
    """The moves of both markers."""
    own = sum(effect.amount for effect in effects if effect.kind == "points" and effect.side == side)
    lost = sum(effect.amount for effect in effects if effect.kind == "lost" and effect.side != side)
    reached = any(effect.kind == "infiltrated" and effect.side == side for effect in effects)
    parts = [_("reaches 10")] if reached else [f"+{own}"] if own else []
    return parts + ([f"{enemy} −{lost}"] if lost else [])
