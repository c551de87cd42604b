"""The cup of chits: draws, chits that come back, and hands that are too full."""

from __future__ import annotations

from p2p_stratego.core.game import Back, Draw, Shuffle, Slot, Turn
from p2p_stratego.spies.rules.act import Act, chosen, put
from p2p_stratego.spies.rules.atlas import City, Power
from p2p_stratego.spies.rules.counters import HAND
from p2p_stratego.spies.rules.notation import words
from p2p_stratego.spies.rules.state import CUP, NOWHERE


def draw(act: Act, power: Power, number: int, city: City = NOWHERE, why: str = "") -> Turn[None]:
    """A power draws chits, as many as there are, and returns what is over ten.

    The player who has left draws none.
    """
    number = min(number, act.state.cup)
    if not number or act.state.idle(power):
        return
    if act.state.stirred:
        yield Shuffle(CUP)
        act.set(stirred=False)
    slots = new_chits(act, power, number)
    yield Draw(CUP, ((act.state.seat(power), slots),))
    act.tell("draws", power, numbers=(number,), city=city, word=why)
    yield from _surplus(act, power)


def new_chits(act: Act, power: Power, number: int) -> tuple[Slot, ...]:
    """The slots of chits that leave the cup for a hand."""
    state = act.state
    slots = tuple(range(state.next_chit, state.next_chit + number))
    act.set(
        next_chit=state.next_chit + number,
        cup=state.cup - number,
        hands=put(state.hands, power, state.hands[power] + slots),
    )
    return slots


def _surplus(act: Act, power: Power) -> Turn[None]:
    """The player chooses which chits over ten go back."""
    returned: list[Slot] = []
    while len(act.state.hands[power]) > HAND:
        answer = yield from chosen(act, power, [words("return", slot) for slot in act.state.hands[power]])
        slot = act.state.hands[power][-1] if answer is None else int(answer.split()[1])
        take_out(act, power, slot)
        returned.append(slot)
    if returned:
        yield from into_cup(act, tuple(returned))
        act.tell("returns", power, numbers=(len(returned),))


def take_out(act: Act, power: Power, slot: Slot) -> None:
    """A chit leaves a hand."""
    hand = tuple(held for held in act.state.hands[power] if held != slot)
    act.set(hands=put(act.state.hands, power, hand))


def into_cup(act: Act, slots: tuple[Slot, ...]) -> Turn[None]:
    """Chits go back into the cup."""
    yield Back(slots, CUP)
    act.set(cup=act.state.cup + len(slots), stirred=True)
