"""The frame of the command line: help, exit codes, and the one door through which every error leaves."""

from __future__ import annotations

import errno
import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.shell import parser
from cli.shell.commands import COMMANDS, CommandSpec
from cli.shell.exit_codes import MEANINGS, Exit, Sorry
from cli.shell.explain import explain
from cli.shell.guard import NAME
from p2p_stratego.registry import ENTRIES
from protocol import errors, failures
from tests.campaigns.canaries import core_left
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call

ROOT = Path(__file__).parents[2]
CANARY = "canary-5f1d0c"


def breaking(monkeypatch: pytest.MonkeyPatch, with_: Callable[[], object]) -> None:
    """Let every command do `with_` instead of its work."""
    monkeypatch.setattr(parser, "target", lambda _: lambda _: with_())


def raising(error: BaseException) -> Callable[[], object]:
    def raise_it() -> object:
        raise error

    return raise_it


def test_help_lists_every_command_and_every_exit_code(call: Call) -> None:
    run = call("--help")
    assert run.code == 0
    assert run.err == ""
    for entry in COMMANDS:
        assert f"\n    {entry.name} " in run.out
    for code in Exit:
        assert f"\n  {code:>3}  {MEANINGS[code]}\n" in f"{run.out}\n"


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_command_explains_itself_and_can_be_loaded(call: Call, entry: CommandSpec) -> None:
    run = call(entry.name, "--help")
    assert (run.code, run.err) == (0, "")
    assert "--home" in run.out
    assert callable(parser.target(entry.name))


def test_without_a_command_the_start_menu_runs() -> None:
    assert callable(parser.target(None))


def test_the_games_on_offer_are_those_that_there_are() -> None:
    for entry in ENTRIES.values():
        assert parser.parser().parse_args(["play", "--game", entry.name]).game == entry.name


def test_the_bots_on_offer_are_those_that_there_are() -> None:
    for entry in ENTRIES.values():
        for level in entry.bots:
            assert parser.parser().parse_args(["play", "--level", level]).level == level


def test_version_is_the_packages(call: Call) -> None:
    run = call("--version")
    assert run.code == 0
    assert run.out.startswith("p2p-stratego ")


@pytest.mark.parametrize("before", [True, False])
def test_options_for_all_commands_stand_before_or_after_the_command(before: bool) -> None:
    options = ["--home", "x", "--plain", "--ascii", "--theme", "mono"]
    space = parser.parser().parse_args([*options, "games"] if before else ["games", *options])
    assert (space.home, space.plain, space.ascii, space.theme) == (Path("x"), True, True, "mono")


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "--nonsense",
        "audit",
        "demo --games 0",
        "demo --games -1",
        "demo --games x",
        "demo --games 99999999999999999999",
        "demo --fast --slow",
        "demo --seed 1.5",
        "host --port 65536",
        "host --wall 9",
        "host --wall 1",
        "play --level genius",
        "play --game chess",
        "completion powershell",
        "doctor --port x",
        "--hom x games",
        "games --theme pink",
    ],
)
def test_a_misunderstood_command_line_is_one_sentence_and_code_64(call: Call, line: str) -> None:
    run = call(*line.split())
    assert run.code == Exit.USAGE
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert run.err.startswith("p2p-stratego: ")
    assert "--help" in run.err


REFUSALS = [
    (errors.Malformed("It is broken."), Exit.DATA),
    (errors.Forged("It is forged."), Exit.TAMPERED),
    (errors.Misplaced("It is misplaced."), Exit.TAMPERED),
    (errors.Unsupported("protocol", 2, 1), Exit.UNSUPPORTED),
    (errors.Violation(0, "entry", 1, "out-of-turn"), Exit.CHEATED),
    (errors.Equivocation(0, "entry", 1, (b"", b"")), Exit.EQUIVOCATED),
    (errors.Stale(), Exit.DATA),
    (failures.DiskFull("x", errno.ENOSPC), Exit.IO),
    (failures.NotAnInvite(failures.Flaw.NO_PREFIX), Exit.DATA),
    (failures.InviteNewer(2), Exit.UNSUPPORTED),
    (failures.CannotListen(80, errno.EADDRINUSE), Exit.UNREACHABLE),
    (failures.Refused(failures.Code.USED_INVITE), Exit.UNREACHABLE),
    (Sorry("It is wrong.", Exit.DATA), Exit.DATA),
    (OSError(errno.ENOSPC, "x", "file"), Exit.IO),
    (OSError(errno.EADDRINUSE, "x"), Exit.UNREACHABLE),
    (OSError(errno.ENOTRECOVERABLE, "what this says"), Exit.IO),
    (ExceptionGroup("two tasks", [Sorry("It is wrong.", Exit.DATA), Sorry("It is worse.")]), Exit.DATA),
]


@pytest.mark.parametrize(("error", "code"), REFUSALS, ids=lambda value: type(value).__name__)
def test_a_refusal_is_one_sentence_and_its_code(
    call: Call, monkeypatch: pytest.MonkeyPatch, error: Exception, code: Exit
) -> None:
    breaking(monkeypatch, raising(error))
    run = call("games")
    assert run.code == code
    assert run.err.startswith("p2p-stratego: ")
    assert run.err.endswith(".\n")
    assert run.err.count("\n") == 1
    assert "Traceback" not in run.err


def test_every_system_error_that_has_a_sentence_names_its_file() -> None:
    for number in (errno.ENOENT, errno.EISDIR, errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EIO):
        explained = explain(OSError(number, os.strerror(number), "some/file"))
        assert explained is not None
        assert "some/file" in explained[0]
        assert explained[1] == Exit.IO


