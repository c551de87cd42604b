"""Orders that end a match, or our player's part in it: each asks before it does anything.

See `actions`, which takes the orders.
"""

from __future__ import annotations

import math

from cli.games.interface import NotPossible
from cli.table.seat.controller import TableController
from cli.table.words import clocks, end_and_rematch, other_players, spared_players, status
from cli.table.words.other_players import clock_face, many, offer_sentence
from cli.table.words.other_players import offer as offer_of
from cli.text.layout import series, whole
from p2p_stratego.core.language import _, n_


def _running(table: TableController) -> None:
    if table.over:
        raise NotPossible(_("The game has ended."))


def resign(table: TableController, _unused: str) -> None:
    """Ask whether to give up.  Raises NotPossible."""
    _running(table)
    referee, own = table.session.referee, table.replica.seat
    others = [
        name for seat, name in enumerate(table.players.names) if seat != own and not referee.has_left(seat)
    ]
    question = _("Resign? The others play on without you, and you cannot come back.")
    if not many(table.replica):
        question = _("Resign, and lose this game?")
    elif len(others) == 1:
        question = _("Resign? Only {other} is left then, and wins.", other=others[0])
    here = other_players.bots_here(table.replica, table.players)
    stay = n_(
        "{bots} plays on in this program: stay at the table until the end, or it leaves with you.",
        "{bots} play on in this program: stay at the table until the end, or they leave with you.",
        len(here),
        bots=series(list(here)),
    )
    fewer = spared_players.fewer(table.replica, table.replica.seat)
    table.confirm(question, table.replica.resign, [*[stay] * bool(here), *[fewer] * bool(fewer)])


def draw(table: TableController, _unused: str) -> None:
    """Ask whether to offer a draw, or to accept the one that is offered.  Raises NotPossible."""
    _running(table)
    if bots := other_players.bots(table.replica, table.players):
        never = _("never agrees to one") if len(bots) == 1 else _("never agree to one")
        raise NotPossible(
            _(
                "A draw needs everybody, and {bots} {never}: no bot does.",
                bots=series(list(bots)),
                never=never,
            )
        )
    several = many(table.replica)
    all_ = _(" It stands once all have accepted it.") * several
    offer = offer_of(table.session.referee) if several else None
    if table.session.draw_offer is not None:
        table.confirm(_("Accept the draw?{all}", all=all_), table.replica.accept_draw)
    elif offer is not None:  # an offer of our own would make void what others have accepted
        raise NotPossible(offer_sentence(offer, table.players, acceptable=False))
    else:
        table.confirm(_("Offer a draw?{all}", all=all_), table.replica.offer_draw)


def accept(table: TableController, argument: str) -> None:
    """Accept the offer of a draw, or of a return match.  Raises NotPossible."""
    if table.over and end_and_rematch.rematch_is_offered(table.replica):
        rematch(table, argument)
    elif table.over:
        _return_match_possible(table)
        # It may have been meant for an offer of a draw that all the others had accepted in that moment.
        table.confirm(_("Play again?"), table.replica.offer_rematch)
    elif table.session.draw_offer is None:
        raise NotPossible(_("Nothing is offered at the moment."))
    else:
        draw(table, argument)


def claim(table: TableController, _argument: str) -> None:
    """Ask whether to say that a player does not answer.  Raises NotPossible."""
    if table.session.outcome is not None:
        raise NotPossible(_("The game has ended."))
    left = table.replica.claimable_in
    if left is None:
        raise NotPossible(_("Nobody keeps you waiting: it is your turn."))
    accused = table.session.claimable
    seats = table.replica.waited_for if accused is None else (accused,)
    named = series([table.players.names[seat] for seat in seats])
    if left:
        raise NotPossible(
            _(
                "Not yet: a claim is possible in {clock_face}, when {named} has had its time.",
                clock_face=clock_face(math.ceil(left)),
                named=named,
            )
        )
    if accused is not None and accused not in table.session.referee.waited_for:
        warning = _(
            "{named} alone can take out the player that owes the next move. If all say that {named} does "
            "not answer either, the game cannot go on, and nobody wins, unless one of them answers "
            "after all.",
            named=named,
        )
        table.confirm(
            _("Say that {named} does not answer?", named=named), table.replica.claim_away, (warning,)
        )
        return
    on_record = _("The record will say that {named} did not answer.", named=named)
    if accused is not None and status.can_go_on(table.replica):
        effect = spared_players.without(table.replica, accused, named)
        if table.replica.time_is_over == accused:
            warnings = [
                _(
                    "{warning} Once all others have said so, {what}",
                    warning=clocks.warning(named),
                    what=effect,
                )
            ]
            question = _("Say that {player}'s clock has run out?", player=named)
            table.confirm(question, table.replica.claim_away, warnings)
            return
        warnings = [_("{record} Once all others have said so, {what}", record=on_record, what=effect)]
        table.confirm(_("Say that {named} does not answer?", named=named), table.replica.claim_away, warnings)
        return
    if accused is not None and table.replica.time_is_over == accused:
        question = _("Claim the game? {player}'s clock has run out.", player=named)
        table.confirm(question, table.replica.claim_away, (clocks.warning(named),))
        return
    warning = _("{record} That is your word alone, and a late answer undoes it.", record=on_record)
    table.confirm(_("Claim the game?"), table.replica.claim_away, (warning,))


def rematch(table: TableController, _unused: str) -> None:
    """Ask the others for a return match, which binds nobody before all want it.  Raises NotPossible."""
    _return_match_possible(table)
    table.replica.offer_rematch()


def _return_match_possible(table: TableController) -> None:
    """Raises NotPossible."""
    if not table.over:
        raise NotPossible(_("A rematch is for after the end."))
    if vain := end_and_rematch.no_return_match(table.replica, table.players):
        raise NotPossible(f"{vain[0].upper()}{vain[1:]}.")


def leave(table: TableController, _unused: str) -> None:
    """Go, after a question where something stays behind."""
    here = other_players.bots_here(table.replica, table.players)
    if here:
        waits = n_(
            "{bots} plays in this program and leaves with you; the others wait for it until you resume.",
            "{bots} play in this program and leave with you; the others wait for them until you resume.",
            len(here),
            bots=series(list(here)),
        )
        table.confirm(_("Leave? The game is saved."), table.go, [waits])
    elif table.over:
        table.go()
    else:
        # On a screen the line is short, and the whole command is told when the screen is gone.
        how = (
            ""
            if table.environment.keys
            else _(", and {resume} goes on with it", resume=whole(f"`{table.environment.command} resume`"))
        )
        table.confirm(_("Leave? The game is saved{how}.", how=how), table.go)
