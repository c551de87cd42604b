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


@pytest.mark.parametrize(
    ("seats", "allocation", "sentences"),
    [
        (
            2,
            "standard",
            (
                "Anna runs Germany and Italy, Boris France and Britain.",
                "Russia goes to Anna in odd years, from 1933 on, and to Boris in even ones.",
            ),
        ),
        (
            4,
            "bid",
            (
                "Anna runs Germany, Boris Italy, Chen France, Dora Britain.",
                "Russia goes to the highest bidder each year.",
            ),
        ),
        (3, "alternate", ("Anna runs Germany and Italy, Boris Russia and France, Chen Britain.",)),
    ],
)
def test_the_beginning_tells_who_runs_which_powers(
    seats: int, allocation: str, sentences: tuple[str, ...]
) -> None:
    begun = moments(seats, wild=1, allocation=allocation)[0][0].state
    people = ("Anna", "Boris", "Chen", "Dora")[:seats]
    assert narration.step_results(None, begun, people)[1:] == sentences


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


POINTS = (32, 24, 29, 30, 41)
TWO = [
    ("even", (32, 41), ["Anna has 32: of Germany and Italy the better one counts."]),
    ("none", (32, 41), ["Anna has 32: of Germany and Italy the better one counts."]),
    ("lower", (24, 30), ["Anna has 24: of Germany and Italy the lower one counts."]),
    ("sum", (56, 71), ["Anna has 56: Germany and Italy count together."]),
]


@pytest.mark.parametrize(("handicap", "scores", "first"), TWO)
def test_of_two_players_each_score_says_what_counts(
    handicap: str, scores: tuple[int, ...], first: list[str]
) -> None:
    """It was a row of five points and one of two scores, and nobody saw how they belong together."""
    sentences = ended(2, "standard", handicap, scores)
    assert sentences[0] == "Points: Germany 32, Italy 24, Russia 29, France 30 and Britain 41."
    assert sentences[1:2] == first
    assert sentences[2].startswith(f"Boris has {scores[1]}: ")
    assert sentences[3] == "Russia counts for nobody, since it changed hands."
    assert len(sentences) == 4


def test_a_handicap_is_told_where_there_is_one() -> None:
    sentences = ended(3, "standard", "even", (15, 29, 24))
    assert sentences[1:] == [
        "Anna has 15: of Germany and Italy the better one counts, less 17.",
        "Boris has 29 with Russia.",
        "Chen has 24: of France and Britain the better one counts, less 17.",
    ]
    assert ended(5, "standard", "even", POINTS)[1:] == [
        "Scores: Anna 32, Boris 24, Chen 29, Dora 30 and Emil 41."
    ]
    usual: dict[str, int | str] = {"allocation": "standard", "handicap": "even", "talk": 0, "answer": 0}
    assert "less a handicap" in " ".join(narration.options(usual, 3))
    assert "the better of two powers counts" in narration.options(usual, 2), "of two players none"


def ended(seats: int, allocation: str, handicap: str, scores: tuple[int, ...]) -> list[str]:
    """What is told of the points at the end of a game."""
    state = last()._replace(
        seats=seats, allocation=allocation, handicap=handicap, points=POINTS, scores=scores, report=()
    )
    of = state._replace(ended=Outcome(frozenset({1}), "points"))
    return list(narration.step_results(of, of, ("Anna", "Boris", "Chen", "Dora", "Emil")[:seats])[:-1])
