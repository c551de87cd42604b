"""A game of Conquest Stratego looked back on: moves and cards beside the best ones, and the odds of attacks.

It asks the agent's own beliefs and evaluation (see `core.analysis` for the measures); the chance to win is
that of `prospects`.  Set-ups, answers that the rules force, and orders of pieces are counted, and not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log, log2
from typing import Final

from p2p_stratego.conquest.bots import playing_cards, prospects
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.evaluation import VALUES, Weigher
from p2p_stratego.conquest.formats import narration
from p2p_stratego.conquest.formats.words import card, piece, territory
from p2p_stratego.conquest.rules.atlas import NAMES, Zone
from p2p_stratego.conquest.rules.choices import Accusations, Moves
from p2p_stratego.conquest.rules.notation import (
    NO,
    NONE,
    PLAY_NONE,
    STOP,
    YES,
    accused,
    played,
    taken,
    zones,
    zones_in,
)
from p2p_stratego.conquest.rules.observation import own_moves, own_plays
from p2p_stratego.conquest.rules.pieces import FIGHTS, FLAG
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.analysis import Enough, Judgement, Likelihood, MadeDecision, Outlook
from p2p_stratego.core.game import Choose, Face, Move, Seat, Slot
from p2p_stratego.core.language import _, mark, number
from p2p_stratego.core.narration import listed
from p2p_stratego.core.view import View

_KINDS: Final[Mapping[str, str]] = {
    "land": mark("territory"),
    "army": mark("army"),
    "zones": mark("zones"),
    "card": mark("card"),
    "effect": mark("effect"),
    "accusation": mark("accusation"),
    "move": mark("move"),
    "attack": mark("attack"),
}
_NEARER: Final = mark("Enemies now stand nearer to where the flag of {player} can be.")
_FARTHER: Final = mark("Enemies no longer stand as near to where the flag of {player} can be.")
_NEARER_OF_TWO: Final = mark("{other} now stands nearer to where the flag of {player} can be.")
_FARTHER_OF_TWO: Final = mark("{other} no longer stands as near to where the flag of {player} can be.")
_SHOWN: Final = 3
"""How many of the likeliest pieces are told."""
_CAME: Final = {"won": True, "flag": True, "lost": False, "both": False}
_NAMED: Final = {"hit": True, "betrayed-flag": True, "missed": False}
"""By the kind of an event: whether an attack, or the Traitor's guess, came right."""


def judge(played: Iterable[MadeDecision], enough: Callable[[], Enough]) -> Iterator[Judgement]:
    """A judgement of each decision, in order."""
    for made in played:
        yield _with_bits(_judged(made, enough()))


def _judged(made: MadeDecision, stop: Enough) -> Judgement:
    view: View[State] = made.view
    decision, phase = view.asked, view.state.phase
    if phase in ("army", "zones"):
        return Judgement(made, phase, "", unknown=made.answer is None)
    if not isinstance(decision, Choose):
        return Judgement(made, "effect", "", unknown=made.answer is None)
    move = str(made.answer)
    if phase == "draft":
        return Judgement(made, "land", territory(taken(move)))
    state = now(view)
    if isinstance(decision.options, Moves):
        return _move(made, state, move, stop)
    if isinstance(decision.options, Accusations):
        return _accusation(made, state, move)
    if PLAY_NONE in decision.options:
        return _card(made, state, move, stop)
    return Judgement(made, "effect", _effect_in_words(move))


def _effect_in_words(move: Move) -> str:
    """The answer, or the chosen zones, in words; "" for a closed piece of the bag."""
    if move in (YES, NO):
        return _(move)
    return "" if move.startswith("draw ") else listed([NAMES[zone] for zone in zones_in(move)])


def _weigher(view: View[State], state: State) -> Weigher | None:
    """The bot's evaluation for the seat; None if own pieces are not known."""
    beliefs = Beliefs(state, view.seat, view.known)
    if any(beliefs.face(piece) is None for piece in state.live(view.seat)):
        return None
    return Weigher(beliefs)


# Moves


def _move(made: MadeDecision, state: State, move: Move, stop: Enough) -> Judgement:
    """A step, a run or an attack, or the end of the moves, against all that the seat could make."""
    view: View[State] = made.view
    weigher = _weigher(view, state)
    judgement = _attack(made, state, move, Judgement(made, "move", in_words(move), unknown=weigher is None))
    if weigher is None:
        return judgement
    moves = own_moves(state, view.known)
    if move not in moves:
        return judgement  # a breach of the rules: the record says so
    points, hasty = {move: _worth(weigher, move)}, False
    for other in moves:
        if stop():
            hasty = True
            break
        points[other] = _worth(weigher, other)
    return replace(_beside(judgement, state, points, move, in_words), hasty=hasty)


def _worth(weigher: Weigher, move: Move) -> float:
    step = zones(move)
    return 0.0 if step is None else weigher.move(*step)


