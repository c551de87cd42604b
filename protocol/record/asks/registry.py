"""All Asks, in one table for each profile.  A new Ask is a module beside this module, and its name here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from p2p_stratego.core.game import Ask, Choose, Commit, Mix, Shuffle, Together
from protocol.record.asks import choose, claim, commit, mix, open_to, roll, takeback, together
from protocol.record.asks import open as opening
from protocol.record.asks.base import AskKind, AskPart, MessageKind, Obligation, Script, Table
from protocol.record.asks.proofs import deck, laid, mixed, moved, opened, proved
from protocol.record.asks.takeback import TakeBack
from protocol.record.silence import gone
from protocol.record.silence.gone import Gone
from protocol.wire.messages import Codec, Message

_SHARED: Final = (choose.KIND, roll.KIND)
HASHES: Final[Mapping[type[Ask], AskKind]] = {
    kind.ask: kind
    for kind in (*_SHARED, together.KIND, commit.KIND, opening.KIND, claim.KIND, open_to.KIND, mix.KIND)
}
"""The Asks with salted hashes: openings settle the claims at the end."""


def _together(table: Table, ask: Together) -> Script[tuple[Any, ...]]:
    return together.script(table, ask, laid.script)


PROOFS: Final[Mapping[type[Ask], AskKind]] = {
    kind.ask: kind
    for kind in (
        *(*_SHARED, AskKind(Together, _together, together.KIND.messages), laid.KIND, opened.KIND),
        *(*proved.KINDS, *moved.KINDS, mixed.KIND, *deck.KINDS),
    )
}
"""The Asks under the profile of proofs: each entry proves its own step."""
KINDS: Final[dict[type[Message], MessageKind]] = {
    message.shape.kind: message
    for profile in (HASHES, PROOFS)
    for ask in profile.values()
    for message in ask.messages
}
KINDS[Gone], KINDS[TakeBack] = gone.KIND, takeback.KIND
"""By type: every message that answers an Ask; Gone and TakeBack stand in the place of one."""
CODEC: Final = Codec(kind.shape for kind in KINDS.values())
"""Messages to and from the arrays on the wire."""
DECISIONS: Final = frozenset(kind for kind, message in KINDS.items() if message.decision)
"""The messages with which a player decides something, except those that a program drew (`is_drawn`)."""

DRAWN: Final = frozenset(
    message.shape.kind
    for profile in (HASHES, PROOFS)
    for ask in (Commit, Mix, Shuffle)
    if ask in profile
    for message in profile[ask].messages
)
"""The messages that a program may have drawn: only for these does `is_drawn` need a look at the Ask."""


def asks_player(ask: Ask) -> bool:
    """Whether a player decides `ask` or a part of it."""
    parts = ask.asks if isinstance(ask, Together) else (ask,)
    return any(isinstance(part, Choose | Commit | Mix) and not is_drawn(part) for part in parts)


def is_decision(owed: Obligation) -> bool:
    """Whether a player decides the message that is owed."""
    return owed.message in DECISIONS and (owed.message not in DRAWN or not is_drawn(owed.part))


def is_drawn(part: AskPart) -> bool:
    """Whether a program draws the answer: the order of a deck, and a Commit or Mix that is not chosen."""
    return type(part) is Shuffle or (isinstance(part, Commit | Mix) and not part.chosen)
