"""Random draws from a given source of chance, for the bots of all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from p2p_stratego.core.view import Chance


def percent(share: float) -> str:
    """A share as people read it: 0 % is impossible, 100 % is certain, all others are 1 to 99 %."""
    if share in (0.0, 1.0):
        return f"{share:.0%}".replace("%", " %")
    return f"{min(max(round(share * 100), 1), 99)} %"


T = TypeVar("T")


def any_of(things: Sequence[T], chance: Chance) -> T:
    """One of `things`, at least one, each as likely as the others."""
    return things[int(chance.random() * len(things))]


def weighted(weights: Mapping[T, float], chance: Chance) -> T:
    """One of the keys, each as likely as its weight says; weights ≥ 0, at least one above 0."""
    likely = [(thing, weight) for thing, weight in weights.items() if weight > 0]
    point = chance.random() * sum(weight for _, weight in likely)
    for thing, weight in likely:
        point -= weight
        if point < 0:
            return thing
    return likely[-1][0]  # rounding: the sum of the parts can fall short of the whole


def shuffled(things: Sequence[T], chance: Chance) -> list[T]:
    """All of `things`, every order as likely as the others (Fisher and Yates)."""
    order = list(things)
    for place in range(len(order) - 1, 0, -1):
        other = int(chance.random() * (place + 1))
        order[place], order[other] = order[other], order[place]
    return order
