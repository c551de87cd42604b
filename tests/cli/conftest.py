"""Commands as a user calls them: arguments in, exit code and two streams out, in this very process."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from pathlib import Path
from unittest.mock import patch

import pytest
from prompt_toolkit.application import application
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.styles import Style, style

from cli.__main__ import main
from cli.games import packages
from cli.shell import parser
from cli.shell.commands import COMMANDS
from cli.table.seat.controller import TableController
from cli.text.language import ENGLISH, install, spoken
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES
from tests.golden.tables import Chronicle
from tests.helpers.links.ends import Ends
from tests.helpers.machine import forked
from tests.helpers.program.commands import HANGING, Call, Called, Input, ending_within, honest, other_mind
from tests.helpers.seats.pair import Decide, Table, any_decision
from tests.helpers.seats.receipts import give_receipts


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Whatever language a test has spoken, the next one begins in English."""
    yield
    install(ENGLISH)


@lru_cache(64)
def _style(*rules: tuple[str, str]) -> Style:
    made = Style(list(rules))
    made.get_attrs_for_style_str = cache(made.get_attrs_for_style_str)  # type: ignore[method-assign]
    return made


@pytest.fixture(scope="session", autouse=True)
def styles_once() -> Iterator[None]:
    """The toolkit works every look out anew for each application: 12 % of the time of a screen's test.  So it
    does its key bindings, which hold nothing of an application: 8 %.
    """
    with (
        patch.object(style, "Style", lambda rules: _style(*rules)),
        patch.object(application, "load_key_bindings", cache(load_key_bindings)),
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def command_line_once() -> Iterator[None]:
    """The command line of a few words is built once for each language and list of games: 4 ms, and all 20."""
    names, made = {spec.name for spec in COMMANDS}, parser.parser
    kept: dict[object, tuple[list[GameEntry], parser.Parser]] = {}

    def once(words: Collection[str] | None = None) -> parser.Parser:
        chosen = None if words is None else frozenset(names.intersection(words))
        entries = list(ENTRIES.values())
        key = chosen, spoken(), _("commands"), tuple(ENTRIES), tuple(map(id, entries))
        if key not in kept:
            kept[key] = entries, made(words)  # an entry that stays keeps its id for itself
        return kept[key][1]

    with patch.object(parser, "parser", once):
        yield


@pytest.fixture(scope="session", autouse=True)
def packages_once() -> Iterator[None]:
    """The packages of the environment are looked through once, which takes each command 3 ms."""
    described = packages.described
    kept = cache(lambda folder: tuple(described(folder)))

    def once(folder: str) -> Iterator[str]:
        return iter(kept(folder)) if folder.startswith(sys.prefix) else described(folder)

    with patch.object(packages, "described", once):
        yield


@pytest.fixture(scope="session")
def nursery() -> Iterator[None]:
    """Windows, and bots where a test asks for it, are forked from a process that has loaded the program."""
    with forked.nursery():
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the test's own, not made yet."""
    path = tmp_path / "home"
    monkeypatch.setenv("P2P_STRATEGO_HOME", str(path))
    return path


@pytest.fixture
def call(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """`call("audit", path, stdin=b"")`; no test touches the user's own home folder."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Called:
        monkeypatch.setattr(sys, "stdin", Input(stdin))
        capsys.readouterr()
        with ending_within(HANGING):
            code = main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        return Called(code, output.out, output.err)

    return run


def _played(seed: int, *, steps: int = 1_000_000, decide: Decide = honest) -> Table:
    return Table(seed, decide=decide).play(steps=steps)


def _unresponsive() -> bytes:
    table = _played(3, steps=40)
    for seat in table.seats:
        owed = seat.session.referee.owed
        if owed is not None and owed.seat != seat.seat:
            give_receipts(seat.session, {other.seat: other.identity for other in table.seats})
            seat.session.claim_away(90)
            seat.persist()
            return seat.transcript
    raise AssertionError("nobody waits for anybody")


def _flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of transcripts, by name, with the verdict that each must have."""
    folder = tmp_path_factory.mktemp("records")
    whole = _played(1)
    first, second = (seat.transcript for seat in whole.seats)
    fork, twin = _played(2, steps=30), _played(2, steps=30, decide=other_mind)
    contents = {
        "complete": first,
        "complete-too": second,
        "incomplete": _played(1, steps=40).seats[0].transcript,
        "torn": first[:-7],
        "cheated": _played(0, decide=any_decision).seats[0].transcript,
        "unresponsive": _unresponsive(),
        "tampered": _flipped(first, len(first) // 2),
        "fork": fork.seats[0].transcript,
        "fork-too": twin.seats[1].transcript,
        "future": first.replace(b"transcript 2\n", b"transcript 3\n", 1),
    }
    for name, data in contents.items():
        (folder / f"{name}.p2ps").write_bytes(data)
    return folder


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


@pytest.fixture
def tables(ends: Ends) -> tuple[TableController, TableController]:
    both = ends.table(0), ends.table(1)
    ends.connect()
    return both


@pytest.fixture
def chronicle(request: pytest.FixtureRequest) -> Iterator[Chronicle]:
    """What happens at tables and what they say: for `assert_as_kept`, which no test forgets."""
    failed = request.session.testsfailed
    story = Chronicle(request.path, request.node.originalname)
    yield story
    assert story.compared or request.session.testsfailed > failed
