"""Who can read a hidden thing, and since when: it follows from the Asks alone, so everybody can tell."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Ask, Commit, Draw, Give, Mix, OpenTo, Seat, Show, Slot, Together


def read_by(ask: Ask) -> Iterator[tuple[Seat, tuple[Slot, ...]]]:
    """The seats that learn faces by this Ask, each with the slots that it can read from then on.

    Openings are left out: everybody reads those.  A seat that has left by then learns nothing of it.
    """
    match ask:
        case Together(asks):
            for part in asks:
                yield from read_by(part)
        case Commit(seat, slots):
            yield seat, slots
        case Mix(seat=seat, new=new):
            yield seat, new
        case OpenTo(slot, seat):
            yield seat, (slot,)
        case Draw(hands=hands):
            yield from hands
        case Show(slots, seat, copies):
            yield seat, (*slots, *copies)
        case Give(slots, seat):
            yield seat, slots
        case _:
            return
