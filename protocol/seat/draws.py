"""Draws as one seat sees them: whose offer it can accept, and when its acceptance is the last one."""

from __future__ import annotations

from p2p_stratego.core.game import Seat
from protocol.record.referee import Referee
from protocol.record.statements import Content, Kind, Statement


def acceptable(referee: Referee, seat: Seat) -> Statement | None:
    """An offer of a draw that `seat` can accept now: another seat's.

    Among three or more the seat that owes the next entry accepts last, instead of that entry; then also its
    own offer.
    """
    seats = range(len(referee.statements))
    offers = {one: offer for one in seats if (offer := referee.standing_offer(one)) is not None}
    if referee.many and referee.owed is not None and referee.owed.seat == seat:
        return next((s for s in offers.values() if referee.may_close(seat, (s.seat, s.index))), None)
    offers.pop(seat, None)
    answered = {s.content for s in referee.statements[seat] if s.kind is Kind.ACCEPT_DRAW}
    return next((s for s in offers.values() if (s.seat, s.index) not in answered), None)


def closing(referee: Referee, seat: Seat) -> Content | None:
    """The content of the acceptance with which `seat`, which owes the next entry, makes its own offer good
    after all others have accepted it; None if they have not.
    """
    offer = referee.standing_offer(seat) if referee.many else None
    if offer is None or not referee.may_close(seat, (seat, offer.index)):
        return None
    return (seat, offer.index)
