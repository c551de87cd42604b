"""PCP and NAT-PMP as bytes: every answer that is none to our question is passed over (row 86)."""

from __future__ import annotations

import ipaddress
import struct
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rendezvous import port_mapping as pm
from protocol.rendezvous.port_mapping import Denied, Granted

NONCE = bytes(range(12))
OURS = IPv4Address("192.168.1.2")
OURS_6 = IPv6Address("2001:db8::2")
QUESTION = bytes.fromhex(
    "02010000 00000e10 00000000000000000000ffffc0a80102"
    "000102030405060708090a0b 06000000 0fa0 0fa0 00000000000000000000ffff00000000"
)
ANSWER = bytes.fromhex(
    "02810000 00000708 00000001 000000000000000000000000"
    "000102030405060708090a0b 06000000 0fa0 1f90 00000000000000000000ffffcb007107"
)
GRANTED = Granted(IPv4Address("203.0.113.7"), 8080, 1800)


def read(data: bytes) -> Granted | Denied | None:
    return pm.read_pcp_map(data, OURS, 4000, NONCE)


def test_a_question_by_pcp_is_the_bytes_of_rfc_6887() -> None:
    assert pm.pcp_map(OURS, 4000, 3600, NONCE) == QUESTION
    again = pm.pcp_map(OURS, 4000, 0, NONCE, GRANTED)
    assert again[4:8] == bytes(4)
    assert again[40:] == bytes.fromhex("0fa0 1f90 00000000000000000000ffffcb007107")
    of_6 = pm.pcp_map(OURS_6, 4000, 3600, NONCE)
    assert of_6[8:24] == OURS_6.packed
    assert of_6[44:] == bytes(16)


def test_an_answer_by_pcp_is_read() -> None:
    assert read(ANSWER) == GRANTED
    ended = ANSWER[:4] + bytes(4) + ANSWER[8:42] + bytes(18)
    assert pm.read_pcp_map(ended[:44] + ANSWER[44:], OURS, 4000, NONCE) == Granted(GRANTED.outside, 0, 0)
    six = ANSWER[:44] + OURS_6.packed
    assert pm.read_pcp_map(six, OURS_6, 4000, NONCE) == Granted(OURS_6, 8080, 1800)
    assert read(ANSWER[:3] + b"\x08" + ANSWER[4:]) == Denied(8)
    assert read(ANSWER + bytes(8)) == GRANTED, "an option that we do not know"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        ANSWER[:-1],
        ANSWER + b"\0",
        ANSWER + bytes(1044),
        b"\x02\x01" + ANSWER[2:],  # a question
        b"\x02\x82" + ANSWER[2:],  # of another operation
        ANSWER[:24] + bytes(12) + ANSWER[36:],  # of another nonce
        ANSWER[:36] + b"\x11" + ANSWER[37:],  # of UDP
        ANSWER[:40] + b"\x0f\xa1" + ANSWER[42:],  # of another port
        ANSWER[:42] + bytes(2) + ANSWER[44:],  # port 0
        ANSWER[:44] + OURS_6.packed,  # of the other family
        ANSWER[:3] + b"\x08" + ANSWER[4:24] + bytes(36),  # a refusal of something else
    ],
)
def test_row_86_an_answer_by_pcp_to_another_question_is_none(data: bytes) -> None:
    assert read(data) is None


def test_a_router_of_nat_pmp_alone_says_that_it_knows_no_pcp() -> None:
    assert read(struct.pack("!BBHI", 0, 129, 1, 7)) == Denied(pm.UNSUPPORTED)
    assert read(struct.pack("!BBHI", 0, 129, 0, 7)) is None
    assert read(struct.pack("!BBHI", 0, 1, 1, 7)) is None


def test_nat_pmp_is_the_bytes_of_rfc_6886() -> None:
    assert pm.nat_pmp_address() == b"\0\0"
    assert pm.nat_pmp_map(4000, 3600, 8080) == bytes.fromhex("00020000 0fa01f90 00000e10")
    assert pm.nat_pmp_map(4000, 0) == bytes.fromhex("00020000 0fa00000 00000000")
    address = bytes.fromhex("00800000 00000001 cb007107")
    assert pm.read_nat_pmp_address(address) == GRANTED.outside
    mapped = bytes.fromhex("00820000 00000001 0fa01f90 00000708")
    assert pm.read_nat_pmp_map(mapped, 4000) == (8080, 1800)
    assert pm.read_nat_pmp_map(bytes.fromhex("00820002 00000001 00000000 00000000"), 4000) == Denied(2)
    assert pm.read_nat_pmp_address(bytes.fromhex("00800003 00000001")) == Denied(3)


@pytest.mark.parametrize(
    "hexed",
    [
        "",
        "00820000 00000001 0fa01f90 000007",
        "00820000 00000001 0fa01f90 0000070800",
        "01820000 00000001 0fa01f90 00000708",
        "00810000 00000001 0fa01f90 00000708",  # of UDP
        "00020000 00000001 0fa01f90 00000708",
        "00820000 00000001 0fa11f90 00000708",  # of another port
        "00820000 00000001 0fa00000 00000708",  # port 0
        "00820002 000000",
    ],
)
def test_row_86_an_answer_by_nat_pmp_to_another_question_is_none(hexed: str) -> None:
    assert pm.read_nat_pmp_map(bytes.fromhex(hexed), 4000) is None
    assert pm.read_nat_pmp_address(bytes.fromhex(hexed)) is None


@given(st.binary(max_size=80), st.integers(0, 60))
def test_row_86_no_bytes_of_a_router_are_an_error(noise: bytes, at: int) -> None:
    for data in (noise, ANSWER[:at] + noise + ANSWER[at + len(noise) :]):
        request = read(data)
        assert request is None or isinstance(request, Denied) or 0 <= request.port < 2**16
        pm.read_nat_pmp_address(data)
        pm.read_nat_pmp_map(data, 4000)


@given(st.integers(1, 65535), st.integers(1, 65535), st.integers(0, 2**32 - 1), st.ip_addresses())
def test_what_a_router_grants_is_read_as_it_was_said(
    port: int, outside: int, lifetime: int, ip: pm.IP
) -> None:
    own: pm.IP = OURS if ip.version == 4 else OURS_6
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        return
    answer = bytearray(pm.pcp_map(own, port, lifetime, NONCE, Granted(ip, outside, 0)))
    answer[1] |= 128
    answer[8:24] = bytes(16)
    assert pm.read_pcp_map(bytes(answer), own, port, NONCE) == Granted(ip, outside, lifetime)


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("203.0.113.7", True),
        ("100.63.255.255", True),
        ("100.64.0.1", False),
        ("10.0.0.1", False),
        ("172.31.0.1", False),
        ("192.168.0.1", False),
        ("169.254.1.1", False),
        ("127.0.0.1", False),
        ("0.0.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("2001:db8::1", True),
        ("fd00::1", False),
        ("fe80::1", False),
        ("::1", False),
        ("::", False),
        ("ff02::1", False),
    ],
)
def test_row_86_an_address_that_is_translated_again_is_none_for_friends_outside(
    text: str, public: bool
) -> None:
    assert pm.reached_from_outside(ipaddress.ip_address(text)) is public
