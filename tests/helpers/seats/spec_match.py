"""Prints the match with which SPEC.md begins; `--write` puts it there.

Seeded, so that it is the same everywhere; a test compares SPEC.md with it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from textwrap import wrap

from p2p_stratego.core.game import Decision
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.formats import narration
from protocol.crypto.keys import fingerprint
from protocol.record import statements
from protocol.record.asks.base import Decided, Reached
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.entries import parse_entry
from protocol.record.referee import Referee
from protocol.record.statements import parse as parse_statement
from protocol.seat.session import Session
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message
from tests.helpers.seats.pair import Seat, Table

SPEC = Path(__file__).parents[3] / "SPEC.md"
BEGIN, END = "<!-- match: begin", "<!-- match: end -->"
WIDTH = 120
"""Characters of a line of SPEC.md."""
SEED = 250
"""Chosen for a match that ends on the first day, by the flag: short, with cards that stay closed."""


def play(seed: int = SEED) -> Seat:
    """Seat 0 of the finished match, with its log."""
    bots = [Recruit(random.Random(seed + seat)) for seat in range(2)]

    def decide(session: Session, _: Decision, __: random.Random) -> Decided:
        return bots[session.seat].decide(session.view)

    options = {"wall": 2}
    return Table(seed, game=GAMES["spies-and-lies"], options=options, decide=decide).play().seats[0]


def printed(seat: Seat) -> str:
    """The match, one record a line, with the sentences of the game between."""
    begun = seat.begun
    names = [player.name for player in begun.players]
    colours = begun.seat_names
    options = ", ".join(f"{name} {value}" for name, value in begun.options.items())
    lines = [f"genesis    id {_short(begun.id)}  {begun.game.name}, rules {begun.game.version}, {options}"]
    for number, player in enumerate(begun.players):
        lines.append(
            f"           seat {number} is {colours[number]}: {player.name}, key {fingerprint(player.key)}, "
            f"nonce {_short(player.nonce)}, anchor {_short(player.anchor)}"
        )
    referee = Referee(begun)
    before, read = None, 0
    for frame in seat.log:
        lines.append(_record(referee, frame))
        for step in referee.table.history[read:]:
            if isinstance(step, Reached):
                for sentence in narration.step(before, step.state, names):
                    lines += wrap(sentence, WIDTH, initial_indent=f"{'':27}· ", subsequent_indent=" " * 29)
                before = step.state
        read = len(referee.table.history)
    return "\n".join(lines)


def _record(referee: Referee, frame: Frame) -> str:
    colours = referee.genesis.seat_names
    if frame.kind == ENTRY:
        entry = parse_entry(frame.payload)
        referee.admit_entry(entry)
        message = _message(CODEC.parse(entry.message))
        return f"entry {entry.number:3}  head {_short(referee.head)}  {colours[entry.seat]:4} {message}"
    statement = parse_statement(frame.payload)
    referee.admit_statement(statement)
    content = " ".join(map(str, statements.as_value(statement.content)))
    spoken = f"{statement.kind.name} {content}".rstrip()
    over = f"over {_short(statement.head)}"
    return f"statement  {over}  {colours[statement.seat]:4} {spoken}"


def _message(message: Message) -> str:
    match message:
        case Choice(move):
            return f"Choice “{move}”"
        case HiddenChoice(digest):
            return f"HiddenChoice {_short(digest)}"
        case ShownChoice(move, salt):
            return f"ShownChoice “{move}”, salt {_short(salt)}"
        case Commitments(digests):
            return f"Commitments {' '.join(map(_short, digests))}"
        case Opening(face, salt):
            return f"Opening {face}, salt {_short(salt)}"
        case Share(link):
            return f"Share {_short(link)}"
        case _:
            raise AssertionError(message)


def _short(data: bytes) -> str:
    return data.hex()[:8] + "…"


def block() -> str:
    """The text in SPEC.md between the marks."""
    return f"\n```text\n{printed(play())}\n```\n"


def within(text: str) -> tuple[int, int]:
    """Where in SPEC.md's text the block begins and ends."""
    start = text.index("-->", text.index(BEGIN)) + len("-->")
    return start, text.index(END)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        old = SPEC.read_text(encoding="utf-8")
        first, last = within(old)
        SPEC.write_text(old[:first] + block() + old[last:], encoding="utf-8")
    else:
        sys.stdout.write(block())
