"""Together: several seats decide at the same time.  All seats commit to their choices, then all open them."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from p2p_stratego.core.game import Choose, Commit, Face, Move, Seat, Slot, Together
from p2p_stratego.core.values import frozen
from protocol.crypto.commitment import hide_choice
from protocol.record.asks import commit
from protocol.record.asks.base import (
    AskKind,
    BrokenRule,
    MessageKind,
    Obligation,
    Script,
    SeatLeft,
    Secrets,
    Table,
)
from protocol.wire.messages import Message, Shape, bytes32, move

CommitScript: TypeAlias = Callable[[Table, Commit, Together], Script[None]]
"""The script of a Commit within a Together, in the profile of the match."""


@frozen
class HiddenChoice(Message):
    """A commitment (32 bytes) to one of several choices made at the same time."""

    digest: bytes


@frozen
class ShownChoice(Message):
    """The opening of a HiddenChoice: the choice and its salt (32 bytes)."""

    move: Move
    salt: bytes


def script(table: Table, ask: Together, lay: CommitScript = commit.script) -> Script[tuple[Any, ...]]:
    """Commits come one after the other (they hide by themselves); of choices, all commit, then all open.

    `lay`: the script of a Commit.  If a seat is gone, or leaves before its opening, its part is None.
    """
    digests: dict[Seat, bytes] = {}
    for part in ask.asks:
        if part.seat in table.gone:
            if isinstance(part, Commit):
                table.leave_out(*part.slots)
        elif isinstance(part, Commit):
            yield from lay(table, part, ask)
        else:
            try:
                hidden: HiddenChoice = yield Obligation(part.seat, HiddenChoice, ask, part)
            except SeatLeft:
                continue
            table.require_unrepeated(hidden.digest)
            digests[part.seat] = hidden.digest
    moves: dict[Seat, Move] = {}
    for part in ask.asks:
        if isinstance(part, Choose) and part.seat in digests:
            try:
                shown: ShownChoice = yield Obligation(part.seat, ShownChoice, ask, part)
            except SeatLeft:
                continue
            _check(table, part, digests[part.seat], shown)
            moves[part.seat] = shown.move
    return tuple(moves.get(part.seat) for part in ask.asks)


def _check(table: Table, part: Choose, digest: bytes, shown: ShownChoice) -> None:
    expected = hide_choice(table.genesis.id, part.seat, table.serial, shown.move, shown.salt)
    if not hmac.compare_digest(expected, digest):
        raise BrokenRule("wrong-opening")
    if shown.move not in part.options:
        raise BrokenRule("illegal-choice")


def _hidden(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> HiddenChoice | None:
    game, seat, decided = table.genesis.id, owed.seat, secrets.decided.get(table.serial)
    if decided is None:
        return None
    salt = secrets.choice_salt(game, seat, table.serial)
    return HiddenChoice(hide_choice(game, seat, table.serial, cast("Move", decided), salt))


def _shown(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> ShownChoice | None:
    decided = secrets.decided.get(table.serial)
    if decided is None:
        return None
    return ShownChoice(cast("Move", decided), secrets.choice_salt(table.genesis.id, owed.seat, table.serial))


KIND: Final = AskKind(
    Together,
    script,
    (
        MessageKind(
            Shape(2, HiddenChoice, (bytes32,)), _hidden, "a hidden choice", ("digest",), decision=True
        ),
        MessageKind(
            Shape(3, ShownChoice, (move, bytes32)),
            _shown,
            "the opening of a hidden choice",
            ("move", "salt"),
        ),
    ),
)
