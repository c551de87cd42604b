"""The questions of Conquest while it is played; this module is `cli.games.interface.Questions`.

It offers whole inputs as answers, the most promising first; `answers` reads them, `honesty` warns of what
would be proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from typing import Final

from cli.games.conquest.answers import read, reveals
from cli.games.conquest.honesty import honest_answer, spoken, warnings
from cli.games.conquest.names import LETTERS, ORDER, piece, short_card, zone, zones_in
from cli.games.conquest.notes import closed
from cli.games.conquest.snapshot import (
    Kind,
    Snapshot,
    answers_aloud,
    kind,
    own_moves,
    place_called,
    regrouped,
    snapshot,
)
from cli.games.interface import Choice, Misunderstood, Players, Question, ViewContext
from cli.text.layout import series
from p2p_stratego.conquest.formats.words import card, named
from p2p_stratego.conquest.lessons.advice import plain
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import (
    BORDERS,
    CITIES,
    NEIGHBOURS,
    TERRITORIES,
    TERRITORY_OF,
    TerritoryId,
)
from p2p_stratego.conquest.rules.cards import BLITZ, REINFORCE
from p2p_stratego.conquest.rules.draft import picker
from p2p_stratego.conquest.rules.observation import own_plays
from p2p_stratego.conquest.rules.pieces import FIGHTS, FLAG, PIECES, SPY
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Ask, Choose, Claim, Commit, Mix, Open, OpenTo, Roll, Together
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import ordinal
from p2p_stratego.core.view import Chance, View

__all__ = ["choices", "question", "read", "ready_line", "reveals", "spoken", "waiting", "warnings"]


def question(view: View[State], players: Players) -> Question | None:
    """The question to the seat, and how to answer it; placing an army is the editor's."""
    asked = kind(view)
    put, simple = _QUESTIONS.get(asked), _SIMPLE.get(asked)
    if put is not None:
        return replace(put(view, players), tells_enter=True)
    return None if simple is None else Question(_(simple.text), _(simple.how), tells_enter=True)


def _take(view: View[State], _unused: Players) -> Question:
    state = view.state
    mine = sum(owner == view.seat for owner in state.taken)
    rest = len(TERRITORIES) - state.picks
    due = sum(picker(state, pick) == view.seat for pick in range(state.picks, len(TERRITORIES)))
    left = _("{rest} is left", rest=rest) if rest == 1 else _("{rest} are left", rest=rest)
    text = _(
        "Take a territory, your {ordinal} of {mine}; {left}.",
        ordinal=ordinal(mine + 1),
        mine=mine + due,
        left=left,
    )
    free = (place for place, owner in enumerate(state.taken) if owner is None)
    example = min(free, key=lambda place: (place not in CITIES, place))
    return Question(text, _("take and a letter, such as take {letter}", letter=TERRITORIES[example].letter))


def _play(view: View[State], _unused: Players) -> Question:
    count = Counter(view.state.drawn)
    drawn = series([card(kind) + f" ×{count[kind]}" * (count[kind] > 1) for kind in sorted(count)])
    return Question(
        _("You have drawn {drawn}. Which card do you play?", drawn=drawn), _("its name, or the word none")
    )


def _place(view: View[State], _unused: Players) -> Question:
    state = now(view)
    hand = state.hand
    face = None if hand is None else view.known.get(hand.slot) if hand.face is None else hand.face
    size = len(state.bags[view.seat]) + 1
    fairly = "" if hand is not None and hand.face is not None else _(" (1 of {size}, fairly)", size=size)
    called = _("a piece") if face is None else _("the {piece}", piece=piece(face))
    return Question(
        _(
            "You have {called} from your bag{fairly}. On which free zone does it go?",
            called=called,
            fairly=fairly,
        ),
        _("a zone"),
    )


def _mix(view: View[State], _unused: Players) -> Question:
    zones = regrouped(view)
    where = series([zone(at) for at in zones])
    return Question(
        _("Which piece goes where? They lie on {where}; nobody else sees it.", where=where),
        _("three pieces, for {where} in this order", where=where),
    )


def _answer(view: View[State], players: Players) -> Question:
    zone_, face = accusation(view)
    accuser = players.names[view.state.seat]
    return Question(
        _("{who} says that your piece on {zone} is the {face}. Is it?", who=accuser, zone=zone_, face=face),
        _("yes or no, truly"),
    )


