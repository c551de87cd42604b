"""The verdicts on the copies of one match, as rows: a pure function of their bytes.

Nothing here depends on who judges, when, or in which order; the sentences are English.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from cli.archive import schema
from cli.archive.store import Part
from cli.reports import describe, history
from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit
from cli.shell.explain import sentence
from cli.studies.analysis import analysis_json
from cli.studies.analysis.analysing import Work, decisions
from cli.studies.statistics import facts
from p2p_stratego.core.analysis import Enough, Judgement
from p2p_stratego.core.language import english
from p2p_stratego.core.sides import score
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.audit.comparison import Comparison, Copies
from protocol.audit.proof import Fault
from protocol.audit.verdict import Replayed, Report, Verdict, replay
from protocol.crypto.keys import fingerprint
from protocol.errors import Refusal, Unsupported
from protocol.record.asks.base import Reached
from protocol.record.genesis import Genesis

FAULT: Final = ("culprit", "culprit_key", "rule", "what", "number", "problem")
UNJUDGED: Final = "unjudged"
"""The verdict on a record over which a limit was broken."""
TIME: Final = "The audit takes longer than its limit of time."
MEMORY: Final = "The audit takes more memory than its limit."
LOST: Final = "The audit ends the process that makes it."


class Copy(NamedTuple):
    """One record of a match.  `spoilt`: why it is not judged at all, by earlier experience; else None."""

    sha256: str
    changed: int | None
    data: bytes
    spoilt: str | None = None


class Broken(BaseException):
    """A limit is reached; the text says which.  No `except Exception` of an audit stops it."""


Guard: TypeAlias = Callable[[], AbstractContextManager[object]]
"""Limits for what is done inside, which raises Broken or MemoryError."""


@dataclass(slots=True)
class Rows:
    """The rows of one or more matches, by table."""

    verdicts: list[Plain] = field(default_factory=list)
    matches: list[Plain] = field(default_factory=list)
    decisions: list[Plain] = field(default_factory=list)
    events: list[Plain] = field(default_factory=list)

    def of(self, table: schema.Table) -> list[Plain]:
        """The rows of a table."""
        rows: list[Plain] = getattr(self, table.name)
        return rows


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is filled beside verdicts and matches."""

    version: str
    events: bool = False
    decisions: bool = False


@dataclass(frozen=True, slots=True)
class _Judged:
    """A copy that could be read: its record, its audit, and what `stats` takes from it."""

    copy: Copy
    report: Report
    facts: facts.Facts
    steps: int


class Match(NamedTuple):
    """A match: the part in which it lies, its id (64 hex digits), how many records it has."""

    part: Part
    id: str
    copies: int


def judge(match: Match, copies: Iterable[Copy], wanted: Wanted, guard: Guard) -> Rows:
    """The rows of one match, made of all its copies, in any order."""
    with english():
        return _Judgement(match, wanted, guard).rows(copies)


