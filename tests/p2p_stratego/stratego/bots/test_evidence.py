"""What the conduct of closed pieces says of their faces: what is noted, and how the fitted weights fare."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from random import Random

import pytest

from benchmarks.bots import evidence as fitting
from benchmarks.bots import network as network_fit
from benchmarks.bots.fitting import TEST
from benchmarks.bots.network import written
from p2p_stratego.stratego.bots import evidence
from p2p_stratego.stratego.bots.beliefs import even_chances
from p2p_stratego.stratego.bots.evidence import BLOCKS, EVENTS, LEAST, ROWS, Evidence, Mark
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import SQUARE_NAMED
from p2p_stratego.stratego.rules.pieces import (
    BLUE,
    CAPTAIN,
    FACES,
    GENERAL,
    SERGEANT,
)
from p2p_stratego.stratego.rules.state import slot
from tests.helpers.machine.examples import runs
from tests.helpers.stratego.boards import Table


def watched(red: str, blue: str, *steps: str) -> tuple[Evidence, Table]:
    """The evidence about blue after some moves, red's first, as red gathers it when its turn comes."""
    table, facts = Table(red, blue), Evidence(BLUE)
    facts.watch(table.state)
    for number, move in enumerate(steps, 1):
        table.play(move)
        if not number % 2:
            facts.watch(table.state)
    return facts, table


def marks(red: str, blue: str, *steps: str) -> dict[str, Mark]:
    """By square: what is noted about blue's closed pieces."""
    facts, table = watched(red, blue, *steps)
    by_square = dict(facts.marks(table.state))
    return {name: by_square[square] for name, square in SQUARE_NAMED.items() if square in by_square}


def noted(mark: Mark) -> set[str]:
    """The names of the rows that hold for a piece, and its events: "met captain"."""
    names = [*ROWS, *(f"{event} {foe}" for event in EVENTS for foe in FACES)]
    return {names[number] for number in mark.rows}


PIECES = ("a1 flag, e6 captain*, a4 scout", "e7 scout, g8 general*, b10 flag")
"""The captain opens itself on e7; then blue's general stands two steps from it."""


def test_a_piece_is_noted_to_go_up_to_an_open_enemy_and_to_run_from_it() -> None:
    near = marks(*PIECES, "e6e7", "g8f8")["f8"]
    met = marks(*PIECES, "e6e7", "g8f8", "a4a5", "f8e8")["e8"]
    ran = marks(*PIECES, "e6e7", "g8f8", "a4a5", "f8e8", "a5a6", "e8d8")["d8"]
    assert f"near {CAPTAIN}" in noted(near)
    assert f"met {CAPTAIN}" in noted(met) - noted(near)
    assert f"ran {CAPTAIN}" in noted(ran) - noted(met)


def test_a_piece_that_leaves_an_open_enemy_alone_is_noted_each_time_up_to_a_bound() -> None:
    pieces = ("a1 flag, e6 captain*, a4 scout", "e7 scout, e8 bomb, b10 flag, j7 miner*")
    steps = ["e6e7", "j7j6"]
    spared = len(ROWS) + len(FACES) * EVENTS.index("spared") + CAPTAIN
    for turn in range(8):
        assert marks(*pieces, *steps)["e8"].rows.count(spared) == min(turn + 1, evidence.MOST_SEEN)
        steps += [("a4a5", "a5a6", "a6a5", "a5a4")[turn % 4], ("j6j5", "j5j4", "j4j5", "j5j6")[turn % 4]]


def test_where_a_piece_was_laid_is_kept_when_it_moves_and_unknown_if_nobody_watched() -> None:
    mark = marks("a1 flag, a4 captain", "e7 marshal, b10 flag", "a4a5", "e7e6")["e6"]
    assert mark.moved
    assert mark.place == 35
    assert {"moves 1", "moved as number 1"} <= noted(mark)
    unknown = marks("a1 flag, a4 captain", "e6 marshal*, e7 scout*, b10 flag")
    assert unknown["e6"].place is unknown["e7"].place is None
    assert unknown["b10"].place == 8


def test_red_and_blue_are_noted_alike() -> None:
    table, facts = Table("j7 marshal, b10 flag", "a1 flag"), Evidence(0)
    facts.watch(table.state)
    assert noted(dict(facts.marks(table.state))[SQUARE_NAMED["j7"]]) >= {"row 6"}
    assert noted(marks("a1 flag", "a4 marshal, b10 flag")["a4"]) >= {"row 6"}


