"""Behind the last lesson comes a game: a digit leads there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.play import teaching
from cli.play.runner import PlaySession
from cli.reports.own_games import listed
from cli.shell import parser
from tests.helpers.program.playing import Answering, play_session, printed

BLUFF = ("ready", "e4e5", "e5e6", "e6e7", "e7e8", "e8e9", "e9e10")


async def test_behind_the_last_lesson_waits_the_recruit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It led to a shell."""
    monkeypatch.setattr("cli.table.seat.coaching.after", lambda _game, _number: None)
    given = iter([*BLUFF, " ", "1", "ready", "leave", "yes"])

    def answer(session: PlaySession) -> str | None:
        table = session.table
        due = table is not None and (table.asked or table.pending is not None or table.ended)
        return next(given, None) if due else ""

    session = play_session(tmp_path / "home", Answering(answer), interactive=True)
    session.settings = replace(session.settings, unhurried=False)
    await teaching.teach(parser.parsed("learn", "stratego", "2"), session)
    out = printed(session).getvalue()
    assert "Now a real game: the Recruit waits for you." in out
    game, lesson = listed(session.home.path)
    assert (game["bots"], game["unfinished"]) == (["recruit"], True)
    assert lesson["status"] == "a lesson, over"
    session.home.close()
