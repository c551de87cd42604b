"""Fits what the conduct of closed pieces of Stratego says of their faces, and tests it in other games.

    python -m benchmarks.bots.evidence [--games 400] [--check]

It writes p2p_stratego/stratego/bots/evidence.json, unless it is only to check the networks there, and prints
the mean logarithmic loss of what is believed of a closed piece, for docs/bots-stratego.md.  Players of
`FITTED` styles play each other; in the games for the test, those of `HELD` play each other, of which none
lays or moves as those do.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.bots import network
from benchmarks.bots.fitting import TEST, Fit
from p2p_stratego.core.game import Commit, Face, Move, Seat, Slot
from p2p_stratego.core.sampling import any_of
from p2p_stratego.core.self_play import Decided, play
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.bots import evidence, setup_generator
from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.beliefs import chances, even_chances
from p2p_stratego.stratego.bots.characters import EVEN, Temper
from p2p_stratego.stratego.bots.evidence import Evidence, Mark, Network
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.setup_generator import dealt, varied
from p2p_stratego.stratego.formats.diagram import PLACES, Setup
from p2p_stratego.stratego.formats.setups import answers, mirrored, templates
from p2p_stratego.stratego.rules.armies import ARMIES, Army
from p2p_stratego.stratego.rules.board import row_of
from p2p_stratego.stratego.rules.cells import EMPTY, MOVED, OPEN
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import SEATS
from p2p_stratego.stratego.rules.repetition import FRESH
from p2p_stratego.stratego.rules.state import State

SAMPLED: Final = 12
"""Positions of each side of each game."""
SHARES: Final = {"barrage": 1.0, "quickplay": 1.0, "classic": 1.0}
"""How many games of each army, for each that is asked for."""


# Styles


def _anyhow(army: Army, chance: Chance) -> Setup:
    places = dict(zip(setup_generator.sample(range(PLACES), army.size, chance), army.faces, strict=True))
    return tuple(places.get(place) for place in range(PLACES))


def _named(army: Army, chance: Chance) -> Setup:
    setup = any_of(tuple(templates(army).values()), chance)
    return mirrored(setup) if chance.random() < 1 / 2 else setup


def _soundish(army: Army, chance: Chance) -> Setup:
    """A sensible set-up in which a few pieces have changed places."""
    setup = list(dealt(army, chance))
    laid = [place for place in range(PLACES) if setup[place] is not None]
    for _ in range(3):
        first, other = setup_generator.sample(laid, 2, chance)
        setup[first], setup[other] = setup[other], setup[first]
    return tuple(setup)


def _loosely(army: Army, chance: Chance) -> Setup:
    """Each piece where people lay it, without a principle for the whole."""
    return setup_generator.by_shares(army, chance)


def _hidden(army: Army, chance: Chance) -> Setup:
    """A set-up whose flag stands on many squares."""
    return varied(army, chance, 0.7)


def _attacks(view: View[State], moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if view.state.board[STEPS[move][1]] != EMPTY]


def _fresh(view: View[State], moves: Sequence[Move]) -> list[Move]:
    """Moves of pieces that never moved."""
    return [move for move in moves if view.state.board[STEPS[move][0]] < MOVED]


def _onward(view: View[State], moves: Sequence[Move]) -> list[Move]:
    ahead = 1 if view.seat == 0 else -1
    return [move for move in moves if ahead * (row_of(STEPS[move][1]) - row_of(STEPS[move][0])) > 0]


def _bluffs(view: View[State], moves: Sequence[Move]) -> list[Move]:
    """Moves of closed pieces that moved before, whatever they are, without an attack."""
    return [
        move
        for move in moves
        if MOVED <= view.state.board[STEPS[move][0]] < OPEN and view.state.board[STEPS[move][1]] == EMPTY
    ]


def _all(_view: View[State], moves: Sequence[Move]) -> Sequence[Move]:
    return moves


class Style(NamedTuple):
    """How somebody plays: as the agent does, but for the set-up and a share of the moves."""

    name: str
    lays: Callable[[Army, Chance], Setup]
    errs: float = 0.0
    ways: Callable[[View[State], Sequence[Move]], Sequence[Move]] = _all
    """The moves of which it then makes any."""
    temper: Temper = EVEN


FITTED: Final = (
    Style("agent", dealt),
    Style("agent, varied flag", _hidden),
    Style("erring", dealt, 0.1),
    Style("erring often", _hidden, 0.33),
    Style("anyhow laid", _anyhow),
    Style("developing", dealt, 0.2, _fresh),
    Style("bluffing", _hidden, 0.25, _bluffs),
    Style("loosely laid", _loosely),
    Style("bold", _loosely, temper=Temper(caution=0.4, curiosity=0.6, urge=1.6, dread=0.6)),
    Style("careful", _hidden, temper=Temper(caution=2.0, curiosity=0.1, urge=0.5, guard=30.0, dread=1.5)),
    Style("moody", _loosely, temper=Temper(whim=1.5)),
    Style("credulous", dealt, temper=Temper(whim=0.5, gullible=3.0, dread=2.0)),
)
HELD: Final = (
    Style("named set-up", _named),
    Style("named set-up, attacking", _named, 0.5, _attacks),
    Style("onward", _soundish, 0.3, _onward),
    Style("attacking, half erring", _soundish, 0.5, _attacks),
)


@dataclass(slots=True)
class _Player:
    """Plays in a style, and keeps every position in which it moved."""

    style: Style
    chance: random.Random
    seen: list[State]
    agent: Agent = field(init=False)
    squares: Move = ""

    def __post_init__(self) -> None:
        self.agent = Agent(self.chance, self.style.temper)

    def decide(self, view: View[State]) -> Decided:
        if isinstance(view.asked, Commit):
            faces, self.squares = answers(self.style.lays(view.state.army, self.chance))
            return faces
        if view.state.phase == "squares":
            return self.squares
        self.seen.append(view.state)
        decided = self.agent.decide(view)
        if decided == NONE or self.chance.random() >= self.style.errs:
            return decided
        return any_of(self.style.ways(view, own_moves(view)) or [str(decided)], self.chance)


# Positions


class Sample(NamedTuple):
    """The closed pieces of one side in one position, and what they are."""

    style: str
    state: State
    seat: Seat
    marks: tuple[Mark, ...]
    squares: tuple[int, ...]
    """Where they stand."""
    faces: tuple[Face, ...]
    conduct: tuple[float, ...]
    """By piece: how likely the agent's beliefs have its face."""
    scene: tuple[float, ...]
    """See `Evidence.scene`."""


