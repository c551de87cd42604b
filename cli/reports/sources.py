"""Transcripts that a person names (files, folders of them, records of an archive, standard input), and what
their owner knows beyond.

Paths are the user's own, and links are followed; reading has a limit, and nothing is written (threat 47).
The owner's own pieces and cards are only looked at.  They never enter an export or a page (threat 37): only
the owner's own screen shows them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.reports import history
from cli.reports.describe import FOLDER
from cli.reports.rows import Plain
from cli.shell import extras
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from cli.shell.named_files import read_file
from cli.shell.progress import announced
from p2p_stratego import registry
from p2p_stratego.core.game import Edition, Face, Seat, Slot
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.lesson import TUTOR
from protocol.audit.verdict import Replayed, Report, audit, replay
from protocol.errors import Malformed, Refusal, Unsupported
from protocol.failures import Failure, StorageFailure
from protocol.limits import MAX_WITH_PROOFS
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.seat.faces import Faces
from protocol.seat.secrets import MatchSecrets
from protocol.storage.home import GAMES, ID_DIGITS, WATCHED
from protocol.storage.match_store import PEER, TRANSCRIPT, secrets_beside
from protocol.storage.route import read_route
from protocol.wire.encoding import decode
from protocol.wire.transcript import NotATranscript, Records

if TYPE_CHECKING:  # what needs the extra is imported where such a word is met
    from cli.archive.record_lookup import Record

STDIN: Final = "-"
SUFFIX: Final = ".p2ps"
_ID: Final = re.compile(r"[0-9A-Fa-f]{1,32}")
"""The beginning of a game's id."""
_ARCHIVED: Final = re.compile(r"(?P<place>.+)/(?P<id>[0-9A-Fa-f]{1,64})")
"""A record of an archive: "club/9efdb6eb", "s3://bucket/club/9efdb6eb"."""
_ARCHIVE: Final = "p2p-stratego archive"
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://.+")
_LOG: Final = "records/_delta_log"
"""What every archive in a folder holds."""
_HEAD: Final = 1 << 14
"""Bytes in which a record names its game and its players."""


def resolve(name: str, home: Path) -> str:
    """The file that `name` means: itself, or, if there is none, the record of the game in the home folder,
    played or watched, whose id begins with it.  Raises Sorry if several do.
    """
    if name == STDIN or os.path.lexists(name) or not _ID.fullmatch(name):
        return name
    folders = (WATCHED, GAMES)  # who watches a game of its own has it in both
    known = {path.parent.name: path for of in folders for path in home.glob(_records(of, name))}
    paths = [known[match_id] for match_id in sorted(known)]
    only_one(name, len(paths))
    return str(paths[0]) if paths else name


def genesis_in(name: str) -> Genesis | None:
    """What the players of the match in the file `name` agreed on; None if it cannot be read."""
    with suppress(OSError, Sorry, Refusal):
        return genesis.parse(Records(head(name, _HEAD)).genesis, registry.GAMES)
    return None


def is_lesson(name: str) -> bool:
    """Whether the transcript in the file `name` is of a lesson, as the files beside it tell.

    A record alone names no bots: one whose folder cannot be read is no lesson.
    """
    with suppress(OSError, Failure, Refusal):
        return is_lesson_in(Path(name).parent)
    return False


def begun(rows: Iterable[Plain]) -> dict[tuple[str, int], str]:
    """By game and number of a lesson that was left and goes on, the id of its newest match.

    `rows`: of all matches in the home folder, the newest first.
    """
    ids: dict[tuple[str, int], str] = {}
    for row in rows:
        if not (row.get("resumable") and is_lesson(row["transcript"])):
            continue
        match = genesis_in(row["transcript"])
        number = None if match is None else registry.lesson_number(row["game"], match.options)
        if number is not None:
            ids.setdefault((row["game"], number), str(row["id"]))
    return ids


def is_lesson_in(folder: Path) -> bool:
    """Whether the match kept in `folder` is a lesson.  Raises OSError and Failure if it cannot be read."""
    return TUTOR in read_route((folder / PEER).read_bytes(), str(folder / PEER)).bots.values()


def _records(folder: str, name: str) -> str:
    """The pattern of the records of all games whose id begins with `name`."""
    return f"{folder}/{name.lower()}*/{TRANSCRIPT}"


