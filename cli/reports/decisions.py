"""The decisions of a match, each with what its seat could see then: what an analysis is made from.

All follows from the record, and from what the owner of the home folder knows beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from p2p_stratego.core.analysis import Made
from p2p_stratego.core.game import Ask, Choose, Commit, Face, Open, Seat, Slot, Together
from p2p_stratego.core.readers import read_by
from p2p_stratego.core.view import View
from protocol.record.asks.base import Answered
from protocol.record.asks.registry import is_drawn
from protocol.record.referee import Referee


def decisions(referee: Referee, secrets: Mapping[Slot, Face]) -> list[Made]:
    """Every decision that was made, in order.

    `secrets`: faces that are known beyond the record's; what stays unknown is missing in the views.
    """
    return list(_Walk(referee, {**secrets, **referee.table.faces}).made())


class _Walk:
    """A walk through the history of a match."""

    def __init__(self, referee: Referee, truth: Mapping[Slot, Face]) -> None:
        self._history, self._truth = referee.table.history, truth
        self._known: dict[Seat, dict[Slot, Face]] = {
            seat: {} for seat, _player in enumerate(referee.genesis.players)
        }
        self._state: Any = None
        self._step = 1
        self._since: list[tuple[Ask, Any]] = []

    def made(self) -> Iterator[Made]:
        """The decisions of each step, once its end is known."""
        waiting: list[Made] = []
        for item in self._history:
            if isinstance(item, Answered):
                waiting += self._decided(item)
                self._learn(item)
                continue
            for one in waiting:
                yield Made(one.number, one.step, one.view, one.answer, item.state)
            waiting = []
            self._state, self._since = item.state, []
            self._step += 1
        yield from waiting

    def _decided(self, item: Answered) -> Iterator[Made]:
        if self._state is None:
            return
        several = isinstance(item.ask, Together)
        parts = item.ask.asks if isinstance(item.ask, Together) else (item.ask,)
        answers = item.answer if several else (item.answer,)
        for part, answer in zip(parts, answers or [None] * len(parts), strict=True):
            if isinstance(part, Choose) and answer is None:
                continue  # its seat had left
            if isinstance(part, Choose | Commit) and not is_drawn(part):
                view = View(part.seat, self._state, dict(self._known[part.seat]), part, tuple(self._since))
                yield Made(item.number, self._step, view, self._answer(part, answer), None)

    def _answer(self, part: Choose | Commit, answer: Any) -> str | tuple[Face, ...] | None:
        if isinstance(part, Choose):
            return str(answer)
        if any(slot not in self._truth for slot in part.slots):
            return None
        return tuple(self._truth[slot] for slot in part.slots)

    def _learn(self, item: Answered) -> None:
        """What each seat can read from now on."""
        self._since.append((item.ask, item.answer))
        if isinstance(item.ask, Open) and item.answer is not None:
            for known in self._known.values():
                known[item.ask.slot] = item.answer
        for seat, slots in read_by(item.ask):
            self._known[seat].update((slot, self._truth[slot]) for slot in slots if slot in self._truth)
