"""The command with which a player lets another one ask for the next game without an invite."""

from __future__ import annotations

from cli.games.interface import NotPossible
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _


def befriend(table: TableController, argument: str) -> None:
    """Let the named player ask ours for other games; of two, the other one."""
    let = table.environment.befriend
    if let is None:
        raise NotPossible(_("Nobody plays here whom you could meet again."))
    table.notice = ("good", let(_seat(table, argument)))


def _seat(table: TableController, argument: str) -> Seat:
    """The seat of the player with that name, seat's name or number.  Raises NotPossible."""
    replica, said = table.replica, argument.strip().casefold()
    others = [seat for seat in range(len(replica.match.players)) if seat != replica.seat]
    if not said and len(others) == 1:
        return others[0]
    colours = replica.match.seat_names
    found = [
        seat
        for seat in others
        if said in (str(seat + 1), colours[seat].casefold(), table.players.names[seat].casefold())
    ]
    if len(found) != 1:
        who = _("Nobody else is called “{argument}”. ", argument=escape(argument, 24)) if said else ""
        raise NotPossible(
            _("{who}Type friend and a name: {others}.", who=who, others=presentation.others(table))
        )
    return found[0]
