"""What comes after a match: what processes find and make reaches the table, and none outlives it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from cli.play import after_match
from cli.play.after_match import Sequel
from cli.shell.settings import Settings
from cli.table.pages.end_page import Aftermath
from cli.table.words.commands import Order

RECORD = Path("games/5dc906f8aaaa/transcript.p2ps")


def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a script in the place of this program."""
    (tmp_path / "stands_in.py").write_text(text)
    monkeypatch.setattr(after_match, "COMMAND", (sys.executable, "-S", str(tmp_path / "stands_in.py")))


async def after(nursery: trio.Nursery, tmp_path: Path, until: Callable[[Sequel], bool]) -> Sequel:
    """A sequel of one match, once that holds."""
    send, heard = trio.open_memory_channel[None](9)
    here = Sequel(nursery, tmp_path, lambda: RECORD, Settings, lambda: send.send_nowait(None))
    assert here.aftermath() == Aftermath()
    with trio.fail_after(20):
        while not until(here):
            await heard.receive()
    return here


async def test_what_a_look_finds_comes_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(
        tmp_path,
        monkeypatch,
        "import json, sys\nassert json.loads(sys.stdin.readline())['record'].endswith('.p2ps')\n"
        "print(json.dumps({'standing': ['One.', 'Two.'], 'level': 'cadet'}), flush=True)\n"
        "print(json.dumps({'turned': 'It turned.', 'costly': 2}), flush=True)\n",
    )
    async with trio.open_nursery() as nursery:
        here = await after(nursery, tmp_path, lambda here: here.aftermath().costly is not None)
        known = here.aftermath()
        nursery.cancel_scope.cancel()
    assert (known.standing, known.level, known.turned) == (("One.", "Two."), "cadet", "It turned.")


async def test_a_look_that_is_not_done_ends_with_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = "import json, os, time\nprint(json.dumps({'following': str(os.getpid())}), flush=True)\n"
    program(tmp_path, monkeypatch, f"{tell}time.sleep(999)\n")
    async with trio.open_nursery() as nursery:
        here = await after(nursery, tmp_path, lambda here: here.aftermath().following is not None)
        nursery.cancel_scope.cancel()
    with pytest.raises(ProcessLookupError):
        os.kill(int(here.aftermath().following or 0), 0)


async def test_a_visit_without_a_person_tells_what_the_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, monkeypatch, "import sys\nprint(*sys.argv[2:])\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    lines: list[str] = []
    talk: Any = SimpleNamespace(verbatim=lines.append)
    table: Any = SimpleNamespace(wish=Order.REPLAY)
    made = trio.Event()
    async with trio.open_nursery() as nursery:
        here = Sequel(nursery, tmp_path, lambda: RECORD, Settings, made.set)
        await here.visit(cast("Any", table), talk, plain=True)
        here.looks = False
        assert here.aftermath() == Aftermath(), "nobody waits for a look"
        here.share()
        with trio.fail_after(20):
            await made.wait()
    assert here.aftermath().shared[0].startswith("export 5dc906f8 --share p2p-stratego-5dc906f8 --home")
    assert lines[0].startswith("replay 5dc906f8 --plain --home")
    assert table.wish is None
