"""The report of an archive as a page: texts from records stay text, and nothing is loaded."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from cli.archive.report_page import page
from cli.archive.reports import Chart
from cli.text import language

HOSTILE = "<script>alert(1)</script>\x1b\u202e&amp;\"'"
CHARTS = [
    Chart(
        "The best by rating", ("player", "fingerprint", "games", "rating", "±"), [(HOSTILE, "X", 3, 1500, 90)]
    ),
    Chart(HOSTILE, ("choice", "games", "won", "drawn", "lost", "score"), [(HOSTILE, 4, 1, 1, 2, 0.375)], 5),
    Chart(
        "How they end",
        ("players", "reason", "matches", "share"),
        [(2, None, 1, 0.25), (2, "flag", 3, 0.75)],
        3,
    ),
    Chart(
        "How many take how many steps",
        ("players", "from step", "to step", "matches", "of the most"),
        [(2, 1, 9, 1, 0.5), (2, 28, 36, 2, 1.0), (4, 7, 7, 1, 1.0)],
        4,
        histogram=True,
    ),
    Chart(
        "First moves",
        ("choice", "games"),
        [("a4", 1)],
        variant=HOSTILE,
        shown={"choice": lambda word: f"{word}{HOSTILE}"},
    ),
]


class Elements(HTMLParser):
    """The elements of a page, which must be closed in the order in which they were opened."""

    VOID = frozenset(("meta", "rect", "line"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _value in attrs}
        if tag not in self.VOID or tag == "rect":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _value in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("code", ["en", "de", "nl"])
def test_a_page_is_whole_and_its_texts_are_text(code: str) -> None:
    language.install(code)
    try:
        text = page("/home/ann/<club>", {"stratego": CHARTS, HOSTILE: []}).decode()
    finally:
        language.install("en")
    elements = Elements(text)
    assert elements.open == []
    assert "script" not in elements.seen
    assert elements.seen.count("svg") == 5
    assert not {"style", "src", "onload", "onclick"} & elements.attributes
    assert not re.search(r"https?:|\x1b|\u202e|/home/ann", text)
    assert text.count("&lt;script&gt;") == 7
    assert f'<html lang="{code}">' in text


def test_bars_and_columns_are_as_long_as_their_numbers() -> None:
    text = page("club", {"stratego": CHARTS}).decode()
    widths = [
        [float(width) for width in re.findall(r'width="([0-9.]+)" height="10"', bar)] for bar in bars(text)
    ]
    assert widths == [[25, 25, 50], [25, 75], [75, 25]]
    assert re.findall(r"<title>([^<]*)</title></rect>", text) == ["1–9: 1", "28–36: 2", "7–7: 1"]


def bars(text: str) -> list[str]:
    bars: list[str] = re.findall(r'<svg class="bar".*?</svg>', text)
    return bars
