"""Vectors of places where a second auditor, written from SPEC.md alone, had to guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from p2p_stratego.core.game import Seat
from protocol.errors import Refusal
from protocol.limits import MAX_BACK
from protocol.record import receipts, statements
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.together import HiddenChoice
from protocol.record.entries import parse_entry
from protocol.record.evidence import Evidence
from protocol.record.referee import Referee
from protocol.record.silence.gone import Gone
from protocol.record.statements import Kind, parse_record
from protocol.seat.session import Session
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from protocol.wire.messages import Message
from tests.helpers.cheats.away import Scene, scenes
from tests.helpers.seats.pair import Table
from tests.vectors.records.players import REAL, WALL, player

LATER: Final = "\u1b05\u1b35 a\u0357\u0323"
"""Code points that Unicode 3.2 does not know, of which later versions compose two and order two."""


class Copy:
    """A copy of a match, and records that its seats could sign behind it; the file keeps what is refused."""

    def __init__(self, made: Table, frames: Sequence[Frame]) -> None:
        self._made = made
        self.frames: list[Frame] = []
        self.referee = Referee(made.begun)
        self.tell(*frames)

    def tell(self, *frames: Frame) -> Copy:
        self.frames += frames
        for frame in frames:
            with suppress(Refusal):
                self.referee.admit(parse_record(frame))
        return self

    def say(self, seat: Seat, kind: Kind, *content: Any, count: int | None = None) -> Copy:
        """The next statement of `seat`, over all entries or `count` of them."""
        referee = self.referee
        over = referee.count if count is None else count
        after = len(referee.statements[seat]), referee.statement_heads[seat][-1]
        body = statements.body(seat, after, (over, referee.heads[over]), kind, content)
        return self.tell(Frame(STATEMENT, body + self._sign(seat, labels.SIGN_STATEMENT, body)))

    def call_away(self, seat: Seat, accused: Seat) -> Copy:
        """The word of a seat that another one, which has all entries, owes something."""
        identity, referee = self._made.seats[accused].identity, self.referee
        receipt = receipts.sign(identity, self._made.begun, accused, referee.count, referee.head)
        return self.say(seat, Kind.AWAY, accused, 600, receipt)

    def other_version(self, seat: Seat) -> Frame:
        """A second version of the newest statement of `seat`, well signed."""
        referee = self.referee
        known = referee.statements[seat][-1]
        after = known.index, referee.statement_heads[seat][known.index]
        over = known.count, referee.heads[known.count]
        body = statements.body(seat, after, over, Kind.CHAT, ("another version",))
        return Frame(STATEMENT, body + self._sign(seat, labels.SIGN_STATEMENT, body))

    def enter(
        self, seat: Seat, message: Message, *, number: int | None = None, more: Sequence[bytes] = ()
    ) -> Copy:
        """An entry of `seat` over the right head; `more`: what its release holds."""
        place = self.referee.count if number is None else number
        fields = place, seat, self.referee.heads[place], CODEC.value(message)
        return self._enter(seat, encode((*fields, tuple(more)) if more else fields))

    def enter_elsewhere(self, seat: Seat, number: int) -> Copy:
        """An entry of `seat` over a head that is nobody's."""
        return self._enter(seat, encode((number, seat, bytes(32), CODEC.value(Choice("guess 1")))))

    def _enter(self, seat: Seat, body: bytes) -> Copy:
        return self.tell(Frame(ENTRY, body + self._sign(seat, labels.SIGN_ENTRY, body)))

    def _sign(self, seat: Seat, label: bytes, body: bytes) -> bytes:
        return self._made.seats[seat].identity.sign(label, self._made.begun.id + body)

    @property
    def transcript(self) -> bytes:
        return transcript.write(self._made.begun.body, self.frames)


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    yield from _of_two()
    yield from _of_three()
    scene = _scene()
    yield from _gones(scene)
    yield from _proofs(scene)
    yield from _contested(scene)
    yield from _words(scene)
    yield from _draws(next(scene for scene in _scenes() if _decides(scene, 0) and _decides(scene, 1)))
    for name, leave in _LEFT.items():
        yield f"complete-four-left-{name}", _left(leave)


