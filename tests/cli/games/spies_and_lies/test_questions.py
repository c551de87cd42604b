"""Questions, answers and warnings of Spies & Lies, and its board in sentences."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from cli.games.interface import Ambiguous, Choice, Misunderstood, NotPossible, Unknown
from cli.games.spies_and_lies import cards
from cli.games.spies_and_lies.manual import find
from cli.games.spies_and_lies.names import RESULTS, SHORT, result_on_card
from cli.games.spies_and_lies.soldiers import drafted, named
from cli.text import language
from cli.text.language import NAMES
from cli.text.layout import words
from p2p_stratego.core.game import Ask, Commit
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.formats import narration
from p2p_stratego.spies_and_lies.rules import notation
from p2p_stratego.spies_and_lies.rules.asks import (
    CAPTAIN_ASKS,
    GUESS_ASKS,
    INTEL_ASKS,
    OPEN_ASKS,
    TOKEN_ASKS,
    first_deploy_ask,
    mark_ask,
)
from p2p_stratego.spies_and_lies.rules.soldiers import BLUE, RANKS, SOLDIERS
from p2p_stratego.spies_and_lies.rules.state import NONE_CLOSED, State
from tests.helpers.spies_and_lies.moments import (
    MIDDLE,
    MOMENTS,
    PLAYERS,
    TERMINAL,
    TWO,
    captain,
    context,
    deploying,
    guessing,
    laying,
    marking,
    marshal,
    view,
)
from tests.helpers.spies_and_lies.table import BASE

READ = [
    # deploying: the Scout is exhausted
    (deploying(), "1 4 8 10", (1, 4, 8, 10)),
    (deploying(), "deploy 1, 4, 8, 10", (1, 4, 8, 10)),
    (deploying(), "  DEPLOY  spy sergeant COLONEL marshal ", (1, 4, 8, 10)),
    (deploying(), "sp ser col mar", (1, 4, 8, 10)),
    (deploying(), "1 Spy 4 Sergeant, 8 Colonel 10 Marshal", (1, 4, 8, 10)),
    (deploying(), "10 9 8 7", (10, 9, 8, 7)),  # out of order: allowed, with a warning
    # marking
    (marking(), "3 4", "mark 34"),
    (marking(), "mark 4,3", "mark 34"),
    (marking(), "34", "mark 34"),
    (marking(), "none", "mark none"),
    (marking(), "mark none", "mark none"),
    (marking(), "mark 1234", "mark 1234"),
    # laying a token
    (laying(), "yes", "token"),
    (laying(), "Y", "token"),
    (laying(), "token", "token"),
    (laying(), "no", "no token"),
    (laying(), "no token", "no token"),
    # guessing
    (guessing(), "7", "guess 7"),
    (guessing(), "guess 7", "guess 7"),
    (guessing(), "Bomb", "guess 7"),
    (guessing(), "guess bo", "guess 7"),
    (guessing(), "marshal", "guess 10"),
    (guessing(), "captain", "guess 6"),
    (guessing(), "guess marshal", "guess 10"),
    # the Captain: 7 and 9 are exhausted
    (captain((7, 9)), "points", "captain points"),
    (captain((7, 9)), "captain points", "captain points"),
    (captain((7, 9)), "9", "captain 9"),
    (captain((7, 9)), "captain general", "captain 9"),
    (captain((7, 9)), "b", "captain 7"),
    # the Marshal
    (marshal(), "ten", "marshal ten"),
    (marshal(), "10", "marshal ten"),
    (marshal(), "five", "marshal five"),
    (marshal(), "marshal five", "marshal five"),
]


@pytest.mark.parametrize(("of", "typed", "decided"), READ)
def test_what_people_type_is_understood(of: View[Any], typed: str, decided: object) -> None:
    assert TERMINAL.questions.read(of, typed) == decided


MISREAD = [
    (deploying(), "1 4 8", NotPossible),
    (deploying(), "1 4 8 9 10", NotPossible),
    (deploying(), "", NotPossible),
    (deploying(), "1 1 8 9", NotPossible),  # twice: nobody could do that at a table
    (deploying(), "1 2 8 9", NotPossible),  # exhausted, likewise
    (deploying(), "0 1 2 3", Unknown),
    (deploying(), "1 4 8 11", Unknown),
    (deploying(), "1 4 8 99999999999999999999", Unknown),
    (deploying(), "1 4 8 wizard", Unknown),
    (deploying(), "s m 8 9", Ambiguous),
    (deploying(), "guess 3 4 5", Unknown),
    (marking(), "5", Unknown),
    (marking(), "perhaps", Unknown),
    (marking(), "", Unknown),
    (marking(), "guess 7", NotPossible),
    (marking(), "deploy 1 4 8 10", NotPossible),
    (laying(), "7", Unknown),
    (laying(), "guess 7", NotPossible),
    (laying(), "maybe", Unknown),
    (guessing(), "11", Unknown),
    (guessing(), "-1", Unknown),
    (guessing(), "٣", Unknown),  # a digit, but not one that we print
    (guessing(), "x", Unknown),
    (guessing(), "s", Ambiguous),
    (guessing(), "m", Ambiguous),
    (guessing(), "7 8", Unknown),
    (guessing(), "", Unknown),
    (guessing(), "mark 3", NotPossible),
    (guessing(), "token", NotPossible),
    (captain((7, 9)), "8", NotPossible),
    (captain((7, 9)), "guess 7", NotPossible),
    (marshal(), "seven", Unknown),
    (view(MIDDLE), "guess 3", NotPossible),
    (view(MIDDLE), "hello", Unknown),
]


@pytest.mark.parametrize(("of", "typed", "error"), MISREAD)
def test_each_misunderstanding_is_of_its_kind_and_says_what_would_do(
    of: View[Any], typed: str, error: type[Misunderstood]
) -> None:
    with pytest.raises(Misunderstood) as caught:
        TERMINAL.questions.read(of, typed)
    assert type(caught.value) is error
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 140


@pytest.mark.parametrize("gone", RANKS)
def test_the_example_of_a_line_can_be_laid(gone: int) -> None:
    of = deploying()
    of = dataclasses.replace(of, state=replace(of.state, exhausted=((gone,), (2,))))
    asked = TERMINAL.questions.question(of, context(of, "").players)
    assert asked is not None
    example = asked.how.partition("such as ")[2]
    line = TERMINAL.questions.read(of, example)
    assert isinstance(line, tuple)
    assert len(line) == 4
    assert list(line) == sorted(line)


def test_an_ambiguous_beginning_is_resolved_by_the_hand() -> None:
    """ "sc" would be the Scout, which is exhausted; "s" is the Spy or the Sergeant then."""
    with pytest.raises(Ambiguous, match="Spy or Sergeant"):
        TERMINAL.questions.read(deploying(), "s 8 9 10")


@pytest.mark.parametrize("moment", [name for name, of in MOMENTS.items() if of.decision is not None])
def test_every_choice_that_is_offered_is_understood_as_itself(moment: str) -> None:
    of = MOMENTS[moment]
    for choice in TERMINAL.questions.choices(context(of, "")):
        if isinstance(of.decision, Commit):
            assert choice.word.isdigit()
        else:
            assert TERMINAL.questions.read(of, choice.word) == choice.word


def chosen(of: View[Any], typed: str) -> list[str]:
    return [choice.word for choice in TERMINAL.questions.choices(context(of, typed))]


def test_choices_go_on_from_what_is_typed() -> None:
    assert chosen(guessing(), "ser") == chosen(guessing(), "guess 4") == ["guess 4"]
    assert chosen(guessing(), "ma") == []  # the Marshal cannot be there
    assert chosen(deploying(), "") == ["1", "3", "4", "5", "6", "7", "8"]  # behind a 9 too few are left
    assert chosen(deploying(), "6 ") == ["6 4", "6 7", "6 8", "6 9"]  # what keeps the order, to its end
    assert chosen(deploying(), "8 ") == ["8 4", "8 9"]
    assert chosen(deploying(), "9 ") == []
    assert chosen(deploying(), "8 4 g") == ["8 4 9"]
    assert chosen(deploying(), "1 3 4 5") == ["1 3 4 5"]
    assert chosen(deploying(), "1 3 4 5 ") == []
    assert chosen(deploying(), "wizard ") == []
    assert chosen(view(MIDDLE), "") == []


def test_honest_marks_are_offered_first_and_every_other_as_false() -> None:
    choices = TERMINAL.questions.choices(context(marking(), ""))
    assert choices[0] == Choice("mark 34", "3 4 (true)")
    assert choices[1] == Choice("mark 234", "2 3 4 (true)")  # the Sergeant may lie
    assert all("false" in choice.shown for choice in choices[2:])
    assert len(choices) == 16


def test_a_line_out_of_order_is_warned_of_with_what_it_costs() -> None:
    told = " ".join(TERMINAL.questions.warnings(deploying(), (8, 1, 4, 10)))
    for part in ("1 Spy", "goes back", "fall to 0", "count as identified", "opponent would win"):
        assert part in told
    assert TERMINAL.questions.warnings(deploying(), (1, 8, 4, 10)) == []


def test_false_marks_are_warned_of_except_the_sergeants() -> None:
    told = " ".join(TERMINAL.questions.warnings(marking(), "mark 13"))
    assert "about mission 1 (1 Spy) and mission 4 (10 Marshal)." in told
    assert "counts as identified" in told
    assert TERMINAL.questions.warnings(marking(), "mark 34") == []
    assert TERMINAL.questions.warnings(marking(), "mark 234") == []
    assert TERMINAL.questions.warnings(guessing(), "guess 3") == []


@pytest.mark.parametrize(
    ("of", "typed", "told"),
    [
        (deploying(), "1 8", "8 Colonel"),
        (guessing(), "bomb", "7 Bomb"),
        (captain((7, 9)), "9", "9 General"),
    ],
)
def test_the_ability_of_the_soldier_being_typed_is_at_hand(of: View[Any], typed: str, told: str) -> None:
    line = words(TERMINAL.panels.explain(context(of, typed)))
    assert line.startswith(told)
    assert SOLDIERS[int(told.split(maxsplit=1)[0])].ability in line


@pytest.mark.parametrize(
    ("of", "typed"), [(deploying(), ""), (guessing(), "x"), (marking(), "3"), (view(MIDDLE), "7")]
)
def test_nothing_is_explained_where_no_soldier_is_named(of: View[Any], typed: str) -> None:
    assert TERMINAL.panels.explain(context(of, typed)) == ()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_question_is_put_exactly_when_there_is_something_to_decide(moment: str) -> None:
    of = MOMENTS[moment]
    question = TERMINAL.questions.question(of, PLAYERS)
    assert (question is not None) == (of.decision is not None)
    if question is not None:
        assert question.text.endswith("?")
        assert question.how


def test_questions_name_what_they_are_about() -> None:
    question = TERMINAL.questions.question(guessing(token=True), PLAYERS)
    assert question is not None
    assert question.text == "Boris laid a token. Which soldier lies under Boris's mission 3?"
    question = TERMINAL.questions.question(laying(), PLAYERS)
    assert question is not None
    assert "mission 3 (8 Colonel)" in question.text


@pytest.mark.parametrize(
    ("state", "ask", "told"),
    [
        (
            replace(BASE, phase="deploy", intel=((1, 4),)),
            first_deploy_ask(1, TWO),
            "Boris is still deploying.",
        ),
        (
            replace(BASE, phase="intel", intel=((1, 4),)),
            mark_ask(TWO, NONE_CLOSED),
            "Boris is still marking missions.",
        ),
        (replace(MIDDLE, turn=5), GUESS_ASKS[BLUE], "Boris guesses your mission 3."),
        (MIDDLE, CAPTAIN_ASKS[(2,)][BLUE], "Boris chooses what the Captain does."),
        (MIDDLE, OPEN_ASKS[0], "A card is being turned up."),
        (MIDDLE, INTEL_ASKS[4], "Chance is drawn by both sides together."),
    ],
)
def test_what_is_waited_for_is_said(state: State, ask: Ask, told: str) -> None:
    assert TERMINAL.questions.waiting(view(state), PLAYERS, ask) == told


def test_the_board_in_sentences_says_all_that_is_drawn() -> None:
    told = "\n".join(TERMINAL.description.board(context(guessing(token=True))))
    for part in (
        "Day 1 of 3, guess 5 of 8",
        "Today's intel is 7–10",
        "Old intel: 1–4",
        "4 cards to come",
        "1 step into Boris's ground, 3 from the wall",
        "Boris (blue): 6 of 10 points, 2 tokens, exhausted 2 Scout",
        "in force: Spy, Scout, Miner",
        "the next guess meets a blast",
        "Mission 1: 3 Miner, retreated",
        "Mission 2: 7 Bomb, identified, marked",
        "a token on it",
        "Mission 4: face down, marked; can be 8",
        "You, Anna, (red): 0 of 10 points, 0 tokens",
        "Mission 3: 8 Colonel, face down, marked",
    ):
        assert part in told, part


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (0, "stands in the middle"),
        (4, "4 steps into Boris's ground at the wall"),
        (-4, "4 steps into your ground at the wall"),
        (5, "has taken Boris's flag"),
        (-5, "has taken your flag"),
    ],
)
def test_the_agents_place_is_told_from_our_side(agent: int, told: str) -> None:
    assert told in "\n".join(TERMINAL.description.board(context(view(replace(BASE, agent=agent)))))


def test_hand_and_notes_can_be_read_out() -> None:
    hand = "\n".join(TERMINAL.description.hand(context(guessing())))
    assert "2 Scout (exhausted)" in hand
    assert "8 Colonel (mission 3)" in hand
    assert "3 Miner (in hand)" in hand
    assert "Mission 4: face down, marked; can be" in "\n".join(
        TERMINAL.description.notes(context(guessing()))
    )
    assert "nothing to note" in "\n".join(TERMINAL.description.notes(context(deploying())))


def test_notes_that_are_off_are_off_everywhere() -> None:
    assert "can be" not in "\n".join(TERMINAL.description.board(context(guessing(), notes=False)))
    assert [panel.name for panel in TERMINAL.panels.panels(context(guessing(), notes=False), 30)] == [
        "soldiers"
    ]


@pytest.mark.parametrize("columns", [27, 36, 46, 64])
@pytest.mark.parametrize("code", NAMES)
def test_the_abilities_of_all_soldiers_stand_in_one_column(code: str, columns: int) -> None:
    language.install(code)
    try:
        (panel,) = TERMINAL.panels.panels(context(guessing(), notes=False), columns)
        rows = [words(line) for line in panel.lines]
        begins = [at for at in range(8, 20) if all(row[at - 1 : at] == " " != row[at] for row in rows)]
        assert begins, rows
        assert all(len(row) <= columns for row in rows)
    finally:
        language.install("en")


def test_rules_are_at_hand_whole_and_by_soldier() -> None:
    assert len(TERMINAL.manual.page(None, 72).lines) > 30
    assert "Bomb" in TERMINAL.manual.page("bomb", 72).title
    with pytest.raises(Unknown, match="wizard"):
        TERMINAL.manual.page("wizard", 72)


def test_decisions_are_spoken_as_people_would() -> None:
    assert (
        TERMINAL.questions.spoken(deploying(), (1, 4, 8, 10))
        == "lay 1 Spy, 4 Sergeant, 8 Colonel, 10 Marshal"
    )
    assert TERMINAL.questions.spoken(guessing(), "guess 7") == "guess 7 Bomb"
    assert TERMINAL.questions.spoken(captain(), "captain 2") == "captain as 2 Scout"
    assert TERMINAL.questions.spoken(marking(), "mark 34") == "mark missions 3 and 4"


def test_options_are_said_in_words() -> None:
    assert narration.options({"wall": 5, "starter": "red"}, 2) == [
        "each wall stands 5 steps from the middle",
        "red guesses first",
    ]
    assert "chance" in narration.options({"wall": 4, "starter": "random"}, 2)[1]


def test_what_cannot_be_laid_is_not_drafted_and_said_at_once() -> None:
    assert drafted(deploying(), "1 4 8 10") == (1, 4, 8, 10)
    assert drafted(deploying(), "1 4 2 10") == (1, 4)  # the Scout is exhausted
    assert drafted(deploying(), "1 4 1") == (1, 4)
    assert drafted(guessing(), "1 4") == ()
    assert words(TERMINAL.panels.explain(context(deploying(), "1 scout"))) == "2 Scout: exhausted today."


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_offered_can_be_typed_as_it_is_printed(moment: str) -> None:
    of = MOMENTS[moment]
    offered = TERMINAL.questions.choices(context(of, ""))
    assert offered or of.decision is None
    for choice in offered:
        if isinstance(of.decision, Commit):
            assert drafted(of, choice.shown) == drafted(of, choice.word) != ()
        else:
            assert TERMINAL.questions.read(of, choice.shown) == TERMINAL.questions.read(of, choice.word)
        assert choice in TERMINAL.questions.choices(context(of, choice.shown))


def test_a_line_is_laid_by_typing_what_is_offered_one_after_the_other() -> None:
    typed = ""
    for _ in range(4):
        typed += f"{TERMINAL.questions.choices(context(deploying(), typed))[0].shown} "
    assert typed == "1 Spy 3 Miner 4 Sergeant 5 Lieutenant "
    assert TERMINAL.questions.read(deploying(), typed) == (1, 3, 4, 5)


def offered(of: View[State], *, notes: bool = True) -> list[str]:
    return [choice.shown for choice in TERMINAL.questions.choices(context(of, notes=notes))]


def test_the_captain_is_asked_after_the_guess_was_told_with_what_each_choice_leads_to() -> None:
    asked = TERMINAL.questions.question(captain((7, 9)), PLAYERS)
    assert asked is not None
    assert asked.text.startswith("Boris guesses the Colonel at your mission 3: it is your Captain.")
    assert offered(captain((7, 9))) == [
        "9 General: agent +2",
        "points: +6",
        "7 Bomb: blasts your next guess",
    ]
    assert "10 Marshal: then ten or five" in offered(captain((10,)))
    near = replace(MIDDLE, points=(5, 6), agent=3)
    assert offered(captain((7, 9), near))[0] == "9 General: agent +1, stops at the wall"
    assert "points: reaches 10, agent +1, stops at the wall" in offered(captain((7, 9), near))
    won = offered(captain((7,), replace(MIDDLE, points=(5, 6), agent=4)))
    assert won[0] == "points: reaches 10, takes the flag, you win"
    told = TERMINAL.description.asked(context(captain((7, 9))))
    assert told == [f"{shown}." for shown in offered(captain((7, 9)))]


@pytest.mark.parametrize("typed", ["points", "Points: +6", "6", "captain points", "6 points"])
def test_the_captains_points_are_typed_as_they_are_offered(typed: str) -> None:
    assert TERMINAL.questions.read(captain((7, 9)), typed) == notation.CAPTAIN_POINTS


@pytest.mark.parametrize("code", NAMES)
def test_a_result_and_a_gain_fit_on_the_narrowest_card(code: str) -> None:
    language.install(code)
    try:
        told = [result_on_card(result, 11) for result in RESULTS] + [cards.gain(rank) for rank in RANKS]
    finally:
        language.install("en")
    assert [text for text in told if len(text) > 11] == []


def test_taking_the_flag_with_a_flawed_line_is_told_as_what_it_is_and_offered_last() -> None:
    of = captain((7,), replace(MIDDLE, points=(5, 6), agent=4))
    false = replace(of.state, marks=(of.state.marks[0] ^ {4}, of.state.marks[1]))  # of a card still closed
    shown = offered(View(of.seat, false, of.known, of.decision, of.since))
    assert shown[-1] == "points: reaches 10, takes the flag, but your line is flawed: Boris wins"


def test_the_marshal_is_asked_with_what_each_choice_leads_to() -> None:
    asked = TERMINAL.questions.question(marshal(), PLAYERS)
    assert asked is not None
    assert asked.text.startswith("Boris guesses the Colonel at your mission 4: it is your Marshal.")
    assert sorted(offered(marshal())) == ["five: +5, Boris −5", "ten: reaches 10, agent +1"]
    assert "five: +5" in offered(marshal(replace(MIDDLE, points=(0, 0))))


def test_a_token_pays_in_what_is_told_of_a_choice() -> None:
    of = captain((9,))
    since = ((TOKEN_ASKS[0], "token"), *of.since)
    laid = View(of.seat, replace(of.state, tokens=(1, 2)), of.known, of.decision, since)
    assert "points: reaches 10, agent +1" in offered(laid)  # 6 for the Captain and 4 for the token


@pytest.mark.parametrize(("of", "own"), [(captain((9,)), "Captain"), (marshal(), "Marshal")])
def test_the_question_tells_in_words_that_a_deception_token_lies_on_the_card(
    of: View[State], own: str
) -> None:
    bare = TERMINAL.questions.question(of, PLAYERS)
    laid = View(of.seat, of.state, of.known, of.decision, ((TOKEN_ASKS[0], "token"), *of.since))
    asked = TERMINAL.questions.question(laid, PLAYERS)
    assert bare is not None
    assert asked is not None
    assert "token" not in bare.text
    assert f", deception token on it: it is your {own}. What does your {own} do?" in asked.text
    assert asked.text.startswith("Boris guesses the Colonel at your mission ")


def test_the_likeliest_soldiers_are_offered_first_and_none_that_cannot_be_there() -> None:
    state = replace(MIDDLE, turn=0, cards=((None,) * 4, (None,) * 4), marks=(frozenset(), frozenset((4,))))
    of = guessing(state)
    shares = chances(Evidence.of(of.state, 1))[0]
    words = [choice.word for choice in TERMINAL.questions.choices(context(of))]
    assert [shares[int(word.split()[1])] for word in words] == sorted(shares.values(), reverse=True)
    assert "guess 10" not in words
    assert TERMINAL.questions.read(of, "10") == "guess 10"  # a crooked line can still be named
    plain = offered(guessing(), notes=False)
    assert "3 Miner" not in plain  # shown today
    assert "2 Scout" not in plain  # exhausted
    assert plain[:2] == ["1 Spy", "4 Sergeant"]


def test_soldiers_are_named_as_narrow_cards_print_them() -> None:
    for rank, short in SHORT.items():
        assert named(short.lower()) == rank
        assert find(short) == SOLDIERS[rank]
    assert TERMINAL.questions.read(deploying(), "1 Spy, 3 Min, 4 Sgt, Lt") == (1, 3, 4, 5)
