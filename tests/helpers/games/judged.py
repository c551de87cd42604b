"""Games between bots, decision by decision, as an analysis takes them: without protocol and records."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from p2p_stratego.core import self_play
from p2p_stratego.core.analysis import Enough, Judgement, MadeDecision
from p2p_stratego.core.game import Options
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES, make_bot


def never() -> Enough:
    """No decision takes too long."""
    return lambda: False


class _Noted:
    """A bot whose decisions are kept."""

    def __init__(self, bot: Any, kept: list[tuple[View[Any], Any]]) -> None:
        self._bot, self._kept = bot, kept

    def decide(self, view: View[Any]) -> Any:
        answer = self._bot.decide(view)
        self._kept.append((View(view.seat, view.state, dict(view.known), view.decision, view.since), answer))
        return answer


def played(
    game: str,
    seed: int,
    *,
    level: str = "agent",
    seats: int = 2,
    options: Mapping[str, Any] | None = None,
    steps: int | None = None,
) -> tuple[list[MadeDecision], list[Any]]:
    """All decisions of one game, or of its first `steps`; and its states, the first one after the set-up."""
    rules, kept, made = GAMES[game], list[tuple[View[Any], Any]](), list[MadeDecision]()
    bots = [_Noted(make_bot(game, level, random.Random(seed * 10 + seat)), kept) for seat in range(seats)]
    table = self_play.Table(bots, random.Random(seed), readable=rules.needs_proofs)
    agreed: Options = rules.options(dict(options or {}))
    states = [table.through(rules.setup(seats, agreed), None)]
    while rules.outcome(states[-1]) is None and (steps is None or len(states) <= steps):
        states.append(table.through(rules.turn(states[-1]), states[-1]))
        made += [MadeDecision(len(made), len(states), view, answer, states[-1]) for view, answer in kept]
        kept.clear()
    return made, states


def judged(game: str, seed: int, **more: Any) -> list[Judgement]:
    """The analysis of one game."""
    entry = ENTRIES[game].analysis
    assert entry is not None
    return list(entry.load().judge(played(game, seed, **more)[0], never))