def _table(name: str, seats: int) -> Table:
    decide = [player(f"vector open points {name}-{seat}") for seat in range(seats)]
    return Table(1, game=REAL, options=WALL, seats=seats, decide=decide)


def _of_two() -> Iterator[tuple[str, bytes]]:
    made = _table("two", 2).play(steps=40).hold()
    log = made.seats[0].log

    def copy() -> Copy:
        return Copy(made, log)

    owed = copy().referee.owed
    if owed is None:
        raise AssertionError("play is over")
    owner, other, whole = owed.seat, 1 - owed.seat, copy().transcript
    own = [entry.number for entry in copy().referee.entries if entry.seat == owner]
    yield "cheated-false-gone-of-two", copy().enter(other, Gone(owner, (b"",))).transcript
    consent = next(frame for frame in log if statements.parse(frame.payload).seat == other)
    yield (
        "cheated-no-consent-first-reveal",
        Copy(made, [consent]).say(owner, Kind.REVEAL, 0, [[1, bytes(32)]]).transcript,
    )
    yield "cheated-went-on-twice", copy().say(owner, Kind.RESIGN, count=own[-2]).transcript
    yield "equivocated-other-head", copy().enter_elsewhere(owner, own[-1]).transcript
    yield "tampered-release-of-two", copy().enter(owner, Choice("guess 1"), more=[bytes(1)]).transcript
    yield "incomplete-chat-later", copy().say(owner, Kind.CHAT, LATER).transcript
    proof = Evidence(0, made.begun.id, (log[0],)).frame
    yield "tampered-proof-of-two", whole + (b"" if proof is None else bytes(proof))
    yield "incomplete-torn-kind", whole + bytes(Frame(9, b"no record"))[:-1]
    yield "not-a-transcript-leading-zero", whole.replace(b"transcript 2\n", b"transcript 02\n", 1)
    ended = _table("two", 2).play()
    entries = [frame for frame in ended.seats[0].log if frame.kind == ENTRY]
    consents = [frame for frame in ended.seats[0].log if frame.kind == STATEMENT][:2]
    yield (
        "cheated-false-end-seat",
        Copy(ended, [*consents, *entries]).say(0, Kind.END, (7,), "flag").transcript,
    )


def _of_three() -> Iterator[tuple[str, bytes]]:
    """The seat that is a side alone leaves: the others have won."""
    made = _table("three", 3).play(steps=30).hold()
    made.seats[1].session.resign()
    made.play()
    deserted = made.seats[0].transcript
    yield "complete-three-deserted", deserted
    frames = [f for f in made.seats[0].log if f.kind == ENTRY or statements.parse(f.payload).kind != Kind.END]
    yield "cheated-false-end-deserted", Copy(made, frames).say(0, Kind.END, (1,), "flag").transcript


def _scene() -> Scene:
    """A place of four, behind whose owner an accuser follows."""
    return next(scene for scene in _scenes() if scene.number > 10 and scene.follower in scene.accusers)


def _scenes() -> Iterator[Scene]:
    for number in range(100):
        yield from scenes(_table(f"four {number}", 4).play(steps=80).hold())