class _Judgement:
    """One match under judgement."""

    def __init__(self, match: Match, wanted: Wanted, guard: Guard) -> None:
        self._keys: Plain = {"game": match.part.game, "shard": match.part.shard, "match": match.id}
        self._count = match.copies
        self._wanted = wanted
        self._guard = guard
        self._together = Copies(GAMES)

    def rows(self, copies: Iterable[Copy]) -> Rows:
        """All rows; copies are taken one by one, and only the longest is kept: a match can have many."""
        made, times, sizes = Rows(), list[int](), list[int]()
        best: tuple[_Judged, Replayed] | None = None
        judged = 0
        for copy in copies:
            verdict, replayed, one = self._verdict(copy)
            made.verdicts.append({**self._keys, "version": self._wanted.version, **verdict})
            sizes.append(len(copy.data))
            times += [] if copy.changed is None else [copy.changed]
            if replayed is None or one is None:
                continue
            judged += 1
            if best is None or _rank(one) > _rank(best[0]):
                best = one, replayed
        made.verdicts.sort(key=itemgetter("sha256"))
        row = {
            **self._keys,
            "version": self._wanted.version,
            "copies": self._count,
            "changed": min(times, default=None),
            "told": self._wanted.events,
            "analysed": False if self._wanted.decisions else None,
        }
        if best is None:
            first = made.verdicts[0]
            kept = {name: first[name] for name in ("verdict", "code", *FAULT)}
            made.matches.append({**_UNKNOWN, **row, **kept, "size": max(sizes)})
            return made
        row |= self._match(best[0], several=judged > 1)
        row["openings"] = self._tried(self._openings, best[1], row["players"]) if row["counted"] else []
        made.matches.append(row)
        if self._wanted.events:
            made.events = self._tried(self._events, best[1])
        if self._wanted.decisions:
            made.decisions = self._tried(self._decisions, best[1])
            row["analysed"] = bool(made.decisions)
        return made

    def _verdict(self, copy: Copy) -> tuple[Plain, Replayed | None, _Judged | None]:
        """The verdict on one copy; the match and its facts, if it could be judged."""
        row: Plain = {"sha256": copy.sha256, "torn": False, "checks": None, "head": None, "at_record": None}
        row |= _fault(None, None)
        if copy.spoilt is not None:
            return row | _unjudged(copy.spoilt), None, None
        try:
            with self._guard():
                replayed = replay(copy.data, GAMES)
                if self._count > 1:
                    self._together.hold(replayed)
                steps = sum(isinstance(item, Reached) for item in replayed.referee.table.history)
                judged = _Judged(copy, replayed.report, facts.of(replayed), steps)
        except Broken as limit:
            return row | _unjudged(str(limit)), None, None
        except MemoryError:
            return row | _unjudged(MEMORY), None, None
        except Refusal as refusal:
            return row | _unreadable(refusal), None, None
        except Exception as bug:  # one record must not end the judging of the others
            return row | _failed(bug), None, None
        report = replayed.report
        row |= {
            "verdict": report.verdict.value,
            "code": report.exit_code,
            **_fault(report.genesis, report.fault),
            "problem": report.problem,
            "at_record": report.at,
            "torn": report.torn,
            "head": judged.facts.head,
            "checks": asdict(report.checks),
        }
        return row, replayed, judged

    def _match(self, best: _Judged, *, several: bool) -> Plain:
        """The row of the match, but for what its records alone say."""
        genesis = best.report.genesis
        row = _terms(genesis) | _length(best) | {"comparison": None}
        row |= _ending(genesis, best.report, best.facts)
        return row | self._compared(best) if several else row

    def _compared(self, best: _Judged) -> Plain:
        """What all copies come to."""
        genesis = best.report.genesis
        try:
            with self._guard():
                result = self._together.compare()
        except Broken as limit:
            return _unjudged(str(limit)) | {"comparison": UNJUDGED, "counted": False}
        except MemoryError:
            return _unjudged(MEMORY) | {"comparison": UNJUDGED, "counted": False}
        except Exception as bug:  # as for one record
            return _failed(bug) | {"comparison": "failed", "counted": False}
        name, code = describe.come_to(result)
        if result.fault is not None or result.whole is None or name == "differ":
            whole = _of_comparison(genesis, result, name, code)
            return {**whole, "comparison": name}
        return {**_ending(genesis, result.whole, best.facts), "comparison": name}

    def _tried(self, make: Callable[..., Iterator[Plain]], *given: object) -> list[Plain]:
        """Rows beside the verdict, which stands whatever becomes of them: none where they cannot be made."""
        try:
            with self._guard():
                return [*make(*given)]
        except (Broken, MemoryError):
            return []
        except Exception:  # as for a record: one match must not end the judging of the others
            return []

    def _events(self, replayed: Replayed) -> Iterator[Plain]:
        for step in history.plain_steps(replayed.referee):
            yield {**self._keys, **step}

    def _decisions(self, replayed: Replayed) -> Iterator[Plain]:
        """The decisions of the longest copy, judged; none in a game without an analysis."""
        genesis = replayed.report.genesis
        if ENTRIES[genesis.game.name].analysis is None or replayed.report.verdict is Verdict.TAMPERED:
            return
        for judgement in Work(replayed, history.of_match(replayed)).judge(_unhurried):
            yield {**self._keys, **_decision(genesis, judgement)}

    def _openings(self, replayed: Replayed, players: Sequence[Plain]) -> Iterator[Plain]:
        """The openings of the longest copy, with the score of each chooser."""
        openings = ENTRIES[replayed.report.genesis.game.name].openings
        if openings is None:
            return
        for line in openings.load().of(decisions(replayed.referee, {}), len(players)):
            by = [players[choice.seat] for choice in line.choices]
            by = by[:1] if all(player is by[0] for player in by) else by
            yield {
                "kind": line.kind,
                "variant": line.variant,
                "choices": [choice.word for choice in line.choices],
                "seats": [player["seat"] for player in by],
                "scores": [player["score"] for player in by],
            }


def _rank(judged: _Judged) -> tuple[int, int, str]:
    """The longest copy is the greatest; of equally long ones the hash decides."""
    return judged.report.checks.entries, len(judged.copy.data), judged.copy.sha256


def _fault(genesis: Genesis | None, fault: Fault | None) -> Plain:
    """The columns of a fault; all null without one."""
    row: Plain = dict.fromkeys(FAULT)
    if genesis is not None and fault is not None:
        row |= {
            "culprit": describe.seat_name(genesis, fault.seat),
            "culprit_key": genesis.players[fault.seat].key.hex(),
            "rule": fault.rule,
            "what": fault.what,
            "number": fault.number,
        }
    return row


def _unhurried() -> Enough:
    """The clock of decisions that are judged to the end: a row must not depend on the machine."""
    return lambda: False


