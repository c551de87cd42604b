"""kill -9 from within, in the middle of one message: while it is made, written, synced or sent.

`working`: another process makes our shuffle; `half`: half of the record is in the file; `written`: all of it,
not synced; `synced`: nobody has it yet; `sent`: one link has it, perhaps, and nobody else.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from functools import wraps
from threading import Timer
from typing import Any, Final

from p2p_stratego.core.game import Seat
from protocol.crypto.proofs.shuffle import ShuffleJob
from protocol.crypto.workers import Job, Pool
from protocol.network.link import Link
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.storage.files import Log
from protocol.wire.encoding import ENTRY, Deframer
from tests.campaigns.chaos.player import say

MOMENTS: Final = ("working", "half", "written", "synced", "sent")
MESSAGES: Final = ("Keys", "Shuffled", "Tokens", "Moved", "Opened", "Proved", "Laid", "answer")
"""What a process can be killed over; `answer`: a Choice that interrupts the turn of another player."""
_MADE_WITHIN: Final = 0.005
"""Seconds after which the process dies that waits for its shuffle."""
_ANSWERS: Final = {
    "pass",
    "papers",
    "cover",
    "escape",
    "double-cross",
    "intercept",
    "cousin",
    "not",
    "accept",
}


@dataclass(frozen=True, slots=True)
class Dagger:
    """Kills the process over its own `nth` message of a kind, at one of MOMENTS."""

    what: str
    nth: int
    moment: str


class Wound:
    """Where one process dies."""

    def __init__(self, dagger: Dagger, seat: Seat) -> None:
        self._dagger, self._seat = dagger, seat
        self._left = dagger.nth
        self._armed = False
        """Whether the message is written: it is sent next."""

    def install(self) -> None:
        """From now on this process dies over that message."""
        if self._dagger.moment == "working":
            _instead(Pool, "run", self._run)
            return
        _instead(Log, "append", self._append)
        _instead(Link, "send", self._send)

    def _run(self, run: Any, pool: Pool, job: Job[Any]) -> Any:
        if isinstance(job, ShuffleJob):
            self._left -= 1
            if self._left == 0:
                Timer(_MADE_WITHIN, self._die).start()
        return run(pool, job)

    def _append(self, append: Any, log: Log, data: bytes, *, durable: bool = True) -> None:
        due = self._due(data)
        if due and self._dagger.moment == "half":
            append(log, data[: len(data) // 2], durable=False)
            self._die()
        if due and self._dagger.moment == "written":
            append(log, data, durable=False)
            self._die()
        append(log, data, durable=durable)
        if due and self._dagger.moment == "synced":
            self._die()
        self._armed = self._armed or due

    def _send(self, send: Any, link: Link, data: bytes) -> None:
        send(link, data)
        if self._armed:
            self._die()

    def _die(self) -> None:
        say("struck", over=self._dagger.what, moment=self._dagger.moment)
        os.kill(os.getpid(), signal.SIGKILL)

    def _due(self, data: bytes) -> bool:
        """Whether the message is among these records."""
        is_due = False
        for frame in Deframer().feed(data):
            if frame.kind != ENTRY or (entry := parse_entry(frame.payload)).seat != self._seat:
                continue
            message = CODEC.parse(entry.message)
            answer = isinstance(message, Choice) and message.move.split()[0] in _ANSWERS
            if self._dagger.what == ("answer" if answer else type(message).__name__):
                self._left -= 1
                is_due = is_due or self._left == 0
        return is_due


def _instead(owner: type, name: str, method: Any) -> None:
    """From now on `method` is called, with the old one as its first argument."""
    before = getattr(owner, name)

    @wraps(before)
    def called(*args: Any, **more: Any) -> Any:
        return method(before, *args, **more)

    setattr(owner, name, called)
