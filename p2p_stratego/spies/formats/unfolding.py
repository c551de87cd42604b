"""The events of a step of SPIES! while it is open, told as they happen: public things only.

A step can have a dozen questions to several players, and each must know what the ones before came to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2p_stratego.core.game import Ask
from p2p_stratego.spies.formats.narration import events
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import Followed


class Unfolding:
    """One step, told Ask by Ask; implements `core.narration.Unfolding`."""

    def __init__(self, before: State, names: Sequence[str]) -> None:
        """`before`: the state before the step."""
        self._step, self._names, self._told = Followed(before), names, 0

    def hear(self, ask: Ask, answer: Any) -> Sequence[str]:
        """The events up to the next Ask, as far as they are not told yet, a sentence each."""
        state = self._step.answered(ask, answer)
        if state is None:
            return ()
        told = tuple(events(state, self._names, min(self._told, len(state.report))))
        self._told = len(state.report)
        return told
