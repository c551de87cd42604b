"""The program keeps the promises of README.md and docs/json.md."""

from __future__ import annotations

import json
import re
import typing
from pathlib import Path

import pytest

from cli.commands import audit
from cli.shell.exit_codes import MEANINGS
from cli.shell.parser import COMMANDS
from tests.helpers.program.commands import Call
from tests.helpers.program.json_keys import JSON, documented, keys

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_readme_lists_every_exit_code_as_help_does() -> None:
    table = dict(re.findall(r"^\| (\d+) \| (.+) \|$", README, flags=re.MULTILINE))
    assert table == {str(int(code)): meaning for code, meaning in MEANINGS.items()}


def test_the_readme_names_every_command_and_no_other() -> None:
    named = set(re.findall(r"p2p-stratego ([a-z]+)", README))
    known = {entry.name for entry in COMMANDS}
    assert named - known == set()
    assert known <= set(re.findall(r"[a-z]+", README))


def test_the_readme_names_no_make_target_that_is_not_there() -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", MAKEFILE, flags=re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+) ", README)) <= targets | {"and"}
    assert {"demo", "test", "check", "bench", "install", "coverage", "clean", "arena", "vectors"} <= targets


@pytest.mark.parametrize("document", ["README.md", "docs/json.md", "docs/stratego.md", "CHANGELOG.md"])
def test_every_link_to_a_file_leads_somewhere(document: str) -> None:
    path = ROOT / document
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("name", ["complete", "incomplete", "cheated", "tampered", "future"])
def test_every_key_of_an_audit_is_documented(call: Call, records: Path, name: str) -> None:
    told = call("audit", records / f"{name}.p2ps", records / "fork.p2ps", records / "fork-too.p2ps", "--json")
    for line in told.out.splitlines():
        assert keys(json.loads(line)) <= documented("audit")


def test_every_verdict_of_a_comparison_is_documented() -> None:
    (row,) = re.findall(r'"comparison"`.*?^\| `exit_code`, `verdict` \|[^|]*\|([^|]*)\|', JSON, re.M | re.S)
    assert set(re.findall(r"`(\w+)`", row)) == set(typing.get_args(audit.Compared))


def test_the_scenarios_that_are_shown_come_to_what_is_shown(call: Call) -> None:
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "scenarios.md").read_text(), re.S)
    assert len(blocks) == 14
    for scenario, lines in zip(blocks[::2], blocks[1::2], strict=True):
        told = call("referee", "-", stdin=json.dumps(json.loads(scenario)).encode())
        assert (told.code, told.err) == (0, "")
        assert [json.loads(line) for line in told.out.splitlines()] == list(
            map(json.loads, lines.splitlines())
        )


@pytest.mark.parametrize("name", ["complete", "unresponsive", "cheated"])
def test_every_key_of_an_export_is_documented(call: Call, records: Path, name: str) -> None:
    found = json.loads(call("export", records / f"{name}.p2ps", "--json").out)
    assert keys(found) <= documented("export") | documented("audit")


def test_every_key_of_doctor_and_games_is_documented(call: Call) -> None:
    assert keys(json.loads(call("doctor", "--json").out)) <= documented("doctor")
    assert keys(json.loads(call("games", "--json").out)) <= documented("games")
