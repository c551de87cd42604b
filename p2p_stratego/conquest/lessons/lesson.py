"""The lesson of Conquest Stratego: the first rounds of a game, with a coach who proposes every answer.

Chance decides the cards, so there is no script: the coach proposes what the agent would do in the learner's
place, from the learner's view alone, and says why.  The tutor plays as the agent, but spares whatever can be
the learner's flag, and gives up once pieces have fallen and both sides have played a few rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from p2p_stratego.conquest.bots.agent import TUTOR, Agent
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.formats.words import land, piece, territory
from p2p_stratego.conquest.lessons.advice import advise, gain, odds, why
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import CITIES, NAMES, TERRITORY_OF, Zone
from p2p_stratego.conquest.rules.cards import KINDS
from p2p_stratego.conquest.rules.observation import face_of, own_moves
from p2p_stratego.conquest.rules.pieces import FIGHTS
from p2p_stratego.conquest.rules.state import Event, State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.lesson import LEARNER, Lesson
from p2p_stratego.core.narration import listed
from p2p_stratego.core.view import View

_SHORT: Final = 3
_LONG: Final = 6
"""The lesson is over in this round, if a piece has fallen by then, and in that one anyhow."""

_FOUGHT: Final = ("won", "lost", "both")
_LIKELY: Final = 0.66
"""An attack that wins less often is called a risk, and is proposed only where nothing else is good."""
_EVEN: Final = 0.4
"""An attack that wins less often than this is more likely to be lost."""


class _Even:
    """Lots that always fall alike, so that a proposal stays the same however often it is asked for."""

    def random(self) -> float:
        """Always the same number."""
        return 0.0


def proposal(view: View[State]) -> Move | tuple[Face, ...]:
    """The answer that the coach proposes."""
    chosen = Agent(_Even()).decide(view)
    return _careful(view, chosen) if isinstance(chosen, str) and _is_bold(view, chosen) else chosen


def _is_bold(view: View[State], move: Move) -> bool:
    """Whether a move is an attack that a learner may well lose."""
    way, state = notation.zones(move), now(view)
    if state.phase != "move" or way is None or state.board[way[1]] is None:
        return False
    mine = state.board[way[0]]
    face = None if mine is None else face_of(mine, view.known)
    return face is None or odds(view, face, way[1]) < _LIKELY


def _careful(view: View[State], bold: Move) -> Move:
    """The best move that is no bold attack, in the place of one: three first attacks that fail teach nothing.

    The attack itself where a move has to be made and nothing else is good.
    """
    state = now(view)
    weigher = Weigher(Beliefs(state, view.seat, view.known))
    others = {
        move: weigher.move(*way)
        for move in own_moves(state, view.known)
        if (way := notation.zones(move)) is not None and not _is_bold(view, move)
    }
    best = max(others, key=lambda move: others[move], default=bold)
    if others.get(best, 0.0) > 0:
        return best
    return notation.STOP if state.made else bold


def line(view: View[State]) -> str:
    """The line that the coach has the learner type now; "" where the pieces stand ready or are laid."""
    if view.decision is None or view.state.ended is not None or isinstance(view.decision, Commit):
        return ""
    return "" if now(view).phase in ("army", "zones") else _typed(str(proposal(view)))


def _typed(chosen: Move) -> str:
    """An answer as it is typed: a card by its title."""
    if chosen == notation.PLAY_NONE:
        return "none"
    card = notation.played(chosen)
    return chosen if card is None else KINDS[card].title.rstrip("!").casefold()


def gives_up(view: View[State]) -> bool:
    """Whether the lesson is over when the tutor is asked."""
    state = view.state
    return state.round >= _LONG or (state.round >= _SHORT and any(state.bags))


def coach(view: View[State]) -> str:
    """The coach's text for the learner, who is red."""
    if _won(view.state) or (view.decision is None and gives_up(view)):
        return "\n".join((*_came(view, reversed([*view.past, view.state])), _end(view)))
    state = view.state if view.decision is None else now(view)
    texts = (*_came(view, [view.state]), *_lost_cities(view, state), *_asked(view, state))
    return "\n".join(text.replace(" \n", "\n") for text in texts if text)


