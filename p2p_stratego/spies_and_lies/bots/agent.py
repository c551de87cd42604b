"""The agent: keeps exact beliefs, weighs every choice by the rules, and mixes its choices by its temper.

It sees only its seat's view, keeps the order, and never sets a mark that the rules punish: it lies only with
the Sergeant.  Each decision depends on the view and the chance alone, so a match can be resumed at any point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import exp

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import weighted
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies_and_lies.bots import characters
from p2p_stratego.spies_and_lies.bots.beliefs import DEPLOYMENTS, FREE, Evidence, chances, possible
from p2p_stratego.spies_and_lies.bots.characters import EVEN, Temper
from p2p_stratego.spies_and_lies.bots.deployment import (
    Stakes,
    fares,
    guess_weights,
    likely_ranks,
    line_stakes,
    line_weights,
)
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.laying import lay
from p2p_stratego.spies_and_lies.bots.lookahead import rehearse, stakes
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, RANKS, IntelRange, Mission, Rank, Side
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, MARKS, guess
from p2p_stratego.spies_and_lies.rules.observation import Known, honest_marks, own_line, todays_intel
from p2p_stratego.spies_and_lies.rules.state import State, slot


class Agent:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance, temper: Temper = EVEN) -> None:
        self._chance = chance
        self._temper = temper

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """A line, marks, a token or none, a guess, or the use of a Captain or a Marshal."""
        decision, state = view.asked, view.state
        side = state.seating.side(view.seat)
        if isinstance(decision, Commit):
            return lay(view, decision, self._lines(state, side), self._chance)
        if state.phase == "intel":
            return self._mark(view)
        if LAY in decision.options:
            return _token(view, self._temper.token_love)
        answers = tuple(answer for _, answer in view.since)
        if side == state.guesser:
            return guess(weighted(self._named(state, answers), self._chance))
        return max(decision.options, key=lambda option: rehearse(state, (*answers, option), side, win_chance))

    def _lines(self, state: State, side: Side) -> Mapping[int, float]:
        """How often it lays each honest line, by index into DEPLOYMENTS."""
        temper = self._temper
        weights = line_weights(state, side, temper.boldness)
        if not temper.height:
            return weights
        return {
            line: weight * exp(temper.height * sum(DEPLOYMENTS[line])) for line, weight in weights.items()
        }

    def _named(self, state: State, answers: tuple[Move, ...]) -> Mapping[Rank, float]:
        """How often it names each rank."""
        temper = self._temper
        if temper.forgetting and self._chance.random() < temper.forgetting:
            shown = Evidence.of(state, 1 - state.guesser).shown
            likely: Mapping[Rank, float] = dict.fromkeys([rank for rank in RANKS if rank not in shown], 1.0)
        else:
            likely = believed(state)
        if temper.gullible and likely.keys() - FREE:
            likely = {rank: share for rank, share in likely.items() if rank not in FREE}
        stake = stakes(state, answers, likely, win_chance)
        return guess_weights(likely, stake, temper.sharpness, temper.greed)

    def _mark(self, view: View[State]) -> Move:
        """Honest marks; where the Sergeant leaves a choice, more often marks that mislead a good guesser."""
        options = honest_marks(view)
        if len(options) == 1:
            return options[0]
        side, line = view.state.seating.side(view.seat), own_line(view)
        stake, exhausted = line_stakes(view.state, side), view.state.exhausted[side]
        marks = [MARKS[option] for option in options]
        weights = mark_weights(
            stake, line, exhausted, todays_intel(view), marks, slyness=self._temper.slyness
        )
        return weighted(dict(zip(options, weights, strict=True)), self._chance)


def mark_weights(  # noqa: PLR0913 - all that marks depend on
    stake: Stakes,
    line: Known,
    exhausted: tuple[Rank, ...],
    intel: IntelRange | None,
    options: Sequence[frozenset[Mission]],
    *,
    slyness: float = EVEN.slyness,
) -> list[float]:
    """How much more often an owner of `line` (None: a mate's soldiers) sets each of these marks; above 0."""
    others = frozenset(m for m, rank in zip(MISSIONS, line, strict=True) if rank is None)
    return [
        exp(
            fares(stake, line, possible(Evidence(exhausted, intel=intel, marks=marks, unjudged=others)))
            / slyness
        )
        for marks in options
    ]


def named_by_a_good_guesser(state: State, answers: tuple[Move, ...]) -> Mapping[Rank, float]:
    """How often the guesser of the coming turn names each rank, from public information."""
    likely = believed(state)
    return guess_weights(likely, stakes(state, answers, likely, win_chance))


def believed(state: State) -> Mapping[Rank, float]:
    """How likely each rank is under the card of the coming turn, from public information; sum 1."""
    likely = likely_ranks(state, 1 - state.guesser)
    return chances(Evidence.of(state, 1 - state.guesser))[state.mission - 1] if likely is None else likely


def _token(view: View[State], love: float) -> Move:
    state = view.state
    rank = view.known[slot(state.day, 1 - state.guesser, state.mission)]
    return LAY if token_pays(state, rank, love) else KEEP


def token_pays(state: State, rank: Rank, love: float = 0.0) -> bool:
    """Whether a token on the coming card, if it has this rank, wins more than it is worth later.

    `love`: by how much of the chance to win a token may be laid too early; below 0, too late.
    """
    named = named_by_a_good_guesser(state, (KEEP,)).get(rank, 0.0)

    def worth(move: Move) -> float:
        stake = stakes(state, (move,), (rank,), win_chance)[rank]
        return -(named * stake.hit + (1 - named) * stake.miss)

    return worth(LAY) + love > worth(KEEP)


CADET, GAMBLER, DIPLOMAT, QUARTERMASTER, ADVISER = (
    partial(Agent, temper=temper)
    for temper in (
        characters.CADET,
        characters.GAMBLER,
        characters.DIPLOMAT,
        characters.QUARTERMASTER,
        characters.ADVISER,
    )
)
"""The agent in each temper of `characters`."""
