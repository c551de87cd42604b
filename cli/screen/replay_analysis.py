"""What an analysis says of one step of a replay, as a panel; pure.

While the analysis is under way the panel says so; it is drawn anew as decisions are judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cli.reports.analysing import COSTLY, Analysed
from cli.reports.analysis_text import picture, points
from cli.reports.playback import Replay
from cli.text.layout import EMPTY, Line, percent, series, styled, wrapped
from p2p_stratego.core.analysis import Judged
from p2p_stratego.core.language import _

_LEAST_PICTURE = 5
"""Rows of the smallest picture of the chance to win."""
_MOST_PICTURE = 11


def judgement(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The panel: the chance to win, each decision of the step, and a picture where rows are left for it."""
    found = replay.analysed
    if found is None:
        return [EMPTY, *_told(_("The game is being analysed ..."), "dim", columns)]
    chances = found.chances[replay.at - 1] if replay.at <= len(found.chances) else ()
    lines = [
        part
        for name, chance in _sides(found, chances)
        for part in _told(_("{player}: {chance} to win", player=name, chance=percent(chance)), "", columns)
    ]
    decided = found.at(replay.at)
    lines += [part for one in decided for part in (EMPTY, *_decision(found, one, columns))]
    if not decided:
        lines += [EMPTY, *_told(_nothing(replay, found), "dim", columns)]
    left = rows - len(lines) - 2
    if left >= _LEAST_PICTURE and found.chances:
        title = _("The chance of {player} to win", player=found.names[replay.seat])
        lines += [EMPTY, *_told(title, "dim", columns)[:1]]
        high = min(left - (left % 2 == 0), _MOST_PICTURE)
        lines += picture(found, replay.seat, columns - 1, high, replay.at - 1)
    return lines


def _sides(found: Analysed, chances: Sequence[float]) -> Iterator[tuple[str, float]]:
    """Those who win together, and how likely that is."""
    game = found.report.genesis.game
    for side in game.sides(len(found.names)) if chances else ():
        yield series([found.names[seat] for seat in sorted(side)]), chances[min(side)]


def _nothing(replay: Replay, found: Analysed) -> str:
    """Why there is no decision to show."""
    last = found.judged[-1].made.step if found.judged else 0
    if last < replay.at and replay.judging:
        return _("This step is being analysed ...")
    return _("Nobody decided anything in this step.")


def _told(text: str, style: str, columns: int, hang: int = 1) -> list[Line]:
    return wrapped((("", " "), *(styled(text, style) if style else styled(text))), columns, hang + 1)


def _decision(found: Analysed, one: Judged, columns: int) -> list[Line]:
    """One decision: who, what, how good, and what its player could think."""
    kind, name = found.game.kinds(one.kind), found.names[one.made.seat]
    chosen = f": {one.chosen}" if one.chosen else ""
    lines = _told(f"{name}: {kind}{chosen}", f"seat{one.made.seat}", columns)
    if one.unknown:
        lines += _told(_("It rests on cards or pieces that nobody has opened."), "dim", columns, 2)
    if one.lost is not None:
        if one.lost < COSTLY:
            lines += _told("  " + _("as good as the best"), "good", columns, 2)
        else:
            worse = _(
                "cost {points} points; better: {best}", points=points(one.lost, sign=False), best=one.best
            )
            lines += _told("  " + worse, "warn", columns, 2)
    if one.odds is not None:
        came = "" if one.came is None else _("it came right") if one.came else _("it went wrong")
        lines += _told(
            "  " + _("odds {odds}", odds=percent(one.odds)) + (f": {came}" if came else ""), "", columns, 2
        )
    if one.luck is not None:
        lines += _told("  " + _("luck {points} points", points=points(one.luck)), "", columns, 2)
    if one.given or one.gained:
        bits = _(
            "gave {given} bits, learned {gained}",
            given=f"{one.given or 0:.1f}",
            gained=f"{one.gained or 0:.1f}",
        )
        lines += _told("  " + bits, "", columns, 2)
    if one.knew:
        likely = ", ".join(f"{each.what} {percent(each.odds)}" for each in one.knew)
        lines += _told("  " + _("likely: {things}", things=likely), "dim", columns, 2)
    if one.hasty:
        lines += _told("  " + _("not every choice was weighed in the time"), "dim", columns, 2)
    return lines
