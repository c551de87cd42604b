"""One end of a connection without the connection: limits, pings, silence, last words (threats 19 and 22)."""

from __future__ import annotations

from math import inf

import pytest

from protocol import limits
from protocol.channel.channel import CLOSE, PING, PONG, SYNC, Channel, Sync, read_sync
from protocol.errors import Malformed
from protocol.failures import Code, LinkLost, Refused
from protocol.record.position import Position, StatementHead
from protocol.wire.encoding import Deframer, Frame, encode

FRAMES = [Frame(40, b"x" * size) for size in (0, 1, 5, 1000, 1024)]


def frames(data: bytes) -> list[Frame]:
    return list(Deframer().feed(data))


def trusted(now: float = 0.0) -> Channel:
    channel = Channel(now)
    channel.trust(now)
    return channel


@pytest.mark.parametrize("piece", [1, 2, 7, 10_000])
def test_frames_arrive_however_the_bytes_were_cut(piece: int) -> None:
    data = b"".join(map(bytes, FRAMES))
    channel = Channel(0.0)
    for start in range(0, len(data), piece):
        channel.take_in(data[start : start + piece], 0.0)
    assert channel.inbox == FRAMES
    assert channel.lost is None


def test_row_19_a_stranger_may_send_3072_bytes_and_not_one_more() -> None:
    channel = Channel(0.0)
    channel.take_in(bytes(Frame(40, b"x" * 3072)), 0.0)
    assert channel.lost is None
    channel = Channel(0.0)
    channel.take_in(bytes(Frame(40, b"x" * 3073)), 0.0)
    assert isinstance(channel.lost, Malformed)
    assert channel.inbox == []
    assert frames(channel.outgoing()) == [Frame(CLOSE, encode([Code.PROTOCOL]))]


def test_row_19_a_strangers_long_frame_is_refused_before_it_is_held() -> None:
    channel = Channel(0.0)
    channel.take_in(bytes(Frame(40, b"x" * 65_535))[:4000], 0.0)
    assert isinstance(channel.lost, Malformed)


def test_row_19_an_opponent_may_send_what_a_frame_can_hold() -> None:
    channel = trusted()
    longest = Frame(40, b"x" * 65_535)
    channel.take_in(bytes(longest), 0.0)
    assert channel.inbox == [longest]


def test_a_damaged_frame_ends_the_connection_and_nothing_behind_it_is_read() -> None:
    channel = trusted()
    bad = bytearray(bytes(FRAMES[3]))
    bad[-1] ^= 1
    channel.take_in(bytes(FRAMES[1]) + bytes(bad) + bytes(FRAMES[2]), 0.0)
    assert isinstance(channel.lost, Malformed)
    channel.take_in(bytes(FRAMES[2]), 0.0)
    assert channel.inbox == []


def test_a_ping_is_answered_and_a_pong_measures_the_round_trip() -> None:
    channel, other = trusted(), trusted()
    assert channel.tick(9.9) == limits.AUTHENTICATE_WITHIN
    assert channel.rtt is None
    channel.tick(10.0)
    ping = channel.outgoing()
    assert [frame.kind for frame in frames(ping)] == [PING]
    other.take_in(ping, 10.1)
    channel.take_in(other.outgoing(), 10.2)
    assert channel.rtt == pytest.approx(0.2)
    assert channel.tick(10.3) == 10.2 + limits.PING_EVERY
    channel.tick(15.2)
    other.take_in(channel.outgoing(), 15.2)
    channel.take_in(other.outgoing(), 16.2)
    assert channel.rtt == pytest.approx(0.2 + 0.8 / 8)
    assert channel.inbox == other.inbox == []


@pytest.mark.parametrize(
    "frame",
    [Frame(PING, b""), Frame(PING, b"x" * 9), Frame(PONG, b"x" * 8), Frame(PONG, b""), Frame(CLOSE, b"")],
)
def test_keep_alive_that_nobody_asked_for_ends_the_connection(frame: Frame) -> None:
    channel = trusted()
    channel.take_in(bytes(frame), 0.0)
    assert isinstance(channel.lost, Malformed)


def test_one_pong_answers_one_ping() -> None:
    channel = trusted()
    channel.tick(10.0)
    pong = bytes(Frame(PONG, frames(channel.outgoing())[0].payload))
    channel.take_in(pong, 10.1)
    channel.take_in(pong, 10.2)
    assert isinstance(channel.lost, Malformed)


def test_silence_ends_the_connection_and_any_byte_is_a_sign_of_life() -> None:
    channel = trusted()
    now = 0.0
    for _ in range(20):
        now += 19.0
        channel.tick(now)
        channel.take_in(bytes(FRAMES[0])[:1], now)
        assert channel.lost is None
        channel.take_in(bytes(FRAMES[0])[1:], now)
    due = channel.tick(now + 1)
    assert due == now + limits.SILENT_AFTER
    channel.tick(due)
    assert isinstance(channel.lost, LinkLost)
    assert channel.over
    assert channel.tick(due) == inf


