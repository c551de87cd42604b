"""The coach in ordinary games: a sentence for every decision, from what its seat may see and nothing else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.registry import make_bot
from p2p_stratego.spies_and_lies.bots.agent import believed
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.lessons.advice import advise
from p2p_stratego.spies_and_lies.rules.components import FORWARD, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import KEEP, guess
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.program.coaching import foremost
from tests.helpers.spies_and_lies.moments import MIDDLE, captain, marshal
from tests.helpers.spies_and_lies.table import BASE

Told = list[tuple[View[State], str]]


class Advised:
    """A bot beside which the coach speaks before each decision."""

    def __init__(self, decide: Callable[[View[State]], Move | tuple[Face, ...]], lines: Told) -> None:
        self._decide, self._told = decide, lines

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        self._told.append((view, foremost(advise(view))))
        return self._decide(view)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_there_is_a_sentence_for_every_decision(seats: int, seed: int) -> None:
    chance, lines = random.Random(seed), Told()
    bots = [make_bot("spies-and-lies", "recruit", chance) for _ in range(seats)]
    play(GAME, [Advised(bot.decide, lines) for bot in bots], {}, chance)
    for _, sentence in lines:
        assert sentence.endswith(".")
        assert len(sentence) <= 140
        assert "{" not in sentence


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_sentence_says_what_to_type(seats: int) -> None:
    """A new player with the coach on did not know what to do with "10 points more"."""
    chance, lines = random.Random(seats), Told()
    bots = [make_bot("spies-and-lies", "recruit", chance) for _ in range(seats)]
    play(GAME, [Advised(bot.decide, lines) for bot in bots], {}, chance)
    first = [(view.decision, line) for view, line in lines if view.state.day == 1]
    laid = [(asked, line) for asked, line in first if isinstance(asked, Commit)]
    assert laid
    for asked, line in laid:
        ranks = [int(word.rstrip(",")) for word in line.removeprefix("Type ").split(" for ")[0].split()]
        assert len(ranks) == len(asked.slots)
        assert ranks == sorted(set(ranks))
        assert set(ranks) <= set(asked.faces)


def test_other_secrets_behind_the_same_public_game_change_no_word() -> None:
    """The enemy lays either of two lines; until one differs face up, the coach says the same."""
    first, second = (_spoken((1, 3, 8, 10)), _spoken((1, 3, 9, 10)))
    assert len(first) == len(second) > 6
    assert [sentence for _, sentence in first] == [sentence for _, sentence in second]
    assert [view for view, _ in first] == [view for view, _ in second]  # it saw the same


def _spoken(enemys: tuple[Face, ...]) -> Told:
    """What is said to red on a day on which blue lays `enemys`, until its third card is to be opened."""
    lines = Told()

    class Enough(Exception):
        pass

    def red(view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            return _resting_aside((2, 4, 5, 9), view.state.exhausted[0])
        if view.state.phase == "intel":
            return "mark none"
        if KEEP in view.asked.options:
            return KEEP
        if view.state.mission == 3:
            raise Enough
        return guess(6)

    def blue(view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            return enemys
        if view.state.phase == "intel":
            return "mark none"
        return KEEP if KEEP in view.asked.options else guess(6)

    class Bot:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            return blue(view)

    with pytest.raises(Enough):
        play(GAME, [Advised(red, lines), Bot()], {"starter": "red"}, random.Random(5))
    return lines


def _resting_aside(line: tuple[Face, ...], resting: tuple[Face, ...]) -> tuple[Face, ...]:
    return tuple(rank + (rank in resting) for rank in line)


def test_numbers_agree_with_what_they_count() -> None:
    """A coach that says "1 points" or that one of 1 soldiers fits reads like a form."""
    for seed in range(12):
        chance, lines = random.Random(seed), Told()
        bots = [make_bot("spies-and-lies", "recruit", chance) for _ in range(2)]
        play(GAME, [Advised(bot.decide, lines) for bot in bots], {}, chance)
        for _, sentence in lines:
            assert not re.search(r"\b1 (points|soldiers|steps)\b|\bof 1 that\b", sentence), sentence
            assert not re.search(r"fit here, the .* at 0 %", sentence), sentence


@pytest.mark.parametrize("seed", range(6))
def test_on_guesses_and_tokens_it_gives_facts_and_recommends_nothing(seed: int) -> None:
    """The hint beside it named another soldier; the analysis called its token a mistake."""
    chance, lines = random.Random(seed), Told()
    bots = [make_bot("spies-and-lies", "recruit", chance) for _ in range(2)]
    play(GAME, [Advised(bot.decide, lines) for bot in bots], {}, chance)
    sentences = [
        sentence
        for view, sentence in lines
        if not isinstance(view.asked, Commit)
        and (KEEP in view.asked.options or guess(6) in view.asked.options)
    ]
    assert len(sentences) > 6
    assert not [sentence for sentence in sentences if sentence.startswith(("Guess", "Keep", "Lay"))]


@pytest.mark.parametrize("seed", range(4))
def test_the_soldier_named_as_likeliest_is_one_that_no_other_surpasses(seed: int) -> None:
    chance, lines = random.Random(seed), Told()
    bots = [make_bot("spies-and-lies", "recruit", chance) for _ in range(2)]
    play(GAME, [Advised(bot.decide, lines) for bot in bots], {}, chance)
    named = 0
    for view, sentence in lines:
        if (match := re.search(r"soldiers fit; the likeliest \(.*?\): (.*)\.$", sentence)) is not None:
            shares = believed(view.state)
            best = max(shares.values())
            assert set(match[1].split(", ")) == {
                card(rank) for rank, share in shares.items() if best - share < 0.005
            }
            named += 1
    assert named


@pytest.mark.parametrize(
    ("agent", "end"),
    [
        (0, "take the points, and the agent goes 2 steps."),
        (BASE.wall - 1, "take the points, and the agent goes 1 step."),
        (BASE.wall, "the points take the flag, if your line is in order."),
    ],
)
def test_points_are_told_with_what_the_wall_leaves_of_their_steps(agent: int, end: str) -> None:
    """It told the Marshal's owner of two steps where the points took the flag, and won."""
    state = replace(MIDDLE, agent=agent * FORWARD[RED], points=(4, 0), day=2)
    for view in (captain((2,), state), marshal(state)):
        sentence = foremost(advise(view))
        assert sentence.startswith("You are 6 points short")
        assert sentence.endswith(end)


def test_who_would_lose_by_the_flag_hears_so() -> None:
    """A card of a mate that has left stays closed: it was told to take the points, and the flag."""
    closed = (frozenset((4,)), frozenset[int]())
    state = replace(MIDDLE, agent=BASE.wall * FORWARD[RED], points=(4, 0), day=2, closed=closed)
    for view in (captain((2,), state), marshal(state)):
        assert foremost(advise(view)).endswith("a step now loses the game.")
