"""A player without its flag takes no flag for the player who holds it: neither bot nor coach."""

from __future__ import annotations

from random import Random

import pytest

from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.bots.playing_cards import accusations
from p2p_stratego.conquest.lessons.advice import advise
from p2p_stratego.conquest.rules.atlas import ZONE_NAMED
from p2p_stratego.conquest.rules.flags import keeper, winner_by
from p2p_stratego.conquest.rules.pieces import FLAG
from tests.helpers.conquest.acts import FOUR_AT_WAR as FOUR
from tests.helpers.conquest.acts import THREE_AT_WAR as THREE
from tests.helpers.conquest.acts import Acts, Setup, held
from tests.helpers.program.coaching import foremost


def test_a_flag_taken_without_an_own_one_goes_to_the_captor_who_may_win_by_it() -> None:
    three, four, own = held(Acts(THREE), red="green"), held(Acts(FOUR), red="green"), Acts(THREE)
    assert (keeper(three.state, 0, 1), winner_by(three.state, 0, 1)) == (2, 2)
    assert (keeper(four.state, 0, 1), winner_by(four.state, 0, 1)) == (2, None)
    assert (keeper(three.state, 0, 2), winner_by(three.state, 0, 2)) == (0, None)
    assert (keeper(own.state, 0, 1), winner_by(own.state, 0, 1)) == (0, None)
    ended = three.act("a2b2").ended
    assert ended is not None
    assert ended.winners == {2}


@pytest.mark.parametrize("setup", [THREE, FOUR])
def test_the_agent_takes_no_flag_for_another(setup: Setup) -> None:
    view = held(Acts(setup), red="green").view("b2")
    weigher = Weigher(Beliefs(view.state, 0, view.known))
    assert weigher.move(ZONE_NAMED["a2"], ZONE_NAMED["b2"]) <= 0.0
    zone, face, _ = max(accusations(weigher), key=lambda accusation: accusation[2])
    assert (zone, face) != (ZONE_NAMED["b2"], FLAG)
    assert {Agent(Random(seed)).decide(view) for seed in range(20)}.isdisjoint({"a2b2"})


def test_the_agent_takes_a_flag_for_itself_and_the_one_that_brings_its_own_back() -> None:
    assert Agent(Random(1)).decide(Acts(THREE).view("b2")) == "a2b2"
    assert Agent(Random(1)).decide(held(Acts(THREE), red="blue").view("b2")) == "a2b2"


def test_the_coach_names_no_such_capture_and_says_why() -> None:
    assert "can take the flag on b2" in foremost(advise(Acts(THREE).view("b2")))
    assert "can take the flag on b2" in foremost(advise(held(Acts(THREE), red="blue").view("b2")))
    advice = foremost(advise(held(Acts({**THREE, "green": {"g3": "flag"}}), red="green").view("b2")))
    assert "take only the captor's own flag" in advice
    traitor = held(Acts(THREE), red="green").drawn("traitor")
    assert "b2" not in foremost(advise(traitor.view("b2")))
