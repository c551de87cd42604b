"""The agent: weighs every choice by what each piece can be, the land, and both sides' flags.

It sees only its seat's view, looks one move ahead, and keeps no memory: a new agent can take over a match at
any point.  A lot among nearly equal choices hides its plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from p2p_stratego.conquest.bots import characters, deployment, playing_cards
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.characters import EVEN, Temper
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import Zone
from p2p_stratego.conquest.rules.choices import Accusations, Moves, Trios
from p2p_stratego.conquest.rules.notation import NONE, PLAY_NONE, STOP
from p2p_stratego.conquest.rules.observation import could_be, forced, own_moves, own_plays
from p2p_stratego.conquest.rules.pieces import FLAG
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.sampling import any_of, shuffled
from p2p_stratego.core.view import Chance, View


class Agent:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance, temper: Temper = EVEN) -> None:
        self._chance = chance
        self._temper = temper

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """A territory, an army, its zones, a card and how to play it, or a move."""
        decision, state = view.asked, view.state
        if state.phase == "draft":
            return notation.take(deployment.best_pick(state, view.seat, self._chance, self._temper))
        if state.phase == "army":
            return deployment.army(state, view.seat, self._chance)
        if state.phase == "zones":
            return deployment.fill_move(state, view.seat)
        weigher = Weigher(Beliefs(now(view), view.seat, view.known), self._temper)
        if isinstance(decision, Commit):
            return self._order(view, decision, weigher)
        return forced(view) or self._choose(view, decision, weigher)

    def _choose(self, view: View[State], decision: Choose, weigher: Weigher) -> Move:
        options = decision.options
        if isinstance(options, Moves):
            return self._move(view, weigher)
        if PLAY_NONE in options:
            return self._card(view, weigher)
        if isinstance(options, Trios):
            return notation.regroup(playing_cards.trio(weigher))
        if isinstance(options, Accusations):
            weighed = playing_cards.accusations(weigher)
            spared = FLAG if self._temper.mercy else None
            zone, face, _ = max(
                (accusation for accusation in weighed if accusation[1] != spared),
                key=lambda accusation: accusation[2],
            )
            return notation.accuse(zone, face)
        return self._zone(list(options), weigher)

    def _zone(self, options: Sequence[Move], weigher: Weigher) -> Move:
        """Where a piece or the own flag goes, or which pieces it looks at."""
        by_zones = {notation.zones_in(option): option for option in options}
        if options[0] == notation.flag(next(iter(by_zones))[0]):
            return by_zones[max(by_zones, key=lambda zones: weigher.safe(zones[0]))]
        if options[0] == notation.look(next(iter(by_zones))):
            return by_zones[max(by_zones, key=lambda zones: playing_cards.worth_of_look(weigher, zones))]
        hand = weigher.state.hand
        face = None if hand is None else weigher.beliefs.face(hand)
        if face is None:
            return any_of(options, self._chance)
        return by_zones[max(by_zones, key=lambda zones: weigher.placed(zones[0], face))]

    def _move(self, view: View[State], weigher: Weigher) -> Move:
        """The best move, or one nearly as good; none that does harm, if it need not be made."""
        weighed = _weighed(view, weigher)
        if self._temper.mercy:
            spared = {move: worth for move, worth in weighed.items() if not _at_a_flag(view, move)}
            weighed = spared or ({} if view.state.made else weighed)  # a first move has to be made
        if not weighed:
            return STOP if view.state.made else NONE
        best = max(weighed.values())
        if view.state.made and best <= self._temper.idle:
            return STOP
        return any_of(
            [move for move, worth in weighed.items() if worth >= best - self._temper.whim], self._chance
        )

    def _card(self, view: View[State], weigher: Weigher) -> Move:
        """The card that is worth most, if any is worth something."""
        if self._temper.forgetting and self._chance.random() < self._temper.forgetting:
            return PLAY_NONE
        best_move = max(_weighed(view, weigher).values(), default=0.0)
        plays = [play for play in own_plays(view.state, view.known) if play != PLAY_NONE]
        weighed = {
            play: playing_cards.worth(weigher, card, best_move)
            for play in plays
            if (card := notation.played(play)) is not None
        }
        return max(weighed, key=lambda play: weighed[play]) if weighed else PLAY_NONE

    def _order(self, view: View[State], decision: Commit, weigher: Weigher) -> tuple[Face, ...]:
        """The order of a regroup: the flag goes to its best zone, the rest by lot."""
        faces = shuffled(tuple(decision.faces), self._chance)
        zones = notation.zones_in(view.since[-1][1])
        if FLAG in faces:
            safest = max(range(len(zones)), key=lambda place: weigher.safe(zones[place]))
            flag = faces.index(FLAG)
            faces[flag], faces[safest] = faces[safest], faces[flag]
        return tuple(faces)


def _weighed(view: View[State], weigher: Weigher) -> dict[Move, float]:
    """The legal moves with what they are worth."""
    worths: dict[Move, float] = {}
    for move in own_moves(view.state, view.known):
        step: tuple[Zone, Zone] | None = notation.zones(move)
        if step is not None:
            worths[move] = weigher.move(*step)
    return worths


def _at_a_flag(view: View[State], move: Move) -> bool:
    """Whether a move attacks what can be a flag."""
    step = notation.zones(move)
    foe = None if step is None else view.state.board[step[1]]
    return foe is not None and FLAG in could_be(foe, view.known)


CADET, GAMBLER, DIPLOMAT, QUARTERMASTER, ADVISER, TUTOR = (
    partial(Agent, temper=temper)
    for temper in (
        characters.CADET,
        characters.GAMBLER,
        characters.DIPLOMAT,
        characters.QUARTERMASTER,
        characters.ADVISER,
        characters.TUTOR,
    )
)
"""The agent in each temper of `characters`."""
