"""What is new in a match since one last looked: steps of the game, and what was said beside it.

Works from the record only, so a resumed game tells its whole history again, in the same words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from cli import story
from cli.escape import CHAT_CELLS, escape
from p2p_stratego.table import Open, Roll, Seat, Together
from protocol.match import Answered
from protocol.session import Session
from protocol.statements import Kind


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened: a step of the game, a line of chat, or another statement of a seat."""

    kind: Literal["step", "chat", "said"]
    seat: Seat | None
    """Who said it; None for a step."""
    text: str
    """A sentence; of chat, what was said.  Escaped."""
    opened: bool = False
    """Whether hidden things were opened in it, each found to be what was committed to."""


class News:
    """Reads one match as it grows."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._teller = story.Teller(session.genesis)
        self._opened = 0
        self._heard = [0] * len(session.genesis.players)

    def read(self) -> list[Item]:
        """Everything that is new, steps of the game first."""
        referee = self._session.referee
        items: list[Item] = []
        for step in self._teller.hear(referee.table.history):
            opened, self._opened = len(step.faces) > self._opened, len(step.faces)
            told = [Item("step", None, sentence) for sentence in step.sentences]
            items += [replace(told[0], opened=opened), *told[1:]]
        fresh = []
        for seat, known in enumerate(referee.statements):
            fresh += known[self._heard[seat] :]
            self._heard[seat] = len(known)
        for statement in sorted(fresh, key=lambda each: each.count):
            if statement.kind is Kind.CHAT:
                items.append(Item("chat", statement.seat, escape(statement.content[0], CHAT_CELLS)))
            elif statement.kind not in (Kind.AGREE, Kind.REVEAL, Kind.END):
                items.append(Item("said", statement.seat, story.speak(statement, self._session.genesis)))
        return items


@dataclass(frozen=True, slots=True)
class Checks:
    """What was verified in a match so far."""

    laid: int
    """Commitments to hidden things."""
    opened: int
    """Of those, opened and found to be what was committed to."""
    choices: int
    """Choices made at the same time, each committed to before any was shown."""
    rolls: int
    """Rolls of chance, from shares that all had committed to."""
    entries: int
    """Entries, each signed by who owed it and naming the hash of the one before."""

    @property
    def proofs(self) -> int:
        """How many secrets turned out to be what had been committed to."""
        return self.opened + self.choices + self.rolls


def checks(session: Session) -> Checks:
    """Count what the referee has admitted: it admits nothing unverified."""
    table = session.referee.table
    answered = [step for step in table.history if isinstance(step, Answered)]
    return Checks(
        len(table.hidden),
        sum(isinstance(step.ask, Open) for step in answered),
        sum(len(step.answer) for step in answered if isinstance(step.ask, Together) and any(step.answer)),
        sum(isinstance(step.ask, Roll) for step in answered),
        session.referee.count,
    )
