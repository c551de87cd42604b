"""Plays a whole game of Stratego out of one scenario, with the real rules and nothing else.

Both players know every piece from the start, so there are no claims and no openings.  The player reads each
move only when it is due, so all lines before a mistake are right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from p2p_stratego.core.game import Face, Move, OptionError, Outcome, Seat
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.scenario import Line, Reader
from p2p_stratego.stratego.options import ARMY, SHUTTLE, TOURNAMENT
from p2p_stratego.stratego.rules.armies import Army, army
from p2p_stratego.stratego.rules.board import CRATERS, PLACE, SQUARE_NAMED, Square
from p2p_stratego.stratego.rules.game import Stratego
from p2p_stratego.stratego.rules.movement import Rule, can_move, closed_reach, illegal
from p2p_stratego.stratego.rules.notation import NONE, STEPS, squares
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, NAMES, SEAT_NAMES, SEATS
from p2p_stratego.stratego.rules.state import Report, State, open_position

RULES: Final = Stratego()
_KNOWN: Final = tuple(closed_reach(seat, 0) for seat in SEATS)
"""By seat, how far pieces go when none of them is closed."""
_WORDS_AFTER: Final[Mapping[str, int]] = {"no-moves": 1, "draw": 2}
"""How many "none" moves may follow an end of this kind; they have no effect."""


def play(scenario: object) -> Iterator[Line]:
    """A line for each move, then the outcome.

    Raises ScenarioError; its ply is that of the first move that could not be played, if it is a move at all.
    """
    reader = Reader()  # what stands before the first move is no ply's fault
    whole = reader.record(scenario, "the scenario", ("game", "setup", "moves"), ("options", "strict"))
    reader.word(whole["game"], '"game"', (RULES.name,))
    own, tournament = _options(reader, whole.get("options", {}))
    strict = reader.flag(whole.get("strict", False), '"strict"')
    pieces = _setup(reader, whole["setup"], own if strict else None)
    state = open_position(own, pieces, tournament=tournament)
    moves = reader.items(whole["moves"], '"moves"')
    for ply, written in enumerate(moves, 1):
        move = _move(ply, written)
        rule = _broken(state, move)
        if rule is not None:
            yield _illegal(state, rule)
            return
        if move != NONE:
            state = _made(state, move)
            yield _line(state)
        if state.ended is None and not can_move(state, _KNOWN[state.seat]):
            state = _stuck(state)
        if state.ended is not None:
            _nothing_more(state.ended, moves, ply)
            break
    yield _outcome(state)


def _at(ply: int) -> Reader:
    return Reader({"ply": ply})


# Reading


def _options(reader: Reader, options: object) -> tuple[Army, bool]:
    """The army, and whether the tournaments' rule for scouts is played."""
    written = reader.record(options, '"options"', (), ("army", "shuttle"))
    shuttle = reader.word(written.get("shuttle", SHUTTLE.usual), '"shuttle"', SHUTTLE.words)
    try:
        return army(written.get("army", ARMY.usual)), shuttle == TOURNAMENT
    except OptionError as error:
        raise reader.error(str(error)) from error


def _setup(reader: Reader, setup: object, exactly: Army | None) -> dict[Square, tuple[Seat, Face]]:
    """Every piece by its square; each side's must be `exactly` the army on its own rows, if one is given."""
    written = reader.record(setup, '"setup"', SEAT_NAMES)
    pieces: dict[Square, tuple[Seat, Face]] = {}
    for seat, name in enumerate(SEAT_NAMES):
        faces = _object(reader, written[name], f"the set-up of {name}")
        for at, piece in faces.items():
            square = SQUARE_NAMED.get(at)
            if square is None:
                raise reader.error(f"{name} has a piece on {at[:20]!a}, and squares are a1 to j10")
            face = FACE_NAMED[reader.word(piece, f"the piece on {at}", NAMES)]
            if square in CRATERS:
                raise reader.error(f"{name} has a piece on {at}, which is a crater")
            if square in pieces:
                raise reader.error(f"both sides have a piece on {at}")
            if exactly is not None and square not in PLACE[seat]:
                raise reader.error(f"{name} has a piece on {at}, which is not on its own rows")
            pieces[square] = (seat, face)
        if exactly is not None:
            _check_army(reader, name, exactly, Counter(map(str, faces.values())))
    return pieces


def _object(reader: Reader, value: object, what: str) -> dict[str, object]:
    return value if isinstance(value, dict) else reader.record(value, what, ())


def _check_army(reader: Reader, name: str, army: Army, counts: Mapping[str, int]) -> None:
    for face, piece in enumerate(NAMES):
        there, due = counts.get(piece, 0), army.counts[face]
        if there != due:
            raise reader.error(f"the army has {due} of the {piece}, but {name} has set up {there}")


def _move(ply: int, written: object) -> Move:
    if isinstance(written, str) and (written in STEPS or written == NONE or squares(written) is not None):
        return written
    raise _at(ply).error('a move is two squares, such as "a4a5", or "none"')


# Playing


def _broken(state: State, move: Move) -> Rule | None:
    reach = _KNOWN[state.seat]
    if move == NONE:
        return "false-claim" if can_move(state, reach) else None
    return illegal(state, move, reach)


def _made(state: State, move: Move) -> State:
    return drive(RULES.turn(state), lambda _: move)


def _stuck(state: State) -> State:
    """The seat to move cannot move and says so; so does the other seat, if it cannot move either."""
    state = _made(state, NONE)
    return state if state.ended else _made(state, NONE)


def _nothing_more(ended: Outcome, moves: Sequence[object], ply: int) -> None:
    """Raise ScenarioError unless only needless "none" moves follow move `ply`, which ended the game."""
    spoken = _WORDS_AFTER.get(ended.reason, 0) - (moves[ply - 1] == NONE)
    for number, written in enumerate(moves[ply:], ply + 1):
        if written != NONE or number > ply + spoken:
            raise _at(number).error("the game has ended before this; leave out all that follows its end")


# Printing


def _line(state: State) -> Line:
    report = cast("Report", state.report)  # a move has just been made
    return {
        "ply": state.plies,
        "player": SEAT_NAMES[report.seat],
        "move": report.move,
        "result": report.result,
        "attacker": None if report.attacker is None else NAMES[report.attacker],
        "defender": None if report.defender is None else NAMES[report.defender],
    }


def _illegal(state: State, rule: Rule) -> Line:
    return {"winner": None, "reason": "illegal", "rule": rule, "plies": state.plies}


def _outcome(state: State) -> Line:
    ended = state.ended
    winner = next((name for seat, name in enumerate(SEAT_NAMES) if ended and seat in ended.winners), None)
    return {"winner": winner, "reason": ended.reason if ended else "unfinished", "plies": state.plies}
