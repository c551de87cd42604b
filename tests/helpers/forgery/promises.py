"""The promises about mutants: accepted records mean what was signed, and no honest seat is blamed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import Any

from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.sides import last_side, without
from protocol.audit import proof
from protocol.audit.verdict import Report, Verdict
from protocol.errors import Refusal
from protocol.record import statements
from protocol.record.asks.base import Answered
from protocol.record.asks.registry import is_decision
from protocol.record.entries import Folded
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement
from tests.helpers.cheats.bout import Copy, compare, judge
from tests.helpers.cheats.tables import ALL_GAMES
from tests.helpers.forgery.mutate import Mutant, Pair, intact


def broken_promise(made: Mutant) -> str | None:
    """The promise that the audit of a mutant breaks; None if it keeps all."""
    report = judged(made)
    if report is None:
        return None
    return next(_broken(made, report), None)


def judged(made: Mutant) -> Copy | None:
    """The audit, or None if that is refused."""
    if made.data == intact(made.source, made.copy).data:
        return made.source.reports[made.copy]
    try:
        return judge(made.data)
    except Refusal:
        return None


def _broken(made: Mutant, report: Copy) -> Iterator[str]:
    source, referee = made.source, report.referee
    guilty = {made.cheater, source.culprit}
    if report.genesis.id != source.begun.id:
        if referee.record or report.fault:
            yield "a match that nobody agreed to has records"
        return
    if report.fault is not None:
        if report.fault.seat not in guilty:
            yield "somebody honest is blamed"
        if report.proof is None or proof.check(report.proof, ALL_GAMES) != report.fault:
            yield "a fault without a proof"
    for record in referee.record:
        if record.seat != made.cheater and record.body not in source.signed[record.seat]:
            yield "an honest seat is made to say something else"
    if made.cheater is None and not _is_prefix(source.reports[made.copy], report):
        yield "the match is told in another way"
    if not supported(report, made.cheater):
        yield "an end is accepted that neither the rules nor the signatures give"


def _is_prefix(whole: Copy, report: Copy) -> bool:
    """Without a key, only a prefix of the chain, and of each seat's statements, can be left."""
    kept, all_of_it = report.referee, whole.referee
    chain = [entry.body for entry in all_of_it.entries]
    return [entry.body for entry in kept.entries] == chain[: kept.count] and all(
        [entry.body for entry in mine] == [entry.body for entry in theirs[: len(mine)]]
        for mine, theirs in zip(kept.statements, all_of_it.statements, strict=True)
    )


# The end by the rules and the signatures, worked out anew from the admitted records


def supported(report: Copy, cheater: Seat | None) -> bool:
    """Whether the reported end follows from the records, and leaves each honest seat at least as well off as
    the END that it signed over them.
    """
    referee, outcome = report.referee, report.outcome
    if report.verdict in (Verdict.INCOMPLETE, Verdict.TAMPERED):
        return outcome is None
    if outcome is None:
        return False
    seats = range(len(report.genesis.players))
    if report.verdict in (Verdict.CHEATED, Verdict.EQUIVOCATED):
        ended = _end(referee)
        ranked = None if ended is None else ended.winners
        culprit = None if report.fault is None else report.fault.seat
        return culprit is not None and outcome.winners == without(report.genesis.sides, culprit, ranked)
    if report.verdict is Verdict.UNRESPONSIVE:
        return outcome in _absences(referee)
    return (
        _settled(referee)
        and outcome == _end(referee)
        and all(_kept_its_word(referee, seat) for seat in seats)
        and all(_gets_what_it_signed(referee, outcome, seat) for seat in seats if seat != cheater)
    )


def _gets_what_it_signed(referee: Referee, outcome: Outcome, seat: Seat) -> bool:
    """Whether `outcome` is at least as good for it as its END over all entries, if it has signed one.

    They may differ: a winner may still have resigned in a later record of its own.
    """
    ends = [s.content for s in referee.statements[seat] if s.kind is Kind.END and s.count == referee.count]
    return not ends or _worth(outcome.winners, seat) >= _worth(ends[-1][0], seat)


def _worth(winners: Collection[Seat], seat: Seat) -> int:
    """1 lost, 3 drawn, 4 won."""
    return 4 if seat in winners else 1 if winners else 3


