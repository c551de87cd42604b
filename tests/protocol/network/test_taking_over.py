"""A match moves from a relay to a straight way and back, in the middle of what is said (threat 81)."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import copy
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.play.bots.bot_match import link_up, local_links
from protocol import limits
from protocol.failures import Code, LinkLost, Loss, NetworkFailure, Refused
from protocol.lobby.introductions import Desk
from protocol.network.guest import join
from protocol.network.host import Host
from protocol.network.link import Link
from protocol.network.peer import Peer
from protocol.network.transport.registry import Connection, Transports
from protocol.network.transport.relay_client import connect
from protocol.rendezvous.via import Via
from protocol.replication.journal import Step
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint, Relayed
from tests.helpers.games.players import honest
from tests.helpers.links.peers import (
    CERTIFICATE,
    HANGING,
    TERMS,
    last_word,
    meet_locally,
    owner,
    play_out,
    running,
    yes,
)
from tests.helpers.links.wire import Wire
from tests.helpers.machine.examples import runs
from tests.helpers.network.rogue import RELAY, Rogue, Straight

HOME = Endpoint("192.0.2.1", 4000)
CHANGES = runs(15, 50)
"""Times that one way takes over from the other in one test."""


class Game:
    """Ada, who can be called straight or at a relay, and Ben, who only calls."""

    def __init__(self, nursery: trio.Nursery, ada: Owner, ben: Owner, rng: random.Random) -> None:
        self.rng = rng
        self.rogue = Rogue(nursery, delay=0.3)
        self.host = Host(nursery, Desk(ada, CERTIFICATE, 0), self.rogue.transports)
        self.straight = Straight(nursery, self.host.greet, Rogue(nursery, delay=0.2))
        self.nursery, self.ben = nursery, ben
        self.changes = 0
        self.left = 0
        """Decisions that the two may still make."""

    @property
    def transports(self) -> Transports:
        """Ben's: both ways."""

        async def relayed(address: Relayed) -> Connection:
            return await connect(address, self.rogue.dial)

        return Transports({Endpoint: self.straight.connect, Relayed: relayed})

    async def met(self) -> tuple[Peer, Peer]:
        """The match, which begins over the relay."""
        invite = self.host.invite([HOME, self.host.wait_at(RELAY)[0]])
        joined: list[Peer] = []

        async def come() -> None:
            joined.append(await join(self.nursery, self.ben, invite, yes, self.transports))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosting = await self.host.meet(TERMS, yes)
        return hosting, joined[0]

    async def dawdle(self, peer: Peer) -> None:
        """Decide whatever is to be decided, a moment later, as often as `wander` lets the two."""
        while not peer.replica.finished:
            await trio.sleep(self.rng.uniform(0.05, 0.5))
            decision = peer.replica.session.decision
            if decision is not None and self.left > 0:
                self.left -= 1
                peer.replica.decide(honest(peer.replica.session, decision, self.rng))

    async def wander(self, peers: tuple[Peer, Peer]) -> None:
        """Open and close the straight way; while one way takes over from the other, the two play on."""
        for _ in range(20):
            if self.straight.open:
                self.left = self.rng.randint(1, 3)
                await trio.sleep(self.rng.uniform(0.0, 1.0))
                self.straight.close()
            else:
                self.straight.open = True
                await self.sleep_until(partial(self.more_than, self.straight.made), peers)
                self.left = self.rng.randint(1, 3)
            await self.sleep_until(partial(self.settled, peers), peers)
            self.changes += self.settled(peers)
        self.left = 1000

    def more_than(self, made: int) -> bool:
        return self.straight.made > made

    def settled(self, peers: tuple[Peer, Peer]) -> bool:
        return ways(peers) == {Via.DIRECT if self.straight.open else Via.RELAY}

    async def sleep_until(self, condition: Callable[[], bool], peers: tuple[Peer, Peer]) -> None:
        """Return once `condition` holds, or the match is over."""
        while not (condition() or any(peer.replica.finished for peer in peers)):
            await trio.sleep(0.1)


def ways(peers: tuple[Peer, ...]) -> set[Via]:
    return {talk.link.via for peer in peers for talk in peer.active.values()}


