"""The public state of SPIES! between two steps: the facts that every player can see.

A *step* is one unit of play: secrets laid, a bidding, police, spies, a tile with its awards, one action of a
turn with all answers to it.  The values below share their parts from state to state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Options, Outcome, Seat, Slot
from p2p_stratego.spies.rules.atlas import CODES, GERMANY, NAMES, RUSSIA, City, Power
from p2p_stratego.spies.rules.counters import ACTION_POINTS, SPACES, SPIES

Phase: TypeAlias = Literal["secrets", "bid", "police", "talk", "spies", "tile", "turn", "over"]
"""The next task of `power`; in phase "bid" all seats bid for russia, in phase "talk" all talk."""
SpyId: TypeAlias = int
"""power × 5 + 0 to 4, in the order of placing."""
SecretId: TypeAlias = int
"""0 to 39: its slot."""
On: TypeAlias = int
"""The piece on a secret: a SpyId, or POLICE, DROP, NOTHING."""
NOTHING, POLICE, DROP = -1, -2, -3
NOWHERE: Final[City] = -1

Copies: TypeAlias = tuple[tuple[Seat, Slot], ...]
"""Who was shown a card, and the slot of its own under which it lies since."""

TILE_STAGE, POLICE_STAGE, SEARCH_STAGE, SPY_STAGE = range(4)
"""How far a turn is: the tile was the last thing; police were laid; searches began; spies acted."""

SECRETS: Final = 0
TILES: Final = 64
MIXED_TILES: Final = 192
SPY_SLOTS: Final = 320
POLICE_SLOTS: Final = 512
CHITS: Final = 4_096
COPIES: Final = 32_768
PURSES: Final = 49_152
"""The first slots of each kind; tiles 16 a power, spies 8 a power."""
CUP, SECRET_DECK, TILE_DECK, COLOUR_DECK = range(4)
"""The decks."""


class Spy(NamedTuple):
    """A spy, as everybody sees it."""

    slot: Slot
    power: Power
    where: Literal["reserve", "map", "captured", "box", "killed", "lost"] = "reserve"
    """captured: on the record of `captor`; box: captured for nobody; lost: out for good."""
    city: City = NOWHERE
    captor: Power | None = None
    year: int = 0
    """When it was captured or killed."""
    face: Face | None = None
    """Once all have seen it."""
    seen: Copies = ()


class Secret(NamedTuple):
    """A secret, as everybody sees it."""

    slot: Slot
    owner: Power | None
    """To whom it is original; None: neutral."""
    where: Literal["reserve", "map", "cashed", "removed"] = "reserve"
    origin: City = NOWHERE
    """Where it began: its name."""
    city: City = NOWHERE
    by: Power | None = None
    """Who controls it, or cashed it."""
    on: On = NOTHING
    taken: tuple[Power, Seat] | None = None
    """Who got control of it last, and the seat that ran that power then."""
    lost: int = 0
    """The year in which its owner lost it; 0: not lost."""
    away: bool = False
    """Whether it was carried from where it began, and not laid down there again since."""
    face: Face | None = None
    holder: Seat | None = None
    """Who can show its slot; None: nobody has seen it."""
    seen: Copies = ()


class Police(NamedTuple):
    """A police unit."""

    slot: Slot
    city: City
    face: Face | None = None
    """Its strength, if all have seen it: of a player who left."""


class Marker(NamedTuple):
    """For a spy killed."""

    power: Power
    year: int
    victim: SpyId


class PlayedTile(NamedTuple):
    """A tile that was played."""

    tile: int
    power: Power
    year: int


class Event(NamedTuple):
    """An event of a step; numbers not used are -1."""

    kind: str
    power: Power = -1
    spy: SpyId = -1
    secret: SecretId = -1
    city: City = -1
    other: int = -1
    """Another power, a spy or a seat, as the kind needs."""
    face: Face = -1
    numbers: tuple[int, ...] = ()
    word: str = ""


class Sum(NamedTuple):
    """A sum being proved: the player of a power lays base + before + sign × amount under `after`."""

    power: Power
    base: int
    before: tuple[Slot, ...]
    amount: tuple[Slot, ...] = ()
    sign: int = 1
    after: tuple[Slot, ...] = ()
    carries: tuple[Slot, ...] = ()


class State(NamedTuple):
    """Everything public between two steps."""

    seats: int
    allocation: str
    alliances: bool
    handicap: str
    secret: bool
    """Whether purses are secret."""
    talk: int
    """Minutes of talk before the first year."""
    answer: int
    """Seconds for an answer."""
    phase: Phase
    year: int
    power: Power
    """The power whose step is due."""
    runs: tuple[Seat | None, ...]
    """By power: the seat that runs it."""
    gone: tuple[Seat, ...]
    territory: tuple[Power | None, ...]
    """By city."""
    spies: tuple[Spy, ...]
    secrets: tuple[Secret, ...]
    police: tuple[tuple[Police, ...], ...]
    hands: tuple[tuple[Slot, ...], ...]
    """By power: its chits."""
    tiles: tuple[tuple[Slot, ...], ...]
    """By power: the tiles that it has neither played nor discarded."""
    money: tuple[int, ...]
    """By power: its pounds; with secret purses what all know of them, to which the purse's digits come."""
    least: tuple[int, ...]
    """By power: the money that it surely has; with open purses all its money."""
    purses: tuple[tuple[Slot, ...], ...]
    """By power: the slots of its three secret digits, the lowest first; empty: nothing is secret."""
    cup: int
    stirred: bool
    """Whether chits came back into the cup since it was shuffled."""
    played: tuple[PlayedTile, ...] = ()
    markers: tuple[Marker, ...] = ()
    pact: bool = False
    """Tile 16 was played by russia."""
    crisis: bool = False
    """1938 is the last year."""
    ap: int = ACTION_POINTS
    stage: int = TILE_STAGE
    searched: tuple[City, ...] = ()
    mover: SpyId = -1
    """The spy that is moving; -1: none yet."""
    spent: int = 0
    """Spaces of the mover."""
    finished: tuple[SpyId, ...] = ()
    talks: tuple[Power, ...] = ()
    """The powers that the one to move has paid to talk to, until it does anything else."""
    partner: Power | None = None
    """To whom a proposal under way is made."""
    proposals: int = 0
    handled: int = 0
    """How often secrets were taken, given or left in this turn."""
    next_police: Slot = POLICE_SLOTS
    next_chit: Slot = CHITS
    next_copy: Slot = COPIES
    next_purse: Slot = PURSES
    settling: Sum | None = None
    amounts: tuple[tuple[Slot, ...], ...] = ()
    """Of a proposal with secret purses: the digits offered and wanted, as their payer reads them."""
    points: tuple[int, ...] = ()
    """By power, at the end; empty before."""
    scores: tuple[int, ...] = ()
    """By seat, at the end; empty before."""
    report: tuple[Event, ...] = ()
    ended: Outcome | None = None

    def seat(self, power: Power) -> Seat:
        """The seat that runs a power.  The power must have one."""
        seat = self.runs[power]
        if seat is None:
            raise RuntimeError("nobody runs russia before the bidding")
        return seat

    def same_seat(self, power: Power, other: Power) -> bool:
        """Whether one seat runs both."""
        return self.runs[power] == self.runs[other]

    def idle(self, power: Power) -> bool:
        """Whether a power does nothing: its player has left, or nobody runs it."""
        return self.runs[power] is None or self.runs[power] in self.gone

    def borrowed(self, power: Power) -> bool:
        """Whether a power changes hands: it belongs to no seat for good, and counts for none."""
        return power == RUSSIA and (self.seats == 2 or self.allocation == "bid")

    def bound(self, power: Power) -> bool:
        """Whether a power is russia after its pact, run by another seat than germany."""
        return power == RUSSIA and self.pact and not self.same_seat(RUSSIA, GERMANY)

    def own(self, power: Power) -> Iterator[tuple[SpyId, Spy]]:
        """The spies of a power on the map."""
        for spy in range(power * SPIES, (power + 1) * SPIES):
            if self.spies[spy].where == "map":
                yield spy, self.spies[spy]

    def spies_in(self, city: City) -> Iterator[SpyId]:
        """All spies in a city."""
        for spy, piece in enumerate(self.spies):
            if piece.city == city and piece.where == "map":
                yield spy

    def secrets_in(self, city: City) -> list[SecretId]:
        """All secrets in a city."""
        return [
            secret for secret, lying in enumerate(self.secrets) if lying.city == city and lying.where == "map"
        ]

    def carried(self, spy: SpyId) -> SecretId | None:
        """The secret that a spy controls."""
        for secret, lying in enumerate(self.secrets):  # asked thousands of times a turn: no generator
            if lying.on == spy:
                return secret
        return None

    def police_in(self, power: Power, city: City) -> tuple[Police, ...]:
        """The police of a power in a city."""
        return tuple(unit for unit in self.police[power] if unit.city == city)

    def idle_police(self, power: Power, city: City) -> int:
        """How many police of a power in a city have nothing to stand on."""
        busy = sum(lying.on == POLICE and lying.by == power and lying.city == city for lying in self.secrets)
        return len(self.police_in(power, city)) - busy

    def police_of(self, city: City) -> Power | None:
        """The power whose police stand in a city."""
        power = self.territory[city]
        return power if power is not None and self.police_in(power, city) else None

    def spaces(self, spy: SpyId) -> int:
        """How far a spy may still move in this turn of its power."""
        if spy in self.finished:
            return 0
        return SPACES - self.spent if spy == self.mover else SPACES

    def named(self, city: City) -> SecretId | None:
        """The secret that began in a city."""
        return next((secret for secret, lying in enumerate(self.secrets) if lying.origin == city), None)

    @property
    def options(self) -> Options:
        """The options of the match."""
        return {
            "allocation": self.allocation,
            "alliances": "yes" if self.alliances else "no",
            "handicap": self.handicap,
            "purse": "secret" if self.secret else "open",
            "talk": self.talk,
            "answer": self.answer,
        }


def spy_code(spy: SpyId) -> str:
    """The name of a piece: "ge1"."""
    return f"{CODES[spy // SPIES]}{spy % SPIES + 1}"


SPY_CODED: Final[dict[str, SpyId]] = {spy_code(spy): spy for spy in range(len(CODES) * SPIES)}


def secret_name(state: State, secret: SecretId) -> str:
    """A secret is called by the city where it began."""
    return NAMES[state.secrets[secret].origin]
