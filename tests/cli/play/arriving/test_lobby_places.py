"""Our player's place in a lobby: what a typed line does, and how long what was said about it holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cli.play.arriving.lobby_places import GuestPlace, HostPlace
from cli.text import language
from protocol.lobby.handshake import seat_part
from protocol.network.guest import Visitor
from protocol.network.host import Host
from protocol.record import genesis
from protocol.seat.secrets import MatchSecrets
from tests.golden.dialogues import assert_told
from tests.helpers.games.toy import TOY
from tests.helpers.links.lobbies import Sitting, whole
from tests.helpers.program.playing import lines, play_session


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    return whole(tmp_path / "table")


@pytest.fixture
def place(tmp_path: Path, sitting: Sitting) -> HostPlace:
    host = cast("Host", SimpleNamespace(guarded=lambda action: action()))
    session = play_session(tmp_path / "host", lines(), interactive=True)
    return HostPlace(session, host, sitting.lobby, sitting.host.identity.key)


def test_what_was_said_of_another_list_is_gone_with_it(place: HostPlace, sitting: Sitting) -> None:
    place.enter("start", place.view.number)
    assert_told("lobby", "start, while others are not ready", place.notice)
    sitting.go(sitting.guests[0])
    assert place.notice == ""
    sitting.come(1)
    assert place.view.asks
    assert place.notice == ""


def test_a_notice_stays_while_the_list_is_the_same(place: HostPlace, sitting: Sitting) -> None:
    place.enter("nonsense", place.view.number)
    sitting.lobby.watched(1)
    assert_told("lobby", "nonsense", place.notice)


@pytest.mark.parametrize(
    ("line", "notice", "let"),
    [
        ("watch", "Say watch on or watch off.", []),
        ("watch maybe", "Say watch on or watch off.", []),
        ("watch off", "Nobody can watch.", [False]),
        ("watch on", "", [True]),
    ],
)
def test_spectators_are_let_in_by_a_clear_word_alone(
    place: HostPlace, line: str, notice: str, let: list[bool]
) -> None:
    switches: list[bool] = []

    def watch(on: bool) -> tuple[str, str]:
        switches.append(on)
        return ("Anybody with this invite can watch:", "P2PS-ABCD") if on else ("Nobody can watch.", "")

    place.watch = watch
    place.enter(line, place.view.number)
    assert (place.notice, switches) == (notice, let)


def test_a_yes_to_a_list_that_changed_is_asked_for_again_in_words(place: HostPlace, sitting: Sitting) -> None:
    place.enter("start", place.view.number)
    assert place.view.own.ready
    sitting.lobby.swap(1, 2)
    assert place.view.asks
    assert_told("lobby", "the list changed since a yes", place.notice)


def test_a_contact_is_kept_without_the_word_of_a_tournaments_round(
    place: HostPlace, sitting: Sitting
) -> None:
    listing = sitting.lobby.listing
    worn = [spot and replace(spot, person=replace(spot.person, name="Cleo RSTP4")) for spot in listing.places]
    place.meet(replace(listing, places=tuple(worn)))
    assert [contact.name for contact in place.session.home.contacts().all] == ["Cleo", "Cleo"]


def test_row_104_a_guest_is_told_once_who_plays_a_match_that_its_host_called_void(
    tmp_path: Path, sitting: Sitting
) -> None:
    """With the command by which it takes its seat."""
    session = play_session(tmp_path / "guest", lines(), interactive=True)
    me, other = sitting.guests
    place = GuestPlace(session, cast("Visitor", SimpleNamespace(visit=me.visit)), me.person.key)
    people = [sitting.guests[1].person, me.person]
    parts = (
        seat_part(person, TOY, seat, MatchSecrets(bytes([seat]) * 32)) for seat, person in enumerate(people)
    )
    match = genesis.make(TOY, TOY.options({}), tuple(parts))
    for _ in range(2):
        place.called(match, 0)
    (remark,) = place.remarks
    assert_told("lobby", "a guest has a seat in a game called void", remark)
    assert remark.startswith(other.person.name)
    assert f"resume {match.id.hex()[:8]}`" in remark


def test_a_lobby_is_left_by_the_word_of_the_language_and_watched_by_its_switches(place: HostPlace) -> None:
    switches: list[bool] = []

    def watch(on: bool) -> tuple[str, str]:
        switches.append(on)
        return "", ""

    place.watch = watch
    language.install("de")
    try:
        place.enter("watch aus", place.view.number)
        place.enter("Verlassen", place.view.number)
    finally:
        language.install("en")
    assert switches == [False]
    assert place.left