def test_who_goes_up_to_an_open_piece_is_likelier_to_beat_it() -> None:
    facts, table = watched(*PIECES, "e6e7", "g8f8", "a4a5", "f8e8")
    leaning = facts.leanings(table.state)[slot(BLUE, 1)]
    before, then = watched(*PIECES, "e6e7", "g8f8")
    earlier = before.leanings(then.state)[slot(BLUE, 1)]
    assert leaning[GENERAL] / leaning[SERGEANT] > earlier[GENERAL] / earlier[SERGEANT]


def test_every_closed_piece_leans_within_bounds_and_no_open_one_does() -> None:
    for army in ("quickplay", "barrage", "duel"):
        game = fitting.watched(army, 3)
        facts = Evidence(BLUE)
        for state in game.states:
            if state.seat == 0:
                facts.watch(state)
                leanings = facts.leanings(state)
                closed = {p.slot for _, p in state.pieces() if p.seat == BLUE and p.slot is not None}
                assert leanings.keys() == closed
                assert all(LEAST <= weight <= 1 == max(row) for row in leanings.values() for weight in row)


def test_evidence_from_the_middle_of_a_game_on_is_evidence_too() -> None:
    game = fitting.watched("quickplay", 5)
    states = [state for state in game.states if state.seat == 0]
    late = Evidence(BLUE)
    for state in states[len(states) // 2 :]:
        late.watch(state)
        assert late.leanings(state).keys() == {mark.slot for _, mark in late.marks(state)}
    unwatched = Evidence(BLUE)
    assert unwatched.leanings(states[0])


def test_the_networks_are_small_numbers_in_a_small_file() -> None:
    assert Path(evidence.__file__).with_suffix(".json").stat().st_size < 500_000
    for name in fitting.SHARES:
        network = evidence.fitted(ARMIES[name])
        assert len(network.rows) == len(ROWS) + len(EVENTS) * len(FACES)
        hidden = len(network.bias) - len(FACES)
        assert {len(row) for row in (*network.rows, *network.scene)} == {len(FACES) + hidden}
        assert {len(row) for row in (*network.straight, *network.mixed)} == {len(BLOCKS) * len(FACES)}
        assert len(network.mixed) == hidden
        assert {len(row) for row in network.out} == {hidden}
        numbers = [
            number for rows in (*network[:2], *network[3:], [network.bias]) for row in rows for number in row
        ]
        assert all(isfinite(number) and abs(number) < 20 for number in numbers)
    assert evidence.fitted(ARMIES["duel"]) == evidence.fitted(ARMIES["barrage"])


@pytest.mark.parametrize(
    ("army", "games"), [("quickplay", runs(2, 8)), ("barrage", runs(6, 24)), ("classic", runs(1, 4))]
)
def test_beliefs_by_evidence_beat_the_agents_on_styles_that_the_fit_never_saw(army: str, games: int) -> None:
    samples = [sample for seed in range(games) for sample in fitting.samples(army, TEST + 500 + seed)]
    assert {sample.style for sample in samples} <= {style.name for style in fitting.HELD}
    networks = {ARMIES[army].size: evidence.fitted(ARMIES[army])}
    counts, agent, new = fitting.losses(
        samples,
        (
            fitting.by_counts,
            lambda sample: sample.conduct,
            lambda sample: fitting.by_evidence(networks, sample),
        ),
    )
    assert new < 0.97 * agent
    assert new < 0.93 * counts


def test_a_fit_learns_the_games_that_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"EPOCHS": 12, "BATCH": 32, "WARMING": 1}.items():
        monkeypatch.setattr(network_fit, name, value)
    samples = [sample for seed in range(4) for sample in fitting.samples("barrage", seed)]
    [(size, network)] = fitting.fit(samples).items()
    agent, after = fitting.losses(
        samples, (lambda sample: sample.conduct, lambda sample: fitting.by_evidence({size: network}, sample))
    )
    assert after < 0.8 * agent
    read = written({size: network})
    assert written({size: network}) == read == written(fitting.fit(samples))


def test_games_of_a_seed_are_the_same_and_their_players_lay_as_their_styles_do() -> None:
    once, again = (fitting.watched("barrage", TEST + 1) for _ in range(2))
    assert once == again
    assert fitting.watched("barrage", TEST + 2) != once
    for style in (*fitting.FITTED, *fitting.HELD):
        for army in ARMIES.values():
            laid = style.lays(army, Random(4))
            assert sorted(face for face in laid if face is not None) == sorted(army.faces)


def test_counts_alone_are_the_even_chances() -> None:
    [sample, *_] = fitting.samples("barrage", 1)
    by = even_chances(sample.state, sample.seat)
    expected = [by[mark.moved][face] for mark, face in zip(sample.marks, sample.faces, strict=True)]
    assert fitting.by_counts(sample) == expected