def _proofs(scene: Scene) -> Iterator[tuple[str, bytes]]:
    """The owner breaks a rule where the others put a Gone: a copy with that one is shown it."""
    owner, decider, number = scene.owner, scene.decider, scene.number
    gone = scene.gone(decider, [scene.away(seat) for seat in scene.accusers])

    def copy() -> Copy:
        return Copy(scene.mesh, [*scene.before, gone])

    def shown(*records: Frame, shared: int = number) -> Frame:
        frame = Evidence(shared, copy().referee.heads[shared], records).frame
        if frame is None:
            raise AssertionError("the proof is too long")
        return frame

    late = scene.entries()[0]
    alone = Copy(scene.mesh, scene.before)
    bad = alone.enter(owner, Gone(decider, (b"",))).frames[-1]
    yield "cheated-proof", copy().tell(shown(bad)).transcript
    false = Copy(scene.mesh, [*scene.before, late]).say(owner, Kind.AWAY, owner, 60, b"").frames[-1]
    behind = Copy(scene.mesh, [*scene.before, late])
    yield "cheated-proof-of-a-statement", copy().tell(shown(late, false)).transcript
    other = Copy(scene.mesh, [*scene.before, late]).enter_elsewhere(owner, number).frames[-1]
    yield "equivocated-proof", copy().tell(shown(late, other, shared=0)).transcript
    false_gone = scene.gone(decider, [scene.away(scene.accusers[0])])
    kept = Copy(scene.mesh, [*scene.before, *scene.entries(2)])
    yield "cheated-proof-of-a-gone", kept.tell(shown(false_gone)).transcript
    went_on = behind.say(decider, Kind.CHAT, "well").frames[-1]
    yield "cheated-proof-across-a-gone", copy().tell(shown(late, went_on, gone)).transcript
    yield "tampered-proof-of-nothing", copy().tell(shown(late)).transcript
    yield "tampered-proof-of-another-chain", copy().tell(shown(bad, shared=number + 1)).transcript


def _contested(scene: Scene) -> Iterator[tuple[str, bytes]]:
    """Two seats accuse each other while four are present, or three: that contests nothing."""
    owner, follower, number = scene.owner, scene.follower, scene.number
    made = Copy(scene.mesh, [*scene.before, *scene.entries(1)])
    made.say(follower, Kind.AWAY, owner, 60, b"", count=number)
    yield "incomplete-contested-by-four", made.say(owner, Kind.AWAY, follower, 60, b"").transcript
    three = _table("three", 3).play(steps=30).hold()
    copy = Copy(three, three.seats[0].log)
    owed, last = copy.referee.owed, copy.referee.entries[-1]
    if owed is None or owed.seat == last.seat:
        raise AssertionError("one seat owes two entries in a row")
    copy.say(owed.seat, Kind.AWAY, last.seat, 60, b"", count=last.number)
    yield "incomplete-contested-by-three", copy.say(last.seat, Kind.AWAY, owed.seat, 60, b"").transcript


def _gones(scene: Scene) -> Iterator[tuple[str, bytes]]:
    owner, decider, accuser, number = scene.owner, scene.decider, scene.follower, scene.number
    aways = [scene.away(seat) for seat in scene.accusers]
    payloads = tuple(frame.payload for frame in aways)
    late, following = scene.entries()
    gone = scene.gone(decider, aways)

    def copy(*frames: Frame) -> Copy:
        return Copy(scene.mesh, [*scene.before, *frames])

    yield "cheated-wrong-message-gone", copy().enter(owner, Gone(decider, payloads)).transcript
    yield "cheated-false-gone-of-another", copy(*aways).enter(decider, Gone(accuser, payloads)).transcript
    yield "incomplete-gone-unseen", copy(gone).say(accuser, Kind.CHAT, "here").transcript
    yield "incomplete-gone-of-resigned", copy(*aways).say(decider, Kind.RESIGN).tell(gone).transcript
    yield "tampered-late-behind-gone", copy(gone, late).transcript
    resigned = copy(*aways).say(owner, Kind.RESIGN)
    yield "incomplete-gone-supersedes-resign", resigned.tell(gone).transcript
    yield "incomplete-resign-behind-gone", copy(gone).say(owner, Kind.RESIGN, count=number).transcript
    back = copy(late).say(accuser, Kind.BACK, number).tell(gone)
    yield "cheated-both-ways-back", back.transcript
    own = scene.says(accuser, Kind.AWAY, owner, 60, b"")
    yield "cheated-both-ways-away", copy(late, following, own).transcript
    yield (
        "cheated-false-gone-twice",
        copy(gone).enter(accuser, Gone(owner, payloads), number=number).transcript,
    )


