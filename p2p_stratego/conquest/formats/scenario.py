"""Plays a whole game of Conquest Stratego out of one scenario, with the real rules and nothing else.

A scenario hides nothing, so every Ask of the rules is answered from it: what was rolled, what lies under a
slot, what a player said.  Each part is read only when it is due, so all lines before a mistake are right.
A line is told once what it tells is judged; a flag that comes back is read after that.

A card is judged by what is true; the rules themselves, which see no closed piece, then carry it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from p2p_stratego.conquest.formats import scenario_start
from p2p_stratego.conquest.formats.scenario_start import RULES, Illegal, Start, Table, piece, zone
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, Zone
from p2p_stratego.conquest.rules.cards import (
    A_ROLL,
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
    dealt,
    number_of,
)
from p2p_stratego.conquest.rules.movement import illegal, steps
from p2p_stratego.conquest.rules.notation import TRIO
from p2p_stratego.conquest.rules.pieces import FIGHTS, FIXED, FLAG, NAMES, SEAT_NAMES, SPY
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, Piece, State
from p2p_stratego.core.game import Ask, Choose, Face, Mix, Move, Open, Outcome, Roll, Seat
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.scenario import Line, Reader
from p2p_stratego.core.sides import last_side


def play(scenario: object) -> Iterator[Line]:
    """A line for the start, each card, move, end of a turn and leave, then the outcome.

    Raises ScenarioError; its turn is the one that could not be played, if it was a turn at all.
    """
    start = scenario_start.read(Reader(), scenario)
    game = _Game(start)
    try:
        yield from game.lines()
    except Illegal as broken:
        named = {"rule": broken.rule, "player": SEAT_NAMES[broken.player]}
        yield {"winner": None, "reason": "illegal", **named, "turns": game.begun}
        return
    yield _outcome(game.ended, game.begun)


def _outcome(ended: Outcome | None, turns: int) -> Line:
    if ended is None:
        return {"winner": None, "reason": "unfinished", "turns": turns}
    winners = "+".join(SEAT_NAMES[seat] for seat in sorted(ended.winners))
    return {"winner": winners or None, "reason": ended.reason, "turns": turns}


class _Game:
    """One scenario being played."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._table: Table
        self._reader = Reader()
        self.begun = 0
        """Turns begun."""
        self.ended: Outcome | None = None
        self._gone: set[Seat] = set()
        self._flag: object = None
        """Where the present turn puts the flag that it wins back, as written; None: it does not say."""
        self._flag_read = False

    @property
    def _state(self) -> State:
        return self._table.state

    @property
    def _flag_won(self) -> bool:
        return self.ended is not None and self.ended.reason == "flag"

    def lines(self) -> Iterator[Line]:
        """All lines but the outcome.  Raises Illegal and ScenarioError."""
        self._table = scenario_start.placed(self._start)
        counted = _counted(self._state)
        yield {"turn": 0, "first": SEAT_NAMES[self._state.seat], **counted}
        for written in self._start.turns:
            if isinstance(written, dict) and "leave" in written:
                self._reader = Reader({"turn": self.begun})
                yield self._left(written)
            else:
                self.begun += 1
                self._reader = Reader({"turn": self.begun})
                yield from self._turn(written)
            if self.ended is not None:
                return

    # One turn

    def _turn(self, value: object) -> Iterator[Line]:
        written = self._reader.record(value, "the turn", (), ("cards", "play", "moves", "flag"))
        player = self._state.seat
        head: Line = {"turn": self.begun, "player": SEAT_NAMES[player]}
        self._flag, self._flag_read = written.get("flag"), "flag" not in written
        self._cards(written.get("cards", []))
        card = written.get("play")
        if card is not None:
            playing = judged(self._reader, self._table, read(self._reader, card))
            pieces = [NAMES[face] for face in playing.pieces]
            yield {**head, "card": CARD_NAMES[playing.card], "result": playing.result, "pieces": pieces}
            self._act((notation.play(playing.card), *playing.answers), playing)
        elif self._state.phase == "play":
            self._act((notation.PLAY_NONE,))
        if not self._flag_won:
            yield from self._moves(written.get("moves", []), head)
        if self._flag_won:
            return
        if not self._flag_read:
            raise self._reader.error('"flag" has no place here: this turn wins back no own flag')
        yield {**head, **self._end_line()}

    def _cards(self, value: object) -> None:
        """Draw the cards that are due."""
        state, reader = self._state, self._reader
        cards = tuple(
            CARD_NAMED[reader.word(name, 'each of "cards"', CARD_NAMES)]
            for name in reader.items(value, '"cards"')
        )
        if len(cards) != state.due:
            raise reader.error(f'"cards" must be the {state.due} cards that are due, not {len(cards)}')
        if not cards:
            return
        rolls, pile, drawn = [], state.pile, state.drawn
        for part in filter(None, (cards[:A_ROLL], cards[A_ROLL:])):
            number = number_of(pile, drawn, part)
            if number is None:
                raise reader.error('"cards" must be cards that the pile can give, in this order')
            rolls.append(number)
            pile, drawn = dealt(pile, drawn, len(part), number)
        answers = iter(rolls)
        self._through(drive(RULES.turn(state), lambda _: next(answers)))

    def _moves(self, value: object, head: Line) -> Iterator[Line]:
        player, budget = self._state.seat, self._state.moves
        moves = self._reader.items(value, '"moves"')
        for number, written in enumerate(moves):
            step = notation.zones(written)
            if step is None:
                raise self._reader.error('each of "moves" must be two zones, such as "a1a2"')
            if number >= budget:
                raise Illegal("too-many", player)
            yield {**head, "move": notation.move(*step), **self._judged(*step)}
            self._act((notation.move(*step),))
            if self._flag_won:
                return
        if not moves and any(self._can_step(zone) for zone in self._state.zones_held(player)):
            raise Illegal("must-move", player)
        if len(moves) < budget:
            self._act((notation.STOP if moves else notation.NONE,))

    def _can_step(self, at: Zone) -> bool:
        return self._face(at) not in FIXED and bool(steps(self._state, self._state.seat, at))

    def _face(self, at: Zone) -> Face | None:
        standing = self._state.board[at]
        return None if standing is None else self._table.faces[standing.slot]

    def _judged(self, source: Zone, target: Zone) -> Line:
        """What the move does.  Raises Illegal."""
        attacker, defender = self._face(source), self._face(target)
        seat = self._state.seat
        if attacker is None:
            raise Illegal("not-yours", seat)
        rule = illegal(self._state, source, target, attacker)
        if rule is not None:
            raise Illegal(rule, seat)
        if defender is None:
            result = "moved" if target in NEIGHBOURS[source] else "ran"
            return {"result": result, "attacker": None, "defender": None}
        result = FIGHTS[attacker][defender]
        return {"result": result, "attacker": NAMES[attacker], "defender": NAMES[defender]}

    # The rules' Asks

    def _through(self, state: State) -> None:
        self._table.state = state
        self.ended = state.ended

    def _act(self, answers: tuple[Move, ...], playing: Played | None = None) -> None:
        """One act of the player to move, who says these things.  Raises Illegal and ScenarioError."""
        faces, seat, words = self._table.faces, self._state.seat, iter(answers)

        def answer(ask: Ask) -> Any:
            if isinstance(ask, Choose):
                if ask.seat != seat:  # the Traitor's victim says what is true
                    zone_and_guess = notation.accused(answers[-1])
                    return notation.YES if self._face(zone_and_guess[0]) == zone_and_guess[1] else notation.NO
                word = next(words, None)
                return self._own_flag(ask) if word is None else word
            if isinstance(ask, Open):
                return faces[ask.slot]
            if isinstance(ask, Roll) and playing is not None:
                return playing.rolled
            if isinstance(ask, Mix) and playing is not None:
                laid = playing.laid or tuple(faces[slot] for slot in ask.old)
                faces.update(zip(ask.new, laid, strict=True))
            return None

        self._through(drive(RULES.turn(self._state), answer))

    def _own_flag(self, ask: Choose) -> Move:
        """Where the flag goes that this turn wins back."""
        if self._flag_read:
            raise self._reader.error('"flag" is missing: this turn wins back the own flag')
        self._flag_read = True
        return self._put(ask, zone(self._reader, self._flag, '"flag"'))

    def _put(self, ask: Choose, at: Zone) -> Move:
        answer = notation.flag(at)
        if answer not in ask.options:
            raise Illegal("occupied", ask.seat)
        return answer

    # Leaving

    def _left(self, value: object) -> Line:
        reader, state = self._reader, self._state
        written = reader.record(value, "the leave", ("leave",), ("flags",))
        there = [SEAT_NAMES[seat] for seat in state.still_in]
        seat = SEAT_NAMES.index(reader.word(written["leave"], '"leave"', there))
        back = [SEAT_NAMES[owner] for owner in state.captives(seat) if state.status[owner] == "in"]
        flags = reader.record(written.get("flags", {}), '"flags"', back)
        zones = {name: zone(reader, flags[name], f"the flag of {name}") for name in back}

        def answer(ask: Ask) -> Move | None:
            return self._put(ask, zones[SEAT_NAMES[ask.seat]]) if isinstance(ask, Choose) else None

        self._through(drive(RULES.gone(state, seat), answer))
        self._gone.add(seat)
        last = last_side(RULES.sides(state.seats), self._gone)
        if last is not None:
            self.ended = Outcome(last, "deserted" if len(self._gone) > 1 else "resigned")
        line = {"turn": self.begun, "player": SEAT_NAMES[seat], "left": True}
        return {**line, "flags": _flags(self._state)}

    # Lines

    def _end_line(self) -> Line:
        state = self._state
        board = (len(state.zones_held(seat)) for seat in range(state.seats))
        return {
            "pile": state.pile.size,
            **_counted(state),
            "board": dict(zip(SEAT_NAMES, board, strict=False)),
            "bag": dict(zip(SEAT_NAMES, map(len, state.bags), strict=False)),
            "flags": _flags(state),
        }


