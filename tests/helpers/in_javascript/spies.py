"""Random games of SPIES!, honest and crooked, with leavers, as scripts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, Final

from p2p_stratego.core.entry import Whole
from p2p_stratego.core.game import Ask, Commit, Face, Move, Options, Outcome, Seat, Slot
from p2p_stratego.core.self_play import FalseClaim, play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.allocation import SEATS
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.options import OPTIONS, WORDS
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SPY_CODED, Copies, Police, Secret, Spy, State
from p2p_stratego.spies.rules.turn.trade import Proposals
from tests.helpers.in_javascript.script import Json, Overheard, Script, Tongue, camel, outcome_json

_IN_A_STEP: Final = ("partner", "settling", "amounts")
"""Fields that are empty between two steps, and that the page does not keep."""


def _camel(value: Any) -> dict[str, Any]:
    return {camel(key): field for key, field in value._asdict().items()}


def state_json(state: State) -> Json:
    """A state as `rules/spies/state.mjs` holds it."""
    fields = {key: value for key, value in _camel(state).items() if key not in _IN_A_STEP}
    return {
        **fields,
        "spies": [_camel(spy) for spy in state.spies],
        "secrets": [_camel(secret) for secret in state.secrets],
        "police": [[_camel(unit) for unit in units] for units in state.police],
        "played": [_camel(tile) for tile in state.played],
        "markers": [_camel(marker) for marker in state.markers],
        "report": [_camel(event) for event in state.report],
        "ended": outcome_json(state.ended),
    }


def observed(state: State, viewer: int | str, faces: Mapping[Slot, Face]) -> Json:
    """What may be drawn of a state."""

    def own(power: Power) -> bool:
        return viewer in ("all", state.runs[power])

    def read(slot: Slot, *readable: bool) -> Face | None:
        return faces.get(slot) if any(readable) else None

    def shown(seen: Copies) -> bool:
        return any(seat == viewer for seat, _ in seen)

    def spy(piece: Spy) -> Json:
        face = read(piece.slot, own(piece.power), shown(piece.seen)) if piece.face is None else piece.face
        return {**_camel(piece), "open": piece.face is not None, "face": face}

    def secret(lying: Secret) -> Json:
        held = viewer in ("all", lying.holder)
        face = read(lying.slot, held, shown(lying.seen)) if lying.face is None else lying.face
        return {**_camel(lying), "open": lying.face is not None, "face": face}

    def unit(power: Power, police: Police) -> Json:
        return {
            **_camel(police),
            "face": read(police.slot, own(power)) if police.face is None else police.face,
        }

    def cards(slots: Collection[Slot], power: Power) -> Json:
        return [{"slot": slot, "face": read(slot, own(power))} for slot in slots]

    return {
        **state_json(state),
        "game": GAME.name,
        "spies": [spy(piece) for piece in state.spies],
        "secrets": [secret(lying) for lying in state.secrets],
        "police": [[unit(power, strength) for strength in units] for power, units in enumerate(state.police)],
        "hands": [cards(slots, power) for power, slots in enumerate(state.hands)],
        "tiles": [cards(slots, power) for power, slots in enumerate(state.tiles)],
    }


def _nonsense(random: Random) -> Move:
    city, power, spy = random.choice(NAMES), random.choice(POWERS), random.choice(sorted(SPY_CODED))
    chit, slot = random.choice(CHIT_NAMES), random.choice([0, 65, 4096, 4100])
    digits = "".join(random.choice("01123") for _ in range(random.choice([5, 6, 7, 8])))
    pounds = [random.choice(["0", "1", "7", "?", "-1", "007", "99999"]) for _ in "ab"]
    places = random.choice(["-", "0", "01", "10", "0123", "00"])
    return random.choice(
        [
            *(f"move {spy} {city}", f"sail {spy} baltic", f"at {city}", f"land {city}", f"search {city}"),
            *(f"lay {digits}", f"lay {digits} {city}", f"lay {digits} {city} {city}", "stand", "stand 0 1"),
            *(f"{chit} {slot}", f"{chit} {slot} {spy} {city}", f"{chit} {slot} {city}", "stand 1 0", ""),
            *([f"propose {pounds[0]} {places} {pounds[1]} {random.choice('0012?')}"] * 6),
            *(f"propose {power}", f"diplomacy {power}", "propose 1 - 0 0 ", "propose  1 - 0 0", "END"),
            *(f"take {spy} {city}", f"give {spy}", f"leave {spy}", f"cash {spy}", "police", "end", "no more"),
            *("bid 0", "bid 00", "bid 20", "bid 728", "bid 729", "pay 1 1", "tile 192", "no tile"),
        ]
    )


TONGUE = Tongue(GAME, state_json, observed, _nonsense, (Layings, Proposals))


LESSON: Final[Options] = {"allocation": "lesson", "talk": 0}
"""Two powers, and decks that are not shuffled before the first turn."""


class RandomPlayer:
    """Any seat: what the rules allow, with a taste for doing something; crooked at times."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.bluff = random.choice([0, 0, 0, 0, 0.002, 0.05])
        """How often a choice is made that may be a lie."""
        self._bot = Recruit(random)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """As a bot's."""
        asked = view.asked
        if isinstance(asked, Commit):
            return self._bot.decide(view)
        if isinstance(asked.options, Layings | Proposals) or self.random.random() >= self.bluff:
            return str(self._bot.decide(view))
        return self.random.choice(sorted(asked.options))


def random_table(random: Random) -> tuple[int, Options]:
    """Seats, and options that they can play by."""
    seats, allocation = random.choice(sorted(SEATS))
    options: dict[str, int | str] = {
        "allocation": allocation,
        "handicap": random.choice(WORDS["handicap"]),
        "purse": random.choice(WORDS["purse"]),
        "talk": random.choice([0, 0, 0, 8]),
        "answer": random.choice([0, 30, 600]),
    }
    if options["handicap"] in ("even", "none") and (seats, allocation) != (3, "alternate"):
        options["alliances"] = random.choice(WORDS["alliances"])
    return seats, options


def random_script(random: Random, years: int = 7) -> tuple[Script, Outcome | None]:
    """A game at a table of any kind, from which seats may leave; at most so many years of it."""
    seats, options = random_table(random)
    overheard: Any = Overheard(TONGUE, random)
    leaves = random.choice([0, 0, 0, 0.002, 0.0005]) if seats > 2 else 0
    last = 1932 + years

    def left(_number: int, _ask: Ask) -> tuple[Seat, ...]:
        state = overheard.state
        if state is not None and state.year > last:
            raise _LongEnough
        return (random.randrange(seats),) if random.random() < leaves else ()

    outcome: Outcome | None = None
    try:
        outcome = play(overheard, [RandomPlayer(random)] * seats, options, random, left).outcome
    except (_LongEnough, FalseClaim):
        outcome = None  # a false claim has no proof, so nobody could go on
    return overheard.script()[0], outcome


class _LongEnough(Exception):
    """The game is cut here."""


def wild_options(random: Random) -> Options:
    """Options of which some are offered, and some look like it."""
    wanted: dict[str, int | str] = {}
    for name, values in WORDS.items():
        words: list[int | str] = [*values, "", "Yes", 1, "constructor"]
        wanted[name] = random.choice(words)
    numbers = {field.name: field.values for field in OPTIONS if isinstance(field.values, Whole)}
    for name, number in numbers.items():
        times: list[int | str] = [number.least, number.most, number.most + 1, -1, "8", 1 << 60]
        wanted[name] = random.choice(times)
    names = random.sample([*wanted, "rounds"], random.randint(0, 4))
    return {name: wanted.get(name, 4) for name in names}
