"""A relay that is lost, or back, is told of once it has lasted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import trio
import trio.testing

from cli.play import own_relays
from cli.play.arriving import lobby_loop
from cli.play.arriving.lobby_places import HostPlace
from cli.play.own_relays import STEADY, WatchedRelay, report_changes
from cli.table.words.call_attempts import OwnRelay
from protocol.failures import RelayRefused
from protocol.network.host import Host
from protocol.network.transport.registry import Connection
from protocol.network.transport.relay_client import Waiter
from protocol.wire.addresses import Endpoint, Onion
from tests.golden.dialogues import assert_told
from tests.helpers.links.lobbies import whole
from tests.helpers.program.playing import lines, play_session, printed


async def nowhere(_: Endpoint | Onion) -> Connection:
    raise OSError


def turned(waiter: Waiter, there: bool) -> None:
    waiter.there, waiter.trouble = there, None if there else RelayRefused("relay.example:1", None)
    waiter.on_change()


async def test_only_what_lasts_is_told(autojump_clock: trio.testing.MockClock) -> None:
    waiter, changes = Waiter(Endpoint("relay.example", 1), bytes(16), nowhere), list[OwnRelay]()
    waiter.there = True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(report_changes, WatchedRelay(waiter), changes.append)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(10):
            turned(waiter, False)
            await trio.sleep(STEADY / 2)
            turned(waiter, True)
            await trio.sleep(0.1)
        assert changes == []
        turned(waiter, False)
        await trio.sleep(STEADY + 1)
        (lost,) = changes
        assert lost.name == "relay.example:1"
        assert_told("relay", "the relay is gone", lost.trouble)
        await trio.sleep(1000)
        turned(waiter, True)
        await trio.sleep(STEADY + 1)
        assert changes[1:] == [own_relays.own_relay(waiter)] == [OwnRelay("relay.example:1")]
        nursery.cancel_scope.cancel()


async def test_one_that_was_lost_before_the_game_is_told_of_then(
    autojump_clock: trio.testing.MockClock,
) -> None:
    waiter, changes = Waiter(Endpoint("relay.example", 1), bytes(16), nowhere), list[OwnRelay]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(report_changes, WatchedRelay(waiter), changes.append)
        await trio.sleep(STEADY + 1)
        nursery.cancel_scope.cancel()
    assert changes == [OwnRelay("relay.example:1", "no answer")]


async def test_a_relay_that_is_lost_while_the_lobby_waits_is_told_there_and_its_return_at_the_table(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    waiter = Waiter(Endpoint("relay.example", 1), bytes(16), nowhere)
    waiter.there = True
    session = play_session(tmp_path / "host", lines())
    session.relays = [WatchedRelay(waiter)]
    lobby = whole(tmp_path / "table")
    lobby.go(lobby.guests[0])  # the lobby waits for somebody
    host = SimpleNamespace(gather=trio.sleep_forever, dismiss=None)
    place = HostPlace(session, cast("Host", host), lobby.lobby, lobby.host.identity.key)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby_loop.host_lobby, session, cast("Host", host), place)
        await trio.testing.wait_all_tasks_blocked()
        turned(waiter, False)
        await trio.sleep(STEADY + 1)
        nursery.cancel_scope.cancel()
    output = printed(session).getvalue()
    assert_told("relay", "the lobby hears that it is gone", output, "no longer")
    assert session.relays[0].last is False, "so that its return is news at the table"
