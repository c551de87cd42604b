"""Commands as a user calls them: their input and their results."""

from __future__ import annotations

import io
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from p2p_stratego.core.game import Choose, Decision
from protocol.record.asks.base import Decided
from protocol.seat.session import Session


@dataclass(frozen=True)
class Called:
    """The results of a command."""

    code: int
    out: str
    err: str


Call = Callable[..., Called]


class Input(io.TextIOWrapper):
    """Standard input from bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


HANGING = 60
"""Seconds after which a hanging command fails its test, so that the whole run goes on."""


@contextmanager
def ending_within(seconds: int) -> Iterator[None]:
    """Fail if the block hangs: a watchdog, not a measurement."""

    def bark(*_: object) -> None:
        raise AssertionError(f"the command still runs after {seconds} s")

    before = signal.signal(signal.SIGALRM, bark)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def honest(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """Any deployment from the hand, any offered move."""
    if isinstance(decision, Choose):
        return rng.choice(list(decision.options))
    resting = session.referee.table.state.exhausted[decision.seat]
    hand = [face for face in decision.faces if face not in resting]
    return tuple(sorted(rng.sample(hand, len(decision.slots))))


def other_mind(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """The same as `honest`, but with decisions that differ from those of its twin with the same keys."""
    return honest(session, decision, random.Random(rng.random()))