def test_while_a_long_record_is_taken_in_piece_by_piece_nobody_counts_as_silent() -> None:
    channel = trusted()
    channel.send(bytes(10 * limits.CHUNK))
    now, sent = 0.0, 0
    while sent < 9 * limits.CHUNK:
        now += limits.TAKE_WITHIN - 1
        channel.tick(now)
        assert channel.lost is None
        sent += len(channel.outgoing(limits.CHUNK))
    assert sent == 9 * limits.CHUNK
    channel.outgoing()
    channel.tick(now + limits.SILENT_AFTER)
    assert isinstance(channel.lost, LinkLost)


def test_a_stranger_is_not_pinged() -> None:
    channel = Channel(0.0)
    assert channel.tick(1e9) == inf
    assert channel.outgoing() == b""


@pytest.mark.parametrize("kind", [PING, PONG])
def test_row_19_a_strangers_ping_is_not_answered_and_ends_the_connection(kind: int) -> None:
    channel = Channel(0.0)
    channel.take_in(bytes(Frame(kind, b"x" * 8)), 0.0)
    assert isinstance(channel.lost, Malformed)
    assert frames(channel.outgoing()) == [Frame(CLOSE, encode([Code.PROTOCOL]))]


def test_row_22_for_a_stranger_hardly_anything_is_queued() -> None:
    channel = Channel(0.0)
    for _ in range(5):
        channel.send(bytes(FRAMES[3]))
    assert isinstance(channel.lost, LinkLost)
    assert len(channel.outgoing()) <= limits.STRANGERS_BACKLOG


def test_row_22_what_the_other_side_does_not_read_is_not_piled_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.channel.channel.MAX_BACKLOG", 3000)
    channel = trusted()
    for _ in range(3):
        channel.send(bytes(FRAMES[3]))
    assert isinstance(channel.lost, LinkLost)
    assert len(channel.outgoing()) <= 3000
    channel.send(b"more")
    assert channel.outgoing() == b""


def test_what_came_before_a_close_is_still_taken() -> None:
    channel = trusted()
    channel.take_in(bytes(FRAMES[1]) + bytes(Frame(CLOSE, encode([9]))) + bytes(FRAMES[2]), 0.0)
    assert channel.inbox == [FRAMES[1]]
    assert isinstance(channel.lost, Refused)
    assert channel.lost.code == Code.LEFT
    assert channel.over


def test_after_closing_only_the_other_sides_close_counts() -> None:
    channel = trusted()
    channel.send(bytes(FRAMES[1]))
    channel.close(Code.LEFT, 3.0)
    channel.close(Code.STALE, 4.0)
    assert frames(channel.outgoing()) == [FRAMES[1], Frame(CLOSE, encode([9]))]
    assert channel.deadline == 3.0 + limits.LINGER
    channel.take_in(bytes(FRAMES[2]), 3.5)
    assert channel.inbox == []
    before = channel.over
    channel.take_in(bytes(Frame(CLOSE, encode([9]))), 3.6)
    assert (before, channel.over) == (False, True)
    assert isinstance(channel.lost, LinkLost)


def test_a_code_that_is_not_known_here_is_told_all_the_same() -> None:
    channel = trusted()
    channel.take_in(bytes(Frame(CLOSE, encode([2**50]))), 0.0)
    assert isinstance(channel.lost, Refused)
    assert channel.lost.code == 2**50


def test_a_position_survives_the_wire() -> None:
    position = Position(
        3, b"h" * 32, (StatementHead(1, b"a" * 32), StatementHead(0, b"m" * 32), StatementHead(2, b"c" * 32))
    )
    frame = Sync(b"m" * 32, position).frame
    assert frame.kind == SYNC
    assert read_sync(frame.payload) == Sync(b"m" * 32, position)
    shown = Sync(b"m" * 32, position, b"entry", b"statement")
    assert read_sync(shown.frame.payload) == shown


@pytest.mark.parametrize(
    "value",
    [
        [],
        [b"m" * 32, 0, b"h" * 32, b"", b""],
        [b"m" * 31, 0, b"h" * 32, [], b"", b""],
        [b"m" * 32, 0, b"h" * 33, [], b"", b""],
        [b"m" * 32, b"", b"h" * 32, [], b"", b""],
        [b"m" * 32, 0, b"h" * 32, [b""], b"", b""],
        [b"m" * 32, 2**18 + 1, b"h" * 32, [0, 0], b"", b""],
        [b"m" * 32, 0, b"h" * 32, [0, 1001], b"", b""],
        [b"m" * 32, 0, b"h" * 32, 0, b"", b""],
        [b"m" * 32, 0, b"h" * 32, [0, 0]],
        [b"m" * 32, 0, b"h" * 32, [0, 0], b"", 0],
        7,
    ],
)
def test_a_position_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(Malformed):
        read_sync(encode(value))
