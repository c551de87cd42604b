"""Talk between two: which statements carry its keys and its boxes."""

from __future__ import annotations

from protocol.crypto.sealed import is_sound
from protocol.errors import Malformed
from protocol.record.genesis import Genesis
from protocol.record.statements import Kind, Statement


def check(genesis: Genesis, statement: Statement) -> None:
    """Raise Malformed if a statement has another form than this match gives it.

    An AGREE carries the seat's key for talk exactly where the game allows talk between two; a SEALED stands
    there only, and names another seat.  What is in a box, its reader alone can tell, and nobody judges it.
    """
    seat, content, private = statement.seat, statement.content, genesis.game.private_talk
    if statement.kind is Kind.AGREE and bool(content) != private:
        raise Malformed("A consent carries a key for talk exactly where the game allows talk between two.")
    if statement.kind is Kind.AGREE and content and not is_sound(content[0]):
        raise Malformed("What is sealed with this key for talk, everybody could read.")
    if statement.kind is not Kind.SEALED:
        return
    if not private:
        raise Malformed("In this game all talk is open to all.")
    if content[0] == seat or content[0] >= len(genesis.players):
        raise Malformed("Sealed talk is for one other seat of the match.")
