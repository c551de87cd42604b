"""Statistics as JSON values; docs/json.md lists the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.reports.rows import Plain
from cli.studies.statistics.glicko import Rating
from cli.studies.statistics.player import Player
from cli.studies.statistics.results import DAY, Left, OfGame, Score, Series


def plain(player: Player, games: Sequence[OfGame], left: Sequence[Left], names: Mapping[str, str]) -> Plain:
    """Everything that is told of one player."""
    return {
        "player": _player(player),
        "games": [_game(one, names) for one in games],
        "not_counted": [
            {"file": one.name, "why": one.why, "id": one.facts.id if one.facts else None} for one in left
        ],
    }


def _player(player: Player) -> Plain:
    return {"name": player.name, "key": player.key, "fingerprint": player.fingerprint}


def _game(one: OfGame, names: Mapping[str, str]) -> Plain:
    return {
        "game": one.game,
        **_score(one.total),
        "began": _score(one.began),
        "seats": {seat: _score(score) for seat, score in one.seats.items()},
        "opponents": [
            {**_player(Player(key, names[key])), **_score(score)} for key, score in one.opponents.items()
        ],
        "results": one.sequence,
        "counts": dict(one.counts),
        "liked": {name: dict(said.most_common()) for name, said in one.liked.items()},
        "series": [_series(series, names) for series in one.series],
        "rating": None if not one.ratings else _rating(one.ratings[-1]),
        "ratings": [_rating(then) for then in one.ratings],
    }


def _score(score: Score) -> Plain:
    return {"played": score.played, "won": score.won, "drawn": score.drawn, "lost": score.lost}


def _series(one: Series, names: Mapping[str, str]) -> Plain:
    return {
        "opponents": [_player(Player(key, names[key])) for key in one.opponents],
        "results": list(one.scores),
    }


def _rating(then: tuple[int, Rating]) -> Plain:
    day, rating = then
    return {
        "day": day * DAY,
        "rating": round(rating.rating, 2),
        "deviation": round(rating.deviation, 2),
        "volatility": round(rating.volatility, 6),
    }
