"""The start of a scenario: read strictly, then set up on a table where every hidden face is known.

A Cheat is raised as soon as something is untrue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from p2p_stratego.core.game import (
    Ask,
    Back,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    Draw,
    Face,
    Lay,
    Mix,
    Move,
    NewDeck,
    Open,
    OptionError,
    Options,
    Roll,
    Show,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.rulebook import drive, played
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.rules.act import (
    FALSE_COMPARISON,
    FALSE_COUSIN,
    FALSE_FIND,
    FALSE_SURVIVAL,
    OVERDRAWN,
    WRONG_POLICE,
    WRONG_SPIES,
    Act,
)
from p2p_stratego.spies.rules.allocation import SEAT_COUNTS, check
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, NEUTRAL, POWERS, SIGNED, TERRITORY, City, Power
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.counters import (
    ALL_CHITS,
    ALL_SECRETS,
    CHIT_NAMES,
    MEANS,
    SECRET_FACE,
    SPIES,
    SPY_FACES,
    Chit,
    spy_names,
)
from p2p_stratego.spies.rules.game import GAME, step_of
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import NO_MORE, lay, stand, words
from p2p_stratego.spies.rules.notation import city as at_city
from p2p_stratego.spies.rules.options import LESSON, WORDS
from p2p_stratego.spies.rules.purse import laid, money
from p2p_stratego.spies.rules.state import CHITS, CUP, TILES, Event, State
from p2p_stratego.spies.rules.tiles import RANDOM, RANDOM_TILES, coloured

NOT_OURS: Face = 127
"""The face of a spy's name that belongs to another power: no counter has it."""
MOST_POUNDS = 100_000
"""A number that no purse reaches."""


class Posts(NamedTuple):
    """Police as they are laid: the strengths by city, and the secrets that they stand on."""

    strengths: Mapping[City, tuple[int, ...]]
    guard: tuple[City, ...]


class Bids(NamedTuple):
    """A bidding: rounds of bids, and what each power pays; None: it is not said."""

    rounds: tuple[tuple[int, ...], ...]
    pay: Mapping[Power, int] | None


class Start(NamedTuple):
    """Everything before the first turn."""

    seats: int
    options: Options
    neutral: tuple[Face, ...]
    """In the order of the neutral cities."""
    tiles: tuple[tuple[int, ...], ...]
    chits: tuple[tuple[Chit, ...], ...]
    secrets: tuple[Mapping[City, Face], ...]
    posts: tuple[Posts, ...]
    spies: tuple[tuple[tuple[Face, City], ...], ...]
    bids: Bids | None
    turns: tuple[object, ...]


def read(reader: Reader, value: object) -> Start:
    """Raises ScenarioError."""
    written = reader.record(value, "the scenario", ("game", "deal", "setup", "turns"), ("options",))
    seats, options = _options(reader, written.get("options", {}))
    deal = reader.record(written["deal"], '"deal"', ("neutral", "tiles", "chits"))
    bidding = options["allocation"] == "bid"
    setup = reader.record(
        written["setup"],
        '"setup"',
        ("secrets", "police", "spies", *(("bids",) if bidding else ())),
        ("guard", *(("pay",) if bidding else ())),
    )
    start = Start(
        seats,
        options,
        _neutral(reader, deal["neutral"]),
        _tiles(reader, deal["tiles"]),
        _chits(reader, deal["chits"]),
        _secrets(reader, setup["secrets"]),
        _posts(reader, setup["police"], setup.get("guard", {})),
        _spies(reader, setup["spies"]),
        bids(reader, setup) if bidding else None,
        tuple(reader.items(written["turns"], '"turns"')),
    )
    laid = Counter(start.neutral) + Counter(face for faces in start.secrets for face in faces.values())
    if laid != Counter(ALL_SECRETS):
        raise reader.error("the secrets of the powers and the neutral ones must be the 40 of the game")
    return start


def _options(reader: Reader, value: object) -> tuple[int, Options]:
    written = reader.record(value, '"options"', (), ("players", *WORDS))
    seats = reader.whole(
        written.get("players", SEAT_COUNTS[-1]), '"players"', SEAT_COUNTS[0], SEAT_COUNTS[-1]
    )
    wanted: dict[str, str] = {
        name: reader.word(written[name], f'"{name}"', [word for word in WORDS[name] if word != LESSON])
        for name in WORDS
        if name in written and name != "alliances"
    }
    if reader.flag(written.get("alliances", False), '"alliances"'):
        wanted["alliances"] = "yes"
    try:
        options = GAME.options({**wanted, "talk": 0})  # talk changes nothing
        check(seats, options)
    except OptionError as error:
        raise reader.error(str(error)) from error
    return seats, options


