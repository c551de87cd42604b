"""Players who keep the rules, for tests in which nobody should be caught."""

from __future__ import annotations

import random
from typing import cast

from p2p_stratego.core.game import Choose, Decision
from p2p_stratego.registry import ENTRIES, make_bot
from protocol.record.asks.base import Decided
from protocol.seat.session import Session
from tests.helpers.games import cups
from tests.helpers.games.cups import CUPS
from tests.helpers.games.toy import TOY


def honest(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """A decision that no rule punishes, in any game that the tests play."""
    if session.genesis.game.name == CUPS.name:
        return cast("Decided", cups.decide(session.view, decision, rng))
    if session.genesis.game.name != TOY.name:
        name = session.genesis.game.name.removeprefix("dealt-")  # a game that begins in the middle
        return make_bot(name, list(ENTRIES[name].bots)[-1], rng).decide(session.view)
    if isinstance(decision, Choose):
        return rng.choice(list(decision.options))
    if decision.exactly:
        return tuple(rng.sample(list(decision.faces), len(decision.slots)))
    taboo = session.referee.table.state.taboo
    return tuple(rng.choice([face for face in decision.faces if face != taboo]) for _ in decision.slots)
