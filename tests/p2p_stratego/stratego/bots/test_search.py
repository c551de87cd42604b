"""The search on sampled worlds: it draws what can be, leaves no trace, and cuts nothing that matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf
from random import Random

import pytest

from p2p_stratego.core.game import Choose, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, make_bot
from p2p_stratego.stratego.bots import marshal
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.lookahead import search
from p2p_stratego.stratego.bots.lookahead.search import Search
from p2p_stratego.stratego.bots.lookahead.world import FACE_OF
from p2p_stratego.stratego.bots.marshal import Marshal
from p2p_stratego.stratego.bots.position import Picture
from p2p_stratego.stratego.bots.recruit import Recruit
from p2p_stratego.stratego.rules.board import SQUARE_NAMED
from p2p_stratego.stratego.rules.cells import SLOTS, UNMOVED
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import FACES, FLAG
from p2p_stratego.stratego.rules.state import State
from tests.helpers.stratego.boards import position


def views(army: str, seed: int, number: int) -> Iterator[View[State]]:
    """Positions of a game in which the player to move has a choice."""
    seen = list[View[State]]()

    class Seen(Recruit):
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if view.state.phase == "play":
                seen.append(view)
            return super().decide(view)

    played = play(GAME, [Seen(Random(seed)), Seen(Random(seed + 1))], {"army": army}, Random(seed))
    for view in Random(seed).sample(seen, number):
        known = {slot: face for slot, face in played.faces.items() if slot // SLOTS == view.seat}
        alone = View(view.seat, view.state, known)
        if len(own_moves(alone)) > 1:
            yield alone


def searching(view: View[State], seed: int = 1) -> Search:
    picture = Picture(view, {})
    return Search(picture, Weigher(picture), Random(seed))


class Plain(Search):
    """The same without the cuts of alpha-beta: it tries everything."""

    def value(self, side: int, depth: int, _alpha: float, _beta: float) -> float:
        return super().value(side, depth, -inf, inf)


@pytest.mark.parametrize(("army", "number"), [("classic", 4), ("barrage", 6), ("duel", 6)])
def test_a_world_holds_the_faces_that_are_left_and_trying_a_move_leaves_no_trace(
    army: str, number: int
) -> None:
    for view in views(army, 3, number):
        looking, state = searching(view), view.state
        world = looking.world
        world.lay(looking.drawn())
        closed = Counter(FACE_OF[world.codes[piece]] for piece in world.hidden)
        assert closed == Counter({face: left for face, left in enumerate(state.left[1 - view.seat]) if left})
        before = (world.codes.copy(), world.where.copy(), world.at.copy(), world.score)
        for move in own_moves(view)[:3]:
            assert abs(looking.tried(move)) < 1000
            assert (world.codes, world.where, world.at, world.score) == before


@pytest.mark.parametrize("army", ["barrage", "duel"])
def test_alpha_beta_finds_what_trying_everything_finds(army: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ATTACKS", 1)
    for view in views(army, 5, 2):
        picture, moves = Picture(view, {}), own_moves(view)
        points = [
            looking.points(moves, 0)
            for looking in (kind(picture, Weigher(picture), Random(4)) for kind in (Search, Plain))
        ]
        assert points[0] == pytest.approx(points[1])


def test_the_score_is_kept_as_it_would_be_counted_afresh() -> None:
    [view, *_] = views("classic", 7, 3)
    looking, lots = searching(view), Random(2)
    world = looking.world
    world.lay(looking.drawn())
    for ply in range(30):
        moves = world.moves(ply % 2, attacks=False)
        _, piece, target = lots.choice(moves)
        world.make(piece, target)
        standing = [piece for piece, square in enumerate(world.where) if square >= 0]
        counted = sum(world.values[world.codes[piece]][world.where[piece]] for piece in standing)
        assert world.score == pytest.approx(counted)
        assert sorted(place for place in world.at if place >= 0) == standing


def test_the_same_chance_finds_the_same() -> None:
    for view in views("quickplay", 2, 2):
        moves = own_moves(view)
        once, again = (searching(view).points(moves, 1) for _ in range(2))
        assert once == again
        assert once.keys() == set(moves)
        assert max(once.values()) > -inf


def test_of_two_captures_it_takes_the_one_that_is_not_taken_back() -> None:
    view = View(0, position("a1 flag, e5 general", "e6 major, f5 major, e7 marshal, j10 flag"), {})
    points = searching(view).points(own_moves(view), 500)
    assert max(points, key=points.__getitem__) == "e5f5"


def test_where_every_move_takes_the_flag_it_ends() -> None:
    """No other position is seen there: it looked for ever."""
    state = position("a1 flag, j9 scout, i10 miner", "j10 flag, a9 captain")
    board, left = bytearray(state.board), bytearray(len(FACES))
    board[SQUARE_NAMED["j10"]], left[FLAG] = UNMOVED + SLOTS, 1
    closed = state._replace(board=bytes(board), left=(state.left[0], bytes(left)), unmoved=(0, 1))
    assert Marshal(Random(1)).decide(View(0, closed, {}, Choose(0, ("j9j10", "i10j10")))) in (
        "j9j10",
        "i10j10",
    )


def test_with_time_it_looks_one_move_farther() -> None:
    view = View(0, position("a1 flag, e4 marshal, a9 scout", "a10 flag, b10 captain, b3 major"), {})
    times = (0, search.DEEPER - 1, search.DEEPER)
    usual, same, farther = (searching(view).points(own_moves(view), nodes) for nodes in times)
    assert usual == same != farther


def test_a_player_says_how_long_a_bot_that_looks_ahead_thinks() -> None:
    assert {level for entry in ENTRIES.values() for level in entry.thinkers} == {"marshal"}
    made = [make_bot("stratego", "marshal", Random(1), think) for think in (None, 20)]
    usual, less = (bot.positions for bot in made if isinstance(bot, Marshal))
    assert (usual, less) == (marshal.THINK * marshal.POSITIONS, 20 * marshal.POSITIONS)
    assert make_bot("stratego", "agent", Random(1), 20)
