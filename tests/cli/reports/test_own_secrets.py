"""What the owner of a home folder knows of a match of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.reports import history, sources
from protocol.storage.match_store import SECRETS, TRANSCRIPT
from tests.helpers.links.many import first_day
from tests.helpers.program.commands import Call


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Homes of two players, in the middle of their first day."""
    folder = tmp_path_factory.mktemp("own")
    first_day(folder)
    return folder


def home(played: Path, seat: int) -> tuple[Path, Path]:
    """A home, and the match's folder in it."""
    (path,) = (played / f"seat{seat}").rglob(TRANSCRIPT)
    return played / f"seat{seat}", path.parent


def test_each_owner_knows_the_own_line_and_nothing_else_that_is_closed(played: Path) -> None:
    known = []
    for seat in (0, 1):
        base, match = home(played, seat)
        referee = sources.replayed("it", (match / TRANSCRIPT).read_bytes()).referee
        secrets = sources.own(base, referee)
        assert secrets is not None
        assert secrets[0] == seat
        closed = secrets[1].keys() - referee.table.faces.keys()
        assert {referee.table.hidden[slot].seat for slot in closed} == {seat}
        known.append(closed)
    assert all(known)
    assert not known[0] & known[1]


def test_a_match_of_others_or_without_secrets_has_none(played: Path, tmp_path: Path) -> None:
    _, match = home(played, 0)
    referee = sources.replayed("it", (match / TRANSCRIPT).read_bytes()).referee
    assert sources.own(tmp_path / "nobody", referee) is None
    assert not (tmp_path / "nobody").exists()
    theirs = tmp_path / "games" / match.name
    theirs.mkdir(parents=True)
    assert sources.own(tmp_path, referee) is None
    (theirs / SECRETS).write_bytes(b"rubbish")
    assert sources.own(tmp_path, referee) is None


def test_row_37_the_secrets_are_shown_on_the_screen_alone(played: Path, call: Call) -> None:
    """The lines of a replay, which can be sent to others, are those of everybody's export."""
    base, match = home(played, 0)
    run = call("--home", str(base), "replay", match.name)
    referee = sources.replayed("it", (match / TRANSCRIPT).read_bytes()).referee
    assert run == call("--home", str(base), "export", match.name)
    assert history.of_match(sources.replayed("it", (match / TRANSCRIPT).read_bytes())).secrets == {}
    assert referee.table.faces
