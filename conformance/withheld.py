"""REVEALs that are shown, withheld and called for behind the end of play, as plans of the forger.

A plan takes a match in which play is over, and forgets what its seats said behind that.  Then it signs anew,
with the keys of all: some show what they owe, some hide it, some call others away, and one breaks a rule,
perhaps.  What must be answered follows from the text of SPEC alone (10.2 to
10.5, 10.9.8, 10.13), as `Settlement` has it: the records of a match, and a few sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from random import Random
from typing import Final, TypeAlias

from conformance.draws import agree, offered_by, scene
from conformance.pen import Pen
from conformance.plans import (
    EVERY,
    Forged,
    NotThisTime,
    Plain,
    Terms,
    answer,
    terms,
    under_way,
)
from conformance.rules_alone import ending
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.sides import side_of, without
from p2p_stratego.registry import GAMES
from protocol.errors import Refusal
from protocol.record import receipts, statements
from protocol.record.asks.choose import Choice
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement, parse_record
from protocol.seat import replies
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.seats.leavers import MOODS, left
from tests.helpers.seats.pair import Table

Act: TypeAlias = Callable[[], None]
_SECONDS: Final = 600
_BEHIND: Final = frozenset({Kind.REVEAL, Kind.END, Kind.AWAY, Kind.CHAT})
"""What can be forgotten behind the end of play without changing what came before."""
_LAST_WORDS: Final = frozenset({Kind.RESIGN, Kind.ACCEPT_DRAW, Kind.END, Kind.REVEAL})


class Settlement(Pen):
    """A match of which play is over, and what its seats say behind that."""

    def __init__(self, pen: Pen, last: Seat, ended: Outcome, *, by_word: bool = False) -> None:
        """`last`: who signed the last entry, or what took its place; `ended`: how play ended; `by_word`: a
        word ended it, of two.
        """
        super().__init__(pen.match, pen.frames, pen.chain, pen.heads)
        self.last, self.ended, self.by_word = last, ended, by_word
        self.drawn = not by_word and ended.reason == "agreed-draw"
        self.seats = range(len(self.words))
        self.with_draw = {seat for seat in self.home if self.drawn}
        """Who went with the draw that is folded (10.8.8)."""
        self.due = self._due()
        self.shown: set[Seat] = set()
        self.aways: list[tuple[Seat, Seat, bool]] = []
        """Who called whom away over all entries; whether with a receipt."""
        self.wrong: Plain | None = None
        """The answer to the first record that is not admitted."""

    def _due(self) -> list[tuple[Opening, ...]]:
        """By seat, the openings of the slots due; gone or not."""
        referee = Referee(self.match.begun)
        for frame in self.frames:
            try:
                referee.admit(parse_record(frame))
            except Refusal as refused:
                raise NotThisTime from refused  # it rested on what is forgotten
        if (referee.count, sum(map(len, referee.statements))) != (self.count, sum(map(len, self.words))):
            raise NotThisTime  # a Gone has taken the place of a record
        places = self.match.seats
        return [replies.openings(place.secrets, referee, place.seat, place.session.known) for place in places]

    # What SPEC says of it

    @property
    def present(self) -> set[Seat]:
        """Who has not gone, by the chain or with the draw."""
        return {*self.seats} - {*self.went} - self.with_draw

    @property
    def owing(self) -> set[Seat]:
        """Who owes a REVEAL (10.2, 10.13.1)."""
        return {seat for seat in self.present - self.shown if self.due[seat]}

    @property
    def ended_by_aways(self) -> str | None:
        """The reason with which AWAYs have ended the match (10.5.8 to 10.5.13, 10.13)."""
        owing, present = self.owing, self.present
        if not owing:
            return None
        if len(present) == 2:
            return "unresponsive" if any(self._counts(away) for away in self.aways) else None
        free = present - owing
        called = {away[:2] for away in self.aways}
        if len(present) < 2 or not free or any((x, y) not in called for x in free for y in owing):
            return None
        return "unresponsive" if len(free) == 1 else "unrevealed"

    def _counts(self, away: tuple[Seat, Seat, bool]) -> bool:
        """Whether an AWAY among two who are present counts."""
        stands = away[0] in self.present and away[1] in self.owing
        return stands and self._knew(away[1]) and not self.contested

    @property
    def contested(self) -> list[Seat]:
        """The seats that contest each other's AWAY (10.5.12)."""
        if len(self.present) != 2:
            return []
        x, y = sorted(self.present)
        both = {x, y} <= self.owing and {(x, y), (y, x)} <= {away[:2] for away in self.aways}
        mutual = both and self._knew(x) and self._knew(y)
        return [x, y] if mutual or self._called_before(x, y) or self._called_before(y, x) else []

    def _called_before(self, accuser: Seat, accused: Seat) -> bool:
        """Whether the accused has called its accuser away over fewer entries, and signed nothing later."""
        held = [away[2] for away in self.aways if away[:2] == (accuser, accused)]
        if not held or accused not in self.owing or any(held):
            return False
        calls = [word.count for word in self.words[accused] if self._calls(word, accuser)]
        later = [word.count for word in self.words[accused]]
        later += [entry.number for entry in self.chain if entry.seat == accused]
        return bool(calls) and max(later) <= max(calls) < self.count

    @staticmethod
    def _calls(word: Statement, accused: Seat) -> bool:
        return word.kind is Kind.AWAY and word.content[0] == accused

    def _knew(self, accused: Seat) -> bool:
        """10.5.9 and 10.5.10."""
        words = self.words[accused]
        if self.by_word:
            return any(statement.kind in _LAST_WORDS for statement in words)
        receipt = any(of == accused and held for _, of, held in self.aways)
        return receipt or accused == self.last or any(word.count == self.count for word in words)

    @property
    def ranked(self) -> frozenset[Seat]:
        """The winners of play, without those that AWAYs have taken out."""
        out = self.owing if self.ended_by_aways else set()
        return self.ended.winners.difference(*(side_of(self.match.begun.sides, seat) for seat in out))

    @property
    def outcome(self) -> Outcome | None:
        """The end, if there is one."""
        if not self.owing:
            return self.ended
        reason = self.ended_by_aways
        if reason is None:
            return None
        if len(self.seats) == 2:
            return Outcome(frozenset({*self.seats} - self.owing) or self._accuser(), reason)
        return Outcome(self.ranked, reason)

    def _accuser(self) -> frozenset[Seat]:
        return frozenset(away[0] for away in self.aways if self._counts(away))

    def expected(self) -> Plain:
        """The right answer."""
        if self.wrong is not None:
            return self.wrong
        known: Plain = {"entries": self.count, "statements": sum(map(len, self.words))}
        end = self.outcome
        if end is None:
            return answer("incomplete", "plan", owed=None, contested=self.contested, **known)
        known |= {"winners": sorted(end.winners), "reason": end.reason}
        if end.reason == "unresponsive":
            return answer("unresponsive", "plan", **known)
        never = [seat for seat in self.seats if seat not in self.present and self.due[seat]]
        return answer("complete", "plan", never_settled=never, **known)

    # What its seats do; each returns nothing once a record is not admitted

    def fault(self, seat: Seat, what: str, number: int, rule: str) -> None:
        """The record just signed is this fault."""
        known = {
            "fault": {"seat": seat, "what": what, "number": number, "rule": rule},
            "winners": sorted(without(self.match.begun.sides, seat, self.ranked)),
            "reason": "cheated",
        }
        self.wrong = answer("equivocated" if rule == "equivocation" else "cheated", "plan", **known)

    def refuse(self) -> None:
        """The record just signed is refused."""
        self.wrong = answer("tampered", "plan", at_record=len(self.frames) - 1)

    def signed_end(self, seat: Seat) -> bool:
        """Whether a seat has signed an END."""
        return any(word.kind is Kind.END for word in self.words[seat])

    def show(self, seat: Seat, way: str = "right") -> None:
        """A REVEAL."""
        openings = self.due[seat]
        if way == "salt" and openings:
            openings = (Opening(openings[0].face, bytes(32)), *openings[1:])
        if not openings:
            openings = (Opening(1, bytes(32)),)
        part = 1 if way == "part" else 0
        if way == "short":
            openings = openings[:-1] or (*openings, *openings)
        self.say(seat, Kind.REVEAL, (part, tuple(openings)))
        if self.signed_end(seat) or seat not in self.present:
            self.refuse()
        elif not self.due[seat] or way in ("part", "short"):
            self.fault(seat, "statement", self.count, "wrong-count")
        elif way == "salt":
            self.fault(seat, "statement", self.count, "wrong-opening")
        else:
            self.shown.add(seat)

    def call(self, seat: Seat, accused: Seat, receipt: str = "none") -> None:
        """An AWAY over all entries."""
        held = b""
        if receipt != "none" and accused in self.seats:
            signer = seat if receipt == "wrong" else accused
            identity = self.match.seats[signer].identity
            held = receipts.sign(identity, self.match.begun, accused, self.count, self.heads[-1])
        self.say(seat, Kind.AWAY, (accused, _SECONDS, held))
        if seat in self.went or seat in self.with_draw:
            self.refuse()
        elif (
            accused == seat
            or accused not in self.seats
            or receipt == "wrong"
            or accused in self.went
            or not self.due[accused]
        ):
            self.fault(seat, "statement", self.count, "false-away")
        else:
            self.aways.append((seat, accused, bool(held)))

    def end(self, seat: Seat, end: Outcome) -> None:
        """An END (10.4)."""
        self.say(seat, Kind.END, (tuple(sorted(end.winners)), end.reason))
        if seat in self.went or seat in self.with_draw:
            self.refuse()
            return
        two = len(self.seats) == 2
        due = any(self.due[other] for other in self.seats if other not in self.went)
        excepted = self.drawn and due and end.reason in ("agreed-draw", "cheated")
        if not two and end.reason == "unrevealed":
            return
        if not self.owing and not self.by_word and not excepted:
            if end != self.ended:
                self.fault(seat, "statement", self.count, "false-end")
            return
        if self.outcome != end or self.owing:
            self.refuse()

    def chat(self, seat: Seat) -> None:
        """A line."""
        self.say(seat, Kind.CHAT, ("well played",))
        if seat in self.went or seat in self.with_draw:
            self.refuse()

    def resign(self, seat: Seat) -> None:
        """A RESIGN behind the end, beside a draw dated back to the place of it."""
        last = self.words[seat][-1]
        back = self.drawn and last.count < self.count
        if self.by_word:
            raise NotThisTime
        self.say(seat, Kind.RESIGN, over=self.count - 1 if back else None)
        if self.signed_end(seat) or seat in self.went or (seat in self.with_draw and not back):
            self.refuse()
        elif back and seat != self.last:
            self.with_draw.add(seat)

    def twice(self, seat: Seat) -> None:
        """Two versions of the last statement of a seat."""
        self.fault(seat, "statement", self.again(seat), "equivocation")

    def enter(self, seat: Seat) -> None:
        """An entry behind the end."""
        if self.by_word:
            raise NotThisTime
        body = encode((self.count, seat, self.heads[-1], CODEC.value(Choice("pass"))))
        signed = self.match.seats[seat].identity.sign(labels.SIGN_ENTRY, self.match.begun.id + body)
        self.frames.append(Frame(ENTRY, body + signed))
        self.fault(seat, "entry", self.count, "after-the-end")


