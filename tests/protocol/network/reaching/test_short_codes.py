"""Guests who were told a short code, through a relay on loopback, up to the match (threat 85)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import trio
import trio.testing

from protocol.failures import Code, RelayRefused, Unreachable
from protocol.failures import RelayStatus as Status
from protocol.lobby.code_exchange import OpenCode
from protocol.lobby.introductions import Desk
from protocol.network.guest import visit_by_code
from protocol.network.host import Host
from protocol.network.peer import Peer
from protocol.network.transport.relay_client import Waiter
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous.relay_switchboard import Limits
from protocol.rendezvous.short_code import ShortCode, new_code
from protocol.rendezvous.via import Via
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Callee, Endpoint, Numbered
from tests.helpers.links.peers import (
    CERTIFICATE,
    HANGING,
    LOOPBACK,
    TERMS,
    assert_refused,
    play_out,
    running,
    yes,
)


@dataclass
class Waiting:
    """A host that waits at a relay with a code, and nowhere else."""

    nursery: trio.Nursery
    relay: Endpoint
    host: Host
    waiter: Waiter
    code: ShortCode

    @property
    def at(self) -> list[tuple[Callee, ...]]:
        """Where its friends call."""
        return [(Numbered(self.relay, self.code.number),)]

    def wrong(self) -> ShortCode:
        """A code with its number, and other words."""
        return ShortCode(self.code.number, (self.code.words[0], "zone"))


@asynccontextmanager
async def waiting(ada: Owner) -> AsyncIterator[Waiting]:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            relay = Relay(Limits(hold=0.5))
            await relay.listen(nursery, 0, [LOOPBACK])
            at = Endpoint(LOOPBACK, relay.port)
            host = Host(nursery, Desk(ada, CERTIFICATE, 0))
            address, _ = host.wait_at(at)
            host.invite([address])
            waiter = host.wait_at_number(at)
            numbered = trio.Event()
            waiter.on_change = numbered.set
            await numbered.wait()
            code = new_code(waiter.number)
            while code.words[1] == "zone":
                code = new_code(waiter.number)
            host.desk.code = OpenCode(code, code.scalar(), trio.current_time() + 600, 1)
            yield Waiting(nursery, at, host, waiter, code)
            nursery.cancel_scope.cancel()


async def test_who_was_told_a_code_plays_as_with_an_invite(ada: Owner, ben: Owner) -> None:
    async with waiting(ada) as host:
        joined: list[Peer] = []

        async def come() -> None:
            visitor = await visit_by_code(host.nursery, ben, host.code, host.at)
            joined.append(await visitor.agreeing(yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosting = await host.host.meet(TERMS, yes)
        peers = (hosting, joined[0])
        [place] = joined[0].replica.route.others.values()
        assert place == Place(host.host.desk.addresses, CERTIFICATE.hash)
        async with running(peers[0]), running(peers[1]):
            await play_out(peers)
            assert {talk.link.via for peer in peers for talk in peer.active.values()} == {Via.RELAY}


async def test_row_85_after_three_wrong_codes_the_right_one_is_no_good(ada: Owner, ben: Owner) -> None:
    async with waiting(ada) as host:
        host.host.open(TERMS)
        for _ in range(3):
            await assert_refused(
                Code.WRONG_CODE, lambda: visit_by_code(host.nursery, ben, host.wrong(), host.at)
            )
        await assert_refused(Code.VOID_CODE, lambda: visit_by_code(host.nursery, ben, host.code, host.at))
        assert host.host.lobby is not None
        assert host.host.lobby.guests() == []


async def test_a_friend_is_found_where_others_have_the_same_number(ada: Owner, ben: Owner) -> None:
    """At one relay nobody waits, at another somebody else does: neither ends the search."""
    async with waiting(ada) as host:
        host.host.open(TERMS)
        other = Relay(Limits(hold=0.0))
        await other.listen(host.nursery, 0, [LOOPBACK])
        nobody: tuple[Callee, ...] = (Numbered(Endpoint(LOOPBACK, other.port), host.code.number),)
        with pytest.raises(RelayRefused) as refused:
            await visit_by_code(host.nursery, ben, host.code, [nobody])
        assert refused.value.status == Status.NOBODY
        await assert_refused(
            Code.WRONG_CODE, lambda: visit_by_code(host.nursery, ben, host.wrong(), [*host.at, nobody])
        )
        visitor = await visit_by_code(host.nursery, ben, host.code, [nobody, *host.at])
        assert visitor.visit.host.key == ada.identity.key


async def test_row_85_few_of_those_who_wait_with_one_number_may_guess(ada: Owner, ben: Owner) -> None:
    """Anybody in a network can announce every number."""
    async with waiting(ada) as host:
        host.host.open(TERMS)
        assert host.host.desk.code is not None
        host.host.desk.code.tries = 100
        await assert_refused(
            Code.WRONG_CODE, lambda: visit_by_code(host.nursery, ben, host.wrong(), host.at * 20)
        )
        assert host.host.desk.code.tries == 100 - 4


async def test_row_85_who_waits_no_more_is_called_no_more(ada: Owner, ben: Owner) -> None:
    async with waiting(ada) as host:
        host.waiter.stop()
        await trio.testing.wait_all_tasks_blocked(0.01)
        with pytest.raises(RelayRefused):
            await visit_by_code(host.nursery, ben, host.code, host.at)
        with pytest.raises(Unreachable):
            await visit_by_code(host.nursery, ben, host.code, [])
