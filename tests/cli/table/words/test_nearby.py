"""Games nearby, and the digits of a meeting, as a player reads them (rows 83 and 84)."""

from __future__ import annotations

from dataclasses import replace

from cli.table.words import nearby as drawn
from cli.table.words.nearby import LINES, NearbyList
from protocol.crypto.keys import Identity, fingerprint
from protocol.lobby.handshake import Person
from protocol.rendezvous.nearby import NearbyGames, OpenGame
from protocol.storage.contacts import Contact, Contacts
from protocol.wire.addresses import Endpoint
from tests.golden.tables import Chronicle, assert_as_kept

ADA, EVE = Identity(b"a" * 32), Identity(b"e" * 32)
KNOWN = Contacts((Contact(ADA.key, "Ada"),))


def game(number: int = 0, name: str = "Ada", who: Identity = ADA, **changes: object) -> OpenGame:
    place = (Endpoint(f"192.168.{number // 200}.{number % 200 + 1}", 4000),)
    made = OpenGame(f"{number:016x}", name, "stratego", fingerprint(who.key), 1, place)
    return replace(made, **changes)  # type: ignore[arg-type]


def heard(*games: OpenGame) -> NearbyGames:
    games_nearby = NearbyGames()
    games_nearby.update(games)
    return games_nearby


def test_what_is_new_is_told_once(chronicle: Chronicle) -> None:
    listed, nearby = NearbyList(KNOWN), heard(game(1, seats=3), game(2, "Ben", EVE))
    first, _ = news = listed.news(nearby)
    chronicle.show("Ada, whom you know, and Ben are nearby", *news)
    assert f"[{fingerprint(ADA.key)}]" in first
    assert listed.news(nearby) == []
    nearby.update([game(2, "Ben", EVE, seats=2)])
    chronicle.show("Ada is gone, and Ben has more room", *listed.news(nearby))
    assert_as_kept(chronicle)


def test_row_83_a_twin_of_a_friend_is_told_by_the_fingerprint(chronicle: Chronicle) -> None:
    for what, name, who, twin in (
        ("the name of a friend, and another key", "Ada", EVE, True),
        ("with a Greek letter, the name of a friend, and another key", "Αda", EVE, True),
        ("another name, and the key of Ada", "Adam", ADA, False),
        ("another name, and another key", "Ben", EVE, False),
    ):
        [line] = NearbyList(KNOWN).news(heard(game(0, name, who)))
        assert ("CAREFUL" in line) == twin
        chronicle.show(what, line)
    assert_as_kept(chronicle)


def test_row_83_two_of_one_name_are_told_apart(chronicle: Chronicle) -> None:
    lines = NearbyList(Contacts()).news(heard(game(1), game(2, "Ada", EVE)))
    assert all("same name" in line for line in lines)
    chronicle.show("two of one name", *lines)
    assert_as_kept(chronicle)


def test_row_83_a_flood_fills_no_screen(chronicle: Chronicle) -> None:
    news = NearbyList(KNOWN).news(heard(*(game(number, f"Host {number}", EVE) for number in range(100))))
    assert len(news) == LINES + 2
    chronicle.show("behind the first of a hundred games", *news[-2:])
    assert_as_kept(chronicle)


def test_row_83_a_name_cannot_pass_for_a_line_of_ours() -> None:
    for name in ("Ada] 2  [X", "Ada: Stratego; new to you", "1 [ABCD-EFGH-JKMN-PQRS] Bob"):
        [line] = NearbyList(Contacts()).news(heard(game(0, name, EVE)))
        assert line.startswith(f"  1  [{fingerprint(EVE.key)}] “")  # quoted, behind the real fingerprint


def test_a_game_that_this_program_does_not_know(chronicle: Chronicle) -> None:
    chronicle.show("a table of Go", *NearbyList(Contacts()).news(heard(game(game="go"))))
    assert_as_kept(chronicle)


def test_row_84_no_digit_of_a_name_passes_for_those_to_compare() -> None:
    for name in ("Ben 482 913", "Ben ٤٨٢٩١٣", "Ben ④⑧②⑨①③"):
        sentence = drawn.newcomer(Person(EVE.key, name), "123 456", "")
        assert "Ben ###" in sentence.name.replace("#### ", "### ") or "Ben ######" in sentence.name
        text = " ".join([*sentence.as_guest, *sentence.as_host])
        assert "482" not in text.replace(sentence.fingerprint, "")
        assert "    123 456" in sentence.as_guest
