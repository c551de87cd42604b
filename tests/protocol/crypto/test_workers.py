"""Processes that check and shuffle: the same answers as here, and no loss when one of them dies."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import workers
from protocol.crypto.group.nonces import Nonces
from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs import card, shuffle
from protocol.crypto.proofs.shuffle import ShuffleJob, ShuffleProof
from protocol.crypto.proofs.verification import (
    CardProof,
    all_hold,
    deferring,
    is_remembered,
    keeping,
)
from protocol.crypto.workers import Pool, PoolClosed, Verification, Worker
from tests.helpers.crypto.deck import Seats

SEATS = Seats(2)
CTX = SEATS.context(5, 0)
DECK = SEATS.deck(range(3))


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(1) as single:
        yield single


def statement(serial: int) -> ShuffleProof:
    """A true one; the serial keeps what one test remembers from another."""
    ctx = SEATS.context(serial, 0)
    after, proof = shuffle.shuffle(ctx, SEATS.joint, DECK, SEATS.nonces[0])
    return ShuffleProof(ctx, SEATS.joint, card.joined(DECK), after, proof)


def shuffling() -> ShuffleJob:
    return ShuffleJob(CTX, SEATS.joint, card.joined(DECK), None, Nonces(SEATS.masters[0], SEATS.game, 0))


def test_a_shuffle_made_in_a_process_is_one(pool: Pool) -> None:
    after, proof = pool.run(shuffling())
    assert len(shuffle.check(CTX, SEATS.joint, DECK, after, proof)) == 3


def test_a_true_proof_is_remembered_and_a_false_one_is_refused_every_time(pool: Pool) -> None:
    true = statement(6)
    false = true._replace(ctx=SEATS.context(7, 0))
    pool.check(true)
    assert is_remembered(true)
    for _ in range(2):
        with pytest.raises(ProofError, match="wrong-shuffle"):
            pool.check(false)
    assert not is_remembered(false)


def test_what_is_remembered_is_not_checked_again(monkeypatch: pytest.MonkeyPatch, pool: Pool) -> None:
    true = statement(8)
    pool.check(true)
    monkeypatch.setattr(ShuffleProof, "verify", pytest.fail)
    verdict = shuffle.check(true.ctx, true.key, DECK, true.after, true.proof)
    assert card.joined(verdict) == true.after
    pool.check(true)


def test_row_76_the_work_of_a_process_that_was_killed_is_done_here(pool: Pool) -> None:
    pool.run(Verification(statement(9)))
    [worker] = pool.workers
    os.kill(worker.process.pid, signal.SIGKILL)
    worker.process.wait()
    pool.run(Verification(statement(10)))
    with pytest.raises(ProofError, match="not-a-message"):
        pool.run(Verification(statement(11)._replace(proof=b"")))


def test_a_process_that_cannot_be_started_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "COMMAND", ("/no such program",))
    with Pool(1) as alone:
        alone.check(statement(12))
        with pytest.raises(ProofError):
            alone.check(statement(13)._replace(proof=b""))


def long_one(serial: int) -> ShuffleProof:
    """Of 20 cards, so that two processes share its check."""
    ctx, deck = SEATS.context(serial, 0), SEATS.deck(range(20))
    after, proof = shuffle.shuffle(ctx, SEATS.joint, deck, SEATS.nonces[0])
    return ShuffleProof(ctx, SEATS.joint, card.joined(deck), after, proof)


@given(most=st.integers(1, 30))
def test_the_parts_of_a_check_cover_all_places_once(most: int) -> None:
    parts = long_one(15).parts(most)
    assert [place for part in parts for place in range(part.first, part.last)] == [*range(20)]
    assert len(parts) <= most


def test_two_processes_share_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Any] = []
    done = Pool.run

    def run(pool: Pool, job: Any) -> Any:
        jobs.append(job)
        return done(pool, job)

    monkeypatch.setattr(Pool, "run", run)
    true = long_one(16)
    first, last = (card.CARD_BYTES * place for place in (3, 17))
    false = [
        true._replace(after=true.after[: at + 32] + true.after[at + 64 :][:32] + true.after[at + 64 :])
        for at in (first, last)
    ]
    with Pool(2) as two:
        two.check(true)
        assert is_remembered(true)
        assert sorted((job.first, job.last) for job in jobs) == [(0, 10), (10, 20)]
        for lie in false:
            with pytest.raises(ProofError, match="wrong-shuffle"):
                two.check(lie)
        for at in (0, 31, 32 * 20, 32 * 40 - 1):  # no point any more: the first place's, the last's
            broken = true.proof[:at] + b"\xff" + true.proof[at + 1 :]
            with pytest.raises(ProofError, match="not-a-message"):
                two.check(true._replace(proof=broken))


@pytest.mark.parametrize("parts", [1, 2])
def test_a_part_refuses_what_the_whole_refuses(parts: int) -> None:
    true = long_one(17)
    pieces = true.parts(parts)
    true.conclude([piece.run() for piece in pieces])
    with pytest.raises(ProofError, match="wrong-shuffle"):
        true.conclude([piece.run() for piece in long_one(18).parts(parts)])


def test_many_threads_share_few_processes() -> None:
    statements = [statement(serial) for serial in range(20, 26)]
    with Pool(2) as two:
        threads = [Thread(target=two.check, args=(statement,)) for statement in statements]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(map(is_remembered, statements))


def test_a_bug_in_a_process_is_raised_here_and_not_called_a_refusal(pool: Pool) -> None:
    with pytest.raises(AttributeError):
        pool.run(Verification(None))  # type: ignore[arg-type]  # that is the bug
    pool.check(statement(14))


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="only Linux shows command lines there")
def test_row_76_no_secret_stands_on_a_command_line(pool: Pool) -> None:
    pool.run(shuffling())
    [worker] = pool.workers
    line = Path(f"/proc/{worker.process.pid}/cmdline").read_bytes()
    assert line.split(b"\0")[1:-1] == [b"-P", b"-m", b"protocol.crypto.worker"]


def test_row_76_a_process_ends_with_the_pipe_to_it() -> None:
    worker = Worker()
    worker.jobs.close()
    assert worker.process.wait(timeout=60) == 0
    worker.end()


def test_an_auditor_collects_what_it_does_not_check(monkeypatch: pytest.MonkeyPatch) -> None:
    true = statement(15)
    monkeypatch.setattr(ShuffleProof, "verify", pytest.fail)
    with deferring() as left:
        verdict = shuffle.check(true.ctx, true.key, DECK, true.after, true.proof)
        with pytest.raises(ProofError, match="not-a-message"):
            shuffle.check(true.ctx, true.key, DECK, bytes(len(true.after)), true.proof)
    assert card.joined(verdict) == true.after
    assert left[0] == true


def test_ends_in_one_process_can_share_their_checks() -> None:
    true = statement(16)
    with keeping():
        shuffle.check(true.ctx, true.key, DECK, true.after, true.proof)
    assert is_remembered(true)
    assert not is_remembered(true._replace(key=SEATS.keys[0]))


def test_a_closed_pool_does_nothing_more() -> None:
    """Also for a thread that waits for an answer, as when a match is left in the middle of a shuffle."""
    pool = Pool(1)
    pool.check(statement(30))
    [worker] = pool.workers
    os.kill(worker.process.pid, signal.SIGSTOP)  # it never answers
    raised, handed = list[Exception](), Event()

    class Handed(Verification):
        """A check that tells when it is pickled for its process."""

        def __reduce__(self) -> tuple[type[Verification], tuple[CardProof]]:
            handed.set()
            return Verification, (self.statement,)

    def wait() -> None:
        try:
            pool.run(Handed(statement(31)))
        except PoolClosed as error:
            raised.append(error)

    thread = Thread(target=wait)
    thread.start()
    assert handed.wait(60)
    pool.close()
    thread.join()
    assert len(raised) == 1
    with pytest.raises(PoolClosed):
        pool.check(statement(32))


def test_a_process_that_is_being_started_while_its_pool_is_closed_ends_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when a match is left just then: the thread that starts it is waited for by nobody."""
    starting, go_on = Event(), Event()
    begun: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def slow(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
        starting.set()
        go_on.wait()
        begun.append(start(*args, **options))
        return begun[0]

    monkeypatch.setattr(workers.subprocess, "Popen", slow)  # type: ignore[attr-defined]
    pool = Pool(1)

    def work() -> None:
        with pytest.raises(PoolClosed):
            pool.check(statement(35))
        raised.set()

    raised = Event()
    threads = [Thread(target=work), Thread(target=pool.close)]
    threads[0].start()
    starting.wait()
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join()
    assert raised.is_set()
    assert begun[0].returncode is not None


def test_all_proofs_hold_or_one_does_not() -> None:
    true = [statement(33), statement(34)]
    assert all_hold(true)
    assert not all_hold([*true, true[0]._replace(proof=b"")])
