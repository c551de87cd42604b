"""The coach in games of Conquest Stratego: what matters now, in a sentence each, with its reason.

It reads one seat's view and nothing else, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from p2p_stratego.conquest.bots.beliefs import Beliefs, may_move
from p2p_stratego.conquest.bots.distances import STEPS_APART
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.bots.layouts import could_be as could_be_there
from p2p_stratego.conquest.formats.words import piece, territory
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NAMES, NEIGHBOURS, TERRITORIES, TERRITORY_OF, Zone
from p2p_stratego.conquest.rules.cards import (
    BLITZ,
    KINDS,
    NEW_SPY,
    REGROUP,
    REINFORCE,
    SECRET,
    SURPRISE,
    TRAITOR,
    Card,
)
from p2p_stratego.conquest.rules.flags import keeper
from p2p_stratego.conquest.rules.observation import could_be, face_of, own_moves, own_plays
from p2p_stratego.conquest.rules.pieces import FIGHTS, FIXED, FLAG, SORCERESS
from p2p_stratego.conquest.rules.state import ON_BOARD, State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Commit, Face, Move, Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.lesson import Remark
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View

_NEAR: Final = 3
"""An enemy so few steps from the flag is worth a word."""


def advise(view: View[State]) -> Iterator[Remark]:
    """The remarks for the seat of `view`, the weightiest first; none while it has no decision to make."""
    if view.decision is None or view.state.ended is not None:
        return
    state = now(view)
    if state.phase == "draft":
        yield Remark(
            _("Who holds the last flag wins: take land in which yours can stand far from the others."),
            rule="draft",
        )
    elif isinstance(view.decision, Commit) and state.phase != "army":
        yield Remark(
            _("Nobody sees how you lay them back: put them where the others expect something else."),
            rule="mix",
        )
    elif state.phase in ("army", "zones"):
        yield Remark(
            _("The flag and the Cursed lands never move; only a Sorceress takes a Cursed land."), rule="army"
        )
    elif state.phase == "play":
        yield from advised(view, state)
    elif state.phase == "move" and state.seat == view.seat:
        yield from map(Remark, filter(None, [_sure(view, state)]))
        weigher = Weigher(Beliefs(state, view.seat, view.known))
        yield from map(Remark, _at_the_flag(weigher))
        yield from map(Remark, _dangers(view, state))
        yield from map(Remark, _land(view, weigher))
    if state.flags[view.seat] != ON_BOARD:
        yield Remark(
            _(
                "Your flag is captured: take only the captor's own flag. Any other goes to the captor, and "
                "can win it the game."
            ),
            rule="captured",
        )
    elif state.phase in ("play", "move"):
        yield Remark(_flags(view, state), rule="flags")


def _at_the_flag(weigher: Weigher) -> Iterator[str]:
    """The enemy nearest to our flag, if it can be there in a few steps."""
    home, board = weigher.home, weigher.state.board
    if home is None:
        return
    near = [
        (STEPS_APART[zone][home], zone, face)
        for zone, foe in enumerate(board)
        if foe is not None and foe.seat != weigher.seat
        if may_move(foe, face := weigher.beliefs.face(foe)) and STEPS_APART[zone][home] <= _NEAR
    ]
    if not near:
        return
    steps, zone, face = min(near, key=itemgetter(0, 1))
    fields = {"place": NAMES[zone], "flag": NAMES[home]}
    if face is None:
        yield n_(
            "An unknown piece on {place} stands {count} step from your flag on {flag}.",
            "An unknown piece on {place} stands {count} steps from your flag on {flag}.",
            steps,
            **fields,
        )
    else:
        yield n_(
            "The {theirs} on {place} stands {count} step from your flag on {flag}.",
            "The {theirs} on {place} stands {count} steps from your flag on {flag}.",
            steps,
            theirs=piece(face),
            **fields,
        )


def _dangers(view: View[State], state: State) -> Iterator[str]:
    """The own pieces that an open enemy beside them beats, the highest first."""
    beaten = [
        (mine, own, zone, foe.face)
        for zone, foe in enumerate(state.board)
        if foe is not None and foe.seat != view.seat and foe.face is not None and foe.face not in FIXED
        for own in NEIGHBOURS[zone]
        if (there := state.board[own]) is not None and there.seat == view.seat
        if (mine := face_of(there, view.known)) is not None and FIGHTS[foe.face][mine] in ("won", "flag")
    ]
    for mine, own, zone, theirs in sorted(beaten, reverse=True):
        yield _(
            "Your {mine} on {square} can be taken by the {theirs} on {place}.",
            mine=piece(mine),
            square=NAMES[own],
            theirs=piece(theirs),
            place=NAMES[zone],
        )


def _land(view: View[State], weigher: Weigher) -> Iterator[str]:
    """The move that gains most land, and how."""
    way = _gaining(view, weigher)
    if way is None:
        return
    source, target = way
    near, alone = target in NEIGHBOURS[source], _alone(weigher.state, view.seat, target)
    yield _(
        _GAINING[near, alone],
        square=NAMES[source],
        place=NAMES[target],
        land=territory(TERRITORY_OF[target]),
    )


_GAINING: Final = {
    (True, True): mark("A step from {square} to {place} gains land: {land}."),
    (True, False): mark("A step from {square} to {place} takes land from its owner: {land}."),
    (False, True): mark("A run from {square} to {place} gains land: {land}."),
    (False, False): mark("A run from {square} to {place} takes land from its owner: {land}."),
}
"""By whether the piece goes one zone, and whether the land is the seat's then, which stands there alone."""


