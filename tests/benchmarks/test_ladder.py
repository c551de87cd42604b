"""The ladder's ratings: games in, ratings out, and the guide shows those that are shipped."""

from __future__ import annotations

import json

from benchmarks import ladder
from cli.studies.statistics.glicko import Game
from p2p_stratego.core import strict_json
from p2p_stratego.registry import ENTRIES

ENTRY = ENTRIES["spies-and-lies"]


def test_each_round_has_every_two_bots_in_both_colours_and_can_be_repeated() -> None:
    (games,) = ladder.rounds(ENTRY, ["cadet", "recruit"], 1, seed=4)
    assert [(game.one, game.other) for game in games] == [("cadet", "recruit"), ("recruit", "cadet")]
    assert [games] == list(ladder.rounds(ENTRY, ["cadet", "recruit"], 1, seed=4))


def test_who_wins_is_rated_higher_and_every_round_makes_it_surer() -> None:
    one_round = [Game("strong", "weak", 1.0), Game("weak", "strong", 0.0)]
    few, many = ladder.rated([one_round] * 2), ladder.rated([one_round] * 8)
    assert few["strong"].rating > few["weak"].rating
    assert many["strong"].deviation < few["strong"].deviation
    assert next(ladder.pairs([one_round] * 4, ["strong", "weak"])).startswith(
        "  strong against weak: 100.0% of 8 games"
    )


def test_what_is_written_can_be_read_and_stands_in_the_guide() -> None:
    shipped = strict_json.read(ladder.FILE.read_bytes())
    assert json.loads(ladder.written(shipped)) == shipped
    assert ladder.GUIDE.read_text(encoding="utf-8").endswith(ladder.table(shipped))
