"""The commands as a user calls them, for Stratego."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.reports import history
from cli.screen.replay import replay
from cli.shell.exit_codes import Exit
from cli.studies.playback import Replay
from cli.text.layout import words
from cli.text.sanitize import NAME_CELLS, escape
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.formats import army_file, record, record_format, setups
from p2p_stratego.stratego.formats.setups import write
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.pieces import NAMES
from protocol.audit import comparison, verdict
from protocol.record.asks.base import Answered
from protocol.record.genesis import check_name
from tests.helpers.program.commands import Call
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import CORNER, CRATERS

ROOT = Path(__file__).parents[4]
DOCUMENT = (ROOT / "docs" / "stratego.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A small game between two bots, each in a process of its own, with seed 5."""
    home = tmp_path_factory.mktemp("demo")
    options = ["--game", "stratego", "--army", "barrage", "--quiet", "60", "--seed", "5", "--json"]
    command = [sys.executable, "-m", "cli", "demo", *options, "--home", str(home)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stderr == b""
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_the_demonstration_plays_and_both_records_are_complete(played: dict[str, Any]) -> None:
    assert (played["game"], played["verdict"]) == ("stratego", "complete")
    reports = [
        verdict.audit(Path(path).read_bytes(), GAMES, every_signature=True) for path in played["transcripts"]
    ]
    assert [report.verdict for report in reports] == [verdict.Verdict.COMPLETE] * 2
    assert reports[0].genesis.options == {"army": "barrage", "first": "red", "quiet": 60, "shuttle": "letter"}
    assert comparison.compare((Path(path).read_bytes() for path in played["transcripts"]), GAMES).agree


def test_audit_and_games_say_what_was_played(call: Call, played: dict[str, Any]) -> None:
    told = call("audit", played["transcripts"][0])
    assert told.code == Exit.OK
    assert "Stratego, rules 2: barrage, 8 pieces a side: " in told.out
    assert "; red moves first; a draw after 60 moves without an attack\n" in told.out
    assert "commitments 16 laid, 16 opened and right, 0 closed for ever" in told.out


def test_the_export_for_programs_holds_what_was_revealed_at_the_end(
    call: Call, played: dict[str, Any]
) -> None:
    told = call("export", "--json", played["transcripts"][0])
    assert (told.code, told.err) == (Exit.OK, "")
    found = json.loads(told.out)
    revealed = [said["openings"] for said in found["statements"] if said["kind"] == "REVEAL"]
    assert len(revealed) == 2
    assert len(found["opened"]) == 16
    for openings in revealed:
        for opening in openings:
            assert 0 <= opening["face"] <= 11
            assert len(bytes.fromhex(opening["salt"])) == 32
    assert "REVEAL" not in call("export", played["transcripts"][0]).out


def test_a_match_becomes_a_record_and_the_record_is_replayed(
    call: Call, played: dict[str, Any], tmp_path: Path
) -> None:
    told = call("export", "--record", played["transcripts"][0])
    assert (told.code, told.err) == (Exit.OK, "")
    assert told.out.startswith(record.TITLE)
    assert "red: Ann\nblue: Ben\n" in told.out
    assert "?" not in told.out.split("result")[0].partition("quiet")[2]  # everything was opened at the end
    file = tmp_path / "game.txt"
    file.write_text(told.out)
    shown = call("replay", file)
    assert shown.code == Exit.OK
    told_moves = [line.split(None, 1)[1] for line in shown.out.splitlines() if re.match(r"\s+[1-9]", line)]
    whole = call("replay", played["transcripts"][0]).out
    assert told_moves
    assert all(move in whole for move in told_moves)
    assert call("replay", "-", stdin=told.out.encode()).out == shown.out


def test_a_replay_shows_all_from_the_beginning_if_asked(played: dict[str, Any]) -> None:
    found = verdict.replay(Path(played["transcripts"][0]).read_bytes(), GAMES)
    place = Replay(history.of_match(found), at=3)

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
        told = call("replay", file)
        assert told.code == Exit.DATA
        assert part in told.err
        assert told.out == ""


def test_a_game_without_a_notation_says_so(call: Call, records: Path) -> None:
    told = call("export", "--record", records / "complete.p2ps")
    assert told.code == Exit.USAGE
    assert "Spies & Lies has no notation of its own" in told.err


def test_a_name_with_accents_does_not_keep_a_game_from_being_written_down(played: dict[str, Any]) -> None:
    accents = "\u0301\u0301"
    name = f"x{accents}" * 8 + accents
    check_name(name)
    found = verdict.replay(Path(played["transcripts"][0]).read_bytes(), GAMES)
    report, table = found.report, found.referee.table
    shown = (escape(name, NAME_CELLS), "Ben")
    assert len(shown[0]) == 40
    steps = [(item.ask, item.answer) for item in table.history if isinstance(item, Answered)]
    text = record_format.write_match(report.genesis.options, shown, steps, table.faces, report.outcome)
    assert record_format.read_game(text).names == (shown[0][:32], "Ben")


@pytest.mark.parametrize("command", [["setups"], ["play", "--game", "stratego", "--army"]])
def test_a_folder_or_a_path_through_a_file_is_refused_as_nothing_that_can_be_read(
    call: Call, tmp_path: Path, command: list[str]
) -> None:
    told = call(*command, tmp_path)
    assert (told.code, told.out) == (Exit.IO, "")
    assert "is a folder" in told.err
    (tmp_path / "file").touch()
    told = call(*command, tmp_path / "file" / "below")
    assert (told.code, told.out) == (Exit.IO, "")
    assert "is not in a folder" in told.err


def test_a_file_that_holds_no_set_up_is_named(call: Call, tmp_path: Path, records: Path) -> None:
    (tmp_path / "empty").touch()
    assert f"{tmp_path / 'empty'}"[:30] in call("setups", tmp_path / "empty").err
    assert "it is empty, or holds only comments" in call("setups", tmp_path / "empty").err
    told = call("setups", records / "complete.p2ps")
    assert told.code == Exit.DATA
    assert "is the transcript of a game, and no set-up" in told.err


def test_the_audit_of_a_game_record_says_what_it_is(call: Call, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(record_format.TITLE.encode() + b"\n")
    for command in ("audit", "export"):
        told = call(command, tmp_path / "game.txt")
        assert told.code == Exit.DATA
        assert "is a game record in the game's notation. Nobody signed it, so it proves nothing" in told.err
        assert "replay FILE" in told.err


def test_a_match_that_was_never_set_up_has_no_record(call: Call, tmp_path: Path) -> None:
    call("play", "--game", "stratego", "--name", "Anna", stdin=b"leave\nyes\n")
    path = json.loads(call("games", "--json").out)["games"][0]["transcript"]
    told = call("export", "--record", path)
    assert told.code == Exit.DATA
    assert "armies do not stand" in told.err
    del tmp_path


# Playing in lines


def test_a_game_is_played_in_lines_from_a_script(call: Call) -> None:
    script = b"load corner\na1 b1\nready\na4a5\nboard\nleave\nyes\n"
    told = call("play", "--game", "stratego", "--name", "Anna", "--level", "recruit", stdin=script)
    assert told.code == Exit.OK
    for part in (
        " 4  5  2  .  .  8  6  .  .  9  5",
        " 1  B  F  2  .  .  .  .  3  .  .",
        "Both armies stand on the board.",
        "You can move: ",
        "Anna moves a4 to a5.",
        "THE BOARD",
        "Flag b1",
        "The game is saved.",
    ):
        assert part in told.out, part
    listed = call("games").out
    assert "Stratego" in listed


def test_an_army_of_ones_own_comes_from_a_file(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.army"
    file.write_text("marshal 1\nscout 2\nflag 1\n")
    told = call("play", "--game", "stratego", "--army", file, "--name", "Anna", stdin=b"leave\nyes\n")
    assert "4 pieces a side" in told.out


@pytest.mark.parametrize(
    ("options", "code", "part"),
    [
        (["--army", "huge"], Exit.DATA, "There is no army"),
        (["--army", "1-2-3"], Exit.DATA, "twelve counts"),
        (["--wall", "3"], Exit.USAGE, "belongs to spies-and-lies"),
        (["--quiet", "1001"], Exit.USAGE, "0 to 1000"),
        (["--first", "green"], Exit.USAGE, "one of red, blue"),
    ],
)
def test_options_that_will_not_do_are_refused(call: Call, options: list[str], code: Exit, part: str) -> None:
    told = call("play", "--game", "stratego", "--name", "Anna", *options)
    assert told.code == code
    assert part in told.err
    assert told.err.count("\n") == 1


def test_the_other_game_refuses_stratego_s_options(call: Call) -> None:
    told = call("play", "--army", "classic", "--name", "Anna")
    assert told.code == Exit.USAGE
    assert "army" in told.err


def test_rules_are_printed_for_this_game_too(call: Call) -> None:
    told = call("rules", "--game", "stratego")
    assert told.code == Exit.OK
    assert told.out.startswith("STRATEGO: RULES IN SHORT")
    assert "STRATEGO: MINER (3)" in call("rules", "miner", "--game", "stratego").out
    assert call("rules", "--game", "stratego", "--ascii").out.isascii()
    assert call("rules", "horse", "--game", "stratego").code == Exit.USAGE


# setups


def test_set_ups_are_listed_shown_and_kept(call: Call, tmp_path: Path) -> None:
    assert "Templates: corner, craters, scattered." in call("setups").out
    assert call("setups", "corner").out == write(CORNER)
    file = tmp_path / "some.txt"
    file.write_text(write_line(CORNER) + "\n" + write(CRATERS))
    told = call("setups", file, "2", "--save", "second")
    assert told.out == write(CRATERS)
    assert "This is number 2 of the 2 in " in told.err
    assert "Saved as second." in told.err
    assert "Saved by you: second." in call("setups").out
    shown = call("setups", "second")
    assert (shown.out, shown.err) == (write(CRATERS), "")
    assert "Saved by you: 1 for another army." in call("setups", "--army", "classic").out
    other = call("setups", "craters", "--army", "classic")
    assert (other.code, other.out) == (Exit.DATA, "")
    assert "craters is a template for quickplay only." in other.err


def test_to_save_takes_a_set_up_and_a_name_of_its_own(call: Call) -> None:
    told = call("setups", "--save", "foo")
    assert told.code == Exit.USAGE
    assert "setups FILE --save NAME" in told.err
    assert "Saved" not in call("setups", "craters", "--save", "storm").err
    assert "none yet" in call("setups").out


def test_files_may_begin_with_a_mark_of_their_encoding(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "side.txt"
    file.write_bytes(b"\xef\xbb\xbf" + write(CORNER).encode())
    assert call("setups", file).out == write(CORNER)
    army = tmp_path / "army.txt"
    army.write_bytes(b"\xef\xbb\xbfflag 1\nscout 1\n")
    assert call("setups", "--army", army).code == Exit.OK


@pytest.mark.parametrize(
    ("text", "options", "part"),
    [
        (write(CORNER), ["--army", "classic"], "line 1: 20 pieces instead of 40"),
        (write(CORNER).replace("M", "X"), [], "line 2, b3: 'X' is no piece"),
        (write(CORNER).replace("M", "9"), [], "line 1, i4: one general too many"),
        ("", [], "it is empty"),
        (write(CORNER), ["--save", "../x"], "letters, digits and hyphens"),
    ],
)
def test_a_wrong_set_up_is_refused_by_line_and_square(
    call: Call, tmp_path: Path, text: str, options: list[str], part: str
) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    told = call("setups", file, *options)
    assert told.code == Exit.DATA
    assert part in told.err
    assert told.out == ""


def test_set_ups_are_of_games_that_have_them(call: Call) -> None:
    assert call("setups", "--game", "spies-and-lies").code == Exit.USAGE
    assert call("setups", "nothing").code == Exit.IO
    assert call("setups", "corner", "2").code == Exit.DATA


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


def test_two_pieces_of_a_kind_fall_together(call: Call) -> None:
    told = " ".join(call("rules", "spy", "--game", "stratego").out.split())
    assert "Against another spy, both fall." in told
    assert "Attacking the spy" not in told
