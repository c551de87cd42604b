"""What others send costs little to look at (row 106): work is counted, or compared with signatures."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from pathlib import Path

import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from protocol import limits
from protocol.channel.channel import HAVE, Sync
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed
from protocol.failures import LinkLost, Loss
from protocol.limits import EARLY_RECORDS, MAX_DOORS
from protocol.lobby.friends import friend_frame
from protocol.network.link import Continuation, Link, TLSStream
from protocol.record import entries, evidence, statements
from protocol.record.evidence import Proof
from protocol.record.position import Position, StatementHead
from protocol.record.referee import Referee
from protocol.record.statements import Record, Statement
from protocol.rendezvous.address_cards import AddressCard, sign_card
from protocol.replication import gossip
from protocol.seat.jobs import Jobs
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.storage.contacts import Contact, Door
from protocol.storage.home import Home
from protocol.storage.match_store import Store
from protocol.storage.route import Route
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import (
    ENTRY,
    MAX_PAYLOAD,
    PROOF,
    STATEMENT,
    Deframer,
    Frame,
    Value,
    decode,
    encode,
)
from tests.campaigns.cost.forms import FORMS, payloads
from tests.campaigns.cost.measured import LONGEST, Cost, verification
from tests.campaigns.cost.senders import Held, Victim
from tests.helpers.links.tables import room
from tests.helpers.machine.homes import TEST
from tests.helpers.network.tls_records import DATA, connected

SMALLEST = 150
"""Bytes of a short statement: what it costs to verify those that a frame has room for is the measure."""
MARGIN = 10


@pytest.fixture
def victim(tmp_path: Path) -> Victim:
    made = Victim(tmp_path)
    TEST.callback(made.table.close)
    return made


@pytest.mark.parametrize("form", [*FORMS, "noise", "small integers, and a signature"])
def test_row_106_no_form_of_a_frame_costs_much_more_than_its_bytes_in_signatures(form: str) -> None:
    """A row of marks cost fifty times as much, and a frame of it held the loop for more than a second."""
    payload = dict(payloads(random.Random(form), MAX_PAYLOAD))[form]
    bound = MARGIN * MAX_PAYLOAD / SMALLEST * verification()
    took = []
    for _ in range(3):
        began = time.process_time()
        with suppress(Malformed):
            decode(payload)
        took.append(time.process_time() - began)
    assert min(took) < bound


def test_row_106_a_record_is_parsed_once_when_it_comes_and_never_again(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it has to wait, as the first ones, or is admitted while they wait."""
    count = len(victim.replica.session.referee.statements[2])
    early = [victim.statement(count + 900 + number, bytes(32), "z") for number in range(EARLY_RECORDS - 1)]
    news = victim.chain(50, 1)
    parsed: list[bytes] = []
    for module in (entries, statements):

        def counted(body: bytes, real: Callable[[bytes], Value] = decode) -> Value:
            parsed.append(body)
            return real(body)

        monkeypatch.setattr(module, "decode", counted)
    victim.replica.received(early, 2)
    assert len(victim.replica.exchange.gossip.lines[2].early) == EARLY_RECORDS - 1
    victim.replica.received(news, 2)
    assert len(victim.replica.session.referee.statements[2]) == count + 50
    assert parsed == [frame.payload[:-SIGNATURE_BYTES] for frame in (*early, *news)]


