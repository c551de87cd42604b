"""The words for powers, cities, pieces, secrets, chits and tiles, as they are told everywhere."""

from __future__ import annotations

from p2p_stratego.core.game import Face
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, City, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES, GENUINE, SPIES, STRENGTHS, Chit, spy_names, value
from p2p_stratego.spies.rules.state import SpyId, spy_code
from p2p_stratego.spies.rules.tiles import TILES, TileId


def power(of: Power) -> str:
    """A power: "Germany"."""
    return POWERS[of].capitalize()


def city(at: City) -> str:
    """A city: "Konigsberg"."""
    return NAMES[at].capitalize()


def spy(piece: SpyId, face: Face | None) -> str:
    """A spy as far as it is known: "ge1", "ge1 Falke (5)", "ge5, the cousin (3)"."""
    if face is None:
        return spy_code(piece)
    name = spy_names(piece // SPIES)[face]
    strength = STRENGTHS[face]
    if name == "cousin":
        return f"{spy_code(piece)}, the cousin ({strength})"
    return f"{spy_code(piece)} {name.capitalize()} ({strength})"


def secret(at: City) -> str:
    """A secret by the city where it began: "the secret of Prague"."""
    return f"the secret of {city(at)}"


def content(face: Face) -> str:
    """What a secret is: "genuine, worth 3", "a counterspy of strength 4"."""
    if face in GENUINE:
        return f"genuine, worth {value(face)}"
    return f"a counterspy of strength {value(face)}"


def chit(kind: Chit) -> str:
    """A chit: "Double-cross"."""
    return CHIT_NAMES[kind].capitalize()


def tile(face: TileId) -> str:
    """A tile: "2 Fire in the House"."""
    return f"{face} {TILES[face].name}"


def years(face: TileId) -> str:
    """The years of a tile: "1933 to 1934"."""
    span = TILES[face].years
    return f"{span[0]} to {span[-1]}" if len(span) > 1 else str(span[0])


def pounds(number: int) -> str:
    """Money: "£3"."""
    return f"£{number}"
