"""Setting up: changes to a draft, refused ones, and its decision."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cli.games.interface import NotPossible, Unknown, ViewContext
from cli.games.stratego.names import SHORT
from cli.games.stratego.setup_editor import Draft, SetUp
from cli.table.words import commands
from p2p_stratego.core.game import Choose, Commit, Seat
from p2p_stratego.stratego.formats.setups import answers, check, mirrored, write
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.board import HOME, PLACE, SQUARE_NAMED
from p2p_stratego.stratego.rules.notation import is_fill
from p2p_stratego.stratego.rules.pieces import BLUE, BOMB, FLAG, MARSHAL, RED, SCOUT
from tests.golden.sentences import Row, assert_answers
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import (
    BEGUN,
    CORNER,
    CRATERS,
    DRAFT,
    PLAYERS,
    TERMINAL,
    laid,
    setting_up,
    view,
)

DRAFTING = SetUp()
EMPTY = Draft((None,) * 40)


def chance() -> random.Random:
    return random.Random(1)


def context(draft: Draft = DRAFT, seat: Seat = RED, typed: str = "") -> ViewContext:
    return ViewContext(setting_up(seat=seat), replace(PLAYERS, me=seat), typed, draft=draft)


def edited(typed: str, draft: Draft = DRAFT, seat: Seat = RED) -> Draft:
    changed: Draft = DRAFTING.edit(context(draft, seat), typed, chance())
    return changed


def at(draft: Draft, square: str, seat: Seat = RED) -> int | None:
    return draft.setup[PLACE[seat][SQUARE_NAMED[square]]]


def count(draft: Draft) -> int:
    return sum(face is not None for face in draft.setup)


PLACES = {
    "corner": context(),
    "blue": context(seat=BLUE),
    "two pieces are missing": context(edited("a1 -, b1 -")),
    "the flag is missing": context(edited("a1 -")),
    "a bomb too many": context(edited("d4 B")),
    "a bomb for the flag": context(edited("a1 B")),
    "a general for flag and bomb": context(edited("a1 -, b1 -, d4 9")),
    "a marshal for a scout": context(edited("c1 M")),
    "all is laid": ViewContext(laid(asked=False), PLAYERS, draft=DRAFT),
    "the squares were lost": ViewContext(laid(asked=True), PLAYERS, draft=replace(DRAFT, settled=True)),
    "a file": context(),
}


@pytest.mark.parametrize("typed", ["a1 b3", "a1b3", "A1-B3", " a1 to b3 ", "b3 a1"])
def test_two_squares_exchange_what_stands_on_them(typed: str) -> None:
    changed = edited(typed)
    assert (at(changed, "a1"), at(changed, "b3")) == (MARSHAL, FLAG)
    assert edited("a1 b3", changed).setup == CORNER


def test_a_piece_moves_to_an_empty_square() -> None:
    changed = edited("a1 d4")
    assert (at(changed, "a1"), at(changed, "d4")) == (None, FLAG)


@pytest.mark.parametrize(
    ("typed", "face"),
    [("d4 marshal", MARSHAL), ("d4 M", MARSHAL), ("d4 10", MARSHAL), ("d4 mar", MARSHAL), ("d4=2", SCOUT),
     ("D4: Scout", SCOUT), ("d4 0", MARSHAL), ("d4 sc", SCOUT),
     ("d4 1", 1), ("d4 S", 1), ("d4 b", BOMB), ("d4 flag", FLAG)],
)  # fmt: skip
def test_a_piece_is_put_on_a_square_by_name_letter_or_number(typed: str, face: int) -> None:
    changed = edited(typed)
    assert at(changed, "d4") == face
    assert count(changed) == 21  # the draft may hold another army until it is ready


def test_several_pieces_are_put_at_once_and_some_taken_away() -> None:
    changed = edited("a1 bomb, b1 F, c1 -, h1 empty, j4 .")
    assert [at(changed, name) for name in ("a1", "b1", "c1", "h1", "j4")] == [BOMB, FLAG, None, None, None]


def test_blue_names_its_own_squares() -> None:
    changed = edited("j10 j7", seat=BLUE)
    assert (at(changed, "j7", BLUE), at(changed, "j10", BLUE)) == (FLAG, CORNER[30])
    with pytest.raises(NotPossible):
        edited("a1 a2", seat=BLUE)


def test_changes_and_files_are_answered_and_refused_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        here = PLACES[row.place]
        if row.typed is None:
            question = DRAFTING.question(here)
            yield f"{question.text} Type {question.how}." if question else "Nothing is asked."
        elif row.place == "a file":
            yield f"{len(DRAFTING.read(here.view, row.typed))} set-ups"
        elif row.typed == "ready":
            DRAFTING.decide(here)
            yield "It is laid."
            yield from (f"? {warning}" for warning in DRAFTING.warnings(here))
        else:
            changed: Draft = DRAFTING.edit(here, row.typed, chance())
            yield f"{count(changed)} pieces"

    assert_answers(
        "stratego-setting-up",
        answer,
        CORNER=write_line(CORNER),
        A_LETTER_MORE=write_line(CORNER) + "A",
        A_LETTER_LESS=write_line(CORNER)[:-1],
        ANOTHER_LETTER="Z" + write_line(CORNER)[1:],
        SMALL_LETTER="z" + write_line(CORNER)[1:],
        FLAG_FOR_MARSHAL=write_line(CORNER).replace("L", "M"),
        LONG="x" * 9000,
        ONE_PIECE="A" * 39 + "M",
        NO_PIECE="A" * 40,
        PICTURE=write(CORNER),
        X_FOR_FLAG=write(CORNER).replace("F", "X"),
        F_FOR_MARSHAL=write(CORNER).replace("M", "F"),
    )


def test_a_random_set_up_is_of_exactly_the_army_and_so_is_every_next_one() -> None:
    setups = {DRAFTING.edit(context(), "random", random.Random(seed)).setup for seed in range(5)}
    assert len(setups) > 2
    for setup in setups:
        check(setup, army("quickplay"))


def test_a_set_up_is_mirrored_and_cleared() -> None:
    assert edited("mirror").setup == mirrored(CORNER)
    assert count(edited("clear")) == 0


def test_forty_letters_are_a_set_up() -> None:
    assert edited(write_line(CRATERS)).setup == CRATERS
    assert edited(write_line(CRATERS).lower()).setup == CRATERS


def test_what_is_offered_fits_the_draft() -> None:
    def offered(draft: Draft, typed: str = "") -> list[str]:
        return [choice.word for choice in DRAFTING.choices(context(draft, typed=typed))]

    assert offered(DRAFT) == ["ready", "random", "mirror", "clear"]
    assert offered(edited("a1 -")) == ["random", "mirror", "clear"]
    assert offered(DRAFT, "r") == ["ready", "random"]
    assert DRAFTING.choices(ViewContext(laid(asked=False), PLAYERS, draft=DRAFT)) == ()


def test_a_ready_draft_comes_to_its_faces_and_then_to_its_squares() -> None:
    faces = DRAFTING.decide(context())
    assert isinstance(setting_up().decision, Commit)
    assert faces == answers(CORNER)[0]
    squares = DRAFTING.follow(laid(asked=True), DRAFT)
    assert squares == answers(CORNER)[1]
    assert is_fill(squares, 20)


def test_no_decision_follows_before_it_is_due_or_from_another_draft() -> None:
    assert DRAFTING.follow(setting_up(), DRAFT) is None
    assert DRAFTING.follow(laid(asked=False), DRAFT) is None
    assert DRAFTING.follow(laid(asked=True), Draft(CRATERS)) is None
    assert DRAFTING.follow(laid(asked=True), replace(DRAFT, settled=True)) is None
    assert not DRAFTING.is_time(view(BEGUN))


def test_no_army_is_laid_but_the_agreed_one() -> None:
    """Where decisions are taken back nobody opens an army: a false one would win, and count."""
    for settled in (True, False):
        for typed, sentence in {
            "c1 M": "Still to place: Scout (2). Too many: Marshal (10).",
            "a1 -": "Still to place: Flag.",
            "d4 B": "Too many: Bomb.",
        }.items():
            wrong = replace(context(edited(typed)), settled=settled)
            assert DRAFTING.warnings(wrong) == [sentence]
            with pytest.raises(NotPossible, match=re.escape(sentence)):
                DRAFTING.decide(wrong)
    assert DRAFTING.warnings(context()) == []


def test_a_wrong_army_is_not_ready() -> None:
    assert "ready" not in [choice.word for choice in DRAFTING.choices(context(edited("c1 M")))]
    assert next(choice.word for choice in DRAFTING.choices(context())) == "ready"


def test_pieces_that_are_laid_already_are_no_reason_to_refuse_their_squares() -> None:
    """An army of an older program may lie there: it ends as it must."""
    wrong = replace(edited("c1 M"), settled=True)
    of_older = ViewContext(laid(asked=True), PLAYERS, draft=wrong)
    assert DRAFTING.decide(of_older) == answers(wrong.setup)[1]


@pytest.mark.parametrize(("seat", "square"), [(RED, "e4"), (BLUE, "f7")])
def test_a_file_is_refused_by_the_square_that_the_player_sees(seat: int, square: str) -> None:
    line = write_line(CORNER)
    for false in (line[:4] + "Z" + line[5:], DRAFTING.write(DRAFT).replace("8 6", "X 6")):
        with pytest.raises(Unknown, match=f", {square}: .* is no piece"):
            DRAFTING.read(setting_up(seat=seat), false)


def test_pieces_are_named_as_the_board_prints_them() -> None:
    for face, short in enumerate(SHORT):
        for typed in (short, short.lower(), short.upper()):
            assert edited(f"a1 {typed}").setup[0] == face


# Coming back


def test_a_set_up_begins_with_what_was_kept_even_if_it_was_not_finished() -> None:
    half = edited("a1 -, b3 -")
    assert DRAFTING.begin(setting_up(), DRAFTING.write(half), chance()).setup == half.setup
    wrong = edited("c1 M")
    assert DRAFTING.begin(setting_up(), DRAFTING.write(wrong), chance()).setup == wrong.setup


@pytest.mark.parametrize("kept", [None, "", "nonsense", "4 . . .", "4  X . . . . . . . . ."])
def test_what_was_kept_and_cannot_be_read_is_replaced_by_a_sensible_set_up(kept: str | None) -> None:
    draft = DRAFTING.begin(setting_up(), kept, chance())
    check(draft.setup, army("quickplay"))
    assert not draft.settled


def test_what_is_laid_already_is_what_comes_back() -> None:
    draft = DRAFTING.begin(laid(asked=True), write(CORNER), chance())
    assert draft.setup == CORNER
    assert not draft.settled


@pytest.mark.parametrize("kept", [None, write(CRATERS)])
def test_squares_that_were_lost_are_chosen_again_for_the_pieces_in_their_order(kept: str | None) -> None:
    of = laid(asked=True)
    draft = DRAFTING.begin(of, kept, chance())
    assert draft.settled
    assert answers(draft.setup)[0] == answers(CORNER)[0]
    here = ViewContext(of, PLAYERS, draft=draft)
    free = next(place for place in range(40) if draft.setup[place] is None)
    taken = next(place for place in range(40) if draft.setup[place] is not None)
    for typed in ("random", "mirror", f"{_name(taken)} {_name(free)}"):
        changed = DRAFTING.edit(here, typed, chance())
        assert answers(changed.setup)[0] == answers(CORNER)[0]
        again = DRAFTING.begin(of, DRAFTING.write(changed), chance())
        assert again == changed  # not ready yet: no decision follows from it
        assert DRAFTING.follow(of, again) is None
    with pytest.raises(NotPossible):
        DRAFTING.edit(here, "a1 flag", chance())
    assert is_fill(DRAFTING.decide(here), 20)
    assert isinstance(of.decision, Choose)


def _name(place: int) -> str:
    names = {square: name for name, square in SQUARE_NAMED.items()}
    return names[HOME[RED][place]]


# Files


def test_a_file_of_several_is_read_in_its_order() -> None:
    text = write(CORNER) + "\n# another one\n" + write_line(CRATERS) + "\n"
    assert [draft.setup for draft in DRAFTING.read(setting_up(), text)] == [CORNER, CRATERS]


def test_templates_are_offered_for_armies_that_have_them() -> None:
    assert DRAFTING.templates(setting_up())["corner"].setup == CORNER
    assert not DRAFTING.templates(setting_up("1-0-0-0-0-0-0-0-2-0-0-1"))


def test_no_other_order_of_the_table_hides_a_command_of_setting_up() -> None:
    for typed in ("ready", "done", "random", "mirror", "clear", "a1 b1", "b1 B", "a1 -"):
        assert commands.read(typed) is None, typed
    assert TERMINAL.setup_editor is not None


def test_the_same_draft_and_the_same_chance_lead_to_the_same_draft() -> None:
    first = DRAFTING.edit(context(), "random", random.Random(7))
    assert first == DRAFTING.edit(context(), "random", random.Random(7))
