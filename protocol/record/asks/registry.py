"""All Asks in one table.  A new Ask is a module beside this one and its name in ASKS."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Mix
from protocol.record import gone
from protocol.record.asks import choose, claim, commit, mix, open_to, roll, together
from protocol.record.asks import open as opening
from protocol.record.asks.base import MessageKind, Owed
from protocol.record.gone import Gone
from protocol.wire.messages import Codec, Message

ASKS: Final = {
    one.KIND.ask: one.KIND for one in (choose, commit, opening, claim, roll, together, open_to, mix)
}
KINDS: Final[dict[type[Message], MessageKind]] = {
    message.shape.kind: message for ask in ASKS.values() for message in ask.messages
}
KINDS[Gone] = gone.KIND
"""By type: every message that answers an Ask, and Gone, which stands where an answer fails to come."""
CODEC: Final = Codec(kind.shape for kind in KINDS.values())
"""Messages to and from the arrays on the wire."""
DECISIONS: Final = frozenset(kind for kind, message in KINDS.items() if message.decision)
"""The messages with which a player decides something."""


def is_decision(owed: Owed) -> bool:
    """Whether a player decides what is owed; the order of a Mix can be the program's."""
    return owed.message in DECISIONS and not (isinstance(owed.part, Mix) and not owed.part.chosen)
