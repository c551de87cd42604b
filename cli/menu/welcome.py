"""What the menu knows of our player: who waits, how it stands against the bots, and whom it meets next.

Pure functions of the rows of `cli.reports.own_games.listed`, but for the options of the last game, which
stand in its record.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

from cli.reports.rows import Plain
from cli.studies.puzzles import progress
from cli.studies.statistics import ladder
from cli.studies.statistics.glicko import Rating
from cli.studies.statistics.ladder import Rung
from cli.text.names import bot_name, shown
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.language import _, n_
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.failures import StorageFailure

_DAY: Final = 86_400
"""Seconds."""
_SHOWN_BOTS: Final = 4
"""Bots whose results stand on the first screen, the strongest that were met: the ladder shows all."""
_FEWEST_IN_A_ROW: Final = 2
_SURE: Final = 200.0
"""The deviation from which on a rating says something."""


class NextMatch(NamedTuple):
    """The next match on the ladder: against whom, in words, and the row of the match before it."""

    level: str
    about: str
    last: Plain

    @property
    def command(self) -> tuple[str, ...]:
        """The words of its command, which reads the record of the last match for its table."""
        return ("play", "--game", self.last["game"], *_same_table(self.last), "--level", self.level)


def our_turn(row: Plain) -> bool:
    """Whether a match waits for our player, and no other window plays it."""
    if not row.get("resumable") or row.get("open"):
        return False
    owed = row.get("owed")
    claimed = row.get("verdict") == "unresponsive" and row.get("unfinished")
    return bool(claimed or (owed is not None and owed["seat"] == row["seat"]))


def with_people(row: Plain) -> bool:
    """Whether somebody else than our bots plays in a match."""
    return len(row.get("bots", ())) < len(row.get("others", ()))


def greeting(rows: Sequence[Plain], now: float, puzzle: str = "") -> list[str]:
    """Sentences above the menu; `now`: seconds since 1970; `puzzle`: about that of the day, or ""."""
    to_do = " ".join(filter(None, [turns(rows, now), puzzle]))
    return [*filter(None, [to_do, standing(rows, now)])]


def puzzle_of_the_day(home: Path, now: float) -> str:
    """A sentence on the puzzle of the day, and on how many days in a row one was solved; "" if the home
    folder does not let it be read: the command itself says why.
    """
    from cli.studies.puzzles.collection import of_day

    today = date.fromtimestamp(now).toordinal()
    try:
        known = progress.load(home)
    except StorageFailure:
        return ""
    days = known.streak(today)
    if of_day(today, None).number in known.solved:
        return n_(
            "Today's puzzle is solved.", "Today's puzzle is solved, on {count} days in a row.", max(days, 1)
        )
    if not days:
        return _("Today's puzzle waits under Learn.")
    return n_(
        "Today's puzzle waits under Learn; yesterday's is solved.",
        "Today's puzzle waits under Learn; one was solved on {count} days in a row.",
        days,
    )


def turns(rows: Sequence[Plain], now: float) -> str:
    """In how many games it is our player's turn, and who has been waiting longest; "" for none."""
    ours = [row for row in rows if our_turn(row)]
    if not ours:
        return ""
    count = n_("Your turn in {count} game", "Your turn in {count} games", len(ours))
    waiting = [row for row in ours if with_people(row) and len(row["others"]) == 1]
    if not waiting:
        return f"{count}."
    longest = min(waiting, key=lambda row: int(row["changed"]))
    return f"{count}; {_since(shown(longest['others'][0]), _days(longest['changed'], now))}."


def _since(name: str, days: int) -> str:
    if days < 1:
        return _("{name} is waiting", name=name)
    if days == 1:
        return _("{name} has been waiting since yesterday", name=name)
    return n_(
        "{name} has been waiting for {count} day", "{name} has been waiting for {count} days", days, name=name
    )


def _day(moment: float) -> int:
    """The number of a day in local time."""
    there = time.localtime(moment)
    return int(moment + there.tm_gmtoff) // _DAY


def _days(moment: float, now: float) -> int:
    """How many days ago a moment was."""
    return max(_day(now) - _day(moment), 0)


def standing(rows: Sequence[Plain], now: float) -> str:
    """How our player stands against the bots of the game played last, and its rows of wins and days; "" if it
    has finished no match against bots.
    """
    entry = _last_game(rows)
    if entry is None:
        return ""
    met = [rung for rung in ladder.rungs(entry, rows) if rung.played][-_SHOWN_BOTS:]
    sentences = [_("{game}: {results}.", game=_(entry.title), results=", ".join(map(_result, met)))]
    own = ladder.rating(entry, rows)
    if own is not None and own.deviation <= _SURE:
        sentences.append(_("Rating {rating}, give or take {deviation}.", **_rounded(own)))
    wins = len([*takewhile(lambda result: result[1] == 1.0, ladder.results(entry, rows))])
    if wins >= _FEWEST_IN_A_ROW:
        sentences.append(n_("{count} win in a row.", "{count} wins in a row.", wins))
    if (days := days_in_a_row(rows, now)) >= _FEWEST_IN_A_ROW:
        sentences.append(n_("Played on {count} day in a row.", "Played on {count} days in a row.", days))
    return " ".join(sentences)


