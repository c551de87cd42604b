"""Vectors of what seats say last, in Conquest of three: false claims, a draw, a REVEAL and an END."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from p2p_stratego.conquest.rules.pieces import FACE_NAMED
from p2p_stratego.core.game import Decision, Seat
from protocol.audit.proof import prove
from protocol.record.asks.base import Decided
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.statements import Kind, end_content, parse_record
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from tests.helpers.seats.pair import Decide, Table
from tests.helpers.seats.pair import Seat as Place
from tests.vectors.records.last_steps import CONQUEST, bot
from tests.vectors.records.leaving import carry, unrevealed
from tests.vectors.records.open_points import Copy

_KING, _SCOUT = FACE_NAMED["king"], FACE_NAMED["scout"]
_AGREED, _CHEATED = ((), "agreed-draw"), ((), "cheated")


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    yield from _withheld()
    yield from _gone()
    yield from _drawn()
    yield "cheated-two-reveal-crossed", _crossed()


def proofs() -> Iterator[tuple[str, bytes]]:
    """Sound records of a liar that is gone, put where they would make an honest record false: no proofs."""
    made, liar = _left()
    witness = _witness(made, liar)
    referee = witness.session.referee
    frames = [frame for entry in referee.entries for frame in referee.support(entry)]
    shown = revealed(made, liar, Copy(made, witness.log)).frames[-1]
    end = referee.statements[witness.seat][-1].frame
    yield "nothing-reveal-of-gone", prove(made.begun.body, [*frames, shown, end])
    yield "nothing-reveal-in-the-middle", _in_the_middle()


def _in_the_middle() -> bytes:
    """A REVEAL behind the false army: the liar's next Opening would end play under the entry behind it."""
    made, liar = _lying("middle")
    made.play()
    referee = made.seats[1 - liar].session.referee
    own = [entry for entry in referee.entries if entry.seat == liar]
    laid, opened = (
        next(entry.number for entry in own if isinstance(CODEC.parse(entry.message), kind))
        for kind in (Commitments, Opening)
    )
    frames = [frame for entry in referee.entries for frame in referee.support(entry)]
    consents = [known[0].frame for known in referee.statements]
    shown = revealed(made, liar, Copy(made, [*consents, *frames[: laid + 1]])).frames[-1]
    records = [*frames[: laid + 1], shown, *frames[laid + 1 : opened + 2]]
    return prove(made.begun.body, records)


def _withheld() -> Iterator[tuple[str, bytes]]:
    """A REVEAL that was withheld comes: before an END of its author, and behind one."""
    made, witness, hider = unrevealed()
    yield "complete-three-revealed-late", revealed(made, hider, Copy(made, witness.log)).transcript
    outcome = witness.session.outcome
    if outcome is None:
        raise AssertionError("the match goes on")
    ended = Copy(made, witness.log).say(hider, Kind.END, *end_content(outcome))
    yield "complete-three-unrevealed-by-all", ended.transcript
    yield "tampered-reveal-behind-end", revealed(made, hider, ended).transcript


def _gone() -> Iterator[tuple[str, bytes]]:
    made, liar = _left()
    witness = _witness(made, liar)
    yield "complete-three-never-settled", witness.transcript
    yield "tampered-reveal-of-gone", revealed(made, liar, Copy(made, witness.log)).transcript


def _drawn() -> Iterator[tuple[str, bytes]]:
    """A liar accepts a draw, then says two things: that it resigned before, and what it laid."""
    for kind in (Kind.RESIGN, Kind.REVEAL):
        made, liar, witness = _draw(kind)
        log, name = witness.log, kind.name.lower()
        own, other = (_AGREED, _CHEATED) if kind is Kind.RESIGN else (_CHEATED, _AGREED)
        verdict = "complete" if kind is Kind.RESIGN else "cheated"
        outcome = witness.session.outcome
        if outcome is None or end_content(outcome) != own:
            raise AssertionError(outcome)
        yield f"{verdict}-three-draw-{name}", witness.transcript
        refused = _says(made, log, witness.seat, Kind.END, *other)
        if kind is Kind.REVEAL:
            yield "cheated-three-draw-reveal-end", refused  # by the liar, as before: it is no false END
        else:
            yield "tampered-end-beside-draw", refused
            yield "complete-three-draw-resign-away", _says(made, log, witness.seat, Kind.AWAY, liar, 600, b"")
            yield "tampered-end-of-draw-resign", _says(made, log, liar, Kind.END, *own)
            yield "tampered-reveal-of-draw-resign", revealed(made, liar, Copy(made, log)).transcript


