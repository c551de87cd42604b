"""What a player alone is told in SPIES!: all that it was shown, was given or has drawn, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cli.games.interface import PrivateNews
from cli.games.spies.looks import alone
from p2p_stratego.core.game import Ask, Draw, Give, Show, Slot
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.counters import SECRET_NAME, spy_names, value
from p2p_stratego.spies.rules.state import COPIES, State
from tests.helpers.spies.moments import context
from tests.helpers.spies.observed import observed, shows

TABLES: dict[str, dict[str, Any]] = {
    "three": {"seats": 3},
    "secret purses": {"seats": 4, "allocation": "bid", "purse": "secret"},
}


def shown(table: dict[str, Any]) -> Iterator[tuple[View[State], Ask, PrivateNews | None]]:
    """Each Ask that shows cards to one seat, and what that seat is told of it."""
    for moment in observed(**table):
        ask, _ = moment.since[-1]
        if not isinstance(ask, Show | Give | Draw):
            continue
        for seat, _ in shows(ask, len(moment.known)):
            view = moment.view(seat)
            yield view, ask, alone(context(view), ask)


@pytest.mark.parametrize("table", TABLES)
def test_every_look_is_told_with_the_faces_that_were_shown(table: str) -> None:
    count: Counter[str] = Counter()
    for view, ask, look in shown(TABLES[table]):
        assert look is not None, ask
        text = " ".join(look.sentences)
        assert "None" not in text
        assert look.pressing or isinstance(ask, Draw | Give)
        state = view.state
        slots: tuple[Slot, ...] = () if isinstance(ask, Draw) else ask.slots  # type: ignore[union-attr]
        for number, spy in enumerate(state.spies):
            if spy.slot in slots:
                assert spy_names(number // 5)[view.known[spy.slot]] in text.lower()
                count["spy"] += 1
        for lying in state.secrets:
            if lying.slot in slots:
                face = view.known[lying.slot]
                assert str(value(face)) in text
                assert ("genuine" in text) == SECRET_NAME[face].startswith("s") or len(slots) > 1
                count["secret"] += 1
        police = [view.known[unit.slot] for units in state.police for unit in units if unit.slot in slots]
        if police:
            assert str(sum(police)) in text or len(slots) > 2
            count["police"] += 1
        count[type(ask).__name__] += 1
    assert count["spy"]
    assert count["police"]
    assert count["secret"]
    assert count["Draw"] > 5


def test_of_a_seat_that_left_before_it_showed_anything_nothing_is_told() -> None:
    """Also in the midst of a proposal with secret purses: its pounds are laid, and the seat resigns."""
    asked = 0
    for view, ask, look in shown(TABLES["secret purses"]):
        if isinstance(ask, Show) and look is not None:
            before = {slot: face for slot, face in view.known.items() if slot not in ask.slots}
            assert alone(context(replace(view, known=before)), ask) is None
            asked += "£" in look.sentences[0]
    assert asked


def test_a_search_tells_the_year_the_city_and_the_strengths() -> None:
    texts = [" ".join(look.sentences) for _, ask, look in shown(TABLES["three"]) if look and look.pressing]
    assert any("search in" in text and "strength" in text for text in texts)
    assert all(text[:2] == "19" for text in texts)
    assert COPIES  # copies of shown cards are told under the slots of the cards themselves
