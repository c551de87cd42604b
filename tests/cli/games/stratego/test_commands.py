"""The commands as a user calls them, for Stratego."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from cli.__main__ import main
from cli.reports import history
from cli.screen.replay import replay
from cli.shell.exit_codes import Exit
from cli.studies.playback import Replay
from cli.text.layout import words
from cli.text.sanitize import NAME_CELLS, escape
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.formats import army_file, narration, record, setups
from p2p_stratego.stratego.formats.setups import write
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.pieces import NAMES
from protocol.audit import comparison, verdict
from protocol.record.asks.base import Answered
from protocol.record.genesis import check_name
from tests.golden.dialogues import assert_said
from tests.helpers.machine.forked import forked_bots
from tests.helpers.program.commands import Call
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import CORNER, CRATERS

ROOT = Path(__file__).parents[4]
DOCUMENT = (ROOT / "docs" / "stratego.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def played(nursery: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A small game between two bots, each in a process of its own, with seed 5."""
    home = tmp_path_factory.mktemp("demo")
    options = ["--game", "stratego", "--army", "barrage", "--quiet", "60", "--seed", "5", "--json"]
    with forked_bots(), redirect_stdout(StringIO()) as output:
        assert main(["demo", *options, "--home", str(home)]) == Exit.OK
    document: dict[str, Any] = json.loads(output.getvalue().splitlines()[-1])
    return document


def test_the_demonstration_plays_and_both_records_are_complete(played: dict[str, Any]) -> None:
    assert (played["game"], played["verdict"]) == ("stratego", "complete")
    reports = [
        verdict.audit(Path(path).read_bytes(), GAMES, every_signature=True) for path in played["transcripts"]
    ]
    assert [report.verdict for report in reports] == [verdict.Verdict.COMPLETE] * 2
    assert reports[0].genesis.options == {"army": "barrage", "first": "red", "quiet": 60, "shuttle": "letter"}
    assert comparison.compare((Path(path).read_bytes() for path in played["transcripts"]), GAMES).agree


def test_audit_and_games_say_what_was_played(call: Call, played: dict[str, Any]) -> None:
    run = call("audit", played["transcripts"][0])
    assert run.code == Exit.OK
    agreed = narration.options({"army": "barrage", "first": "red", "quiet": 60, "shuttle": "letter"}, 2)
    assert f"Stratego, rules {GAME.version}: {'; '.join(agreed)}\n" in run.out
    assert "16 laid, 16 opened" in run.out


def test_the_export_for_programs_holds_what_was_revealed_at_the_end(
    call: Call, played: dict[str, Any]
) -> None:
    run = call("export", "--json", played["transcripts"][0])
    assert (run.code, run.err) == (Exit.OK, "")
    document = json.loads(run.out)
    revealed = [
        statement["openings"] for statement in document["statements"] if statement["kind"] == "REVEAL"
    ]
    assert len(revealed) == 2
    assert len(document["opened"]) == 16
    for openings in revealed:
        for opening in openings:
            assert 0 <= opening["face"] <= 11
            assert len(bytes.fromhex(opening["salt"])) == 32
    assert "REVEAL" not in call("export", played["transcripts"][0]).out


def test_a_match_becomes_a_record_and_the_record_is_replayed(
    call: Call, played: dict[str, Any], tmp_path: Path
) -> None:
    run = call("export", "--record", played["transcripts"][0])
    assert (run.code, run.err) == (Exit.OK, "")
    assert run.out.startswith(record.TITLE)
    assert record.read(run.out).names == ("Ann", "Ben")
    assert "?" not in run.out.split("result")[0].partition("quiet")[2]  # everything was opened at the end
    file = tmp_path / "game.txt"
    file.write_text(run.out)
    shown = call("replay", file)
    assert shown.code == Exit.OK
    told_moves = [line.split(None, 1)[1] for line in shown.out.splitlines() if re.match(r"\s+[1-9]", line)]
    whole = call("replay", played["transcripts"][0]).out
    assert told_moves
    assert all(move in whole for move in told_moves)
    assert call("replay", "-", stdin=run.out.encode()).out == shown.out


def test_a_replay_shows_all_from_the_beginning_if_asked(played: dict[str, Any]) -> None:
    record = verdict.replay(Path(played["transcripts"][0]).read_bytes(), GAMES)
    place = Replay(history.of_match(record), at=3)

    def bombs(of: Replay) -> int:
        return sum(" B " in words(line) for line in replay.screen(of, 110, 40))

    assert (bombs(place), bombs(place.go("open"))) == (0, 2)
    assert place.go("open").go("open") == place
    assert "o open" in words(replay.screen(place, 110, 40)[-1])


def test_a_replay_in_which_nothing_is_closed_offers_to_open_nothing(
    call: Call, played: dict[str, Any]
) -> None:
    shown = history.of_text(call("export", "--record", played["transcripts"][0]).out.encode())
    assert shown is not None
    hint = words(replay.screen(Replay(shown), 110, 40)[-1])
    assert " o " not in hint


def test_a_record_that_cannot_have_been_played_is_refused_by_line_and_square(
    call: Call, played: dict[str, Any], tmp_path: Path
) -> None:
    text = call("export", "--record", played["transcripts"][0]).out
    first = next(line for line in text.splitlines() if re.match(r"\s+1  ", line))
    file = tmp_path / "bad.txt"
    for wrong, part in ((first[:11] + "a1j9", "line"), ("   1  red   zz", "line"), ("", "line")):
        file.write_text(text.replace(first, wrong))
        run = call("replay", file)
        assert run.code == Exit.DATA
        assert part in run.err
        assert run.out == ""


