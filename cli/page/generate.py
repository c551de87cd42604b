"""Write the tables of the games and of Unicode for the page, or say that they would be written otherwise.

`python -m cli.page.generate` writes `game_data.mjs` and `unicode_data.mjs` beside this module; with `--check`
it changes nothing and exits with 1 if one of them is another.  The same on every machine.  So the page copies
no number and no name of the rules by hand; the verifier's normal form needs the tables of Unicode 3.2.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias
from unicodedata import ucd_3_2_0

from cli.text.theme import TABLES
from p2p_stratego.conquest import options as conquest_options
from p2p_stratego.conquest.rules import act, atlas, cards
from p2p_stratego.conquest.rules import game as conquest
from p2p_stratego.conquest.rules import pieces as conquest_pieces
from p2p_stratego.core.entry import Whole
from p2p_stratego.core.game import Game
from p2p_stratego.spies import options as spies_options
from p2p_stratego.spies.rules import act as spies_act
from p2p_stratego.spies.rules import allocation, counters, map_data, purse, tiles
from p2p_stratego.spies.rules import atlas as europe
from p2p_stratego.spies.rules import game as spies
from p2p_stratego.spies.rules import state as spies_state
from p2p_stratego.spies.rules.turn import actions, tile, trade
from p2p_stratego.spies_and_lies import options as spies_and_lies_options
from p2p_stratego.spies_and_lies.rules import checks, components
from p2p_stratego.spies_and_lies.rules import game as spies_and_lies
from p2p_stratego.stratego import options as stratego_options
from p2p_stratego.stratego.rules import armies, board, cells, movement, pieces, transitions
from p2p_stratego.stratego.rules import game as stratego
from protocol.record.genesis import is_visible
from protocol.wire.normal_form import is_mark

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
    soldier = components.SOLDIERS[rank]
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
    return _of_every_game(spies_and_lies.GAME, len(components.SIDES)) | {
        "starters": spies_and_lies_options.STARTER.words,
        "fewestWall": spies_and_lies_options.WALL.least,
        "mostWall": spies_and_lies_options.WALL.most,
        "days": components.DAYS,
        "missions": components.MISSIONS,
        "turns": components.TURNS,
        "forward": components.FORWARD,
        "infiltration": components.INFILTRATION,
        "identification": components.IDENTIFICATION,
        "identificationWithScout": components.IDENTIFICATION_WITH_SCOUT,
        "deception": components.DECEPTION,
        "raid": components.RAID,
        "tokens": components.TOKENS,
        "tokensAtStart": components.TOKENS_AT_START,
        "tokensHeldAtMost": components.TOKENS_HELD_AT_MOST,
        "intelDeck": components.INTEL_DECK,
        "scout": components.SCOUT,
        "captain": components.CAPTAIN,
        "marshal": components.MARSHAL,
        "exhaustedRule": checks.EXHAUSTED,
        "twiceRule": checks.TWICE,
        "soldiers": [
            {_camel(key): value for key, value in _soldier(rank).items()} for rank in components.RANKS
        ],
    }


def _stratego() -> dict[str, Json]:
    """Pieces by face, armies as counts by face, the board's squares as numbers 0 (a1) to 99 (j10)."""
    return _of_every_game(stratego.GAME, len(pieces.SEATS)) | {
        "mostQuiet": stratego_options.QUIET.most,
        "shuttles": stratego_options.SHUTTLE.words,
        "tournament": stratego_options.TOURNAMENT,
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
        "walkedRule": movement.WALKED,
        "ranRule": movement.RAN,
        "falseNoneRule": movement.FALSE_NONE,
        "wrongArmyRule": movement.WRONG_ARMY,
    }


