"""The analysis of one recorded match as JSON, without what belongs to its keys and ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from cli.reports import history, sources
from cli.studies.analysis import analysis_json
from cli.studies.analysis.analysing import Work
from tests.helpers.games.judged import never
from tests.helpers.machine.modules import VECTORS

RECORD: Final = VECTORS / "transcripts" / "complete-points.p2ps"
WRITTEN: Final = Path(__file__).with_name("analysis.json")
_KEPT: Final = ("judge", "seats", "decisions", "chances", "turning_points")


def analysis() -> str:
    """The golden text, made anew."""
    replay = sources.replayed(str(RECORD), RECORD.read_bytes())
    work = Work(replay, history.of_match(replay))
    for _ in work.judge(never):
        pass
    plain = analysis_json.plain(work.done(), [0, 1])
    return json.dumps({key: plain[key] for key in _KEPT}, indent=1) + "\n"
