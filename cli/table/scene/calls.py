"""The moments that call a player to the table, each with a sentence: pure, for every front end."""

from __future__ import annotations

from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words import clocks, end_and_rematch, status
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES
from protocol.seat.session import Session


class Calls:
    """The reasons for which a table last called its player."""

    def __init__(self, table: TableController) -> None:
        self._table = table
        self._session: Session | None = None
        self._fresh = False
        """Whether the match has begun under our eyes, and nobody was asked anything in it yet."""
        self._asked = dict[str, bool]()

    def news(self, *, turn: bool) -> str:
        """Why to call the player now, as a sentence; empty: nothing is new.  `turn`: its turn has come."""
        table, session = self._table, self._table.session
        if session is not self._session:
            self._session, self._fresh = session, session.referee.table.state is None
            self._asked = {}
        asked = _asked(table)
        new = [reason for reason, holds in asked.items() if holds and not self._asked.get(reason)]
        self._asked = asked
        begun = self._fresh and table.waits_for_player
        self._fresh = self._fresh and not begun
        where = _(
            "{title} with {others}",
            title=ENTRIES[table.replica.match.game.name].title,
            others=presentation.others(table),
        )
        if turn:
            return _("Your turn: {where}", where=where)
        if new:
            return new[0]
        return _("The game begins: {where}", where=where) if begun and not table.over else ""


def _asked(table: TableController) -> dict[str, bool]:
    """The requests of others, each with whether it is open."""
    replica, names = table.replica, table.players.names
    offer, silent = table.session.draw_offer, status.standing_silence(replica)
    by = "" if offer is None else names[offer.seat]
    left = clocks.own_left(replica, table.environment.clock())
    return {
        f"A draw is offered by {by}": offer is not None,
        "A return match is wished for": end_and_rematch.rematch_is_offered(replica),
        _("Ten seconds are left on your clock."): left is not None and 0.0 < left <= clocks.LOW,
        clocks.run_out(replica, table.players): replica.time_is_over is not None,
        "It is said that you do not answer": silent is not None and silent.accused == replica.seat,
    }
