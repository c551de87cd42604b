"""Long checks of frames from a link, beside the event loop (threat 112).

A process checks a heavy proof about cards, a thread checks a PROOF.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

import trio

from protocol.crypto.group.received import ProofError
from protocol.crypto.workers import Pool, PoolClosed
from protocol.record.referee import Referee
from protocol.replication.gossip import End, RipeRecord
from protocol.replication.proofs import Judgement, Trial
from protocol.seat.jobs import HEAVY, proof_in
from protocol.wire.encoding import Frame


class Copy(Protocol):
    """A copy of a match, a Replica or an Onlooker, that takes frames and leaves long work to its caller."""

    @property
    def referee(self) -> Referee:
        """The referee of the present match; a return match has another."""

    def received(self, frames: list[Frame], end: End) -> None:
        """Take frames from `end`."""

    def work(self) -> Trial | RipeRecord | None:
        """The next long check for the frames that came, or None."""

    def ripened(self, ripe: RipeRecord) -> None:
        """Go on with a record that came early, whose proof was checked."""

    def judged(self, trial: Trial, judgement: Judgement, end: End) -> None:
        """Go on with a PROOF that was judged; `end`: its sender."""


class Checks:
    """Checks with the processes of `pool`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def take(self, copy: Copy, frames: list[Frame], end: End) -> Callable[[], Awaitable[None]] | None:
        """Hand frames from `end` to `copy` at once; return the call that goes on with a long check."""
        if any(len(frame.payload) >= HEAVY for frame in frames):
            return partial(self._take_heavy, copy, frames, end)
        copy.received(frames, end)
        work = copy.work()
        return None if work is None else partial(self._do, copy, work, end)

    async def _take_heavy(self, copy: Copy, frames: list[Frame], end: End) -> None:
        """Hand frames to `copy`; a heavy proof is checked in a process before its record is admitted."""
        ready: list[Frame] = []
        for frame in frames:
            if len(frame.payload) >= HEAVY:
                copy.received(ready, end)
                ready = []
                await self._check(copy, frame)
            ready.append(frame)
        copy.received(ready, end)
        await self._do(copy, copy.work(), end)

    async def _check(self, copy: Copy, frame: Frame) -> None:
        """Check and remember the proof in a frame; admission refuses a false proof."""
        statement = proof_in(copy.referee, frame)
        if statement is not None:
            with suppress(ProofError, PoolClosed):
                await trio.to_thread.run_sync(self._pool.check, statement, abandon_on_cancel=True)

    async def _do(self, copy: Copy, work: Trial | RipeRecord | None, end: End) -> None:
        """Do `work`, and all work that follows from it."""
        while work is not None:
            if isinstance(work, Trial):
                judgement = await trio.to_thread.run_sync(work.run, abandon_on_cancel=True)
                copy.judged(work, judgement, end)
            else:
                await self._check(copy, work.record.frame)
                copy.ripened(work)
            work = copy.work()
