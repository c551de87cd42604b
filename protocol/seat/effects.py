"""What passes between a session and whoever persists and sends for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Duty(Enum):
    """What must be done with an Output before the next one is looked at."""

    SECRET = "secret"  # noqa: S105  # the name of a duty, no password
    """Append to the secrets file and sync."""
    RECORD = "record"
    """Append to the log and sync; it came from another seat."""
    SEND = "send"
    """Append to the log and sync, then send."""


@dataclass(frozen=True, slots=True)
class Output:
    """One thing to persist; `data` is a record of the secrets file for SECRET, else a whole frame."""

    duty: Duty
    data: bytes = field(repr=False)
