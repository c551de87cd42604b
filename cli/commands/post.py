"""`post`: writes the records that another player lacks, or the offer of a new match, for any carrier.

The post alone goes to standard output, as text for a mail; remarks go to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from functools import partial
from pathlib import Path

from cli.games import options as game_options
from cli.play.arriving import by_post, introduction
from cli.play.runner import PlaySession, spend
from cli.reports.describe import seat_name
from cli.reports.own_games import waiting
from cli.reports.rows import Plain
from cli.reports.sources import STDIN, only_one
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate, runs
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, n_
from protocol.limits import POST_AS_TEXT
from protocol.post import carrying, form, offer
from protocol.post.carrying import WrittenPost
from protocol.replication.replica import Replica, Status


def run(arguments: argparse.Namespace) -> int:
    """Write the post."""
    if not locate(arguments.home).exists() and arguments.title is None:
        raise Sorry(
            lambda tell: _("There are no games here. {tell} begins one.", tell=tell("post --new GAME")),
            Exit.IO,
        )
    arguments.plain = True
    plan = _offering if arguments.title is not None else _writing
    return spend(arguments, partial(plan, arguments))


async def _offering(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Offer a new match of two."""
    if arguments.match is not None or arguments.to is not None or arguments.all or arguments.only_copy:
        raise Sorry(
            _("--new begins a game, so it goes with neither GAME, --to, --all nor --only-copy."), Exit.USAGE
        )
    terms = game_options.at_table(arguments)
    session.interactive = session.interactive and sys.stdout.isatty()
    owner = session.owner(await introduction.own_name(session))
    data = offer.make(owner, terms)
    line: Plain = {"offer": True, "game": terms.game.name, "bytes": len(data)}
    _give(arguments, [data], {**line, **_where(arguments, data)})
    _remark(
        _(
            "Give this to the one whom you want to play with, who takes it with take. The first "
            "answer that you "
            "take begins the game; nobody else can use the offer then."
        )
    )


