"""Statistics in lines of text, at most 80 columns; nothing in them needs colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from cli.reports.rows import Plain
from cli.studies.statistics.glicko import Rating
from cli.studies.statistics.player import Player
from cli.studies.statistics.results import Left, OfGame, Score, Series
from cli.text import plot
from cli.text.layout import filled, hung, whole, words
from p2p_stratego.core.language import _, _c, mark, n_, number
from p2p_stratego.core.tally import Favourite, Rate, Tallying
from p2p_stratego.registry import ENTRIES

COLUMNS: Final = 78
_FEW: Final = 5
"""Lines of a list that could be long."""
_NEWEST: Final = 20
"""Results of a series that are shown, of one that is long."""
_SIGNS: Final[Mapping[float, str]] = {1.0: "+", 0.5: "=", 0.0: "-"}
_PLOTTED: Final = 7
"""Rows of a plot."""
_OPEN: Final = 2.0
"""With 95 %, the strength lies so many deviations around the rating."""

WHY: Final[Plain] = {
    "incomplete": mark("not played to its end"),
    "cheated": mark("somebody broke the rules"),
    "equivocated": mark("somebody signed two versions"),
    "unresponsive": mark("ended by a claim that somebody is away"),
    "tampered": mark("the record is damaged or forged"),
    "unreadable": mark("unreadable, or made by another version"),
    "practice": mark("practice: a decision was taken back, or a hint shown"),
    "lesson": mark("a lesson: its tutor plays by a script"),
    "contradictory": mark("two copies tell different ends"),
}


def sentences(
    player: Player,
    games: Sequence[OfGame],
    left: Sequence[Left],
    names: Mapping[str, str],
    game: str | None = None,
) -> Iterator[str]:
    """All lines; of one `game` alone, if it is named."""
    yield from hung(
        _(
            "{player}, by the records in this home folder that this program audited itself",
            player=player.label(),
        ),
        COLUMNS,
    )
    if not games:
        yield ""
        if game is None:
            yield _("No game of this player was played to its end yet.")
        else:
            yield _("No game of {title} of this player was played to its end yet.", title=ENTRIES[game].title)
    for results in games:
        yield ""
        yield from _game(results, names)
    yield from _left(left)


def _game(results: OfGame, names: Mapping[str, str]) -> Iterator[str]:
    entry = ENTRIES[results.game]
    yield entry.title
    yield from _line(_("results"), score_told(results.total))
    for seat, score in results.seats.items():
        yield from _line(_("as {seat}", seat=_seat(seat)), score_told(score))
    if results.began.played:
        yield from _line(_c("row of statistics", "beginning"), score_told(results.began))
    for key, score in list(results.opponents.items())[:_FEW]:
        yield from _line(_("against"), f"{Player(key, names[key]).label()}: {score_told(score)}")
    if len(results.opponents) > _FEW:
        yield from _line(
            "", n_("and {count} other player", "and {count} other players", len(results.opponents) - _FEW)
        )
    for series in results.series[-_FEW:]:
        yield from _line(_("series"), _series(series, names))
    if entry.tallying is not None:
        yield from _play(entry.tallying.load(), results)
    yield from _line(_c("row of statistics", "one by one"), _sequence(results.sequence))
    if results.on_ladder is not None:
        span = _span(results.on_ladder)
        yield from _line(_("rating"), _("{span} (against this program's bots)", span=span))
    if results.ladder_matches < results.total.played:
        yield from _rating(results)


def _seat(seat: str) -> str:
    """The name of a seat, of more than two with their number: "red", "red/3"."""
    name, *rest = seat.split("/")
    return "/".join((_(name), *rest))


def _line(label: str, text: str) -> Iterator[str]:
    yield from hung(text, COLUMNS, f"  {filled(label, 12)} ")


def score_told(score: Score) -> str:
    """Matches in a few words."""
    share = score.points / score.played if score.played else 0.0
    return _(
        "{played}: {won} won, {drawn} drawn, {lost} lost ({percent} of the points)",
        played=n_("{count} game", "{count} games", score.played),
        won=score.won,
        drawn=score.drawn,
        lost=score.lost,
        percent=_percent(share),
    )


def _series(series: Series, names: Mapping[str, str]) -> str:
    won = sum(series.scores)
    against = ", ".join(Player(key, names[key]).label() for key in series.opponents)
    fields = {
        "against": against,
        "own": _half(won),
        "other": _half(len(series.scores) - won),
        "signs": ("... " if len(series.scores) > _NEWEST else "")
        + "".join(_SIGNS[score] for score in series.scores[-_NEWEST:]),
    }
    if 2 * won > len(series.scores):
        return _("{own} to {other} against {against}: you lead ({signs})", **fields)
    if 2 * won < len(series.scores):
        return _("{own} to {other} against {against}: you are behind ({signs})", **fields)
    return _("{own} to {other} against {against}: even ({signs})", **fields)


def _percent(share: float) -> str:
    """A share that was counted, so that 0 % is none."""
    return whole(f"{round(share * 100)} %")


def _half(points: float) -> str:
    """A number of points, which may hold a half."""
    return number(points, 1 if points % 1 else 0)


def _play(tallying: Tallying, results: OfGame) -> Iterator[str]:
    """How the player plays, as far as the game tells."""
    rates = [_rate(rate, results.counts) for rate in tallying.rates if results.counts[rate.of]]
    for text in rates:
        yield from _line(_c("row of statistics", "play"), text)
    liked = [
        _favourite(favourite, results.liked.get(favourite.name, Counter()))
        for favourite in tallying.favourites
    ]
    for at, shown in enumerate(filter(None, liked)):
        yield from _line("" if at else _c("row of statistics", "choices"), shown)


def _rate(rate: Rate, counts: Counter[str]) -> str:
    of = counts[rate.of]
    text = _(
        "{what}: {hits} of {of} ({percent})",
        what=_(rate.words),
        hits=_half(counts[rate.hits]),
        of=_half(of),
        percent=_percent(counts[rate.hits] / of),
    )
    beside = [
        _(
            "{what} {number} ({percent})",
            what=_(words),
            number=_half(round(counts[name], 1)),
            percent=_percent(counts[name] / of),
        )
        for words, name in rate.beside
    ]
    return "; ".join([text, *beside])


def _favourite(favourite: Favourite, counts: Counter[str]) -> str:
    """The three most frequent choices; what is no choice of the game is passed over."""
    shown = []
    for notation, count in sorted(counts.items(), key=lambda choice: (-choice[1], choice[0])):
        with suppress(ValueError, KeyError):
            shown.append(
                n_("{choice} (once)", "{choice} ({count} times)", count, choice=favourite.shown(notation))
            )
    return f"{_(favourite.words)}: {'; '.join(shown[:3])}" if shown else ""


def _sequence(scores: Sequence[float]) -> str:
    """The newest results, a sign each, and how to read them."""
    newest = "".join(_SIGNS[score] for score in scores[-2 * _NEWEST :])
    return _("{signs}  (+ won, = drawn, - lost; the newest last)", signs=newest)


def _span(own: Rating) -> str:
    """A rating, and how far it can be trusted."""
    return _(
        "{rating}, with 95 % between {low} and {high}",
        rating=round(own.rating),
        low=round(own.rating - _OPEN * own.deviation),
        high=round(own.rating + _OPEN * own.deviation),
    )


def _rating(results: OfGame) -> Iterator[str]:
    """The rating among all whom the records show: they know no bot's strength but by its games here."""
    if not results.ratings:
        return
    _day, now = results.ratings[-1]
    yield from _line(
        _c("row of statistics", "among all"),
        _("{span} (Glicko-2; local: by these records alone)", span=_span(now)),
    )
    values = [rating.rating for _day, rating in results.ratings]
    if len(values) < 2:
        return
    low, high = min(values), max(values)
    span = max(high - low, 50.0)
    middle = (low + high) / 2
    labels = [str(round(middle + share * span)) for share in (0.5, 0, -0.5)]
    for line in plot.plot(
        [(value - middle) / span + 0.5 for value in values],
        min(COLUMNS - 4, 12 + 2 * len(values)),
        _PLOTTED,
        left=labels,
    ):
        yield f"    {words(line).rstrip()}"


def _left(left: Sequence[Left]) -> Iterator[str]:
    """The records that do not count, by reason."""
    if not left:
        return
    yield ""
    yield n_("{count} record does not count:", "{count} records do not count:", len(left))
    for why, count in sorted(Counter(record.why for record in left).items()):
        yield from _line(str(count), _(WHY.get(why, why)))
