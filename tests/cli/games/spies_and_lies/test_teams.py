"""Mates at the screen: who holds what, what one may see, whose move it is, and what each is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.games.interface import Players, Unknown, ViewContext
from cli.games.spies_and_lies.names import roster
from cli.games.spies_and_lies.questions import choices, question, read, waiting, warnings
from cli.screen.match.renderer import draw
from cli.table.scene.scene import Scene
from cli.text.layout import width, words
from p2p_stratego.core.game import Ask, Open, OpenTo, Roll
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.asks import (
    GUESS_ASKS,
    TOKEN_ASKS,
    first_deploy_ask,
    mark_ask,
    second_deploy_ask,
)
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import NONE_CLOSED, State
from tests.golden.screens import assert_as_it_was
from tests.golden.sentences import Row, asked, assert_answers, decided, offered, read_out
from tests.helpers.program.screens import keys
from tests.helpers.program.terminal import displayed
from tests.helpers.spies_and_lies.moments import TERMINAL
from tests.helpers.spies_and_lies.team_moments import (
    DEPLOYED,
    FIRST,
    LOOK,
    MISSION,
    MOMENTS,
    MORNING,
    NAMES,
    SECOND,
    alone_laying,
    context,
    first_laying,
    first_watching,
    players,
    second_guessing,
    second_laying,
    second_marking,
    view,
    with_a_seat_gone,
)

FOUR = Seating(4)


def scene(of: View[State], typed: str = "") -> Scene:
    due = question(of, players(of))
    return Scene(
        terminal=TERMINAL,
        banner=TERMINAL.description.banner(of),
        context=context(of, typed),
        link=("good", "direct 23 ms"),
        checked=12,
        chat=[("class:seat0", "Anna", "I have the low ones"), ("class:seat1", "Boris", "Do you?")],
        question=due.text if due else waiting(of, players(of), GUESS_ASKS[2]),
        how=due.how if due else "",
        typed=typed,
        choices=choices(context(of, typed)),
        keys=keys(TERMINAL),
    )


# Sentences

PLACES: dict[str, View[State]] = {
    **MOMENTS,
    "second laying behind 1 and 8": second_laying((1, 8)),
    "second has laid": view(LOOK, 2, {**FIRST, **SECOND}),
    "all have laid": view(DEPLOYED, 2, {**FIRST, **SECOND}),
}
AWAITED: dict[str, tuple[View[State], Ask]] = {
    "two lay, for Cleo": (view(MORNING, 2), first_deploy_ask(1, FOUR)),
    "two lay, for Anna, who has": (view(MORNING, 0, FIRST), first_deploy_ask(1, FOUR)),
    "Cleo looks, for Anna": (view(LOOK, 0, FIRST), OpenTo(0, 2)),
    "Cleo looks, for Boris": (view(LOOK, 1), OpenTo(1, 2)),
    "the mates lay": (view(LOOK, 0, FIRST), second_deploy_ask(1, FOUR)),
    "the one mate lays": (view(LOOK, 0, FIRST), second_deploy_ask(1, Seating(3))),
    "all mark, for Dora": (view(DEPLOYED, 3), mark_ask(FOUR, NONE_CLOSED)),
    "Cleo guesses, for Anna": (view(MISSION, 0), GUESS_ASKS[2]),
    "Cleo guesses, for Dora": (view(MISSION, 3), GUESS_ASKS[2]),
    "a token is offered, for Anna": (view(MISSION, 0), TOKEN_ASKS[3]),
    "a token is offered, for Cleo": (view(MISSION, 2), TOKEN_ASKS[3]),
    "a card is turned": (view(MISSION, 2), Open(6)),
    "chance is drawn": (view(MISSION, 2), Roll(6)),
}


def test_a_side_s_players_are_told_in_a_narrow_row_without_our_own_name() -> None:
    """ "RED Play… (you) 1–2, Recr……" stood there, with the partner's missions cut off."""
    people = Players(("Player", "Recruit bot", "Recruit bot 2", "Recruit bot 3"), 0)
    assert roster(people, FOUR, 0, 40) == "Player (you) 1–2, Recruit bot 2 3–4"
    assert roster(people, FOUR, 0, 23) == "you 1–2, Recruit 2 3–4"
    assert roster(people, FOUR, 1, 23).endswith(" 3–4")
    for room in range(20, 40):
        for side in (0, 1):
            assert len(roster(people, FOUR, side, room)) <= room


def test_each_is_asked_waited_for_and_refused_by_name() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.place in AWAITED:
            of, ask = AWAITED[row.place]
            yield waiting(of, players(of), ask)
            return
        of = PLACES[row.place]
        if row.typed is None:
            yield from asked(TERMINAL, of, players(of))
            yield from offered(TERMINAL, context(of))
        elif row.typed == "board":
            yield from read_out(TERMINAL, context(of), row.typed)
        else:
            yield from decided(TERMINAL, of, row.typed)

    assert_answers("spies-and-lies-teams", answer)


def test_a_warning_comes_before_ones_own_false_claim_only() -> None:
    assert warnings(second_laying((1, 8)), (9, 10)) == []
    assert warnings(second_laying((1, 8)), (3, 10))
    assert warnings(first_laying(), (1, 4)) == []
    assert warnings(second_marking(), "mark 34") == []
    assert warnings(second_marking(), "mark 3")


# Questions


