"""A player leaves: at set-up, in its own turn, as defender, as captor, with an answer owed."""

from __future__ import annotations

from p2p_stratego.conquest.rules.draft import picker
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, State
from p2p_stratego.core.game import Ask, Choose, Outcome, Together
from p2p_stratego.core.rulebook import drive
from tests.helpers.conquest.acts import Acts

THREE = {
    "red": {"a1": "flag", "a2": "duke"},
    "blue": {"a3": "count", "b2": "flag", "b3": "spy"},
    "green": {"g3": "flag", "g4": "duke"},
}


def begun(seats: int) -> State:
    return drive(GAME.setup(seats, GAME.options({})), lambda _: 1)


def test_before_its_army_is_placed_its_picks_fall_away_and_its_territories_stay_empty() -> None:
    """Also those that nobody came to take: the others take no more than their own share."""
    state, asked = begun(3), list[int]()

    def answer(ask: Ask) -> object:
        if isinstance(ask, Together):
            assert [part.seat for part in ask.asks] == [0, 2]
            return tuple(next(iter(part.options)) if isinstance(part, Choose) else None for part in ask.asks)
        assert isinstance(ask, Choose)
        asked.append(ask.seat)
        return next(iter(ask.options))

    for _ in range(5):
        state = drive(GAME.turn(state), answer)
    state = drive(GAME.gone(state, 1), answer)
    while state.phase in ("draft", "army", "zones"):
        state = drive(GAME.turn(state), answer)
    assert [state.taken.count(seat) for seat in (0, 1, 2)] == [8, asked.count(1), 8]
    assert asked.count(1) < 8
    assert [len(state.zones_held(seat)) for seat in (0, 1, 2)] == [18, 0, 18]
    assert state.flags == (ON_BOARD, LOST, ON_BOARD)
    assert all(
        state.territories[place] is None for place, owner in enumerate(state.taken) if owner in (1, None)
    )
    assert state.seat != 1


def test_the_starter_leaves_before_the_first_turn_and_the_next_one_begins() -> None:
    state = begun(4)
    first = state.first

    def answer(ask: Ask) -> object:
        return next(iter(ask.options)) if isinstance(ask, Choose) else None

    while state.phase != "army":
        state = drive(GAME.turn(state), answer)
    state = drive(GAME.turn(state), answer)  # four fill all they have, unasked: the starter has gone by now
    state = drive(GAME.gone(state, first), answer)
    assert (state.seat, state.turn, state.round) == ((first + 1) % 4, 1, 1)
    assert state.zones_held(first) == ()


def test_the_draft_goes_clockwise_and_back() -> None:
    state = begun(3)
    order = [picker(state, number) for number in range(12)]
    first, two, three = order[:3]
    assert {first, two, three} == {0, 1, 2}
    assert two == (first + 1) % 3
    assert order == [first, two, three, three, two, first] * 2


def test_later_all_its_pieces_leave_board_and_bag_unopened_and_its_flag_is_gone() -> None:
    acts = Acts(THREE, {"blue": ["queen"]})
    acts.leave("blue")
    assert set(acts.board) == {"a1", "a2", "g3", "g4"}
    assert acts.bag("blue") == []
    assert acts.state.flags == (ON_BOARD, LOST, ON_BOARD)
    assert acts.state.status[1] == "gone"
    assert acts.kinds == []
    assert acts.state.seat == 0


def test_the_count_of_the_turn_that_begins_is_made_anew() -> None:
    acts = Acts(
        {**THREE, "red": {"a1": "flag", "c1": "duke"}, "blue": {"b1": "count", "b2": "flag"}}, due=True
    )
    assert (acts.state.due, acts.state.moves) == (0, 1)
    acts.leave("blue")
    assert (acts.state.due, acts.state.moves) == (1, 2)  # Mammoth Bay is red's alone now


def test_moves_and_cards_stay_once_the_turn_has_begun() -> None:
    acts = Acts(
        {**THREE, "red": {"a1": "flag", "c1": "duke"}, "blue": {"b1": "count", "b2": "flag"}}, cards=["blitz"]
    )
    acts.act("play blitz")
    acts.leave("blue")
    assert (acts.state.phase, acts.state.moves) == ("move", 3)


