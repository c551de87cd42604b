"""A game as a text that people and this program can read: set-ups, moves, result.

A record tells the visible game; only a transcript proves it.  Writing and reading play the game by the real
rules first, so a record is always a possible game:

    stratego record 1
    red: Ada
    blue: Grace
    army: barrage
    first: red
    quiet: 200
    shuttle: letter

    10  . . . F B . . . . .
     (eight more rows, of which 6 and 5 only show the craters)
     1  F . . . B . . . . .
        a b c d e f g h i j

       1  red   a4a5
       2  blue  b7b6
       3  red   a5b5
       4  blue  b6b5  captain beats scout

    result: blue wins, resigned
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from p2p_stratego.core import record as core_record
from p2p_stratego.core.game import (
    Ask,
    Breach,
    Choose,
    Face,
    Move,
    Open,
    OptionError,
    Options,
    Outcome,
    Slot,
    Together,
)
from p2p_stratego.core.language import _
from p2p_stratego.core.rulebook import drive
from p2p_stratego.stratego.formats.diagram import (
    PLACES,
    UNSEEN,
    NumberedLine,
    Setup,
    TextError,
    is_legend,
    lines_of,
    read_board,
    write_board,
)
from p2p_stratego.stratego.formats.narration import WHY_ILLEGAL
from p2p_stratego.stratego.formats.setups import answers, check, of_answers
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.board import HOME_ROWS, SIDE
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.game import Moves, Stratego
from p2p_stratego.stratego.rules.movement import can_move, illegal, own_reach, possible_reach
from p2p_stratego.stratego.rules.notation import NONE, STEPS, filled, squares
from p2p_stratego.stratego.rules.pieces import NAMES, SEAT_NAMES, SEATS
from p2p_stratego.stratego.rules.state import State, slot

TITLE: Final = "stratego record 1"
LONGEST: Final = 1 << 20
"""Characters of a record; a game of 3,000 moves takes 80,000."""
LONGEST_NAME: Final = 32
UNFINISHED: Final = "unfinished"

_FIGHTS: Final[Mapping[str, str]] = {
    "won": "{attacker} beats {defender}",
    "lost": "{attacker} falls to {defender}",
    "both": "{attacker} and {defender} fall",
    "flag": "{attacker} takes {defender}",
}
_BY_RULES: Final = frozenset(("flag", "no-moves", "draw", "quiet-draw", "long-draw"))
"""Results that only the rules can bring about."""
_RESULT: Final = "result: "
_TOLD: Final = re.compile(r"(?:(red|blue) wins|draw), ([a-z-]{1,40})(?: \((red|blue): ([a-z-]{1,40})\))?")
_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,5}")


class RecordError(TextError):
    """A text is no record of a game, or a game cannot be written as one."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as far as it was played."""

    options: Options
    """Complete, in the rulebook's order."""
    names: tuple[str, str]
    """The names of the players, 1 to 32 printable characters."""
    setups: tuple[Setup, Setup]
    """UNSEEN for a piece that nobody saw."""
    moves: tuple[Move, ...]
    outcome: Outcome | None
    """None: unfinished."""


def of_match(
    options: Options,
    names: tuple[str, str],
    steps: Iterable[tuple[Ask, Any]],
    known: Mapping[Slot, Face],
    outcome: Outcome | None,
) -> Record:
    """The record of a match by its asks and their answers, oldest first, and the faces that are `known`.

    Raises RecordError while the armies do not stand on the board.
    """
    complete = RULES.options(options)
    size = army(complete["army"]).size
    places: list[tuple[int, ...]] = []
    moves: list[Move] = []
    for ask, answer in steps:
        if isinstance(ask, Choose):
            moves.append(answer)
        elif isinstance(ask, Together):
            if isinstance(ask.asks[0], Choose):
                places = [filled(move) for move in answer]
            elif size == PLACES:
                places = [tuple(range(PLACES))] * len(SEATS)
    if not places:
        raise RecordError(_("the armies do not stand on the board yet"))
    red, blue = (
        of_answers([known.get(slot(seat, k), UNSEEN) for k in range(size)], places[seat]) for seat in SEATS
    )
    return Record(complete, names, (red, blue), tuple(moves), outcome)


