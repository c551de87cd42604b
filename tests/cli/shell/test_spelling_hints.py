"""Slips on the command line are understood: the probable meaning is suggested, and a clear one is carried
out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.shell import parser, spelling_hints
from cli.shell.arguments import SHELLS
from cli.shell.commands import COMMANDS
from cli.shell.exit_codes import Exit
from cli.shell.parser import commands_of
from p2p_stratego.core.entry import Text
from p2p_stratego.registry import ENTRIES
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.hosts import word_for

INVITE = word_for(4000)
BASH = shutil.which("bash")
ID = "0123456789abcdef0123456789abcdef"
SLIPS = [
    ("paly", "Did you mean `p2p-stratego play`?"),
    ("PLAY", "Did you mean `p2p-stratego play`?"),
    ("dem", "Did you mean `p2p-stratego demo`?"),
    ("stratego", "`p2p-stratego play stratego` begins one"),
    ("Stratego", "`p2p-stratego play stratego` begins one"),
    ("play --wal 3", "Did you mean --wall?"),
    ("play --wal=3", "Did you mean --wall?"),
    ("play --armie duel", "Did you mean --army?"),
    ("join --level agent", "It belongs to play, host, again, demo and arena."),
    ("demo --seat 2", "Did you mean --seats?"),
    ("audit x --jsn", "Did you mean --json?"),
    ("--hom x games", "Did you mean --home?"),
    ("--home x --plian games", "Did you mean --plain?"),
    ("play --level agnet", "Did you mean agent?"),
    ("play --level rec", "Did you mean recruit?"),
    ("play --game strategy", "Did you mean stratego?"),
    ("play strategy", "Did you mean stratego?"),
    ("play spie", "Did you mean spies?"),
    ("play --first rde", "Did you mean red?"),
    ("games --theme drak", "Did you mean dark?"),
    ("completion bsh", "Did you mean bash?"),
    ("play stratego --game spies-and-lies", "Two games are named"),
    ("play stratego --wall 3", "--wall belongs to spies-and-lies: add --game spies-and-lies"),
    ("play --army duel", "--army belongs to stratego: add --game stratego"),
    ("demo --quiet 3", "--quiet belongs to stratego"),
    ("games x", "takes no “x”"),
    ("play stratego duel", "takes no “duel”. Did you mean --army duel?"),
    ("host stratego Barrage", "Did you mean --army barrage?"),
    ("play stratego --option shuttle=letter", "each option of a game goes by its own name: --NAME VALUE"),
    ("tournament new x --shuttle letter", "Here it is written --option shuttle=VALUE."),
    ("7-amber-violin", "That is a code: `p2p-stratego join 7-amber-violin` takes it."),
    ("join 7 amber violin", "A code is one word, such as 7-amber-violin."),
    ("completion", "Name your shell"),
]


@pytest.mark.parametrize(("line", "words"), SLIPS)
def test_a_slip_is_told_with_what_was_probably_meant(call: Call, line: str, words: str) -> None:
    run = call(*line.split())
    assert run.code == Exit.USAGE
    assert words in run.err
    assert run.out == ""
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("help", "--help"),
        ("help play", "play --help"),
        ("--ascii help again", "again --help"),
        ("help help", "--help"),
    ],
)
def test_help_as_a_word_shows_the_help(capsys: pytest.CaptureFixture[str], line: str, meant: str) -> None:
    shown = []
    for words in (line.split(), meant.split()):
        with pytest.raises(SystemExit) as ended:
            parser.parsed(*words)
        shown.append((ended.value.code, capsys.readouterr().out))
    assert shown[0] == shown[1]
    assert shown[0][1].startswith("usage: ")


@pytest.mark.parametrize(
    ("word", "level"),
    [
        ("mathematician", "equilibrium"),
        ("Chameleon", "adaptive"),
        ("the agent", "agent"),
        ("RECRUIT", "recruit"),
    ],
)
def test_a_bot_is_chosen_by_its_level_or_its_character(word: str, level: str) -> None:
    assert parser.parsed("play", "--level", word).level == level
    assert parser.parsed("arena", "--level", word).players == [level]


@pytest.mark.parametrize("line", ["xyzzy", "play --xyzzy", "play --level xyzzy", "play xyzzy"])
def test_what_is_like_nothing_is_not_guessed(call: Call, line: str) -> None:
    run = call(*line.split())
    assert run.code == Exit.USAGE
    assert "Did you mean" not in run.err
    assert "--help" in run.err


OPTIONS = [
    (name, flag)
    for name, command in commands_of(parser.parser()).items()
    for flag in parser.flags_of(command)
    if len(flag) > 6
]


@pytest.mark.parametrize(("name", "flag"), OPTIONS)
def test_every_option_with_a_letter_missing_finds_its_way(call: Call, name: str, flag: str) -> None:
    needed = ["x"] * (name in ("again", "audit", "replay", "analyse", "mistakes", "export", "referee"))
    run = call(name, *needed, flag[:3] + flag[4:])
    assert run.code == Exit.USAGE
    assert f"Did you mean {flag}?" in run.err


# A game as a word


@pytest.mark.parametrize("command", ["play", "host", "demo"])
@pytest.mark.parametrize("word", ["stratego", "Stratego"])
def test_a_game_may_stand_as_a_word(command: str, word: str) -> None:
    assert parser.parser().parse_args([command, word]).game == "stratego"
    assert parser.parser().parse_args([command, "--game", word]).game == "stratego"
    assert parser.parser().parse_args([command, word, "--game", word]).game == "stratego"
    assert parser.parser().parse_args([command]).game == next(iter(ENTRIES))


def test_rules_take_a_game_as_their_topic(call: Call) -> None:
    assert call("rules", "stratego").out == call("rules", "--game", "stratego").out
    about = call("rules", "--game", "spies", "discovery").out
    assert call("rules", "spies", "discovery").out == call("rules", "Spies", "discovery").out == about
    assert call("rules", "spies", "and", "lies").out == call("rules").out


def test_a_file_is_not_a_command(call: Call, records: Path) -> None:
    run = call(str(records / "complete.p2ps"))
    assert run.code == Exit.USAGE
    assert "`p2p-stratego audit FILE`" in run.err


# Invites, names and ids in each other's places


@pytest.mark.parametrize(
    "line", ["{}", "play {}", "host {}", "resume {}", "play --name {}", "join --name {}"]
)
@pytest.mark.parametrize("word", [INVITE, INVITE.lower(), INVITE[:-1]])
def test_an_invite_in_another_place_is_sent_to_join_and_not_repeated(
    call: Call, line: str, word: str
) -> None:
    run = call(*line.format(word).split())
    assert run.code == Exit.USAGE
    assert_told("slips", "an invite in another place", run.err.partition(" See")[0].rstrip())
    assert word[:20] not in run.err


def test_a_name_where_an_invite_belongs(call: Call) -> None:
    run = call("join", "Anna")
    assert run.code == Exit.DATA
    assert "begins with P2PS" in run.err
    assert "--name" in run.err


def test_a_games_id_where_an_invite_belongs(call: Call) -> None:
    run = call("join", ID[:8])
    assert run.code == Exit.DATA
    assert f"`p2p-stratego resume {ID[:8]}`" in run.err


def test_neither_names_nor_words_are_taken_for_invites_or_ids() -> None:
    assert not spelling_hints.is_invite("P2PS player")
    assert not spelling_hints.is_id("abcdef")
    assert not spelling_hints.is_id("Anna1")
    assert spelling_hints.is_invite(f"  {INVITE[:30]} {INVITE[30:]} ")


# Completion


def complete(call: Call, tmp_path: Path, line: str, *, prelude: str = "") -> list[str]:
    """The completions of bash at the end of `line`."""
    script = tmp_path / "completion.bash"
    script.write_text(call("completion", "bash").out)
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    asked = (
        f"{prelude}source {script}; COMP_WORDS=(p2p-stratego {quoted}); COMP_CWORD={len(words)}; "
        '_shtab_p2p_stratego; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run([str(BASH), "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path)
    return done.stdout.split()


needs_bash = pytest.mark.skipif(BASH is None, reason="there is no bash here")


@needs_bash
def test_bash_completes_games_levels_and_armies(call: Call, tmp_path: Path) -> None:
    assert complete(call, tmp_path, "play str") == ["stratego"]
    assert complete(call, tmp_path, "play --game sp") == ["spies-and-lies", "spies"]
    assert complete(call, tmp_path, "play --level re") == ["recruit"]
    assert complete(call, tmp_path, "play --army ba") == ["barrage"]
    (tmp_path / "bargain.txt").touch()
    assert complete(call, tmp_path, "play --army bar") == ["barrage", "bargain.txt"]
    assert complete(call, tmp_path, "setups --army du") == ["duel"]
    assert complete(call, tmp_path, "arena --engine bar") == ["bargain.txt"]


@needs_bash
@pytest.mark.parametrize("command", ["resume", "audit", "replay", "export"])
def test_bash_completes_the_ids_of_saved_games(call: Call, tmp_path: Path, command: str) -> None:
    stand_in = 'p2p-stratego() { [ "$*" = "completion --game-ids" ] && echo 01234567 0999aaaa; }; '
    assert complete(call, tmp_path, f"{command} 012", prelude=stand_in) == ["01234567"]


def test_ids_for_completion_are_those_in_the_home_folder(call: Call, home: Path) -> None:
    assert call("completion", "--game-ids").out == ""
    for name in (ID, ID[::-1], "new-0123456789abcdef"):
        (home / "games" / name).mkdir(parents=True)
    assert call("completion", "--game-ids").out.split() == sorted([ID[:8], ID[::-1][:8]])


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_games_levels_and_armies(call: Call, shell: str) -> None:
    script = call("completion", shell).out
    for entry in ENTRIES.values():
        assert entry.name in script
        assert all(level in script for level in entry.bots)
        for field in entry.options:
            if isinstance(field.values, Text):
                assert all(name in script for name in field.values.names)
    assert "completion --game-ids" in script


def test_the_help_of_every_command_still_names_its_games() -> None:
    for entry in COMMANDS:
        command = commands_of(parser.parser())[entry.name]
        assert isinstance(command, argparse.ArgumentParser)
        if "--game" in parser.flags_of(command):
            assert "stratego" in command.format_help()
