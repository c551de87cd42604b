"""Three to five real peers over loopback: they find each other, and go on without any one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.failures import Code, Refused
from protocol.network.peer import Peer
from protocol.replication.presence import Way
from protocol.replication.replica import Status
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint
from tests.helpers.links.peers import LOOPBACK, until
from tests.helpers.links.tables import CERTIFICATES, finished, room, ways


async def test_all_find_each_other_by_their_cards_and_play(tmp_path: Path) -> None:
    async with room(tmp_path, 4, {0, 1, 2, 3}) as table:
        for seat in range(4):
            await table.sit(seat)
        await table.all(lambda peer: ways(peer) == [Way.DIRECT] * 3)
        await table.all(finished)
        heads = {seat.peer.replica.session.position() for seat in table.seats.values()}
        assert len(heads) == 1


async def test_the_first_seat_dies_for_good_and_a_guest_comes_back_over_another_guest(tmp_path: Path) -> None:
    async with room(tmp_path, 4, {0, 1, 2}) as table:
        for seat in range(4):
            await table.sit(seat, plays=seat != 3)
        await table.all(lambda peer: ways(peer) == [Way.DIRECT] * 3)
        await table.kill(0)
        await table.kill(3)
        await table.all(lambda peer: ways(peer)[-1] is Way.AWAY)
        back = await table.sit(3)
        await until(back.peer, lambda: ways(back.peer)[1:] == [Way.DIRECT] * 2)
        assert back.peer.replica.status is Status.CONNECTED
        back.peer.replica.say("here again")
        await table.all(lambda peer: len(peer.replica.session.referee.statements[3]) == 2)


async def test_who_listens_nowhere_is_reached_through_another_seat(tmp_path: Path) -> None:
    async with room(tmp_path, 3, {0}) as table:
        for seat in range(3):
            await table.sit(seat)
        await table.all(finished)
        peer = table.seats[2].peer
        assert [(link.way, link.through) for link in peer.links] == [(Way.DIRECT, None), (Way.THROUGH, 0)]


async def test_two_links_that_cross_become_one(tmp_path: Path) -> None:
    """Both sides know where the other one listens, and both call at once."""
    async with room(tmp_path, 2, {0, 1}) as table:
        await table.sit(0)
        await table.sit(1)
        await table.all(lambda peer: ways(peer) == [Way.DIRECT])
        await table.kill(0)
        await table.kill(1)
        await table.sit(0)
        await table.sit(1)
        await table.all(finished)
        assert [ways(seat.peer) for seat in table.seats.values()] == [[Way.DIRECT]] * 2


async def test_who_holds_a_match_that_no_other_seat_knows_is_told_so(tmp_path: Path) -> None:
    async with room(tmp_path / "one", 3, {0}) as table, room(tmp_path / "two", 3, {0}) as other:
        await other.sit(0)
        first = other.seats[0].host
        assert first is not None
        store = table.owners[1].home.open(table.match)
        place = Place((Endpoint(LOOPBACK, first.desk.port),), CERTIFICATES[0].hash)
        store.set_route(Route().with_place(0, place))
        peer = Peer(table.nursery, table.owners[1], store)
        with pytest.raises(Refused) as caught:
            await peer.run()
        assert caught.value.code == Code.UNKNOWN_MATCH
