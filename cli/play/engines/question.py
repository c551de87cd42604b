"""A decision as a question to an engine: what it may answer, and what it must not.

The rules offer every answer that could be true by public information; an answer that the seat's own faces
belie breaks a rule, and would lose the game for its player.  So the rules are asked what follows from an
answer, as far as the seat can tell, and such answers are neither offered nor taken.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, cast

from p2p_stratego.core.game import (
    Ask,
    Back,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    Draw,
    Face,
    Game,
    Give,
    Lay,
    Move,
    NewDeck,
    Open,
    OpenTo,
    Show,
    Shuffle,
    Slot,
    Turn,
)
from p2p_stratego.core.self_play import Decided, allowed
from p2p_stratego.core.view import View

LISTED: Final = 1000
"""The most options that are listed; any other that the rules offer can be named."""
_LOOKED_AT: Final = 10_000
"""Options that are looked at for those that break no rule."""
_AHEAD: Final = 64
"""Asks behind a decision that are followed."""

Refusal: TypeAlias = Literal["no-such-option", "not-offered", "wrong-faces", "breaks-a-rule"]


class NotTaken(Exception):
    """An answer that the decision does not allow; `code`: why, `text`: a sentence in English."""

    def __init__(self, code: Refusal, text: str) -> None:
        self.code: Refusal = code
        self.text = text
        super().__init__(text)


class _Unforeseen(Exception):
    """What follows depends on more than the seat knows."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What the rules make of an answer of one seat, as far as the seat itself can tell."""

    game: Game[Any]
    view: View[Any]
    possible: bool
    """Whether anything can be told: a decision at the same time as another's hides what follows."""

    @classmethod
    def of(cls, game: Game[Any], view: View[Any]) -> Foreseen:
        """That of the decision of a view."""
        whole = cls(game, view, possible=True)
        try:
            return cls(game, view, possible=whole._resumed()[1] == view.decision)
        except (_Unforeseen, StopIteration):  # a step without a seat that has left
            return cls(game, view, possible=False)

    def broken(self, answer: Decided) -> str:
        """The rule that an answer breaks; "" for none."""
        if not self.possible:
            return ""
        turn, ask = self._resumed()
        known: ChainMap[Slot, Face] = ChainMap({}, cast("dict[Slot, Face]", self.view.known))
        reply: Any = answer
        if isinstance(ask, Commit):
            known.update(zip(ask.slots, map(int, answer), strict=True))
            reply = None
        try:
            for _unused in range(_AHEAD):
                ask = turn.send(reply)
                if isinstance(ask, Claim | ClaimOneOf) and ask.seat == self.view.seat and _belied(ask, known):
                    return ask.rule
                reply = _public(ask, known)
        except _Unforeseen:
            return ""
        except StopIteration as end:
            outcome = self.game.outcome(end.value)
            breach = None if outcome is None else outcome.breach
            return breach.rule if breach is not None and breach.seat == self.view.seat else ""
        return ""

    def _resumed(self) -> tuple[Turn[Any], Ask]:
        """The step under way, and the Ask at which it stands.  Raises _Unforeseen, StopIteration."""
        turn = self.game.turn(self.view.state)
        ask = next(turn)
        for before, settled in self.view.since:
            if (type(ask), getattr(ask, "seat", None)) != (type(before), getattr(before, "seat", None)):
                raise _Unforeseen
            ask = turn.send(settled)
        return turn, ask


def _belied(claim: Claim | ClaimOneOf, known: Mapping[Slot, Face]) -> bool:
    """Whether a seat that knows these faces sees that its claim is false."""
    faces = tuple(known.get(slot) for slot in claim.slots)
    if None in faces:
        return False
    return faces not in claim.tuples if isinstance(claim, ClaimOneOf) else not claim.faces.issuperset(faces)


def _public(ask: Ask, known: MutableMapping[Slot, Face]) -> Any:
    """The answer to an Ask that no person decides; what it shows enters `known`.  Raises _Unforeseen."""
    match ask:
        case Open(slot) if slot in known:
            return known[slot]
        case Show(slots, _, copies):
            known.update((new, known[old]) for old, new in zip(slots, copies, strict=True) if old in known)
        case Claim() | ClaimOneOf() | OpenTo() | Give() | Lay() | NewDeck() | Shuffle() | Draw() | Back():
            pass
        case _:
            raise _Unforeseen
    return None


@dataclass(frozen=True, slots=True)
class EngineQuestion:
    """A decision of one seat."""

    view: View[Any]
    options: tuple[Move, ...]
    """Of a Choose, those that break no rule as far as the seat can tell, at most LISTED."""
    foreseen: Foreseen
    complete: bool
    """Whether there are no others."""

    def parts(self) -> dict[str, Any]:
        """The key of the line "decide" for the decision."""
        decision = self.view.asked
        if isinstance(decision, Choose):
            return {"choose": {"options": list(self.options), "complete": self.complete}}
        return {
            "lay": {
                "slots": list(decision.slots),
                "faces": sorted(decision.faces),
                "exactly": decision.exactly,
            }
        }

    def chosen(self, option: int | str) -> Move:
        """The option of this index or in this typed form.  Raises NotTaken."""
        decision = self.view.asked
        if not isinstance(decision, Choose):
            raise NotTaken("not-offered", "this decision is answered with lay")
        if isinstance(option, int):
            if not 0 <= option < len(self.options):
                raise NotTaken("no-such-option", f"{len(self.options)} are listed, from 0 on")
            return self.options[option]
        if option not in self.options:
            if not allowed(decision, option):
                raise NotTaken("not-offered", "that is none of the options")
            self._require_true(option)
        return option

    def laid(self, faces: tuple[Face, ...]) -> tuple[Face, ...]:
        """The faces in the order of the slots.  Raises NotTaken."""
        decision = self.view.asked
        if not isinstance(decision, Commit):
            raise NotTaken("not-offered", "this decision is answered with choose")
        if not allowed(decision, faces):
            raise NotTaken("wrong-faces", f"{len(decision.slots)} of the faces, in the order of the slots")
        self._require_true(faces)
        return faces

    def _require_true(self, answer: Decided) -> None:
        if rule := self.foreseen.broken(answer):
            raise NotTaken("breaks-a-rule", f"your own faces belie that: {rule}")


def question(game: Game[Any], view: View[Any]) -> EngineQuestion:
    """The decision of a view as a question."""
    decision = view.asked
    foreseen = Foreseen.of(game, view)
    if not isinstance(decision, Choose):
        return EngineQuestion(view, (), foreseen, complete=True)
    looked_at = (move for move in islice(decision.options, _LOOKED_AT) if not foreseen.broken(move))
    true = list(islice(looked_at, LISTED + 1))
    complete = len(true) <= LISTED and next(islice(decision.options, _LOOKED_AT, None), None) is None
    if complete and not true:  # an earlier decision broke a rule: the seat has to answer all the same
        true = list(islice(decision.options, LISTED + 1))
        complete = len(true) <= LISTED
    return EngineQuestion(view, tuple(true[:LISTED]), foreseen, complete=complete)
