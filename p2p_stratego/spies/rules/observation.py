"""The knowledge of a seat of SPIES!: the faces that it can read, and its true options."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from p2p_stratego.core.game import Choose, Commit, Face, Move, Slot
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import Power
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.counters import CHIT_NAMES, COUSIN, GENUINE, KINDS, STRENGTHS, value
from p2p_stratego.spies.rules.notation import (
    CAPTURED,
    FREE,
    IS_COUNTERSPY,
    IS_COUSIN,
    IS_GENUINE,
    NO_COUSIN,
    NO_MORE,
    NO_TILE,
    SURVIVES,
)
from p2p_stratego.spies.rules.purse import laid, money
from p2p_stratego.spies.rules.state import Event, SecretId, SpyId, State
from p2p_stratego.spies.rules.tiles import fitting
from p2p_stratego.spies.rules.underway import now

Known = Mapping[Slot, Face]


def spy_face(state: State, spy: SpyId, known: Known) -> Face | None:
    """The face of a spy to a seat with this knowledge; None if it cannot tell."""
    piece = state.spies[spy]
    return piece.face if piece.face is not None else known.get(piece.slot)


def secret_face(state: State, secret: SecretId, known: Known) -> Face | None:
    """The face of a secret to a seat with this knowledge; None if it cannot tell."""
    lying = state.secrets[secret]
    return lying.face if lying.face is not None else known.get(lying.slot)


def strength_in(state: State, power: Power, city: int, known: Known) -> int | None:
    """The strength of a power's police in a city together; None if a seat cannot tell."""
    faces = [
        unit.face if unit.face is not None else known.get(unit.slot) for unit in state.police_in(power, city)
    ]
    return None if None in faces else sum(face or 0 for face in faces)


def funds(state: State, power: Power, known: Known) -> int | None:
    """The pounds of a power; None if they are secret to a seat."""
    if any(slot not in known for slot in state.purses[power]):
        return None
    return money(state, power, known)


def hand(state: State, power: Power, known: Known) -> tuple[Face | None, ...]:
    """The chits of a power, as far as a seat can read them."""
    return tuple(known.get(slot) for slot in state.hands[power])


def due_commit(state: State, decision: Commit, known: Known) -> tuple[Face, ...] | None:
    """The faces of a Commit, where the rules leave no choice: a purse after a sum."""
    due = state.settling
    if due is None or decision.slots != due.after + due.carries:
        return None
    return laid(due, known)


def true_options(view: View[State]) -> list[Move]:
    """The options of a Choose that this seat may say by all that it knows: none of them breaks a rule."""
    decision, state = view.asked, now(view)
    if not isinstance(decision, Choose):
        raise TypeError("only a Choose has options")
    forced = _forced(state, decision.options, view)
    if forced is not None:
        return [forced]
    return [move for move in decision.options if _true(state, move, decision.options, view)]


def _last(state: State, kind: str) -> Event:
    return next(event for event in reversed(state.report) if event.kind == kind)


def _forced(state: State, options: Collection[Move], view: View[State]) -> Move | None:
    """The one true answer to a question of fact."""
    if CAPTURED in options and FREE in options:
        event = _last(state, "searches")
        police = strength_in(state, event.power, event.city, view.known)
        return CAPTURED if (police or 0) > STRENGTHS[spy_face(state, event.spy, view.known) or 0] else FREE
    if IS_GENUINE in options:
        face = secret_face(state, _last(state, "discovers").secret, view.known)
        return IS_GENUINE if face in GENUINE else IS_COUNTERSPY
    if SURVIVES in options:
        face = spy_face(state, _last(state, "discovers").spy, view.known) or 0
        strong = face == COUSIN or STRENGTHS[face] >= value(_last(state, "counterspy").face)
        return SURVIVES if strong else CAPTURED
    if IS_COUSIN in options:
        event = _last(state, "sanctions")
        mine = [spy for spy in (event.other, event.spy) if state.runs[state.spies[spy].power] == view.seat]
        return IS_COUSIN if spy_face(state, mine[0], view.known) == COUSIN else NO_COUSIN
    return None


def _true(state: State, move: Move, options: Collection[Move], view: View[State]) -> bool:
    """Whether the seat holds what it would play, and can pay for it."""
    known, year = view.known, state.year
    if move == NO_TILE:
        return not any(known.get(slot) in fitting(year) for slot in state.tiles[state.power])
    if move == NO_MORE:
        return _together(state, view) == _least_bid(options) - 1
    word, *parts = move.split(" ")
    if word in ("tile", "discard"):
        return known.get(int(parts[0])) in fitting(year)
    if word in CHIT_NAMES:
        slot, kind = int(parts[0]), CHIT_NAMES.index(word)
        return known.get(slot) == kind and _pays(state, _holder(state, slot), KINDS[kind].pounds, known)
    if word == "bid":
        return int(parts[0]) <= _together(state, view)
    if word == "pay":
        own = powers_of(state, view.seat)
        return all(_pays(state, power, int(part), known) for power, part in zip(own, parts, strict=True))
    if word == "accept" and state.amounts:
        wanted = state.amounts[3]
        owner = state.partner
        if wanted and owner is not None:
            amount = sum(known[slot] * 9**place for place, slot in enumerate(wanted))
            return _pays(state, owner, amount, known)
    return True


def _together(state: State, view: View[State]) -> int:
    return sum(money(state, power, view.known) for power in powers_of(state, view.seat))


def _least_bid(options: Collection[Move]) -> int:
    return min((int(move.split()[1]) for move in options if move.startswith("bid ")), default=0)


def _holder(state: State, slot: Slot) -> Power:
    return next(power for power, hand_ in enumerate(state.hands) if slot in hand_)


def _pays(state: State, power: Power, pounds: int, known: Known) -> bool:
    has = funds(state, power, known)
    return has is not None and has >= pounds
