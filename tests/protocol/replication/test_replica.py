"""What our player may do when in a running match, and what ends it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.channel.channel import RECEIPT, REMATCH
from protocol.errors import Equivocation, Malformed, Violation
from protocol.failures import DiskFull, LinkLost, Loss, NotNow, NotOurs, Why
from protocol.record.statements import Kind
from protocol.replication.replica import Replica, Status
from protocol.storage import files
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Place
from protocol.wire import labels
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import Deframer, Frame, Value, encode
from tests.helpers.links.peers import HANGING, meet_locally, owner, running, until
from tests.helpers.links.wire import Wire, statement, wish


def test_nothing_is_said_while_nobody_hears_it(wire: Wire) -> None:
    ada = wire.sides[0]
    ada.unlinked(LinkLost(Loss.BROKEN))
    with pytest.raises(NotNow):
        ada.say("hello?")
    with pytest.raises(NotNow, match=Why.NO_REMATCH.value):
        ada.offer_rematch()
    wire.close()


def test_who_was_connected_before_may_resign_without_a_connection_and_it_arrives_later(wire: Wire) -> None:
    ada, ben = wire.sides
    for replica in wire.sides:
        replica.unlinked(LinkLost(Loss.BROKEN))
    ada.resign()
    assert not ben.session.outcome
    wire.link()
    wire.settle()
    assert ben.session.outcome is not None
    assert ben.session.outcome.winners == {1}
    assert all(replica.finished for replica in wire.sides)
    wire.close()


def test_a_draw_is_offered_accepted_and_ends_the_match(wire: Wire) -> None:
    ada, ben = wire.sides
    ada.offer_draw()
    wire.settle()
    assert ben.session.draw_offer is not None
    ben.accept_draw()
    wire.settle()
    for replica in wire.sides:
        assert replica.session.outcome is not None
        assert replica.session.outcome.winners == frozenset()
        assert replica.finished
        replica.unlinked(LinkLost(Loss.BROKEN))
        assert replica.status is Status.OVER
    wire.close()


async def test_a_finished_match_ends_when_the_other_side_goes(ada: Owner, ben: Owner) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            end, other = meet_locally(nursery, ada, ben)
            async with running(other), trio.open_nursery() as inner:
                inner.start_soon(end.run)
                await until(end, lambda: end.replica.session.live)
                await until(other, lambda: other.replica.session.live)
                end.replica.resign()
                await until(end, lambda: end.replica.finished)
                await until(other, lambda: other.replica.finished)
                other.leave()
            assert end.replica.status is Status.OVER
            assert end.replica.closed
            nursery.cancel_scope.cancel()


def asking(wire: Wire, value: Value) -> Frame:
    """A REMATCH that Ben's key has signed."""
    body = encode(value)
    key = wire.owners[1].identity
    return Frame(REMATCH, body + key.sign(labels.SIGN_REMATCH, wire.sides[0].match.id + body))


@pytest.mark.parametrize(
    "value",
    ["of another match", "too many", "of no seat", "short", "empty", "two versions", "not its own"],
)
def test_a_rematch_that_cannot_be_is_refused_and_the_old_record_stays(wire: Wire, value: str) -> None:
    ada = wire.sides[0]
    ada.resign()
    wire.settle()
    assert ada.finished
    match = ada.match.id
    frames = {
        "too many": [asking(wire, [match, 1, 100, b"n" * 32, b"a" * 32])],
        "of another match": [asking(wire, [b"m" * 32, 1, 0, b"n" * 32, b"a" * 32])],
        "of no seat": [asking(wire, [match, 2, 0, b"n" * 32, b"a" * 32])],
        "short": [asking(wire, [match, 1, 0, b"n" * 31, b"a" * 32])],
        "empty": [asking(wire, [])],
        "two versions": [asking(wire, [match, 1, 0, letter * 32, b"a" * 32]) for letter in (b"n", b"m")],
        "not its own": [asking(wire, [match, 0, 0, b"n" * 32, b"a" * 32])],
    }
    with pytest.raises(Malformed):
        ada.received(frames[value])
    assert ada.match.id == match
    assert ada.finished
    wire.close()


def test_row_05_a_wish_that_mirrors_ours_is_none(wire: Wire) -> None:
    ada = wire.sides[0]
    ada.resign()
    wire.settle()
    match = ada.match.id
    ada.offer_rematch()
    sent = [frame for data in wire.queues[1] for frame in Deframer().feed(data)]
    [nonce] = [wish(frame.payload)[0] for frame in sent if frame.kind == REMATCH]
    ada.received([asking(wire, [match, 1, 0, nonce, b"a" * 32])])
    assert ada.rematch_wanted == (True, False)
    assert ada.match.id == match
    wire.close()


