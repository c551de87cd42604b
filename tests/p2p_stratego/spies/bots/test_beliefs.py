"""What the agent can tell of hidden things: no more than its seat has seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.beliefs import Beliefs, spread
from p2p_stratego.spies.bots.hides import shelter
from p2p_stratego.spies.rules.act import put
from p2p_stratego.spies.rules.atlas import CITY_NAMED
from p2p_stratego.spies.rules.counters import COUNTERSPIES, COUSIN, STRENGTHS
from p2p_stratego.spies.rules.state import NOTHING, POLICE, State
from tests.helpers.spies.openings import opening


def beliefs(view: View[State]) -> Beliefs:
    return Beliefs(view.state, view.seat, view.known)


def test_own_pieces_are_known_and_those_of_others_are_not() -> None:
    view = opening()
    own = beliefs(view)
    for spy, piece in enumerate(view.state.spies):
        chances = own.spy(spy)
        assert sum(chances.values()) == pytest.approx(1)
        assert len(chances) == (1 if view.state.runs[piece.power] == view.seat else 5)
    for secret, lying in enumerate(view.state.secrets):
        assert (own.face(secret) is not None) == (lying.owner == 0)


def test_the_counterspies_that_are_left_are_counted() -> None:
    view = opening()
    own = [face for secret in range(40) if (face := beliefs(view).face(secret)) is not None]
    left = 8 - sum(face in COUNTERSPIES for face in own)
    for secret, lying in enumerate(view.state.secrets):
        if lying.owner is None:
            promise = beliefs(view).promise(secret)
            assert promise.genuine == pytest.approx(1 - left / (40 - len(own)))
            assert sum(chance for _, chance in promise.strengths) == pytest.approx(1)


def test_a_secret_that_a_rival_carries_is_genuine_and_one_under_police_is_suspect() -> None:
    view = opening()
    secret = view.state.named(CITY_NAMED["warsaw"])
    london = view.state.named(CITY_NAMED["london"])
    assert secret is not None
    carried = view.state.secrets[secret]._replace(by=4, on=20)
    state = view.state._replace(secrets=put(view.state.secrets, secret, carried))
    assert beliefs(View(view.seat, state, view.known)).promise(secret).genuine == 1
    if london is not None:
        free = state.secrets[london]._replace(by=None, on=-1)
        kept = free._replace(by=4, on=POLICE)
        chances = []
        for lying in (free, kept):
            with_it = state._replace(secrets=put(state.secrets, london, lying))
            chances.append(beliefs(View(view.seat, with_it, view.known)).promise(london).genuine)
        assert chances[1] < chances[0]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 3), st.integers(0, 8))
def test_the_sums_of_police_have_all_chances_together(heap: list[int], closed: int, sure: int) -> None:
    sums = spread(tuple(sorted(heap)), closed, sure)
    assert sum(chance for _, chance in sums) == pytest.approx(1)
    assert all(sure <= number <= sure + sum(heap) for number, _ in sums)


def test_stronger_police_catch_more_and_a_cousin_fears_no_counterspy() -> None:
    view = opening()
    known = beliefs(view)
    for spy in range(25):
        chances = [known.caught_by(spy, police) for police in range(9)]
        assert chances == sorted(chances)
        assert chances[0] == 0
        assert chances[-1] == pytest.approx(1)
    for spy in range(5):
        (face,) = known.spy(spy)
        warsaw = view.state.named(CITY_NAMED["warsaw"])
        assert warsaw is not None
        beaten = known.beaten(spy, warsaw)
        assert (
            beaten == 0
            if face == COUSIN
            else beaten
            == pytest.approx(
                sum(
                    chance
                    for strength, chance in known.promise(warsaw).strengths
                    if strength > STRENGTHS[face]
                )
            )
        )


def test_a_seat_with_insight_suspects_what_lies_open_and_hopes_for_what_is_sheltered() -> None:
    view = opening()
    free = view.state._replace(
        secrets=tuple(lying._replace(by=None, on=NOTHING) for lying in view.state.secrets)
    )
    plain, sly = (Beliefs(free, view.seat, view.known, insight) for insight in (0.0, 0.9))
    for power in range(1, 5):
        secrets = sorted(
            (secret for secret, lying in enumerate(view.state.secrets) if lying.owner == power),
            key=lambda secret: shelter(view.state.secrets[secret].origin, power),
        )
        assert len({plain.promise(secret) for secret in secrets}) == 1
        worst, best = (sly.promise(secret) for secret in (secrets[0], secrets[-1]))
        assert worst.genuine < plain.promise(secrets[0]).genuine < best.genuine
        assert worst.value < plain.promise(secrets[0]).value < best.value
        assert all(0 <= sly.promise(secret).genuine <= 1 for secret in secrets)
