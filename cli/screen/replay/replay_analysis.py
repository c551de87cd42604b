"""What an analysis says of one step of a replay, as a panel; pure.

While the analysis is under way the panel says so; it is drawn anew as decisions are judged.
"""

from __future__ import annotations

from cli.studies.analysis.analysing import Analysed
from cli.studies.analysis.analysis_text import decision, picture, sides, title
from cli.studies.playback import Replay
from cli.text.layout import EMPTY, Line, styled, wrapped
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
    lines = [part for told in sides(found, replay.at) for part in _told(told, "", columns)]
    decided = found.at(replay.at)
    lines += [part for one in decided for part in (EMPTY, *_decision(found, one, columns))]
    if not decided:
        lines += [EMPTY, *_told(_nothing(replay, found), "dim", columns)]
    left = rows - len(lines) - 2
    if left >= _LEAST_PICTURE and found.chances:
        lines += [EMPTY, *_told(title(found, replay.seat), "dim", columns)[:1]]
        high = min(left - (left % 2 == 0), _MOST_PICTURE)
        lines += picture(found, replay.seat, columns - 1, high, replay.at - 1)
    return lines


def _nothing(replay: Replay, found: Analysed) -> str:
    """Why there is no decision to show."""
    last = found.judged[-1].made.step if found.judged else 0
    if last < replay.at and replay.judging:
        return _("This step is being analysed ...")
    return _("Nobody decided anything in this step.")


def _told(text: str, style: str, columns: int, hang: int = 1) -> list[Line]:
    return wrapped((("", " "), *(styled(text, style) if style else styled(text))), columns, hang + 1)


def _decision(found: Analysed, one: Judged, columns: int) -> list[Line]:
    """One decision, its heading first and the rest moved in."""
    (style, heading), *rest = decision(found, one)
    lines = _told(heading, style, columns)
    return lines + [part for style, text in rest for part in _told(f"  {text}", style, columns, 2)]
