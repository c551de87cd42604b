"""The program keeps the promises of its documents."""

from __future__ import annotations

import json
import re
import shlex
import typing
from pathlib import Path

import pytest

from cli.games import packages
from cli.reports import describe
from cli.shell.commands import COMMANDS
from cli.shell.exit_codes import MEANINGS
from cli.shell.parser import parser
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.registry import ENTRIES, OWN
from tests.helpers.program.commands import Call
from tests.helpers.program.json_keys import JSON, documented, keys
from tests.helpers.program.packages import EXAMPLES, install, site

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
GUIDE = sorted((ROOT / "docs" / "guide").glob("*.md"))
FOR_PEOPLE = (ROOT / "README.md", *GUIDE, ROOT / "CONTRIBUTING.md")
DOCUMENTS = (
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "spec").glob("*.md")),
    *sorted((ROOT / "conformance").glob("*.md")),
)
README_BYTES = 9_000
ANYWHERE_ELSE = ("http://", "https://", "mailto:")


def text_of(*paths: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def anchors(path: Path) -> set[str]:
    """The names of a document's headings in links, as GitHub and mkdocs make them."""
    text = re.sub(r"^```.*?^```", "", text_of(path), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    words = [re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", title.lower())) for title in titles]
    return {re.sub(r" +", "-", word.strip()) for word in words}


def test_the_readme_is_a_page_and_not_a_book() -> None:
    assert (ROOT / "README.md").stat().st_size <= README_BYTES


def test_the_page_of_exit_codes_lists_them_all_as_help_does() -> None:
    page = text_of(ROOT / "docs" / "exit-codes.md")
    table = dict(re.findall(r"^\| (\d+) \| (.+) \|$", page, flags=re.MULTILINE))
    assert table == {str(int(code)): meaning for code, meaning in MEANINGS.items()}


@pytest.mark.parametrize("game", sorted(OWN))
def test_the_guide_has_every_opponent_with_its_habit(game: str) -> None:
    page = text_of(ROOT / "docs" / "guide" / "opponents.md")
    for level, habit in ENTRIES[game].about_bots.items():
        assert f"| {CHARACTERS[level].name} | {habit} |" in page
        assert f"`--level {CHARACTERS[level].short.lower()}` | {CHARACTERS[level].temper} |" in page


def test_readme_and_guide_name_every_command_and_no_other() -> None:
    text = text_of(*FOR_PEOPLE)
    named = set(re.findall(r"(?:`|^    )p2p-stratego ([a-z]+)", text, re.MULTILINE))
    known = {entry.name for entry in COMMANDS}
    assert named - known == set()
    assert known <= named | set(re.findall(r"`([a-z]+)[ `]", text))


def test_every_command_that_a_document_shows_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its options; a word in capitals stands for itself, and a line with … for many.

    The games of the examples are installed, as the page about games of one's own says.
    """
    text = text_of(*DOCUMENTS)
    shown = re.findall(r"^    p2p-stratego((?: [^#\n]*)?)", text, re.MULTILINE)
    shown += re.findall(r"`p2p-stratego((?: [^`]*)?)`", text)
    lines = [line.partition(">")[0] for line in shown if "…" not in line]
    assert len(lines) > 40
    with site(tmp_path, monkeypatch) as folder:
        install(folder, "p2p-stratego-guess", {"guess": "guess.entry:ENTRY"})
        monkeypatch.syspath_prepend(EXAMPLES / "guess")
        packages.load()
        for line in lines:
            parser().parse_args(shlex.split(line))


def test_where_to_change_what_names_modules_and_names_that_are_there() -> None:
    page = text_of(ROOT / "docs" / "architecture.md").partition("## Where to change what")[2]
    rows = re.findall(r"^\| [^|`]*(?:`--json`)? ?\| `([\w/.]+)`(?:, `(\w+)`)? \|$", page, re.MULTILINE)
    assert len(rows) == page.partition("## How to add")[0].count("\n| ") - 1
    assert [row for row in rows if not re.search(rf"\b{row[1]}\b", text_of(ROOT / row[0]))] == []


def test_documents_name_no_make_target_that_is_not_there() -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", MAKEFILE, flags=re.MULTILINE))
    assert set(re.findall(r"(?:`|^    )make ([a-z]+)\b", text_of(*DOCUMENTS), re.MULTILINE)) <= targets
    assert {"demo", "test", "check", "bench", "install", "coverage", "clean", "arena", "vectors"} <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```", "", text_of(document), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`]*`", "", text)
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text):
        if link.startswith(ANYWHERE_ELSE):
            continue
        target, _, anchor = link.partition("#")
        path = (document.parent / target).resolve() if target else document
        assert path.exists(), link
        if anchor:
            assert anchor in anchors(path), link


@pytest.mark.parametrize("name", ["complete", "incomplete", "cheated", "tampered", "future"])
def test_every_key_of_an_audit_is_documented(call: Call, records: Path, name: str) -> None:
    run = call("audit", records / f"{name}.p2ps", records / "fork.p2ps", records / "fork-too.p2ps", "--json")
    for line in run.out.splitlines():
        assert keys(json.loads(line)) <= documented("audit")


def test_every_verdict_of_a_comparison_is_documented() -> None:
    (row,) = re.findall(r'"comparison"`.*?^\| `exit_code`, `verdict` \|[^|]*\|([^|]*)\|', JSON, re.M | re.S)
    assert set(re.findall(r"`(\w+)`", row)) == set(typing.get_args(describe.ComparisonVerdict))


def test_the_scenarios_that_are_shown_come_to_what_is_shown(call: Call) -> None:
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "scenarios.md").read_text(), re.S)
    assert len(blocks) == 14
    for scenario, lines in zip(blocks[::2], blocks[1::2], strict=True):
        run = call("referee", "-", stdin=json.dumps(json.loads(scenario)).encode())
        assert (run.code, run.err) == (0, "")
        assert [json.loads(line) for line in run.out.splitlines()] == list(
            map(json.loads, lines.splitlines())
        )


@pytest.mark.parametrize("name", ["complete", "unresponsive", "cheated"])
def test_every_key_of_an_export_is_documented(call: Call, records: Path, name: str) -> None:
    document = json.loads(call("export", records / f"{name}.p2ps", "--json").out)
    assert keys(document) <= documented("export") | documented("audit")


def test_every_key_of_doctor_and_games_is_documented(call: Call) -> None:
    assert keys(json.loads(call("doctor", "--json").out)) <= documented("doctor")
    assert keys(json.loads(call("games", "--json").out)) <= documented("games")
