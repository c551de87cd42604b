"""Ready answers of SPIES! as lines: Enter alone proposes one for each question that comes before a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from cli.games.interface import Decided
from cli.games.spies import laying
from cli.games.spies.answers import kind
from cli.games.spies.cities import as_spoken
from cli.games.spies.names import word_for
from p2p_stratego.core.game import Face
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.lessons.layings import proposed
from p2p_stratego.spies.rules.atlas import NAMES
from p2p_stratego.spies.rules.counters import spy_names
from p2p_stratego.spies.rules.police import cities_of
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now

KINDS: Final = frozenset(("secret", "bid", "police", "lay", "stand", "talk", "spies", "place", "tile"))
"""The kinds of question that have one."""


def line(view: View[State], chance: Chance) -> str:
    """The line to type for a ready answer to the open question; "" if it has none."""
    asked = kind(view)
    if asked not in KINDS:
        return ""
    answers = proposed(view, chance)
    first = answers[0]
    if asked == "lay":
        posts = Counter(cities_of(now(view).power, str(first)))
        return as_spoken(" ".join(f"{NAMES[city]} {units}" for city, units in posts.items()))
    if isinstance(first, str):
        # Cities follow each other without the word that the question names.
        return as_spoken(" ".join(word_for(now(view), view.known, move) for move in map(str, answers)))
    return as_spoken(_police(view, first, answers[1:]) if asked == "police" else _names(view, first))


def _names(view: View[State], faces: Sequence[Face]) -> str:
    """The names of spies, in the order of their numbers."""
    names = spy_names(now(view).power)
    return " ".join(names[face] for face in faces)


def _police(view: View[State], faces: Sequence[Face], then: Sequence[Decided]) -> str:
    """Cities with the strengths there, and the secrets that police stand on."""
    state = now(view)
    plan: laying.Plan = {}
    for city, strength in zip(cities_of(state.power, str(then[0])), faces, strict=True):
        plan.setdefault(city, []).append(strength)
    standing = [int(word) for word in str(then[1]).split(" ")[1:]] if len(then) > 1 else []
    return laying.line(state, plan, standing)
