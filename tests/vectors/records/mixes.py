"""Vectors of Conquest: a short match with mixed slots and many claims, and lies about what was mixed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Final

from p2p_stratego.core.game import Face, Mix, Options, Slot
from p2p_stratego.registry import GAMES, make_bot
from protocol.crypto.commitment import hide_face
from protocol.record.asks.mix import Mixed
from protocol.record.statements import Kind
from protocol.seat import replies
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Table
from tests.vectors.primitives import SALT

_GAME: Final = GAMES["conquest"]
_OPTIONS: Final[Options] = {"rounds": 4}


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    yield "complete-conquest", _whole()
    made = _mixing()
    made.lie([made.liar.entry(Mixed((SALT,) * len(_ask(made).new)))])
    yield "cheated-repeated-commitment-mixed", made.honest[0].transcript
    made = _mixing()
    faces = _changed(made)
    made.tell(made.liar.entry(Mixed(_commitments(made, faces))))
    yield "cheated-changed-pieces", _resigned(made, faces, 0)
    yield "cheated-changed-pieces-opened", _opened(2, 23)
    yield "cheated-changed-pieces-opened-three", _opened(3, 50)
    made = _mixing()
    made.tell(made.liar.entry(made.liar.truth()))
    yield "cheated-wrong-count-reveal-part", _resigned(made, {}, 1)


def _whole() -> bytes:
    bots = [make_bot(_GAME.name, "recruit", random.Random(5800 + seat)) for seat in range(2)]
    decide = [lambda session, _, __, bot=bot: bot.decide(session.view) for bot in bots]
    made = Table(58, game=_GAME, options=_OPTIONS, decide=decide).play()
    return made.seats[0].transcript


def _mixing() -> Bout:
    """A match in which the liar, seat 0, owes a Mix."""
    for number in range(100):
        made = Bout(number, game=_GAME, options=_OPTIONS, decide=honest)
        if made.run(owing(Mixed)) and len(_ask(made).new) > 1:
            return made
    raise AssertionError("nobody mixes anything")


def _opened(seats: int, first: int) -> bytes:
    """A match in which an opening during play shows what the liar changed, before the rules see it.

    Of three it is void, whatever more a copy holds.  `first`: the number of the first match to try.
    """
    for number in range(first, first + 100):
        made = Bout(number, game=_GAME, seats=seats, options={"rounds": 30}, decide=honest)
        while made.run(owing(Mixed)):
            ask = _ask(made)
            old = [made.liar.referee.table.faces.get(slot) for slot in ask.old]
            shown = [face for face in old if face is not None]
            if len(shown) < len(old) or len(set(shown)) == 1:
                made.tell(made.liar.entry(made.liar.truth()))
                continue
            laid = dict.fromkeys(ask.new, max(shown))
            made.liar.laid |= laid
            made.tell(made.liar.entry(Mixed(_commitments(made, laid))))
            made.run()
            if made.honest[0].session.referee.false_claim is not None:
                return made.honest[0].transcript
    raise AssertionError("no opening shows it")


def _ask(made: Bout) -> Mix:
    owed = made.liar.owes
    if owed is None or not isinstance(owed.ask, Mix):
        raise AssertionError("the liar owes no Mix")
    return owed.ask


def _changed(made: Bout) -> dict[Slot, Face]:
    """What the liar lays again; the first piece is not what lay there."""
    ask = _ask(made)
    faces = [made.liar.session.known[slot] for slot in ask.old]
    return dict(zip(ask.new, [(faces[0] + 1) % 12, *faces[1:]], strict=True))


def _commitments(made: Bout, faces: Mapping[Slot, Face]) -> tuple[bytes, ...]:
    game, liar = made.begun.id, made.liar
    return tuple(
        hide_face(game, liar.seat, slot, face, liar.secrets.salt(game, liar.seat, slot))
        for slot, face in faces.items()
    )


def _resigned(made: Bout, faces: Mapping[Slot, Face], part: int) -> bytes:
    """The liar resigns, and reveals one part; `faces`: those that it knows better than its session."""
    made.tell(made.liar.statement(Kind.RESIGN))
    liar = made.liar
    own = {**liar.session.known, **faces}
    shown = replies.openings(liar.secrets, liar.referee, liar.seat, own)
    made.lie([liar.statement(Kind.REVEAL, (part, shown))])
    return made.honest[0].transcript
