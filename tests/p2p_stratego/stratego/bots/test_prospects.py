"""The chance to win at Stratego: ways to a flag, what each kind of knowledge may use, and what must hold."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.bots import fitting
from benchmarks.bots import prospects as fits
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.stratego.bots import analysis, prospects
from p2p_stratego.stratego.bots.access import NEVER, Ways, surprise
from p2p_stratego.stratego.bots.beliefs import CERTAIN
from p2p_stratego.stratego.rules.armies import ARMIES, army
from p2p_stratego.stratego.rules.board import SQUARE_NAMED, SQUARES
from p2p_stratego.stratego.rules.pieces import (
    BOMB,
    COLONEL,
    FLAG,
    GENERAL,
    MAJOR,
    MARSHAL,
    MINER,
    SCOUT,
    SERGEANT,
    SPY,
)
from p2p_stratego.stratego.rules.state import State, open_position
from tests.helpers.games.judged import played

Pieces = Mapping[str, tuple[int, int]]
WALLED: Pieces = {"a1": (0, FLAG), "j10": (1, FLAG), "i10": (1, BOMB), "j9": (1, BOMB), "a9": (1, SERGEANT)}


def at(pieces: Pieces, seat: int = 0) -> State:
    """A position of the duel in which everybody knows every piece."""
    state = open_position(army("duel"), {SQUARE_NAMED[name]: piece for name, piece in pieces.items()})
    return state._replace(seat=seat)


def cost(pieces: Pieces, face: Face) -> int:
    """The cost of red's piece of this face to blue's flag."""
    sides = [
        {SQUARE_NAMED[name]: CERTAIN[piece] for name, (seat, piece) in pieces.items() if seat == side}
        for side in (0, 1)
    ]
    return next(cost for cell, cost, _guarded in Ways(*sides).costs() if cell == face)


def whole(state: State) -> float:
    """Red's chance, with all known."""
    return prospects.chance(prospects.scene(state, prospects.believed(state, {})), "all")[0]


def test_a_way_costs_its_moves_and_only_miners_pass_bombs() -> None:
    assert cost({"j9": (0, SCOUT), "j10": (1, FLAG)}, SCOUT) == 1
    assert cost({"j7": (0, MINER), "j10": (1, FLAG)}, MINER) == 3
    assert cost({**WALLED, "j8": (0, MINER)}, MINER) == 2
    assert cost({**WALLED, "j8": (0, MARSHAL)}, MARSHAL) == NEVER
    assert cost({"a10": (0, SCOUT), "j10": (1, FLAG)}, SCOUT) == 1
    assert cost({"a10": (0, MAJOR), "j10": (1, FLAG)}, MAJOR) == 9


def test_a_stronger_piece_bars_the_way_and_a_weaker_one_costs_the_attack_alone() -> None:
    walls: Pieces = {"j10": (1, FLAG), "i10": (1, BOMB), "j6": (0, MAJOR), "i9": (1, BOMB), "i8": (1, BOMB)}
    assert cost({**walls, "j9": (1, COLONEL)}, MAJOR) == NEVER
    assert cost({**walls, "j9": (1, SERGEANT)}, MAJOR) == 4


@pytest.mark.parametrize(
    ("odds", "bits"), [(1.0, 0), (0.5, 1), (0.25, 2), (1 / 64, 6), (1 / 100, None), (0.0, None)]
)
def test_surprise_is_counted_in_whole_bits(odds: float, bits: int | None) -> None:
    assert surprise(odds) == bits


def test_a_miner_beside_the_flag_whose_last_bomb_is_cleared_nearly_wins() -> None:
    """Material is the same in all three; how near the flag is decides."""
    own: Pieces = {"a1": (0, FLAG), "b2": (0, GENERAL)}
    theirs: Pieces = {"j10": (1, FLAG), "i10": (1, BOMB), "a9": (1, SERGEANT)}
    beside, near, far = (whole(at({**own, **theirs, square: (0, MINER)})) for square in ("j9", "i6", "a3"))
    assert beside > 0.9
    assert beside > near > far


def test_the_flag_counts_for_who_can_reach_it_and_has_the_move() -> None:
    pieces: Pieces = {"a1": (0, FLAG), "a2": (1, MARSHAL), "j10": (1, FLAG), "j9": (0, MARSHAL)}
    assert whole(at(pieces, 0)) > 0.7
    assert whole(at(pieces, 1)) < 0.3


