"""A turn from count to end: the choices that are due, the drawn cards, the next seat, and the ranking at the
end.
"""

from __future__ import annotations

from p2p_stratego.conquest.rules.act import Act
from p2p_stratego.conquest.rules.cards import A_ROLL, dealt, put_away, sides
from p2p_stratego.conquest.rules.state import ON_BOARD, Event, State, owners
from p2p_stratego.core.game import Outcome, Roll, Seat, Turn


def fixed(state: State, seat: Seat) -> State:
    """Fix the cards and the moves of the turn that begins, by what the board shows."""
    due = len(state.owned(seat)) // 2 if state.flags[seat] == ON_BOARD else 0
    return state._replace(
        phase="cards" if due else "move",
        seat=seat,
        due=due,
        drawn=(),
        moves=1 + state.cities(seat),
        made=0,
        hand=None,
    )


def begun(state: State, seat: Seat) -> State:
    """The turn of `seat` begins."""
    return fixed(state, seat)._replace(turn=state.turn + 1)


def not_begun(state: State) -> bool:
    """Whether the player to move has neither drawn a card nor made a move."""
    return state.phase == "cards" or (state.phase == "move" and not state.due and not state.made)


def next_in(state: State, seat: Seat) -> Seat:
    """The next seat clockwise that is still in."""
    after = ((seat + step) % state.seats for step in range(1, state.seats + 1))
    return next(other for other in after if state.status[other] == "in")


def draw(act: Act) -> Turn[None]:
    """The cards due are drawn, up to six with a Roll."""
    for number in (min(A_ROLL, act.state.due), act.state.due - A_ROLL):
        if number > 0:
            pile, drawn = act.state.pile, act.state.drawn
            rolled: int = yield Roll(sides(pile, drawn, number))
            pile, drawn = dealt(pile, drawn, number, rolled)
            act.state = act.state._replace(pile=pile, drawn=drawn)
    act.tell(Event("drew", act.state.seat, cards=act.state.drawn))
    act.state = act.state._replace(phase="play")


def discard(act: Act) -> None:
    """The cards of this turn are put away."""
    state = act.state
    act.state = state._replace(pile=put_away(state.pile, state.drawn), drawn=())


def end(act: Act) -> None:
    """Territories change hands, who is beaten is out, and the next turn begins.  Raises Stopped."""
    discard(act)
    state = act.state
    standing = {piece.seat for piece in state.board if piece is not None}
    beaten = [seat for seat in state.still_in if state.flags[seat] != ON_BOARD and seat not in standing]
    act.state = state._replace(
        territories=owners(state.board),
        status=tuple("out" if seat in beaten else status for seat, status in enumerate(state.status)),
    )
    for seat in beaten:
        act.tell(Event("out", seat))
    _pass_on(act)


def _pass_on(act: Act) -> None:
    """The next seat still in is to move; a round ends at the starter's place.  Raises Stopped."""
    state = act.state
    seat = next_in(state, state.seat)
    place, before = ((player - state.first) % state.seats for player in (seat, state.seat))
    if place <= before:
        if state.round == state.rounds:
            raise act.over(ranked(state))
        act.state = state._replace(round=state.round + 1)
    act.state = begun(act.state, seat)


def ranked(state: State) -> Outcome:
    """The end after the last round: most captured flags, then territories, then pieces on the board."""
    ranks = {
        seat: (len(state.captives(seat)), len(state.owned(seat)), len(state.zones_held(seat)))
        for seat in range(state.seats)
        if state.flags[seat] == ON_BOARD
    }
    best = frozenset(seat for seat, rank in ranks.items() if rank == max(ranks.values()))
    if len(best) == state.seats:
        return Outcome(frozenset(), "draw")
    return Outcome(best, "rounds")