# Matches of which play is over


def over(random: Random) -> Settlement:
    """Any match of which play is over, and nothing said behind that."""
    return random.choices([_played, _left, _drawn, _of_two], [6, 4, 4, 2])[0](random)


def _terms(random: Random, seats: Callable[[int], bool]) -> Terms:
    """Mostly of the game in which three and more owe REVEALs, of players who claim what is so."""
    return terms(random, games=["conquest"] if random.random() < 0.85 else EVERY, seats=seats)


def _played(random: Random) -> Settlement:
    agreed = _terms(random, lambda count: count > 2)
    match = agreed.table().play()
    return _forgetful(match, random.choice(range(agreed.seats)), agreed.moves)


def _left(random: Random) -> Settlement:
    """One has left, or has gone home, or is silent, perhaps at the end alone."""
    agreed = _terms(random, lambda count: count > 2)
    try:
        made = left(
            random.getrandbits(32),
            agreed.seats,
            random.choice(MOODS),
            random.choice([random.randint(0, 60), random.randint(60, 900)]),
            GAMES[agreed.game],
            decide=agreed.decide,
            options=agreed.options,
            proofs=agreed.proofs,
        )
    except Refusal as stopped:
        raise NotThisTime from stopped  # a liar, taken out, whose own program stands still
    witness = random.choice(made.living)
    if witness.session.referee.owed is not None:
        raise NotThisTime
    return _forgetful(made.mesh, witness.seat, agreed.moves)


