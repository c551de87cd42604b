"""The questions of Conquest while it is played; this module is `cli.games.interface.Questions`.

`offers` finds what could be typed, `answers` reads it, `honesty` warns of what would be proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from cli.games.conquest.answers import read, reveals
from cli.games.conquest.honesty import spoken, warnings
from cli.games.conquest.names import piece, zone
from cli.games.conquest.offers import choices
from cli.games.conquest.snapshot import Kind, answers_aloud, kind, own_moves, regrouped
from cli.games.interface import Players, Question
from cli.text.layout import series
from p2p_stratego.conquest.formats.words import card
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, TERRITORIES
from p2p_stratego.conquest.rules.draft import picker
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Ask, Choose, Claim, Commit, Mix, Open, OpenTo, Roll, Together
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import ordinal
from p2p_stratego.core.view import View

__all__ = ["choices", "question", "read", "reveals", "spoken", "waiting", "warnings"]


def question(view: View[State], players: Players) -> Question | None:
    """The question to the seat, and how to answer it; placing an army is the editor's."""
    asked = kind(view)
    put = _QUESTIONS.get(asked)
    if put is not None:
        return put(view, players)
    simple = _SIMPLE.get(asked)
    return None if simple is None else Question(_(simple.text), _(simple.how))


def _take(view: View[State], _unused: Players) -> Question:
    state = view.state
    mine = sum(owner == view.seat for owner in state.taken)
    rest = len(TERRITORIES) - state.picks
    due = sum(picker(state, pick) == view.seat for pick in range(state.picks, len(TERRITORIES)))
    left = _("{rest} is left", rest=rest) if rest == 1 else _("{rest} are left", rest=rest)
    text = _(
        "Take a territory, your {ordinal} of {mine}; {left}.",
        ordinal=ordinal(mine + 1),
        mine=mine + due,
        left=left,
    )
    return Question(text, _("take and its letter, such as take B, or a zone or name"))


def _play(view: View[State], _unused: Players) -> Question:
    count = Counter(view.state.drawn)
    drawn = series([card(kind) + f" ×{count[kind]}" * (count[kind] > 1) for kind in sorted(count)])
    return Question(
        _("You have drawn {drawn}. Which card do you play?", drawn=drawn), _("its name, or the word none")
    )


def _place(view: View[State], _unused: Players) -> Question:
    state = now(view)
    hand = state.hand
    face = None if hand is None else view.known.get(hand.slot) if hand.face is None else hand.face
    size = len(state.bags[view.seat]) + 1
    fairly = "" if hand is not None and hand.face is not None else _(" (1 of {size}, fairly)", size=size)
    called = _("a piece") if face is None else _("the {piece}", piece=piece(face))
    return Question(
        _(
            "You have {called} from your bag{fairly}. On which free zone does it go?",
            called=called,
            fairly=fairly,
        ),
        _("a zone"),
    )


def _mix(view: View[State], _unused: Players) -> Question:
    zones = regrouped(view)
    where = series([zone(at) for at in zones])
    return Question(
        _("Which piece goes where? They lie on {where}; nobody else sees it.", where=where),
        _("three pieces, for {where} in this order", where=where),
    )


def _answer(view: View[State], players: Players) -> Question:
    zone_, face = accusation(view)
    who = players.names[view.state.seat]
    return Question(
        _("{who} says that your piece on {zone} is the {face}. Is it?", who=who, zone=zone_, face=face),
        _("yes or no, truly"),
    )


def accusation(view: View[State]) -> tuple[str, str]:
    """The zone and the kind that the Traitor has named."""
    accusations = [move for move in answers_aloud(view) if move.startswith("accuse ")]
    at, face = notation.accused(accusations[-1])
    return zone(at), piece(face)


def _move(view: View[State], _unused: Players) -> Question:
    state, moves = view.state, own_moves(view)
    if moves == [notation.NONE]:
        return Question(_("None of your pieces can step: say so, and your turn ends."), notation.NONE)
    number = _("Move {made} of {moves}", made=state.made + 1, moves=state.moves)
    steps = (move for move in moves if (ends := notation.zones(move)) and ends[1] in NEIGHBOURS[ends[0]])
    how = _("two zones, such as {next}", next=next(steps, moves[0]))
    if state.made:
        return Question(
            _("{number}, which need not be made.", number=number),
            _("{how}, or {stop}", how=how, stop=notation.STOP),
        )
    return Question(
        _("{number}: it must be made.", number=number) if state.moves > 1 else _("Your move."), how
    )


_QUESTIONS: Final[Mapping[Kind, Callable[[View[State], Players], Question]]] = {
    "take": _take,
    "play": _play,
    "place": _place,
    "mix": _mix,
    "answer": _answer,
    "move": _move,
}
_SIMPLE: Final[Mapping[Kind, Question]] = {
    "regroup": Question(
        mark("Which three pieces of yours do you mix?"), mark("three zones, such as a1 b2 c3")
    ),
    "look": Question(
        mark("Your spy looks at two pieces side by side, one at least an enemy's. Which?"),
        mark("two zones, such as c4 d4"),
    ),
    "draw": Question(
        mark("Show the spy: which piece of your bag is it?"), mark("spy, or draw and its number")
    ),
    "accuse": Question(
        mark("Which enemy piece is what? If you are wrong, you alone see it."),
        mark("a zone and a kind, such as c4 king"),
    ),
    "flag": Question(mark("Your flag is yours again. On which free zone does it go, open?"), mark("a zone")),
}


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return _("A piece is being turned up.")
    if isinstance(ask, Roll):
        return _("Chance is being drawn together.")
    if isinstance(ask, Claim):
        return _("A claim is being put on record.")
    if isinstance(ask, OpenTo):
        return _("{name} is looking at a piece.", name=players.names[ask.seat])
    if isinstance(ask, Mix):
        return _("{name} is mixing pieces.", name=players.names[ask.seat])
    if isinstance(ask, Together | Commit):
        asks = ask.asks if isinstance(ask, Together) else (ask,)
        names = [players.names[decision.seat] for decision in asks if decision.seat != view.seat]
        return _(_PLACING[len(names) != 1], others=series(names))
    if isinstance(ask, Choose):
        word = next(iter(ask.options), "").split(" ")[0]
        return _(_DOING.get(word, mark("{player} is to move.")), player=players.names[ask.seat])
    raise RuntimeError(f"Conquest does not ask {ask!r}")


_PLACING: Final = mark("{others} is still placing."), mark("{others} are still placing.")
"""Of one player, and of several."""
_DOING: Final = {
    "take": mark("{player} takes a territory."),
    "play": mark("{player} chooses a card."),
    "place": mark("{player} is to place a piece."),
    "flag": mark("{player} is to place a flag."),
    "regroup": mark("{player} chooses three pieces to mix."),
    "look": mark("{player} chooses what to look at."),
    "draw": mark("{player} is to show the spy."),
    "accuse": mark("{player} is to accuse a piece."),
    "yes": mark("{player} is to answer."),
}
