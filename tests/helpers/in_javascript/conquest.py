"""Random games of Conquest, honest and crooked, as scripts."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORIES
from p2p_stratego.conquest.rules.choices import Accusations, Fillings, Moves, Trios
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.notation import NO, STOP, YES, accuse, accused, fill, move, zones
from p2p_stratego.conquest.rules.observation import face_of, own_moves
from p2p_stratego.conquest.rules.options import GARRISON, ROUNDS, SCOUT
from p2p_stratego.conquest.rules.pieces import FACES
from p2p_stratego.conquest.rules.state import SLOTS, Piece, State
from p2p_stratego.core.game import Choose, Commit, Face, Move, Options, Slot
from tests.helpers.in_javascript.script import Json, Tongue, camel, outcome_json


def _camel(value: Any) -> dict[str, Any]:
    return {camel(key): field for key, field in value._asdict().items()}


def _piece(piece: Piece | None) -> Json:
    return piece and _camel(piece)


def state_json(state: State) -> Json:
    """A state as `conquest_state.mjs` holds it."""
    return {
        **_camel(state),
        "board": [_piece(piece) for piece in state.board],
        "bags": [[_piece(piece) for piece in bag] for bag in state.bags],
        "hand": _piece(state.hand),
        "pile": _camel(state.pile),
        "report": [_camel(event) for event in state.report],
        "ended": outcome_json(state.ended),
    }


def observed(state: State, viewer: int | str, faces: Mapping[Slot, Face]) -> Json:
    """What may be drawn of a state."""

    def seen(piece: Piece | None) -> Json:
        if piece is None:
            return None
        looked = isinstance(viewer, int) and piece.seen >> viewer & 1
        known = faces.get(piece.slot) if looked or viewer in (piece.seat, "all") else None
        face = known if piece.face is None else piece.face
        return {
            "slot": piece.slot,
            "seat": piece.seat,
            "face": face,
            "shown": piece.face is not None,
            "moved": piece.stepped,
        }

    return {
        **state_json(state),
        "game": GAME.name,
        "board": [seen(piece) for piece in state.board],
        "bags": [[seen(piece) for piece in bag] for bag in state.bags],
        "hand": seen(state.hand),
    }


def _nonsense(random: Random) -> Move:
    zone, other = random.choice(NAMES), random.choice(NAMES)
    return random.choice(
        [
            *([move(NAMES.index(zone), NAMES.index(other))] * 4),
            *(f"look {zone} {other}", f"place {zone}", f"flag {zone}", f"regroup {zone} {other} a1", "STOP"),
            *(
                "take A",
                "take  A",
                "take Y",
                "play blitz",
                "play",
                "draw 0",
                "draw 00",
                f"accuse {zone} king",
            ),
            *(f"zones {random.getrandbits(36):09x}", f"zones {random.getrandbits(24):06X}", "zones ", ""),
        ]
    )


TONGUE = Tongue(GAME, state_json, observed, _nonsense, (Fillings, Moves, Trios, Accusations))


class RandomPlayer:
    """All seats, honest or crooked; it attacks often, so that games come to an end."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.bluff = random.choice([0, 0, 0, 0.02, 0.2])
        """How often a choice is made of which a piece may be incapable."""
        self.swapped = random.choice([0, 0, 0, 0.1])
        """How often the army is laid with a face that it does not have so often."""
        self.charge = random.choice([0.2, 0.6, 0.9])
        self.knows = random.choice([0, 0.5, 1])
        """How often the Traitor names what is there."""
        self.faces: dict[Slot, Face] = {}
        self.accused: Move = ""

    def roll(self, sides: int) -> int:
        return self.random.randrange(sides)

    def lay(self, _state: State, ask: Commit) -> tuple[Face, ...]:
        faces = self.random.sample([*ask.faces], len(ask.slots))
        if len(faces) == SLOTS and self.random.random() < self.swapped:
            faces[0] = self.random.choice(FACES)
        self.faces.update(zip(ask.slots, faces, strict=True))
        return tuple(faces)

    def choose(self, state: State, ask: Choose, faces: Mapping[Slot, Face]) -> Move:
        options, honest = ask.options, self.random.random() >= self.bluff
        if isinstance(options, Fillings):
            return self._filling(options)
        if isinstance(options, Trios):
            return str(self.random.choice([*options]))
        if isinstance(options, Accusations):
            self.accused = self._accusation(options, faces)
            return self.accused
        if isinstance(options, Moves):
            moves = own_moves(options.state, faces) if honest else [*options]
            attacks = [move for move in moves if (way := zones(move)) and options.state.board[way[1]]]
            if attacks and self.random.random() < self.charge:
                return self.random.choice(attacks)
            return self.random.choice([move for move in moves if move != STOP] or moves)
        if YES in options and honest:
            zone, face = accused(self.accused)
            piece = state.board[zone]
            return YES if piece is not None and face_of(piece, faces) == face else NO
        return self.random.choice(sorted(options))

    def _filling(self, options: Fillings) -> Move:
        groups = [self.random.choice(sorted(group)) for group in options.groups()]
        places = [place for place in range(len(options.zones)) if place not in groups]
        return fill([*groups, *self.random.sample(places, SLOTS - len(groups))], options.digits)

    def _accusation(self, options: Accusations, faces: Mapping[Slot, Face]) -> Move:
        if self.random.random() >= self.knows:
            return str(self.random.choice([*options]))
        state = options.state
        there = [
            (zone, piece) for zone, piece in enumerate(state.board) if piece and piece.seat != state.seat
        ]
        zone, piece = self.random.choice(there)
        face = face_of(piece, faces)
        return accuse(zone, self.random.choice(FACES) if face is None else face)


def wild_options(random: Random) -> Options:
    """Options of which some are offered, and some look like it."""
    garrisons: list[int | str] = [*GARRISON.words, "All", "", 1, "constructor"]
    scouts: list[int | str] = [*SCOUT.words, "ran", "", 0]
    rounds: list[int | str] = [-1, 0, 1, 7, ROUNDS.most, ROUNDS.most + 1, "7", 1 << 60]
    wanted = {
        "garrison": random.choice(garrisons),
        "scout": random.choice(scouts),
        "rounds": random.choice(rounds),
        "wall": len(TERRITORIES),
    }
    names = random.sample(["garrison", "scout", "rounds", "rounds", "wall"], random.randint(0, 3))
    return {name: wanted[name] for name in names}


def random_options(random: Random) -> Options:
    """Few rounds, so that games end by them, too."""
    rounds = random.choice([1, 3, 10, 40])
    return {"garrison": random.choice(GARRISON.words), "scout": random.choice(SCOUT.words), "rounds": rounds}
