"""Long checks of what comes over a link, beside the event loop (threat 112): of a heavy proof about cards in
a process, of a PROOF in a thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

import trio

from protocol.crypto.group.received import ProofError
from protocol.crypto.workers import Closed, Pool
from protocol.network.gossip import End
from protocol.network.proofs import Judgement, Trial
from protocol.record.referee import Referee
from protocol.seat.works import HEAVY, proof_in
from protocol.wire.encoding import Frame


class Copy(Protocol):
    """The copy of a match that takes frames: a Replica or an Onlooker whose `trial` is called after each."""

    @property
    def referee(self) -> Referee:
        """Of the match of now: a return match has another one."""

    def received(self, frames: list[Frame], end: End) -> None:
        """Take frames from `end`."""

    def trial(self) -> Trial | None:
        """A PROOF that can be judged now."""

    def judged(self, trial: Trial, found: Judgement, end: End) -> None:
        """It was; `end`: whose frames led to it."""


class Checks:
    """Checks with the processes of `pool`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def take(self, copy: Copy, frames: list[Frame], end: End) -> Callable[[], Awaitable[None]] | None:
        """Hand frames from `end` to `copy` at once; where that takes long, return what goes on with it."""
        if any(len(frame.payload) >= HEAVY for frame in frames):
            return partial(self._take_heavy, copy, frames, end)
        copy.received(frames, end)
        trial = copy.trial()
        return None if trial is None else partial(self._judge, copy, trial, end)

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
        await self._judge(copy, copy.trial(), end)

    async def _check(self, copy: Copy, frame: Frame) -> None:
        """Have the proof in a frame checked and remembered; a false one is refused when it is admitted."""
        statement = proof_in(copy.referee, frame)
        if statement is not None:
            with suppress(ProofError, Closed):
                await trio.to_thread.run_sync(self._pool.check, statement, abandon_on_cancel=True)

    async def _judge(self, copy: Copy, trial: Trial | None, end: End) -> None:
        """Judge `trial`, and those after it."""
        while trial is not None:
            found = await trio.to_thread.run_sync(trial.run, abandon_on_cancel=True)
            copy.judged(trial, found, end)
            trial = copy.trial()
