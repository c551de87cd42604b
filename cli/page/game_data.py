"""The tables of the games that a page can play, as JavaScript: what `game_data.mjs` is generated from.

The page copies no number and no name of the rules by hand; `python -m cli.page.generate` writes these.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from cli.text.theme import TABLES
from p2p_stratego.core.game import Game
from p2p_stratego.spies_and_lies.rules import checks, soldiers
from p2p_stratego.spies_and_lies.rules import game as spies_and_lies
from p2p_stratego.stratego.rules import armies, board, cells, claims, pieces, transitions
from p2p_stratego.stratego.rules import game as stratego

Json: TypeAlias = object
"""What `json.dumps` writes."""

_HEAD: Final = """\
// Generated from the tables of the rules by `python -m cli.page.generate`: do not edit.
"""
_THEMES: Final = ("dark", "light", "contrast")
_LOOKS: Final = (
    *("text", "strong", "dim", "rule", "fog", "seat0", "seat1", "tile0", "tile1", "back0", "back1"),
    *("fresh0", "fresh1", "target", "chosen", "good", "bad", "warn", "token", "mark", "key"),
)
"""The classes of `cli.text.theme` that a board has a use for."""


def _soldier(rank: int) -> dict[str, object]:
    soldier = soldiers.SOLDIERS[rank]
    return {"rank": rank, "name": soldier.name, **asdict(soldier)}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


def _of_every_game(rules: Game[Any], seats: int) -> dict[str, Json]:
    """Names, counts and defaults, of `seats` seats."""
    return {
        "name": rules.name,
        "version": rules.version,
        "seatCounts": rules.seat_counts,
        "mostRolls": rules.most_rolls,
        "seatNames": rules.seat_names(seats),
        "options": rules.options({}),
    }


def _spies_and_lies() -> dict[str, Json]:
    """Soldiers, cards, tokens, tracks and limits; lists are by rank − 1, side, or in the deck's order."""
    return _of_every_game(spies_and_lies.GAME, len(soldiers.SIDES)) | {
        "starters": spies_and_lies.STARTERS,
        "fewestWall": soldiers.FEWEST_WALL,
        "mostWall": soldiers.MOST_WALL,
        "days": soldiers.DAYS,
        "missions": soldiers.MISSIONS,
        "turns": soldiers.TURNS,
        "forward": soldiers.FORWARD,
        "infiltration": soldiers.INFILTRATION,
        "identification": soldiers.IDENTIFICATION,
        "identificationWithScout": soldiers.IDENTIFICATION_WITH_SCOUT,
        "deception": soldiers.DECEPTION,
        "raid": soldiers.RAID,
        "tokens": soldiers.TOKENS,
        "tokensAtStart": soldiers.TOKENS_AT_START,
        "tokensHeldAtMost": soldiers.TOKENS_HELD_AT_MOST,
        "intelDeck": soldiers.INTEL_DECK,
        "scout": soldiers.SCOUT,
        "captain": soldiers.CAPTAIN,
        "marshal": soldiers.MARSHAL,
        "exhaustedRule": checks.EXHAUSTED,
        "twiceRule": checks.TWICE,
        "soldiers": [
            {_camel(key): value for key, value in _soldier(rank).items()} for rank in soldiers.RANKS
        ],
    }


def _stratego() -> dict[str, Json]:
    """Pieces by face, armies as counts by face, the board's squares as numbers 0 (a1) to 99 (j10)."""
    return _of_every_game(stratego.GAME, len(pieces.SEATS)) | {
        "mostQuiet": stratego.MOST_QUIET,
        "shuttles": stratego.SHUTTLES,
        "tournament": stratego.TOURNAMENT,
        "longest": transitions.LONGEST,
        "pieces": [piece._asdict() for piece in pieces.PIECES],
        "flag": pieces.FLAG,
        "spy": pieces.SPY,
        "scout": pieces.SCOUT,
        "miner": pieces.MINER,
        "marshal": pieces.MARSHAL,
        "bomb": pieces.BOMB,
        "order": armies.ORDER,
        "armies": {name: list(army.counts) for name, army in armies.ARMIES.items()},
        "fewestPieces": armies.FEWEST_PIECES,
        "mostPieces": armies.MOST_PIECES,
        "slots": cells.SLOTS,
        "side": board.SIDE,
        "columns": board.COLUMNS,
        "homeRows": board.HOME_ROWS,
        "craters": sorted(board.CRATERS),
        "walkedRule": claims.WALKED,
        "ranRule": claims.RAN,
        "falseNoneRule": claims.FALSE_NONE,
        "wrongArmyRule": claims.WRONG_ARMY,
    }


def _look(style: str) -> dict[str, str]:
    """The colours of one look of the terminal: of its text, and of the ground below."""
    look = {}
    for word in style.split():
        if word.startswith("#"):
            look["ink"] = word
        elif word.startswith("bg:"):
            look["ground"] = word.removeprefix("bg:")
    return look


def _colours() -> dict[str, Json]:
    """By theme, then class: what of `ink` and `ground` the terminal's look has."""
    return {
        name: {look: _look(TABLES[name]["" if look == "text" else look]) for look in _LOOKS}
        for name in _THEMES
    }


def tables() -> Mapping[str, Mapping[str, Json]]:
    """By the name of its export in `game_data.mjs`, every table."""
    return {
        "SPIES_AND_LIES_DATA": _spies_and_lies(),
        "STRATEGO_DATA": _stratego(),
        "THEME_COLOURS": _colours(),
    }


def module() -> str:
    """The whole text of `game_data.mjs`."""
    parts = [f"\nexport const {name} = {_script(table)};\n" for name, table in tables().items()]
    return _HEAD + "".join(parts)


def _script(table: Mapping[str, Json]) -> str:
    """A table as JavaScript, one line a key: JSON is JavaScript (ECMA-262, since its 2019 edition)."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    return "{\n" + ",\n".join(lines) + "\n}"
