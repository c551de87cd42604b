"""Announcements of games nearby: hostile names, floods, twins (row 83)."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.limits import (
    ASK_NEARBY_EVERY,
    ASKED_NEARBY,
    KEEP_NEARBY,
    MAX_NAME,
    MAX_NEARBY,
    MAX_NEARBY_NAMES,
    MAX_NEARBY_OF_ADDRESS,
    MAX_NEARBY_TEXT,
)
from protocol.rendezvous.nearby import (
    SERVICE,
    NearbyGames,
    OpenGame,
    Services,
    announced_at,
    is_near,
    networks_of,
    read_game,
    text_of,
)
from protocol.wire.addresses import Endpoint
from tests.helpers.machine.examples import examples

HERE = networks_of([("192.168.1.7", 24), ("127.0.0.1", 8), ("fe80::7%2", 64), ("2001:db8::7", 64)])
GAME = OpenGame(
    "0123456789abcdef", "Ada", "stratego", "ABCD-EFGH-JKMN-PQRS", 1, (Endpoint("192.168.1.9", 4000),)
)


def packed(text: dict[str, str]) -> bytes:
    """A TXT record's bytes."""
    parts = [f"{key}={value}".encode() for key, value in text.items()]
    return b"".join(bytes([len(part)]) + part for part in parts)


def read(game: OpenGame = GAME, **changes: str | None) -> OpenGame | None:
    text = {key: value for key, value in (text_of(game) | changes).items() if value is not None}
    hosts = [address.host for address in game.addresses]
    return read_game(game.service, packed(text), game.addresses[0].port, hosts, HERE)


@examples(12, 120)
@given(
    st.text(min_size=1, max_size=MAX_NAME),
    st.integers(1, 99),
    st.integers(0, 999),
    st.lists(st.integers(1, 254), min_size=1, max_size=8),
)
def test_what_is_announced_is_what_is_read(name: str, seats: int, code: int, lasts: list[int]) -> None:
    places = tuple(Endpoint(f"192.168.1.{last}", 4000) for last in lasts)
    game = replace(GAME, name=name, seats=seats, code=code, addresses=places)
    assert read(game) in (game, None)  # None: a name that nobody may have
    assert read(game, x="of a later program") in (game, None)
    assert read(replace(game, name="Ada = x")) == replace(game, name="Ada = x")


# Row 83: hostile announcements


@pytest.mark.parametrize(
    "changes",
    [
        {"v": "2"},
        {"v": None},
        {"n": ""},
        {"n": None},
        {"n": "A\x1b[2J"},
        {"n": "A\nB"},
        {"n": "A\u202eB"},
        {"n": "A" * (MAX_NAME + 1)},
        {"g": "Stratego!"},
        {"g": "../../x"},
        {"g": None},
        {"f": "ABCD-EFGH-JKMN-PQRU"},
        {"f": "abcd-efgh-jkmn-pqrs"},
        {"f": None},
        {"s": "0"},
        {"s": "100"},
        {"s": "٣"},
        {"s": "-1"},
        {"s": None},
        {"c": "0"},
        {"c": "1000"},
        {"c": "07"},
        {"c": ""},
        {"nn": "1"},
    ],
)
def test_row_83_what_this_program_would_not_write_is_passed_over(changes: dict[str, str | None]) -> None:
    assert read() == GAME
    assert read(GAME, **changes) is None


def test_row_83_texts_that_are_too_long_cut_off_doubled_or_no_utf_8_are_passed_over() -> None:
    good = packed(text_of(GAME))
    wrong = [
        good + b"\x05x=1",
        good + packed({"s": "2"}),
        good + b"\x03c=\xff",
        good + b"\x00",
        good + b"\x01c",
        good + b"\xffc=" + b"1" * 253,
        good + packed({"x": "y" * 250}) * 4,
        b"",
    ]
    assert len(good) < MAX_NEARBY_TEXT < len(wrong[6])
    for text in wrong:
        assert read_game(GAME.service, text, 4000, ["192.168.1.9"], HERE) is None


@given(st.binary(max_size=300))
@example(b"\x03v=1")
def test_row_83_no_text_breaks_the_reader(text: bytes) -> None:
    assert read_game(GAME.service, text, 4000, ["192.168.1.9"], HERE) is None


