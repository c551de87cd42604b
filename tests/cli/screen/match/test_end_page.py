"""The page at the end of a match: beside the board where it fits there, else over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from cli.games.drama import CUP
from cli.games.interface import Page, terminal
from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from cli.reports.rows import SHOWN_ID
from cli.screen.match.key_actions import STOOD
from cli.screen.match.renderer import draw
from cli.table.orders import actions
from cli.table.pages import end_page
from cli.table.pages.end_page import Aftermath
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words.commands import Order
from cli.text import language
from cli.text.layout import ascii_text, width, words
from p2p_stratego.core.self_play import play
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import CTRL_L, ENTER, Player, at_screen
from tests.helpers.spies.moments import moments

KNOWN = Aftermath(
    turned="It turned at step 28: Boris attacks a2 from a3: the Marshal (10) falls to Anna's Bomb.",
    standing=("Your win opens the next opponent: The Gambler.", "Your rating: 1512 (+14)."),
    following="The Gambler",
    level="gambler",
    costly=3,
)


class After:
    """What is known about a match that is over, as a test has it."""

    def __init__(self) -> None:
        self.known = Aftermath()
        self.shared = 0

    def share(self) -> None:
        self.shared += 1


@pytest.fixture
def after() -> After:
    return After()


@pytest.fixture
def table(tmp_path: Path, after: After) -> Iterator[TableController]:
    """Anna's table; Boris has resigned."""
    both = Ends(tmp_path)
    anna, boris = both.table(0), both.table(1)
    anna.environment = replace(anna.environment, aftermath=lambda: after.known, share=after.share)
    both.connect()
    actions.enter(boris, "resign")
    actions.enter(boris, "yes")
    both.pump()
    anna.refresh()
    yield anna
    both.close()


def shown(table: TableController, columns: int = 80, rows: int = 24) -> str:
    drawn = draw(presentation.scene(table), columns, rows)
    lines = drawn.table if drawn.page is None else drawn.page.lines
    return "\n".join(map(words, lines))


def test_it_has_a_picture_the_result_and_a_digit_for_each_thing_to_do(table: TableController) -> None:
    for columns, rows in ((80, 24), (120, 40), (200, 60)):
        text = shown(table, columns, rows)
        assert "You won. Well played!" in " ".join(text.split())
        assert terminal(table.replica.match.game.name).finale["won"][1].strip() in text
        assert [digit for digit in end_page.DIGITS if f" {digit}  " in text] == list("123456")
        assert "opponent" not in text, "nobody comes next after a friend"


def test_what_a_look_at_the_record_finds_comes_when_it_is_there(table: TableController, after: After) -> None:
    assert "It turned" not in shown(table)
    before = table.page
    table.refresh()
    assert table.page is before, "nothing new: no other page"
    after.known = KNOWN
    table.refresh()
    assert "It turned at step 28" in shown(table)
    assert "1512 (+14)" in shown(table)
    table.cancel()
    after.known = replace(KNOWN, turned="Another sentence.")
    table.refresh()
    assert table.page is None, "a closed page stays closed"
    actions.enter(table, "")
    assert "Another sentence." in shown(table)


@pytest.mark.parametrize(
    ("digit", "order"), [("2", Order.ANALYSIS), ("3", Order.MISTAKES), ("4", Order.REPLAY)]
)
def test_a_digit_is_a_visit_and_the_word_is_the_same(
    table: TableController, digit: str, order: Order
) -> None:
    actions.enter(table, digit)
    wish = table.wish
    assert wish is order
    assert not table.left
    table.wish = None
    actions.enter(table, wish.value)
    assert table.wish is wish


def test_the_question_of_the_end_offers_the_numbers_until_a_rematch_is_wanted(table: TableController) -> None:
    """It named rematch and leave alone, above seven offers."""
    assert presentation.question(table)[1] == "a number, or leave"
    actions.enter(table, "rematch")
    assert "number" not in presentation.question(table)[1]


