"""Hints against bots alone: what the game's adviser would answer now, and why.

The adviser gets the view of our own seat and nothing else, as every bot does.  At a table with other people
there are none: a program that plays for its player would cheat them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from cli.games.interface import Decided, Misunderstood
from cli.table.seat.coaching import advice
from cli.table.seat.controller import TableController
from cli.table.words import other_players
from cli.text.layout import series
from p2p_stratego.core.analysis import COSTLY, Judgement, MadeDecision
from p2p_stratego.core.language import _
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import Bot, Chance, View
from p2p_stratego.registry import ENTRIES, adviser, signature

_DRAWS: Final = 20
"""Draws of the adviser, of which one in twenty is costly by its own eyes."""
_TRIED: Final = 200
"""Typed answers that are compared with the proposed one."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A proposed answer: sentences about it, and the line to type for it, "" if there is no such line."""

    sentences: Sequence[str]
    line: str


class _Lots:
    """The adviser's lots, which follow from the question: a `Chance` that draws the same in every run."""

    def __init__(self, question: bytes) -> None:
        self._drawn = hashlib.sha256(question)

    def random(self) -> float:
        """The next number x, 0 ≤ x < 1."""
        self._drawn.update(b"next")
        return int.from_bytes(self._drawn.digest()[:6]) / (1 << 48)


def why_not(table: TableController) -> str:
    """Why there is no hint now, in a few words; "" if there is one."""
    if table.coach.teaches:
        return _("in a lesson the coach tells")
    if not other_players.alone_with_bots(table.replica):
        return _("other people play here")
    if not table.asked or table.over:
        return _("nothing is asked of you")
    return ""


def proposed(table: TableController) -> Hint:
    """The adviser's answer to the open question; the same however often it is asked for."""
    game, serial = table.replica.match.game.name, table.session.referee.table.serial
    view = table.session.long_view
    setting_up, context = table.setting_up, table.context
    if setting_up is not None and context is not None and setting_up.question(context) is not None:
        templates = _("Type setups for templates, or random for an army by the rules of thumb.")
        advised = [table.amiss] if table.amiss else _advised(game, view)
        return Hint([*advised, templates, _signed(game)], "")
    lots = _Lots(table.replica.match.id + serial.to_bytes(8))
    decided = _not_costly(game, view, adviser(game, lots))
    spoken = table.terminal.questions.spoken(view, decided)
    own = [*_judged(game, view, decided), *_reasoned(game, view, decided)]
    reasons = [*dict.fromkeys(own)] or _advised(game, view)
    line = _line(table, decided)
    if not line and (way := _way(table, decided, lots)):
        spoken = line = way
    typed = [_("Type {line}.", line=line)] if line and not table.environment.keys else []
    return Hint([f"→ {spoken}", *reasons, *typed, _signed(game)], line)


def _not_costly(game: str, view: View[Any], bot: Bot[Any]) -> Decided:
    """An answer of the adviser's; one that it draws by lot is not what `mistakes` calls costly afterwards."""
    for _draw in range(_DRAWS):
        decided = bot.decide(view)
        if all((judgement.lost or 0.0) < COSTLY for judgement in _judgements(game, view, decided)):
            break
    return decided


def _judgements(game: str, view: View[Any], decided: Decided) -> Iterator[Judgement]:
    """What the analysis of the game says about an answer before its results are known."""
    analysis = ENTRIES[game].analysis
    if analysis is not None:
        made = MadeDecision(0, 0, view, decided, None)
        # No time for other answers: the odds of this one are wanted alone.
        yield from analysis.load().judge([made], lambda: lambda: True)


def _signed(game: str) -> str:
    return _("{bot}. It sees what you see, and it can be wrong.", bot=signature(game))


def _reasoned(game: str, view: View[Any], decided: Decided) -> list[str]:
    """What the game itself says about an answer."""
    why = ENTRIES[game].why
    return [] if why is None else [*filter(None, [why.load()(view, decided)])]


def _advised(game: str, view: View[Any]) -> list[str]:
    """A rule of the coach's that holds now: what it says of the moment may be about another answer."""
    says = advice(game)
    rules = (remark.text for remark in (says(view) if says else ()) if remark.rule)
    return [*islice(rules, 1)]


def _judged(game: str, view: View[Any], decided: Decided) -> Iterator[str]:
    """The odds of an answer, and what it rests on, as the analysis tells them."""
    for judgement in _judgements(game, view, decided):
        odds = judgement.best_odds if judgement.odds is None else judgement.odds
        if odds is not None and (judgement.odds is not None or judgement.best == judgement.chosen):
            yield _("As far as you can know, this succeeds at {share}.", share=percent(odds))
        if judgement.knew:
            knew = [f"{likelihood.name} {percent(likelihood.odds)}" for likelihood in judgement.knew]
            yield _("The likeliest: {knew}.", knew=series(knew))


def _line(table: TableController, decided: Decided) -> str:
    """The line that a player types for a decision; "" if no offered line comes to it."""
    context, questions = table.context, table.terminal.questions
    if context is None:
        return ""
    lines = [choice.word for choice in questions.choices(context)[:_TRIED]]
    if isinstance(decided, str):  # choices in two parts are offered one part after the other
        lines.append(decided)
    else:  # cards are typed by their numbers, spies by their names
        named = [lines[face] for face in decided if face < len(lines)]
        lines = [" ".join(map(str, decided)), " ".join(named), *lines]
    alike = ""
    for line in lines:
        typed = table.context_with(line)
        if typed is not None:
            with suppress(Misunderstood):
                answer = questions.read(typed.view, typed.typed)
                if answer == decided:
                    return line
                if isinstance(answer, str) and isinstance(decided, str) and not alike:
                    # Of two chits of a kind a name means either.
                    same = questions.spoken(typed.view, answer) == questions.spoken(typed.view, decided)
                    alike = line if same else ""
    return alike


def _way(table: TableController, decided: Decided, lots: Chance) -> str:
    """The line of an answer that is one of too many to be offered, or by which the program lays pieces that
    are not typed one by one; "" if there is none.
    """
    if isinstance(decided, str):
        hinted = table.terminal.hinted
        return "" if hinted is None else hinted(table.session.long_view, decided)
    propose = table.terminal.proposal
    if propose is not None and (line := propose(table.session.view, lots)):
        return line
    context, questions = table.context, table.terminal.questions
    for word in [] if context is None else [choice.word for choice in questions.choices(context)]:
        typed = table.context_with(word)
        if typed is not None:
            with suppress(Misunderstood):
                questions.read(typed.view, typed.typed)
                return word
    return ""
