"""The 50 event tiles: a table to read (number, name, years, awards; all house values), and it worked out.

`3c prague berlin`: three chits in each of these cities; `2p`: two pounds.  A star marks a special effect.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.spies.rules.atlas import CITY_NAMED, GERMANY, ITALY, POWERS, City, Power
from p2p_stratego.spies.rules.counters import FIRST_YEAR, LAST_YEAR

_TABLE: Final = """
1| Sudeten Claim*| 38-39| 3c prague berlin; 2c paris moscow warsaw; 2p vienna budapest bucharest
2| Fire in the House| 33-34| 3c berlin; 2c vienna warsaw; 1c rome; 3p geneva amsterdam
3| The Saar Votes| 34-35| 2c strasbourg cologne geneva; 1c brussels paris; 3p lille lisbon
4| Boots on the Rhine| 35-36| 3c cologne; 2c paris strasbourg; 1c london moscow; 2p brussels prague
5| Polish Crisis*| 38-39| 3c warsaw danzig; 2c berlin london; 1c minsk; 2p riga copenhagen konigsberg
6| Purge by Night| 33-35| 3c munich; 2c berlin rome; 1c stuttgart; 3p vienna budapest
7| Union with Austria*| 36-38| 3c vienna; 2c munich prague; 1c rome paris; 3p budapest venice
8| Four Powers Confer| 33-34| 3c rome; 2c geneva london; 1c paris berlin; 2p vienna milan
9| Guard on the Brenner| 34-35| 3c vienna; 2c milan munich; 1c belgrade; 3p venice budapest
10| African Campaign| 35-36| 3c rome alexandria; 2c malta naples; 1c geneva london; 3p tripoli haifa
11| The Axis Speech| 36-37| 3c milan; 2c berlin rome; 1c vienna; 2p budapest belgrade sofia
12| Legions for Spain| 36-38| 3c madrid barcelona; 2c naples gibraltar; 1c marseilles; 3p lisbon
13| Our Own Sea| 37-39| 3c palermo tripoli; 2c malta athens; 1c algiers rhodes; 3p beirut istanbul
14| Landing in Albania*| 38-39| 3c tirana; 2c rome athens belgrade; 1c london; 3p sofia rhodes
15| Embassies Reopen| 33-34| 3c moscow; 2c paris prague; 1c bucharest warsaw; 3p riga helsinki
16| Pact with Berlin*| 38-39| 3c moscow berlin; 2c warsaw riga; 1c london paris; 2p bucharest helsinki
17| Shot in the Corridor| 34-35| 3c leningrad; 2c moscow helsinki; 1c kiev; 3p riga stockholm
18| Call for a Front| 35-36| 3c moscow paris; 2c madrid prague; 1c athens brussels; 2p kharkov minsk
19| The Great Trials| 36-38| 3c moscow; 2c kiev leningrad; 1c odessa berlin; 3p stalingrad istanbul
20| Arms by Sea| 36-37| 3c odessa barcelona; 2c istanbul madrid; 1c marseilles; 3p palermo oslo
21| Frontier Incident| 37-39| 3c kharkov stalingrad; 2c moscow minsk; 1c warsaw; 3p helsinki kiev
22| Scandal in the City| 33-34| 3c paris; 2c bordeaux lyons; 1c brussels madrid; 3p geneva strasbourg
23| Eastern Friends| 34-35| 3c paris prague; 2c bucharest belgrade; 1c moscow warsaw; 2p athens budapest
24| Murder on the Quay| 33-35| 3c marseilles; 2c belgrade budapest; 1c rome sofia; 3p lyons venice
25| Strikes and Holidays| 36-37| 3c paris lille; 2c marseilles lyons; 1c brussels berlin; 2p bordeaux algiers
26| Pyrenees Closed| 36-38| 3c barcelona; 2c bordeaux madrid; 1c lisbon gibraltar; 3p tangiers marseilles
27| Concrete Line| 35-37| 3c strasbourg; 2c brussels cologne; 1c stuttgart lille; 3p prague geneva
28| Balkan Guarantee| 38-39| 3c bucharest athens; 2c istanbul paris; 1c beirut london; 2p sofia belgrade
29| Disarmament Fails| 33-34| 3c geneva; 2c london berlin; 1c rome moscow; 3p edinburgh stockholm
30| Naval Agreement| 34-36| 3c london hamburg; 2c berlin edinburgh; 1c paris; 3p copenhagen oslo
31| A Crown Laid Down| 36-37| 3c london; 2c vienna paris; 1c birmingham lisbon; 3p liverpool amsterdam
32| Embargo Debate| 35-36| 3c london rome; 2c geneva malta; 1c alexandria; 3p athens gibraltar
33| Control Commission| 36-38| 3c gibraltar; 2c london madrid; 1c tangiers lisbon; 3p oslo liverpool
34| Umbrella Flight| 37-38| 3c munich london; 2c prague berlin; 1c paris rome; 2p birmingham warsaw
35| Conscription| 38-39| 3c birmingham london; 2c warsaw paris; 1c haifa bucharest; 3p alexandria edinburgh
36| The Lost Diplomatic Bag| any| 2c geneva; 1c istanbul belgrade vienna; 2p lisbon
37| Oil Concession| any| 2c bucharest; 1c haifa alexandria; 4p istanbul beirut
38| Currency Panic| any| 1c amsterdam london; 4p geneva brussels; 3p paris
39| The Tangier Ring| any| 2c tangiers; 1c gibraltar algiers lisbon; 3p madrid
40| Northern Ore| 33-36| 2c stockholm; 1c oslo hamburg; 3p copenhagen leningrad
41| Croat Conspiracy| 33-35| 2c belgrade; 1c venice budapest tirana; 3p sofia
42| Dynasty Restored| 35-36| 2c athens; 1c sofia london; 3p alexandria rhodes
43| Strait Convention| 36-37| 2c istanbul; 1c odessa sofia; 3p athens bucharest
44| Free City Vote| 33-35| 2c danzig; 1c konigsberg warsaw; 3p riga berlin
45| Desert Rising| 36-38| 2c haifa; 1c beirut alexandria; 3p london istanbul
46| Flemish March| 35-37| 2c brussels; 1c lille amsterdam cologne; 3p paris
47| Consulates Close| 38-39| 3c berlin; 2c leipzig breslau; 1c paris; 3p amsterdam
48| Baltic Treaties| 38-39| 2c riga helsinki; 1c leningrad konigsberg; 3p stockholm danzig
49| Fall of the Republic| 38-39| 3c madrid; 2c barcelona; 1c lisbon paris; 3p bordeaux tangiers
50| Winter Relief| 33-37| 2c breslau; 1c leipzig stuttgart kharkov milan; 2p minsk naples
"""
"""Tiles 1 to 35 have the colours of the powers, seven each in turn order; 36 to 50 are random ones."""
TileId: TypeAlias = int
"""1 to 50: the face of the tile."""


class Award(NamedTuple):
    """The gain of every power with a spy in a city."""

    city: City
    chits: int
    pounds: int


class Tile(NamedTuple):
    """An event tile."""

    id: TileId
    name: str
    years: range
    awards: tuple[Award, ...]


def _years(text: str) -> range:
    if text == "any":
        return range(FIRST_YEAR, LAST_YEAR + 1)
    first, last = (1900 + int(year) for year in text.split("-"))
    return range(first, last + 1)


def _awards(text: str) -> tuple[Award, ...]:
    awards = []
    for group in text.split(";"):
        code, *cities = group.split()
        number, kind = int(code[:-1]), code[-1]
        awards += [Award(CITY_NAMED[city], number * (kind == "c"), number * (kind == "p")) for city in cities]
    return tuple(awards)


def _read() -> dict[TileId, Tile]:
    tiles = {}
    for row in _TABLE.strip().splitlines():
        number, name, years, awards = (cell.strip() for cell in row.split("|"))
        tiles[int(number)] = Tile(int(number), name.rstrip("*"), _years(years), _awards(awards))
    return tiles


TILES: Final[dict[TileId, Tile]] = _read()
COLOURED: Final = 7
"""Tiles of a power's own colour."""
RANDOM: Final = 3
"""Tiles that a power draws."""
RANDOM_TILES: Final[tuple[TileId, ...]] = tuple(range(len(POWERS) * COLOURED + 1, len(TILES) + 1))
ANNEXED: Final[dict[TileId, tuple[City, Power]]] = {
    1: (CITY_NAMED["prague"], GERMANY),
    7: (CITY_NAMED["vienna"], GERMANY),
    14: (CITY_NAMED["tirana"], ITALY),
}
"""By tile: a city that becomes territory of a power."""
CRISIS: Final[TileId] = 5
"""Played in 1938 it makes that year the last."""
PACT: Final[TileId] = 16
"""Played by Russia it binds Russia to germany's player."""


def coloured(power: Power) -> range:
    """The seven tiles of a power's colour."""
    return range(power * COLOURED + 1, (power + 1) * COLOURED + 1)


def is_coloured(tile: TileId) -> bool:
    """Whether the tile has a power's colour; then it counts once it is played."""
    return tile not in RANDOM_TILES


def fitting(year: int) -> frozenset[TileId]:
    """The tiles that can be played or discarded in a year."""
    return frozenset(tile.id for tile in TILES.values() if year in tile.years)