def _end(view: View[State]) -> str:
    """How the lesson ended."""
    if _won(view.state):
        return _("You have blue's flag: the game is yours!")
    if not _met(view):
        return _(
            "No piece has met another one yet. Next time go for blue's: whatever you lose waits in your bag."
        )
    return _(
        "You took land, played cards and met blue's pieces: that is all for a first time, so the tutor "
        "ends the lesson here. In a whole game the last flag wins."
    )


def _came(view: View[State], states: Iterable[State]) -> Iterator[str]:
    """How the last fight in the reports of these states ended, the newest first; told once, before the
    first question of an act."""
    # What is asked next empties the report of `now(view)`: the fight stands in the state before it.
    reports = () if view.since else (state.report for state in states)
    fights = (event for report in reports for event in reversed(report) if event.kind in _FOUGHT)
    yield from map(_fight, islice(fights, 1))


def _fight(event: Event) -> str:
    """How a fight ended, and what became of the pieces."""
    attacker, defender = event.faces
    fields = {"attacker": piece(attacker), "defender": piece(defender), "place": NAMES[event.zones[1]]}
    if event.kind == "both":
        return _("Equal ranks on {place}: both pieces go to their bags.", **fields)
    ours = event.seat == LEARNER
    if event.kind == "won":
        return (
            _("Your {attacker} beats the {defender} on {place}. It goes to blue's bag.", **fields)
            if ours
            else _("Blue's {attacker} beats your {defender} on {place}: it waits in your bag now.", **fields)
        )
    return (
        _("Your {attacker} falls to the {defender} on {place}: it waits in your bag now.", **fields)
        if ours
        else _("Blue's {attacker} falls to your {defender} on {place}.", **fields)
    )


def _lost_cities(view: View[State], state: State) -> Iterator[str]:
    """At the beginning of a turn: the cities that were the learner's after its last one, and are not now."""
    if view.decision is None or state.phase != "play" or view.since:
        return
    before = next((past for past in view.past if past.turn == state.turn - 1), state)
    lost = [
        land(city)
        for city in sorted(CITIES)
        if before.territories[city] == LEARNER != state.territories[city]
    ]
    if lost:
        yield _(
            "Blue has come to {lands}. A city is yours, and gives a move, while you alone stand there.",
            lands=listed(lost),
        )
    if gives_up(view):
        yield _("This is the last turn of the lesson.")


def _empties(state: State, source: Zone, target: Zone) -> str:
    """A sentence if the last piece leaves a city."""
    city = TERRITORY_OF[source]
    there = sum(TERRITORY_OF[zone] == city for zone in state.zones_held(LEARNER))
    if city not in CITIES or city == TERRITORY_OF[target] or there > 1:
        return ""
    return _("That leaves {land} empty: it is nobody's then.", land=land(city))


def _asked(view: View[State], state: State) -> Iterator[str]:
    """The present question, and the words to type."""
    if view.decision is None:
        return
    if state.phase == "draft":
        yield _pick(view, state)
    elif state.phase in ("army", "zones"):
        yield _(
            "Your 18 pieces stand ready. Nobody sees which is which until two meet: then the higher rank "
            "stays. The flag and the Cursed lands never move, and the last flag wins.\nType ready"
        )
    elif isinstance(view.decision, Commit):
        yield next((remark.text for remark in advise(view)), "")
    elif state.phase == "play":
        yield _card(view, state)
    else:
        yield _move(view, state)


def _pick(view: View[State], state: State) -> str:
    chosen = proposal(view)
    place = notation.taken(str(chosen))
    fields = {"land": territory(place), "move": chosen}
    if LEARNER not in state.taken:
        return _(
            "First you and blue take land in turn. A city (★) gives you a move in each turn, and every two "
            "lands an action card. Cities first: take {land}.\nType {move}",
            **fields,
        )
    if place in CITIES:
        return _("One more city is one more move in each turn: {land}.\nType {move}", **fields)
    return _("Land beside your own is easy to keep: {land}.\nType {move}", **fields)


