"""What an agent does in positions where it is plain what should be done."""

from __future__ import annotations

from random import Random

import pytest

from p2p_stratego.core.game import Choose, Commit, Seat
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.setup_generator import soundness
from p2p_stratego.stratego.formats.setups import of_answers
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.game import Fillings, Moves
from p2p_stratego.stratego.rules.notation import PLACES, filled
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BLUE, RED, SEATS
from p2p_stratego.stratego.rules.state import State, slot, start
from tests.helpers.stratego.boards import Table, position

SEEDS = range(8)


def view_of(table: Table, seat: Seat) -> View[State]:
    """What a seat sees of a table."""
    known = {name: face for name, face in table.faces.items() if name // 40 == seat}
    return View(seat, table.state, known, Choose(seat, Moves(table.state)))


def choice(red: str, blue: str, seed: int = 0, calm: int = 0) -> str:
    """Red's move, as a new agent makes it."""
    table = Table(red, blue)
    table.state = table.state._replace(calm=calm)
    return str(Agent(Random(seed)).decide(view_of(table, RED)))


def choices(red: str, blue: str) -> set[str]:
    """The moves that agents with different luck make."""
    return {choice(red, blue, seed) for seed in SEEDS}


def in_the_open(red: str, blue: str) -> set[str]:
    """The same where everybody knows every piece."""
    state = position(red, blue)
    view = View(RED, state, {}, Choose(RED, Moves(state)))
    return {str(Agent(Random(seed)).decide(view)) for seed in SEEDS}


def test_a_flag_that_can_only_be_there_is_taken() -> None:
    assert choices("a1 flag, e9 miner*, a5 marshal*", "e10 flag, a6 major*") == {"e9e10"}


def test_a_spy_takes_the_marshal() -> None:
    assert in_the_open("a1 flag, e5 spy, h3 major", "a10 flag, e6 marshal, j9 scout") == {"e5e6"}


def test_a_general_gets_out_of_the_marshals_way() -> None:
    move = in_the_open("a1 flag, e5 general, j1 miner", "a10 flag, e6 marshal")
    assert move <= {"e5d5", "e5f5", "e5e4"}


def test_a_piece_that_would_be_taken_back_is_left_alone_unless_it_is_worth_it() -> None:
    red, home = "a1 flag, e5 major, j1 miner", "a10 flag, a9 bomb, b10 bomb"
    assert "e5e6" not in in_the_open(red, f"{home}, e6 sergeant, e7 marshal")
    assert in_the_open(red, f"{home}, e6 sergeant, j10 marshal") == {"e5e6"}


def test_a_miner_opens_the_way_to_the_flag() -> None:
    assert in_the_open("a1 flag, b9 miner, j1 captain", "a10 flag, b10 bomb, a9 bomb, j9 scout") <= {
        "b9a9",
        "b9b10",
    }


def test_nobody_but_a_miner_attacks_a_known_bomb() -> None:
    for rank in ("scout", "captain", "marshal", "spy"):
        move = in_the_open(f"a1 flag, e5 {rank}, j1 scout", "a10 flag, e6 bomb, a9 bomb, b10 bomb, j10 miner")
        assert "e5e6" not in move


def test_an_intruder_beside_the_flag_is_taken() -> None:
    move = in_the_open("a1 flag, c1 captain, e6 marshal", "j10 flag, b1 lieutenant, e7 colonel, f9 marshal")
    assert move == {"c1b1"}


def test_a_flag_that_a_scout_could_run_down_is_covered_or_the_scout_taken() -> None:
    move = in_the_open("e1 flag, d3 sergeant, j1 miner", "j10 flag, e9 scout, a10 marshal")
    assert move <= {"d3e3"}


def test_a_captain_hunts_what_it_beats() -> None:
    for move in in_the_open("a1 flag, e5 captain", "j10 flag, e9 sergeant, j9 bomb, i10 bomb"):
        assert move == "e5e6"


def test_a_side_that_cannot_move_says_so() -> None:
    assert choices("a1 flag, b1 bomb", "a10 flag, b10 scout*") == {"none"}


@pytest.mark.parametrize(
    "blue", ["a10 flag, a9 bomb, b10 bomb, e7 general", "a10 flag, a9 bomb, b10 bomb, e8 bomb"]
)
def test_a_side_far_ahead_loses_patience(blue: str) -> None:
    red = "a1 flag, e5 marshal, d5 captain, f5 captain, e4 lieutenant, e6 sergeant"
    calm = {choice(red, blue, seed) for seed in SEEDS}
    tired = {choice(red, blue, seed, calm=150) for seed in SEEDS}
    assert calm | tired <= set(own_moves(view_of(Table(red, blue), RED)))
    assert any(move.startswith("e6") for move in tired)


def test_an_agent_does_not_go_to_and_fro_for_ever() -> None:
    table = Table("a1 flag, b2 bomb, e5 marshal", "j10 flag, i10 bomb, j9 bomb, a10 major*")
    agent, other = Agent(Random(1)), Agent(Random(2))
    been = []
    for _ in range(24):
        move = str(agent.decide(view_of(table, RED)))
        been.append(move[2:])
        if table.play(move).ended:
            break
        table.play(str(other.decide(view_of(table, BLUE))))
        if table.state.ended:
            break
    assert max(map(been.count, been)) <= 6


def laid(seed: int) -> tuple[Agent, State, tuple[int, ...]]:
    """An agent that has just laid its army."""
    state = start(ARMIES["quickplay"], RED, 200)
    faces = ARMIES["quickplay"].faces
    agent = Agent(Random(seed))
    slots = tuple(slot(RED, k) for k in range(len(faces)))
    answer = agent.decide(View(RED, state, {}, Commit(RED, slots, faces, exactly=True)))
    assert isinstance(answer, tuple)
    return agent, state._replace(phase="squares"), answer


def squares(agent: Agent, state: State, faces: tuple[int, ...]) -> tuple[int, ...]:
    known = {slot(RED, k): face for k, face in enumerate(faces)}
    setup = agent.decide(View(RED, state, known, Choose(RED, Fillings(len(faces)))))
    assert setup in Fillings(len(faces))
    return filled(str(setup))


def test_an_agent_fills_the_squares_that_it_meant_its_army_for() -> None:
    for seed in SEEDS:
        agent, state, faces = laid(seed)
        assert soundness(of_answers(faces, squares(agent, state, faces))) > 0


def test_another_agent_can_take_over_between_army_and_squares() -> None:
    _, state, faces = laid(3)
    places = squares(Agent(Random(9)), state, faces)
    assert len(places) == len(set(places)) == len(faces)
    assert max(places) < PLACES


def test_another_agent_can_take_over_in_the_middle() -> None:
    table = Table(
        "a1 flag, b1 bomb, e4 major*, f4 scout, j2 spy*", "a10 flag, e7 sergeant*, f7 colonel, i9 miner*"
    )
    first = [Agent(Random(seat)) for seat in SEATS]
    for turn in range(6):
        table.play(str(first[turn % 2].decide(view_of(table, turn % 2))))
    if table.state.ended is None:
        view = view_of(table, table.state.seat)
        assert Agent(Random(5)).decide(view) in own_moves(view)
