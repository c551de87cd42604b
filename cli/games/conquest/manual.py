"""The rules of Conquest, in short and in our own words, and all about one piece, card or territory.

Numbers come from the game's tables, so that this page always agrees with play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cli.games import manual
from cli.games.conquest.names import (
    LETTERS,
    ORDER,
    cards_called,
    face_called,
    lands_called,
    piece,
    territory,
    with_city,
)
from cli.games.interface import Ambiguous, Page, Unknown
from cli.games.manual import broken, prose
from cli.text.layout import filled, series
from cli.text.sanitize import cells, escape
from p2p_stratego.conquest.formats import words
from p2p_stratego.conquest.rules.atlas import BORDERS, NAMES, TERRITORIES, TerritoryId
from p2p_stratego.conquest.rules.cards import CARDS, KINDS, NUMBER, Card
from p2p_stratego.conquest.rules.pieces import (
    A_SIDE,
    CURSED,
    FIGHTS,
    FIXED,
    FLAG,
    MOBILE,
    PIECES,
    SCOUT,
    SORCERESS,
    SPY,
)
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.narration import either

_TEXT: Final = (
    mark(
        """\
# What it is about
Two to four kingdoms fight for 24 territories of three zones. Everybody hides a flag in an army of {army}
pieces whose ranks nobody else sees. The last one with a flag wins. After {rounds} rounds, or as many as were
agreed on, the flags captured decide, then the territories, then the pieces on the map."""
    ),
    mark(
        """\
# Before the first turn
A draw finds who begins. The territories are taken one at a time: from the first player clockwise, back from
the last, and so on. Then everybody lays the whole army face down, and says which zones of its own territories
are filled, one piece a zone; all do both at the same time, so nobody can react. A territory left empty
belongs to nobody, unless `garrison all` was agreed on, which forbids that."""
    ),
    mark(
        """\
# A turn
1. Your territories are counted: those in which you alone have pieces. For each two you draw a card, if you
have your own flag.
2. You may play one of the cards; then all of them are put away.
3. You make one move, and may make one more for each of your cities (★), each with any piece, the same one
again too. The first must be made if a piece of yours can step; a player whose pieces are all hemmed in
stays put."""
    ),
    mark(
        """\
# Moves and fights
A piece steps to a neighbouring zone that is free or holds an enemy. Nothing goes, attacks, looks or
reinforces across a mountain (▲). Flags and cursed land never move. A scout may run over any number of free
zones to a free one; that shows everybody what it is. With `--scout charge` it may also attack at the end of
the run. In a fight both are opened, the attacker first. The higher rank wins and an attacker that wins
takes the zone; equal ranks both fall. Cursed land beats every attacker but a sorceress; the spy beats the
king if it attacks him. The fallen go back to their owner's bag, from which cards can bring them back."""
    ),
    mark(
        """\
# Flags
Every attacker captures a flag.
- With your own flag on the map you keep what you capture, and get the flags that its owner had captured.
- Without your flag you move on, but draw no cards. Take the captor's flag, and you get all that the captor
held; your own goes on any free zone, open.
- Without your flag and without a piece on the map you are out.
- Beware of taking another flag while yours is captured: you take it for the captor, with all that its
owner held. If the captor's flag is then the last one on the map, the captor wins at once. So you are asked
first."""
    ),
    mark(
        """\
# Cards, {cards} in all
{kinds}"""
    ),
    mark(
        """\
At the start the Traitor lies at the bottom of the pile. An empty pile is filled with the cards put away
before this turn. As soon as the Traitor is put away, played or not, all {cards} cards are mixed into a new
pile."""
    ),
    mark(
        """\
# What must stay a secret
What a card shows to you alone must not be told to others. No program can enforce that."""
    ),
    mark(
        """\
# What you claim
By laying an army you claim that it is the army; by stepping with a piece, that it is neither flag nor cursed
land; by "none", that no piece of yours can step; by mixing pieces, that they are the same ones. Nobody can
check that at once. When play is over everything that was claimed is opened, and a false claim is proven."""
    ),
    mark(
        """\
# Two hints
- Cursed land guards a city well: only a sorceress gets past it.
- A piece that came near the enemy by a run or a surprise attack can hide again: regroup it with two others,
and nobody knows which of the three it is."""
    ),
)
"""Its sections, a heading and its paragraphs each."""
_EFFECTS: Final[Mapping[str, str]] = {
    "blitz": mark("Two more moves this turn, which need not be made."),
    "regroup": mark(
        "Name three pieces of yours on the map; lay them back, closed, on the same zones in any order."
    ),
    "reinforce": mark("A piece drawn from your bag goes, closed, on a free zone next to a piece of yours."),
    "secret": mark(
        "Your spy on the map looks at two pieces on neighbouring zones, for your eyes only. All of "
        "your bag is shown, to prove that the spy is not there."
    ),
    "surprise": mark("A piece drawn from your bag goes, closed, on any free zone of the map."),
    "new-spy": mark("The spy goes from your bag, open, on any free zone of the map."),
    "traitor": mark(
        "Name an enemy piece and a kind. Right: the piece goes to its owner's bag, a flag is "
        "captured. Wrong: you alone see what it is. Once it is put away, played or not, all cards are mixed."
    ),
}
_NEEDS: Final[Mapping[str, str]] = {
    "regroup": mark("Needs three pieces of yours on the map."),
    "reinforce": mark("Needs a piece in the bag and a free zone next to one of yours."),
    "secret": mark("Needs your spy on the map and two pieces side by side, one at least an enemy's."),
    "surprise": mark("Needs a piece in the bag and a free zone."),
    "new-spy": mark("Needs your spy in the bag and a free zone."),
}
ROUNDS: Final = 100


