"""What SPEC.md and spec/ promise: a match as played, rules that can be cited, a test for every attack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.errors import RULES
from protocol.record.asks import registry
from tests.helpers.machine.modules import VECTORS
from tests.helpers.seats.spec_match import SPEC, WIDTH, block, play, within

TESTS: Final = Path(__file__).parent
ROOT: Final = TESTS.parent
FOLDER: Final = SPEC.with_name("spec")
PAGES: Final = (SPEC, *sorted(FOLDER.glob("*.md")))
ENTRANCE_BYTES: Final = 25_000
PAGE_BYTES: Final = 20_000
SOURCES: Final = ("p2p_stratego", "protocol", "cli", "tests", "benchmarks", "docs")
_NAMED = re.compile(r"^(?:async )?def (test_row_\w+)", re.MULTILINE)
_HEADING = re.compile(r"^(?:### (\d+\.\d+)|## ([DP]\d+)|### (P\d+\.\d+)) ")
_ITEM = re.compile(r"(\d+)\. ")
_ROW = re.compile(r"\| (\d+) \|")
_CITED = re.compile(
    r"(?<![\w.])(?<!RFC 9496, )"
    r"(?:1[0-8]\.\d{1,2}(?:\.\d{1,2})?|[3-9]\.\d{1,2}\.\d{1,2}|[DP]\d{1,2}(?:\.\d{1,2}){0,2})(?![\w.]*\d)"
)
"""A rule or a heading as the pages cite it; headings 3.1 to 9.6 alone could be versions or seconds."""


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@cache
def rules() -> dict[str, list[int]]:
    """By numbered heading (`10.5`): the numbers of the rules under it, in order.

    A rule is an item of a list, or a row of a table whose first column is called `rule`.
    """
    headings: dict[str, list[int]] = {}
    for page in PAGES:
        heading, pattern = "", _ITEM
        for line in text_of(page).splitlines():
            if line.startswith("#"):
                named = _HEADING.match(line)
                heading = "".join(filter(None, named.groups())) if named else ""
                assert heading not in headings
                if heading:
                    headings[heading] = []
            elif not line.startswith("|"):
                pattern = _ITEM
            elif line.startswith("| rule |"):
                pattern = _ROW
            if heading and (rule := pattern.match(line)):
                headings[heading].append(int(rule[1]))
    return headings


def is_there(citation: str) -> bool:
    """Whether a heading (`10.5`, `D4`) or a rule (`10.5.4`, `P7.3`) leads somewhere."""
    heading, _, rule = citation.rpartition(".")
    return citation in rules() or int(rule) in rules().get(heading, ())


def test_the_match_printed_in_the_specification_is_the_one_played() -> None:
    text = text_of(SPEC)
    first, last = within(text)
    assert text[first:last] == block(), "run python -m tests.helpers.seats.spec_match --write"


def test_no_page_of_the_specification_is_too_long_to_read_in_one_go() -> None:
    assert SPEC.stat().st_size <= ENTRANCE_BYTES
    assert [page.name for page in PAGES[1:] if page.stat().st_size > PAGE_BYTES] == []


def test_no_line_of_the_specification_is_too_long_to_read_beside_code() -> None:
    long = [(page.name, line) for page in PAGES for line in text_of(page).splitlines() if len(line) > WIDTH]
    assert len(PAGES) > 1
    assert long == []


def test_the_specification_lists_every_page_of_its_own_and_every_section() -> None:
    listed = set(re.findall(r"\]\(spec/([^)]+)\)", text_of(SPEC)))
    assert {page.name for page in PAGES[1:]} - listed == {"spies-rulings.md"}  # spies.md leads there
    sections = {name for page in PAGES for name in re.findall(r"^## ([DP]?\d+) ", text_of(page), re.M)}
    assert {heading.partition(".")[0] for heading in rules()} <= sections


def test_the_rules_under_a_heading_are_numbered_one_after_the_other() -> None:
    """So that 10.5.4 is one rule."""
    assert len(rules()) > 50
    assert {
        name: numbers for name, numbers in rules().items() if numbers != [*range(1, len(numbers) + 1)]
    } == {}


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "spies-rulings.md"], ids=lambda p: p.name
)
def test_every_rule_that_the_specification_cites_is_there(page: Path) -> None:
    """(The page of rulings cites the rule text of its game in this form.)"""
    assert [cited for cited in _CITED.findall(text_of(page)) if not is_there(cited)] == []


def test_every_rule_that_sources_and_documents_cite_is_there() -> None:
    cited = []
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".mjs", ".md"):
                hits = re.findall(r"SPEC ([DP]?\d+(?:\.\d+)*)", path.read_text(encoding="utf-8"))
                cited += [(path.name, number) for number in hits]
    assert len(cited) > 20
    sections = {str(number) for number in range(1, 19)}
    assert [(name, number) for name, number in cited if number not in sections and not is_there(number)] == []


def test_every_vector_file_is_named_in_the_specification() -> None:
    """Each section names its vectors."""
    text = "".join(map(text_of, PAGES))
    names = [path.name + "/" * path.is_dir() for path in VECTORS.iterdir()]
    assert names
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_table_of_messages_has_all_of_them_with_their_numbers_and_fields() -> None:
    table = text_of(FOLDER / "asks.md").partition("\n## 7 ")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (\w+) \| `\[(\d+)((?:, [^`]+)?)\]` \|", table, re.MULTILINE)
    listed = {name: (int(tag), len(re.findall(r"\[.*?\]|[^,\s][^,]*", fields))) for name, tag, fields in rows}
    assert listed == {
        kind.__name__: (message.shape.tag, len(message.shape.checks))
        for kind, message in registry.KINDS.items()
    }


def test_every_rule_of_the_protocol_is_named_in_the_specification() -> None:
    text = "".join(map(text_of, PAGES))
    assert [rule for rule in RULES if f"`{rule}`" not in text] == []


def test_the_match_printed_in_the_specification_is_complete() -> None:
    report = audit(play().transcript, GAMES)
    assert report.verdict is Verdict.COMPLETE
    assert report.checks.closed > 0


def numbers(cell: str) -> Iterator[int]:
    """The numbers that "T1, T2" or "T12–T18" stands for."""
    for part in cell.split(","):
        first, last = re.fullmatch(r"\s*T(\d+)(?:–T(\d+))?\s*", part).groups()  # type: ignore[union-attr]  # or the table is not what it should be
        yield from range(int(first), int(last or first) + 1)


def attacks() -> list[int]:
    """The attacks in the table of section 18, in its order."""
    table = text_of(FOLDER / "attacks.md").partition("\n## 18 ")[2]
    return [number for cell in re.findall(r"^\| (T[^|]*)\|", table, re.MULTILINE) for number in numbers(cell)]


def test_every_attack_in_the_table_has_tests_named_after_it_and_no_test_names_another() -> None:
    """The promise of section 18, both ways."""
    names = [name for path in TESTS.rglob("test_*.py") for name in _NAMED.findall(path.read_text("utf-8"))]
    assert [name for name in names if not re.match(r"test_row_\d{2,3}_", name)] == []
    assert sorted({int(name.split("_")[2]) for name in names}) == attacks()


def test_every_attack_that_the_text_refers_to_is_in_the_table() -> None:
    cells = [cell for page in PAGES for cell in re.findall(r"\[(T\d[^]]*)\](?!\()", text_of(page))]
    assert len(cells) > 10
    assert {number for cell in cells for number in numbers(cell)} <= set(attacks())
