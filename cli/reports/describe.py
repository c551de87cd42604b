"""A match and its audit in words and as plain data: pure functions, from values to values.

The plain data are what `--json` prints: docs/json.md lists every key.  Names come from the other side and
pass `cli.text.sanitize` before they stand in a sentence; plain data keep them: JSON quotes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal, TypeAlias

from cli.reports import clocks, endings
from cli.reports.endings import Left
from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import rules
from cli.text.layout import series
from cli.text.names import person, shown
from cli.text.sanitize import cells, escape
from p2p_stratego.core.entry import Unfolder
from p2p_stratego.core.game import Game, Outcome, Seat, Version
from p2p_stratego.core.language import _, mark, n_, number
from p2p_stratego.core.narration import OUTSIDE_THE_RULES, Narration, either, listed
from p2p_stratego.registry import ENTRIES
from protocol.audit.comparison import Comparison
from protocol.audit.proof import Fault
from protocol.audit.verdict import Checks, Due, Report, Verdict
from protocol.crypto.keys import fingerprint
from protocol.errors import RULES
from protocol.record.asks.registry import KINDS
from protocol.record.genesis import Genesis
from protocol.record.pace import Pace
from protocol.wire.labels import PROTOCOL_VERSION

FOLDER: Final = "bots"
"""In a home folder: a home folder for each of its bots, by level."""


ComparisonVerdict: TypeAlias = Literal["agree", "together", "cheated", "equivocated", "differ", "failed"]
"""The verdicts on several copies of a match; `failed`: a bug in this program, and no verdict."""
FEW: Final = 2
"""Players without whom, one gone, no game goes on."""


def narration(genesis: Genesis) -> Narration:
    """The words of the match's game."""
    return ENTRIES[genesis.game.name].narration.load()


def unfolder(genesis: Genesis) -> Unfolder | None:
    """The teller of open steps of the match's game, if it has one."""
    reference = ENTRIES[genesis.game.name].unfolding
    return None if reference is None else reference.load()


def seat_name(genesis: Genesis, seat: Seat) -> str:
    """What the game calls a seat: "red"."""
    return genesis.seat_names[seat]


def seat_and_player(genesis: Genesis, seat: Seat) -> str:
    """A seat and its player in a sentence: "red, Ann [7F3K-…]"."""
    player = genesis.players[seat]
    return f"{_(seat_name(genesis, seat))}, {person(player.name, fingerprint(player.key))}"


def winner(genesis: Genesis, outcome: Outcome) -> str | None:
    """The winning seat's name; of several, with a + between them; None for a draw."""
    return "+".join(seat_name(genesis, seat) for seat in sorted(outcome.winners)) or None


def ending(genesis: Genesis, outcome: Outcome, names: Sequence[str], left: Left) -> str:
    """How a game ended, in sentences, and who had left before; `names`: by seat, escaped."""
    if outcome.reason == "unresponsive" and outcome.winners:
        return endings.claimed(outcome, left, names)
    gone = endings.departures(outcome, left, names.__getitem__)
    if outcome.reason == "unresponsive" and left.keyless is not None:
        player = names[left.keyless]
        missing = _("Nobody wins: without the key of {player} no card can be drawn.", player=player)
        return f"{missing} {gone}." if gone else missing
    if gone and outcome.reason == "agreed-draw":
        away = {*left.resigned, *left.taken_out}
        stayed = series([name for seat, name in enumerate(names) if seat not in away])
        return _("A draw, as {stayed} agreed. {gone}.", stayed=stayed, gone=gone)
    ending = narration(genesis).ending(outcome, names)
    return f"{ending} {gone}." if gone else ending


def ended(genesis: Genesis, outcome: Outcome, left: Left) -> str:
    """How a game ended, and who had left, without the last full stop: "red, Ann [7F3K-…], has won (the flag
    was taken)".
    """
    return endings.series_of([*_how(genesis, outcome, left)])


def _how(genesis: Genesis, outcome: Outcome, left: Left) -> Iterable[str]:
    return endings.ended(
        genesis, outcome, left, reason(genesis, outcome), lambda seat: seat_and_player(genesis, seat)
    )


def reason(genesis: Genesis, outcome: Outcome) -> str:
    """Why a game ended, in a few words."""
    outside = OUTSIDE_THE_RULES.get(outcome.reason)
    return _(outside.short) if outside else escape(narration(genesis).reason(outcome.reason))


def waits_for(report: Report) -> str:
    """The seat and message that an unfinished match waits for, as a clause."""
    genesis, owed = report.genesis, report.owed
    silent = [seat for seat in range(len(genesis.players)) if seat not in report.agreed]
    if silent:
        return _("{who} has not agreed to the match yet", who=seat_and_player(genesis, silent[0]))
    if not report.waited_for:
        return _("nobody owes anything")
    owed_words = _("the opening of what it has kept closed")
    if owed is not None:
        owed_words = _("what it lays face down") if owed.lays else _(KINDS[owed.message].words)
    return listed(
        [
            _("{who} owes {what}", who=seat_and_player(genesis, seat), what=owed_words)
            for seat in report.waited_for
        ]
    )


