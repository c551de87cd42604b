"""The outputs of a session, for its caller to persist and send."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Duty(Enum):
    """The caller's duty with an Output, before it turns to the next Output."""

    SECRET = "secret"  # noqa: S105  # the name of a duty, no password
    """Append to the secrets file and sync."""
    RECORD = "record"
    """Append to the log and sync: a record of another seat."""
    SEND = "send"
    """Append to the log and sync, then send."""


@dataclass(frozen=True, slots=True)
class Output:
    """A record to persist; `data`: for SECRET a record of the secrets file, otherwise a whole frame."""

    duty: Duty
    data: bytes = field(repr=False)
