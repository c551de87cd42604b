"""What a seat reads off its view, and that nothing in it comes from the other's closed pieces."""

from __future__ import annotations

from p2p_stratego.core.view import View
from p2p_stratego.stratego.rules.board import SQUARE_NAMED
from p2p_stratego.stratego.rules.observation import could_be, own_moves
from p2p_stratego.stratego.rules.pieces import BOMB, FLAG, MINER, SCOUT, SPY
from p2p_stratego.stratego.rules.state import State, slot
from tests.helpers.stratego.boards import Table


def view(table: Table, seat: int) -> View[State]:
    own = {name: face for name, face in table.faces.items() if name // slot(1, 0) == seat}
    return View(seat, table.state, own, table.ask)


def test_a_seat_moves_its_own_pieces_as_what_they_are() -> None:
    table = Table("a1 flag, e1 miner, j1 scout, h1 bomb", "a10 flag, e10 spy")
    own = own_moves(view(table, 0))
    assert {move for move in own if move[:2] != "j1"} == {"e1d1", "e1f1", "e1e2"}
    assert {"j1j10", "j1i1"} <= set(own)
    assert set(own) < table.options


def test_who_cannot_move_has_that_to_say() -> None:
    assert own_moves(view(Table("a2 flag, b1 bomb, a1 spy", "j10 flag, e9 spy"), 0)) == ["none"]


def test_a_seat_knows_its_own_pieces_and_of_others_what_everybody_can_tell() -> None:
    table = Table("a1 flag, e5 miner, h1 bomb", "a10 flag, e6 spy, f8 scout, h10 bomb")
    table.play("e5e6", "f8f7")
    red, blue = view(table, 0), view(table, 1)
    of_red = {square: could_be(red, SQUARE_NAMED[square]) for square in ("a1", "h1", "e6", "f7", "a10", "b2")}
    assert of_red == {
        "a1": {FLAG},
        "h1": {BOMB},
        "e6": {MINER},
        "f7": {SCOUT},
        "a10": {FLAG, BOMB},
        "b2": frozenset(),
    }
    assert could_be(blue, SQUARE_NAMED["a1"]) == {FLAG, BOMB}
    assert could_be(blue, SQUARE_NAMED["a10"]) == {FLAG}
    assert SPY not in could_be(red, SQUARE_NAMED["h10"])