def city(reader: Reader, value: object, what: str) -> City:
    """A city by name."""
    return CITY_NAMED[reader.word(value, what, NAMES)]


def chits(reader: Reader, value: object, what: str) -> tuple[Chit, ...]:
    """A list of chits by name."""
    return tuple(
        CHIT_NAMES.index(reader.word(name, f"each of {what}", CHIT_NAMES))
        for name in reader.items(value, what)
    )


def _by_power(reader: Reader, value: object, what: str) -> list[object]:
    written = reader.record(value, what, POWERS)
    return [written[power] for power in POWERS]


def _secret(reader: Reader, value: object, what: str) -> Face:
    return SECRET_FACE[reader.word(value, what, tuple(SECRET_FACE))]


def _neutral(reader: Reader, value: object) -> tuple[Face, ...]:
    written = reader.record(value, '"neutral"', tuple(NAMES[at] for at in NEUTRAL))
    return tuple(_secret(reader, written[NAMES[at]], f"the secret of {NAMES[at]}") for at in NEUTRAL)


def _tiles(reader: Reader, value: object) -> tuple[tuple[int, ...], ...]:
    hands = []
    for power, written in zip(POWERS, _by_power(reader, value, '"tiles"'), strict=True):
        what = f"the tiles of {power}"
        tiles = reader.wholes(written, what, RANDOM_TILES[0], RANDOM_TILES[-1])
        if len(tiles) != RANDOM:
            raise reader.error(f"{what} must be {RANDOM}, not {len(tiles)}")
        hands.append(tuple(tiles))
    dealt = [tile for tiles in hands for tile in tiles]
    if len(set(dealt)) != len(dealt):
        raise reader.error("each random tile is dealt to one power only")
    return tuple(hands)


def _chits(reader: Reader, value: object) -> tuple[tuple[Chit, ...], ...]:
    hands = []
    for power, written in enumerate(_by_power(reader, value, '"chits"')):
        what = f"the chits of {POWERS[power]}"
        hand = chits(reader, written, what)
        if len(hand) != MEANS[power].chits:
            raise reader.error(f"{what} must be {MEANS[power].chits}, not {len(hand)}")
        hands.append(hand)
    if Counter(chit for hand in hands for chit in hand) - Counter(ALL_CHITS):
        raise reader.error("the chits dealt must come out of the 80 of the game")
    return tuple(hands)


def _secrets(reader: Reader, value: object) -> tuple[Mapping[City, Face], ...]:
    laid_by_power = []
    for power, written in enumerate(_by_power(reader, value, '"secrets"')):
        what = f"the secrets of {POWERS[power]}"
        cities = [NAMES[at] for at, owner in enumerate(TERRITORY) if owner == power]
        laid = reader.record(written, what, (), cities)
        if len(laid) != MEANS[power].secrets:
            raise reader.error(f"{what} must be {MEANS[power].secrets}, not {len(laid)}")
        laid_by_power.append({CITY_NAMED[at]: _secret(reader, face, what) for at, face in laid.items()})
    return tuple(laid_by_power)


def posts(reader: Reader, police: object, guard: object) -> Posts:
    """Police by city, and the secrets under them."""
    written = reader.record(police, '"police"', (), NAMES)
    strengths = {
        CITY_NAMED[at]: tuple(reader.wholes(units, f"the police of {at}", 0, NOT_OURS))
        for at, units in written.items()
    }
    guarded = tuple(city(reader, at, 'each of "guard"') for at in reader.items(guard, '"guard"'))
    if len(set(guarded)) != len(guarded):
        raise reader.error('"guard" names a secret twice')
    return Posts(strengths, guarded)


def _posts(reader: Reader, police: object, guard: object) -> tuple[Posts, ...]:
    guards = reader.record(guard, '"guard"', (), POWERS)
    return tuple(
        posts(reader, written, guards.get(POWERS[power], []))
        for power, written in enumerate(_by_power(reader, police, '"police"'))
    )


