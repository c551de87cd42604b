"""The trace: what is in it, where it may be written, and that no secret ever is (threat 38)."""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from cli.shell.exit_codes import Exit
from cli.shell.trace_log import VARIABLE, TraceLog, tracing
from protocol.record.asks.base import Decided
from protocol.rendezvous import invite as invites
from protocol.replication.replica import Replica
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import encode_decision
from protocol.storage.home import IDENTITY, Owner
from tests.helpers.links.peers import Table, owner, play_out, running, seated, two_stores, until
from tests.helpers.machine.spellings import spellings
from tests.helpers.program.commands import Call

CHAT = "canary in a coal mine 5f1d0c"
LINE = re.compile(r"\d+ \d+ [a-z]+( [a-z]+=[\w.:-]+)*", re.ASCII)
WORDS = {
    "frame": {"way", "kind", "size"},
    "link": {"state", "code"},
    "lost": {"why", "code", "loss", "errno"},
    "match": {"id", "seat", "seats"},
    "record": {"kind", "by", "seat", "number", "hash"},
    "sync": {"file", "size"},
    "write": {"file", "size"},
    "decision": set(),
    "linked": {"end"},
    "unlinked": {"why", "code", "loss", "end"},
    "status": {"now"},
    "start": {"version", "python", "system"},
}
"""The fields of every event of an ordinary match."""


def logged(path: Path) -> list[str]:
    return path.read_text(encoding="ascii").splitlines()


# Where it may be written


