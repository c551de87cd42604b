"""`take`: reads posts from a file, from standard input, or as our player pastes them."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from functools import partial

from cli.play import teaching
from cli.play.arriving import by_post, introduction
from cli.play.arriving.by_post import Proposal
from cli.play.runner import PlaySession, spend
from cli.reports.describe import broke, seat_name
from cli.reports.rows import SHOWN_ID, Plain
from cli.reports.sources import STDIN
from cli.shell.exit_codes import Exit, Run, Sorry, gravest
from cli.shell.explain import explain
from cli.shell.locations import runs
from cli.shell.named_files import read_file
from cli.shell.parser import parsed
from cli.text.names import shown, unworn
from p2p_stratego.core.language import _, n_
from p2p_stratego.registry import GAMES
from protocol.audit.proof import Fault
from protocol.errors import Equivocation, Malformed, Refusal, Violation
from protocol.failures import Refused, StorageFailure
from protocol.limits import MAX_POST_TEXT
from protocol.lobby.handshake import Person, Terms
from protocol.post import carrying, form, offer
from protocol.post.carrying import PostReport
from protocol.post.form import Post, Postmark
from protocol.post.offer import Offer
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.replication.replica import Replica
from protocol.storage.home import ID_DIGITS
from protocol.storage.match_store import Store


@dataclass
class _Reading:
    """The results of the posts of one call."""

    arguments: argparse.Namespace
    run: Run
    codes: list[Exit] = field(default_factory=list)
    lines: list[Plain] = field(default_factory=list)
    turn: str = ""
    """The id of a match in which our player is to move; "" for none."""
    interactive: bool = False

    def tell(self, session: PlaySession, text: str) -> None:
        """A sentence for a person."""
        if not self.arguments.json:
            session.talk.say(text)


def run(arguments: argparse.Namespace) -> int:
    """Take the posts; then sit down at the table, if a person is there and it is their turn."""
    plain, arguments.plain = arguments.plain, True
    reading = _Reading(arguments, runs(arguments.home))
    spend(arguments, partial(_taking, reading))
    if arguments.json:
        print(json.dumps({"posts": reading.lines}))
    code = gravest(reading.codes)
    if code != Exit.OK or not (reading.turn and reading.interactive) or arguments.only or arguments.json:
        return code
    space = parsed("resume", reading.turn)
    for name in ("home", "ascii", "log", "theme"):
        setattr(space, name, getattr(arguments, name))
    space.plain = plain
    return teaching.resume(space)


async def _taking(reading: _Reading, session: PlaySession) -> None:
    arguments = reading.arguments
    reading.interactive = session.interactive and sys.stdout.isatty()
    data = await _source(reading, session)
    # Standard input was the post: no answer of a person can come from it.
    session.interactive = reading.interactive = reading.interactive and arguments.file != STDIN
    with _refusing():
        posts = list(form.posts_in(data))
    for packed in posts:
        with _refusing():
            await _take(reading, session, form.read(packed))


class _refusing:  # noqa: N801 - used as a function
    """Tell a Refusal in the block as the post's: else it would read as a fault of our own copy."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _unused: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, Refusal):
            explained = explain(error)
            text, code = explained if explained is not None else (_("It is no post."), Exit.DATA)
            raise Sorry(
                _("That post is refused, and nothing of it was kept. {text}", text=text), code
            ) from error


async def _source(reading: _Reading, session: PlaySession) -> bytes:
    """The bytes that hold the posts.  Raises OSError, and Sorry if they are too many."""
    name = reading.arguments.file
    if name is None and reading.interactive:
        return await _pasted(session)
    if name in (None, STDIN):
        data = sys.stdin.buffer.read(MAX_POST_TEXT + 1)
    else:
        data = read_file(name, MAX_POST_TEXT + 1)
    if len(data) > MAX_POST_TEXT:
        raise Sorry(_("That is longer than any post. Name another file."), Exit.DATA)
    return data


async def _pasted(session: PlaySession) -> bytes:
    """The pasted post, up to its END line."""
    session.talk.say(_("Paste the post, from its BEGIN to its END line."))
    lines: list[str] = []
    size = 0
    while size <= MAX_POST_TEXT and (line := await session.talk.line()) is not None:
        lines.append(line)
        size += len(line)
        if form.is_end(line):
            break
    return "\n".join(lines).encode()


async def _take(reading: _Reading, session: PlaySession, post: Post) -> None:
    proposed = offer.offer_in(post, GAMES)
    if proposed is not None:
        await _accept(reading, session, proposed)
        return
    mark = post.mark
    if mark is None:
        raise Malformed(_("The post is about nothing."))
    held = {saved.id for saved in session.home.games()}
    name = mark.match.hex()[:ID_DIGITS]
    if name not in held and post.genesis is not None:
        (await _begin(reading, session, post, mark)).close()
    elif name not in held:
        raise Sorry(
            _("That post is of the game {name}, which is not in this home folder.", name=name[:SHOWN_ID]),
            Exit.DATA,
        )
    _carry(reading, session, post, session.home.open(name))


