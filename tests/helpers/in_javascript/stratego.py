"""Random games of Stratego with all kinds of armies, honest and crooked, as scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from p2p_stratego.core.game import (
    Ask,
    Choose,
    Commit,
    Face,
    Move,
    Open,
    Options,
    Outcome,
    Slot,
    Together,
)
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.view import View
from p2p_stratego.stratego.rules.armies import ARMIES, FEWEST_PIECES, MOST_PIECES, ORDER
from p2p_stratego.stratego.rules.board import CRATERS, HOME, NAMES, NEIGHBOURS, PLACE, SQUARES, way
from p2p_stratego.stratego.rules.cells import EMPTY
from p2p_stratego.stratego.rules.game import GAME, Fillings, Moves
from p2p_stratego.stratego.rules.notation import NONE, PLACES, STEPS, fill, move
from p2p_stratego.stratego.rules.observation import could_be, own_moves
from p2p_stratego.stratego.rules.options import QUIET, SHUTTLE, TOURNAMENT
from p2p_stratego.stratego.rules.pieces import BOMB, FLAG, MOBILE, SEAT_NAMES, SEATS
from p2p_stratego.stratego.rules.state import State
from p2p_stratego.stratego.rules.transitions import LONGEST
from tests.helpers.in_javascript.script import (
    Answers,
    Json,
    Overheard,
    Script,
    Tongue,
    camel,
    outcome_json,
    script_from,
)
from tests.helpers.stratego.games import RECORDED, Recorded, load
from tests.helpers.stratego.walks import choose
from tests.helpers.stratego.walks import start as start_of_walk

_BYTES = "latin-1"


def state_json(state: State) -> Json:
    """A state as `stratego_state.mjs` holds it; a board is a text of 100 characters."""
    fields = {camel(key): value for key, value in state._asdict().items()}
    boards = [board.decode(_BYTES) for board in state.memory.boards]
    return {
        **fields,
        "army": {"text": state.army.text, "counts": list(state.army.counts)},
        "board": state.board.decode(_BYTES),
        "left": [list(left) for left in state.left],
        "lost": [list(lost) for lost in state.lost],
        "memory": {"trails": state.memory.trails, "threats": state.memory.threats, "boards": boards},
        "report": state.report and state.report._asdict(),
        "ended": outcome_json(state.ended),
    }


def observed(state: State, viewer: int | str, faces: Mapping[Slot, Face]) -> Json:
    """What may be drawn of a state."""
    fields = state_json(state)
    del fields["board"], fields["memory"]
    squares: list[Json] = [None] * len(SQUARES)
    for square, piece in state.pieces():
        readable = viewer in (piece.seat, "all") and piece.slot is not None
        squares[square] = {
            "seat": piece.seat,
            "slot": piece.slot,
            "face": faces.get(piece.slot, None) if readable and piece.slot is not None else piece.face,
            "shown": piece.face is not None,
            "moved": piece.moved,
            "couldBe": sorted(could_be(View(0, state, {}), square)),
        }
    report = state.report
    if report is not None:
        source, target, _ = STEPS.get(report.move, (None, None, ()))
        between = way(source, target) if source is not None and target is not None else ()
        fields["report"] |= {"from": source, "to": target, "between": between}
    return {
        **fields,
        "game": GAME.name,
        "army": state.army.text,
        "counts": list(state.army.counts),
        "size": state.army.size,
        "craters": sorted(CRATERS),
        "squares": squares,
    }


def _nonsense(random: Random) -> Move:
    """Two squares, mostly near each other, or a filling of squares."""
    source = random.choice(SQUARES)
    if random.random() < 0.1:
        return f"squares {random.getrandbits(40):0{random.choice([10, 10, 9])}x}"
    target = random.choice([random.choice(SQUARES), *NEIGHBOURS[source]])
    return random.choice(
        [move(source, target)] * 4 + [f"{NAMES[source]}-{NAMES[target]}", NAMES[source], "None"]
    )


TONGUE = Tongue(GAME, state_json, observed, _nonsense, (Fillings,))


class RandomPlayer:
    """Both seats: honest or crooked, at random or in chases and to and fro."""

    def __init__(self, random: Random, setups: Mapping[int, tuple[Face, ...]] | None = None) -> None:
        """`setups`: by seat, the faces to lay; by default at random."""
        self.random = random
        self.setups = setups or {}
        self.bluff = random.choice([0, 0, 0, 0.01, 0.2])
        """How often a move is made of which a piece may be incapable."""
        self.swapped = random.choice([0, 0, 0, 0.1])
        """How often a face is laid that the army does not have so often."""
        self.chase = random.choice([0, 0.5, 0.9])
        self.charge = random.choice([0, 0.2, 0.8])
        """How often an attack is preferred, which makes games short."""

    def roll(self, sides: int) -> int:
        return self.random.randrange(sides)

    def lay(self, _state: State, ask: Commit) -> tuple[Face, ...]:
        faces = list(self.setups.get(ask.seat, tuple(ask.faces)))
        if ask.seat not in self.setups:
            self.random.shuffle(faces)
        kinds = sorted(set(faces))
        return tuple(
            self.random.choice(kinds) if self.random.random() < self.swapped else face for face in faces
        )

    def choose(self, state: State, ask: Choose, faces: Mapping[Slot, Face]) -> Move:
        if isinstance(ask.options, Fillings):
            return fill(self.random.sample(range(PLACES), ask.options.count))
        own = sorted(own_moves(View(ask.seat, state, faces)))
        if self.random.random() < self.bluff:
            return self.random.choice(sorted(ask.options))
        own = [step for step in own if step in ask.options] or sorted(ask.options)
        return self._preferred(state, own)

    def _preferred(self, state: State, moves: Sequence[Move]) -> Move:
        """One of the moves: an attack, or after who fled, or away, or straight back; else any."""
        steps = [step for step in moves if step != NONE]
        attacks = [step for step in steps if state.board[STEPS[step][1]] != EMPTY]
        if attacks and self.random.random() < self.charge:
            return self.random.choice(attacks)
        theirs, mine = state.memory.trails[1 - state.seat], state.memory.trails[state.seat]
        quiet = [step for step in steps if step not in attacks]
        if quiet and theirs and self.random.random() < self.chase:
            back = [step for step in quiet if mine and step == move(mine[-1], mine[-2])]
            near = NEIGHBOURS[theirs[-1]]
            chased = [step for step in quiet if STEPS[step][0] in near]
            chasing = [step for step in quiet if STEPS[step][1] in near]
            wished = (chased, chasing) if state.plies % 2 else (chasing, chased)
            wish = next((some for some in (*wished, back) if some), [])
            if wish:
                return self.random.choice(wish)
        return self.random.choice(moves)


def random_army(random: Random) -> str:
    """An army by name, or twelve counts: few pieces, which leave room to run, or many."""
    if random.random() < 0.4:
        return random.choice(sorted(ARMIES))
    most = random.choice([4, 8, 20, MOST_PIECES])
    counts = dict.fromkeys(ORDER, 0) | {FLAG: 1, random.choice(sorted(MOBILE)): 1}
    kinds = random.choices([*sorted(MOBILE), BOMB], k=random.randint(FEWEST_PIECES, most) - FEWEST_PIECES)
    for face in kinds:
        counts[face] += 1
    return "-".join(str(counts[face]) for face in ORDER)


def wild_options(random: Random) -> Options:
    """Options of which some are offered, and some look like it."""
    counts = [str(random.choice([0, 0, 1, 2, 9])) for _ in ORDER]
    counts[-1] = random.choice(["1", "1", "1", "0", "2", "01", "100", "-1"])
    named = random.choice([*ARMIES, "Classic", "", "toString", "__proto__", "classic\n"])
    box = ARMIES[random.choice(sorted(ARMIES))]
    boxed = "-".join(str(box.counts[face]) for face in ORDER)
    rooted = "-".join(["0"] * len(MOBILE) + [str(random.randint(0, 3)), "1"])
    spelt = ["-".join(counts), "-".join(counts[1:]), rooted]
    armies: list[int | str] = [named, boxed, *spelt, 7, random_army(random)]
    firsts: list[int | str] = [*SEAT_NAMES, "Red", "random", 0]
    quiets: list[int | str] = [-1, 0, 1, 200, QUIET.most, QUIET.most + 1, "200", 1 << 60]
    shuttles: list[int | str] = [*SHUTTLE.words, "Letter", "", 1]
    wanted: dict[str, int | str] = {
        "army": random.choice(armies),
        "first": random.choice(firsts),
        "quiet": random.choice(quiets),
        "shuttle": random.choice(shuttles),
        "wall": 4,
    }
    names = random.sample(["army", "army", "army", "first", "quiet", "shuttle", "wall"], random.randint(0, 3))
    return {name: wanted[name] for name in names}


def random_options(random: Random) -> Options:
    """Any army; few quiet moves, many, or any number."""
    quiet = random.choice([0, 1, 20, 60, 200, random.randint(0, QUIET.most)])
    shuttle = random.choice(SHUTTLE.words)
    return {
        "army": random_army(random),
        "first": random.choice(SEAT_NAMES),
        "quiet": quiet,
        "shuttle": shuttle,
    }


class Walker(RandomPlayer):
    """Moves open pieces: to and fro, in chases, at random."""

    def choose(self, state: State, ask: Choose, _faces: Mapping[Slot, Face]) -> Move:
        steps = [step for step in ask.options if step != NONE]
        return choose(self.random, state, steps) if steps else NONE


def random_walk(random: Random) -> tuple[Script, Outcome | None]:
    """A game from a position in which all pieces are known, so that the rules on repetition are met often."""
    late = random.choice([0, 0, 0, LONGEST - 40])
    start = start_of_walk(random)._replace(quiet=random.choice([0, 50]), plies=late)
    return script_from(TONGUE, Walker(random), start, random, most=150)


def recorded_games() -> Iterator[Script]:
    """Games of people, where the data are there: with their armies, as far as the rules allow their moves."""
    for path in RECORDED:
        yield {**_recorded(load(path)), "label": path.name}


def _recorded(game: Recorded) -> Script:
    places = [
        sorted(PLACE[seat][square] for square, (owner, _) in game.pieces.items() if owner == seat)
        for seat in SEATS
    ]
    lines = [[game.pieces[HOME[seat][place]][1] for place in places[seat]] for seat in SEATS]
    army = "-".join(str(lines[0].count(face)) for face in ORDER)
    squares = [fill(filled) for filled in places if len(filled) < MOST_PIECES]
    overheard = Overheard(TONGUE)
    player = Answers([*lines, *squares, *game.moves])
    faces: dict[Slot, Face] = {}

    def answer(ask: Ask) -> Any:
        if isinstance(ask, Together):
            return tuple(map(answer, ask.asks))
        if isinstance(ask, Commit):
            faces.update(zip(ask.slots, player.lay(None, ask), strict=True))
        if isinstance(ask, Choose):
            return player.choose(None, ask, faces)
        return faces[ask.slot] if isinstance(ask, Open) else None

    state = drive(overheard.setup(2, {"army": army, "quiet": 0, "shuttle": TOURNAMENT}), answer)
    while state.phase != "play":
        state = drive(overheard.turn(state), answer)
    for word in game.moves:
        if word not in Moves(state):
            overheard.tried(state, word)
            break
        state = drive(overheard.turn(state), answer)
    return overheard.script()[0]
