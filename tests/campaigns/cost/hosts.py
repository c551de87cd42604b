"""A host to guests and spectators, a seat that calls again, a relay to its waiters, and TLS alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import trio
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from protocol.channel import channel, tls
from protocol.channel.channel import Sync
from protocol.crypto.keys import Identity
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.limits import CHUNK
from protocol.lobby.friends import friend_frame
from protocol.lobby.handshake import JoinerSide, Person
from protocol.lobby.introductions import Desk
from protocol.lobby.listing import found_frame
from protocol.network.link import Link, TLSStream
from protocol.network.transport.registry import Connection
from protocol.network.transport.relay_client import Waiter
from protocol.record.evidence import Evidence
from protocol.record.position import Position, StatementHead
from protocol.rendezvous.via import Origin, Via
from protocol.replication.holdings import Counts, Have
from protocol.replication.onlooker import Onlooker
from protocol.replication.proofs import Trial
from protocol.replication.rematch import Rematch
from protocol.storage.contacts import Door
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import ENTRY, MAX_PAYLOAD, PROOF, STATEMENT, Frame
from tests.campaigns.cost.forms import payloads
from tests.campaigns.cost.measured import Cost, measured
from tests.campaigns.cost.senders import CONNECTION, SMALL, Victim
from tests.helpers.links.gossiping import LOST
from tests.helpers.links.lobbies import Sitting, seen
from tests.helpers.machine.homes import KeptHome
from tests.helpers.network.tls_records import DATA, Records, connected

CONTACTS: Final = 1000
"""Of a player who has met many."""


def host(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """The host of a lobby, to a guest."""
    sitting = Sitting(folder, 3)
    end = sitting.come(1)
    sitting.come(2)
    sitting.settle()
    visit, listing = end.visit, seen(end)

    def take(frames: list[Frame]) -> None:
        for frame in frames:
            visit.listings = 0  # the limit of a link is not what is measured
            visit.received(frame)

    for kind in (channel.LOBBY, channel.FOUND, STATEMENT, channel.CARD, 99):
        for name, payload in payloads(rng, MAX_PAYLOAD):
            yield measured(f"host: kind {kind}, {name}", [Frame(kind, payload)] * count, take)
    flood = range(SMALL)
    out = tuple(Person(Identity(rng.randbytes(32)).key, f"Eve {number}") for number in range(16))
    news = [replace(listing, number=listing.number + n, out=out).frame for n in flood]
    yield measured("host: LOBBYs that name 16 players", news, take)
    last = listing.number + SMALL - 1
    same = [replace(listing, number=last, watching=n % 16).frame for n in flood]
    yield measured("host: the same LOBBY again", same, take)
    match = Victim(folder / "other").replica.match
    yield measured("host: FOUNDs nobody said yes to", [found_frame(last, match)] * SMALL, take)


def table(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """All seats of a match together, to a spectator."""
    victim = Victim(folder)
    match = victim.replica.match
    onlooker = Onlooker(
        KeptHome(folder / "watching").watch(match), {match.game.name: match.game}, victim.table.clock
    )
    nothing = Position(0, match.id, tuple(StatementHead(0, match.id) for _ in match.players))

    def join(error: Refusal | Failure = LOST) -> None:
        onlooker.unlinked(error)
        onlooker.linked(lambda _: None)
        onlooker.received([Sync(match.id, nothing).frame])

    cost = partial(_cost, take=onlooker.received, again=join)
    with suppress(KeyError):
        join()
    onlooker.received(victim.frames)
    for kind in (ENTRY, STATEMENT, PROOF, channel.SYNC, channel.HAVE, 99):
        for name, payload in payloads(rng, MAX_PAYLOAD):
            yield cost(f"table: kind {kind}, {name}", [Frame(kind, payload)] * count)
    flood = range(SMALL)
    yield cost("table: records that are known", [victim.frames[n % len(victim.frames)] for n in flood])
    spoken = len(victim.replica.session.referee.statements[2])
    ahead = [victim.statement(spoken + 5 + n % 50, bytes(32), str(n)) for n in flood]
    yield cost("table: statements that do not follow", ahead)
    future = [victim.entry(victim.replica.referee.count + 1 + n % 9, rng.randbytes(32)) for n in flood]
    yield cost("table: entries of the future", future)
    yield cost("table: new lines of chat", victim.chain(300, 1))
    onlooker.close()
    victim.table.close()


def _cost(
    name: str,
    frames: Iterable[Frame],
    take: Callable[[list[Frame]], object],
    again: Callable[[Refusal | Failure], object],
) -> Cost:
    return measured(name, frames, take, again)


def returning(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """A seat that calls again and again, has a proof, wants another match, or is a friend."""
    victim = Victim(folder)
    match, home = victim.replica.match, victim.table.owners[0].home
    desk = Desk(victim.table.owners[0], tls.make(), 4000)
    yield _resumes("returning: RESUME", desk, victim, count, known=True)
    yield _resumes("returning: RESUME for another match", desk, victim, count, known=False)
    empty = Sync(
        match.id, Position(0, match.id, tuple(StatementHead(0, match.id) for _ in match.players))
    ).frame

    def compare(frames: list[Frame]) -> None:
        for frame in frames:
            victim.replica.unlinked(LOST, 2)
            victim.replica.linked(lambda _: None, 2)
            victim.replica.received([frame], 2)

    more = CONNECTION + sum(map(len, victim.frames))  # what it has us send goes over the wire, too
    yield measured("returning: SYNC of one that has nothing", [empty] * (50 * count), compare, more=more)
    victim.join()
    wishes = Rematch(match, 2)
    asked = [wishes.ask(victim.key, rng.randbytes)[1] for _ in range(100)]
    yield victim.cost("returning: REMATCHes", asked)
    yield victim.cost("returning: REMATCHes that are known", [asked[n % 100] for n in range(SMALL)])
    spoilt = [Frame(frame.kind, frame.payload[:-64] + rng.randbytes(64)) for frame in asked] * 20
    yield victim.cost("returning: REMATCHes, false signatures", spoilt)
    known = home.contacts()
    for number in range(CONTACTS):
        known.remember(Identity(rng.randbytes(32)).key, f"Player {number}")
    (home.path / "contacts.json").write_bytes(known.to_json())
    home.remember(victim.key.key, "Cleo")
    doors = [Door((Endpoint("192.0.2.1", 1024 + n),), bytes(16)) for n in range(SMALL)]
    yield victim.cost(f"returning: FRIENDs, with {CONTACTS} contacts", list(map(friend_frame, doors)))
    yield from _useless(victim, count)
    victim.table.close()


def _resumes(name: str, desk: Desk, victim: Victim, count: int, *, known: bool) -> Cost:
    """RESUMEs well signed, one a connection, whose TLS is measured elsewhere."""
    cost, match = Cost(name), victim.replica.match
    for _ in range(200 * count):
        frames: list[Frame] = []
        talk = desk.greeting(frames.append, bytes(64), match if known else None, lambda: 0.0)
        next(talk)
        frame = JoinerSide(bytes(64), frames[0]).resume(victim.key, match, 2, 0, bytes(32))
        began = time.process_time()
        with suppress(Refusal, Failure, StopIteration):
            talk.send(frame)
        cost.holds.append(time.process_time() - began)
        cost.size += len(frame) + CONNECTION
        cost.frames += 1
    cost.seconds = sum(cost.holds)
    return cost


def _useless(victim: Victim, count: int) -> Iterator[Cost]:
    """PROOFs over our own chain that prove nothing: the event loop's part, and that of a thread."""
    replica = victim.replica
    replica.exchange.elsewhere = True
    victim.join()
    referee = replica.referee
    last = next(entry for entry in reversed(referee.entries) if hasattr(entry, "frame"))
    frame = Evidence(last.number, referee.heads[last.number], (last.frame,)).frame
    assert frame is not None
    trials: list[Trial] = []

    def take(frames: list[Frame]) -> None:
        for frame in frames:
            replica.received([frame], 2)
            work = replica.work()
            trials.extend([work] if isinstance(work, Trial) else [])

    def judge(_: list[Frame]) -> None:
        replica.judged(trials[0], trials[0].run(), 2)

    in_loop = measured("returning: a useless PROOF, in the loop", [frame], take)
    in_thread = measured("returning: a useless PROOF, in a thread", [frame], judge)
    in_thread.holds = []  # the event loop goes on meanwhile
    for cost in (in_loop, in_thread):
        cost.size = MAX_PAYLOAD  # one of each seat in a match: its cost is told as that of a longest frame
        yield cost
    yield victim.cost("returning: useless PROOFs after it", [frame] * SMALL * count)


