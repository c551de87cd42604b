"""Vectors of whole matches: the genesis, its records, transcripts of every verdict, and proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from p2p_stratego.core.game import Game
from p2p_stratego.registry import GAMES
from protocol.audit.proof import Fault, prove
from protocol.audit.verdict import EXIT_CODES, WHERE_NEEDED, ProofPolicy, Report, Verdict, audit, replay
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Refusal, Unsupported
from protocol.record import genesis, receipts
from protocol.record.asks.choose import Choice
from protocol.record.asks.open import Opening
from protocol.record.entries import parse_entry
from protocol.record.pace import Pace
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.record.statements import parse as parse_statement
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, Value, decode, encode
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.cheats.lies import ENTRIES
from tests.helpers.cheats.words import WORDS
from tests.helpers.seats.pair import Table
from tests.vectors.primitives import Vector, plain
from tests.vectors.records import (
    clocks,
    games,
    last_steps,
    last_words,
    leaving,
    looks,
    mixes,
    open_points,
    takebacks,
    talking,
    withheld,
)
from tests.vectors.records.players import REAL, WALL, player


def table(number: int, *, fair: bool = True) -> Table:
    decide = [player(f"vector player {number}-{seat}", fair=fair) for seat in range(2)]
    return Table(number, game=REAL, options=WALL, decide=decide)


@cache
def ended(reason: str, *, fair: bool = True) -> Table:
    """The first match that ends for this reason."""
    for number in range(1000):
        made = table(number, fair=fair).play()
        outcome = made.seats[0].session.outcome
        if outcome is not None and outcome.reason == reason:
            return made
    raise AssertionError(f"no match ends by {reason}")


def bout(liar: int = 0) -> Bout:
    decide = player("vector bout")
    return Bout(77, game=REAL, options=WALL, liar=liar, decide=decide, crook=player("vector liar"))


def records() -> Vector:
    """A genesis and every record of a match: what is hashed, what is signed, and the head after it."""
    seat = ended("flag").seats[0]
    begun = seat.begun
    referee = Referee(begun)
    vectors: list[Vector] = []
    for frame in seat.log:
        body, signature = frame.payload[:-SIGNATURE_BYTES], frame.payload[-SIGNATURE_BYTES:]
        if frame.kind == ENTRY:
            referee.admit_entry(parse_entry(frame.payload))
            label, head = labels.SIGN_ENTRY, referee.head
        else:
            statement = parse_statement(frame.payload)
            referee.admit_statement(statement)
            label, head = labels.SIGN_STATEMENT, referee.statement_heads[statement.seat][-1]
        vectors.append(
            {
                "record": "entry" if frame.kind == ENTRY else "statement",
                "value": plain(decode(body)),
                "body": body.hex(),
                "signed": (label + b"\0" + begun.id + body).hex(),
                "signature": signature.hex(),
                "head after it": head.hex(),
            }
        )
    return {"genesis": _genesis(begun), "records": vectors}


def _genesis(begun: genesis.Genesis) -> Vector:
    return {
        "body": begun.body.hex(),
        "id": begun.id.hex(),
        "game": begun.game.name,
        "rules version": begun.game.version,
        "options": [[name, value] for name, value in begun.options.items()],
        "players": [
            {"key": p.key.hex(), "name": p.name, "nonce": p.nonce.hex(), "anchor": p.anchor.hex()}
            for p in begun.players
        ],
    }


NO_EDITIONS: Final[tuple[tuple[str, Any], ...]] = (
    ("a package with a space", [2, "a package", bytes(32)]),
    ("a package with a line behind it", [2, "a-package\n", bytes(32)]),
    ("a package of no name", [2, "", bytes(32)]),
    ("a package of 65 characters", [2, "a" * 65, bytes(32)]),
    ("rules with a hash of 31 bytes", [2, "a-package", bytes(31)]),
    ("rules without a hash", [2, "a-package"]),
)
"""In the place of a version of rules: none."""


def geneses() -> Vector:
    """Genesis bodies that are none, or of what this version does not know."""
    body = ended("flag").begun.body
    value: Any = decode(body)

    def put(*path: Any) -> bytes:
        changed: Any = decode(body)
        *way, place, item = path
        inner = changed
        for step in way:
            inner = inner[step]
        inner[place] = item
        return encode(changed)

    key, other = value[4][0][0], value[4][1][0]
    bad: list[tuple[str, str, bytes]] = [
        ("unsupported", "a later version of the protocol", put(0, 3)),
        ("unsupported", "a later version, and nothing else as it was", encode([3, "what", "ever"])),
        ("unsupported", "later rules", put(2, 99)),
        ("unsupported", "a game that nobody knows", put(1, "ludo")),
        ("unsupported", "rules of a package", put(2, [2, "a-package", bytes(32)])),
        *(("malformed", why, put(2, edition)) for why, edition in NO_EDITIONS),
        ("malformed", "no array", encode(1)),
        ("malformed", "a version as text", put(0, "1")),
        ("malformed", "a field too many", encode([*value, 1, 0])),
        *(("malformed", why, encode([*value, *more])) for why, more in NO_TAKEBACKS),
        ("malformed", "a live match that says so", encode([*value, 0])),
        ("malformed", "a pace that nobody knows", encode([*value, 4])),
        ("malformed", "a pace as text", encode([*value, "day"])),
        *(("malformed", why, encode([*value, clock])) for why, clock in NO_CLOCKS),
        ("malformed", "a pace and a clock", encode([*value, 1, [60]])),
        ("malformed", "an option too few", put(3, value[3][:1])),
        ("malformed", "options in another order", put(3, value[3][::-1])),
        ("malformed", "an option twice", put(3, [*value[3], value[3][0]])),
        ("malformed", "an option's value that is not offered", put(3, 0, 1, 99)),
        ("malformed", "one player", put(4, value[4][:1])),
        ("malformed", "three players", put(4, [*value[4], value[4][0]])),
        ("malformed", "the key of small order", put(4, 0, 0, b"\x01" + bytes(31))),
        ("malformed", "one key for both", put(4, 0, 0, other)),
        ("malformed", "one nonce for both", put(4, 0, 2, value[4][1][2])),
        ("malformed", "one anchor for both", put(4, 0, 3, value[4][1][3])),
        ("malformed", "a nonce of 31 bytes", put(4, 0, 2, bytes(31))),
        ("malformed", "a name of nothing", put(4, 0, 1, "")),
        ("malformed", "a name with space at its end", put(4, 0, 1, "Ada ")),
        ("malformed", "a name with a right-to-left override", put(4, 0, 1, "A\u202eda")),
        ("malformed", "a name of zero width", put(4, 0, 1, "\u200b")),
        ("malformed", "a name of 33 characters", put(4, 0, 1, "x" * 33)),
        ("malformed", "trailing bytes", body + b"\0"),
        ("malformed", "a map", b"\x80"),
    ]
    assert key != other
    paced = genesis.parse(encode([*value, int(Pace.WEEK)]), GAMES)
    clocked = [(clock, genesis.parse(encode([*value, clock]), GAMES)) for clock in CLOCKS]
    return {
        "a week for each decision": _genesis(paced),
        "takebacks": _genesis(genesis.parse(encode([*value, 0, 1]), GAMES)),
        "clocks": [
            {"clock": clock, "body": begun.body.hex(), "id": begun.id.hex()} for clock, begun in clocked
        ],
        "bad": [{"hex": data.hex(), "error": error, "why": why} for error, why, data in bad],
    }


NO_TAKEBACKS: Final[list[tuple[str, list[Value]]]] = [
    ("three fields too many", [0, 1, 0]),
    ("takebacks of another number", [0, 2]),
    ("takebacks as text", [0, "1"]),
    ("takebacks, and a pace that nobody knows", [4, 1]),
]
CLOCKS: Final[list[Value]] = [[10, 0], [36000, 600], [5], [3600]]
NO_CLOCKS: Final[list[tuple[str, Value]]] = [
    ("a clock of nothing", []),
    ("a Fischer clock of 9 seconds", [9, 10]),
    ("a Fischer clock of more than 10 hours", [36001, 0]),
    ("an increment of more than 10 minutes", [900, 601]),
    ("4 seconds for each decision", [4]),
    ("more than an hour for each decision", [3601]),
    ("a clock of three numbers", [900, 10, 0]),
    ("a clock of text", ["900", 10]),
    ("a clock in another array", [[900, 10]]),
]

# Transcripts

Frames = list[Frame]
Games = Mapping[str, Game[Any]]


def _spoilt(frame: Frame) -> Frame:
    return replace(frame, payload=frame.payload[:-1] + bytes((frame.payload[-1] ^ 1,)))


def lies() -> Iterator[tuple[str, bytes]]:
    """For each rule of the protocol a match up to a lie that breaks it, as the honest seat keeps it."""
    done = set()
    for lie in (*ENTRIES, *WORDS):
        if lie.rule is None or lie.rule in done:
            continue
        for number in range(20):
            decide = player(f"vector bout {number}")
            first = "before any consent" not in lie.name
            made = Bout(number, game=REAL, options=WALL, decide=decide, agreeing=first)
            if lie.when(made) or made.run(lie.when):
                made.lie(lie.frames(made))
                yield f"cheated-{lie.rule}", made.honest[0].transcript
                done.add(lie.rule)
                break


def _equivocated(*, statement: bool) -> bytes:
    made = bout()
    made.run(owing(Choice))
    if statement:
        first, second = (made.liar.statement(Kind.CHAT, (text,)) for text in ("we are friends", "we are not"))
    else:
        first = made.liar.entry(made.liar.truth())
        second = made.liar.entry(Choice("guess 1"), number=made.liar.referee.count)
        if first == second:
            second = made.liar.entry(Choice("guess 2"))
    made.tell(first)
    made.lie([second])
    return made.honest[0].transcript


def under_way(steps: int = 40) -> Table:
    return table(3).play(steps=steps)


def _resigned() -> bytes:
    made = under_way()
    made.seats[1].session.resign()
    return made.play().seats[0].transcript


def _drawn() -> bytes:
    made = under_way(20).hold()
    made.seats[0].session.offer_draw()
    made.hold()
    made.seats[1].session.accept_draw()
    return made.play().seats[0].transcript


def _chatted() -> bytes:
    made = under_way().hold()
    for seat in made.seats:
        seat.session.say("good luck, 阿达")
    return made.hold().seats[0].transcript


def _away() -> bytes:
    made = bout()
    made.run(owing(Opening))
    made.claims_away(600)
    return made.honest[0].transcript


def _absences() -> Iterator[tuple[str, bytes]]:
    """AWAY with a receipt, without the one that it needs, with a false one; claims against each other."""
    made = bout()
    made.run(owing(Choice))
    before = list(made.honest[0].log)
    claim = made.claims_away(600)
    yield "unresponsive-receipt", made.honest[0].transcript
    liar, accused = made.liar, made.honest[0]
    answer = liar.entry(liar.truth())
    liar.follow(answer)
    referee = liar.referee
    receipt = receipts.sign(accused.identity, made.begun, accused.seat, referee.count, referee.head)
    false = receipts.sign(liar.identity, made.begun, accused.seat, referee.count, referee.head)
    bare, proven, forged = (
        liar.statement(Kind.AWAY, (accused.seat, 600, signed)) for signed in (b"", receipt, false)
    )
    body = made.begun.body
    yield "incomplete-away-without-receipt", transcript.write(body, [*before, answer, bare])
    yield "cheated-false-away-receipt", transcript.write(body, [*before, answer, forged])
    yield "incomplete-contested", transcript.write(body, [*before, claim, answer, bare])
    yield "unresponsive-claim-taken-back", transcript.write(body, [*before, claim, answer, proven])


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file; played once."""
    yield from _played().items()


