"""The second half of the table of lies: statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protocol.record.asks.open import Opening
from protocol.record.statements import Kind, end_content
from protocol.wire.encoding import Frame
from tests.helpers.cheats.bout import Bout, Until
from tests.helpers.cheats.lies import JUNK, Lie, over


def _says(kind: Kind, content: tuple[Any, ...] = ()) -> Callable[[Bout], list[Frame]]:
    return lambda bout: [bout.liar.statement(kind, content)]


def _accuses(whom: Callable[[Bout], int]) -> Callable[[Bout], list[Frame]]:
    return lambda bout: [bout.liar.statement(Kind.AWAY, (whom(bout), 600, b""))]


def _owes_anything(bout: Bout) -> bool:
    return bout.liar.owes is not None


def _under_way(bout: Bout) -> bool:
    return bout.liar.referee.count > 5 and bout.liar.owes is not None


def _waiting(bout: Bout) -> bool:
    return bout.liar.referee.count > 5 and bout.liar.owes is None


def _fresh(bout: Bout) -> bool:
    return not bout.liar.referee.statements[bout.liar.seat]


def _own_entry(bout: Bout) -> int:
    """The liar's first entry from the sixth on."""
    return next(e.number for e in bout.liar.referee.entries[5:] if e.seat == bout.liar.seat)


def _has_own_entry(bout: Bout) -> bool:
    return any(e.seat == bout.liar.seat for e in bout.liar.referee.entries[5:])


def statements_without_consent() -> Iterator[Lie]:
    """A seat's first statement is its consent, and no other is."""
    contents: dict[Kind, tuple[Any, ...]] = {
        Kind.CHAT: ("hello",),
        Kind.RESIGN: (),
        Kind.OFFER_DRAW: (),
        Kind.ACCEPT_DRAW: (1, 1),
        Kind.AWAY: (1, 600, b""),
        Kind.END: ((0,), "resigned"),
        Kind.REVEAL: (0, (Opening(1, JUNK),)),
        Kind.COMPLAIN: (0, JUNK),
    }
    for kind, content in contents.items():
        yield Lie(
            f"{kind.name}: before any consent",
            _fresh,
            _says(kind, content),
            "no-consent-first",
            "statement",
        )
    yield Lie("AGREE: twice", _under_way, _says(Kind.AGREE), "no-consent-first", "statement")


def false_statements() -> Iterator[Lie]:
    """Statements that the chain itself shows to be lies."""

    def other_seat(bout: Bout) -> int:
        """A seat that owes nothing."""
        due = bout.liar.referee.owed
        return next(s.seat for s in bout.honest if due is None or s.seat != due.seat)

    accused: dict[str, tuple[Until, Callable[[Bout], int]]] = {
        "of one who owes nothing": (_under_way, other_seat),
        "of oneself": (_under_way, lambda b: b.liar.seat),
        "of a seat that is not there": (_waiting, lambda _: 9),
        "when the rules have ended the game": (over, other_seat),
    }
    for name, (when, whom) in accused.items():
        yield Lie(f"AWAY: {name}", when, _accuses(whom), "false-away", "statement")

    def another_winner(bout: Bout) -> list[Frame]:
        outcome = bout.liar.referee.outcome
        assert outcome is not None
        winners, reason = end_content(outcome)
        return [bout.liar.statement(Kind.END, (() if winners else (0,), reason))]

    def another_reason(bout: Bout) -> list[Frame]:
        outcome = bout.liar.referee.outcome
        assert outcome is not None
        return [bout.liar.statement(Kind.END, (end_content(outcome)[0], "resigned"))]

    yield Lie("END: another winner", over, another_winner, "false-end", "statement")
    yield Lie("END: another reason", over, another_reason, "false-end", "statement")


def going_on() -> Iterator[Lie]:
    """Declaring the match over and going on, in either order."""
    for when in (_under_way, _waiting):
        moment = "with an entry owed" if when is _under_way else "while another owes"

        def then_goes_on(bout: Bout) -> list[Frame]:
            word = bout.liar.statement(Kind.RESIGN)
            # Records of honest seats may cross it and come in between; the liar's next entry may not.
            # They may also end the match before the liar owes another.
            if not bout.run(_owes_anything):
                return []
            return [word, bout.liar.entry(bout.liar.truth())]

        yield Lie(f"RESIGN: {moment}, then an entry", when, then_goes_on, "went-on")

    def dated_back(kind: Kind, content: tuple[Any, ...]) -> Callable[[Bout], list[Frame]]:
        return lambda b: [b.liar.statement(kind, content, count=_own_entry(b))]

    for kind, extra in ((Kind.RESIGN, ()), (Kind.END, ((0,), "resigned"))):
        yield Lie(
            f"{kind.name}: dated back before an entry of one's own",
            _has_own_entry,
            dated_back(kind, extra),
            "went-on",
            "entry",
            _own_entry,
        )


WORDS: tuple[Lie, ...] = (*statements_without_consent(), *false_statements(), *going_on())
