"""Rubbish from the other side of a running match: it blames nobody and harms nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from cli.play.bots.bot_match import local_links
from protocol.channel.channel import REMATCH, SYNC, Sync
from protocol.errors import Equivocation, Forged, Malformed, Refusal, Stale, Violation
from protocol.failures import Code
from protocol.limits import EARLY_RECORDS
from protocol.network.link import closing_code
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.position import Position, StatementHead
from protocol.record.statements import Kind
from protocol.replication.replica import Status
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame, encode
from tests.helpers.links.peers import HANGING, bare, last_word, running, until
from tests.helpers.links.wire import Wire, entry, statement


def future(wire: Wire, number: int) -> bytes:
    signed = encode((number, 1, b"h" * 32, CODEC.value(Choice("x"))))
    return signed + wire.owners[1].identity.sign(labels.SIGN_ENTRY, wire.sides[1].match.id + signed)


RUBBISH: dict[str, Callable[[Wire], Frame]] = {
    "noise in an entry": lambda _: Frame(ENTRY, b"noise"),
    "noise in a statement": lambda _: Frame(STATEMENT, b"noise" * 30),
    "a genesis": lambda w: Frame(GENESIS, w.sides[0].match.body),
    "a kind nobody knows": lambda _: Frame(99, b""),
    "a frame of the introduction": lambda _: Frame(17, b""),
    "a second comparison": lambda w: Sync(w.sides[0].match.id, w.sides[1].session.position()).frame,
    "a rematch in the middle": lambda w: Frame(REMATCH, encode([w.sides[0].match.id, b"n" * 32, b"a" * 32])),
    "somebody else's signature": lambda w: Frame(ENTRY, entry(w, 1, "x").payload[:-64] + bytes(64)),
}


@pytest.mark.parametrize("what", RUBBISH)
def test_rubbish_blames_nobody_harms_nothing_and_the_match_goes_on_over_the_next_link(
    wire: Wire, what: str
) -> None:
    ada = wire.sides[0]
    position, record = ada.session.position(), Path(ada.store.path).read_bytes()
    with pytest.raises(Refusal) as caught:
        ada.received([RUBBISH[what](wire)])
    assert not isinstance(caught.value, Violation | Equivocation | Stale)
    assert closing_code(caught.value) == Code.PROTOCOL
    assert ada.session.position() == position
    assert ada.session.fault is None
    assert Path(ada.store.path).read_bytes() == record
    for replica in wire.sides:
        replica.unlinked(caught.value)
    assert ada.status is Status.AWAY
    assert ada.trouble is caught.value
    wire.link()
    wire.play()
    assert all(replica.finished for replica in wire.sides)
    wire.close()


def test_a_record_of_the_future_waits_without_harm_and_too_many_of_them_cost_their_link(wire: Wire) -> None:
    ada, position = wire.sides[0], wire.sides[0].session.position()
    wire.sides[0].received([Frame(ENTRY, future(wire, 1000))] * 2)
    assert ada.status is Status.CONNECTED
    assert (ada.session.position(), ada.session.fault) == (position, None)
    with pytest.raises(Malformed, match="do not follow"):
        ada.received([Frame(ENTRY, future(wire, 1000 + number)) for number in range(EARLY_RECORDS + 1)])
    for replica in wire.sides:
        replica.unlinked(Malformed(""))
    wire.link()
    wire.play()
    assert all(replica.finished for replica in wire.sides)
    wire.close()


def test_what_came_before_rubbish_in_one_go_is_kept(wire: Wire) -> None:
    ada, ben = wire.sides
    chat = statement(wire, 1, Kind.CHAT, "last words")
    with pytest.raises(Malformed):
        ada.received([chat, Frame(99, b"")])
    assert ada.session.referee.statements[1][-1].content == ("last words",)
    assert chat.payload in Path(ada.store.path).read_bytes()
    wire.close()
    assert ben.closed


@pytest.mark.parametrize(
    "frame",
    [
        Frame(STATEMENT, b"anything"),
        Sync(b"m" * 32, Position(0, b"m" * 32, (StatementHead(0, b"m" * 32),) * 2)).frame,
        Frame(SYNC, b"noise"),
        Frame(REMATCH, b"noise"),
    ],
)
def test_nothing_is_taken_before_the_copies_were_compared(tmp_path: Path, frame: Frame) -> None:
    wire = Wire(tmp_path)
    with pytest.raises(Malformed):
        wire.sides[0].received([frame])
    wire.close()


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_a_comparison_of_another_number_of_seats_is_refused(tmp_path: Path, seats: int) -> None:
    wire = Wire(tmp_path)
    ada = wire.sides[0]
    heads = (StatementHead(0, ada.match.id),) * seats
    with pytest.raises(Malformed):
        ada.received([Sync(ada.match.id, Position(0, ada.match.id, heads)).frame])
    wire.close()


def test_a_forgery_is_not_mistaken_for_its_victims_word(wire: Wire) -> None:
    ada = wire.sides[0]
    forged = Frame(ENTRY, entry(wire, 1, "x").payload[:-64] + bytes(64))
    with pytest.raises(Forged):
        ada.received([forged])
    wire.close()


async def test_a_peer_that_speaks_rubbish_loses_its_link_and_nothing_else(tmp_path: Path) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            ada, link = await bare(nursery, tmp_path)
            async with running(ada):
                link.send(bytes(Frame(STATEMENT, b"noise")))
                await until(ada, lambda: isinstance(ada.replica.trouble, Malformed))
                assert await last_word(link) == Code.PROTOCOL
                link, again = local_links(nursery)
                ada.take(link)
                match = ada.replica.match.id
                nothing = Position(0, match, (StatementHead(0, match),) * 2)
                again.send(bytes(Sync(match, nothing).frame))
                await until(ada, lambda: ada.replica.status is Status.CONNECTED)
            nursery.cancel_scope.cancel()
