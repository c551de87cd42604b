"""The targets of own spies: the secrets worth the way, the spy for each, and the cities with chits."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from p2p_stratego.spies.bots.dangers import Dangers
from p2p_stratego.spies.bots.ways import FAR, cost, costs
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import CAPITALS, HAVENS, NAMES, City, Power
from p2p_stratego.spies.rules.counters import DISCOVERY, LAST_YEAR, SPACES
from p2p_stratego.spies.rules.state import DROP, SecretId, SpyId
from p2p_stratego.spies.rules.tiles import TILES, Award, coloured, fitting
from p2p_stratego.spies.rules.turn.discovery import from_friend

A_SPACE: Final = 0.25
"""The worth of an action point of later turns."""
FADE: Final = 0.965
"""The share left of a prize for each space of the way to it."""
NO_CHIT: Final = 0.4
"""The share left of a prize while no Discovery is at hand."""
CLAIMED: Final = 0.5
"""The share left of a prize that another spy is after."""
WAIT: Final = 0.7
"""The share left of a prize that is put off to a later turn."""
ON_THE_WAY: Final = 0.92
"""The share left of a secret that is not cashed in this turn."""
ANSWERED: Final = 0.05
"""How much likelier each chit in a hand makes an answer to a Discovery."""
DEEP: Final = {0: 1.0, 1: 1.0, 2: 1.0, 3: 0.6}
"""By spaces from a city to safety: the part of a prize that remains there; deeper: DEEPER."""
DEEPER: Final = 0.4
MOST_AIMS: Final = 10
"""How many secrets a spy keeps in view."""
_FADED: Final = tuple(FADE**tenth for tenth in range(100))
NONE: Final[tuple[float, SecretId]] = (0.0, -1)


def faded(worth: float, way: float) -> float:
    """A prize at the end of a way."""
    return worth * _FADED[min(99, round(way))] - A_SPACE * way if way < FAR else 0.0


@lru_cache(maxsize=64)
def depths(enemy: tuple[bool, ...]) -> tuple[float, ...]:
    """By city: the points from it to the nearest city of no enemy; `enemy`: by city, whether an enemy's."""
    safe = [city for city in range(len(NAMES)) if not enemy[city]]
    return tuple(
        min((costs(city)[other] for other in safe), default=FAR) if enemy[city] else 0.0
        for city in range(len(NAMES))
    )


