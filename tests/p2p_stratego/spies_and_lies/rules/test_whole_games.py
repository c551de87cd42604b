"""What holds in every game, however it is played: whole random games, crooked ones included."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_stratego.core.game import Choose, Open, Roll, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.registry import play_scenario
from p2p_stratego.spies_and_lies.formats.narration import step
from p2p_stratego.spies_and_lies.rules.components import INTEL_DECK, SIDES
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import COUNTS_AS_IDENTIFIED, State, slot
from tests.helpers.spies_and_lies.crook import Crook, crooked, honest
from tests.helpers.spies_and_lies.naive import Naive

Game: TypeAlias = tuple[Random, int, str]
GAMES = st.tuples(
    st.builds(Random, st.integers(0, 2**64 - 1)),
    st.integers(2, 8),
    st.sampled_from(["random", "red", "blue"]),
)
whole_games = settings(max_examples=150)


def assert_markers(state: State, laid: int) -> None:
    """Between turns: the markers on their tracks, the agent between the walls, four tokens in all."""
    assert all(0 <= points <= 9 for points in state.points)
    assert all(0 <= held <= 2 for held in state.tokens)
    assert 0 <= state.spare <= 2
    assert sum(state.tokens) + state.spare + laid == 4
    assert all(steps >= 0 for steps in state.moved)
    if abs(state.agent) > state.wall:
        assert abs(state.agent) == state.wall + 1
        assert state.ended is not None
        assert state.ended.reason in ("flag", "critical-flaw", "cheated")


def assert_calendar(state: State) -> None:
    """Phases, days, intel and exhaustion go together."""
    assert 1 <= state.day <= 3
    assert 0 <= state.turn <= 8
    assert (state.phase == "over") == (state.ended is not None)
    assert state.starter == (state.first_starter if state.day % 2 else 1 - state.first_starter)
    assert len(state.intel) == state.day + (state.phase in ("mission", "night", "over"))
    assert not Counter(state.intel) - Counter(INTEL_DECK)
    for seat in SIDES:
        assert len(state.exhausted[seat]) in (1, 2)
        assert list(state.exhausted[seat]) == sorted(set(state.exhausted[seat]))
        assert state.active[seat] <= {1, 2, 3}
    if state.phase == "deploy":
        assert state.cards == ((None,) * 4,) * 2
        assert state.report is None


def assert_cards(state: State, crook: Crook) -> None:
    """What lies open is what was laid, and no more than the guesses and a flag turned up."""
    opened = [card for line in state.cards for card in line if card is not None and card.result == "opened"]
    seen = [card for line in state.cards for card in line if card is not None]
    for seat in SIDES:
        for mission, card in enumerate(state.cards[seat], 1):
            assert card is None or card.rank == crook.faces[slot(state.day, seat, mission)]
    if not opened and state.ended is None:
        assert len(seen) == state.turn
    if opened:
        assert state.ended is not None


def assert_asks(crook: Crook) -> None:
    """Every ask is one the table can put: known seats, options without doubles, short ASCII moves."""
    rolls = 0
    for ask, _ in crook.answers:
        rolls += isinstance(ask, Roll)
        for part in ask.asks if isinstance(ask, Together) else (ask,):
            if isinstance(part, Choose):
                assert part.seat in SIDES
                assert len(set(part.options)) == len(part.options) >= 2
                assert all(move.isascii() and 1 <= len(move) <= 32 for move in part.options)
            elif isinstance(part, Roll):
                assert 2 <= part.sides <= 2**32
    opened = [ask.slot for ask, _ in crook.answers if isinstance(ask, Open)]
    assert len(set(opened)) == len(opened)
    assert rolls <= GAME.most_rolls


@whole_games
@given(GAMES)
def test_invariants_hold_in_games_of_crooks(game: Game) -> None:
    random, wall, starter = game
    crook = crooked(random)
    laid = 0
    for state in crook.play(wall, starter):
        laid += state.report is not None and state.report.token
        assert_markers(state, laid)
        assert_calendar(state)
        assert_cards(state, crook)
        hash(state)
    assert_asks(crook)


@whole_games
@given(GAMES)
def test_who_breaks_no_rule_is_never_punished(game: Game) -> None:
    random, wall, starter = game
    for state in honest(random).play(wall, starter):
        assert state.caught == (False, False)
        if state.report is not None:
            assert state.report.result in ("identified", "retreated", "activated")
        if state.ended is not None:
            assert state.ended.breach is None
            assert state.ended.reason in ("flag", "territory", "points", "draw")


@whole_games
@given(GAMES)
def test_the_same_answers_lead_to_the_same_states(game: Game) -> None:
    random, wall, starter = game
    crook = crooked(random)
    states = list(crook.play(wall, starter))
    answers = iter(crook.answers)

    def answer(ask: object) -> object:
        asked, reply = next(answers)
        assert ask == asked
        return reply

    again = [drive(GAME.setup(2, GAME.options({"wall": wall, "starter": starter})), answer)]
    while GAME.outcome(again[-1]) is None:
        again.append(drive(GAME.turn(again[-1]), answer))
    assert again == states
    assert next(answers, None) is None


@whole_games
@given(GAMES, st.booleans())
def test_the_referee_and_a_second_writing_of_the_rules_agree(game: Game, fair: bool) -> None:
    random, wall, starter = game
    crook = honest(random) if fair else crooked(random)
    *_, last = crook.play(wall, starter)
    lines = list(play_scenario(crook.scenario))
    assert lines == Naive(crook.scenario).play()
    assert lines[-1]["reason"] == (last.ended.reason if last.ended else None)


@whole_games
@given(GAMES, st.integers(0, 24))
def test_a_scenario_cut_short_is_unfinished_and_its_lines_stand(game: Game, kept: int) -> None:
    random, wall, starter = game
    crook = crooked(random)
    list(crook.play(wall, starter))
    whole = list(play_scenario(crook.scenario))
    total = sum(len(day["turns"]) for day in crook.scenario["days"])
    cut = dict(crook.scenario, days=[])
    left = min(kept, total - 1)
    for day in crook.scenario["days"]:
        if left >= 0:
            cut["days"].append(dict(day, turns=day["turns"][:left]))
        left -= 8
    lines = list(play_scenario(cut))
    assert lines[:-1] == whole[: min(kept, total - 1)]
    assert lines[-1]["reason"] == "unfinished"
    assert lines == Naive(cut).play()


@whole_games
@given(GAMES)
def test_every_step_is_told_in_whole_sentences_that_name_who(game: Game) -> None:
    random, wall, starter = game
    before = None
    for state in crooked(random).play(wall, starter):
        sentences = step(before, state, ("Ruth", "Bela"))
        before = state
        assert sentences
        for line in sentences:
            assert line[-1] in ".!"
            assert line.isascii()
            assert "{" not in line
            assert "  " not in line
    assert any("Ruth" in line or "Bela" in line or line.startswith("A draw") for line in sentences)


def test_random_games_reach_every_result_every_effect_and_every_ending() -> None:
    """Or the tests above would prove less than they seem to."""
    random = Random(20)
    results: Counter[str] = Counter()
    effects: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for number in range(400):
        player = (crooked, honest)[number % 2](random)
        for state in player.play(random.choice((2, 4)), "random"):
            if state.report is not None:
                results[state.report.result] += 1
                effects.update(effect.kind for effect in state.report.effects)
            if state.ended is not None:
                endings[state.ended.reason] += 1
    assert set(results) == COUNTS_AS_IDENTIFIED | {"retreated", "activated", "impossible"}
    assert len(effects) == 15
    assert set(endings) >= {"flag", "critical-flaw", "territory", "points", "cheated"}
