"""The questions of SPIES!: each option of whole games is offered, read back, drawn and described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from cli.games.interface import Ambiguous, Misunderstood, PlannedAnswers, Unknown, ViewContext
from cli.games.spies import description, panels, questions, reach
from cli.games.spies.answers import forced, kind, offered, reason
from cli.games.spies.chain import deciding
from cli.games.spies.map import board
from cli.games.spies.map.board import ROOMY
from cli.games.spies.names import DECLINE_ALL, only_one
from cli.games.spies.terminal import TERMINAL
from cli.text.layout import width
from cli.text.layout import words as text_of
from p2p_stratego.core.game import Choose
from p2p_stratego.core.self_play import allowed
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import FRANCE, GERMANY, NAMES, POWERS, City
from p2p_stratego.spies.rules.counters import CHIT_NAMES, HAND
from p2p_stratego.spies.rules.observation import funds, true_options
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SPY_CODED, SpyId, State, spy_code
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now
from tests.golden.sentences import Row, assert_answers
from tests.golden.sentences import asked as questions_of
from tests.golden.sentences import decided as meant
from tests.helpers.spies.moments import Kept, asked, carried_out, context, kinds, moments, of_kind, options
from tests.helpers.spies.openings import changed, opening
from tests.helpers.spies.scene import golden

OFTEN = 3
"""Views of a kind that are looked at from all sides; of all others every fiftieth."""
TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {"allocation": "bid", "wild": 0.9}),
    (3, {"allocation": "alternate", "wild": 1}),
    (4, {"allocation": "bid", "purse": "secret", "wild": 1}),
    (5, {"alliances": "yes", "wild": 0.9}),
]


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: str(table[0]))
def game(request: pytest.FixtureRequest) -> Kept:
    seats, options = request.param
    return moments(seats, **options)


@pytest.fixture(scope="module")
def chosen(game: Kept) -> list[ViewContext]:
    """Of each kind of question the first views, then every fiftieth."""
    count: Counter[str] = Counter()
    contexts = []
    for (view, _), what in zip(game, kinds(game), strict=True):
        count[what] += 1
        if count[what] <= OFTEN or count[what] % 50 == 0:
            contexts.append(context(view))
    return contexts


@cache
def of_all_tables() -> dict[str, list[View[State]]]:
    """The views by kind of question."""
    views: dict[str, list[View[State]]] = {}
    for seats, more in TABLES:
        game = moments(seats, **more)
        for (view, _), what in zip(game, kinds(game), strict=True):
            views.setdefault(what, []).append(view)
    return views


def listed(view: View[State]) -> bool:
    decision = view.decision
    return isinstance(decision, Choose) and not isinstance(decision.options, Layings | Proposals)


def test_each_question_has_a_sentence_and_a_way_to_answer(chosen: list[ViewContext]) -> None:
    for of in chosen:
        question = questions.question(of.view, of.players)
        assert question is not None
        assert question.text[-1] in "?.:"
        assert question.how
        assert "None" not in question.text + question.how


def test_every_option_is_offered_and_read_back_from_its_words(chosen: list[ViewContext]) -> None:
    for of in chosen:
        if not listed(of.view):
            continue
        options = offered(of.view)
        assert set(options.values()) <= set(true_options(of.view))
        words = {questions.spoken(of.view, option) for option in true_options(of.view)}
        assert words == set(options)  # two chits of a kind are one to say
        for word, option in options.items():
            assert questions.read(of.view, word) == option
            assert questions.read(of.view, word.upper()) == option
        assert {choice.word for choice in questions.choices(of)} - {DECLINE_ALL} == set(options)


def test_what_bots_decide_can_be_typed(game: Kept) -> None:
    for view, decided in game[::5]:
        if listed(view):
            word = questions.spoken(view, decided)
            read = questions.read(view, word)
            assert not isinstance(read, PlannedAnswers)
            assert questions.spoken(view, read) == word


def test_all_parts_draw_every_moment(chosen: list[ViewContext]) -> None:
    for of in chosen[::2]:
        for columns, rows in ((ROOMY.columns, ROOMY.rows), board.LEAST):
            lines = board.draw(of, columns, rows)
            assert [width(line) for line in lines] == [columns] * rows
        for columns in (24, 36, 60):
            for panel in panels.panels(of, columns):
                assert all(width(line) <= columns for line in panel.lines), panel.name
        assert width(panels.tray(of, 80)) <= 80
        texts = [*description.board(of), *description.asked(of), *description.hand(of)]
        assert all(text and "None" not in text and "?." not in text.replace("£?", "") for text in texts)
        assert description.notes(of)
        assert description.banner(of.view).startswith("19")


def test_completion_goes_on_with_what_is_typed(chosen: list[ViewContext]) -> None:
    for of in chosen[::5]:
        for choice in questions.choices(of)[:5]:
            begun = ViewContext(of.view, of.players, typed=choice.word[:3])
            assert choice.word in {more.word for more in questions.choices(begun)}


RUBBISH = ["", "horse", "ge9 atlantis", "move", "-1", "999999999999", "\x1b[2J", "a" * 5000, "for for", "¾ ٣"]


def answered(view: View[State], typed: str) -> str | None:
    """The refusal; None for an answer, which the question allows."""
    try:
        decided = questions.read(view, typed)
    except Misunderstood as no:
        return str(no)
    assert allowed(view.asked, decided.first if isinstance(decided, PlannedAnswers) else decided), typed
    return None


def test_rubbish_is_refused_in_a_sentence(game: Kept) -> None:
    count: Counter[str] = Counter()
    for (view, _), what in zip(game, kinds(game), strict=True):
        count[what] += 1
        if count[what] > 1 or forced(view) is not None:
            continue
        for typed in RUBBISH:
            reason = answered(view, typed)
            assert reason is None or (reason[-1] in ".?" and "\x1b" not in reason and len(reason) < 500), (
                reason
            )


def test_own_cards_that_leave_no_choice_answer_by_themselves(game: Kept) -> None:
    for (view, _), what in zip(game, kinds(game), strict=True):
        if what == "fact":
            fact = forced(view)
            assert fact in true_options(view)
        elif listed(view):
            assert forced(view) is None or len(true_options(view)) == 1


def test_talk_that_gives_a_move_away_is_noticed() -> None:
    assert questions.reveals(None, "ge1 leipzig")
    assert questions.reveals(None, "move ge1 leipzig")
    assert not questions.reveals(None, "good morning")


SHORT = {"return": "return", "hand": "hand", "stay": "land", "bid": "bid", "pay": "pay", "turn": "move"}
"""By kind of question, the verb that may be left out of its answers."""


@pytest.mark.parametrize("what", SHORT)
def test_a_name_alone_answers_a_question_that_tells_the_verb(what: str) -> None:
    views = of_all_tables()[what]
    assert views
    for view in views[:8]:
        options = offered(view)
        for word, option in options.items():
            verb, _, name = word.partition(" ")
            if verb == SHORT[what]:
                assert questions.read(view, name) == option
                shown = questions.choices(context(view, typed=name))
                assert word in [choice.word for choice in shown]


@pytest.mark.parametrize(
    ("what", "letter", "verbs"), [("turn", "d", {"done", "diplomacy"}), ("stay", "l", {"land"})]
)
def test_a_letter_that_several_answers_share_is_none_of_them(what: str, letter: str, verbs: set[str]) -> None:
    """It must not end the turn, nor land in the one port that begins so."""
    count = 0
    for view in of_all_tables()[what]:
        could = [word for word in offered(view) if word.startswith(letter)]
        if len(could) > 1 and {word.partition(" ")[0] for word in could} == verbs:
            count += 1
            with pytest.raises(Ambiguous):
                questions.read(view, letter)
    assert count


def test_a_piece_or_a_chit_alone_leads_to_all_that_it_can_do_and_to_nothing_else() -> None:
    view = asked(moments(3), "turn", lambda view: len(offered(view)) > 20)
    words = list(offered(view))
    for name in {part for word in words for part in word.split(" ")[:2]} - set(words):
        possible = {word for word in words if name in word.split(" ")[:2]}
        assert {choice.word for choice in questions.choices(context(view, typed=name))} == possible
        if len(possible) == 1 and min(possible).startswith(name):
            assert questions.read(view, name) == offered(view)[min(possible)]
            continue
        with pytest.raises(Ambiguous) as refused:
            questions.read(view, name)
        proposed = str(refused.value).split("You could say ")[1].removesuffix(".").replace(" and ", ", ")
        assert {word for word in proposed.split(", ") if not word.endswith("more")} <= possible


def test_a_refused_answer_tells_what_is_possible_with_the_same_beginning() -> None:
    view = asked(moments(3), "turn", lambda view: len(offered(view)) > 20)
    spy = next(word.split(" ")[1] for word in offered(view) if word.startswith("move"))
    for typed in (f"{spy} atlantis", f"move {spy} atlantis"):
        with pytest.raises(Unknown, match=f"You could say move {spy} "):
            questions.read(view, typed)
    with pytest.raises(Unknown, match="no railway or airline leads from"):
        questions.read(view, f"{spy} {far_from(view, spy)}")
    other = next(
        spy_code(spy) for spy in range(25) if not any(spy_code(spy) in word for word in offered(view))
    )
    with pytest.raises(Unknown, match=f"{other} .* is a spy of Italy"):
        questions.read(view, other)


def far_from(view: View[State], spy: str) -> str:
    """A city that the spy does not reach in this turn."""
    ways, at = reach.ways(view, SPY_CODED[spy]), view.state.spies[SPY_CODED[spy]].city
    return next(name for city, name in enumerate(NAMES) if city not in ways and city != at)


def test_a_spy_is_sent_through_several_cities_or_to_one_further_away() -> None:
    view = asked(moments(3), "turn", lambda view: any(len(way) > 2 for way in ways_of_all(view).values()))
    (spy, goal), way = next((key, way) for key, way in ways_of_all(view).items() if len(way) > 2)
    names = [NAMES[city] for city in way]
    planned = questions.read(view, f"{spy_code(spy)} {' '.join(names)}")
    assert planned == PlannedAnswers(
        f"move {spy_code(spy)} {names[0]}", tuple(f"move {spy_code(spy)} {name}" for name in names[1:])
    )
    far = questions.read(view, f"move {spy_code(spy)} {NAMES[goal]}")
    assert far == replace(planned, line=f"{spy_code(spy)} {' '.join(names)}")
    astray = f"{spy_code(spy)} {names[0]} {far_from(view, spy_code(spy))}"
    with pytest.raises(Unknown):
        questions.read(view, astray)


def ways_of_all(view: View[State]) -> dict[tuple[SpyId, City], tuple[City, ...]]:
    """By spy and goal, the cities to go through."""
    spies = (spy for spy, _piece in view.state.own(view.state.power))
    return {(spy, goal): way for spy in spies for goal, way in reach.ways(view, spy).items()}


@cache
def turns() -> list[View[State]]:
    return of_kind(moments(3), "turn")


def test_a_verb_and_a_piece_do_where_they_leave_one_answer() -> None:
    count = 0
    for view in turns()[::10]:
        offers = offered(view)
        begun = Counter(" ".join(word.split(" ")[:2]) for word in offers)
        for word, option in offers.items():
            if len(word.split(" ")) == 3 and begun[typed := " ".join(word.split(" ")[:2])] == 1:
                assert questions.read(view, typed) == option
                count += 1
    assert count


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        (["intercept"], ["intercept br2"]),
        (["int"], ["intercept br2"]),
        (["in"], []),
        (["escape"], []),
        (["escape", "gen"], ["escape geneva"]),
        (["geneva"], []),
        (["no"], []),
        ([], []),
    ],
)
def test_a_chit_alone_answers_where_it_can_be_played_in_one_way_only(
    typed: list[str], answers: list[str]
) -> None:
    assert only_one(typed, ["no", "intercept br2", "escape geneva", "escape istanbul"]) == answers


def test_a_spy_off_the_map_and_a_secret_far_from_the_capital_are_told_as_reasons() -> None:
    reasons = set()
    for view in turns()[::-10]:
        for spy in range(view.state.power * 5, view.state.power * 5 + 5):
            for typed in (f"{spy_code(spy)} berlin", f"cash {spy_code(spy)}"):
                if (no := answered(view, typed)) is not None:
                    reasons |= {why for why in REASONS if why in no}
        if reasons == set(REASONS):
            return
    assert reasons == set(REASONS)


def test_a_search_that_cannot_be_tells_why() -> None:
    reasons = set()
    for view in turns():
        for city in NAMES:
            reasons |= {why for why in SEARCHES if why in (answered(view, f"search {city}") or "")}
        if reasons == set(SEARCHES):
            return
    assert reasons == set(SEARCHES)


SEARCHES = ("you have no police in", "no spy of another player is in")


def test_a_tile_can_be_played_by_its_title_or_a_beginning_of_it() -> None:
    view = asked(moments(3), "tile")
    for option, word in ((option, word) for word, option in offered(view).items() if word.startswith("play")):
        title = words.title(int(word.split()[1]))
        for typed in (f"play {title}", f"{word} {title}", f"play {title.split()[-1][:5]}"):
            assert questions.read(view, typed) == option, typed
        with pytest.raises(Ambiguous):
            questions.read(view, title)


REASONS = ("is a prisoner", "has been killed", "carries no secret", "are cashed in", "no railway or airline")


def test_a_turn_tells_its_points_and_how_to_end_it() -> None:
    for view in turns():
        question = questions.question(view, context(view).players)
        assert question is not None
        if view.state.ap == 1:
            assert ", 1 point: " in question.text
        if all(word.split()[0] not in ("move", "search", "cash") for word in options(view)):
            trades = question.text.endswith(" a trade.")
            assert question.how.startswith("propose ") if trades else question.how == "done"


def test_secrets_that_police_stand_on_are_named_in_any_order_and_none_comes_first() -> None:
    view = asked(moments(3), "stand", lambda view: any(len(word.split()) > 2 for word in offered(view)))
    assert questions.choices(context(view))[0].word == "none"
    for word, option in offered(view).items():
        turned = " ".join(reversed(word.split(" ")))
        assert questions.read(view, turned) == option
        assert word in [choice.word for choice in questions.choices(context(view, typed=turned))]
    names = sorted({name for word in offered(view) for name in word.split(" ")} - {"none"})
    for typed in (f"{names[0]} atlantis", f"{names[0]} {names[0]}", f"none {names[0]}"):
        assert answered(view, typed) is not None


def test_who_waits_reads_whole_sentences(chosen: list[ViewContext]) -> None:
    for of in chosen:
        if isinstance(of.view.asked, Choose):
            sentence = questions.waiting(of.view, of.players, of.view.asked)
            assert sentence[-1] in ".?"
            assert "?." not in sentence


TALKING: dict[str, dict[str, Any]] = {
    "no talks are open": {},
    "no action point is left": {"ap": 0},
    "talks with France are open": {"talks": (FRANCE,)},
    "20 proposals were made to France": {"talks": (FRANCE,), "proposals": 20},
    "neither Germany nor France has anything": {"talks": (FRANCE,), "money": (0,) * 5, "hands": ((),) * 5},
    "one player runs Germany and France": {"runs": (0, 1, 2, 0, 4)},
    "the player of France has left": {"gone": (3,)},
    "Russia has made its pact": {"pact": True, "runs": (0, 1, 4, 3, 4)},
}
"""Germany's turn at a table of five."""


