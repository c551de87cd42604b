"""Addresses: one form in bytes, one form as text, and nothing that nobody could be called at (threat 78)."""

from __future__ import annotations

import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.failures import NotAnAddress
from protocol.wire.addresses import (
    MAX_PACKED,
    MAX_TEXT,
    Address,
    Endpoint,
    Onion,
    Relayed,
    check_host,
    pack,
    place,
    read,
    unpack,
)
from protocol.wire.base32 import DIGITS, from_base32, to_base32
from tests.helpers.network.addresses import addresses


@given(addresses)
def test_row_78_every_address_is_read_as_it_was_written_as_bytes_and_as_text(address: Address) -> None:
    packed, text = pack(address), str(address)
    assert unpack(packed) == address
    assert len(packed) <= MAX_PACKED
    assert read(text) == address
    assert len(text) <= MAX_TEXT
    assert text.isascii()
    assert text.isprintable()


@given(
    st.one_of(
        st.binary(max_size=300), addresses.map(pack).flatmap(lambda data: st.binary().map(data.__add__))
    )
)
def test_row_78_any_bytes_are_an_address_in_its_one_form_or_unknown_or_refused(data: bytes) -> None:
    with suppress(NotAnAddress):
        address = unpack(data)
        assert address is None or pack(address) == data


@given(
    st.one_of(
        st.text(max_size=80), addresses.map(str).flatmap(lambda text: st.text(max_size=3).map(text.__add__))
    )
)
def test_row_78_any_text_is_an_address_or_refused(text: str) -> None:
    with suppress(NotAnAddress):
        addresses = read(text, 4000)
        assert read(str(addresses)) == addresses


@pytest.mark.parametrize(
    "text",
    [
        *("", "a b", "-a", "a..b", "x" * 64, "ä.org", "a_b", ".".join(["a" * 60] * 5), "::1::2", "300.1.1.1"),
        *(
            "7",
            "0.0.0.0",  # noqa: S104 - text that is refused
            "::",
            "224.0.0.251",
            "ff02::fb",
            "255.255.255.255",
            "::ffff:0.0.0.0",
            "facebook.onion",
            "onion",
            "0x7f000001",
            "0X7F.0x1",
            "127.0x1",
            "0x",
        ),
    ],
)
def test_row_78_a_host_that_nobody_could_call_is_refused(text: str) -> None:
    with pytest.raises(NotAnAddress) as refused:
        check_host(text)
    assert refused.value.text == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("EXAMPLE.org.", "example.org"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_a_host_is_kept_in_one_form(text: str, kept: str) -> None:
    assert check_host(text) == kept


def test_a_zone_is_kept_where_it_means_something_and_never_packed() -> None:
    here = read("[fe80::1%eth0]:4000", zones=True)
    assert here == Endpoint("fe80::1%eth0", 4000)
    assert read(str(here), zones=True) == here
    assert read(str(here)) == unpack(pack(here)) == Endpoint("fe80::1", 4000)
    for bad in ("[fe80::1%]:1", "[fe80::1%a b]:1", "192.0.2.7%eth0:1", "[fe80::1%\x1b]:1"):
        with pytest.raises(NotAnAddress):
            read(bad, zones=True)


def test_row_78_one_letter_wrong_in_an_onion_address_is_a_slip() -> None:
    """By its checksum; the key of 32 bytes is in the bytes, so a wrong one cannot even be written."""
    host = "2gzyxa5ihm7nsggfxnu52rck2vv4rvmdlkiu3zzui5du4xyclen53wid.onion"  # that of the Tor Project
    assert read(f"{host}:443") == Onion(host, 443)
    for spot in range(56):
        with pytest.raises(NotAnAddress):
            read(f"{host[:spot]}{'a' if host[spot] != 'a' else 'b'}{host[spot + 1 :]}:443")
    later = base64.b32encode(bytes(34) + b"\x04").decode().lower()
    with pytest.raises(NotAnAddress):
        read(f"{later}.onion:443")


def test_a_token_is_never_shown_as_another_and_a_relay_never_stands_behind_a_relay() -> None:
    relayed = Relayed(place("example.org", 4001), bytes(range(16)))
    assert str(relayed) == "relay://example.org:4001/000G40R40M30E209185GR38E1W"
    assert read(str(relayed).lower().replace("0g40", "og4o")) == relayed
    with pytest.raises(NotAnAddress):
        read(str(relayed)[:-1] + "1")


def test_an_address_without_a_port_needs_one() -> None:
    assert read("example.org", 4000) == Endpoint("example.org", 4000)
    for port in (None, 0, 65536):
        with pytest.raises(NotAnAddress):
            read("example.org", port)
    with pytest.raises(NotAnAddress):
        read("x" * (MAX_TEXT + 1), 4000)


@given(st.binary(max_size=64))
def test_base_32_is_read_as_it_was_written(data: bytes) -> None:
    digits = to_base32(data)
    assert set(digits) <= set(DIGITS)
    assert from_base32(digits) == from_base32(digits.lower()) == data


@given(st.text(st.sampled_from([*DIGITS, "ß", "ı", "ŉ", "-", "U"]), max_size=40))
def test_base_32_has_one_form(digits: str) -> None:
    data = from_base32(digits)
    assert data is None or to_base32(data) == digits
