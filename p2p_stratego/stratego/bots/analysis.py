"""A game of Stratego looked back on: each move beside the best one, the odds of each attack, and its luck.

It asks the agent's own beliefs and evaluation (see `core.analysis` for the measures): every legal move is
weighed one step deep, with the possible results of an attack and the enemy's replies.  The chance to win is
that of `prospects`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, lgamma, log
from typing import Final

from p2p_stratego.core.analysis import Enough, Judgement, Likelihood, MadeDecision, Outlook
from p2p_stratego.core.game import Commit, Face, Move, Seat, Slot
from p2p_stratego.core.language import _, mark, n_, number
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots import prospects
from p2p_stratego.stratego.bots.access import NEVER
from p2p_stratego.stratego.bots.beliefs import Chances, Leanings
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.piece_values import alive, worth_among
from p2p_stratego.stratego.bots.position import Picture, fares
from p2p_stratego.stratego.bots.prospects import Knowing
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.rules.board import NAMES as SQUARES
from p2p_stratego.stratego.rules.board import NEIGHBOURS, Square
from p2p_stratego.stratego.rules.cells import OWNER, Board
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, FLAG, IMMOBILE, MOBILE, SEATS, Fight
from p2p_stratego.stratego.rules.state import Report, State

STOOD: Final = 2.0
"""How much likelier a closed piece that lets itself be attacked is one that withstands, than one that falls.

Fitted to games of the agent with itself: without it, attacks seem to win more often than they do.
"""
_KINDS: Final[Mapping[str, str]] = {
    "army": mark("army"),
    "squares": mark("squares"),
    "move": mark("move"),
    "attack": mark("attack"),
}
_SHOWN: Final = 3
"""How many of the likeliest pieces are told."""
_NEAR: Final = 4
"""Own moves to the flag: what a quiet move does farther away can still be answered."""
_SIGN: Final = (1, -1)
"""By seat: how the logarithm of red's odds counts for it."""
_WINS: Final[tuple[Fight, ...]] = ("won", "flag")


def judge(played: Iterable[MadeDecision], enough: Callable[[], Enough]) -> Iterator[Judgement]:
    """A judgement of each decision, in order."""
    conducts = {seat: Conduct(1 - seat) for seat in SEATS}
    for made in played:
        view: View[State] = made.view
        stop = enough()
        if view.state.phase != "play":
            kind = "army" if isinstance(view.asked, Commit) else "squares"
            yield Judgement(made, kind, "", unknown=made.answer is None)
            continue
        conduct = observed(view) if view.past else conducts[view.seat]
        conduct.watch(view.state)
        yield _move(made, conduct, stop)


def observed(view: View[State]) -> Conduct:
    """What the enemy's conduct showed in all states before that of `view`."""
    conduct = Conduct(1 - view.seat)
    for state in view.past:
        if state.phase == "play" and state.seat == view.seat:
            conduct.watch(state)
    return conduct


def _move(made: MadeDecision, conduct: Conduct, stop: Enough) -> Judgement:
    """The judgement of a move, beside the best move by the agent's weights."""
    view: View[State] = made.view
    state, move = view.state, str(made.answer)
    judgement = _clash(made, conduct, Judgement(made, "move", in_words(move)))
    if made.after is not None:
        judgement = replace(
            judgement,
            given=_grown_less(state, made.after, view.seat),
            gained=_grown_less(state, made.after, 1 - view.seat),
        )
    if not prospects.knows(state, view.seat, view.known):
        return replace(judgement, unknown=True)
    moves = own_moves(view)
    if move not in moves:
        return judgement  # a breach of the rules: the record says so
    if len(moves) == 1:
        return replace(judgement, best=in_words(move), lost=0.0)
    picture = Picture(view, conduct.leanings)
    hopes = prospects.chance(_scene(view, conduct), "own", view.seat)[view.seat]
    weigher = Weigher(picture)
    points = {move: weigher.weigh(move)}
    hasty = False
    for other in moves:
        if stop():
            hasty = True
            break
        points[other] = weigher.weigh(other)
    best = max(points, key=points.__getitem__)
    return replace(
        judgement,
        best=in_words(best),
        lost=_in_chance(state, hopes, points[best] - points[move]),
        best_odds=_odds(picture, best),
        hasty=hasty,
    )


