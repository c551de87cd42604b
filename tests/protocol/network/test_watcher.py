"""Watching: a spectator sees what everybody sees, keeps it, and comes back until it is sent away."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from protocol.audit.verdict import audit
from protocol.channel.channel import AUDIENCE
from protocol.errors import Malformed
from protocol.failures import Code, Damaged, Refused, SeenEnough
from protocol.limits import AUDIENCE_EVERY, MAX_AUDIENCES, RECORDS_EVERY
from protocol.network.watcher import Watcher, watch
from protocol.rendezvous.invite import Invite
from protocol.replication.audience import Audience, sign_audience
from protocol.replication.onlooker import Onlooker
from protocol.replication.replica import Status
from protocol.wire.encoding import Deframer, Frame
from tests.helpers.games.toy import GAMES
from tests.helpers.links.gossiping import Gossiping, graphs
from tests.helpers.links.peers import here
from tests.helpers.links.tables import Room, finished, room
from tests.helpers.machine.homes import KeptHome


def inviting(table: Room, seat: int = 0) -> Invite:
    """An invite to watch, by a seat that listens."""
    host = table.seats[seat].host
    assert host is not None
    return host.desk.invite_to_watch(here(host), 0.0)


async def seen(watcher: Watcher, condition: object) -> None:
    """Return once `condition` holds for what the spectator sees."""
    stirred = trio.Event()
    watcher.onlooker.on_change = lambda: stirred.set()  # noqa: PLW0108 - replaced below
    while not condition(watcher):  # type: ignore[operator]
        await stirred.wait()
        stirred = trio.Event()


def complete(watcher: Watcher) -> bool:
    return watcher.onlooker.finished


async def test_a_spectator_sees_the_whole_match_and_keeps_it(tmp_path: Path) -> None:
    async with room(tmp_path, 3, {0}) as table:
        for seat in range(3):
            await table.sit(seat)
        home = KeptHome(tmp_path / "watching")
        watcher = await watch(table.nursery, home, GAMES, inviting(table))
        table.nursery.start_soon(watcher.run)
        await seen(watcher, complete)
        await table.all(finished)
        ours, theirs = watcher.onlooker.copy, table.seats[0].peer.replica.session
        assert ours.position() == theirs.position()
        assert ours.outcome == theirs.outcome
        assert watcher.onlooker.status is Status.CONNECTED
        path = Path(watcher.onlooker.store.path)
        watcher.leave()
        assert audit(path.read_bytes(), GAMES).verdict.value == "complete"
        assert home.games() == []


async def test_row_59_a_revoked_spectator_is_sent_away_and_not_let_in_again(tmp_path: Path) -> None:
    async with room(tmp_path, 2, {0}) as table:
        for seat in range(2):
            await table.sit(seat, plays=False)
        home = KeptHome(tmp_path / "watching")
        invite = inviting(table)
        watcher = await watch(table.nursery, home, GAMES, invite)
        ended: list[int] = []

        async def run() -> None:
            try:
                await watcher.run()
            except Refused as refused:
                ended.append(refused.code)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await seen(watcher, lambda watching: watching.onlooker.status is Status.CONNECTED)
            host = table.seats[0].host
            assert host is not None
            while table.seats[1].peer.replica.watchers != 1:
                await trio.testing.wait_all_tasks_blocked()
            host.end_watching()
        assert ended == [Code.REVOKED]
        with pytest.raises(Refused) as caught:
            await watch(table.nursery, home, GAMES, invite)
        assert caught.value.code == Code.UNKNOWN_INVITE


async def test_a_spectator_comes_back_and_goes_on_where_it_was(tmp_path: Path) -> None:
    async with room(tmp_path, 2, {0}) as table:
        for seat in range(2):
            await table.sit(seat, plays=False)
        home = KeptHome(tmp_path / "watching")
        invite = inviting(table)
        async with trio.open_nursery() as nursery:
            watcher = await watch(nursery, home, GAMES, invite)
            nursery.start_soon(watcher.run)
            await seen(watcher, lambda watching: len(watching.onlooker.copy.referee.record) >= 2)
            held = len(watcher.onlooker.copy.referee.record)
            nursery.cancel_scope.cancel()
        for end in table.seats.values():
            end.plays = True
            end.peer.replica.on_change()
        again = await watch(table.nursery, home, GAMES, invite)
        assert len(again.onlooker.copy.referee.record) == held
        table.nursery.start_soon(again.run)
        await seen(again, complete)
        again.leave()


async def test_a_spectator_goes_on_at_another_seat_once_the_first_one_is_gone_for_good(
    tmp_path: Path,
) -> None:
    """With the invite of that seat; nothing that it has is sent again."""
    async with room(tmp_path, 3, {0, 1}) as table:
        for seat in range(3):
            await table.sit(seat, plays=False)
        home = KeptHome(tmp_path / "watching")
        first = await watch(table.nursery, home, GAMES, inviting(table))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.run)
            await seen(first, lambda watching: len(watching.onlooker.copy.referee.record) >= 3)
            nursery.cancel_scope.cancel()
        held = len(first.onlooker.copy.referee.record)
        await table.kill(0)
        second = await watch(table.nursery, home, GAMES, inviting(table, 1))
        assert len(second.onlooker.copy.referee.record) == held
        table.nursery.start_soon(second.run)
        await seen(second, lambda watching: watching.onlooker.status is Status.CONNECTED)
        table.seats[1].peer.replica.say("still here")
        await seen(second, lambda watching: len(watching.onlooker.copy.referee.statements[1]) == 2)
        second.leave()


def test_row_42_a_spectator_that_does_not_read_costs_a_player_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the match waits until it has read some; then it gets all, the end too."""
    most = 1_000
    monkeypatch.setattr("protocol.replication.gossip.RECORD_BACKLOG", most)
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"], options={"rounds": 2}).mend_all()
    host, end, unread = table.seats[0], 3, bytearray()
    home = KeptHome(tmp_path / "watching")
    onlooker = Onlooker(home.watch(host.match), GAMES, table.clock)
    host.linked(unread.extend, end, lambda: len(unread))
    parts: list[bytes] = []
    onlooker.linked(parts.append)
    host.received([frame for data in parts for frame in Deframer().feed(data)], end)
    while not all(seat.finished for seat in table.seats):
        table.clock.now += 0.01  # else only the timer of the spectator would run
        assert table.step()
        assert len(unread) < most + 1_000
    assert sum(len(record.frame) for record in host.session.referee.record) > 4 * most
    deframer = Deframer()
    for _ in range(100):
        onlooker.received(list(deframer.feed(bytes(unread))))
        unread.clear()
        table.clock.now += RECORDS_EVERY
        host.tick()
    assert onlooker.finished
    assert onlooker.copy.position() == host.session.position()
    onlooker.close()
    table.close()