def accusation(view: View[State]) -> tuple[str, str]:
    """The zone and the kind that the Traitor has named."""
    accusations = [move for move in answers_aloud(view) if move.startswith("accuse ")]
    at, face = notation.accused(accusations[-1])
    return zone(at), piece(face)


def _move(view: View[State], _unused: Players) -> Question:
    state, moves = view.state, own_moves(view)
    if moves == [notation.NONE]:  # Enter alone says so
        return Question(_("None of your pieces can step: say so, and your turn ends."), notation.NONE)
    number = _("Move {made} of {moves}", made=state.made + 1, moves=state.moves)
    steps = (move for move in moves if (ends := notation.zones(move)) and ends[1] in NEIGHBOURS[ends[0]])
    how = _("two zones, such as {next}", next=next(steps, moves[0]))
    if state.made:
        return Question(
            _("{number}, which need not be made.", number=number),
            _("{how}, or {stop}", how=how, stop=notation.STOP),
        )
    return Question(
        _("{number}: it must be made.", number=number) if state.moves > 1 else _("Your move."), how
    )


_QUESTIONS: Final[Mapping[Kind, Callable[[View[State], Players], Question]]] = {
    "take": _take,
    "play": _play,
    "place": _place,
    "mix": _mix,
    "answer": _answer,
    "move": _move,
}
_SIMPLE: Final[Mapping[Kind, Question]] = {
    "regroup": Question(
        mark("Which three pieces of yours do you mix?"), mark("three zones, such as a1 b2 c3")
    ),
    "look": Question(
        mark("Your spy looks at two pieces side by side, one at least an enemy's. Which?"),
        mark("two zones, such as c4 d4"),
    ),
    "draw": Question(
        mark("Show the spy: which piece of your bag is it?"), mark("spy, or draw and its number")
    ),
    "accuse": Question(
        mark("Which enemy piece is what? If you are wrong, you alone see it."),
        mark("a zone and a kind, such as c4 king"),
    ),
    "flag": Question(mark("Your flag is yours again. On which free zone does it go, open?"), mark("a zone")),
}


def ready_line(view: View[State], _unused: Chance) -> str:
    """The line that Enter proposes: a plain answer that does no harm, and no advice; "" for none."""
    proposal = _PLAIN.get(kind(view))
    if proposal is not None and (line := proposal(view)):
        return line
    begun = ""
    for _part in range(_PARTS):
        offers = choices(ViewContext(view, Players((), view.seat), begun))
        if not offers:
            break
        with suppress(Misunderstood):
            read(view, offers[0].word)
            return offers[0].word
        begun = f"{offers[0].word} "
    return ""


_PARTS: Final = 3
"""Zones or words of the longest answer: they are offered one behind the other."""


def _free_card(view: View[State]) -> str:
    """The Traitor for a piece that is sure, else a card that costs nothing and needs no secret, or none."""
    if sure := plain(view):
        return sure.removeprefix("play ")
    may = {notation.played(play) for play in own_plays(view.state, view.known)}
    free = next((card for card in (BLITZ, REINFORCE) if card in may), None)
    return "none" if free is None else notation.play(free).removeprefix("play ")


def _plain_move(view: View[State]) -> str:
    """What the coach speaks of: a sure attack, else what gains most land; else no more than has to be."""
    if best := plain(view):
        return best
    moves = own_moves(view)
    if notation.STOP in moves:
        return notation.STOP
    moment = snapshot(ViewContext(view, Players((), view.seat)))
    return min(moves, key=lambda move: _rank(view, moment, move))


_PLAIN: Final[Mapping[Kind, Callable[[View[State]], str]]] = {
    "play": _free_card,
    "accuse": lambda view: plain(view).removeprefix("accuse "),
    "move": _plain_move,
}


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return _("A piece is being turned up.")
    if isinstance(ask, Roll):
        return _("Chance is being drawn together.")
    if isinstance(ask, Claim):
        return _("A claim is being put on record.")
    if isinstance(ask, OpenTo):
        return _("{name} is looking at a piece.", name=players.names[ask.seat])
    if isinstance(ask, Mix):
        return _("{name} is mixing pieces.", name=players.names[ask.seat])
    if isinstance(ask, Together | Commit):
        asks = ask.asks if isinstance(ask, Together) else (ask,)
        names = [players.names[decision.seat] for decision in asks if decision.seat != view.seat]
        doing = _PLACING if any(isinstance(decision, Commit) for decision in asks) else _CHOOSING_ZONES
        return _(doing[len(names) != 1], others=series(names))
    if isinstance(ask, Choose):
        word = next(iter(ask.options), "").split(" ")[0]
        return _(_DOING.get(word, mark("{player} is to move.")), player=players.names[ask.seat])
    raise RuntimeError(f"Conquest does not ask {ask!r}")


