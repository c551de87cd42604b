"""The explorer of openings: its pages in three languages, and where each row leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

import pytest

from cli.archive import opening_explorer
from cli.archive.opening_explorer import Explorer, Node
from cli.screen.chooser import BACK, QUIT, ChoiceList, draw
from cli.screen.explorer import Behind, explore, page
from cli.text import language
from cli.text.layout import words
from tests.golden.screens import assert_as_it_was

SETUPS = Node("setups", "classic")
FLAG = SETUPS.then("flag b1")
LAST = FLAG.then("spy c2")
BRANCHES = [("setups", "classic", 1234), ("moves", "classic", 1234), ("moves", "own army", 2)]
CHOICES: dict[Node, list[tuple[Any, ...]]] = {
    SETUPS: [
        ("flag b1", None, 1400, 800, 100, 500, 0.607),
        ("flag j1", None, 1000, 400, 0, 600, 0.4),
        ("flag <b>\x1b[31m", "blue", 68, 1, 0, 67, 1 / 68),
    ],
    FLAG: [("spy c2", "red", 3, 1, 1, 1, 0.5)],
}
MATCHES = [
    ("ab" * 32, ["Ada", "Ben\x1b"], "red", "flag", 402, 1_700_000_000),
    ("cd" * 32, ["Eve", "Ada"], None, "quiet", 1999, None),
]


class Answer(NamedTuple):
    rows: list[tuple[Any, ...]]


class Canned:
    """Answers without an archive."""

    def ask(self, sql: str, values: Mapping[str, Any]) -> Answer:
        if "kind" not in values:
            return Answer(BRANCHES)
        node = Node(values["kind"], values["variant"], tuple(values["path"]))
        if "steps" in sql:
            return Answer(MATCHES * (opening_explorer.MOST // 2) if node == SETUPS else MATCHES)
        if sql.startswith("SELECT count"):
            return Answer([(250,)])
        rows = CHOICES.get(node, [])
        return Answer([(*row, len(rows)) for row in rows])


@pytest.fixture
def explorer() -> Explorer:
    return Explorer(cast("Any", Canned()), "stratego")


@pytest.fixture
def speaking(request: pytest.FixtureRequest) -> Iterator[str]:
    language.install(request.param)
    yield request.param
    language.install("en")


@pytest.mark.parametrize("speaking", ["en", "de", "nl"], indirect=True)
@pytest.mark.parametrize(
    ("name", "target"), [("setups", SETUPS), ("matches", Behind(SETUPS)), ("begin", Node())]
)
def test_a_page_looks_as_it_did(explorer: Explorer, speaking: str, name: str, target: Node | Behind) -> None:
    listing = page(explorer, target).listing
    shown = "\n".join(map(words, draw(listing, 80, 24)))
    assert "\x1b" not in shown
    assert_as_it_was(f"explorer-{name}-80x24{'' if speaking == 'en' else f'-{speaking}'}", shown)
    lines = draw(listing, 80, 24, ascii_only=True)
    assert all(words(line).isascii() for line in lines)


def test_rows_lead_deeper_and_at_the_end_to_the_matches(explorer: Explorer) -> None:
    assert page(explorer, Node()).targets == [SETUPS, Node("moves", "classic"), Node("moves", "own army")]
    assert [*page(explorer, SETUPS).targets][:2] == [FLAG, SETUPS.then("flag j1")]
    assert page(explorer, SETUPS).targets[-1] == Behind(SETUPS)
    assert page(explorer, LAST).targets == [match[0] for match in MATCHES]


def test_enter_goes_deeper_back_returns_to_the_same_row_and_a_match_is_shown(explorer: Explorer) -> None:
    seen: list[tuple[int, int, bool]] = []
    keys = iter([0, 1, BACK, 0, 0, 1, BACK, BACK, 3, 0, QUIT])
    shown: list[str] = []

    def pick(listing: ChoiceList) -> int:
        seen.append((len(listing.rows), listing.at, listing.nested))
        return next(keys)

    explore(explorer, Node(), pick, shown.append)
    assert shown == ["cd" * 32, "ab" * 32]
    assert seen[:4] == [(3, 0, False), (4, 0, True), (2, 0, True), (4, 1, True)]
    assert next(keys, None) is None


def test_leaving_the_first_page_ends(explorer: Explorer) -> None:
    shown: list[str] = []
    explore(explorer, SETUPS, lambda _listing: BACK, shown.append)
    assert shown == []