def broke(genesis: Genesis, fault: Fault) -> str:
    """The seat at fault, its breach and the place, as a clause."""
    place = (
        _("entry {number}", number=fault.number)
        if fault.what == "entry"
        else _("statement {number}", number=fault.number)
    )
    if fault.rule == "equivocation":
        return _(
            "{who} signed two different versions of {place}",
            who=seat_and_player(genesis, fault.seat),
            place=place,
        )
    meaning = _(RULES.get(fault.rule, "")) or escape(narration(genesis).breach(fault.rule))
    return _(
        "{who} broke the rules in {place}: {meaning}",
        who=seat_and_player(genesis, fault.seat),
        place=place,
        meaning=meaning,
    )


def edition(version: Version) -> Plain:
    """The rules, and the package that brings them if this program does not."""
    if isinstance(version, int):
        return {"rules_version": version}
    source = {"package": version.package, "rules": version.digest.hex()}
    return {"rules_version": version.number, "source": source}


def match(genesis: Genesis) -> Plain:
    """The terms that were agreed before the first move."""
    return {
        "id": genesis.id.hex(),
        "game": genesis.game.name,
        **edition(genesis.game.version),
        "protocol_version": PROTOCOL_VERSION,
        "options": dict(genesis.options),
        "proofs": genesis.proofs,
        "escrow": genesis.escrow,
        "pace": genesis.pace.name.lower(),
        "clock": clocks.as_json(genesis.clock),
        "takebacks": genesis.takebacks,
        "players": [
            {
                "seat": seat_name(genesis, seat),
                "name": player.name,
                "key": player.key.hex(),
                "fingerprint": fingerprint(player.key),
            }
            for seat, player in enumerate(genesis.players)
        ],
    }


PACES: Final = {
    Pace.LIVE: (),
    Pace.HOUR: (mark("an hour for each decision"),),
    Pace.DAY: (mark("a day for each decision"),),
    Pace.WEEK: (mark("a week for each decision"),),
}
"""What a pace other than live means for the players, as clauses."""


def profile(game: Game[Any], seats: int, *, proofs: bool, escrow: int) -> list[str]:
    """How honesty is shown, and what becomes of a game with decks if a player vanishes, a clause each.

    None for a match in which salted hashes hide.
    """
    clauses = [_("every step is proved when it is made")] if proofs or game.needs_proofs else []
    if escrow:
        clauses.append(
            _(
                "any {escrow} of the others together can open the cards of a player who vanishes, "
                "and could read them in secret before",
                escrow=escrow,
            )
        )
    elif game.needs_proofs and seats > FEW:
        clauses.append(_("if a player vanishes for good, the game ends there"))
    return clauses


def agreed_profile(genesis: Genesis) -> list[str]:
    """The same of a match."""
    return profile(genesis.game, len(genesis.players), proofs=genesis.proofs, escrow=genesis.escrow)


def result(genesis: Genesis, outcome: Outcome | None) -> Plain:
    """How a match ended; all None while it has not."""
    if outcome is None:
        return {"winner": None, "winners": None, "reason": None}
    return {
        "winner": winner(genesis, outcome),
        "winners": [seat_name(genesis, seat) for seat in sorted(outcome.winners)],
        "reason": outcome.reason,
    }


def owed(genesis: Genesis, due: Due | None) -> Plain | None:
    """The next message, and the seat that owes it."""
    return None if due is None else {"seat": seat_name(genesis, due.seat), "message": due.message.__name__}


def unsettled(report: Report) -> list[str]:
    """The seats that owe a REVEAL, now that play is over."""
    return [seat_name(report.genesis, seat) for seat in report.unsettled]


def fault(genesis: Genesis, proven: Fault | None) -> Plain | None:
    """The seat at fault, its breach and the place."""
    if proven is None:
        return None
    return {
        "seat": seat_name(genesis, proven.seat),
        "what": proven.what,
        "number": proven.number,
        "rule": proven.rule,
    }