def test_row_106_a_proof_that_waits_is_not_read_again_with_each_record(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shares entries that are not ours; each record, also a known one, tries it again."""
    read: list[bytes] = []

    def counted(payload: bytes) -> Value:
        read.append(payload)
        return decode(payload)

    monkeypatch.setattr(evidence, "decode", counted)
    victim.replica.received([Frame(PROOF, encode([1, bytes(32), [[ENTRY, b"x" * 250]] * 250]))], 2)
    victim.replica.received(victim.frames + victim.chain(50, 1), 2)
    assert len(read) == 1


def test_row_106_records_held_back_are_not_offered_again_with_each_line_of_chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 0 holds back what seat 2 says behind its late entry; seat 1 talks meanwhile."""
    held = Held(tmp_path)
    TEST.callback(held.table.close)
    held.replica.received(held.late(EARLY_RECORDS), 2)
    assert len(held.replica.exchange.gossip.held) == EARLY_RECORDS
    taken: list[Record | Proof] = []
    take = Session.receive

    def counted(session: Session, record: Record | Proof) -> None:
        taken.append(record)
        take(session, record)

    monkeypatch.setattr(Session, "receive", counted)
    news = held.talk(50)
    held.replica.received(news, 1)
    assert len(held.replica.exchange.gossip.held) == EARLY_RECORDS
    assert len(taken) <= EARLY_RECORDS + len(news)


def test_row_106_what_comes_is_not_compared_with_all_that_we_hold(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record had the whole record looked through: 0.1 ms behind a thousand others."""
    looks: list[int] = []

    class Watched(list[Record]):
        def __iter__(self) -> Iterator[Record]:
            looks.append(len(self))
            return super().__iter__()

    referee, news = victim.replica.session.referee, victim.chain(50, 1)
    monkeypatch.setattr(referee, "record", Watched(referee.record))
    victim.replica.received(news + victim.frames, 2)
    assert len(referee.record) == len(victim.frames) + 50
    assert not looks


def test_row_106_an_acceptance_is_not_compared_with_all_that_its_seat_has_said(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of a thousand had the others looked through for an END."""
    looks: list[int] = []

    class Watched(list[Statement]):
        def __iter__(self) -> Iterator[Statement]:
            looks.append(len(self))
            return super().__iter__()

    referee = victim.replica.session.referee
    spoken = referee.statements[2]
    news = victim.acceptances(50)
    monkeypatch.setattr(referee, "statements", (*referee.statements[:2], Watched(spoken)))
    victim.replica.received(news, 2)
    assert len(referee.statements[2]) == len(spoken) + 50
    assert not looks


def test_row_106_only_a_new_record_of_ours_has_our_seat_look_what_it_owes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known, or held back, leaves that as it was."""
    held = Held(tmp_path)
    TEST.callback(held.table.close)
    looks: list[int] = []
    prepare = Jobs.prepare  # with this each look ends

    def counted(jobs: Jobs, secrets: MatchSecrets, referee: Referee, seat: int) -> None:
        looks.append(len(referee.record))
        prepare(jobs, secrets, referee, seat)

    monkeypatch.setattr(Jobs, "prepare", counted)
    late, talk = held.late(EARLY_RECORDS), held.talk(5)
    held.replica.received(late + late, 2)
    assert held.replica.referee.count > held.replica.session.referee.count
    assert not looks
    held.replica.received(talk + talk, 1)
    assert len(looks) == len(talk)


def test_row_106_cards_that_come_together_are_written_once(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write waits for the disk."""
    written: list[Route] = []
    write = Store.set_route

    def counted(store: Store, route: Route) -> None:
        written.append(route)
        write(store, route)

    monkeypatch.setattr(Store, "set_route", counted)
    match = victim.replica.match
    cards = [sign_card(victim.key, match, AddressCard(2, serial, None)) for serial in range(1, 90)]
    victim.replica.received(cards, 2)
    assert len(written) == 1
    assert victim.replica.store.route.serials[2] == 89
    assert victim.replica.exchange.route == victim.replica.store.route


def test_row_113_doors_of_a_friend_that_come_together_are_written_once(
    victim: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write reads and writes all contacts."""
    home = victim.table.owners[0].home
    home.remember(victim.key.key, "Cleo")
    written: list[bytes] = []
    write = Home.change_contact

    def counted(at: Home, key: bytes, change: Callable[[Contact], Contact | None]) -> Contact | None:
        written.append(key)
        return write(at, key, change)

    monkeypatch.setattr(Home, "change_contact", counted)
    doors = [Door((Endpoint("192.0.2.1", 4000 + number),), bytes(16)) for number in range(MAX_DOORS)]
    victim.replica.received([friend_frame(door) for door in doors], 2)
    assert len(written) == 1
    victim.replica.received([friend_frame(doors[-1])], 2)  # said again on each new link
    assert len(written) == 1
    known = home.contacts().of(victim.key.key)
    assert known is not None
    assert known.door == doors[-1]


async def test_row_114_a_seat_that_has_nothing_gets_the_match_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each RESUME and its SYNC could have the whole record packed, at one time."""
    monkeypatch.setattr(gossip, "RECORD_BACKLOG", 1)
    async with room(tmp_path, 2, {0}) as table:
        peer = (await table.sit(0, plays=False)).peer
        await table.sit(1, plays=False)
        await table.all(lambda peer: len(peer.replica.referee.record) >= 2)
        await table.kill(1)
        here, there = memory_stream_pair()
        link = Link(here)
        link.trust()
        table.nursery.start_soon(link.run)
        packed: list[int] = []
        send = link.send

        def noted(data: bytes) -> None:
            packed.append(sum(frame.kind in (ENTRY, STATEMENT) for frame in Deframer().feed(data)))
            send(data)

        monkeypatch.setattr(link, "send", noted)
        peer.take(link, 1)
        match = peer.replica.match.id
        nothing = Position(0, match, tuple(StatementHead(0, match) for _ in range(2)))
        await there.send_all(bytes(Sync(match, nothing).frame))
        came, read = 0, Deframer()
        while came < len(peer.replica.session.referee.record):
            frames = read.feed(bytes(await there.receive_some(limits.CHUNK)))
            came += sum(frame.kind in (ENTRY, STATEMENT) for frame in frames)
        assert came >= 2
        assert max(packed) == 1


async def test_row_115_frames_that_came_during_a_long_check_are_taken_piece_by_piece() -> None:
    here, there = memory_stream_pair()
    link = Link(here)
    link.trust()
    taken: list[int] = []
    during: list[int] = []
    between: list[int] = []
    frames = [Frame(ENTRY, bytes(MAX_PAYLOAD))] * 40 + [Frame(STATEMENT, bytes(100))] * 400

    async def others() -> None:
        while True:
            await trio.lowlevel.checkpoint()
            between.append(len(taken))

    async def check() -> None:
        await trio.testing.wait_all_tasks_blocked()
        during.append(sum(map(len, link.channel.inbox)))
        nursery.start_soon(others)

    def take(some: list[Frame]) -> Continuation | None:
        taken.append(sum(map(len, some)) if len(some) > 1 else 0)
        all_taken.extend(some)
        if len(all_taken) == len(frames) + 1:
            nursery.cancel_scope.cancel()
        return check if len(all_taken) == 1 else None

    all_taken: list[Frame] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        nursery.start_soon(link.feed, take, lambda: inf)
        await there.send_all(b"".join(map(bytes, [Frame(PROOF, b""), *frames])))
    assert [*all_taken[1:]] == frames
    assert max(taken) <= limits.CHUNK
    assert during[0] <= limits.MAX_INBOX_BYTES + MAX_PAYLOAD + limits.CHUNK
    assert len(set(between)) >= len(taken) // 2  # other tasks had their turns


async def test_row_106_frames_in_tls_records_of_their_own_are_taken_together() -> None:
    """Each call costs as much as ten frames; a bad record behind them ends the connection all the same."""
    session, records = connected(hosting=True)
    here, there = memory_stream_pair()
    link = Link(TLSStream(here, session))
    link.trust()
    taken: list[list[Frame]] = []
    frames = [Frame(HAVE, bytes((number,))) for number in range(100)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        nursery.start_soon(fed, link, taken)
        await wait_all_tasks_blocked()
        sealed = [records.seal(DATA, bytes(frame)) for frame in frames]
        await there.send_all(b"".join(sealed) + bytes(len(sealed[0])))
    assert taken == [frames]
    assert isinstance(link.lost, LinkLost)
    assert link.lost.loss is Loss.BROKEN


async def fed(link: Link, taken: list[list[Frame]]) -> None:
    with suppress(LinkLost):
        await link.feed(taken.append, lambda: inf)


def test_the_campaign_tells_what_is_over_a_bound() -> None:
    assert Cost("cheap", 2**20, 64, 0.9, [0.01] * 64).kept
    assert not Cost("dear", 2**20, 64, 1.1, [0.01] * 64).kept
    assert not Cost("long", 2**20, 64, 0.9, [0.01, 2 * LONGEST]).kept
    assert Cost("one was held up by others", 2**20, 64, 0.9, [0.01] * 62 + [2 * LONGEST] * 2).kept
