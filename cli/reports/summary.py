"""Where a match stands, from its owner's side: a row of the list of games, from the audit of its record."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from cli.reports import clocks, describe, endings, history, sources
from cli.reports.rows import Plain, damaged
from cli.shell.exit_codes import Sorry, bare
from cli.shell.explain import explain
from cli.text.layout import series
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.language import _, _c, mark
from p2p_stratego.core.lesson import TUTOR
from protocol.audit.verdict import Report, Verdict
from protocol.failures import Failure
from protocol.storage.match_store import PEER, is_practice, usable
from protocol.storage.route import read_route

_LESSON_OVER: Final = mark("a lesson, over")


def of(path: Path, key: bytes) -> Plain:
    """The part of a row that comes from the record at `path`; `key`: its owner's (32 bytes or none)."""
    try:
        report = sources.judged(str(path), usable(sources.read(str(path))))
    except (OSError, Sorry) as error:
        explanation = explain(error)
        return {"verdict": "unreadable", "problem": explanation[0] if explanation else None}
    genesis = report.genesis
    bots = _bots(path)
    seat = next((seat for seat, player in enumerate(genesis.players) if player.key == key), None)
    return {
        "verdict": report.verdict.value,
        "game": genesis.game.name,
        "seat": None if seat is None else describe.seat_name(genesis, seat),
        "others": [player.name for player in genesis.players if player.key != key],
        "pace": genesis.pace.name.lower(),
        "clock": clocks.as_json(genesis.clock),
        "entries": report.checks.entries,
        "practice": bool(report.checks.takebacks) or is_practice(path.parent),
        **describe.result(genesis, report.outcome),
        "unfinished": report.verdict is Verdict.INCOMPLETE or accused(report, seat),
        "resumable": report.verdict is Verdict.INCOMPLETE or claimed(report, seat),
        "owed": describe.owed(genesis, report.owed),
        "unsettled": describe.unsettled(report),
        "never_settled": [describe.seat_name(genesis, seat) for seat in report.never_settled],
        "silent": [describe.seat_name(genesis, seat) for seat in report.silent],
        "bots": [level for _seat, level in sorted(bots.items())],
        "status": _(_LESSON_OVER) if _is_lesson_over(report, bots) else status(report, seat, bots),
    }


def _is_lesson_over(report: Report, bots: Mapping[Seat, str]) -> bool:
    """Whether this was a lesson up to its end: the tutor gives up then, whether its goal was met or not."""
    return TUTOR in bots.values() and report.problem is None and report.outcome is not None


def claimed(report: Report, seat: Seat | None) -> bool:
    """Whether the match ended with a claim that somebody is away, and `seat` plays in it.

    An answer still undoes the claim, unless its seat was taken out, with a key that every card needs.
    """
    awaited = bool(report.waited_for or report.silent)
    return report.verdict is Verdict.UNRESPONSIVE and seat is not None and awaited


def accused(report: Report, seat: Seat | None) -> bool:
    """Whether the match only waits for `seat` to answer a claim that it is away."""
    if report.silent:
        return seat in report.silent
    return claimed(report, seat) and seat in report.waited_for


def _bots(path: Path) -> Mapping[Seat, str]:
    """By seat, the levels of our own bots in the match of the record at `path`; {} if nothing tells them."""
    with suppress(OSError, Failure):
        return read_route((path.parent / PEER).read_bytes(), str(path.parent / PEER)).bots
    return {}


def status(report: Report, seat: Seat | None, bots: Collection[Seat] = ()) -> str:
    """Where a match stands, from its owner's side, in a few words.

    `bots`: the seats of our own bots, which answer as soon as the match goes on.
    """
    genesis, outcome, seats = report.genesis, report.outcome, report.waited_for
    if report.problem is not None:
        return damaged(bare("audit"))
    if accused(report, seat):
        return (
            _("claimed by all others, your turn")
            if report.silent
            else _("claimed by the other side, your turn")
        )
    if claimed(report, seat) and report.silent:
        late = series([history.names(genesis)[other] for other in report.silent])
        return _("ended without {late}, may still be answered", late=late)
    if claimed(report, seat):
        by = (
            _("claimed by you")
            if outcome is not None and seat in outcome.winners
            else _("you had left; claimed")
        )
        return _("{by}, may still be answered", by=by)
    if outcome is not None:
        return _result(report, outcome, seat)
    others = series([history.names(genesis)[other] for other in seats if other != seat])
    if seat in (*report.resigned, *report.taken_out):
        return (
            _("unfinished, you had resigned")
            if seat in report.resigned
            else _("unfinished, you were taken out")
        )
    if report.unsettled:
        return _("unfinished, {others} to reveal", others=others or _("you"))
    if others and {*seats} - {seat} <= {*bots}:
        return _("unfinished, {others} to answer at once", others=others)
    return _("unfinished, {others} to move", others=others) if others else _("unfinished, your turn")


_NO_DRAW: Final = ("cheated", "unresponsive", "unrevealed")
"""Reasons for which a match without a winner is void."""


def _result(report: Report, outcome: Outcome, seat: Seat | None) -> str:
    """How a match ended for its owner, or whom a spectator saw win; and who had left before."""
    names = history.names(report.genesis)
    why, seats = describe.reason(report.genesis, outcome), len(names)
    if not outcome.winners and report.keyless is not None:
        won, why = _("nobody won"), _("a key is missing")
    elif not outcome.winners and outcome.reason in _NO_DRAW:
        won = _("nobody won")
    elif not outcome.winners:
        won = _("a draw")
    elif outcome.reason == "unresponsive" and not endings.late(outcome, report, seats):
        won, why = _("cannot go on"), _("a key is missing")
    elif seat is None:
        won = _("{value} won", value=series([names[winner] for winner in sorted(outcome.winners)]))
    else:
        won = _c("result", "won") if seat in outcome.winners else _c("result", "lost")
    if outcome.reason == "resigned":
        why = endings.resigned(outcome, names, seat)
    elif outcome.reason == "cheated" and outcome.breach is not None:
        culprit = outcome.breach.seat
        why = _("you cheated") if culprit == seat else _("{player} cheated", player=names[culprit])
    elif outcome.reason == "deserted":
        why = endings.gone(report, names.__getitem__, seat)
    left = endings.departures(outcome, report, names.__getitem__, seat)
    return f"{won} ({why}{f'; {left}' * bool(left)})"