def _crossed() -> bytes:
    """Of two, the liar resigns and reveals a false army, and an entry of the other one crosses that."""
    made, _ = _lying("crossed", seats=2)
    honest = made.seats[1 - _LIAR]
    while honest.session.decision is None or honest.session.referee.owed is None:
        made.step()
        made.hold()
    before = [*honest.log]
    decision = honest.session.decision
    honest.session.decide(made.decide[honest.seat](honest.session, decision, made.rng))
    crossing = honest.persist()
    copy = Copy(made, before).say(_LIAR, Kind.RESIGN)
    return revealed(made, _LIAR, copy).tell(*crossing).transcript


def _says(made: Table, log: Sequence[Frame], seat: Seat, kind: Kind, *content: object) -> bytes:
    return Copy(made, log).say(seat, kind, *content).transcript


@cache
def _left() -> tuple[Table, Seat]:
    """The liar resigns with its army laid; the others play to the end."""
    made, liar = _lying("left")
    made.seats[liar].session.resign()
    made.play()
    if liar not in _witness(made, liar).session.referee.table.gone:
        raise AssertionError("it did not go")
    return made, liar


def _draw(last: Kind) -> tuple[Table, Seat, Place]:
    """The liar is the second of three to agree; who owes the entry agrees last."""
    made, liar = _lying("draw")
    owed = made.seats[0].session.referee.owed
    if owed is None or owed.seat == liar:
        raise AssertionError("the liar cannot agree first")
    author, closing = made.seats[3 - owed.seat - liar], made.seats[owed.seat]
    author.session.offer_draw()
    made.hold()
    made.seats[liar].session.accept_draw()
    made.hold()
    if last is Kind.RESIGN:
        word = Copy(made, author.log).say(liar, Kind.RESIGN).frames[-1]
        for seat in (author, closing):
            seat.session.receive(parse_record(word))
    closing.session.accept_draw()
    carry([author, closing])
    if last is Kind.REVEAL:
        word = revealed(made, liar, Copy(made, author.log)).frames[-1]
        for seat in (author, closing):
            seat.session.receive(parse_record(word))
        carry([author, closing])
    return made, liar, author


def _lying(name: str, seats: int = 3) -> tuple[Table, Seat]:
    """A match of one round at rest in its first turn; who is to move last has laid a scout for its king."""
    for number in range(100):
        made = _first_turn(f"last words {name} {number}", number, seats)
        state = made.seats[0].session.referee.table.state
        liar = (state.first - 1) % seats
        if liar == _LIAR:
            return made, liar
    raise AssertionError("no match fits")


_LIAR: Final = 1


def _first_turn(name: str, number: int, seats: int) -> Table:
    decide = [bot(f"{name} {seat}") for seat in range(seats)]
    decide[_LIAR] = _false_army(decide[_LIAR])
    made = Table(number, game=CONQUEST, options={"rounds": 1}, seats=seats, decide=decide)
    while not _moves(made.seats[0]) and made.step():
        pass
    return made.hold()


def _moves(seat: Place) -> bool:
    referee = seat.session.referee
    state = referee.table.state
    return state is not None and state.phase in ("cards", "play", "move")


def _false_army(honest: Decide) -> Decide:
    def decide(session: Session, decision: Decision, rng: random.Random) -> Decided:
        message = honest(session, decision, rng)
        if isinstance(message, str):
            return message
        return tuple(_SCOUT if face == _KING else face for face in message)

    return decide


def revealed(made: Table, seat: Seat, copy: Copy) -> Copy:
    """The copy with a REVEAL of what `seat` owes by it, whether that is due or not."""
    place, referee = made.seats[seat], copy.referee
    secrets = MatchSecrets(place.master, place.fresh())
    shown = replies.openings(secrets, referee, seat, place.session.known)
    return copy.say(seat, Kind.REVEAL, 0, shown)


def _witness(made: Table, leaver: Seat) -> Place:
    """The lowest seat but that one."""
    return next(seat for seat in made.seats if seat.seat != leaver)