def only_one(start: str, count: int) -> None:
    """Raise Sorry if several games (`count`) have ids that begin with `start`."""
    if count > 1:
        raise Sorry(
            _(
                "The ids of {count} games begin with '{start}'. Name more of its digits.",
                count=count,
                start=start,
            ),
            Exit.USAGE,
        )


def find(names: Iterable[str], home: Path) -> list[str]:
    """The files meant by `names`: a folder stands for every transcript in it and below, in order; a record
    of an archive for all copies of its match.

    Raises Sorry for a folder that holds none.  Whether a file exists is found out when it is read.
    """
    paths: list[str] = []
    for given in names:
        name = resolve(given, home)
        if (word := _archived(name)) is not None:
            paths += _copies(word)
        elif name != STDIN and Path(name).is_dir():
            inside = sorted(_below(name))
            if not inside:
                raise Sorry(
                    _(
                        "There is no transcript (*{suffix}) in '{name}'. Name the file, or another folder.",
                        suffix=SUFFIX,
                        name=name,
                    ),
                    Exit.DATA,
                )
            paths += inside
        else:
            paths.append(name)
    return list(dict.fromkeys(paths))


def _below(folder: str) -> Iterable[str]:
    """Links to folders are not followed: they could lead around in a circle."""
    for path, _folders, files in os.walk(folder, onerror=_raise):
        yield from (os.path.join(path, file) for file in files if file.endswith(SUFFIX))


def _raise(error: OSError) -> None:
    raise error


def read(name: str) -> bytes:
    """The bytes of one file, of standard input, or of the best copy of a match in an archive.

    Raises as read_file does, and Sorry if the file is too long, or if a word means neither a file nor a game.
    """
    if (word := _archived(name)) is not None:
        return _kept(word).data
    limit = MAX_WITH_PROOFS + 1
    try:
        data = sys.stdin.buffer.read(limit) if name == STDIN else read_file(name, limit)
    except FileNotFoundError as error:
        if not name or Path(name).name != name or name.endswith(SUFFIX):
            raise
        raise Sorry(
            lambda run: _(
                "There is no file {name}, and no saved game begins with that id. See {command} for the list.",
                name=shown(name),
                command=run("games"),
            ),
            Exit.IO,
        ) from error
    if len(data) > MAX_WITH_PROOFS:
        raise Sorry(
            _("{name} is far too long to be the transcript of a game. Name another file.", name=shown(name)),
            Exit.DATA,
        )
    if not data:
        raise Sorry(
            _("{name} is empty, so it is not the transcript of a game. Name another file.", name=shown(name)),
            Exit.DATA,
        )
    return data


def head(name: str, limit: int) -> bytes:
    """The first bytes of a file, or of a record of an archive.  Raises OSError and Sorry as `read` does."""
    return read_file(name, limit) if _archived(name) is None else read(name)[:limit]


def changed(name: str) -> float:
    """When a file was last changed, in seconds since 1970; 0 where nobody knows."""
    try:
        if (word := _archived(name)) is not None:
            return float(_kept(word).changed or 0)
        return os.stat(name).st_mtime
    except (OSError, Sorry):
        return 0.0


def _archived(name: str) -> re.Match[str] | None:
    """The archive and the digits in the name of one of its records; None for any other name."""
    word = _ARCHIVED.fullmatch(name)
    if word is None or os.path.lexists(name):
        return None
    return word if _URL.fullmatch(word["place"]) or Path(word["place"], _LOG).is_dir() else None


def _kept(word: re.Match[str]) -> Record:
    """The best copy of a match in an archive.  Raises Sorry, also where the extra is not installed."""
    extras.need("archive", by=_ARCHIVE)
    from cli.archive import record_lookup

    return record_lookup.best(word["place"], word["id"])


def _copies(word: re.Match[str]) -> list[str]:
    """The names of all copies of a match in an archive.  Raises Sorry as `_kept` does."""
    extras.need("archive", by=_ARCHIVE)
    from cli.archive import record_lookup

    return [f"{word['place']}/{sha256}" for sha256 in record_lookup.copies(word["place"], word["id"])]


def judged(name: str, data: bytes) -> Report:
    """The audit of `data`, which came from the file `name`.  Raises Sorry if it is no transcript of ours."""
    with understood(name, data):
        return audit(data, registry.GAMES)


def replayed(name: str, data: bytes) -> Replayed:
    """As `judged`, with the match beside it."""
    with understood(name, data):
        return replay(data, registry.GAMES)


