"""Scenarios: whole games written down, hidden things and chance included, to be played without a network.

One registry for all games; the command `referee` prints what comes out of it.  The formats belong to the
games, and neither their input nor their output may change without the rules' version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NoReturn

from p2p_stratego.core.scenario import Line, Reader, ScenarioError
from p2p_stratego.spies_and_lies.formats.scenario import play as spies_and_lies
from p2p_stratego.spies_and_lies.rules.game import SpiesAndLies
from p2p_stratego.stratego.formats.scenario import play as stratego
from p2p_stratego.stratego.rules.game import Stratego

LONGEST: Final = 1 << 20
"""Bytes of one scenario; a whole game takes two thousand, a very long one fifty."""

PLAYERS: Final[Mapping[str, Callable[[object], Iterator[Line]]]] = MappingProxyType(
    {SpiesAndLies.name: spies_and_lies, Stratego.name: stratego}
)
"""By the game's name, what plays its scenarios: yields the lines, raises ScenarioError where one breaks."""


def load(data: bytes) -> object:
    """The JSON value in `data`, UTF-8 with or without its mark, at most LONGEST bytes.  Raises ScenarioError.

    Stricter than RFC 8259 asks: a key written twice would mean different things to different readers, and
    NaN and Infinity are no JSON.  The mark before UTF-8 is passed over (section 8.1).
    """
    if len(data) > LONGEST:
        raise ScenarioError(f"it is longer than {LONGEST} bytes, so it is no scenario")
    try:
        return json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise ScenarioError(f"it is not UTF-8 at byte {error.start}, so it is no scenario") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ScenarioError(f"it is not JSON at {where}, so it is no scenario") from error
    except RecursionError as error:
        raise ScenarioError("it is nested far too deep, so it is no scenario") from error
    except ValueError as error:  # a number of more than 4,300 digits, which Python does not convert
        raise ScenarioError("it has a number of absurd length, so it is no scenario") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ScenarioError(f"it has the key {twice[:40]!a} twice in one object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ScenarioError(f"{name} is no JSON number")


def play(scenario: object) -> Iterator[Line]:
    """The lines of one scenario, the outcome last.  Raises ScenarioError, after the lines that stand."""
    reader = Reader()
    if not isinstance(scenario, dict) or "game" not in scenario:
        raise reader.error('a scenario is an object that names its "game"')
    game = reader.word(scenario["game"], '"game"', tuple(PLAYERS))
    yield from PLAYERS[game](scenario)