def _alone(state: State, seat: Seat, target: Zone) -> bool:
    """Whether `seat`, once it stands on `target`, has the territory for itself."""
    there = (state.board[zone] for zone in TERRITORIES[TERRITORY_OF[target]].zones)
    return all(piece is None or piece.seat == seat for piece in there)


def _gaining(view: View[State], weigher: Weigher) -> tuple[Zone, Zone] | None:
    """The ends of the step or run that gains most land; None if none gains any."""
    ways = [
        (gain, way)
        for move in own_moves(weigher.state, view.known)
        if (way := notation.zones(move)) is not None and weigher.state.board[way[1]] is None
        if (gain := weigher.land({way[0]: None, way[1]: view.seat})) > 0
    ]
    return max(ways)[1] if ways else None


def plain(view: View[State]) -> Move:
    """The answer to a card or move question that the coach speaks of and that cannot harm; "" for none.

    What is sure goes before land: an attack that wins by all that the seat knows, or the Traitor for a piece
    that can be one thing only.  Enter proposes it, so that the two never contradict each other.
    """
    state, asked = now(view), view.decision
    if not isinstance(asked, Choose):
        return ""
    if state.phase == "move":
        attack = _sure_attack(view, state)
        way = _gaining(view, Weigher(Beliefs(state, view.seat, view.known))) if attack is None else attack.way
        return "" if way is None else notation.move(*way)
    word = next(iter(asked.options), "").split(" ")[0]
    named = _sure_accusation(view, state)
    if named is None or word not in ("play", "accuse"):
        return ""
    if word == "accuse":
        return notation.accuse(named.zone, named.face)
    return notation.play(TRAITOR) if notation.play(TRAITOR) in own_plays(state, view.known) else ""


class _Attack(NamedTuple):
    """An attack that surely succeeds; the greatest is the best."""

    flag: bool
    """Whether it takes a flag."""
    highest: Face
    """The most that can stand there."""
    way: tuple[Zone, Zone]
    face: Face
    kinds: int
    """How many kinds can stand there."""


def _sure_attack(view: View[State], state: State) -> _Attack | None:
    """An attack that surely succeeds, by all that the seat knows; None if there is none.

    An attack on a flag goes before all; not counted is an attack that would take a flag for another player.
    """
    attacks = []
    for move in own_moves(state, view.known):
        way = notation.zones(move)
        own, foe = (None, None) if way is None else (state.board[way[0]], state.board[way[1]])
        if way is None or own is None or foe is None or foe.seat == view.seat:
            continue
        face, faces = face_of(own, view.known), could_be(foe, view.known)
        if FLAG in faces and keeper(state, view.seat, foe.seat) != view.seat:
            continue
        if face is not None and all(FIGHTS[face][other] in ("won", "flag") for other in faces):
            attacks.append(_Attack(faces == {FLAG}, max(faces), way, face, len(faces)))
    return max(attacks, default=None)


