"""Hints against bots alone: a good answer to the open question, ready to be sent, and why."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.games.interface import PlannedAnswers
from cli.games.spies.answers import kind
from cli.games.spies.laying import read
from cli.games.spies.names import tokens
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.scene.palette import why_not
from cli.table.seat import hints
from cli.table.seat.controller import TableController
from cli.table.words.commands import Order
from cli.text.layout import words
from p2p_stratego.conquest.rules.choices import Accusations
from p2p_stratego.core.analysis import COSTLY, MadeDecision
from p2p_stratego.core.game import Choose
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES, adviser, make_bot
from p2p_stratego.spies.lessons.layings import proposed
from p2p_stratego.spies_and_lies.bots.agent import believed
from p2p_stratego.spies_and_lies.rules.notation import GUESSES
from p2p_stratego.stratego.rules.board import SQUARE_NAMED, apart
from p2p_stratego.stratego.rules.notation import STEPS, move
from p2p_stratego.stratego.rules.transitions import moved
from protocol.storage.match_store import is_practice
from tests.golden.screens import assert_as_it_was
from tests.helpers.games.judged import never
from tests.helpers.links.ends import Ends
from tests.helpers.program.screens import SIZES, assert_every_line_fits, text
from tests.helpers.spies.moments import context


@pytest.fixture(params=["spies-and-lies", "stratego", "conquest", "spies"])
def ends(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Ends]:
    both = Ends(tmp_path, "hints", game=GAMES[request.param])
    both.connect()
    yield both
    both.close()


def at_table(ends: Ends, *, bot: bool = True) -> TableController:
    """The table of seat 0; `bot`: the other seat is one of this program."""
    table = ends.table(0, bot=bot)
    table.refresh()
    return table


def hinted(table: TableController) -> str:
    actions.enter(table, "hint")
    if table.pending is not None:
        actions.enter(table, "yes")
    assert table.page is not None, table.notice
    return "\n".join(map(words, table.page.lines))


def test_a_hint_can_be_sent_as_it_stands_and_names_who_speaks(ends: Ends) -> None:
    """Through a whole beginning of each game; nearly each answer comes as a line that needs only Enter."""
    table = at_table(ends)
    game, lots = table.replica.match.game.name, random.Random(5)
    bots = [make_bot(game, "recruit", random.Random(seat)) for seat in (0, 1)]
    asked, sent = 0, 0
    for _ in range(400):
        if asked == 12:
            break
        table.refresh()
        ends.pump()
        if table.asked and not _drafting(table) and lots.random() < 0.4:
            line = _hinted_twice(table)
            asked += 1
            if line:
                _send(table, line)
                sent += 1
        for bot, replica in zip(bots, ends.replicas, strict=True):
            if replica.session.decision is not None:
                replica.decide(bot.decide(replica.session.view))
            ends.pump()
    assert sent >= asked - 1 >= 3


def _drafting(table: TableController) -> bool:
    return why_not(table, Order.SAVE) == ""


def _hinted_twice(table: TableController) -> str:
    """The line of the hint."""
    hint = hinted(table)
    assert "The Agent, version 1." in hint
    assert hint == hinted(table), "the same question has the same hint"
    return table.returned


def _send(table: TableController, line: str) -> None:
    before = table.session.view.decision
    actions.enter(table, line)
    if table.pending is not None:
        actions.enter(table, "yes")
    assert table.session.view.decision is not before, (line, table.notice)


def test_the_first_hint_asks_since_the_match_is_practice_then(ends: Ends) -> None:
    table = at_table(ends)
    actions.enter(table, "hint")
    assert table.pending is not None
    assert "practice" in table.pending.question
    actions.enter(table, "no")
    assert (table.page, table.practice) == (None, False)
    actions.enter(table, "hint")
    actions.enter(table, "yes")
    assert table.page is not None
    assert (table.practice, is_practice(Path(table.replica.store.path).parent)) == (True, True)
    actions.enter(table, "hint")
    assert table.page is not None, "the next one comes at once"


def test_a_hint_fits_every_screen(ends: Ends) -> None:
    table = at_table(ends)
    hinted(table)
    for columns, height in SIZES:
        assert_every_line_fits(presentation.scene(table), columns, height, ascii_only=False)


def test_beside_the_board_a_hint_is_broken_for_its_columns_alone(ends: Ends) -> None:
    """It was broken for a page first, and again for the column beside the board."""
    table = at_table(ends)
    hinted(table)
    page = table.page
    assert page is not None
    assert len(page.slim) <= len(page.lines)
    assert " ".join("\n".join(map(words, page.slim)).split()) == " ".join(hinted(table).split())


def test_a_player_who_enters_nothing_beside_bots_alone_is_told_of_hints(tmp_path: Path) -> None:
    for bot in (True, False):
        both = Ends(tmp_path / str(bot))
        both.connect()
        table = at_table(both, bot=bot)
        actions.enter(table, "")
        assert table.notice is not None
        assert table.notice[1].startswith("You have typed nothing yet.")
        assert table.notice[1].endswith("Type hint.") == bot
        both.close()


def test_beside_other_people_there_is_no_hint(ends: Ends) -> None:
    table = at_table(ends, bot=False)
    actions.enter(table, "hint")
    assert (table.notice, table.page, table.returned) == (
        ("warn", "No hint: other people play here."),
        None,
        "",
    )
    assert why_not(table, Order.HINT) == "other people play here"


@pytest.mark.parametrize("game", ["stratego", "conquest"])
def test_a_hint_of_a_move_says_why_this_one(game: str) -> None:
    """And not only what matters in general."""
    lines: list[str] = []
    why = ENTRIES[game].why
    assert why is not None
    say = why.load()

    class Asking:
        def __init__(self, seat: int) -> None:
            self._bot = make_bot(game, "agent", random.Random(seat))

        def decide(self, view: View[Any]) -> Any:
            decided = self._bot.decide(view)
            if isinstance(view.decision, Choose) and view.state.phase in ("play", "move"):
                lines.append(say(view, decided))
            return decided

    play(GAMES[game], [Asking(0), Asking(1)], {}, random.Random(1))
    assert sum(map(bool, lines)) > len(lines) / 3
    assert len({*lines}) > 3


def test_a_hint_of_an_action_in_spies_speaks_of_this_action() -> None:
    """Nearly each action had the rule of what a capture counts as its reason."""
    pairs: list[tuple[Any, str]] = []
    why = ENTRIES["spies"].why
    assert why is not None
    say = why.load()

    class Asking:
        def __init__(self, seat: int) -> None:
            self._bot = make_bot("spies", "agent", random.Random(seat))

        def decide(self, view: View[Any]) -> Any:
            decided = self._bot.decide(view)
            text = say(view, decided)
            assert re.fullmatch(r"[^{]{10,159}\.", text), (decided, text)
            pairs.append((decided, text))
            return decided

    play(GAMES["spies"], [Asking(0), Asking(1)], {}, random.Random(1))
    answers = [(decided.split(" ")[0], text) for decided, text in pairs if isinstance(decided, str)]
    moves = [text for word, text in answers if word in ("move", "sail")]
    plain = "Of all answers here, this one promises most."
    assert sum(text == plain for text in moves) < len(moves) / 10
    assert len(set(moves)) > len(moves) / 4
    assert sum(text == plain for _word, text in answers) < len(answers) / 10
    assert {text for word, text in answers if word == "end"} <= {
        "Nothing pays more now.",
        "Nobody else there can be caught.",
    }
    assert not any("To pass costs nothing" in text for _word, text in answers)


def test_a_fight_has_the_same_chance_on_the_way_to_it_and_as_it_comes() -> None:
    entry = ENTRIES["stratego"]
    assert entry.why is not None
    assert entry.analysis is not None
    say, analysis, odds = entry.why.load(), entry.analysis.load(), list[tuple[str, str]]()

    class Asking:
        def __init__(self, seat: int) -> None:
            self._bot = make_bot("stratego", "agent", random.Random(seat))

        def decide(self, view: View[Any]) -> Any:
            decided = self._bot.decide(view)
            hit = re.search(r"piece on (\w+)\b.* (\d+ %)", say(view, decided))
            if hit:
                assert isinstance(decided, str)
                here = STEPS[decided][1]
                there = SQUARE_NAMED[hit[1]]
                if apart(here, there) == 1:  # as if the enemy had waited
                    then = replace(view, state=moved(view.state, decided)._replace(seat=view.seat))
                    attack = MadeDecision(0, 0, then, move(here, there), None)
                    (judged,) = analysis.judge([attack], lambda: lambda: False)
                    if judged.best == judged.chosen and judged.best_odds is not None:
                        odds.append((hit[2], percent(judged.best_odds)))
            return decided

    play(GAMES["stratego"], [Asking(0), Asking(1)], {"army": "duel"}, random.Random(1))
    assert len(odds) > 2
    assert {before for before, _now in odds} != {"100 %"}
    assert all(before == now for before, now in odds), odds


def test_a_hint_that_names_a_rarer_soldier_says_why() -> None:
    """The likeliest ones stood beside it without a word."""
    game = "spies-and-lies"
    why = ENTRIES[game].why
    assert why is not None
    say, sentences = why.load(), []

    class Asking:
        def __init__(self, seat: int) -> None:
            self._bot = adviser(game, random.Random(seat))

        def decide(self, view: View[Any]) -> Any:
            decided = self._bot.decide(view)
            if isinstance(decided, str) and decided in GUESSES:
                likely = believed(view.state)
                rarer = max(likely.values()) - likely.get(GUESSES[decided], 0.0) > 0.02
                sentences.append((rarer, say(view, decided)))
            return decided

    play(GAMES[game], [Asking(1), Asking(2)], {}, random.Random(1))
    assert all("is likelier, but missing" in text for rarer, text in sentences if rarer)
    assert sum(rarer for rarer, _text in sentences) > 3
    assert any(not text for _rarer, text in sentences)


def test_a_hint_as_it_looked(tmp_path: Path) -> None:
    ends = Ends(tmp_path, "hints")
    ends.connect()
    table = at_table(ends)
    ends.play_on(
        [make_bot("spies-and-lies", "agent", random.Random(seat)) for seat in (0, 1)],
        lambda: table.asked and table.session.view.state.phase == "mission",
    )
    table.refresh()
    hinted(table)
    assert_as_it_was("hint-140x45", text(presentation.scene(table), 140, 45))
    ends.close()


def test_a_hint_is_nothing_that_is_called_a_mistake_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An adviser that draws its answers by lot draws again what its own judge calls costly."""
    game = "spies-and-lies"
    ends = Ends(tmp_path, "line", game=GAMES[game])
    ends.connect()
    table = at_table(ends)
    judge = ENTRIES[game].analysis
    assert judge is not None

    lines = list(combinations(range(1, 11), 4))
    made = [MadeDecision(0, 0, table.session.long_view, line, None) for line in lines]
    costs = [judged.lost or 0.0 if judged.best else None for judged in judge.load().judge(made, never)]
    weak, good = (
        next(
            line
            for line, cost in zip(lines, costs, strict=True)
            if cost is not None and (cost >= COSTLY) is costly
        )
        for costly in (True, False)
    )
    drawn = iter([weak, good])
    monkeypatch.setattr(hints, "adviser", lambda _game, _lots: SimpleNamespace(decide=lambda _: next(drawn)))
    assert hints.proposed(table).line == " ".join(map(str, good))
    ends.close()


