"""Matches by post for a person: the offer and its answer in words, and the next thing to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cli.play.runner import PlaySession
from cli.reports.rows import SHOWN_ID
from cli.reports.sources import understood
from cli.shell.exit_codes import Exit, Run, Sorry
from cli.table.words import lobby_view
from cli.table.words.connection import OLD_COPY
from cli.text.layout import series
from cli.text.names import shown
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from p2p_stratego.registry import GAMES
from protocol.errors import Refusal
from protocol.failures import Blocked, Failure
from protocol.lobby.handshake import Person, Terms
from protocol.lobby.listing import ListedSeat, Listing
from protocol.post import carrying
from protocol.record import genesis
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.storage.ledger import read_ledger
from protocol.storage.match_store import PEER, POSTS, Store
from protocol.storage.route import read_route
from protocol.wire import transcript


def open_match(session: PlaySession, store: Store, clock: Callable[[], float]) -> tuple[Owner, Replica]:
    """Our player in the match in `store`, and its copy, without any link.  Closes `store` if it fails."""
    try:
        with understood(store.path, Path(store.path).read_bytes()):
            match = genesis.parse(store.genesis, GAMES)
    except Sorry:
        store.close()
        raise
    key = session.home.identity().key
    name = next((player.name for player in match.players if player.key == key), "")
    owner = Owner(session.home, session.home.identity(), name, GAMES, session.trace)
    return owner, Replica(owner, store, clock)


def owes(record: Path, key: bytes) -> bool:
    """Whether the player with `key` (32 bytes) still has posts to write in a match by post alone.

    `record`: the path of its transcript.  No store is opened or locked; False for unreadable files, of which
    another place tells.
    """
    with suppress(OSError, Failure, Refusal):
        posts, peer = record.with_name(POSTS), record.with_name(PEER)
        ledger, route = read_ledger(posts.read_bytes(), str(posts)), read_route(peer.read_bytes(), str(peer))
        if not ledger.used or route.own is not None or route.others:
            return False
        kept = transcript.read(record.read_bytes())
        players = genesis.parse(kept.genesis, GAMES).players
        seat = next((seat for seat, player in enumerate(players) if player.key == key), len(players))
        others = [other for other in range(len(players)) if other != seat and other not in route.bots]
        return bool(carrying.readers_behind(ledger, others, carrying.signed_extent(kept.frames, seat)))
    return False


def names(replica: Replica, seats: Iterable[Seat]) -> str:
    """The players of these seats, in a sentence."""
    return series([shown(replica.match.players[seat].name) for seat in seats])


def old_copy() -> str:
    """A sentence on the use of a copy that never signs again (threat 31)."""
    lost = _(
        "If that copy is lost, nobody can play your seat any more: tell the other side, which can claim the "
        "game when your time for it is over."
    )
    return f"{_(OLD_COPY)} {lost}"


def in_doubt(replica: Replica, run: Run) -> str:
    """Why our copy signs nothing, how that ends, and our player's way out if nobody answers."""
    if replica.status is Status.STALE:
        return old_copy()
    shown_id = replica.match.id.hex()[:SHOWN_ID]
    return _(
        "This copy of the game was copied or restored, or its last process was killed: another copy may have "
        "gone on. It signs nothing before the other side has taken a post of it and written one: {post} "
        "writes it. If no answer comes, and you are sure that you played this game nowhere else since, "
        "{only} lets this copy sign again at once. If you are wrong you lose the game, for then you have "
        "signed two different moves.",
        post=run(f"post {shown_id}"),
        only=run(f"post {shown_id} --only-copy"),
    )


def next_step(replica: Replica, run: Run) -> str:
    """Our player's next step, in a sentence or two."""
    shown_id = replica.match.id.hex()[:SHOWN_ID]
    if replica.status is Status.STALE:
        return old_copy()
    late = carrying.readers_due(replica)
    if replica.session.decision is not None:
        return _("It is your turn: {command}.", command=run(f"resume {shown_id}"))
    over = _("The game is over. ") if replica.finished else ""
    if late:
        return _(
            "{over}What {names} should get is not written yet: {command}.",
            over=over,
            names=names(replica, late),
            command=run(f"post {shown_id}"),
        )
    waited = replica.waited_for
    if replica.finished:
        return over.strip()
    return (
        _("The game waits for {names}.", names=names(replica, waited))
        if waited
        else _("Now a post must come.")
    )


@dataclass(frozen=True, slots=True)
class Proposal:
    """A match of two that our player is asked for: `own` is its name, and `other` plays on `seat`."""

    own: str
    terms: Terms
    other: Person
    seat: Seat


async def ask_agreement(session: PlaySession, about: Proposal, *, given: bool, quiet: bool = False) -> None:
    """Show our player who is on the other seat, and the terms, and ask whether to play.

    `given`: it has said yes on the command line; `quiet`: nothing is shown.  Raises Blocked, and Sorry if it
    does not want to play or cannot be asked.
    """
    own, terms, other = Person(session.home.identity().key, about.own), about.terms, about.other
    contacts = session.home.contacts()
    if contacts.blocked(other.key):
        raise Blocked
    places = [ListedSeat(own, "", False)] * 2
    places[about.seat] = ListedSeat(other, "", True)
    profile = terms.proofs or terms.game.needs_proofs, terms.escrow, terms.pace, terms.clock
    listing = Listing(1, terms.game, terms.game.options(terms.options), tuple(places), 0, *profile)
    view = lobby_view.view(listing, (own.key, other.key), contacts, ascii_only=session.settings.ascii)
    for line in (
        () if quiet else [*lobby_view.sentences(view)[:2], *lobby_view.arrival(view.rows[about.seat])]
    ):
        session.talk.say(line)
    if given:
        return
    if not session.interactive:
        raise Sorry(_("Nobody is there to be asked. Say --yes to play this game."), Exit.USAGE)
    if not await session.talk.confirm(_("Play this game?")):
        raise Sorry(_("You did not want to play: nothing was signed or kept."), Exit.OK)
