"""The board of Stratego: every line fits, everything essential is there, also without colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cli.games.interface import Players, ViewContext
from cli.games.spies_and_lies.names import SHORT
from cli.games.stratego import board
from cli.games.stratego.names import LETTERS, short
from cli.games.stratego.snapshot import SeenPiece
from cli.screen.match.renderer import draw
from cli.table.pages.match_pages import guide
from cli.table.scene.scene import Scene
from cli.text.language import install as speak
from cli.text.layout import Line, ascii_line, place_of, width, words
from cli.text.sanitize import escape
from cli.text.theme import TABLES
from p2p_stratego.core.game import Choose
from p2p_stratego.spies_and_lies.rules.components import RANKS
from p2p_stratego.stratego.formats.narration import named
from p2p_stratego.stratego.rules.armies import ARMIES, ORDER
from p2p_stratego.stratego.rules.board import CRATERS, NAMES, SQUARES
from p2p_stratego.stratego.rules.pieces import BLUE
from tests.golden.screens import assert_as_it_was
from tests.golden.sentences import Row, assert_answers
from tests.helpers.program.screens import (
    SIZES,
    assert_every_line_fits,
    assert_makes_use,
    assert_news_leave_the_board,
    keys,
    rows,
    text,
)
from tests.helpers.program.terminal import displayed
from tests.helpers.stratego.moments import (
    BEGUN,
    DRAFT,
    MIDDLE,
    MOMENTS,
    PLAYERS,
    TERMINAL,
    changed,
    played,
    setting_up,
    view,
)

TOLD = "Boris moves e7 to e6."


def scene(context: ViewContext, typed: str = "", cursor: str = "") -> Scene:
    context = replace(context, typed=typed, cursor=cursor)
    editor = TERMINAL.setup_editor
    assert editor is not None
    asked = (
        editor.question(context)
        if context.draft is not None
        else TERMINAL.questions.question(context.view, context.players)
    )
    offered = editor.choices(context) if context.draft is not None else TERMINAL.questions.choices(context)
    return Scene(
        terminal=TERMINAL,
        banner=TERMINAL.description.banner(context.view),
        context=context,
        link=("good", "direct 23 ms"),
        checked=12,
        history=["Both armies stand on the board.", TOLD],
        chat=[("class:seat1", "Boris", "Good luck, Anna!")],
        news=[(False, TOLD)],
        question=asked.text if asked else "Boris is to move.",
        how=asked.at_table if asked else "",
        typed=typed,
        choices=offered,
        keys=keys(TERMINAL),
    )


def drawn(context: ViewContext, columns: int = 47, height: int = 15) -> list[str]:
    return [words(line) for line in TERMINAL.board.draw(context, columns, height)]


def squares(context: ViewContext, columns: int = 47, height: int = 15) -> dict[str, str]:
    """The drawing of each square, by its name, with the sign to the left of it."""
    drawn: dict[str, str] = {}
    for line in TERMINAL.board.draw(context, columns, height):
        for style, part in line:
            name = place_of(style)
            if name is not None:
                drawn[name] = drawn.get(name, "") + part
    return drawn


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("columns", "height"), SIZES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_line_fits_at_every_size(moment: str, columns: int, height: int, ascii_only: bool) -> None:
    assert_every_line_fits(scene(MOMENTS[moment]), columns, height, ascii_only=ascii_only)


@pytest.mark.parametrize("moment", MOMENTS)
def test_news_leave_the_board_whole(moment: str) -> None:
    assert_news_leave_the_board(scene(MOMENTS[moment]))


@pytest.mark.parametrize("columns", range(47, 100, 7))
@pytest.mark.parametrize("height", range(15, 50, 5))
def test_a_board_makes_use_of_what_it_is_given_and_no_more(columns: int, height: int) -> None:
    assert_makes_use(TERMINAL.board, MOMENTS["middle"], columns, height)


@pytest.mark.parametrize(("columns", "height"), [(47, 15), (67, 25), (87, 35), (107, 45)])
@pytest.mark.parametrize("moment", ["middle", "other-side"])
def test_every_square_can_be_hit_and_has_the_same_room(moment: str, columns: int, height: int) -> None:
    places = squares(MOMENTS[moment], columns, height)
    assert set(places) == set(NAMES)
    assert len({len(cells) for cells in places.values()}) == 1


def test_our_own_side_is_at_the_bottom_whatever_the_colour() -> None:
    for moment, order in (("middle", range(10, 0, -1)), ("other-side", range(1, 11))):
        lines = drawn(MOMENTS[moment])
        assert [int(line[:3]) for line in lines[2:12]] == list(order)
        assert "(you)" in lines[-1]
    assert drawn(MOMENTS["middle"])[12].split() == list("abcdefghij")
    assert drawn(MOMENTS["other-side"])[12].split() == list("jihgfedcba")


def test_sides_and_what_is_known_are_told_apart_without_colour() -> None:
    places = squares(MOMENTS["middle"])
    assert places["a1"] == "  F "  # ours, closed, never moved
    assert places["j5"] == "  5•"  # ours, has moved
    assert places["i5"] == "  9!"  # ours, seen by all
    assert places["j8"] == " ▝▀▘"  # theirs, closed, never moved
    assert places["b6"] == " ▐M▌"  # theirs, seen
    assert places["e6"] == "‹▐•▌"  # theirs, closed, has moved, and just now
    assert places["c5"] == " ░░░"
    assert places["a5"] == "  · "


def test_in_ascii_too() -> None:
    shown = text(scene(MOMENTS["middle"]), ascii_only=True)
    for part in ("<(*)>", "(M)", "(=)", " 9!", " 5*", ":::", " v "):
        assert part in shown, part


@pytest.mark.parametrize(
    ("move", "red", "blue"), [("c1d1", "→", "←"), ("h1g1", "←", "→"), ("j4j5", "↑", "↓"), ("j3j1", "↓", "↑")]
)
def test_the_last_move_points_where_it_went_as_each_side_sees_it(move: str, red: str, blue: str) -> None:
    state, source, target = played(move), move[:2], move[2:]
    ours, theirs = (
        squares(ViewContext(view(state), PLAYERS)),
        squares(ViewContext(view(state, BLUE), PLAYERS)),
    )
    assert (ours[source].strip("‹› "), theirs[source].strip("‹› ")) == (red, blue)
    assert ours[target].startswith("‹")
    assert theirs[target].startswith("‹")


def test_a_move_that_is_being_made_is_shown_before_the_rules_have_finished_it() -> None:
    asked = Choose(1, ())
    context = ViewContext(view(changed(MIDDLE, seat=BLUE), since=((asked, "b6b5"),)), PLAYERS)
    assert squares(context)["b6"] == " ▐M▌"
    assert squares(context)["b5"] == "‹ · "


def test_where_both_fell_nothing_stands_and_a_sign_tells() -> None:
    places = squares(ViewContext(view(played("a4a5", "i7i6", "a5a6", "i6i5", "a6a7")), PLAYERS))
    assert [name for name, cells in places.items() if "✗" in cells] == ["a7"]
    assert places["a6"] == "  ↑ "


def test_who_attacks_and_falls_leaves_an_arrow_and_the_winner_is_marked() -> None:
    places = squares(ViewContext(view(played("b4b7")), PLAYERS))
    assert (places["b4"], places["b7"]) == ("  ↑ ", "‹▐M▌")
    assert drawn(ViewContext(view(played("b4b7")), PLAYERS))[-2].split() == ["1", "fallen:", "scout"]


def test_a_picked_piece_shows_where_it_can_go_and_whom_it_can_attack() -> None:
    places = squares(ViewContext(view(MIDDLE), PLAYERS, typed="f5"))
    assert places["f5"].startswith("▶")
    goals = {name for name, cells in places.items() if "○" in cells}
    assert goals == {"e5", "f6"}
    places = squares(ViewContext(view(played("b4b6", "i7i6")), PLAYERS, typed="b6"))
    assert places["b7"].startswith("×")
    assert {name for name, cells in places.items() if "○" in cells} == {"a6", "b5", "b4"}


def test_pieces_that_cannot_move_and_the_enemys_show_no_goals() -> None:
    for typed in ("a1", "e6", "e5", "zz"):
        assert not any(
            "○" in cells for cells in squares(ViewContext(view(MIDDLE), PLAYERS, typed=typed)).values()
        )


def test_the_cursor_embraces_its_square_before_all_other_signs() -> None:
    for name in ("e6", "a1", "j10", "f5"):
        places = squares(ViewContext(view(MIDDLE), PLAYERS, typed="f5", cursor=name))
        assert places[name].startswith("[")
        assert sum(cells.startswith("[") for cells in places.values()) == 1


def test_what_is_closed_to_a_viewer_is_drawn_closed_for_both_sides() -> None:
    places = squares(MOMENTS["replayed"])
    assert places["a1"] == "  ? "
    assert places["j5"] == "  ?•"
    assert places["i5"] == "  9!"
    assert places["b6"] == " ▐M▌"


def test_what_was_revealed_at_the_end_is_shown() -> None:
    known = dict.fromkeys(range(80), 9)
    places = squares(ViewContext(replace(view(MIDDLE), known=known), PLAYERS))
    assert places["j8"] == " ▐9▌"


@pytest.mark.parametrize("high", [1, 2, 3])
def test_a_piece_can_be_told_from_the_one_below_it_without_colour(high: int) -> None:
    ours, theirs, named = (
        board.tile(SeenPiece(seat, face, moved=False, shown=False), 0, 2 * high + 1, high, "")
        for seat, face in ((0, 9), (1, None), (1, 9))
    )
    for table in (TABLES["sixteen"], TABLES["mono"]):
        lined = [any("underline" in table[name] for name in classes(line)) for line in ours]
        assert lined == [False] * (high - 1) + [True]
    assert not set(words(theirs[-1])) & set("▐█▌")  # nothing in it reaches the next row
    assert high == 1 or not set(words(named[-1])) & set("▐█▌")
    plain = [words(ascii_line(line)) for line in (*theirs, *named, *ours)]
    assert all(row[0] == "(" and row[-1] == ")" for row in plain[: 2 * high])
    assert high == 1 or plain[high - 1] != plain[0]
    assert not any(set(row) & set("()") for row in plain[2 * high :])


def classes(line: Line) -> list[str]:
    """The classes that the parts of a line have."""
    return [name.removeprefix("class:") for style, _ in line for name in style.split()]


def test_while_setting_up_the_draft_stands_on_the_board() -> None:
    places = squares(MOMENTS["setting-up"])
    assert (places["a1"], places["b3"], places["d4"]) == ("  F ", "  M ", "  · ")
    assert all("▀" not in cells for cells in places.values())
    blue = squares(ViewContext(setting_up(seat=BLUE), Players(PLAYERS.names, BLUE), draft=DRAFT))
    assert (blue["j10"], blue["i8"], blue["a1"]) == ("  F ", "  M ", "  · ")


@pytest.mark.parametrize(("moves", "square", "owner"), [(("j4j5",), "j5", 0), (("j4j5", "i7i6"), "i6", 1)])
def test_the_piece_that_moved_last_keeps_its_owners_colour(
    moves: tuple[str, ...], square: str, owner: int
) -> None:
    shown = TERMINAL.board.draw(ViewContext(view(played(*moves)), PLAYERS), 107, 45)
    parts = [style.split() for line in shown for style, _ in line if place_of(style) == square]
    colours = {name.removeprefix("class:") for style in parts for name in style}
    assert f"fresh{owner}" in colours or f"back{owner}" in colours
    assert not colours & {f"{look}{1 - owner}" for look in ("fresh", "tile", "face", "back")}


def test_a_window_of_200_by_60_has_the_biggest_board() -> None:
    assert TERMINAL.board.fitting(200 - 68, 60 - 11) == (107, 45)


def test_bigger_squares_say_the_names_of_pieces() -> None:
    shown = "\n".join(drawn(MOMENTS["middle"], 67, 25))
    for part in ("Flg", "Spy", "Sct", "Min", "Sgt", "Lt", "Cpt", "Maj", "Col", "Gen", "Bmb"):
        assert part in shown, part
    assert "▝Mar▘" in shown


def essential() -> Iterator[str]:
    yield from ("Stratego", "quickplay", "red to move", "12 commitments checked", "direct 23 ms")
    yield from (
        "RED Anna (you)",
        "BLUE Boris",
        "18 of 20",
        "19 of 20",
        "2 fallen: captain, scout",
        "1 fallen: scout",
    )  # who, how strong
    yield from ("10", "a b c d e f g h i j", "‹▐•▌›", "▐M▌", "8!", "5•", "░░░")  # the board
    yield from (
        "Left, yours : Boris's",
        "Boris's closed pieces 9 8 7 6 5×2 4×2 3×2 2×3 S B×2 F",
    )  # what is left
    yield from ("Good luck, Anna!", TOLD, "Your move.", "Type two squares")
    yield from ("c1d1", "F1 help", "Tab chat", "leave")


def test_everything_essential_is_on_the_smallest_screen() -> None:
    shown = " ".join(text(scene(MOMENTS["middle"])).split())
    missing = [part for part in essential() if part not in shown]
    assert missing == []


FALLEN = {
    name: ViewContext(view(changed(MIDDLE, lost=(b"", bytes(ARMIES[name].faces)))), PLAYERS)
    for name in ("classic", "duel")
}
BESIDE = {
    **MOMENTS,
    "middle, without notes": replace(MOMENTS["middle"], notes=False),
    "a whole army of 40 has fallen": FALLEN["classic"],
    "a whole army of 10 has fallen": FALLEN["duel"],
}


def explained(of: ViewContext, typed: str, cursor: str = "") -> str:
    return words(TERMINAL.panels.explain(replace(of, typed=typed, cursor=cursor))).replace("\u00a0", " ")


def test_what_stands_beside_the_board_is_told_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        of = BESIDE[row.place]
        if row.typed == "fallen":
            yield drawn(of)[1].strip()
        elif row.typed == "notes":
            yield from map(words, TERMINAL.panels.panels(of, 30)[1].lines)
        elif row.typed == "tray":
            yield words(TERMINAL.panels.tray(of, 80)).strip()
        elif row.typed is not None:
            typed, _, cursor = row.typed.partition("at ")
            yield explained(of, typed.strip(), cursor)

    assert_answers("stratego-beside-the-board", answer)


def test_what_has_moved_is_explained_as_neither_bomb_nor_flag() -> None:
    moved, still = (explained(MOMENTS["middle"], "", square) for square in ("e6", "j8"))
    assert "B " in still
    assert "F " in still
    assert "B " not in moved
    assert "F " not in moved
    assert explained(MOMENTS["middle"], "", "d5") == explained(MOMENTS["middle"], "") == ""


def test_what_matters_most_in_the_notes_is_cut_off_last() -> None:
    panel = TERMINAL.panels.panels(MOMENTS["middle"], 30)[1]
    closed = " ".join(map(words, panel.lines)).replace("\u00a0", " ").partition("never moved")[2]
    assert closed.index("F ") < closed.index("B ") < closed.index("9 ")


def test_what_is_pointed_at_is_explained_in_two_rows_without_moving_the_board() -> None:
    news = [(False, "Anna moves a1 to a2."), (False, TOLD)]
    before = replace(scene(MOMENTS["middle"]), news=news)
    pointed = replace(scene(MOMENTS["middle"], cursor="j8"), news=news)
    for columns, height in ((80, 24), (100, 30)):
        first, second = (text(of, columns, height).splitlines() for of in (before, pointed))
        assert len(draw(before, columns, height).table) == len(draw(pointed, columns, height).table)
        shown = " ".join(" ".join(second).split())
        assert " ".join(explained(MOMENTS["middle"], "", "j8").split())[:60] in shown
        assert first[1].split("│")[0] == second[1].split("│")[0]


def test_notes_can_be_switched_off() -> None:
    def panel_names(notes: bool) -> list[str]:
        return [panel.name for panel in TERMINAL.panels.panels(replace(MOMENTS["middle"], notes=notes), 30)]

    assert panel_names(True) == ["pieces", "notes"]
    assert panel_names(False) == ["pieces"]
    assert "closed" in words(TERMINAL.panels.tray(MOMENTS["middle"], 80))
    assert words(TERMINAL.panels.tray(replace(MOMENTS["middle"], notes=False), 80)).strip() == ""


@pytest.mark.parametrize("language", ["en", "de", "nl"])
@pytest.mark.parametrize("moment", ["setting-up", "middle"])
def test_the_panel_of_pieces_names_them_in_line_at_every_width(moment: str, language: str) -> None:
    speak(language)
    try:
        for columns in (30, 34, 44, 48, 60):
            rows = [words(line) for line in TERMINAL.panels.panels(MOMENTS[moment], columns)[0].lines]
            shown = [" ".join(row.split()) for row in rows]
            for face in ORDER:
                letter = LETTERS[face]
                names = (named(face), short(face))
                assert any(f"{letter} {name} " in row for row in shown for name in names), (columns, shown)
            assert all(len(row) <= columns for row in rows)
            counts = {tuple(place for place, sign in enumerate(row) if sign in ":/") for row in rows}
            assert len(counts) == 1
    finally:
        speak("en")


def test_craters_are_drawn_where_they_are() -> None:
    places = squares(ViewContext(view(BEGUN), PLAYERS))
    assert {name for name, cells in places.items() if "░" in cells} == {NAMES[square] for square in CRATERS}
    assert len(places) == len(SQUARES)


def test_hostile_names_change_no_width() -> None:
    evil = escape("\x1b]52;c;AAAA\x07 日本 \u202e e\u0301\u0301\u0301\u0301", 60)
    for moment in ("middle", "setting-up", "set-up"):
        context = replace(MOMENTS[moment], players=replace(PLAYERS, names=(evil, evil)))
        for columns, height in SIZES:
            assert [width(line) for line in rows(scene(context), columns, height)] == [columns] * height


GOLDENS = {
    "stratego-setting-up-80x24": (scene(MOMENTS["setting-up"], "a4", "b4"), 80, 24, False),
    "stratego-middle-80x24": (scene(MOMENTS["middle"], "i5", "i6"), 80, 24, False),
    "stratego-middle-80x24-ascii": (scene(MOMENTS["middle"]), 80, 24, True),
    "stratego-other-side-100x30": (scene(MOMENTS["other-side"]), 100, 30, False),
    "stratego-middle-140x45": (scene(MOMENTS["middle"]), 140, 45, False),
    "stratego-help-80x24": (
        replace(scene(MOMENTS["waiting"]), page=guide(72, TERMINAL, screen=True)),
        80,
        24,
        False,
    ),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_a_screen_looks_as_it_did(name: str) -> None:
    of, columns, height, ascii_only = GOLDENS[name]
    assert_as_it_was(name, displayed(of, columns, height, ascii_only=ascii_only))


def test_both_sides_have_one_set_of_abbreviations() -> None:
    own = {words(board.own(SeenPiece(0, face, False, False), 7, 3, "")[2]).strip() for face in range(12)}
    enemy = {
        words(board.enemy(SeenPiece(1, face, True, True), 7, 3, "")[2]).strip("▐▌▝▘ ") for face in range(12)
    }
    assert own == enemy
    assert {SHORT[rank] for rank in RANKS} - {"Bmb"} < own