def _forgetful(match: Table, witness: Seat, moves: Mapping[Seat, Sequence[str]]) -> Settlement:
    """The record of a seat without what was said behind the end of play, which the chain ended."""
    known = ending(match, moves, witness)
    if known.breach is not None:
        raise NotThisTime  # nobody owes a REVEAL then
    referee = match.seats[witness].session.referee
    pen = Pen(match, _cut(match.seats[witness].log, referee.count), referee.entries, referee.heads)
    if any(_bound(pen, word) for words in pen.words for word in words):
        raise NotThisTime
    return Settlement(pen, referee.entries[-1].seat, Outcome(known.winners, known.reason))


def _cut(log: Sequence[Frame], count: int) -> list[Frame]:
    """The records without each seat's words behind the end of play."""
    kept, silent = [], set()
    for frame in log:
        if frame.kind == STATEMENT:
            word = statements.parse(frame.payload)
            calls = word.kind is Kind.AWAY and word.count == count
            if calls or word.kind in (Kind.REVEAL, Kind.END):
                silent.add(word.seat)
            if word.seat in silent:
                if word.kind not in _BEHIND:
                    raise NotThisTime
                continue
        kept.append(frame)
    return kept


def _bound(pen: Pen, word: Statement) -> bool:
    """Whether its seat has called another one away, which answered, and has to say BACK before all else."""
    if word.kind is not Kind.AWAY or len(pen.words) == 2:
        return False
    if word.count >= pen.count:
        raise NotThisTime  # a Gone has taken the place of what it built on
    return pen.gone_at(word.count) is None and pen.words[word.seat][-1].count <= word.count


