"""The clock of a match in words and for machines."""

from __future__ import annotations

from typing import Any

from p2p_stratego.core.language import _, n_
from protocol.record.time_control import TimeControl


def duration(seconds: int) -> str:
    """Whole seconds as a person says them: "15 minutes", "1 minute 30 seconds", "an hour"."""
    minutes, left = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [n_("{count} hour", "{count} hours", hours)] * bool(hours)
    parts += [n_("{count} minute", "{count} minutes", minutes)] * bool(minutes)
    parts += [n_("{count} second", "{count} seconds", left)] * bool(left)
    return " ".join(parts) or _("nothing")


def clause(clock: TimeControl) -> str:
    """What each player has, as a clause."""
    if clock.increment is None:
        return _(
            "{duration} for each decision, ten times as long for the first", duration=duration(clock.seconds)
        )
    more = (
        _(", and {duration} more for each decision", duration=duration(clock.increment))
        if clock.increment
        else ""
    )
    return _("{duration} for each player{more}", duration=duration(clock.seconds), more=more)


def as_json(clock: TimeControl | None) -> dict[str, Any] | None:
    """The clock for machines."""
    if clock is None:
        return None
    if clock.increment is None:
        return {"each": clock.seconds}
    return {"initial": clock.seconds, "increment": clock.increment}
