"""The end of a match and its sequel, in words: the last openings, the result, a return match.

Pure readings of a replica; the table and both front ends show them.
"""

from __future__ import annotations

from cli.games.interface import Players
from cli.reports import describe, endings
from cli.reports.endings import Left
from cli.table.words.commands import Order
from cli.table.words.other_players import many, not_here
from cli.text.layout import series
from cli.text.theme import Tone
from p2p_stratego.core.game import Outcome, Seat, Sides
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.narration import either
from p2p_stratego.core.narration import ending as ending_of
from protocol.replication.rematch import next_seat
from protocol.replication.replica import Replica, Status
from protocol.seat.session import Session


def settling(replica: Replica, players: Players) -> str:
    """The awaited message when play has ended and the outcome is unknown."""
    others = series([players.names[seat] for seat in replica.waited_for])
    if not others:
        return _("The game is over. Now all that was claimed is opened, and must be true.")
    return _(
        "The game is over, but {others} must still open what was claimed: it has to be true.",
        others=others,
    )


def ending(session: Session, outcome: Outcome, names: tuple[str, ...]) -> str:
    """How the game ended."""
    if session.fault is not None:  # a fault of the protocol has no words in the game
        return ending_of(outcome, names, {}, _("cheated, and the record proves it"))
    if outcome.reason == "unresponsive" and (silent := session.referee.silent):
        named = series([names[seat] for seat in sorted(silent)])
        return _("Nobody wins: the game cannot go on, for {named} do not answer.", named=named)
    return describe.ending(session.genesis, outcome, names, session.referee)


def result(outcome: Outcome, seat: Seat, sides: Sides, left: Left) -> str:
    """The outcome for the player of a seat, in a few words; `left`: the match, which knows who had left."""
    if not outcome.winners:
        return {"cheated": _("The game is void"), "unresponsive": _("Nobody won")}.get(
            outcome.reason, _("A draw")
        )
    if outcome.reason == "unresponsive":
        return _claimed(outcome, seat, left, sum(map(len, sides)))
    team = any(seat in side and len(side) > 1 for side in sides)
    if seat in outcome.winners:
        return _("Your team won") if team else _("You won")
    return _("Your team lost") if team else _("You lost")


def _claimed(outcome: Outcome, seat: Seat, left: Left, seats: int) -> str:
    """The outcome of an end by claim: a player who had left before is not accused again."""
    late = endings.late(outcome, left, seats)
    if seat in late:
        return _("The game is claimed against you")
    if seat in outcome.winners:
        return _("You claim the game") if late else _("The game cannot go on")
    return _("You had resigned") if seat in left.resigned else _("You were taken out")


def afterwards(replica: Replica, players: Players) -> str:
    """The commands after the end."""
    still, asked = _still_asked(replica), _willing(replica)
    other = series([players.names[seat] for seat in asked])
    if replica.answerable:
        named = awaited(replica, players)
        return _("leave, or wait: should {named} answer after all, the game goes on", named=named)
    ours, theirs = replica.rematch_wanted
    if (ours or theirs) and (vain := no_return_match(replica, players)):
        return _("leave; {vain}", vain=vain)
    if ours and can_go_again(replica):
        return _("leave, or wait for {still}", still=series([players.names[seat] for seat in still]))
    if Order.REMATCH not in offered(replica):
        return _("leave")
    if not theirs:
        return _("rematch or leave")
    if len(asked) > 1:
        return _("rematch, for {other} want one, or leave", other=other)
    return _("rematch, for {other} wants one, or leave", other=other)


def _still_asked(replica: Replica) -> tuple[Seat, ...]:
    """The seats whose wish for a return match is missing; between two always the other's."""
    return replica.rematch_missing if many(replica) else (next_seat(replica.match, replica.seat),)


def _willing(replica: Replica) -> list[Seat]:
    """The other seats that want a return match, once any does; between two the other one."""
    still = _still_asked(replica)
    if not many(replica):
        return [*still]
    return [seat for seat in range(len(replica.match.players)) if seat not in (*still, replica.seat)]


def awaited(replica: Replica, players: Players) -> str:
    """The players that can still answer a claim, as a subject: "Anna or Chen"."""
    referee, across = replica.session.referee, next_seat(replica.match, replica.seat)
    late = sorted(referee.silent) or replica.waited_for or (across,)
    return either([players.names[seat] for seat in late])


def no_return_match(replica: Replica, players: Players) -> str:
    """Why a return match cannot begin: a clause on who is missing; "" if it can."""
    missing = not_here(replica)
    if not missing or not replica.finished:
        return ""
    absent = series([players.names[seat] for seat in missing])
    return (
        _("a return match needs everybody, and {absent} is not here", absent=absent)
        if len(missing) == 1
        else _("a return match needs everybody, and {absent} are not here", absent=absent)
    )


def return_match(replica: Replica, players: Players) -> tuple[Tone, str] | None:
    """Once anybody wants a return match: who does, and who has not said so; not how to answer, which the
    question at the end tells."""
    if replica.claimed or not any(replica.rematch_wanted):
        return None
    if replica.rematch_wanted[0] and can_go_again(replica):
        still = [players.names[seat] for seat in _still_asked(replica)]
        return "dim", n_(
            "{still} has been asked for a rematch. Waiting …",
            "{still} have been asked for a rematch. Waiting …",
            len(still),
            still=series(still),
        )
    if vain := no_return_match(replica, players):
        return "dim", f"{vain[0].upper()}{vain[1:]}."
    want = series([players.names[seat] for seat in _willing(replica)])
    return "warn", n_("{want} wants a rematch.", "{want} want a rematch.", len(_willing(replica)), want=want)


def can_go_again(replica: Replica) -> bool:
    """Whether a return match can be wished for."""
    honest = replica.session.fault is None
    return replica.status is Status.CONNECTED and replica.finished and honest and not not_here(replica)


def rematch_is_offered(replica: Replica) -> bool:
    """Whether the other side wishes for a return match that is still possible."""
    return can_go_again(replica) and replica.rematch_wanted[1]


def offered(replica: Replica) -> tuple[Order, ...]:
    """The commands after the end that still have an effect: a rematch is wished for once."""
    again = can_go_again(replica) and not replica.rematch_wanted[0]
    return (Order.REMATCH, Order.LEAVE) if again else (Order.LEAVE,)