def _drawn(random: Random) -> Settlement:
    """A draw of three or more, perhaps with seats that went home."""
    made = scene(random)
    if made.match.begun.game.needs_proofs and random.random() < 0.8:
        raise NotThisTime  # nobody owes a REVEAL there
    author, offered = offered_by(made, random)
    if author == made.owner:
        sure = [seat for seat in made.staying if seat != author]
        if not sure:
            raise NotThisTime
        made.say(sure[0], Kind.ACCEPT_DRAW, offered)
    agree(made, random, offered)
    made.close(offered)
    return Settlement(made, made.owner, Outcome(frozenset(), "agreed-draw"))


def _of_two(random: Random) -> Settlement:
    """A match of two, which the rules, a RESIGN or a draw has ended."""
    way = random.choice(["rules", "resigned", "drawn"])
    games = ["conquest", "stratego"]
    if way == "rules":
        agreed = terms(random, games=games, seats=lambda count: count == 2)
        return _forgetful(agreed.table().play(), random.randrange(2), agreed.moves)
    match, first = under_way(random, games=games), random.randrange(2)
    if way == "resigned":
        match.seats[first].session.resign()
        ended = Outcome(frozenset({1 - first}), "resigned")
    else:
        match.seats[first].session.offer_draw()
        match.hold()
        match.seats[1 - first].session.accept_draw()
        ended = Outcome(frozenset(), "agreed-draw")
    match.hold().play()
    witness = match.seats[random.randrange(2)]
    referee = witness.session.referee
    pen = Pen(match, _cut(witness.log, referee.count), referee.entries, referee.heads)
    return Settlement(pen, referee.entries[-1].seat, ended, by_word=True)


