"""Mates at the screen: who holds what, what one may see, whose move it is, and what each is asked."""

from __future__ import annotations

import pytest

from cli.games.interface import Misunderstood, Players, Unknown, ViewContext
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
    first_using_a_captain,
    first_watching,
    players,
    second_guessing,
    second_laying,
    second_laying_a_token,
    second_marking,
    view,
    with_a_seat_gone,
)

FOUR = Seating(4)


def scene(of: View[State], typed: str = "") -> Scene:
    asked = question(of, players(of))
    return Scene(
        terminal=TERMINAL,
        banner=TERMINAL.description.banner(of),
        context=context(of, typed),
        link=("good", "direct 23 ms"),
        checked=12,
        chat=[("class:seat0", "Anna", "I have the low ones"), ("class:seat1", "Boris", "Do you?")],
        question=asked.text if asked else waiting(of, players(of), GUESS_ASKS[2]),
        how=asked.how if asked else "",
        typed=typed,
        choices=choices(context(of, typed)),
        keys=keys(TERMINAL),
    )


def board(of: View[State]) -> str:
    return "\n".join(TERMINAL.description.board(context(of)))


def asked(of: View[State]) -> str:
    found = question(of, players(of))
    assert found is not None
    return found.text


# Questions


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (first_laying(), "Day 1: which two soldiers lie under your missions 1 and 2?"),
        (alone_laying(), "Day 1: which four soldiers lie under your missions 1 to 4?"),
        (
            second_laying(),
            "Until you lay, you see Anna's 1 Spy and 4 Sergeant. "
            "Day 1: which two soldiers lie under your missions 3 and 4?",
        ),
        (
            second_laying((9, 10)),
            "Until you lay, you see Anna's 9 General and 10 Marshal. "
            "No rising order is left: lay any. Day 1: which two soldiers lie under your missions 3 and 4?",
        ),
        (second_marking(), "Intel 7–10: which of your missions hold a soldier of 7–10?"),
        (second_guessing(), "Dora laid a token. Which soldier lies under Dora's mission 3?"),
        (second_laying_a_token(), "Dora guesses your mission 3 (8 Colonel) next. Lay a token on it?"),
        (
            first_using_a_captain(),
            "Boris guesses the Colonel at your mission 2: it is your Captain. What does your Captain do?",
        ),
    ],
)
def test_each_is_asked_by_name_for_what_is_its_own(of: View[State], text: str) -> None:
    assert asked(of) == text


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


@pytest.mark.parametrize(
    ("of", "typed", "why"),
    [
        (first_laying(), "1 4 8 10", "Two soldiers are needed, one a mission; that names 4."),
        (first_laying(), "2 4", "Your 2 Scout is exhausted today"),
        (second_laying(), "4 8", "Your side's 4 Sergeant lies under mission 2 already."),
        (second_laying(), "8 8", "You have one Colonel only"),
        (second_marking(), "1 3", "does not answer that"),
    ],
)
def test_what_cannot_be_is_refused(of: View[State], typed: str, why: str) -> None:
    with pytest.raises(Misunderstood, match=why):
        read(of, typed)


def test_soldiers_are_offered_that_keep_the_order_and_leave_room_for_the_mate() -> None:
    def offered(of: View[State], typed: str = "") -> list[str]:
        return [choice.word for choice in choices(context(of, typed))]

    assert offered(first_laying()) == ["1", "3", "4", "5", "6", "7", "8"]
    assert offered(first_laying(), "8 ") == ["8 4", "8 9"]
    assert offered(second_laying((1, 7))) == ["4", "8", "9", "10"]
    assert offered(second_laying((1, 7)), "9 ") == ["9 4", "9 10"]
    assert offered(second_laying((9, 10))) == ["1", "3", "4", "5", "6", "7", "8"]
    assert offered(second_laying((9, 10)), "8 ") == ["8 1", "8 3", "8 4", "8 5", "8 6", "8 7"]