_PLACING: Final = mark("{others} is still placing."), mark("{others} are still placing.")
_CHOOSING_ZONES: Final = (
    mark("{others} is putting the army on the map."),
    mark("{others} are putting their armies on the map."),
)
"""Of one player, and of several."""
_DOING: Final = {
    "take": mark("{player} takes a territory."),
    "play": mark("{player} chooses a card."),
    "place": mark("{player} is to place a piece."),
    "flag": mark("{player} is to place a flag."),
    "regroup": mark("{player} chooses three pieces to mix."),
    "look": mark("{player} chooses what to look at."),
    "draw": mark("{player} is to show the spy."),
    "accuse": mark("{player} is to accuse a piece."),
    "yes": mark("{player} is to answer."),
}


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """The choices that begin with the typed text, the most promising first."""
    view: View[State] = context.view
    offered = _CHOICES.get(kind(view))
    if offered is None:
        return ()
    typed = " ".join(context.typed.lower().split())
    if kind(view) == "take" and (place := place_called(typed)) is not None:
        typed = notation.take(place).lower()
    moment = snapshot(context)
    offers = offered(view, moment, typed)
    return tuple(
        offer
        for offer in offers
        if offer.word.lower().startswith(typed) or offer.shown.lower().startswith(typed)
    )


def _to_take(view: View[State], _: Snapshot, typed: str) -> Iterator[Choice]:
    """Cities first, then what borders on own territories."""
    taken = view.state.taken
    mine = {place for place, owner in enumerate(taken) if owner == view.seat}
    free = [place for place, owner in enumerate(taken) if owner is None]
    wanted = place_called(typed)

    def rank(place: TerritoryId) -> tuple[bool, bool, int, int]:
        return place != wanted, place not in CITIES, -len(mine & set(BORDERS[place])), place

    for place in sorted(free, key=rank):
        yield Choice(notation.take(place), f"{TERRITORIES[place].letter}{' ★' * (place in CITIES)}")


def _cards(view: View[State], _unused: Snapshot, typed: str) -> Iterator[Choice]:
    """The cards that can be played honestly: another one, though not offered, is read with a warning."""
    honest = own_plays(view.state, view.known)
    for move in sorted(honest, key=lambda move: move == notation.PLAY_NONE):
        card = notation.played(move)
        word = move if typed.startswith("play") else move.removeprefix("play ")
        yield Choice(word, _("none") if card is None else short_card(card))