def test_who_has_the_links_sees_every_change_as_it_stands_in_the_end(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Peer acts on what it saw last: a change that it is not told would wait for the next one."""
    ada = wire.sides[0]

    def facts() -> tuple[object, ...]:
        return ada.match, ada.due, ada.route, ada.status, ada.failure, ada.session.jobs.job

    seen: list[tuple[object, ...]] = [facts()]
    ada.settle = lambda: seen.append(facts())
    place = Place((Endpoint("192.0.2.1", 7),), bytes(32))

    def full(*_: object, **__: object) -> None:
        raise DiskFull("log")

    steps: list[Callable[[], object]] = [
        lambda: ada.unlinked(LinkLost(Loss.BROKEN)),
        lambda: ada.not_reached(LinkLost(Loss.BROKEN)),
        wire.link,
        wire.settle,
        ada.offer_draw,
        lambda: ada.exchange.listen_at(place, 7),
        lambda: ada.exchange.listen_at(place, 8),
        lambda: ada.exchange.reroute(1, place),
        lambda: ada.exchange.listen_at(None, 0),
        lambda: ada.watched(1),
        ada.tick,
        ada.resign,
        wire.settle,
        ada.offer_rematch,
        wire.sides[1].offer_rematch,
        wire.settle,
    ]
    for step in steps:
        step()
        assert seen[-1] == facts()
    assert seen[0][0] is not seen[-1][0], "the return match has begun"
    monkeypatch.setattr(ada.store, "execute", full)
    with pytest.raises(DiskFull):
        ada.resign()
    assert seen[-1] == facts()
    assert isinstance(ada.failure, DiskFull)
    wire.close()


def test_a_match_of_another_key_is_not_opened(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotOurs):
        Replica(owner(tmp_path / "cleo", "Cleo"), store, lambda: 0.0)


# Receipts


def test_row_30_nothing_is_acknowledged_before_it_is_on_the_disk(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receipt says that its seat has an entry: a power cut must not take that entry away."""
    ben, unsaved = wire.sides[1], []
    send, write, sync = wire.send, files.write_all, files.sync
    record, unsynced = Path(ben.store.path).stat().st_ino, set[int]()

    def writing(fd: int, data: bytes) -> None:
        write(fd, data)
        unsynced.add(os.fstat(fd).st_ino)

    def syncing(fd: int) -> None:
        sync(fd)
        unsynced.discard(os.fstat(fd).st_ino)

    def sending(to: int, data: bytes) -> None:
        if to == 0 and any(frame.kind == RECEIPT for frame in Deframer().feed(data)):
            unsaved.append(record in unsynced)
        send(to, data)

    monkeypatch.setattr(files, "write_all", writing)
    monkeypatch.setattr(files, "sync", syncing)
    monkeypatch.setattr(wire, "send", sending)
    wire.link()
    wire.play(30)
    assert len(unsaved) > 1
    assert not any(unsaved)
    wire.close()


def test_a_disk_that_takes_no_receipt_keeps_nobody_from_closing_the_match(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire.play_until_owed(1)
    ada = wire.sides[0]

    def full(_: bytes) -> None:
        raise DiskFull("receipt")

    monkeypatch.setattr(ada.store, "keep_receipt", full)
    ada.close()
    assert wire.owners[0].home.free(wire.match)
    wire.close()


# Proven faults


def test_a_proven_fault_ends_the_match_and_stands_in_the_record(wire: Wire) -> None:
    ada = wire.sides[0]
    with pytest.raises(Violation) as caught:
        ada.received([statement(wire, 1, Kind.AGREE)])
    assert caught.value.seat == 1
    ada.unlinked(caught.value)
    assert ada.finished
    assert ada.status is Status.OVER
    with pytest.raises(NotNow):
        ada.offer_rematch()
    report = audit(Path(ada.store.path).read_bytes(), GAMES)
    assert report.verdict is Verdict.CHEATED
    wire.close()


def test_two_versions_of_a_statement_are_equivocation(wire: Wire) -> None:
    ada = wire.sides[0]
    record, other = (statement(wire, 1, Kind.CHAT, text) for text in ("yes", "no"))
    ada.received([record])
    with pytest.raises(Equivocation):
        ada.received([other])
    assert audit(Path(ada.store.path).read_bytes(), GAMES).verdict is Verdict.EQUIVOCATED
    wire.close()