def turned(pieces: Pieces) -> Pieces:
    """The same with sides and board changed about."""
    names = {square: name for name, square in SQUARE_NAMED.items()}
    return {
        names[SQUARES[-1] - SQUARE_NAMED[name]]: (1 - seat, face) for name, (seat, face) in pieces.items()
    }


def test_what_is_good_for_red_is_as_good_for_blue() -> None:
    pieces: Pieces = {**WALLED, "e4": (0, MARSHAL), "f7": (1, SPY), "c3": (0, MINER), "d4": (0, SCOUT)}
    assert whole(at(pieces, 0)) == pytest.approx(1 - whole(at(turned(pieces), 1)))


def test_each_looks_on_with_its_own_knowledge_alone() -> None:
    """Other pieces under the enemy's backs change the whole picture, and neither what is seen nor known."""
    made, states = played("stratego", 3, options={"army": "duel"})
    truth: dict[Slot, Face] = {}
    for decision in made:
        truth.update(decision.view.known)
    asked = [state for state in states if state.phase == "play"][::8]
    closed = [slot for slot in truth if slot // 40 == 1]
    other = truth | dict(zip(closed, [truth[slot] for slot in reversed(closed)], strict=True))
    known = {slot: face for slot, face in truth.items() if slot // 40 == 0}
    looks = [list(analysis.outlooks(asked, 2, faces)) for faces in (truth, other, known)]
    assert any(look.whole != another.whole for look, another in zip(looks[0], looks[1], strict=True))
    for look, another, blind in zip(*looks, strict=True):
        assert look.seen == another.seen == blind.seen
        known_to_red = {None if view.own is None else view.own[0] for view in (look, another, blind)}
        assert len(known_to_red) == 1
        assert None not in known_to_red
        assert blind.own is not None
        assert (blind.own[1] is None) == (blind.whole is None)
        assert sum(look.whole or ()) == pytest.approx(1.0)


def test_before_play_nothing_is_estimated() -> None:
    _made, states = played("stratego", 3, options={"army": "duel"})
    looks = list(analysis.outlooks(states, 2, {}))
    assert [look.begun for look in looks] == [state.phase in ("play", "over") for state in states]
    assert looks[0].seen == (0.5, 0.5)


def test_weights_are_there_for_each_measure_and_army() -> None:
    for knowing, names in prospects.MEASURES.items():
        for kind in ARMIES.values():
            assert len(prospects.weights(kind, knowing)) == len(names)
    assert len(prospects.weights(army("1-1-0-0-0-0-0-1-1-0-0-1"), "all")) == len(prospects.MEASURES["all"])


def test_forecasts_of_games_that_the_weights_never_saw_beat_the_pieces_alone() -> None:
    """A small sample of `make prospects`."""
    samples = [sample for seed in range(8) for sample in fits.samples("duel", fitting.TEST + seed)]
    weights = prospects.fitted()
    by_pieces, seen, own, all_ = (fitting.score(column) for column in fits.columns(samples, weights))
    assert all_.loss < own.loss < by_pieces.loss
    assert all_.brier < own.brier < by_pieces.brier
    assert seen.loss < 0.7


def test_the_fit_finds_weights_that_made_the_ends() -> None:
    rows = [([1.0, 0.0], 1.0)] * 300 + [([1.0, 0.0], 0.0)] * 100 + [([0.0, 1.0], 0.5)] * 50
    first, second = fits.fitted(rows, [0.0, 0.0])
    assert first == pytest.approx(1.0986, abs=0.1)  # ln 3, drawn a little to 0
    assert second == pytest.approx(0.0, abs=1e-6)


def test_the_weights_that_all_armies_start_from_are_fitted_to_both_sides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every so many positions is taken whole; every so many rows would be those of red alone."""
    samples = [*fits.samples("duel", 0), *fits.samples("barrage", 0)]
    asked: list[list[fits.Row]] = []

    def kept(rows: list[fits.Row], towards: list[float]) -> list[float]:
        asked.append(rows)
        return towards

    monkeypatch.setattr(fits, "fitted", kept)
    fits.fit(samples)
    own = asked[3]  # behind those of nothing known: for all armies, and for each of the two
    assert own == [row for sample in samples[::2] for row in sample.rows["own"]]
