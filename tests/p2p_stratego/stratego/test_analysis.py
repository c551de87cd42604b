"""The analysis of Stratego: positions whose right answer is known, and what holds for every game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import pytest

from p2p_stratego.core.analysis import Judgement, MadeDecision
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots import analysis
from p2p_stratego.stratego.bots.beliefs import chances
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.board import SQUARE_NAMED
from p2p_stratego.stratego.rules.movement import legal, own_reach
from p2p_stratego.stratego.rules.pieces import FLAG, GENERAL, MARSHAL, MINER, SCOUT, SERGEANT
from p2p_stratego.stratego.rules.state import Report, State, open_position
from tests.helpers.games.judged import judged, never, played


@cache
def games() -> list[tuple[list[MadeDecision], list[Any]]]:
    """Five games between agents."""
    return [played("stratego", seed, options={"army": "duel"}) for seed in range(5)]


def at(pieces: Mapping[str, tuple[int, int]]) -> State:
    """A position in which everybody knows every piece; red moves."""
    return open_position(army("classic"), {SQUARE_NAMED[name]: piece for name, piece in pieces.items()})


def moved(state: State, move: str) -> Judgement:
    """The judgement of a move in an open position."""
    options = tuple(legal(state, own_reach(0, {})))
    (judgement,) = analysis.judge(
        [MadeDecision(0, 1, View(0, state, {}, Choose(0, options)), move, None)], never
    )
    return judgement


def test_a_forced_capture_is_best_and_leaving_the_flag_there_costs() -> None:
    state = at({"a1": (0, FLAG), "e5": (0, MARSHAL), "e6": (1, FLAG), "j10": (1, SCOUT)})
    taken, left = moved(state, "e5e6"), moved(state, "e5e4")
    assert (taken.best, taken.lost, taken.best_odds) == ("e5 to e6", 0.0, 1.0)
    assert left.best == "e5 to e6"
    assert (left.lost or 0.0) > 0.1


def test_a_stronger_piece_is_left_alone_and_attacking_it_costs() -> None:
    state = at({"a1": (0, FLAG), "e2": (0, GENERAL), "e3": (1, MARSHAL), "a10": (1, FLAG), "j2": (0, MINER)})
    lost = moved(state, "e2e3")
    assert lost.best != "e2 to e3"
    assert (lost.lost or 0.0) > 0


def test_a_quiet_move_tells_how_near_the_flag_is_and_who_guards_it() -> None:
    """A marshal goes there and back; without its move, or with closed pieces, there is nothing to tell."""
    pieces = {"a1": (0, FLAG), "e5": (0, MARSHAL), "e9": (1, FLAG), "j10": (1, SERGEANT)}
    ran = Report(0, "e5e7", "moved", None, None)
    far = at(pieces)._replace(report=ran)
    near = at({"e7" if name == "e5" else name: piece for name, piece in pieces.items()})
    near = near._replace(seat=1, report=ran)
    names, known = ("Anna", "Ben"), {0: FLAG}
    text = "Anna's Marshal (10) {} 2 moves from Ben's flag, and no guard {} nearer."
    assert analysis.reason(far, near, names, known) == text.format("is now", "is")
    assert analysis.reason(near, far, names, known) == "Until then " + text.format("was", "was")
    assert analysis.reason(far, far._replace(seat=1), names, known) is None
    assert analysis.reason(far, near, names, {}) is None


@cache
def judgements() -> list[Judgement]:
    """All their decisions."""
    return [judgement for made, _states in games() for judgement in analysis.judge(made, never)]


def test_no_move_is_better_than_the_best() -> None:
    moves = [judgement for judgement in judgements() if judgement.lost is not None]
    assert moves
    assert all(0 <= (judgement.lost or 0.0) <= 1 for judgement in moves)
    assert all(judgement.lost == 0 for judgement in moves if judgement.best == judgement.chosen)


def test_beliefs_sum_to_one_and_contain_the_truth() -> None:
    for made, _states in games():
        truth: dict[int, int] = {}
        for decision in made:
            truth.update(decision.view.known)
        for decision in made:
            state: State = decision.view.state
            if state.phase != "play":
                continue
            for square, odds in chances(state, 1 - decision.seat).items():
                assert sum(odds) == pytest.approx(1.0)
                piece = state.at(square)
                if piece is not None and piece.slot in truth:
                    assert odds[truth[piece.slot]] > 0


def test_the_odds_of_what_was_attacked_sum_to_one() -> None:
    attacks = [judgement for judgement in judgements() if judgement.kind == "attack"]
    assert attacks
    for attack in attacks:
        assert 0 <= (attack.odds or 0.0) <= 1
        assert sum(likely.odds for likely in attack.knew) <= 1 + 1e-9
        assert attack.came == (attack.made.after.report.result in ("won", "flag"))


def test_luck_is_about_nothing_over_many_games() -> None:
    luck = [judgement.luck for judgement in judgements() if judgement.luck is not None]
    assert len(luck) > 20
    assert abs(sum(luck) / len(luck)) < 0.1


def test_bits_count_the_ways_to_name_the_closed_pieces() -> None:
    """Of a side with a flag that never moved, and a scout and a miner of which one did: 1 bit each way."""
    state = games()[0][1][3]
    left = bytearray(12)
    left[FLAG], left[SCOUT], left[MINER] = 1, 1, 1
    small = state._replace(phase="play", left=(bytes(left), bytes(left)), unmoved=(2, 3))
    ways = {
        0: {permutation for permutation in permutations((FLAG, SCOUT, MINER)) if FLAG in permutation[:2]},
        1: set(permutations((FLAG, SCOUT, MINER))),
    }
    for seat in (0, 1):
        assert 2 ** analysis.bits(small, seat) == pytest.approx(len(ways[seat]))


def test_bits_never_grow() -> None:
    for _made, states in games():
        in_play = [state for state in states if state.phase in ("play", "over")]
        for seat in (0, 1):
            bits = [analysis.bits(state, seat) for state in in_play]
            assert all(later <= before + 1e-9 for before, later in pairwise(bits))


def test_the_chances_of_both_sides_sum_to_one_and_are_exact_at_the_end() -> None:
    for _made, states in games():
        for state in states:
            assert analysis.chance(state, 0) + analysis.chance(state, 1) == pytest.approx(1.0)
        assert analysis.chance(states[-1], 0) in (0.0, 0.5, 1.0)


def test_pieces_that_nobody_opened_leave_the_move_unjudged_and_the_attack_with_its_odds() -> None:
    made = next(judgement.made for judgement in judgements() if judgement.kind == "attack")
    view: View[Any] = made.view
    blind = View(view.seat, view.state, {}, view.decision, view.since)
    (judgement,) = analysis.judge([MadeDecision(0, 0, blind, made.answer, made.after)], never)
    assert (judgement.unknown, judgement.lost) == (True, None)
    assert judgement.odds is not None


def test_a_bot_without_time_still_judges_what_was_chosen() -> None:
    made = games()[0][0]
    hasty = [judgement for judgement in analysis.judge(made, lambda: lambda: True) if judgement.hasty]
    assert hasty
    assert all(judgement.best == judgement.chosen for judgement in hasty)


def test_who_plays_at_random_loses_more_than_the_agent() -> None:
    def lost(level: str) -> float:
        judgements = judged("stratego", 1, level=level, options={"army": "duel", "quiet": 20})
        return sum(judgement.lost or 0.0 for judgement in judgements) / len(judgements)

    assert lost("recruit") > 3 * lost("agent")


def test_the_summary_counts_attacks_won_and_expected() -> None:
    own = [
        judgement for judgement in judged("stratego", 2, options={"army": "duel"}) if judgement.made.seat == 0
    ]
    attacks = [judgement for judgement in own if judgement.kind == "attack"]
    (sentence,) = analysis.summary("Anna", own)
    assert sentence.startswith(
        f"Anna won {sum(bool(attack.came) for attack in attacks)} of {len(attacks)} attacks; "
    )
    assert analysis.summary("Anna", []) == ["Anna attacked nothing."]