def _words(scene: Scene) -> Iterator[tuple[str, bytes]]:
    owner, decider, number = scene.owner, scene.decider, scene.number
    first, second = scene.accusers
    gone = scene.gone(decider, [scene.away(seat) for seat in scene.accusers])

    def copy(*frames: Frame) -> Copy:
        return Copy(scene.mesh, [*scene.before, *frames])

    yield "incomplete-away-of-decider", copy().say(first, Kind.AWAY, decider, 60, b"").transcript
    yield "cheated-false-away-of-accuser", copy().say(first, Kind.AWAY, second, 60, b"").transcript
    yield "incomplete-chat-of-gone", copy(gone).say(owner, Kind.CHAT, "bye", count=number).transcript
    yield "tampered-chat-of-gone", copy(gone).say(owner, Kind.CHAT, "bye").transcript
    late = scene.entries()[0]
    message = CODEC.parse(parse_entry(late.payload).message)
    yield "incomplete-release-unread", copy().enter(owner, message, more=[bytes(MAX_BACK)] * 8).transcript
    yield "tampered-release-too-long", copy().enter(owner, message, more=[bytes(MAX_BACK + 1)]).transcript
    yield "incomplete-back-unasked", copy(late).say(decider, Kind.BACK, number).transcript


def _draws(scene: Scene) -> Iterator[tuple[str, bytes]]:
    owner, (first, *others) = scene.owner, sorted({0, 1, 2, 3} - {scene.owner})

    def copy() -> Copy:
        made = Copy(scene.mesh, scene.before)
        return made.say(first, Kind.OFFER_DRAW)

    offer = first, len(copy().referee.statements[first]) - 1
    yield "tampered-draw-early", copy().say(owner, Kind.ACCEPT_DRAW, *offer).transcript

    def drawn() -> Copy:
        made = copy()
        for seat in (*others, owner):
            made.say(seat, Kind.ACCEPT_DRAW, *offer)
        return made

    if drawn().referee.owed is not None:
        raise AssertionError("no draw was agreed")
    yield "cheated-after-the-end-draw", drawn().enter(first, Choice("guess 1")).transcript
    yield "cheated-false-end-draw", drawn().say(first, Kind.END, (first,), "flag").transcript
    again = drawn().say(others[0], Kind.ACCEPT_DRAW, *offer)
    before = [*again.frames]
    false = again.say(others[0], Kind.END, (first,), "flag")
    yield "cheated-false-end-accepted-again", false.transcript
    shown = Evidence(again.referee.count, again.referee.head, (false.frames[-1],)).frame
    if shown is None:
        raise AssertionError("the proof is too long")
    yield "cheated-proof-behind-a-draw", Copy(scene.mesh, before).tell(shown).transcript
    yield from _late_draws(scene)
    yield "tampered-draw-behind-opening", _accepted_before_an_opening()
    yield "tampered-draw-for-opening", _accepted_instead_of_an_opening()


def _late_draws(scene: Scene) -> Iterator[tuple[str, bytes]]:
    """All others have accepted what the owner offers, and it makes its entry; or it says both, or resigns."""
    owner, follower, number = scene.owner, scene.follower, scene.number
    others = sorted({0, 1, 2, 3} - {owner, follower})

    def copy() -> tuple[Copy, tuple[Seat, int]]:
        made = Copy(scene.mesh, scene.before).say(owner, Kind.OFFER_DRAW)
        return made, (owner, len(made.referee.statements[owner]) - 1)

    made, offer = copy()
    for seat in (follower, *others):
        made.say(seat, Kind.ACCEPT_DRAW, *offer)
    made.tell(scene.entries()[0])
    yield (
        "tampered-draw-behind-entry",
        Copy(scene.mesh, made.frames).say(follower, Kind.ACCEPT_DRAW, *offer).transcript,
    )
    for seat in (*others, follower):
        made.say(seat, Kind.ACCEPT_DRAW, *offer)
    yield "complete-four-draw-anew", made.transcript
    made, offer = copy()
    made.tell(scene.entries()[0])
    yield "cheated-went-on-draw", made.say(owner, Kind.ACCEPT_DRAW, *offer, count=number).transcript
    made, offer = copy()
    made.say(owner, Kind.RESIGN)
    yield "tampered-draw-of-resigned", made.say(owner, Kind.ACCEPT_DRAW, *offer, count=number).transcript


