"""Where the agent's secrets and spies begin."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import Chance
from p2p_stratego.spies.bots.dangers import Dangers
from p2p_stratego.spies.bots.hides import rank, shelter
from p2p_stratego.spies.bots.targets import DEEP, DEEPER, Targets, faded
from p2p_stratego.spies.bots.ways import costs
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import CITY_NAMED, City, Power
from p2p_stratego.spies.rules.state import SecretId, Spy

CROWD: Final = 0.8
"""The cost of a place where another own spy stands: both are after the same."""
SLIP: Final = 0.3
"""How often a secret lies one city away from where it should, so that nobody can be sure."""


def _rank(worths: Worths, secret: SecretId) -> int:
    return rank(worths.beliefs.face(secret) or 0)


def secret_at(worths: Worths, options: list[Move], chance: Chance) -> Move:
    """Where the next secret of the power to move lies."""
    power = worths.state.power
    left = [
        secret
        for secret, lying in enumerate(worths.state.secrets)
        if lying.owner == power and lying.where == "reserve"
    ]
    cities = sorted(options, key=lambda move: shelter(CITY_NAMED[move.split()[1]], power))
    ranks = sorted(_rank(worths, secret) for secret in left)
    place = ranks.index(_rank(worths, left[0])) * (len(cities) - 1) // max(1, len(left) - 1)
    if chance.random() < SLIP:
        place += 1 if chance.random() < 0.5 else -1
    return cities[max(0, min(len(cities) - 1, place))]


def spy_at(worths: Worths, dangers: Dangers, targets: Targets, options: list[Move]) -> Move:
    """Where the next spy of the power to move stands."""
    state = worths.state
    power = state.power
    spy = next(
        spy for spy, piece in enumerate(state.spies) if (piece.power, piece.where) == (power, "reserve")
    )
    claimed: set[SecretId] = set()
    aims = {
        secret: deep(targets, lying.city) * targets.prize(spy, secret)
        for secret, lying in enumerate(state.secrets)
        if targets.open_to(power, secret)
    }
    for _, piece in state.own(power):
        ways = costs(piece.city)
        hopes = {
            secret: faded(aim, ways[state.secrets[secret].city])
            for secret, aim in aims.items()
            if secret not in claimed
        }
        claimed.update(sorted(hopes, key=lambda secret: -hopes[secret])[:1])
    night = dangers.night(spy, loaded=False)

    def worth(move: Move) -> float:
        city = CITY_NAMED[move.split()[1]]
        ways = costs(city)
        promised = [
            faded(aim, ways[state.secrets[secret].city])
            for secret, aim in aims.items()
            if secret not in claimed
        ]
        crowd = sum(piece.city == city for _, piece in state.own(power))
        hope = max(promised, default=0.0) + targets.award(spy, city) - CROWD * crowd
        danger = min(1.0, night[city])
        return (1 - danger) * hope - danger * worths.captured(spy, state.territory[city])

    return max(options, key=worth)


def _waits(piece: Spy, power: Power) -> bool:
    return piece.power == power and piece.where == "reserve"


def deep(targets: Targets, city: City) -> float:
    """The share left of a prize as far from safety as this."""
    return DEEP.get(round(targets.depth(city)), DEEPER)