def _sure(view: View[State], state: State) -> str:
    """The attack that surely succeeds, in a sentence; "" if there is none."""
    attack = _sure_attack(view, state)
    if attack is None:
        return ""
    flag, highest, (source, target), face, kinds = attack
    fields = {"mine": piece(face), "square": NAMES[source], "place": NAMES[target]}
    if flag:
        return _("Your {mine} on {square} can take the flag on {place}.", **fields)
    if kinds == 1:
        return _("Your {mine} on {square} beats the {theirs} on {place}.", theirs=piece(highest), **fields)
    return _(
        "Your {mine} on {square} beats what stands on {place}: it can be no more than the {theirs}.",
        theirs=piece(highest),
        **fields,
    )


def _flags(view: View[State], state: State) -> str:
    """Where flags of enemies can still stand."""
    hidden = sum(
        piece is not None
        and piece.seat != view.seat
        and state.flags[piece.seat] == ON_BOARD
        and FLAG in could_be(piece, view.known)
        for piece in state.board
    )
    if any(face_of(piece, view.known) == SORCERESS for piece in state.live(view.seat)):
        return n_(
            "{count} enemy piece on the board can be a flag; none that has stepped is, or is a Cursed land.",
            "{count} enemy pieces on the board can be a flag; none that has stepped is, or is a Cursed land.",
            hidden,
        )
    return n_(
        "{count} enemy piece on the board can be a flag; you have no Sorceress left against a Cursed land.",
        "{count} enemy pieces on the board can be a flag; you have no Sorceress left against a Cursed land.",
        hidden,
    )


# Cards


_GAINS: Final = {
    BLITZ: mark("Blitz! costs you nothing: two moves more, and cards that are not played are put away too."),
    SURPRISE: mark("Surprise attack brings a piece of your bag to any free zone, even beside an enemy's."),
    REINFORCE: mark(
        "Reinforcement costs you nothing: a piece more, and cards that are not played are put away too."
    ),
    NEW_SPY: mark("New spy brings your spy back, though open: it beats a king that it attacks."),
    SECRET: mark("Secret information shows you two pieces alone, but everybody sees all of your bag."),
    TRAITOR: mark("Traitor needs luck here: no closed piece is sure. If you are wrong, you alone see it."),
    REGROUP: mark("Regroup mixes three pieces, so that nobody can tell any more which of them has moved."),
}
"""By card, the most useful first: its gain."""
_CARRYING_OUT: Final = {
    "place": mark("Put it where the others must fear it, or where it guards what you hold."),
    "regroup": mark("Mix a piece that the others know with two that they do not know."),
    "look": mark("Look at pieces that have never moved: one of them can be a flag."),
    "draw": mark("Your spy must be shown: name the piece that is the spy."),
    "flag": mark("Your flag stands open from now on: put it far from the others, behind your own pieces."),
    notation.YES: mark("Say what is true: it is opened at the end, and a false answer loses the game."),
    notation.NO: mark("Say what is true: it is opened at the end, and a false answer loses the game."),
}
"""By the first word of the answers."""


def advised(view: View[State], state: State) -> Iterator[Remark]:
    """The remarks on the card that the seat chooses or carries out."""
    asked = view.decision
    if not isinstance(asked, Choose):
        return
    word = next(iter(asked.options), "").split(" ")[0]
    if word == notation.PLAY_NONE.split(" ", maxsplit=1)[0]:
        yield from _best(view, state)
    elif word == "accuse":
        yield from map(Remark, filter(None, [_certain(view, state)]))
        yield Remark(
            _("Name a kind that is likely there: if you are wrong, you alone see it."), rule="accuse"
        )
    elif word in _CARRYING_OUT:
        yield Remark(_(_CARRYING_OUT[word]), rule=word)


def gain(card: Card) -> str:
    """What a card is good for, in a sentence."""
    return _(_GAINS[card])