def _beside(
    judgement: Judgement, state: State, points: Mapping[Move, float], move: Move, words: Callable[[Move], str]
) -> Judgement:
    """A decision beside the best one, by what each is worth to the bot."""
    best = max(points, key=points.__getitem__)
    lost = _in_chance(state, judgement.made.seat, points[best] - points[move])
    best = move if lost == 0 else best
    return replace(judgement, best=words(best), lost=lost)


def _in_chance(state: State, seat: Seat, worth: float) -> float:
    """The chance to win that so much worth (≥ 0) less costs."""
    hopes = prospects.chance(state)[seat]
    if worth <= 0 or not 0 < hopes < 1:
        return 0.0
    odds = log(hopes / (1 - hopes)) - prospects.loss(state, worth)
    return max(hopes - 1 / (1 + exp(-odds)), 0.0)


def _attack(made: MadeDecision, state: State, move: Move, judgement: Judgement) -> Judgement:
    """The judgement with the odds, the result and the luck of an attack; unchanged without an attack."""
    step, after = zones(move), made.after
    foe = None if step is None else state.board[step[1]]
    if step is None or foe is None or after is None or foe.seat == made.seat:
        return judgement
    event = next(
        (candidate for candidate in after.report if candidate.kind in _CAME and candidate.seat == made.seat),
        None,
    )
    if event is None:
        return judgement  # a piece of somebody who has left does not fight
    attacker, defender = event.faces[0], event.faces[-1]
    chances = Beliefs(state, made.seat, made.view.known).chances(foe)
    odds = sum(chance for face, chance in chances.items() if FIGHTS[attacker][face] in ("won", "flag"))
    sums = prospects.sums(state, prospects.measures(state))

    def chance(face: Face) -> float:
        """The chance to win once the attacker has met a piece of this face."""
        return _met(state, sums, (made.seat, attacker), (foe.seat, face))

    likeliest = sorted(chances.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    return replace(
        judgement,
        kind="attack",
        odds=min(odds, 1.0),
        came=_CAME[event.kind],
        luck=chance(FLAG if event.kind == "flag" else defender)
        - sum(share * chance(face) for face, share in chances.items()),
        knew=tuple(Likelihood(piece(face), share) for face, share in likeliest),
    )


def _met(state: State, sums: Mapping[Seat, float], own: tuple[Seat, Face], foe: tuple[Seat, Face]) -> float:
    """The chance of the first seat once its piece has met the other's: by what falls."""
    (seat, attacker), (other, defender) = own, foe
    left, result = dict(sums), FIGHTS[attacker][defender]
    by = prospects.weights(state)
    if result == "flag":
        left[seat] = left.get(seat, 0.0) + by[prospects.CAPTURED]
        left[other] = left.get(other, 0.0) - by[prospects.HOME]
    if result in ("won", "both") and other in left:
        left[other] -= prospects.loss(state, VALUES[defender])
    if result in ("lost", "both") and seat in left:
        left[seat] -= prospects.loss(state, VALUES[attacker])
    return prospects.chances(left, state.seats)[seat]


def in_words(move: Move) -> str:
    """A move: "c4 to c5"."""
    step = zones(move)
    if step is None:
        return _("no more moves") if move == STOP else _("cannot move") if move == NONE else move
    return _("{source} to {target}", source=NAMES[step[0]], target=NAMES[step[1]])


# Cards


def _card(made: MadeDecision, state: State, move: Move, stop: Enough) -> Judgement:
    """The card that is played, or none, against all that the seat could play."""
    view: View[State] = made.view
    weigher = _weigher(view, state)
    judgement = Judgement(made, "card", _card_in_words(move), unknown=weigher is None)
    plays = own_plays(state, view.known)
    if weigher is None or move not in plays:
        return judgement
    moves = (
        _worth(weigher, other_move)
        for other_move in own_moves(state, view.known)
        if zones(other_move) and not stop()
    )
    best_move = max(moves, default=0.0)
    points = {
        play: 0.0 if (kind := played(play)) is None else playing_cards.worth(weigher, kind, best_move)
        for play in plays
    }
    return replace(_beside(judgement, state, points, move, _card_in_words), hasty=stop())


def _card_in_words(move: Move) -> str:
    kind = played(move)
    return _("no card") if kind is None else card(kind)


def _accusation(made: MadeDecision, state: State, move: Move) -> Judgement:
    """The piece that the Traitor names."""
    view: View[State] = made.view
    where, named = accused(move)
    weigher = _weigher(view, state)
    judgement = Judgement(made, "accusation", _accused_in_words(where, named), unknown=weigher is None)
    foe = state.board[where]
    if foe is None:
        return judgement
    chances = Beliefs(state, view.seat, view.known).chances(foe)
    report = made.after.report if made.after is not None else ()
    event = next((candidate for candidate in report if candidate.kind in _NAMED), None)
    likeliest = sorted(chances.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    judgement = replace(
        judgement,
        odds=chances.get(named, 0.0),
        came=None if event is None else _NAMED[event.kind],
        knew=tuple(Likelihood(piece(face), share) for face, share in likeliest),
    )
    if weigher is None:
        return judgement
    points = {(zone, face): value for zone, face, value in playing_cards.accusations(weigher)}
    best = max(points, key=points.__getitem__)
    lost = _in_chance(state, view.seat, points[best] - points.get((where, named), 0.0))
    return replace(judgement, best=judgement.chosen if lost == 0 else _accused_in_words(*best), lost=lost)


def _accused_in_words(where: Zone, named: Face) -> str:
    return _("{zone}: {piece}", zone=NAMES[where], piece=piece(named))


# Measures


def _with_bits(judgement: Judgement) -> Judgement:
    """With what the others and the seat learned in its step; mixing pieces gives nothing away."""
    made = judgement.made
    if made.after is None or not made.view.state.turn:
        return judgement
    before, after, seat = made.view.state, made.after, made.seat
    others = [other for other in range(before.seats) if other != seat]
    return replace(
        judgement,
        given=max(bits(before, seat) - bits(after, seat), 0.0),
        gained=max(sum(bits(before, other) - bits(after, other) for other in others), 0.0),
    )


def step_results(before: State, after: State, names: Sequence[str]) -> Sequence[str]:
    """The sentences of a step, without whose turn begins."""
    return narration.step_results(before, after, names)


def bits(state: State, seat: Seat) -> float:
    """The bits that are open about the pieces of `seat` on the board, each by itself."""
    if not state.turn:
        return 0.0
    beliefs = Beliefs(state, prospects.ONLOOKER, {})
    return sum(
        -share * log2(share)
        for piece in state.board
        if piece is not None and piece.seat == seat
        for share in beliefs.chances(piece).values()
        if share < 1
    )


def chance(state: State, seat: Seat) -> float:
    """How likely `seat` is to win, 0 to 1."""
    return prospects.chance(state)[seat]


def outlooks(states: Iterable[State], _seats: int, _truth: Mapping[Slot, Face]) -> Iterator[Outlook]:
    """The outlook after each step: by what everybody can see."""
    for state in states:
        yield Outlook(prospects.chance(state), begun=state.turn > 0)


def reason(before: State, after: State, names: Sequence[str], _truth: Mapping[Slot, Face]) -> str | None:
    """A sentence on movers that came nearer to a flag, or went away from it.

    Cards, flags and land have sentences of their own.
    """
    if after.ended is not None or before.flags != after.flags:
        return ""
    by = prospects.weights(after)
    changes = [
        [weight * (new - old) for weight, new, old in zip(by, *pair, strict=True)]
        for pair in zip(prospects.measures(after), prospects.measures(before), strict=True)
    ]
    near = sum(abs(change[prospects.DANGER] + change[prospects.REACH]) for change in changes)
    owner = max(range(after.seats), key=lambda seat: abs(changes[seat][prospects.DANGER]))
    danger = changes[owner][prospects.DANGER] * by[prospects.DANGER]
    if danger and near >= sum(abs(sum(change)) for change in changes) / 2:
        if len(names) == 2:
            sentence = _NEARER_OF_TWO if danger > 0 else _FARTHER_OF_TWO
            return _(sentence, player=names[owner], other=names[1 - owner])
        return _(_NEARER if danger > 0 else _FARTHER, player=names[owner])
    seen = before.territories != after.territories or any(event.kind == "played" for event in after.report)
    return "" if seen else None


def kinds(kind: str) -> str:
    """A kind of decision in the reader's language."""
    return _(_KINDS[kind])


def summary(name: str, judged: Sequence[Judgement]) -> list[str]:
    """How many attacks were won, and how many were to be expected; and the same of what the Traitor named."""
    attacks = [judgement for judgement in judged if judgement.kind == "attack" and judgement.came is not None]
    named = [
        judgement for judgement in judged if judgement.kind == "accusation" and judgement.came is not None
    ]
    if not attacks:
        sentences = [_("{player} attacked nothing.", player=name)]
    else:
        sentences = [
            _(
                "{player} won {hits} of {count} attacks; {expected} were to be expected.",
                player=name,
                **_counted(attacks),
            )
        ]
    if named:
        sentences.append(
            _(
                "{player} named {hits} of {count} pieces rightly; {expected} were to be expected.",
                player=name,
                **_counted(named),
            )
        )
    return sentences


def _counted(judgements: Sequence[Judgement]) -> dict[str, object]:
    return {
        "hits": sum(bool(judgement.came) for judgement in judgements),
        "count": len(judgements),
        "expected": number(sum(judgement.odds or 0.0 for judgement in judgements), 1),
    }
