"""The clock of a match in words and for machines."""

from __future__ import annotations

from typing import Any

from protocol.record.time_control import TimeControl


def duration(seconds: int) -> str:
    """Whole seconds as a person says them: "15 minutes", "1 minute 30 seconds", "an hour"."""
    minutes, left = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "hour"), (minutes, "minute"), (left, "second"))
    return " ".join(f"{number} {unit}{'s' * (number != 1)}" for number, unit in parts if number) or "nothing"


def told(clock: TimeControl) -> str:
    """What each player has, as a clause."""
    if clock.increment is None:
        return f"{duration(clock.seconds)} for each decision, ten times as long for the first"
    more = f", and {duration(clock.increment)} more for each decision" if clock.increment else ""
    return f"{duration(clock.seconds)} for each player{more}"


def as_json(clock: TimeControl | None) -> dict[str, Any] | None:
    """The clock for machines."""
    if clock is None:
        return None
    if clock.increment is None:
        return {"each": clock.seconds}
    return {"initial": clock.seconds, "increment": clock.increment}