def test_a_line_out_of_order_with_the_mates_is_warned_of_and_can_be_laid() -> None:
    assert warnings(second_laying((1, 8)), (9, 10)) == []
    told = " ".join(warnings(second_laying((1, 8)), (3, 10)))
    assert "Out of order: a higher rank lies before the 3 Miner." in told
    assert "your side has no points left" in told
    assert "the other side would win" in told
    assert warnings(first_laying(), (1, 4)) == []


def test_only_ones_own_false_marks_are_warned_of() -> None:
    assert warnings(second_marking(), "mark 34") == []
    [first, *_] = warnings(second_marking(), "mark 3")
    assert first == "That is false intel about mission 4 (10 Marshal)."


@pytest.mark.parametrize(
    ("of", "ask", "told"),
    [
        (view(MORNING, 2), first_deploy_ask(1, FOUR), "Anna and Boris are still deploying."),
        (view(MORNING, 0, FIRST), first_deploy_ask(1, FOUR), "Boris is still deploying."),
        (view(LOOK, 0, FIRST), OpenTo(0, 2), "Cleo may look at your mission 1."),
        (view(LOOK, 1), OpenTo(1, 2), "Cleo may look at Anna's mission 2."),
        (view(LOOK, 0, FIRST), second_deploy_ask(1, FOUR), "Cleo and Dora are still deploying."),
        (view(LOOK, 0, FIRST), second_deploy_ask(1, Seating(3)), "Cleo is still deploying."),
        (view(DEPLOYED, 3), mark_ask(FOUR, NONE_CLOSED), "Anna, Boris and Cleo are still marking missions."),
        (view(MISSION, 0), GUESS_ASKS[2], "Cleo guesses Dora's mission 3."),
        (view(MISSION, 3), GUESS_ASKS[2], "Cleo guesses your mission 3."),
        (view(MISSION, 0), TOKEN_ASKS[3], "Dora may lay a token on the card that Cleo guesses next."),
        (view(MISSION, 2), TOKEN_ASKS[3], "Dora may lay a token on the card that you guess next."),
        (view(MISSION, 2), Open(6), "A card is being turned up."),
        (view(MISSION, 2), Roll(6), "Chance is drawn by everybody together."),
    ],
)
def test_others_are_waited_for_by_name(of: View[State], ask: Ask, told: str) -> None:
    assert waiting(of, players(of), ask) == told


# What a mate sees


def test_the_mates_cards_are_seen_from_the_look_until_the_own_ones_are_laid() -> None:
    looking = board(second_laying())
    assert "Mission 1: 1 Spy, face down, your mate's." in looking
    assert "Mission 2: 4 Sergeant, face down, your mate's." in looking
    assert "Mission 3: no card yet." in looking
    laid = board(view(LOOK, 2, {**FIRST, **SECOND}))
    assert "Mission 1: face down." in laid
    assert "Mission 3: 8 Colonel, face down." in laid
    assert "Spy, face down" not in board(view(DEPLOYED, 2, {**FIRST, **SECOND}))


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


def test_a_side_is_told_with_its_players_and_their_missions() -> None:
    told = board(first_watching())
    assert "Red, Anna (you) 1–2, Cleo 3–4: 0 of 10 points" in told
    assert "Blue, Boris 1–2, Dora 3–4: 6 of 10 points" in told
    alone = board(alone_laying())
    assert "Blue, Boris (you): " in alone


def test_a_card_of_a_seat_that_is_gone_is_said_to_stay_closed() -> None:
    told = board(with_a_seat_gone())
    assert "Dora (gone) 3–4" in told
    assert told.count("face down for good, as its player is gone") == 2
    drawn = "\n".join(words(line) for line in TERMINAL.board.draw(context(with_a_seat_gone()), 80, 20))
    assert drawn.count("stays shut") == 2


def test_a_mates_unknown_cards_are_said_to_decide_whether_the_flag_wins() -> None:
    told = [choice.shown for choice in choices(context(first_using_a_captain()))]
    assert any("takes the flag, you win if your mate's cards are in order" in each for each in told)


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
