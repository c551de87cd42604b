"""One seat of a match: records in, records out.  No sockets, no files, no clock, no randomness.

The session answers on its own whatever needs no decision (openings, shares, the END), asks its player for
the rest, and passes everything, its own records too, through the referee.  What it gives out must be
persisted in its order before anything of it is sent; then nothing that was acknowledged can be lost, and no
place of the chain is ever signed twice with different content (threats 30 and 31).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, NoReturn

from p2p_stratego.core.game import Ask, Choose, Commit, Decision, Face, Outcome, Seat, Slot, Together
from p2p_stratego.core.view import View
from protocol.crypto.keys import Identity
from protocol.errors import Equivocation, Malformed, Refusal, Stale, Violation, WrongKey
from protocol.failures import NotNow, Why
from protocol.record import receipts, statements
from protocol.record.asks.base import Answered, Decided, Owed
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.entries import Entry
from protocol.record.genesis import Genesis
from protocol.record.position import Position
from protocol.record.referee import Duplicate, end_is_due
from protocol.record.statements import MAX_STATEMENTS, Content, Kind, Statement
from protocol.seat import replies
from protocol.seat.effects import Duty, Output
from protocol.seat.follower import Follower
from protocol.seat.secrets import STALE, MatchSecrets, encode_decision
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame

_KEPT: Final = 100
"""Of a seat's statements, those that chat and offers must leave: for a resignation, a REVEAL and the END."""