def _accepted_before_an_opening() -> bytes:
    """All accept, one before the owner opens a card: nobody has decided, and the author signs nothing."""
    scene = next(scene for scene in _openings() if _decides(scene, 1))
    author, early = sorted({0, 1, 2, 3} - {scene.owner, scene.follower})
    made = Copy(scene.mesh, scene.before).say(author, Kind.OFFER_DRAW)
    offer = author, len(made.referee.statements[author]) - 1
    made.say(early, Kind.ACCEPT_DRAW, *offer).tell(scene.entries()[0])
    for seat in (scene.owner, scene.follower):
        made.say(seat, Kind.ACCEPT_DRAW, *offer)
    return made.transcript


def _accepted_instead_of_an_opening() -> bytes:
    """All accept: the owner accepts last, and does not open the card that it owes."""
    scene = next(_openings())
    author, *others = sorted({0, 1, 2, 3} - {scene.owner})
    made = Copy(scene.mesh, scene.before).say(author, Kind.OFFER_DRAW)
    offer = author, len(made.referee.statements[author]) - 1
    for seat in (*others, scene.owner):
        made.say(seat, Kind.ACCEPT_DRAW, *offer)
    return made.transcript


def _openings() -> Iterator[Scene]:
    """Places at which the owner opens a card."""
    return (scene for scene in _scenes() if _message(scene.entries()[0]) is Opening)


def _decides(scene: Scene, behind: int) -> bool:
    """Whether a player decides the entry so many `behind` the first of the scene."""
    seat = (scene.owner, scene.follower)[behind]
    return scene.number + behind in scene.mesh.seats[0].session.referee.decided_at[seat]


def _message(entry: Frame) -> type[Message]:
    return type(CODEC.parse(parse_entry(entry.payload).message))


def _left(leave: Callable[[Session], Seat | None]) -> bytes:
    """The first match of four that is at a place where a seat resigns; the others play it to its end."""
    for number in range(100):
        made = _table(f"left {number}", 4)
        seat = None
        while seat is None and made.step():
            made.hold()
            seat = leave(made.seats[0].session)
        if seat is None:
            continue
        made.seats[seat].session.resign()
        made.play()
        witness = made.seats[(seat + 1) % 4]
        outcome = witness.session.outcome
        if outcome is not None and outcome.reason != "cheated" and seat in witness.session.referee.table.gone:
            return witness.transcript
    raise AssertionError("no match fits")


def _owing(session: Session, kind: type[Message], phase: str) -> Seat | None:
    referee = session.referee
    owed, state = referee.owed, referee.table.state
    fits = owed is not None and owed.message is kind and state is not None and state.phase == phase
    return owed.seat if owed is not None and fits else None


def _first_cards(session: Session) -> Seat | None:
    """It owes its cards, the first ones of its side: its mate lays them."""
    return _owing(session, Commitments, "deploy")


def _second_cards(session: Session) -> Seat | None:
    """It owes its cards behind the looks: its mate lays them behind the other side's."""
    return _owing(session, Commitments, "look")


def _look(session: Session) -> Seat | None:
    """It would look next, and lay in the same step."""
    return None if _owing(session, Commitments, "deploy") is None else 2


def _showing(session: Session) -> Seat | None:
    """It has hidden its marks, and goes where it would show them."""
    seat = _owing(session, HiddenChoice, "intel")
    return seat - 1 if seat else None


def _first_share(session: Session) -> Seat | None:
    """It would begin the toss for the intel, with its first Share in that toss."""
    begins = session.referee.table.tosses % 4 == 1
    return None if _owing(session, Commitments, "look") is None or not begins else 1


def _third_share(session: Session) -> Seat | None:
    """Nothing else is asked of it before the Roll of the first night: two have given their Shares then."""
    seat, state = _owing(session, Choice, "mission"), session.referee.table.state
    return None if seat is None or (state.turn, state.day) != (7, 1) else 0


_LEFT: Final[dict[str, Callable[[Session], Seat | None]]] = {
    "first-cards": _first_cards,
    "second-cards": _second_cards,
    "look": _look,
    "showing": _showing,
    "first-share": _first_share,
    "third-share": _third_share,
}