def _spies(reader: Reader, value: object) -> tuple[tuple[tuple[Face, City], ...], ...]:
    names = tuple(dict.fromkeys(name for power in range(len(POWERS)) for name in spy_names(power)))
    posted = []
    for power, written in enumerate(_by_power(reader, value, '"spies"')):
        what, laid = f"the spies of {POWERS[power]}", []
        for pair in reader.items(written, what):
            parts = reader.items(pair, f"each of {what}")
            if len(parts) != 2:
                raise reader.error(f"each of {what} must be a name and a city")
            name = reader.word(parts[0], f"the name of each of {what}", names)
            own = spy_names(power)
            face = own.index(name) if name in own else NOT_OURS
            laid.append((face, city(reader, parts[1], f"the city of each of {what}")))
        if len(laid) != SPIES:
            raise reader.error(f"{what} must be {SPIES}, not {len(laid)}")
        posted.append(tuple(laid))
    return tuple(posted)


def bids(reader: Reader, written: Mapping[str, object]) -> Bids:
    """ "bids" and "pay" of a set-up or of a turn."""
    rounds = tuple(
        tuple(reader.wholes(bid_round, "a round of bids", 0, MOST_POUNDS))
        for bid_round in reader.items(written["bids"], '"bids"')
    )
    if "pay" not in written:
        return Bids(rounds, None)
    pay = reader.record(written["pay"], '"pay"', (), POWERS)
    return Bids(
        rounds,
        {
            POWERS.index(power): reader.whole(pounds, f"what {power} pays", 0, MOST_POUNDS)
            for power, pounds in pay.items()
        },
    )


class Cheat(Exception):
    """Somebody said or did what is not so."""

    def __init__(self, power: Power, rule: str) -> None:
        super().__init__(f"{POWERS[power]}: {rule}")
        self.power = power
        self.rule = rule


