"""The result of a contest for people, for programs, and its games as a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean
from textwrap import fill
from typing import Any

from cli.play.arena.contest import ArenaGame, Contender, ContestTerms, Tally
from cli.play.arena.figures import Sprt, elo, elo_interval, wilson
from cli.play.bots.hired import sentences
from cli.text.sanitize import escape
from p2p_stratego.core.game import Game
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.self_play import Decided

FORMAT = 1
"""The version of the JSON; it grows when a key goes away or changes its meaning."""
_COLUMNS = 100
_ACCEPTED = {
    "higher": mark("{higher} Elo is accepted"),
    "lower": mark("{lower} Elo is accepted"),
    None: mark("not decided"),
}
_RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


@dataclass(frozen=True, slots=True)
class Contest:
    """What a report is about; at least one game was played."""

    game: Game[Any]
    table: ContestTerms
    seed: int
    two: tuple[Contender, Contender]
    tally: Tally
    sprt: Sprt | None = None

    @property
    def of_two_sides(self) -> bool:
        """Whether two that are equally strong win half of the games: else their score has no Elo."""
        return len(self.game.sides(self.table.seats)) == 2


def text(contest: Contest) -> Iterator[str]:
    """The result in lines."""
    results = contest.tally.results
    first, second = (escape(player.name) for player in contest.two)
    options = contest.game.options(contest.table.options)
    yield ", ".join([contest.game.name, *(f"{name} {value}" for name, value in options.items())])
    games = n_("{count} game", "{count} games", results.games)
    seats = contest.table.seats
    seating = _("colours alternating") if seats == 2 else _("{seats} seats, sides taking turns", seats=seats)
    yield _(
        "{first} against {second}: {games}, {seating}",
        first=first,
        second=second,
        games=games,
        seating=seating,
    )
    yield _(
        "  {won} won, {drawn} drawn, {lost} lost", won=results.won, drawn=results.drawn, lost=results.lost
    )
    low, high = wilson(results.won, results.games)
    yield _(
        "  {share} won, 95 % confidence interval {low} to {high}",
        share=f"{results.won / results.games:.1%}",
        low=f"{low:.1%}",
        high=f"{high:.1%}",
    )
    if contest.of_two_sides:
        bottom, top = elo_interval(results)
        yield _(
            "  Elo difference {elo}, 95 % confidence interval {low} to {high}",
            elo=_elo(elo(results.score), "+∞" if results.won else "-∞"),
            low=_elo(bottom, "-∞"),
            high=_elo(top, "+∞"),
        )
    if contest.sprt is not None:
        lower, higher = (f"{bound:g}" for bound in (contest.sprt.lower, contest.sprt.higher))
        accepted = _(_ACCEPTED[contest.sprt.accepted(results)], lower=lower, higher=higher)
        yield _(
            "  test of {lower} against {higher} Elo: log-likelihood ratio {ratio}, {accepted}",
            lower=lower,
            higher=higher,
            ratio=f"{contest.sprt.ratio(results):.2f}",
            accepted=accepted,
        )
    if contest.tally.points:
        ours, theirs = (mean(points) for points in zip(*contest.tally.points, strict=True))
        yield _(
            "  {ours} points on average, the best of the others {theirs}",
            ours=f"{ours:.1f}",
            theirs=f"{theirs:.1f}",
        )
    for player in contest.two:
        yield from _about(player)


def _about(player: Contender) -> Iterator[str]:
    """How long a player thought, how many games it did not play to their end, and why the last of these."""
    name, seconds = escape(player.name), player.seconds
    if seconds:
        yield _(
            "  {name}: {mean} ms a decision, {most} ms at most ({count} decisions, {clock})",
            name=name,
            mean=f"{1000 * mean(seconds):.2f}",
            most=f"{1000 * max(seconds):.1f}",
            count=len(seconds),
            clock=_("wall clock") if player.by_the_wall else _("processor time"),
        )
    for reason, count in sorted(player.faults.items()):
        games = n_("{count} game", "{count} games", count)
        yield _("  {name} lost {games} outside the board: {reason}", name=name, games=games, reason=reason)
    if player.last_loss is not None:
        yield f"  {sentences(player.last_loss.lost, name, player.last_loss.complaints)}"


def _elo(value: float | None, boundless: str) -> str:
    return boundless if value is None else f"{value:+.0f}"


def plain(contest: Contest) -> dict[str, Any]:
    """The result as JSON values; docs/json.md lists the keys."""
    results, sprt = contest.tally.results, contest.sprt
    points = [mean(of_seat) for of_seat in zip(*contest.tally.points, strict=True)] or None
    return {
        "type": "arena",
        "format": FORMAT,
        "game": contest.game.name,
        "options": dict(contest.game.options(contest.table.options)),
        "seats": contest.table.seats,
        "seed": contest.seed,
        "games": results.games,
        "won": results.won,
        "drawn": results.drawn,
        "lost": results.lost,
        "score": results.score,
        "won_interval": list(wilson(results.won, results.games)),
        "elo": elo(results.score) if contest.of_two_sides else None,
        "elo_interval": list(elo_interval(results)) if contest.of_two_sides else None,
        "points": points,
        "sprt": None
        if sprt is None
        else {
            "lower": sprt.lower,
            "higher": sprt.higher,
            "ratio": sprt.ratio(results),
            "bounds": list(sprt.bounds),
            "accepted": sprt.accepted(results),
        },
        "players": [
            {
                "name": player.name,
                "decisions": len(player.seconds),
                "mean_seconds": mean(player.seconds) if player.seconds else None,
                "most_seconds": max(player.seconds, default=None),
                "clock": "wall" if player.by_the_wall else "processor",
                "faults": dict(player.faults),
            }
            for player in contest.two
        ],
    }


def record(contest: Contest, played: ArenaGame) -> str:
    """One game as text, in the manner of PGN: tags, then the decisions in their order, then the result."""
    game, seats, result = contest.game, contest.game.seat_names(contest.table.seats), _RESULTS[played.score]
    tags = {
        "Game": game.name,
        "Options": " ".join(f"{name}={value}" for name, value in game.options(contest.table.options).items()),
        "Round": str(played.number + 1),
        "Seed": f"{contest.seed}/{played.number}",
        **{seats[seat].capitalize(): name for seat, name in enumerate(played.names)},
        "First": "+".join(seats[seat] for seat in sorted(played.first)),
        "Result": result,
        "Reason": played.outcome.reason,
    }
    moves = (
        f"{number}. {seats[seat]} {_decision(decided)}"
        for number, (seat, decided) in enumerate(played.decisions, start=1)
    )
    head = "\n".join(f"[{name} {json.dumps(value)}]" for name, value in tags.items())
    body = fill(f"{'; '.join(moves)} {result}", _COLUMNS, break_long_words=False, break_on_hyphens=False)
    return f"{head}\n\n{body}\n"


def _decision(decided: Decided) -> str:
    return decided if isinstance(decided, str) else f"({' '.join(map(str, decided))})"