def _kept_its_word(referee: Referee, seat: Seat) -> bool:
    """Whether it signed no entry behind a resignation, a REVEAL or an END of its own."""
    last = [s.count for s in referee.statements[seat] if s.kind in (Kind.RESIGN, Kind.REVEAL, Kind.END)]
    entries = [entry for entry in referee.entries if not isinstance(entry, Folded)]
    return not any(entry.seat == seat and entry.number >= min(last) for entry in entries if last)


class _Unfinished(Exception):
    """There are no more answers."""


def _by_rules(referee: Referee) -> Outcome | None:
    """The outcome that the game gives for the answers in the record."""
    genesis, game = referee.genesis, referee.genesis.game
    answers = iter([step for step in referee.table.history if isinstance(step, Answered)])
    number, steps = -1, 0

    def answer(_: object) -> Any:
        nonlocal number
        for given in answers:
            number = given.number
            return given.answer
        raise _Unfinished

    try:
        state = drive(game.setup(len(genesis.players), genesis.options), answer)
        while (outcome := game.outcome(state)) is None:
            left = [seat for seat, at in referee.table.gone.items() if at <= number]
            winners = last_side(genesis.sides, left) if left else None
            if winners is not None:
                return Outcome(winners, "deserted")
            if steps < len(left):
                state = drive(game.gone(state, left[steps]), answer)
                steps += 1
            else:
                state = drive(game.turn(state), answer)
    except _Unfinished:
        return None
    return outcome


def _end(referee: Referee) -> Outcome | None:
    """By the rules, else by a draw that all agreed to, else by the first resignation of two; a table of more
    goes on without a seat that resigned.
    """
    by_rules = _by_rules(referee)
    if by_rules is not None:
        return by_rules
    seats = range(len(referee.statements))
    if len(seats) > 2:
        closing = folded_draw(referee)
        drawn = closing is not None and _all_accept(referee, closing)
        return Outcome(frozenset(), "agreed-draw") if drawn else None
    if any(
        _accepts(referee, 1 - seat, offer)
        for seat in seats
        for offer in _of_kind(referee, seat, Kind.OFFER_DRAW)
    ):
        return Outcome(frozenset(), "agreed-draw")
    resigned = [(s.count, s.seat) for known in referee.statements for s in known if s.kind is Kind.RESIGN]
    return Outcome(frozenset(seats) - {min(resigned)[1]}, "resigned") if resigned else None


def _of_kind(referee: Referee, seat: Seat, kind: Kind) -> list[Statement]:
    """Its statements of a kind before its resignation, if any."""
    before = takewhile(lambda statement: statement.kind is not Kind.RESIGN, referee.statements[seat])
    return [statement for statement in before if statement.kind is kind]


def folded_draw(referee: Referee) -> Statement | None:
    """The last word on a draw, if the chain of three and more ends with one."""
    last = referee.entries[-1] if referee.entries else None
    closing = statements.parse(last.payload) if isinstance(last, Folded) else None
    return None if closing is None or closing.kind is not Kind.ACCEPT_DRAW else closing


def _all_accept(referee: Referee, closing: Statement) -> bool:
    """Whether a draw could be closed where it was, and all were asked that had to be (SPEC 10.8)."""
    place, gone = closing.count, referee.table.gone
    author, index = closing.content
    offers = [s for s in _of_kind(referee, author, Kind.OFFER_DRAW) if s.index == index and s.count <= place]
    there = {seat for seat in range(len(referee.statements)) if gone.get(seat, place) >= place}
    willing = {closing.seat} | {
        seat
        for seat in there
        for word in _of_kind(referee, seat, Kind.ACCEPT_DRAW)
        if (word.count, word.content) == (place, closing.content)
    }
    home = {
        word.seat
        for known in referee.statements
        for word in known
        if word.kind is Kind.RESIGN and word.count <= place
    }
    asked = there - {author}
    return (
        len(offers) == 1
        and author in there
        and closing.seat not in home
        and asked <= willing | home
        and bool(asked & willing)
        and not any(offers[0].count <= at < place for seat in asked for at in referee.decided_at[seat])
        and was_asked(referee, closing)
    )