def _result(rung: Rung) -> str:
    """Wins and losses against a bot: "Recruit 3:1"."""
    drawn = f" ({_('{count} drawn', count=rung.drawn)})" if rung.drawn else ""
    return f"{bot_name(rung.level)} {rung.won}:{rung.lost}{drawn}"


def days_in_a_row(rows: Sequence[Plain], now: float) -> int:
    """On how many days in a row, up to today or yesterday, our player has played."""
    played = {_days(row["changed"], now) for row in rows if not row.get("watched")}
    first = 0 if 0 in played else 1
    return len([*takewhile(played.__contains__, range(first, len(played) + 1))])


def _last_game(rows: Sequence[Plain]) -> GameEntry | None:
    """The game of the newest finished match against bots."""
    for row in rows:
        entry = ENTRIES.get(row.get("game", ""))
        if entry is not None and next(ladder.results(entry, [row]), None) is not None:
            return entry
    return None


def next_match(rows: Sequence[Plain], *, all_open: bool) -> NextMatch | None:
    """The match against the right opponent at the game that was played last, with the same options."""
    entry = _last_game(rows)
    if entry is None:
        return None
    last = next(row for row in rows if next(ladder.results(entry, [row]), None) is not None)
    rungs = ladder.rungs(entry, rows, all_open=all_open)
    rung = rungs[ladder.right(entry, rungs, ladder.rating(entry, rows))]
    if any(row.get("resumable") and (row["game"], row["bots"]) == (entry.name, [rung.level]) for row in rows):
        return None  # a game with this opponent goes on: it stands above
    about = _(
        "{name}, in {game} ({score})",
        name=bot_name(rung.level),
        game=_(entry.title),
        score=f"{rung.won}:{rung.lost}" if rung.played else _("not played yet"),
    )
    return NextMatch(rung.level, about, last)


def _same_table(row: Plain) -> list[str]:
    """The options of the command line for the table of a match; none if its record cannot be read."""
    from cli.reports.sources import genesis_in

    match = genesis_in(row["transcript"]) if "transcript" in row else None
    if match is None:
        return []
    usual = match.game.options({})
    options = {name: value for name, value in match.options.items() if usual.get(name) != value}
    return [*(f"--{name}={value}" for name, value in options.items()), "--seats", str(len(match.players))]


# Bots and ratings in words


def score(rung: Rung) -> str:
    """The results against an opponent: "2 won, 1 lost"."""
    counts = [
        _("{count} won", count=rung.won),
        _("{count} drawn", count=rung.drawn) if rung.drawn else "",
        _("{count} lost", count=rung.lost),
    ]
    return ", ".join(filter(None, counts))


def rated(entry: GameEntry, own: Rating) -> str:
    """Our player's rating among the bots of a game, with 95 % certainty (twice the deviation)."""
    return _(
        "Your rating in {game} is {rating}, give or take {deviation}.", game=_(entry.title), **_rounded(own)
    )


def _rounded(own: Rating) -> dict[str, int]:
    return {"rating": round(own.rating), "deviation": round(2 * own.deviation)}


# Games in words


def game_row(entry: GameEntry) -> str:
    """A game in a list: its title, players, minutes, and what it is about."""
    clauses = [_size(entry), *[_(entry.about)] * bool(entry.about)]
    return f"{_(entry.title)}  {'; '.join(clauses)}"


def _size(entry: GameEntry) -> str:
    """For how many players, and how long."""
    counts = GAMES[entry.name].seat_counts
    players = (
        _("{fewest} to {most} players", fewest=counts[0], most=counts[-1])
        if len(counts) > 1
        else n_("{count} player", "{count} players", counts[0])
    )
    return ", ".join(filter(None, [players, how_long([preset.minutes for preset in entry.presets])]))


def how_long(minutes: Sequence[int]) -> str:
    """So many minutes, or hours where it is long; "" if nobody knows."""
    known = [count for count in minutes if count]
    if not known:
        return ""
    least, most = min(known), max(known)
    if least > 2 * 60:
        return n_("about {count} hour", "about {count} hours", round(least / 60))
    if least == most:
        return n_("about {count} minute", "about {count} minutes", most)
    return _("{least} to {most} minutes", least=least, most=most)
