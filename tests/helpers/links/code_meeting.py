"""Both ends of a meeting by short code, frame by frame; somebody between them may meddle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from protocol.channel import tls
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.lobby.code_exchange import OpenCode
from protocol.lobby.handshake import Person
from protocol.lobby.introductions import Caller, Desk, code_dialogue
from protocol.rendezvous.short_code import ShortCode
from protocol.storage.home import Owner
from protocol.wire.addresses import Address, Endpoint
from protocol.wire.encoding import Frame

CERTIFICATE: Final = tls.make()
BINDING, OTHER_BINDING = b"b" * 64, b"o" * 64
CODE: Final = ShortCode(7, ("amber", "violin"))
W, WRONG = (12345).to_bytes(32, "little"), (54321).to_bytes(32, "little")
"""The scalar of the code, as if, and that of other words: the true ones take a tenth of a second."""
PLACE: Final = (Endpoint("192.0.2.1", 4000),)
LIFE: Final = 600.0


def counter(owner: Owner, uses: int = 1) -> Desk:
    """A desk with a short code that is good for LIFE seconds from 0 on."""
    desk = Desk(owner, CERTIFICATE, 4000)
    desk.addresses = PLACE
    desk.code = OpenCode(CODE, W, LIFE, uses)
    return desk


@dataclass
class Met:
    """What came of it: each end's result, or why it broke off; `frames`: those sent, with the sender."""

    host: Caller | Refusal | Failure | None = None
    caller: tuple[Person, tuple[Address, ...]] | Refusal | Failure | None = None
    frames: list[tuple[str, Frame]] = field(default_factory=list)


Meddle = Callable[[str, Frame], Frame | None]
"""Is given who says a frame, and the frame; returns what arrives, or nothing."""


def honestly(_: str, frame: Frame) -> Frame:
    """All as it was sent."""
    return frame


def meet(
    desk: Desk,
    caller: Owner,
    scalar: bytes = W,
    *,
    now: float = 0.0,
    binding: bytes = BINDING,
    meddle: Meddle = honestly,
) -> Met:
    """A caller with `scalar` at `desk`; `binding`: what the caller's end is bound to."""
    met = Met()
    under_way: dict[str, deque[Frame]] = {"host": deque(), "caller": deque()}

    def say(who: str) -> Callable[[Frame], None]:
        def sends(frame: Frame) -> None:
            met.frames.append((who, frame))
            arriving = meddle(who, frame)
            if arriving is not None:
                under_way["caller" if who == "host" else "host"].append(arriving)

        return sends

    ends = {
        "caller": code_dialogue(say("caller"), binding, caller, scalar),
        "host": desk.greeting(say("host"), BINDING, None, lambda: now),
    }
    running = set(ends)
    for end in ends.values():
        next(end)
    while any(under_way[who] for who in running):
        for who in sorted(running):
            if not under_way[who]:
                continue
            try:
                ends[who].send(under_way[who].popleft())
            except StopIteration as stop:
                setattr(met, who, stop.value)
            except (Refusal, Failure) as error:
                setattr(met, who, error)
            else:
                continue
            running.discard(who)
    for end in ends.values():
        end.close()  # its connection ends
    return met
