"""Every hidden face of one game in self-play, whose it is, and who can read it.

The dealer whom nobody has in a real match: it knows the decks and all hands.  What the protocol refuses to
the rules (a slot used twice, a card that is not there) it refuses as well: RuntimeError, a bug of the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from types import MappingProxyType

from p2p_stratego.core.absent import remaining
from p2p_stratego.core.game import (
    Back,
    Deck,
    DeckAsk,
    Draw,
    Face,
    Give,
    Lay,
    NewDeck,
    Seat,
    Show,
    Shuffle,
    Slot,
)
from p2p_stratego.core.sampling import shuffled
from p2p_stratego.core.view import Chance


class Dealer:
    """Holds the cards of `seats` players; `chance` orders the decks."""

    def __init__(self, seats: int, chance: Chance) -> None:
        self._chance = chance
        self.decks: dict[Deck, list[Face]] = {}
        """By deck: its cards, the top one first."""
        self.holders: dict[Slot, Seat | None] = {}
        """Who can show what lies under a slot; None where nobody has seen it."""
        self.faces: dict[Slot, Face] = {}
        self.opened: set[Slot] = set()
        self.missing: set[Slot] = set()
        """The slots under which a seat was to lay something and did not, as one had left."""
        self._dead: set[Slot] = set()
        self._known: tuple[dict[Slot, Face], ...] = tuple({} for _ in range(seats))
        self.known = tuple(map(MappingProxyType, self._known))
        """By seat: the faces that it can read."""

    def lay(self, holder: Seat | None, slots: Sequence[Slot], faces: Sequence[Face]) -> None:
        """`faces` lie under new `slots`; their holder reads them."""
        for slot, face in zip(slots, faces, strict=True):
            if slot in self.holders:
                raise RuntimeError(f"the rules used slot {slot} twice")
            self.holders[slot], self.faces[slot] = holder, face
        self.missing.difference_update(slots)
        if holder is not None:
            self.see(slots, holder)

    def see(self, slots: Iterable[Slot], seat: Seat) -> None:
        """`seat` can read what lies under `slots`."""
        self._known[seat].update((slot, self.faces[slot]) for slot in slots)

    def open(self, slot: Slot) -> Face:
        """Everybody sees the face under `slot`."""
        self.held((slot,))
        for known in self._known:
            known[slot] = self.faces[slot]
        self.opened.add(slot)
        return self.faces[slot]

    def held(self, slots: Sequence[Slot]) -> Seat | None:
        """The one holder of `slots`, of which none is dead."""
        if any(slot not in self.holders or slot in self._dead for slot in slots):
            raise RuntimeError(f"the rules ask for slots {slots} of which one was not laid, or is dead")
        holders = {self.holders[slot] for slot in slots}
        if len(holders) != 1 or len(set(slots)) != len(slots):
            raise RuntimeError(f"slots {slots} have not one holder, or one of them stands there twice")
        return holders.pop()

    def bury(self, slots: Iterable[Slot]) -> None:
        """Nothing may be asked of `slots` any more."""
        self._dead.update(slots)

    def deal(self, ask: DeckAsk, gone: Collection[Seat]) -> None:
        """Settle an Ask about decks; `gone`: the seats that have left, to which nothing is shown or given."""
        if isinstance(ask, NewDeck):
            if ask.deck in self.decks:
                raise RuntimeError(f"the rules lay deck {ask.deck} twice")
            self.decks[ask.deck] = list(ask.faces)
        elif isinstance(ask, Shuffle):
            self.decks[ask.deck] = shuffled(self.decks[ask.deck], self._chance)
        elif isinstance(ask, Draw):
            for seat, slots in ask.hands:
                self.lay(seat, slots, self._top(ask.deck, len(slots)))
        elif isinstance(ask, Lay):
            self.lay(None, ask.slots, self._top(ask.deck, len(ask.slots)))
        elif (left := remaining(ask, gone, self.missing)) is not None:
            if isinstance(left, Back):
                self._back(left)
            else:
                self._pass_on(left)

    def _top(self, deck: Deck, number: int) -> list[Face]:
        cards = self.decks[deck]
        if number > len(cards):
            raise RuntimeError(f"the rules draw {number} cards of deck {deck}, which has {len(cards)}")
        top, self.decks[deck] = cards[:number], cards[number:]
        return top

    def _back(self, ask: Back) -> None:
        if closed := [slot for slot in ask.slots if slot not in self.opened]:
            self.held(closed)
        for slot in ask.slots:
            self.held((slot,))
            self.bury((slot,))
            self.decks[ask.deck].append(self.faces[slot])

    def _pass_on(self, ask: Show | Give) -> None:
        holder = self.held(ask.slots)
        if isinstance(ask, Show):
            self.lay(ask.seat, ask.copies, [self.faces[slot] for slot in ask.slots])
        if isinstance(ask, Give) or holder is None:
            self.holders.update(dict.fromkeys(ask.slots, ask.seat))
        self.see(ask.slots, ask.seat)