@pytest.mark.parametrize("seed", range(4))
async def test_row_81_no_entry_is_lost_or_signed_twice_when_one_way_takes_over_from_another(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(limits, "SETTLED", 0.0)  # or the two would wait for minutes between two changes
    changes, rng, played = 0, random.Random(seed), 0
    while changes < CHANGES:
        played += 1
        async with trio.open_nursery() as nursery:
            ada, ben = (owner(tmp_path / f"{name} {played}", name) for name in ("Ada", "Ben"))
            game = Game(nursery, ada, ben, rng)
            peers = await game.met()
            async with running(peers[0]), running(peers[1]), trio.open_nursery() as playing:
                playing.start_soon(game.wander, peers)
                for peer in peers:
                    playing.start_soon(game.dawdle, peer)
            referee, other = (peer.replica.session.referee for peer in peers)
            assert [entry.payload for entry in referee.entries] == [entry.payload for entry in other.entries]
            assert [peer.replica.session.fault for peer in peers] == [None, None]
            assert referee.outcome is not None
            assert referee.outcome.breach is None
            assert game.straight.made >= game.changes // 2
            assert game.rogue.joined >= game.changes // 2
            changes += game.changes
            nursery.cancel_scope.cancel()


async def test_a_straight_way_that_opens_is_taken_and_when_it_closes_the_relay_is_back(
    ada: Owner, ben: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        game = Game(nursery, ada, ben, random.Random(1))
        peers = await game.met()
        async with running(peers[0]), running(peers[1]):
            await trio.sleep(100)
            assert ways(peers) == {Via.RELAY}
            [tried] = [link.calling for link in peers[1].links]
            home = tried.to(HOME)
            assert home is not None
            assert (home.step, tried.better) == (Step.FAILED, True)
            assert tried.until is not None
            assert tried.until > trio.current_time()
            assert [link.calling.place for link in peers[0].links] == [None], "Ben listens nowhere"
            game.straight.open = True
            await trio.sleep(300)
            assert ways(peers) == {Via.DIRECT}
            assert [[link.via for link in peer.links] for peer in peers] == [[Via.DIRECT]] * 2
            assert all(len(peer.active) == 1 for peer in peers)
            [caller] = [link.calling for link in peers[1].links]
            home = caller.to(HOME)
            assert home is not None
            assert (home.step, caller.better, caller.until) == (Step.ANSWERED, False, None)
            game.straight.close()
            await trio.sleep(10)
            assert ways(peers) == {Via.RELAY}
        nursery.cancel_scope.cancel()


async def test_a_straight_way_that_breaks_again_and_again_is_tried_ever_less_often(
    ada: Owner, ben: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    """Or the two would lose more time by it than over the relay: each time until it is found dead."""
    async with trio.open_nursery() as nursery:
        game = Game(nursery, ada, ben, random.Random(1))
        peers = await game.met()
        async with running(peers[0]), running(peers[1]):
            began, relayed = trio.current_time(), 0
            while trio.current_time() < began + 1000:
                game.straight.open = True
                await game.sleep_until(partial(game.more_than, game.straight.made), peers)
                await trio.sleep(3)
                game.straight.close()
                await game.sleep_until(lambda: ways(peers) == {Via.RELAY}, peers)
                relayed += 1
            assert relayed <= 10
            game.straight.open = True
            await trio.sleep(limits.LONGEST_STRAIGHT + 2 * limits.SETTLED)
            assert ways(peers) == {Via.DIRECT}
            game.straight.close()
            await game.sleep_until(lambda: ways(peers) == {Via.RELAY}, peers)
            game.straight.open = True
            await trio.sleep(10)
            assert ways(peers) == {Via.DIRECT}, "it lasted, so it is sought at once again"
        nursery.cancel_scope.cancel()


async def test_a_straight_way_that_never_opens_is_tried_ever_less_often(
    ada: Owner, ben: Owner, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with trio.open_nursery() as nursery:
        game = Game(nursery, ada, ben, random.Random(1))
        peers = await game.met()
        tries: list[float] = []

        async def refuse(*_: object, **__: object) -> None:
            tries.append(trio.current_time())
            raise NetworkFailure

        async with running(peers[0]), running(peers[1]):
            await trio.testing.wait_all_tasks_blocked()
            monkeypatch.setattr("protocol.network.caller.call", refuse)
            began = trio.current_time()
            await trio.sleep(1000)
        gaps = [round(at - began) for at in tries]
        assert gaps == sorted(gaps)
        assert len(gaps) <= 9
        assert gaps[-1] - gaps[-2] == 300
        nursery.cancel_scope.cancel()


def test_row_81_a_match_is_not_over_and_nobody_away_while_a_newer_link_is_there(wire: Wire) -> None:
    """The last word may still be under way: it was sent on the old link, and comes again on the new one."""
    side, other = wire.sides
    side.unlinked(Refused(Code.REPLACED), followed=True)
    seen = [side.status]
    side.unlinked(LinkLost(Loss.BROKEN))
    seen.append(side.status)
    wire.link()
    wire.settle()
    while not side.session.copy.complete:
        assert wire.step()
    wire.queues[1].clear()  # what goes to the other side is lost with the link
    side.unlinked(Refused(Code.REPLACED), followed=True)
    other.unlinked(Refused(Code.REPLACED), followed=True)
    side.tick()
    seen.append(side.status)
    assert side.finished
    wire.link()
    wire.settle()
    assert other.session.copy.complete
    side.unlinked(LinkLost(Loss.BROKEN))
    seen.append(side.status)
    assert seen == [Status.CONNECTED, Status.AWAY, Status.CONNECTED, Status.OVER]


async def test_row_81_of_three_links_that_come_at_once_the_newest_stays(ada: Owner, ben: Owner) -> None:
    """While the first one is let go, two wait, and either of them may be woken before the other."""
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            peers = meet_locally(nursery, ada, ben)
            async with running(*peers):
                for _ in range(20):
                    for _ in range(3):
                        link_up(nursery, *peers)
                    await trio.testing.wait_all_tasks_blocked()
                    assert [len(peer.active) for peer in peers] == [1, 1]
                    assert [peer.queued for peer in peers] == [[], []]
                    assert all(peer.replica.connected for peer in peers)
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("answered", [True, False])
async def test_row_81_a_link_that_gives_way_to_our_own_call_is_waited_for(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch, answered: bool
) -> None:
    """Ben's program has taken Ada's call, and closes the older link before Ada's program has its answer."""
    async with trio.open_nursery() as nursery:
        peers = meet_locally(nursery, ada, ben)
        async with running(*peers):
            await play_out(peers)
            ours, theirs = local_links(nursery)
            answer = trio.Event()

            async def called(*_: object) -> Link:
                return ours

            async def attend(*_: object) -> None:
                await answer.wait()
                if not answered:
                    raise LinkLost(Loss.BROKEN)

            monkeypatch.setattr("protocol.network.caller.call", called)
            monkeypatch.setattr(ours, "attend", attend)
            nursery.start_soon(peers[0].calls.call, 1, Place((HOME,), bytes(32)))
            await trio.testing.wait_all_tasks_blocked()
            peers[1].take(theirs, 0)
            await trio.testing.wait_all_tasks_blocked()
            assert [peer.replica.status for peer in peers] == [Status.CONNECTED] * 2
            answer.set()
            await trio.testing.wait_all_tasks_blocked()
            assert peers[0].replica.connected == answered
            assert peers[0].replica.status is (Status.CONNECTED if answered else Status.OVER)
            theirs.close(Code.LEFT)
        nursery.cancel_scope.cancel()


async def test_row_81_who_is_called_is_another_one_in_a_return_match_that_begins_meanwhile(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            peer, _ = meet_locally(nursery, ada, ben)
            ours, theirs = local_links(nursery)
            replica = peer.replica
            before, after = replica.match, copy(replica.match)
            now = [before]
            monkeypatch.setattr(Replica, "match", property(lambda _: now[0]))

            async def answer(*_: object, **__: object) -> None:
                now[0] = after

            async def unknown(*_: object, **__: object) -> None:
                now[0] = after
                raise Refused(Code.UNKNOWN_MATCH)

            async def called(*_: object) -> Link:
                return ours

            monkeypatch.setattr("protocol.network.caller.call", called)
            monkeypatch.setattr(ours, "attend", answer)
            place = Place((HOME,), bytes(32))
            with pytest.raises(LinkLost):
                await peer.calls.new_link(1, place)
            assert await last_word(theirs) == Code.REPLACED
            for attend in (answer, unknown):
                now[0] = before
                monkeypatch.setattr(ours, "attend", attend)
                await peer.calls.call(1, place)
                assert peer.calls.hopeless == {}
                assert len(peer.queued) == 1, "the link of the beginning"
            nursery.cancel_scope.cancel()
