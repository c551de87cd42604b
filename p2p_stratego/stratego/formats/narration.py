"""Stratego in plain English: one line a step, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from p2p_stratego.core import narration
from p2p_stratego.core.game import Face, Options
from p2p_stratego.core.language import _, mark, mark_each
from p2p_stratego.stratego.rules.armies import ARMIES, ORDER, Army, army
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.cells import OPEN
from p2p_stratego.stratego.rules.movement import FALSE_NONE, RAN, WALKED, WRONG_ARMY, Rule
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.options import TOURNAMENT
from p2p_stratego.stratego.rules.pieces import BOMB, FLAG
from p2p_stratego.stratego.rules.state import Report, Result, State

_RESULTS: Final[Mapping[Result, str]] = {
    "moved": mark("{M} moves {source} to {target}."),
    "won": mark("{M} attacks {target} from {source}: the {attacker} beats {O}'s {defender}."),
    "lost": mark("{M} attacks {target} from {source}: the {attacker} falls to {O}'s {defender}."),
    "both": mark("{M} attacks {target} from {source}: the {attacker} meets its like, and both fall."),
    "flag": mark("{M} attacks {target} from {source}: the {attacker} takes {O}'s flag!"),
    "none": mark("{M} cannot move."),
}
_RAN: Final = mark("{M} runs from {source} to {target}: it is a scout.")

_REASONS: Final[Mapping[str, str]] = {
    "flag": mark("{W} wins: the flag is taken."),
    "no-moves": mark("{W} wins: {L} cannot move."),
    "draw": mark("A draw: neither side can move."),
    "quiet-draw": mark("A draw: too long without an attack."),
    "long-draw": mark("A draw: no game may be longer than this one."),
}
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "flag": mark("the flag was taken"),
    "no-moves": mark("no move left"),
    "draw": mark("nobody can move"),
    "quiet-draw": mark("no attack for long"),
    "long-draw": mark("the longest game there can be"),
}
_BREACHES: Final[Mapping[str, str]] = {
    WALKED: mark("moved a bomb or the flag"),
    RAN: mark("moved a piece like a scout that is none"),
    FALSE_NONE: mark("could have moved and said that it could not"),
    WRONG_ARMY: mark("has set up what is not in the army"),
}

_ENDS: Final = narration.Ends(_REASONS, _SHORT_REASONS, _BREACHES)
ending, reason, breach = _ENDS.ending, _ENDS.reason, _ENDS.breach

WHY_ILLEGAL: Final[Mapping[Rule, str]] = {
    "false-claim": mark("a side that can move must move"),
    "not-yours": mark("there is no piece of the side whose turn it is"),
    "bomb-or-flag": mark("bombs and flags never move"),
    "crater": mark("no piece can enter or cross a crater"),
    "too-far": mark("only a scout goes further than one square, and nobody goes round a corner"),
    "blocked": mark("another piece stands in the way"),
    "two-squares": mark(
        "no piece may move more than three times in a row, back and forth, between the same two squares"
    ),
    "scout-line": mark(
        "by the tournament rule a scout that has turned twice on one line may turn back once more only as "
        "far as the square where it turned first"
    ),
    "pursuit": mark("a chase may not come back to where it was before"),
}


_ONE: Final = mark_each("""
    Flag, Spy, Scout, Miner, Sergeant, Lieutenant, Captain, Major, Colonel, General, Marshal, Bomb
""")
"""By face."""
_CALLED: Final = mark_each("""
    flag, spy, scout, miner, sergeant, lieutenant, captain, major, colonel, general, marshal, bomb
""")
"""The same within a sentence."""
_SEVERAL: Final = mark_each("""
    Flags, Spies, Scouts, Miners, Sergeants, Lieutenants, Captains, Majors, Colonels, Generals,
    Marshals, Bombs
