"""A move: a step, a run, a fight, or "none", if no piece can step."""

from __future__ import annotations

from p2p_stratego.conquest.rules.act import FALSE_NONE, RAN, STEPPED, Act, chosen, promised, shown
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, Zone
from p2p_stratego.conquest.rules.choices import Moves
from p2p_stratego.conquest.rules.flags import captured
from p2p_stratego.conquest.rules.movement import closed_steppers
from p2p_stratego.conquest.rules.notation import NONE, zones
from p2p_stratego.conquest.rules.pieces import FIGHTS, FIXED, FIXED_ONES, MOBILE, MOBILE_ONES, SCOUT
from p2p_stratego.conquest.rules.state import Event, Piece
from p2p_stratego.conquest.rules.turns import end
from p2p_stratego.core.game import Claim, Face, Turn
from p2p_stratego.core.rulebook import Stopped


def move(act: Act) -> Turn[None]:
    """The player to move makes one move, or ends its turn.  Raises Stopped."""
    state = act.state
    answer = yield from chosen(Moves(state), state.seat)
    step = zones(answer)
    if step is None:
        if answer == NONE:
            yield from _none(act)
        act.tell(Event(answer, state.seat))
        end(act)
        return
    source, target = step
    if state.board[target] is None and target in NEIGHBOURS[source]:
        yield from _step(act, source, target)
    elif state.board[target] is None:
        piece = state.board[source]
        closed = piece is not None and piece.face is None
        yield from _opened_mover(act, source, target)
        _go(act, source, target)
        act.tell(Event("ran", state.seat, (source, target), (SCOUT,) * closed))
    else:
        yield from _attack(act, source, target)
    act.state = act.state._replace(made=state.made + 1)
    if act.state.moves_left == 0:
        end(act)


def _none(act: Act) -> Turn[None]:
    """No piece can step: all closed ones with a neighbour to go to are claimed to be fixed."""
    state = act.state
    stuck = {zone: piece for zone in closed_steppers(state) if (piece := state.board[zone]) is not None}
    if stuck:
        slots = tuple(piece.slot for piece in stuck.values())
        yield Claim(state.seat, FALSE_NONE, slots, FIXED)
    for zone, piece in stuck.items():
        act.put(zone, promised(piece, FALSE_NONE, FIXED_ONES))


def _go(act: Act, source: Zone, target: Zone) -> None:
    """The piece on `source` takes `target`."""
    board = list(act.state.board)
    board[source], board[target] = None, board[source]
    act.state = act.state._replace(board=tuple(board))


def _step(act: Act, source: Zone, target: Zone) -> Turn[None]:
    """To a free neighbour: a closed piece stays closed, and is claimed to be able to step."""
    piece = act.state.board[source]
    if piece is not None and piece.face is None and not piece.stepped:
        yield Claim(piece.seat, STEPPED, (piece.slot,), MOBILE)
        act.put(source, promised(piece, STEPPED, MOBILE_ONES)._replace(stepped=True))
    _go(act, source, target)
    act.tell(Event("moved", act.state.seat, (source, target)))


def _opened_mover(act: Act, source: Zone, target: Zone) -> Turn[Face]:
    """The face of a piece that runs or attacks.  Raises Stopped if it cannot, or its player has left."""
    seat = act.state.seat
    face = yield from shown(act, source)
    if face is None:
        raise Stopped
    if face in FIXED:
        raise act.breached(seat, STEPPED)
    if face != SCOUT and target not in NEIGHBOURS[source]:
        raise act.breached(seat, RAN)
    return face


def _attack(act: Act, source: Zone, target: Zone) -> Turn[None]:
    """Both are opened, the attacker first; a defender whose owner has left leaves its zone."""
    seat = act.state.seat
    attacker = yield from _opened_mover(act, source, target)
    defending: Piece | None = act.state.board[target]
    defender = yield from shown(act, target)
    if defending is None or defender is None:
        _go(act, source, target)
        act.tell(
            Event(
                "walked-in", seat, (source, target), (attacker,), other=defending.seat if defending else None
            )
        )
        return
    result = FIGHTS[attacker][defender]
    act.tell(Event(result, seat, (source, target), (attacker, defender), other=defending.seat))
    if result == "flag":
        _go(act, source, target)
        yield from captured(act, seat, defending.seat, defending.slot)
        return
    if result != "lost":
        act.fall(target)
    if result == "won":
        _go(act, source, target)
    else:
        act.fall(source)
