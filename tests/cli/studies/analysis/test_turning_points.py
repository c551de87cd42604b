"""The turning points of games: each is an event, or says why it changed the chance to win."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from cli.reports import history, sources
from cli.reports.history import Step
from cli.studies.analysis import analysis_text
from cli.studies.analysis.analysing import LEAST_PIVOT, LEAST_TURN, RECENT, Analysed, Turn
from cli.studies.analysis.analysis_text import share
from p2p_stratego.conquest.bots import analysis as conquest
from p2p_stratego.conquest.formats import narration
from p2p_stratego.core.analysis import Judgement, MadeDecision
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES
from p2p_stratego.stratego.bots.analysis import breakthrough
from p2p_stratego.stratego.rules.board import NEIGHBOURS, SQUARE_NAMED
from tests.golden.dialogues import assert_told
from tests.helpers.games.judged import played
from tests.helpers.machine.modules import VECTORS

DATA = VECTORS / "transcripts"
RECORD = "complete-flag.p2ps"
"""Gives the report, whose game is put in its place."""
PLAYED: list[tuple[str, int, dict[str, Any]]] = [
    *(("stratego", seed, {"army": "duel"}) for seed in range(3)),
    *(("stratego", seed, {"army": "barrage"}) for seed in range(3)),
    *(("conquest", seed, {"rounds": 6}) for seed in range(2)),
    *(("spies-and-lies", seed, {}) for seed in range(2)),
]
STRATEGO = 6
"""How many of them, the first, are of Stratego."""


@cache
def analysed_once(at: int) -> Analysed:
    """One of these games."""
    return analysed(*PLAYED[at])


def analysed(game: str, seed: int, options: dict[str, Any]) -> Analysed:
    """A game between two agents, with how its chances went."""
    entry, report = ENTRIES[game], sources.replayed(RECORD, (DATA / RECORD).read_bytes()).report
    assert entry.analysis is not None
    made, states = played(game, seed, options=options)
    genesis = replace(report.genesis, game=GAMES[game])
    report = replace(report, genesis=genesis, outcome=states[-1].ended)
    truth: dict[Slot, Face] = {}
    for decision in made:
        truth.update(decision.view.known)
    steps = tuple(
        Step(at, state, ("told",), 0, {}, moment=history.moment(game, states[at - 1] if at else None, state))
        for at, state in enumerate(states)
    )
    outlooks = tuple(entry.analysis.load().outlooks(states, 2, truth))
    whole = [outlook.whole for outlook in outlooks]
    chances = tuple(
        outlook.seen if all_ is None else all_ for outlook, all_ in zip(outlooks, whole, strict=True)
    )
    return Analysed(report, ("Ann", "Ben"), steps, (), outlooks, chances, None not in whole, truth)


def quiet(analysis: Analysed, turn: Turn) -> bool:
    """Whether nothing but a move was seen in a step."""
    state = analysis.steps[turn.at - 1].state
    if analysis.report.genesis.game.name == "conquest":
        land = state.territories != analysis.steps[turn.at - 2].state.territories
        return not land and {event.kind for event in state.report} <= {"moved", "ran"}
    return not analysis.steps[turn.at - 1].moment and analysis.report.genesis.game.name == "stratego"


@pytest.mark.parametrize("game", range(len(PLAYED)))
def test_each_is_an_event_or_says_why(game: int) -> None:
    analysis = analysed_once(game)
    turns = analysis.turns
    changes = [abs(turn.after - turn.before) for turn in turns]
    assert changes == sorted(changes, reverse=True)
    assert all(change >= LEAST_TURN for change in changes)
    for turn in turns:
        assert (turn.before, turn.after) == (
            analysis.chances[turn.at - 2][0],
            analysis.chances[turn.at - 1][0],
        )
        assert turn.reason or not quiet(analysis, turn)
        assert turn.reason in analysis_text.turned(analysis, turn, 0)


def test_quiet_moves_among_them_say_how_near_a_flag_is() -> None:
    """And there are some; what the next step undid is none of them."""
    reasons = []
    for at in range(STRATEGO):
        analysis = analysed_once(at)
        for turn in analysis.turns:
            if quiet(analysis, turn):
                reasons.append(turn.reason)
                before, after = (
                    analysis.chances[turn.at - 2 : turn.at],
                    analysis.chances[turn.at - 1 : turn.at + 1],
                )
                rises = turn.after > turn.before
                assert (min(after)[0] > before[0][0]) if rises else (max(after)[0] < before[0][0])
    assert reasons
    assert all("flag" in reason for reason in reasons)


def test_a_piece_that_became_known_is_named_where_that_counts_most() -> None:
    """The one that stands after the attack, of the side whose chance fell."""
    named = 0
    for at in range(STRATEGO):
        analysis = analysed_once(at)
        for turn in analysis.turns:
            if turn.reason.startswith("Since then everybody knows"):
                report = analysis.steps[turn.at - 1].state.report
                stands = report.seat if report.result == "won" else 1 - report.seat
                assert f"knows {analysis.names[stands]}'s" in turn.reason
                assert (turn.after < turn.before) == (stands == 0)
                named += 1
    assert named


def test_the_greatest_luck_is_told_if_it_is_no_turning_point() -> None:
    """With how the chance went, which says why it is none; else the turning point tells of it."""
    games = map(analysed_once, range(STRATEGO))
    analysis = next(game for game in games if len(game.great) > len(game.turns))
    least = next(turn for turn in analysis.great if turn.at not in {turn.at for turn in analysis.turns})
    view: View[Any] = View(1, analysis.steps[least.at - 2].state, {}, None)
    lucky = Judgement(MadeDecision(0, least.at, view, None, None), "attack", "", luck=0.4)
    named = replace(analysis, judged=(lucky,), open=True)
    sentence = analysis_text.luckiest(named, 0)
    names = {"STEP": f"step {least.at}", "BEFORE": share(least.before), "AFTER": share(least.after)}
    assert_told("analyse", "the greatest luck, Ben's", sentence, **names)
    unlucky = replace(named, judged=(replace(lucky, luck=-0.4),))
    assert_told("analyse", "the greatest luck, Ann's", analysis_text.luckiest(unlucky, 1), **names)
    assert "all pieces" not in analysis_text.luckiest(replace(named, open=False), 0)
    little = replace(analysis, judged=(replace(lucky, luck=LEAST_TURN / 2),))
    assert analysis_text.luckiest(little, 0) == ""
    at = analysis.turns[0].at
    same = replace(lucky, made=MadeDecision(0, at, view, None, None))
    assert analysis_text.luckiest(replace(analysis, judged=(same,)), 0) == ""


def test_a_turning_point_does_not_tell_whose_turn_is_next() -> None:
    """In Conquest its heading follows what happened; the list of steps has it."""
    ends = 0
    for at, (game, _seed, _options) in enumerate(PLAYED):
        if game != "conquest":
            continue
        analysis = analysed_once(at)
        for before, after in pairwise(analysis.steps):
            sentences = narration.step(before.state, after.state, analysis.names)
            happened = conquest.step_results(before.state, after.state, analysis.names)
            ends += sentences != tuple(happened)
            assert sentences[: len(happened)] == tuple(happened)
            assert "'s turn:" not in " ".join(happened)
        for turn in analysis.turns:
            assert "'s turn:" not in analysis_text.turned(analysis, turn, 0)
    assert ends


def test_where_no_reason_shows_it_is_not_said_that_nothing_changed() -> None:
    analysis = analysed_once(0)
    hidden = replace(analysis, truth={}, steps=tuple(replace(step, moment="") for step in analysis.steps))
    assert (hidden.turns, bool(hidden.great)) == ([], True)
    assert "show no reason" in analysis_text.no_turn(hidden)
    calm = replace(analysis, chances=tuple((0.5, 0.5) for _step in analysis.steps))
    assert "nothing that happened" in analysis_text.no_turn(calm)


@pytest.mark.parametrize("game", range(len(PLAYED)))
def test_a_game_turns_where_its_winner_gained_most_and_kept_the_lead(game: int) -> None:
    """Its end is that only if nothing before it is."""
    analysis = analysed_once(game)
    turn, outcome = analysis.pivot, analysis.report.outcome
    assert outcome is not None
    (winner,) = outcome.winners
    chances = [chance[winner] for chance in analysis.chances]
    begun = (at for at in range(2, len(chances) + 1) if analysis.outlooks[at - 2].begun)
    rises = {at: chances[at - 1] - chances[at - 2] for at in begun}
    if turn is not None:
        opens = "nothing stood between" in turn.reason
        assert rises[turn.at] >= LEAST_PIVOT or opens
        assert min(chances[turn.at - 1 :]) >= 0.5 or opens
        least = LEAST_PIVOT if opens else rises[turn.at]
        greater = {at for at, rise in rises.items() if rise > least and at < len(chances)}
        assert not [at for at in greater if analysis.steps[at - 1].moment and min(chances[at - 1 :]) >= 0.5]
    lines = analysis_text.where_it_turned(analysis, 1)
    assert bool(lines) == (turn is not None)
    if turn is not None:
        assert f"step {turn.at}:" in lines
        assert share(analysis.chances[turn.at - 1][1]) in lines or abs(turn.after - turn.before) < LEAST_TURN
        assert analysis_text.turning(analysis) in lines
        assert len(lines) < 260
        assert analysis_text.turning(analysis).endswith((".", "!"))


def test_of_a_draw_the_greatest_turning_point_is_told_and_of_a_game_given_up_in_the_lead_none() -> None:
    analysis = analysed_once(0)
    outcome = analysis.report.outcome
    assert outcome is not None
    drawn = replace(analysis, report=replace(analysis.report, outcome=replace(outcome, winners=frozenset())))
    assert drawn.pivot in drawn.turns[:2]
    (winner,) = outcome.winners
    other = replace(outcome, winners=frozenset({1 - winner}))
    steps = (*analysis.steps[:-1], replace(analysis.steps[-1], ends=True))
    assert replace(analysis, steps=steps, report=replace(analysis.report, outcome=other)).pivot is None


def test_where_a_flag_fell_and_nothing_was_great_the_step_counts_that_opened_its_way() -> None:
    """Else the smallest approach was said to have turned the game, which convinced nobody."""
    opened = 0
    for at in range(STRATEGO):
        analysis = analysed_once(at)
        calm = replace(analysis, chances=tuple((0.5, 0.5) for _step in analysis.steps))
        assert calm.pivot is None or calm.pivot.at < len(calm.steps), "that a flag fell is no news"
        turn, states = calm.pivot, [step.state for step in analysis.steps]
        known = breakthrough(states, analysis.names)
        assert (turn is None) == (known is None or len(states) - known[0] > RECENT)
        if turn is None:
            continue
        assert known == (turn.at, turn.reason)
        assert "nothing stood between" in analysis_text.where_it_turned(calm, 0)
        assert "Your chance" not in analysis_text.where_it_turned(calm, 0), "it did not change"
        opened += 1
        given_up = replace(analysis.steps[-1], ends=True)
        assert replace(calm, steps=(*analysis.steps[:-1], given_up)).pivot is None
    assert opened


@pytest.mark.parametrize("at", range(STRATEGO))
def test_the_way_to_a_flag_was_closed_before_the_step_that_opened_it_and_never_after(at: int) -> None:
    """By a search over squares of its own."""
    analysis = analysed_once(at)
    states = [step.state for step in analysis.steps]
    last = states[-1].report
    known = breakthrough(states, analysis.names)
    if last.result != "flag":
        assert known is None
        return
    own = {square for square, piece in states[-2].pieces() if piece.seat == 1 - last.seat}
    source, flag = (SQUARE_NAMED[name] for name in re.findall(r"[a-j]\d+", last.move))
    assert flag in own
    if known is None:
        return
    place, ways = source, []
    for index in range(len(states) - 2, known[0] - 3, -1):
        foes = {square for square, piece in states[index].pieces() if piece.seat == 1 - last.seat}
        ways.append(leads(place, flag, foes))
        moved = re.findall(r"[a-j]\d+", states[index].report.move if states[index].report else "")
        if len(moved) == 2 and states[index].report.seat == last.seat and SQUARE_NAMED[moved[1]] == place:
            place = SQUARE_NAMED[moved[0]]
    assert ways == [True] * (len(ways) - 1) + [False]


def leads(place: int, flag: int, foes: Collection[int]) -> bool:
    """Whether squares without foes join these two."""
    reached = {place}
    while True:
        grown = reached | {near for square in reached for near in NEIGHBOURS[square] if near not in foes}
        if grown == reached:
            return any(flag in NEIGHBOURS[square] for square in reached)
        reached = grown


def test_at_a_glance_no_sentence_is_cut() -> None:
    long, short = f"{'word ' * 60}ends.", "So it is."
    assert analysis_text.at_a_glance(["One.", "Two.", "", short]) == "One. Two. So it is."
    assert analysis_text.at_a_glance(["One.", long, short]) == "One."
    assert analysis_text.at_a_glance([long, short]) == long
    assert analysis_text.at_a_glance([]) == ""
