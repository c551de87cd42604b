"""Where secrets are hidden: what a place tells of them, and that the agent hides its own like that."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import make_bot
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.beliefs import COPIES
from p2p_stratego.spies.bots.hides import odds, rank, shelter
from p2p_stratego.spies.rules.counters import ALL_SECRETS, DISCOVERY, PAPERS
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import NOTHING, SPY_STAGE, State
from tests.helpers.spies.openings import Reached, changed, holding, opening, standing


@given(st.integers(2, 8))
def test_all_places_together_hold_what_the_list_has(number: int) -> None:
    by_place = odds(number)
    assert all(sum(there.values()) == pytest.approx(1) for there in by_place)
    for face in COPIES:
        expected = number * COPIES[face] / len(ALL_SECRETS)
        assert sum(there[face] for there in by_place) == pytest.approx(expected)


@given(st.integers(2, 8))
def test_a_better_sheltered_place_holds_more(number: int) -> None:
    means = [sum(rank(face) * chance for face, chance in there.items()) for there in odds(number)]
    assert means == sorted(means)


class Hides(Agent):
    """An agent that lays its secrets, and then plays no further."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if view.state.phase != "secrets":
            raise Reached(view)
        return super().decide(view)


def test_the_agent_hides_its_secrets_as_the_odds_have_it() -> None:
    """On average a face is likelier at its place than in the whole list, by half and more."""
    gains = []
    for seed in range(8):
        with pytest.raises(Reached) as reached:
            play(GAME, [Hides(Random(f"{seed}/{seat}")) for seat in range(5)], {}, Random(seed))
        view = reached.value.view
        power = view.state.runs.index(view.seat)
        own = [lying for lying in view.state.secrets if lying.owner == power]
        own.sort(key=lambda lying: (shelter(lying.origin, power), lying.origin))
        for lying, there in zip(own, odds(len(own)), strict=True):
            face = view.known[lying.slot]
            gains.append(log(there[face] * len(ALL_SECRETS) / COPIES[face]))
    assert sum(gains) / len(gains) > log(1.5)


@pytest.mark.parametrize(
    ("city", "discoverer"),
    [
        ("stalingrad", "spymaster"),
        ("marseilles", "spymaster"),
        ("liverpool", "spymaster"),
        ("london", "agent"),
    ],
)
def test_the_spymaster_takes_what_is_sheltered_and_leaves_what_is_not(city: str, discoverer: str) -> None:
    home = dict.fromkeys(("ge2", "ge3", "ge4", "ge5"), "berlin")
    view = holding(standing(opening(), ge1=city, **home), 0, DISCOVERY, PAPERS)
    secrets = tuple(
        lying._replace(by=None, on=NOTHING) if lying.owner else lying for lying in view.state.secrets
    )
    view = changed(view, year=1937, stage=SPY_STAGE, finished=tuple(range(1, 5)), secrets=secrets)
    for level in ("agent", "spymaster"):
        decided = str(make_bot("spies", level, Random(1)).decide(view))
        assert decided.startswith("discovery ") is (level == discoverer)
