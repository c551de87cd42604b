"""The rulebook of SPIES!: the order of the steps, and the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.core.game import (
    Commit,
    Draw,
    Face,
    Game,
    Lay,
    NewDeck,
    Open,
    OptionError,
    Options,
    Seat,
    Shuffle,
    Slot,
    Turn,
)
from p2p_stratego.core.language import _
from p2p_stratego.core.rulebook import Rulebook, played
from p2p_stratego.spies.options import LESSON, OPTIONS
from p2p_stratego.spies.rules.act import Act, chosen, put
from p2p_stratego.spies.rules.allocation import SEAT_COUNTS, check, seat_of
from p2p_stratego.spies.rules.atlas import (
    BRITAIN,
    CITY_NAMED,
    NAMES,
    NEUTRAL,
    POWERS,
    RUSSIA,
    TERRITORY,
    City,
    Power,
)
from p2p_stratego.spies.rules.bids import mix_tiles
from p2p_stratego.spies.rules.counters import (
    ABROAD,
    ALL_CHITS,
    ALL_SECRETS,
    FIRST_YEAR,
    IN_ORDER,
    MEANS,
    SPIES,
    SPY_FACES,
    ordered,
)
from p2p_stratego.spies.rules.cup import new_chits
from p2p_stratego.spies.rules.notation import city as at_city
from p2p_stratego.spies.rules.police import first_police
from p2p_stratego.spies.rules.state import (
    COLOUR_DECK,
    CUP,
    SECRET_DECK,
    SPY_SLOTS,
    TILE_DECK,
    TILES,
    Phase,
    Police,
    Secret,
    Spy,
    State,
)
from p2p_stratego.spies.rules.tiles import COLOURED, RANDOM, RANDOM_TILES, coloured
from p2p_stratego.spies.rules.turn.actions import action
from p2p_stratego.spies.rules.turn.tile import tile
from p2p_stratego.spies.rules.turns import begin, bid, finish, talk


def left(act: Act, seat: Seat) -> Turn[None]:
    """`seat` is gone: everybody reads its spies, police and secrets, and its turn is over.

    Raises Stopped if that ends the game.
    """
    act.set(gone=tuple(sorted((*act.state.gone, seat))))
    powers = [power for power, runner in enumerate(act.state.runs) if runner == seat]
    for power in powers:
        act.tell("left", power)
    for spy, piece in enumerate(act.state.spies):
        if piece.power in powers and piece.face is None and piece.where not in ("reserve", "lost"):
            face: Face | None = yield Open(piece.slot)
            act.spy(spy, face=face)
    for secret, lying in enumerate(act.state.secrets):
        if lying.holder == seat and lying.face is None and lying.where != "removed":
            face = yield Open(lying.slot)
            act.secret(secret, face=face)
    for power in powers:
        units = []
        for unit in act.state.police[power]:
            face = yield Open(unit.slot)
            units.append(Police(unit.slot, unit.city, face))
        act.set(police=put(act.state.police, power, tuple(units)))
    if act.state.phase in ("tile", "turn") and act.state.power in powers:
        yield from finish(act)


_POWERS = range(len(POWERS))


def setup(seats: int, options: Options) -> Turn[State]:
    """The decks are laid, secrets and tiles are dealt."""
    act = Act(_empty(seats, options))
    yield from _stirred(act.state, SECRET_DECK, ALL_SECRETS, IN_ORDER[0])
    secrets = iter(range(len(ALL_SECRETS)))
    for power in _POWERS:
        slots = tuple(next(secrets) for _ in range(MEANS[power].secrets))
        yield _dealt(act.state.runs[power], SECRET_DECK, slots)
        for slot in slots:
            act.secret(slot, owner=power, holder=act.state.runs[power])
    yield Lay(SECRET_DECK, tuple(secrets))
    yield from _stirred(act.state, TILE_DECK, RANDOM_TILES, ())
    for power in _POWERS:
        yield _dealt(act.state.runs[power], TILE_DECK, act.state.tiles[power][:RANDOM])
    yield NewDeck(COLOUR_DECK, tuple(tile for power in _POWERS for tile in coloured(power)))
    for power in _POWERS:
        yield _dealt(act.state.runs[power], COLOUR_DECK, act.state.tiles[power][RANDOM:])
    for power in _POWERS:
        if act.state.runs[power] is not None:
            yield from mix_tiles(act, power)
    known = act.state.allocation == LESSON
    yield NewDeck(CUP, ordered(IN_ORDER[1], ALL_CHITS) if known else ALL_CHITS)
    return act.state


def _stirred(state: State, deck: int, cards: tuple[Face, ...], first: tuple[Face, ...]) -> Turn[None]:
    """A deck, shuffled; in a lesson the cards `first` are on its top."""
    if state.allocation == LESSON:
        yield NewDeck(deck, ordered(first, cards))
        return
    yield NewDeck(deck, cards)
    yield Shuffle(deck)


def _dealt(seat: Seat | None, deck: int, slots: tuple[Slot, ...]) -> Draw | Lay:
    """Cards for a power, seen by its player; by nobody while nobody runs it."""
    return Lay(deck, slots) if seat is None else Draw(deck, ((seat, slots),))


_RESERVE: Final = tuple(
    Spy(SPY_SLOTS + 8 * power + number, power) for power in _POWERS for number in range(SPIES)
)
"""All spies, before they are laid."""
_OF_POWERS: Final = sum(means.secrets for means in MEANS)
_DEALT: Final = (
    *(Secret(slot, None) for slot in range(_OF_POWERS)),
    *(Secret(slot, None, "map", city, city) for slot, city in enumerate(NEUTRAL, _OF_POWERS)),
)
"""All secrets, before those of the powers are laid."""


def _empty(seats: int, options: Options) -> State:
    tiles = tuple(
        tuple(range(TILES + 16 * power, TILES + 16 * power + RANDOM + COLOURED)) for power in _POWERS
    )
    money = tuple(means.money for means in MEANS)
    nothing: tuple[tuple[Slot, ...], ...] = ((),) * len(POWERS)
    return State(
        seats=seats,
        allocation=str(options["allocation"]),
        alliances=options["alliances"] == "yes",
        handicap=str(options["handicap"]),
        secret=options["purse"] == "secret",
        talk=int(options["talk"]),
        answer=int(options["answer"]),
        phase="secrets",
        year=FIRST_YEAR,
        power=0,
        runs=seat_of(seats, str(options["allocation"])),
        gone=(),
        territory=TERRITORY,
        spies=_RESERVE,
        secrets=_DEALT,
        police=((),) * len(POWERS),
        hands=nothing,
        tiles=tiles,
        money=money,
        least=money,
        purses=nothing,
        cup=len(ALL_CHITS),
        stirred=True,
    )


def free_cities(state: State, power: Power) -> list[City]:
    """Where a power may lay its next secret: its cities without one of its own."""
    taken = {lying.origin for lying in state.secrets if lying.owner == power}
    return [city for city in range(len(NAMES)) if TERRITORY[city] == power and city not in taken]


def lay_secrets(act: Act) -> Turn[None]:
    """A power lays its secrets one by one; behind it comes the next power, or the police."""
    power = act.state.power
    for secret, lying in enumerate(act.state.secrets):
        if lying.owner != power:
            continue
        cities = free_cities(act.state, power)
        answer = None
        if act.state.runs[power] is not None:
            answer = yield from chosen(act, power, [at_city(city) for city in cities])
        city = cities[0] if answer is None else CITY_NAMED[answer.split()[1]]
        act.secret(secret, where="map", origin=city, city=city)
    act.tell("secrets", power)
    if power == BRITAIN:
        act.set(phase="police", power=0)
        return
    act.set(power=power + 1)
    if power + 1 == RUSSIA and act.state.runs[RUSSIA] is None and act.state.allocation == "bid":
        act.set(phase="bid")


def lay_police(act: Act) -> Turn[None]:
    """A power lays its police; behind the last one all draw their chits."""
    power = act.state.power
    if act.state.runs[power] is not None:
        yield from first_police(act)
        act.tell("police", power)
    if power < BRITAIN:
        act.set(power=power + 1)
        return
    if act.state.allocation != LESSON:
        yield Shuffle(CUP)
    act.set(stirred=False)
    hands = tuple(
        (act.state.seat(member), new_chits(act, member, MEANS[member].chits))
        for member in _POWERS
        if not act.state.idle(member)
    )
    yield Draw(CUP, hands)
    act.set(phase="talk" if act.state.talk else "spies", power=0)


def spy_cities(state: State, power: Power) -> list[City]:
    """Where a power may lay its next spy: anywhere, until four are abroad."""
    abroad = sum(TERRITORY[piece.city] != power for _, piece in state.own(power))
    return [city for city in range(len(NAMES)) if TERRITORY[city] == power or abroad < ABROAD]


def lay_spies(act: Act) -> Turn[None]:
    """A power lays its spies; behind the last one the first turn begins."""
    power = act.state.power
    if act.state.runs[power] is None:
        for spy in range(power * SPIES, (power + 1) * SPIES):
            act.spy(spy, where="lost")
    else:
        yield from _lay_own_spies(act, power)
    if power < BRITAIN:
        act.set(power=power + 1)
    else:
        yield from begin(act, 0)


def _lay_own_spies(act: Act, power: Power) -> Turn[None]:
    """The names in secret, then a city for each."""
    first = power * SPIES
    slots = tuple(act.state.spies[first + number].slot for number in range(SPIES))
    yield Commit(act.state.seat(power), slots, SPY_FACES, exactly=True)
    for spy in range(first, first + SPIES):
        cities = spy_cities(act.state, power)
        answer = yield from chosen(act, power, [at_city(city) for city in cities])
        if answer is None:
            act.spy(spy, where="lost")
        else:
            act.spy(spy, where="map", city=CITY_NAMED[answer.split()[1]])
    act.tell("spies", power)


_STEPS: Final[Mapping[Phase, Callable[[Act], Turn[None]]]] = {
    "secrets": lay_secrets,
    "bid": bid,
    "police": lay_police,
    "talk": talk,
    "spies": lay_spies,
    "tile": tile,
    "turn": action,
}
_SEAT_NAMES: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("germany", "britain"),
    3: ("germany", "russia", "britain"),
    4: ("germany", "italy-or-russia", "france", "britain"),
    5: ("germany", "italy", "russia", "france", "britain"),
}
"""By players: a power that the seat has in every allocation; one seat of four has either of two."""


class Spies(Rulebook[State]):
    """Implements `core.game.Game[State]`."""

    name: Final = "spies"
    title = "SPIES!"
    version: Final = 2
    seat_counts: Final = SEAT_COUNTS
    fields = OPTIONS
    needs_proofs = True
    private_talk = True
    most_rolls: Final = 385
    """Eleven in each of 35 turns: every roll costs a point, and one must be left to land with."""
    most_shuffles = 1_083
    """Three at first, then at most one before each draw: 25 spies in the cities of each of 35 tiles, 25 spies
    captured, four that came back in a turn captured again, 40 secrets cashed."""

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """A power of each seat."""
        return _SEAT_NAMES[seats]

    def options(self, wanted: Options) -> Options:
        """Those of `fields`, which may not all go together.  Raises OptionError."""
        chosen = super().options(wanted)
        if chosen["alliances"] == "yes" and chosen["handicap"] in ("lower", "sum"):
            raise OptionError(
                _("alliances cannot be played with the handicap {chosen}", chosen=chosen["handicap"])
            )
        return chosen

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """The decks; no decisions.  Raises OptionError."""
        complete = self.options(options)
        check(seats, complete)
        return (yield from setup(seats, complete))

    def turn(self, state: State) -> Turn[State]:
        """The step that `state.phase` names; not to be called in phase "over"."""
        return (yield from played(Act(state._replace(report=())), step_of(state)))

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        """`seat` has left: its cards lie open, its powers do nothing."""
        return (yield from played(Act(state._replace(report=())), lambda act: left(act, seat)))


def step_of(state: State) -> Callable[[Act], Turn[None]]:
    """The step that comes next."""
    return _STEPS[state.phase]


GAME: Final[Game[State]] = Spies()
