"""The costliest decisions as plain values: each question with many answers to it, judged beforehand.

A page shows them to somebody who tries again without this program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from cli.games.interface import Misunderstood
from cli.reports.rows import Plain
from cli.studies.analysis.analysis_text import points
from cli.studies.analysis.mistakes import NEXT, Retries, as_good, odds
from p2p_stratego.core.analysis import COSTLY, Judgement
from p2p_stratego.core.language import _

MOST: Final = 24
"""Answers that a question offers, besides the player's own and the best one."""
_TRIED: Final = 2_000
"""Lines that are looked at for the answers to one question."""
T = TypeVar("T")


def questions(retries: Retries) -> Iterator[Plain]:
    """The questions, the costliest first.

    Each has `at`, the step that the board shows with it, from 0, and sentences: `heading`, `asked`,
    `answers`, each with what it comes to, and `best`.
    """
    while not retries.over:
        yield _question(retries)
        retries.enter(NEXT[1])


def _question(retries: Retries) -> Plain:
    made = retries.open
    answers = {judged.chosen: _worth(judged, judged.odds) for judged in _judged(retries)}
    answers[made.chosen] = _worth(made, made.odds)
    answers[made.best] = [as_good(made.best), *odds(made.best_odds)]
    return {
        "at": max(made.made.step - 2, 0),
        "heading": retries.heading,
        "asked": retries.question.text,
        "answers": [[answer, answers[answer]] for answer in sorted(answers)],
        "best": list(retries.best),
    }


def _judged(retries: Retries) -> Iterator[Judgement]:
    """Other answers that can be compared with the best one, spread over all that there are."""
    for line in spread([*_lines(retries)], MOST):
        judged = retries.judged(line)
        if judged.chosen and judged.lost is not None:
            yield judged


def _lines(retries: Retries) -> Iterator[str]:
    """The whole lines that answer the open question: what is offered, with what can follow it."""
    begun, read = [""], retries.game.questions.read
    for _time in range(_TRIED):
        if not begun:
            return
        for choice in retries.game.questions.choices(retries.context(begun.pop())):
            try:
                read(retries.open.made.view, choice.word)
            except Misunderstood:
                if not choice.word.endswith(" "):
                    begun.append(f"{choice.word} ")
            else:
                yield choice.word


def spread(values: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of the values, as far apart as they can be."""
    if len(values) <= most:
        return values
    return [values[at * len(values) // most] for at in range(most)]


def _worth(judged: Judgement, chance: float | None) -> list[str]:
    if (judged.lost or 0.0) < COSTLY:
        return [as_good(judged.chosen), *odds(chance)]
    cost = points(judged.lost or 0.0, sign=False)
    return [
        _("{choice}: it costs {cost} points. Try again.", choice=judged.chosen, cost=cost),
        *odds(chance),
    ]
