"""Set-ups as files: diagrams, 40-letter lines, and what is wrong with others."""

from __future__ import annotations

from random import Random

import pytest

from p2p_stratego.core.game import Commit
from p2p_stratego.core.rulebook import drive
from p2p_stratego.stratego.formats.diagram import Setup
from p2p_stratego.stratego.formats.setups import (
    SetupError,
    answers,
    mirrored,
    of_answers,
    read,
    read_line,
    write,
)
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import HOME, SQUARE_NAMED
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.notation import filled
from p2p_stratego.stratego.rules.pieces import FACE_NAMED
from p2p_stratego.stratego.rules.state import slot
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.texts import DIAGRAM, LINE

COMPACT = "4 ..2.2.....\n3 ..........\n2 .....M....\n1 FB.3S9....\n"
BARRAGE = ARMIES["barrage"]


def any_setup(random: Random, name: str) -> Setup:
    faces = list(ARMIES[name].faces)
    random.shuffle(faces)
    return of_answers(faces, sorted(random.sample(range(40), len(faces))))


def test_a_line_has_the_front_row_first_and_a_diagram_shows_it_on_top() -> None:
    setup = read_line(LINE)
    assert write(setup) == DIAGRAM
    assert read(DIAGRAM, BARRAGE) == read(LINE, BARRAGE) == [setup]
    at = {square: setup[HOME[0].index(SQUARE_NAMED[square])] for square in ("a1", "c4", "f2", "j4")}
    assert at == {
        "a1": FACE_NAMED["flag"],
        "c4": FACE_NAMED["scout"],
        "f2": FACE_NAMED["marshal"],
        "j4": None,
    }


@pytest.mark.parametrize("name", ARMIES)
def test_every_set_up_is_read_as_it_was_written(name: str) -> None:
    random = Random(1)
    for _ in range(50):
        setup = any_setup(random, name)
        assert read(write(setup), ARMIES[name]) == read(write_line(setup), ARMIES[name]) == [setup]


def test_a_file_may_hold_several_both_ways_with_comments() -> None:
    text = f"# mine\n{DIAGRAM}\n{LINE.lower()}\n\n# and again\n{COMPACT}"
    assert len(read(text.replace("\n", "\r\n"), BARRAGE)) == 3


def test_mirrored_twice_is_the_same() -> None:
    setup = read_line(LINE)
    assert write_line(mirrored(setup)) == "".join(LINE[row : row + 10][::-1] for row in range(0, 40, 10))
    assert mirrored(mirrored(setup)) == setup


def test_the_answers_lay_the_set_up_for_either_side() -> None:
    setup = read_line(LINE)
    faces, answer = answers(setup)
    assert of_answers(faces, filled(answer)) == setup
    state = drive(GAME.setup(2, {"army": "barrage"}), lambda _: None)
    state = drive(GAME.turn(state), lambda ask: [isinstance(part, Commit) for part in ask.asks])
    state = drive(GAME.turn(state), lambda _: (answer, answer))
    for seat in (0, 1):
        shown = {piece.slot: square for square, piece in state.pieces() if piece.seat == seat}
        for k, face in enumerate(faces):
            assert setup[HOME[seat].index(shown[slot(seat, k)])] == face


@pytest.mark.parametrize(
    ("text", "line", "square", "words"),
    [
        ("", 0, "", "only comments"),
        ("# nothing\n", 0, "", "only comments"),
        (f"{LINE}\n{LINE[:-1]}", 2, "", "39 letters instead of 40"),
        (LINE.replace("E", "Q"), 1, "d1", "'Q' is no piece"),
        (f"\n{LINE.replace('L', 'Y')}", 2, "f2", "'Y' is no piece"),
        (LINE.replace("E", "D"), 1, "e4", "one scout too many, since the army has 2"),
        (LINE.replace("E", "A"), 1, "", "7 pieces instead of 8"),
        (DIAGRAM.replace("M", "7"), 3, "f2", "one major too many, since the army has 0"),
        (DIAGRAM.replace("S", "?"), 4, "e1", "must be known"),
        (DIAGRAM.replace("S", "X"), 4, "e1", "'X' is no piece"),
        (DIAGRAM.replace(" 3  .", " 3  . ."), 2, "", "11 squares instead of 10"),
        (DIAGRAM.replace(" 3 ", " 5 "), 2, "", "row 3"),
        (DIAGRAM.replace(" 3  . . . . . . . . . .\n", "") * 2, 2, "", "row 3"),
        ("\n".join(DIAGRAM.splitlines()[:3]), 1, "", "3 of this side's 4 rows"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_square(text: str, line: int, square: str, words: str) -> None:
    with pytest.raises(SetupError, match=words) as error:
        read(text, BARRAGE)
    assert (error.value.line, error.value.square) == (line, square)
    place = ", ".join([f"line {line}"] * bool(line) + [square] * bool(square))
    assert str(error.value) == (f"{place}: {error.value.why}" if place else error.value.why)


@pytest.mark.parametrize("text", ["\0" * 40, "é" * 40, "4" * 1000, "4 4 4\n" * 9, "ß" * 39 + "A"])
def test_noise_is_refused_as_such(text: str) -> None:
    with pytest.raises(SetupError):
        read(text, BARRAGE)