def _card(view: View[State], state: State) -> str:
    """The drawn cards and the one to play; or how to carry it out."""
    chosen = str(proposal(view))
    reason = next((remark.text for remark in advise(view)), "")
    if chosen == notation.PLAY_NONE:
        return _("None of your cards helps you now.\nType none")
    card = notation.played(chosen)
    if card is None:
        return _("{reason}\nType {move}", reason=reason, move=chosen)
    return n_(
        "You drew {count} card, and may play it. {about}\nType {move}",
        "You drew {count} cards, and may play one of them. {about}\nType {move}",
        len(state.drawn),
        about=gain(card),
        move=_typed(chosen),
    )


def _move(view: View[State], state: State) -> str:
    chosen = str(proposal(view))
    way = notation.zones(chosen)
    if way is None:
        return _("Nothing good is left to move.\nType {move}", move=chosen)
    source, target = way
    words = _step(view, state, source, target, chosen)
    reason, _newline, typed = words.rpartition("\n")
    return "\n".join(text for text in (reason, _empties(state, source, target), typed) if text)


def _step(view: View[State], state: State, source: Zone, target: Zone, chosen: Move) -> str:
    """A step that the coach proposes, and its reason."""
    left = state.moves - state.made
    attack = "" if state.board[target] is None else _attack(view, state, source, target, chosen)
    reason = attack.rpartition("\n")[0] or why(view, chosen)
    if state.round == 1 and not state.made:
        return n_(
            "You have {count} move. Go one zone up, down, left or right, to land or against blue. "
            "{reason}\nType {move}",
            "You have {count} moves, one and one for each city. Go one zone up, down, left or right, to land "
            "or against blue. {reason}\nType {move}",
            left,
            reason=reason,
            move=chosen,
        )
    if attack:
        return attack
    weigher = Weigher(Beliefs(state, view.seat, view.known))
    gains = weigher.land({source: None, target: view.seat})
    if gains > 0 and TERRITORY_OF[source] != TERRITORY_OF[target] and TERRITORY_OF[target] in CITIES:
        return _(
            "{land} is a city: stand there alone, and it is yours.\nType {move}",
            land=land(TERRITORY_OF[target]),
            move=chosen,
        )
    return n_(
        "{count} move is left. {reason}\nType {move}",
        "{count} moves are left. {reason}\nType {move}",
        left,
        reason=reason,
        move=chosen,
    )


def _attack(view: View[State], state: State, source: Zone, target: Zone, move: Move) -> str:
    mine = state.board[source]
    face = None if mine is None else face_of(mine, view.known)
    foe = state.board[target]
    fields = {"mine": "" if face is None else piece(face), "place": NAMES[target], "move": move}
    if face is None:
        raise RuntimeError(f"the coach proposes {move} with a piece that it does not know")
    if foe is not None and foe.face is not None and FIGHTS[face][foe.face] in ("won", "flag"):
        return _(
            "Your {mine} beats the {theirs} on {place}: attack it.\nType {move}",
            theirs=piece(foe.face),
            **fields,
        )
    share = odds(view, face, target)
    if share >= _LIKELY:
        return _("Your {mine} probably beats what stands on {place}: attack it.\nType {move}", **fields)
    if share >= _EVEN:
        return _(
            "Your {mine} is about as likely to win as to lose on {place}, and nothing better is left."
            "\nType {move}",
            **fields,
        )
    return _(
        "Attack what stands on {place} with your {mine}: it may fall, but then you know what guards "
        "there.\nType {move}",
        **fields,
    )


def _won(state: State) -> bool:
    return state.ended is not None and LEARNER in state.ended.winners


def _met(view: View[State]) -> bool:
    """Whether the learner has seen what the lesson shows: pieces have met and fallen, or blue's flag did."""
    return any(view.state.bags) or _won(view.state)


LESSON: Final = Lesson(
    options={},
    tutor=TUTOR,
    coach=coach,
    line=line,
    met=_met,
    over=lambda view: view.decision is not None and gives_up(view),
    learnt=(
        mark("Cities give moves, and every two lands an action card."),
        mark("You laid 18 pieces: nobody sees which is which until two meet."),
        mark("A turn: draw cards, play one at most, then make your moves."),
        mark("Fallen pieces wait in their owner's bag; Reinforcement brings one back."),
        mark("Who takes a flag gets all that its owner holds, and the last flag wins."),
    ),
)
