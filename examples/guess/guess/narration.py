"""The game in words; this module is a `core.narration.Narration`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from guess.rules import State
from p2p_stratego.core import narration
from p2p_stratego.core.game import Options, Outcome

_REASONS: Final[Mapping[str, str]] = {
    "found": "{W} wins: the high card is found.",
    "missed": "{W} wins: {L} has pointed at the low card.",
}
_SHORT: Final = {"found": "the high card found", "missed": "the high card missed"}


def step(before: State | None, after: State, names: Sequence[str]) -> Sequence[str]:
    """The events of one step."""
    if before is None:
        return (f"{names[after.guesser]} guesses.",)
    if before.phase == "hide":
        return (f"{names[1 - after.guesser]} has laid two cards.",)
    sentence = f"{names[after.guesser]} points {after.pointed}: it is the {after.shown}."
    return (sentence, *([ending(after.ended, names)] if after.ended else []))


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended."""
    broke = breach(outcome.breach.rule) if outcome.breach else ""
    return narration.ending(outcome, names, _REASONS, broke)


def reason(reason: str) -> str:
    """A reason in a few words."""
    return _SHORT.get(reason, reason)


def breach(rule: str) -> str:
    """The offence; this game has no rule of its own that can be broken."""
    return f"broke a rule: {rule}"


def options(options: Options, _seats: int) -> list[str]:
    """The agreed variant."""
    return [f"{options['first']} guesses"]
