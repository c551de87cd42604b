"""Matches for researchers: whole games of every game, at every table, seen by one seat and by no other."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import pytest

from cli.research.match import ALOUD, BUCKETS, TERMINAL, IllegalAction, Match, hashed, table
from cli.research.tables import NotEncoded
from cli.testing.subject import listed
from p2p_stratego.core.game import Choose, Face, OptionError, OptionValue, Slot
from p2p_stratego.core.self_play import Decided, allowed, play
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES, OWN, make_bot
from p2p_stratego.stratego.rules.observation import own_moves

TABLES = [(game, seats) for game in ENTRIES if game in OWN for seats in GAMES[game].seat_counts]
ENDS = [
    (game, seats)
    for game, seats in TABLES
    if seats in (GAMES[game].seat_counts[0], GAMES[game].seat_counts[-1])
]
"""The smallest and the largest table of each game: for whole games of bots, which ask alike between them."""
QUICK: dict[str, dict[str, OptionValue]] = {
    "stratego": {"army": "barrage", "quiet": 40},
    "conquest": {"rounds": 8},
}
"""By game: the options of a match that ends soon."""
OTHERS = [
    ("stratego", 2, {"army": "classic", "quiet": 20}),
    ("conquest", 3, {"garrison": "all", "scout": "charge", "rounds": 3}),
    ("spies", 4, {"allocation": "bid"}),
    ("spies", 2, {"allocation": "bid", "alliances": "yes"}),
]


def match(game: str, seats: int, seed: int = 1) -> Match:
    return Match(game, seats=seats, options=QUICK.get(game), seed=seed)


def randomly(here: Match, seed: int) -> Iterator[int]:
    """Play any legal actions to the end; yields the number of each before it is taken."""
    rng = random.Random(seed)
    number = 0
    while not here.is_terminal():
        yield number
        here.apply_action(rng.choice(here.legal_actions()))
        number += 1


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_any_legal_actions_lead_to_an_end_break_no_rule_and_lead_there_again(game: str, seats: int) -> None:
    here, there, rng = match(game, seats, 7), match(game, seats, 7), random.Random(2)
    number = 0
    while not here.is_terminal():
        legal = here.legal_actions()
        assert legal == sorted({*legal})
        assert len(legal) > 1
        assert 0 <= legal[0] <= legal[-1] < here.num_distinct_actions()
        others = {*range(seats)} - {here.current_player()}
        numbers = here.observation(here.current_player())
        assert len(numbers) == here.observation_size()
        assert -(1 << 15) <= min(numbers) <= max(numbers) < 1 << 15
        assert [here.legal_actions(other) for other in others] == [[]] * (seats - 1)
        assert there.current_player() == here.current_player()
        assert there.legal_actions() == legal
        if number % 29 == 0:
            for seat in range(seats):
                assert here.information_state_string(seat) == there.information_state_string(seat)
        action = rng.choice(legal)
        here.apply_action(action)
        there.apply_action(action)
        number += 1
    assert there.outcome == here.outcome
    assert here.current_player() == TERMINAL
    assert here.outcome is not None
    assert here.outcome.breach is None
    winners, returns = here.outcome.winners, here.returns()
    shared = not any(winners <= side for side in here.rules.sides(seats))
    assert [seat for seat in range(seats) if returns[seat] >= 0] == (sorted(winners) or [*range(seats)])
    assert {returns[seat] for seat in winners} <= {0.0 if shared else 1.0}


@pytest.mark.parametrize(("game", "seats", "options"), OTHERS)
def test_so_do_they_in_other_variants(game: str, seats: int, options: dict[str, Any]) -> None:
    here = Match(game, seats=seats, options=options, seed=3)
    for number in randomly(here, 2):
        if number % 97 == 0:
            assert len(here.observation(here.current_player())) == here.observation_size()
    assert here.outcome is not None
    assert here.outcome.breach is None


@pytest.mark.parametrize(("game", "seats"), ENDS)
def test_every_answer_of_an_agent_can_be_spelt(game: str, seats: int) -> None:
    """So the masks leave out no answer that somebody wants to give; those of a recruit are spelt below."""
    here = match(game, seats)
    bots = [make_bot(game, "agent", random.Random(seat)) for seat in range(seats)]
    answers = 0
    while not here.is_terminal() and answers < 200:
        view = here.view(here.current_player())
        decided = bots[view.seat].decide(view)
        for action in here.spelt(decided):
            assert here.current_player() == view.seat
            here.apply_action(action)
        answers += 1
    assert answers > 10


@pytest.mark.parametrize(
    ("game", "seats", "level"),
    [*((game, seats, "recruit") for game, seats in ENDS), ("spies-and-lies", 2, "agent")],
)
def test_bots_play_the_match_that_they_play_against_each_other(game: str, seats: int, level: str) -> None:
    """So a bot sees here what it sees there: the states before this one, too."""
    here, bot = match(game, seats, 3), Fresh(game, level)
    while not here.is_terminal():
        view = here.view(here.current_player())
        for action in here.spelt(bot.decide(view)):
            assert here.current_player() == view.seat
            here.apply_action(action)
    played = play(GAMES[game], [Fresh(game, level)] * seats, QUICK.get(game, {}), random.Random(3))
    assert (here.outcome, here.world.cards.faces) == (played.outcome, played.faces)
    assert here.view(0).state == played.state


class Fresh:
    """A bot that draws by what it sees: here it is not asked where it has no choice."""

    def __init__(self, game: str, level: str) -> None:
        self._game, self._level = game, level

    def decide(self, view: View[Any]) -> Decided:
        seen = (view.seat, len(view.past), [answer for _, answer in view.since], sorted(view.known.items()))
        return make_bot(self._game, self._level, random.Random(str(seen))).decide(view)


def test_another_seed_leads_to_another_match() -> None:
    first = {match("spies", 5, seed).information_state_string(0) for seed in range(4)}
    assert len(first) == 4


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_hidden_thing_of_another_seat_changes_nothing_that_a_seat_sees(game: str, seats: int) -> None:
    here, rng = match(game, seats), random.Random(3)
    changed = 0
    for number in randomly(here, 4):
        if (
            number % (5 if game == "spies-and-lies" else 97 if game == "spies" else 41) < 2
        ):  # two in a row: the second decides while a first has decided at the same time
            for seat in range(seats):
                before = seen(here, seat)
                with others_hidden_things_changed(here, seat, rng) as faces:
                    assert seen(here, seat) == before
                changed += faces
    assert changed > 0


def seen(here: Match, seat: int) -> tuple[object, ...]:
    """All that a seat can ask the match for."""
    view = here.view(seat)
    offered = tuple(next(here.table.ask(view))) if view.decision is not None and len_above_one(view) else ()
    return (
        here.observation(seat),
        here.table.observed(view),  # the numbers of the present view are kept
        here.observation_string(seat),
        here.information_state_string(seat),
        here.legal_actions(seat),
        offered,
    )


def len_above_one(view: Any) -> bool:
    return not isinstance(view.decision, Choose) or any(True for _ in view.decision.options)


@contextmanager
def others_hidden_things_changed(here: Match, seat: int, rng: random.Random) -> Iterator[int]:
    """Other faces under what `seat` cannot read, and other decks; yields how many faces differ."""
    cards = here.world.cards
    faces, known = dict(cards.faces), cards.known

    def changed(read: Mapping[Slot, Face]) -> dict[Slot, Face]:
        return {at: face if at in known[seat] else rng.randrange(12) for at, face in read.items()}

    cards.faces.update(changed(faces))
    cards.known = tuple(
        read if other == seat else MappingProxyType(changed(read)) for other, read in enumerate(known)
    )
    for deck in cards.decks.values():
        deck.reverse()
    yield sum(cards.faces[slot] != face for slot, face in faces.items())
    cards.faces.update(faces)
    cards.known = known
    for deck in cards.decks.values():
        deck.reverse()


def test_the_numbers_of_a_board_are_those_of_its_pieces() -> None:
    here = match("stratego", 2)
    for _ in randomly(here, 8):
        view, numbers = here.view(here.current_player()), here.observation(here.current_player())
        owners, faces, shown = numbers[8:108], numbers[108:208], numbers[208:308]
        for square in range(100):
            piece = view.state.at(square)
            if piece is None:
                assert owners[square] in (0, 3)
                continue
            face = piece.face if piece.slot is None else view.known.get(piece.slot)
            assert owners[square] == (1 if piece.seat == view.seat else 2)
            assert faces[square] == (0 if face is None else 1 + face)
            assert shown[square] == (2 if piece.face is not None else piece.moved)


def test_what_was_said_aloud_in_a_step_is_seen_by_those_who_answer_it() -> None:
    here, rng, heard = match("spies", 5), random.Random(1), 0
    while heard < 3:
        here.apply_action(rng.choice(here.legal_actions()))
        view = here.view(here.current_player())
        moves = [answer for ask, answer in view.since if isinstance(ask, Choose)]
        numbers = here.observation(view.seat)[-ALOUD - here.table.longest : -here.table.longest]
        aloud = [here.action_to_string(number - 1) for number in numbers if number]
        assert bool(moves) == bool(aloud)
        if moves and isinstance(moves[-1], str) and not any(word.isdigit() for word in moves[-1].split(" ")):
            words = moves[-1].split(" ")
            assert aloud[: len(words)] == words[::-1]
            heard += 1


def test_what_a_seat_lays_at_the_same_time_is_seen_by_nobody() -> None:
    first, other = match("stratego", 2), match("stratego", 2)
    for here, at in ((first, 0), (other, -1)):
        while here.current_player() == 0:
            here.apply_action(here.legal_actions()[at])
    assert first.current_player() == other.current_player() == 1
    assert seen(first, 1) == seen(other, 1)
    for here in (first, other):
        while here.current_player() == 1:
            here.apply_action(here.legal_actions()[0])
    assert first.observation(0) != other.observation(0)
    assert first.observation(1) == other.observation(1)


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    here = match("spies-and-lies", 2)
    before, illegal = seen(here, 0), max(here.legal_actions()) + 1
    for action in (illegal, -1, here.num_distinct_actions()):
        with pytest.raises(IllegalAction):
            here.apply_action(action)
    assert seen(here, 0) == before


def test_an_answer_that_breaks_a_rule_cannot_be_spelt() -> None:
    here = match("spies-and-lies", 2)
    assert allowed(here.view(0).asked, (1, 1, 1, 1))
    with pytest.raises(IllegalAction, match="breaks a rule"):
        here.spelt((1, 1, 1, 1))


def test_variants_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(NotEncoded, match="open purses"):
        Match("spies", options={"purse": "secret"})
    with pytest.raises(OptionError):
        Match("stratego", options={"army": "none"})
    with pytest.raises(KeyError):
        Match("no-such-game")


@pytest.mark.parametrize("entry", ["guess.entry:ENTRY", "liars_dice.entry:ENTRY"])
def test_a_game_of_a_package_is_played_with_the_table_that_fits_any(entry: str) -> None:
    with listed(entry) as subject:
        for seats in subject.rules.seat_counts:
            here = Match(subject.name, seats=seats, options=subject.short, seed=2)
            for _ in randomly(here, 1):
                seat = here.current_player()
                assert len(here.observation(seat)) == here.observation_size()
                assert here.observation_string(seat) != ""
            assert here.outcome is not None


def test_a_decision_of_too_many_options_is_refused_by_the_table_that_fits_any() -> None:
    here = match("stratego", 2)
    while here.view(here.current_player()).state.phase == "army":
        here.apply_action(here.legal_actions()[0])
    with pytest.raises(NotEncoded, match="1000 options"):
        next(table("stratego", 2).ask(here.view(here.current_player())))


def test_the_table_that_fits_any_offers_what_the_own_pieces_can_do() -> None:
    here, moves = match("stratego", 2), 0
    for _ in randomly(here, 3):
        view = here.view(here.current_player())
        if view.state.phase == "play":
            offered = next(table("stratego", 2).ask(view))
            assert len(offered) == len(own_moves(view))
            moves += 1
    assert moves > 0


def test_words_are_hashed_alike_everywhere() -> None:
    counts = hashed("Red has 3 cards. Red waits.")
    assert len(counts) == BUCKETS
    assert sum(counts) == 6 + 5
    assert hashed("red HAS 3 cards, red waits") == counts
