"""What engines are told: values of rules as JSON, and each Ask once, however the history changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, cast

import pytest

from cli.play.engines.forms import GameTerms, Herald, asked, plain
from p2p_stratego.core.game import Choose, Commit, Draw, Edition, Open, Together
from p2p_stratego.core.narration import Narration
from p2p_stratego.registry import GAMES
from protocol.record.asks.base import Answered, Reached
from tests.helpers.games.any_game import states, views


class Colour(Enum):
    RED = 1


class Pair(NamedTuple):
    left: int
    right: bytes


@dataclass(frozen=True)
class Hand:
    cards: frozenset[int]
    _cache: int = 0


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Colour.RED, "RED"),
        (Pair(1, b"\x00\xff"), {"left": 1, "right": [0, 255]}),
        (Hand(frozenset({3, 1, 2})), {"cards": [1, 2, 3]}),
        (frozenset({"b", "a"}), ["a", "b"]),
        (frozenset({None, 1}), [1, None]),
        ({2: Colour.RED}, {"2": "RED"}),
        ((1, (True, None)), [1, [True, None]]),
        (object, "<class 'object'>"),
    ],
)
def test_values_of_rules_become_json(value: object, form: object) -> None:
    assert plain(value) == form


@pytest.mark.parametrize("name", ["spies-and-lies", "stratego", "conquest", "spies"])
def test_every_state_of_a_game_becomes_json_and_no_long_line(name: str) -> None:
    for state in states(name):
        text = json.dumps(plain(state))
        assert len(text) < 1 << 16
        assert "object at 0x" not in text
    for view in views(name)[::20]:
        assert all(json.dumps(asked(ask)) for ask, _answer in view.since)


def test_the_options_of_a_choose_are_not_repeated_with_its_answer() -> None:
    both = Together((Choose(0, ("a",)), Choose(1, ("b",))))
    assert asked(both) == {
        "ask": "Together",
        "asks": [{"ask": "Choose", "seat": 0}, {"ask": "Choose", "seat": 1}],
    }
    assert asked(Draw(0, ((1, (5, 6)),))) == {"ask": "Draw", "deck": 0, "hands": [[1, [5, 6]]]}
    assert asked(Commit(0, (1,), (2,)))["slots"] == [1]


def test_a_game_of_a_package_is_told_with_its_source() -> None:
    class Theirs:
        name = "theirs"
        version = Edition(3, "their-package", b"\x01" * 32)

        def seat_names(self, seats: int) -> tuple[str, ...]:
            return ("red", "blue")[:seats]

        def sides(self, seats: int) -> Any:
            return GAMES["stratego"].sides(seats)

    parts = GameTerms(cast("Any", Theirs()), {}, 1, ("Anna", "Boris")).parts()
    assert (parts["rules_version"], parts["source"]) == (3, {"package": "their-package", "rules": "01" * 32})
    assert json.dumps(parts)


class Steps:
    """A narration of states that are numbers."""

    def step(self, before: int | None, after: int, _names: Sequence[str]) -> tuple[str, ...]:
        return (f"{before} to {after}",)


def history(*items: int | str) -> list[Answered | Reached]:
    """Letters are answers to an Ask, numbers are states that were reached."""
    return [
        Reached(item, at) if isinstance(item, int) else Answered(Open(0), item, at)
        for at, item in enumerate(items)
    ]


def heard(*histories: Sequence[Answered | Reached]) -> list[tuple[int, str, list[str]]]:
    """By history: the Asks that still hold, the new answers, and the new steps."""
    herald = Herald(cast("Narration", Steps()), ("Anna", "Boris"))
    summaries = []
    for past in histories:
        news = herald.news(past)
        answers = "".join(item["answer"] for item in news.asks)
        summaries.append((news.start, answers, [f"{step['step']}: {step['told'][0]}" for step in news.steps]))
    return summaries


def test_each_ask_and_each_step_is_told_once() -> None:
    whole = history(0, "a", "b", 1, "c")
    assert heard(whole[:1], whole[:3], whole[:3], whole) == [
        (0, "", ["1: None to 0"]),
        (0, "ab", []),
        (2, "", []),
        (2, "c", ["2: 0 to 1"]),
    ]


def test_what_does_not_hold_any_more_is_told_anew() -> None:
    """A seat left, or a decision was taken back: from some Ask on, another history takes its place."""
    first, second = history(0, "a", 1, "b", "c", 2), history(0, "a", 1, "d", 3)
    assert heard(first, second, second[:2]) == [
        (0, "abc", ["1: None to 0", "2: 0 to 1", "3: 1 to 2"]),
        (1, "d", ["3: 1 to 3"]),
        (1, "", []),
    ]
