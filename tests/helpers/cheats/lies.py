"""The table of lies: an opponent's false messages, and the required verdict on each.

A lie is told at a moment (`when`), as frames made there (`frames`).  `rule` is the Violation that the honest
side must find; None: the lie can blame no seat, so it must leave no trace.  A lie of two steps, such as
hiding a face that cannot be opened, takes the first step in `frames`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from p2p_stratego.core.game import Commit
from protocol.crypto.coin_toss import result
from protocol.crypto.commitment import hide_choice, hide_face
from protocol.record.asks.base import Obligation
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.genesis import chain_length
from protocol.wire.encoding import Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, Until, owing

JUNK = bytes(range(32))
MESSAGES: tuple[type[Message], ...] = (Choice, HiddenChoice, ShownChoice, Commitments, Opening, Share)
_ANY: dict[type[Message], Message] = {
    Choice: Choice("pass"),
    HiddenChoice: HiddenChoice(JUNK),
    ShownChoice: ShownChoice("pass", JUNK),
    Commitments: Commitments((JUNK,)),
    Opening: Opening(1, JUNK),
    Share: Share(JUNK),
}


@dataclass(frozen=True)
class Lie:
    """One row; see above.  `number`: the blamed entry or count, if not that of the lie.

    `frames`: none if the match came to its end before the lie could be told.
    """

    name: str
    when: Until
    frames: Callable[[Bout], list[Frame]]
    rule: str | None
    what: str = "entry"
    number: Callable[[Bout], int] | None = None

    def __str__(self) -> str:
        return self.name


def owed(bout: Bout) -> Obligation:
    """The obligation of the liar, or of an honest seat."""
    due = bout.liar.referee.owed
    assert due is not None
    return due


def _instead(kind: type[Message], name: str, rule: str, make: Callable[[Bout, Any], Any]) -> Lie:
    """Send `make(bout, truth)` instead of an owed `kind`."""

    def frames(bout: Bout) -> list[Frame]:
        return [bout.liar.entry(make(bout, bout.liar.truth()))]

    return Lie(f"{kind.__name__}: {name}", owing(kind), frames, rule)


def _always(message: Message) -> Callable[[Bout, Any], Message]:
    return lambda _, __: message


def _frame(message: Message) -> Callable[[Bout], list[Frame]]:
    return lambda bout: [bout.liar.entry(message)]


def wrong_messages() -> Iterator[Lie]:
    """For every kind of owed message, every other kind."""
    for kind in MESSAGES:
        for other in MESSAGES:
            if other is not kind:
                yield _instead(kind, f"a {other.__name__}", "wrong-message", _always(_ANY[other]))


def no_messages() -> Iterator[Lie]:
    """For every kind of owed message, signed arrays that are no messages."""

    def spoilt(at: int, value: Any) -> Callable[[Bout, Message], Any]:
        return lambda _, truth: [*CODEC.value(truth)[:at], value, *CODEC.value(truth)[at + 1 :]]

    anyhow: dict[str, Callable[[Bout, Message], Any]] = {
        "a number": lambda _, __: 7,
        "a text": lambda _, __: "move",
        "nothing in an array": lambda _, __: [],
        "an unknown tag": lambda _, truth: [99, *CODEC.value(truth)[1:]],
        "a text for a tag": lambda _, truth: ["1", *CODEC.value(truth)[1:]],
        "a field too few": lambda _, truth: CODEC.value(truth)[:-1],
        "a field too many": lambda _, truth: [*CODEC.value(truth), 0],
        "arrays for fields": lambda _, truth: [
            CODEC.value(truth)[0],
            *([] for _ in CODEC.value(truth)[1:]),
        ],
        "an array around it": lambda _, truth: [CODEC.value(truth)],
    }
    short, long = bytes(31), bytes(33)
    moves = {
        "no move": "",
        "a move too long": "x" * 33,
        "a move beyond ASCII": "é",
        "a move with ESC": "\x1b]52;c;eA==\a",
    }
    particular: list[tuple[type[Message], str, Callable[[Bout, Message], Any]]] = [
        *((Choice, name, spoilt(1, move)) for name, move in moves.items()),
        *((ShownChoice, name, spoilt(1, move)) for name, move in moves.items()),
        (ShownChoice, "a short salt", spoilt(2, short)),
        (HiddenChoice, "a short digest", spoilt(1, short)),
        (HiddenChoice, "a long digest", spoilt(1, long)),
        (Commitments, "none", spoilt(1, [])),
        (Commitments, "one digest that is short", lambda _, t: [4, [short, *CODEC.value(t)[1][1:]]]),  # type: ignore[index]  # an array, as CODEC.value() makes of Commitments
        (Commitments, "digests as texts", spoilt(1, ["x" * 32])),
        (Opening, "a face over 127", spoilt(1, 128)),
        (Opening, "a text for a face", spoilt(1, "5")),
        (Opening, "a long salt", spoilt(2, long)),
        (Share, "a short link", spoilt(1, short)),
        (Share, "a text for a link", spoilt(1, "x" * 32)),
    ]
    for kind in MESSAGES:
        for name, make in anyhow.items():
            yield _instead(kind, name, "not-a-message", make)
    for kind, name, make in particular:
        yield _instead(kind, name, "not-a-message", make)


def _digests(bout: Bout, *, own: bool) -> list[bytes]:
    """Commitments of the match so far, of the liar or of the others."""
    parts: list[bytes] = []
    for entry in bout.liar.referee.entries:
        if (entry.seat == bout.liar.seat) is own:
            message = CODEC.parse(entry.message)
            if isinstance(message, Commitments):
                parts += message.digests
            elif isinstance(message, HiddenChoice):
                parts.append(message.digest)
    return parts


def _with_digests(own: bool, kind: type[Message]) -> Until:
    """The moment when `kind` is owed and there are commitments to repeat."""
    return lambda bout: owing(kind)(bout) and bool(_digests(bout, own=own))


def _repeated() -> Iterator[Lie]:
    for own, name in ((True, "its own of before"), (False, "another seat's, mirrored")):

        def hidden(bout: Bout, own: bool = own) -> list[Frame]:
            return [bout.liar.entry(HiddenChoice(_digests(bout, own=own)[0]))]

        def laid(bout: Bout, own: bool = own) -> list[Frame]:
            truth = bout.liar.truth()
            assert isinstance(truth, Commitments)
            return [bout.liar.entry(Commitments((*truth.digests[:-1], _digests(bout, own=own)[-1])))]

        yield Lie(f"HiddenChoice: {name}", _with_digests(own, HiddenChoice), hidden, "repeated-commitment")
        yield Lie(f"Commitments: {name}", _with_digests(own, Commitments), laid, "repeated-commitment")


def _other_opening(bout: Bout, truth: Opening) -> Opening:
    """The true opening of another slot of the liar, or failing that of another match."""
    slot = owed(bout).part.slot  # type: ignore[union-attr]  # an Opening is owed for an Open
    known, table = bout.liar.session.known, bout.liar.referee.table
    others = [
        s for s, hidden in table.hidden.items() if hidden.seat == bout.liar.seat and s != slot and s in known
    ]
    game = bout.begun.id if others else JUNK
    other = others[0] if others else slot
    return Opening(known[other], bout.liar.secrets.salt(game, bout.liar.seat, other))


def _steered(bout: Bout, truth: Share) -> Share:
    """A link chosen for the result of the roll, given the shares before it."""
    part = owed(bout).part
    before = [bytes(32)] * bout.liar.seat
    links = (bytes((i,)) * 32 for i in range(64))
    wanted = [s for s in links if result(bout.begun.id, 0, [*before, s], part.sides) == 0]  # type: ignore[union-attr]  # a Share is owed for a Roll
    return Share((wanted or [JUNK])[0])


def _skipped(bout: Bout, truth: Share) -> Share:
    links = bout.liar.secrets.links(bout.liar.seat, chain_length(bout.begun.game))
    return Share(links[bout.liar.referee.table.rolls + 2])


def broken_promises() -> Iterator[Lie]:
    """The right message with the wrong content."""
    yield _instead(Choice, "what is not on offer", "illegal-choice", lambda _, __: Choice("no such move"))
    yield _instead(
        ShownChoice,
        "another option",
        "wrong-opening",
        lambda b, t: ShownChoice(_other_option(b, t.move), t.salt),
    )
    yield _instead(ShownChoice, "another salt", "wrong-opening", lambda _, t: ShownChoice(t.move, JUNK))
    yield _instead(
        Commitments, "one too few", "wrong-count", lambda _, t: Commitments(t.digests[:-1] or (JUNK, JUNK))
    )
    yield _instead(Commitments, "one too many", "wrong-count", lambda _, t: Commitments((*t.digests, JUNK)))
    yield _instead(
        Commitments,
        "one of them twice",
        "repeated-commitment",
        lambda _, t: Commitments((t.digests[-1], *t.digests[1:])),
    )
    yield from _repeated()
    yield _instead(Opening, "another face", "wrong-opening", lambda _, t: Opening(t.face % 9 + 1, t.salt))
    yield _instead(Opening, "another salt", "wrong-opening", lambda _, t: Opening(t.face, JUNK))
    yield _instead(Opening, "another slot's", "wrong-opening", _other_opening)
    yield _instead(Share, "a link of nobody's", "wrong-link", lambda _, __: Share(JUNK))
    yield _instead(
        Share, "the link before", "wrong-link", lambda b, _: Share(b.liar.referee.table.links[b.liar.seat])
    )
    yield _instead(
        Share,
        "another seat's link",
        "wrong-link",
        lambda b, _: Share(b.liar.referee.table.links[b.liar.seat - 1]),
    )
    yield _instead(Share, "the link after", "wrong-link", _skipped)
    yield _instead(Share, "one that steers the roll", "wrong-link", _steered)


def _other_option(bout: Bout, move: str) -> str:
    options = owed(bout).part.options  # type: ignore[union-attr]  # a ShownChoice is owed for a Choose
    return next(option for option in options if option != move)


def hidden_lies() -> Iterator[Lie]:
    """Faces and choices that are hidden properly and cannot be opened later."""

    def hide_no_option(bout: Bout) -> list[Frame]:
        serial = bout.liar.referee.table.serial
        digest = hide_choice(bout.begun.id, bout.liar.seat, serial, "no such move", JUNK)
        bout.tell(bout.liar.entry(HiddenChoice(digest)))
        bout.run(owing(ShownChoice))
        return [bout.liar.entry(ShownChoice("no such move", JUNK))]

    yield Lie("HiddenChoice: no option at all", owing(HiddenChoice), hide_no_option, "illegal-choice")

    for face in (0, 11, 127):

        def lay_no_face(bout: Bout, face: int = face) -> list[Frame]:
            part, liar = owed(bout).part, bout.liar
            assert isinstance(part, Commit)
            liar.truth()
            salts = [liar.secrets.salt(bout.begun.id, liar.seat, slot) for slot in part.slots]
            digests = [
                hide_face(bout.begun.id, liar.seat, slot, face, salt)
                for slot, salt in zip(part.slots, salts, strict=True)
            ]
            bout.tell(liar.entry(Commitments(tuple(digests))))
            bout.run(lambda b: owing(Opening)(b) and owed(b).part.slot in part.slots)  # type: ignore[union-attr]  # an Opening is owed for an Open
            slot = owed(bout).part.slot  # type: ignore[union-attr]  # as above
            return [liar.entry(Opening(face, liar.secrets.salt(bout.begun.id, liar.seat, slot)))]

        def lays_what_is_opened(bout: Bout) -> bool:
            due = bout.liar.owes
            return due is not None and isinstance(due.part, Commit) and not due.part.exactly

        yield Lie(f"Commitments: face {face}", lays_what_is_opened, lay_no_face, "impossible-face")


def _others_turn(bout: Bout) -> bool:
    """The moment when an honest seat owes a message that the liar could send in its place."""
    due = bout.liar.referee.owed
    return bout.liar.referee.count > 5 and due is not None and due.seat != bout.liar.seat


def over(bout: Bout) -> bool:
    return bout.liar.referee.ended_by_rules is not None


def out_of_turn() -> Iterator[Lie]:
    """Any message at a moment when nobody waits for it."""
    for kind, message in _ANY.items():
        yield Lie(f"{kind.__name__}: while another owes", _others_turn, _frame(message), "out-of-turn")
        yield Lie(f"{kind.__name__}: after the end", over, _frame(message), "after-the-end")

    def earlier(bout: Bout) -> int:
        return next(e.number for e in bout.liar.referee.entries if e.seat != bout.liar.seat)

    yield Lie(
        "Choice: for an honest seat's place of before",
        _others_turn,
        lambda b: [b.liar.entry(Choice("pass"), number=earlier(b))],
        "out-of-turn",
        number=earlier,
    )


ENTRIES: tuple[Lie, ...] = (
    *wrong_messages(),
    *no_messages(),
    *broken_promises(),
    *hidden_lies(),
    *out_of_turn(),
)