def was_asked(referee: Referee, closing: Statement) -> bool:
    """Whether the seat that closed the draw owed a decision, by the records before its word."""
    earlier = Referee(referee.genesis)
    for record in takewhile(lambda record: record != closing, referee.record):
        earlier.admit(record, verified=True)
    return earlier.owed is not None and earlier.owed.seat == closing.seat and is_decision(earlier.owed)


def _accepts(referee: Referee, seat: Seat, offer: Statement) -> bool:
    """Whether `seat`, of two, accepted before it decided anything else."""
    return any(
        accepted.content == (offer.seat, offer.index)
        and accepted.count >= offer.count
        and not any(offer.count <= number < accepted.count for number in referee.decided_at[seat])
        for accepted in _of_kind(referee, seat, Kind.ACCEPT_DRAW)
    )


def _settled(referee: Referee) -> bool:
    """Whether all slots of claims are open, and every claim is true."""
    if referee.genesis.takebacks:  # nothing is due there (SPEC 7.10.11)
        return True
    table = referee.table
    return all(claim.holds(table.faces) for claim in table.ledger.claims) and all(
        slot in table.faces
        for claim in table.ledger.claims
        if claim.seat not in table.gone
        for slot in claim.all_slots
    )


def _absences(referee: Referee) -> Iterator[Outcome]:
    """The outcomes of every AWAY against a seat that owes an entry, or a REVEAL, at the end."""
    seats = frozenset(range(len(referee.statements)))
    over = _end(referee) is not None
    owing = {referee.owed.seat} if referee.owed and not over else set()
    if over:
        owing = {
            s for s in seats if set(referee.table.ledger.due(s, referee.count)) - set(referee.table.faces)
        }
    for known in referee.statements:
        for statement in known:
            if (
                statement.kind is Kind.AWAY
                and statement.count == referee.count
                and statement.content[0] in owing - {statement.seat}
            ):
                yield Outcome(seats - {statement.content[0]}, "unresponsive")


# Two copies


def broken_pair(made: Pair) -> str | None:
    """The promise that comparing the two copies breaks; None if it keeps all."""
    reports = [judged(copy) for copy in made.copies]
    first, second = reports
    if first is None or second is None or {first.genesis.id, second.genesis.id} != {made.source.begun.id}:
        return None
    return next(_broken_together(made, first, second), None)


def _broken_together(made: Pair, first: Copy, second: Copy) -> Iterator[str]:
    together, turned = compare([first, second]), compare([second, first])
    if (together.agree, together.fault is None) != (turned.agree, turned.fault is None):
        yield "it matters which copy is named first"
    for comparison in (together, turned):
        if comparison.fault is None:
            continue
        if comparison.fault.seat not in {made.cheater, made.source.culprit}:
            yield "somebody honest is blamed by comparing"
        if comparison.proof is None or proof.check(comparison.proof, ALL_GAMES) != comparison.fault:
            yield "a fault without a proof"
    if together.fault or first.fault or second.fault:
        return
    # A signature that only the ENDs endorse may be spoilt in both copies.
    sound = all(_is_signed(copy, report) for copy, report in zip(made.copies, (first, second), strict=True))
    if together.agree and None not in (first.outcome, second.outcome) and first.outcome != second.outcome:
        yield "copies agree that do not"
    claimed = Verdict.UNRESPONSIVE in (first.verdict, second.verdict)  # the other copy may hold the answer
    if sound and made.cheater is None and not (together.agree or claimed):
        yield "copies differ in which nobody signed anything anew"
    if sound and made.copies[0].cheater is None and first.verdict is Verdict.COMPLETE:
        whole = together.whole
        honest = set(range(len(made.source.players))) - {made.cheater}
        if whole and any(_standing(whole, seat) < _standing(first, seat) for seat in honest):
            yield "held together, the copies leave somebody honest worse off than the untouched one"


def _is_signed(made: Mutant, report: Copy) -> bool:
    """Whether every signature of the admitted records is good, not only those that endorse the rest."""
    return not report.checks.endorsed or judge(made.data, every_signature=True).verdict is report.verdict


def _standing(report: Report, seat: Seat) -> int:
    """The standing of `seat` after it: 0 blamed, 2 undecided, or that of _worth."""
    if report.fault is not None and report.fault.seat == seat:
        return 0
    return 2 if report.outcome is None else _worth(report.outcome.winners, seat)
