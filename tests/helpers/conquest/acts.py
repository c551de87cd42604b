"""Acts of Conquest played one by one from any position, every Ask kept and answered from a script."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from p2p_stratego.conquest.rules.atlas import NAMES, ZONE_NAMED
from p2p_stratego.conquest.rules.cards import CARD_NAMED
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.pieces import FACE_NAMED, FLAG, SEAT_NAMES
from p2p_stratego.conquest.rules.pieces import NAMES as FACE_NAMES
from p2p_stratego.conquest.rules.state import Event, Piece, State, position
from p2p_stratego.conquest.rules.turns import begun
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    DeckAsk,
    Face,
    Mix,
    Open,
    OpenTo,
    Options,
    Roll,
    Seat,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.view import View

Setup = Mapping[str, Mapping[str, str]]
THREE_AT_WAR: Setup = {
    "red": {"a1": "flag", "a2": "duke", "g5": "knight"},
    "blue": {"b2": "flag", "b4": "duke"},
    "green": {"g3": "flag", "g4": "spy"},
}
FOUR_AT_WAR: Setup = {**THREE_AT_WAR, "yellow": {"l1": "flag", "l2": "duke"}}
"""Red's duke on a2 can take blue's flag on b2; its knight on g5 beats the spy before green's flag."""


