"""A match that is over stays open as long as somebody can come for the last records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from cli.play.bots.bot_match import local_links
from p2p_stratego.core.game import Commit
from protocol.failures import LinkLost, Loss, Unreachable
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint
from tests.helpers.games.toy import TOY
from tests.helpers.links.many import Many
from tests.helpers.links.peers import HANGING, meet_locally, until
from tests.helpers.machine.homes import kill

NOBODY = Unreachable(("no answer at 192.0.2.1",), refused=True)
PLACE = Place((Endpoint("192.0.2.1", 7),), bytes(32))


@pytest.fixture(name="ended")
def _ended(tmp_path: Path) -> Iterator[Replica]:
    """The copy of one of three, all of whom but this one have resigned, opened anew."""
    many = Many(tmp_path, TOY, 3, {"rounds": 1})
    many.connect()
    for loser in (1, 2):
        many.replicas[loser].resign()
        many.pump()
    ada = many.replicas[0]
    while not ada.finished:
        assert isinstance(ada.session.decision, Commit)
        ada.decide(tuple(list(ada.session.decision.faces)[:2]))
        many.pump()
    for seat in (1, 2):
        ada.exchange.reroute(seat, PLACE)
    kill(ada.store)
    again = Replica(many.owners[0], many.homes[0].open(many.homes[0].games()[0].id), many.clock)
    assert again.finished
    many.replicas[0] = again
    yield again
    many.close()


def test_one_who_cannot_be_called_does_not_end_the_wait_for_the_others(ended: Replica) -> None:
    """Else who is gone for good keeps the last records from those who still lack some."""
    seen = []
    for seat in (1, 1, 2):
        ended.not_reached(NOBODY, seat)
        seen.append(ended.status)
    assert seen == [Status.CONNECTING, Status.CONNECTING, Status.OVER]


def test_when_the_last_link_is_gone_nobody_is_waited_for(ended: Replica) -> None:
    ended.linked(lambda _: None, 2)
    ended.not_reached(NOBODY, 1)
    seen = [ended.status]
    ended.unlinked(LinkLost(Loss.ENDED), 2)
    assert [*seen, ended.status] == [Status.CONNECTING, Status.OVER]


def test_a_spectator_who_goes_is_neither_the_last_link_nor_any_trouble(ended: Replica) -> None:
    ended.linked(lambda _: None, 3)
    ended.unlinked(LinkLost(Loss.ENDED), 3)
    assert ended.status is Status.CONNECTING
    assert ended.trouble is None


async def test_a_caller_who_comes_while_a_match_is_left_does_no_harm(ada: Owner, ben: Owner) -> None:
    """It is told that we left, over a link of which nobody knew when we began to close the others."""
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            end, other = meet_locally(nursery, ada, ben)
            async with trio.open_nursery() as inner:
                inner.start_soon(end.run)
                inner.start_soon(other.run)
                await until(end, lambda: end.replica.session.live)
                for peer in (end, other):
                    peer.leave()
                while not end.replica.closed:
                    await trio.lowlevel.checkpoint()
                late, _ = local_links(nursery)
                end.take(late)
            assert late.lost is not None
            nursery.cancel_scope.cancel()