def test_row_23_an_error_that_quotes_the_other_side_is_escaped(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaking(monkeypatch, raising(Sorry("bad \x1b]52;c;aGk=\x07 text\nsecond \u202e line")))
    run = call("games")
    assert run.err.count("\n") == 1
    assert not set(run.err) & {"\x1b", "\x07", "\u202e"}


def test_a_bug_is_an_apology_a_report_and_code_70(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaking(monkeypatch, raising(KeyError("whatever")))
    run = call("games")
    assert_told("bugs", "of a command", run, HOME=home)
    report = home / NAME
    assert str(report) in run.err
    assert "builtins.KeyError" in report.read_text()
    assert "command: games" in report.read_text()
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform != "linux", reason="core files are looked at on Linux")
def test_row_38_a_program_that_crashes_leaves_no_core_file(tmp_path: Path) -> None:
    """Though the system would keep it: keys and cards lie in its memory."""
    assert not core_left(tmp_path)


def test_row_38_a_crash_report_holds_no_secret(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No variable, exception's text or command line gets into a report."""

    def crash() -> object:
        secret = CANARY
        try:
            return {"": ""}[secret]
        except KeyError as error:
            raise ExceptionGroup(secret, [ValueError(secret), RuntimeError(CANARY.encode())]) from error

    breaking(monkeypatch, crash)
    run = call("join", CANARY, "--name", CANARY)
    assert run.code == Exit.BUG
    report = (home / NAME).read_text()
    assert "KeyError" in report
    assert "RuntimeError" in report
    assert "tests/cli/test_main.py" in report
    assert CANARY not in report + run.out + run.err


def test_a_report_that_cannot_be_written_does_not_hide_the_bug(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = "a file where the folder should be"
    home.write_text(in_the_way)
    breaking(monkeypatch, raising(KeyError()))
    run = call("games")
    assert_told("bugs", "without a report", run)
    assert home.read_text() == in_the_way


def test_row_36_a_report_is_not_written_through_a_link(
    call: Call, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (tmp_path / "precious").write_text("keep me")
    (home / NAME).symlink_to(tmp_path / "precious")
    breaking(monkeypatch, raising(KeyError()))
    assert call("games").code == Exit.BUG
    assert (tmp_path / "precious").read_text() == "keep me"


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), BaseExceptionGroup("tasks", [KeyboardInterrupt(), ValueError()])],
    ids=["plain", "in a group"],
)
def test_ctrl_c_is_code_130_without_a_traceback(
    call: Call, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    breaking(monkeypatch, raising(error))
    run = call("games")
    assert run.code == Exit.INTERRUPTED
    assert run.err.count("\n") == 1


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "cli", "rules"], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert process.returncode == Exit.PIPE
    assert process.stderr == b""


def test_a_reader_of_both_streams_that_goes_away_is_told_by_the_same_code() -> None:
    command = [sys.executable, "-m", "cli", "audit", str(ROOT / "conformance/vectors")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait() == Exit.PIPE


def test_a_reader_that_goes_away_from_a_game_ends_it_quietly(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "cli", "play", "--plain", "--home", str(tmp_path / "home")],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert process.returncode == Exit.PIPE
    assert process.stderr == b""


def test_a_reader_that_goes_away_hides_no_bug(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, raising(ExceptionGroup("tasks", [BrokenPipeError(), ValueError()])))
    assert call("games").code == Exit.BUG


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_to_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "cli", "rules"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert process.returncode == Exit.IO
    assert process.stderr.count(b"\n") == 1
    assert b"full" in process.stderr


def closed(streams: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The program, called by a shell that closes some of the standard streams."""
    command = shlex.join([sys.executable, "-m", "cli", *arguments, "--home", str(home)])
    return subprocess.run(
        ["/bin/sh", "-c", f"{command} {streams}"], cwd=ROOT, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    "arguments", ["--version", "--help", "rules", "games", "games --json", "play --plain"]
)
def test_a_closed_standard_output_is_told(tmp_path: Path, arguments: str) -> None:
    process = closed("</dev/null >&-", tmp_path, *arguments.split())
    assert process.returncode == Exit.IO
    assert process.stderr.count(b"\n") == 1
    assert b"Standard output is closed" in process.stderr


def test_a_closed_standard_input_is_an_ended_one(tmp_path: Path) -> None:
    process = closed("<&-", tmp_path, "play")
    assert process.returncode == 0
    assert process.stderr == b""
    assert b"is saved. Go on with it" in process.stdout


def test_a_closed_standard_error_hides_no_exit_code_and_stands_in_no_file(tmp_path: Path) -> None:
    assert closed("2>&-", tmp_path, "audit", str(tmp_path / "missing")).returncode == Exit.IO
    assert closed("<&- >&- 2>&-", tmp_path, "play").returncode == Exit.IO
    assert not (tmp_path / NAME).exists()


def test_output_that_cannot_show_a_sign_shows_another_one() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = subprocess.run(
        [sys.executable, "-m", "cli", "rules"], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert process.returncode == 0
    assert process.stdout.isascii()


def test_help_loads_no_library_no_protocol_and_no_rules() -> None:
    """The conditions for `--help` under 0.25 s on any machine; `make bench` measures the time itself."""
    code = (
        "import sys; from cli.__main__ import main; main(['--help']); "
        "print([m for m in ('trio', 'prompt_toolkit', 'nacl', 'cryptography', 'msgpack', 'protocol', "
        "'p2p_stratego.stratego.rules.game', 'asyncio', 'ssl', 'shtab') "
        "if m in sys.modules], file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert process.stderr.strip() == b"[]"


def test_the_last_argument_parser_is_ours_too() -> None:
    """A subcommand's errors must leave through the same door as the program's."""
    commands = parser.commands_of(parser.parser())
    assert commands
    assert all(isinstance(command, parser.Parser) for command in commands.values())
