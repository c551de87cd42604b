"""What SPEC.md promises beside the protocol itself: the match it begins with, and a test for every attack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.errors import RULES
from protocol.record.asks import registry
from tests.helpers.seats.spec_match import SPEC, WIDTH, block, play, within

TESTS = Path(__file__).parent
_NAMED = re.compile(r"^(?:async )?def (test_row_\w+)", re.MULTILINE)


def test_the_match_printed_in_the_specification_is_the_one_played() -> None:
    text = SPEC.read_text(encoding="utf-8")
    first, last = within(text)
    assert text[first:last] == block(), "run python -m tests.helpers.seats.spec_match --write"


def test_no_line_of_the_specification_is_too_long_to_read_beside_code() -> None:
    pages = [SPEC, *SPEC.with_name("spec").glob("*.md")]
    long = [
        (page.name, line)
        for page in pages
        for line in page.read_text("utf-8").splitlines()
        if len(line) > WIDTH
    ]
    assert len(pages) > 1
    assert long == []


def test_every_vector_file_is_named_in_the_specification() -> None:
    """Each section names its vectors."""
    text = SPEC.read_text(encoding="utf-8")
    data = TESTS / "vectors" / "data"
    names = [path.name + "/" * path.is_dir() for path in data.iterdir()]
    assert names
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_table_of_messages_has_all_of_them_with_their_numbers_and_fields() -> None:
    table = SPEC.read_text(encoding="utf-8").partition("\n## 7 ")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (\w+) \| `\[(\d+)((?:, [^`]+)?)\]` \|", table, re.MULTILINE)
    listed = {name: (int(tag), len(re.findall(r"\[.*?\]|[^,\s][^,]*", fields))) for name, tag, fields in rows}
    assert listed == {
        kind.__name__: (one.shape.tag, len(one.shape.checks)) for kind, one in registry.KINDS.items()
    }


def test_every_rule_of_the_protocol_is_named_in_the_specification() -> None:
    pages = [SPEC, *SPEC.with_name("spec").glob("*.md")]
    text = "".join(page.read_text("utf-8") for page in pages)
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
    """The attacks in the table of SPEC.md, in its order."""
    table = SPEC.read_text(encoding="utf-8").partition("\n## 18 ")[2]
    return [number for cell in re.findall(r"^\| (T[^|]*)\|", table, re.MULTILINE) for number in numbers(cell)]


def test_every_attack_in_the_table_has_tests_named_after_it_and_no_test_names_another() -> None:
    """The promise of section 18, both ways."""
    names = [name for path in TESTS.rglob("test_*.py") for name in _NAMED.findall(path.read_text("utf-8"))]
    assert [name for name in names if not re.match(r"test_row_\d{2,3}_", name)] == []
    assert sorted({int(name.split("_")[2]) for name in names}) == attacks()


def test_every_attack_that_the_text_refers_to_is_in_the_table() -> None:
    text = SPEC.read_text(encoding="utf-8")
    cells = re.findall(r"\[(T\d[^]]*)\](?!\()", text)
    assert len(cells) > 10
    assert {number for cell in cells for number in numbers(cell)} <= set(attacks())