@cache
def _played() -> dict[str, bytes]:
    return dict(_transcripts())


def _transcripts() -> Iterator[tuple[str, bytes]]:
    for reason in ("flag", "critical-flaw", "territory", "points"):
        yield f"complete-{reason}", ended(reason).seats[0].transcript
    flag = ended("flag").seats[0]
    log, body = list(flag.log), flag.begun.body
    first = next(at for at, frame in enumerate(log) if frame.kind == ENTRY)
    yield "complete-resigned", _resigned()
    yield "complete-agreed-draw", _drawn()
    yield "complete-without-the-ends", transcript.write(body, log[:-2])
    yield "complete-torn", flag.transcript[:-5]
    yield "incomplete", under_way().seats[0].transcript
    yield "incomplete-chat", _chatted()
    yield "incomplete-not-agreed", transcript.write(body, log[:1])
    yield "incomplete-nothing", transcript.write(body, [])
    yield "incomplete-torn", transcript.write(body, log[:20])[:-1]
    yield "unresponsive", _away()
    yield from _absences()
    yield "cheated-breach", ended("cheated", fair=False).seats[0].transcript
    yield from lies()
    for kind in (
        clocks,
        looks,
        mixes,
        talking,
        leaving,
        open_points,
        last_steps,
        last_words,
        takebacks,
        games,
        withheld,
    ):
        yield from kind.transcripts()
    yield "equivocated-entry", _equivocated(statement=False)
    yield "equivocated-statement", _equivocated(statement=True)
    short = log[: first + 20]
    spoilt = [*short[:first], _spoilt(short[first]), *short[first + 1 :]]
    yield "tampered-signature", transcript.write(body, spoilt)
    yield "tampered-dropped", transcript.write(body, short[:first] + short[first + 1 :])
    swapped = [*short[:first], short[first + 1], short[first], *short[first + 2 :]]
    yield "tampered-swapped", transcript.write(body, swapped)
    yield "tampered-repeated", transcript.write(body, [*short[: first + 1], *short[first:]])
    spliced = [*short[:first], *under_way().seats[0].log[first : first + 10]]
    yield "tampered-spliced", transcript.write(body, spliced)
    yield "tampered-noise", transcript.write(body, [*short[:first], Frame(ENTRY, b"noise")])
    yield "tampered-kind", transcript.write(body, [*short[:first], Frame(9, b""), *short[first:]])
    damaged = bytearray(transcript.write(body, short))
    damaged[len(damaged) // 2] ^= 1
    yield "tampered-damaged", bytes(damaged)
    whole = transcript.write(body, short)
    yield "unsupported-format", whole.replace(b"transcript 2\n", b"transcript 3\n", 1)
    later: Any = decode(body)
    yield "unsupported-protocol", transcript.write(encode([3, *later[1:]]), short)
    yield "unsupported-rules", transcript.write(encode([*later[:2], 99, *later[3:]]), short)
    yield "not-a-transcript", b"not a transcript\n"
    yield "malformed-genesis", transcript.write(b"\x80", short)
    yield "malformed-cut-in-the-genesis", flag.transcript[:200]


UNSUPPORTED: Final[Vector] = {"verdict": "unsupported", "exit_code": 50}
UNREADABLE: Final[Vector] = {"verdict": "unreadable", "exit_code": 65}
"""The answer to what is no transcript, and to what proves nothing."""


def expected(data: bytes, games: Games = GAMES, proving: ProofPolicy = WHERE_NEEDED) -> Vector:
    """The answer that an auditor must give (conformance/README.md has the form)."""
    try:
        report = audit(data, games, proving=proving)
    except Unsupported:
        return UNSUPPORTED
    except Refusal:
        return UNREADABLE
    outcome, due = report.outcome, report.owed
    return {
        "verdict": report.verdict.value,
        "exit_code": report.exit_code,
        "entries": report.checks.entries,
        "statements": report.checks.statements,
        "owed": None if due is None else {"seat": due.seat, "message": due.message.__name__},
        "winners": None if outcome is None else sorted(outcome.winners),
        "reason": None if outcome is None else outcome.reason,
        "contested": list(report.contested),
        "never_settled": list(report.never_settled),
        "silent": list(report.silent),
        "fault": None if report.fault is None else fault_of(report.fault),
        "at_record": report.at,
        "torn": report.torn,
    }


def case(data: bytes, games: Games = GAMES) -> Vector:
    """The answer, with what chooses among cases: game, seats and profile, where a file tells them."""
    answer = expected(data, games)
    if answer["verdict"] in ("unsupported", "unreadable"):
        return answer
    return {"match": match_of(data, games), **answer}


def match_of(data: bytes, games: Games = GAMES) -> Vector:
    """Game, seats and profile of a transcript."""
    begun = genesis.parse(transcript.read(data).genesis, games)
    return {"game": begun.game.name, "seats": len(begun.players), "proofs": begun.proofs}


def fault_of(fault: Fault) -> Vector:
    """A fault as vectors tell it."""
    return {"seat": fault.seat, "what": fault.what, "number": fault.number, "rule": fault.rule}


def proven(fault: Fault) -> Vector:
    """The answer to a proof that holds."""
    code = EXIT_CODES[Verdict.EQUIVOCATED if fault.rule == "equivocation" else Verdict.CHEATED]
    return {"verdict": "proven", "exit_code": code, "fault": fault_of(fault)}


def proofs() -> Iterator[tuple[str, bytes, Vector]]:
    """The proofs of the faults above, and bytes that prove nothing, with the answer to each."""
    made: dict[str, tuple[bytes, Report]] = {}
    for name, data in transcripts():
        if name.startswith(("cheated", "equivocated")):
            report = audit(data, GAMES)
            assert report.proof is not None
            assert report.fault is not None
            made[name] = report.proof, report
            yield name, report.proof, proven(report.fault)
    proof, report = made["equivocated-entry"]
    flag = ended("flag").seats[0]
    entries = [frame for frame in flag.log if frame.kind == ENTRY]
    end = next(frame for frame in reversed(flag.log) if frame.kind == STATEMENT)
    yield "nothing-an-honest-chain", prove(flag.begun.body, entries), UNREADABLE
    yield "nothing-an-honest-end", prove(flag.begun.body, [*entries, end]), UNREADABLE
    for name, data in last_words.proofs():
        yield name, data, UNREADABLE
    yield "nothing-one-version-twice", prove(flag.begun.body, [entries[0], entries[0]]), UNREADABLE
    yield "nothing-cut-off", proof[:-1], UNREADABLE
    later = encode([labels.PROTOCOL_VERSION + 1, "what", "ever"])
    yield "unsupported-protocol", prove(later, entries[:1]), UNSUPPORTED
    yield "unsupported-cut-off", prove(later, entries[:1])[:-1], UNSUPPORTED
    last = replay(dict(transcripts())["equivocated-entry"], GAMES).referee.entries[-1].frame
    yield "nothing-forged", prove(report.genesis.body, [last, _spoilt(last)]), UNREADABLE
