"""The page's own words: labels by name, in the reader's language; fields in braces are filled on the page.

`cli/page/view/words.mjs` fills them; a label is text there, never markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from p2p_stratego.conquest.formats.words import named
from p2p_stratego.conquest.rules import act
from p2p_stratego.conquest.rules.pieces import FACES
from p2p_stratego.core.language import _, mark
from p2p_stratego.registry import ENTRIES
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules import act as spies_act
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, SEA_NAMES
from p2p_stratego.spies.rules.counters import COUSIN, SECRET_NAME, STRENGTHS, spy_names
from p2p_stratego.spies_and_lies.rules import checks
from p2p_stratego.spies_and_lies.rules.components import RANKS, title
from p2p_stratego.stratego.rules import movement
from protocol.errors import RULES

_COMMON: Final = {
    "list.between": mark(", "),
    "list.last": mark(" and "),
    "none": mark("none"),
    "board": mark("Board"),
    "board.label": mark("The board. {where}."),
    "board.words": mark("The board in words"),
    "timeline": mark("Place in the game"),
    "step": mark("This step"),
    "step.of": mark("step {at} of {count}"),
    "controls": mark("Going through the game"),
    "action.first": mark("To the beginning"),
    "action.event back": mark("Back to the last event"),
    "action.back": mark("One step back"),
    "action.toggle": mark("Play"),
    "action.pause": mark("Pause"),
    "action.next": mark("One step on"),
    "action.event": mark("On to the next event"),
    "action.last": mark("To the end"),
    "action.turn": mark("Turn the board"),
    "action.theme": mark("Light or dark"),
    "action.save": mark("Save the record, to check it elsewhere"),
    "action.print": mark("Print"),
    "action.help": mark("Keys and signs"),
    "speed": mark("Speed"),
    "view": mark("Whose eyes"),
    "view.all": mark("All open"),
    "view.nobody": mark("Spectator"),
    "history": mark("What happened"),
    "history.said": mark("Beside the game:"),
    "history.source": mark(
        "These sentences were written by the program that made this page. The board and the check come from "
        "the signed record itself."
    ),
    "mistakes": mark("Learn from your mistakes"),
    "mistakes.about": mark(
        "The costliest decisions of {player}, to be tried again. {bot} judged them when this page was made, "
        "by what {player} knew then; they are no part of the check."
    ),
    "mistakes.answer": mark("Your answer"),
    "mistakes.choose": mark("What would you do now?"),
    "mistakes.board": mark("Show the board of then"),
    "mistakes.best": mark("What the bot does"),
    "close": mark("Close"),
    "help": mark("Keys and signs"),
    "help.step": mark("a step on, a step back; on a touch screen, swipe over the board"),
    "help.event": mark("the next event, the one before"),
    "key.ends": mark("Home End"),
    "help.ends": mark("beginning and end"),
    "help.play": mark("play and pause"),
    "help.speed": mark("faster and slower"),
    "help.views": mark("the eyes of {names}; all open; spectator"),
    "help.turn": mark("turn the board"),
    "help.help": mark("this sheet"),
    "legend": mark("Signs"),
    "banner.over": mark("The end"),
    "strip.won": mark("won"),
    "fact.match": mark("Match"),
    "fact.options": mark("Options"),
    "made": mark("Made by {program}. This page loads nothing and sends nothing."),
}
_CHECK: Final = {
    "headline.won": mark("{winner} beat {loser}"),
    "headline.won.many": mark("{winner} won against {loser}"),
    "headline.drew": mark("{player} and {other} drew"),
    "headline.drew.many": mark("{all}: a draw"),
    "headline.played": mark("{player} against {other}"),
    "headline.played.many": mark("A game of {all}"),
    "check": mark("The check on this page"),
    "about": mark("About this check"),
    "about.running": mark(
        "This page holds the whole signed record of the game. Its own program is checking the encoding, "
        "keys, signatures, the chain of entries, all that was laid face down, what chance decided, and every "
        "move by the rules of the game. It needs no network."
    ),
    "about.done": mark(
        "This page holds the whole signed record of the game. Its own program has just checked the encoding, "
        "keys, signatures, the chain of entries, all that was laid face down, what chance decided, and every "
        "move by the rules of the game. It needs no network."
    ),
    "about.words": mark(
        "Names, result, verdict and board are those of the record. The sentences of the history were put in "
        "by the program that made this page, and are not checked here."
    ),
    "about.doubt": mark(
        "A page can be altered like any file. Who must be sure saves the record with the button above and "
        "audits it with a program of their own: p2p-stratego audit FILE."
    ),
    "check.file": mark("file"),
    "check.genesis": mark("genesis"),
    "check.consent": mark("consent"),
    "check.chain": mark("chain"),
    "check.signatures": mark("signatures"),
    "check.turns": mark("turns"),
    "check.choices": mark("choices"),
    "check.commitments": mark("commitments"),
    "check.claims": mark("claims"),
    "check.proofs": mark("proofs"),
    "check.chance": mark("chance"),
    "check.rules": mark("rules"),
    "check.end": mark("end"),
    "detail.file": mark("{size} bytes, the records in them whole by their checksums"),
    "detail.file.torn": mark(
        "{size} bytes, the records in them whole by their checksums; an incomplete last record, as a crash "
        "leaves it, was passed over"
    ),
    "detail.genesis": mark("keys of {seats} players valid and different; versions and options known"),
    "detail.consent": mark("{agreed} of {seats} seats signed it"),
    "detail.chain": mark("{entries} entries, each naming the hash of the one before"),
    "detail.signatures": mark("{signatures} verified, one by one"),
    "detail.signatures.endorsed": mark(
        "{signatures} verified; the last words of every seat endorse the other {endorsed} records by their "
        "hashes"
    ),
    "detail.turns": mark("each entry from the seat that owed it, of the kind that was owed"),
    "detail.choices": mark("{decisions} decisions, each among those that the rules offered"),
    "detail.choices.one": mark("1 decision, among those that the rules offered"),
    "detail.commitments": mark("{laid} laid, {opened} opened and right, {closed} still closed"),
    "detail.commitments.final": mark("{laid} laid, {opened} opened and right, {closed} closed for ever"),
    "detail.claims": mark("{claims} claims; {settled} shown to be true"),
    "detail.claims.one": mark("1 claim; {settled} shown to be true"),
    "detail.proofs": mark("{proofs} proofs about cards, each of them checked here"),
    "detail.proofs.endorsed": mark(
        "{proofs} proofs about cards: every player has checked them, and has signed the end"
    ),
    "detail.chance": mark("{rolls} rolls, from shares that everybody had committed to"),
    "detail.chance.one": mark("1 roll, from shares that everybody had committed to"),
    "detail.rules": mark("the game was played again by its rules, move by move"),
    "detail.end": mark("signed by {ends} of {seats} seats"),
    "practice": mark(
        "{takebacks} decisions were taken back, so this game is practice and counts for no statistics."
    ),
    "practice.one": mark("1 decision was taken back, so this game is practice and counts for no statistics."),
    "state.passed": mark("passed:"),
    "state.failed": mark("failed:"),
    "state.open": mark("not checked:"),
    "badge.running": mark("Checking: {share} %"),
    "badge.complete": mark("Checked: complete"),
    "badge.incomplete": mark("Checked: incomplete"),
    "badge.unresponsive": mark("Checked: unresponsive"),
    "badge.cheated": mark("Checked: cheated"),
    "badge.equivocated": mark("Checked: equivocated"),
    "badge.refused": mark("Refused"),
    "verdict.complete": mark("complete: the game was played to its end, and honestly."),
    "verdict.incomplete": mark("incomplete: the game stopped early, nobody is at fault."),
    "verdict.cheated": mark("cheated: somebody broke the rules of the game or of the protocol."),
    "verdict.equivocated": mark("equivocated: somebody signed two versions of the same thing."),
    "verdict.unresponsive": mark("unresponsive: somebody stopped answering, as the others say."),
    "verdict.tampered": mark("tampered: the record is damaged or forged, and nobody can be blamed for it."),
    "verdict.unsupported": mark(
        "This page has no rules for that game or version: use the program to audit it."
    ),
    "verdict.failed": mark(
        "The check of this page has an error of its own: use the program to audit the record."
    ),
    "verdict.unreadable": mark("This is not the record of a game."),
    "outcome.won": mark("{name} has won."),
    "outcome.won.many": mark("{name} have won."),
    "outcome.draw": mark("It is a draw."),
    "fault": mark("The fault lies with {name}, at {place}: {rule}."),
    "place.entry": mark("entry {number}"),
    "place.statement": mark("statement {number}"),
    "rule.equivocation": mark("two different versions of it are signed"),
    "detail.failed": mark("record {number} of this file is wrong, and nobody can be blamed for it"),
    "refused": mark("This page is refused"),
    "refused.changed": mark(
        "The record in this page was changed after the page was made. So nothing of it is shown. Ask whoever "
        "sent it for another copy."
    ),
    "refused.failed": mark(
        "The check of this page has an error of its own. So nothing of it is shown. Save the record and "
        "audit it with the program."
    ),
    "refused.tampered": mark(
        "The record in this page does not hold: it is damaged or forged. So nothing of it is shown. Ask "
        "whoever sent it for another copy."
    ),
    "refused.other": mark(
        "The record in this page has another result than the page says. So nothing of it is shown. Ask "
        "whoever sent it for another copy."
    ),
    "refused.words": mark(
        "The sentences in this page do not belong to its record. So nothing of it is shown. Ask whoever sent "
        "it for another copy."
    ),
    "another": mark("Choose another record (*.p2ps) to check it here, or drop it on this page."),
    "another.long": mark("This file is too long to be checked here: use the program to audit it."),
}
_LIES: Final = {
    "result.counted": mark("counted"),
    "result.incorrect-order": mark("wrong order"),
    "result.incorrect-intel": mark("false intel"),
    "result.identified": mark("identified"),
    "result.retreated": mark("retreated"),
    "result.activated": mark("activated"),
    "result.impossible": mark("impossible"),
    "result.opened": mark("shown"),
    "card.closed": mark("face down"),
    "card.back": mark("face down, unknown"),
    "card.marked": mark("marked"),
    "card.guess": mark("guess: {rank}"),
    "intel": mark("Intel"),
    "intel.old": mark("old"),
    "intel.left": mark("{count} to come"),
    "track.title": mark("The track of the double agent"),
    "tell.middle": mark("The double agent stands in the middle; each wall is {wall} steps away."),
    "tell.agent": mark("The double agent stands {steps} of {wall} steps into the ground of {name}."),
    "tell.flag": mark("The double agent has taken the flag of {name}."),
    "tell.intel": mark("Today's intel: {range}."),
    "tell.old": mark("Old intel: {ranges}. Cards to come: {count}."),
    "tell.side": mark("{name}: {points} of {most} points, deception tokens: {tokens}."),
    "tell.mission": mark("Mission {mission}: {card}."),
    "note.exhausted": mark("exhausted: {soldiers}"),
    "note.force": mark("in force: {soldiers}"),
    "note.blast": mark("a blast waits for the next guess"),
    "note.caught": mark("caught out of order: all cards count"),
    "note.double": mark("two soldiers exhausted tomorrow"),
    "strip.guesses": mark("guesses"),
    "strip.points": mark("{points} of {most}"),
    "strip.tokens": mark("deception tokens: {count}"),
    "strip.laid": mark("laid one"),
    "banner.day": mark("Day {day}"),
    "banner.guess": mark("Day {day}, guess {turn} of 8"),
    "legend.back": mark("A coloured back: this card is face down, and these eyes do not know it."),
    "legend.known": mark("A broken frame: face down for the others."),
    "legend.mark": mark("A ring in a dot: its owner says that the soldier is in the range of today's intel."),
    "legend.token": mark("A diamond: a deception token."),
    "legend.agent": mark("The figure with a hat is the double agent; it is pushed toward the enemy's flag."),
}
_STRATEGO: Final = {
    "piece.0": mark("Flag"),
    "piece.1": mark("Spy"),
    "piece.2": mark("Scout"),
    "piece.3": mark("Miner"),
    "piece.4": mark("Sergeant"),
    "piece.5": mark("Lieutenant"),
    "piece.6": mark("Captain"),
    "piece.7": mark("Major"),
    "piece.8": mark("Colonel"),
    "piece.9": mark("General"),
    "piece.10": mark("Marshal"),
    "piece.11": mark("Bomb"),
    "stratego.before": mark("The armies are being set up."),
    "stratego.count": mark("{name}: {count} of {size} pieces."),
    "stratego.seen": mark("Seen by all: {pieces}."),
    "stratego.moved": mark("Closed, have moved: {pieces}."),
    "stratego.unmoved": mark("Closed, never moved: {pieces}."),
    "stratego.fallen": mark("Fallen: {pieces}."),
    "strip.sets.up": mark("sets up"),
    "strip.left": mark("{count} of {size} pieces"),
    "strip.fallen": mark("fallen:"),
    "strip.moves": mark("is to move"),
    "banner.setup": mark("Setting up"),
    "banner.play": mark("The battle"),
    "legend.closed": mark("A woven piece: it is closed, and these eyes do not know it."),
    "legend.moved": mark("A dot at its foot: closed, but it has moved, so it is neither bomb nor flag."),
    "legend.seen": mark("A white corner: both players have seen this piece."),
    "legend.last": mark("The golden arrow: the last move."),
}
_CONQUEST: Final = {
    "conquest.closed": mark("closed piece"),
    "conquest.count": mark("{name}: {count} pieces on the board."),
    "conquest.out": mark("{name} is out of the game."),
    "conquest.gone": mark("{name} has left the game."),
    "conquest.lands": mark("Territories: {pieces}."),
    "conquest.seen": mark("Seen by all: {pieces}."),
    "conquest.hidden": mark("Closed: {pieces}."),
    "conquest.bag": mark("In the bag: {pieces}."),
    "conquest.flags": mark("Flags captured: {pieces}."),
    "strip.lands": mark("territories: {count}"),
    "strip.flag": mark("captured flag: {seat}"),
    "strip.bag": mark("in the bag:"),
    "strip.out": mark("out of the game"),
    "strip.gone": mark("has left"),
    "strip.moves": mark("is to move"),
    "banner.draft": mark("The territories are chosen"),
    "banner.setup": mark("Setting up"),
    "banner.round": mark("Round {round}"),
    "banner.turn": mark("Round {round}, turn {turn}"),
    "legend.closed": mark("A woven piece: it is closed, and these eyes do not know it."),
    "legend.stepped": mark(
        "A dot at its foot: closed, but it has moved, so it is neither flag nor cursed land."
    ),
    "legend.open": mark("A white dot at its corner: all players have seen this piece."),
    "legend.last": mark("The golden arrow: the last move."),
    "legend.city": mark("A small town: a city, which gives its owner one more move."),
    "legend.mountain": mark("Mountains part two zones: nobody steps over them."),
    "legend.land": mark("A territory has the colour of the player who alone has pieces in it."),
}
_SPIES: Final = {
    "spies.power": mark("{power}: £{pounds}, chits: {chits}, tiles: {tiles}"),
    "spies.of": mark("{name}: {facts}."),
    "spies.nobody": mark("nobody"),
    "spies.spies": mark("Spies: {pieces}."),
    "spies.police": mark("Police: {pieces}."),
    "spies.controls": mark("Controls the secrets of {pieces}."),
    "spies.cashed": mark("Brought home the secrets of {pieces}."),
    "spies.captives": mark("Captured spies: {pieces}."),
    "strip.gone": mark("has left"),
    "strip.score": mark("points: {points}"),
    "strip.moves": mark("is to move"),
    "banner.setup": mark("Setting up"),
    "banner.talk": mark("{year}: talks before the first turn"),
    "banner.bid": mark("{year}: all bid for {power}"),
    "banner.power": mark("{year}, {power}: {points} action points left"),
    "legend.piece": mark(
        "A spy has the colour and shape of its player, the letter of its power and its number: g1 is "
        "Germany's first one."
    ),
    "legend.strength": mark(
        "A small number at its corner: its strength, known to these eyes; the cousin's has a golden ring."
    ),
    "legend.police": mark("A shield: a police unit of that power."),
    "legend.secret": mark(
        "An envelope: a secret, on the ground, in a drop (dashed) or under the piece that controls it. A "
        "number stands in it if these eyes know it, with a cross if it is a counterspy."
    ),
    "legend.city": mark(
        "A city has the colour of the player whose territory it is; a square is a capital, a golden ring a "
        "haven, a wave a port."
    ),
    "legend.lines": mark("Lines are railways, dots airlines."),
    "legend.last": mark("The golden arrow: the last move."),
}
_BREACHES: Final = {
    "conquest": (
        act.STEPPED,
        act.RAN,
        act.FALSE_NONE,
        act.CHANGED,
        act.FALSE_MISS,
        act.FALSE_HIT,
        act.NO_SPY,
    ),
    "spies": (
        spies_act.WRONG_CHIT,
        spies_act.WRONG_YEAR,
        spies_act.FALSE_DISCARD,
        spies_act.FALSE_NONE,
        spies_act.FALSE_COMPARISON,
        spies_act.FALSE_FIND,
        spies_act.FALSE_SURVIVAL,
        spies_act.FALSE_COUSIN,
        spies_act.OVERDRAWN,
    ),
    "spies-and-lies": (checks.EXHAUSTED, checks.TWICE),
    "stratego": (movement.WALKED, movement.RAN, movement.FALSE_NONE),
}
"""The rules of each game that a player can be found to have broken, beside those of the protocol."""
_OF_GAME: Final = {"conquest": _CONQUEST, "spies": _SPIES, "spies-and-lies": _LIES, "stratego": _STRATEGO}


def labels(game: str, seats: int) -> dict[str, str]:
    """Every label of a page about `game`, one of those that have a page, for so many seats."""
    texts = {name: _(text) for name, text in (_COMMON | _CHECK | _OF_GAME[game]).items()}
    names = map(_, ENTRIES[game].rules.load().seat_names(seats))
    texts |= {f"seat.{seat}": f"{name[:1].upper()}{name[1:]}" for seat, name in enumerate(names)}
    if game == "conquest":
        texts |= {f"piece.{face}": named(face) for face in FACES}
    if game == "spies":
        texts |= dict(_of_europe())
    texts |= {f"soldier.{rank}": title(rank) for rank in RANKS}
    return texts | {f"rule.{rule}": meaning for rule, meaning in _rules()}


def _of_europe() -> Iterator[tuple[str, str]]:
    """The names of cities, seas, secrets, powers and spies."""
    yield from ((f"city.{city}", words.city(city)) for city in range(len(NAMES)))
    yield from ((f"sea.{sea}", words.sea(sea)) for sea in range(len(SEA_NAMES)))
    yield from ((f"secret.{face}", words.content(face)) for face in sorted(SECRET_NAME))
    for power in range(len(POWERS)):
        yield f"power.{power}", words.power(power)
        for face, name in enumerate(spy_names(power)):
            known = _("the cousin") if face == COUSIN else name.capitalize()
            yield f"spy.{power}.{face}", f"{known} ({STRENGTHS[face]})"


def _rules() -> Iterator[tuple[str, str]]:
    """Every rule that can be broken, with its breach in words: a record of any game can be dropped."""
    for game, rules in _BREACHES.items():
        narration = ENTRIES[game].narration.load()
        yield from ((rule, narration.breach(rule)) for rule in rules)
    yield from ((rule, _(meaning)) for rule, meaning in RULES.items())