def test_a_hint_for_police_lays_them_as_its_bot_does(tmp_path: Path) -> None:
    """It named the first of the ready layings, which was called a mistake afterwards."""
    ends = Ends(tmp_path, "police", game=GAMES["spies"])
    ends.connect()
    table = at_table(ends)
    bots = [make_bot("spies", "recruit", random.Random(seat)) for seat in (0, 1)]
    ends.play_on(bots, lambda: kind(table.session.view) == "police")
    table.refresh()
    view = table.session.view
    planned = read(view, tokens(hints.proposed(table).line))
    agent = make_bot("spies", "agent", random.Random(1))
    assert (planned.first, *planned.then) == proposed(view, random.Random(1))
    assert planned.first == agent.decide(view)
    ends.close()


def test_a_hint_for_a_line_proposes_no_other_line(tmp_path: Path) -> None:
    """The coach's example would stand beside it."""
    ends = Ends(tmp_path, "line", game=GAMES["spies-and-lies"])
    ends.connect()
    shown = hinted(at_table(ends))
    assert "Mixed ranks are hard to guess." in shown
    assert "for example" not in shown
    ends.close()


def test_a_hint_that_plays_the_second_of_two_equal_chits_stands_in_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name means the first of them, so no line seemed to come to the second, and none stood there."""
    ends = Ends(tmp_path, "chits", game=GAMES["spies"])
    ends.connect()
    table = at_table(ends)
    bots = [make_bot("spies", "agent", random.Random(seat)) for seat in (0, 1)]
    questions = table.terminal.questions

    def twins() -> list[str]:
        view = table.session.view
        if kind(view) != "answer" or not isinstance(view.decision, Choose):
            return []
        for choice in questions.choices(context(view)):
            verb, _, slot = str(questions.read(view, choice.word)).partition(" ")
            face = view.known.get(int(slot)) if slot.isdecimal() else None
            alike = [f"{verb} {other}" for other, shown in view.known.items() if shown == face]
            if face is not None and len(set(alike) & set(view.decision.options)) > 1:
                return [option for option in alike if option in view.decision.options]
        return []

    ends.play_on(bots, lambda: bool(twins()))
    table.refresh()
    for chit in twins():
        monkeypatch.setattr(
            hints, "adviser", lambda _g, _l, chit=chit: SimpleNamespace(decide=lambda _: chit)
        )
        assert hints.proposed(table).line == chit.split(" ")[0]
    ends.close()


def test_a_hint_of_an_accusation_stands_in_the_line(tmp_path: Path) -> None:
    """A zone and a kind are offered one after the other, so no single choice comes to both."""
    ends = Ends(tmp_path, "accused 2", game=GAMES["conquest"])
    ends.connect()
    table = at_table(ends)
    bots = [make_bot("conquest", "recruit", random.Random(seat)) for seat in (0, 1)]
    ends.play_on(bots, lambda: _accuses(table))
    table.refresh()
    hint = hints.proposed(table)
    assert hint.line.startswith("accuse ")
    _send(table, hint.line)
    assert not _accuses(table)
    ends.close()


class _Talkative:
    """Opens talks and makes a proposal as soon as the rules allow it."""

    def __init__(self, seat: int) -> None:
        self._bot = make_bot("spies", "recruit", random.Random(seat))

    def decide(self, view: View[Any]) -> Any:
        options = view.decision.options if isinstance(view.decision, Choose) else ()
        offered = [] if len(options) > 500 else [*options]  # of the many proposals none is listed
        talk = [move for move in offered if re.fullmatch("(propose|diplomacy) [a-z]+", move)]
        return talk[-1] if talk else self._bot.decide(view)


@pytest.mark.parametrize("purse", ["open", "secret"])
def test_a_hint_for_a_trade_is_a_line_that_the_parser_takes(tmp_path: Path, purse: str) -> None:
    """It was in the words of the record: "propose 0 - 1 0"."""
    ends = Ends(tmp_path, "trade", game=GAMES["spies"], options={"purse": purse})
    ends.connect()
    table, lines = at_table(ends), list[str]()

    def trades() -> bool:
        view = table.session.view
        if kind(view) != "propose" or not isinstance(view.decision, Choose):
            return False
        table.refresh()
        lines.append(hints.proposed(table).line)
        planned = table.terminal.questions.read(view, lines[-1])
        assert isinstance(planned, PlannedAnswers)
        assert planned.first in view.decision.options
        return True

    ends.play_on([_Talkative(0), _Talkative(1)], trades)
    assert lines
    _send(table, lines[-1])
    ends.close()


def _accuses(table: TableController) -> bool:
    decision = table.session.view.decision
    return isinstance(decision, Choose) and isinstance(decision.options, Accusations)
