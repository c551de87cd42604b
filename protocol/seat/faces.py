"""The faces that a seat can read beside the opened faces: the faces it laid, and the faces shown to it alone.

All these faces follow from the record, the seat's decisions and its master secret, so the disk holds no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice

from p2p_stratego.core.game import Ask, Choose, Commit, Decision, Face, Mix, Seat, Slot, Together
from protocol.crypto.proofs import card, escrow
from protocol.crypto.proofs.party import Prover
from protocol.record.asks import commit, mix
from protocol.record.asks.base import Answered, Decided, Look, Obligation
from protocol.record.asks.registry import CODEC, is_drawn
from protocol.record.asks.takeback import TakeBack
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.complaints import Flaw, face_shown, flaw
from protocol.record.entries import Folded
from protocol.record.referee import Referee
from protocol.record.statements import Content
from protocol.seat.secrets import MatchSecrets


class Faces:
    """The faces that `seat` can read under hidden slots; up to date at every call."""

    def __init__(self, referee: Referee, seat: Seat, secrets: MatchSecrets) -> None:
        self._referee, self._seat, self._secrets = referee, seat, secrets
        self.laid: dict[Slot, Face] = {}
        """By slot: the faces that the seat laid in answered Asks."""
        self._steps = 0
        self._shown: dict[Slot, Face] = {}
        self._looks = self._read = 0
        self._judged = -1
        """The number of the last entry with a key in shares that the seat has judged; −1 before."""
        self._table = referee.table
        self._last: tuple[Look, Face | Flaw] | None = None
        """The last look of the seat, and the face or flaw that it saw."""

    def forget(self) -> None:
        """Forget all faces, to learn them anew: lost records or decisions are here again."""
        self.laid, self._shown = {}, {}
        self._steps = self._looks = self._read = 0
        self._judged = -1
        self._last = None

    @property
    def own(self) -> Mapping[Slot, Face]:
        """By slot: the faces that the seat laid, drew or was shown under a key of its own.

        Also the faces that it has decided to lay in the Ask under way, or in the Ask that a draw cut off.
        """
        self._learn_laid()
        owed = self._referee.owed
        ask = self._table.cut if owed is None else owed.ask
        return self.laid if ask is None else self.laid | self._laid_in(ask, self._table.serial)

    @property
    def known(self) -> dict[Slot, Face]:
        """By slot: all faces that the seat can read, with the opened faces."""
        self._learn_shown()
        return {**self.own, **self._shown, **self._referee.table.faces}

    @property
    def answerable(self) -> bool:
        """Whether the seat knows every decision to which its commitments in the record bind it."""
        referee, seat = self._referee, self._seat
        if seat in referee.table.gone:
            return True  # it answers no Ask any more
        laid = {slot for slot, hidden in referee.table.hidden.items() if hidden.seat == seat}
        if not laid <= self.own.keys():
            return False
        signed = (entry for entry in reversed(referee.entries) if not isinstance(entry, Folded))
        messages = ((entry.seat, CODEC.parse(entry.message)) for entry in signed)
        choices = (
            message
            for by, message in messages
            if isinstance(message, TakeBack)
            or (by == seat and isinstance(message, HiddenChoice | ShownChoice))
        )
        last = next(choices, None)  # what a TakeBack undid binds nobody
        return not isinstance(last, HiddenChoice) or referee.table.serial in self._secrets.decided

    def parts(self, ask: Ask) -> list[Choose | Commit]:
        """The parts of `ask` that the seat's player decides: none, or a single part."""
        if isinstance(ask, Mix):
            own = self.own if ask.chosen and ask.seat == self._seat else {}
            return [ask.decision(own)] if own.keys() >= set(ask.old) else []
        parts = ask.asks if isinstance(ask, Together) else (ask,)
        decisions = (part for part in parts if isinstance(part, Choose | Commit) and not is_drawn(part))
        return [part for part in decisions if part.seat == self._seat]

    def fits(self, decision: Decision, decided: Decided) -> bool:
        """Whether the rules offer `decided` as the answer to `decision` in the Ask under way.

        An army may be incomplete, at its player's risk, unless it has to be proved at once.  The faces that a
        Mix lays again are fixed.
        """
        if isinstance(decision, Choose):
            return decided in decision.options
        owed, proofs = self._referee.owed, self._referee.genesis.proofs
        if owed is not None and (isinstance(owed.ask, Mix) or (proofs and decision.exactly)):
            return Counter[Face | str](decided) == Counter(decision.faces)
        return len(decided) == len(decision.slots) and all(face in decision.faces for face in decided)

    def forget_misfit(self, owed: Obligation) -> None:
        """Drop our decision if it does not fit the records that came back: then our player decides again."""
        serial = self._referee.table.serial
        decided, part = self._secrets.decided.get(serial), next(iter(self.parts(owed.part)), None)
        if decided is not None and part is not None and not self.fits(part, decided):
            del self._secrets.decided[serial]

    def complaint(self) -> Content | None:
        """The content of a complaint that the seat can still make, or None (SPEC 10.3).

        It is the number of the entry with a flawed look, and the seat's secret of that look; or the number of
        the entry with a key in shares, and a proof that the seat's share does not fit.
        """
        return self._complaint_of_look() or self._complaint_of_share()

    def _complaint_of_look(self) -> Content | None:
        self._learn_shown()
        if self._last is None:
            return None
        look, shown = self._last
        newest = self._referee.newest_entry(self._seat)
        if newest is None or newest.number > look.number:
            return None
        if flaw(self._referee.table, look, shown, self._referee.count) is None:
            return None
        return look.number, self._secret(look)

    def _complaint_of_share(self) -> Content | None:
        cards, game, seat = self._referee.table.cards, self._referee.genesis.id, self._seat
        for number in [number for number in cards.deals_at if number > self._judged]:
            self._judged = number
            dealt = cards.deals[cards.deals_at[number]]
            z = self._secrets.share_key(game, seat)
            if seat in dealt.pads and seat in cards.share_keys and escrow.share(dealt, seat, z) is None:
                ctx = dealt.dealer.ctx._replace(seat=seat)
                return (number, *escrow.complain(Prover(ctx, z, self._secrets.nonces(game, seat)), dealt))
        return None

    def _secret(self, look: Look) -> bytes:
        place = look.place
        return self._secrets.look_secret(place.game, place.viewer, place.serial)

    def _renew(self) -> None:
        """Learn all anew if the match went back: a Gone took the place of a record, or a TakeBack."""
        if self._referee.table is not self._table:
            self._table = self._referee.table
            self.forget()

    def _learn_laid(self) -> None:
        self._renew()
        if self._referee.genesis.proofs:
            self._read_cards()
            return
        news = self._referee.table.history[self._steps :]
        self._steps += len(news)
        for step in news:
            if isinstance(step, Answered):
                self.laid |= self._laid_in(step.ask, step.serial)

    def _read_cards(self) -> None:
        """Read every new card under the seat's key."""
        news = self._table.cards.log[self._read :]
        self._read += len(news)
        x = self._secrets.deck_key(self._referee.genesis.id, self._seat) if news else 0
        for new_card in news:
            if new_card.seat == self._seat:
                face = card.read(x, new_card.card)
                if face is None:
                    slot = new_card.slot
                    raise RuntimeError(f"the card under slot {slot} has no face, though all was proved")
                self.laid[new_card.slot] = face

    def _laid_in(self, ask: Ask, serial: int) -> dict[Slot, Face]:
        """By slot: the faces that the seat lays in `ask`; none before its decision, or if it lays none."""
        if isinstance(ask, Mix):
            if self._referee.genesis.proofs or ask.seat != self._seat or not self.laid.keys() >= set(ask.old):
                return {}
            laid = mix.faces_laid(self._secrets, self._referee.genesis.id, serial, ask, self.laid)
            return {} if laid is None else dict(zip(ask.new, laid, strict=True))
        for part in ask.asks if isinstance(ask, Together) else (ask,):
            if isinstance(part, Commit) and part.seat == self._seat:
                faces = commit.faces_laid(self._secrets, self._referee.genesis.id, serial, part)
                # A decision that lost records left behind may be a move, or of another number.
                return dict(zip(part.slots, faces, strict=False)) if isinstance(faces, tuple) else {}
        return {}

    def _learn_shown(self) -> None:
        self._renew()
        table = self._table
        if len(table.looks) == self._looks:
            return
        for look in islice(table.looks.values(), self._looks, None):
            self._looks += 1
            if look.place.viewer == self._seat:
                shown = face_shown(table, look, self._secret(look))
                self._last = look, shown
                if not isinstance(shown, Flaw):
                    self._shown[look.place.slot] = shown