def tls_alone(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """Either end of TLS, by records that hold no frame, or the least of one."""
    pings = b"".join(bytes(Frame(channel.PING, rng.randbytes(8))) for _ in range(1000))

    def updates(records: Records, *, wanted: bool) -> list[bytes]:
        return [records.key_update(wanted=wanted) for _ in range(CHUNK // 27)]

    def tiny(records: Records) -> list[bytes]:
        return [records.seal(DATA, pings[n : n + 1]) for n in range(CHUNK // 23 // 17 * 17)]

    def empty(records: Records) -> list[bytes]:
        made = []
        for _ in range(CHUNK // 700):  # OpenSSL ends a connection after 32 in a row
            made += [records.seal(DATA, b"") for _ in range(30)]
            made.append(records.seal(DATA, pings[:17]))
        return made

    def tickets(records: Records) -> list[bytes]:
        return [records.tickets(900)]

    def ticket(records: Records) -> list[bytes]:
        return [records.tickets(1) for _ in range(CHUNK // 44)]

    forms: list[tuple[str, Callable[[Records], list[bytes]]]] = [
        ("KeyUpdates", partial(updates, wanted=False)),
        ("KeyUpdates that want another", partial(updates, wanted=True)),
        ("records of one byte", tiny),
        ("empty records", empty),
    ]
    for name, make in forms:
        yield trio.run(_storm, f"tls: a caller's {name}", True, make, count)
        yield trio.run(_storm, f"tls: a host's {name}", False, make, count)
    yield trio.run(_storm, "tls: a host's tickets", False, tickets, count)
    yield trio.run(_storm, "tls: a host's tickets, one a record", False, ticket, count)
    yield _hellos(count)
    yield from _in_records_of_their_own(folder, count)


def _in_records_of_their_own(folder: Path, count: int) -> Iterator[Cost]:
    """Small frames of a seat, through TLS and a link to its match."""
    victim = Victim(folder)
    referee = victim.replica.session.referee
    counts = Counts(referee.count, [len(statements) for statements in referee.statements])
    here = [bytes(Have(counts, n % 5, (1, 1, 0), (0, 1)).frame) for n in range(CHUNK // 50)]
    talk = iter(victim.chain(900, 1))

    def haves(records: Records) -> list[bytes]:
        return [records.seal(DATA, frame) for frame in here]

    def chats(records: Records) -> list[bytes]:
        return [records.seal(DATA, bytes(next(talk))) for _ in range(CHUNK // 180)]

    def take(frames: list[Frame]) -> None:
        victim.replica.received(frames, 2)

    yield trio.run(_storm, "tls: HAVEs, each in a record", True, haves, count, take)
    yield trio.run(_storm, "tls: lines of chat, each in a record", True, chats, 1, take)
    victim.table.close()


async def _storm(
    name: str,
    hosting: bool,
    make: Callable[[Records], list[bytes]],
    count: int,
    take: Callable[[list[Frame]], None] | None = None,
) -> Cost:
    """Pieces of records, to a trusted link over TLS."""
    cost = Cost(name)
    session, records = connected(hosting=hosting)
    here, there = memory_stream_pair()
    link = Link(TLSStream(here, session))
    link.trust()

    async def read() -> None:
        while await there.receive_some(CHUNK):
            pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        nursery.start_soon(read)
        if take is not None:
            nursery.start_soon(link.feed, take, lambda: inf)
        await wait_all_tasks_blocked()
        for _ in range(4 * count):
            sealed = make(records)
            piece = b"".join(sealed)
            began = time.process_time()
            await there.send_all(piece)
            await wait_all_tasks_blocked()
            cost.holds.append(time.process_time() - began)
            cost.size += len(piece)
            cost.frames += len(sealed)
        assert link.lost is None, link.lost
        nursery.cancel_scope.cancel()
    cost.seconds = sum(cost.holds)
    return cost


def _hellos(count: int) -> Cost:
    """The first words of TLS, one a connection."""
    context, joiners, cost = tls.make().context(), tls.joining_context(), Cost("tls: a stranger's hello")
    for _ in range(50 * count):
        joiner = tls.TLSSession(joiners, hosting=False)
        joiner.handshake()
        hello = joiner.outgoing()
        began = time.process_time()
        session = tls.TLSSession(context, hosting=True)
        session.feed(hello)
        session.handshake()
        session.outgoing()
        cost.holds.append(time.process_time() - began)
        cost.size += len(hello) + CONNECTION
        cost.frames += 1
    cost.seconds = sum(cost.holds)
    return cost


def waited_at(_: Path, __: random.Random, count: int) -> Iterator[Cost]:
    """A relay, to a player who waits there: words, and that it is joined with somebody."""
    for name, word in (("that it waits", bytes(64)), ("that it is joined", b"\x01")):
        yield trio.run(
            _relayed, f"relay: says {name}", word, 50 * count, clock=MockClock(autojump_threshold=0)
        )


async def _relayed(name: str, word: bytes, most: int) -> Cost:
    cost = Cost(name)

    async def dial(_: object) -> Connection:
        here, there = memory_stream_pair()
        await there.send_all(word)
        cost.frames += len(word)
        cost.size += len(word) + CONNECTION
        if cost.size >= most * (len(word) + CONNECTION):
            nursery.cancel_scope.cancel()
        return Connection(here, Via.RELAY)

    async def answer(stream: trio.abc.Stream, _: Origin) -> None:
        await stream.aclose()

    began, came = time.process_time(), trio.current_time()
    async with trio.open_nursery() as nursery:
        waiter = Waiter(Endpoint("192.0.2.9", 4000), bytes(16), dial)
        nursery.start_soon(waiter.run, nursery, answer)
    cost.seconds, cost.clock = time.process_time() - began, trio.current_time() - came
    return cost


ALL: Final[tuple[Callable[[Path, random.Random, int], Iterator[Cost]], ...]] = (
    host,
    table,
    returning,
    tls_alone,
    waited_at,
)