def _conquest() -> dict[str, Json]:
    """Pieces by face, cards by kind, zones as numbers 0 (a1) to 71 (l6); lists of zones are ascending."""
    return _of_every_game(conquest.GAME, max(conquest.GAME.seat_counts)) | {
        "choices": {
            "garrison": conquest_options.GARRISON.words,
            "scout": conquest_options.SCOUT.words,
            "rounds": [conquest_options.ROUNDS.least, conquest_options.ROUNDS.most],
        },
        "pieces": [
            {"name": piece.name, "letter": piece.letter, "aSide": piece.a_side}
            for piece in conquest_pieces.PIECES
        ],
        "army": conquest_pieces.ARMY,
        "fights": conquest_pieces.FIGHTS,
        "cards": [{"name": kind.name, "inAll": kind.in_all} for kind in cards.KINDS],
        "cardsInARoll": cards.A_ROLL,
        "columns": atlas.COLUMNS,
        "rows": atlas.ROWS,
        "neighbours": atlas.NEIGHBOURS,
        "mountains": sorted(atlas.MOUNTAINS),
        "territories": [
            {"letter": territory.letter, "city": territory.city, "zones": territory.zones}
            for territory in atlas.TERRITORIES
        ],
        "wrongFacesRule": act.WRONG_FACES,
        "steppedRule": act.STEPPED,
        "ranRule": act.RAN,
        "falseNoneRule": act.FALSE_NONE,
        "changedRule": act.CHANGED,
        "falseMissRule": act.FALSE_MISS,
        "falseHitRule": act.FALSE_HIT,
        "noSpyRule": act.NO_SPY,
    }


def _spies() -> dict[str, Json]:
    """Cities and seas by number, tiles by face less 1, chits by face, and the first slots of each kind."""
    return (
        _of_every_game(spies.GAME, max(spies.GAME.seat_counts))
        | _seats_and_limits()
        | _europe()
        | _counters()
        | _slots()
    )


def _seats_and_limits() -> dict[str, Json]:
    return {
        "mostShuffles": spies.GAME.most_shuffles,
        "words": spies_options.WORDS,
        "times": {
            field.name: [field.values.least, field.values.most]
            for field in spies_options.OPTIONS
            if isinstance(field.values, Whole)
        },
        "seats": [[*table, powers] for table, powers in allocation.SEATS.items()],
        "even": [[*table, points] for table, points in allocation.EVEN.items()],
        "years": [counters.FIRST_YEAR, counters.LAST_YEAR],
        "actionPoints": counters.ACTION_POINTS,
        "spaces": counters.SPACES,
        "abroad": counters.ABROAD,
        "hand": counters.HAND,
        "aCity": counters.A_CITY,
        "mostProposals": trade.MOST_PROPOSALS,
        "mostHandled": actions.MOST_HANDLED,
        "reward": counters.REWARD,
        "cash": counters.CASH,
        "marker": counters.MARKER,
        "aTile": counters.A_TILE,
        "disgrace": counters.DISGRACE,
    }


def _europe() -> dict[str, Json]:
    return {
        "cities": europe.NAMES,
        "territory": europe.TERRITORY,
        "signed": europe.SIGNED,
        "capitals": europe.CAPITALS,
        "neutral": europe.NEUTRAL,
        "havens": europe.HAVENS,
        "rail": [link for link in sorted(europe.BY_RAIL) if link[0] < link[1]],
        "air": [link for link in sorted(europe.BY_AIR) if link[0] < link[1]],
        "seas": [
            {"name": name, "ports": ports, "near": near}
            for name, ports, near in zip(europe.SEA_NAMES, europe.PORTS, europe.SEA_LINKS, strict=True)
        ],
        "die": map_data.DIE,
    }


def _counters() -> dict[str, Json]:
    return {
        "powers": [
            {"name": name, "code": code, **means._asdict()}
            for name, code, means in zip(europe.POWERS, europe.CODES, counters.MEANS, strict=True)
        ],
        "strengths": counters.STRENGTHS,
        "cousin": counters.COUSIN,
        "secrets": counters.ALL_SECRETS,
        "genuine": sorted(counters.GENUINE),
        "counterspies": sorted(counters.COUNTERSPIES),
        "chits": [kind._asdict() for kind in counters.KINDS],
        "inOrder": counters.IN_ORDER,
        "tiles": [
            {
                "name": event.name,
                "years": [event.years.start, event.years.stop - 1],
                "awards": event.awards,
            }
            for event in tiles.TILES.values()
        ],
        "coloured": tiles.COLOURED,
        "random": tiles.RANDOM,
        "randomTiles": tiles.RANDOM_TILES,
        "annexed": [[face, *annexed] for face, annexed in tiles.ANNEXED.items()],
        "crisis": [tiles.CRISIS, tile.CRISIS_YEAR],
        "pact": tiles.PACT,
    }