""")


def _ranked(name: str, face: Face) -> str:
    """A name with its rank, if it has one."""
    return name if face in (FLAG, BOMB) else f"{name} ({face})"


def piece(face: Face) -> str:
    """A piece as all sentences name it: "Miner (3)", "Bomb"."""
    return _ranked(_(_ONE[face]), face)


_CALLED_MANY: Final = mark_each("""
    flags, spies, scouts, miners, sergeants, lieutenants, captains, majors, colonels, generals,
    marshals, bombs
""")


def called(face: Face, count: int = 1) -> str:
    """So many of a kind within a sentence, without the rank: "miner", "2 miners"."""
    return _(_CALLED[face]) if count == 1 else f"{count} {_(_CALLED_MANY[face])}"


def named(face: Face) -> str:
    """A piece by its name alone: "Miner"."""
    return _(_ONE[face])


def listed(faces: Iterable[Face]) -> str:
    """Pieces in a sentence, the highest first: "Marshal (10), 2 Scouts (2)"."""
    count = Counter(faces)
    return ", ".join(pieces(face, count[face]) for face in ORDER if count[face] > 0)


def pieces(face: Face, count: int) -> str:
    """So many of a kind: "Miner (3)", "2 Miners (3)", "2 Bombs"."""
    return piece(face) if count == 1 else f"{count} {_ranked(_(_SEVERAL[face]), face)}"


def tell_move(before: State, report: Report, names: Sequence[str]) -> str:
    """The sentence of a move with its results; a scout that runs is named only if it was closed `before`."""
    source, target, between = STEPS.get(report.move, (0, 0, ()))
    shown = between and report.result == "moved" and before.board[source] < OPEN
    return _(
        _RAN if shown else _RESULTS[report.result],
        M=names[report.seat],
        O=names[1 - report.seat],
        source=SQUARE_NAMES[source],
        target=SQUARE_NAMES[target],
        attacker="" if report.attacker is None else piece(report.attacker),
        defender="" if report.defender is None else piece(report.defender),
    )


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant, a clause each; the same for every number of seats."""
    del seats
    chosen = army(options["army"])
    called = chosen.text if chosen.text in ARMIES else _("an army of its own")
    quiet = options["quiet"]
    return [
        _(
            "{army}, {size} pieces a side: {pieces}",
            army=called,
            size=chosen.size,
            pieces=listed(chosen.faces),
        ),
        _("{colour} moves first", colour=_(str(options["first"]))),
        _("a draw after {moves} moves without an attack", moves=quiet)
        if quiet
        else _("no draw for want of attacks"),
        *(
            [_("the tournament rule for scouts that go back and forth")]
            if options["shuttle"] == TOURNAMENT
            else []
        ),
    ]


def _which(army: Army) -> str:
    """The army behind the number of its pieces: its name, or else its pieces."""
    return f" ({army.text})" if army.text in ARMIES else f": {listed(army.faces)}"


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    lines = []
    if before is None:
        lines.append(
            _(
                "{size} pieces a side{army}. {player} moves first.",
                size=after.army.size,
                army=_which(after.army),
                player=names[after.first],
            )
        )
    elif before.phase == "army":
        lines.append(_("Both sides have chosen: no piece changes its rank any more."))
    elif before.phase == "play" and after.report is not None and after.report != before.report:
        lines.append(tell_move(before, after.report, names))
    if before is not None and before.phase != "play" and after.phase == "play":
        lines.append(_("Both armies stand on the board."))
    if after.ended is not None:
        lines.append(ending(after.ended, names))
    return tuple(lines)


_LABELS: Final[Mapping[Result, str]] = {
    "won": mark("capture"),
    "lost": mark("attack lost"),
    "both": mark("both fall"),
    "flag": mark("flag"),
}


def moment(before: State | None, after: State) -> str:
    """The event of the step from `before` (None: the set-up) to `after`; "" for nothing of note."""
    if before is None:
        return ""
    if after.report is not None and after.plies > before.plies and after.report.result in _LABELS:
        return _(_LABELS[after.report.result])
    if after.ended is not None:
        return _("the end")
    return _("first move") if (before.phase, after.phase) == ("squares", "play") else ""
