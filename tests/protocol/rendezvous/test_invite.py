"""The invite: read as people paste it, typos told from everything else, good once (threat 26)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.failures import (
    Code,
    Flaw,
    InviteFailure,
    InviteNewer,
    InviteOfAnotherKind,
    InviteTypo,
    NotAnInvite,
    Refused,
)
from protocol.rendezvous import invite as invites
from protocol.rendezvous.invite import Invite, InviteRecord, InviteTicket, read, read_record, write
from protocol.wire.addresses import read as parse
from protocol.wire.base32 import to_base32
from tests.helpers.machine.examples import examples
from tests.helpers.network.addresses import addresses

WAYS = ("192.168.1.20:40000", "[2001:db8::1]:4000", "example.org:1", f"relay://192.0.2.7:4001/{'0' * 26}")
INVITE = Invite(tuple(map(parse, WAYS)), bytes(range(32)), b"sixteen bytes ok")
WORD = write(INVITE)
BEN, CLEO, EVE = b"b" * 32, b"c" * 32, b"e" * 32
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

valid = st.builds(
    Invite,
    st.lists(addresses, min_size=1, max_size=8).map(tuple),
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=16, max_size=16),
    st.booleans(),
)


@given(valid)
def test_what_is_written_is_read_and_is_one_word(invite: Invite) -> None:
    word = write(invite)
    assert read(word) == invite
    assert word.isalnum()
    assert word.isupper()
    assert len(word) < invites.MAX_TEXT


@pytest.mark.parametrize(
    "pasted",
    [
        WORD.lower(),
        f"  {WORD}\n",
        "\n".join(WORD[i : i + 10] for i in range(0, len(WORD), 10)),
        "-".join(WORD[i : i + 4] for i in range(0, len(WORD), 4)),
        WORD.replace("0", "O").replace("1", "l"),
        WORD.replace("0", "o").replace("1", "I"),
        "\ufeff" + WORD[:20] + "\u200b" + WORD[20:] + "\r\n",
        f"\t{WORD[:3]} {WORD[3:]}",
        f"│ {WORD[:70]} │\n│   {WORD[70:]}     │",
        f"| {WORD[:70]} |\n|   {WORD[70:]}     |",
    ],
)
def test_an_invite_is_read_however_it_was_pasted(pasted: str) -> None:
    assert read(pasted) == INVITE


def test_every_wrong_letter_is_a_typo() -> None:
    for place in range(len("P2PS"), len(WORD)):
        for letter in LETTERS:
            if letter != WORD[place]:
                with pytest.raises(InviteTypo):
                    read(WORD[:place] + letter + WORD[place + 1 :])


def test_letters_missing_swapped_doubled_or_from_elsewhere_are_typos() -> None:
    for place in range(4, len(WORD)):
        mistakes = [WORD[:place] + WORD[place + 1 :], WORD[:place] + WORD[place] + WORD[place:], WORD[:place]]
        mistakes += [WORD[:place] + letter + WORD[place + 1 :] for letter in "U#ä!"]
        if place + 1 < len(WORD) and WORD[place] != WORD[place + 1]:
            mistakes.append(WORD[:place] + WORD[place + 1] + WORD[place] + WORD[place + 2 :])
        for mistake in mistakes:
            with pytest.raises(InviteTypo):
                read(mistake)
    with pytest.raises(InviteTypo):
        read(WORD + " " * invites.MAX_TEXT + "X")


@pytest.mark.parametrize("text", ["", "hello", "https://example.org", "P2P", "0" * 10_000, "\x1b]52;c;x\x07"])
def test_what_is_no_invite_is_told_from_a_typo(text: str) -> None:
    with pytest.raises(NotAnInvite, match=Flaw.NO_PREFIX.value):
        read(text)


def sealed(body: bytes) -> str:
    """`body` with a good checksum, as another program might write it."""
    return "P2PS" + to_base32(body + invites.checksum(body)[:4])


def test_a_newer_version_is_told_from_a_typo() -> None:
    with pytest.raises(InviteNewer, match="version 4"):
        read(sealed(b"\x04whatever comes then"))


HEAD = b"\x03\x00" + bytes(48)
HERE = b"\x07\x04\x7f\x00\x00\x01\x9c\x40"


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b"\x00",
        b"\x01",
        b"\x01\x00",
        b"\x09" + HERE * 9,
        b"\x02" + HERE,
        b"\x01" + HERE + b"\x00",
        b"\x01" + HERE[:-1],
        b"\x01\x06" + HERE[1:-1],
        b"\x01\x04\x09abc",
    ],
)
def test_row_78_an_invite_with_addresses_that_no_program_of_ours_wrote_is_refused(rest: bytes) -> None:
    with pytest.raises(NotAnInvite):
        read(sealed(HEAD + rest))


def test_an_address_of_a_kind_that_a_later_program_knows_is_passed_over() -> None:
    assert read(sealed(HEAD + b"\x03\x04\x09abc" + HERE + b"\x01\x09")).addresses == (
        parse("127.0.0.1:40000"),
    )


def test_an_invite_of_the_version_before_is_read() -> None:
    before = (
        b"\x02\x01" + bytes(48) + b"\x9c\x40\x03\x04\x7f\x00\x00\x01\x00\x05a.org\x06" + bytes(15) + b"\x01"
    )
    ways = tuple(map(parse, ("127.0.0.1:40000", "a.org:40000", "[::1]:40000")))
    assert read(sealed(before)) == Invite(ways, bytes(32), bytes(16), watch=True)


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b"\x9c\x40",
        b"\x9c\x40\x00",
        b"\x00\x00\x01\x04\x7f\x00\x00\x01",
        b"\x9c\x40\x09" + b"\x04\x7f\x00\x00\x01" * 9,
        b"\x9c\x40\x01\x04\x7f\x00\x00",
        b"\x9c\x40\x01\x05\x7f\x00\x00\x01",
        b"\x9c\x40\x01\x00",
        b"\x9c\x40\x01\x00\x00",
        b"\x9c\x40\x01\x00\x05abc",
        b"\x9c\x40\x01\x00\x03-a-",
        b"\x9c\x40\x01\x00\x03ABC",
        b"\x9c\x40\x01\x00\x03\xff\xfe\xfd",
        b"\x9c\x40\x01\x00\x07\x1b]52;c;",
        b"\x9c\x40\x01\x00\x09127.0.0.1more",
        b"\x9c\x40\x01\x04\x7f\x00\x00\x01extra",
    ],
)
def test_one_of_the_version_before_that_no_program_of_ours_wrote_is_refused(rest: bytes) -> None:
    with pytest.raises(NotAnInvite):
        read(sealed(b"\x02\x00" + bytes(48) + rest))


@examples(120, 1200)
@given(st.one_of(st.text(max_size=300), st.text(LETTERS, max_size=300).map(lambda text: "P2PS" + text)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(InviteFailure):
        invite = read(text)
        assert read(write(invite)) == invite


@given(st.binary(max_size=300))
def test_any_bytes_under_a_good_checksum_are_read_exactly_or_refused(rest: bytes) -> None:
    word = sealed(b"\x03" + rest)
    with suppress(NotAnInvite):
        invite = read(word)
        assert write(invite) == word or len(invite.addresses) < rest[49]


def test_row_38_the_secret_is_not_printed_by_accident() -> None:
    assert "sixteen" not in repr(INVITE)
    assert "secret" not in repr(INVITE)
    assert str(INVITE) == WORD


# Once


def test_row_26_each_use_of_a_ticket_is_on_the_disk_first_and_the_same_key_may_come_again() -> None:
    done: list[bytes] = []

    def spend(key: bytes) -> bool:
        done.append(key)
        return len(done) < 3

    ticket = InviteTicket(INVITE, 100.0, spend)
    for key in (BEN, CLEO):
        ticket.use(key, 99.9)
    ticket.use(BEN, 200.0)
    assert done == [BEN, CLEO]
    with pytest.raises(Refused) as caught:
        ticket.use(EVE, 99.9)
    assert caught.value.code == Code.USED_INVITE
    ticket.void = True
    with pytest.raises(Refused):
        ticket.use(BEN, 0.0)


def test_row_26_an_expired_ticket_is_not_used_up_but_refused() -> None:
    ticket = InviteTicket(INVITE, 100.0, lambda _: True)
    with pytest.raises(Refused) as caught:
        ticket.use(BEN, 100.0)
    assert caught.value.code == Code.EXPIRED_INVITE


def test_row_26_what_another_process_used_is_used() -> None:
    with pytest.raises(Refused) as caught:
        InviteTicket(INVITE, 100.0, lambda _: False).use(BEN, 0.0)
    assert caught.value.code == Code.USED_INVITE


def test_row_26_a_record_counts_the_keys_that_have_used_an_invite() -> None:
    record = InviteRecord(INVITE, 1e9, 2, port=4000)
    assert read_record(bytes(record)) == record
    once = record.used(BEN)
    assert once is not None
    assert once.used(BEN) == once
    twice = once.used(CLEO)
    assert twice is not None
    assert twice.used(EVE) is None
    assert read_record(bytes(twice)) == twice
    assert InviteRecord(INVITE, 1e9, 0).used(BEN) is None


def test_an_invite_to_watch_is_none_to_play_and_the_other_way_round() -> None:
    watch = replace(INVITE, watch=True)
    assert read(write(watch)) == watch
    assert watch.name != INVITE.name
    assert watch.require(watch=True) is watch
    for word in (watch, INVITE):
        with pytest.raises(InviteOfAnotherKind) as caught:
            word.require(watch=not word.watch)
        assert caught.value.watch is word.watch


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"invite": 5, "expires": 1}', b"[" * 100_000])
def test_a_damaged_record_of_an_invite_is_refused(data: bytes) -> None:
    with pytest.raises(NotAnInvite):
        read_record(data)
