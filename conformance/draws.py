"""Draws at tables of three to five, as plans of the forger: those that stand, and those that do not.

A plan takes a match of honest players, of whom one may have left, and cuts it before an entry.  Behind that
it signs, with the keys of all, who offers, who accepts and who goes home (SPEC 10.8).  So it knows by itself
whether the draw stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import Final

from conformance.pen import Pen
from conformance.plans import (
    EVERY,
    Forged,
    NotThisTime,
    Plain,
    answer,
    beginning_of_spies,
    by_the_rules,
    single,
    terms,
)
from conformance.rules_alone import ending
from p2p_stratego.core.game import Ask, Commit, Mix, Seat, Together
from p2p_stratego.core.sides import without
from p2p_stratego.registry import GAMES
from protocol.crypto.group.received import written
from protocol.record.asks.base import Answered
from protocol.record.asks.registry import CODEC
from protocol.record.entries import Entry, Folded, folded
from protocol.record.referee import Referee
from protocol.record.statements import Content, Kind, Statement
from protocol.wire.encoding import ENTRY, Frame
from tests.helpers.seats.leavers import left
from tests.helpers.seats.pair import Seat as Place
from tests.helpers.seats.pair import Table

_DECISIONS: Final = frozenset({"Choice", "HiddenChoice"})
_EITHER: Final = frozenset({"Commitments", "Laid", "Mixed", "Shuffled"})
"""Messages of players where the rules ask for something `chosen`, and of programs elsewhere (SPEC 10.1.7)."""
_RARE: Final = frozenset({"Mixed", "Shuffled"})
_DRAW: Final[Content] = ((), "agreed-draw")
_NOTHING: Final[tuple[float, Ask | None]] = (inf, None)
"""What completes the Ask under way where a record ends."""


class Scene(Pen):
    """A match of honest players that is cut before `entry`, and what its seats sign behind the cut.

    `decisions`: the numbers of all entries, also behind the cut, that are decisions of a player.
    """

    def __init__(
        self,
        match: Table,
        frames: Sequence[Frame],
        referee: Referee,
        entry: Entry,
        decisions: frozenset[int],
    ) -> None:
        place = entry.number
        super().__init__(match, frames, referee.entries[:place], referee.heads[: place + 1])
        self.entry, self.owner, self.place, self.decisions = entry, entry.seat, place, decisions

    @property
    def staying(self) -> list[Seat]:
        """The seats that are asked for a draw."""
        return [seat for seat in range(len(self.words)) if seat not in {*self.went, *self.home}]

    def close(self, offered: Content) -> None:
        """The owner accepts in the place of its entry."""
        self.say(self.owner, Kind.ACCEPT_DRAW, offered)
        self.heads.append(folded(self.place, self.owner, self.heads[-1], self.frames[-1].payload).head)

    def declines(self, author: Seat, number: int) -> bool:
        """Whether a present seat but the author decides in that entry: then an offer lapses."""
        return number in self.decisions and self.chain[number].seat not in {author, *self.went}

    def standing_since(self, author: Seat) -> int:
        """The lowest count of an offer that nobody present but its author has let lapse."""
        since = self.place
        while since and not self.declines(author, since - 1):
            since -= 1
        return max(since, self.words[author][-1].count)

    def resign(self, seat: Seat) -> None:
        """A seat goes home; with decks, once its key is there, its word holds the secret of it (SPEC P8)."""
        begun, place = self.match.begun, self.match.seats[seat]
        keyed = begun.game.needs_proofs and any(
            entry.seat == seat and not isinstance(entry, Folded) and kind_of(entry) == "Keys"
            for entry in self.chain
        )
        self.say(seat, Kind.RESIGN, (written(place.secrets.deck_key(begun.id, seat)),) if keyed else ())
        self.home.add(seat)


def kind_of(entry: Entry) -> str:
    """The message of an entry, by its name in SPEC."""
    return type(CODEC.parse(entry.message)).__name__


def decisions_of(referee: Referee) -> frozenset[int]:
    """The numbers of the entries that are decisions, by what the rules asked for there."""
    asked = ((step.number, step.ask) for step in referee.table.history if isinstance(step, Answered))
    done, ask = next(asked, _NOTHING)
    made = set()
    for entry in referee.entries:
        while done < entry.number:
            done, ask = next(asked, _NOTHING)
        if isinstance(entry, Folded):
            continue
        parts = ask.asks if isinstance(ask, Together) else (ask,)
        chosen = any(isinstance(part, Commit | Mix) and part.chosen for part in parts)
        if kind_of(entry) in _DECISIONS or (kind_of(entry) in _EITHER and chosen):
            made.add(entry.number)
    return frozenset(made)


def base(random: Random) -> tuple[Table, Place]:
    """A match, whole, with a leaver, or a beginning of SPIES!; and one who was there until the end."""
    way = random.choice(["whole", "dead", "dead", "resigns and goes", "spies"])
    if way == "spies":
        match = beginning_of_spies(random, random.choice([3, 4, 5]))
        return match, match.seats[0]
    agreed = terms(random, seats=lambda count: count > 2)
    if way == "whole":
        match = agreed.table().play()
        return match, random.choice(match.seats)
    made = left(
        random.getrandbits(32),
        agreed.seats,
        way,
        random.randint(0, 400),
        GAMES[agreed.game],
        decide=agreed.decide,
        options=agreed.options,
        proofs=agreed.proofs,
    )
    return made.mesh, random.choice([seat for seat in made.living if seat.seat != made.leaver])


def scene(random: Random, *, decision: bool = True) -> Scene:
    """A place of a match at which a decision is owed, or what a program does."""
    match, witness = base(random)
    referee, log = witness.session.referee, list(witness.log)
    places = {frame.payload: at for at, frame in enumerate(log) if frame.kind == ENTRY}
    decisions = decisions_of(referee)
    known = max((step.number for step in referee.table.history), default=-1)
    fit = [
        entry
        for entry in referee.entries
        if not isinstance(entry, Folded)
        and kind_of(entry) != "Gone"
        and entry.number <= known
        and (entry.number in decisions) is decision
    ]
    if random.random() < 0.4:  # else there are hardly any among so many others
        fit = [entry for entry in fit if kind_of(entry) in _RARE] or fit
    if not fit or len(places) != sum(not isinstance(entry, Folded) for entry in referee.entries):
        raise NotThisTime  # a Gone has taken the place of a record
    entry = random.choice(fit)
    before = log[: places[entry.payload]]
    made = Scene(match, before, referee, entry, decisions)
    called = {statement.count for known in made.words for statement in known if statement.kind is Kind.AWAY}
    answered = any(count == made.place or made.gone_at(count) is None for count in called)
    if answered or made.owner in made.home:
        raise NotThisTime  # a seat that had called the owner away would have to say BACK first
    return made


def offered_by(made: Scene, random: Random) -> tuple[Seat, Content]:
    """An offer that stands, of one who stays: its author and its name."""
    author = random.choice(made.staying)
    over = random.randint(made.standing_since(author), made.place)
    return author, (author, made.say(author, Kind.OFFER_DRAW, over=over))


def agree(made: Scene, random: Random, offered: Content, but: Sequence[Seat] = ()) -> None:
    """All who are asked accept, but for some; some say it twice, or go home then, or without a word.

    The author may go home, too: its offer stays.
    """
    author = offered[0]
    asked = [seat for seat in made.staying if seat not in {author, made.owner, *but}]
    random.shuffle(asked)
    leaves_first = random.random() < 0.5
    leaving = author in made.staying and author != made.owner and random.random() < 0.2
    if leaving and leaves_first:
        made.resign(author)
    for number, seat in enumerate(asked):
        leaves = random.random() < 0.2
        if leaves and (number or made.owner != author) and random.random() < 0.5:
            made.resign(seat)
            continue
        for _ in range(random.choice([1, 1, 2])):
            made.say(seat, Kind.ACCEPT_DRAW, offered)
        if leaves:
            made.resign(seat)
    if leaving and not leaves_first:
        made.resign(author)


def stands(random: Random) -> Forged:
    """A draw that stands, perhaps with claims open; perhaps its last seat has signed its entry, too."""
    made = scene(random)
    author, offered = offered_by(made, random)
    sure = [seat for seat in made.staying if seat not in {author, made.owner}]
    if author == made.owner:  # then one at least accepts beside it
        if not sure:
            raise NotThisTime
        made.say(sure[0], Kind.ACCEPT_DRAW, offered)
    elif random.random() < 0.3 and made.words[made.owner][-1].count < made.place:
        since = statement_of(made, offered).count
        early = random.randint(max(since, made.words[made.owner][-1].count), made.place)
        if early < made.place and made.chain[early].seat != made.owner:  # it owed nothing there
            made.say(made.owner, Kind.ACCEPT_DRAW, offered, over=early)
    agree(made, random, offered)
    made.close(offered)
    owing = owing_reveals(made)
    for seat in made.staying:
        if not owing and random.random() < 0.9:
            made.say(seat, Kind.END, _DRAW)
    if random.random() < 0.25:
        made.frames.append(made.entry.frame)
        return made.case("draw-went-on", went_on(made, drawn=True))
    known = {"entries": made.place + 1, "statements": sum(map(len, made.words))}
    if owing:
        return made.case("draw-open", answer("incomplete", "plan", contested=[], **known))
    expected = answer("complete", "plan", winners=[], reason=_DRAW[1], never_settled=[], **known)
    return made.case("draw-stands", expected)


def owing_reveals(made: Scene) -> bool:
    """Whether behind the draw somebody owes a REVEAL: of an army of Conquest that it has claimed to lay."""
    begun = made.match.begun
    if begun.proofs or begun.game.name == "spies-and-lies":
        return False
    laid = {
        entry.seat
        for entry in made.chain
        if not isinstance(entry, Folded) and kind_of(entry) == "Commitments"
    }
    if laid and not laid & {*made.staying}:
        raise NotThisTime  # what stays open is told of seats that are gone
    return bool(laid)


def statement_of(made: Scene, offered: Content) -> Statement:
    """The offer itself."""
    return made.words[offered[0]][offered[1]]


def went_on(made: Scene, *, drawn: bool) -> Plain:
    """The answer where the owner signs its entry and a draw in its place; `drawn`: the draw comes first."""
    fault = {"seat": made.owner, "what": "entry", "number": made.place, "rule": "went-on"}
    sides = made.match.begun.sides
    winners = without(sides, made.owner, frozenset() if drawn else None)
    return answer("cheated", "plan", fault=fault, winners=sorted(winners), reason="cheated")


def signed_both(random: Random) -> Forged:
    """The owner makes its entry, and accepts a draw in its place behind that, whoever else has done so."""
    made = scene(random, decision=random.random() < 0.7)
    if made.home or made.entry.number + 1 >= made.match.seats[0].session.referee.count:
        raise NotThisTime  # the entry may end play, or somebody goes behind it
    _, offered = offered_by(made, random)
    made.frames.append(made.entry.frame)
    made.say(made.owner, Kind.ACCEPT_DRAW, offered, over=made.place)
    return made.case("draw-signed-both", went_on(made, drawn=False))


def refused(random: Random) -> Forged:
    """The owner accepts where it must not: so its word is refused, and nobody blamed."""
    why, prepare = random.choice([*_WRONG.items()])
    made = scene(random, decision=why != "program")
    made.close(prepare(made, random))
    return made.case(f"draw-{why}", answer("tampered", "plan", at_record=len(made.frames) - 1))


def _missing(made: Scene, random: Random) -> Content:
    """One has not accepted."""
    author, offered = offered_by(made, random)
    agree(made, random, offered, [_other(made, random, author)])
    return offered


def _early(made: Scene, random: Random) -> Content:
    """One has accepted before the last entry."""
    author, offered = offered_by(made, random)
    early = _other(made, random, author)
    least = max(statement_of(made, offered).count, made.words[early][-1].count)
    free = [over for over in range(least, made.place) if made.chain[over].seat != early]
    if not free:  # it has signed an entry over each
        raise NotThisTime
    made.say(early, Kind.ACCEPT_DRAW, offered, over=random.choice(free))
    agree(made, random, offered, [early])
    return offered


def _declined(made: Scene, random: Random) -> Content:
    """One has decided since the offer."""
    author = random.choice(made.staying)
    over = random.randint(made.words[author][-1].count, made.place)
    if not any(made.declines(author, number) for number in range(over, made.place)):
        raise NotThisTime
    offered: Content = (author, made.say(author, Kind.OFFER_DRAW, over=over))
    agree(made, random, offered)
    return offered


def _program(made: Scene, random: Random) -> Content:
    """All have accepted, and no decision is owed."""
    _author, offered = offered_by(made, random)
    agree(made, random, offered)
    return offered


def _gone(made: Scene, random: Random) -> Content:
    """The author has been taken out."""
    silent = [
        seat for seat in made.went if all(statement.kind is not Kind.RESIGN for statement in made.words[seat])
    ]
    if not silent or made.words[silent[0]][-1].count > made.went[silent[0]]:
        raise NotThisTime
    over = random.randint(made.words[silent[0]][-1].count, made.went[silent[0]])
    offered: Content = (silent[0], made.say(silent[0], Kind.OFFER_DRAW, over=over))
    agree(made, random, offered)
    return offered


def _alone(made: Scene, _random: Random) -> Content:
    """The owner accepts its own offer, and all others have gone home."""
    offered: Content = (made.owner, made.say(made.owner, Kind.OFFER_DRAW))
    for seat in made.staying:
        if seat != made.owner:
            made.resign(seat)
    return offered


def _home(made: Scene, random: Random) -> Content:
    """The author has offered behind its own RESIGN."""
    author = _other(made, random, made.owner)
    made.resign(author)
    offered: Content = (author, made.say(author, Kind.OFFER_DRAW))
    agree(made, random, offered)
    return offered


def _unknown(made: Scene, random: Random) -> Content:
    """There is no such offer."""
    author, offered = offered_by(made, random)
    agree(made, random, offered)
    return (author, offered[1] + random.choice([-1, 1, 7]))


def _other(made: Scene, random: Random, author: Seat) -> Seat:
    """One whose word the draw needs, and who is not the last."""
    others = [seat for seat in made.staying if seat not in {author, made.owner}]
    if not others:
        raise NotThisTime
    return random.choice(others)


_WRONG: Final[dict[str, Callable[[Scene, Random], Content]]] = {
    "missing": _missing,
    "early": _early,
    "declined": _declined,
    "program": _program,
    "gone": _gone,
    "alone": _alone,
    "home": _home,
    "unknown": _unknown,
}


def lapsed(random: Random) -> Forged:
    """All but the last one accept, and it decides instead: the match goes on to its end by the rules."""
    agreed = terms(random, games=EVERY, seats=lambda count: count > 2)
    match = agreed.table()
    match.play(steps=random.randint(2, 200)).hold()
    owed = match.seats[0].session.referee.owed
    if owed is None:
        raise NotThisTime
    author = random.choice([seat for seat in match.seats if seat.seat != owed.seat])
    author.session.offer_draw()
    match.hold()
    for seat in match.seats:
        if seat is not author and seat.seat != owed.seat:
            seat.session.accept_draw()
    match.hold().play()
    expected = by_the_rules(ending(match, agreed.moves))
    return single("draw-lapsed", match.begun, random.choice(match.seats).transcript, expected)
