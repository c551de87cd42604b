"""The set-up of a scenario: decks, secrets, police, spies, and the bids for russia."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from p2p_stratego.core.game import Ask, Choose, Commit, Face, Mix, Move, Slot, Together
from p2p_stratego.spies.formats.scenario_start import Bids, Posts, Start
from p2p_stratego.spies.formats.scenario_table import Cheat, Table
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, SIGNED, City, Power
from p2p_stratego.spies.rules.bidding import powers_of
from p2p_stratego.spies.rules.counters import MEANS, SPY_FACES
from p2p_stratego.spies.rules.faults import OVERDRAWN, WRONG_POLICE, WRONG_SPIES
from p2p_stratego.spies.rules.game import GAME, step_of
from p2p_stratego.spies.rules.notation import NO_MORE, lay, stand, words
from p2p_stratego.spies.rules.notation import city as at_city
from p2p_stratego.spies.rules.purse import laid
from p2p_stratego.spies.rules.state import CHITS, TILES
from p2p_stratego.spies.rules.tiles import coloured


def dealt(start: Start) -> dict[Slot, Face]:
    """What chance gave before the first turn, by slot."""
    secrets = [face for each in start.secrets for face in each.values()]
    found: dict[Slot, Face] = dict(enumerate((*secrets, *start.neutral)))
    for power, tiles in enumerate(start.tiles):
        found.update(enumerate((*tiles, *coloured(power)), TILES + 16 * power))
    found.update(enumerate((chit for hand in start.chits for chit in hand), CHITS))
    return found


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


def _say(table: Table, said: Iterable[Move], faces: tuple[Face, ...] = ()) -> None:
    """A step with these choices; `faces`: what is laid first."""
    moves = iter(said)

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
    guard = _secrets(table, posts.guard)
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


def _secrets(table: Table, origins: tuple[City, ...]) -> tuple[int, ...]:
    """The numbers of secrets by the cities where they began, ascending."""
    found = []
    for city in origins:
        secret = table.state.named(city)
        if secret is None:
            raise table.reader.error(f"no secret began in {NAMES[city]}")
        found.append(secret)
    return tuple(sorted(found))


def bid(table: Table, bids: Bids) -> None:
    """A bidding.  Raises Cheat and ScenarioError."""
    rounds = iter(bids.rounds)
    first, paid = True, False

    def decide(ask: Ask) -> Any:
        nonlocal first, paid
        if isinstance(ask, Together):
            asks = [each for each in ask.asks if isinstance(each, Choose)]
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
    least = 0 if first else min(int(said.split()[1]) for said in options if said.startswith("bid "))
    able = [each for each in asks if first or _sum(table, each.seat) >= least]
    bids: tuple[int, ...] = ()
    if able:
        bids = next(rounds, ())
        if len(bids) != len(able):
            raise table.reader.error(f'a round of "bids" must be {len(able)} bids, not {len(bids)}')
    said = dict(zip((each.seat for each in able), bids, strict=True))
    answers = []
    for each in asks:
        move = words("bid", said[each.seat]) if each.seat in said else NO_MORE
        if move not in each.options:
            raise table.reader.error(f"seat {each.seat} may not {move}")
        if each.seat in said and said[each.seat] > _sum(table, each.seat):
            raise Cheat(powers_of(table.state, each.seat)[0], OVERDRAWN)
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
