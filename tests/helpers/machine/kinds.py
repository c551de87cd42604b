"""How long each kind of tests takes, and what was left out: said at the end of a run, and the first kept for
`make test-quick`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import pytest

MODEL: Final = "model"
"""The marker of tests that try every run of a small world."""
KINDS: Final = {
    "p2p_stratego": "rules, words and bots",
    "protocol": "protocol",
    "cli": "screens and commands",
    "page": "page in a browser",
    "cheats": "cheats",
    "vectors": "vectors",
    "conformance": "vectors",
}
"""By folder of `tests`; the rest is "the house"."""
KEPT: Final = "house/seconds"
"""Where pytest's cache holds seconds and number of tests, by test module."""
Seconds = dict[str, tuple[float, int]]
"""Seconds and number of tests, by the path of a module in this project."""


def kind(report: pytest.TestReport) -> str:
    """What a test is, by its marker or its folder."""
    if MODEL in report.keywords:
        return "models"
    return KINDS.get(report.nodeid.split("/", 2)[1], "the house")


def by_kind(reports: Iterable[pytest.TestReport]) -> list[str]:
    """One line a kind, the longest first: seconds of set-up, test and its end, and how many tests."""
    seconds, tests = Counter[str](), Counter[str]()
    for report in reports:
        seconds[kind(report)] += report.duration  # type: ignore[assignment]  # typeshed knows whole numbers only
        tests[kind(report)] += report.when == "call"
    return [f"{sort:<22}{seconds[sort]:>7.1f} s {tests[sort]:>7,} tests" for sort, _ in seconds.most_common()]


def not_tested(reports: Iterable[pytest.TestReport]) -> list[str]:
    """One line a reason why tests were skipped: how many, and what is missing."""
    skipped = (report.longrepr for report in reports if report.skipped)
    reasons = Counter(
        place[2].removeprefix("Skipped: ") for place in skipped if isinstance(place, tuple | list)
    )
    return [f"{count:>4} {'test' if count == 1 else 'tests'}: {why}" for why, count in reasons.most_common()]


def by_module(reports: Iterable[pytest.TestReport]) -> Seconds:
    """What each module took."""
    by_name: Seconds = {}
    for report in reports:
        module = report.nodeid.partition("::")[0]
        seconds, tests = by_name.get(module, (0.0, 0))
        by_name[module] = seconds + report.duration, tests + (report.when == "call")
    return by_name


def keep(config: pytest.Config, reports: Iterable[pytest.TestReport]) -> None:
    """Keep what this run took; a part of a module says nothing of all of it."""
    if not config.pluginmanager.has_plugin("cacheprovider"):
        return
    known = config.cache.get(KEPT, {})
    for module, (seconds, tests) in by_module(reports).items():
        if tests >= known.get(module, (0.0, 0))[1]:
            known[module] = seconds, tests
    config.cache.set(KEPT, known)
