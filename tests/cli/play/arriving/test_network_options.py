"""The ways that a command line names, and where others reach a player by them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio

from cli.play.arriving import introduction, network_options
from cli.play.arriving.network_options import OwnDoor, Ways
from cli.play.resuming import ways_of_match
from cli.shell.exit_codes import Sorry
from cli.shell.settings import Settings
from protocol.channel import tls
from protocol.network.transport.choice import Wishes
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint, Onion, Relayed, place
from tests.helpers.links.peers import CERTIFICATE, HANGING, owner
from tests.helpers.program.playing import arguments

RELAY = Endpoint("relay.example", 4001)
HERE = Endpoint("127.0.0.1", 4000)
TOKEN = bytes(16)


@pytest.fixture(autouse=True)
def seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As without the switch of all tests; nothing is sent here."""
    monkeypatch.delenv(network_options.HIDDEN)


@pytest.mark.parametrize(
    "words",
    [
        ("--no-relay", "--relay", "relay.example:4001"),
        ("--no-relay", "--relay-only"),
        ("--proxy", "socks5://tor.example:9050"),
        ("--relay-only", "--relay", "relay.example:4001", "--address", "192.0.2.1"),
        ("--relay", "relay.example"),
        ("--relay", "relay.example:0"),
        ("--relay", f"relay://relay.example:4001/{'0' * 26}"),
    ],
)
def test_ways_that_make_no_sense_are_refused_with_a_sentence(words: tuple[str, ...]) -> None:
    with pytest.raises(Sorry, match=r"\.$"):
        network_options.of(arguments("host", *words))


def test_the_command_line_names_the_ways() -> None:
    assert network_options.of(arguments("join")) == Ways(Wishes())
    named = network_options.of(
        arguments("host", "--relay", "relay.example:4001", "--relay", "[::1]:1", "--relay-only")
    )
    assert named == Ways(Wishes(straight=False), (RELAY, Endpoint("::1", 1)))
    assert not named.transports.serves(HERE)
    assert named.transports.serves(Relayed(RELAY, TOKEN))
    assert not named.transports.serves(Relayed(Endpoint("relay.example", 4002), TOKEN))
    assert network_options.of(arguments("watch")).transports.serves(Relayed(RELAY, TOKEN))
    without = network_options.of(arguments("watch", "--no-relay")).transports
    assert without.serves(HERE)
    assert not without.serves(Relayed(RELAY, TOKEN))


@pytest.mark.parametrize("command", ["host", "join", "watch", "resume", "wait"])
def test_one_option_leaves_out_all_but_the_players(command: str) -> None:
    saved = Settings(relays=("relay.example:4001",), upnp=True, nearby=True)
    alone = network_options.of(arguments(command, "--players-only"), saved)
    assert (alone.relays, alone.nearby, alone.asks) == ((), False, False)
    assert not alone.transports.serves(Relayed(RELAY, TOKEN))
    assert alone.transports.serves(HERE)


def test_who_hides_is_not_seen_nearby_and_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert network_options.of(arguments("host")).nearby
    assert not network_options.of(arguments("host", "--hidden")).nearby
    assert not network_options.of(arguments("join"), Settings(nearby=False)).nearby
    assert network_options.of(arguments("join", "--no-hidden"), Settings(nearby=False)).nearby
    for words in (("--proxy", "socks5://[::1]:1"), ("--relay-only", "--relay", "relay.example:4001")):
        assert not network_options.of(arguments("host", "--no-hidden", *words)).nearby
    monkeypatch.setenv(network_options.HIDDEN, "1")
    assert not network_options.of(arguments("host")).nearby


SAVED = Settings(relays=("relay.example:4001",), proxy="socks5://127.0.0.1:9050")
HIDDEN = Settings(relays=("relay.example:4001",), relay_only=True)


def test_the_settings_name_the_ways_and_the_command_line_goes_before_them() -> None:
    usual = network_options.of(arguments("host"), SAVED)
    assert usual.relays == (RELAY,)
    assert usual.wishes.proxy is not None
    assert usual.wishes.proxy.at == Endpoint("127.0.0.1", 9050)
    assert network_options.of(arguments("join"), HIDDEN) == Ways(Wishes(straight=False), (RELAY,))
    other = network_options.of(
        arguments("host", "--relay", "other.example:1", "--proxy", "socks5://[::1]:1"), SAVED
    )
    assert other.relays == (Endpoint("other.example", 1),)
    assert other.wishes.proxy is not None
    assert other.wishes.proxy.at == Endpoint("::1", 1)
    assert network_options.of(arguments("host", "--no-proxy", "--no-relay"), SAVED) == Ways(
        Wishes(relays=False)
    )
    assert network_options.of(arguments("watch", "--no-relay-only"), HIDDEN).wishes.straight


@pytest.mark.parametrize(
    ("words", "saved", "text"),
    [
        (("host", "--no-relay"), HIDDEN, "--no-relay leaves relays out. Add --no-relay-only"),
        (("host", "--address", "192.0.2.1"), HIDDEN, "--address tells an address"),
        (("resume", "--show-address"), HIDDEN, "--show-address shows it"),
        (("resume", "--show-address"), SAVED, "Add --no-proxy"),
        (("host",), Settings(relays=("relay.example",)), "A relay is HOST:PORT"),
        (("host",), Settings(proxy="http://127.0.0.1:1"), "A proxy is socks5"),
        (("watch",), Settings(unclear=("relay_only",)), "relay_only cannot be read"),
        (("join",), Settings(unclear=("settings.json",)), "settings.json cannot be read"),
    ],
)
def test_row_88_settings_that_hide_an_address_are_never_left_aside_in_silence(
    words: tuple[str, ...], saved: Settings, text: str
) -> None:
    with pytest.raises(Sorry, match=text):
        network_options.of(arguments(*words), saved)


