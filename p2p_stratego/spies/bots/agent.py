"""The agent: its spies raid, its police hunt; it answers, bids and trades when it pays.

It weighs each choice by what its seat can know, and keeps no memory: a new agent can take over a match at any
point.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.sampling import any_of, shuffled
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.bots import bids, characters, places
from p2p_stratego.spies.bots.answers import Answers
from p2p_stratego.spies.bots.characters import EVEN, Temper
from p2p_stratego.spies.bots.guard import Guard
from p2p_stratego.spies.bots.turn import Turn
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import GERMANY, POWERS
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.counters import A_TILE, COUNTERSPIES, SPY_FACES
from p2p_stratego.spies.rules.notation import ACCEPT, DECLINE, END, READY, SEARCH, SEIZE, STAY, lay
from p2p_stratego.spies.rules.observation import due_commit, true_options
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SPY_CODED, State
from p2p_stratego.spies.rules.tiles import CRISIS, PACT, TILES, TileId, is_coloured
from p2p_stratego.spies.rules.turn.tile import CRISIS_YEAR
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now

A_POINT: Final = 0.35
LAST_CHANCE: Final = 0.5
"""The worth of playing a tile in the last of its years, for each point that it would count."""


def tile_worth(worths: Worths, move: Move) -> float:
    """The worth of a choice of the tile step; to play nothing is worth 0."""
    word, slot = move.split()
    face = worths.known[int(slot)]
    power = worths.state.power
    counted = A_TILE * is_coloured(face) * max(0.0, worths.weight(power)) * worths.counts(power)
    last = worths.state.year == TILES[face].years[-1]
    if word == "discard":
        return -0.2 - 0.3 * counted * (not last)
    return counted * (1 + LAST_CHANCE * last) + awarded(worths, face) + _special(worths, face) - A_POINT


def awarded(worths: Worths, face: TileId) -> float:
    """The worth of the awards of a tile to this seat, those of its rivals against them."""
    state, worth = worths.state, 0.0
    for award in TILES[face].awards:
        for power in range(len(POWERS)):
            if state.territory[award.city] == power:
                continue
            if any(piece.city == award.city for _, piece in state.own(power)):
                gain = worths.change(power, award.pounds) + worths.chit(power, award.chits)
                worth += gain * (worths.share(power) if worths.mine(power) else -0.5 * worths.rival)
    return worth


def _special(worths: Worths, face: TileId) -> float:
    state, own = worths.state, powers_of(worths.state, worths.seat)
    if face == CRISIS and state.year == CRISIS_YEAR:
        best = max(worths.so_far(power) for power in own)
        others = [worths.so_far(power) for power in range(len(POWERS)) if power not in own]
        return 4.0 if best > max(others) + 10 else -4.0
    if face == PACT and state.allocation == "bid":
        return 2.0 if GERMANY in own else -4.0
    return 0.0


_NAMED: Final = ("give", "want", READY)
"""How the parts of a proposal begin."""


class Agent:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance, temper: Temper = EVEN) -> None:
        self._chance = chance
        self._temper = temper

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The choice of the highest worth."""
        decision, state = view.asked, now(view)
        if isinstance(decision, Commit):
            return self._lay(state, view, decision)
        turn = self._turn(state, view)
        if isinstance(decision.options, Layings):
            power = decision.options.power
            units = [view.known[unit.slot] for unit in state.police[power]]
            return lay(power, (post.city for post in Guard(turn.worths, power).posts(units)))
        if isinstance(decision.options, Proposals):
            return turn.trader.proposal(decision.options.power, decision.options.other)
        return self._choose(turn, view, decision)

    def _turn(self, state: State, view: View[State]) -> Turn:
        return Turn(state, view, self._temper, self._chance)

    def _choose(self, turn: Turn, view: View[State], decision: Choose) -> Move:
        options = list(decision.options)
        if len(options) == 1:
            return options[0]
        word = options[0].split(" ")[0]
        if options[0] in SPY_CODED:
            return turn.next_searched(options)
        if word in ("hand", "return"):
            return min(options, key=lambda move: turn.trader.kept(int(move.split(" ")[1])))
        if word in _NAMED and END not in options:
            return turn.trader.next_part(options, view.since)
        if STAY in options:
            return turn.landed(options, view.since[0][1])
        if SEARCH in options:
            return turn.arrival()
        if ACCEPT in options:
            accepts = ACCEPT in true_options(view) and turn.trader.accepts(view.since)
            return ACCEPT if accepts else DECLINE
        if END in options:
            return turn.action(options)
        return self._among(turn, true_options(view))

    def _among(self, turn: Turn, options: list[Move]) -> Move:
        """A choice among the true ones: facts, places, tiles, bids, and answers."""
        word, worths = options[0].split(" ")[0], turn.worths
        if len(options) == 1:
            return options[0]
        if SEIZE in options:
            return SEIZE
        if word == "stand":
            return max(options, key=lambda move: standing(turn, move))
        if word == "at":
            if worths.state.phase == "secrets":
                return places.secret_at(worths, options, self._chance)
            return places.spy_at(worths, turn.dangers, turn.targets, options)
        if word in ("tile", "discard"):
            return max(options, key=lambda move: tile_worth(worths, move))
        if word == "bid":
            return bids.bid(worths, options, self._chance)
        if word == "pay":
            return bids.share(worths, options)
        answers = Answers(worths, turn.targets)
        worth = {move: answers.worth(move) for move in options}
        best = max(worth.values())
        return any_of([move for move in options if worth[move] == best], self._chance)

    def _lay(self, state: State, view: View[State], decision: Commit) -> tuple[Face, ...]:
        due = due_commit(state, decision, view.known)
        if due is not None:
            return due
        turn = self._turn(state, view)
        if not decision.exactly:
            return turn.trader.amount(decision.slots)
        if tuple(decision.faces) == SPY_FACES:
            return tuple(shuffled(tuple(decision.faces), self._chance))
        return tuple(post.strength for post in Guard(turn.worths, state.power).posts(tuple(decision.faces)))


def standing(turn: Turn, move: Move) -> float:
    """The worth of police on these secrets.

    Counterspies under police act; police on other secrets hide which are counterspies.
    """
    secrets = map(int, move.split(" ")[1:])
    return sum(5.0 if turn.worths.beliefs.face(secret) in COUNTERSPIES else 1.0 for secret in secrets)


CADET, GAMBLER, DIPLOMAT, QUARTERMASTER, SPYMASTER = (
    partial(Agent, temper=temper)
    for temper in (
        characters.CADET,
        characters.GAMBLER,
        characters.DIPLOMAT,
        characters.QUARTERMASTER,
        characters.SPYMASTER,
    )
)
"""The agent in each temper of `characters`."""
