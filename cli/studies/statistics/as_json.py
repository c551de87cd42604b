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
        "games": [_game(game, names) for game in games],
        "not_counted": [
            {"file": record.name, "why": record.why, "id": record.facts.id if record.facts else None}
            for record in left
        ],
    }


def _player(player: Player) -> Plain:
    return {"name": player.name, "key": player.key, "fingerprint": player.fingerprint}


def _game(results: OfGame, names: Mapping[str, str]) -> Plain:
    return {
        "game": results.game,
        **_score(results.total),
        "began": _score(results.began),
        "seats": {seat: _score(score) for seat, score in results.seats.items()},
        "opponents": [
            {**_player(Player(key, names[key])), **_score(score)} for key, score in results.opponents.items()
        ],
        "results": results.sequence,
        "counts": dict(results.counts),
        "liked": {name: dict(choices.most_common()) for name, choices in results.liked.items()},
        "series": [_series(series, names) for series in results.series],
        "rating": None if not results.ratings else _rating(results.ratings[-1]),
        "ratings": [_rating(then) for then in results.ratings],
    }


def _score(score: Score) -> Plain:
    return {"played": score.played, "won": score.won, "drawn": score.drawn, "lost": score.lost}


def _series(series: Series, names: Mapping[str, str]) -> Plain:
    return {
        "opponents": [_player(Player(key, names[key])) for key in series.opponents],
        "results": list(series.scores),
    }


def _rating(then: tuple[int, Rating]) -> Plain:
    day, rating = then
    return {
        "day": day * DAY,
        "rating": round(rating.rating, 2),
        "deviation": round(rating.deviation, 2),
        "volatility": round(rating.volatility, 6),
    }
