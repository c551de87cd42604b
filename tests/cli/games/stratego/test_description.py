"""Stratego in words: the board for one who sees none, the rules, the options."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.games.interface import Ambiguous, Misunderstood, Unknown, ViewContext
from cli.games.stratego import manual
from cli.text.layout import words
from p2p_stratego.core.game import OptionError
from p2p_stratego.stratego.formats import army_file, narration
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.pieces import FACES, NAMES
from tests.helpers.stratego.moments import CORNERED, MOMENTS, PLAYERS, TERMINAL

DIAGRAM = """\
10  .  .  . (?) . (?)(?)(?) .  .
 9  . (?) .  .  . (?)(?) . (?) .
 8  . (?)(?) . (?)(?) . (?)(?)(?)
 7 (?) .  .  .  .  .  .  .  .  .
 6  . (M) ~  ~ (+) .  ~  ~  .  .
 5  .  .  ~  ~  .  8  ~  ~  9  5
 4  5  .  .  .  .  6  .  .  .  .
 3  6  M  .  .  S  2  .  .  7  2
 2  B  4  .  .  3  .  .  .  4  .
 1  F  B  2  .  .  .  .  3  .  .
    a  b  c  d  e  f  g  h  i  j"""


def test_the_board_in_letters_shows_what_the_drawn_one_shows() -> None:
    assert "\n".join(TERMINAL.description.board(MOMENTS["middle"])[:11]) == DIAGRAM
    turned = TERMINAL.description.board(MOMENTS["other-side"])
    assert [line.split()[0] for line in turned[:10]] == [str(row) for row in range(1, 11)]
    assert turned[10].split() == list("jihgfedcba")


def test_the_board_in_sentences_names_every_piece_and_what_is_known_of_it() -> None:
    told = "\n".join(TERMINAL.description.board(MOMENTS["middle"]))
    for part in (
        "10 moves were made, 1 since the last attack; after 200 without one it is a draw.",
        "You, Anna (red): 19 of 20 pieces.",
        "Seen by all: Colonel (8) f5, General (9) i5.",
        "Closed, have moved: Lieutenant (5) j5.",
        "Closed, never moved: Flag a1, Bomb b1,",
        "Fallen: Scout (2).",
        "Boris (blue): 18 of 20 pieces.",
        "Seen by all: Marshal (10) b6.",
        "Closed, have moved: e6.",
        "Closed, never moved: a7, b8,",
        "Fallen: Captain (6), Scout (2).",
    ):
        assert part in told, part


def test_while_setting_up_the_own_rows_are_said_with_every_question() -> None:
    assert TERMINAL.description.asked(MOMENTS["setting-up"])[0] == " 4  5  2  .  .  8  6  .  .  9  5"
    assert len(TERMINAL.description.asked(MOMENTS["setting-up"])) == 5
    told = "\n".join(TERMINAL.description.board(MOMENTS["set-up"]))
    assert "Boris (blue), not on the board yet: Marshal (10)" in told
    assert "before both armies stand" in TERMINAL.description.notes(MOMENTS["set-up"])[0]


def test_what_can_move_is_said_with_every_question() -> None:
    (line,) = TERMINAL.description.asked(MOMENTS["middle"])
    assert line.startswith("You can move: scout c1, miner h1,")
    assert "bomb" not in line
    assert TERMINAL.description.asked(ViewContext(CORNERED, PLAYERS)) == []


def test_hand_and_notes_can_be_read_out() -> None:
    hand = TERMINAL.description.hand(MOMENTS["middle"])
    assert hand[0] == "Marshal (10), 1 of 1 left: b3."
    assert "Scout (2), 3 of 4 left: c1, f3, j3." in hand
    notes = "\n".join(TERMINAL.description.notes(MOMENTS["middle"]))
    assert "Flag\u00a06\u00a0%, Bomb" in notes  # what matters most first, and no share apart from its piece
    notes = notes.replace("\u00a0", " ")
    assert "Closed, have moved: e6. Each can be: General (9) 7 %" in notes
    assert "Flag 6 %" in notes
    open_ones = replace(MOMENTS["middle"].view, known=dict.fromkeys(range(80), 3))
    assert TERMINAL.description.notes(ViewContext(open_ones, PLAYERS)) == [
        "No piece of the enemy's is closed."
    ]


# Rules


@pytest.mark.parametrize("columns", [40, 72, 96])
def test_the_rules_name_every_piece_and_every_army_and_fit_the_width(columns: int) -> None:
    lines = manual.summary(columns)
    text = "\n".join(lines)
    for face in FACES:
        assert piece(face) in text
    for name in ARMIES:
        assert name in text
    if columns >= 72:
        assert max(map(len, lines)) <= columns
    assert "200 moves" in text


@pytest.mark.parametrize("face", FACES)
def test_a_piece_is_found_by_name_letter_rank_or_beginning(face: int) -> None:
    name = NAMES[face]
    page = TERMINAL.manual.page(name, 72)
    assert page.title == piece(face)
    assert page == TERMINAL.manual.page(name.upper(), 72)
    assert all(len(words(line)) <= 72 for line in page.lines)
    assert sum("armies" in words(line) for line in page.lines) == 1


FACTS = [
    ("miner", "it beats 2, S, B"),
    ("spy", "it beats the marshal"),
    ("scout", "any number of empty squares"),
    ("marshal", "Attacked, it falls to the spy."),
    ("bomb", "Only the miner clears it away."),
    ("flag", "takes it, and wins"),
    ("3", "On the board it is 3."),
    ("10", "On the board it is M."),
    ("1", "On the board it is S."),
]


@pytest.mark.parametrize(("topic", "fact"), FACTS)
def test_the_facts_are_those_of_the_tables(topic: str, fact: str) -> None:
    assert fact in " ".join(words(line) for line in TERMINAL.manual.page(topic, 200).lines)


@pytest.mark.parametrize(
    ("topic", "error"), [("ma", Ambiguous), ("c", Ambiguous), ("", Unknown), ("horse", Unknown)]
)
def test_a_piece_that_does_not_exist_lists_those_that_do(topic: str, error: type[Misunderstood]) -> None:
    with pytest.raises(Misunderstood) as caught:
        TERMINAL.manual.page(topic, 72)
    assert type(caught.value) is error
    assert "Marshal (10)" in str(caught.value)


# Options


def test_what_is_agreed_on_is_said_in_full() -> None:
    told = narration.options(GAME.options({"army": "duel"}), 2)
    assert told[0] == (
        "duel, 10 pieces a side: Marshal (10), General (9), 2 Miners (3), 2 Scouts (2), Spy (1),"
        " 2 Bombs, Flag"
    )
    assert told[1:] == ["red moves first", "a draw after 200 moves without an attack"]
    own = narration.options(GAME.options({"army": "1-0-0-0-0-0-0-0-2-0-0-1", "first": "blue", "quiet": 0}), 2)
    assert own == [
        "an army of its own, 4 pieces a side: Marshal (10), 2 Scouts (2), Flag",
        "blue moves first",
        "no draw for want of attacks",
    ]


def test_an_army_is_named_counted_or_read_from_a_file() -> None:
    def option(said: str, text: str | None = None) -> object:
        return army_file.option(said, lambda _: text)

    assert option("classic") == "classic"
    assert option("1-0-0-0-0-0-0-0-2-0-0-1") == "1-0-0-0-0-0-0-0-2-0-0-1"
    assert option("mine.txt", "marshal 1\nscout 2\nflag 1\n") == "1-0-0-0-0-0-0-0-2-0-0-1"
    for said, text, part in (
        ("mine.txt", None, "no such file"),
        ("mine.txt", "marshal 1\nhorse 2\n", "line 2"),
        ("mine.txt", "marshal 1\n", "exactly one flag"),
        ("1-2-3", None, "twelve counts"),
        ("\x1b[2J", None, "no such file"),
    ):
        with pytest.raises(OptionError) as caught:
            option(said, text)
        assert part in str(caught.value), said
