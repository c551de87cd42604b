"""A recorded match as JSON values, for other programs: docs/json.md has the keys."""

from __future__ import annotations

from typing import Any, Final

from cli.reports import describe, history
from cli.reports.rows import Plain
from p2p_stratego.core.game import Seat
from protocol.audit.verdict import Replayed, Report
from protocol.record import statements
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC, KINDS
from protocol.record.entries import Entry, Folded
from protocol.record.genesis import Genesis
from protocol.record.silence.gone import Gone
from protocol.record.statements import Kind, Statement

FORMAT: Final = 1
"""The version of the JSON; it grows when a key goes away or changes its meaning."""


STATEMENT_KEYS: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.AGREE: (),
    Kind.CHAT: ("text",),
    Kind.RESIGN: (),
    Kind.OFFER_DRAW: (),
    Kind.ACCEPT_DRAW: ("offered_by", "offer"),
    Kind.AWAY: ("away", "seconds", "receipt"),
    Kind.END: ("winners", "reason"),
    Kind.REVEAL: ("part", "openings"),
    Kind.COMPLAIN: ("look", "secret"),
    Kind.BACK: ("late",),
    Kind.SEALED: ("reader", "box"),
}
"""The keys for the parts of each statement's content."""


LONGER_KEYS: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.AGREE: ("talk_key",),
    Kind.RESIGN: ("card_key",),
    Kind.AWAY: ("away", "seconds", "receipt", "cause"),
    Kind.COMPLAIN: ("deal", "point", "proof"),
    Kind.BACK: ("late", "release"),
}
"""The keys for the longer contents that these kinds can have."""


_SEATS: Final = frozenset({"offered_by", "away", "winners", "reader"})


def plain(match: Replayed) -> Plain:
    """The whole match as JSON values: all public facts, and no others."""
    report, referee = match.report, match.referee
    return {
        "format": FORMAT,
        **describe.audited(report),
        "steps": history.plain_steps(referee),
        "record": [plain_entry(report, entry) for entry in referee.entries],
        "statements": [_statement(report, statement) for known in referee.statements for statement in known],
        "opened": {str(slot): face for slot, face in sorted(referee.table.faces.items())},
    }


def plain_entry(report: Report, entry: Entry) -> Plain:
    seat = describe.seat_name(report.genesis, entry.seat)
    if isinstance(entry, Folded):
        folded = statements.parse(entry.payload)
        return {"entry": entry.number, "seat": seat, "message": folded.kind.name, "statement": folded.index}
    message = CODEC.parse(entry.message)
    if isinstance(message, Gone):
        gone = describe.seat_name(report.genesis, message.seat)
        return {"entry": entry.number, "seat": seat, "message": "Gone", "gone": gone}
    fields = {name: _value(getattr(message, name)) for name in KINDS[type(message)].public}
    return {"entry": entry.number, "seat": seat, "message": type(message).__name__, **fields}


def _statement(report: Report, statement: Statement) -> Plain:
    genesis = report.genesis
    fields: Plain = {
        "seat": describe.seat_name(genesis, statement.seat),
        "index": statement.index,
        "after_entries": statement.count,
        "kind": statement.kind.name,
    }
    keys = STATEMENT_KEYS[statement.kind]
    if len(statement.content) > len(keys):
        keys = LONGER_KEYS[statement.kind]
    for name, value in zip(keys, statement.content, strict=True):
        fields[name] = _seats(genesis, value) if name in _SEATS else _value(value)
    return fields


def _seats(genesis: Genesis, value: Seat | tuple[Seat, ...]) -> Any:
    """Names for seats.  A player that accepts a draw may write any number there; it stays a number."""
    if isinstance(value, tuple):
        return [_seats(genesis, seat) for seat in value]
    return describe.seat_name(genesis, value) if value < len(genesis.players) else value


def _value(value: Any) -> Any:
    """Bytes as hexadecimal digits, tuples as arrays, openings with the names of their fields."""
    if isinstance(value, Opening):
        return {name: _value(getattr(value, name)) for name in KINDS[Opening].public}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [_value(item) for item in value]
    return value
