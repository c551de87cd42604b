"""`stats`: one player's results, ways of play and rating, from records that are audited here."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from cli.reports import describe, sources
from cli.reports.own_games import listed, own_key
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.guard import complain, report_failure
from cli.shell.locations import locate
from cli.studies.statistics import as_json, ladder, player, records, report, results
from cli.studies.statistics.player import Player
from cli.studies.statistics.results import Found
from cli.text.layout import ascii_text
from cli.text.names import unworn
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.core.lesson import TUTOR
from p2p_stratego.registry import ENTRIES
from protocol.failures import StorageFailure
from protocol.storage.files import require_makeable
from protocol.storage.home import Home


def run(arguments: argparse.Namespace) -> int:
    """Audit the new records, count, and print."""
    path = locate(arguments.home)
    if not path.exists():
        require_makeable(path)
        raise _no_games(path)
    gathered = records.gather(
        path, afresh=arguments.afresh, tutor=_tutor(path / describe.FOLDER / TUTOR), also=arguments.also
    )
    for name, bug in gathered.bugs:
        report_failure(sources.shown(name), bug, "stats", arguments.home)
    done = Exit.BUG if gathered.bugs else Exit.OK
    names = _names(path, gathered.records)
    player = _player(path, arguments.player, names)
    matches, left = results.sifted(gathered.records)
    game: str | None = arguments.game
    games = [match for match in results.of_player(player.key, matches) if game in (None, match.game)]
    others = [
        record
        for record in left
        if record.facts is None
        or (record.facts.seat_of(player.key) is not None and game in (None, record.facts.game))
    ]
    if arguments.json:
        print(json.dumps(as_json.plain(player, games, others, names)))
        return done
    rows = listed(path) if player.key == own_key(path).hex() else []
    for of_game in games:
        entry = ENTRIES[of_game.game]
        of_game.on_ladder = ladder.rating(entry, rows)
        of_game.ladder_matches = len(ladder.rated_matches(entry, rows))
    lines = [*report.sentences(player, games, others, names, game), "", _work(gathered)]
    print("\n".join(map(ascii_text, lines) if arguments.ascii else lines))
    return done


def _tutor(folder: Path) -> str:
    """The key of the tutor with this home folder; "" if there is none, or it cannot be read."""
    try:
        return own_key(folder).hex() if folder.exists() else ""
    except StorageFailure:
        complain(
            _(
                "The tutor's key in {path} cannot be read, so a lesson whose folder has lost its other files "
                "counts as a game. Move that folder away: the next lesson makes another one.",
                path=folder,
            )
        )
        return ""


def _names(path: Path, gathered: Iterable[Found]) -> dict[str, str]:
    """By key: our player's name for a contact, else the name in the newest record, without a round's word."""
    with Home(path) as home:
        called = {contact.key.hex(): contact.called for contact in home.contacts().all if contact.called}
    known = {key: unworn(name) for key, name in records.names(list(gathered)).items()}
    return known | {key: name for key, name in called.items() if key in known}


def _player(path: Path, wanted: str | None, names: dict[str, str]) -> Player:
    own = own_key(path).hex()
    if wanted is not None:
        return player.find(wanted, names, own)
    if not own and not names:
        raise _no_games(path)
    if not own:
        raise Sorry(_("There is no player in this home folder yet. Say whose statistics: stats PLAYER."))
    return Player(own, names.get(own, _("You")))


def _no_games(path: Path) -> Sorry:
    return Sorry(
        lambda run: _(
            "There are no games in {path} yet. {command} begins one against a bot.",
            path=escape(str(path)),
            command=run("play"),
        ),
        Exit.IO,
    )


def _work(gathered: records.Gathered) -> str:
    return n_(
        "{count} record; {audited} audited now, in {seconds} s. A rating says nothing outside this folder.",
        "{count} records; {audited} audited now, in {seconds} s. A rating says nothing outside this folder.",
        len(gathered.records),
        audited=gathered.audited,
        seconds=number(gathered.seconds, 1),
    )
