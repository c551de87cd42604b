"""The markers on the board during one mission turn: points, agent, tokens, and lasting effects.

A Ledger is the only mutable thing in the rules; it is made from a frozen State, lives for one turn, and each
change notes an Effect.  It asks nothing and knows no hidden card.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from p2p_stratego.spies_and_lies.rules.soldiers import (
    DAYS,
    FORWARD,
    INFILTRATION,
    RAID,
    TOKENS_HELD_AT_MOST,
    Side,
    Soldier,
)
from p2p_stratego.spies_and_lies.rules.state import Effect, EffectKind, State, with_side

_effect: Final = cache(Effect)
"""There are a few hundred effects, so each is made once."""


class Ledger:
    """The board during one turn of `state`; pairs are indexed by side."""

    __slots__ = (
        "active", "agent", "blast", "caught", "day", "double", "effects", "flag", "moved", "points", "spare",
        "start", "tokens", "wall",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        self.day, self.wall = state.day, state.wall
        self.start = self.agent = state.agent
        self.points, self.tokens, self.spare = state.points, state.tokens, state.spare
        self.active, self.blast, self.caught = state.active, state.blast, state.caught
        self.double, self.moved = state.double, state.moved
        self.flag: Side | None = None
        self.effects: list[Effect] = []

    def note(self, kind: EffectKind, side: Side, amount: int = 0) -> None:
        self.effects.append(_effect(kind, side, amount))

    def lay_token(self, side: Side) -> None:
        """`side` has laid a deception token on its card, and gives it away."""
        self.tokens = with_side(self.tokens, side, self.tokens[side] - 1)

    def gain(self, side: Side, points: int, *, keeps_excess: bool = False) -> None:
        """`side` scores; at 10 the marker wraps and the agent moves as many steps as the day's number."""
        self.note("points", side, points)
        total = self.points[side] + points
        if total < INFILTRATION:
            self.points = with_side(self.points, side, total)
            return
        kept = total - INFILTRATION if keeps_excess else 0
        self.points = with_side(self.points, side, kept)
        self.note("infiltrated", side, kept)
        self.push(side, self.day)

    def push(self, side: Side, steps: int) -> None:
        """`side` moves the agent; the enemy wall stops it for this turn, a later turn takes the flag.

        "Later" depends on the agent's place when the turn began: if it came onto the wall since, even by an
        undo of the wall's owner, the step behind the wall waits for another turn.
        """
        done = self.agent * FORWARD[side]
        if done > self.wall:
            return  # the flag is taken: nothing is left to move for
        if done == self.wall:
            if self.start != self.agent:
                self.note("wall", side, steps)
                return
            self._move(side, 1)
            self.flag = side
            self.note("flag", side)
            return
        made = min(steps, self.wall - done)
        self._move(side, made)
        self.note("agent", side, made)
        if done + made == self.wall:
            self.note("wall", side, steps - made)

    def _move(self, side: Side, steps: int) -> None:
        self.agent += FORWARD[side] * steps
        self.moved = with_side(self.moved, side, self.moved[side] + steps)

    def punish(self, side: Side) -> None:
        """`side` is caught out of order: its moves of today are undone, its marker falls to 0."""
        self.caught = with_side(self.caught, side, value=True)
        forward = FORWARD[side]
        back = min(self.moved[side], self.agent * forward + self.wall)
        self.moved = with_side(self.moved, side, 0)
        if back:
            self.agent -= forward * back
            self.note("undone", side, back)
        if self.points[side]:
            self.note("zeroed", side, self.points[side])
            self.points = with_side(self.points, side, 0)

    def use_blast(self, guesser: Side, *, identified: bool) -> None:
        """The guesser's waiting blast goes off; on an identified card it does double damage."""
        self.blast = with_side(self.blast, guesser, value=False)
        self.note("blasted", guesser)
        if identified and self.day < DAYS:
            self.double = with_side(self.double, 1 - guesser, value=True)
            self.note("double", 1 - guesser, 2)

    def use(self, side: Side, soldier: Soldier) -> None:
        """The effects of `soldier` for `side` that need no choice."""
        if soldier.points:
            self.gain(side, soldier.points, keeps_excess=soldier.keeps_excess)
        if soldier.steps:
            self.push(side, soldier.steps)
        if soldier.wins_token and self.spare and self.tokens[side] < TOKENS_HELD_AT_MOST:
            self.spare -= 1
            self.tokens = with_side(self.tokens, side, self.tokens[side] + 1)
            self.note("token", side, 1)
        if soldier.lasts:
            self.active = with_side(self.active, side, self.active[side] | {soldier.rank})
            self.note("in force", side, soldier.rank)
        if soldier.blast:
            self.blast = with_side(self.blast, side, value=True)
            self.note("blast", side)

    def raid(self, side: Side) -> None:
        """The Marshal's second choice: `side` scores 5, the enemy loses 5, not below 0."""
        self.gain(side, RAID)
        enemy = 1 - side
        lost = min(RAID, self.points[enemy])
        if lost:
            self.points = with_side(self.points, enemy, self.points[enemy] - lost)
            self.note("lost", enemy, lost)