def _slots() -> dict[str, Json]:
    return {
        "digits": [purse.BASE, purse.DIGITS],
        "slots": {
            "tiles": spies_state.TILES,
            "mixedTiles": spies_state.MIXED_TILES,
            "spies": spies_state.SPY_SLOTS,
            "police": spies_state.POLICE_SLOTS,
            "chits": spies_state.CHITS,
            "copies": spies_state.COPIES,
            "purses": spies_state.PURSES,
        },
        "decks": {
            "cup": spies_state.CUP,
            "secrets": spies_state.SECRET_DECK,
            "tiles": spies_state.TILE_DECK,
            "colours": spies_state.COLOUR_DECK,
        },
        "wrongChitRule": spies_act.WRONG_CHIT,
        "wrongYearRule": spies_act.WRONG_YEAR,
        "wrongTileRule": spies_act.WRONG_TILE,
        "falseDiscardRule": spies_act.FALSE_DISCARD,
        "falseNoTileRule": spies_act.FALSE_NONE,
        "wrongPoliceRule": spies_act.WRONG_POLICE,
        "falseComparisonRule": spies_act.FALSE_COMPARISON,
        "falseSecretRule": spies_act.FALSE_FIND,
        "falseSurvivalRule": spies_act.FALSE_SURVIVAL,
        "falseCousinRule": spies_act.FALSE_COUSIN,
        "overdrawnRule": spies_act.OVERDRAWN,
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
        "CONQUEST_DATA": _conquest(),
        "SPIES_DATA": _spies(),
        "THEME_COLOURS": _colours(),
    }


def games_module() -> str:
    """The whole text of `game_data.mjs`."""
    parts = [f"\nexport const {name} = {_script(table)};\n" for name, table in tables().items()]
    return _HEAD + "".join(parts)


def _script(table: Mapping[str, Json]) -> str:
    """A table as JavaScript, one line a key: JSON is JavaScript (ECMA-262, since its 2019 edition)."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_WIDTH = 112


def unicode_module() -> str:
    """The source of `unicode_data.mjs`."""
    return "\n".join(
        [
            "// GENERATED by `python -m cli.page.generate` from the tables of Python; do not edit.",
            "//",
            "// Ranges of code points: where each begins and ends, in turns, as the distance from the edge",
            "// before it, in base 36.",
            "",
            "/** The code points that Unicode 3.2 assigns: those of another general category than Cn. */",
            _constant("ASSIGNED", lambda letter: ucd_3_2_0.category(letter) != "Cn"),
            "",
            "/** The marks: a combining class that is not 0, or what stands for such alone. */",
            _constant("MARKS", is_mark),
            "",
            "/** The code points that can stand in a player's name, U+0020 aside. */",
            _constant("VISIBLE", is_visible),
            "",
        ]
    )


def _constant(name: str, chosen: Callable[[str], bool]) -> str:
    distances = " ".join(map(_base_36, _distances(chosen)))
    lines = textwrap.wrap(distances, _WIDTH)
    joined = [f"  '{line}{' ' if line is not lines[-1] else ''}'" for line in lines]
    return f"export const {name} =\n" + " +\n".join(joined) + ";"


def _distances(chosen: Callable[[str], bool]) -> Iterator[int]:
    code = last = 0
    for within, run in groupby(map(chosen, map(chr, range(0x110000)))):
        if within or code:
            yield code - last
            last = code
        code += sum(1 for _ in run)


def _base_36(number: int) -> str:
    rest, digit = divmod(number, 36)
    return (_base_36(rest) if rest else "") + _DIGITS[digit]


FOLDER: Final = Path(__file__).parent
FILES: Final[Mapping[str, Callable[[], str]]] = {
    "game_data.mjs": games_module,
    "unicode_data.mjs": unicode_module,
}


def main(arguments: list[str] | None = None) -> int:
    """0: the files are as they should be now; 1: `--check` found another."""
    parser = argparse.ArgumentParser(prog="python -m cli.page.generate")
    parser.add_argument("--check", action="store_true", help="only compare, and exit with 1 if one differs")
    checks = parser.parse_args(arguments).check
    stale = [name for name, module in FILES.items() if _bytes_of(FOLDER / name) != module().encode()]
    for name in stale:
        if checks:
            print(f"{name} is not what the program's tables give: run python -m cli.page.generate")
        else:
            (FOLDER / name).write_bytes(FILES[name]().encode())
            print(f"wrote {name}")
    return int(checks and bool(stale))


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