def replayed(record: Record) -> Iterator[State]:
    """The states of a game from before its first move on.  Raises RecordError if it cannot have been."""
    replay = _begin(record.options, record.setups, record.outcome)
    yield replay.state
    for move in record.moves:
        _make(replay, move, 0)
        yield replay.state


# Shared by reading and writing


def _is_honest(outcome: Outcome | None) -> bool:
    """Whether no player was caught cheating; after a cheat, hidden faces may differ from the army."""
    return outcome is None or outcome.reason != "cheated"


def _begin(options: Options, setups: tuple[Setup, Setup], outcome: Outcome | None) -> Replay:
    try:
        return Replay(options, setups, honest=_is_honest(outcome))
    except TextError as error:
        raise RecordError(error.why, error.line, error.square) from error


def _make(replay: Replay, move: Move, line: int) -> str:
    """Play one move; return its fight in words, or an empty text."""
    plies = replay.state.plies
    try:
        state = replay.make(move)
    except TextError as error:
        raise RecordError(error.why, line, error.square) from error
    report = state.report
    if state.plies == plies or report is None or report.attacker is None or report.defender is None:
        return ""
    words = _FIGHTS[report.result]
    return words.format(attacker=NAMES[report.attacker], defender=NAMES[report.defender])


def _check_end(state: State, outcome: Outcome | None, line: int = 0) -> None:
    """Raise RecordError if the rules give another result; cheating that they cannot see stays possible."""
    stated = outcome.reason if outcome is not None else UNFINISHED
    if stated != "cheated" and outcome != state.ended and (state.ended or stated in _BY_RULES):
        raise RecordError(_("by the rules the result is: {result}", result=_result_text(state.ended)), line)


def _check_name(name: str, line: int = 0) -> str:
    if not 0 < len(name) <= LONGEST_NAME or name != name.strip() or not name.isprintable():
        raise RecordError(
            _(
                "a player's name has 1 to {longest_name} characters that can be seen",
                longest_name=LONGEST_NAME,
            ),
            line,
        )
    return name


def _result_text(outcome: Outcome | None) -> str:
    if outcome is None:
        return UNFINISHED
    winner = next((f"{SEAT_NAMES[seat]} wins" for seat in SEATS if seat in outcome.winners), "draw")
    breach = outcome.breach
    because = f" ({SEAT_NAMES[breach.seat]}: {breach.rule})" if breach is not None else ""
    return f"{winner}, {outcome.reason}{because}"


# Writing


def write(record: Record) -> str:
    """The text of a record.  Raises RecordError for an impossible game, and OptionError."""
    replay = _begin(record.options, record.setups, record.outcome)
    lines = [TITLE]
    for side, name in zip(SEAT_NAMES, record.names, strict=True):
        lines.append(f"{side}: {_check_name(name)}")
    lines += [f"{option}: {value}" for option, value in record.options.items()]
    lines += ["", *write_board(record.setups), ""]
    for number, move in enumerate(record.moves, 1):
        side = SEAT_NAMES[replay.state.seat]
        lines.append(f"{number:4}  {side:4}  {move:6}  {_make(replay, move, 0)}".rstrip())
    _check_end(replay.state, record.outcome)
    result = _result_text(record.outcome)
    if _outcome(result) != record.outcome:  # two winners, say
        raise RecordError(_("{result!a} is not all of the result", result=result[:80]))
    return "\n".join((*lines, "", f"{_RESULT}{result}", ""))


# Reading


