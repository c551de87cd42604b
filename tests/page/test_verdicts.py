"""The page's verifier comes to the verdicts of Python's audit.  `make pages` tries thousands more."""

from __future__ import annotations

from tests.campaigns.page_verdicts import HERE, compared, disagreement, known
from tests.helpers.forgery.mutate import intact
from tests.helpers.in_javascript.page_verdicts import by_python, by_the_page

COUNT = 60


def test_whole_matches_have_one_verdict() -> None:
    copies = [
        intact(source, copy).data
        for source in {source.name: source for source in known()}.values()
        for copy in range(len(source.logs))
    ]
    verdicts = by_the_page(copies)
    assert [
        disagreement(verdict, by_python(data, HERE)) for verdict, data in zip(verdicts, copies, strict=True)
    ] == ([""] * len(copies))
    assert {verdict["status"] for verdict in verdicts} == {
        "complete",
        "incomplete",
        "unresponsive",
        "cheated",
    }


def test_spoilt_and_forged_ones_have_one_verdict() -> None:
    verdicts, disagreements = compared(range(COUNT))
    assert disagreements == []
    assert set(verdicts) >= {"complete", "incomplete", "cheated", "tampered"}


def test_a_disagreement_would_be_found() -> None:
    data, other = (intact(source, 0).data for source in known()[:2])
    (verdict,) = by_the_page([data])
    assert disagreement(verdict, by_python(data, HERE)) == ""
    assert "size" in disagreement(verdict, by_python(other, HERE))