class Watched(NamedTuple):
    """A game, as everybody saw it, and what the pieces were."""

    styles: tuple[str, ...]
    """By seat."""
    states: tuple[State, ...]
    """Those in which somebody moved."""
    faces: Mapping[Slot, Face]


def watched(army: str, seed: int) -> Watched:
    """The game that has this seed."""
    chance, seen = random.Random(f"evidence/{army}/{seed}"), list[State]()
    styles = [any_of(HELD if seed >= TEST else FITTED, chance) for _ in SEATS]
    played = play(GAME, [_Player(style, chance, seen) for style in styles], {"army": army}, chance)
    bare = tuple(state._replace(memory=FRESH) for state in seen)
    return Watched(tuple(style.name for style in styles), bare, played.faces)


def samples(army: str, seed: int) -> list[Sample]:
    """Positions of one game."""
    return list(sampled(watched(army, seed), random.Random(f"positions/{army}/{seed}")))


def sampled(game: Watched, chance: random.Random) -> Iterator[Sample]:
    """Positions of a game."""
    for seat in SEATS:
        states = [state for state in game.states if state.seat != seat]
        kept = set(chance.sample(range(len(states)), min(SAMPLED, len(states))))
        facts, conduct = Evidence(seat), Conduct(seat)
        for at, state in enumerate(states):
            facts.watch(state)
            conduct.watch(state)
            if at in kept:
                pairs = tuple(facts.marks(state))
                faces = tuple(game.faces[mark.slot] for _, mark in pairs)
                by = chances(state, seat, conduct.leanings)
                agents = tuple(by[square][face] for (square, _), face in zip(pairs, faces, strict=True))
                marks = tuple(mark._replace(measures=array("f", mark.measures)) for _, mark in pairs)
                squares, scene = tuple(square for square, _ in pairs), facts.scene(state)
                yield Sample(game.styles[seat], state, seat, marks, squares, faces, agents, scene)