def test_a_moment_is_asked_about_answered_and_refused_in_words() -> None:
    first = {questions.kind(view): view for view in reversed(golden()[:-1])}

    def answer(row: Row) -> Iterator[str]:
        if row.place in TALKING:
            if row.typed is not None:
                yield from meant(TERMINAL, changed(opening(GERMANY), **TALKING[row.place]), row.typed)
        elif row.typed is None:
            of = context(first[row.place])
            yield from questions_of(TERMINAL, of.view, of.players)
            yield from description.asked(of)
        else:
            yield from meant(TERMINAL, first[row.place], row.typed)

    assert_answers("spies", answer)


def test_what_cannot_be_named_is_no_reason_against_a_proposal() -> None:
    assert reason(opening(GERMANY), ["propose", "france"])
    assert reason(opening(GERMANY), ["propose", "spain"]) == reason(opening(GERMANY), ["propose"]) == ""


def test_all_chits_that_go_back_can_stand_in_one_line() -> None:
    """At nearly every draw each had a question of its own."""
    views = [view for view in of_kind(moments(3), "return") if max(map(len, now(view).hands)) > HAND + 1]
    assert views
    for view in views[:20]:
        held = next(hand for hand in now(view).hands if len(hand) > HAND)
        names = [CHIT_NAMES[view.known[slot]] for slot in held[: len(held) - HAND]]
        planned = questions.read(view, " ".join(names))
        assert isinstance(planned, PlannedAnswers)
        made = [planned.first, *planned.then]
        assert [CHIT_NAMES[view.known[int(str(move).split(" ")[1])]] for move in made] == names
        assert carried_out(view, planned) == made
        with pytest.raises(Misunderstood):
            questions.read(view, " ".join(CHIT_NAMES[view.known[slot]] for slot in held))