def audited(report: Report) -> Plain:
    """An audit's whole result."""
    genesis = report.genesis
    return {
        "verdict": report.verdict.value,
        **result(genesis, report.outcome),
        **match(genesis),
        "entries": report.checks.entries,
        "bytes": report.size,
        "owed": owed(genesis, report.owed),
        "unsettled": unsettled(report),
        "never_settled": [seat_name(genesis, seat) for seat in report.never_settled],
        "silent": [seat_name(genesis, seat) for seat in report.silent],
        "keyless": None if report.keyless is None else seat_name(genesis, report.keyless),
        "resigned": [seat_name(genesis, seat) for seat in report.resigned],
        "taken_out": [seat_name(genesis, seat) for seat in report.taken_out],
        "out_of_time": [seat_name(genesis, seat) for seat in report.out_of_time],
        "contested": [seat_name(genesis, seat) for seat in report.contested],
        "fault": fault(genesis, report.fault),
        "problem": report.problem,
        "at_record": report.at,
        "torn": report.torn,
        "checks": asdict(report.checks),
    }


def come_to(result: Comparison) -> tuple[ComparisonVerdict, Exit]:
    """The name of a comparison's verdict, and its exit code."""
    if result.fault is not None:
        equivocated = result.fault.rule == "equivocation"
        return ("equivocated", Exit.EQUIVOCATED) if equivocated else ("cheated", Exit.CHEATED)
    if result.agree:
        return "agree", Exit.OK
    if result.whole is None or result.whole.verdict is Verdict.TAMPERED:
        return "differ", Exit.TAMPERED
    return "together", Exit(result.whole.exit_code)


def verdict(report: Report) -> str:
    """The verdict and its meaning, in sentences."""
    genesis = report.genesis
    sentences: list[str]
    if report.fault is not None:
        sentences = [broke(genesis, report.fault)]
    elif report.problem is not None:
        wrong = _(
            "after record {at} something is wrong, and nobody can be blamed for it: {problem}",
            at=report.at,
            problem=escape(_(report.problem)),
        )
        sentences = [wrong]
    elif report.outcome is not None:
        sentences = [*_how(genesis, report.outcome, report)]
    else:
        stopped = n_(
            "the game stopped after {count} entry: {waits_for}",
            "the game stopped after {count} entries: {waits_for}",
            report.checks.entries,
            waits_for=waits_for(report),
        )
        gone = endings.gone(report, lambda seat: seat_and_player(genesis, seat))
        sentences = [stopped, *[gone] * bool(gone)]
    sentences += [practice(report.checks.takebacks)] * bool(report.checks.takebacks)
    if report.fault is None and report.problem is None:
        sentences += endings.left_open(report, lambda seat: seat_and_player(genesis, seat))
    return f"{_(report.verdict.value)}: {endings.series_of(sentences)}."


def is_complete(sentences: str) -> bool:
    """Whether the sentences of `verdict` are those of a match that was played to its end, all in order."""
    return sentences.startswith(f"{_(Verdict.COMPLETE.value)}:")


def practice(takebacks: int) -> str:
    """What so many decisions taken back make of a game, as a clause; 0: a hint was shown."""
    if not takebacks:
        return _("a hint was shown, so this game is practice and counts for no statistics")
    return n_(
        "{count} decision was taken back, so this game is practice and counts for no statistics",
        "{count} decisions were taken back, so this game is practice and counts for no statistics",
        takebacks,
    )


def kept_by_bots(names: Sequence[str]) -> str:
    """Where faces come from that the bots with these names kept hidden, and the record does not open."""
    return n_(
        "The board also shows what {names} kept hidden, from its own notes on this computer: the record does"
        " not prove it.",
        "The board also shows what {names} kept hidden, from their own notes on this computer: the record"
        " does not prove it.",
        len(names),
        names=series(names),
    )