def test_a_match_goes_on_at_the_relays_that_it_was_at() -> None:
    usual, other = Ways(Wishes()), Endpoint("other.example", 1)
    before = Place((HERE, Relayed(RELAY, TOKEN)), bytes(32))
    assert usual.again(None) == usual
    assert usual.again(before) == Ways(Wishes(), (RELAY,))
    assert Ways(Wishes(), (other,)).again(before).relays == (other, RELAY)
    hidden = Place((Relayed(RELAY, TOKEN),), bytes(32))
    assert usual.again(hidden) == Ways(Wishes(straight=False), (RELAY,)), "nobody learned its address"
    assert Ways(Wishes(relays=False)).again(hidden) == Ways(Wishes(relays=False))


async def test_row_88_who_is_at_relays_only_listens_nowhere_and_tells_no_address(tmp_path: Path) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            at = Endpoint("127.0.0.1", 1)  # nobody is there
            own = Ways(Wishes(straight=False), (at,))
            door = await network_options.open_door(
                nursery, owner(tmp_path / "ada", "Ada"), CERTIFICATE, 0, own
            )
            [address] = door.addresses
            assert isinstance(address, Relayed)
            assert address.relay == at
            assert door.host.desk.port == 0
            assert door.host.invite(door.addresses).addresses == door.addresses
            nursery.cancel_scope.cancel()


async def test_row_82_behind_a_proxy_one_listens_on_this_machine_alone_and_only_if_told_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> list[str]:
        raise AssertionError("a route is looked up")

    monkeypatch.setattr(introduction, "own_addresses", ask)
    onion = "2gzyxa5ihm7nsggfxnu52rck2vv4rvmdlkiu3zzui5du4xyclen53wid.onion"
    words = ("host", "--proxy", "socks5://127.0.0.1:9050")
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            ada = owner(tmp_path / "ada", "Ada")
            door = await network_options.open_door(
                nursery, ada, CERTIFICATE, 0, network_options.of(arguments(*words))
            )
            assert (door.addresses, door.host.desk.port) == ((), 0)
            named = network_options.of(arguments(*words, "--address", f"{onion}:443"))
            door = await network_options.open_door(nursery, ada, CERTIFICATE, 0, named)
            assert door.addresses == (Onion(onion, 443),)
            await trio.aclose_forcefully(await trio.open_tcp_stream("127.0.0.1", door.host.desk.port))
            with pytest.raises(OSError, match="attempts"):
                await trio.open_tcp_stream("127.0.0.2", door.host.desk.port)
            again = Ways(Wishes(proxy=named.wishes.proxy)).again(Place(door.addresses, bytes(32)))
            assert again.given == (f"{onion}:443",)
            nursery.cancel_scope.cancel()


def test_row_88_a_game_in_which_an_address_was_hidden_does_not_go_on_straight_unasked() -> None:
    hidden = Route(Place((Relayed(RELAY, TOKEN),), bytes(32)), hidden=True)
    nowhere = Route(hidden=True)
    by = partial(ways_of_match, route=nowhere)
    for words in (("--relay-only",), ("--proxy", "socks5://127.0.0.1:9050")):
        assert by(arguments("resume", *words)).wishes.hidden
    with pytest.raises(Sorry, match="--show-address"):
        by(arguments("resume"))
    assert ways_of_match(arguments("resume"), hidden).wishes.hidden, "at the same relay"
    shown = ways_of_match(arguments("resume", "--show-address"), hidden)
    assert shown == Ways(Wishes(), (RELAY,))
    assert ways_of_match(arguments("resume"), Route()) == Ways(Wishes())


async def test_an_invite_has_room_for_eight_addresses_those_at_relays_among_them(tmp_path: Path) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            own = Ways(Wishes(), (RELAY,) * 4, ("127.0.0.1",) * 5)
            with pytest.raises(Sorry, match="up to 8"):
                await network_options.open_door(nursery, owner(tmp_path / "ada", "Ada"), tls.make(), 0, own)
            nursery.cancel_scope.cancel()


async def test_a_match_of_before_is_found_at_the_port_of_now(tmp_path: Path) -> None:
    mapped = place("router.example", 7777)
    route = Route(Place((HERE, mapped, Relayed(RELAY, TOKEN)), bytes(32)), port=4000)
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            given = Ways(Wishes(), given=("127.0.0.1",))
            door = await network_options.open_door(
                nursery, owner(tmp_path / "ada", "Ada"), CERTIFICATE, 0, given
            )
            now = network_options.moved_place(route, door)
            here = Endpoint("127.0.0.1", door.host.desk.port)
            assert now == Place((here, mapped), CERTIFICATE.hash), "at no relay any more"
            hidden = Route(Place((Relayed(RELAY, TOKEN),), bytes(32)), port=0)
            assert network_options.moved_place(hidden, door).addresses == (here,)
            again = OwnDoor(door.host, (Relayed(RELAY, TOKEN), here), ())
            assert network_options.moved_place(hidden, again).addresses == (here, Relayed(RELAY, TOKEN))
            nursery.cancel_scope.cancel()
