"""The transcript's file: what it is, what is cut off, and what is damage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.conquest.rules.game import GAME as CONQUEST
from p2p_stratego.stratego.rules.armies import MOST_PIECES
from p2p_stratego.stratego.rules.transitions import LONGEST
from protocol.crypto.sealed import BOX_BYTES
from protocol.errors import Malformed, Refusal, Unsupported
from protocol.limits import MAX_CHAT, MAX_STATEMENTS, MAX_TRANSCRIPT, MAX_WITH_PROOFS
from protocol.record import genesis, statements
from protocol.record.asks.choose import Choice
from protocol.record.asks.mix import Mixed
from protocol.record.asks.open import Opening
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.pace import Pace
from protocol.record.statements import Kind
from protocol.wire.encoding import ENTRY, GENESIS, MAX_PAYLOAD, STATEMENT, Frame, encode
from protocol.wire.messages import MAX_FACE, MAX_SLOTS, Message
from protocol.wire.transcript import MAGIC, Contents, NotATranscript, Records, longest, read, start, write
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import examples
from tests.helpers.seats.pair import Table

GENESIS_BODY = b"a genesis, which nobody looks into here"
FRAMES = (Frame(STATEMENT, b"one"), Frame(ENTRY, b"two"), Frame(ENTRY, b"three"))
WHOLE = write(GENESIS_BODY, FRAMES)


def test_a_transcript_is_read_as_it_was_written() -> None:
    assert read(WHOLE) == Contents(GENESIS_BODY, FRAMES, len(WHOLE), torn=False, damage=None)
    assert start(GENESIS_BODY) + b"".join(map(bytes, FRAMES)) == WHOLE
    assert WHOLE[: len(MAGIC)] == MAGIC == b"p2p-stratego transcript 2\n"
    assert read(start(GENESIS_BODY)).frames == ()


def test_the_record_of_the_longest_game_can_be_read_however_much_was_said() -> None:
    head, signature = bytes(32), bytes(64)
    move = encode((LONGEST + 200, 1, head, CODEC.value(Choice("a10b10")))) + signature
    opening = encode((LONGEST + 200, 1, head, CODEC.value(Opening(MAX_FACE, bytes(32))))) + signature
    text = "\U0001f600" * MAX_CHAT
    body = statements.body(1, (MAX_STATEMENTS, head), (LONGEST, head), Kind.CHAT, (text,)) + signature
    entries = LONGEST * len(Frame(ENTRY, move)) + 2 * MOST_PIECES * len(Frame(ENTRY, opening))
    most = entries + 2 * MAX_STATEMENTS * len(Frame(STATEMENT, body))
    assert most + MAX_PAYLOAD < MAX_TRANSCRIPT


def test_the_record_of_the_longest_conquest_can_be_read_however_much_was_said() -> None:
    """Four seats, 250 rounds; no turn has more messages of a kind than the rules of that game allow."""
    head, signature, seats, turns = bytes(32), bytes(64), 4, 1000
    slots = 4 * 18 + 17 * turns

    def entry(message: Message) -> int:
        return len(Frame(ENTRY, encode((2**16, 3, head, CODEC.value(message))) + signature))

    def statement(kind: Kind, content: statements.Content) -> int:
        over = (MAX_STATEMENTS, head), (2**16, head)
        return len(Frame(STATEMENT, statements.body(3, *over, kind, content) + signature))

    opening, share = Opening(MAX_FACE, head), entry(Share(head))
    key, box = entry(LookKey(head)), entry(SealedOpening(head, bytes(BOX_BYTES)))
    choices = entry(Choice("regroup a1 b2 c3"))
    cards = 3 * choices + entry(Mixed((head,) * 17)) + 2 * (key + box)
    moves = 20 * (turns // seats) * (choices + 2 * entry(opening))  # a move a seat, 8 cities, 4 cards of 2
    parts = slots // MAX_SLOTS + seats
    reveals = parts * statement(Kind.REVEAL, (MAX_SLOTS, (opening,) * MAX_SLOTS))
    size = seats * MAX_STATEMENTS * statement(Kind.CHAT, ("\U0001f600" * MAX_CHAT,))
    rolls = (CONQUEST.most_rolls + seats - 1) * seats * share
    played = rolls + turns * cards + moves + reveals
    assert played < 7 * 2**20
    assert played + size + MAX_PAYLOAD < MAX_TRANSCRIPT


def test_row_35_cut_anywhere_it_is_torn_and_keeps_what_is_whole() -> None:
    first = len(start(GENESIS_BODY))
    borders = [first]
    for frame in FRAMES:
        borders.append(borders[-1] + len(frame))
    for size in range(first, len(WHOLE) + 1):
        contents = read(WHOLE[:size])
        whole = max(border for border in borders if border <= size)
        assert contents.size == whole
        assert contents.frames == FRAMES[: borders.index(whole)]
        assert contents.torn == (size not in borders)
        assert contents.damage is None


def test_cut_within_the_first_record_it_is_not_known_which_match_it_is() -> None:
    for size in range(len(MAGIC), len(start(GENESIS_BODY))):
        with pytest.raises(Malformed):
            read(WHOLE[:size])
    for size in range(len(MAGIC)):
        with pytest.raises(NotATranscript):
            read(WHOLE[:size])


def test_row_35_no_flipped_bit_reads_as_anything_else_than_damage() -> None:
    whole = read(WHOLE)
    for at in range(len(WHOLE) * 8):
        flipped = bytearray(WHOLE)
        flipped[at // 8] ^= 1 << at % 8
        try:
            contents = read(bytes(flipped))
        except Refusal:
            continue
        assert contents.damage is not None
        assert not contents.torn
        assert contents.frames == whole.frames[: len(contents.frames)]


@pytest.mark.parametrize(
    "frames",
    [
        [Frame(ENTRY, b"first")],
        [Frame(GENESIS, b"g"), Frame(GENESIS, b"again")],
        [Frame(GENESIS, b"g"), Frame(ENTRY, b"e"), Frame(GENESIS, b"again")],
        [Frame(GENESIS, b"g"), Frame(0, b"")],
        [Frame(GENESIS, b"g"), Frame(4, b"")],
        [Frame(GENESIS, b"g"), Frame(16, b"channel")],
        [Frame(GENESIS, b"g"), Frame(64, b"a master secret")],
        [Frame(GENESIS, b"g"), Frame(255, b"")],
    ],
    ids=[
        "an entry first",
        "two geneses",
        "one later",
        "kind 0",
        "kind 4",
        "the channel's",
        "a secret's",
        "kind 255",
    ],
)
def test_a_record_of_a_kind_that_cannot_stand_there_is_damage(frames: list[Frame]) -> None:
    data = MAGIC + b"".join(map(bytes, frames))
    if frames[0].kind != GENESIS:
        with pytest.raises(Malformed):
            read(data)
    else:
        contents = read(data)
        assert contents.damage is not None
        assert len(contents.frames) == len(frames) - 2


@pytest.mark.parametrize("version", [0, 1, 3, 10, 999_999_999, 99_999_999_999_999, 10**18 - 1])
def test_another_version_is_unsupported_whatever_follows(version: int) -> None:
    for rest in (b"", b"noise", WHOLE[len(MAGIC) :]):
        with pytest.raises(Unsupported, match=f"version {version}"):
            read(b"p2p-stratego transcript %d\n" % version + rest)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"hello",
        MAGIC[:-1],
        MAGIC.replace(b"\n", b"\r\n"),
        MAGIC.upper(),
        b"\xef\xbb\xbf" + WHOLE,
        b" " + WHOLE,
        b"p2p-stratego transcript 1234567890123456789\n",
        b"p2p-stratego transcript -1\n",
        b"p2p-stratego proof 2\n",
    ],
)
def test_something_else_altogether(data: bytes) -> None:
    with pytest.raises(NotATranscript):
        read(data)


def test_row_47_a_file_over_every_limit_is_not_looked_at() -> None:
    with pytest.raises(NotATranscript, match="too long"):
        read(bytes(MAX_WITH_PROOFS + 1))
    with pytest.raises(NotATranscript, match="not a transcript"):
        read(bytes(MAX_WITH_PROOFS))


@pytest.mark.parametrize("proofs", [False, True])
@pytest.mark.parametrize("pace", Pace)
def test_row_47_how_long_a_file_may_be_follows_from_the_profile_in_the_genesis(
    proofs: bool, pace: Pace
) -> None:
    live = Table(game=TOY, proofs=proofs).begun
    body = genesis.make(TOY, live.options, live.players, proofs=proofs, pace=pace).body
    most = MAX_WITH_PROOFS if proofs else MAX_TRANSCRIPT
    assert longest(body) == most
    whole = start(body)
    torn = whole + bytes(most - len(whole))
    assert Records(torn).genesis == body
    with pytest.raises(NotATranscript, match="too long"):
        Records(torn + b"\0")


def test_a_genesis_that_is_none_gets_no_more_room() -> None:
    for body in (b"", b"\xc1", encode([1]), encode([2, "a", 1, [], [], 2, 0])):
        assert longest(body) == MAX_TRANSCRIPT


@given(noise=st.binary(max_size=300))
@examples(40, 400)
def test_row_47_noise_is_refused_or_damage(noise: bytes) -> None:
    for data in (noise, MAGIC + noise, start(GENESIS_BODY) + noise):
        try:
            contents = read(data)
        except Refusal:
            continue
        assert contents.torn or contents.damage or data == write(contents.genesis, contents.frames)