def _best(view: View[State], state: State) -> Iterator[Remark]:
    """The most useful cards that the seat can play honestly, with the reasons."""
    may = {card for play in own_plays(state, view.known) if (card := notation.played(play)) is not None}
    if not may:
        yield Remark(_("None of these cards can be played now: say none, and your moves come next."))
    if TRAITOR in may:
        yield from map(Remark, filter(None, [_certain(view, state)]))
    if REGROUP in may and (hidden := _open(view, state)) is not None:
        yield Remark(_("Regroup hides your open {mine} among two others.", mine=piece(hidden)))
    for best in _GAINS:
        if best in may:
            yield Remark(gain(best), rule=KINDS[best].title)


class _Accusation(NamedTuple):
    """A piece that can be one thing only; the greatest is worth most."""

    flag: bool
    face: Face
    zone: Zone


def _sure_accusation(view: View[State], state: State) -> _Accusation | None:
    """An enemy's piece that can be one thing only, for the Traitor: a flag before all; None without one.

    A flag that another player would get is none.
    """
    accusations = [
        _Accusation(face == FLAG, face, zone)
        for zone, enemy in enumerate(state.board)
        if enemy is not None and enemy.seat != view.seat
        if len(faces := could_be(enemy, view.known)) == 1
        for face in faces
        if face != FLAG or keeper(state, view.seat, enemy.seat) == view.seat
    ]
    return max(accusations, default=None)


def _certain(view: View[State], state: State) -> str:
    """The piece that the Traitor surely gets, in a sentence; "" without one."""
    named = _sure_accusation(view, state)
    if named is None:
        return ""
    flag, face, zone = named
    if flag:
        return _("{place} can hold nothing but a flag: named with Traitor, it is yours.", place=NAMES[zone])
    return _(
        "{place} is sure to hold the {theirs}: named with Traitor, it goes to its owner's bag.",
        place=NAMES[zone],
        theirs=piece(face),
    )


def _open(view: View[State], state: State) -> Face | None:
    """The seat's highest piece on the board that all see, its flag before all; None if all are closed."""
    own = (piece for piece in state.board if piece is not None and piece.seat == view.seat)
    return max((piece.face for piece in own if piece.face is not None), default=None)


# Why a move is good


_LEAST: Final = 0.05
"""A gain that is less is no reason."""
_REASONS: Final = {
    "land": mark("It gains land."),
    "flag": mark("It comes nearer to where a flag can stand."),
    "safe": mark("It goes where it has less to fear."),
    "home": mark("It guards your flag."),
}


def odds(view: View[State], face: Face, target: Zone) -> float:
    """How likely an attack with `face` takes the zone `target`, where an enemy stands, by the notes."""
    state = now(view)
    foe = state.board[target]
    chances = {} if foe is None else could_be_there(state, foe.seat, view.known, foe)
    return min(1.0, sum(share for its, share in chances.items() if FIGHTS[face][its] in ("won", "flag")))


def why(view: View[State], move: Move) -> str:
    """A sentence about a step or an attack; "" for other answers."""
    step = notation.zones(move)
    if step is None:
        return ""
    source, target = step
    weigher = Weigher(Beliefs(now(view), view.seat, view.known))
    piece = weigher.state.board[source]
    face = None if piece is None else weigher.beliefs.face(piece)
    if piece is None or face is None:
        return ""
    if weigher.state.board[target] is not None:
        return _("As far as you can know, this succeeds at {share}.", share=percent(odds(view, face, target)))
    shown = piece.face is not None
    gains = {
        "land": weigher.land({source: None, target: view.seat}),
        "flag": weigher.pull(target, face) - weigher.pull(source, face),
        "safe": weigher.risk(source, face, shown=shown) - weigher.risk(target, face, shown=shown),
        "home": weigher.guard(target) - weigher.guard(source),
    }
    best = max(gains, key=lambda reason: gains[reason])
    if best == "land" and not _alone(weigher.state, view.seat, target):
        best_reason = _("It takes land from its owner.")
    else:
        best_reason = _(_REASONS[best])
    return best_reason if gains[best] > _LEAST else ""
