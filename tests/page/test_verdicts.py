"""The page's verifier comes to the verdicts of Python's audit.  `make pages` tries thousands more."""

from __future__ import annotations

from tests.campaigns.page_verdicts import HERE, compared, disagreement, known
from tests.helpers.forgery.mutate import intact
from tests.helpers.in_javascript.page_verdicts import by_python, by_the_page

COUNT = 60


def test_whole_matches_have_one_verdict() -> None:
    copies = [
        intact(source, copy).data
        for source in {one.name: one for one in known()}.values()
        for copy in range(len(source.logs))
    ]
    told = by_the_page(copies)
    assert [disagreement(one, by_python(data, HERE)) for one, data in zip(told, copies, strict=True)] == (
        [""] * len(copies)
    )
    assert {one["status"] for one in told} == {"complete", "incomplete", "unresponsive", "cheated"}


def test_spoilt_and_forged_ones_have_one_verdict() -> None:
    verdicts, found = compared(range(COUNT))
    assert found == []
    assert set(verdicts) >= {"complete", "incomplete", "cheated", "tampered"}


def test_a_disagreement_would_be_found() -> None:
    one, other = (intact(source, 0).data for source in known()[:2])
    (told,) = by_the_page([one])
    assert disagreement(told, by_python(one, HERE)) == ""
    assert "size" in disagreement(told, by_python(other, HERE))