def test_the_hand_beside_a_question_is_that_of_the_power_that_gives() -> None:
    """Under an offer to Italy stood the hand of Germany."""
    views = [*of_kind(moments(5), "accept"), *of_kind(moments(5), "return")]
    others = [view for view in views if deciding(view) != now(view).power]
    assert {kind(view) for view in others} == {"accept", "return"}
    for view in others:
        power = deciding(view)
        assert power is not None
        assert now(view).runs[power] == view.seat
        name = words.power(power)
        seen = context(view)
        hand = next(panel for panel in panels.panels(seen, 30) if panel.name == "hand")
        assert hand.title == f"In hand: {name}"
        assert hand.least == len(hand.lines)
        assert text_of(panels.tray(seen, 80)).strip().startswith(name)
        assert name in description.banner(view)


def test_after_talks_are_opened_the_question_names_the_proposal() -> None:
    views = [
        view
        for view in of_kind(moments(2), "turn")
        if now(view).report and now(view).report[-1].kind == "diplomacy"
    ]
    for view in views:
        other = POWERS[now(view).report[-1].other]
        if f"propose {other}" in options(view):
            question = questions.question(view, context(view).players)
            assert question is not None
            assert f"propose {other}" in question.how
            break
    else:
        pytest.fail("nobody opened talks")


def test_a_gift_is_asked_about() -> None:
    view = asked(moments(5), "propose", lambda view: funds(now(view), now(view).power, view.known) != 0)
    planned = questions.read(view, "1 pound")
    assert isinstance(planned, PlannedAnswers)
    assert planned.warnings == ("You give something, and get nothing for it.",)
    trade = questions.read(view, "1 pound for 1 chit")
    assert isinstance(trade, PlannedAnswers)
    assert not trade.warnings
