"""Statements: what they hold, and what is none."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Outcome
from protocol.errors import Malformed
from protocol.limits import MAX_CHAT
from protocol.record.asks.open import Opening
from protocol.record.statements import Kind, as_value, body, chat_text, end_content, parse
from protocol.wire.encoding import STATEMENT, Frame, decode, encode
from protocol.wire.messages import MAX_SLOTS
from tests.helpers.machine.examples import examples

HEAD: Final = bytes(range(32))
BEFORE: Final = bytes(range(32, 64))
SIGNATURE: Final = bytes(64)
OPENING: Final = Opening(3, HEAD)
CONTENTS: Final[dict[Kind, tuple[Any, ...]]] = {
    Kind.AGREE: (),
    Kind.CHAT: ("hello",),
    Kind.RESIGN: (),
    Kind.OFFER_DRAW: (),
    Kind.ACCEPT_DRAW: (1, 2),
    Kind.AWAY: (1, 600, b""),
    Kind.END: ((0, 2), "flag"),
    Kind.REVEAL: (3, (OPENING, OPENING)),
    Kind.COMPLAIN: (12, HEAD),
    Kind.BACK: (12,),
    Kind.SEALED: (1, bytes(304)),
}


def payload(*fields: Any) -> bytes:
    return encode(list(fields)) + SIGNATURE


@pytest.mark.parametrize("kind", Kind)
def test_a_statement_is_read_as_it_was_written(kind: Kind) -> None:
    written = body(1, (2, BEFORE), (3, HEAD), kind, CONTENTS[kind]) + SIGNATURE
    statement = parse(written)
    assert (statement.seat, statement.index, statement.previous) == (1, 2, BEFORE)
    assert (statement.count, statement.head) == (3, HEAD)
    assert (statement.kind, statement.content) == (kind, CONTENTS[kind])
    assert statement.body == written[:-64]
    assert statement.frame == Frame(STATEMENT, written)
    value = decode(statement.body)
    assert isinstance(value, list)
    assert value[6:] == as_value(CONTENTS[kind])


@given(text=st.text(min_size=1, max_size=MAX_CHAT))
@examples(40, 400)
def test_chat_is_any_text_in_normal_form_c(text: str) -> None:
    try:
        chat_text(text)
    except Malformed:
        with pytest.raises((Malformed, UnicodeEncodeError)):
            parse(payload(0, 1, BEFORE, 0, HEAD, 1, text))
    else:
        assert parse(payload(0, 1, BEFORE, 0, HEAD, 1, text)).content == (text,)


@pytest.mark.parametrize(
    "text", ["", "x" * (MAX_CHAT + 1), "e\u0301", "half \udce9 a character", 7, b"x", None]
)
def test_what_is_no_chat(text: Any) -> None:
    with pytest.raises(Malformed):
        chat_text(text)


WRONG: Final[dict[str, bytes]] = {
    "nothing": b"",
    "a signature alone": SIGNATURE,
    "no array": encode(7) + SIGNATURE,
    "five fields": payload(0, 0, BEFORE, 0, HEAD),
    "a seat as text": payload("0", 0, BEFORE, 0, HEAD, 0),
    "a seat of 2^32": payload(2**32, 0, BEFORE, 0, HEAD, 0),
    "an index as bytes": payload(0, b"0", BEFORE, 0, HEAD, 0),
    "a count as an array": payload(0, 0, BEFORE, [], HEAD, 0),
    "a head as text": payload(0, 0, BEFORE, 0, "x" * 32, 0),
    "a statement before as text": payload(0, 0, "x" * 32, 0, HEAD, 0),
    "a statement before of 31 bytes": payload(0, 0, BEFORE[1:], 0, HEAD, 0),
    "no statement before": payload(0, 0, 0, HEAD, 0, 0),
    "a head of 31 bytes": payload(0, 0, BEFORE, 0, HEAD[1:], 0),
    "a kind as text": payload(0, 0, BEFORE, 0, HEAD, "0"),
    "an unknown kind": payload(0, 0, BEFORE, 0, HEAD, 11),
    "AGREE with something": payload(0, 0, BEFORE, 0, HEAD, 0, 0),
    "CHAT without anything": payload(0, 1, BEFORE, 0, HEAD, 1),
    "CHAT with two": payload(0, 1, BEFORE, 0, HEAD, 1, "a", "b"),
    "CHAT of bytes": payload(0, 1, BEFORE, 0, HEAD, 1, b"a"),
    "ACCEPT_DRAW of a text": payload(0, 1, BEFORE, 0, HEAD, 4, "1", 1),
    "AWAY for 2^32 seconds": payload(0, 1, BEFORE, 0, HEAD, 5, 1, 2**32),
    "END of a number": payload(0, 1, BEFORE, 0, HEAD, 6, 1, "flag"),
    "END with winners as texts": payload(0, 1, BEFORE, 0, HEAD, 6, ["1"], "flag"),
    "END with winners descending": payload(0, 1, BEFORE, 0, HEAD, 6, [1, 0], "flag"),
    "END with a winner twice": payload(0, 1, BEFORE, 0, HEAD, 6, [1, 1], "flag"),
    "END without a reason": payload(0, 1, BEFORE, 0, HEAD, 6, [1], ""),
    "END with a winner from 2^32 on": payload(0, 1, BEFORE, 0, HEAD, 6, [2**32], "flag"),
    "END with a reason that is not printable": payload(0, 1, BEFORE, 0, HEAD, 6, [1], "a\tb"),
    "END with a long reason": payload(0, 1, BEFORE, 0, HEAD, 6, [1], "x" * 33),
    "END with a reason beyond ASCII": payload(0, 1, BEFORE, 0, HEAD, 6, [1], "ö"),
    "END with a reason of bytes": payload(0, 1, BEFORE, 0, HEAD, 6, [1], b"flag"),
    "REVEAL without a part": payload(0, 1, BEFORE, 0, HEAD, 7, [[1, HEAD]]),
    "REVEAL of a part as text": payload(0, 1, BEFORE, 0, HEAD, 7, "0", [[1, HEAD]]),
    "REVEAL of part 2^32": payload(0, 1, BEFORE, 0, HEAD, 7, 2**32, [[1, HEAD]]),
    "REVEAL of nothing": payload(0, 1, BEFORE, 0, HEAD, 7, 0, []),
    "REVEAL of a number": payload(0, 1, BEFORE, 0, HEAD, 7, 0, 1),
    "REVEAL of 257": payload(0, 1, BEFORE, 0, HEAD, 7, 0, [[1, HEAD]] * (MAX_SLOTS + 1)),
    "REVEAL of a face alone": payload(0, 1, BEFORE, 0, HEAD, 7, 0, [[1]]),
    "REVEAL of a flat array": payload(0, 1, BEFORE, 0, HEAD, 7, 0, [1, HEAD]),
    "REVEAL of a face of 128": payload(0, 1, BEFORE, 0, HEAD, 7, 0, [[128, HEAD]]),
    "REVEAL with a short salt": payload(0, 1, BEFORE, 0, HEAD, 7, 0, [[1, HEAD[1:]]]),
    "COMPLAIN without a secret": payload(0, 1, BEFORE, 0, HEAD, 8, 12),
    "COMPLAIN with a short secret": payload(0, 1, BEFORE, 0, HEAD, 8, 12, HEAD[1:]),
    "COMPLAIN with more": payload(0, 1, BEFORE, 0, HEAD, 8, 12, HEAD, 0),
    "COMPLAIN of a text": payload(0, 1, BEFORE, 0, HEAD, 8, "12", HEAD),
    "AGREE with a key as text": payload(0, 0, BEFORE, 0, HEAD, 0, "x" * 32),
    "AGREE with a short key": payload(0, 0, BEFORE, 0, HEAD, 0, HEAD[1:]),
    "SEALED without a box": payload(0, 1, BEFORE, 0, HEAD, 10, 1),
    "SEALED without a reader": payload(0, 1, BEFORE, 0, HEAD, 10, bytes(304)),
    "SEALED with a box as text": payload(0, 1, BEFORE, 0, HEAD, 10, 1, "x" * 304),
    "SEALED with a box of 305 bytes": payload(0, 1, BEFORE, 0, HEAD, 10, 1, bytes(305)),
    "SEALED with more": payload(0, 1, BEFORE, 0, HEAD, 10, 1, bytes(304), 0),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_no_statement(wrong: bytes) -> None:
    with pytest.raises(Malformed):
        parse(wrong)


def test_an_end_says_who_won_in_ascending_order() -> None:
    assert end_content(Outcome(frozenset({2, 0, 1}), "flag")) == ((0, 1, 2), "flag")
    assert end_content(Outcome(frozenset(), "agreed-draw")) == ((), "agreed-draw")