def test_flags_that_it_had_captured_come_back_to_owners_still_in_in_seat_order() -> None:
    acts = Acts({**THREE, "yellow": {"l1": "flag", "l2": "duke"}})
    board = tuple(
        None if piece and acts.faces[piece.slot] == 11 and piece.seat != 1 else piece
        for piece in acts.state.board
    )
    slots = (0, None, 36, 54)
    acts.state = acts.state._replace(
        flags=(1, ON_BOARD, 1, 1), flag_slots=slots, board=board, status=("in", "in", "in", "out")
    )
    acts.leave("blue", "flag b2", "flag a3")
    assert [(type(ask), ask.seat) for ask in acts.asks if isinstance(ask, Choose)] == [
        (Choose, 0),
        (Choose, 2),
    ]
    assert (acts.board["b2"], acts.board["a3"]) == ("red flag!", "green flag!")
    assert acts.state.flags == (ON_BOARD, LOST, ON_BOARD, LOST)  # yellow was out


def test_its_flag_stays_with_its_captor() -> None:
    acts = Acts(THREE)
    acts.act("a2a3")
    acts.state = acts.state._replace(flags=(ON_BOARD, 2, ON_BOARD), flag_slots=(None, 19, None), seat=0)
    acts.leave("blue")
    assert acts.state.flags == (ON_BOARD, 2, ON_BOARD)


def test_with_one_flag_left_its_owner_wins() -> None:
    acts = Acts(THREE)
    acts.state = acts.state._replace(flags=(ON_BOARD, ON_BOARD, 0))
    acts.leave("blue")
    assert acts.state.ended is not None
    assert acts.state.ended == Outcome(frozenset({0}), "flag")


def test_in_its_own_turn_what_is_left_of_it_is_dropped() -> None:
    acts = Acts(THREE, cards=["traitor"])
    acts.gone.add(0)
    acts.act()
    assert acts.kinds == ["Choose"]
    acts.leave("red")
    assert acts.state.seat == 1
    assert list(acts.state.drawn) == []
    assert not acts.state.pile.traitor_last  # put away with the Traitor among them


def test_a_piece_drawn_and_not_placed_goes_with_the_others() -> None:
    acts = Acts(THREE, {"red": ["queen", "baron"]}, cards=["surprise"])

    turn = GAME.turn(acts.state)
    turn.send(None)
    turn.send("play surprise")
    turn.send(None)  # mixed
    ask = turn.send(0)  # rolled
    assert isinstance(ask, Choose)
    try:
        turn.send(None)
    except StopIteration as end:
        acts.state = end.value
    assert len(list(acts.state.live(0))) == 4  # one of them in the hand
    after = acts.leave("red")
    assert after.hand is None
    assert list(after.live(0)) == []


def test_as_defender_its_zone_counts_as_free_and_the_attacker_steps_in_open() -> None:
    acts = Acts(THREE)
    acts.gone.add(1)
    acts.act("a2a3")
    assert acts.events == ["walked-in"]
    assert acts.board["a3"] == "red duke!"
    acts.leave("blue")
    assert acts.board["a3"] == "red duke!"


def test_an_open_to_nothing_is_seen() -> None:
    acts = Acts({**THREE, "red": {**THREE["red"], "h1": "spy"}}, cards=["secret"])
    acts.gone.add(1)
    acts.act("play secret", "look b2 b3")
    assert acts.kinds == ["Choose", "Choose", "OpenTo", "OpenTo"]


def test_a_yes_or_no_to_the_traitor_no() -> None:
    acts = Acts(THREE, cards=["traitor"])
    acts.gone.add(1)
    acts.act("play traitor", "accuse a3 count")
    assert acts.events == ["played", "missed"]
    assert acts.board["a3"] == "blue count"
    assert acts.kinds == ["Choose", "Choose", "Choose"]


def test_who_wins_its_flag_back_and_leaves_has_none() -> None:
    acts = Acts(THREE)
    board = tuple(None if piece and piece.slot == 0 else piece for piece in acts.state.board)
    acts.state = acts.state._replace(flags=(2, ON_BOARD, ON_BOARD), flag_slots=(0, None, None), board=board)
    acts.state = drive(GAME.gone(acts.state, 2), lambda _: None)
    assert acts.state.flags == (LOST, ON_BOARD, LOST)