class Targets:
    """The aims of one seat's spies at one moment."""

    def __init__(self, worths: Worths, dangers: Dangers) -> None:
        self.worths = worths
        self.dangers = dangers
        self.state = worths.state
        self._depths = depths(tuple(who is not None and worths.hostile(who) for who in self.state.territory))
        self._wanted: dict[SpyId, list[tuple[float, SecretId]]] = {}
        self._aims: dict[SpyId, list[tuple[float, City]]] = {}
        self._awards: dict[Power, list[float]] = {}
        self._stand: dict[Power, Counter[City]] = {}

    def depth(self, city: City) -> float:
        """The spaces from a city to the nearest city without an enemy's rule."""
        return self._depths[city]

    # Secrets

    def open_to(self, power: Power, secret: SecretId) -> bool:
        """Whether a spy of a power may discover a secret where it is now, or could when it got there."""
        lying = self.state.secrets[secret]
        if lying.where != "map" or lying.on == DROP or lying.by == power or lying.city in HAVENS:
            return False
        if from_friend(self.state, power, lying):
            return False
        if lying.owner is None:
            return True
        land = self.state.territory[lying.city]
        if lying.owner == power and lying.by is None and (land == power or lying.city == lying.origin):
            return False
        return not (self.worths.mine(lying.owner) and land == lying.owner)

    def prize(self, spy: SpyId, secret: SecretId, *, years: int = 0) -> float:
        """The promise of a Discovery of a secret to a spy, but for the ways; `years`: when."""
        power, lying = self.state.spies[spy].power, self.state.secrets[secret]
        promise = self.worths.beliefs.promise(secret)
        year = min(LAST_YEAR, self.state.year + years)
        gain = promise.genuine * self.brought(power, secret, lying.city, year)
        acting = lying.owner is None or lying.by is not None
        if acting and promise.genuine < 1:
            caught = self.worths.captured(spy, lying.by)
            gain -= (1 - promise.genuine) * self.worths.beliefs.beaten(spy, secret) * caught
        keeper = lying.owner if lying.by is None else lying.by
        return gain * self.stands(keeper)

    def stands(self, keeper: Power | None) -> float:
        """How likely a Discovery of what a power keeps is not answered: the fuller its hand, the less."""
        if keeper is None or not self.worths.hostile(keeper):
            return 1.0
        return 1.0 - ANSWERED * len(self.state.hands[keeper])

    def brought(self, power: Power, secret: SecretId, city: City, year: int | None = None) -> float:
        """The worth of a secret to a power whose spy carries it in a city."""
        return self.carried(power, secret, city, self.worths.load(power, secret, year))

    def carried(self, power: Power, secret: SecretId, city: City, load: float) -> float:
        """The worth of a load on its way home."""
        lying = self.state.secrets[secret]
        goal = lying.origin if lying.owner == power else CAPITALS[power]
        way = cost(city, goal)
        if way == 0:
            return load
        if way > SPACES * self.worths.turns_left(power) + 0.5:  # too late to cash it, but nobody else can
            return 0.5 * self.denied(power, secret)
        return max(ON_THE_WAY * faded(load, way), 0.0)

    def denied(self, power: Power, secret: SecretId) -> float:
        """The worth of keeping its owner from scoring a secret at the end."""
        owner = self.state.secrets[secret].owner
        if owner is None or owner == power or self.worths.mine(owner):
            return 0.0
        return self.worths.rival * self.worths.at_end(owner, secret)

    def wanted(self, spy: SpyId) -> list[tuple[float, SecretId]]:
        """The secrets that a spy may go for, the best first, each with its promise."""
        if spy not in self._wanted:
            self._claim(self.state.spies[spy].power)
        return self._wanted[spy]

    def _claim(self, power: Power) -> None:
        """Each secret goes to the spy for which it is best; the others see half of its worth."""
        price = self.worths.price(power, DISCOVERY)
        free = [spy for spy, _ in self.state.own(power) if self.worths.carried(spy) is None]
        prizes: list[tuple[float, SpyId, SecretId, float]] = []
        for secret in range(len(self.state.secrets)):
            if self.open_to(power, secret):
                city = self.state.secrets[secret].city
                deep = DEEP.get(round(self._depths[city]), DEEPER)
                for spy in free:
                    way = cost(self.state.spies[spy].city, city)
                    prize = deep * self.prize(spy, secret, years=int(way > SPACES)) - price
                    if prize > 0:
                        prizes.append((faded(prize, way), spy, secret, prize))
        prizes.sort(reverse=True)
        share = 1.0 if self.worths.holds(power, DISCOVERY) else NO_CHIT
        claims: dict[SecretId, SpyId] = {}
        for _, spy, secret, _ in prizes:
            if secret not in claims and spy not in claims.values():
                claims[secret] = spy
        for spy, _ in self.state.own(power):
            self._wanted[spy] = []
        for _, spy, secret, prize in prizes:
            claimed = 1.0 if claims.get(secret, spy) == spy else CLAIMED
            self._wanted[spy].append((share * claimed * prize, secret))
        for spy in free:
            self._wanted[spy].sort(reverse=True)

    def seek(self, spy: SpyId, city: City) -> float:
        """The promise of a city to a spy without a secret."""
        if spy not in self._aims:
            secrets = self.state.secrets
            self._aims[spy] = [
                (prize, secrets[secret].city) for prize, secret in self.wanted(spy)[:MOST_AIMS]
            ]
        ways, best = costs(city), 0.0
        left = SPACES * self.worths.turns_left(self.state.spies[spy].power)
        for prize, there in self._aims[spy]:
            if prize > best and ways[there] < left:
                best = max(best, faded(prize, ways[there]))
        return WAIT * best

    # Awards

    def award(self, spy: SpyId, city: City) -> float:
        """The promise of tiles to a spy in a city: none, if another one of its power stands there."""
        power = self.state.spies[spy].power
        if power not in self._awards:
            self._awards[power] = self._awarded(power)
            self._stand[power] = Counter(piece.city for _, piece in self.state.own(power))
        others = self._stand[power][city] - (self.state.spies[spy].city == city)
        return self._awards[power][city] if others <= 0 else 0.0

    def _awarded(self, power: Power) -> list[float]:
        by_city = [0.0] * len(NAMES)
        worths, state = self.worths, self.state
        for other in range(5):
            year = state.year + (other <= state.power)
            if year > worths.last_year or state.idle(other):
                continue
            tiles = self._tiles(other, year)
            for awards in tiles:
                for award in awards:
                    if state.territory[award.city] != power:
                        gain = worths.change(power, award.pounds) + worths.chit(power, award.chits)
                        by_city[award.city] += worths.share(power) * gain / (len(tiles) + 0.6)
        return by_city

    def _tiles(self, power: Power, year: int) -> list[tuple[Award, ...]]:
        """The awards of the tiles that a power may play in a year, as far as this seat can tell."""
        fits, known = fitting(year), self.worths.known
        if self.worths.mine(power):
            ids = [known[slot] for slot in self.state.tiles[power] if known.get(slot) in fits]
        else:
            played = {play.tile for play in self.state.played}
            ids = [tile for tile in coloured(power) if tile in fits and tile not in played]
        return [TILES[tile].awards for tile in ids]
