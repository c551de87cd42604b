"""The words of all sentences for powers, cities, pieces, secrets, chits and tiles."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, _c, mark, mark_each, mark_each_c
from p2p_stratego.spies.rules.atlas import City, Power, Sea
from p2p_stratego.spies.rules.counters import GENUINE, SPIES, STRENGTHS, Chit, spy_names, value
from p2p_stratego.spies.rules.state import SpyId, spy_code
from p2p_stratego.spies.rules.tiles import ANNEXED, CRISIS, PACT, TILES, TileId

_EFFECTS: Final = {
    CRISIS: mark("Played in 1938, it makes that year the last one; in 1939 it changes nothing."),
    PACT: mark(
        "Where Russia is bid for, from then on nobody but Germany's player can do more with Russia than "
        "search."
    ),
}
_POWERS: Final = (mark("Germany"), mark("Italy"), mark("Russia"), mark("France"), mark("Britain"))
SEATS: Final = (mark("germany"), mark("italy"), mark("russia"), mark("france"), mark("britain"))
"""Powers as seats, for translators."""
_CHITS: Final = mark_each("""
    Discovery, Sanction, Drop, Recruit, Escape, Papers, Cover, Double-cross, Intercept
""")
_CITIES: Final = mark_each_c(
    "a city",
    "Berlin, Hamburg, Konigsberg, Cologne, Munich, Leipzig, Breslau, Stuttgart, Rome, Milan, Venice, "
    "Naples, Palermo, Tripoli, Rhodes, Moscow, Leningrad, Minsk, Kiev, Odessa, Kharkov, Stalingrad, "
    "Paris, Lille, Lyons, Marseilles, Bordeaux, Strasbourg, Algiers, Beirut, London, Birmingham, "
    "Liverpool, Edinburgh, Gibraltar, Malta, Alexandria, Haifa, Warsaw, Prague, Vienna, Madrid, "
    "Stockholm, Bucharest, Brussels, Athens, Geneva, Istanbul, Tangiers, Lisbon, Barcelona, Amsterdam, "
    "Copenhagen, Oslo, Helsinki, Riga, Danzig, Budapest, Belgrade, Sofia, Tirana",
)
"""In the order of the atlas."""
_SEAS: Final = mark_each_c("a sea", "baltic, north, atlantic, west, adriatic, east, black")
"""In the order of the atlas."""
TITLES: Final = mark_each("""
    Sudeten Claim, Fire in the House, The Saar Votes, Boots on the Rhine, Polish Crisis, Purge by Night,
    Union with Austria, Four Powers Confer, Guard on the Brenner, African Campaign, The Axis Speech,
    Legions for Spain, Our Own Sea, Landing in Albania, Embassies Reopen, Pact with Berlin, Shot in the
    Corridor, Call for a Front, The Great Trials, Arms by Sea, Frontier Incident, Scandal in the City,
    Eastern Friends, Murder on the Quay, Strikes and Holidays, Pyrenees Closed, Concrete Line, Balkan
    Guarantee, Disarmament Fails, Naval Agreement, A Crown Laid Down, Embargo Debate, Control
    Commission, Umbrella Flight, Conscription, The Lost Diplomatic Bag, Oil Concession, Currency Panic,
    The Tangier Ring, Northern Ore, Croat Conspiracy, Dynasty Restored, Strait Convention, Free City
    Vote, Desert Rising, Flemish March, Consulates Close, Baltic Treaties, Fall of the Republic, Winter
    Relief
""")
"""Of the tiles, for translators."""


def power(of: Power) -> str:
    """A power: "Germany"."""
    return _(_POWERS[of])


def city(at: City) -> str:
    """A city: "Konigsberg"."""
    return _c("a city", _CITIES[at])


def sea(of: Sea) -> str:
    """A sea, before the word "sea": "baltic"."""
    return _c("a sea", _SEAS[of])


def spy(piece: SpyId, face: Face | None) -> str:
    """A spy as far as it is known: "ge1", "ge1 Falke (5)", "ge5, the cousin (3)"."""
    if face is None:
        return spy_code(piece)
    name = spy_names(piece // SPIES)[face]
    strength = STRENGTHS[face]
    if name == "cousin":
        return _("{spy}, the cousin ({strength})", spy=spy_code(piece), strength=strength)
    return f"{spy_code(piece)} {name.capitalize()} ({strength})"


def secret(at: City) -> str:
    """A secret by the city where it began: "the secret of Prague"."""
    return _("the secret of {city}", city=city(at))


def content(face: Face) -> str:
    """The content of a secret in words: "genuine, worth 3", "a counterspy of strength 4"."""
    if face in GENUINE:
        return _("genuine, worth {points}", points=value(face))
    return _("a counterspy of strength {strength}", strength=value(face))


def chit(kind: Chit) -> str:
    """A chit: "Double-cross"."""
    return _(_CHITS[kind])


def tile(face: TileId) -> str:
    """A tile: "2 Fire in the House"."""
    return f"{face} {title(face)}"


def title(face: TileId) -> str:
    """A tile's title: "Fire in the House"."""
    return _(TILES[face].name)


def effect(face: TileId) -> str:
    """The effect of a tile with a star besides its awards, as a sentence; "" for any other tile."""
    if face in ANNEXED:
        at, owner = ANNEXED[face]
        return _("{city} becomes territory of {power}.", city=city(at), power=power(owner))
    return _(_EFFECTS[face]) if face in _EFFECTS else ""


def years(face: TileId) -> str:
    """The years of a tile: "1933 to 1934"."""
    span = TILES[face].years
    return _("{first} to {last}", first=span[0], last=span[-1]) if len(span) > 1 else str(span[0])


def pounds(number: int) -> str:
    """Money: "£3"."""
    return f"£{number}"