def read(text: str) -> Record:
    """The record in a text.  Raises RecordError, which names the line and, where there is one, the square."""
    if len(text) > LONGEST:
        raise RecordError(_("it is longer than {longest} characters, so it is no record", longest=LONGEST))
    lines = deque(line for line in lines_of(text) if not is_legend(line))
    number, title = _next(lines)
    if title.lower() != TITLE:
        raise RecordError(_('a record begins with the line "{title}"', title=TITLE), number)
    names, options = _header(_while(lines, is_numbered=False))
    numbered = _while(lines, is_numbered=True)
    number, result = _next(lines)
    outcome = _outcome(result.removeprefix(_RESULT), number)
    if lines:
        raise RecordError(_("nothing may follow the result"), lines[0][0])
    setups = _setups(numbered[:SIDE], options, outcome)
    replay = _begin(options, setups, outcome)
    moves = tuple(_move(replay, written, ply) for ply, written in enumerate(numbered[SIDE:], 1))
    _check_end(replay.state, outcome, number)
    return Record(options, names, setups, moves, outcome)


def _next(lines: deque[NumberedLine]) -> NumberedLine:
    if not lines:
        raise RecordError(_("it ends before its result"))
    return lines.popleft()


def _while(lines: deque[NumberedLine], *, is_numbered: bool) -> list[NumberedLine]:
    """The next lines that begin with a number (`is_numbered`), or without one."""
    taken = []
    while lines and lines[0][1][0].isdigit() == is_numbered:
        taken.append(lines.popleft())
    return taken


def _header(lines: list[NumberedLine]) -> tuple[tuple[str, str], Options]:
    """Names and options; a missing option has its default."""
    names = {side: side.capitalize() for side in SEAT_NAMES}
    options = RULES.options({})
    keys: set[str] = set()
    for number, line in lines:
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key in keys or key not in (*names, *options):
            raise RecordError(
                _("each of {value} is said once, with a colon", value=", ".join((*names, *options))), number
            )
        keys.add(key)
        if key in names:
            names[key] = _check_name(value, number)
            continue
        whole = isinstance(options[key], int) and _WHOLE.fullmatch(value)
        try:
            options = RULES.options({**options, key: int(value) if whole else value})
        except OptionError as error:
            raise RecordError(str(error), number) from error
    return (names["red"], names["blue"]), options


def _setups(lines: list[NumberedLine], options: Options, outcome: Outcome | None) -> tuple[Setup, Setup]:
    """The set-ups in the ten lines of a diagram."""
    numbers = [number for number, _ in lines]
    front_first = (numbers[-HOME_ROWS:], numbers[HOME_ROWS - 1 :: -1])
    try:
        setups = read_board(lines)
        for seat in SEATS:
            check(
                setups[seat], army(options["army"]), front_first[seat], seat=seat, honest=_is_honest(outcome)
            )
    except TextError as error:
        raise RecordError(error.why, error.line, error.square) from error
    return setups


def _move(replay: Replay, written: NumberedLine, ply: int) -> Move:
    """Read and play one line of a move."""
    number, line = written
    count, side, move, fight = (*line.lower().split(None, 3), "", "", "")[:4]
    mover = SEAT_NAMES[replay.state.seat]
    if (count, side) != (str(ply), mover) or not move:
        raise RecordError(
            _('move {ply}, by {mover}, should be here: "{ply} {mover} a4a5"', ply=ply, mover=mover), number
        )
    fought = _make(replay, move, number)
    if " ".join(fight.split()) != fought:
        square = SQUARE_NAMES[STEPS[move][1]] if move in STEPS else ""
        truth = fought or _("nobody fights here")
        raise RecordError(_("by the set-ups it is: {setups}", setups=truth), number, square)
    return move


def _outcome(result: str, line: int = 0) -> Outcome | None:
    """The outcome in a text of `_result_text`."""
    if result == UNFINISHED:
        return None
    match = _TOLD.fullmatch(result)
    if match is None:
        raise RecordError(
            _('the result should be here, such as "{result}red wins, flag"', result=_RESULT), line
        )
    winner, reason, side, rule = match.groups()
    winners = frozenset(seat for seat in SEATS if SEAT_NAMES[seat] == winner)
    breach = Breach(SEAT_NAMES.index(side), rule) if side else None
    return Outcome(winners, reason, breach)


