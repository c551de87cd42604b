"""The actions of a turn in a scenario: read strictly, put into choices, with the answers behind them.

What nobody says is true; what somebody says may be a lie.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from p2p_stratego.core.game import Ask, Choose, Commit, Move, Slot
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.formats.scenario_start import (
    MOST_POUNDS,
    Cheat,
    Table,
    chits,
    city,
    lay_police,
    posts,
)
from p2p_stratego.spies.rules.act import FALSE_DISCARD, OVERDRAWN, WRONG_CHIT, WRONG_TILE
from p2p_stratego.spies.rules.atlas import HAVENS, NAMES, POWERS, SEA_NAMES, Power
from p2p_stratego.spies.rules.counters import (
    CHIT_NAMES,
    COUSIN,
    DISCOVERY,
    DOUBLE_CROSS,
    DROP,
    ESCAPE,
    GENUINE,
    HAND,
    INTERCEPT,
    KINDS,
    PAPERS,
    RECRUIT,
    SANCTION,
    STRENGTHS,
    Chit,
    value,
)
from p2p_stratego.spies.rules.game import step_of
from p2p_stratego.spies.rules.notation import (
    ACCEPT,
    AGAIN,
    CAPTURED,
    DECLINE,
    END,
    FREE,
    IS_COUNTERSPY,
    IS_COUSIN,
    IS_GENUINE,
    NO_ANSWER,
    NO_COUSIN,
    NO_TILE,
    POLICE_ANEW,
    READY,
    SEARCH,
    SEIZE,
    STAY,
    SURVIVES,
    chit,
    words,
)
from p2p_stratego.spies.rules.purse import MOST, digits, laid
from p2p_stratego.spies.rules.state import SPY_CODED, spy_code
from p2p_stratego.spies.rules.tiles import TILES
from p2p_stratego.spies.rules.turn.actions import PROPOSE, enemies
from p2p_stratego.spies.rules.turn.trade import Terms
from p2p_stratego.spies.rules.turn.tricks import BY_POLICE

PIECES = (*SPY_CODED, BY_POLICE)


class Answers:
    """The entries behind one action, consumed in order; `action` is the action as written."""

    def __init__(self, table: Table, action: Mapping[str, object], entries: list[object]) -> None:
        self.table = table
        self.action = action
        self.entries = entries
        """Those of this action, all with "by"."""
        self.says: str | None = None
        """What the searcher of an arrival says of the outcome."""
        self.returned: list[Slot] = []
        self.cousins = 0

    @property
    def reader(self) -> Reader:
        return self.table.reader

    def answer(self, ask: Ask) -> Any:
        """The answer to an Ask.  Raises Cheat and ScenarioError."""
        state = self.table.state
        if isinstance(ask, Commit):
            if state.settling is not None:
                self.table.faces.update(zip(ask.slots, laid(state.settling, self.table.faces), strict=True))
            return None
        if not isinstance(ask, Choose):
            raise TypeError(f"a scenario cannot answer {ask!r}")
        return self._choice(ask.options)

    def _choice(self, options: Collection[Move]) -> Move:
        if CAPTURED in options and FREE in options:
            return self._compared()
        if IS_GENUINE in options:
            face = self.table.faces[self.table.state.secrets[self.table.last("discovers").secret].slot]
            true = IS_GENUINE if face in GENUINE else IS_COUNTERSPY
            return self._lie("says", (IS_GENUINE, IS_COUNTERSPY), true)
        if SURVIVES in options:
            return self._survives()
        if IS_COUSIN in options:
            return self._cousin()
        if SEIZE in options:
            return SEIZE if self._flag("seize", self.action.get("seize", False)) else NO_ANSWER
        if ACCEPT in options:
            return self._accepts()
        if SEARCH in options:
            return self._arrival()
        if NO_ANSWER in options:
            return self._chit(options)
        return self._returns(options)

    # Entries

    def next(self, power: Power, key: str) -> dict[str, Any] | None:
        """The next entry, if it is of `power` and has this key; it is not consumed."""
        if not self.entries:
            return None
        entry = self.entries[0]
        if not isinstance(entry, dict):
            raise self.reader.error("an answer must be an object")
        by = self.reader.word(entry["by"], '"by"', POWERS)
        return entry if by == POWERS[power] and key in entry else None

    def take(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, object]:
        """Consume the next entry."""
        return self.reader.record(self.entries.pop(0), "an answer", ("by", *required), optional)

    def finished(self) -> None:
        """Raises ScenarioError if an entry is left."""
        if self.entries or self.returned:
            raise self.reader.error("an answer stands where nobody is asked for it, or it is not possible")

    # What is true, unless somebody lies

    def _flag(self, key: str, value: object) -> bool:
        return self.reader.flag(value, f'"{key}"')

    def _lie(self, key: str, values: tuple[str, ...], true: str) -> str:
        return self.reader.word(self.action.get(key, true), f'"{key}"', values)

    def _compared(self) -> Move:
        table, event = self.table, self.table.last("searches")
        units = table.state.police_in(event.power, event.city)
        strength = sum(table.faces[unit.slot] for unit in units)
        spy = STRENGTHS[table.faces[table.state.spies[event.spy].slot]]
        true = CAPTURED if strength > spy else FREE
        if "search" in self.action:
            says = self.reader.record(
                self.action.get("says", {}), '"says"', (), [str(spy) for spy in _listed(self.action)]
            )
            return self.reader.word(says.get(spy_code(event.spy), true), '"says"', (CAPTURED, FREE))
        return self.says or true

    def _survives(self) -> Move:
        table = self.table
        face = table.faces[table.state.spies[table.last("discovers").spy].slot]
        strong = face == COUSIN or STRENGTHS[face] >= value(table.last("counterspy").face)
        return SURVIVES if self._flag("survives", self.action.get("survives", strong)) else CAPTURED

    def _cousin(self) -> Move:
        """The victim's power is asked first, the assassin's second."""
        event, table = self.table.last("sanctions"), self.table
        spy = event.spy if self.cousins else event.other
        true = table.faces[table.state.spies[spy].slot] == COUSIN
        if self.cousins:
            cousin = self._flag("cousin", self.action.get("cousin", true))
        else:
            entry = self.next(table.state.spies[spy].power, "cousin")
            cousin = true if entry is None else self._flag("cousin", self.take(("cousin",))["cousin"])
        self.cousins += 1
        return IS_COUSIN if cousin else NO_COUSIN

    # Answers

    def _accepts(self) -> Move:
        other = self.table.state.partner
        entry = None if other is None else self.next(other, "accept")
        if entry is None:
            return DECLINE
        return ACCEPT if self._flag("accept", self.take(("accept",))["accept"]) else DECLINE

    def _arrival(self) -> Move:
        power = self.table.state.police_of(self.table.last("moves").city)
        if power is None or self.next(power, "search") is None:
            return NO_ANSWER
        written = self.take(("search",), ("says",))
        if not self._flag("search", written["search"]):
            return NO_ANSWER
        if "says" in written:
            self.says = self.reader.word(written["says"], '"says"', (CAPTURED, FREE))
        return SEARCH

    def _chit(self, options: Collection[Move]) -> Move:
        """A chit in answer, or none."""
        power = self._asked(options)
        entry = self.next(power, "chit")
        if entry is None:
            return NO_ANSWER
        kind = CHIT_NAMES.index(self.reader.word(entry["chit"], '"chit"', CHIT_NAMES))
        if kind != DOUBLE_CROSS and _kinds(options) == {CHIT_NAMES[DOUBLE_CROSS]}:
            return NO_ANSWER  # it answers something that comes later: a search of another spy
        keys = {ESCAPE: ("haven",), INTERCEPT: ("with",)}.get(kind, ())
        if kind in (PAPERS, ESCAPE) and self.table.state.report[-1].kind == "searches":
            keys = (*keys, "spy")
            searched = self.reader.word(entry.get("spy"), '"spy"', tuple(SPY_CODED))
            if searched != spy_code(self.table.last("searches").spy):
                return NO_ANSWER
        written = self.take(("chit", *keys))
        parts = []
        if "haven" in keys:
            havens = tuple(NAMES[haven] for haven in HAVENS)
            parts.append(self.reader.word(written["haven"], '"haven"', havens))
        if "with" in keys:
            parts.append(self.reader.word(written["with"], '"with"', PIECES))
        return self.play(power, kind, options, *parts)

    def _asked(self, options: Collection[Move]) -> Power:
        slot = next(int(option.split()[1]) for option in options if option != NO_ANSWER)
        return next(power for power, hand in enumerate(self.table.state.hands) if slot in hand)

    def play(self, power: Power, kind: Chit, options: Collection[Move], *parts: str) -> Move:
        """To play a chit: one of this kind, or any if the hand has none, which is a cheat that will show.

        Raises ScenarioError if the rules do not offer it, Cheat if it cannot be paid.
        """
        hand = self.table.state.hands[power]
        held = [slot for slot in hand if self.table.faces[slot] == kind]
        move = chit(kind, (held or hand or (0,))[0], *parts)
        if move not in options:
            raise self.reader.error(
                f"{POWERS[power]} may not play {' '.join((CHIT_NAMES[kind], *parts))} now"
            )
        if self.table.money(power) < KINDS[kind].pounds:
            raise Cheat(power, OVERDRAWN)
        return move

    def _returns(self, options: Collection[Move]) -> Move:
        """The surplus, all of it in one entry."""
        slot = next(int(option.split()[1]) for option in options)
        state = self.table.state
        power = next(power for power, hand in enumerate(state.hands) if slot in hand)
        if not self.returned:
            surplus = len(state.hands[power]) - HAND
            if self.next(power, "return") is None:
                raise self.reader.error(f'"return" of {POWERS[power]} is missing: {surplus} chits over ten')
            names = chits(self.reader, self.take(("return",))["return"], '"return"')
            if len(names) != surplus:
                raise self.reader.error(f'"return" of {POWERS[power]} must be {surplus} chits')
            self.returned = self.slots(power, names)
        return words("return", self.returned.pop(0))

    def slots(self, power: Power, kinds: Collection[Chit]) -> list[Slot]:
        """The slots of these chits in a hand.  Raises Cheat if they are not there."""
        hand = list(self.table.state.hands[power])
        slots = []
        for kind in kinds:
            held = next((slot for slot in hand if self.table.faces[slot] == kind), None)
            if held is None:
                raise Cheat(power, WRONG_CHIT)
            hand.remove(held)
            slots.append(held)
        return slots


def _kinds(options: Collection[Move]) -> set[str]:
    """The chits that may be played."""
    return {option.split(" ")[0] for option in options if option != NO_ANSWER}


def _listed(action: Mapping[str, object]) -> list[object]:
    spies = action.get("spies")
    return spies if isinstance(spies, list) else []


class Part(NamedTuple):
    """What one of the two gives."""

    money: int
    chits: tuple[Chit, ...]
    secrets: tuple[tuple[str, str], ...]
    """The secret, and the piece that takes it."""

    @property
    def empty(self) -> bool:
        """Whether it gives nothing."""
        return not (self.money or self.chits or self.secrets)


def _part(reader: Reader, value: object, what: str) -> Part:
    written = reader.record(value, what, (), ("money", "chits", "secrets"))
    secrets = reader.record(written.get("secrets", {}), f"the secrets of {what}", (), NAMES)
    return Part(
        reader.whole(written.get("money", 0), f"the money of {what}", 0, MOST_POUNDS),
        chits(reader, written.get("chits", []), f"the chits of {what}"),
        tuple(
            (name, reader.word(piece, f"the piece that takes {name}", PIECES))
            for name, piece in secrets.items()
        ),
    )


class Trade:
    """One proposal."""

    def __init__(self, table: Table, behind: Answers) -> None:
        self.table = table
        self.behind = behind
        self.power: Power = table.state.power
        self.other: Power = 0
        self.parts: tuple[Part, Part]
        self.moves: list[Move] = []

    def carry_out(self, action: dict[str, object]) -> None:
        """The whole step.  Raises Cheat and ScenarioError."""
        table, reader = self.table, self.table.reader
        reader.record(action, "the action", ("trade",), ("offer", "want"))
        self.other = POWERS.index(reader.word(action["trade"], '"trade"', POWERS))
        if self.other not in table.state.talks:
            raise reader.error(f"no talks with {POWERS[self.other]} are open")
        offer, want = (_part(reader, action.get(key, {}), f'"{key}"') for key in ("offer", "want"))
        if offer.empty and want.empty:
            raise reader.error("the proposal names nothing")
        self.parts = (offer, want)
        self.moves = [
            words(PROPOSE, POWERS[self.other]),
            self._terms(offer, want).move,
            *(words("give", *pair) for pair in offer.secrets),
            *(words("want", *pair) for pair in want.secrets),
        ]
        table.through(step_of(table.state), self._decide)
        if self.moves:
            raise reader.error("the rules do not offer all of this trade")
        event = table.events[-1]
        numbers = (offer.money, *event.numbers[1:3], want.money, *event.numbers[4:])
        table.events[-1] = event._replace(numbers=numbers)

    def _terms(self, offer: Part, want: Part) -> Terms:
        state, reader = self.table.state, self.table.reader
        hand = state.hands[self.power]
        if len(offer.chits) > len(hand):
            raise reader.error(f"{POWERS[self.power]} has fewer chits than it offers")
        if state.secret and max(offer.money, want.money) > MOST:
            raise reader.error(f"a trade is of {MOST} pounds at most")
        free = list(range(len(hand)))
        for kind in offer.chits:
            held = [place for place in free if self.table.faces[hand[place]] == kind]
            free.remove((held or free)[0])
        places = tuple(place for place in range(len(hand)) if place not in free)
        pounds = [None if state.secret and part.money else part.money for part in (offer, want)]
        return Terms(pounds[0], places, pounds[1], len(want.chits))

    def _decide(self, ask: Ask) -> Any:
        state = self.table.state
        if isinstance(ask, Commit) and state.settling is None:
            part = self.parts[0] if state.amounts[0] == ask.slots else self.parts[1]
            self.table.faces.update(zip(ask.slots, digits(part.money), strict=True))
            return None
        if not isinstance(ask, Choose):
            return self.behind.answer(ask)
        if ACCEPT in ask.options:
            if self.moves:
                raise self.table.reader.error(f"the rules do not offer this trade: {self.moves[0]!a}")
            answer = self.behind.answer(ask)
            if answer == ACCEPT:
                self._check()
            return answer
        first = next(iter(ask.options))
        if first.startswith("hand "):
            return words("hand", self._back.pop(0))
        move = self.moves.pop(0) if self.moves else READY
        if move not in ask.options:
            raise self.table.reader.error(f"the rules do not offer this trade: {move!a}")
        return move

    def _check(self) -> None:
        """Each must have what it gives, the proposer before the other."""
        for power, part in zip((self.power, self.other), self.parts, strict=True):
            if self.table.money(power) < part.money:
                raise Cheat(power, OVERDRAWN)
            slots = self.behind.slots(power, part.chits)
            if power == self.other:
                self._back = slots


_SPIES: Final = tuple(SPY_CODED)
_CHIT_KEYS: Final[dict[int, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    DISCOVERY: (("spy", "secret"), ("says", "survives")),
    SANCTION: (("spy", "victim"), ("seize", "cousin")),
    DROP: (("spy",), ()),
    ESCAPE: (("spy", "haven"), ()),
    RECRUIT: (("spy", "city"), ()),
}
"""By chit: the keys that must be there, and those that may."""
_TWO: Final = 2


class Actions:
    """The entries of one turn, consumed in order."""

    def __init__(self, table: Table, entries: list[object]) -> None:
        self.table = table
        self.entries = list(entries)

    @property
    def reader(self) -> Reader:
        return self.table.reader

    def action(self) -> None:
        """The next action with the answers behind it."""
        action = self.entries.pop(0)
        if not isinstance(action, dict):
            raise self.reader.error("each action must be an object")
        if "by" in action:
            raise self.reader.error("an answer stands where nobody is asked for it, or it is not possible")
        answers: list[object] = []
        while self.entries and isinstance(self.entries[0], dict) and "by" in self.entries[0]:
            answers.append(self.entries.pop(0))
        kind = next((name for name in _ACTIONS if name in action), None)
        if kind is None:
            raise self.reader.error(f"an action must be one of {', '.join(_ACTIONS)}")
        if (kind == "tile") != (self.table.state.phase == "tile"):
            raise self.reader.error("a turn begins with one tile, unless russia is bound")
        behind = Answers(self.table, action, answers)
        _ACTIONS[kind](self, action, behind)
        behind.finished()

    def say(self, behind: Answers, *steps: Move | Callable[[Choose], Move]) -> None:
        """One step: the moves in `steps`, or what they choose, then the answers."""
        moves = iter(steps)

        def decide(ask: Ask) -> Any:
            move = next(moves, None) if isinstance(ask, Choose) and _open(ask) else None
            if move is None or not isinstance(ask, Choose):
                return behind.answer(ask)
            if callable(move):
                return move(ask)
            if move not in ask.options:
                raise self.reader.error(f"the rules do not offer this now: {move!a}")
            return move

        self.table.through(step_of(self.table.state), decide)
        if next(moves, None) is not None:
            raise self.reader.error("not all of this action is possible")

    def _spy(self, value: object, what: str) -> str:
        return self.reader.word(value, what, _SPIES)

    def _pair(self, value: object, what: str) -> list[object]:
        parts = self.reader.items(value, what)
        if len(parts) != _TWO:
            raise self.reader.error(f"{what} must have two parts")
        return parts

    def tile(self, action: dict[str, object], behind: Answers) -> None:
        power = self.table.state.power
        how = self.reader.word(action["tile"], '"tile"', ("play", "discard", "none"))
        if how == "none":
            self.reader.record(action, "the action", ("tile",))
            self.say(behind, NO_TILE)
            return
        self.reader.record(action, "the action", ("tile", "id"))
        tile = self.reader.whole(action["id"], '"id"', min(TILES), max(TILES))
        held = [slot for slot in self.table.state.tiles[power] if self.table.faces[slot] == tile]
        if not held:
            raise Cheat(power, WRONG_TILE if how == "play" else FALSE_DISCARD)
        self.say(behind, words("tile" if how == "play" else "discard", held[0]))

    def police(self, action: dict[str, object], behind: Answers) -> None:
        behind.finished()
        self.reader.record(action, "the action", ("police",), ("guard",))
        lay_police(self.table, posts(self.reader, action["police"], action.get("guard", [])), POLICE_ANEW)

    def search(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("search", "spies"), ("says",))
        at = city(self.reader, action["search"], '"search"')
        spies = [self._spy(spy, 'each of "spies"') for spy in self.reader.items(action["spies"], '"spies"')]
        if not spies:
            raise self.reader.error('"spies" must name a spy at least')
        self.say(behind, words(SEARCH, NAMES[at]), *spies, *([] if self._all(at, spies) else [END]))

    def _all(self, at: int, spies: list[str]) -> bool:
        """Whether the search ends by itself, as no other spy is there."""
        state = self.table.state
        return set(enemies(state, state.power, at)) <= {SPY_CODED[spy] for spy in spies}

    def move(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("move",))
        spy, to = self._pair(action["move"], '"move"')
        self.say(behind, words("move", self._spy(spy, "the spy"), NAMES[city(self.reader, to, "the city")]))

    def sail(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("sail",), ("again", "to"))
        spy, sea = self._pair(action["sail"], '"sail"')
        again = self.reader.whole(action.get("again", 0), '"again"', 0, 100)
        first = words("sail", self._spy(spy, "the spy"), self.reader.word(sea, "the sea", SEA_NAMES))
        last = STAY
        if "to" in action:
            last = words("land", NAMES[city(self.reader, action["to"], '"to"')])
        self.say(behind, first, *[AGAIN] * again, last)

    def take(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("take",))
        spy, secret = self._pair(action["take"], '"take"')
        self.say(
            behind, words("take", self._spy(spy, "the spy"), NAMES[city(self.reader, secret, "the secret")])
        )

    def handle(self, action: dict[str, object], behind: Answers) -> None:
        ((word, spy),) = action.items() if len(action) == 1 else [("", None)]
        if not word:
            raise self.reader.error("the action has more keys than it may")
        self.say(behind, words(word, self._spy(spy, f'"{word}"')))

    def chit(self, action: dict[str, object], behind: Answers) -> None:
        kind = CHIT_NAMES.index(self.reader.word(action["chit"], '"chit"', CHIT_NAMES))
        if kind not in _CHIT_KEYS:
            raise self.reader.error(f"{CHIT_NAMES[kind]} is an answer")
        required, optional = _CHIT_KEYS[kind]
        self.reader.record(action, "the action", ("chit", *required), optional)
        parts = [self._spy(action["spy"], '"spy"')]
        if kind == DISCOVERY:
            parts.append(NAMES[city(self.reader, action["secret"], '"secret"')])
        elif kind == SANCTION:
            parts.append(self._spy(action["victim"], '"victim"'))
        elif kind == ESCAPE:
            parts.append(self.reader.word(action["haven"], '"haven"', tuple(NAMES[at] for at in HAVENS)))
        elif kind == RECRUIT:
            parts.append(NAMES[city(self.reader, action["city"], '"city"')])
        power = self.table.state.power
        self.say(behind, lambda ask: behind.play(power, kind, ask.options, *parts))

    def diplomacy(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("diplomacy",))
        other = self.reader.word(action["diplomacy"], '"diplomacy"', POWERS)
        self.say(behind, words("diplomacy", other))

    def trade(self, action: dict[str, object], behind: Answers) -> None:
        Trade(self.table, behind).carry_out(action)


def _open(ask: Choose) -> bool:
    """Whether this is a choice of the power to move in its own action, not an answer or a fact."""
    first = next(iter(ask.options), "")
    return not first.startswith("return ") and not any(word in ask.options for word in _FACTS)


_FACTS: Final = (CAPTURED, IS_GENUINE, SURVIVES, IS_COUSIN, SEIZE, ACCEPT, NO_ANSWER)
"""Words that stand among the options of every answer and of every question of fact."""
_ACTIONS: Final[dict[str, Callable[[Actions, dict[str, object], Answers], None]]] = {
    "tile": Actions.tile,
    "police": Actions.police,
    "search": Actions.search,
    "move": Actions.move,
    "sail": Actions.sail,
    "take": Actions.take,
    "give": Actions.handle,
    "leave": Actions.handle,
    "cash": Actions.handle,
    "chit": Actions.chit,
    "diplomacy": Actions.diplomacy,
    "trade": Actions.trade,
}
"""By the key that names an action."""
