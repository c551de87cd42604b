"""Row 89: a command of the player's own is run by its words alone, and never holds anything up."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import trio

from cli.play import own_command
from cli.play.own_command import OwnCommand
from cli.text import notices
from tests.helpers.links.peers import HANGING

WRITES = """
import json, os, sys
old = json.load(open(sys.argv[1])) if os.path.exists(sys.argv[1]) else []
mine = [sys.argv[2:], os.readlink("/proc/self/fd/0"), os.getsid(0) == os.getpid(), os.isatty(1)]
json.dump([*old, mine], open(sys.argv[1] + ".new", "w"))
os.replace(sys.argv[1] + ".new", sys.argv[1])
"""


async def until(file: Path, number: int) -> list[list[object]]:
    """What the command wrote, once it has run `number` times."""
    while True:
        if file.exists() and len(document := json.loads(file.read_text())) >= number:
            return list(document)
        await trio.sleep(0.01)


async def test_row_89_the_sentence_is_one_argument_and_no_shell_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "told"
    command = OwnCommand((sys.executable, "-I", "-c", WRITES, str(file), "--title"))
    hostile = "Your turn: Stratego with $(reboot) `reboot`; \x1b]52;c;eA==\x07 'x' \"y\" -rf\n*"
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(command.run)
            command.tell(hostile)
            [[words, stdin, own_session, terminal]] = await until(file, 1)
            nursery.cancel_scope.cancel()
    assert words == ["--title", notices.plain(hostile)]
    assert "\x1b" not in str(words)
    assert (own_session, terminal) == (True, False)
    assert stdin == os.devnull


async def test_row_89_one_runs_at_a_time_is_killed_in_the_end_and_the_last_sentence_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_command, "WITHIN", 0.3)
    pids = tmp_path / "pids"
    hangs = (
        "import os,sys,time; print(os.getpid(), sys.argv[2], file=open(sys.argv[1], 'a')); time.sleep(600)"
    )
    command = OwnCommand((sys.executable, "-I", "-S", "-c", hangs, str(pids)))

    def calls() -> list[str]:
        return pids.read_text().splitlines() if pids.exists() else []

    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(command.run)
            for number in range(5):
                began = trio.current_time()
                command.tell(f"turn {number}")
                assert trio.current_time() - began < 0.1, "the caller never waits"
                while not calls():
                    await trio.sleep(0.01)
            while len(calls()) < 2:
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
    assert [line.partition(" ")[2] for line in calls()] == ["turn 0", "turn 4"]
    for line in calls():
        with pytest.raises(ProcessLookupError):
            os.kill(int(line.split()[0]), 0)


@pytest.mark.parametrize("words", [("/nowhere/at\u202eall",), ("a\0b",), ("\ud800",)])
async def test_a_command_that_is_none_is_told_of_once(words: tuple[str, ...]) -> None:
    command, failures = OwnCommand(words), list[str]()
    command.on_failure = failures.append
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(command.run)
            for _ in range(2):
                command.tell("Your turn")
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()
    [sentence] = failures
    assert sentence.startswith("Your command ")
    assert sentence.isprintable()
    assert sentence.isascii()


async def test_without_a_command_nothing_is_run() -> None:
    command, failures = OwnCommand(()), list[str]()
    command.on_failure = failures.append
    with trio.move_on_after(0.05) as over:
        command.tell("Your turn")
        await command.run()
    assert over.cancelled_caught
    assert failures == []