class Acts:
    """A game from a position on: what was asked, what was answered, and what lies under every slot."""

    def __init__(
        self,
        setup: Setup,
        bag: Mapping[str, list[str]] | None = None,
        first: str = "red",
        cards: Collection[str] = (),
        *,
        due: bool = False,
        **options: int | str,
    ) -> None:
        self.due = due
        """Whether the cards that are due are drawn; else every turn begins with its moves."""
        self.asks: list[Ask] = []
        self.faces: dict[Slot, Face] = {}
        self.gone: set[Seat] = set()
        """Whose Asks are answered None."""
        seats = len(setup)
        pieces, bags = {}, {}
        for seat, name in enumerate(SEAT_NAMES[:seats]):
            slot = 18 * seat
            for zone, piece in setup[name].items():
                pieces[ZONE_NAMED[zone]] = (seat, slot)
                self.faces[slot] = FACE_NAMED[piece]
                slot += 1
            lying = (bag or {}).get(name, [])
            bags[seat] = tuple(range(slot, slot + len(lying)))
            self.faces.update({slot + at: FACE_NAMED[piece] for at, piece in enumerate(lying)})
        chosen: Options = GAME.options(options)
        state: State = position(seats, chosen, SEAT_NAMES.index(first), pieces, bags)
        self.state = begun(state._replace(round=1), state.first)
        if not due:  # cards or none, but those of the script
            self.state = self.state._replace(due=0, phase="move")
        if cards:
            self.drawn(*cards)

    def drawn(self, *cards: str) -> Acts:
        """These cards have been drawn in this turn, whatever was due."""
        kinds = tuple(CARD_NAMED[card] for card in cards)
        self.state = self.state._replace(phase="play", drawn=kinds, due=len(kinds))
        return self

    def act(self, *answers: Any) -> State:
        """One act: `answers` to Chooses, Rolls and chosen Mixes, in the order in which they come."""
        return self._through(GAME.turn(self.state), answers)

    def leave(self, seat: str, *answers: Any) -> State:
        """A player has left."""
        self.gone.add(SEAT_NAMES.index(seat))
        return self._through(GAME.gone(self.state, SEAT_NAMES.index(seat)), answers)

    def _through(self, turn: Turn[State], given: tuple[Any, ...]) -> State:
        answers = list(given)
        self.asks = []

        def answer(ask: Ask) -> Any:
            self.asks.append(ask)
            if self._absent(ask):
                return None
            if isinstance(ask, Open):
                return self.faces[ask.slot]
            if isinstance(ask, Claim | OpenTo):
                return None
            if isinstance(ask, Mix):
                laid = answers.pop(0) if ask.chosen else [self.faces[slot] for slot in ask.old]
                self.faces.update(zip(ask.new, laid, strict=True))
                return None
            assert not isinstance(ask, Commit | Together)
            reply = answers.pop(0)
            if isinstance(ask, Choose):
                assert reply in ask.options, f"{reply} is not offered"
                assert reply in tuple(ask.options)
            return reply

        self.state = drive(turn, answer)
        if not self.due and self.state.phase == "cards":
            self.state = self.state._replace(due=0, phase="move")
        assert not answers
        return self.state

    def _absent(self, ask: Ask) -> bool:
        if isinstance(ask, Roll | Together | DeckAsk):
            return False
        if isinstance(ask, Open | OpenTo):
            return self.owner(ask.slot) in self.gone
        return ask.seat in self.gone

    def owner(self, slot: Slot) -> Seat:
        """Whose slot it is, on the board or in a bag."""
        for piece in (*self.state.board, *(piece for bag in self.state.bags for piece in bag)):
            if piece is not None and piece.slot == slot:
                return piece.seat
        raise AssertionError(f"slot {slot} is nobody's")

    def lie(self, zone: str, piece: str) -> None:
        """The piece on a zone is another than it was: its owner cheats."""
        self.faces[self.at(zone).slot] = FACE_NAMED[piece]

    def at(self, zone: str) -> Piece:
        """The piece on a zone."""
        piece = self.state.board[ZONE_NAMED[zone]]
        assert piece is not None, f"nothing stands on {zone}"
        return piece

    @property
    def board(self) -> dict[str, str]:
        """By zone, colour and piece: "red spy", open ones with an exclamation mark."""
        pieces = {}
        for zone, piece in enumerate(self.state.board):
            if piece is not None:
                face = FACE_NAMES[self.faces[piece.slot]]
                pieces[NAMES[zone]] = (
                    f"{SEAT_NAMES[piece.seat]} {face}{'!' if piece.face is not None else ''}"
                )
        return pieces

    def bag(self, seat: str) -> list[str]:
        """The pieces in a bag, open ones with an exclamation mark."""
        return [
            FACE_NAMES[self.faces[piece.slot]] + ("!" if piece.face is not None else "")
            for piece in self.state.bags[SEAT_NAMES.index(seat)]
        ]

    def view(self, *seen: str) -> View[State]:
        """What the seat to move sees before its next choice: its own pieces, and those on `seen`."""
        state, seat = self.state, self.state.seat
        own = [piece.slot for piece in state.live(seat)]
        slots = [*own, *(self.at(zone).slot for zone in seen)]
        ask = GAME.turn(state).send(None)
        assert isinstance(ask, Choose)
        return View(seat, state, {slot: self.faces[slot] for slot in slots}, ask)

    @property
    def offered(self) -> tuple[str, ...]:
        """The options of the first Choose of the present act."""
        ask = GAME.turn(self.state).send(None)
        assert isinstance(ask, Choose)
        return tuple(ask.options)

    @property
    def kinds(self) -> list[str]:
        """The kinds of the Asks of the last act."""
        return [type(ask).__name__ for ask in self.asks]

    @property
    def events(self) -> list[str]:
        """The kinds of the events of the last act."""
        report: tuple[Event, ...] = self.state.report
        return [event.kind for event in report]

    @property
    def breach(self) -> tuple[str, str] | None:
        """Who broke which rule."""
        ended = self.state.ended
        if ended is None or ended.breach is None:
            return None
        return SEAT_NAMES[ended.breach.seat], ended.breach.rule


def held(acts: Acts, **where: str) -> Acts:
    """These flags are captured already, and off the board."""
    flags, slots, board = list(acts.state.flags), list(acts.state.flag_slots), list(acts.state.board)
    for owner, captor in where.items():
        seat = SEAT_NAMES.index(owner)
        flags[seat] = SEAT_NAMES.index(captor)
        for zone, piece in enumerate(board):
            if piece is not None and piece.seat == seat and acts.faces[piece.slot] == FLAG:
                slots[seat], board[zone] = piece.slot, None
    acts.state = acts.state._replace(flags=tuple(flags), flag_slots=tuple(slots), board=tuple(board))
    return acts
