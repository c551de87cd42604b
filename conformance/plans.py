"""What the forger of matches can do, plan by plan: each makes files and knows the right answer to them.

A plan holds the keys of all seats.  What it expects comes from what it did itself, and never from an audit.
Beside each case stands whence:

- `plan`: the forger cut, spoilt, signed or claimed this itself, at this place;
- `rules`: the players were honest with each other, and the rulebook alone says how their game ends
  (conformance/rules_alone.py);
- `players`: the players' own programs said it when the match was over; where decisions were taken back, and
  where too many fell silent, or one before it had shown its cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeAlias

from conformance.rules_alone import Ending, ending
from p2p_stratego import registry
from p2p_stratego.core.game import Decision, Options, Seat, Sides
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.rules.allocation import OFFERED
from protocol.audit.proof import prove
from protocol.audit.verdict import EXIT_CODES, Verdict
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Refusal
from protocol.record import statements
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.genesis import Genesis
from protocol.record.statements import Kind
from protocol.record.time_control import TimeControl
from protocol.seat.session import Session
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from tests.helpers.cheats.bout import Bout, Until, owing
from tests.helpers.cheats.lies import ENTRIES, Lie, over
from tests.helpers.cheats.words import WORDS
from tests.helpers.games.players import honest
from tests.helpers.in_javascript.matches import MODULES, PROVED, options_of
from tests.helpers.seats.leavers import MOODS, left
from tests.helpers.seats.pair import Seat as Place
from tests.helpers.seats.pair import Table
from tests.helpers.seats.receipts import give_receipts
from tests.helpers.seats.takebacks import with_takebacks

Plain: TypeAlias = dict[str, Any]
Frames: TypeAlias = list[Frame]
LIES: Final = tuple(lie for lie in (*ENTRIES, *WORDS) if lie.rule is not None)
EVERY: Final = tuple(sorted({*MODULES} - {"spies"}))
"""The games that hashes can hide."""
RULES: Final = tuple(sorted({str(lie.rule) for lie in LIES}))
PATIENCE: Final = 600
"""Seconds of an AWAY."""


@dataclass(frozen=True, slots=True)
class Forged:
    """One case: its files by the ends of their names, and the right answer."""

    plan: str
    files: dict[str, bytes]
    expected: Plain


class NotThisTime(Exception):
    """The match did not come to the place that the plan needs."""


def answer(verdict: str, source: str, **known: Any) -> Plain:
    """What must be answered, as far as the plan knows it."""
    codes = {kind.value: EXIT_CODES[kind] for kind in Verdict}
    code = codes.get(verdict, {"agree": 0, "proven": 20, "unsupported": 50, "unreadable": 65}.get(verdict))
    return {"source": source, "verdict": verdict, "exit_code": code, **known}


def single(plan: str, begun: Genesis, data: bytes, expected: Plain) -> Forged:
    """A case of one transcript."""
    return Forged(plan, {".p2ps": data}, {"match": match_of(begun), **expected})


def match_of(begun: Genesis) -> Plain:
    """What chooses among cases."""
    return {"game": begun.game.name, "seats": len(begun.players), "proofs": begun.proofs}


@dataclass
class Terms:
    """A game with its options, and players who decide by chance; `moves`: by seat, what they chose."""

    random: Random
    game: str
    seats: int
    options: Options
    proofs: bool
    player: Any
    moves: dict[Seat, list[str]] = field(default_factory=lambda: defaultdict(list))

    def decide(self, session: Session, decision: Decision, _random: Random) -> Decided:
        """As any player of this match decides."""
        if hasattr(decision, "options"):
            move = str(self.player.choose(session.view.state, decision, session.known))
            self.moves[session.seat].append(move)
            return move
        return tuple(self.player.lay(session.view.state, decision))

    def table(self, **more: Any) -> Table:
        """The match, not yet begun."""
        return Table(
            self.random.getrandbits(32),
            seats=self.seats,
            game=GAMES[self.game],
            options=self.options,
            decide=self.decide,
            proofs=self.proofs,
            **more,
        )

    def bout(self, **more: Any) -> Bout:
        """The match with a liar in it."""
        return Bout(
            self.random.getrandbits(32),
            game=GAMES[self.game],
            seats=self.seats,
            options=self.options,
            decide=self.decide,
            liar=self.random.randrange(self.seats),
            proofs=self.proofs,
            **more,
        )


def terms(
    random: Random,
    *,
    games: Sequence[str] = EVERY,
    seats: Callable[[int], bool] = bool,
    false: bool = False,
    proofs: bool = True,
) -> Terms:
    """Any terms.  `seats`: which numbers will do; `false`: players may break rules of their game, and claim
    what is not so; `proofs`: the profile of proofs will do.
    """
    game = random.choice([name for name in games if any(map(seats, GAMES[name].seat_counts))])
    proven = proofs and random.random() < PROVED
    player = MODULES[game].RandomPlayer(random)
    player.swapped = 0  # the rulebook alone does not tell when a false lot of pieces comes to light
    if not false or proven:
        player.bluff = player.impossible = player.lies = 0
    number = random.choice([count for count in GAMES[game].seat_counts if seats(count)])
    return Terms(random, game, number, options_of(game, random), proven, player)


def by_the_rules(end: Ending) -> Plain:
    """The answer to a whole match that the rulebook ends so."""
    known = {"winners": sorted(end.winners), "reason": end.reason}
    if end.breach is None:
        return answer("complete", "rules", **known)
    return answer("cheated", "rules", fault={"seat": end.breach.seat, "rule": end.breach.rule}, **known)


def whole(random: Random, **chosen: Any) -> tuple[Table, Plain]:
    """A match that was played to its end, and the answer to it."""
    agreed = terms(random, **chosen)
    match = agreed.table().play()
    return match, by_the_rules(ending(match, agreed.moves))


# Whole matches


def played(random: Random) -> Forged:
    """A match to its end, by players of any honesty."""
    match, expected = whole(random, false=random.random() < 0.5)
    return single("played", match.begun, random.choice(match.seats).transcript, expected)


def departed(random: Random) -> Forged:
    """A match of three or more in which one seat resigns, falls silent or answers late."""
    agreed = terms(random, seats=lambda count: count > 2, false=random.random() < 0.3)
    after = random.choice([0, random.randint(1, 60), random.randint(60, 600)])
    made = left(
        random.getrandbits(32),
        agreed.seats,
        random.choice(MOODS),
        after,
        GAMES[agreed.game],
        decide=agreed.decide,
        options=agreed.options,
        proofs=agreed.proofs,
    )
    copy = random.choice(made.living)
    outcome = copy.session.outcome
    if outcome is None:
        raise NotThisTime
    if outcome.reason in (
        "unresponsive",
        "unrevealed",
    ):  # too many are silent, or one hides its cards for good
        verdict = "complete" if outcome.reason == "unrevealed" else outcome.reason
        expected = answer(verdict, "players", winners=sorted(outcome.winners), reason=outcome.reason)
        return single("departed", made.mesh.begun, copy.transcript, expected)
    end = ending(made.mesh, agreed.moves, copy.seat)
    return single("departed", made.mesh.begun, copy.transcript, by_the_rules(end))


def taken_back(random: Random) -> Forged:
    """A match in which decisions are taken back."""
    agreed = terms(random, proofs=False)
    match = with_takebacks(agreed.table(takebacks=True), random.choice([5, 30]))
    end = match.seats[0].session.outcome
    if end is None:
        raise NotThisTime
    expected = answer("complete", "players", winners=sorted(end.winners), reason=end.reason)
    return single("taken-back", match.begun, random.choice(match.seats).transcript, expected)


# Ends that the rules do not bring about


def under_way(random: Random, clock: TimeControl | None = None, **more: Any) -> Table:
    """A match of two in which a decision is owed."""
    match = terms(random, seats=lambda count: count == 2, **more).table(clock=clock)
    match.play(steps=random.randint(2, 150)).hold()
    if match.seats[0].session.over:
        raise NotThisTime
    return match


def resigned(random: Random) -> Forged:
    """Of two one resigns."""
    match = under_way(random)
    quitter = random.randrange(2)
    match.seats[quitter].session.resign()
    match.hold().play()  # else a decision crosses the word, and may end the game by its rules (10.1.1)
    expected = answer("complete", "plan", winners=[1 - quitter], reason="resigned", never_settled=[])
    return single("resigned", match.begun, random.choice(match.seats).transcript, expected)


def drawn(random: Random) -> Forged:
    """Two agree on a draw."""
    match = under_way(random)
    first = random.randrange(2)
    match.seats[first].session.offer_draw()
    match.hold()
    match.seats[1 - first].session.accept_draw()
    match.play()
    expected = answer("complete", "plan", winners=[], reason="agreed-draw", never_settled=[])
    return single("drawn", match.begun, random.choice(match.seats).transcript, expected)


def silent(random: Random) -> Forged:
    """Of two one falls silent, and the other one says so; with a clock perhaps that its time is up."""
    clock = random.choice([None, TimeControl(300, 5), TimeControl(60)])
    match = under_way(random, clock=clock)
    owed = match.seats[0].session.referee.owed
    if owed is None:
        raise NotThisTime
    waiting = match.seats[1 - owed.seat]
    give_receipts(waiting.session, {other.seat: other.identity for other in match.seats})
    waiting.session.claim_away(PATIENCE, of_time=clock is not None)
    match.deliver(waiting)
    known = {"winners": [waiting.seat], "reason": "unresponsive", "silent": []}
    return single("silent", match.begun, waiting.transcript, answer("unresponsive", "plan", **known))


# A record that ends early, or was spoilt


def prefix(random: Random) -> tuple[Table, Frames, int]:
    """An honest match of two, its records, and the place among them of an entry, play under way."""
    match = terms(random, seats=lambda count: count == 2).table().play()
    log = list(random.choice(match.seats).log)
    entries = [at for at, frame in enumerate(log) if frame.kind == ENTRY]
    if len(entries) < 4:
        raise NotThisTime
    return match, log, random.choice(entries[:-2])


def stopped(random: Random) -> Forged:
    """A record that ends while a match goes on, perhaps within a frame: what is owed is what came next."""
    match, log, at = prefix(random)
    due = parse_entry(log[at].payload)
    torn = random.random() < 0.4
    rest = bytes(log[at])
    data = transcript.write(match.begun.body, log[:at]) + rest[: random.randrange(1, len(rest))] * torn
    expected = answer(
        "incomplete",
        "plan",
        owed={"seat": due.seat, "message": type(CODEC.parse(due.message)).__name__},
        contested=[],
        entries=sum(frame.kind == ENTRY for frame in log[:at]),
        statements=sum(frame.kind == STATEMENT for frame in log[:at]),
        torn=torn,
    )
    return single("stopped", match.begun, data, expected)


def spoilt(random: Random) -> Forged:
    """A record of which one is forged, missing, repeated, of another place or match, or damaged."""
    match, log, at = prefix(random)
    before, here, behind = log[:at], log[at], log[at + 1 : at + 2]
    other = under_way(random)
    foreign = next(frame for frame in other.seats[0].log if frame.kind == ENTRY)
    way: dict[str, tuple[Frames, int]] = {
        "forged": ([*before, flipped(here, random), *behind], at),
        "dropped": ([*before, *behind], at),
        "swapped": ([*before, *behind, here], at),
        "repeated": ([*before, here, here, *behind], at + 1),
        "foreign": ([*before, foreign, here], at),
        "noise": ([*before, Frame(ENTRY, random.randbytes(random.randint(0, 200)))], at),
        "kind": ([*before, Frame(random.choice([1, 4, 9, 16]), here.payload), here], at),
    }
    name = random.choice([*way, "damaged"])
    frames, wrong = way.get(name, ([*before, here, *behind], at))
    data = transcript.write(match.begun.body, frames)
    if name == "damaged":
        start = len(transcript.write(match.begun.body, before)) + 5
        data = turned(data, start * 8 + random.randrange(8 * len(here.payload)))
    return single(f"spoilt-{name}", match.begun, data, answer("tampered", "plan", at_record=wrong))


def flipped(frame: Frame, random: Random) -> Frame:
    """The record with another bit in its signature."""
    bit = 8 * (len(frame.payload) - 64) + random.randrange(8 * 64)
    return Frame(frame.kind, turned(frame.payload, bit))


def turned(data: bytes, bit: int) -> bytes:
    """The same bytes with one bit turned."""
    made = bytearray(data)
    made[bit // 8] ^= 1 << bit % 8
    return bytes(made)


def unread(random: Random) -> Forged:
    """A file that is no transcript, or of a version that nobody knows, or a proof of nothing."""
    match = under_way(random)
    if random.random() < 0.3:
        entries = [frame for frame in match.seats[0].log if frame.kind == ENTRY]
        return Forged("unread", {".proof": prove(match.begun.body, entries)}, answer("unreadable", "plan"))
    data, body = match.seats[0].transcript, match.begun.body
    first = b"p2p-stratego transcript 2\n"
    verdict, made = random.choice(
        [
            (
                "unsupported",
                data.replace(first, first.replace(b"2\n", b"%d\n" % random.randint(3, 10**9)), 1),
            ),
            ("unreadable", data.replace(first, first.replace(b" 2", b" 02"), 1)),
            ("unreadable", data[1:]),
            ("unreadable", data[: random.randrange(len(first), len(first) + len(body))]),
            ("unreadable", turned(data, 8 * (len(first) + 5) + random.randrange(8 * len(body)))),
        ]
    )
    return Forged("unread", {".p2ps": made}, answer(verdict, "plan"))


# Faults of the protocol


def caught(sides: Sides, liar: Seat, when: Until) -> Plain:
    """Who wins when a liar is caught, as far as the plan knows it (SPEC 10.2.10, 10.2.11)."""
    if len(sides) == 2:
        other = next(side for side in sides if liar not in side)
        return {"winners": sorted(other), "reason": "cheated"}
    return {"reason": "cheated"} if when is over else {"winners": [], "reason": "cheated"}


def reached(random: Random, when: Until, games: Sequence[str] = EVERY, **more: Any) -> Bout:
    """A match of one of these games that has come to this moment of its liar."""
    bout = terms(random, games=games).bout(**more)
    if not (when(bout) or bout.run(when)):
        raise NotThisTime
    return bout


def lied(random: Random) -> Forged:
    """One seat says one thing that no honest program says."""
    rule = random.choice(RULES)
    lie: Lie = random.choice([lie for lie in LIES if lie.rule == rule])
    # Where claims are open, an AWAY against a seat that owes no entry speaks of its REVEAL (10.5.5).
    games = ["spies-and-lies"] if rule == "false-away" else EVERY
    bout = reached(random, lie.when, games, agreeing="before any consent" not in lie.name)
    ended = bout.liar.referee.outcome
    if lie.when is over and (ended is None or ended.reason == "cheated"):
        raise NotThisTime  # a false END needs a true one; an earlier fault goes before all (12.1.6)
    try:
        frames = lie.frames(bout)
    except Refusal as early:
        raise NotThisTime from early  # a COMPLAIN told of what it had laid, before it had to open that
    if not frames:
        raise NotThisTime
    body = frames[-1].payload
    number = parse_entry(body).number if frames[-1].kind == ENTRY else statements.parse(body).count
    if lie.number is not None:
        number = lie.number(bout)
    seat = bout.liar.seat
    fault = {"seat": seat, "what": lie.what, "number": number, "rule": lie.rule}
    if [frame.kind for frame in frames] == [ENTRY] and lie.number is None and random.random() < 0.3:
        entries = [entry.frame for entry in bout.liar.referee.entries]
        proof = prove(bout.begun.body, [*entries, *frames])
        expected = {**answer("proven", "plan", fault=fault), "match": match_of(bout.begun)}
        return Forged(f"proven-{lie.rule}", {".proof": proof}, expected)
    expected = answer("cheated", "plan", fault=fault, **caught(bout.begun.sides, seat, lie.when))
    log = random.choice(bout.honest).log
    return single(
        f"lied-{lie.rule}", bout.begun, transcript.write(bout.begun.body, [*log, *frames]), expected
    )


def twice(random: Random) -> Forged:
    """One seat signs two versions of one record: in one copy, or, perhaps, each in a copy of its own."""
    bout, first, second, what, number = two_versions(random)
    seat = bout.liar.seat
    before = list(bout.honest[0].log)
    known = {
        "fault": {"seat": seat, "what": what, "number": number, "rule": "equivocation"},
        **caught(bout.begun.sides, seat, owing(Choice)),
    }
    copies = [transcript.write(bout.begun.body, [*before, twin]) for twin in (first, second)]
    if random.random() < 0.5:
        data = transcript.write(bout.begun.body, [*before, first, second])
        return single("twice", bout.begun, data, answer("equivocated", "plan", **known))
    random.shuffle(copies)
    expected = answer("equivocated", "plan", fault=known["fault"])
    return several("twice", bout.begun, copies, expected)


def two_versions(random: Random) -> tuple[Bout, Frame, Frame, str, int]:
    """A match, two versions of one record of its liar, and their place."""
    bout = reached(random, owing(Choice))
    liar = bout.liar
    if random.random() < 0.5:
        versions = [liar.statement(Kind.CHAT, (text,)) for text in ("we are friends", "we are not")]
        return bout, versions[0], versions[1], "statement", len(liar.referee.statements[liar.seat])
    truth = liar.truth()
    other = Choice("no such move" if random.random() < 0.5 else "pass")
    return bout, liar.entry(truth), liar.entry(other), "entry", liar.referee.count


# Several copies


def several(plan: str, begun: Genesis, copies: Sequence[bytes], expected: Plain) -> Forged:
    """A case of several copies of a match."""
    files = {f"-{number}.p2ps": data for number, data in enumerate(copies)}
    return Forged(f"{plan}-copies", files, {"match": match_of(begun), **expected})


def agreeing(random: Random) -> Forged:
    """Copies of one match, of which some may end early."""
    match, expected = whole(random)
    known = {"together": expected["verdict"], "winners": expected["winners"], "reason": expected["reason"]}
    copies = [seat.transcript for seat in match.seats]
    for at in range(1, len(copies)):
        if random.random() < 0.5:
            log = match.seats[at].log
            copies[at] = transcript.write(match.begun.body, log[: random.randrange(len(log))])
    random.shuffle(copies)
    return several("agreeing", match.begun, copies, answer("agree", "rules", **known))


def crossed(random: Random) -> Forged:
    """Of two both resign over one count before they hear of each other: seat 0 resigned first (10.1.3).

    Of a game without claims, since a copy in which a REVEAL is owed has no end yet.
    """
    match = under_way(random, games=["spies-and-lies"])
    for seat in match.seats:
        seat.session.resign()
        seat.persist()
    if len({seat.session.referee.count for seat in match.seats}) > 1:
        raise NotThisTime
    known = {"together": "complete", "winners": [1], "reason": "resigned"}
    expected = {**answer("together", "plan", **known), "exit_code": 0}
    return several("crossed", match.begun, [seat.transcript for seat in match.seats], expected)


# Cards under keys


def table_of_spies(random: Random, seats: int) -> Table:
    """A match of SPIES! with any options, by bots that decide fast, not yet begun."""
    level = random.choice(["recruit", "recruit", "cadet"])
    allocations = [words for players, words in OFFERED if players == seats]
    options = {"allocation": random.choice(allocations), "purse": random.choice(["open", "secret"])}

    def decide(session: Session, _: Decision, chance: Random) -> Decided:
        return registry.make_bot("spies", level, chance).decide(session.view)

    return Table(
        random.getrandbits(32), game=GAMES["spies"], options=options, seats=seats, decide=decide, proofs=True
    )


def dealt(random: Random) -> Forged:
    """A match of SPIES! to its end."""
    with keeping():  # all seats live in this process: a proof that one has checked holds for all
        match = table_of_spies(random, random.choice([2, 2, 2, 3, 3, 4, 5])).play()
    return as_told("dealt", match.seats)


def beginning_of_spies(random: Random, seats: int) -> Table:
    """The first turns of a match of SPIES!."""
    with keeping():
        return table_of_spies(random, seats).play(steps=random.randint(60, 200)).hold()


def whole_spies(seats: int) -> Forged:
    """A whole match of SPIES! by its bots, under the profile of proofs: of megabytes, and always the same."""
    with keeping():
        match = Table(seats, game=GAMES["spies"], seats=seats, decide=honest, proofs=True).play()
    return as_told("spies", match.seats)


def left_spies() -> Forged:
    """A whole match of SPIES! of three: one vanishes, and shares of its key open its cards."""
    with keeping():
        made = left(3, 3, "dead", 140, GAMES["spies"], decide=honest, proofs=True, escrow=2)
    return as_told("spies-left", made.living)


def as_told(plan: str, seats: Sequence[Place]) -> Forged:
    """The case of a whole match, as all the programs of these seats tell its end."""
    (end,) = {seat.session.outcome for seat in seats}
    assert end is not None
    expected = answer("complete", "players", winners=sorted(end.winners), reason=end.reason)
    return single(plan, seats[0].begun, seats[0].transcript, expected)
