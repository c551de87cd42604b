"""Results out of facts: what counts, once; by seat and opponent; return matches; tables of several."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.reports import sources
from cli.studies.statistics import facts, keeping, results
from cli.studies.statistics.facts import Facts, Sitting
from cli.studies.statistics.results import DAY, Found, Score
from p2p_stratego.registry import ENTRIES
from tests.helpers.games.players import honest
from tests.helpers.program.events import key, played, transcript
from tests.helpers.seats.pair import Table
from tests.helpers.seats.takebacks import takers


def of(*names: str, winners: tuple[int, ...] = (0,), number: int = 0, **other: object) -> Facts:
    """The facts of a match that was played to its end."""
    sides = [seat % 2 for seat in range(len(names))]
    players = tuple(
        Sitting(key(name), name, f"seat-{seat}", sides[seat] if len(names) == 4 else seat)
        for seat, name in enumerate(names)
    )
    known: dict[str, object] = {
        "id": f"{number:064x}",
        "game": "stratego",
        "options": {},
        "head": f"{number:064x}",
    }
    known |= {"verdict": "complete", "reason": "flag", **other}
    return Facts(players=players, winners=winners, **known)  # type: ignore[arg-type]  # tests write what they need


def records_of(*several: Facts | None) -> list[Found]:
    return [Found(f"record {at}", 1000.0 * at, of_match) for at, of_match in enumerate(several)]


def test_a_match_counts_once_and_only_what_was_played_to_its_end() -> None:
    whole = of("Ann", "Ben", number=1)
    torn = of("Ann", "Ben", number=2, verdict="incomplete", winners=(), reason=None)
    away = of("Ann", "Ben", number=3, verdict="unresponsive", reason="unresponsive")
    matches, left = results.sifted(records_of(whole, whole, torn, None, away))
    assert [match.facts for match in matches] == [whole]
    assert sorted(skipped.why for skipped in left) == ["incomplete", "unreadable", "unresponsive"]


def test_a_proven_cheat_outweighs_a_complete_copy_and_two_ends_count_for_nothing() -> None:
    whole, cheated = of("Ann", "Ben"), of("Ann", "Ben", verdict="cheated", reason="cheated")
    assert [skipped.why for skipped in results.sifted(records_of(whole, cheated))[1]] == ["cheated"]
    other = of("Ann", "Ben", head="ff" * 32, winners=(1,))
    matches, left = results.sifted(records_of(whole, other))
    assert (matches, [skipped.why for skipped in left]) == ([], ["contradictory"])


def test_a_lesson_counts_for_nothing_also_beside_another_copy_of_it() -> None:
    whole = of("Ann", "Ben")
    lesson = Found("lesson", 1.0, whole, lesson=True)
    matches, left = results.sifted([*records_of(whole), lesson])
    assert (matches, [skipped.why for skipped in left]) == ([], ["lesson"])


def test_practice_counts_for_nothing() -> None:
    whole = of("Ann", "Ben", number=1)
    practice = of("Ann", "Ben", number=2, practice=True)
    matches, left = results.sifted(records_of(whole, practice))
    assert ([match.facts for match in matches], [match.why for match in left]) == ([whole], ["practice"])


def test_a_hint_makes_practice_of_every_copy_of_a_match() -> None:
    whole = of("Ann", "Ben")
    hinted = Found("hinted", 1.0, whole, practice=True)
    matches, left = results.sifted([*records_of(whole), hinted])
    assert (matches, [skipped.why for skipped in left]) == ([], ["practice"])


def test_row_123_a_decision_taken_back_makes_a_record_practice() -> None:
    table = Table(51, options={"wall": 2}, decide=honest, takebacks=True)
    assert not of_record(table.play().seats[0].transcript).practice
    again = Table(51, options={"wall": 2}, decide=honest, takebacks=True)
    next(takers(again)).session.take_back()
    restarted = of_record(again.play().seats[0].transcript)
    assert (restarted.verdict, restarted.practice, restarted.counted, restarted.counts) == (
        "complete",
        True,
        False,
        (),
    )
    assert facts.restored(json.loads(json.dumps(facts.plain(restarted)))) == restarted


def of_record(data: bytes) -> Facts:
    return facts.of(sources.replayed("record", data))


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_files_does_not_matter(rng: random.Random) -> None:
    several = records_of(*(of("Ann", "Ben", number=at % 4, winners=(at % 2,)) for at in range(9)), None)
    mixed = rng.sample(several, len(several))
    assert results.sifted(mixed) == results.sifted(several)


def test_results_by_seat_start_and_opponent() -> None:
    several = [
        of("Ann", "Ben", number=1, began=(0,)),
        of("Ben", "Ann", number=2, winners=()),
        of("Cleo", "Ann", number=3, winners=(0,), began=(1,)),
        of("Ben", "Cleo", number=4),
    ]
    (game,) = results.of_player(key("Ann"), results.sifted(records_of(*several))[0])
    assert game.total == Score(1, 1, 1)
    assert game.total.points == 1.5
    assert game.seats == {"seat-0": Score(1, 0, 0), "seat-1": Score(0, 1, 1)}
    assert game.began == Score(1, 0, 1)
    assert game.opponents == {key("Ben"): Score(1, 1, 0), key("Cleo"): Score(0, 0, 1)}
    assert game.sequence == [1.0, 0.5, 0.0]
    assert results.of_player("00" * 32, results.sifted(records_of(*several))[0]) == []


def test_a_series_is_a_run_in_which_all_move_on_by_a_seat() -> None:
    several = [
        of("Ann", "Ben", number=1),
        of("Ben", "Ann", number=2),
        of("Ann", "Ben", number=3, winners=()),
        of("Ann", "Ben", number=4),
        of("Ann", "Cleo", number=5),
        of("Ben", "Ann", number=6, winners=(1,)),
    ]
    (game,) = results.of_player(key("Ann"), results.sifted(records_of(*several))[0])
    assert [run.scores for run in game.series] == [(1.0, 0.0, 0.5), (1.0, 1.0)]


def test_mates_are_no_opponents_and_those_who_share_a_place_draw() -> None:
    team = of("Ann", "Ben", "Cleo", "Dan", winners=(0, 2))
    (game,) = results.of_player(key("Ann"), [results.Match(team, 0)])
    assert set(game.opponents) == {key("Ben"), key("Dan")}
    free = of("Ann", "Ben", "Cleo", winners=(0,))
    rated = results.ratings("stratego", [results.Match(free, 5 * DAY)])
    ann, ben, cleo = (rated[key(name)][0][1].rating for name in ("Ann", "Ben", "Cleo"))
    assert ann > ben == cleo


# Facts from records, and kept


def test_a_first_place_that_sides_share_is_a_draw_and_beats_the_others() -> None:
    three = of("Ann", "Ben", "Cleo", winners=(0, 1))
    assert [three.score(seat) for seat in range(3)] == [0.5, 0.5, 0.0]
    assert [three.against(*pair) for pair in ((0, 1), (0, 2), (2, 1))] == [0.5, 1.0, 0.0]
    mates = of("Ann", "Ben", "Cleo", "Dan", winners=(0, 2))
    assert [mates.score(seat) for seat in range(4)] == [1.0, 0.0, 1.0, 0.0]


def test_facts_are_the_audits_and_come_back_from_json() -> None:
    data = transcript(played("Ann", "Ben", seed=5))
    record = facts.read("here", data)
    assert record.counted
    assert record.seat_of(key("Ben")) == 1
    report = sources.judged("here", data)
    assert report.outcome is not None
    assert record.winners == tuple(sorted(report.outcome.winners))
    assert keeping.decode(keeping.encode({"name": record})) == {"name": record}


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"edition": 1, "facts": {}}', b"\xff", b"[" * 10_000])
def test_row_23_kept_facts_that_are_none_count_for_nothing(data: bytes) -> None:
    assert keeping.decode(data) == {}


JUNK = st.sampled_from([None, True, -1, 2, 1e400, "", "x" * 80, "\x1b[2J", [], {}, ["\x1b"], {"\x1b": 1}])


@given(st.sampled_from(list(Facts.__slots__)), JUNK)
def test_row_23_a_forged_field_is_taken_only_if_it_has_the_form_of_one(name: str, junk: object) -> None:
    value = json.loads(json.dumps(facts.plain(of("Ann", "Ben"))))
    value[name] = junk
    try:
        restored = facts.restored(value)
    except (ValueError, TypeError, KeyError):
        return
    assert (
        type(getattr(restored, name)) is type(getattr(of("Ann", "Ben"), name))
        or getattr(restored, name) is None
    )
    assert "\x1b" not in json.dumps(facts.plain(restored), ensure_ascii=False)


@pytest.mark.parametrize("game", ["spies-and-lies", "stratego"])
def test_hits_are_among_what_was_tried_and_fights_have_two_ends(game: str) -> None:
    record = facts.read("here", transcript(played("Ann", "Ben", seed=11, game=game)))
    assert record.counted
    tallying = ENTRIES[game].tallying
    assert tallying is not None
    for seat, counts in enumerate(record.counts):
        for rate in tallying.load().rates:
            for name in (rate.hits, *(name for _, name in rate.beside)):
                assert 0 <= counts[name] <= counts[rate.of]
        for favourite in tallying.load().favourites:
            for answer in record.liked[seat][favourite.name]:
                assert favourite.shown(answer)
    red, blue = record.counts
    if game == "stratego":
        assert red["fights"] == blue["fights"] == red["fights_won"] + blue["fights_won"]
        assert record.liked[0]["fronts"]
        assert len(record.liked[0]["flags"]) == 1
    else:
        assert red["by_chance"] <= red["likeliest"] + 1e-9