def test_who_made_no_mistakes_is_told_so(table: TableController, after: After) -> None:
    after.known = replace(KNOWN, costly=0)
    table.refresh()
    actions.enter(table, "mistakes")
    assert table.notice == ("warn", "You made no costly mistakes: there is nothing to try again.")
    assert table.wish is None


def test_after_a_game_that_never_turned_the_analysis_says_why_it_shows_nothing(
    table: TableController, after: After
) -> None:
    """It answered "analysis does nothing now: it never did."."""
    after.known = replace(KNOWN, costly=0, turned="")
    table.refresh()
    actions.enter(table, "analysis")
    assert table.notice == ("warn", "The chances hardly moved: there is nothing to show.")
    assert table.wish is None
    assert presentation.question(table)[1] == "a number, or leave"


def test_the_other_digits_ask_for_a_rematch_share_and_prove(table: TableController, after: After) -> None:
    actions.enter(table, "5")
    assert after.shared == 1
    after.known = replace(KNOWN, shared=("In folder: page.html.", "Three lines", "and", "more"))
    table.refresh()
    assert "page.html" in shown(table)
    table.cancel()
    actions.enter(table, "5")
    assert after.shared == 1, "it is made once"
    assert "page.html" in shown(table)
    actions.enter(table, "6")
    assert table.page is not None
    proof = "".join(map(words, table.page.lines))
    assert "mistakes" in proof
    match = table.replica.match.id.hex()[:SHOWN_ID]
    assert f"--share p2p-stratego-{match}" in proof, "a folder named as the match would hide it from commands"
    actions.enter(table, "1")
    assert table.pending is None
    assert table.replica.rematch_wanted[0]


def test_without_a_ladder_nobody_comes_next(table: TableController) -> None:
    actions.enter(table, "7")
    assert table.wish is None
    actions.enter(table, "next")
    assert table.notice is not None
    assert "not after this game" in table.notice[1]
    assert not table.left


def test_in_lines_each_sentence_is_told_once_when_it_is_known(table: TableController, after: After) -> None:
    table.environment = replace(table.environment, keys=False)
    page = table.page
    after.known = replace(KNOWN, shared=("In folder: page.html.",))
    for _again in range(2):
        table.refresh()
    for sentence in (KNOWN.turned, *KNOWN.standing, "In folder: page.html."):
        assert table.log.history.count(sentence) == 1
    assert table.page is page, "no page is told a second time"


def test_in_lines_what_was_not_known_when_the_list_was_printed_is_told_later(
    table: TableController, after: After
) -> None:
    table.environment = replace(table.environment, keys=False)
    table.replica.exchange.route = replace(table.replica.route, bots={1: "cadet"})
    table.show_end_again()
    assert table.page is not None
    assert "Meet the next opponent (a moment …)" in "\n".join(map(words, table.page.lines))
    after.known = KNOWN
    for _again in range(2):
        table.refresh()
    assert [text for text in table.log.history if "Next opponent" in text] == [
        "2  Next opponent: The Gambler"
    ]


def test_a_draw_is_told_by_the_question_and_not_again_by_the_page(tmp_path: Path) -> None:
    both = Ends(tmp_path)
    anna, boris = both.table(0), both.table(1)
    both.connect()
    for player, order in ((boris, "draw"), (anna, "accept")):
        player.refresh()
        actions.enter(player, order)
        actions.enter(player, "yes")
        both.pump()
    anna.refresh()
    assert presentation.question(anna)[0] == "A draw, as both agreed."
    assert anna.page is not None
    text = "\n".join(map(words, anna.page.lines))
    assert "Neither side gave in." in text
    assert "draw" not in text
    both.close()