def summary(width: int) -> list[str]:
    """The whole game on a page or two, as lines of at most `width` columns."""
    kinds = "\n".join(f"- {_(kind.title)} ({kind.in_all}): {_(_EFFECTS[kind.name])}" for kind in KINDS)
    text = "\n\n".join(
        _(section, army=sum(A_SIDE), rounds=ROUNDS, cards=NUMBER, kinds=kinds) for section in _TEXT
    )
    lines = [*prose(text, width), "", _("PIECES, and how many each side has")]
    wide = max(14, *(cells(piece(face)) for face in ORDER))
    lines += [f" {PIECES[face].letter}  {filled(piece(face), wide)}{A_SIDE[face]:>3}" for face in ORDER]
    sentence = _("`p2p-stratego rules --game conquest NAME` tells more about a piece, a card or a territory.")
    return [*lines, "", *broken(sentence, width)]


def page(topic: str | None, columns: int) -> Page:
    """All about one piece, card or territory, `topic`; None: the rules in short.  Raises Misunderstood."""
    if topic is None:
        return manual.in_short(summary(columns))
    return manual.about(*about(topic), columns)


def about(topic: str) -> tuple[str, list[str]]:
    """The name of the thing called `topic`, and all that the tables know of it.  Raises Misunderstood."""
    faces, cards, places = _meant(" ".join(topic.lower().split()))
    shown = [*map(piece, faces), *map(words.card, cards), *map(words.territory, places)]
    if len(shown) > 1:
        raise Ambiguous(
            _(
                "“{topic}” could be {things}. Name one of them in full.",
                topic=escape(topic, 40),
                things=either(shown),
            )
        )
    if faces:
        return piece(faces[0]), list(_piece_facts(faces[0]))
    if cards:
        return words.card(cards[0]), list(_card_facts(cards[0]))
    if places:
        return words.land(places[0]), list(_territory_facts(places[0]))
    kinds = ", ".join(words.named(face) for face in ORDER)
    titles = ", ".join(map(words.card, CARDS))
    raise Unknown(
        _(
            "“{topic}” is no piece, card or territory. Pieces: {kinds}. Cards: {titles}.",
            topic=escape(topic, 40),
            kinds=kinds,
            titles=titles,
        )
    )


