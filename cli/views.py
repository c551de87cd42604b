"""What a session's player may see, as the view that screens and bots are handed."""

from __future__ import annotations

from typing import Any

from p2p_stratego.view import View
from protocol.session import Session


def view_of(session: Session) -> View[Any]:
    """The view of `session`'s own seat; its `state` is None during the set-up, when nothing is decided."""
    table = session.referee.table
    since = tuple((step.ask, step.answer) for step in table.since)
    return View(session.seat, table.state, session.known, session.decision, since)