def test_a_new_log_is_for_its_owner_only_and_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "trace.log"
    for _ in range(2):
        with tracing(path) as log:
            assert log is not None
            log("event", number=1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [line.split()[2] for line in logged(path)] == ["start", "event"] * 2


def test_an_older_log_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "trace.log"
    path.write_text("")
    path.chmod(0o666)
    with tracing(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["link", "hard link", "pipe", "folder"])
def test_row_36_no_log_is_written_through_a_link_or_into_what_is_no_file(tmp_path: Path, what: str) -> None:
    precious, path = tmp_path / "precious", tmp_path / "trace.log"
    precious.write_text("keep me")
    match what:
        case "link":
            path.symlink_to(precious)
        case "hard link":
            path.hardlink_to(precious)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    with pytest.raises(OSError, match="trace"), tracing(path):
        raise AssertionError("it was opened")
    assert precious.read_text() == "keep me"


def test_without_a_file_nothing_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with tracing(None) as log:
        assert log is None


def test_a_log_that_cannot_be_written_any_more_is_given_up(tmp_path: Path) -> None:
    """At its first failed line, with its file closed: no line after that reaches whatever is opened next."""
    read_only = os.open(tmp_path, os.O_RDONLY)
    log = TraceLog(read_only)
    log("event")
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        os.fstat(read_only)
    path = tmp_path / "another file"
    reused = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    assert reused == read_only, "the system gives the lowest free number"
    log("event")
    log.close()
    assert os.fstat(reused).st_size == 0
    os.close(reused)


def test_only_numbers_and_short_names_are_written(tmp_path: Path) -> None:
    path = tmp_path / "trace.log"
    with tracing(path) as log:
        assert log is not None
        log("event", one="two words", two="x" * 41, three="\x1b[2J", four="", five="é", six=-1, seven="a-b.c")
    fields = logged(path)[-1].partition(" event ")[2]
    assert fields.split() == ["one=?", "two=?", "three=?", "four=?", "five=?", "six=-1", "seven=a-b.c"]


# The command line


@pytest.mark.parametrize("way", ["option", "environment"])
def test_a_command_is_traced_to_the_file_that_is_named(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    path = tmp_path / "trace.log"
    if way == "environment":
        monkeypatch.setenv(VARIABLE, str(path))
    more = ["--log", str(path)] if way == "option" else []
    assert call("play", "--name", "Anna", "--level", "recruit", *more, stdin=b"board\n").code == 0
    words = [line.split()[2] for line in logged(path)]
    assert words[:2] == ["start", "command"]
    assert {"match", "linked", "frame"} <= set(words)
    assert logged(path)[-1].endswith(" end code=0")


def test_an_error_is_traced_by_its_type(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "trace.log"
    assert call("replay", str(tmp_path / "missing"), "--log", str(path)).code == Exit.IO
    assert logged(path)[-1].endswith(" error why=FileNotFoundError")
    assert "missing" not in path.read_text()


def test_a_log_that_cannot_be_opened_is_told(call: Call, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    run = call("games", "--log", str(tmp_path / "link"))
    assert run.code == Exit.IO
    assert "link" in run.err
    assert not (tmp_path / "elsewhere").exists()


# What is in it


class Kept:
    """Two players with one log each, and everything that must not stand in it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.secrets: set[bytes] = {CHAT.encode(), b"Ada", b"Ben"}
        self.paths = [folder / f"{name}.log" for name in ("ada", "ben")]
        self.owners: list[Owner] = []
        self.logs: list[TraceLog] = []
        for path, name in zip(self.paths, ("Ada", "Ben"), strict=True):
            own = owner(folder / name.lower(), name)
            self._remember_entropy(own)
            with tracing(path):
                pass
            trace = TraceLog(os.open(path, os.O_WRONLY | os.O_APPEND))
            self.logs.append(trace)
            self.owners.append(replace(own, trace=trace))
        self._remember_decisions(monkeypatch)

    def _remember_entropy(self, own: Owner) -> None:
        drawn = own.home.entropy

        def entropy(length: int) -> bytes:
            self.secrets.add(data := drawn(length))
            return data

        own.home.entropy = entropy
        kept = load_pem_private_key((own.home.path / IDENTITY).read_bytes(), None)
        assert isinstance(kept, Ed25519PrivateKey)
        self.secrets |= {kept.private_bytes_raw(), kept.private_bytes_raw() + own.identity.key}

    def _remember_decisions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As the secrets file has them, and every choice that is too long to stand there by chance."""
        decide = Replica.decide

        def kept(replica: Replica, decided: Decided) -> None:
            self.secrets.add(encode_decision(replica.session.referee.table.serial, decided))
            if isinstance(decided, str) and len(decided) > 3:
                self.secrets.add(decided.encode())
            decide(replica, decided)

        monkeypatch.setattr(Replica, "decide", kept)

    def check(self) -> None:
        """No secret is in a log, in any spelling; and nothing but the known fields is."""
        for log in self.logs:
            log.close()
        assert len(self.secrets) > 10
        for path in self.paths:
            text = path.read_text(encoding="ascii")
            for secret in self.secrets:
                for shown in spellings(secret):
                    assert shown not in text
            for line in text.splitlines():
                assert LINE.fullmatch(line), line
                _, _, event, *fields = line.split()
                assert {field.partition("=")[0] for field in fields} <= WORDS[event], line


async def played(table: Table) -> None:
    """A match with chat, over TLS, to its end."""
    async with running(*table.peers):
        for peer in table.peers:
            await until(peer, lambda peer=peer: peer.replica.session.live)  # type: ignore[misc]
            peer.replica.say(CHAT)
        await play_out(table.peers)


async def test_row_38_no_secret_of_a_match_stands_in_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(tmp_path, monkeypatch)
    async with seated(*kept.owners) as table:
        kept.secrets |= {table.invite.secret, invites.write(table.invite).encode(), table.invite.certificate}
        await played(table)
        steps = [step for peer in table.peers for step in peer.replica.session.referee.table.history]
    assert steps
    kept.check()
    text = kept.paths[0].read_text()
    for event in ("frame", "record", "sync", "decision", "status"):
        assert f" {event}" in text


def test_row_38_the_trace_of_a_decision_does_not_depend_on_it(tmp_path: Path) -> None:
    """How long a record of the secrets file is depends on the decision."""
    lines: list[tuple[str, dict[str, int | str]]] = []

    def trace(event: str, /, **fields: int | str) -> None:
        lines.append((event, fields))

    store, other = two_stores(tmp_path)
    other.close()
    store.trace = trace
    for decided in ("", "a long choice", (1, 2, 3)):
        store.execute([Output(Duty.SECRET, encode_decision(1, decided))])
    store.close()
    assert lines == [("sync", {"file": "secrets"})] * 3
