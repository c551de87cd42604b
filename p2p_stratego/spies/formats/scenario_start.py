"""The start of a scenario: options, what chance dealt, and how each power sets itself up; read strictly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from p2p_stratego.core.game import Face, OptionError, Options
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.rules.allocation import SEAT_COUNTS, WORDS, check, completed
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, NEUTRAL, POWERS, TERRITORY, City, Power
from p2p_stratego.spies.rules.counters import (
    ALL_CHITS,
    ALL_SECRETS,
    CHIT_NAMES,
    MEANS,
    SECRET_FACE,
    SPIES,
    Chit,
    spy_names,
)
from p2p_stratego.spies.rules.tiles import RANDOM, RANDOM_TILES

NOT_OURS: Face = 127
"""The face of a spy's name that belongs to another power: no counter has it."""
MOST_POUNDS = 100_000
"""A number that no purse reaches."""


class Posts(NamedTuple):
    """Police as they are laid: the strengths by city, and the secrets that they stand on."""

    strengths: Mapping[City, tuple[int, ...]]
    guard: tuple[City, ...]


class Bids(NamedTuple):
    """A bidding: rounds of bids, and what each power pays; None: it is not said."""

    rounds: tuple[tuple[int, ...], ...]
    pay: Mapping[Power, int] | None


class Start(NamedTuple):
    """Everything before the first turn."""

    seats: int
    options: Options
    neutral: tuple[Face, ...]
    """In the order of the neutral cities."""
    tiles: tuple[tuple[int, ...], ...]
    chits: tuple[tuple[Chit, ...], ...]
    secrets: tuple[Mapping[City, Face], ...]
    posts: tuple[Posts, ...]
    spies: tuple[tuple[tuple[Face, City], ...], ...]
    bids: Bids | None
    turns: tuple[object, ...]


def read(reader: Reader, value: object) -> Start:
    """Raises ScenarioError."""
    written = reader.record(value, "the scenario", ("game", "deal", "setup", "turns"), ("options",))
    seats, options = _options(reader, written.get("options", {}))
    deal = reader.record(written["deal"], '"deal"', ("neutral", "tiles", "chits"))
    bidding = options["allocation"] == "bid"
    setup = reader.record(
        written["setup"],
        '"setup"',
        ("secrets", "police", "spies", *(("bids",) if bidding else ())),
        ("guard", *(("pay",) if bidding else ())),
    )
    start = Start(
        seats,
        options,
        _neutral(reader, deal["neutral"]),
        _tiles(reader, deal["tiles"]),
        _chits(reader, deal["chits"]),
        _secrets(reader, setup["secrets"]),
        _posts(reader, setup["police"], setup.get("guard", {})),
        _spies(reader, setup["spies"]),
        bids(reader, setup) if bidding else None,
        tuple(reader.items(written["turns"], '"turns"')),
    )
    laid = Counter(start.neutral) + Counter(face for each in start.secrets for face in each.values())
    if laid != Counter(ALL_SECRETS):
        raise reader.error("the secrets of the powers and the neutral ones must be the 40 of the game")
    return start


def _options(reader: Reader, value: object) -> tuple[int, Options]:
    written = reader.record(value, '"options"', (), ("players", *WORDS))
    seats = reader.whole(
        written.get("players", SEAT_COUNTS[-1]), '"players"', SEAT_COUNTS[0], SEAT_COUNTS[-1]
    )
    wanted: dict[str, str] = {
        name: reader.word(written[name], f'"{name}"', WORDS[name])
        for name in WORDS
        if name in written and name != "alliances"
    }
    if reader.flag(written.get("alliances", False), '"alliances"'):
        wanted["alliances"] = "yes"
    try:
        options = completed({**wanted, "talk": 0})  # talk changes nothing
        check(seats, options)
    except OptionError as error:
        raise reader.error(str(error)) from error
    return seats, options


def city(reader: Reader, value: object, what: str) -> City:
    """A city by name."""
    return CITY_NAMED[reader.word(value, what, NAMES)]


def chits(reader: Reader, value: object, what: str) -> tuple[Chit, ...]:
    """A list of chits by name."""
    return tuple(
        CHIT_NAMES.index(reader.word(name, f"each of {what}", CHIT_NAMES))
        for name in reader.items(value, what)
    )


def _by_power(reader: Reader, value: object, what: str) -> list[object]:
    written = reader.record(value, what, POWERS)
    return [written[power] for power in POWERS]


def _secret(reader: Reader, value: object, what: str) -> Face:
    return SECRET_FACE[reader.word(value, what, tuple(SECRET_FACE))]


