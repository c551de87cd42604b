"""The other side of a match of two is not there: what can be done, and the fate of moves made meanwhile."""

from __future__ import annotations

from cli.shell.explain import sentence
from cli.table.company import clock_face
from cli.text.sanitize import escape
from protocol.network.replica import Replica, Status


def away(replica: Replica, other: str) -> str:
    """That the other side is away, why, and what can be done; of a match by post, what follows from it."""
    left = replica.claimable_in
    if replica.by_post:
        return by_post(replica, other)
    leave = "or leave (all is saved)"
    if left is not None:
        leave = "leave (all is saved), or claim" + (f" in {clock_face(left)}" if left else " the game")
    gone = "away" if replica.status is Status.AWAY else "not connected yet"
    why = _short(replica)
    kept = "Your moves are kept, and go out" if replica.session.decision else "The game goes on"
    return f"{other} is {gone}: wait, {leave}. {why}{kept} when the connection is back."


def by_post(replica: Replica, other: str) -> str:
    """That nobody is called in this match, and what can be done."""
    claim = " You can claim the game." if replica.claimable_in == 0 else ""
    return f"{_short(replica)}{other} gets what you do here by post: leave, and write it.{claim}"


def _short(replica: Replica) -> str:
    """Why there is no connection, as a short sentence with a space behind it; "" if nothing is known."""
    if replica.trouble is None:
        return ""
    return escape(sentence(replica.trouble)).partition(". ")[0].rstrip(".") + ". "
