"""`arena`: who plays, what is told, and what an engine's failure costs it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cli.commands import arena
from cli.play.arena.contest import ArenaGame, contest
from cli.play.arena.report import FORMAT
from cli.play.bots.hired import warning
from cli.shell.exit_codes import Exit
from tests.golden.dialogues import assert_said
from tests.helpers.program.commands import Call
from tests.helpers.program.engines import EXAMPLE, program
from tests.helpers.program.json_keys import documented, keys

ENGINE = f"{sys.executable} {EXAMPLE}"
FEW = ("arena", "--games", "4", "--level", "recruit")


def result(call: Call, *arguments: object) -> dict[str, Any]:
    run = call("arena", *map(str, arguments), "--json")
    assert run.code == Exit.OK
    assert ("--engine" in arguments) == bool(run.err)
    assert warning() in run.err
    document: dict[str, Any] = json.loads(run.out)
    return document


def told_of(call: Call, *arguments: object) -> tuple[int, str]:
    """The seed of a short contest, and what is said beside its result."""
    run = call("arena", "--games", "1", *arguments, "--json")
    assert run.code == Exit.OK
    return json.loads(run.out)["seed"], run.err


def test_two_bots_play_and_the_same_seed_gives_the_same_result(call: Call) -> None:
    contest, same, other = (result(call, "--games", "6", "--seed", seed) for seed in (1, 1, 2))
    for report in (contest, same, other):
        assert report["format"] == FORMAT
        assert keys(report) <= documented("arena")
        for player in report["players"]:
            player["mean_seconds"] = player["most_seconds"] = None
    assert contest == same != other
    assert [player["name"] for player in contest["players"]] == ["agent", "recruit"]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--engine", ENGINE, "--level", "recruit"], ["Random Player", "recruit"]),
        (["--level", "recruit", "--engine", ENGINE], ["recruit", "Random Player"]),
        (["--engine", ENGINE], ["Random Player", "agent"]),
        (["--engine", ENGINE, "--engine", ENGINE], ["Random Player", "Random Player"]),
    ],
)
def test_the_player_named_first_is_the_first(call: Call, arguments: list[str], names: list[str]) -> None:
    contest = result(call, "--games", "2", *arguments)
    assert [player["name"] for player in contest["players"]] == names
    assert all(player["decisions"] for player in contest["players"])
    assert [player["clock"] == "wall" for player in contest["players"]] == [name[0] == "R" for name in names]


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        ("os._exit(3)", "engine-gone"),
        ("time.sleep(1000)", "engine-late"),
        ("print('x' * 99999, flush=True); next(lines)", "engine-long"),
        ("print('nonsense\\n' * 20, flush=True); next(lines), next(lines)", "engine-wrong"),
        ("say(type='error', text='no')", "engine-gave-up"),
    ],
)
def test_an_engine_that_fails_loses_each_game_and_the_contest_goes_on(
    call: Call, tmp_path: Path, act: str, fault: str
) -> None:
    command = program(
        tmp_path, f"greet()\nfor line in lines:\n    if line['type'] == 'decide':\n        {act}"
    )
    seconds = "0.05" if fault == "engine-late" else "30"
    contest = result(call, "--games", "2", "--engine", shlex.join(command.words), "--engine-time", seconds)
    assert (contest["won"], contest["lost"]) == (0, 2)
    assert contest["players"][0]["faults"] == {fault: 2}
    assert contest["players"][1]["faults"] == {}


def test_the_author_of_an_engine_reads_why_it_ended_and_what_it_wrote_last(
    call: Call, tmp_path: Path
) -> None:
    command = program(tmp_path, "greet()\nnext(lines)\nnext(lines)\nraise ValueError('\\x1b[31mno plan')")
    run = call("arena", "--games", "2", "--level", "recruit", "--engine", shlex.join(command.words))
    *_rest, fault, why = run.out.splitlines()
    assert "lost 2 games outside the board: engine-gone" in fault
    assert why.endswith("It wrote last: ValueError: <U+001B>[31mno plan")


def test_who_resigns_loses_without_a_fault(call: Call, tmp_path: Path) -> None:
    text = """
        greet()
        for line in lines:
            if line["type"] == "decide":
                say(type="resign", number=line["number"])
        """
    command = program(tmp_path, text)
    contest = result(call, "--games", "2", "--level", "recruit", "--engine", shlex.join(command.words))
    assert (contest["won"], contest["players"][1]["faults"]) == (2, {})


def test_at_a_table_of_more_each_seat_has_a_process_of_its_own(call: Call, tmp_path: Path) -> None:
    """Else one program would read the hands of two players."""
    notes = tmp_path / "notes" / "seats"  # beside the home folder it may write nothing
    notes.parent.mkdir()
    text = f"""
        greet()
        with open("{notes}", "a") as file:
            for line in lines:
                if line["type"] == "game":
                    file.write(f"{{os.getpid()}} {{line['seat']}}\\n")
                    file.flush()
                if line["type"] == "decide":
                    laid, chosen = dict(type="lay", faces=line["example"]), dict(type="choose", option=0)
                    say(number=line["number"], **(laid if "lay" in line else chosen))
        """
    command = program(tmp_path, text)
    result(call, "--seats", 4, "--games", 1, "--level", "recruit", "--engine", shlex.join(command.words))
    rows = [row.split() for row in notes.read_text().splitlines()]
    assert sorted(seat for _process, seat in rows) == ["1", "3"]
    assert len({process for process, _seat in rows}) == 2


def test_a_share_that_is_missed_is_an_exit_code(call: Call) -> None:
    assert call(*FEW).code == Exit.OK
    assert call(*FEW, "--at-least", "1").code == Exit.MISSED
    assert call(*FEW, "--at-least", "0").code == Exit.OK


def test_a_test_that_is_decided_ends_the_contest(call: Call) -> None:
    contest = result(call, "--games", 400, "--level", "agent", "--level", "recruit", "--sprt", "0:100")
    assert contest["sprt"]["accepted"] == "higher"
    assert contest["games"] < 100
    assert "log-likelihood ratio" in call(*FEW, "--sprt", "0:10").out


@pytest.mark.parametrize("whole", [0, 3])
def test_an_interrupted_contest_tells_the_games_that_were_played(
    call: Call, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    def interrupted(*arguments: Any) -> Iterator[ArenaGame]:
        yield from islice(contest(*arguments), whole)
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "contest", interrupted)
    run = call(*FEW, "--sprt", "0:10")
    assert (run.code, "3 games" in run.out) == (Exit.INTERRUPTED, bool(whole))
    assert ("log-likelihood ratio" in run.out) is bool(whole)
    run = call(*FEW, "--json")
    assert (run.code, json.loads(run.out)["games"] if whole else run.out) == (Exit.INTERRUPTED, whole or "")


def test_all_games_are_listed_in_a_new_file(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    assert call(*FEW, "--records", path).code == Exit.OK
    assert path.read_text().count("[Game ") == 4
    assert call(*FEW, "--records", path).code == Exit.IO
    assert path.read_text().count("[Game ") == 4


def test_a_list_is_begun_once_the_engines_have_started(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    assert call("arena", "--engine", "/no/such/program", "--records", path).code == Exit.IO
    assert not path.exists()


def test_no_engine_knows_the_seed_unless_the_player_says_it(call: Call) -> None:
    """From a seed of 1 it could work out every roll and every card."""
    first, second = (told_of(call, "--engine", ENGINE, "--level", "recruit") for _ in range(2))
    assert 1 != first[0] != second[0]
    assert str(first[0]) in first[1]
    seed, words = told_of(call, "--engine", ENGINE, "--level", "recruit", "--seed", "1")
    assert seed == 1
    assert "seed is known" in words
    assert told_of(call, "--level", "recruit") == (1, "")


def test_what_cannot_be_played_is_said(call: Call) -> None:
    for run in assert_said("arena", call):
        assert run.code in (Exit.USAGE, Exit.DATA)
        assert run.out == ""


def test_between_more_than_two_sides_there_is_no_elo(call: Call) -> None:
    """Of four equal players each wins a quarter."""
    four = ("--game", "conquest", "--seats", 4, "--games", 2, "--level", "recruit", "--level", "recruit")
    run = call("arena", *four, "--json")
    assert run.code == Exit.OK
    assert json.loads(run.out)["elo"] is json.loads(run.out)["elo_interval"] is None
    assert "Elo" not in call("arena", *four).out
    assert call("arena", *four, "--sprt", "0:10").code == Exit.USAGE
