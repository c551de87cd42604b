"""The bar of keys names what does something at this moment, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cli.table.scene.keybar import Situation, keys
from cli.table.words.commands import Order
from cli.table.words.keymap import KEYS, PAGES, PALETTE, PANELS, key_of
from cli.table.words.keymap import named as key_named

FLAGS = (
    "page",
    "overlay",
    "film",
    "light",
    "asked",
    "points",
    "offered",
    "typed",
    "undo",
    "pausing",
    "notes",
    "coach",
)
SITUATIONS = st.builds(
    Situation,
    mode=st.sampled_from(["move", "chat", "confirm"]),
    pages=st.frozensets(st.sampled_from([Order.LOOKED, Order.RECORDS, Order.MANIFEST])),
    **dict.fromkeys(FLAGS, st.booleans()),
)


def named(now: Situation) -> list[str]:
    return [key.key for key in keys(now)]


@given(SITUATIONS)
def test_no_key_stands_there_twice_and_each_does_something_now(now: Situation) -> None:
    shown = named(now)
    assert len(set(shown)) == len(shown)
    assert not ("F3" in shown and not now.notes)
    assert not ("^_" in shown and not (now.undo or (now.typed and now.asked)))
    for order, key in ((Order.LOOKED, "F7"), (Order.RECORDS, "F8"), (Order.MANIFEST, "F9")):
        assert not (key in shown and order not in now.pages)
    if not now.film and not now.overlay:
        assert {"F1", "^P", "^Q"} <= set(shown)


def test_what_answers_the_question_comes_first() -> None:
    asked = Situation(asked=True, offered=True)
    assert named(asked)[0] == "↑↓ Enter"
    assert named(replace(asked, points=True))[0] == "↑↓←→ Enter"
    assert named(replace(asked, typed=True))[:4] == ["Enter", "Tab", "Esc", "^_"]
    assert named(Situation(pausing=True))[0] == "Enter"
    assert named(Situation(mode="chat"))[:2] == ["Enter", "Esc"]
    assert named(Situation(mode="confirm"))[0] == "Esc"
    assert named(Situation(mode="confirm", light=True))[:2] == ["Enter", "Esc"]
    assert named(Situation(page=True))[:2] == ["Esc", "PgUp PgDn"]
    assert named(Situation(overlay=True)) == ["↑↓", "Enter", "Esc"]
    assert named(Situation(overlay=True, settings=True)) == ["↑↓", "←→, Enter", "Esc"], "nothing is taken"
    assert named(Situation(film=True)) == ["any key"]
    assert named(Situation())[0] == "F1"


def test_esc_says_no_to_a_question_and_takes_back_a_move_that_is_shown() -> None:
    asked, shown = (keys(Situation(mode="confirm", light=light)) for light in (False, True))
    assert [(hint.key, hint.does) for hint in asked[:1]] == [("Esc", "no")]
    assert [(hint.key, hint.does) for hint in shown[:2]] == [("Enter", "send"), ("Esc", "take it back")]


def test_the_coach_is_named_before_all_other_function_keys_but_help() -> None:
    """It fell off the end of a bar of 120 columns, and beginners never heard of it."""
    function_keys = [key for key in named(Situation(offered=True, notes=True, coach=True)) if key[0] == "F"]
    assert function_keys[:2] == ["F1", "F6"]


def test_a_command_has_the_key_that_opens_its_page() -> None:
    assert {order: key_of(order) for order in PAGES} == {order: key.upper() for order, key in PAGES.items()}
    assert [key_named(key) for key in (PALETTE, KEYS[Order.SAY], KEYS[Order.UNDO])] == ["^P", "Tab", "^_"]
    assert key_of(Order.RESIGN) == ""
    keys = [*KEYS.values(), PANELS, PALETTE]
    assert len(set(keys)) == len(keys), "no key does two things"
