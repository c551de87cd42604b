"""The seconds of CPU that a flood of frames costs."""

from __future__ import annotations

import gc
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from protocol.crypto.keys import Identity, verify
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.limits import CHUNK
from protocol.wire import labels
from protocol.wire.encoding import Frame
from tests.helpers.crypto.computed_once import computed_anew

MIB = 2**20
MOST = 1.0
"""Seconds of CPU a MiB."""
SHARE = 0.2
"""Of a second, for connections."""
LONGEST = 0.05
"""Seconds that one hold of the event loop takes at most."""


def verification() -> float:
    """Seconds that it takes here and now to verify a signature; 50 to 100 millionths on a machine at rest."""
    identity, took = Identity(secrets.token_bytes(32)), []
    with computed_anew():  # tests remember what they have signed
        for number in range(100):
            text = number.to_bytes(150, "big")
            signature = identity.sign(labels.SIGN_STATEMENT, text)
            began = time.process_time()
            assert verify(identity.key, labels.SIGN_STATEMENT, text, signature)
            took.append(time.process_time() - began)
    return sorted(took)[len(took) // 2]


@dataclass
class Cost:
    """What frames of one kind have cost."""

    name: str
    size: int = 0
    frames: int = 0
    seconds: float = 0.0
    holds: list[float] = field(default_factory=list)
    clock: float = 0.0
    """Of connections, whose number a second is bounded: the seconds that all of them take at least."""

    @property
    def rate(self) -> float:
        """Seconds a MiB."""
        return self.seconds * MIB / max(1, self.size)

    @property
    def longest(self) -> float:
        """Of all holds, but for the two longest of many: another process, or the collector, can be in one."""
        return sorted(self.holds)[-3 if len(self.holds) >= 20 else -1] if self.holds else 0.0

    @property
    def kept(self) -> bool:
        """Whether it is within both bounds."""
        often = self.seconds <= SHARE * self.clock if self.clock else self.rate <= MOST
        return often and self.longest <= LONGEST

    def __str__(self) -> str:
        return (
            f"{self.name:64} {self.frames:6} frames {self.size / 1024:7.0f} KiB {self.rate:7.2f} s/MiB"
            f" {1000 * self.longest:7.1f} ms{'' if self.kept else '   OVER'}"
        )


def measured(
    name: str,
    frames: Iterable[Frame],
    take: Callable[[list[Frame]], object],
    again: Callable[[Refusal | Failure], object] = lambda _: None,
    more: int = 0,
) -> Cost:
    """Hand `frames` to `take` as they come over a link, 16 KiB at a time; after a refusal call `again`.

    `more`: bytes on the wire beside each frame.
    """
    cost, batches = Cost(name), list[list[Frame]]([[]])
    for frame in frames:
        if batches[-1] and sum(map(len, batches[-1])) + len(frame) > CHUNK:
            batches.append([])
        batches[-1].append(frame)
    gc.collect()  # the rubbish of the kind before is not this one's cost
    for batch in batches:
        began, refused = time.process_time(), None
        try:
            take(batch)
        except (Refusal, Failure) as error:
            refused = error
        cost.holds.append(time.process_time() - began)
        if refused is not None:
            again(refused)
        cost.size += sum(len(frame) + more for frame in batch)
        cost.frames += len(batch)
    cost.seconds = sum(cost.holds)
    return cost
