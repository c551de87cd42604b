"""Questions, answers and warnings of Spies & Lies, and its board in sentences."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from cli.games.interface import Choice, Unknown
from cli.games.spies_and_lies import cards
from cli.games.spies_and_lies.manual import find
from cli.games.spies_and_lies.names import RESULTS, SHORT, names, result_on_card
from cli.games.spies_and_lies.soldiers import drafted, named
from cli.games.typed_names import in_english
from cli.text import language
from cli.text.language import NAMES
from cli.text.layout import words
from p2p_stratego.core.game import Ask, Commit, Move
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
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
from p2p_stratego.spies_and_lies.rules.components import BLUE, RANKS, SOLDIERS
from p2p_stratego.spies_and_lies.rules.state import NONE_CLOSED, State
from tests.golden.sentences import Row, asked, assert_answers, decided, explained, offered, read_out
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


def flawed(of: View[State]) -> View[State]:
    """The same with a false mark, of a card that is still closed."""
    return dataclasses.replace(
        of, state=replace(of.state, marks=(of.state.marks[0] ^ {4}, of.state.marks[1]))
    )


def with_token(of: View[State]) -> View[State]:
    """The same with a token of ours on the card that was guessed."""
    return dataclasses.replace(
        of, state=replace(of.state, tokens=(1, 2)), since=((TOKEN_ASKS[0], "token"), *of.since)
    )


AT_THE_WALL = replace(MIDDLE, points=(5, 6), agent=4)
PLACES: dict[str, View[Any]] = {
    **MOMENTS,
    "captain of one": captain((10,)),
    "captain near the wall": captain((7, 9), replace(MIDDLE, points=(5, 6), agent=3)),
    "captain at the wall": captain((7,), AT_THE_WALL),
    "captain at the wall, with a flawed line": flawed(captain((7,), AT_THE_WALL)),
    "captain with a token": with_token(captain((9,))),
    "marshal with a token": with_token(marshal()),
    "marshal without points": marshal(replace(MIDDLE, points=(0, 0))),
    "nothing is asked": view(MIDDLE),
    **{f"agent at {at}": view(replace(BASE, agent=at)) for at in (0, 4, -4, 5, -5)},
}
"""In `deploying` the Scout is exhausted, in `captain` 7 and 9 are."""
AWAITED: dict[str, tuple[State, Ask]] = {
    "soldiers are awaited": (replace(BASE, phase="deploy", intel=((1, 4),)), first_deploy_ask(1, TWO)),
    "marks are awaited": (replace(BASE, phase="intel", intel=((1, 4),)), mark_ask(TWO, NONE_CLOSED)),
    "a guess is awaited": (replace(MIDDLE, turn=5), GUESS_ASKS[BLUE]),
    "a captain is awaited": (MIDDLE, CAPTAIN_ASKS[(2,)][BLUE]),
    "a card is awaited": (MIDDLE, OPEN_ASKS[0]),
    "chance is awaited": (MIDDLE, INTEL_ASKS[4]),
}
PAGES = ("board", "hand", "notes", "asked")


def test_a_moment_is_asked_about_answered_warned_of_and_refused_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.place in AWAITED:
            state, ask = AWAITED[row.place]
            yield TERMINAL.questions.waiting(view(state), PLAYERS, ask)
            return
        of = PLACES[row.place]
        if row.place.startswith("agent"):
            yield TERMINAL.description.board(context(of))[2]
        elif row.typed is None:
            yield from asked(TERMINAL, of, PLAYERS)
            yield from offered(TERMINAL, context(of))
        elif row.typed in PAGES:
            yield from read_out(TERMINAL, context(of), row.typed)
        elif row.typed.endswith("…"):
            yield from explained(TERMINAL, context(of, row.typed[:-1]))
        else:
            yield from decided(TERMINAL, of, row.typed)

    assert_answers("spies-and-lies", answer)


@pytest.mark.parametrize(
    ("of", "true", "false"),
    [
        (deploying(), (1, 8, 4, 10), (8, 1, 4, 10)),
        (marking(), "mark 34", "mark 13"),
        (marking(), "mark 234", "mark 1234"),  # the Sergeant on 2 may lie
        (guessing(), "guess 4", "guess 3"),
    ],
)
def test_a_warning_comes_before_a_false_claim_or_an_impossible_guess_and_no_other_decision(
    of: View[Any], true: Move | tuple[int, ...], false: Move | tuple[int, ...] | None
) -> None:
    assert TERMINAL.questions.warnings(of, true) == []
    assert false is None or TERMINAL.questions.warnings(of, false)


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


@pytest.mark.parametrize("moment", [name for name, of in MOMENTS.items() if of.decision is not None])
def test_every_choice_that_is_offered_is_understood_as_itself(moment: str) -> None:
    of = MOMENTS[moment]
    for choice in TERMINAL.questions.choices(context(of, "")):
        if isinstance(of.decision, Commit):
            assert choice.word.isdigit()
        else:
            read = TERMINAL.questions.read(of, choice.word)
            assert isinstance(read, str)
            assert choice.word == (notation.missions_typed(read) if read in notation.MARKS else read)


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


def test_true_marks_are_offered_first_then_a_lie_of_the_sergeant_and_every_other_as_false() -> None:
    choices = TERMINAL.questions.choices(context(marking(), ""))
    assert choices[0] == Choice("3 4", "3 4 (true)")
    assert choices[1] == Choice("2 3 4", "2 3 4 (the Sergeant lies)"), "as he may"
    assert all("false" in choice.shown for choice in choices[2:])
    assert len(choices) == 16


@pytest.mark.parametrize(
    ("of", "typed", "ability"),
    [
        (deploying(), "1 8", "8 Colonel"),
        (guessing(), "bomb", "7 Bomb"),
        (captain((7, 9)), "9", "9 General"),
    ],
)
def test_the_ability_of_the_soldier_being_typed_is_at_hand(of: View[Any], typed: str, ability: str) -> None:
    line = words(TERMINAL.panels.explain(context(of, typed)))
    assert line.startswith(ability)
    assert SOLDIERS[int(ability.split(maxsplit=1)[0])].ability in line


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


def test_what_cannot_be_laid_is_not_drafted_and_said_at_once() -> None:
    assert drafted(deploying(), "1 4 8 10") == (1, 4, 8, 10)
    assert drafted(deploying(), "1 4 2 10") == (1, 4)  # the Scout is exhausted
    assert drafted(deploying(), "1 4 1") == (1, 4)
    assert drafted(guessing(), "1 4") == ()


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


def shown(of: View[State], *, notes: bool = True) -> list[str]:
    return [choice.shown for choice in TERMINAL.questions.choices(context(of, notes=notes))]


@pytest.mark.parametrize("typed", ["points", "Points: +6", "6", "captain points", "6 points"])
def test_the_captains_points_are_typed_as_they_are_offered(typed: str) -> None:
    assert TERMINAL.questions.read(captain((7, 9)), typed) == notation.CAPTAIN_POINTS


@pytest.mark.parametrize("code", NAMES)
def test_a_result_and_a_gain_fit_on_the_narrowest_card(code: str) -> None:
    language.install(code)
    try:
        gains = [result_on_card(result, 11) for result in RESULTS] + [cards.gain(rank) for rank in RANKS]
    finally:
        language.install("en")
    assert [text for text in gains if len(text) > 11] == []


def test_the_likeliest_soldiers_are_offered_first_and_none_that_cannot_be_there() -> None:
    state = replace(MIDDLE, turn=0, cards=((None,) * 4, (None,) * 4), marks=(frozenset(), frozenset((4,))))
    of = guessing(state)
    shares = chances(Evidence.of(of.state, 1))[0]
    words = [choice.word for choice in TERMINAL.questions.choices(context(of))]
    assert [shares[int(word.split()[1])] for word in words] == sorted(shares.values(), reverse=True)
    assert "guess 10" not in words
    assert TERMINAL.questions.read(of, "10") == "guess 10"  # a crooked line can still be named
    plain = shown(guessing(), notes=False)
    assert "3 Miner" not in plain  # shown today
    assert "2 Scout" not in plain  # exhausted
    assert plain[:2] == ["1 Spy", "4 Sergeant"]


def test_soldiers_are_named_as_narrow_cards_print_them() -> None:
    for rank, short in SHORT.items():
        assert named(short.lower()) == rank
        assert find(short) == SOLDIERS[rank]
    assert TERMINAL.questions.read(deploying(), "1 Spy, 3 Min, 4 Sgt, Lt") == (1, 3, 4, 5)


def test_in_german_a_decision_is_spoken_and_offered_in_german_and_typed_as_it_is_offered() -> None:
    """A hint read "guess 7 Bombe", and "none" was offered where the question asked for "nichts"."""
    language.install("de")
    try:
        spoken = TERMINAL.questions.spoken
        assert spoken(guessing(), notation.guess(7)) == "rate 7 Bombe"
        of = marking()
        assert spoken(of, notation.KEEP) == "kein Marker"
        (nothing,) = [
            choice for choice in TERMINAL.questions.choices(context(of, "")) if choice.word == "none"
        ]
        assert nothing.shown.startswith("nichts (")
        decided = TERMINAL.questions.read(of, nothing.word)
        assert TERMINAL.questions.read(of, nothing.shown) == decided
        assert TERMINAL.questions.read(of, in_english("nichts", names())) == decided
    finally:
        language.install("en")