def _scene(view: View[State], conduct: Conduct) -> prospects.Scene:
    """The position as its mover sees it."""
    leanings: tuple[Leanings, Leanings] = ({}, conduct.leanings) if view.seat == 0 else (conduct.leanings, {})
    known = prospects.known_to(view.seat, view.known, "own")
    return prospects.scene(view.state, prospects.believed(view.state, known, leanings))


def _odds(picture: Picture, move: Move) -> float | None:
    """How likely an attack wins; None for a move that is none."""
    if move == NONE:
        return None
    source, target, _between = STEPS[move]
    if target not in picture.foes:
        return None
    return win_odds(picture.stand.mine[source], picture.foes[target])


def win_odds(face: Face, foe: Chances) -> float:
    """How likely an attack with this face wins against a piece that waits for it."""
    return _wins(face, _attacked(face, foe))


def _attacked(face: Face, foe: Chances) -> Chances:
    """The chances of a piece that stood still for an attack by this face."""
    weights = [odds if FIGHTS[face][foe_face] in _WINS else STOOD * odds for foe_face, odds in enumerate(foe)]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def _wins(face: Face, foe: Chances) -> float:
    results = fares(face, foe)
    return min(results["won"] + results["flag"], 1.0)  # a sum of rounded numbers


def _clash(made: MadeDecision, conduct: Conduct, judgement: Judgement) -> Judgement:
    """The judgement with the odds, the result and the luck of an attack; unchanged without an attack."""
    view: View[State] = made.view
    report: Report | None = None if made.after is None else made.after.report
    if made.answer == NONE or report is None or report.attacker is None or report.defender is None:
        return judgement
    source, target, _between = STEPS[str(made.answer)]
    attacker = report.attacker
    scene = _scene(view, conduct)
    foe = _attacked(attacker, scene.beliefs[1 - view.seat][target])
    knowing: Knowing = "own" if prospects.knows(view.state, view.seat, view.known) else "open"

    def after(face: Face) -> float:
        """The chance to win once the attacker has met a piece of this face."""
        if face == FLAG:
            return 1.0
        met = prospects.met(scene, source, target, attacker, face)
        return prospects.chance(met, knowing, view.seat)[view.seat]

    expected = sum(odds * after(face) for face, odds in enumerate(foe) if odds)
    came = after(report.defender)
    likeliest = sorted(enumerate(foe), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    return replace(
        judgement,
        kind="attack",
        odds=_wins(attacker, foe),
        came=report.result in _WINS,
        luck=came - expected,
        knew=tuple(Likelihood(piece(face), odds) for face, odds in likeliest if odds),
    )


def in_words(move: Move) -> str:
    """A move: "a4 to a5"."""
    if move == NONE:
        return _("cannot move")
    source, target, _between = STEPS[move]
    return _("{source} to {target}", source=SQUARES[source], target=SQUARES[target])


# Measures


def _in_chance(state: State, hopes: float, points: float) -> float:
    """The chance to win that so much worth (≥ 0) less costs a side that has the chance `hopes`."""
    own, enemy = alive(state, 0), alive(state, 1)
    worth = worth_among(state.army, own, enemy), worth_among(state.army, enemy, own)
    all_ = sum(worth[0][face] * own[face] + worth[1][face] * enemy[face] for face in MOBILE)
    if points <= 0 or not all_ or not 0 < hopes < 1:
        return 0.0
    odds = log(hopes / (1 - hopes)) - 2 * prospects.steepness(state.army) * points / all_
    return max(hopes - 1 / (1 + exp(-odds)), 0.0)


def chance(state: State, seat: Seat) -> float:
    """How likely `seat` is to win, 0 to 1, by what everybody can see."""
    return next(outlooks((state,), len(SEATS), {})).seen[seat]


def outlooks(states: Iterable[State], seats: int, truth: Mapping[Slot, Face]) -> Iterator[Outlook]:
    """The outlook after each step, by all three kinds of knowledge."""
    conducts = Conduct(0), Conduct(1)
    for state in states:
        if state.ended is not None:
            winners = state.ended.winners
            even = tuple(float(seat in winners) if winners else 0.5 for seat in range(seats))
            yield Outlook(even, even, even)
        elif state.phase != "play":
            even = (0.5,) * seats
            yield Outlook(even, even, even, begun=False)
        else:
            for conduct in conducts:
                conduct.watch(state)
            yield _outlook(state, truth, (conducts[0].leanings, conducts[1].leanings))


def _outlook(state: State, truth: Mapping[Slot, Face], leanings: tuple[Leanings, Leanings]) -> Outlook:
    closed, known = prospects.believed(state, {}, leanings), prospects.believed(state, truth, leanings)
    knowledge = [prospects.knows(state, seat, truth) for seat in SEATS]
    views: tuple[prospects.Beliefs, ...] = (known[0], closed[1]), (closed[0], known[1])

    def look(beliefs: prospects.Beliefs, knowing: Knowing, knower: Seat = 0) -> tuple[float, float]:
        return prospects.chance(prospects.scene(state, beliefs), knowing, knower)

    return Outlook(
        look(closed, "open"),
        tuple(look(views[seat], "own", seat)[seat] if knowledge[seat] else None for seat in SEATS),
        look(known, "all") if all(knowledge) else None,
    )


def reason(before: State, after: State, names: Sequence[str], truth: Mapping[Slot, Face]) -> str | None:
    """The greatest cause of the change: a way to the flag got shorter or longer, or a piece became known."""
    report = after.report
    if after.ended is not None or not truth or report is None:
        return None
    old, new = (prospects.scene(state, prospects.believed(state, truth)) for state in (before, after))
    was, now = (prospects.in_odds(scene) for scene in (old, new))
    change = sum(now.values()) - sum(was.values())
    gains = [prospects.worth_of_ways(new, seat) - prospects.worth_of_ways(old, seat) for seat in SEATS]
    quiet = report.result == "moved"
    for seat in sorted(SEATS, key=lambda seat: -abs(gains[seat])):
        rises = gains[seat] > 0
        far, near = (prospects.ways(scene, seat) for scene in ((old, new) if rises else (new, old)))
        for free in (True, False):
            shorter = near[free].cost < min(far[free].cost, _NEAR + 1 if quiet else NEVER)
            if shorter and _most(gains[seat] * _SIGN[seat], change):
                return _near(near[free], names, seat, now=rises, free=free)
    stands = report.seat if report.result == "won" else 1 - report.seat
    if not quiet and report.result != "both" and _most(now["closed"] - was["closed"], change):
        face = report.attacker if stands == report.seat else report.defender
        if face is not None and change * _SIGN[stands] < 0:
            return _(
                "Since then everybody knows {player}'s {piece}.", player=names[stands], piece=piece(face)
            )
    return None


def _most(part: float, change: float) -> bool:
    """Whether a part is at least half of a change, and in its direction."""
    return part * change > 0 and 2 * abs(part) >= abs(change)


def _near(way: prospects.Way, names: Sequence[str], seat: Seat, *, now: bool, free: bool) -> str:
    """How near a piece of `seat` is to the flag, or was until now; `free`: and no guard was nearer."""
    count, fields = way.cost, {"player": names[seat], "other": names[1 - seat], "piece": piece(way.face)}
    if now and free:
        return n_(
            "{player}'s {piece} is now {count} move from {other}'s flag, and no guard is nearer.",
            "{player}'s {piece} is now {count} moves from {other}'s flag, and no guard is nearer.",
            count,
            **fields,
        )
    if now:
        return n_(
            "{player}'s {piece} is now {count} move from {other}'s flag.",
            "{player}'s {piece} is now {count} moves from {other}'s flag.",
            count,
            **fields,
        )
    if free:
        return n_(
            "Until then {player}'s {piece} was {count} move from {other}'s flag, and no guard was nearer.",
            "Until then {player}'s {piece} was {count} moves from {other}'s flag, and no guard was nearer.",
            count,
            **fields,
        )
    return n_(
        "Until then {player}'s {piece} was {count} move from {other}'s flag.",
        "Until then {player}'s {piece} was {count} moves from {other}'s flag.",
        count,
        **fields,
    )


def breakthrough(states: Sequence[State], names: Sequence[str]) -> tuple[int, str] | None:
    """The step, by its place from 1, since which no enemy stood between a flag and the piece that took it.

    With that in a sentence.  None if no flag was taken, or its way was open from the beginning.
    """
    report = states[-1].report
    if report is None or report.attacker is None or report.result != "flag":
        return None
    place, flag, _between = STEPS[report.move]
    for at in range(len(states) - 1, 0, -1):
        before = states[at - 1]
        if before.phase != "play":
            return None
        if not _open_way(before.board, place, flag, 1 - report.seat):
            fields = {"player": names[report.seat], "other": names[1 - report.seat]}
            sentence = _(
                "Since then nothing stood between {player}'s {piece} and {other}'s flag.",
                piece=piece(report.attacker),
                **fields,
            )
            return at + 1, sentence
        place = _origin(before.report, report.seat, place)
    return None


def _origin(report: Report | None, seat: Seat, place: Square) -> Square:
    """Where the piece of `seat` stood that stands on `place` after a move."""
    if report is None or report.seat != seat or report.move == NONE:
        return place
    source, target, _between = STEPS[report.move]
    return source if target == place else place


def _open_way(board: Board, place: Square, flag: Square, enemy: Seat) -> bool:
    """Whether a way leads to the flag past the pieces of `enemy`; those of the own side can step aside."""
    met, front = {place}, [place]
    while front:
        around = NEIGHBOURS[front.pop()]
        if flag in around:
            return True
        free = [square for square in around if square not in met and OWNER[board[square]] != enemy]
        met.update(free)
        front += free
    return False


def step_results(before: State, after: State, names: Sequence[str]) -> Sequence[str]:
    """The sentences of a step."""
    return narration.step(before, after, names)


def bits(state: State, seat: Seat) -> float:
    """The entropy, in bits, of the closed pieces of `seat`: the logarithm of the number of ways to name them.

    The bombs and the flag are among the pieces that never moved; all ways that fit are equally likely. 0
    before play, and if no way fits.
    """
    if state.phase not in ("play", "over"):
        return 0.0
    left, unmoved = state.left[seat], state.unmoved[seat]
    rooted = [left[face] for face in IMMOBILE]
    mobile = [left[face] for face in FACES if face in MOBILE]
    fixed, moving = sum(rooted), sum(mobile)
    if fixed > unmoved:
        return 0.0
    ways = lgamma(unmoved + 1) - lgamma(unmoved - fixed + 1) + lgamma(moving + 1)
    ways -= sum(lgamma(count + 1) for count in (*rooted, *mobile))
    return max(ways / log(2), 0.0)


def _grown_less(before: State, after: State, seat: Seat) -> float:
    return bits(before, seat) - bits(after, seat)


def kinds(kind: str) -> str:
    """A kind of decision in the reader's language."""
    return _(_KINDS[kind])


def summary(name: str, judged: Sequence[Judgement]) -> list[str]:
    """How many attacks were won, and how many were to be expected."""
    attacks = [judgement for judgement in judged if judgement.kind == "attack" and judgement.came is not None]
    if not attacks:
        return [_("{player} attacked nothing.", player=name)]
    return [
        _(
            "{player} won {hits} of {count} attacks; {expected} were to be expected.",
            player=name,
            hits=sum(bool(judgement.came) for judgement in attacks),
            count=len(attacks),
            expected=number(sum(judgement.odds or 0.0 for judgement in attacks), 1),
        )
    ]
