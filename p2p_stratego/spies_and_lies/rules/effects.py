"""The markers on the board during one mission turn: points, agent, tokens, and lasting effects.

A Ledger is the only mutable thing in the rules; it is made from a frozen State, lives for one turn, and each
change notes an Effect.  It asks nothing and knows no hidden card.
"""

from __future__ import annotations

from p2p_stratego.core.game import Seat
from p2p_stratego.spies_and_lies.rules.soldiers import (
    DAYS,
    FORWARD,
    INFILTRATION,
    RAID,
    TOKENS_HELD_AT_MOST,
    Soldier,
)
from p2p_stratego.spies_and_lies.rules.state import Effect, EffectKind, State


class Ledger:
    """The board during one turn of `state`; pairs are lists indexed by seat."""

    __slots__ = (
        "active", "agent", "blast", "caught", "day", "double", "effects", "flag", "moved", "points", "spare",
        "start", "tokens", "wall",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        self.day, self.wall = state.day, state.wall
        self.start = self.agent = state.agent
        self.points = [*state.points]
        self.tokens = [*state.tokens]
        self.spare = state.spare
        self.active = [*state.active]
        self.blast = [*state.blast]
        self.caught = [*state.caught]
        self.double = [*state.double]
        self.moved = [*state.moved]
        self.flag: Seat | None = None
        self.effects: list[Effect] = []

    def note(self, kind: EffectKind, seat: Seat, amount: int = 0) -> None:
        self.effects.append(Effect(kind, seat, amount))

    def gain(self, seat: Seat, points: int, *, keeps_excess: bool = False) -> None:
        """`seat` scores; at 10 the marker wraps and the agent moves as many steps as the day's number."""
        self.note("points", seat, points)
        total = self.points[seat] + points
        if total < INFILTRATION:
            self.points[seat] = total
            return
        kept = total - INFILTRATION if keeps_excess else 0
        self.points[seat] = kept
        self.note("infiltrated", seat, kept)
        self.push(seat, self.day)

    def push(self, seat: Seat, steps: int) -> None:
        """`seat` moves the agent; the enemy wall stops it for this turn, a later turn takes the flag.

        "Later" depends on the agent's place when the turn began: if it came onto the wall since, even by an
        undo of the wall's owner, the step behind the wall waits for another turn.
        """
        forward = FORWARD[seat]
        done = self.agent * forward
        if done > self.wall:
            return  # the flag is taken: nothing is left to move for
        if done == self.wall:
            if self.start != self.agent:
                self.note("wall", seat, steps)
                return
            self.agent += forward
            self.moved[seat] += 1
            self.flag = seat
            self.note("flag", seat)
            return
        made = min(steps, self.wall - done)
        self.agent += forward * made
        self.moved[seat] += made
        self.note("agent", seat, made)
        if done + made == self.wall:
            self.note("wall", seat, steps - made)

    def punish(self, seat: Seat) -> None:
        """`seat` is caught out of order: its moves of today are undone, its marker falls to 0."""
        self.caught[seat] = True
        forward = FORWARD[seat]
        back = min(self.moved[seat], self.agent * forward + self.wall)
        self.moved[seat] = 0
        if back:
            self.agent -= forward * back
            self.note("undone", seat, back)
        if self.points[seat]:
            self.note("zeroed", seat, self.points[seat])
            self.points[seat] = 0

    def use_blast(self, guesser: Seat, *, identified: bool) -> None:
        """The guesser's blast, if one waits, goes off; on an identified card it does double damage."""
        if not self.blast[guesser]:
            return
        self.blast[guesser] = False
        self.note("blasted", guesser)
        if identified and self.day < DAYS:
            self.double[1 - guesser] = True
            self.note("double", 1 - guesser, 2)

    def use(self, seat: Seat, soldier: Soldier) -> None:
        """The effects of `soldier` for `seat` that need no choice."""
        if soldier.points:
            self.gain(seat, soldier.points, keeps_excess=soldier.keeps_excess)
        if soldier.steps:
            self.push(seat, soldier.steps)
        if soldier.wins_token and self.spare and self.tokens[seat] < TOKENS_HELD_AT_MOST:
            self.spare -= 1
            self.tokens[seat] += 1
            self.note("token", seat, 1)
        if soldier.lasts:
            self.active[seat] |= {soldier.rank}
            self.note("in force", seat, soldier.rank)
        if soldier.blast:
            self.blast[seat] = True
            self.note("blast", seat)

    def raid(self, seat: Seat) -> None:
        """The Marshal's second choice: `seat` scores 5, the enemy loses 5, not below 0."""
        self.gain(seat, RAID)
        enemy = 1 - seat
        lost = min(RAID, self.points[enemy])
        if lost:
            self.points[enemy] -= lost
            self.note("lost", enemy, lost)
