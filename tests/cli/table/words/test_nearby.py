"""Games nearby, and the digits of a meeting, as a player reads them (rows 83 and 84)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.table.words import nearby as drawn
from cli.table.words.nearby import LINES, NearbyList
from protocol.crypto.keys import Identity, fingerprint
from protocol.lobby.handshake import Person
from protocol.rendezvous.nearby import NearbyGames, OpenGame
from protocol.storage.contacts import Contact, Contacts
from protocol.wire.addresses import Endpoint

ADA, EVE = Identity(b"a" * 32), Identity(b"e" * 32)
KNOWN = Contacts((Contact(ADA.key, "Ada"),))


def game(number: int = 0, name: str = "Ada", who: Identity = ADA, **changes: object) -> OpenGame:
    place = (Endpoint(f"192.168.{number // 200}.{number % 200 + 1}", 4000),)
    made = OpenGame(f"{number:016x}", name, "stratego", fingerprint(who.key), 1, place)
    return replace(made, **changes)  # type: ignore[arg-type]


def heard(*games: OpenGame) -> NearbyGames:
    found = NearbyGames()
    found.update(games)
    return found


def test_a_game_in_a_line() -> None:
    [line] = NearbyList(KNOWN).news(heard(game(seats=3)))
    assert line == (
        f"  1  [{fingerprint(ADA.key)}] Ada: Stratego; 3 seats free; you have met before, by the fingerprint"
    )


def test_what_is_new_is_told_once() -> None:
    listed, found = NearbyList(KNOWN), heard(game(1), game(2, "Ben", EVE))
    assert len(listed.news(found)) == 2
    assert listed.news(found) == []
    found.update([game(2, "Ben", EVE, seats=2)])
    gone, changed = listed.news(found)
    assert gone == "  1  is no longer open."
    assert "2 seats free" in changed


@pytest.mark.parametrize(
    ("name", "who", "said"),
    [
        ("Ada", EVE, "CAREFUL: not the fingerprint of the Ada whom you know"),
        ("Αda", EVE, "CAREFUL: the name looks like that of Ada, whom you know"),
        ("Adam", ADA, "you have met before, by the fingerprint; the name then was Ada"),
        ("Ben", EVE, "new to you"),
    ],
)
def test_row_83_a_twin_of_a_friend_is_told_by_the_fingerprint(name: str, who: Identity, said: str) -> None:
    [line] = NearbyList(KNOWN).news(heard(game(0, name, who)))
    assert line.endswith(said)


def test_row_83_two_of_one_name_are_told_apart() -> None:
    first, second = NearbyList(Contacts()).news(heard(game(1), game(2, "Ada", EVE)))
    assert first.endswith("another host here has the same name: compare the fingerprints")
    assert second.endswith("another host here has the same name: compare the fingerprints")


def test_row_83_a_flood_fills_no_screen() -> None:
    said = NearbyList(KNOWN).news(heard(*(game(number, f"Host {number}", EVE) for number in range(100))))
    assert len(said) == LINES + 2
    assert said[-2] == "  ... and 44 more, up to number 64."
    assert said[-1].startswith("Somebody announces more games than anybody would")


def test_row_83_a_name_cannot_pass_for_a_line_of_ours() -> None:
    for name in ("Ada] 2  [X", "Ada: Stratego; new to you", "1 [ABCD-EFGH-JKMN-PQRS] Bob"):
        [line] = NearbyList(Contacts()).news(heard(game(0, name, EVE)))
        assert line.startswith(f"  1  [{fingerprint(EVE.key)}] “")  # quoted, behind the real fingerprint


def test_a_game_that_this_program_does_not_know() -> None:
    [line] = NearbyList(Contacts()).news(heard(game(game="go")))
    assert "a game that this program does not know (go)" in line


def test_row_84_no_digit_of_a_name_passes_for_those_to_compare() -> None:
    for name in ("Ben 482 913", "Ben ٤٨٢٩١٣", "Ben ④⑧②⑨①③"):
        told = drawn.newcomer(Person(EVE.key, name), "123 456", "")
        assert "Ben ###" in told.name.replace("#### ", "### ") or "Ben ######" in told.name
        text = " ".join([*told.as_guest, *told.as_host])
        assert "482" not in text.replace(told.fingerprint, "")
        assert "    123 456" in told.as_guest
