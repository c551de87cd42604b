"""An analysis as JSON values; docs/json.md describes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cli.reports import describe
from cli.reports.rows import Plain
from cli.studies.analysis.analysing import Analysed
from p2p_stratego.core.analysis import Judged
from p2p_stratego.core.game import Seat

FORMAT: Final = 2
"""Grows when a key goes away or changes its meaning."""
_DIGITS: Final = 4
"""Behind the point: floating-point sums of other machines agree so far."""


def plain(found: Analysed, seats: list[Seat]) -> Plain:
    """All findings, with the decisions of `seats`."""
    genesis = found.report.genesis
    return {
        "type": "analysis",
        "format": FORMAT,
        **describe.audited(found.report),
        "lesson": found.lesson,
        "seats": [_seat(found, seat) for seat in seats],
        "decisions": [_decision(found, one) for one in found.judged if one.made.seat in seats],
        "chances": [
            {
                "step": at,
                "entry": step.number,
                "chance": _by_seat(found, one.seen),
                "own": _by_seat(found, one.own),
                "all": _by_seat(found, one.whole),
            }
            for at, (step, one) in enumerate(zip(found.steps, found.outlooks, strict=True), start=1)
        ],
        "turning_points": [
            {
                "step": turn.at,
                "entry": found.steps[turn.at - 1].number,
                "change": {
                    describe.seat_name(genesis, seat): _rounded(
                        found.chances[turn.at - 1][seat] - found.chances[turn.at - 2][seat]
                    )
                    for seat in range(len(genesis.players))
                },
                "told": list(found.steps[turn.at - 1].sentences),
                "reason": turn.reason,
            }
            for turn in found.turns
        ],
    }


def _by_seat(found: Analysed, values: Sequence[float | None] | None) -> Plain | None:
    if values is None:
        return None
    genesis = found.report.genesis
    return {describe.seat_name(genesis, seat): _rounded(value) for seat, value in enumerate(values)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS) + 0.0


def _seat(found: Analysed, seat: Seat) -> Plain:
    sums, own = found.sums(seat), found.of(seat)
    right = [one for one in own if one.came is not None]
    return {
        "seat": describe.seat_name(found.report.genesis, seat),
        "decided": sums.decided,
        "judged": sums.judged,
        "unknown": sums.unknown,
        "best_chosen": sums.best,
        "lost": _rounded(sums.lost),
        "luck": _rounded(sums.luck),
        "given": _rounded(sums.given),
        "gained": _rounded(sums.gained),
        "tried": len(right),
        "came": sum(bool(one.came) for one in right),
        "expected": _rounded(sum(one.odds or 0.0 for one in right)),
        "told": found.game.summary(found.names[seat], own),
    }


def _decision(found: Analysed, one: Judged) -> Plain:
    made = one.made
    answer: Any = list(made.answer) if isinstance(made.answer, tuple) else made.answer
    return {
        "entry": made.number,
        "step": made.step,
        "seat": describe.seat_name(found.report.genesis, made.seat),
        "kind": one.kind,
        "decided": answer,
        "chosen": one.chosen,
        "best": one.best or None,
        "odds": _rounded(one.odds),
        "best_odds": _rounded(one.best_odds),
        "came": one.came,
        "lost": _rounded(one.lost),
        "luck": _rounded(one.luck),
        "given": _rounded(one.given),
        "gained": _rounded(one.gained),
        "knew": [{"what": each.what, "odds": _rounded(each.odds)} for each in one.knew],
        "unknown": one.unknown,
        "hasty": one.hasty,
    }
