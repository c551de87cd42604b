"""How strong the bots of a game are: ratings by Glicko-2 from games between them (`make ladder`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from p2p_stratego.core.figures import figures


class Rating(NamedTuple):
    """A rating, its deviation (with 95 % the strength lies within two of them), and the volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


@cache
def shipped(game: str) -> Mapping[str, Rating]:
    """By level, the ratings of the bots of a game at a table of two; {} for a game that has none."""
    known = figures("p2p_stratego.core", "ratings.json").get(game, {})
    return MappingProxyType({level: Rating(*values) for level, values in known.items()})
