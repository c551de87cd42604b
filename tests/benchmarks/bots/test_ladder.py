"""The ladder's ratings: games in, ratings out, and the guide shows those that are shipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.bots import ladder
from benchmarks.bots.ladder import Kept, Key
from p2p_stratego.core import strict_json
from p2p_stratego.registry import ENTRIES

GAME = "spies-and-lies"


def test_each_round_has_every_two_bots_in_both_colours_and_slow_ones_sit_out_most_rounds() -> None:
    keys = list(ladder.schedule(GAME, ["cadet", "recruit", "equilibrium"], 0))
    assert len({(key.first, key.second) for key in keys}) == len(keys) == 6
    assert {
        (key.first, key.second) for key in ladder.schedule(GAME, ["cadet", "recruit", "equilibrium"], 1)
    } == {
        ("cadet", "recruit"),
        ("recruit", "cadet"),
    }
    for game, every in ladder.EVERY.items():
        assert {*every} <= {*ENTRIES[game].bots}
        assert max(every.values()) <= ladder.PERIOD, "each bot plays in each period"


def strong_wins(rounds: int) -> dict[Key, float]:
    return {
        Key(GAME, number, *pair): float(pair[0] == "strong")
        for number in range(rounds)
        for pair in (("strong", "weak"), ("weak", "strong"))
    }


def test_who_wins_is_rated_higher_and_every_period_makes_it_surer() -> None:
    few, many = (ladder.rated(strong_wins(rounds)) for rounds in (ladder.PERIOD, 4 * ladder.PERIOD))
    assert few["strong"].rating > few["weak"].rating
    assert many["strong"].deviation < few["strong"].deviation
    assert next(ladder.pairs(strong_wins(4), ["strong", "weak"])).startswith(
        "  strong against weak: 100.0% of 8 games"
    )


@pytest.fixture(name="played")
def _played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The seeds of the games that are really played, which the first of two bots wins every other time."""
    seeds: list[str] = []

    def one_game(_entry: object, _pair: object, seed: str) -> float:
        seeds.append(seed)
        return float(sum(seed.encode()) % 2)

    monkeypatch.setattr(ladder, "one_game", one_game)
    return seeds


def test_a_run_in_parts_that_was_stopped_has_the_games_of_a_whole_one(
    tmp_path: Path, played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    usual = ["--game", GAME, "--rounds", "4"]
    ladder.main(usual)
    whole, games = capsys.readouterr().out, len(played)
    kept = ["--kept", str(tmp_path)]
    ladder.main([*usual, *kept, "--part", "2/2"])
    ladder.main([*usual, *kept, "--part", "1/2"])
    assert sorted(played[:games]) == sorted(played[games:])
    first, _second = sorted(tmp_path.iterdir())
    text = first.read_text()
    first.write_text(text[:-3])  # stopped in the middle of a line
    ladder.main([*usual, *kept])
    assert len(played) == 2 * games + 1
    merged = capsys.readouterr().out
    assert merged[merged.index(f"{GAME}, ") :] == whole[whole.index(f"{GAME}, ") :]
    ladder.main([*usual, *kept])
    assert len(played) == 2 * games + 1


def test_games_of_other_bots_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = Key(GAME, 0, "cadet", "recruit")
    Kept(tmp_path, 1, "1/1").add(key, 1.0)
    assert Kept(tmp_path, 1, "1/2").scores == {key: 1.0}
    assert Kept(tmp_path, 2, "1/1").scores == {}
    monkeypatch.setattr(ladder, "digest", lambda: "other")
    assert Kept(tmp_path, 1, "1/1").scores == {}


def test_the_shipped_ladder_is_printed_with_its_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    ladder.main(["--shipped"])
    output = capsys.readouterr().out
    shipped = strict_json.read(ladder.FILE.read_bytes())
    for game, ratings in shipped.items():
        assert f"{game}:" in output
        for level, (rating, deviation, _volatility) in ratings.items():
            assert f"  {level}: {rating:.0f} ± {2 * deviation:.0f}" in output


def test_each_rung_is_told_with_what_it_may_expect_against_the_best() -> None:
    """400 points are ten wins to a loss (Elo, 1978, section 1.4), where the ratings are known well."""
    ratings = {"agent": (1900.0, 1.0, 0.06), "strategist": (2000.0, 1.0, 0.06), "cadet": (1600.0, 1.0, 0.06)}
    heading, *rungs = ladder.ladder("conquest", ratings)
    assert heading == "conquest:"
    assert [rung for rung in rungs if "best" in rung] == [
        "  strategist: 2000 ± 2, 50% against the best",
        "  agent: 1900 ± 2, 36% against the best",
        "  cadet: 1600 ± 2, 9% against the best",
    ]


def test_what_is_written_can_be_read_and_stands_in_the_guide() -> None:
    shipped = strict_json.read(ladder.FILE.read_bytes())
    assert json.loads(ladder.written(shipped)) == shipped
    assert ladder.GUIDE.read_text(encoding="utf-8").endswith(ladder.table(shipped))
