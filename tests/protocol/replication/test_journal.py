"""The journal of calls: what is under way to each seat, and how each address answered last."""

from __future__ import annotations

from protocol.failures import Code, Refused
from protocol.replication.journal import NOTHING, Journal, Step
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint

ONE, OTHER, NEW = (Endpoint("192.0.2.1", port) for port in (1, 2, 3))
PLACE = Place((ONE, OTHER), bytes(32))


class Time:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_each_step_of_a_call_is_noted_with_its_moment() -> None:
    time = Time()
    journal = Journal(time)
    journal.waits(1, 15.0)
    assert journal.of(1, PLACE).until == 15.0
    note = journal.report(1)
    note(ONE, Step.CALLING, None)
    note(OTHER, Step.CALLING, None)
    entries = journal.of(1, PLACE)
    assert (entries.under_way, entries.until) == ((ONE, OTHER), None)
    time.now = 12.0
    failure = ConnectionRefusedError()
    note(ONE, Step.FAILED, failure)
    journal.ended(1)
    entries = journal.of(1, PLACE)
    assert entries.under_way == ()
    queue, other = entries.to(ONE), entries.to(OTHER)
    assert queue is not None
    assert (queue.step, queue.at, queue.failure) == (Step.FAILED, 12.0, failure)
    assert other is not None
    assert other.step is Step.UNANSWERED
    assert entries.to(NEW) is None
    assert journal.of(0, None) == NOTHING


def test_addresses_of_another_place_are_forgotten_and_a_refusal_is_of_who_answered() -> None:
    journal = Journal(Time())
    journal.report(1)(ONE, Step.ANSWERED, None)
    refusal = Refused(Code.LEFT)
    journal.refused(1, refusal)
    attempt = journal.of(1, PLACE).to(ONE)
    assert attempt is not None
    assert (attempt.step, attempt.failure) == (Step.FAILED, refusal)
    assert journal.of(1, Place((NEW,), bytes(32))).attempts == ()
    journal.refused(0, refusal)
    assert journal.of(0, PLACE).attempts == ()


def test_the_search_for_a_better_way_ends_without_ending_another_wait() -> None:
    journal = Journal(Time())
    journal.waits(1, 20.0, better=True)
    assert journal.of(1, PLACE).better
    journal.settled(1)
    assert journal.of(1, PLACE).until is None
    journal.waits(1, 30.0)
    journal.settled(1)
    assert (journal.of(1, PLACE).until, journal.of(1, PLACE).better) == (30.0, False)
