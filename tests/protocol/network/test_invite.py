"""The invite: read as people paste it, typos told from everything else, good once (threat 26)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.failures import (
    Code,
    Flaw,
    InviteFailure,
    InviteNewer,
    InviteOfAnotherKind,
    InviteTypo,
    NotAnAddress,
    NotAnInvite,
    Refused,
)
from protocol.network import invite as invites
from protocol.network.invite import Invite, Record, Ticket, check_address, read, read_record, write

INVITE = Invite(("192.168.1.20", "2001:db8::1", "example.org"), 40_000, bytes(range(32)), b"sixteen bytes ok")
WORD = write(INVITE)
BEN, CLEO, EVE = b"b" * 32, b"c" * 32, b"e" * 32
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

host_names = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{2,8}){0,3}", fullmatch=True)
addresses = st.one_of(st.ip_addresses().map(str).map(check_address), host_names.map(check_address))
valid = st.builds(
    Invite,
    st.lists(addresses, min_size=1, max_size=8).map(tuple),
    st.integers(1, 65_535),
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
    return "P2PS" + invites._to_base32(body + invites._checksum(body)[:4])


def test_a_newer_version_is_told_from_a_typo() -> None:
    with pytest.raises(InviteNewer, match="version 3"):
        read(sealed(b"\x03whatever comes then"))


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
def test_an_invite_that_no_program_of_ours_wrote_is_refused(rest: bytes) -> None:
    with pytest.raises(NotAnInvite):
        read(sealed(b"\x02\x00" + bytes(48) + rest))


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=300), st.text(LETTERS, max_size=300).map(lambda text: "P2PS" + text)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(InviteFailure):
        invite = read(text)
        assert read(write(invite)) == invite


@given(st.binary(max_size=300))
def test_any_bytes_under_a_good_checksum_are_read_exactly_or_refused(rest: bytes) -> None:
    word = sealed(b"\x02" + rest)
    with suppress(NotAnInvite):
        assert write(read(word)) == word


@pytest.mark.parametrize(
    "text",
    ["", "a b", "-a", "a..b", "x" * 64, "ä.org", "a_b", ".".join(["a" * 60] * 5), "::1::2", "300.1.1.1", "7"],
)
def test_an_address_that_nobody_could_call_is_refused(text: str) -> None:
    with pytest.raises(NotAnAddress) as refused:
        check_address(text)
    assert refused.value.text == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("EXAMPLE.org.", "example.org"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_an_address_is_kept_in_one_form(text: str, kept: str) -> None:
    assert check_address(text) == kept


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

    ticket = Ticket(INVITE, 100.0, spend)
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
    ticket = Ticket(INVITE, 100.0, lambda _: True)
    with pytest.raises(Refused) as caught:
        ticket.use(BEN, 100.0)
    assert caught.value.code == Code.EXPIRED_INVITE


def test_row_26_what_another_process_used_is_used() -> None:
    with pytest.raises(Refused) as caught:
        Ticket(INVITE, 100.0, lambda _: False).use(BEN, 0.0)
    assert caught.value.code == Code.USED_INVITE


def test_row_26_a_record_counts_the_keys_that_have_used_an_invite() -> None:
    record = Record(INVITE, 1e9, 2)
    assert read_record(bytes(record)) == record
    once = record.used(BEN)
    assert once is not None
    assert once.used(BEN) == once
    twice = once.used(CLEO)
    assert twice is not None
    assert twice.used(EVE) is None
    assert read_record(bytes(twice)) == twice
    assert Record(INVITE, 1e9, 0).used(BEN) is None


def test_an_invite_to_watch_is_none_to_play_and_the_other_way_round() -> None:
    watch = replace(INVITE, watch=True)
    assert read(write(watch)) == watch
    assert watch.name != INVITE.name
    assert watch.require(watch=True) is watch
    for one in (watch, INVITE):
        with pytest.raises(InviteOfAnotherKind) as caught:
            one.require(watch=not one.watch)
        assert caught.value.watch is one.watch


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"invite": 5, "expires": 1}', b"[" * 100_000])
def test_a_damaged_record_of_an_invite_is_refused(data: bytes) -> None:
    with pytest.raises(NotAnInvite):
        read_record(data)
