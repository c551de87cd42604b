"""Verdicts on transcripts as the page's verifier gives them, and as Python's audit does, in one form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from p2p_stratego.core.game import Game
from protocol.audit.verdict import Report, audit
from protocol.errors import Refusal, Unsupported
from tests.helpers.machine.node import run_node

Told: TypeAlias = dict[str, Any]
_COUNTED: Final = (
    *("entries", "statements", "signatures", "endorsed", "laid", "opened", "closed"),
    *("rolls", "decisions", "takebacks", "looks", "mixes", "claims", "settled", "proofs", "proven", "ends"),
)


def by_the_page(transcripts: Iterable[bytes], *, every: bool = False, toy: bool = True) -> list[Told]:
    """The page's verdicts, one each; `toy`: it has the rules of the tests' tiny game, too."""
    data = b"".join(
        bytes((every,)) + len(transcript).to_bytes(4, "big") + transcript for transcript in transcripts
    )
    run = run_node(["tests/page/judge.mjs", *(["--toy"] if toy else [])], data=data)
    assert run.returncode == 0, run.stderr.decode()
    verdicts = [json.loads(line) for line in run.stdout.splitlines()]
    for verdict in verdicts:
        verdict.pop("failed"), verdict.pop("id")
        if verdict["problem"] is not None and verdict["status"] != "failed":
            verdict["problem"] = True  # the words differ
        verdict["counts"].pop("agreed", None)
    return verdicts


def by_python(data: bytes, games: Mapping[str, Game[Any]], *, every: bool = False) -> Told:
    """Python's verdict, in the form of the page."""
    verdict: Told = {"culprit": None, "place": None, "rule": None, "winners": None, "reason": None}
    verdict |= {
        "outcome": None,
        "owed": None,
        "unsettled": [],
        "contested": [],
        "outOfTime": [],
        "silent": [],
        "neverSettled": [],
        "problem": True,
        "at": None,
    }
    verdict |= {"size": 0, "torn": False, "counts": {}}
    try:
        report = audit(data, games, every_signature=every)
    except Unsupported:
        return {**verdict, "status": "unsupported", "code": 50}
    except Refusal:
        return {**verdict, "status": "unreadable", "code": 65}
    return {**verdict, **_of(report)}


def _of(report: Report) -> Told:
    fault, outcome, owed = report.fault, report.outcome, report.owed
    ended = None if outcome is None else {"winners": sorted(outcome.winners), "reason": outcome.reason}
    return {
        "status": report.verdict.value,
        "code": report.exit_code,
        "culprit": None if fault is None else fault.seat,
        "place": None if fault is None else {"what": fault.what, "number": fault.number},
        "rule": None if fault is None else fault.rule,
        "winners": None if ended is None else ended["winners"],
        "reason": None if ended is None else ended["reason"],
        "outcome": ended,
        "owed": None if owed is None else {"seat": owed.seat, "message": owed.message.__name__},
        "unsettled": list(report.unsettled),
        "contested": list(report.contested),
        "outOfTime": list(report.out_of_time),
        "silent": list(report.silent),
        "neverSettled": list(report.never_settled),
        "problem": None if report.problem is None else True,
        "at": report.at,
        "size": report.size,
        "torn": report.torn,
        "counts": {name: getattr(report.checks, name) for name in _COUNTED},
    }
