"""The words for powers, cities, pieces, secrets, chits and tiles, as they are told everywhere."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, _c, mark, mark_c
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
_CHITS: Final = (
    mark("Discovery"),
    mark("Sanction"),
    mark("Drop"),
    mark("Recruit"),
    mark("Escape"),
    mark("Papers"),
    mark("Cover"),
    mark("Double-cross"),
    mark("Intercept"),
)
_CITIES: Final = (
    mark_c("a city", "Berlin"),
    mark_c("a city", "Hamburg"),
    mark_c("a city", "Konigsberg"),
    mark_c("a city", "Cologne"),
    mark_c("a city", "Munich"),
    mark_c("a city", "Leipzig"),
    mark_c("a city", "Breslau"),
    mark_c("a city", "Stuttgart"),
    mark_c("a city", "Rome"),
    mark_c("a city", "Milan"),
    mark_c("a city", "Venice"),
    mark_c("a city", "Naples"),
    mark_c("a city", "Palermo"),
    mark_c("a city", "Tripoli"),
    mark_c("a city", "Rhodes"),
    mark_c("a city", "Moscow"),
    mark_c("a city", "Leningrad"),
    mark_c("a city", "Minsk"),
    mark_c("a city", "Kiev"),
    mark_c("a city", "Odessa"),
    mark_c("a city", "Kharkov"),
    mark_c("a city", "Stalingrad"),
    mark_c("a city", "Paris"),
    mark_c("a city", "Lille"),
    mark_c("a city", "Lyons"),
    mark_c("a city", "Marseilles"),
    mark_c("a city", "Bordeaux"),
    mark_c("a city", "Strasbourg"),
    mark_c("a city", "Algiers"),
    mark_c("a city", "Beirut"),
    mark_c("a city", "London"),
    mark_c("a city", "Birmingham"),
    mark_c("a city", "Liverpool"),
    mark_c("a city", "Edinburgh"),
    mark_c("a city", "Gibraltar"),
    mark_c("a city", "Malta"),
    mark_c("a city", "Alexandria"),
    mark_c("a city", "Haifa"),
    mark_c("a city", "Warsaw"),
    mark_c("a city", "Prague"),
    mark_c("a city", "Vienna"),
    mark_c("a city", "Madrid"),
    mark_c("a city", "Stockholm"),
    mark_c("a city", "Bucharest"),
    mark_c("a city", "Brussels"),
    mark_c("a city", "Athens"),
    mark_c("a city", "Geneva"),
    mark_c("a city", "Istanbul"),
    mark_c("a city", "Tangiers"),
    mark_c("a city", "Lisbon"),
    mark_c("a city", "Barcelona"),
    mark_c("a city", "Amsterdam"),
    mark_c("a city", "Copenhagen"),
    mark_c("a city", "Oslo"),
    mark_c("a city", "Helsinki"),
    mark_c("a city", "Riga"),
    mark_c("a city", "Danzig"),
    mark_c("a city", "Budapest"),
    mark_c("a city", "Belgrade"),
    mark_c("a city", "Sofia"),
    mark_c("a city", "Tirana"),
)
"""In the order of the atlas."""
_SEAS: Final = (
    mark_c("a sea", "baltic"),
    mark_c("a sea", "north"),
    mark_c("a sea", "atlantic"),
    mark_c("a sea", "west"),
    mark_c("a sea", "adriatic"),
    mark_c("a sea", "east"),
    mark_c("a sea", "black"),
)
"""In the order of the atlas."""
TITLES: Final = (
    mark("Sudeten Claim"),
    mark("Fire in the House"),
    mark("The Saar Votes"),
    mark("Boots on the Rhine"),
    mark("Polish Crisis"),
    mark("Purge by Night"),
    mark("Union with Austria"),
    mark("Four Powers Confer"),
    mark("Guard on the Brenner"),
    mark("African Campaign"),
    mark("The Axis Speech"),
    mark("Legions for Spain"),
    mark("Our Own Sea"),
    mark("Landing in Albania"),
    mark("Embassies Reopen"),
    mark("Pact with Berlin"),
    mark("Shot in the Corridor"),
    mark("Call for a Front"),
    mark("The Great Trials"),
    mark("Arms by Sea"),
    mark("Frontier Incident"),
    mark("Scandal in the City"),
    mark("Eastern Friends"),
    mark("Murder on the Quay"),
    mark("Strikes and Holidays"),
    mark("Pyrenees Closed"),
    mark("Concrete Line"),
    mark("Balkan Guarantee"),
    mark("Disarmament Fails"),
    mark("Naval Agreement"),
    mark("A Crown Laid Down"),
    mark("Embargo Debate"),
    mark("Control Commission"),
    mark("Umbrella Flight"),
    mark("Conscription"),
    mark("The Lost Diplomatic Bag"),
    mark("Oil Concession"),
    mark("Currency Panic"),
    mark("The Tangier Ring"),
    mark("Northern Ore"),
    mark("Croat Conspiracy"),
    mark("Dynasty Restored"),
    mark("Strait Convention"),
    mark("Free City Vote"),
    mark("Desert Rising"),
    mark("Flemish March"),
    mark("Consulates Close"),
    mark("Baltic Treaties"),
    mark("Fall of the Republic"),
    mark("Winter Relief"),
)
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
    """What a secret is: "genuine, worth 3", "a counterspy of strength 4"."""
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
    """What a tile with a star does besides its awards, as a sentence; "" for any other tile."""
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