def _zones(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """Where a piece or flag can go: next to own pieces first, for a flag far from enemies."""
    state = moment.state
    prefix = f"{moment.asked} " if typed.startswith(moment.asked) else ""

    def enemies(at: int) -> int:
        return sum(p is not None and p.seat != view.seat for p in (state.board[o] for o in NEIGHBOURS[at]))

    def friends(at: int) -> int:
        return sum(p is not None and p.seat == view.seat for p in (state.board[o] for o in NEIGHBOURS[at]))

    for at in sorted(moment.goals, key=lambda at: (enemies(at), -friends(at), at)):
        yield Choice(prefix + zone(at), zone(at))


def _trios(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """The zones that can be named next; open pieces first, for they gain most."""
    own = [(at, seen) for at, seen in moment.pieces.items() if seen.seat == view.seat]
    own.sort(key=lambda piece: (not piece[1].shown, not piece[1].moved, piece[0]))
    return _next_zone([at for at, _ in own], typed, "regroup ")


def _next_zone(candidates: Sequence[int], typed: str, prefix: str) -> Iterator[Choice]:
    """The typed zones and one more of the candidates."""
    start = prefix if typed.startswith(prefix) else ""
    there = zones_in(typed)
    begun = typed.removeprefix(prefix).split()
    if begun and len(there) < len(begun):
        begun.pop()  # a zone of which only the letter is typed
    before = start + "".join(f"{word} " for word in begun)
    for at in candidates:
        if at not in there:
            yield Choice(before + zone(at), zone(at))


def _orders(view: View[State], _: Snapshot, typed: str) -> Iterator[Choice]:
    """Every order of the three pieces; each is told with its zones."""
    del typed
    if not isinstance(view.decision, Commit):
        return
    zones = regrouped(view)
    faces = sorted(view.decision.faces, key=ORDER.index)
    for order in dict.fromkeys(permutations(faces)):
        shown = ", ".join(f"{zone(at)} {LETTERS[face]}" for at, face in zip(zones, order, strict=True))
        yield Choice(" ".join(LETTERS[face].lower() for face in order), shown)


def _pairs(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """Pairs of closed enemy pieces first."""
    options = (
        [notation.zones_in(move) for move in view.decision.options]
        if isinstance(view.decision, Choose)
        else []
    )
    unread = {at for seat in range(moment.state.seats) if seat != view.seat for at, _ in closed(moment, seat)}
    prefix = "look " if typed.startswith("look ") else ""
    for pair in sorted(options, key=lambda pair: (-len(unread.intersection(pair)), pair)):
        text = " ".join(map(zone, pair))
        yield Choice(prefix + text, text)


def _in_bag(_unused: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    del typed
    for number, seen in sorted(enumerate(moment.bag), key=lambda piece: piece[1].face != SPY):
        if not seen.shown:
            name = "?" if seen.face is None else named(seen.face)
            yield Choice(notation.draw(number), _("draw {number}: {name}", number=number, name=name))


def _accusations(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """A zone with an enemy's piece, the unread ones first; then the kinds that it can be."""
    prefix = "accuse " if typed.startswith("accuse ") else ""
    zones = zones_in(typed)
    enemies = [(at, seen) for at, seen in moment.pieces.items() if seen.seat != view.seat]
    if not zones:
        for at, _unused in sorted(
            enemies, key=lambda enemy: (enemy[1].shown, enemy[1].face is None, enemy[0])
        ):
            yield Choice(f"{prefix}{zone(at)}", zone(at))
        return
    seen = moment.pieces.get(zones[0])
    can_be = set(range(len(PIECES))) if seen is None or seen.face is None else {seen.face}
    if seen is not None and seen.face is None and seen.piece is not None:
        can_be = {face for face in can_be if seen.piece.could >> face & 1}
    for face in (FLAG, *(face for face in ORDER if face != FLAG)):
        if face in can_be:
            yield Choice(f"{prefix}{zone(zones[0])} {PIECES[face].name}", named(face))


def _yes_no(view: View[State], _unused: Snapshot, typed: str) -> Iterator[Choice]:
    del typed
    truth = honest_answer(view)
    yield from (Choice(word, _(word)) for word in (truth, *({"yes", "no"} - {truth})))


def _moves(view: View[State], moment: Snapshot, typed: str) -> Iterator[Choice]:
    """Attacks that gain first, then steps into territories of others, other steps, runs, then what loses."""
    squeezed = "".join(letter for letter in typed if letter.isalnum())
    moves = [move for move in own_moves(view) if move.startswith(squeezed)]
    for move in sorted(moves, key=lambda move: (_rank(view, moment, move), move)):
        between = notation.zones(move)
        shown = move
        if between is not None and between[1] in moment.pieces:
            shown = f"{zone(between[0])}×{zone(between[1])}"
        # What was typed with a space between the zones goes on like that.
        yield Choice(typed + move[len(squeezed) :] if typed and squeezed else move, shown)


def _rank(view: View[State], moment: Snapshot, move: str) -> tuple[int, float]:
    between = notation.zones(move)
    if between is None:
        return (4, 0.0)
    source, target = between
    attacker, there = moment.pieces[source].face, moment.pieces.get(target)
    if there is not None and attacker is not None:
        if there.face is None:
            return (2, 0.0)
        result = FIGHTS[attacker][there.face]
        return {"flag": (0, -2.0), "won": (0, -1.0), "both": (2, 1.0), "lost": (5, 0.0)}[result]
    abroad = moment.owners[TERRITORY_OF[target]] != view.seat
    far = target not in NEIGHBOURS[source]
    return (3 if far else 1, 0.0 if abroad else 1.0)


_CHOICES: Final[Mapping[Kind, Callable[[View[State], Snapshot, str], Iterable[Choice]]]] = {
    "take": _to_take,
    "play": _cards,
    "place": _zones,
    "flag": _zones,
    "regroup": _trios,
    "mix": _orders,
    "look": _pairs,
    "draw": _in_bag,
    "accuse": _accusations,
    "answer": _yes_no,
    "move": _moves,
}