def _decision(genesis: Genesis, judgement: Judgement) -> Plain:
    """A judged decision, with the judge, as `analyse --json` has both."""
    plain = analysis_json.decision(genesis, judgement)
    judge = analysis_json.judge_of(genesis)
    return {
        **plain,
        "key": genesis.players[judgement.made.seat].key.hex(),
        "decided": None if plain["decided"] is None else _json(plain["decided"]),
        "knew": _json(plain["knew"]),
        "judge": judge["bot"],
        "judge_version": judge["version"],
    }


def _unjudged(why: str) -> Plain:
    return {"verdict": UNJUDGED, "code": int(Exit.IO), **_fault(None, None), "problem": why}


def _failed(bug: Exception) -> Plain:
    why = f"{type(bug).__name__}: {bug}"
    return {"verdict": "failed", "code": int(Exit.BUG), **_fault(None, None), "problem": why}


def _unreadable(refusal: Refusal) -> Plain:
    unsupported = isinstance(refusal, Unsupported)
    verdict, code = ("unsupported", Exit.UNSUPPORTED) if unsupported else ("unreadable", Exit.DATA)
    return {"verdict": verdict, "code": int(code), "problem": sentence(refusal)}


_UNKNOWN: Final[Plain] = {
    "comparison": None,
    "winner": None,
    "reason": None,
    "winners": [],
    **dict.fromkeys(("seats", "entries", "steps", "decisions", "escrow"), 0),
    "options": "{}",
    **dict.fromkeys(("rules_version", "package", "pace", "clock", "head")),
    **dict.fromkeys(("proofs", "takebacks", "practice", "counted"), False),
    "players": [],
    "openings": [],
}
"""What a match has of which nothing can be read."""


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _terms(genesis: Genesis) -> Plain:
    """What the players agreed on."""
    plain = describe.match(genesis)
    return {
        "options": _json(plain["options"]),
        "rules_version": str(plain["rules_version"]),
        "package": plain.get("source", {}).get("package"),
        "pace": plain["pace"],
        "clock": None if plain["clock"] is None else _json(plain["clock"]),
        "proofs": plain["proofs"],
        "escrow": plain["escrow"],
        "takebacks": plain["takebacks"],
        "seats": len(genesis.players),
    }


def _length(judged: _Judged) -> Plain:
    checks = judged.report.checks
    return {
        "entries": checks.entries,
        "steps": judged.steps,
        "decisions": checks.decisions,
        "size": len(judged.copy.data),
        "head": judged.facts.head,
        "practice": bool(checks.takebacks),
    }


def _ending(genesis: Genesis, report: Report, known: facts.Facts) -> Plain:
    """A verdict, and the end that it gives; `known`: of the longest copy."""
    outcome = report.outcome
    counted = outcome is not None and report.exit_code == 0 and not known.practice
    tallied = counted and known.counted
    return {
        "verdict": report.verdict.value,
        "code": report.exit_code,
        **_fault(genesis, report.fault),
        "problem": report.problem,
        "winner": None if outcome is None else describe.winner(genesis, outcome),
        "winners": describe.result(genesis, outcome)["winners"] or [],
        "reason": None if outcome is None else outcome.reason,
        "counted": counted,
        "players": [*_players(genesis, report, known, tallied=tallied)],
    }


def _players(genesis: Genesis, report: Report, known: facts.Facts, *, tallied: bool) -> Iterator[Plain]:
    outcome = report.outcome
    winners = frozenset() if outcome is None else frozenset(outcome.winners)
    for seat, sitting in enumerate(known.players):
        began = bool(known.began) and tallied
        yield {
            "seat": sitting.seat,
            "name": sitting.name,
            "key": sitting.key,
            "fingerprint": fingerprint(genesis.players[seat].key),
            "side": sitting.side,
            "won": seat in winners,
            "score": None if outcome is None else _score(known, winners, seat),
            "began": seat in known.began if began else None,
            "counts": _json(_of_seat(known.counts, seat) if tallied else {}),
            "liked": _json(_of_seat(known.liked, seat) if tallied else {}),
        }


def _of_seat(values: Sequence[Mapping[str, Any]], seat: int) -> Plain:
    return dict(values[seat]) if values else {}


def _score(known: facts.Facts, winners: frozenset[int], seat: int) -> float:
    side = {other for other, player in enumerate(known.players) if player.side == known.players[seat].side}
    return score({*winners}, side)


def _of_comparison(genesis: Genesis, result: Comparison, name: str, code: Exit) -> Plain:
    """The verdict of copies that show a fault together, or contradict each other: no end counts."""
    outcome = None if result.whole is None else result.whole.outcome
    ended = describe.result(genesis, outcome)
    return {
        "verdict": name,
        "code": int(code),
        **_fault(genesis, result.fault),
        **{key: ended[key] for key in ("winner", "reason")},
        "winners": ended["winners"] or [],
        "counted": False,
    }


def digest(data: bytes) -> str:
    """The name of a record: its SHA-256, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()
