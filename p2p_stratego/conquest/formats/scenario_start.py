"""The start of a Conquest Stratego scenario: everything before its turns, read and put on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from p2p_stratego.conquest.options import GARRISON, ROUNDS, SCOUT
from p2p_stratego.conquest.rules.atlas import (
    LETTERS,
    NAMES,
    TERRITORIES,
    TERRITORY_OF,
    ZONE_NAMED,
    TerritoryId,
    Zone,
)
from p2p_stratego.conquest.rules.choices import digits, own_zones
from p2p_stratego.conquest.rules.draft import own_slots, picker
from p2p_stratego.conquest.rules.game import Conquest
from p2p_stratego.conquest.rules.notation import fill, take
from p2p_stratego.conquest.rules.pieces import A_SIDE, ARMY, FACE_NAMED, FLAG, SEAT_COUNTS, SEAT_NAMES
from p2p_stratego.conquest.rules.pieces import NAMES as FACE_NAMES
from p2p_stratego.conquest.rules.state import State, position
from p2p_stratego.conquest.rules.turns import begun
from p2p_stratego.core.game import Face, Move, Options, OptionValue, Seat, Slot
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.scenario import Reader

RULES: Final = Conquest()
Army = dict[Zone, Face]
"""One side's pieces on the board."""


class Illegal(Exception):
    """The first thing in a scenario that the rules forbid: the rule, and who broke it."""

    def __init__(self, rule: str, player: Seat) -> None:
        super().__init__(rule)
        self.rule = rule
        self.player = player


@dataclass(slots=True)
class Table:
    """The game so far, with every face: a scenario hides nothing."""

    state: State
    faces: dict[Slot, Face]


@dataclass(frozen=True, slots=True)
class Start:
    """A scenario's start, read; `draft` is None for a position."""

    seats: int
    options: Options
    first: Seat
    armies: tuple[Army, ...]
    """By seat."""
    bags: tuple[tuple[Face, ...], ...]
    draws: tuple[Face, ...] = ()
    draft: tuple[TerritoryId, ...] | None = None
    turns: Sequence[object] = ()


_KEYS: Final = ("game", "players", "setup", "turns")


def read(reader: Reader, scenario: object) -> Start:
    """The start, its types and its chance checked, the rules not yet.  Raises ScenarioError."""
    strict = isinstance(scenario, dict) and scenario.get("strict", False) is True
    more = ("draws", "draft") if strict else ()
    optional = ("tie",) if strict else ("first", "bag")
    whole = reader.record(scenario, "the scenario", (*_KEYS, *more), ("options", "strict", *optional))
    reader.word(whole["game"], '"game"', (RULES.name,))
    reader.flag(whole.get("strict", False), '"strict"')
    seats = reader.whole(whole["players"], '"players"', SEAT_COUNTS[0], SEAT_COUNTS[-1])
    options = _options(reader, whole.get("options", {}))
    colours = SEAT_NAMES[:seats]
    first: Seat = 0
    draws: tuple[Face, ...] = ()
    draft = None
    if strict:
        draws, first = _drawn(reader, whole, colours)
        draft = _draft(reader, whole["draft"])
    elif "first" in whole:
        first = colours.index(reader.word(whole["first"], '"first"', colours))
    armies = _armies(reader, whole["setup"], colours)
    bags = _bags(reader, whole.get("bag", {}), colours)
    if not strict:
        _check_position(reader, armies, bags, colours)
    turns = reader.items(whole["turns"], '"turns"')
    return Start(seats, options, first, armies, bags, draws, draft, turns)


def _options(reader: Reader, value: object) -> Options:
    written = reader.record(value, '"options"', (), ("garrison", "scout", "rounds"))
    wanted: dict[str, OptionValue] = {}
    for name, words in (("garrison", GARRISON.words), ("scout", SCOUT.words)):
        if name in written:
            wanted[name] = reader.word(written[name], f'"{name}"', words)
    if "rounds" in written:
        wanted["rounds"] = reader.whole(written["rounds"], '"rounds"', ROUNDS.least, ROUNDS.most)
    return RULES.options(wanted)


def _drawn(
    reader: Reader, whole: Mapping[str, object], colours: Sequence[str]
) -> tuple[tuple[Face, ...], Seat]:
    """The piece that each seat drew, and who starts."""
    written = reader.record(whole["draws"], '"draws"', colours)
    draws = tuple(piece(reader, written[colour], f"the draw of {colour}") for colour in colours)
    highest = [colour for seat, colour in enumerate(colours) if draws[seat] == max(draws)]
    if len(highest) == 1:
        if "tie" in whole:
            raise reader.error('"tie" has no place here: one piece is the highest')
        return draws, colours.index(highest[0])
    if "tie" not in whole:
        raise reader.error(f'"tie" is missing: {" and ".join(highest)} have drawn the highest piece')
    return draws, colours.index(reader.word(whole["tie"], '"tie"', highest))


def _draft(reader: Reader, value: object) -> tuple[TerritoryId, ...]:
    """24 letters, in one text or as a list."""
    letters = list(value) if isinstance(value, str) else reader.items(value, '"draft"')
    if len(letters) != len(TERRITORIES):
        raise reader.error(f'"draft" must have {len(TERRITORIES)} letters, not {len(letters)}')
    return tuple(LETTERS.index(reader.word(letter, 'each of "draft"', tuple(LETTERS))) for letter in letters)


