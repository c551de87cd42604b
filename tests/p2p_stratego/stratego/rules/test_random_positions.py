"""The fast rules and the naive ones agree on thousands of positions, and on games with hidden faces."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from p2p_stratego.stratego.rules.movement import can_move, closed_reach, illegal, legal, own_reach
from p2p_stratego.stratego.rules.notation import move as written
from p2p_stratego.stratego.rules.state import Report, State
from p2p_stratego.stratego.rules.transitions import moved
from tests.helpers.machine.examples import runs
from tests.helpers.stratego.boards import Table, squares_of
from tests.helpers.stratego.naive import Naive, position
from tests.helpers.stratego.walks import choose, naive_of, set_up, setup_of, skirmish, start

POSITIONS = runs(25_000, 200_000)
CHUNKS = 5
LONGEST = 80


def compare(random: Random, count: int) -> Counter[str | None]:
    """Walk through `count` positions in both; how often each rule forbade a move, None being legal ones."""
    met: Counter[str | None] = Counter()
    while count > 0:
        state = start(random)
        slow = naive_of(state)
        for _ in range(LONGEST):
            count -= 1
            moves = agreed(state, slow, met)
            agreed_on_any(state, slow, random)
            if not moves:
                break
            move = choose(random, state, moves)
            state = moved(state, move)
            assert report_of(state).result == slow.play(move)
            if state.ended is not None:
                break
    return met


def agreed(state: State, slow: Naive, met: Counter[str | None]) -> list[str]:
    """The legal moves, on which both agree, as they do on why others are not."""
    reach = closed_reach(state.seat, 0)
    moves = legal(state, reach)
    judged = slow.judged()
    met.update(judged.values())
    assert len(set(moves)) == len(moves)
    assert set(moves) == {move for move, rule in judged.items() if rule is None}
    assert can_move(state, reach) == bool(moves)
    for move, rule in judged.items():
        if rule is not None:
            assert illegal(state, move, reach) == rule
    return moves


def agreed_on_any(state: State, slow: Naive, random: Random) -> None:
    """Both give the same reason, if any, against some move that somebody might write down."""
    own = squares_of(state.board, state.seat)
    source = random.choice(own) if random.random() < 0.9 else random.randrange(100)
    across = random.choice(
        [10 * random.randrange(10) + source % 10, source // 10 * 10 + random.randrange(10)]
    )
    tried = written(source, across if random.random() < 0.9 else random.randrange(100))
    assert illegal(state, tried, closed_reach(state.seat, 0)) == slow.rule(tried)


def report_of(state: State) -> Report:
    assert state.report is not None
    return state.report


@pytest.mark.parametrize("seed", range(CHUNKS))
def test_fast_and_naive_rules_agree(seed: int) -> None:
    met = compare(Random(seed), POSITIONS // CHUNKS)
    assert met["two-squares"] > 10
    assert met["scout-line"] > 10
    assert met["pursuit"] > 10


@pytest.mark.parametrize("seed", range(6))
def test_fast_and_naive_rules_agree_where_faces_are_hidden(seed: int) -> None:
    """Whoever knows its own pieces finds the same legal moves, and the table offers them all."""
    random = Random(seed)
    met: Counter[str | None] = Counter()
    for _ in range(runs(20, 100)):
        pieces = skirmish(random) if random.random() < 0.8 else set_up(random, "quickplay")
        slow = position(setup_of(pieces))
        slow.opened.clear()
        red, blue = (", ".join(map(" ".join, side.items())) for side in setup_of(pieces).values())
        table = Table(red, blue)
        for _ in range(LONGEST):
            state = table.state
            moves = legal(state, own_reach(state.seat, table.faces))
            judged = slow.judged()
            met.update(judged.values())
            assert set(moves) == {move for move, rule in judged.items() if rule is None}
            assert set(moves) <= table.options
            if not moves or random.random() < 0.01:
                break
            choice = choose(random, state, moves)
            assert report_of(table.play(choice)).result == slow.play(choice)
            if table.state.ended is not None:
                break
        if not slow.legal() and table.state.ended is None:
            assert "none" in table.options
    assert met["two-squares"] > 10
    assert met["pursuit"] > 0
