"""A match of many, afterwards: replayed, exported, listed and audited by its own transcript."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from cli.reports import history, sources
from cli.screen.replay.replay import screen
from cli.studies.playback import Replay
from cli.text.layout import series, width, words
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.game import GAME
from tests.helpers.links.many import NAMES, Many
from tests.helpers.program.commands import Call


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of Anna, who has played a whole match against three."""
    folder = tmp_path_factory.mktemp("played")
    many = Many(folder, GAME, 4, {"rounds": 2})
    many.connect()
    many.play_on([Recruit(random.Random(seat)) for seat in range(4)])
    many.close()
    return folder / "seat0"


def transcript(home: Path) -> Path:
    (path,) = home.rglob("transcript.p2ps")
    return path


@pytest.mark.parametrize(("columns", "rows", "often"), [(80, 24, 7), (100, 30, 23), (200, 60, 23)])
def test_every_step_can_be_looked_at_from_every_seat(
    played: Path, columns: int, rows: int, often: int
) -> None:
    path = str(transcript(played))
    story = history.of_match(sources.replayed(path, sources.read(path)))
    for at in range(1, len(story.steps) + 1, often):
        for seat in range(4):
            lines = screen(Replay(story, at=at, seat=seat), columns, rows)
            assert [width(line) for line in lines] == [columns] * rows
    shown = "\n".join(words(line) for line in screen(Replay(story, at=len(story.steps)), columns, rows))
    assert all(name in shown for name in NAMES[:4])
    assert "A·" in shown


def test_a_map_that_always_lies_the_same_way_is_not_turned(played: Path) -> None:
    """Our pieces were drawn as an enemy's, under the title "your view"."""
    path = str(transcript(played))
    begun = Replay.of(history.of_match(sources.replayed(path, sources.read(path))))
    turned = begun.go("turn")
    assert turned.seat == begun.seat
    assert turned.notice == "This map always lies the same way."


def test_it_is_exported_audited_and_listed(played: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2P_STRATEGO_HOME", str(played))
    record = transcript(played)
    output = call("export", record).out
    assert "takes" in output
    exported = json.loads(call("export", "--json", record).out)
    assert [player["seat"] for player in exported["players"]] == ["red", "blue", "green", "yellow"]
    assert call("audit", record).code == 0
    assert series(NAMES[1:4]) in call("games").out