class Session:
    """One seat of one match, from its genesis and whatever was recorded and decided before."""

    def __init__(
        self,
        genesis: Genesis,
        seat: Seat,
        identity: Identity,
        secrets: MatchSecrets,
        recorded: Iterable[Frame] = (),
    ) -> None:
        """Raises a Refusal if `recorded` is not a valid record of this match, WrongKey for another key."""
        if genesis.players[seat].key != identity.key:
            raise WrongKey
        self.genesis = genesis
        self.seat = seat
        self.copy = Follower(genesis)
        self.referee = self.copy.referee
        self._identity = identity
        self._secrets = secrets
        self._own: dict[Slot, Face] = {}
        self._mended = secrets.lost > 0
        """Whether decisions may have been made over records that this copy lost."""
        self._outputs: list[Output] = []
        self.proven = False
        """Whether this copy was found, in this process, to lack nothing that our own key has signed."""
        for frame in recorded:
            with suppress(Violation, Equivocation):  # kept in self.fault; nothing can follow it
                self._admit(frame)
        self._remember_faces()

    # What there is to see

    @property
    def fault(self) -> Violation | Equivocation | None:
        """The proven fault of another seat that ended the match."""
        return self.copy.fault

    @property
    def behind(self) -> bool:
        """Whether another seat has announced what is not here yet; until it is, no entry is signed."""
        return self.copy.behind

    @property
    def _sure(self) -> bool:
        return self.proven and not self.behind and not self._secrets.lost

    @property
    def answerable(self) -> bool:
        """Whether we still know every decision of ours that the record holds a commitment to."""
        laid = {slot for slot, hidden in self.referee.table.hidden.items() if hidden.seat == self.seat}
        if not laid <= self._own.keys():
            return False
        said = (
            CODEC.parse(entry.message) for entry in reversed(self.referee.entries) if entry.seat == self.seat
        )
        last = next((one for one in said if isinstance(one, HiddenChoice | ShownChoice)), None)
        return not isinstance(last, HiddenChoice) or self.referee.table.serial in self._secrets.decided

    @property
    def live(self) -> bool:
        """Whether heads were compared with the other seats since the last (re)connection."""
        return self.copy.live

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended for us, or None: by the rules, a statement, or an opponent's proven fault."""
        return self.copy.outcome

    @property
    def over(self) -> bool:
        """Whether play has ended; the outcome may still wait for claims to be settled."""
        ended, outcome = self.referee.provisional is not None, self.outcome
        if ended or outcome is None:
            return ended
        # Whoever is said to be away can still say what it owes: that answers the claim.
        return outcome.reason != "unresponsive" or self.seat in outcome.winners

    @property
    def decision(self) -> Decision | None:
        """What our player can decide now, also before another seat that decides at the same time."""
        owed = self.referee.owed
        if owed is None or self.over or self.referee.table.serial in self._secrets.decided:
            return None
        return next(iter(self._parts(owed.ask)), None)

    @property
    def kept(self) -> Decided | None:
        """What our player has decided, and we owe and could not say yet."""
        owed, serial = self.referee.owed, self.referee.table.serial
        return self._secrets.decided.get(serial) if owed and owed.seat == self.seat else None

    @property
    def known(self) -> dict[Slot, Face]:
        """Every face we can read: our own and those opened."""
        return self._own | self.referee.table.faces

    @property
    def view(self) -> View[Any]:
        """All that our player may see, for screens and bots; not before the set-up is complete."""
        table = self.referee.table
        since = tuple((step.ask, step.answer) for step in table.since)
        return View(self.seat, table.state, self.known, self.decision, since)

    @property
    def draw_offer(self) -> Statement | None:
        """Another seat's offer of a draw that we could accept now."""
        if self.over:
            return None
        answered = {s.content for s in self.referee.statements[self.seat] if s.kind is Kind.ACCEPT_DRAW}
        others = (seat for seat in range(len(self.genesis.players)) if seat != self.seat)
        offers = [self.referee.standing_offer(seat) for seat in others]
        return next((s for s in offers if s is not None and (s.seat, s.index) not in answered), None)

    def position(self) -> Position:
        """How far our record goes."""
        return self.copy.position()

    @property
    def claimable(self) -> Seat | None:
        """The seat that owes something and can be said to be away: its signature shows that it knows."""
        if self.outcome is not None or not self.referee.agreed:
            return None
        return next((seat for seat in self._late() if self.copy.receipt(seat) is not None), None)

    # What our player does

    def decide(self, decided: Decided) -> None:
        """Answer `decision`.  Raises NotNow if nothing is to be decided or the rules do not offer this.

        The decision is kept secret and persisted until it is owed; nothing about it leaves before.
        """
        decision = self.decision
        if decision is None:
            raise NotNow(Why.NOTHING_TO_DECIDE)
        if isinstance(decision, Choose):
            if decided not in decision.options:
                raise NotNow(Why.NOT_OFFERED, str(decided))
        elif len(decided) != len(decision.slots) or not all(face in decision.faces for face in decided):
            raise NotNow(Why.WRONG_COUNT, len(decision.slots))
        owed, serial = self.referee.owed, self.referee.table.serial
        self._secrets.decided[serial] = decided
        if not (
            self._sure and self.referee.agreed and owed and (owed.seat, owed.message) == (self.seat, Choice)
        ):
            # Otherwise the entry, which follows at once, is the record of it.
            self._outputs.append(Output(Duty.SECRET, encode_decision(serial, decided)))
        self._remember_faces()
        self._advance()

    def say(self, text: str) -> None:
        """Send a line of chat, 1 to 500 characters.  Raises NotNow."""
        try:
            statements.chat_text(text)
        except Malformed as error:
            raise NotNow(Why.BAD_TEXT, str(error)) from error
        if not self.live or self.fault is not None or not self.referee.agreed:
            raise NotNow(Why.NOT_CONNECTED)
        self._require_room()
        self._state(Kind.CHAT, (text,))

    def resign(self) -> None:
        """Give the match up.  Raises NotNow if it has ended."""
        self._require_running()
        self._state(Kind.RESIGN)
        self._advance()

    def offer_draw(self) -> None:
        """Offer a draw; it lapses with the other's next decision.  Raises NotNow."""
        self._require_running()
        if self.referee.standing_offer(self.seat) is not None:
            raise NotNow(Why.OFFER_STANDS)
        self._require_room()
        self._state(Kind.OFFER_DRAW)

    def accept_draw(self) -> None:
        """Accept `draw_offer`.  Raises NotNow."""
        self._require_running()
        offer = self.draw_offer
        if offer is None:
            raise NotNow(Why.NO_OFFER)
        self._require_room()
        self._state(Kind.ACCEPT_DRAW, (offer.seat, offer.index))
        self._advance()

    def claim_away(self, seconds: int) -> None:
        """Put on record that the seat which owes did not answer for `seconds`, and end the match.

        It is allowed while records are missing here: a liar could announce some for ever.  Raises NotNow if
        it is our own turn, if the match has ended, or if no signature shows that the seat knows what it owes.
        """
        if self.outcome is not None or not self.referee.agreed:
            raise NotNow(Why.NO_MATCH)
        if self._secrets.stale:
            raise NotNow(Why.OLD_COPY)
        if self._secrets.lost:
            raise NotNow(Why.NOT_COMPARED)
        if not self._late():
            raise NotNow(Why.OWN_TURN)
        accused = self.claimable
        if accused is None:
            raise NotNow(Why.NOT_ACKNOWLEDGED)
        self._state(Kind.AWAY, (accused, seconds, self.copy.receipt(accused) or b""))

    # What comes and goes

    def agree(self) -> None:
        """Sign our consent to the genesis, once."""
        if not self.referee.statements[self.seat] and self.fault is None and not self._secrets.stale:
            self._state(Kind.AGREE)

    def go_live(
        self,
        theirs: Position | None = None,
        shown: tuple[bytes, bytes] | None = None,
        *,
        seat: Seat | None = None,
    ) -> None:
        """Another seat is connected and its record goes as far as `theirs`; sign no entry until ours does.

        `shown`: the newest entry and statement of our own seat that it holds, as payloads or empty.  Only our
        own key can have made one that is missing here, so they show at once whether this copy is an old one.
        `seat`: whose copy it is; of two seats, the other's.  Raises Misplaced if the chains differ,
        Malformed, and Stale if this copy is an old one.
        """
        seat = self._next if seat is None else seat
        remote = self.copy.remote(seat)
        remote.live, remote.goal, remote.shown = False, None, shown
        if self._secrets.stale:
            self._freeze()
        if theirs is not None:
            self.copy.announced(seat, theirs, patient=self._secrets.lost > 0)
        if theirs is None:
            self.proven = True
        elif shown is not None and not self.copy.lacks(self.seat, shown):
            self.proven = True
            self._secrets.lost = 0  # the other seat holds nothing of ours that is missing here
        elif shown is not None and not self._secrets.lost:  # records that the disk lost may come back
            self._freeze()
        if remote.goal is None:
            remote.live = True
        self._catch_up()
        self._advance()

    def pause(self, seat: Seat | None = None) -> None:
        """The connection is gone.  What was found by comparing heads still holds: until a restart we go on
        signing what we owe, so as to be seen not to owe it.
        """
        self.copy.remote(self._next if seat is None else seat).live = False

    def give_up(self) -> None:
        """What another seat announced has not come, and counts for nothing any more."""
        self.copy.give_up()
        self._advance()

    def missing(self, theirs: Position) -> list[Frame]:
        """The records that a seat at `theirs` lacks.  Raises Misplaced if the chains differ, or Malformed."""
        if self._secrets.stale:
            self._freeze()
        return self.copy.missing(theirs)

    def receipt(self) -> tuple[int, bytes] | None:
        """The count of our entries and our receipt (64 bytes) for them, if our player has to decide now."""
        referee = self.referee
        if not self._sure or not referee.agreed or self.over or referee.owed is None:
            return None
        if referee.owed.seat != self.seat:
            return None
        signed = receipts.sign(self._identity, self.genesis, self.seat, referee.count, referee.head)
        return referee.count, signed

    def receive(self, frame: Frame) -> None:
        """Take a record from another seat.

        Raises a Refusal that blames nobody (the record is dropped), or Stale.  A Violation or Equivocation is
        recorded as evidence, ends the match, and is raised too.
        """
        if self._secrets.stale:
            self._freeze()
        try:
            record = self._admit(frame)
        except Duplicate:
            return
        except (Violation, Equivocation):
            self._outputs.append(Output(Duty.RECORD, bytes(frame)))
            raise
        if record.seat == self.seat and not self._comes_back(frame):
            self._freeze()
        self._outputs.append(Output(Duty.RECORD, bytes(frame)))
        self._catch_up()
        self._advance()

    def outputs(self) -> list[Output]:
        """Everything to be persisted and sent since the last call, in order."""
        outputs, self._outputs = self._outputs, []
        return outputs

    # Within

    @property
    def _next(self) -> Seat:
        """Of two seats, the other one."""
        return (self.seat + 1) % len(self.genesis.players)

    def _late(self) -> list[Seat]:
        """The other seats that owe something."""
        return [seat for seat in self.referee.waited_for if seat != self.seat]

    def _admit(self, frame: Frame, *, verified: bool = False) -> Entry | Statement:
        """Pass a record through the one gate; a fault of our own seat shows an old copy, not a cheat."""
        try:
            return self.copy.admit(frame, verified=verified)
        except (Violation, Equivocation) as fault:
            if fault.seat == self.seat:
                self.copy.fault = None
                self._freeze()
            raise

    def _comes_back(self, frame: Frame) -> bool:
        """Whether our own record, from another seat, can be one that our disk lost.

        It can if the other seat has announced it and it fits into the bytes that were set aside, and if
        every commitment of ours in the record is to a decision that we still know.
        """
        if not self.behind or len(frame) > self._secrets.lost:
            return False
        self._secrets.lost -= len(frame)
        self._remember_faces()
        return self.answerable

    def _freeze(self) -> NoReturn:
        """Our key has signed what this copy does not know: it never signs again (threat 31)."""
        if not self._secrets.stale:
            self._secrets.stale = True
            self._outputs.append(Output(Duty.SECRET, STALE))
        self.proven = False
        for remote in self.copy.remotes.values():
            remote.live = False
        raise Stale

    def _catch_up(self) -> None:
        if not self.copy.catch_up():
            return
        for remote in self.copy.remotes.values():
            # It holds what the disk lost, and announced less: what it keeps back is not to be signed again.
            if remote.live and remote.shown is not None and self.copy.lacks(self.seat, remote.shown):
                remote.live = False
                raise Malformed("The other side shows records of ours that it has not sent.")
        self.proven = True
        self._secrets.lost = 0  # all that the disk lost and the other seat holds is here again

    def _require_running(self) -> None:
        if self.over:
            raise NotNow(Why.ENDED)
        if not self.referee.agreed:
            raise NotNow(Why.NOT_BEGUN)
        self._require_current()

    def _require_current(self) -> None:
        if self._secrets.stale:
            raise NotNow(Why.OLD_COPY)
        if self.behind and not self.proven:
            raise NotNow(Why.BEHIND)
        if self._secrets.lost:  # what the disk lost may stand at the place that would be signed
            raise NotNow(Why.NOT_COMPARED)

    def _require_room(self) -> None:
        if len(self.referee.statements[self.seat]) >= MAX_STATEMENTS - _KEPT:
            raise NotNow(Why.FULL)

    def _remember_faces(self) -> None:
        """Know every face that we laid, or decided to lay, by what is kept of our decisions."""
        steps, owed = self.referee.table.history, self.referee.owed
        asks = [*(step.ask for step in steps if isinstance(step, Answered)), *([owed.ask] if owed else [])]
        for serial, decided in self._secrets.decided.items():
            if serial < len(asks) and isinstance(decided, tuple):
                for part in self._parts(asks[serial]):
                    if isinstance(part, Commit):
                        self._own.update(zip(part.slots, decided, strict=True))

    def _parts(self, ask: Ask) -> list[Choose | Commit]:
        """What `ask` wants our player to decide: nothing, or one thing."""
        parts = ask.asks if isinstance(ask, Together) else (ask,)
        return [part for part in parts if isinstance(part, Choose | Commit) and part.seat == self.seat]

    def _advance(self) -> None:
        """Say everything that is owed by us and needs no decision any more."""
        referee = self.referee
        while self._sure and referee.agreed and not self.over:
            owed = referee.owed
            if owed is None or owed.seat != self.seat:
                break
            if self._mended:
                self._forget_misfit(owed)
            message = replies.reply(self._secrets, referee, owed, self._own)
            if message is None:
                break
            body = referee.entry_body(message)
            payload = body + self._identity.sign(labels.SIGN_ENTRY, self.genesis.id + body)
            self._give(Frame(ENTRY, payload))
        if self._sure and self.seat in referee.unsettled and self.fault is None:
            self._state(Kind.REVEAL, (replies.openings(self._secrets, referee, self.seat, self._own),))
        if self._sure and self.fault is None and end_is_due(self.referee, self.seat):
            outcome = referee.outcome
            if outcome is not None:
                self._state(Kind.END, statements.end_content(outcome))

    def _forget_misfit(self, owed: Owed) -> None:
        """Have our player decide again what was decided over other records than those that came back."""
        serial, part = self.referee.table.serial, owed.part
        decided = self._secrets.decided.get(serial)
        fits = decided is None or (
            decided in part.options
            if isinstance(part, Choose)
            else not isinstance(part, Commit)
            or (len(decided) == len(part.slots) and all(face in part.faces for face in decided))
        )
        if not fits:
            del self._secrets.decided[serial]

    def _state(self, kind: Kind, content: Content = ()) -> None:
        referee = self.referee
        over = (referee.count, referee.head)
        body = statements.body(self.seat, len(referee.statements[self.seat]), over, kind, content)
        payload = body + self._identity.sign(labels.SIGN_STATEMENT, self.genesis.id + body)
        self._give(Frame(STATEMENT, payload))

    def _give(self, frame: Frame) -> None:
        """Our own records pass the same gate as theirs, but for the signature that was just made; if one does
        not, that is a bug, never a refusal.
        """
        try:
            self._admit(frame, verified=True)
        except Refusal as refusal:
            raise RuntimeError("our own record was refused") from refusal
        self._outputs.append(Output(Duty.SEND, bytes(frame)))
