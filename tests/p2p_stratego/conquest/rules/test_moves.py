"""Who moves where: steps, runs, the charge, mountains, and what is offered of closed pieces."""

from __future__ import annotations

from p2p_stratego.conquest.formats.narration import step
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, ZONES
from p2p_stratego.conquest.rules.notation import move
from p2p_stratego.conquest.rules.state import Piece
from p2p_stratego.core.game import Claim, Open
from tests.helpers.conquest.acts import Acts

BLUE = {"l6": "flag"}


def moves(acts: Acts, source: str) -> list[str]:
    """Where the rules let the piece on `source` go, by what all see."""
    return [move[2:] for move in acts.offered if move[:2] == source and len(move) == 4]


def opened(acts: Acts, zone: str) -> Acts:
    """The piece on a zone is open to all."""
    state, piece = acts.state, acts.at(zone)
    board = tuple(
        cell._replace(face=acts.faces[cell.slot]) if cell is not None and cell.slot == piece.slot else cell
        for cell in state.board
    )
    acts.state = state._replace(board=board)
    return acts


def test_an_open_piece_steps_to_free_or_enemy_neighbours_only() -> None:
    acts = Acts({"red": {"b2": "duke", "b3": "flag"}, "blue": {"a2": "spy", "l6": "flag"}})
    assert moves(opened(acts, "b2"), "b2") == ["a2", "b1", "c2"]  # b3 is its own side's


def test_nothing_moves_across_a_mountain() -> None:
    acts = Acts({"red": {"d2": "duke", "a1": "flag"}, "blue": BLUE})
    assert moves(opened(acts, "d2"), "d2") == ["c2", "d1", "d3"]  # d2|e2


def test_open_fixed_pieces_never_move() -> None:
    acts = Acts({"red": {"d2": "cursed", "a1": "flag", "f4": "duke"}, "blue": BLUE})
    assert moves(opened(opened(acts, "d2"), "a1"), "d2") == []
    assert moves(acts, "a1") == []


def test_a_closed_piece_is_offered_steps_and_runs() -> None:
    acts = Acts({"red": {"a1": "flag"}, "blue": BLUE})
    assert len(moves(acts, "a1")) == 72 - 2  # the whole map is free, but for itself and the enemy


def test_a_run_goes_over_free_zones_round_corners() -> None:
    acts = Acts({"red": {"a1": "scout", "a2": "duke", "b3": "flag"}, "blue": BLUE})
    acts.act("a1c2")  # by b1 and b2, or c1
    assert acts.events == ["ran"]
    assert acts.board["c2"] == "red scout!"


def test_of_a_scout_that_is_open_nobody_is_told_again_what_it_is() -> None:
    acts = Acts({"red": {"a1": "scout", "b3": "flag"}, "blue": BLUE | {"l5": "duke"}})
    people = ("Ada", "Ben")
    assert step(None, acts.act("a1c2"), people)[0] == "Ada runs from a1 to c2: it is a Scout (2)."
    acts.act("l5l4")
    assert step(None, acts.act("c2a1"), people)[0] == "Ada runs from c2 to a1."


def test_a_run_needs_a_way_over_free_zones() -> None:
    acts = Acts({"red": {"a1": "scout", "a2": "duke", "b1": "flag"}, "blue": BLUE})
    assert moves(acts, "a1") == []


def test_a_step_keeps_a_scout_hidden() -> None:
    acts = Acts({"red": {"a1": "scout", "a6": "flag"}, "blue": BLUE})
    acts.act("a1a2")
    assert acts.events == ["moved"]
    assert acts.board["a2"] == "red scout"


def test_a_run_ends_on_a_free_zone_and_under_charge_also_on_an_enemy() -> None:
    setup = {"red": {"a1": "scout", "a6": "flag"}, "blue": {"d3": "spy", "l6": "flag"}}
    assert "d3" not in moves(Acts(setup), "a1")
    charging = Acts(setup, scout="charge")
    assert "d3" in moves(charging, "a1")
    charging.act("a1d3")
    assert charging.kinds == ["Choose", "Open", "Open"]
    assert charging.board["d3"] == "red scout!"


def test_a_charge_needs_a_free_zone_next_to_the_enemy() -> None:
    walls = {"b1": "duke", "a2": "count"}
    acts = Acts(
        {"red": {"a1": "scout", "a6": "flag", **walls}, "blue": {"c1": "spy", "l6": "flag"}}, scout="charge"
    )
    assert moves(acts, "a1") == []


def test_the_first_step_of_a_closed_piece_is_claimed_to_be_of_one_that_moves() -> None:
    acts = Acts({"red": {"a1": "duke", "a6": "flag"}, "blue": BLUE})
    acts.act("a1a2")
    assert acts.asks[1:] == [Claim(0, "fixed-piece-moved", (0,), frozenset(range(1, 11)))]
    assert acts.at("a2").stepped
    acts.act(next(move for move in acts.offered if move == "none"))  # blue: its flag has nowhere to step from
    acts.act("a2a3")
    assert acts.kinds == ["Choose"]


def test_an_attack_and_a_run_open_instead_of_claiming() -> None:
    acts = Acts({"red": {"a1": "scout", "a6": "flag"}, "blue": {"a2": "king", "l6": "flag"}})
    acts.act("a1a2")
    assert acts.asks[1:] == [Open(0), Open(18)]


def test_none_only_as_the_first_and_not_while_an_open_piece_can_step() -> None:
    acts = Acts({"red": {"a1": "duke", "a6": "flag"}, "blue": BLUE})
    assert "none" in acts.offered
    assert "stop" not in acts.offered
    assert "none" not in opened(acts, "a1").offered


def test_none_claims_that_all_closed_pieces_with_a_neighbour_to_go_to_are_fixed() -> None:
    acts = Acts({"red": {"a1": "cursed", "a2": "cursed", "b1": "flag"}, "blue": {**BLUE, "d4": "duke"}})
    acts.act("none")
    assert acts.asks[1:] == [
        Claim(0, "false-no-move", (1, 2), frozenset({0, 11}))
    ]  # a1 has no free neighbour
    assert acts.events == ["none"]
    assert acts.state.seat == 1


def test_stop_from_the_second_move_on_and_any_piece_may_move_again() -> None:
    acts = Acts({"red": {"b1": "duke", "a6": "flag", "c1": "spy"}, "blue": BLUE})
    assert acts.state.moves == 2  # the city Mammoth Bay
    acts.act("b1b2")
    assert "stop" in acts.offered
    assert "none" not in acts.offered
    assert "b2b3" in acts.offered
    acts.act("stop")
    assert acts.state.seat == 1


def test_every_neighbour_can_be_stepped_to_from_anywhere() -> None:
    for zone in ZONES:
        acts = Acts({"red": {"a1": "flag"}, "blue": {"l6": "flag"}, "green": {"f3": "flag"}})
        board: list[Piece | None] = [None] * 72
        board[zone] = acts.at("a1")._replace(face=7)
        acts.state = acts.state._replace(board=tuple(board))
        assert [move for move in acts.offered if len(move) == 4 and move != "none"] == [
            move(zone, other) for other in NEIGHBOURS[zone]
        ]
