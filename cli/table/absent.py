"""The other side of a match of two is not there: what can be done, and the fate of moves made meanwhile."""

from __future__ import annotations

from cli.shell.explain import sentence
from cli.table.words.company import clock_face
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from protocol.replication.replica import Replica, Status


def away(replica: Replica, other: str) -> str:
    """That the other side is away, why, and what can be done; of a match by post, what follows from it."""
    left = replica.claimable_in
    if replica.by_post:
        return by_post(replica, other)
    leave = _("or leave (all is saved)")
    if left is not None:
        leave = _("leave (all is saved), or claim") + (
            _(" in {clock_face}", clock_face=clock_face(left)) if left else _(" the game")
        )
    gone = _("away") if replica.status is Status.AWAY else _("not connected yet")
    why = _short(replica)
    kept = _("Your moves are kept, and go out") if replica.session.decision else _("The game goes on")
    return _(
        "{other} is {gone}: wait, {leave}. {why}{kept} when the connection is back.",
        other=other,
        gone=gone,
        leave=leave,
        why=why,
        kept=kept,
    )


def by_post(replica: Replica, other: str) -> str:
    """That nobody is called in this match, and what can be done."""
    claim = _(" You can claim the game.") if replica.claimable_in == 0 else ""
    return _(
        "{short}{other} gets what you do here by post: leave, and write it.{claim}",
        short=_short(replica),
        other=other,
        claim=claim,
    )


def _short(replica: Replica) -> str:
    """Why there is no connection, as a short sentence with a space behind it; "" if nothing is known."""
    if replica.trouble is None:
        return ""
    return escape(sentence(replica.trouble)).partition(". ")[0].rstrip(".") + ". "
