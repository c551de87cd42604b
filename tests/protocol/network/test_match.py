"""Whole matches between two real ends: over TLS on loopback, and within one process."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
import trio

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.channel import tls
from protocol.failures import Code, DiskFailed, DiskFull, LinkLost, NotNow, StorageFailure, Why
from protocol.network.host import listen
from protocol.network.peer import Peer
from protocol.record.genesis import Genesis
from protocol.replication.replica import Status
from protocol.storage.home import Owner
from tests.helpers.links.peers import (
    HANGING,
    LOOPBACK,
    Bot,
    Table,
    is_refused,
    meet,
    meet_locally,
    owner,
    play_out,
    running,
    seated,
    until,
)
from tests.helpers.machine.disk import failing

PLAYED = (Verdict.COMPLETE, Verdict.CHEATED)
"""Bots that lay any cards may lay impossible ones, which ends the game by its rules."""


def begun_after(peer: Peer, old: Genesis) -> Callable[[], bool]:
    """Whether `peer` plays another match than `old`."""
    return lambda: peer.replica.match.id != old.id


def asked(peer: Peer) -> Callable[[], bool]:
    """Whether the player of `peer` has something to decide."""
    return lambda: peer.replica.session.decision is not None


async def test_two_peers_play_over_tls_and_both_records_are_the_same_and_complete(
    ada: Owner, ben: Owner
) -> None:
    async with seated(ada, ben) as table:
        async with running(*table.peers):
            await play_out(table.peers)
            assert all(peer.replica.status is Status.CONNECTED for peer in table.peers)
        reports = [
            audit(Path(peer.replica.store.path).read_bytes(), GAMES, every_signature=True)
            for peer in table.peers
        ]
    assert reports[0].verdict in PLAYED
    assert reports[0].verdict == reports[1].verdict
    assert [peer.replica.session.position() for peer in table.peers] == [
        table.peers[0].replica.session.position()
    ] * 2
    assert table.peers[0].replica.opponent.name == "Ben"
    assert table.peers[1].replica.opponent.name == "Ada"


async def test_a_player_and_a_bot_play_within_one_process_and_leave_a_record_too(tmp_path: Path) -> None:
    ada, ben = owner(tmp_path / "ada", "Ada"), owner(tmp_path / "ada" / "bot", "Bot")
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            peers = meet_locally(nursery, ada, ben, "agent")
            assert peers[0].replica.route.bots == {1: "agent"}
            async with running(*peers):
                await play_out(peers)
    assert audit(Path(peers[0].replica.store.path).read_bytes(), GAMES).verdict in PLAYED


async def rehost(nursery: trio.Nursery, table: Table, name: str) -> Peer:
    """Ada's process is a new one: it listens where it did, with the certificate it kept."""
    store = table.host.desk.owner.home.open(name)
    certificate = tls.Certificate(store.certificate)
    assert store.route.own is not None
    again = await listen(nursery, table.host.desk.owner, certificate, store.route.port, [LOOPBACK])
    again.peer = Peer(nursery, table.host.desk.owner, store)
    return again.peer


async def test_a_match_goes_on_after_both_processes_were_killed(ada: Owner, ben: Owner) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as first:
            table = await meet(first, ada, ben)
            name = table.peers[0].replica.match.id.hex()[:32]
            for peer in table.peers:
                first.start_soon(peer.run)
                first.start_soon(Bot(peer, 5, most=4).play, lambda: False)
            await until(table.peers[1], lambda: table.peers[1].replica.session.referee.count >= 9)
            first.cancel_scope.cancel()
        count = table.peers[0].replica.session.referee.count
        async with trio.open_nursery() as second:
            joiner = Peer(second, ben, ben.home.open(name))
            hosting = await rehost(second, table, name)
            assert joiner.replica.session.referee.count >= 9
            assert not joiner.replica.session.live
            async with running(hosting, joiner):
                await play_out((hosting, joiner))
            second.cancel_scope.cancel()
    assert hosting.replica.session.referee.count > count
    assert audit(Path(hosting.replica.store.path).read_bytes(), GAMES).verdict in PLAYED


