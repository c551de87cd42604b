"""The answers of the agent: to searches, Discoveries, Sanctions, Drops and escapes, and to chits on chits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.spies.bots.targets import Targets
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED
from p2p_stratego.spies.rules.counters import (
    CHIT_NAMES,
    COUNTERSPIES,
    DOUBLE_CROSS,
    ESCAPE,
    PAPERS,
    Chit,
)
from p2p_stratego.spies.rules.points import at_home
from p2p_stratego.spies.rules.state import Event, SecretId

A_POINT: Final = 0.3
"""The worth of an action point, in one's own turn."""
HOPE: Final = 0.9
"""How likely a chit played stands."""


class Answers:
    """The answers of one seat to one question."""

    def __init__(self, worths: Worths, targets: Targets) -> None:
        self.worths = worths
        self.targets = targets
        self.state = worths.state
        self.event = next(event for event in reversed(self.state.report) if event.kind in _STAKES)

    def worth(self, move: Move) -> float:
        """The worth of an answer; to pass is worth 0."""
        word, *parts = move.split(" ")
        if word not in CHIT_NAMES:
            return 0.0
        kind, slot = CHIT_NAMES.index(word), int(parts[0])
        power = next(power for power, hand in enumerate(self.state.hands) if slot in hand)
        spent = self.worths.price(power, kind) + A_POINT * (power == self.state.power)
        stake = self.stake(kind)
        if kind == ESCAPE:
            stake -= 0.01 * cost(CITY_NAMED[parts[1]], CAPITALS[power])
        return HOPE * stake - spent

    def stake(self, kind: Chit) -> float:
        """The worth of a chit of this kind that stands now."""
        return _STAKES[self.event.kind](self, self.event, kind)

    def _search(self, event: Event, kind: Chit) -> float:
        worths, spy = self.worths, event.spy
        chance = worths.beliefs.search(spy, event.power, event.city)
        if worths.mine(event.power):  # a Double Cross on the other's answer
            gain = worths.share(event.power) * worths.capture(spy, event.power)
            return chance * (gain + worths.robbed(event.power, spy))
        return chance * (worths.captured(spy, event.power) + (kind == PAPERS) * self._carried(spy))

    def _carried(self, spy: int) -> float:
        secret = self.worths.carried(spy)
        if secret is None:
            return 0.0
        piece = self.state.spies[spy]
        return self.targets.brought(piece.power, secret, piece.city)

    def _discovery(self, event: Event, _: Chit) -> float:
        worths, secret = self.worths, event.secret
        lying = self.state.secrets[secret]
        if worths.mine(event.power):
            promise = worths.beliefs.promise(secret)
            return promise.genuine * self.targets.brought(event.power, secret, lying.city)
        keeper = lying.owner if lying.by is None else lying.by
        face = worths.beliefs.face(secret)
        if keeper is None or (face in COUNTERSPIES and lying.by is not None):
            return 0.0  # a counterspy that acts is a trap
        stake = self._gained(event.power, secret)
        if lying.owner == keeper and at_home(lying):
            return stake + max(0.0, worths.weight(keeper)) * worths.at_end(keeper, secret)
        return stake + self.targets.brought(keeper, secret, lying.city)

    def _gained(self, rival: int, secret: SecretId) -> float:
        """The cost to this seat of a rival's control of a secret."""
        worths, lying = self.worths, self.state.secrets[secret]
        if not worths.counts(rival) or worths.beliefs.face(secret) in COUNTERSPIES:
            return 0.0
        held_in = lying.lost or self.state.year
        gain = worths.beliefs.promise(secret).value * worths.multiple(rival, held_in)
        return 0.7 * worths.rival * (gain + 1.5)

    def _sanction(self, event: Event, kind: Chit) -> float:
        worths, victim, assassin = self.worths, event.other, event.spy
        owner = self.state.spies[victim].power
        if worths.mine(event.power):
            return worths.marker(event.power, victim) + worths.robbed(event.power, victim)
        stake = worths.share(owner) * worths.spy_life(victim)
        stake += worths.marker(event.power, victim)
        if kind != ESCAPE:
            stake += self._carried(victim)
        if kind == DOUBLE_CROSS:
            stake += worths.marker(owner, assassin) + worths.robbed(owner, assassin)
        return stake

    def _escape(self, event: Event, _: Chit) -> float:
        return escaping(self.worths, event.spy)

    def _drop(self, event: Event, _: Chit) -> float:
        worths, lying = self.worths, self.state.secrets[event.secret]
        if worths.mine(event.power):
            return self.targets.brought(event.power, event.secret, lying.city)
        return self._gained(event.power, event.secret) + 2.0


def escaping(worths: Worths, spy: int) -> float:
    """The stakes of a captured spy's power and of its captor when it tries to escape."""
    piece = worths.state.spies[spy]
    life = worths.spy_life(spy)
    stake = life * (worths.share(piece.power) if worths.mine(piece.power) else worths.rival)
    if piece.captor is None or not worths.counts(piece.captor):
        return stake
    points = (
        worths.counts(piece.power) * worths.beliefs.strength(spy) * worths.multiple(piece.captor, piece.year)
    )
    return stake + points * abs(worths.weight(piece.captor))


_STAKES: Final[Mapping[str, Callable[[Answers, Event, Chit], float]]] = {
    "searches": Answers._search,
    "discovers": Answers._discovery,
    "sanctions": Answers._sanction,
    "tries to escape": Answers._escape,
    "drops": Answers._drop,
}
"""By the event to answer: the stake."""