def test_all_are_told_how_many_watch_over_whatever_ways_and_after_a_restart(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 4, graphs(4)["line"]).mend_all().settle()

    def known() -> set[int]:
        table.clock.now += AUDIENCE_EVERY
        for seat in table.alive:
            seat.tick()
        table.settle()
        return {seat.watchers for seat in table.alive}

    assert known() == {0}
    table.seats[0].watched(2)
    assert known() == {2}
    table.seats[2].watched(1)
    assert known() == {3}
    table.kill(0)
    assert known() == {1}, "who is not there shows it to nobody"
    table.restart(0)
    table.mend_all().settle()
    assert known() == {1}, "its spectators have gone with it"
    table.seats[0].watched(5)
    assert known() == {6}
    table.close()


def test_spectators_who_come_and_go_at_will_cost_the_table_one_word_in_five_seconds(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"]).mend_all().settle()
    before = len(table.sent)
    for number in range(200):
        table.seats[0].watched(number % 2)
        table.clock.now += AUDIENCE_EVERY / 100
    words = [frame for _, _, frame in table.sent[before:] if frame.kind == AUDIENCE]
    assert 2 <= len(words) <= 6
    table.close()


def test_row_58_a_number_of_spectators_is_its_seats_own_word(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"]).mend_all().settle()
    match = table.seats[0].match
    forged = sign_audience(table.owners[1].identity, match, Audience(0, 9, 16))
    with pytest.raises(Malformed, match="not signed"):
        table.seats[2].received([forged], 1)
    key = table.owners[0].identity
    for serial in range(1, MAX_AUDIENCES + 9):
        table.seats[1].received([sign_audience(key, match, Audience(0, serial, serial % 16))], 0)
    assert table.seats[1].watchers == MAX_AUDIENCES % 16
    table.close()


async def test_a_spectator_sees_the_return_match_too(tmp_path: Path) -> None:
    async with room(tmp_path, 3, {0}) as table:
        for seat in range(3):
            await table.sit(seat)
        watcher = await watch(table.nursery, KeptHome(tmp_path / "watching"), GAMES, inviting(table))
        moved = trio.Event()
        watcher.on_rematch = moved.set
        table.nursery.start_soon(watcher.run)
        first = watcher.onlooker
        await table.all(finished)
        for end in table.seats.values():
            end.peer.replica.offer_rematch()
        await moved.wait()
        assert watcher.onlooker.match.id == table.seats[0].peer.replica.match.id != first.match.id
        await seen(watcher, complete)
        watcher.leave()


async def test_row_59_a_host_shows_a_spectator_so_many_matches_and_fills_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.limits.MAX_WATCHED", 1)
    async with room(tmp_path, 2, {0}) as table:
        for seat in range(2):
            await table.sit(seat)
        home = KeptHome(tmp_path / "watching")
        watcher = await watch(table.nursery, home, GAMES, inviting(table))
        ended = trio.Event()

        async def run() -> None:
            with pytest.raises(SeenEnough):
                await watcher.run()
            ended.set()

        table.nursery.start_soon(run)
        await table.all(finished)
        for end in table.seats.values():
            end.peer.replica.offer_rematch()
        await ended.wait()
        assert len(list((tmp_path / "watching" / "watched").iterdir())) == 1
        assert watcher.onlooker.finished


async def test_what_is_no_record_ends_a_spectators_link_and_a_damaged_copy_is_told(tmp_path: Path) -> None:
    async with room(tmp_path, 2, {0}) as table:
        for seat in range(2):
            await table.sit(seat, plays=False)
        home = KeptHome(tmp_path / "watching")
        watcher = await watch(table.nursery, home, GAMES, inviting(table))
        onlooker = watcher.onlooker
        onlooker.linked(lambda _: None)
        with pytest.raises(Malformed):
            onlooker.received([Frame(99, b"")])
        path = Path(onlooker.store.path)
        onlooker.close()
        path.write_bytes(b"noise")
        with pytest.raises(Damaged):
            home.watch(onlooker.match)