def _meant(typed: str) -> tuple[list[Face], list[Card], list[TerritoryId]]:
    """The pieces, cards and territories that are called so, in lower case; a letter is what the map shows."""
    if len(typed) == 1 and typed.isalpha():
        faces = [face for face in ORDER if LETTERS[face].lower() == typed]
        places = [place for place, land in enumerate(TERRITORIES) if land.letter.lower() == typed]
        return faces, [], places
    faces = [face for face in ORDER if piece(face).lower() == typed] or face_called(typed)
    places = [place for place in range(len(TERRITORIES)) if typed in map(str.lower, _written(place))]
    if typed and not places:
        places = lands_called(typed)
    return faces, cards_called(typed) if typed else [], places


def _written(place: TerritoryId) -> Iterator[str]:
    """A territory as sentences, lists and the line below the map write it, and with its letter alone."""
    yield from (words.territory(place), territory(place), with_city(place))
    yield f"{words.land(place)} ({TERRITORIES[place].letter})"


def _card_facts(card: Card) -> Iterator[str]:
    kind = KINDS[card]
    yield _(_EFFECTS[kind.name])
    if kind.name in _NEEDS:
        yield _(_NEEDS[kind.name])
    yield (
        _("There is one among the {number} cards.", number=NUMBER)
        if kind.in_all == 1
        else _("There are {in_all} among the {number} cards.", number=NUMBER, in_all=kind.in_all)
    )


def _territory_facts(place: TerritoryId) -> Iterator[str]:
    territory = TERRITORIES[place]
    yield _(
        "On the map it is {letter}: the zones {value}.",
        letter=territory.letter,
        value=series([NAMES[at] for at in territory.zones]),
    )
    if territory.city:
        yield _("It has a city: its owner makes one more move a turn.")
    yield _("It borders on {value}.", value=series([words.land(other) for other in BORDERS[place]]))


def _piece_facts(face: Face) -> Iterator[str]:
    count = A_SIDE[face]
    yield n_(
        "On the map it is {letter}; each side has one.",
        "On the map it is {letter}; each side has {count}.",
        count,
        letter=PIECES[face].letter,
    )
    if face in FIXED:
        yield _("It never moves, but it can be regrouped.")
        beaten = [attacker for attacker in MOBILE if FIGHTS[attacker][face] == "won"]
        if face == FLAG:
            yield _("Every attacker captures it.")
        elif beaten:
            yield _("It beats every attacker but {named}.", named=_named(beaten))
        return
    if face == SCOUT:
        yield _(
            "It may run over any number of free zones; then everybody sees what it is. If that was agreed "
            "on, it may attack at the end of the run."
        )
    won = [other for other in ORDER if other not in FIXED and FIGHTS[face][other] == "won"]
    lost = [other for other in ORDER if FIGHTS[face][other] == "lost"]
    if won:
        yield _("Attacking, it beats {named}.", named=_named(won))
    if lost:
        yield _("Attacking, it falls to {named}.", named=_named(lost))
    falls = [other for other in ORDER if other not in FIXED and FIGHTS[other][face] == "won"]
    if falls:
        yield _("Attacked, it falls to {named}.", named=_named(falls))
    if face == SORCERESS:
        yield _("Only it clears cursed land away.")
    if face == SPY:
        yield _("It works for the cards Secret information and New spy.")
    if FIGHTS[face][CURSED] == "lost":
        yield _("It never gets past cursed land.")


def _named(faces: list[Face]) -> str:
    """Several kinds in a sentence; ranks in a row by the first and the last of them."""
    ranks = sorted((face for face in faces if face not in FIXED), reverse=True)
    others = [words.named(CURSED)] * (CURSED in faces)
    if len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] - 1, -1)):
        return series(
            [
                _(
                    "every piece from {name} to {piece_name}",
                    name=words.named(ranks[0]),
                    piece_name=words.named(ranks[-1]),
                ),
                *others,
            ]
        )
    return series([*(_("the {name}", name=words.named(face)) for face in ranks), *others])