@pytest.mark.parametrize("keys", [True, False])
def test_the_page_of_a_day_comes_before_that_of_the_end(tmp_path: Path, keys: bool) -> None:
    both = Ends(tmp_path)
    anna, boris = both.table(0, keys=keys), both.table(1)
    both.connect()
    out = StringIO()
    front = LineFront(anna, Console(out=out), interactive=False)
    anna.unread.waiting = [Page("Day 1"), Page("Day 2")]
    if keys:
        anna.turn_page()
    actions.enter(boris, "resign")
    actions.enter(boris, "yes")
    both.pump()
    if not keys:
        front.show_news()
        output = out.getvalue()
        assert -1 < output.find("DAY 1") < output.find("DAY 2") < output.find("THE END")
    titles = []
    while keys and anna.page is not None:
        titles.append(anna.page.title)
        anna.page = None
        anna.turn_page()
    assert titles == ["Day 1", "Day 2", "The end"] * keys
    both.close()


def test_no_digit_counts_before_the_end(tmp_path: Path) -> None:
    both = Ends(tmp_path)
    anna = both.table(0)
    both.connect()
    assert anna.offers == ()
    actions.enter(anna, "analysis")
    assert anna.wish is None
    assert anna.notice is not None
    assert "the game goes on" in anna.notice[1]
    both.close()


def test_up_the_ladder_the_next_opponent_has_a_name() -> None:
    offers = end_page.offers(KNOWN, judged=True, ladder=True, rematch="", moved="seats swapped")
    assert len(offers) == len(end_page.DIGITS)
    assert "The Gambler" in offers[1].title
    closed = end_page.offers(
        replace(KNOWN, following="", costly=0), judged=True, ladder=True, rematch="not now", moved="x"
    )
    assert [offer.order for offer in closed if offer.why_not] == [Order.REMATCH, Order.NEXT, Order.MISTAKES]


def test_what_is_not_known_yet_or_is_nothing_has_no_digit() -> None:
    """A player chose the next opponent in the first second, and was sent away."""

    def rows(after: Aftermath) -> str:
        offered = end_page.offers(after, judged=True, ladder=True, rematch="", moved="seats swapped")
        facts = end_page.EndFacts("You won", "won", 0, CUP, None, offered)
        return "\n".join(words(line) for line in end_page.the_end(facts, after, 40, screen=True).lines)

    unknown = rows(Aftermath())
    assert "Meet the next opponent (a moment …)" in unknown
    assert [digit for digit in end_page.DIGITS if f" {digit}  " in unknown] == list("134567")
    given_up = rows(Aftermath(following="", closed="first beat: Recruit", costly=0))
    assert "Next opponent (first beat: Recruit)" in given_up
    assert "Look where it turned (it never did)" in given_up
    assert [digit for digit in end_page.DIGITS if f" {digit}  " in given_up] == list("1567")
    slid = rows(Aftermath(following="The Gambler", level="gambler", costly=2))
    assert "Look how the chances went" in slid
    assert [digit for digit in end_page.DIGITS if f" {digit}  " in slid] == list(end_page.DIGITS)


def test_in_a_small_window_all_that_can_be_done_is_seen_without_scrolling() -> None:
    """Where bots' cards came from stands below, and hid four of the digits behind PgDn."""
    moments = "Boris guesses the Scout (2) at Anna's mission 2, a deception token on it. It is another."
    after = replace(
        KNOWN, turned=f"It turned at step 28: {moments}", standing=("A win.", "Your rating: 1721.")
    )
    offered = end_page.offers(after, judged=True, ladder=True, rematch="", moved="seats swapped")
    facts = end_page.EndFacts("You won", "won", 0, CUP, None, offered, kept=f"Kept: {moments} {moments}")
    rows = ["".join(words(line)) for line in end_page.the_end(facts, after, 72, screen=True).lines]
    shown = "\n".join(rows[:13])
    assert all(f" {digit}  " in shown for digit in end_page.DIGITS)
    closed = replace(after, following="", closed="first beat: The Gambler", costly=0)
    offered = end_page.offers(closed, judged=True, ladder=True, rematch="", moved="seats swapped")
    lost = facts._replace(offers=offered)
    below = "\n".join(
        "".join(words(line)) for line in end_page.the_end(lost, closed, 72, screen=True).lines[:13]
    )
    assert "first beat" in below
    assert " 7  " in below
    assert "Kept:" in "\n".join(rows)