# The fit


def pieces(samples: Sequence[Sample]) -> network.Pieces:
    """Those of positions of games with armies of one size."""
    marks = [(sample, mark) for sample in samples for mark in sample.marks]
    rows = np.zeros((len(marks), network.ALL_ROWS), np.uint8)
    for number, (_, mark) in enumerate(marks):
        np.add.at(rows[number], list(mark.rows), 1)
    even = {id(sample): even_chances(sample.state, sample.seat) for sample in samples}
    return network.Pieces(
        rows,
        np.array([mark.measures for _, mark in marks], np.float32),
        np.array([sample.scene for sample, _ in marks], np.float32),
        np.array([mark.moved for _, mark in marks], np.intp),
        np.array([even[id(sample)][mark.moved] for sample, mark in marks], np.float32),
        np.array([face for sample in samples for face in sample.faces], np.intp),
    )


def fit(samples: Sequence[Sample]) -> dict[int, Network]:
    """The networks by size of the army."""
    sizes = sorted({sample.state.army.size for sample in samples})
    return {
        size: network.fit(pieces([sample for sample in samples if sample.state.army.size == size]))
        for size in sizes
    }


# How it fares


def by_evidence(networks: Mapping[int, Network], sample: Sample) -> list[float]:
    """By piece: how likely the beliefs by these networks have its face."""
    by = networks[sample.state.army.size]
    shared = by.shared(sample.scene)
    leanings = {mark.slot: evidence.leaning(by.scores(mark, shared)) for mark in sample.marks}
    odds = chances(sample.state, sample.seat, leanings)
    return [odds[square][face] for square, face in zip(sample.squares, sample.faces, strict=True)]


def by_counts(sample: Sample) -> list[float]:
    """By piece: how likely the numbers of pieces alone have its face."""
    by = even_chances(sample.state, sample.seat)
    return [by[mark.moved][face] for mark, face in zip(sample.marks, sample.faces, strict=True)]


def losses(samples: Sequence[Sample], judges: Sequence[Callable[[Sample], Sequence[float]]]) -> list[float]:
    """The mean logarithmic loss in nats of a closed piece, by judge."""
    return [
        sum(-log(max(odds, 1e-6)) for sample in samples for odds in judge(sample))
        / sum(len(sample.faces) for sample in samples)
        for judge in judges
    ]


def tables(samples: Sequence[Sample], weights: Mapping[int, Network]) -> Iterator[str]:
    """The table for docs/bots-stratego.md."""
    judges = (by_counts, lambda sample: sample.conduct, partial(by_evidence, weights))
    yield "| army, style | pieces | counts alone | agent | evidence | less than the agent |"
    yield "|---|---|---|---|---|---|"
    sizes = {army.size: name for name, army in ARMIES.items() if name in SHARES}
    for size, army in sizes.items():
        of_army = [sample for sample in samples if sample.state.army.size == size]
        for style in ("all", *sorted({sample.style for sample in of_army})):
            those = [sample for sample in of_army if style in ("all", sample.style)]
            if those:
                counts, agent, new = losses(those, judges)
                pieces = sum(len(sample.faces) for sample in those)
                less = f"{1 - new / agent:.1%}"
                yield f"| {army}, {style} | {pieces} | {counts:.3f} | {agent:.3f} | {new:.3f} | {less} |"


def _there() -> dict[int, Network]:
    return {ARMIES[name].size: evidence.fitted(ARMIES[name]) for name in SHARES}


if __name__ == "__main__":
    Fit(
        samples=samples,
        shares=SHARES,
        fit=fit,
        there=_there,
        file=Path(evidence.__file__).with_suffix(".json"),
        written=network.written,
        tables=tables,
        indent=None,
    ).run(__doc__, 400, 80)