def test_a_name_with_accents_does_not_keep_a_game_from_being_written_down(played: dict[str, Any]) -> None:
    accents = "\u0301\u0301"
    name = f"x{accents}" * 8 + accents
    check_name(name)
    replayed = verdict.replay(Path(played["transcripts"][0]).read_bytes(), GAMES)
    report, table = replayed.report, replayed.referee.table
    shown = (escape(name, NAME_CELLS), "Ben")
    assert len(shown[0]) == 40
    steps = [(item.ask, item.answer) for item in table.history if isinstance(item, Answered)]
    text = record.write_match(report.genesis.options, shown, steps, table.faces, report.outcome)
    assert record.read_game(text).names == (shown[0][:32], "Ben")


def test_a_match_that_was_never_set_up_has_no_record(call: Call, tmp_path: Path) -> None:
    call("play", "--game", "stratego", "--name", "Anna", stdin=b"leave\nyes\n")
    path = json.loads(call("games", "--json").out)["games"][0]["transcript"]
    run = call("export", "--record", path)
    assert run.code == Exit.DATA
    assert "armies" in run.err
    del tmp_path


# Playing in lines


def test_a_game_is_played_in_lines_from_a_script(call: Call) -> None:
    script = b"load corner\na1 b1\nready\na4a5\nboard\nleave\nyes\n"
    run = call("play", "--game", "stratego", "--name", "Anna", "--level", "recruit", stdin=script)
    assert run.code == Exit.OK
    for part in (
        " 4  5  2  .  .  8  6  .  .  9  5",
        " 1  B  F  2  .  .  .  .  3  .  .",
        "Both armies stand on the board.",
        "You can move: ",
        "Anna moves a4 to a5.",
        "THE BOARD",
        "Flag b1",
        " is saved.",
    ):
        assert part in run.out, part
    listed = call("games").out
    assert "Stratego" in listed


def test_rules_are_printed_for_this_game_too(call: Call) -> None:
    run = call("rules", "--game", "stratego")
    assert run.code == Exit.OK
    assert run.out.startswith("STRATEGO: ")
    assert call("rules", "--game", "stratego", "--ascii").out.isascii()


# Set-ups, and what will not do

FILES = {
    "none.txt": "",
    "two.txt": write_line(CORNER) + "\n" + write(CRATERS),
    "corner.txt": write(CORNER),
    "no-such-piece.txt": write(CORNER).replace("M", "X"),
    "two-generals.txt": write(CORNER).replace("M", "9"),
    "game.txt": record.TITLE + "\n",
    "mine.army": "marshal 1\nscout 2\nflag 1\n",
}


def test_set_ups_pieces_and_mistakes_are_told_in_words(
    call: Call, tmp_path: Path, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "game.p2ps").write_bytes((records / "complete.p2ps").read_bytes())
    for run in assert_said("stratego", call):
        if run.code:
            assert run.err.count("\n") == 1
            assert run.out == ""


def test_a_set_up_is_shown_as_its_file(call: Call, tmp_path: Path) -> None:
    assert call("setups", "corner").out == write(CORNER)
    file = tmp_path / "some.txt"
    file.write_text(write_line(CORNER) + "\n" + write(CRATERS))
    assert call("setups", file, "2", "--save", "second").out == write(CRATERS)
    assert call("setups", "second").out == write(CRATERS)


def test_an_army_of_ones_own_comes_from_a_file(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.army"
    file.write_text(FILES["mine.army"])
    run = call("play", "--game", "stratego", "--army", file, "--name", "Anna", stdin=b"leave\nyes\n")
    assert "4 pieces" in run.out


def test_files_may_begin_with_a_mark_of_their_encoding(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "side.txt"
    file.write_bytes(b"\xef\xbb\xbf" + write(CORNER).encode())
    assert call("setups", file).out == write(CORNER)
    army = tmp_path / "army.txt"
    army.write_bytes(b"\xef\xbb\xbfflag 1\nscout 1\n")
    assert call("setups", "--army", army).code == Exit.OK


# The document


def examples(heading: str) -> list[str]:
    section = DOCUMENT.split(f"## {heading}")[1].split("\n## ")[0]
    blocks = re.findall(r"(?:^    .*\n|^\n)+", section, flags=re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks if block.strip()]


def test_the_documented_files_are_read() -> None:
    (army,) = examples("Armies")
    assert army_file.read(army).size == 11
    (diagram,) = examples("Set-ups")
    assert setups.read(diagram, ARMIES["quickplay"]) == [CORNER]
    (written,) = examples("Records")
    assert record.read(written).names == ("Ada", "Grace")


def test_the_documented_letters_are_those_that_are_read() -> None:
    section = DOCUMENT.split("## Set-ups")[1].split("## Records")[0]
    letters = dict(re.findall(r"`([A-M])` (\w+)", section))
    assert set(letters) == set("ABCDEFGHIJKLM")
    for letter, name in letters.items():
        faces = [face for face in setups.read_line(letter.ljust(40, "A")) if face is not None]
        assert [NAMES[face] for face in faces] == ([] if name == "empty" else [name])