@pytest.mark.parametrize(
    ("of", "typed", "decided"),
    [
        (first_laying(), "1 4", (1, 4)),
        (first_laying(), "deploy spy sergeant", (1, 4)),
        (first_laying(), "9 3", (9, 3)),
        (second_laying(), "8 10", (8, 10)),
        (second_laying(), "marshal colonel", (10, 8)),
        (second_laying((9, 10)), "4 3", (4, 3)),
        (alone_laying(), "1 4 8 10", (1, 4, 8, 10)),
        (second_marking(), "3 4", "mark 34"),
        (second_marking(), "none", "mark none"),
    ],
)
def test_what_is_typed_is_understood(of: View[State], typed: str, decided: object) -> None:
    assert read(of, typed) == decided


def test_soldiers_are_offered_that_keep_the_order_and_leave_room_for_the_mate() -> None:
    def words_of(of: View[State], typed: str = "") -> list[str]:
        return [choice.word for choice in choices(context(of, typed))]

    assert words_of(first_laying()) == ["1", "3", "4", "5", "6", "7", "8"]
    assert words_of(first_laying(), "8 ") == ["8 4", "8 9"]
    assert words_of(second_laying((1, 7))) == ["4", "8", "9", "10"]
    assert words_of(second_laying((1, 7)), "9 ") == ["9 4", "9 10"]
    assert words_of(second_laying((9, 10))) == ["1", "3", "4", "5", "6", "7", "8"]
    assert words_of(second_laying((9, 10)), "8 ") == ["8 1", "8 3", "8 4", "8 5", "8 6", "8 7"]


# What a mate sees


def test_the_mates_closed_cards_are_backs_on_the_drawn_board_too() -> None:
    for of, seen in ((second_laying(), True), (view(LOOK, 2, {**FIRST, **SECOND}), False)):
        drawn = "\n".join(words(line) for line in TERMINAL.board.draw(context(of), 100, 20))
        assert ("1 Spy" in drawn) is seen
        assert "░" in drawn


def test_a_replay_shows_every_card_that_is_known_at_its_end() -> None:
    for seat in range(4):
        of = view(DEPLOYED, seat, {**FIRST, **SECOND, 4: 3, 7: 9})
        replayed = ViewContext(of, Players(NAMES), notes=False)
        drawn = "\n".join(words(line) for line in TERMINAL.board.draw(replayed, 100, 20))
        for card in ("1 Spy", "4 Sergeant", "8 Colonel", "10 Marshal", "3 Miner", "9 General"):
            assert card in drawn


def test_the_hand_is_without_what_the_mate_is_seen_to_have_laid() -> None:
    tray = words(TERMINAL.panels.tray(context(second_laying()), 100))
    assert "1 Spy" not in tray
    assert "4 Sergeant" not in tray
    assert "8 Colonel" in tray


def test_a_card_of_a_seat_that_is_gone_is_said_to_stay_closed() -> None:
    drawn = "\n".join(words(line) for line in TERMINAL.board.draw(context(with_a_seat_gone()), 80, 20))
    assert drawn.count("stays shut") == 2


def test_a_move_asked_of_the_mate_is_no_answer_of_ours() -> None:
    with pytest.raises(Unknown):
        read(first_watching(), "seven")
    assert question(first_watching(), players(first_watching())) is None
    assert choices(context(first_watching())) == ()


def test_clicks_lay_and_mark_ones_own_missions_only() -> None:
    clicks = TERMINAL.clicks
    assert clicks is not None
    assert clicks.point(context(second_laying()), "soldier-8") == ("8", False)
    assert clicks.point(context(second_laying(), "8"), "soldier-10") == ("8 10", False)
    assert clicks.point(context(second_laying(), "8 10"), "soldier-9") == ("8 10", False)
    assert clicks.point(context(second_laying(), "8 10"), "mission-3") == ("10", False)
    assert clicks.point(context(second_laying(), "8 10"), "mission-1") is None
    assert clicks.point(context(second_marking()), "mission-3") == ("3", False)
    assert clicks.point(context(second_marking()), "mission-1") is None


# Screens


@pytest.mark.parametrize("columns", [80, 100, 140])
@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_screen_fits(moment: str, columns: int, ascii_only: bool) -> None:
    rows = {80: 24, 100: 30, 140: 45}[columns]
    screen = draw(scene(MOMENTS[moment]), columns, rows, ascii_only=ascii_only)
    for line in (*screen.above, *screen.below):
        assert width(line) == columns
        assert not ascii_only or words(line).isascii()


@pytest.mark.parametrize("moment", MOMENTS)
def test_everything_of_line_mode_is_in_sentences(moment: str) -> None:
    of = context(MOMENTS[moment])
    description = TERMINAL.description
    for line in (
        *description.board(of),
        *description.asked(of),
        *description.hand(of),
        *description.notes(of),
    ):
        assert line[-1] in ".?", line
        assert "None" not in line


GOLDENS = {
    "mates-looking-80x24": (scene(second_laying(), "8 10"), 80, 24, False),
    "mates-stuck-80x24-ascii": (scene(second_laying((9, 10))), 80, 24, True),
    "mates-guessing-100x30": (scene(second_guessing()), 100, 30, False),
    "one-against-two-80x24": (scene(alone_laying(), "1 4"), 80, 24, False),
    "mate-gone-80x24": (scene(with_a_seat_gone()), 80, 24, False),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_a_screen_looks_as_it_did(name: str) -> None:
    of, columns, height, ascii_only = GOLDENS[name]
    assert_as_it_was(name, displayed(of, columns, height, ascii_only=ascii_only))


@pytest.mark.parametrize(
    ("of", "columns", "head"),
    [
        (second_laying(), 80, "All four hear this"),
        (second_laying(), 140, "Chat: all four hear this"),
        (alone_laying(), 80, "All three hear this"),
    ],
)
def test_the_chat_says_that_everybody_hears_it(of: View[State], columns: int, head: str) -> None:
    screen = draw(scene(of), columns, {80: 24, 140: 45}[columns])
    assert any(head in words(line) for line in screen.above)
