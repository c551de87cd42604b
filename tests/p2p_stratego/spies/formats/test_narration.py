"""SPIES! in words: each kind of event, each reason, each breach has a sentence."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.spies.formats import narration, scenario, words
from p2p_stratego.spies.rules import act
from p2p_stratego.spies.rules.atlas import NAMES
from p2p_stratego.spies.rules.state import Event, State
from tests.golden import written
from tests.helpers.spies.moments import PEOPLE, moments


def last() -> State:
    return moments(5, wild=1, alliances="yes")[-1][0].state


def some(kind: str) -> Event:
    """An event with every field in range."""
    numbers = (3, 1, 0, 0, 2, 1)
    return Event(kind, power=1, other=3, spy=2, secret=4, city=5, face=2, word="north", numbers=numbers)


@pytest.mark.parametrize("kind", sorted({*scenario.TEXTS, *scenario.SILENT}))
def test_each_event_has_a_sentence(kind: str) -> None:
    sentences = narration.tell(last(), some(kind), PEOPLE)
    assert sentences[0].isupper() or sentences[:2] in ("ge", "it", "ru", "fr", "br")
    assert sentences.endswith(".")
    assert "None" not in sentences
    assert len(sentences) < 120


def test_the_event_has_no_other_fields() -> None:
    names = {"kind", "power", "other", "spy", "secret", "city", "face", "word", "numbers"}
    assert set(Event._fields) == names


def test_each_fault_has_words() -> None:
    rules = [value for name, value in vars(act).items() if name.isupper() and isinstance(value, str)]
    assert len(rules) > 8
    for rule in rules:
        assert not narration.breach(rule).startswith("broke a rule")
        ended = Outcome(frozenset({0}), "cheated", Breach(1, rule))
        assert narration.breach(rule) in narration.ending(ended, PEOPLE)


def test_the_names_of_cities_are_told_in_full() -> None:
    lines = written("spies").read_text(encoding="utf-8").split("\n")
    shown = [line for line in lines if line[:1] not in (" ", "=", "s")]
    for city, name in enumerate(NAMES):
        assert words.city(city) == name.capitalize()
        assert not any(f" {name}" in line for line in shown)
