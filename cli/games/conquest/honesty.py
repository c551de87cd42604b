"""Warnings before a decision that the record would prove to be a cheat, or that gives the game away.

It can be made all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.conquest.answers import WHY_ILLEGAL
from cli.games.conquest.cards import spy_in_bag
from cli.games.conquest.names import piece, zone
from cli.games.conquest.snapshot import kind, own_moves, standing
from cli.games.interface import UNSETTLED, Decided
from cli.text.layout import series
from p2p_stratego.conquest.formats.words import land
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, Zone
from p2p_stratego.conquest.rules.cards import KINDS, NEW_SPY, SECRET
from p2p_stratego.conquest.rules.flags import winner_by
from p2p_stratego.conquest.rules.movement import illegal
from p2p_stratego.conquest.rules.observation import could_be, forced
from p2p_stratego.conquest.rules.pieces import FIXED, FLAG, SPY
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Move
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import capital
from p2p_stratego.core.view import View

_AT_ONCE: Final = mark(
    "The piece is opened at once: the record proves the cheat, and the match is over for you."
)
_CLAIM: Final = mark(
    "Nobody can see that now. But by {act} you claim it, and when play is over everything that was "
    "claimed is opened: then the record proves the cheat."
)


def warnings(view: View[State], decided: Decided, *, settled: bool = True) -> list[str]:
    """The penalties for this decision: a sentence each."""
    return [] if isinstance(decided, tuple) else list(_warned(view, decided, settled=settled))


def _warned(view: View[State], move: Move, *, settled: bool) -> Iterator[str]:
    asked = kind(view)
    if asked == "play":
        yield from _of_card(view, move)
    elif asked == "draw":
        there = now(view).bags[view.seat][notation.drawn(move)]
        if view.known.get(there.slot) != SPY:
            yield _("That piece is not the spy.")
            yield _(_AT_ONCE)
    elif asked == "answer":
        yield from _of_answer(view, move, settled=settled)
    elif asked == "move" and move == notation.NONE:
        could = own_moves(view)
        if could != [notation.NONE]:
            yield (
                _("Your pieces can step: {could}, and more.", could=", ".join(could[:4]))
                if len(could) > 4
                else _("Your pieces can step: {could}.", could=", ".join(could[:4]))
            )
            yield _claimed(_("saying so"), settled=settled)
    elif asked == "accuse":
        at, face = notation.accused(move)
        if face == FLAG:
            yield from _of_flag(view, at)
    elif asked == "move":
        yield from _of_move(view, move, settled=settled)
        if (between := notation.zones(move)) is not None:
            yield from _of_flag(view, between[1])


def _claimed(act: str, *, settled: bool) -> str:
    """The penalty for a false claim; `act`: how it is made."""
    return _(_CLAIM, act=act) if settled else _(UNSETTLED)


def _of_flag(view: View[State], at: Zone) -> Iterator[str]:
    """Of a flag that may be captured there for another player, who wins by it."""
    state = now(view)
    foe = state.board[at]
    if foe is None or foe.seat == view.seat:
        return
    faces = could_be(foe, view.known)
    if FLAG not in faces or winner_by(state, view.seat, foe.seat) in (view.seat, None):
        return
    if len(faces) == 1:
        yield _(
            "You have no flag of your own: this one goes to the player who holds yours, who wins the game at "
            "once."
        )
    else:
        yield _(
            "If this is a flag, it goes to the player who holds yours, who wins the game at once: you have "
            "no flag of your own."
        )


def _of_card(view: View[State], move: Move) -> Iterator[str]:
    card = notation.played(move)
    if card == SECRET and spy_in_bag(view):
        yield _("Your spy is in the bag, and this card shows all of your bag.")
        yield _(_AT_ONCE)
    elif card == NEW_SPY and not spy_in_bag(view):
        yield _("Your spy is not in the bag, and this card makes you show it there.")
        yield _(_AT_ONCE)


def honest_answer(view: View[State]) -> Move:
    """The true answer of the seat to the Traitor."""
    return forced(view) or notation.NO


def _of_answer(view: View[State], move: Move, *, settled: bool) -> Iterator[str]:
    if move == honest_answer(view):
        return
    yield _("That is not true: the answer is {honest_answer}.", honest_answer=honest_answer(view))
    yield _(_AT_ONCE) if move == notation.YES else _claimed(_("saying so"), settled=settled)


def _of_move(view: View[State], move: Move, *, settled: bool) -> Iterator[str]:
    between = notation.zones(move)
    if between is None:
        return
    source, target = between
    state = now(view)
    seen = standing(view, state).get(source)
    if seen is None or seen.face is None:
        return
    rule = illegal(state, source, target, seen.face)
    if rule is None:
        return
    if seen.face in FIXED:
        yield _("The {piece} on {zone} may never move.", piece=piece(seen.face), zone=zone(source))
    elif target not in NEIGHBOURS[source]:
        yield _(
            "Only a scout goes so far, and on {zone} stands your {piece}.",
            zone=zone(source),
            piece=piece(seen.face),
        )
    else:
        yield f"{capital(_(WHY_ILLEGAL[rule]))}."
    at_once = target not in NEIGHBOURS[source] or state.board[target] is not None
    yield _(_AT_ONCE) if at_once else _claimed(_("moving it"), settled=settled)


def spoken(view: View[State], decided: Decided) -> str:
    """A decision as the object of a sentence."""
    if isinstance(decided, tuple):
        return _("place your army like this") if kind(view) == "army" else _("lay them back like this")
    word, _unused, rest = decided.partition(" ")
    if word == "take":
        return _("take {name}", name=land(notation.taken(decided)))
    if word == "play":
        card = notation.played(decided)
        return _("play no card") if card is None else _("play {title}", title=_(KINDS[card].title))
    if word == "accuse":
        at, face = notation.accused(decided)
        return _("accuse {zone} of being the {piece}", zone=zone(at), piece=piece(face))
    if word in _SPOKEN:
        return _(_SPOKEN[word], zones=series(rest.split(" ")))
    between = notation.zones(decided)
    if between is None:
        return _("fill these zones") if word == "zones" else decided
    there = standing(view, now(view))
    seen = there.get(between[0])
    called = _("the piece") if seen is None or seen.face is None else _("the {piece}", piece=piece(seen.face))
    if between[1] in there:
        return _(
            "attack {zone2} from {zone} with {called}",
            called=called,
            zone=zone(between[0]),
            zone2=zone(between[1]),
        )
    return _(
        "move {called} from {zone} to {zone2}", called=called, zone=zone(between[0]), zone2=zone(between[1])
    )


_SPOKEN: Final = {
    "place": mark("put the piece on {zones}"),
    "flag": mark("put your flag on {zones}"),
    "regroup": mark("mix the pieces on {zones}"),
    "look": mark("look at {zones}"),
    "draw": mark("show piece {zones} of your bag"),
    "yes": mark("say yes"),
    "no": mark("say no"),
    "none": mark("say that no piece of yours can step"),
    "stop": mark("make no more moves"),
}
