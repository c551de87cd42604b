"""What holds in every game of three and four seats: whole random games, crooked ones and leavers included."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_stratego.core.game import Ask, Choose, Commit, Open, OpenTo, Roll, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.registry import play_scenario
from p2p_stratego.spies_and_lies.formats.narration import step
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, SIDES
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import State, place, slot
from tests.helpers.spies_and_lies.crook import Crook, crooked, honest
from tests.helpers.spies_and_lies.naive import Naive

Game: TypeAlias = tuple[Random, int, int, str]
TEAMS = st.tuples(
    st.builds(Random, st.integers(0, 2**64 - 1)),
    st.sampled_from([3, 4]),
    st.integers(2, 8),
    st.sampled_from(["random", "red", "blue"]),
)
GAMES = st.tuples(TEAMS.map(lambda game: game[0]), st.integers(2, 4), st.integers(2, 8), st.just("random"))
LEAVING = st.sampled_from([0.002, 0.01, 0.05])
whole_games = settings(max_examples=100)
PEOPLE = ("Anna", "Boris", "Cleo", "Dora")


def check_state(state: State, crook: Crook) -> None:
    """Between steps: markers on their tracks, four tokens, cards as they were laid, winners by side."""
    assert all(0 <= points <= 9 for points in state.points)
    assert all(0 <= held <= 2 for held in state.tokens)
    assert sum(state.tokens) + state.spare <= 4
    assert abs(state.agent) <= state.wall + 1
    assert state.seating.gone <= set(crook.gone)
    for side in SIDES:
        assert len(state.exhausted[side]) <= 2
        assert state.active[side] <= {1, 2, 3}
        for mission in MISSIONS:
            card, name = state.cards[side][mission - 1], slot(state.day, side, mission)
            assert card is None or card.rank == crook.faces[name]
            if mission in state.closed[side]:
                assert card is None
                assert crook.layers[name] in state.seating.gone
    if state.ended is not None:
        assert state.ended.winners in (frozenset(), *GAME.sides(crook.seats))
    hash(state)


def assert_asks(crook: Crook) -> None:
    """Every slot is laid once, opened at most once, and shown before only to the mate of its owner."""
    laid: set[int] = set()
    opened: set[int] = set()
    for ask, _ in crook.answers:
        for part in ask.asks if isinstance(ask, Together) else (ask,):
            if isinstance(part, Commit):
                assert not laid & set(part.slots) or part.seat in crook.gone
                laid |= set() if part.seat in crook.gone else set(part.slots)
            elif isinstance(part, Open):
                assert part.slot in crook.layers
                assert part.slot not in opened
                opened.add(part.slot)
            elif isinstance(part, OpenTo):
                owner = crook.layers[part.slot]
                assert (owner, part.seat) in ((0, 2), (1, 3))
                assert place(part.slot)[2] in (1, 2)
        if isinstance(ask, Together):
            seats = [part.seat for part in ask.asks]
            assert seats == sorted(set(seats))
            assert len({type(part) for part in ask.asks}) == 1
    rolls = sum(isinstance(ask, Roll) for ask, _ in crook.answers)
    assert rolls + crook.seats - 1 <= GAME.most_rolls


@whole_games
@given(TEAMS, st.sampled_from([0.0, 0.002, 0.01, 0.05]))
def test_invariants_hold_in_games_of_crooks_and_leavers(game: Game, leaves: float) -> None:
    random, seats, wall, starter = game
    crook = crooked(random, seats, leaves)
    for state in crook.play(wall, starter):
        check_state(state, crook)
    assert state.ended is not None or crook.deserted is not None
    assert_asks(crook)


@whole_games
@given(TEAMS)
def test_a_game_of_mates_has_the_lines_of_the_same_game_of_two(game: Game) -> None:
    """The rules of a turn are the same: who of the mates decides changes no result."""
    random, seats, wall, starter = game
    crook = crooked(random, seats)
    *_, last = crook.play(wall, starter)
    lines = list(play_scenario(crook.scenario))
    assert lines == Naive(crook.scenario).play()
    assert last.ended is not None
    assert lines[-1]["reason"] == last.ended.reason
    assert (lines[-1]["points"], lines[-1]["agent"]) == (
        {"red": last.points[0], "blue": last.points[1]},
        last.agent,
    )


@whole_games
@given(TEAMS, LEAVING)
def test_who_breaks_no_rule_is_never_punished_though_mates_leave(game: Game, leaves: float) -> None:
    random, seats, wall, starter = game
    crook = honest(random, seats, leaves)
    for state in crook.play(wall, starter):
        assert state.caught == (False, False)
        report = state.report
        if report is not None:
            stays_closed = report.soldier is None
            assert (report.result == "counted") == stays_closed
            assert report.result in ("identified", "retreated", "activated", "counted")
            assert not stays_closed or report.owning in crook.gone
        if state.ended is not None:
            assert state.ended.breach is None
            if state.ended.reason == "critical-flaw":
                assert any(None in line for line in state.cards)


@whole_games
@given(TEAMS, LEAVING)
def test_the_same_answers_lead_to_the_same_states(game: Game, leaves: float) -> None:
    random, seats, wall, starter = game
    crook = crooked(random, seats, leaves)
    states = list(crook.play(wall, starter))
    answers = iter(crook.answers)

    def answer(ask: Ask) -> object:
        asked, reply = next(answers)
        assert ask == asked
        return reply

    again = [drive(GAME.setup(seats, GAME.options({"wall": wall, "starter": starter})), answer)]
    for before, after in pairwise(states):
        left = after.seating.gone - before.seating.gone
        turn = GAME.gone(before, min(left)) if left else GAME.turn(before)
        again.append(drive(turn, answer))
    assert again == states
    assert next(answers, None) is None


@whole_games
@given(GAMES, st.sampled_from([0.0, 0.02]))
def test_every_step_is_told_in_whole_sentences_that_name_people_and_sides(game: Game, leaves: float) -> None:
    random, seats, wall, starter = game
    before = None
    for state in crooked(random, seats, leaves if seats > 2 else 0.0).play(wall, starter):
        sentences = step(before, state, PEOPLE[:seats])
        before = state
        assert sentences
        for line in sentences:
            assert line[-1] in ".!"
            assert line.isascii()
            assert not any(wrong in line for wrong in ("{", "None", "  ", "red-"))


@whole_games
@given(TEAMS, LEAVING)
def test_a_seat_alone_is_asked_only_for_what_is_its_sides(game: Game, leaves: float) -> None:
    random, seats, wall, starter = game
    crook = crooked(random, seats, leaves)
    list(crook.play(wall, starter))
    seating_side = [0, 1, 0, 1]
    for ask, _ in crook.answers:
        for part in ask.asks if isinstance(ask, Together) else (ask,):
            if isinstance(part, Commit):
                assert {place(name)[1] for name in part.slots} == {seating_side[part.seat]}


def test_random_games_leave_at_every_kind_of_ask_and_reach_every_ending() -> None:
    """Or the tests above would prove less than they seem to."""
    random = Random(20)
    unanswered: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    closed = 0
    for number in range(400):
        crook = (crooked, honest)[number % 2](random, 3 + number % 2, 0.02)
        for state in crook.play(2, "random"):
            closed += state.report is not None and state.report.soldier is None
            if state.ended is not None:
                endings[state.ended.reason] += 1
        endings["deserted"] += crook.deserted is not None
        for ask, reply in crook.answers:
            if isinstance(ask, Together) and None in reply:
                unanswered[f"Together {type(ask.asks[0]).__name__}"] += 1
            elif isinstance(ask, Choose) and reply is None:
                unanswered[next(iter(ask.options))] += 1
            elif reply is None:
                unanswered[type(ask).__name__] += 1
    assert closed > 50
    assert set(endings) >= {"flag", "critical-flaw", "territory", "points", "cheated", "deserted"}
    assert set(unanswered) >= {"token", "guess 1", "captain points", "Open", "OpenTo", "Commit"}
    assert set(unanswered) >= {"Together Commit", "Together Choose"}
