"""The lobby as it is drawn and told: who is here, known or new, on which seat, ready or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from cli.screen.lobby import LobbyScreen
from cli.shell.settings import Settings
from cli.table.pages import lobby_page
from cli.table.words import lobby_view, nearby
from cli.table.words.lobby_view import LobbyView, PlaceKey
from cli.table.words.nearby import Newcomer
from cli.text.layout import width, words
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.crypto.keys import Identity, fingerprint
from protocol.lobby.handshake import Person
from protocol.lobby.listing import ListedSeat, Listing
from protocol.lobby.lobby_talk import LobbyTalk
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl
from protocol.storage.contacts import Contact, Contacts, Standing
from tests.golden.screens import assert_as_it_was
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.games.toy import TOY

ANN, BEN, CLEO, DAN = (Identity(letter * 32).key for letter in (b"a", b"b", b"c", b"d"))
OTHER = Identity(b"o" * 32).key


def listing(
    *people: tuple[bytes, str] | None, bots: dict[int, str] | None = None, ready: str = ""
) -> Listing:
    """A table of the first game that is for so many; `ready`: the seats that have said yes."""
    game = next(game for game in GAMES.values() if len(people) in game.seat_counts)
    places = tuple(
        None
        if person is None
        else ListedSeat(Person(*person), (bots or {}).get(seat, ""), str(seat) in ready)
        for seat, person in enumerate(people)
    )
    return Listing(3, game, game.options({}), places)


def view(shown: Listing, own: bytes = ANN, known: tuple[Contact, ...] = (), **more: bool) -> LobbyView:
    return lobby_view.view(shown, (own, ANN), Contacts(known), **more)


FOUR = listing((ANN, "Ann"), (BEN, "Ben"), (CLEO, "Recruit bot"), None, bots={2: "recruit"}, ready="12")


ROWS = 21
"""Of 24, without the input line and two lines of keys."""


class Shown:
    """A place in a lobby that is only looked at."""

    def __init__(self, of: LobbyView | None, notice: str = "") -> None:
        self.view, self.notice = of, notice
        self.on_change: Callable[[], None] = lambda: None
        self.invites: list[tuple[str, str]] = []
        self.keys: list[PlaceKey] = []
        self.handed: list[tuple[str, str]] = []
        self.talk = LobbyTalk()
        self.remarks: list[str] = []
        self.newcomer: Newcomer | None = None
        self.left = self.declined = False
        self.commands = (
            "start   refuse SEAT   swap SEAT SEAT   bots N LEVEL   invite   watch on|off   list   quit"
        )

    def enter(self, line: str, number: int | None, digits: str = "") -> None:
        """Nothing is typed."""


def page(of: LobbyView, columns: int = 80, notice: str = "", *, ascii_only: bool = False) -> str:
    """The page as text; it fits, with the input line below it, in 24 rows."""
    shown = lobby_page.page(Shown(of, notice), columns, ROWS, ascii_only=ascii_only)
    assert all(width(line) <= columns for line in shown)
    assert len(shown) == ROWS
    return "\n".join(map(words, shown)) + "\n"


KNOWN = (Contact(BEN, "Ben"),)


def test_whose_digits_are_to_be_compared_stands_above_the_table(chronicle: Chronicle) -> None:
    shown = Shown(view(FOUR))
    shown.newcomer = nearby.newcomer(Person(CLEO, "Cleo"), "482 913", "")
    text = [words(line) for line in lobby_page.page(shown, 80, ROWS)]
    chronicle.show("the lobby of Ann", *text)
    assert len(text) <= ROWS
    assert_as_kept(chronicle)


def test_a_table_of_four_with_a_friend_a_bot_and_an_empty_seat() -> None:
    assert_as_it_was("lobby-80x24", page(view(replace(FOUR, watching=2), known=KNOWN)))


def test_whom_the_match_waits_for_is_told_once() -> None:
    full = view(listing((ANN, "Ann"), (BEN, "Ben"), ready="0"))
    assert page(full, notice=lobby_view.ready(full)).count("Waiting for Ben") == 1
    assert "Nobody sits there." in page(full, notice="Nobody sits there.")
    assert lobby_view.ready(view(listing((ANN, "Ann"), (BEN, "Ben"), ready="01"))) == "Everybody is ready."


def test_the_cursor_leaves_a_note_about_another_seat_behind() -> None:
    place = Shown(view(FOUR), "Nobody sits there.")
    with create_pipe_input() as entry:
        screen = LobbyScreen(place, Settings(), (entry, DummyOutput()))
        keys = screen.app.key_bindings
        assert keys is not None
        [down] = keys.get_bindings_for_keys((Keys.Down,))
        down.handler(cast(KeyPressEvent, None))
    assert place.notice == ""


def test_in_ascii_only() -> None:
    text = page(view(FOUR, known=KNOWN, ascii_only=True), ascii_only=True)
    assert text.isascii()
    assert_as_it_was("lobby-80x24-ascii", text)


def test_a_full_table_asks_and_warns_of_a_name_under_another_key() -> None:
    full = listing((ANN, "Ann"), (OTHER, "Ben"), (CLEO, "C1eo"), (DAN, "\u202dDan"))
    known = (*KNOWN, Contact(DAN, "Cleo"))
    assert_as_it_was("lobby-asks-80x24", page(view(full, own=DAN, known=known)))
    assert_as_it_was("lobby-asks-60", page_of_any_height(view(full, own=DAN, known=known), 60))


def page_of_any_height(of: LobbyView, columns: int) -> str:
    shown = lobby_page.page(Shown(of), columns, 60)
    assert all(width(line) <= columns for line in shown)
    return "\n".join(map(words, shown)) + "\n"


@pytest.mark.parametrize("columns", [40, 60, 72, 80, 120])
def test_it_fits_any_width_and_shows_every_fingerprint_whole(columns: int) -> None:
    text = page_of_any_height(view(FOUR, known=KNOWN), columns)
    for key in (ANN, BEN, CLEO):
        assert fingerprint(key) in text


def test_before_the_host_has_said_anything_that_is_told() -> None:
    assert "Waiting" in words(lobby_page.page(Shown(None), 80, ROWS)[0])


def test_row_24_who_comes_is_recognised_by_the_key(chronicle: Chronicle) -> None:
    for what, key, name, standing in (
        ("the known key and name", BEN, "Ben", Standing.KNOWN),
        ("the same with a tournament's word", BEN, "Ben RSTP4", Standing.KNOWN),
        ("the known key, another name", BEN, "Benno", Standing.RENAMED),
        ("another key and name", CLEO, "Cleo", Standing.NEW),
        ("another key, the known name", OTHER, "Ben", Standing.CHANGED),
        ("the same with a tournament's word", OTHER, "Ben RSTP4", Standing.CHANGED),
        ("another key, a name that looks like it", OTHER, "8en", Standing.LOOKALIKE),
    ):
        now = view(listing((ANN, "Ann"), (key, name)), known=KNOWN)
        news = lobby_view.news(view(listing((ANN, "Ann"), None)), now)
        assert fingerprint(key) in news[0]
        first = "Opponent: [" if standing is not Standing.KNOWN else f"Opponent: {name} ["
        assert news[0].startswith(first)
        assert news.count("!" * 72) == 2 * (standing in lobby_view.ALARMS)
        chronicle.show(what, *news)
    assert_as_kept(chronicle)


def test_row_23_what_a_stranger_calls_itself_is_escaped() -> None:
    evil = listing((ANN, "Ann"), (BEN, "\x1b]52;c;AAAA\x07\u202eEvil [ABCD-EFGH]"))
    for text in (*lobby_view.news(None, view(evil)), *lobby_view.sentences(view(evil)), page(view(evil))):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert not text.startswith("Evil")


def test_every_change_is_told_once_and_ones_own_doings_are_not(chronicle: Chronicle) -> None:
    before = view(FOUR, known=KNOWN)
    assert lobby_view.news(before, before) == []
    here = listing((BEN, "Ben"), (ANN, "Ann"), None, (DAN, "Dan"), ready="0")
    news = lobby_view.news(before, view(replace(here, number=4), known=KNOWN))
    chronicle.show("Ann and Ben change seats, a bot goes, Dan comes", *news)
    ready = view(
        listing((ANN, "Ann"), (BEN, "Ben"), (CLEO, "Recruit bot"), None, bots={2: "recruit"}, ready="02")
    )
    chronicle.show("Ben takes it back", *lobby_view.news(before, ready))
    chronicle.show("Ben is ready again", *lobby_view.news(ready, before))
    chronicle.show("a spectator comes", *lobby_view.news(before, replace(before, watching=1)))
    assert_as_kept(chronicle)


def test_of_people_in_the_list_that_follows_only_what_it_does_not_say_is_told(chronicle: Chronicle) -> None:
    here = listing((BEN, "Ben"), (ANN, "Ann"), (CLEO, "Cleo"), (DAN, "Dan"))
    chronicle.show("Ben is known", *lobby_view.news(None, view(here, known=KNOWN), listed=True))
    other = listing((CLEO, "Ben"), (ANN, "Ann"), None, None)
    chronicle.show(
        "Ben's name under another key", *lobby_view.news(None, view(other, known=KNOWN), listed=True)
    )
    assert_as_kept(chronicle)


def test_the_whole_lobby_is_told_in_sentences(chronicle: Chronicle) -> None:
    chronicle.show("in lines", *lobby_view.sentences(view(FOUR, known=KNOWN)))
    assert_as_kept(chronicle)


def test_the_profile_and_the_clock_are_told_before_anybody_says_yes(chronicle: Chronicle) -> None:
    tables: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
        ("as usual", "stratego", 2, {}),
        ("with proofs", "stratego", 2, {"proofs": True}),
        ("at a day's pace", "stratego", 2, {"pace": Pace.DAY}),
        ("with a clock", "stratego", 2, {"clock": TimeControl(900, 10)}),
        ("with proofs", "spies", 2, {"proofs": True}),
        ("with proofs", "spies", 3, {"proofs": True}),
        ("with an escrow of 2", "spies", 3, {"proofs": True, "escrow": 2}),
    )
    for what, game, seats, profile in tables:
        shown = alone(game, seats, **profile)
        usual = len(ENTRIES[game].narration.load().options(GAMES[game].options({}), seats))
        terms = shown.terms[usual:]
        chronicle.show(f"{game} for {seats}, {what}: behind the game's own options", *terms)
        for term in terms:
            assert term in lobby_view.sentences(shown)[1]
            assert term.split()[0].lower() in page(shown).lower()
    assert_as_kept(chronicle)


def alone(game: str, seats: int, **profile: Any) -> LobbyView:
    """Ann alone at a table for so many."""
    rules = GAMES[game]
    places = (ListedSeat(Person(ANN, "Ann"), "", False), *[None] * (seats - 1))
    return view(Listing(1, rules, rules.options({}), places, **profile))


def test_a_game_without_a_terminal_can_be_listed_too() -> None:
    shown = view(Listing(1, TOY, TOY.options({}), (ListedSeat(Person(ANN, "Ann"), "", False), None, None)))
    assert shown.title == "toy"
    assert not shown.full
    assert not shown.asks


def test_the_powers_of_each_seat_and_the_clocks_are_told_before_anybody_says_yes(
    chronicle: Chronicle,
) -> None:
    for seats in (3, 5):
        chronicle.show(f"SPIES! for {seats}", *alone("spies", seats, proofs=True).terms)
    assert_as_kept(chronicle)


def test_a_seat_that_runs_two_powers_is_called_by_both() -> None:
    """A host that chose France found itself on "2 britain"."""
    for seats, called in ((2, ["Germany/Italy", "France/Britain"]), (5, ["Germany", "Italy"])):
        shown = alone("spies", seats, proofs=True)
        assert [row.colour for row in shown.rows][: len(called)] == called
        for columns in (60, 80, 120):
            assert all(width(line) <= columns for line in lobby_page.lines(shown, columns))


def test_row_105_everybody_is_told_once_who_was_sent_away_for_keeping_the_table_busy() -> None:
    before = view(Listing(1, TOY, TOY.options({}), (ListedSeat(Person(ANN, "Ann"), "", False), None, None)))
    after = replace(before, out=(("Dan", "AAAA-BBBB-CCCC-DDDD"),))
    assert any(
        "Dan [AAAA-BBBB-CCCC-DDDD]" in line and "sent away" in line for line in lobby_view.news(before, after)
    )
    assert lobby_view.news(after, after) == []
