"""Pairings: Berger tables as printed, Swiss rounds that nobody can fault, brackets."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.studies.tournament import pairing
from cli.studies.tournament.event import most_rounds
from cli.studies.tournament.pairing import Bye, Game, NoPairing
from cli.text.names import unworn, worn

RESULTS = st.sampled_from([(2, 0), (1, 1), (0, 2), (0, 0)])


def test_the_berger_table_of_six() -> None:
    """FIDE Handbook, C.05, annex 1, 5 or 6 players."""
    rounds = [[pair[1:] for pair in pairing.berger(6, number)[0]] for number in range(1, 6)]
    assert rounds == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    assert pairing.berger(5, 1)[1] == (1,), "who meets the sixth has a bye"


@pytest.mark.parametrize("players", range(2, 17))
def test_in_a_round_robin_everybody_meets_everybody_once_with_seats_in_balance(players: int) -> None:
    met: Counter[frozenset[int]] = Counter()
    firsts: Counter[int] = Counter()
    for number in range(1, most_rounds("round-robin", players) + 1):
        pairs, byes = pairing.berger(players, number)
        seen = [player for pair in pairs for player in pair[1:]] + list(byes)
        assert sorted(seen) == list(range(1, players + 1))
        assert [pair.table for pair in pairs] == list(range(1, len(pairs) + 1))
        met.update(frozenset(pair[1:]) for pair in pairs)
        firsts.update(pair.first for pair in pairs)
    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1) // 2
    assert all(abs(2 * firsts[player] - (players - 1)) <= 1 for player in range(1, players + 1))


def test_in_the_second_cycle_the_seats_are_changed() -> None:
    for number in range(1, 6):
        first, again = (pairing.berger(6, at)[0] for at in (number, number + 5))
        assert [(pair.second, pair.first) for pair in first] == [pair[1:] for pair in again]


def test_who_has_withdrawn_is_not_paired_and_the_bye_goes_to_one_who_had_no_free_point() -> None:
    games = [Game(1, 1, 1, 3, (2, 0)), Game(1, 2, 2, 4, (0, 2), forfeit=True)]
    pairs, free = pairing.swiss(4, games, [], {2})
    assert free == (3,), "4 has a point by forfeit, 3 is the last of the others"
    assert [pair[1:] for pair in pairs] == [(4, 1)], "1 sat first, 4 has sat nowhere yet"
    with pytest.raises(NoPairing, match="few"):
        pairing.swiss(4, games, [], {1, 2, 3})


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.data())
def test_a_knockout_with_withdrawals_ends_with_one_at_most_and_pairs_nobody_who_left(
    players: int, data: st.DataObject
) -> None:
    games: list[Game] = []
    left = data.draw(st.dictionaries(st.integers(1, players), st.integers(1, 4), max_size=players - 1))
    standing = set(range(1, players + 1))
    for number in range(1, most_rounds("knockout", players) + 1):
        if all(left.get(player, number + 1) <= number for player in standing):
            with pytest.raises(NoPairing, match="few"):
                pairing.knockout(players, number, games, left)
            return
        pairs, byes = pairing.knockout(players, number, games, left)
        seen = [player for pair in pairs for player in pair[1:]] + list(byes)
        assert sorted(seen) == sorted(player for player in standing if left.get(player, 9) > number)
        standing = {*byes}
        for pair in pairs:
            late = data.draw(st.sampled_from([(), (pair.first,), (pair.second,), pair[1:]]))
            left |= dict.fromkeys(late, number)
            first, second = pair.first in late, pair.second in late
            result = (
                (0 if first else 2, 0 if second else 2)
                if late
                else data.draw(st.sampled_from([(2, 0), (0, 2)]))
            )
            games.append(Game(number, *pair, result, forfeit=bool(late)))
            standing |= {games[-1].winner or 0} - {0}
    assert len(standing) <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 14), st.data())
def test_swiss_rounds_repeat_nothing_spread_byes_and_balance_seats(players: int, data: st.DataObject) -> None:
    games: list[Game] = []
    byes: list[Bye] = []
    for number in range(1, (players + 1) // 2 + 1):
        try:
            pairs, free = pairing.swiss(players, games, byes)
        except NoPairing:
            assert number > players // 2, "so many rounds are always possible"
            break
        assert pairing.swiss(players, games[::-1], byes[::-1]) == (pairs, free), "order changes nothing"
        seen = [player for pair in pairs for player in pair[1:]] + list(free)
        assert sorted(seen) == list(range(1, players + 1))
        assert len(free) == players % 2
        games += [Game(number, *pair, data.draw(RESULTS)) for pair in pairs]
        byes += [Bye(number, player) for player in free]
    assert len({frozenset((game.first, game.second)) for game in games}) == len(games)
    assert len({bye.player for bye in byes}) == len(byes)
    for player in range(1, players + 1):
        seats = Counter(game.first == player for game in games if player in (game.first, game.second))
        assert abs(seats[True] - seats[False]) <= 3


def test_the_first_swiss_round_is_upper_half_against_lower_half() -> None:
    assert [pair[1:] for pair in pairing.swiss(8, [], [])[0]] == [(1, 5), (6, 2), (3, 7), (8, 4)]
    pairs, free = pairing.swiss(5, [], [])
    assert (len(pairs), free) == (2, (5,))


def test_swiss_waits_for_results_and_says_when_no_round_is_left() -> None:
    with pytest.raises(NoPairing, match="open"):
        pairing.swiss(2, [Game(1, 1, 1, 2, None)], [])
    with pytest.raises(NoPairing, match="repeats"):
        pairing.swiss(2, [Game(1, 1, 1, 2, (2, 0))], [])


def test_large_fields_are_paired() -> None:
    games: list[Game] = []
    for number in range(1, 5):
        pairs, _ = pairing.swiss(120, games, [])
        games += [Game(number, *pair, (2, 0)) for pair in pairs]
    assert len({frozenset((game.first, game.second)) for game in games}) == 4 * 60


def test_a_bracket_keeps_the_best_apart_and_gives_them_the_byes() -> None:
    assert pairing.bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    pairs, byes = pairing.knockout(6, 1, [])
    assert [pair[1:] for pair in pairs] == [(4, 5), (3, 6)]
    assert byes == (1, 2)


@given(st.integers(2, 20), st.data())
def test_a_knockout_ends_with_one_who_lost_nothing(players: int, data: st.DataObject) -> None:
    games: list[Game] = []
    lost: set[int] = set()
    for number in range(1, most_rounds("knockout", players) + 1):
        pairs, byes = pairing.knockout(players, number, games)
        seen = [player for pair in pairs for player in pair[1:]] + list(byes)
        assert sorted(seen) == [player for player in range(1, players + 1) if player not in lost]
        for pair in pairs:
            won = data.draw(st.booleans())
            games.append(Game(number, *pair, (2, 0) if won else (0, 2)))
            lost.add(pair.second if won else pair.first)
    assert len(lost) == players - 1
    with pytest.raises(NoPairing, match="over"):
        pairing.knockout(players, most_rounds("knockout", players) + 1, games)


def test_a_knockout_does_not_go_on_from_a_draw() -> None:
    with pytest.raises(NoPairing, match="open"):
        pairing.knockout(4, 2, [Game(1, 1, 1, 4, (2, 0)), Game(1, 2, 2, 3, (1, 1))])


def test_the_word_of_a_round_is_no_part_of_a_name() -> None:
    for name in ("Cleo", "Dr. No", "A 7K2QF"):
        assert unworn(worn(name, "RSTP4")) == name
        assert worn(name, "") == name
    for name in ("Etta JAMES", "Ann 12345", "RSTP4", "Ann rstp4", "Ann RSTP", "Ann RSTP4X", "AnnRSTP4"):
        assert unworn(name) == name
