"""Stratego in words: the board for one who sees none, the rules, the options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cli.games.interface import ViewContext
from cli.games.stratego import manual
from cli.text.layout import words
from p2p_stratego.core.game import OptionError
from p2p_stratego.stratego.formats import army_file, narration
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.pieces import FACES, NAMES
from tests.golden.sentences import Row, assert_answers, read_out
from tests.helpers.stratego.moments import CORNERED, MOMENTS, PLAYERS, TERMINAL

READ_OUT: dict[str, ViewContext] = {
    **MOMENTS,
    "cornered": ViewContext(CORNERED, PLAYERS),
    "all known": replace(
        MOMENTS["middle"], view=replace(MOMENTS["middle"].view, known=dict.fromkeys(range(80), 3))
    ),
}
FILES = {
    "mine.txt": "marshal 1\nscout 2\nflag 1\n",
    "no-horse.txt": "marshal 1\nhorse 2\n",
    "no-flag.txt": "marshal 1\n",
}
"""Armies in files, by name."""


def test_a_moment_is_read_out_with_every_piece_and_what_is_known_of_it() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.typed is not None:
            yield from read_out(TERMINAL, READ_OUT[row.place], row.typed)

    assert_answers("stratego-read-out", answer)
    notes = " ".join(TERMINAL.description.notes(MOMENTS["middle"]))
    assert "Flag\u00a06\u00a0%" in notes, "no share apart from its piece"


def test_the_board_is_turned_to_its_reader() -> None:
    turned = TERMINAL.description.board(MOMENTS["other-side"])
    assert [line.split()[0] for line in turned[:10]] == [str(row) for row in range(1, 11)]
    assert turned[10].split() == list("jihgfedcba")


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


def test_pieces_and_options_are_explained_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.typed is None:
            return
        if row.place == "a piece":
            page = TERMINAL.manual.page(row.typed, 200)
            yield f"─ {page.title} ─"
            yield from map(words, page.lines)
        else:
            try:
                army = army_file.option(row.typed, FILES.get)
            except OptionError as refused:
                yield f"! OptionError: {refused}"
            else:
                yield from narration.options(GAME.options({"army": army, **GAMES[row.place]}), 2)

    assert_answers("stratego-rules", answer)


GAMES: dict[str, dict[str, int | str]] = {
    "an army": {},
    "an army that blue leads": {"first": "blue", "quiet": 0},
}
