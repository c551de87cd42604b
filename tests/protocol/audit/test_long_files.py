"""Long, legal files cost an auditor no more than their length says; `make bench` has the longest."""

from __future__ import annotations

import tracemalloc

import pytest

from p2p_stratego.registry import GAMES
from protocol.audit import proof
from protocol.audit.verdict import Verdict, audit
from protocol.wire import transcript
from tests.helpers.forgery import long_files

MOVES = 1500


@pytest.fixture(scope="module")
def chase() -> bytes:
    return long_files.long_chase(MOVES, chat=0).transcript


def test_row_47_memory_grows_with_the_file_and_not_with_its_square(chase: bytes) -> None:
    """Where each state kept the boards of its chase, 1,500 moves took 80 times the bytes of their file."""
    audit(chase, GAMES)
    tracemalloc.start()
    try:
        assert audit(chase, GAMES).verdict is Verdict.COMPLETE
        assert tracemalloc.get_traced_memory()[1] < 12 * len(chase)
    finally:
        tracemalloc.stop()


def test_what_long_files_come_to(chase: bytes) -> None:
    assert audit(chase, GAMES).checks.entries > MOVES
    assert audit(long_files.without_ends(chase), GAMES).verdict is Verdict.INCOMPLETE
    assert audit(long_files.many_statements(), GAMES).checks.statements == 2000
    cheated = audit(long_files.cheating_chase(100), GAMES)
    assert cheated.verdict is Verdict.CHEATED
    assert cheated.proof is not None
    assert proof.check(cheated.proof, GAMES) == cheated.fault


def test_row_47_empty_records_are_refused_at_the_first_and_not_kept() -> None:
    junk = (
        transcript.start(transcript.read(long_files.much_chat()).genesis) + long_files.EMPTY_RECORD * 50_000
    )
    tracemalloc.start()
    try:
        report = audit(junk, GAMES)
        assert tracemalloc.get_traced_memory()[1] < len(junk)
    finally:
        tracemalloc.stop()
    assert (report.verdict, report.at, report.size) == (Verdict.TAMPERED, 0, len(junk))
