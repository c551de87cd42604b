"""The moment of a proof's check: at once, beforehand in another process, or later.

A proof is a value that another process can read.  `settle` checks a proof here and now, unless a worker has
checked it before (`remember`), or an auditor collects proofs to check them together (`deferring`).  The
memory holds only that a pure function raised nothing for these very bytes, so it changes no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol

from protocol.crypto.group.received import ProofError

REMEMBERED: Final = 256
"""Proofs kept as checked: more than wait for their admission at any time; the longest have 31 kB each."""


BATCH: Final = 1024
"""Proofs left for later at one time: an auditor's memory must not grow with the file (threat 47)."""


class Contradiction(Exception):
    """At least one of the proofs left for later is false."""


class CardProof(Protocol):
    """A proof about cards, together with its statement; hashable, comparable and picklable."""

    def verify(self) -> None:
        """Raise ProofError unless all received points and scalars are well formed, and the proof holds."""


_verified: Final[dict[tuple[type[CardProof], CardProof], None]] = {}


class _Later:
    """The proofs left to check."""

    def __init__(self, hold: Callable[[Sequence[CardProof]], bool] | None) -> None:
        self.left: list[CardProof] = []
        self._hold = hold

    def add(self, statement: CardProof) -> None:
        self.left.append(statement)
        if self._hold is not None and len(self.left) >= BATCH:
            if not self._hold(self.left):
                raise Contradiction
            self.left.clear()


_deferred: ContextVar[_Later | None] = ContextVar("deferred", default=None)
_keeping: ContextVar[bool] = ContextVar("keeping", default=False)
_again: ContextVar[bool] = ContextVar("again", default=False)


def settle(statement: CardProof) -> bool:
    """Check a proof, or leave it for later; True if it is checked.  Raises ProofError if it is false."""
    if _again.get():
        return True
    deferred = _deferred.get()
    if deferred is not None:
        deferred.add(statement)
        return False
    if (type(statement), statement) not in _verified:
        statement.verify()
        if _keeping.get():
            remember(statement)
    return True


def remember(statement: CardProof) -> None:
    """Take note that a proof is checked: the caller saw `verify` return in another process."""
    while len(_verified) >= REMEMBERED:
        _verified.pop(next(iter(_verified)), None)
    _verified[type(statement), statement] = None


def forget() -> None:
    """Remember nothing: for figures of how long checks take."""
    _verified.clear()


def is_remembered(statement: CardProof) -> bool:
    """Whether the proof needs no check any more."""
    return (type(statement), statement) in _verified


@contextmanager
def deferring(hold: Callable[[Sequence[CardProof]], bool] | None = None) -> Iterator[list[CardProof]]:
    """Until the end of the block nothing is checked; the list collects what is left to check, in order.

    `hold` judges BATCH proofs at a time: if they hold, the list forgets them, else Contradiction is raised.
    Without `hold` the list keeps all.  Received points are still checked.  All computation goes on as if the
    proofs held, so behind a false proof anything may fail: a caller takes any exception as a reason to judge
    again with every check.
    """
    later = _Later(hold)
    token = _deferred.set(later)
    try:
        yield later.left
    finally:
        _deferred.reset(token)


def all_hold(statements: Iterable[CardProof]) -> bool:
    """Whether every proof holds; the first false proof ends the checks."""
    try:
        for statement in statements:
            statement.verify()
    except ProofError:
        return False
    return True


@contextmanager
def admitted_before() -> Iterator[None]:
    """Until the end of the block no proof is checked: for records that this seat has admitted already.

    A copy that reads its own record again must not stand still for as long as all checks of the match took: a
    seat could force that by a late answer, which makes the others rewind (SPEC 8.4).
    """
    token = _again.set(True)
    try:
        yield
    finally:
        _again.reset(token)


@contextmanager
def keeping() -> Iterator[None]:
    """Until the end of the block no proof is checked twice in this process, however many ends live in it."""
    token = _keeping.set(True)
    try:
        yield
    finally:
        _keeping.reset(token)
