"""SPEC.md begins with a match that really was played; it must be the one that this program plays."""

from __future__ import annotations

from protocol.audit import Verdict, audit
from tests.spec_match import SPEC, block, play, within


def test_the_match_printed_in_the_specification_is_the_one_played() -> None:
    text = SPEC.read_text(encoding="utf-8")
    first, last = within(text)
    assert text[first:last] == block(), "run python -m tests.spec_match --write"


def test_the_match_printed_in_the_specification_is_complete() -> None:
    report = audit(play().transcript)
    assert report.verdict is Verdict.COMPLETE
    assert report.checks.closed > 0
