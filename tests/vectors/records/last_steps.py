"""Vectors of seats that go in the last step of a game: whom the rules hear of, and whom they rank."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

from p2p_stratego.conquest.rules.notation import zones
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.turns import next_in, ranked
from p2p_stratego.core.game import Choose, Decision, Move, Outcome, Seat
from p2p_stratego.registry import GAMES, make_bot
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.statements import Kind, parse_record
from protocol.seat.session import Session
from tests.helpers.seats.pair import Decide, Table
from tests.vectors.records.leaving import carry
from tests.vectors.records.open_points import Copy

CONQUEST: Final = GAMES["conquest"]


class Attack(NamedTuple):
    """The last move of a match that could be made: a closed piece attacks another one."""

    made: Table
    mover: Seat
    defender: Seat
    move: Move
    ranked: Outcome
    """How the game ends if nobody moves any more, or goes."""


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    yield "complete-three-left-last-mover", _first("mover", two=False)
    yield "complete-three-left-last-defender", _first("defender", two=False)
    yield "complete-three-left-last-mover-of-two", _first("mover", two=True)
    yield "complete-three-left-last-defender-of-two", _first("defender", two=True)


def bot(name: str) -> Decide:
    """A player of Conquest that is the same each time."""
    made = make_bot(CONQUEST.name, "recruit", random.Random(name))

    def decide(session: Session, _: Decision, __: random.Random) -> Decided:
        return made.decide(session.view)

    return decide


def _first(leaver: str, *, two: bool) -> bytes:
    """The first match in which that one goes as if it had won; `two`: one of the three is gone by then."""
    for number in range(100):
        attack = _attack(number, leaver, two=two)
        if attack is None:
            continue
        copy = _mover_goes(attack) if leaver == "mover" else _defender_goes(attack)
        if copy is not None:
            return copy
    raise AssertionError("no match fits")


def _attack(number: int, leaver: str, *, two: bool) -> Attack | None:
    """An attack that can end the match, if its `leaver` is among the winners before it."""
    made = _at_the_last_move(number, two=two)
    owed = made.seats[0].session.referee.owed
    if owed is None or not isinstance(owed.ask, Choose):
        return None
    state = _state(made)
    for move in sorted(owed.ask.options):
        if (step := zones(move)) is None:
            continue
        attacker, piece = (state.board[zone] for zone in step)
        if attacker is None or piece is None or attacker.face is not None:
            continue
        attack = Attack(made, owed.seat, piece.seat, move, ranked(state))
        if getattr(attack, leaver) in attack.ranked.winners:
            return attack
    return None


def _at_the_last_move(number: int, *, two: bool) -> Table:
    """A match of one round before the decision that can be its last."""
    decide = [bot(f"last step {number} {seat}") for seat in range(3)]
    made = Table(number, game=CONQUEST, options={"rounds": 1}, seats=3, decide=decide)
    while not any(_is_last(seat.session) for seat in made.seats) and made.step():
        state = _state(made)
        starter = None if state is None else made.seats[state.first].session
        if two and starter is not None and state.phase == "move" and not starter.left:
            starter.resign()
    return made.hold()


def _is_last(session: Session) -> bool:
    state: State | None = session.referee.table.state
    if state is None or state.phase != "move" or session.decision is None or state.moves_left > 1:
        return False
    return (next_in(state, state.seat) - state.first) % 3 <= (state.seat - state.first) % 3


def _state(made: Table) -> State:
    state: State = made.seats[0].session.referee.table.state
    return state


def _mover_goes(attack: Attack) -> bytes | None:
    """It attacks and resigns, owing the Opening of its piece: it is removed, then the others are ranked."""
    made, mover = attack.made, attack.mover
    copy = Copy(made, made.seats[mover].log)
    frames = copy.enter(mover, Choice(attack.move)).say(mover, Kind.RESIGN).frames[-2:]
    living = [seat for seat in made.seats if seat.seat != mover]
    for seat in living:
        for frame in frames:
            seat.session.receive(parse_record(frame))
    carry(living)
    return _told(attack, mover)


def _defender_goes(attack: Attack) -> bytes | None:
    """It has resigned, and owes the Opening of the piece attacked: it is ranked with all that it has left."""
    made, mover, defender = attack.made, attack.mover, attack.defender
    frame = Copy(made, made.seats[defender].log).say(defender, Kind.RESIGN).frames[-1]
    living = [seat for seat in made.seats if seat.seat != defender]
    for seat in living:
        seat.session.receive(parse_record(frame))
    made.seats[mover].session.decide(attack.move)
    carry(living)
    copy = _told(attack, defender)
    outcome = made.seats[mover].session.outcome
    return copy if outcome is not None and defender in outcome.winners else None


def _told(attack: Attack, leaver: Seat) -> bytes | None:
    witness = next(seat for seat in attack.made.seats if not seat.session.left and seat.seat != leaver)
    referee = witness.session.referee
    return witness.transcript if leaver in referee.table.gone and referee.outcome is not None else None
