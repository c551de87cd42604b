"""Everything before the first turn: the draw, the draft, the armies, and the zones that they fill."""

from __future__ import annotations

from p2p_stratego.conquest.rules.act import Act, chosen
from p2p_stratego.conquest.rules.atlas import TERRITORIES
from p2p_stratego.conquest.rules.choices import Fillings, own_zones
from p2p_stratego.conquest.rules.notation import filled, take, taken
from p2p_stratego.conquest.rules.pieces import ARMY
from p2p_stratego.conquest.rules.state import SLOTS, Event, Piece, State, opening, owners
from p2p_stratego.conquest.rules.turns import begun, next_in
from p2p_stratego.core.game import Choose, Commit, Move, Options, Roll, Seat, Slot, Together, Turn


def setup(seats: int, options: Options) -> Turn[State]:
    """Each seat draws a piece; the highest face starts; of several highest ones, chance picks one."""
    rolled: int = yield Roll(len(ARMY) ** seats)
    digits = []
    for _ in range(seats):
        rolled, digit = divmod(rolled, len(ARMY))
        digits.append(digit)
    drawn = tuple(ARMY[digit] for digit in reversed(digits))
    highest = [seat for seat in range(seats) if drawn[seat] == max(drawn)]
    first = highest[0]
    if len(highest) > 1:
        picked: int = yield Roll(len(highest))
        first = highest[picked]
    state = opening(seats, options, first)
    return state._replace(report=(Event("starts", first, faces=drawn),))


def picker(state: State, pick: int) -> Seat:
    """The seat to pick: clockwise from the starter, back from the last, again from the starter, …"""
    row, place = divmod(pick, state.seats)
    return (state.first + (state.seats - 1 - place if row % 2 else place)) % state.seats


def pick(act: Act) -> Turn[None]:
    """A seat takes a territory."""
    state = act.state
    left = tuple(take(place) for place, owner in enumerate(state.taken) if owner is None)
    place = taken((yield from chosen(left, state.seat)))
    owned = (*state.taken[:place], state.seat, *state.taken[place + 1 :])
    act.state = state._replace(taken=owned, picks=state.picks + 1)
    act.tell(Event("took", state.seat, TERRITORIES[place].zones))
    pass_pick(act)


def pass_pick(act: Act) -> None:
    """The next player still in has the pick; after the last one the armies follow."""
    state = act.state
    picks = state.picks
    while picks < len(TERRITORIES) and state.status[picker(state, picks)] != "in":
        picks += 1
    if picks < len(TERRITORIES):
        act.state = state._replace(picks=picks, seat=picker(state, picks))
    else:
        act.state = state._replace(picks=picks, seat=state.first, phase="army")


def own_slots(seat: Seat) -> tuple[Slot, ...]:
    """A side's slots at set-up."""
    return tuple(range(seat * SLOTS, seat * SLOTS + SLOTS))


def army(act: Act) -> Turn[None]:
    """Everybody lays the whole army face down, before anybody's zones are known."""
    state = act.state
    yield Together(tuple(Commit(seat, own_slots(seat), ARMY, exactly=True) for seat in state.still_in))
    act.state = state._replace(phase="zones")
    act.tell(Event("laid", state.first))
    if state.seats * SLOTS == len(state.board):  # four players fill all they have, unasked
        _array(act, {seat: tuple(range(SLOTS)) for seat in state.still_in})


def fillings(state: State, seat: Seat) -> Fillings:
    """The ways in which `seat` can fill its zones."""
    places = tuple(place for place, owner in enumerate(state.taken) if owner == seat)
    return Fillings(own_zones(state, seat), places if state.garrison else ())


def zones(act: Act) -> Turn[None]:
    """Everybody says which of its own zones are filled, before it knows another's."""
    state = act.state
    seats = state.still_in
    answers: tuple[Move | None, ...] = yield Together(
        tuple(Choose(seat, fillings(state, seat)) for seat in seats)
    )
    _array(act, {seat: filled(move) for seat, move in zip(seats, answers, strict=True) if move is not None})


def _array(act: Act, places: dict[Seat, tuple[int, ...]]) -> None:
    """Put the armies on the board, a side's k-th slot on its k-th filled place; the first turn begins."""
    state = act.state
    board = list(state.board)
    for seat, filling in places.items():
        own = own_zones(state, seat)
        for slot, place in zip(own_slots(seat), filling, strict=True):
            board[own[place]] = Piece(slot, seat)
    act.state = state._replace(board=tuple(board), territories=owners(tuple(board)), round=1)
    act.tell(Event("arrayed", state.first))
    starter = state.first if state.status[state.first] == "in" else next_in(act.state, state.first)
    act.state = begun(act.state, starter)