# What is said behind it


def hidden(random: Random) -> Forged:
    """Some show what they owe, others hide it and are called away; perhaps one breaks a rule then."""
    made = over(random)
    for act in _acts(made, random):
        act()
        if made.wrong is not None:
            break
    name = f"{len(made.seats)}-{made.ended.reason}"
    return made.case(f"withheld-{name}", made.expected())


def _acts(made: Settlement, random: Random) -> Iterator[Act]:
    """What happens, one by one."""
    hiding = {seat for seat in made.owing if random.random() < 0.5}
    if not hiding and made.owing and random.random() < 0.8:
        hiding = {random.choice(sorted(made.owing))}
    acts: list[Act] = [partial(made.show, seat) for seat in sorted(made.owing - hiding)]
    acts += _calls(made, random, hiding)
    if hiding and random.random() < 0.3:
        acts.append(partial(made.show, random.choice(sorted(hiding))))
    if random.random() < 0.5:
        random.shuffle(acts)
    for act in acts:
        if random.random() < 0.1:
            yield partial(_odd, made, random)
        yield act
    yield from _closing(made, random)


def _calls(made: Settlement, random: Random, hiding: Set[Seat]) -> list[Act]:
    """Who is present calls away those who hide what they owe; mostly all do."""
    sure = random.random() < 0.6
    calls: list[Act] = []
    for seat in sorted(made.present):
        chance = 0.3 if seat in hiding else 1 if sure else 0.6
        calls += [
            partial(made.call, seat, accused, random.choice(["none", "right"]))
            for accused in sorted(hiding - {seat})
            if random.random() < chance
        ]
    return calls


def _closing(made: Settlement, random: Random) -> Iterator[Act]:
    """What comes last: the END of some, a late REVEAL, something that breaks a rule, or nothing."""
    way = random.random()
    if way < 0.35:
        yield partial(_break, made, random)
    elif way < 0.75:
        end = made.outcome
        ready = sorted(made.present - made.owing)
        if end is not None and end.reason != "unresponsive":
            yield from (partial(made.end, seat, end) for seat in ready if random.random() < 0.9)
        if random.random() < 0.4:
            yield partial(_break, made, random)
    elif way < 0.85 and made.owing:
        yield partial(made.show, random.choice(sorted(made.owing)))


def _odd(made: Settlement, random: Random) -> None:
    """Something that is allowed, and perhaps changes something."""
    present = sorted(made.present)
    seat = random.choice(present or [*made.seats])
    way = random.choice(["chat", "resign", "again", "late end"])
    if way == "chat":
        made.chat(seat)
    elif way == "resign" and not made.by_word:
        made.resign(seat)
    elif way == "again" and made.shown & made.present:
        made.show(random.choice(sorted(made.shown & made.present)))
    elif way == "late end" and len(made.seats) > 2:
        made.end(seat, Outcome(frozenset({random.choice(made.seats)}), "unrevealed"))


def _break(made: Settlement, random: Random) -> None:
    """Something that no honest program says, or says here."""
    seat = random.choice(made.seats)
    other = random.choice([*made.seats, len(made.seats)])
    ways: list[Act] = [
        partial(made.twice, seat),
        partial(made.enter, seat),
        partial(made.call, seat, other, random.choice(["none", "right", "wrong"])),
        partial(made.show, seat, random.choice(["right", "salt", "part", "short"])),
        partial(made.end, seat, random.choice(_ends(made))),
        partial(made.chat, seat),
        partial(made.resign, seat),
    ]
    random.choice(ways)()


def _ends(made: Settlement) -> list[Outcome]:
    """What a seat might say of the end."""
    true = made.outcome
    nobody, somebody = frozenset[Seat](), frozenset({0})
    others = [
        made.ended,
        Outcome(nobody, "agreed-draw"),
        Outcome(somebody, "cheated"),
        Outcome(somebody, "unresponsive"),
        Outcome(made.ranked, "unrevealed"),
    ]
    return others if true is None else [true, *others]
