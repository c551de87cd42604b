"""Commands as a user calls them: arguments in, exit code and two streams out, in this very process."""

from __future__ import annotations

import io
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.__main__ import main
from cli.table.controller import TableController
from p2p_stratego.core.game import Choose, Decision
from protocol.seat.secrets import Decided
from protocol.seat.session import Session
from tests.helpers.ends import Ends
from tests.helpers.pair import Decide, Table, any_decision


@dataclass(frozen=True)
class Called:
    """What a command left behind."""

    code: int
    out: str
    err: str


Call = Callable[..., Called]


class Input(io.TextIOWrapper):
    """Standard input from bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


HANGING = 60
"""Seconds after which a command that waits for ever is a failure, instead of the end of the whole run."""


@contextmanager
def ending_within(seconds: int) -> Iterator[None]:
    """Fail loudly if the block hangs: a watchdog, no measure of anything."""

    def bark(*_: object) -> None:
        raise AssertionError(f"the command still runs after {seconds} s")

    before = signal.signal(signal.SIGALRM, bark)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


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
        told = capsys.readouterr()
        return Called(code, told.out, told.err)

    return run


def honest(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """Any deployment that is in hand, any move on offer."""
    if isinstance(decision, Choose):
        return rng.choice(list(decision.options))
    resting = session.referee.table.state.exhausted[decision.seat]
    hand = [face for face in decision.faces if face not in resting]
    return tuple(sorted(rng.sample(hand, len(decision.slots))))


def other_mind(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """As honest, but never the same decisions as its twin makes with the same keys."""
    return honest(session, decision, random.Random(rng.random()))


def _played(seed: int, *, steps: int = 1_000_000, decide: Decide = honest) -> Table:
    return Table(seed, decide=decide).play(steps=steps)


def _unresponsive() -> bytes:
    table = _played(3, steps=40)
    for seat in table.seats:
        owed = seat.session.referee.owed
        if owed is not None and owed.seat != seat.seat:
            seat.session.claim_away(90)
            seat.persist()
            return seat.transcript
    raise AssertionError("nobody waits for anybody")


def _flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of transcripts, by name: what each of them must be found to be."""
    folder = tmp_path_factory.mktemp("records")
    whole = _played(1)
    one, two = (seat.transcript for seat in whole.seats)
    fork, twin = _played(2, steps=30), _played(2, steps=30, decide=other_mind)
    contents = {
        "complete": one,
        "complete-too": two,
        "incomplete": _played(1, steps=40).seats[0].transcript,
        "torn": one[:-7],
        "cheated": _played(0, decide=any_decision).seats[0].transcript,
        "unresponsive": _unresponsive(),
        "tampered": _flipped(one, len(one) // 2),
        "fork": fork.seats[0].transcript,
        "fork-too": twin.seats[1].transcript,
        "future": one.replace(b"transcript 1\n", b"transcript 2\n", 1),
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
