"""Proposals of SPIES! in one line: what completion offers can be carried out, and is read by the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from unittest.mock import ANY, Mock

import pytest

from cli.games.interface import Misunderstood, NotPossible, PlannedAnswers
from cli.games.spies import panels, proposals, questions
from cli.games.spies.terminal import TERMINAL
from cli.shell.settings import Settings
from cli.table.orders import actions
from cli.table.words import other_players
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import NAMES
from p2p_stratego.spies.rules.counters import SECRET_FACE
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import State, spy_code
from p2p_stratego.spies.rules.turn.trade import Proposals, transfers
from p2p_stratego.spies.rules.underway import now
from tests.golden.sentences import Row, assert_answers, decided
from tests.helpers.spies.moments import Kept, asked, carried_out, context, moments, of_kind
from tests.helpers.spies.openings import carrying, standing


def in_the_open() -> Kept:
    return moments(3, wild=1, allocation="alternate")


def in_secret() -> Kept:
    return moments(4, allocation="bid", purse="secret", wild=1)


def proposing() -> Iterator[View[State]]:
    for game in (in_the_open(), in_secret()):
        yield from of_kind(game, "propose")[:12]


def options(view: View[State]) -> Proposals:
    assert isinstance(view.decision, Choose)
    assert isinstance(view.decision.options, Proposals)
    return view.decision.options


def meeting(view: View[State]) -> View[State]:
    """The same talks where the proposer's first spy carries a neutral secret beside one of the other's."""
    named = options(view)
    (mine, _), (_, other) = (next(view.state.own(power)) for power in (named.power, named.other))
    here = standing(view, **{spy_code(mine): NAMES[other.city]})
    state = carrying(here, spy_code(mine), "prague", SECRET_FACE["s1"]).state
    turn = GAME.turn(state)
    ask = next(turn)
    for _, answer in view.since:
        ask = turn.send(answer)
    assert isinstance(ask, Choose)
    first = next(GAME.turn(state))
    return replace(view, state=state, since=((first, view.since[0][1]),), decision=ask)


def test_lines_made_by_completion_are_carried_out_to_their_end() -> None:
    chance, done = Random(7), 0
    for view in proposing():
        for _ in range(6):
            typed = ""
            for _ in range(chance.randrange(1, 9)):
                choices = questions.choices(context(view, typed=typed))
                if not choices:
                    break
                typed = f"{chance.choice(choices).word} "
            try:
                plan = questions.read(view, typed)
            except Misunderstood:
                continue  # it ends in the middle, or one of the two would have too many chits
            assert isinstance(plan, PlannedAnswers)
            made = carried_out(view, plan)
            assert made[: 1 + len(plan.then) - 1] == [plan.first, *plan.then[:-1]], typed
            done += 1
    assert done > 30


def test_a_proposal_is_explained_and_refused_in_words() -> None:
    trading = asked(in_the_open(), "propose", lambda view: min(options(view).state.money) > 1)
    view = meeting(asked(in_the_open(), "propose"))
    possible = transfers(options(view).state, options(view).power, options(view).other, ())
    transfer = next(other for other in possible if other.giver == options(view).power)
    views = {"both have pounds and chits": trading, "a spy meets one of the other's": view}

    def answer(row: Row) -> Iterator[str]:
        of = views[row.place]
        if row.typed is None:
            yield from proposals.facts(of)
        elif row.typed.endswith("…"):
            yield proposals.explained(context(of, typed=row.typed[:-1]))
        else:
            yield from decided(TERMINAL, of, row.typed)

    assert_answers("spies-proposals", answer, SPY=transfer.piece)


def test_pounds_and_chits_are_read_as_they_are_said() -> None:
    view = asked(in_the_open(), "propose", lambda view: min(options(view).state.money) > 1)
    pounds = questions.read(view, "1 pound for 1 pound")
    assert isinstance(pounds, PlannedAnswers)
    assert pounds.first in options(view)
    chits = questions.read(view, "1 for 1 chit")
    for typed, meant in (
        ("offer 1 for 1", pounds),
        ("1 p for 1 pou", pounds),  # behind a number, papers are not meant
        ("1 po for 1 c", chits),
    ):
        assert questions.read(view, typed) == meant
    assert questions.read(view, "1 pound for nothing") == questions.read(view, "1 pound")


def test_a_secret_needs_the_piece_that_takes_it() -> None:
    view = meeting(asked(in_the_open(), "propose"))
    possible = transfers(options(view).state, options(view).power, options(view).other, ())
    transfer = next(other for other in possible if other.giver == options(view).power)
    city = proposals.Reader(view, options(view)).city(transfer)
    for typed in (city, f"{city} police"):
        with pytest.raises(Misunderstood):
            questions.read(view, typed)
    assert f"{city} {transfer.piece}" in [choice.word for choice in questions.choices(context(view))]
    plan = questions.read(view, f"{city} to {transfer.piece} for 1 pound")
    assert isinstance(plan, PlannedAnswers)
    assert plan.then[0] == f"give {city} {transfer.piece}"
    made = carried_out(view, plan)
    assert made[:2] == [plan.first, plan.then[0]]


def test_lines_tell_what_a_proposal_can_name() -> None:
    view = meeting(asked(in_the_open(), "propose"))
    mine, theirs = proposals.facts(view)
    assert " can give £" in mine
    assert "; secrets: " in mine
    assert re.search(r"; \d+ chits?", theirs)
    assert proposals.facts(asked(in_the_open(), "turn")) == []


def test_who_answers_reads_both_sides_of_the_offer() -> None:
    for game in (in_the_open(), in_secret()):
        views = of_kind(game, "accept")[:20]
        assert views
        for view in views:
            question = questions.question(view, context(view).players)
            assert question is not None
            assert " offers: " in question.text
            assert question.text.count(" gives ") == 2
            assert "alone know" not in question.text
            assert len(proposals.pending(view)) == 2
            assert panels.panels(context(view), 40)[0].name == "offer"


def test_one_word_declines_all_offers_of_a_turn_and_none_of_the_next() -> None:
    first, *later = [(view, now(view)) for view in of_kind(in_the_open(), "accept")]
    declined = questions.read(first[0], "decline all")
    assert isinstance(declined, PlannedAnswers)
    assert (declined.first, declined.then) == ("decline", ())
    assert declined.again is not None
    turn = first[1].year, first[1].power
    for view, state in later:
        assert declined.again(view) == ((state.year, state.power) == turn)
    assert not declined.again(asked(in_the_open(), "answer"))
    assert questions.read(first[0], "d all") == replace(declined, again=ANY)
    with pytest.raises(NotPossible, match="decline all declines them all"):
        questions.read(first[0], "accept all")


def test_a_gift_for_nothing_is_asked_about_twice() -> None:
    gifts, trades = list[View[State]](), list[View[State]]()
    for view in of_kind(in_the_open(), "accept"):
        proposal = proposals.proposed(view)
        assert proposal is not None
        (gifts if proposal[0] == "nothing" else trades).append(view)
    assert gifts
    assert trades
    for view in gifts:
        assert questions.warnings(view, "accept") == ["You give something, and get nothing for it."]
        assert questions.warnings(view, "decline") == []
    assert not any(questions.warnings(view, "accept") for view in trades)


def test_accept_answers_an_offer_although_it_is_a_command_too(monkeypatch: pytest.MonkeyPatch) -> None:
    view = asked(in_the_open(), "accept")
    table = Mock(
        pending=None,
        asked=True,
        over=False,
        setting_up=None,
        terminal=TERMINAL,
        settings=Settings(),
        offers=(),
    )
    table.environment.parting.return_value = False
    table.context_with = lambda typed: context(view, typed=typed)
    monkeypatch.setattr(other_players, "has_left", lambda _: False)
    actions.enter(table, "accept")
    table.decide.assert_called_once_with("accept")
