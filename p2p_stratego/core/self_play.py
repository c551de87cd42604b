"""Bots against each other by the rules alone: no protocol, no network, hidden faces held aside by the arena.

For measuring bots and for testing rules with whole games.  It must never show a seat more than a `View`
allows; otherwise its figures would not hold for real matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeAlias

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Decision,
    Face,
    Game,
    Move,
    Open,
    Options,
    Outcome,
    Roll,
    S,
    Seat,
    Slot,
    Turn,
)
from p2p_stratego.core.view import Answered, Bot, Chance, View

Decided: TypeAlias = Move | tuple[Face, ...]


class IllegalDecision(Exception):
    """A bot gave an answer that the decision does not allow; the bot is at fault, never the rules."""

    def __init__(self, seat: Seat, decision: Decision, answer: object) -> None:
        super().__init__(f"the bot on seat {seat} was asked {decision!r} and answered {answer!r}")
        self.seat = seat
        self.decision = decision
        self.answer = answer


class FalseClaim(Exception):
    """A bot's move made a claim that its own hidden faces disprove; in a real match that loses."""

    def __init__(self, claim: Claim, faces: tuple[Face, ...]) -> None:
        super().__init__(f"the bot on seat {claim.seat} claimed {claim!r}, but the faces are {faces!r}")
        self.claim = claim
        self.faces = faces


@dataclass(frozen=True, slots=True)
class Played(Generic[S]):
    """A finished game: how it ended, its last state, and every hidden face, opened or not."""

    outcome: Outcome
    state: S
    faces: dict[Slot, Face]


def allowed(decision: Decision, answer: object) -> bool:
    """Whether `decision` allows `answer`."""
    if isinstance(decision, Choose):
        return answer in decision.options
    if not isinstance(answer, tuple) or len(answer) != len(decision.slots):
        return False
    if decision.exactly:
        return sorted(answer) == sorted(decision.faces)
    return all(face in decision.faces for face in answer)


def play(game: Game[S], bots: Sequence[Bot[S]], options: Options, chance: Chance) -> Played[S]:
    """Play one game to its end.

    `bots` has one entry a seat; `chance` answers the game's Rolls only, so it can be shared with no bot.
    Raises IllegalDecision or FalseClaim for a bot that breaks a rule, and OptionError for unknown options.
    """
    table = _Table(bots, chance)
    state = table.through(game.setup(len(bots), game.options(options)), None)
    while (outcome := game.outcome(state)) is None:
        state = table.through(game.turn(state), state)
    return Played(outcome, state, table.faces)


class _Table:
    """Knows every hidden face and whose it is; answers each Ask as the table would."""

    def __init__(self, bots: Sequence[Bot[Any]], chance: Chance) -> None:
        self.bots = bots
        self.chance = chance
        self.faces: dict[Slot, Face] = {}
        self.known: list[dict[Slot, Face]] = [{} for _ in bots]
        self.shown = [MappingProxyType(known) for known in self.known]

    def through(self, turn: Turn[S], state: S | None) -> S:
        """Run one turn from the frozen `state` (None: the set-up) to the next."""
        since: list[Answered] = []

        def reply(ask: Ask) -> Any:
            answer = self.answer(ask, state, tuple(since))
            since.append((ask, answer))
            return answer

        return drive(turn, reply)

    def answer(self, ask: Ask, state: object, since: tuple[Answered, ...]) -> Any:
        if isinstance(ask, Choose | Commit):
            return self.settle(ask, self.decide(ask, state, since))
        if isinstance(ask, Open):
            face = self.faces[ask.slot]
            for known in self.known:
                known[ask.slot] = face
            return face
        if isinstance(ask, Roll):
            return int(self.chance.random() * ask.sides)
        if isinstance(ask, Claim):
            return self.check(ask)
        # All decide before any decision is settled: no seat sees another's decision first.
        decided = [self.decide(each, state, since) for each in ask.asks]
        return tuple(map(self.settle, ask.asks, decided))

    def check(self, claim: Claim) -> None:
        faces = tuple(self.faces[slot] for slot in claim.slots)
        if not claim.faces.issuperset(faces):
            raise FalseClaim(claim, faces)

    def decide(self, decision: Decision, state: object, since: tuple[Answered, ...]) -> Decided:
        seat = decision.seat
        answer = self.bots[seat].decide(View(seat, state, self.shown[seat], decision, since))
        if not allowed(decision, answer):
            raise IllegalDecision(seat, decision, answer)
        return answer

    def settle(self, decision: Decision, answer: Decided) -> Move | None:
        """The public answer to a decision: a move; None for faces that stay hidden."""
        if isinstance(decision, Choose):
            return str(answer)
        faces = dict(zip(decision.slots, map(int, answer), strict=True))
        self.faces.update(faces)
        self.known[decision.seat].update(faces)
        return None
