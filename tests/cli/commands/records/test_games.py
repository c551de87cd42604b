"""`games`: the row of each match."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path

import pytest

from cli.commands import games
from cli.menu import line_menu
from cli.reports import own_games, summary
from cli.shell.exit_codes import Exit, bare
from cli.text import language
from p2p_stratego.core.values import replace
from p2p_stratego.registry import GAMES
from protocol.audit import verdict
from protocol.storage.home import Home, SavedMatch
from protocol.storage.route import Route
from tests.golden.dialogues import assert_told
from tests.helpers.games.cups import GAMES as CUPS
from tests.helpers.machine.modules import VECTORS
from tests.helpers.program.commands import Call, honest
from tests.helpers.seats.pair import Table


def test_games_lists_none_where_there_is_no_home(call: Call, home: Path) -> None:
    run = call("games")
    assert (run.code, run.err) == (0, "")
    assert "No games" in run.out
    assert not home.exists()
    assert json.loads(call("games", "--json").out) == {"home": str(home), "games": []}


def test_games_lists_what_the_store_holds(call: Call, home: Path) -> None:
    with Home(home) as folder:
        folder.identity()
        for seed, steps in ((21, 1_000_000), (22, 30)):
            table = Table(seed, decide=honest).play(steps=steps)
            seat = table.seats[0]
            route = Route()
            folder.create(table.begun, seat.master, route).close()
            (match,) = [game for game in folder.games() if table.begun.id.hex().startswith(game.id)]
            match.path.write_bytes(seat.transcript)
    rows = json.loads(call("games", "--json").out)["games"]
    for key in ("unfinished", "resumable"):
        assert sorted(row[key] for row in rows) == [False, True]
    assert {row["game"] for row in rows} == {"spies-and-lies"}
    output = call("games").out
    for row in rows:
        assert row["id"][:8] in output
        assert Path(row["transcript"]).exists()


def test_a_game_that_another_window_plays_is_not_waiting_here(call: Call, home: Path) -> None:
    """It was listed as "your turn", and chosen where nobody was asked."""
    with Home(home) as folder:
        folder.identity()
        for seed in (23, 24):
            table = Table(seed, decide=honest).play(steps=30)
            seat = table.seats[0]
            store = folder.create(table.begun, seat.master, Route())
            Path(store.path).write_bytes(seat.transcript)
            if seed == 23:
                store.close()
    rows = {row["open"]: row for row in json.loads(call("games", "--json").out)["games"]}
    assert rows[True]["status"] == "open in another window"
    assert rows[False]["status"] != "open in another window"
    waiting = own_games.waiting(home, interactive=False)
    assert [row["id"] for row in waiting] == [rows[False]["id"]]
    assert [row["open"] for row in line_menu.unfinished(home)] == [False, True]
    store.close()
    assert not any(row["open"] for row in json.loads(call("games", "--json").out)["games"])


def test_games_lists_what_is_on_a_read_only_disk(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("play", "--name", "Anna")
    before = call("games")
    opened = os.open

    def read_only(path: str, flags: int, *rest: int, **where: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return opened(path, flags, *rest, **where)

    def refused(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", read_only)
    monkeypatch.setattr(os, "fchmod", refused)
    assert call("games") == before
    assert "Agent bot" in before.out
    assert "Anna" not in before.out, "the key tells which of the two is its owner"
    (home / "identity.key").write_bytes(b"rubbish")
    assert call("games").code == Exit.IO


def test_games_tells_whoever_was_claimed_away_that_it_can_still_answer(records: Path) -> None:
    path = records / "unresponsive.p2ps"
    report = verdict.audit(path.read_bytes(), GAMES)
    assert report.outcome is not None
    rows = [own_games.recorded(SavedMatch("0" * 32, path), player.key) for player in report.genesis.players]
    for seat, row in enumerate(rows):
        accused = seat not in report.outcome.winners
        claimed = (
            "claimed by the other side, your turn" if accused else "claimed by you, may still be answered"
        )
        assert (row["unfinished"], row["resumable"], row["status"]) == (accused, True, claimed)
    stranger = own_games.recorded(SavedMatch("0" * 32, path), b"")
    assert (stranger["unfinished"], stranger["resumable"]) == (False, False)


def test_the_list_of_games_tells_the_year_when_it_is_another_one() -> None:
    def at(year: int) -> float:
        return time.mktime((year, 12, 31, 23, 59, 0, 0, 0, -1))

    row = {"id": "0" * 32, "changed": at(2025), "watched": False, "others": ["Ben"]}
    (_, this_year), (_, later) = (games.table([row], at(year), bare) for year in (2025, 2026))
    assert "12-31 23:59" in this_year
    assert "2025-12-31 " in later
    assert this_year.index("?") == later.index("?")


def test_games_shows_a_damaged_game_among_the_others(call: Call, home: Path, records: Path) -> None:
    folder = home / "games" / ("0" * 32)
    folder.mkdir(parents=True, mode=0o700)
    home.chmod(0o700)
    (folder.parent).chmod(0o700)
    (folder / "transcript.p2ps").write_bytes(b"noise")
    (row,) = json.loads(call("games", "--json").out)["games"]
    assert row["verdict"] == "unreadable"
    assert "audit 00000000`" in call("games").out, "a command that finds the record"
    for command in ("games", "resume"):
        assert_told("games", f"{command} with a damaged game", call(command))


def test_games_lists_what_was_only_watched_and_says_so(call: Call, home: Path) -> None:
    """`play` and `resume` have nothing to do with it; `replay`, `audit` and `export` find it by its id."""
    table = Table(21, decide=honest).play()
    with Home(home) as folder:
        folder.identity()
        store = folder.watch(table.begun)
        store.append([record.frame for record in table.seats[0].session.referee.record])
        store.close()
    (row,) = json.loads(call("games", "--json").out)["games"]
    assert (row["watched"], row["resumable"], row["seat"]) == (True, False, None)
    assert (row["pace"], row["clock"]) == ("live", None)
    line = call("games").out.splitlines()[-1]
    assert line.startswith(row["id"][:8])
    assert "watched: " in line
    assert " won (" in line
    assert call("audit", row["id"][:8]).code == Exit.OK


def test_a_claim_that_took_a_key_out_of_the_match_cannot_be_answered() -> None:
    left = verdict.audit((VECTORS / "decks" / "unresponsive-left.p2ps").read_bytes(), CUPS)
    away = verdict.audit((VECTORS / "transcripts" / "unresponsive.p2ps").read_bytes(), GAMES)
    assert left.verdict is away.verdict is verdict.Verdict.UNRESPONSIVE
    assert not summary.claimed(left, 0)
    assert summary.claimed(away, 0)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("complete-agreed-draw", "a draw (agreed)"),
        ("complete-three-unrevealed", "nobody won (claims not shown)"),
    ],
)
def test_a_void_match_is_no_draw(name: str, status: str) -> None:
    report = verdict.audit((VECTORS / "transcripts" / f"{name}.p2ps").read_bytes(), GAMES)
    assert summary.status(report, 0) == status


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("complete-resigned", ["Ada won (Ben resigned)", "won (Ben resigned)", "lost (you resigned)"]),
        (
            "complete-three-deserted",
            [
                "Ada and Cleo won (Ben had resigned)",
                "won (Ben had resigned)",
                "lost (you had resigned)",
                "won (Ben had resigned)",
            ],
        ),
    ],
)
def test_who_gave_up_is_told_to_each_player_and_to_who_watched(name: str, statuses: list[str]) -> None:
    report = verdict.audit((VECTORS / "transcripts" / f"{name}.p2ps").read_bytes(), GAMES)
    seats = (None, *range(len(report.genesis.players)))
    assert [summary.status(report, seat) for seat in seats] == statuses


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("cheated-breach", ["Ben won (Ada cheated)", "lost (you cheated)", "won (Ada cheated)"]),
        ("equivocated-entry", ["Ben won (Ada cheated)", "lost (you cheated)", "won (Ada cheated)"]),
    ],
)
def test_a_list_names_who_cheated(name: str, statuses: list[str]) -> None:
    report = verdict.audit((VECTORS / "transcripts" / f"{name}.p2ps").read_bytes(), GAMES)
    assert [summary.status(report, seat) for seat in (None, 0, 1)] == statuses


def test_the_verb_of_who_gave_up_agrees_in_german() -> None:
    data = (VECTORS / "transcripts" / "complete-three-deserted.p2ps").read_bytes()
    report = replace(verdict.audit(data, GAMES), resigned=(1, 2))
    language.install("de")
    try:
        statuses = [summary.status(report, seat) for seat in range(3)]
    finally:
        language.install("en")
    assert_told("games", "two gave up, in German, of each seat", "\n".join(statuses))
