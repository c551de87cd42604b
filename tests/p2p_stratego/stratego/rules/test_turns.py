"""A turn at a table with hidden faces: what is offered, opened and claimed, and what comes of it."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from p2p_stratego.core.game import Breach, Choose, Claim, Commit, OptionError, Outcome, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import HOME, NAMES
from p2p_stratego.stratego.rules.game import GAME, Fillings, Moves
from p2p_stratego.stratego.rules.movement import FALSE_NONE, RAN, WALKED, WRONG_ARMY
from p2p_stratego.stratego.rules.notation import fill
from p2p_stratego.stratego.rules.pieces import BOMB, FLAG, IMMOBILE, MINER, MOBILE, NO_SCOUT, SCOUT, SPY
from p2p_stratego.stratego.rules.repetition import Memory, past_of
from p2p_stratego.stratego.rules.state import State, slot
from p2p_stratego.stratego.rules.transitions import LONGEST
from tests.helpers.stratego.boards import Table, report


def won(seat: int, reason: str) -> Outcome:
    return Outcome(frozenset((seat,)), reason)


def caught(seat: int, rule: str) -> Outcome:
    return Outcome(frozenset((1 - seat,)), "cheated", Breach(seat, rule))


def started(**options: int | str) -> State:
    return drive(GAME.setup(2, GAME.options(options)), lambda _: None)


# Options


def test_the_options_are_completed_in_order() -> None:
    assert list(GAME.options({}).items()) == [
        ("army", "quickplay"),
        ("first", "red"),
        ("quiet", 200),
        ("shuttle", "letter"),
    ]
    chosen: dict[str, int | str] = {
        "quiet": 0,
        "army": "1-1-0-0-0-0-0-1-2-1-1-1",
        "shuttle": "tournament",
        "first": "blue",
    }
    assert list(GAME.options(chosen).items()) == [
        ("army", "barrage"),
        ("first", "blue"),
        ("quiet", 0),
        ("shuttle", "tournament"),
    ]


@pytest.mark.parametrize(
    "wanted",
    [
        {"wall": 4},
        {"army": "chess"},
        {"army": 40},
        {"first": "green"},
        {"first": 0},
        {"quiet": -1},
        {"quiet": 1001},
        {"quiet": True},
        {"quiet": "200"},
        {"shuttle": "Letter"},
        {"shuttle": 1},
    ],
)
def test_other_options_are_refused(wanted: dict[str, int | str]) -> None:
    with pytest.raises(OptionError, match=next(iter(wanted))):
        GAME.options(wanted)


def test_it_is_a_game_for_two() -> None:
    with pytest.raises(OptionError, match="two players"):
        drive(GAME.setup(3, {}), lambda _: None)


def test_a_return_match_has_the_same_options_with_the_seats_swapped() -> None:
    assert GAME.rematch({"first": "blue"}, started(first="blue")) == GAME.options({"first": "blue"})


# Setting up


def test_ranks_are_laid_before_anybody_sees_a_square() -> None:
    state = started(army="duel")
    turn = GAME.turn(state)
    both = next(turn)
    faces = ARMIES["duel"].faces
    assert both == Together(
        (
            Commit(0, tuple(range(10)), faces, exactly=True),
            Commit(1, tuple(range(40, 50)), faces, exactly=True),
        )
    )
    with pytest.raises(StopIteration) as stop:
        turn.send((None, None))
    assert (state.phase, stop.value.value.phase) == ("army", "squares")


def test_both_say_at_the_same_time_which_squares_they_fill() -> None:
    state = drive(GAME.turn(started(army="duel")), lambda _: None)
    asked = next(GAME.turn(state))
    assert asked == Together((Choose(0, Fillings(10)), Choose(1, Fillings(10))))
    red, blue = fill(range(10)), fill(range(30, 40))
    state = drive(GAME.turn(state), lambda _: (red, blue))
    assert state.phase == "play"
    assert {NAMES[square]: piece.slot for square, piece in state.pieces()} == {
        **{NAMES[HOME[0][k]]: slot(0, k) for k in range(10)},
        **{NAMES[HOME[1][30 + k]]: slot(1, k) for k in range(10)},
    }
    assert [piece.moved for _, piece in state.pieces()] == [False] * 20


def test_an_army_of_forty_leaves_nothing_to_choose() -> None:
    state = drive(GAME.turn(started(army="classic")), lambda _: None)
    assert state.phase == "play"
    assert sum(1 for _ in state.pieces()) == 80


def test_a_filling_is_any_choice_of_as_many_squares_as_there_are_pieces() -> None:
    two = Fillings(2)
    assert len(two) == 780
    listed = list(two)
    assert len(set(listed)) == 780
    assert all(rule in two for rule in listed)
    assert len(Fillings(20)) == 137_846_528_820
    anything: Collection[object] = two
    for wrong in ("squares 0000000001", "squares 00000000003", "squares 000000000G", "Squares 0000000003", 3):
        assert wrong not in anything


# What is offered


def test_a_closed_piece_may_be_moved_as_whatever_it_could_be() -> None:
    table = Table("a1 flag, e1 scout", "a10 flag, e10 scout")
    assert {"a1a2", "a1a9", "a1b1", "e1e2", "e1e9"} <= table.options
    assert "a1a10" in table.options
    assert {"e5e6", "a10a9", "a1a11", "b1c3", "zzzz"} & table.options == set()
    anything: Collection[object] = Moves(table.state)
    assert 7 not in anything


def test_nobody_jumps_once_all_scouts_are_known() -> None:
    table = Table("a1 flag, e1 scout, j4 miner", "a10 flag, e10 scout, j7 miner")
    table.play("e1e9", "a10b10")
    assert {move for move in table.options if move[:2] == "j4"} == {"j4j3", "j4j5", "j4i4"}


def test_what_never_moved_is_bomb_or_flag_once_there_are_no_more_left_than_these() -> None:
    table = Table("a1 flag, e1 miner, j4 bomb", "a10 flag, e10 scout, j7 miner")
    table.play("e1e2", "j7j6")
    assert table.options == {f"e2{target}" for target in ("d2", "f2", "e1", "e3")}


# No move


def test_none_is_not_offered_to_who_can_surely_move() -> None:
    table = Table("a1 flag, e1 miner*", "a10 flag, e10 scout")
    assert "none" not in table.options


def test_none_is_not_offered_if_more_pieces_are_free_than_can_be_bombs_and_flag() -> None:
    assert "none" not in Table("a4 flag, b4 scout, c4 bomb, e4 bomb", "a10 flag, e10 scout").options
    assert "none" in Table("a2 flag, b1 bomb, a1 scout, e4 bomb", "a10 flag, e10 scout").options


def test_a_true_none_claims_that_all_free_pieces_are_bombs_and_flag() -> None:
    table = Table("a2 flag, b1 bomb, a1 spy", "j10 flag, e9 scout*, e10 bomb")
    state = table.play("none")
    assert table.claims == [(FALSE_NONE, ("bomb", "flag"), IMMOBILE)]
    assert state.ended == won(1, "no-moves")
    assert report(state).result == "none"


def test_a_piece_that_only_a_scout_could_move_is_claimed_to_be_none() -> None:
    """A chase forbids a1a2.  Only if the piece, which never showed its rank, were a scout, a1a3 is left."""
    table = Table(
        "a1 miner*, b1 bomb, c1 flag, i1 bomb, j1 scout, j2 bomb", "b2 bomb, j10 flag, e10 scout*, e9 spy"
    )
    before = bytearray(table.state.board)
    before[0], before[10] = before[10], before[0]
    memory = Memory(((10, 0, 1, 0), (11, 12, 11)), (2, 0), past_of([bytes(before)]))
    table.state = table.state._replace(memory=memory)
    assert {"a1a3", "none"} <= table.options
    assert "a1a2" not in table.options
    table.play("none")
    assert table.claims == [
        (FALSE_NONE, ("bomb", "flag", "bomb", "bomb"), IMMOBILE),
        (FALSE_NONE, ("miner",), NO_SCOUT),
    ]


def test_who_cannot_surely_move_shows_by_moving_that_it_can() -> None:
    table = Table("a2 flag, b1 bomb, a1 spy", "j10 flag, i10 bomb, j9 miner")
    state = table.play("none")
    assert state.stuck
    assert state.ended is None
    assert state.seat == 1
    assert "none" in table.options
    state = table.play("j9j8")
    assert table.claims == [(WALKED, ("miner",), MOBILE)]
    assert state.ended == won(1, "no-moves")


def test_neither_can_move() -> None:
    table = Table("a2 flag, b1 bomb, a1 spy", "j9 flag, i10 bomb, j10 spy")
    state = table.play("none", "none")
    assert table.claims == [(FALSE_NONE, ("flag", "bomb"), IMMOBILE)]
    assert state.ended == Outcome(frozenset(), "draw")


def test_the_flag_counts_more_than_that_the_other_is_stuck() -> None:
    table = Table("j2 flag, i1 bomb, j1 spy", "j10 flag, i10 bomb, j9 bomb, i2 miner")
    assert table.play("none", "i2j2").ended == won(1, "flag")


# What is opened and claimed


def test_the_first_move_of_a_closed_piece_claims_that_it_is_neither_bomb_nor_flag() -> None:
    table = Table("a1 flag, e1 miner", "a10 flag, e10 scout")
    table.play("e1e2")
    assert table.asked[1:] == [Claim(0, WALKED, (slot(0, 1),), MOBILE)]
    table.play("e10e9", "e2e3")
    assert (table.claims, table.opened) == ([], [])


def test_a_long_move_opens_the_piece_as_a_scout() -> None:
    table = Table("a1 flag, e1 scout", "a10 flag, e10 scout")
    state = table.play("e1e4")
    assert (table.opened, table.claims) == (["scout"], [])
    assert report(state)[2:] == ("moved", None, None)
    table.play("e10e9", "e4e2")
    assert table.opened == []


def test_an_attack_opens_the_attacker_then_the_defender() -> None:
    table = Table("a1 flag, e5 miner", "a10 flag, e6 spy")
    state = table.play("e5e6")
    assert (table.opened, table.claims) == (["miner", "spy"], [])
    assert state.left == (bytes([1] + [0] * 11), bytes([1] + [0] * 11))
    assert state.unmoved == (1, 1)


def test_what_is_open_is_not_opened_again() -> None:
    table = Table("a1 flag, e5 miner, f5 spy", "a10 flag, e6 spy, f6 miner")
    table.play("e5e6", "f6e6")
    assert table.opened == ["miner"]


# Cheats that the table sees


def test_a_bomb_that_attacks_is_caught_before_anything_else_is_opened() -> None:
    table = Table("a1 flag, e5 bomb, j1 spy", "a10 flag, e6 spy, j10 spy")
    assert table.play("e5e6").ended == caught(0, WALKED)
    assert table.opened == ["bomb"]


def test_a_flag_that_moved_is_caught_when_it_is_attacked() -> None:
    table = Table("a1 flag, e5 miner", "e6 flag*, f10 spy")
    assert table.play("e5e6").ended == caught(1, WALKED)


def test_a_bomb_that_moved_is_caught_when_it_attacks_later() -> None:
    table = Table("a1 flag, e5 bomb*, j1 spy", "a10 flag, e6 spy")
    assert table.play("e5e6").ended == caught(0, WALKED)
    assert table.opened == ["bomb"]


@pytest.mark.parametrize(("name", "rule"), [("miner", RAN), ("bomb", WALKED), ("flag", WALKED)])
def test_who_runs_must_be_a_scout(name: str, rule: str) -> None:
    table = Table(f"a1 flag, e1 {name}, j1 scout", "a10 flag, e10 spy")
    assert table.play("e1e4").ended == caught(0, rule)
    assert table.state.at(NAMES.index("e1")) is not None


def test_a_runner_that_attacks_must_be_a_scout_too() -> None:
    table = Table("a1 flag, e1 miner, j1 scout", "a10 flag, e4 spy")
    assert table.play("e1e4").ended == caught(0, RAN)
    assert table.opened == ["miner"]


def test_more_of_a_kind_than_the_army_has_is_caught_when_it_is_opened() -> None:
    table = Table(
        "a1 flag, e5 marshal, f5 marshal", "a10 flag, e6 spy, f6 spy", should_be={0: "flag spy marshal"}
    )
    table.play("e5e6", "f6f5")
    assert table.state.ended == caught(0, WRONG_ARMY)
    table = Table(
        "a1 flag, e5 colonel, f5 marshal", "a10 flag, e6 spy, f6 spy", should_be={0: "flag spy marshal"}
    )
    assert table.play("e5e6").ended == caught(0, WRONG_ARMY)
    assert table.opened == ["colonel"]


# Calm


def test_after_so_many_moves_without_an_attack_it_is_a_draw() -> None:
    table = Table("a1 flag, e1 miner", "a10 flag, e10 miner", quiet=3)
    assert table.play("e1e2", "e10e9").ended is None
    assert table.play("e2e3").ended == Outcome(frozenset(), "quiet-draw")


def test_with_a_limit_of_nought_calm_never_ends_the_game() -> None:
    table = Table("a1 flag, e1 miner", "a10 flag, e10 miner", quiet=0)
    assert table.play("e1e2", "e10e9", "e2e3").ended is None


def test_the_longest_game_is_a_draw_unless_its_last_move_wins() -> None:
    table = Table("a1 flag, e1 miner", "a10 flag, e2 miner", quiet=0)
    table.state = table.state._replace(plies=LONGEST - 2)
    assert table.play("e1d1").ended is None
    assert table.play("e2e1").ended == Outcome(frozenset(), "long-draw")
    table = Table("a1 flag, e1 miner", "a10 flag, b10 miner, b1 scout", quiet=0)
    table.state = table.state._replace(plies=LONGEST - 2)
    assert table.play("e1d1", "b1a1").ended == Outcome(frozenset((1,)), "flag")


def test_who_shows_that_it_can_move_wins_however_calm_it_is() -> None:
    table = Table("a2 flag, b1 bomb, a1 spy", "j10 flag, i10 bomb, j9 miner", quiet=1)
    assert table.play("none", "j9j8").ended == won(1, "no-moves")


# What the state tells


def test_what_a_piece_can_still_be() -> None:
    table = Table("a1 flag, e5 miner, f5 spy, g4 bomb", "a10 flag, e6 spy, j10 scout, h10 bomb")
    table.play("e5e6", "j10j9")
    state = table.state
    could_be = {NAMES[square]: state.could_be(piece) for square, piece in state.pieces()}
    assert could_be["e6"] == {MINER}
    assert could_be["f5"] == could_be["a1"] == {FLAG, SPY, BOMB}
    assert could_be["j9"] == {SCOUT}  # blue has shown its spy, and what moves is neither bomb nor flag
    assert could_be["a10"] == could_be["h10"] == {FLAG, BOMB}
    assert state.lost == (b"", bytes([SPY]))


def test_states_are_values() -> None:
    table = Table("a1 flag, e1 miner", "a10 flag, e10 miner").play("e1e2", "e10e9")
    two = Table("a1 flag, e1 miner", "a10 flag, e10 miner").play("e1e2", "e10e9")
    assert table == two
    assert len({table, two}) == 1
    assert table != Table("a1 flag, e1 miner", "a10 flag, e10 miner").play("e1e2", "e10f10")