def _neutral(reader: Reader, value: object) -> tuple[Face, ...]:
    written = reader.record(value, '"neutral"', tuple(NAMES[at] for at in NEUTRAL))
    return tuple(_secret(reader, written[NAMES[at]], f"the secret of {NAMES[at]}") for at in NEUTRAL)


def _tiles(reader: Reader, value: object) -> tuple[tuple[int, ...], ...]:
    found = []
    for power, written in zip(POWERS, _by_power(reader, value, '"tiles"'), strict=True):
        what = f"the tiles of {power}"
        tiles = reader.wholes(written, what, RANDOM_TILES[0], RANDOM_TILES[-1])
        if len(tiles) != RANDOM:
            raise reader.error(f"{what} must be {RANDOM}, not {len(tiles)}")
        found.append(tuple(tiles))
    dealt = [tile for tiles in found for tile in tiles]
    if len(set(dealt)) != len(dealt):
        raise reader.error("each random tile is dealt to one power only")
    return tuple(found)


def _chits(reader: Reader, value: object) -> tuple[tuple[Chit, ...], ...]:
    found = []
    for power, written in enumerate(_by_power(reader, value, '"chits"')):
        what = f"the chits of {POWERS[power]}"
        hand = chits(reader, written, what)
        if len(hand) != MEANS[power].chits:
            raise reader.error(f"{what} must be {MEANS[power].chits}, not {len(hand)}")
        found.append(hand)
    if Counter(chit for hand in found for chit in hand) - Counter(ALL_CHITS):
        raise reader.error("the chits dealt must come out of the 80 of the game")
    return tuple(found)


def _secrets(reader: Reader, value: object) -> tuple[Mapping[City, Face], ...]:
    found = []
    for power, written in enumerate(_by_power(reader, value, '"secrets"')):
        what = f"the secrets of {POWERS[power]}"
        cities = [NAMES[at] for at, owner in enumerate(TERRITORY) if owner == power]
        laid = reader.record(written, what, (), cities)
        if len(laid) != MEANS[power].secrets:
            raise reader.error(f"{what} must be {MEANS[power].secrets}, not {len(laid)}")
        found.append({CITY_NAMED[at]: _secret(reader, face, what) for at, face in laid.items()})
    return tuple(found)


def posts(reader: Reader, police: object, guard: object) -> Posts:
    """Police by city, and the secrets under them."""
    written = reader.record(police, '"police"', (), NAMES)
    strengths = {
        CITY_NAMED[at]: tuple(reader.wholes(units, f"the police of {at}", 0, NOT_OURS))
        for at, units in written.items()
    }
    guarded = tuple(city(reader, at, 'each of "guard"') for at in reader.items(guard, '"guard"'))
    if len(set(guarded)) != len(guarded):
        raise reader.error('"guard" names a secret twice')
    return Posts(strengths, guarded)


def _posts(reader: Reader, police: object, guard: object) -> tuple[Posts, ...]:
    guards = reader.record(guard, '"guard"', (), POWERS)
    return tuple(
        posts(reader, written, guards.get(POWERS[power], []))
        for power, written in enumerate(_by_power(reader, police, '"police"'))
    )


def _spies(reader: Reader, value: object) -> tuple[tuple[tuple[Face, City], ...], ...]:
    names = tuple(dict.fromkeys(name for power in range(len(POWERS)) for name in spy_names(power)))
    found = []
    for power, written in enumerate(_by_power(reader, value, '"spies"')):
        what, laid = f"the spies of {POWERS[power]}", []
        for pair in reader.items(written, what):
            parts = reader.items(pair, f"each of {what}")
            if len(parts) != 2:
                raise reader.error(f"each of {what} must be a name and a city")
            name = reader.word(parts[0], f"the name of each of {what}", names)
            own = spy_names(power)
            face = own.index(name) if name in own else NOT_OURS
            laid.append((face, city(reader, parts[1], f"the city of each of {what}")))
        if len(laid) != SPIES:
            raise reader.error(f"{what} must be {SPIES}, not {len(laid)}")
        found.append(tuple(laid))
    return tuple(found)


def bids(reader: Reader, written: Mapping[str, object]) -> Bids:
    """ "bids" and "pay" of a set-up or of a turn."""
    rounds = tuple(
        tuple(reader.wholes(each, "a round of bids", 0, MOST_POUNDS))
        for each in reader.items(written["bids"], '"bids"')
    )
    if "pay" not in written:
        return Bids(rounds, None)
    pay = reader.record(written["pay"], '"pay"', (), POWERS)
    return Bids(
        rounds,
        {
            POWERS.index(power): reader.whole(pounds, f"what {power} pays", 0, MOST_POUNDS)
            for power, pounds in pay.items()
        },
    )
