"""Set-ups with names, for the armies that have one: to begin from, to look at, or to play as they are.

Written for this game by the principles that `deploy.soundness` counts.  Diagrams as `setups.read` reads them,
a side's front row first; `setups.mirrored` doubles their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from p2p_stratego.stratego.formats.diagram import Setup
from p2p_stratego.stratego.formats.setups import read
from p2p_stratego.stratego.rules.armies import ARMIES, Army

_DIAGRAMS: Final[Mapping[str, Mapping[str, str]]] = {
    "quickplay": {
        "corner": """
            4  5 2 . . 8 6 . . 9 5
            3  6 M . . S 2 . . 7 2
            2  B 4 . . 3 . . . 4 .
            1  F B 2 . . . . 3 . .
        """,
        "craters": """
            4  . 6 . . 2 5 . . M 5
            3  7 2 4 . 9 S . 8 2 .
            2  . 3 . B 6 . . . 4 .
            1  . . 3 F B . 2 . . .
        """,
        "scattered": """
            4  9 . . . 6 . . . . 5
            3  2 5 . 7 2 . 8 . M 2
            2  . 4 S . 3 6 . 4 . .
            1  2 . . . . 3 B F B .
        """,
    },
    "classic": {
        "citadel": """
            4  2 6 5 2 M 7 2 5 6 2
            3  5 7 S 8 2 4 9 2 8 6
            2  4 3 B 2 6 7 B 2 B 4
            1  3 B F B 3 4 3 B 3 5
        """,
        "corners": """
            4  5 2 8 2 6 7 2 M 2 5
            3  6 7 2 S 9 2 5 8 6 4
            2  B 4 7 B 2 3 6 2 4 B
            1  F B 3 3 5 B 3 3 B 4
        """,
        "storm": """
            4  9 5 2 6 7 5 2 2 M 6
            3  7 8 2 4 2 6 S 5 8 2
            2  3 4 B 2 B 3 B 7 4 6
            1  B 3 3 2 5 B F B 3 4
        """,
        "gate": """
            4  6 5 2 2 B 7 2 2 5 M
            3  7 2 8 9 S 4 B 6 8 2
            2  5 3 6 2 B 6 3 4 7 4
            1  3 4 3 B F B 2 3 5 B
        """,
    },
    "barrage": {
        "corner": """
            4  . M . . . . . . 9 .
            3  . S . . 2 . . . . .
            2  B . . . . . . . . .
            1  F 3 . . . . . 2 . .
        """,
        "middle": """
            4  . . . . 9 M . . . .
            3  2 . . . S . . . . 2
            2  . . . . B . . . . .
            1  . . . . F 3 . . . .
        """,
        "wings": """
            4  9 . . . . . . . M 2
            3  . . . . . . . . S .
            2  . . . B . . . . . .
            1  2 . . F 3 . . . . .
        """,
    },
    "duel": {
        "corner": """
            4  . M . . . 2 . . 9 .
            3  . S . . . . . . . 2
            2  B . . . 3 . . . . .
            1  F B . . . . . . 3 .
        """,
        "middle": """
            4  2 . . . 9 M . . . 2
            3  . . . . . S . . . .
            2  . . . B . . . 3 . .
            1  . . B F 3 . . . . .
        """,
        "wings": """
            4  9 . . . . . . . 3 M
            3  2 . . . . . . . S .
            2  . . . . . . . B . .
            1  . 2 . . . . 3 F B .
        """,
    },
}


def armies_with(name: str) -> tuple[str, ...]:
    """The armies, by name, that have a template of this name."""
    return tuple(army for army, diagrams in _DIAGRAMS.items() if name in diagrams)


@lru_cache(maxsize=len(ARMIES))
def templates(army: Army) -> Mapping[str, Setup]:
    """The named set-ups of this army, in the order to offer them; none for an army of a player's own."""
    diagrams = _DIAGRAMS.get(army.text, {})
    return MappingProxyType({name: read(diagram, army)[0] for name, diagram in diagrams.items()})