async def _writing(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Write the records that the others of a match lack."""
    tell = runs(arguments.home)
    there = session.interactive and sys.stdout.isatty() and not arguments.json
    session.interactive = False
    offers = [
        name for name in session.home.open_offers() if name.startswith((arguments.match or "-").lower())
    ]
    if len(offers) == 1 and not any(
        saved.id.startswith(arguments.match.lower()) for saved in session.home.games()
    ):
        data = offer.repeated_offer(session.owner(""), offers[0])
        _give(arguments, [data], {"offer": True, "bytes": len(data), **_where(arguments, data)})
        _remark(_("This is your offer again: it begins one game only, however often you give it away."))
        return
    store = session.home.open(_chosen(arguments, session))
    owner, replica = by_post.open_match(session, store, time.monotonic)
    try:
        readers = _readers(replica, arguments.to)
        if len(readers) > 1 and arguments.output is not None:
            raise Sorry(_("A file holds one post: say for whom with --to."), Exit.USAGE)
        if arguments.only_copy:
            await _vouch(session, replica, there=there, given=arguments.yes)
        posts = [carrying.write(replica, owner, seat, time.time(), whole=arguments.all) for seat in readers]
        _require_short(arguments, posts)
        summary = {
            "offer": False,
            "match": replica.match.id.hex(),
            "posts": [
                {
                    "seat": seat_name(replica.match, post.reader),
                    "name": replica.match.players[post.reader].name,
                    "serial": post.serial,
                    "records": post.records,
                    "bytes": len(post.data),
                    **_where(arguments, post.data),
                }
                for post in posts
            ],
            "unsure": posts[0].unsure,
            "your_turn": replica.session.decision is not None,
        }
        _give(arguments, [post.data for post in posts], summary)
        for post in posts:
            _remark(_held(post, shown(replica.match.players[post.reader].name)))
        _remark((by_post.in_doubt if posts[0].unsure else by_post.next_step)(replica, tell))
    finally:
        replica.close()


async def _vouch(session: PlaySession, replica: Replica, *, there: bool, given: bool) -> None:
    """Let a copy in doubt sign again, on the word of our player that no other copy has gone on.

    `there`: whether our player can be asked; `given`: it has said yes on the command line.  Raises Sorry
    without a yes, and for a copy that is known to be old: no word lets an old copy sign.
    """
    store = replica.store
    if replica.status is not Status.STALE and not carrying.is_sure(store, store.ledger):
        if not (given or there):
            raise Sorry(
                _(
                    "Nobody is there to be asked. Say --yes, too, if you are sure that you played this game "
                    "nowhere else since this copy was made."
                )
            )
        if not given:
            session.talk.say(
                _(
                    "If you played this game anywhere else since this copy was made, you lose it now: your "
                    "signature would stand under two different moves."
                )
            )
        if not given and not await session.talk.confirm(_("Are you sure that you did not?")):
            raise Sorry(_("This copy signs nothing, as before."), Exit.OK)
        carrying.vouch(replica)
    if replica.status is Status.STALE:
        raise Sorry(_("--only-copy changes nothing here. {why}", why=by_post.old_copy()))


def _held(post: WrittenPost, other: str) -> str:
    """The contents of a post to `other`.  A post without records can still answer a copy in doubt."""
    if post.unsure and not post.records:
        return _(
            "For {other}: this post carries no move yet. It asks for an answer, which shows whether this "
            "copy is the newest.",
            other=other,
        )
    if post.records:
        return _(
            "For {other}: {counted}, {counted2}.",
            other=other,
            counted=n_("{count} record", "{count} records", post.records),
            counted2=n_("{count} byte", "{count} bytes", len(post.data)),
        )
    return _(
        "Nothing new for {other}: this post is of use only if a copy there waits for an answer.", other=other
    )


def _chosen(arguments: argparse.Namespace, session: PlaySession) -> str:
    """The id of the named match, or of the only match that goes on, or has posts to write."""
    if arguments.match is not None:
        only_one(
            arguments.match,
            sum(saved.id.startswith(arguments.match.lower()) for saved in session.home.games()),
        )
        return session.home.find(arguments.match)
    key = session.home.identity().key
    rows = waiting(
        session.home.path,
        interactive=False,
        command="post",
        besides=lambda row: not row["watched"] and by_post.owes(Path(row["transcript"]), key),
    )
    return str(rows[0]["id"])


def _readers(replica: Replica, wanted: str | None) -> list[Seat]:
    """The seats to write to.  Raises Sorry for a seat of our player or of a bot."""
    match = replica.match
    people = [s for s in range(len(match.players)) if s != replica.seat and s not in replica.route.bots]
    if wanted is None and people:
        return people
    for seat in people:
        if wanted is not None and wanted.strip().lower() in (match.seat_names[seat].lower(), str(seat + 1)):
            return [seat]
    others = ", ".join(match.seat_names[seat] for seat in people)
    if not people:
        raise Sorry(_("Only bots play with you in that game: nobody needs a post."), Exit.USAGE)
    raise Sorry(
        _("{wanted!r} is no other player's seat: {others}.", wanted=escape(str(wanted)), others=others),
        Exit.USAGE,
    )


def _require_short(arguments: argparse.Namespace, posts: list[WrittenPost]) -> None:
    """Raise Sorry if a post is too long for a mail's text."""
    if arguments.output is None and any(len(post.data) > POST_AS_TEXT for post in posts):
        raise Sorry(
            _("The post is too long to be pasted: write it to a file with -o FILE, and send that."),
            Exit.USAGE,
        )


def _where(arguments: argparse.Namespace, data: bytes) -> Plain:
    """The place of the post, for `--json`."""
    return {"text": form.text(data)} if arguments.output is None else {"file": arguments.output}


def _give(arguments: argparse.Namespace, posts: list[bytes], summary: Plain) -> None:
    """Write the posts to the place that the arguments name."""
    if arguments.output == STDIN:
        sys.stdout.buffer.write(b"".join(posts))
        sys.stdout.flush()
        return
    if arguments.output is not None:
        _save(Path(arguments.output), posts[0])
    if arguments.json:
        print(json.dumps(summary))
    elif arguments.output is None:
        print("\n".join(map(form.text, posts)), end="", flush=True)
    else:
        print(escape(arguments.output))


def _save(path: Path, data: bytes) -> None:
    """Write a file anew: readable for its owner alone, and whole or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    os.replace(fresh, path)


def _remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