def labelled(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Rows with their labels, which are translated here, in a column."""
    translated = [(_(label), text) for label, text in rows]
    wide = max(12, *(cells(label) + 1 for label, _text in translated)) if translated else 0
    return [f"{label}{' ' * (wide - cells(label))}{text}" for label, text in translated]


def roster(report: Report) -> Iterable[tuple[str, str]]:
    """Every check, and its result."""
    checks, seats = report.checks, len(report.genesis.players)
    torn = _("; an incomplete last record, as a crash leaves it, was passed over") if report.torn else ""
    yield (
        "file",
        _(
            "{size} bytes, the records in them whole by their checksums{torn}",
            size=number(report.size),
            torn=torn,
        ),
    )
    yield "genesis", _("keys of {seats} players valid and different; versions and options known", seats=seats)
    yield "consent", _("{count} of {seats} seats signed it", count=len(report.agreed), seats=seats)
    yield "chain", _("{entries} entries, each naming the hash of the one before", entries=checks.entries)
    signatures = (
        _(
            "{signatures} verified; the last words of every seat endorse the other {endorsed} records by "
            "their hashes",
            signatures=checks.signatures,
            endorsed=checks.endorsed,
        )
        if checks.endorsed
        else _("{signatures} verified, one by one", signatures=checks.signatures)
    )
    yield "signatures", signatures
    yield "turns", _("each entry from the seat that owed it, of the kind that was owed")
    yield (
        "choices",
        _(
            "{counted}, each among those that the rules offered",
            counted=n_("{count} decision", "{count} decisions", checks.decisions),
        ),
    )
    if checks.takebacks:
        yield "takebacks", practice(checks.takebacks)
    commitments = (
        _("{laid} laid, {opened} opened and right, {closed} closed for ever", **_counted(checks))
        if _is_final(report)
        else _("{laid} laid, {opened} opened and right, {closed} still closed", **_counted(checks))
    )
    yield "commitments", commitments
    yield from _hidden(checks, proofs=report.genesis.proofs)
    yield (
        "chance",
        _(
            "{counted}, from shares that everybody had committed to",
            counted=n_("{count} roll", "{count} rolls", checks.rolls),
        ),
    )
    yield "end", _("signed by {ends} of {seats} seats", ends=checks.ends, seats=seats)


def _counted(checks: Checks) -> dict[str, int]:
    return {"laid": checks.laid, "opened": checks.opened, "closed": checks.closed}


def _hidden(checks: Checks, *, proofs: bool) -> Iterable[tuple[str, str]]:
    """What was shown and claimed of hidden things, by the profile of the match."""
    if checks.looks and not proofs:
        yield (
            "looks",
            _(
                "{counted} sealed to one player, whose program checked it",
                counted=n_("{count} opening", "{count} openings", checks.looks),
            ),
        )
    if checks.claims and not proofs:
        mixed = _(", {mixes} of them about what was mixed", mixes=checks.mixes) if checks.mixes else ""
        yield (
            "claims",
            _(
                "{counted}{mixed}; {settled} shown to be true",
                counted=n_("{count} claim", "{count} claims", checks.claims),
                mixed=mixed,
                settled=checks.settled,
            ),
        )
    if proofs:
        parts = (
            (checks.shuffles, n_("{count} shuffle", "{count} shuffles", checks.shuffles)),
            (checks.mixes, n_("{count} mixing", "{count} mixings", checks.mixes)),
            (checks.claims, n_("{count} claim", "{count} claims", checks.claims)),
        )
        about = [
            _(
                "{counted} shown or given to one player",
                counted=n_("{count} card", "{count} cards", checks.looks),
            )
        ] * bool(checks.looks)
        about += [clause for number, clause in parts if number]
        yield "cards", series(about) if about else _("none but those that were laid and opened")
        checked = (
            _("all {proven} checked in this audit", proven=checks.proven)
            if checks.proven or not checks.proofs
            else _(
                "{proofs}, checked by every seat, as all signed the end; --every-proof checks them",
                proofs=checks.proofs,
            )
        )
        yield "proofs", checked


def _is_final(report: Report) -> bool:
    """Whether nothing can be opened any more: an end is settled, while a claim can be answered."""
    return report.fault is not None or report.verdict is Verdict.COMPLETE


def heading(genesis: Genesis) -> Iterable[tuple[str, str]]:
    """The agreed terms, line by line."""
    entry = ENTRIES[genesis.game.name]
    agreed = "; ".join(entry.narration.load().options(genesis.options, len(genesis.players)))
    yield "game", f"{entry.title}, {rules(genesis.game.version)}" + (f": {agreed}" if agreed else "")
    profile = "; ".join(agreed_profile(genesis))
    if profile:
        yield "proofs", profile
    for clause in PACES[genesis.pace]:
        yield "pace", _(clause)
    if genesis.clock is not None:
        yield "clock", clocks.clause(genesis.clock)
    yield "match", genesis.id.hex()
    for seat, player in enumerate(genesis.players):
        yield seat_name(genesis, seat), person(player.name, fingerprint(player.key))


def has_page(genesis: Genesis) -> bool:
    """Whether a page of HTML can show and check a match of this kind."""
    return ENTRIES[genesis.game.name].page


_MOST_TYPED: Final = 40
"""Cells of a typed name."""


def seats_named(genesis: Genesis, wanted: str | None) -> list[Seat]:
    """The seats whose decisions are told: all, or the seat of that name.  Raises Sorry."""
    every = range(len(genesis.players))
    if wanted is None:
        return list(every)
    names = [seat_name(genesis, seat) for seat in every]
    players = [player.name for player in genesis.players]
    for known in (names, players):
        named = [seat for seat in every if known[seat].casefold() == wanted.casefold()]
        if len(named) == 1:
            return named
        if named:
            raise Sorry(
                _(
                    "Several players of this match are called {name}. Name a seat: {seats}.",
                    name=escape(wanted, _MOST_TYPED),
                    seats=either(names),
                ),
                Exit.USAGE,
            )
    raise Sorry(
        _(
            "Nobody in this match is called {name}. Its seats are {seats}, its players {players}.",
            name=escape(wanted, _MOST_TYPED),
            seats=series(names),
            players=series([shown(name) for name in players]),
        ),
        Exit.USAGE,
    )