class Table:
    """Answers every Ask that is no decision."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.act: Act
        self.faces: dict[Slot, Face] = {}
        self.cup: Counter[Face] = Counter()
        self.dealt: dict[Slot, Face] = {}
        """What chance gave before the first turn."""
        self.draws: Iterator[Face] = iter(())
        self.dice: Iterator[int] = iter(())
        self.events: list[Event] = []

    @property
    def state(self) -> State:
        """As it is now, in the middle of a step too."""
        return self.act.state

    def through(self, steps: Callable[[Act], Turn[None]], decide: Callable[[Ask], Any]) -> None:
        """One step of the game.  Raises Cheat and ScenarioError."""
        self.act = Act(self.state._replace(report=()))
        self.run(played(self.act, steps), decide)
        self.events += self.state.report
        ended = self.state.ended
        if ended is not None and ended.breach is not None:
            raise Cheat(self.state.power, ended.breach.rule)

    def begin(self, setup: Turn[State]) -> None:
        """Deal the cards."""
        self.act = Act(self.run(setup, lambda ask: ask))

    def run(self, turn: Turn[State], decide: Callable[[Ask], Any]) -> State:
        """A generator of the rules to its end."""

        def reply(ask: Ask) -> Any:
            known = self.settled(ask)
            return decide(ask) if known is NotImplemented else known

        return drive(turn, reply)

    def money(self, power: Power) -> int:
        """All that a power has."""
        return money(self.state, power, self.faces)

    def last(self, kind: str) -> Event:
        """The last event of a kind in this step."""
        return next(event for event in reversed(self.state.report) if event.kind == kind)

    def settled(self, ask: Ask) -> Any:
        """The answer to an Ask that nobody decides; NotImplemented for others.  Raises Cheat."""
        faces = self.faces
        if isinstance(ask, Choose | Commit | Together) or (isinstance(ask, Mix) and ask.chosen):
            return NotImplemented
        if isinstance(ask, Open):
            return faces[ask.slot]
        if isinstance(ask, Roll):
            return self._rolled()
        if isinstance(ask, Claim | ClaimOneOf):
            self._check(ask)
        elif isinstance(ask, Draw):
            for _, slots in ask.hands:
                self._lay(ask.deck, slots)
        elif isinstance(ask, Lay):
            self._lay(ask.deck, ask.slots)
        elif isinstance(ask, Show):
            faces.update((copy, faces[slot]) for slot, copy in zip(ask.slots, ask.copies, strict=True))
        elif isinstance(ask, Back):
            self.cup.update(faces[slot] for slot in ask.slots)
        elif isinstance(ask, NewDeck) and ask.deck == CUP:
            self.cup.update(ask.faces)
        elif isinstance(ask, Mix):
            faces.update((new, faces[old]) for old, new in zip(ask.old, ask.new, strict=True))
        return None

    def _check(self, claim: Claim | ClaimOneOf) -> None:
        shown = tuple(self.faces[slot] for slot in claim.slots)
        if not (claim.faces >= set(shown) if isinstance(claim, Claim) else shown in claim.tuples):
            raise Cheat(self._blamed(claim), claim.rule)

    def _lay(self, deck: int, slots: tuple[Slot, ...]) -> None:
        for slot in slots:
            if slot in self.dealt:
                self.faces[slot] = self.dealt[slot]
            else:
                self.faces[slot] = self._drawn()
            if deck == CUP:
                self.cup[self.faces[slot]] -= 1

    def _drawn(self) -> Face:
        face = next(self.draws, None)
        if face is None:
            raise self.reader.error('"draws" is too short: another chit leaves the cup')
        if not self.cup[face]:
            raise self.reader.error(f'"draws": the cup has no {CHIT_NAMES[face]} left')
        return face

    def _rolled(self) -> int:
        value = next(self.dice, None)
        if value is None:
            raise self.reader.error('"dice" is too short: another die is rolled')
        return DIE.index(value)

    def _blamed(self, claim: Claim | ClaimOneOf) -> Power:
        """The power whose claim is false."""
        state = self.state
        if state.phase == "bid":
            return powers_of(state, claim.seat)[0]
        if claim.rule == FALSE_COMPARISON:
            return self.last("searches").power
        if claim.rule in (FALSE_FIND, FALSE_SURVIVAL):
            return self.last("discovers").power
        if claim.rule == FALSE_COUSIN:
            return next(spy.power for spy in state.spies if spy.slot == claim.slots[0])
        if claim.rule == OVERDRAWN and state.settling is not None:
            return state.settling.power
        return state.power


def dealt(start: Start) -> dict[Slot, Face]:
    """What chance gave before the first turn, by slot."""
    secrets = [face for faces in start.secrets for face in faces.values()]
    faces: dict[Slot, Face] = dict(enumerate((*secrets, *start.neutral)))
    for power, tiles in enumerate(start.tiles):
        faces.update(enumerate((*tiles, *coloured(power)), TILES + 16 * power))
    faces.update(enumerate((chit for hand in start.chits for chit in hand), CHITS))
    return faces


def set_up(table: Table, start: Start) -> None:
    """Everything before the first turn.  Raises Cheat and ScenarioError."""
    table.dealt = dealt(start)
    table.begin(GAME.setup(start.seats, start.options))
    while table.state.phase in ("secrets", "bid", "police", "spies"):
        phase, power = table.state.phase, table.state.power
        if phase == "secrets":
            _say(table, (at_city(city) for city in start.secrets[power]))
        elif phase == "bid" and start.bids is not None:
            bid(table, start.bids)
        elif phase == "police":
            lay_police(table, start.posts[power])
        else:
            _lay_spies(table, start.spies[power])
    table.dealt = {}
    table.events.clear()


def _say(table: Table, choices: Iterable[Move], faces: tuple[Face, ...] = ()) -> None:
    """A step with these choices; `faces`: what is laid first."""
    moves = iter(choices)

    def decide(ask: Ask) -> Any:
        if isinstance(ask, Commit):
            table.faces.update(zip(ask.slots, faces, strict=True))
            return None
        move = next(moves)
        if not isinstance(ask, Choose) or move not in ask.options:
            raise table.reader.error(f"{POWERS[table.state.power]} may not set up so: {move!a}")
        return move

    table.through(step_of(table.state), decide)


def _lay_spies(table: Table, spies: tuple[tuple[Face, City], ...]) -> None:
    faces = tuple(face for face, _ in spies)
    if sorted(faces) != sorted(SPY_FACES):
        raise Cheat(table.state.power, WRONG_SPIES)
    _say(table, (at_city(city) for _, city in spies), faces)


def lay_police(table: Table, posts: Posts, first: Move | None = None) -> None:
    """Police are laid, or laid anew behind the choice `first`.  Raises Cheat and ScenarioError."""
    power = table.state.power
    order = [*SIGNED[power], *(city for city in posts.strengths if city not in SIGNED[power])]
    faces = tuple(face for city in order for face in posts.strengths.get(city, ()))
    own = MEANS[power].police
    if len(faces) != len(own):
        raise table.reader.error(f"the police of {POWERS[power]} must be {len(own)}, not {len(faces)}")
    cities = [city for city in order for _ in posts.strengths.get(city, ())]
    guard = _began_in(table, posts.guard)
    asked_guard = False

    def decide(ask: Ask) -> Any:
        nonlocal asked_guard, first
        if isinstance(ask, Commit | Mix):
            if sorted(faces) != sorted(own):
                raise Cheat(power, WRONG_POLICE)
            slots = ask.slots if isinstance(ask, Commit) else ask.new
            table.faces.update(zip(slots, faces, strict=True))
            return None
        move = lay(power, cities)
        if first is not None:
            move, first = first, None
        elif isinstance(ask, Choose) and stand(()) in ask.options:
            move, asked_guard = stand(guard), True
        if not isinstance(ask, Choose) or move not in ask.options:
            raise table.reader.error(f"the police of {POWERS[power]} may not be laid so")
        return move

    table.through(step_of(table.state), decide)
    if guard and not asked_guard:
        raise table.reader.error(f"the police of {POWERS[power]} have nothing to stand on there")


def _began_in(table: Table, origins: tuple[City, ...]) -> tuple[int, ...]:
    """The numbers of secrets by the cities where they began, ascending."""
    secrets = []
    for city in origins:
        secret = table.state.named(city)
        if secret is None:
            raise table.reader.error(f"no secret began in {NAMES[city]}")
        secrets.append(secret)
    return tuple(sorted(secrets))


def bid(table: Table, bids: Bids) -> None:
    """A bidding.  Raises Cheat and ScenarioError."""
    rounds = iter(bids.rounds)
    first, paid = True, False

    def decide(ask: Ask) -> Any:
        nonlocal first, paid
        if isinstance(ask, Together):
            asks = [part for part in ask.asks if isinstance(part, Choose)]
            answers = _bids(table, asks, rounds, first=first)
            first = False
            return answers
        if isinstance(ask, Commit):
            if table.state.settling is not None:
                table.faces.update(zip(ask.slots, laid(table.state.settling, table.faces), strict=True))
            return None
        paid = True
        return _split(table, ask, bids.pay)

    table.through(step_of(table.state), decide)
    if next(rounds, None) is not None:
        raise table.reader.error('"bids" has more rounds than are bid')
    if bids.pay is not None and not paid:
        _plain(table, bids.pay)


def _bids(table: Table, asks: list[Choose], rounds: Any, *, first: bool) -> tuple[Move, ...]:
    """What the seats say in a round; with secret purses those with no more do not bid."""
    options = asks[0].options
    least = 0 if first else min(int(option.split()[1]) for option in options if option.startswith("bid "))
    able = [choice for choice in asks if first or _sum(table, choice.seat) >= least]
    bids: tuple[int, ...] = ()
    if able:
        bids = next(rounds, ())
        if len(bids) != len(able):
            raise table.reader.error(f'a round of "bids" must be {len(able)} bids, not {len(bids)}')
    bid_of = dict(zip((choice.seat for choice in able), bids, strict=True))
    answers = []
    for choice in asks:
        move = words("bid", bid_of[choice.seat]) if choice.seat in bid_of else NO_MORE
        if move not in choice.options:
            raise table.reader.error(f"seat {choice.seat} may not {move}")
        if choice.seat in bid_of and bid_of[choice.seat] > _sum(table, choice.seat):
            raise Cheat(powers_of(table.state, choice.seat)[0], OVERDRAWN)
        answers.append(move)
    return tuple(answers)


def _sum(table: Table, seat: int) -> int:
    return sum(table.money(power) for power in powers_of(table.state, seat))


def _split(table: Table, ask: Ask, pay: Mapping[Power, int] | None) -> Move:
    if pay is None or not isinstance(ask, Choose):
        raise table.reader.error('"pay" is missing: the winner has two powers')
    powers = powers_of(table.state, ask.seat)
    move = words("pay", *(pay.get(power, 0) for power in powers))
    if not set(pay) <= set(powers) or move not in ask.options:
        raise table.reader.error('"pay" must be the bid in all, by powers of the winner that have it')
    return move


def _plain(table: Table, pay: Mapping[Power, int]) -> None:
    """What one power pays, or nobody, may be said as well."""
    event = table.last("russia")
    powers = powers_of(table.state, event.other)
    price = event.numbers[0]
    expected = {powers[0]: price} if len(powers) == 1 else {}
    if {power: pounds for power, pounds in pay.items() if pounds} != {
        power: pounds for power, pounds in expected.items() if pounds
    }:
        raise table.reader.error('"pay" must be the bid in all, by powers of the winner that have it')