RULES: Final = Stratego()


class ReplayError(TextError):
    """An impossible game; `square`: the place of the error."""


class Replay:
    """A game from its set-ups on; `state`: its latest state."""

    def __init__(self, options: Options, setups: tuple[Setup, Setup], *, honest: bool = True) -> None:
        """`honest`: also refuse a move that only hidden faces forbid; otherwise only visible errors.

        Pieces that are never opened may be UNSEEN.  Raises SetupError, and OptionError.
        """
        self._honest = honest
        self._known: dict[Slot, Face] = {}
        self._fills: list[Move] = []
        self.state: State = drive(RULES.setup(len(SEATS), options), self._answer)
        for seat in SEATS:
            check(setups[seat], self.state.army, seat=seat, honest=honest)
            faces, answer = answers(setups[seat])
            self._fills.append(answer)
            self._known |= {slot(seat, k): face for k, face in enumerate(faces) if face != UNSEEN}
        while self.state.phase != "play":
            self.state = drive(RULES.turn(self.state), self._answer)

    def make(self, move: Move) -> State:
        """Play one move and return the state after it.  Raises ReplayError."""
        if self.state.ended is not None:
            raise ReplayError(_("the game has ended before this"))
        why = self._objection(move)
        if why is not None:
            ends = squares(move)
            raise ReplayError(why, square=SQUARE_NAMES[ends[0]] if ends else "")

        def answer(ask: Ask) -> Any:
            return move if isinstance(ask, Choose) else self._answer(ask)

        self.state = drive(RULES.turn(self.state), answer)
        return self.state

    def _answer(self, ask: Ask) -> Any:
        if isinstance(ask, Together):
            return tuple(self._fills)  # the rules use no answer to the laying of armies
        if isinstance(ask, Open) and ask.slot not in self._known:
            square = next(square for square, piece in self.state.pieces() if piece.slot == ask.slot)
            raise ReplayError(
                _("the piece is opened here, so the set-up must show it"), square=SQUARE_NAMES[square]
            )
        return self._known[ask.slot] if isinstance(ask, Open) else None

    def _objection(self, move: Move) -> str | None:
        state, seen = self.state, self._known if self._honest else {}
        if move == NONE:
            true = move in Moves(state) and not can_move(state, own_reach(state.seat, seen))
            return None if true else WHY_ILLEGAL["false-claim"]
        if squares(move) is None:
            return _('a move is two squares, such as "a4a5", or "{none}"', none=NONE)
        could = possible_reach(state, state.seat)
        rule = illegal(state, move, own_reach(state.seat, seen, could))
        return None if rule is None else WHY_ILLEGAL[rule]


def write_match(
    options: Options,
    names: tuple[str, ...],
    steps: Iterable[tuple[Ask, Any]],
    known: Mapping[Slot, Face],
    outcome: Outcome | None,
) -> str:
    """The record of a match.  Raises RecordError."""
    # A name that fits its cells on the screen may have more characters: combining marks take no cell.
    red, blue = (name[:LONGEST_NAME].rstrip() for name in names)
    try:
        return write(of_match(options, (red, blue), steps, known, outcome))
    except RecordError as error:
        raise core_record.RecordError(
            _("This game cannot be written as a record: {error}.", error=error)
        ) from error


def read_game(text: str) -> core_record.RecordedGame:
    """The game in a record.  Raises RecordError."""
    try:
        game = read(text)
    except RecordError as error:
        raise core_record.RecordError(_("It is no record of a game: {error}.", error=error)) from error
    known = {
        slot(seat, k): face
        for seat, setup in enumerate(game.setups)
        for k, face in enumerate(face for face in setup if face is not None)
        if face != UNSEEN
    }
    return core_record.RecordedGame(game.names, tuple(replayed(game)), known, game.outcome)
