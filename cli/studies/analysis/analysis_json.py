"""An analysis as JSON values; docs/json.md describes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cli.reports import describe
from cli.reports.rows import Plain
from cli.studies.analysis.analysing import Analysed
from p2p_stratego.core.analysis import Judgement
from p2p_stratego.core.game import Seat
from p2p_stratego.registry import ENTRIES, judge
from protocol.record.genesis import Genesis

FORMAT: Final = 2
"""Grows when a key goes away or changes its meaning."""
_DIGITS: Final = 4
"""Behind the point: floating-point sums of other machines agree so far."""


def plain(analysis: Analysed, seats: list[Seat]) -> Plain:
    """All findings, with the decisions of `seats`."""
    genesis = analysis.report.genesis
    return {
        "type": "analysis",
        "format": FORMAT,
        **describe.audited(analysis.report),
        "lesson": analysis.lesson,
        "judge": judge_of(genesis),
        "seats": [_seat(analysis, seat) for seat in seats],
        "decisions": [
            decision(genesis, judgement) for judgement in analysis.judged if judgement.made.seat in seats
        ],
        "chances": [
            {
                "step": at,
                "entry": step.number,
                "chance": _by_seat(analysis, outlook.seen),
                "own": _by_seat(analysis, outlook.own),
                "all": _by_seat(analysis, outlook.whole),
            }
            for at, (step, outlook) in enumerate(zip(analysis.steps, analysis.outlooks, strict=True), start=1)
        ],
        "turning_points": [
            {
                "step": turn.at,
                "entry": analysis.steps[turn.at - 1].number,
                "change": {
                    describe.seat_name(genesis, seat): _rounded(
                        analysis.chances[turn.at - 1][seat] - analysis.chances[turn.at - 2][seat]
                    )
                    for seat in range(len(genesis.players))
                },
                "told": list(analysis.steps[turn.at - 1].sentences),
                "reason": turn.reason,
            }
            for turn in analysis.turns
        ],
    }


def _by_seat(analysis: Analysed, values: Sequence[float | None] | None) -> Plain | None:
    if values is None:
        return None
    genesis = analysis.report.genesis
    return {describe.seat_name(genesis, seat): _rounded(value) for seat, value in enumerate(values)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS) + 0.0


def _seat(analysis: Analysed, seat: Seat) -> Plain:
    sums, own = analysis.sums(seat), analysis.of(seat)
    right = [decision for decision in own if decision.came is not None]
    return {
        "seat": describe.seat_name(analysis.report.genesis, seat),
        "decided": sums.decided,
        "judged": sums.judged,
        "unknown": sums.unknown,
        "best_chosen": sums.best,
        "lost": _rounded(sums.lost),
        "luck": _rounded(sums.luck),
        "given": _rounded(sums.given),
        "gained": _rounded(sums.gained),
        "tried": len(right),
        "came": sum(bool(decision.came) for decision in right),
        "expected": _rounded(sum(decision.odds or 0.0 for decision in right)),
        "told": analysis.game.summary(analysis.names[seat], own),
    }


def judge_of(genesis: Genesis) -> Plain:
    """By whose eyes a game is analysed."""
    game = genesis.game.name
    return {"bot": judge(game), "version": ENTRIES[game].bots_version}


def decision(genesis: Genesis, judgement: Judgement) -> Plain:
    """One judged decision."""
    made = judgement.made
    answer: Any = list(made.answer) if isinstance(made.answer, tuple) else made.answer
    return {
        "entry": made.number,
        "step": made.step,
        "seat": describe.seat_name(genesis, made.seat),
        "kind": judgement.kind,
        "decided": answer,
        "chosen": judgement.chosen,
        "best": judgement.best or None,
        "odds": _rounded(judgement.odds),
        "best_odds": _rounded(judgement.best_odds),
        "came": judgement.came,
        "lost": _rounded(judgement.lost),
        "luck": _rounded(judgement.luck),
        "given": _rounded(judgement.given),
        "gained": _rounded(judgement.gained),
        "knew": [
            {"what": likelihood.name, "odds": _rounded(likelihood.odds)} for likelihood in judgement.knew
        ],
        "unknown": judgement.unknown,
        "hasty": judgement.hasty,
    }
