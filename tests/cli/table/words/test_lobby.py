"""The lobby as it is drawn and told: who is here, known or new, on which seat, ready or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cli.table.words import lobby as drawn
from cli.table.words import nearby
from cli.table.words.lobby import LobbyView
from cli.table.words.nearby import Newcomer
from cli.text.layout import width, words
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.crypto.keys import Identity, fingerprint
from protocol.lobby.handshake import Person
from protocol.lobby.listing import ListedSeat, Listing
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl
from protocol.storage.contacts import Contact, Contacts, Standing
from tests.golden.screens import assert_as_it_was
from tests.helpers.games.toy import TOY

ANN, BEN, CLEO, DAN = (Identity(letter * 32).key for letter in (b"a", b"b", b"c", b"d"))
OTHER = Identity(b"o" * 32).key


def listing(
    *people: tuple[bytes, str] | None, bots: dict[int, str] | None = None, ready: str = ""
) -> Listing:
    """A table of the first game that is for so many; `ready`: the seats that have said yes."""
    game = next(game for game in GAMES.values() if len(people) in game.seat_counts)
    places = tuple(
        None if one is None else ListedSeat(Person(*one), (bots or {}).get(seat, ""), str(seat) in ready)
        for seat, one in enumerate(people)
    )
    return Listing(3, game, game.options({}), places)


def view(shown: Listing, own: bytes = ANN, known: tuple[Contact, ...] = (), **more: bool) -> LobbyView:
    return drawn.view(shown, (own, ANN), Contacts(known), **more)


FOUR = listing((ANN, "Ann"), (BEN, "Ben"), (CLEO, "Recruit bot"), None, bots={2: "recruit"}, ready="12")


class Shown:
    """A place in a lobby that is only looked at."""

    def __init__(self, of: LobbyView | None, notice: str = "") -> None:
        self.view, self.notice = of, notice
        self.on_change: Callable[[], None] = lambda: None
        self.invites: list[tuple[str, str]] = []
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
    shown = drawn.page(Shown(of, notice), columns, ascii_only=ascii_only)
    assert all(width(line) <= columns for line in shown)
    assert len(shown) <= 23
    return "\n".join(map(words, shown)) + "\n"


KNOWN = (Contact(BEN, "Ben"),)


def test_whose_digits_are_to_be_compared_stands_above_the_table() -> None:
    shown = Shown(view(FOUR))
    shown.newcomer = nearby.newcomer(Person(CLEO, "Cleo"), "482 913", "")
    text = [words(line) for line in drawn.page(shown, 80)]
    assert text[0].endswith("] Cleo is nearby and wants to play.")
    assert text[2:4] == ["    482 913", nearby.QUESTION]
    assert len(text) <= 23


def test_a_table_of_four_with_a_friend_a_bot_and_an_empty_seat() -> None:
    assert_as_it_was("lobby-80x24", page(view(replace(FOUR, watching=2), known=KNOWN)))


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
    shown = drawn.page(Shown(of), columns)
    assert all(width(line) <= columns for line in shown)
    return "\n".join(map(words, shown)) + "\n"


@pytest.mark.parametrize("columns", [40, 60, 72, 80, 120])
def test_it_fits_any_width_and_shows_every_fingerprint_whole(columns: int) -> None:
    text = page_of_any_height(view(FOUR, known=KNOWN), columns)
    for key in (ANN, BEN, CLEO):
        assert fingerprint(key) in text


def test_before_the_host_has_said_anything_that_is_told() -> None:
    [line] = drawn.page(Shown(None), 80)
    assert "Waiting" in words(line)


@pytest.mark.parametrize(
    ("key", "name", "standing"),
    [
        (BEN, "Ben", Standing.KNOWN),
        (BEN, "Ben RSTP4", Standing.KNOWN),
        (BEN, "Benno", Standing.RENAMED),
        (CLEO, "Cleo", Standing.NEW),
        (OTHER, "Ben", Standing.CHANGED),
        (OTHER, "Ben RSTP4", Standing.CHANGED),
        (OTHER, "8en", Standing.LOOKALIKE),
    ],
)
def test_row_24_who_comes_is_recognised_by_the_key(key: bytes, name: str, standing: Standing) -> None:
    now = view(listing((ANN, "Ann"), (key, name)), known=KNOWN)
    [said, *more] = drawn.news(view(listing((ANN, "Ann"), None)), now)
    assert fingerprint(key) in said
    first = "Opponent: [" if standing is not Standing.KNOWN else f"Opponent: {name} ["
    assert said.startswith(first)
    told = " ".join(more)
    assert {
        Standing.KNOWN: "met before: same name, same key",
        Standing.RENAMED: "the name then was Ben",
        Standing.NEW: "NEW",
        Standing.CHANGED: "WARNING",
        Standing.LOOKALIKE: "CAREFUL",
    }[standing] in told
    assert told.count("!" * 72) == 2 * (standing in drawn.ALARMS)


def test_row_23_what_a_stranger_calls_itself_is_escaped() -> None:
    evil = listing((ANN, "Ann"), (BEN, "\x1b]52;c;AAAA\x07\u202eEvil [ABCD-EFGH]"))
    for text in (*drawn.news(None, view(evil)), *drawn.sentences(view(evil)), page(view(evil))):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert not text.startswith("Evil")


def test_every_change_is_told_once_and_ones_own_doings_are_not() -> None:
    before = view(FOUR, known=KNOWN)
    assert drawn.news(before, before) == []
    here = listing((BEN, "Ben"), (ANN, "Ann"), None, (DAN, "Dan"), ready="0")
    said = drawn.news(before, view(replace(here, number=4), known=KNOWN))
    assert said[0] == "Recruit bot is gone; seat 3, green, is empty." or "seat 3" in said[0]
    assert [text for text in said if text.startswith("You are on seat 2 now")]
    assert [text for text in said if text.startswith("Ben is on seat 1 now")]
    assert any("Dan, on seat 4" in text for text in said)
    ready = view(
        listing((ANN, "Ann"), (BEN, "Ben"), (CLEO, "Recruit bot"), None, bots={2: "recruit"}, ready="02")
    )
    assert drawn.news(before, ready) == ["Ben is not ready any more."]
    assert drawn.news(ready, before) == ["Ben is ready."]
    assert drawn.news(before, replace(before, watching=1)) == ["1 spectator waiting to watch."]


def test_of_people_in_the_list_that_follows_only_what_it_does_not_say_is_told() -> None:
    here = listing((BEN, "Ben"), (ANN, "Ann"), (CLEO, "Cleo"), (DAN, "Dan"))
    assert drawn.news(None, view(here, known=KNOWN), listed=True) == [
        "Cleo and Dan: NEW: you have not met before. Compare the fingerprints over another way, if it "
        "matters."
    ]
    other = listing((CLEO, "Ben"), (ANN, "Ann"), None, None)
    bar, told, again = drawn.news(None, view(other, known=KNOWN), listed=True)
    assert told.startswith("Ben: WARNING: you know a Ben, and this is NOT THE SAME KEY")
    assert bar == again == "!" * 72


def test_the_whole_lobby_is_told_in_sentences() -> None:
    told = drawn.sentences(view(FOUR, known=KNOWN))
    assert told[0].startswith("Game: ")
    assert told[1].startswith("Options: ")
    assert "Ann" in told[2]
    assert "you, not yet" in told[2]
    assert "known, ready" in told[3]
    assert "bot, recruit, ready" in told[4]
    assert told[5].endswith("empty.")


@pytest.mark.parametrize(
    ("game", "seats", "profile", "told"),
    [
        ("stratego", 2, {}, []),
        ("stratego", 2, {"proofs": True}, ["every step is proved"]),
        ("stratego", 2, {"pace": Pace.DAY}, ["a day for each decision"]),
        ("spies", 2, {"proofs": True}, ["every step is proved"]),
        ("spies", 3, {"proofs": True}, ["every step is proved", "vanishes for good, the game ends"]),
        ("spies", 3, {"proofs": True, "escrow": 2}, ["every step is proved", "any 2 of the others together"]),
    ],
)
def test_the_profile_is_told_before_anybody_says_yes(
    game: str, seats: int, profile: dict[str, Any], told: list[str]
) -> None:
    rules = GAMES[game]
    places = (ListedSeat(Person(ANN, "Ann"), "", False), *[None] * (seats - 1))
    shown = view(Listing(1, rules, rules.options({}), places, **profile))
    usual = len(ENTRIES[game].narration.load().options(rules.options({}), seats))
    for said, part in zip(shown.terms[usual:], told, strict=True):
        assert part in said
        assert said in drawn.sentences(shown)[1]
        assert part.split()[0].lower() in page(shown).lower()


def test_the_clock_is_told_before_anybody_says_yes() -> None:
    rules = GAMES["stratego"]
    places = (ListedSeat(Person(ANN, "Ann"), "", False), None)
    shown = view(Listing(1, rules, rules.options({}), places, clock=TimeControl(900, 10)))
    told = "15 minutes for each player, and 10 seconds more for each decision"
    assert shown.terms[-1] == told
    assert told in drawn.sentences(shown)[1]


def test_a_game_without_a_terminal_can_be_listed_too() -> None:
    shown = view(Listing(1, TOY, TOY.options({}), (ListedSeat(Person(ANN, "Ann"), "", False), None, None)))
    assert shown.title == "toy"
    assert not shown.full
    assert not shown.asks


@pytest.mark.parametrize(
    ("seats", "told", "untold"),
    [
        (3, "seat 1 runs Germany and Italy, seat 2 Russia, seat 3 France and Britain", "seat 4"),
        (5, "talks of at most 8 minutes before the first year and 4 before each other", "two powers"),
        (5, "30 seconds for an answer in another's turn", "runs"),
    ],
)
def test_the_powers_of_each_seat_and_the_clocks_are_told_before_anybody_says_yes(
    seats: int, told: str, untold: str
) -> None:
    rules = GAMES["spies"]
    places = (ListedSeat(Person(ANN, "Ann"), "", False), *[None] * (seats - 1))
    terms = view(Listing(1, rules, rules.options({}), places, proofs=True)).terms
    assert told in terms
    assert untold not in " ".join(terms)


def test_a_seat_that_runs_two_powers_is_called_by_both() -> None:
    """A host that chose France found itself on "2 britain"."""
    rules = GAMES["spies"]
    for seats, called in ((2, ["Germany/Italy", "France/Britain"]), (5, ["Germany", "Italy"])):
        places = (ListedSeat(Person(ANN, "Ann"), "", False), *[None] * (seats - 1))
        shown = view(Listing(1, rules, rules.options({}), places, proofs=True))
        assert [row.colour for row in shown.rows][: len(called)] == called
        for columns in (60, 80, 120):
            assert all(width(line) <= columns for line in drawn.lines(shown, columns))


def test_row_105_everybody_is_told_once_who_was_sent_away_for_keeping_the_table_busy() -> None:
    before = view(Listing(1, TOY, TOY.options({}), (ListedSeat(Person(ANN, "Ann"), "", False), None, None)))
    after = replace(before, out=(("Dan", "AAAA-BBBB-CCCC-DDDD"),))
    assert any(
        "Dan [AAAA-BBBB-CCCC-DDDD]" in line and "sent away" in line for line in drawn.news(before, after)
    )
    assert drawn.news(after, after) == []