async def _accept(reading: _Reading, session: PlaySession, proposed: Offer) -> None:
    """Accept an offer: ask our player, and begin the match on our side."""
    terms, host = proposed.terms, proposed.host
    if host.key == session.home.identity().key:
        raise Sorry(_("You have written that offer yourself: give it to a friend."), Exit.DATA)
    kept = session.home.offer(proposed.name)
    own = await introduction.own_name(session)
    if kept is None:
        await _ask(reading, session, Proposal(own, terms, Person(host.key, host.name), terms.seat))
    store, new = offer.accept(session.owner(own), proposed)
    name = store.name
    store.close()
    session.home.remember(host.key, unworn(host.name))
    post = reading.run(f"post {name[:SHOWN_ID]}")
    begun = _("The game is saved.") if new else _("You have taken that offer before.")
    reading.tell(session, _("{begun} {post} writes your answer.", begun=begun, post=post))
    reading.codes.append(Exit.OK)
    reading.lines.append({"offer": True, "match": name, "name": host.name, "new": new})


async def _begin(reading: _Reading, session: PlaySession, post: Post, mark: Postmark) -> Store:
    """Take the answer to an offer of ours: ask our player, and begin the match on our side."""
    match = genesis.parse(post.genesis or b"", GAMES)
    if match.id != mark.match or mark.writer >= len(match.players):
        raise Malformed(_("The post holds the genesis of another match than its own."))
    other = match.players[mark.writer]
    post.check(other.key)  # before our player is asked: anybody can write a genesis with this name in it
    key = session.home.identity().key
    own = next((player for player in match.players if player.key == key), other)
    owner = session.owner(own.name)
    try:
        kept = offer.answered_offer(owner, match)
    except Refused as error:
        raise Sorry(_("Somebody else has answered that offer before, so it is used."), Exit.DATA) from error
    if kept is None:
        raise Sorry(_("That post begins a game that you have not offered, or not lately."), Exit.DATA)
    about = Proposal(own.name, _terms(match), Person(other.key, other.name), mark.writer)
    await _ask(reading, session, about)
    session.home.remember(other.key, unworn(other.name))
    return offer.begin_match(owner, match)


def _terms(match: Genesis) -> Terms:
    return Terms(
        match.game,
        match.options,
        len(match.players),
        proofs=match.proofs,
        escrow=match.escrow,
        pace=match.pace,
        clock=match.clock,
    )


async def _ask(reading: _Reading, session: PlaySession, about: Proposal) -> None:
    """Our player's yes to a match, by the command line or now."""
    given, quiet = reading.arguments.yes, reading.arguments.json
    if quiet and not given:
        raise Sorry(_("Nobody is asked with --json. Say --yes to play this game."), Exit.USAGE)
    await by_post.ask_agreement(session, about, given=given, quiet=quiet)


def _carry(reading: _Reading, session: PlaySession, post: Post, store: Store) -> None:
    """Take a post of a match that is here."""
    mark = post.mark
    _unused, replica = by_post.open_match(session, store, time.monotonic)
    try:
        if mark is not None and mark.reader != replica.seat:
            other = (
                replica.match.players[mark.reader].name if mark.reader < len(replica.match.players) else ""
            )
            own = _(" It is your own: send it there.") if mark.writer == replica.seat else ""
            reading.tell(
                session,
                _("One of the posts is for {other}, and was not taken.{own}", other=shown(other), own=own),
            )
            reading.lines.append({"offer": False, "match": replica.match.id.hex(), "for_us": False})
            return
        took = carrying.take(replica, post)
        _report(reading, session, replica, took)
    finally:
        replica.close()


def _refused(replica: Replica, trouble: Refusal | StorageFailure | None, run: Run) -> tuple[str, Exit] | None:
    """Why a post was refused in part, and the exit code; for a proven fault, the seat and its breach."""
    explained = None if trouble is None else explain(trouble, run)
    if explained is None or not isinstance(trouble, Violation | Equivocation):
        return explained
    rule = trouble.rule if isinstance(trouble, Violation) else "equivocation"
    fault = Fault(trouble.seat, trouble.what, trouble.number, rule)
    return _("That proves a fault: {broke}.", broke=broke(replica.match, fault)), explained[1]


def _report(reading: _Reading, session: PlaySession, replica: Replica, took: PostReport) -> None:
    """Report the contents of the post, to a person or a program."""
    other = shown(replica.match.players[took.writer].name)
    brought = (
        n_("{count} new record", "{count} new records", took.records) if took.records else _("nothing new")
    )
    older = _(", and is older than one that you have taken") if took.older else ""
    reading.tell(
        session, _("The post of {other} brings {brought}{older}.", other=other, brought=brought, older=older)
    )
    refusal = _refused(replica, took.trouble, reading.run)
    if refusal is not None:
        reading.tell(session, refusal[0])
        reading.codes.append(refusal[1])
    reading.tell(session, (by_post.in_doubt if took.unsure else by_post.next_step)(replica, reading.run))
    name = replica.store.name
    turn = replica.session.decision is not None
    reading.turn = name if turn and not took.unsure else reading.turn
    reading.codes.append(Exit.OK)
    reading.lines.append(
        {
            "offer": False,
            "match": replica.match.id.hex(),
            "for_us": True,
            "seat": seat_name(replica.match, took.writer),
            "name": replica.match.players[took.writer].name,
            "serial": took.serial,
            "records": took.records,
            "older": took.older,
            "unsure": took.unsure,
            "trouble": None if refusal is None else refusal[0],
            "your_turn": turn,
            "to_write": [seat_name(replica.match, seat) for seat in carrying.readers_due(replica)],
            "finished": replica.finished,
        }
    )
