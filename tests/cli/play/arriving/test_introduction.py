"""Questions and sentences before a match: names, introductions, invites, addresses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.lines.console import Console
from cli.play.arriving import introduction
from cli.shell.exit_codes import Sorry
from protocol.crypto.keys import Identity
from protocol.failures import InviteTypo, NotAnInvite
from protocol.rendezvous import invite
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint
from tests.helpers.program.playing import Printed, lines, play_session, printed

KEY = Identity(b"k" * 32).key


# Names and introductions


async def test_a_name_is_asked_for_once_checked_and_remembered(tmp_path: Path) -> None:
    session = play_session(tmp_path, lines("x" * 40, "a\u202eb", "Anna"), interactive=True)
    assert await introduction.own_name(session) == "Anna"
    assert printed(session).getvalue().count("Your name") == 3
    assert printed(session).getvalue().count("Enter takes the") == 1
    assert session.home.settings() == {"name": "Anna"}
    session.home.close()


async def test_a_name_on_the_command_line_is_for_once_where_one_is_remembered(tmp_path: Path) -> None:
    session = play_session(tmp_path, lines("Anna"), interactive=True)
    await introduction.own_name(session)
    session.settings = replace(session.settings, name="Anna RSTP4")
    assert await introduction.own_name(session) == "Anna RSTP4"
    assert session.home.settings() == {"name": "Anna"}
    session.home.close()


async def test_the_word_of_a_round_is_for_once_in_any_case(tmp_path: Path) -> None:
    session = play_session(tmp_path, lines(), name="Anna RSTP4")
    assert await introduction.own_name(session) == "Anna RSTP4"
    assert session.home.settings() == {"name": "Anna"}
    session.home.close()


async def test_an_invite_pasted_for_a_name_is_kept_for_its_own_question(tmp_path: Path) -> None:
    session = play_session(tmp_path, lines(WORD, "Anna"), interactive=True)
    assert await introduction.own_name(session) == "Anna"
    assert session.pasted == WORD
    assert WORD not in printed(session).getvalue()
    session.home.close()


async def test_a_name_that_could_deceive_is_asked_for_again(tmp_path: Path) -> None:
    session = play_session(tmp_path, lines("Red resigns. You win!", "Anna [ABCD]", "Anna"), interactive=True)
    assert await introduction.own_name(session) == "Anna"
    assert printed(session).getvalue().count("Your name") == 3
    session.home.close()


async def test_without_a_person_at_the_terminal_the_login_name_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    session = play_session(tmp_path, lines())
    assert await introduction.own_name(session) == "Anna"
    monkeypatch.setattr("getpass.getuser", lambda: "\x1b")
    assert await introduction.own_name(play_session(tmp_path, lines())) == "Player"
    with pytest.raises(Sorry):
        await introduction.own_name(play_session(tmp_path, lines(), name="a\nb"))


# Invites


WORD = invite.write(invite.Invite((Endpoint("127.0.0.1", 4000),), bytes(range(32)), bytes(range(16))))


@pytest.mark.parametrize(
    "given",
    [
        [WORD],
        [WORD.lower()],
        [f"  {WORD[:30]} {WORD[30:]}  "],
        [WORD[:20], WORD[20:50], "  " + WORD[50:]],
        [WORD[:40] + " ", "\t" + WORD[40:], "yes", "moves that follow"],
    ],
)
async def test_an_invite_is_read_over_as_many_lines_as_it_has(given: list[str]) -> None:
    talk = Console(lines(*given), Printed())
    pasted = await introduction.ask_pasted(talk, invite.read, interactive=False)
    assert pasted is not None
    assert pasted.addresses == (Endpoint("127.0.0.1", 4000),)
    rest = given[given.index("yes") :] if "yes" in given else [None]
    assert await talk.line() == rest[0]


async def test_a_person_is_asked_again_and_a_script_is_told_why() -> None:
    typo = WORD[:-1] + ("0" if WORD[-1] != "0" else "1")
    with pytest.raises(InviteTypo):
        await introduction.ask_pasted(Console(lines(typo), Printed()), invite.read, interactive=False)
    with pytest.raises(NotAnInvite):
        await introduction.ask_pasted(Console(lines("hello"), Printed()), invite.read, interactive=False)
    assert await introduction.ask_pasted(Console(lines(), Printed()), invite.read, interactive=False) is None
    out = Printed()
    pasted = await introduction.ask_pasted(Console(lines(typo, "", WORD), out), invite.read, interactive=True)
    assert pasted is not None
    assert "Copy it again" in out.getvalue()


def test_a_qr_code_is_square_and_of_blocks_only() -> None:
    rows = introduction.qr_code(WORD)
    assert {len(row) for row in rows} == {len(rows[0])}
    assert abs(len(rows) * 2 - len(rows[0])) <= 1
    assert set("".join(rows)) <= set("█▀▄ ")


# Addresses


def test_addresses_are_checked_and_never_empty() -> None:
    given = introduction.addresses(["127.0.0.1", "Example.ORG:5000"], 4000)
    assert given == (Endpoint("127.0.0.1", 4000), Endpoint("example.org", 5000))
    assert introduction.addresses(None, 4000)
    with pytest.raises(Sorry):
        introduction.addresses(["127.0.0.1"] * 9, 4000)
    with pytest.raises(Sorry, match="no address"):
        introduction.addresses(["255.255.255.255"], 4000)


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("example.org", "example.org", 4000),
        ("Example.org:5000", "example.org", 5000),
        ("192.0.2.7:1", "192.0.2.7", 1),
        ("[2001:db8::7]:65535", "2001:db8::7", 65535),
        ("2001:db8::7", "2001:db8::7", 4000),
        ("[::1]", "::1", 4000),
        ("[fe80::1%eth0]:4000", "fe80::1%eth0", 4000),
        ("FE80::1%en0", "fe80::1%en0", 4000),
    ],
)
def test_a_place_is_an_address_with_or_without_a_port(text: str, address: str, port: int) -> None:
    assert introduction.place(text, 4000) == Endpoint(address, port)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "host:",
        "host:0",
        "host:65536",
        "host:x",
        "no host:1",
        "\x1b:1",
        "[fe80::1%]:1",
        "[fe80::1%\x1b]:1",
        "192.0.2.7%eth0:1",
        "host%eth0:1",
    ],
)
def test_what_is_no_place_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Sorry, match=r"\.$"):
        introduction.place(text, 4000)


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ((("127.0.0.1",), ("::1", "localhost")), "127.0.0.1"),
        ((("127.0.0.1",), ("192.0.2.7",)), "192.0.2.2"),
        ((("ann.example.org",),), "192.0.2.2"),
        ((), "192.0.2.2"),
    ],
)
def test_others_on_one_machine_are_told_of_an_address_of_that_machine(
    monkeypatch: pytest.MonkeyPatch, places: tuple[tuple[str, ...], ...], text: str
) -> None:
    monkeypatch.setattr(introduction, "own_addresses", lambda: ["192.0.2.2"])
    others = {
        seat: Place(tuple(Endpoint(host, 4000) for host in hosts), bytes(32))
        for seat, hosts in enumerate(places)
    }
    ours = introduction.addresses(None, 4001)
    assert introduction.heard_at(Route(others=others), ours) == Endpoint(text, 4001)


async def test_a_name_that_nobody_else_reads_is_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match against bots began with a question about a name for opponents."""
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    session = play_session(tmp_path, lines("Ben"), interactive=True)
    assert (
        await introduction.own_name(session, read=False) == "Player"
    )  # who may show the record to others later
    assert printed(session).getvalue() == ""
    assert not (session.home.settings() or {}).get("name")
    session.home.close()