def piece(reader: Reader, value: object, what: str) -> Face:
    """A piece by its name."""
    return FACE_NAMED[reader.word(value, what, FACE_NAMES)]


def zone(reader: Reader, value: object, what: str) -> Zone:
    """A zone by its name."""
    known = ZONE_NAMED.get(value) if isinstance(value, str) else None
    if known is None:
        raise reader.error(f"{what} must be a zone, {NAMES[0]} to {NAMES[-1]}")
    return known


def _armies(reader: Reader, value: object, colours: Sequence[str]) -> tuple[Army, ...]:
    written = reader.record(value, '"setup"', colours)
    armies = []
    for colour in colours:
        pieces = written[colour]
        if not isinstance(pieces, dict):
            pieces = reader.record(pieces, f"the set-up of {colour}", ())
        armies.append(
            {
                zone(reader, at, f"each place in the set-up of {colour}"): piece(
                    reader, name, f"the piece on {at}"
                )
                for at, name in pieces.items()
            }
        )
    return tuple(armies)


def _bags(reader: Reader, value: object, colours: Sequence[str]) -> tuple[tuple[Face, ...], ...]:
    written = reader.record(value, '"bag"', (), colours)
    return tuple(
        tuple(
            piece(reader, name, f"each piece in the bag of {colour}")
            for name in reader.items(written.get(colour, []), f"the bag of {colour}")
        )
        for colour in colours
    )


def _check_position(
    reader: Reader, armies: Sequence[Army], bags: Sequence[tuple[Face, ...]], colours: Sequence[str]
) -> None:
    """One piece a zone; a side has one flag, on the board, and of no kind more than the army."""
    standing: set[Zone] = set()
    for seat, colour in enumerate(colours):
        twice = standing.intersection(armies[seat])
        if twice:
            raise reader.error(f"two sides have a piece on {NAMES[min(twice)]}")
        standing.update(armies[seat])
        if FLAG in bags[seat] or FLAG not in armies[seat].values():
            raise reader.error(f"{colour} has no flag on the board, or one in its bag")
        for face, count in Counter((*armies[seat].values(), *bags[seat])).items():
            if count > A_SIDE[face]:
                raise reader.error(
                    f"the army has {A_SIDE[face]} of the {FACE_NAMES[face]}, {colour} has {count}"
                )


def placed(start: Start) -> Table:
    """The game before its first turn.  Raises Illegal."""
    if start.draft is not None:
        return _drafted(start, start.draft)
    pieces: dict[Zone, tuple[Seat, Slot]] = {}
    bags: dict[Seat, tuple[Slot, ...]] = {}
    faces: dict[Slot, Face] = {}
    for seat, army in enumerate(start.armies):
        slots = iter(own_slots(seat))
        for at in sorted(army):
            slot = next(slots)
            pieces[at], faces[slot] = (seat, slot), army[at]
        bags[seat] = tuple(next(slots) for _ in start.bags[seat])
        faces.update(zip(bags[seat], start.bags[seat], strict=True))
    state = position(start.seats, start.options, start.first, pieces, bags)
    return Table(begun(state._replace(round=1), start.first), faces)


def _drafted(start: Start, draft: tuple[TerritoryId, ...]) -> Table:
    """A whole game: the rules' own set-up, with what the scenario says as its answers."""
    rolls = _rolls(start)
    state = drive(RULES.setup(start.seats, start.options), lambda _: next(rolls))
    for number, place in enumerate(draft):
        if place in draft[:number]:
            raise Illegal("taken", picker(state, number))
        state = _picked(state, take(place))
    faces: dict[Slot, Face] = {}
    fillings: list[Move] = []
    for seat, army in enumerate(start.armies):
        _check_army(state, seat, army)
        own = own_zones(state, seat)
        faces.update(zip(own_slots(seat), (army[at] for at in sorted(army)), strict=True))
        fillings.append(fill((own.index(at) for at in army), digits(state)))
    state = drive(RULES.turn(state), lambda _: (None,) * start.seats)
    if state.phase == "zones":
        state = drive(RULES.turn(state), lambda _: tuple(fillings))
    return Table(state, faces)


def _picked(state: State, move: Move) -> State:
    return drive(RULES.turn(state), lambda _: move)


def _rolls(start: Start) -> Iterator[int]:
    """The numbers of the set-up's one or two Rolls."""
    number = 0
    for face in start.draws:
        number = number * len(ARMY) + ARMY.index(face)
    yield number
    highest = [seat for seat, face in enumerate(start.draws) if face == max(start.draws)]
    yield highest.index(start.first)


def _check_army(state: State, seat: Seat, army: Army) -> None:
    """Raises Illegal."""
    if sorted(army.values()) != sorted(ARMY):
        raise Illegal("wrong-army", seat)
    filled = {TERRITORY_OF[at] for at in army}
    own = {place for place, owner in enumerate(state.taken) if owner == seat}
    if not filled <= own:
        raise Illegal("foreign-territory", seat)
    if state.garrison and filled != own:
        raise Illegal("empty-territory", seat)