def _counted(state: State) -> Line:
    """Territories and cities by colour."""
    seats = range(state.seats)
    return {
        "territories": {SEAT_NAMES[seat]: len(state.owned(seat)) for seat in seats},
        "cities": {SEAT_NAMES[seat]: state.cities(seat) for seat in seats},
    }


def _flags(state: State) -> Line:
    """By colour: on the board, gone, or the colour of the captor."""
    words = {ON_BOARD: "board", LOST: "gone"}
    return {
        SEAT_NAMES[owner]: words.get(where) or SEAT_NAMES[where] for owner, where in enumerate(state.flags)
    }


A_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Played:
    """A card that may be played: the answers to the rules' Asks, and the line that tells of it."""

    card: Card
    result: str
    pieces: tuple[Face, ...]
    answers: tuple[Move, ...]
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
        zones = _zones(reader, written["zones"], '"zones"', A_PAIR if card == SECRET else TRIO)
    if "zone" in written:
        zones = (zone(reader, written["zone"], '"zone"'),)
    if "to" in written:
        to = _zones(reader, written["to"], '"to"', TRIO)
        if len(set(zones)) != TRIO or set(to) != set(zones):
            raise reader.error('"zones" must be three different zones, and "to" the same three')
    guess = piece(reader, written["guess"], '"guess"') if "guess" in written else 0
    return Written(card, zones, to, written.get("piece"), guess)


def _zones(reader: Reader, value: object, what: str, number: int) -> tuple[Zone, ...]:
    zones = tuple(zone(reader, item, f"each of {what}") for item in reader.items(value, what))
    if len(zones) != number:
        raise reader.error(f"{what} must be {number} zones, not {len(zones)}")
    return zones


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
    first, other = written.zones
    if not any(
        _is(standing, seat) and table.faces[standing.slot] == SPY for standing in state.board if standing
    ):
        raise Illegal("no-spy", seat)
    pair = [standing for at in written.zones if (standing := state.board[at]) is not None]
    if len(pair) < A_PAIR:
        raise Illegal("no-piece", seat)
    if other not in NEIGHBOURS[first]:
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