SOON: Final = 0.05
"""Seconds: without any wait a second call would go out before the link of the first one is in use."""


async def test_a_pulled_cable_is_noticed_and_the_joiner_calls_again(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.limits.LONGEST_WAIT", SOON)
    async with seated(ada, ben) as table:
        hosting, joiner = table.peers
        async with running(*table.peers):
            for _ in range(3):
                await until(joiner, lambda: joiner.replica.status is Status.CONNECTED)
                await trio.aclose_forcefully(joiner.active[0].link.stream)
                await until(joiner, lambda: isinstance(joiner.replica.trouble, LinkLost))
                await until(joiner, lambda: joiner.replica.status is Status.CONNECTED)
            await until(hosting, lambda: hosting.replica.session.live)
            await play_out(table.peers)
    assert hosting.replica.session.position() == joiner.replica.session.position()


async def test_a_newer_connection_of_the_same_player_takes_the_older_ones_place(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.limits.LONGEST_WAIT", SOON)
    async with seated(ada, ben) as table:
        joiner = table.peers[1]
        async with running(*table.peers):
            await until(joiner, lambda: joiner.replica.session.live)
            place = joiner.replica.route.others[0]
            older = joiner.active[0].link
            await joiner.calls.call(0, place)
            await until(joiner, is_refused(joiner, Code.REPLACED))
            await until(joiner, lambda: joiner.replica.session.live)
            assert joiner.active[0].link is not older


async def test_who_leaves_says_so_and_the_match_is_saved(ada: Owner, ben: Owner) -> None:
    async with seated(ada, ben) as table:
        hosting, joiner = table.peers
        async with running(hosting):
            async with running(joiner):
                await until(joiner, lambda: joiner.replica.session.live)
            await until(hosting, is_refused(hosting, Code.LEFT))
            assert hosting.replica.status is Status.AWAY
            assert hosting.rtt is None
    assert ben.home.free(ben.home.games()[0].id)


async def test_a_rematch_swaps_the_seats_on_the_same_connection(ada: Owner, ben: Owner) -> None:
    async with seated(ada, ben) as table:
        hosting, joiner = table.peers
        async with running(*table.peers):
            await until(joiner, lambda: joiner.replica.session.live)
            with pytest.raises(NotNow, match=Why.NO_REMATCH.value):
                joiner.replica.offer_rematch()
            for number in range(2):
                first = hosting.replica.match
                await until(joiner, lambda: joiner.replica.session.live)
                await until(hosting, lambda: hosting.replica.session.live)
                joiner.replica.resign()
                await until(joiner, lambda: joiner.replica.finished)
                await until(hosting, lambda: hosting.replica.finished)
                (joiner if number else hosting).replica.offer_rematch()
                if number:  # crossing wishes need no order
                    hosting.replica.offer_rematch()
                else:
                    await until(joiner, lambda: joiner.replica.rematch_wanted == (False, True))
                    assert hosting.replica.rematch_wanted == (True, False)
                    hosting.replica.offer_rematch()
                    hosting.replica.session.say("one more?")
                    joiner.replica.offer_rematch()
                for peer in table.peers:
                    await until(peer, begun_after(peer, first))
                assert hosting.replica.match.body == joiner.replica.match.body
                assert [hosting.replica.seat, joiner.replica.seat] == ([1, 0] if number == 0 else [0, 1])
                assert hosting.replica.rematch_wanted == (False, False)
            await play_out(table.peers)
    assert len(ada.home.games()) == len(ben.home.games()) == 3
    for saved in ada.home.games():
        assert audit(saved.path.read_bytes(), GAMES).verdict in PLAYED


async def test_a_rematch_can_be_resumed_like_any_match(ada: Owner, ben: Owner) -> None:
    async with seated(ada, ben) as table:
        hosting, joiner = table.peers
        async with running(hosting):
            async with running(joiner):
                await until(joiner, lambda: joiner.replica.session.live)
                joiner.replica.resign()
                await until(joiner, lambda: joiner.replica.finished)
                await until(hosting, lambda: hosting.replica.finished)
                for peer in table.peers:
                    peer.replica.offer_rematch()
                await until(joiner, lambda: joiner.replica.session.live and joiner.replica.seat == 0)
            again = Peer(table.nursery, ben, ben.home.open(joiner.replica.match.id.hex()[:32]))
            async with running(again):
                await until(again, lambda: again.replica.session.live)
                assert again.replica.match.body == hosting.replica.match.body


@pytest.mark.parametrize("side", [0, 1])
async def test_row_34_a_disk_that_fails_stops_that_side_and_tells_the_other(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch, side: int
) -> None:
    async with seated(ada, ben) as table:
        stopping, other = table.peers[side], table.peers[1 - side]
        table.nursery.start_soon(other.run)
        stopped = trio.Event()

        async def run() -> None:
            with pytest.raises(DiskFailed):
                await stopping.run()
            stopped.set()

        table.nursery.start_soon(run)
        for peer in table.peers:  # both are asked, and nothing is under way
            await until(peer, asked(peer))

        count = other.replica.session.position()
        monkeypatch.setattr("protocol.storage.files.sync", failing(errno.EIO))
        with pytest.raises(DiskFailed):
            stopping.replica.say("hello")
        monkeypatch.undo()
        await stopped.wait()
        await until(other, is_refused(other, Code.FAILED, Code.LEFT))  # LEFT: it has called again already
        assert other.replica.session.position() == count
        with pytest.raises(StorageFailure):
            stopping.replica.say("hello")


async def test_a_disk_that_has_no_room_for_a_rematch_says_so(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(ada, ben) as table:
        hosting, joiner = table.peers
        table.nursery.start_soon(hosting.run)
        async with trio.open_nursery() as inner:

            async def run() -> None:
                with pytest.raises(DiskFull):
                    await joiner.run()

            inner.start_soon(run)
            await until(joiner, lambda: joiner.replica.session.live)
            joiner.replica.resign()
            await until(joiner, lambda: joiner.replica.finished)
            await until(hosting, lambda: hosting.replica.finished)
            joiner.replica.offer_rematch()
            await until(hosting, lambda: hosting.replica.rematch_wanted == (False, True))
            monkeypatch.setattr("protocol.storage.match_store.ROOM", 2**62)
            with pytest.raises(DiskFull):
                hosting.replica.offer_rematch()


def test_peers_play_with_trio_as_the_guest_of_another_loop(ada: Owner, ben: Owner) -> None:
    """As under a full-screen application; the player's side calls from the host's loop, not from trio."""
    lines: list[str] = []

    async def guest(wake: asyncio.Event, peers: list[Peer]) -> None:
        async with trio.open_nursery() as nursery:
            table = await meet(nursery, ada, ben)
            for peer in table.peers:
                peer.replica.on_change = wake.set
                peers.append(peer)
            async with trio.open_nursery() as players:
                for peer in table.peers:
                    players.start_soon(peer.run)
            nursery.cancel_scope.cancel()

    async def screen() -> None:
        loop = asyncio.get_running_loop()
        done, wake = loop.create_future(), asyncio.Event()
        peers: list[Peer] = []
        trio.lowlevel.start_guest_run(
            guest,
            wake,
            peers,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=done.set_result,
        )
        while not (len(peers) == 2 and all(peer.replica.session.live for peer in peers)):
            await wake.wait()
            wake.clear()
        peers[0].replica.say("from the screen")
        peers[1].replica.resign()
        while not all(peer.replica.finished for peer in peers):
            await wake.wait()
            wake.clear()
        lines.extend(
            s.content[0] for s in peers[1].replica.session.referee.statements[0] if s.kind.name == "CHAT"
        )
        peers[0].leave()
        peers[1].leave()
        (await done).unwrap()

    asyncio.run(asyncio.wait_for(screen(), HANGING))
    assert lines == ["from the screen"]
