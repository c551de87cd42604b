"""Laying soldiers in order, alone or with a mate: a line is drawn whole, and the asked part of it is laid.

The first of two mates so leaves room for the second, who draws among the lines that go on from the two cards
it has looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from p2p_stratego.core.game import Commit, Face
from p2p_stratego.core.sampling import any_of, weighted
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies_and_lies.bots.beliefs import DEPLOYMENTS, Evidence, members, possible
from p2p_stratego.spies_and_lies.rules.checks import out_of_order
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, RANKS, Mission, Rank
from p2p_stratego.spies_and_lies.rules.observation import Known, asked_missions, laid_line
from p2p_stratego.spies_and_lies.rules.state import Deployment, State


def lay(
    view: View[State], commit: Commit, weights: Mapping[int, float] | None, chance: Chance
) -> tuple[Face, ...]:
    """The soldiers for `commit`, out of a line drawn by `weights`, by index into DEPLOYMENTS (None: evenly).

    If no line keeps the order any more, the line is one of those that break it least often.
    """
    asked, laid = asked_missions(commit), laid_line(view)
    exhausted = view.state.exhausted[view.state.seating.side(view.seat)]
    lines = tuple(members(possible(Evidence(exhausted, laid))))
    if not lines:
        line = any_of(_least_bad(laid, exhausted, asked), chance)
    elif weights is None:
        line = DEPLOYMENTS[any_of(lines, chance)]
    else:
        line = DEPLOYMENTS[weighted({index: weights[index] for index in lines}, chance)]
    return tuple(line[mission - 1] for mission in asked)


def _least_bad(laid: Known, exhausted: tuple[Rank, ...], asked: tuple[Mission, ...]) -> list[Deployment]:
    """The lines that go on from cards out of order, or too high, with as few more breaches as can be."""
    left = [rank for rank in RANKS if rank not in exhausted and rank not in laid]
    breaches: dict[Deployment, int] = {}
    for drawn in permutations(left, len(asked)):
        new = dict(zip(asked, drawn, strict=True))
        known = [new.get(mission, laid[mission - 1]) for mission in MISSIONS]
        first, second, third, fourth = (rank or left[0] for rank in known)
        breaches[first, second, third, fourth] = len(out_of_order(known))
    fewest = min(breaches.values())
    return [line for line, count in breaches.items() if count == fewest]
