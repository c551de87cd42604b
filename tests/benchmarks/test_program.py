"""What the figures of the screen take for a drawing."""

from __future__ import annotations

from benchmarks.program import FULL, SHOWN, UNCHANGED, is_drawing

QUESTION = b"which colours?" + SHOWN


def test_the_first_frame_is_a_full_screen_and_no_question_to_the_terminal() -> None:
    assert is_drawing(QUESTION)
    assert not is_drawing(QUESTION, holding=FULL)
    assert not is_drawing(QUESTION + FULL + b"half a board", holding=FULL)
    assert is_drawing(QUESTION + FULL + b"a board" + SHOWN, holding=FULL)


def test_the_drawing_of_each_second_answers_no_key() -> None:
    assert not is_drawing(UNCHANGED * 2)
    assert is_drawing(UNCHANGED + b"a letter" + SHOWN)
    assert is_drawing(b".", ends=b"")
