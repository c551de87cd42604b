"""A game with decks, and players who vanish: how many it can spare, in words for the deciders.

Pure readings of a replica.  Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Collection

from cli.reports.asides import serves
from cli.table.words import other_players
from cli.table.words.other_players import many
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from protocol.record.asks.proofs.keys import can_be_spared, can_spare
from protocol.replication.replica import Replica


def _present(replica: Replica) -> set[Seat]:
    referee = replica.session.referee
    return {seat for seat in range(len(replica.match.players)) if not referee.has_left(seat)}


def spared(replica: Replica, without: Collection[Seat] = ()) -> int | None:
    """How many more players can vanish before the match ends by it, perhaps `without` some others.

    None where that is no question: in a game without decks, of two, among bots alone, or that is over.
    """
    asked = many(replica) and replica.match.game.needs_proofs and not other_players.alone_with_bots(replica)
    if not asked or replica.session.outcome is not None:
        return None
    return can_spare(replica.session.referee.table, _present(replica) - {*without})


def escrow_words(replica: Replica) -> str:
    """The number that the escrow can spare, in a few words behind "escrow"; "" where it is no question."""
    number = spared(replica)
    if number is None:
        return ""
    if not replica.match.escrow:
        return _("none: if a player vanishes, the game ends there")
    return serves(number).removeprefix("The escrow ")


def fewer(replica: Replica, seat: Seat) -> str:
    """The effect on the escrow if `seat` goes in order, as a sentence; "" if it serves as before."""
    before, after = spared(replica), spared(replica, {seat})
    alone = len(_present(replica) - {seat}) == 1
    if before is None or after is None or before == after or alone:
        return ""
    return f"{serves(after)}."


def without(replica: Replica, accused: Seat, named: str) -> str:
    """The consequence if all others say that a player is away, as a clause and further sentences."""
    table, left = replica.session.referee.table, set(range(len(replica.match.players))) - _present(replica)
    if can_be_spared(table, accused, left):
        then = fewer(replica, accused)
        return (
            _("the game can go on without {named}, who cannot come back. {then}", named=named, then=then)
            if bool(then)
            else _("the game can go on without {named}, who cannot come back.", named=named)
        )
    needs = (
        _(", and the escrow needs {escrow} others", escrow=replica.match.escrow)
        if replica.match.escrow
        else ""
    )
    return _(
        "the game ends for good: without {named}'s key no card can be drawn{needs}. Nobody wins by play; it "
        "counts for all who are still in it. No late answer undoes that.",
        named=named,
        needs=needs,
    )