def test_the_headline_has_the_scores_the_own_one_first(table: TableController) -> None:
    """The page of the end told who had won, and never by how much."""
    ends, counted = table.terminal, list[int]()
    table.terminal = replace(ends, scores=lambda _state: counted)
    for counted[:], headline in (([76, 71], "You won, 76 : 71."), ([5, 9, 7], "You won, 5 : 9 : 7.")):
        table.show_end_again()
        assert table.page is not None
        assert headline in "\n".join(map(words, table.page.lines))
    table.terminal = ends
    table.show_end_again()
    assert table.page is not None
    assert "You won." in "\n".join(map(words, table.page.lines))


def test_spies_counts_its_scores_at_the_end_alone() -> None:
    scores = terminal("spies").scores
    assert scores is not None
    states = [view.state for view, _decided in moments(2)]
    assert not any(scores(state) for state in states)
    final = play(
        GAMES["spies"], [make_bot("spies", "recruit", Random(seat)) for seat in (0, 1)], {}, Random(1)
    )
    assert len(scores(final.state)) == 2


@pytest.mark.parametrize("code", ["en", "de", "nl"])
def test_every_row_fits_beside_the_smallest_board(table: TableController, after: After, code: str) -> None:
    after.known = KNOWN
    language.install(code)
    try:
        table.show_end_again()
        page = table.page
        assert page is not None
        assert max(map(width, page.lines)) <= 76
        for columns, rows in ((80, 24), (120, 40)):
            drawn = draw(presentation.scene(table), columns, rows, ascii_only=True)
            assert all(width(line) == columns for line in drawn.table)
            assert all(words(line).isascii() for line in drawn.table)
    finally:
        language.install("en")


def test_each_picture_is_small_and_in_ascii_as_wide() -> None:
    for pictures in (CUP, *(terminal(name).finale for name in ENTRIES)):
        assert pictures.keys() == {"won", "lost", "drawn"}
        for picture in pictures.values():
            assert len(picture) <= 5
            assert all(len(line) <= 16 and "~" not in ascii_text(line) for line in picture)


HALVES = ("", "e", "guess", "zzz", "/hello")


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("game", ["spies-and-lies", "stratego", "conquest"])
def test_the_end_comes_whatever_is_being_typed(tmp_path: Path, game: str, half: str) -> None:
    """A hurried Enter closed the page, and every digit went behind the letters of half a move."""
    both = Ends(tmp_path, game=GAMES[game])
    anna, boris = both.table(0), both.table(1)
    anna.environment = replace(anna.environment, aftermath=Aftermath)

    async def play(player: Player) -> None:
        both.connect()
        await player.press("draw", ENTER, "yes", ENTER, *[half] * bool(half))
        for line in ("accept", "yes"):
            actions.enter(boris, line)
        assert "The end" in await player.look()
        assert "The end" in await player.press(ENTER), "it was for the line before the end"
        both.clock.now += STOOD
        await player.press(CTRL_L, "4")
        assert anna.wish is Order.REPLAY

    at_screen(both, anna, play)
    both.close()


def test_what_is_typed_after_the_end_and_means_nothing_leaves_its_page_open(table: TableController) -> None:
    actions.enter(table, "e4e5")
    assert table.notice is not None
    assert "has ended" in table.notice[1]
    assert table.shows_end
    actions.enter(table, "/well played")
    assert table.shows_end
    actions.enter(table, "history")
    assert table.page is not None
    assert not table.shows_end
