"""The visible events of a move of Stratego: the duel of an attack, and the captured flag."""

from __future__ import annotations

from typing import Final

from cli.games.drama import Capture, DramaEvent, Duel, Figure, Finale
from cli.games.interface import Players
from cli.games.stratego.names import LETTERS, square
from p2p_stratego.core.game import Face, Seat
from p2p_stratego.core.language import _
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.notation import squares
from p2p_stratego.stratego.rules.pieces import BOMB, FACE_NAMED, MINER, Fight
from p2p_stratego.stratego.rules.state import Report, State

_SPY, _MARSHAL = FACE_NAMED["spy"], FACE_NAMED["marshal"]
FINALE: Final[Finale] = {
    "won": (
        "   │▀█████▀▀",
        "   │███★████",
        "   │▀▀██████",
        "   │",
        " ╭─┴─╮",
    ),
    "lost": (
        "   │",
        "   │",
        "   │",
        "   │ ░░░",
        " ╭─┴─╮█▀█▀█▀",
    ),
    "drawn": (
        " ████▀│ │▀████",
        " █████│ │█████",
        "      │ │",
        "      │ │",
        "    ╭─┴─┴─╮",
    ),
}
"""By result, from the winner's or loser's side: the flag flies, lies, or stands beside the other one."""


def events(before: State, after: State, players: Players) -> list[DramaEvent]:
    """The duel and the flag of the step between two states."""
    report = after.report
    if report is None or report is before.report or report.attacker is None or report.defender is None:
        return []
    seat, names = report.seat, players.names
    attacker = _figure(seat, report.attacker, names[seat])
    defender = _figure(1 - seat, report.defender, names[1 - seat])
    if report.result == "flag":
        sentence = _("{player} captures the flag!", player=names[seat])
        duel = Duel(_title(report), attacker, defender, "left", sentence)
        return [duel, Capture(_("The flag"), seat, "⚑", sentence)]
    stands = {"won": "left", "lost": "right", "both": "neither"}[report.result]
    why = _why(report.result, attacker, defender, report)  # type: ignore[arg-type]  # "flag" went before
    return [Duel(_title(report), attacker, defender, stands, why)]  # type: ignore[arg-type]  # as it stands above


def _title(report: Report) -> str:
    step = squares(report.move)
    return _("Combat") if step is None else _("Combat on {square}", square=square(step[1]))


def _figure(seat: Seat, face: Face, owner: str) -> Figure:
    return Figure(seat, LETTERS[face], narration.named(face), owner)


def _why(result: Fight, attacker: Figure, defender: Figure, report: Report) -> str:
    """Who wins, and by which rule."""
    if result == "both":
        return _("Equal ranks: both fall.")
    names = {"winner": attacker.name, "loser": defender.name}
    if result == "lost":
        names = {"winner": defender.name, "loser": attacker.name}
    if report.defender == BOMB:
        defused = report.attacker == MINER
        if defused:
            return _("The {winner} defuses the {loser}.", **names)
        return _("The {winner} destroys the {loser}.", **names)
    if (report.attacker, report.defender) == (_SPY, _MARSHAL):
        return _("The {winner} attacks first, and the {loser} falls.", **names)
    return _("The {winner} outranks the {loser}.", **names)