@pytest.mark.parametrize(
    "service", [f"0123456789ABCDEF.{SERVICE}", f"ada.{SERVICE}", "0123456789abcdef.x.", f"\x1b.{SERVICE}"]
)
def test_row_83_an_instance_is_no_text_of_somebody(service: str) -> None:
    assert read_game(service, packed(text_of(GAME)), 4000, ["192.168.1.9"], HERE) is None


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "10.0.0.1",  # private, and of another network
        "192.168.1.0",
        "192.168.1.255",
        "224.0.0.251",
        "0.0.0.0",  # noqa: S104
        "127.0.0.1",  # a port of this machine, while it has networks
        "::1",
        "fe80::9",  # where?
        "2001:db8::9%2",
        "2001:db8:1::9",
        "ff02::fb%2",
        "example.org",
        "",
    ],
)
def test_row_83_an_announcement_leads_nowhere_but_into_our_own_networks(address: str) -> None:
    assert not is_near(address, HERE)
    assert read_game(GAME.service, packed(text_of(GAME)), 4000, [address], HERE) is None
    game = read_game(GAME.service, packed(text_of(GAME)), 4000, [address, "192.168.1.9"], HERE)
    assert game == GAME


def test_addresses_in_our_networks() -> None:
    for address in ("192.168.1.254", "fe80::9%2", "2001:db8::9"):
        assert is_near(address, HERE)
    alone = networks_of([("127.0.0.1", 8), ("::1", 128)])
    assert is_near("127.0.0.1", alone)
    assert is_near("::1", alone)
    assert not is_near("192.168.1.9", alone)
    assert read_game(GAME.service, packed(text_of(GAME)), 0, ["192.168.1.9"], HERE) is None


def test_a_machine_announces_where_its_neighbours_can_call_it() -> None:
    addresses = announced_at([("2001:db8::7", 64), ("192.168.1.7", 24), ("127.0.0.1", 8)], 4000)
    assert [str(address) for address in addresses] == ["192.168.1.7:4000", "[2001:db8::7]:4000"]
    assert announced_at([("127.0.0.1", 8)], 1) == (Endpoint("127.0.0.1", 1),)
    assert announced_at([], 1) == ()
    assert {ipaddress.ip_network("192.168.1.0/24")} <= set(HERE)


def games(count: int, *, first: int = 0, host: str = "") -> list[OpenGame]:
    """So many games, each of another host, or of one."""
    return [
        replace(
            GAME,
            instance=f"{number:016x}",
            addresses=(Endpoint(host or f"192.168.{number // 250}.{number % 250 + 1}", 4000),),
        )
        for number in range(first, first + count)
    ]


def test_row_83_a_flood_of_names_pushes_out_none_that_was_heard_before() -> None:
    """Nor does what the library forgets in it: a game that was read stays for a while."""
    services = Services()
    services.note_name(GAME.service)
    services.note_game(GAME.service, GAME, 0.0)
    for number in range(10_000):
        services.note_name(f"{number:016x}.{SERVICE}")
    assert len(services.names) == MAX_NEARBY_NAMES
    services.note_game(f"{9_999:016x}.{SERVICE}", GAME, 1.0)  # not kept
    assert services.games(KEEP_NEARBY - 1.0) == [GAME]
    assert services.games(KEEP_NEARBY) == []
    services.note_game(GAME.service, None, 1.0)  # nonsense now
    assert services.games(1.0) == []
    services.note_game(GAME.service, GAME, 2.0)
    services.withdraw(GAME.service)
    services.withdraw(GAME.service)
    assert services.games(2.0) == []


def test_row_83_few_questions_are_asked_in_a_flood() -> None:
    services = Services()
    for number in range(100):
        services.note_name(f"{number}")
    services.note_game("99", GAME, 0.0)
    first = services.to_ask(services.names, 0.0)
    assert first[0] == "99"  # what our player sees comes first
    assert len(first) == ASKED_NEARBY
    assert not set(services.to_ask(services.names, 1.0)) & set(first)
    assert services.to_ask(["99"], ASK_NEARBY_EVERY - 0.1) == []
    assert services.to_ask(["99"], ASK_NEARBY_EVERY) == ["99"]


def test_row_83_a_flood_takes_no_place_of_those_who_were_there_before() -> None:
    heard = NearbyGames()
    assert heard.update([GAME])
    assert heard.update([*games(10_000), GAME])
    assert heard.games[1] == GAME
    assert len(heard.games) == MAX_NEARBY
    assert heard.full
    assert heard.update([GAME])
    assert heard.games == {1: GAME}
    assert not heard.full


def test_row_83_one_address_has_few_places() -> None:
    heard = NearbyGames()
    heard.update([*games(100, host="192.168.1.66"), GAME])
    assert len(heard.games) == MAX_NEARBY_OF_ADDRESS + 1
    assert heard.full


def test_a_game_keeps_its_number_and_no_other_gets_it() -> None:
    """Whoever comes while our player types a number is not what that number means."""
    heard = NearbyGames()
    first, second, third = games(3)
    heard.update([first, second])
    assert not heard.update([second, first])
    heard.update([third, second])
    assert heard.games == {2: second, 3: third}
    heard.update([first, third])
    assert heard.games == {1: first, 3: third}
    for number in range(10):
        heard.update(games(MAX_NEARBY, first=1000 * number))
    assert len(heard.numbers) <= 5 * MAX_NEARBY
