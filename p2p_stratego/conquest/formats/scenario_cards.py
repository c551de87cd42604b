"""A card as a scenario plays it: read, judged by the first rule that it breaks, and put into answers.

Everything is known here, so a card is judged by what is true; the rules themselves, which see no closed
piece, then carry it out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from p2p_stratego.conquest.formats.scenario_start import Illegal, Table, piece, zone
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, Zone
from p2p_stratego.conquest.rules.cards import (
    BLITZ,
    CARD_NAMED,
    CARD_NAMES,
    NEW_SPY,
    REGROUP,
    REINFORCE,
    SECRET,
    SURPRISE,
    TRAITOR,
    Card,
)
from p2p_stratego.conquest.rules.effects import A_TRIO
from p2p_stratego.conquest.rules.pieces import FLAG, SPY
from p2p_stratego.conquest.rules.state import Piece
from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.core.scenario import Reader

A_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Played:
    """A card that may be played: the answers to the rules' Asks, and the line that tells of it."""

    card: Card
    result: str
    pieces: tuple[Face, ...]
    said: tuple[Move, ...]
    """The answers to the Chooses of the player to move, the first one behind `play`."""
    rolled: int = 0
    """Which piece of the bag was drawn."""
    laid: tuple[Face, ...] = ()
    """The answer to a Mix whose order the player decides."""


@dataclass(frozen=True, slots=True)
class Written:
    """A card as it is written, its types checked but for the piece that chance drew."""

    card: Card
    zones: tuple[Zone, ...] = ()
    to: tuple[Zone, ...] = ()
    piece: object = None
    guess: Face = 0


_KEYS: Final[Mapping[Card, tuple[str, ...]]] = {
    BLITZ: (),
    REGROUP: ("zones", "to"),
    REINFORCE: ("piece", "zone"),
    SECRET: ("zones",),
    SURPRISE: ("piece", "zone"),
    NEW_SPY: ("zone",),
    TRAITOR: ("zone", "guess"),
}


def read(reader: Reader, value: object) -> Written:
    """Raises ScenarioError."""
    if not isinstance(value, dict) or "card" not in value:
        raise reader.error('"play" must be null, or an object that names its "card"')
    card = CARD_NAMED[reader.word(value["card"], '"card"', CARD_NAMES)]
    written = reader.record(value, f'"play" of {CARD_NAMES[card]}', ("card", *_KEYS[card]))
    zones: tuple[Zone, ...] = ()
    to: tuple[Zone, ...] = ()
    if "zones" in written:
        zones = _zones(reader, written["zones"], '"zones"', A_PAIR if card == SECRET else A_TRIO)
    if "zone" in written:
        zones = (zone(reader, written["zone"], '"zone"'),)
    if "to" in written:
        to = _zones(reader, written["to"], '"to"', A_TRIO)
        if len(set(zones)) != A_TRIO or set(to) != set(zones):
            raise reader.error('"zones" must be three different zones, and "to" the same three')
    guess = piece(reader, written["guess"], '"guess"') if "guess" in written else 0
    return Written(card, zones, to, written.get("piece"), guess)


def _zones(reader: Reader, value: object, what: str, number: int) -> tuple[Zone, ...]:
    found = tuple(zone(reader, item, f"each of {what}") for item in reader.items(value, what))
    if len(found) != number:
        raise reader.error(f"{what} must be {number} zones, not {len(found)}")
    return found


def judged(reader: Reader, table: Table, written: Written) -> Played:
    """What the card does.  Raises Illegal for the first rule that it breaks, ScenarioError for its chance."""
    if written.card not in table.state.drawn:
        raise Illegal("not-drawn", table.state.seat)
    return _JUDGES[written.card](reader, table, written)


def _blitz(_reader: Reader, _table: Table, _written: Written) -> Played:
    return Played(BLITZ, "two-moves", (), ())


def _from_bag(reader: Reader, table: Table, written: Written) -> Played:
    state, seat = table.state, table.state.seat
    (at,) = written.zones
    bag = [table.faces[lying.slot] for lying in state.bags[seat]]
    if not bag:
        raise Illegal("bag-empty", seat)
    drawn = piece(reader, written.piece, '"piece"')
    if drawn not in bag:
        raise reader.error('"piece" must be one that lies in the bag')
    if state.board[at] is not None:
        raise Illegal("occupied", seat)
    if written.card == REINFORCE and not any(_is(state.board[near], seat) for near in NEIGHBOURS[at]):
        raise Illegal("not-adjacent", seat)
    return Played(written.card, "placed", (drawn,), (notation.place(at),), rolled=bag.index(drawn))


def _is(standing: Piece | None, seat: Seat) -> bool:
    """Whether this is a piece of `seat`."""
    return standing is not None and standing.seat == seat


def _regroup(_reader: Reader, table: Table, written: Written) -> Played:
    state, seat = table.state, table.state.seat
    after: dict[Zone, Face] = {}
    for at, to in zip(written.zones, written.to, strict=True):
        standing = state.board[at]
        if standing is None or standing.seat != seat:
            raise Illegal("not-yours", seat)
        after[to] = table.faces[standing.slot]
    return Played(
        REGROUP,
        "regrouped",
        tuple(after[at] for at in written.zones),
        (notation.regroup(written.zones),),
        laid=tuple(after[at] for at in sorted(written.zones)),
    )


def _secret(_reader: Reader, table: Table, written: Written) -> Played:
    state, seat = table.state, table.state.seat
    one, other = written.zones
    if not any(
        _is(standing, seat) and table.faces[standing.slot] == SPY for standing in state.board if standing
    ):
        raise Illegal("no-spy", seat)
    pair = [standing for at in written.zones if (standing := state.board[at]) is not None]
    if len(pair) < A_PAIR:
        raise Illegal("no-piece", seat)
    if other not in NEIGHBOURS[one]:
        raise Illegal("not-adjacent", seat)
    if all(standing.seat == seat for standing in pair):
        raise Illegal("own-piece", seat)
    seen = tuple(table.faces[standing.slot] for standing in pair)
    return Played(SECRET, "looked", seen, (notation.look(written.zones),))


def _new_spy(_reader: Reader, table: Table, written: Written) -> Played:
    state, seat = table.state, table.state.seat
    (at,) = written.zones
    spies = [index for index, lying in enumerate(state.bags[seat]) if table.faces[lying.slot] == SPY]
    if not spies:
        raise Illegal("no-spy", seat)
    if state.board[at] is not None:
        raise Illegal("occupied", seat)
    shown = () if state.bags[seat][spies[0]].face == SPY else (notation.draw(spies[0]),)
    return Played(NEW_SPY, "placed", (SPY,), (*shown, notation.place(at)))


def _traitor(_reader: Reader, table: Table, written: Written) -> Played:
    state, seat = table.state, table.state.seat
    (at,) = written.zones
    standing = state.board[at]
    if standing is None:
        raise Illegal("no-piece", seat)
    if standing.seat == seat:
        raise Illegal("own-piece", seat)
    face = table.faces[standing.slot]
    result = "missed" if face != written.guess else "flag" if face == FLAG else "hit"
    return Played(TRAITOR, result, (face,), (notation.accuse(at, written.guess),))


_JUDGES: Final[Mapping[Card, Callable[[Reader, Table, Written], Played]]] = {
    BLITZ: _blitz,
    REGROUP: _regroup,
    REINFORCE: _from_bag,
    SECRET: _secret,
    SURPRISE: _from_bag,
    NEW_SPY: _new_spy,
    TRAITOR: _traitor,
}