def shown_to_be_checked(name: str, data: bytes) -> Replayed:
    """The same for somebody who waits: that the record is checked is said, if it takes a while."""
    with announced(_("Checking the record ...")):
        return replayed(name, data)


@contextmanager
def understood(name: str, data: bytes) -> Iterator[None]:
    """Raise Sorry if `data`, the bytes of the file `name`, turn out to be no transcript that we read."""
    try:
        yield
    except NotATranscript as error:
        if history.in_notation(data) is not None:
            why = _(
                "{name} is a game record in the game's notation. Nobody signed it, so it proves",
                name=shown(name),
            )
            why += _(" nothing: name the transcript (*{suffix})", suffix=SUFFIX)
            raise Sorry(
                lambda run: _("{why}. {command} shows this one.", why=why, command=run("replay FILE")),
                Exit.DATA,
            ) from error
        problem = _("it is not the record of a game, or has lost its first line")
        why = _(
            "{name} cannot be used: {what}. Name a transcript (*{suffix})",
            name=shown(name),
            what=problem,
            suffix=SUFFIX,
        )
        raise Sorry(
            lambda run: _("{why}; {command} lists yours.", why=why, command=run("games")), Exit.DATA
        ) from error
    except Unsupported as error:
        problem = sentence(error)
        if isinstance(error.version, Edition) or isinstance(error.known, Edition):
            remedy = ""
        elif error.version is not None and error.known is not None and error.version < error.known:
            remedy = _("Only the older program that wrote it reads it.")
        else:
            remedy = _("Install the newest version of the program for it.")
        text = _("{name} cannot be read: {what} {remedy}", name=shown(name), what=problem, remedy=remedy)
        text = text.rstrip()
        raise Sorry(text, Exit.UNSUPPORTED) from error
    except Malformed as error:
        remark = _(_FOREIGN) if _is_whole(data) else _(_DAMAGED)
        why = _(str(error)).rstrip(".")
        raise Sorry(
            _("{name} cannot be used: {format}", name=shown(name), format=remark.format(why=why)), Exit.DATA
        ) from error


_FOREIGN: Final = mark(
    "its first record is whole, but not one that this version of the program writes ({why}). So another "
    "version made it, which may read it, or somebody forged it."
)
_DAMAGED: Final = mark(
    "its first record is damaged, so that not even the players are known: {why}. Ask another player of the "
    "game for a copy."
)


def _is_whole(data: bytes) -> bool:
    """Whether the first record is as it was written: its checksums fit, and it is in the canonical form."""
    try:
        decode(Records(data).genesis)
    except Refusal:
        return False
    return True


def shown(name: str) -> str:
    """`name` in a sentence."""
    return _("Standard input") if name == STDIN else f"'{name}'"


def own(home: Path, referee: Referee) -> tuple[Seat, dict[Slot, Face]] | None:
    """The seat that the owner of `home` had in this match, and all faces that it could read at its end.

    None if the match is not one of the owner's, or its secrets cannot be read.
    """
    secrets = _secrets(home, referee)
    if secrets is None:
        return None
    for seat, player in enumerate(referee.genesis.players):
        if compare_digest(player.nonce, secrets.nonce):
            return seat, Faces(referee, seat, secrets).known
    return None


def kept_by_bots(home: Path, referee: Referee) -> dict[Slot, Face]:
    """All faces that the bots of the owner of `home` could read at the end of a match, from their own homes.

    None before the match is over, none of a lesson, which can be tried again, and none where other people
    played, who see no more than the record opens.
    """
    if referee.outcome is None or referee.silent:
        return {}
    peer, known = _folder(home, referee) / PEER, {}
    with suppress(OSError, Failure, Refusal):
        levels = read_route(peer.read_bytes(), str(peer)).bots
        if len(levels) < len(referee.genesis.players) - 1 or TUTOR in levels.values():
            return {}
        for bot in (home / FOLDER).iterdir():
            _seat, faces = own(bot, referee) or (None, {})
            known.update(faces)
    return known


def _folder(home: Path, referee: Referee) -> Path:
    """The folder of a match in a home."""
    return home / GAMES / referee.genesis.id.hex()[:ID_DIGITS]


def _secrets(home: Path, referee: Referee) -> MatchSecrets | None:
    folder = _folder(home, referee)
    if folder.is_dir():
        with suppress(StorageFailure, Refusal):
            return secrets_beside(folder)
    return None
