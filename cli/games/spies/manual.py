"""The rules of SPIES!, in short and in our own words, and all about one chit, tile, city or power.

Numbers come from the game's tables, so that this page always agrees with play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cli.games import manual
from cli.games.interface import Ambiguous, Page, Unknown
from cli.games.manual import broken, prose
from cli.games.spies.cities import as_spoken, cities_called, starting
from cli.games.spies.names import CLEAR
from cli.games.typed_names import begins
from cli.text.layout import series, styled
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.narration import either, joined
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.allocation import EVEN
from p2p_stratego.spies.rules.atlas import (
    BY_AIR,
    BY_RAIL,
    CITY_NAMED,
    HAVENS,
    NAMES,
    POWERS,
    RUSSIA,
    SEA_NAMES,
    SEAS_AT,
    SIGNED,
    TERRITORY,
    City,
    Power,
)
from p2p_stratego.spies.rules.counters import (
    A_CITY,
    ABROAD,
    ACTION_POINTS,
    ALL_CHITS,
    ALL_SECRETS,
    CASH,
    CHIT_NAMES,
    FIRST_YEAR,
    HAND,
    KINDS,
    LAST_YEAR,
    MEANS,
    REWARD,
    SPACES,
    STRENGTHS,
    Chit,
    spy_names,
)
from p2p_stratego.spies.rules.tiles import ANNEXED, TILES

_TEXT: Final = (
    mark(
        """\
# What it is about
Each player runs the secret service of one or more powers of Europe, {first} to {last}. Spies travel, look for
enemy secrets and carry them home; police search for spies. Most victory points win."""
    ),
    mark(
        """\
# A turn
Every year each power has one turn with {points} action points.
1. Play a tile of this year (1 point), or discard one. All powers with a spy in a city that it names gain
chits or pounds there, but for their own territory.
2. Lay all your police anew, if you like, and say which secrets they stand on.
3. Search: each city with your police once, for 1 point. If the police together are stronger than the spy, it
is captured: £{reward} and a chit.
4. Your spies act: they move along a link for 1 point and one of {spaces} spaces, sail, take, give, leave and
cash secrets, and play chits. From the first of these on there are no police and no searches in this turn.
Police search a spy that comes to their city for nothing, also on its way through.

Two police stand in a city with their sign at most, and one in all in your cities without it, with those that
a tile brought you."""
    ),
    mark(
        """\
# Talks and answers
Before each year there are talks, for as long as you agreed: say what you like to all with /, or sealed to one
player with `to NAME`. `ready` ends them for you. In your turn `diplomacy` opens talks with one more power,
for 1 point each: with all whom you paid for you talk sealed and trade, until you do anything else. At other
times all talk is open to all. Whoever may hold a chit against yours is asked for it, and has a short time;
`never KIND` lets your program pass for you.

Chits are traded blind: you see them when they are yours, and nobody is bound by a word. Pounds, chits and
secrets pass in trades only, and own secrets, tiles, spies and police never do."""
    ),
    mark(
        """\
# Secrets
{secrets} secrets lie face down: four in five are genuine, the others are counterspies. A Discovery lets your
spy look at one and take it. A counterspy that is found leaves the game. In a neutral city it captures a
weaker spy for nobody; at home it does so for its owner, but only under police or a spy: one that nobody
guards does nothing. A foreign secret that your spy carries to your capital brings £{cash}, a chit, and points
at the end.

Your own secrets score where they began. A spy moves one only if an enemy carried it away before; then it can
be left, or given to police, only where it began. When police are laid anew, they may stand on any own secret
in your territory that nobody controls."""
    ),
    mark(
        """\
# Cousins
Every power has one, of strength 3. No counterspy captures it, but police do. Only a cousin can kill a cousin:
any other spy that tries dies itself, and no chit helps. A Double-cross that turns a Sanction kills a cousin
only if the victim is one, too. A cousin that was killed is out for good."""
    ),
    mark(
        """\
# Two powers of one player
Each has its own pounds, chits and secrets. They do not talk, trade, search or kill each other's spies, or
intercept each other's Drops. No secret goes from one to the other: neither can discover or seize what the
other controls or was the last to control, nor discover the other's own secrets at home.

With two players Germany's player runs Russia in odd years, from {first} on, and Britain's in even ones. Where
Russia changes hands, so or by bidding, it counts for nobody, and its spies, captured or killed, bring nobody
points, pounds or chits."""
    ),
    mark(
        """\
# Tiles with a star
{stars}

A tile does this before its awards. A new territory has no police sign; the secret there belongs to whom it
did before."""
    ),
    mark(
        """\
# What counts
- 2 points for each tile of your power's own colour that you played; for others, and for discarded ones,
nothing.
- Each foreign secret that you cashed: its value times the multiple of the year in which its owner lost it.
- Each spy captured, its strength; each spy killed, 2: times the multiple of that year.
- Each own secret that lies where it began, controlled by nobody else: its value times the last year's
multiple.

A counterspy counts half of the multiple, rounded down, wherever it counts. The most points win; of those who
have as many, the richest; then they share.

If you run two powers, the better one counts. Among two players that is all; of three it counts {three} less,
of four {four} (`--handicap even`; with `--allocation alternate` {three_else} and {four_else}). The box takes
nothing off: `--handicap none`; `lower` counts the lower one, `sum` both. `--alliances yes`: Germany loses 20
points if Italy is behind France and Britain, Italy if Germany is; and France and Britain likewise."""
    ),
    mark(
        """\
# Chits, {chits} in one cup
Each costs pounds, and points in your own turn. A played chit goes back into the cup. Nobody holds more than
{hand}.
{kinds}"""
    ),
    mark(
        """\
# The sea
A spy in a port puts out for a point and a space, then a die of 2, 3, 3, 4, 4, 5 says how far it gets; each
new roll costs the same again. Who does not land stays in port."""
    ),
    mark(
        """\
# What must stay a secret
Chits, tiles, closed spies, police and secrets are seen by their owners, and by those who were shown them. The
program proves every step as it is made, so nobody can play what it does not hold, and nothing is opened that
the game does not open."""
    ),
)
"""Its sections, a heading and its paragraphs each."""
_EFFECTS: Final[Mapping[str, str]] = {
    "discovery": mark(
        "A spy of yours without a secret looks at one in its city, and takes it if it is genuine."
    ),
    "sanction": mark("A spy of yours kills an enemy spy in its city, and may take its secret."),
    "drop": mark("A spy hides the foreign secret that it carries: nobody else can find it."),
    "recruit": mark("A killed spy of yours, not the cousin, comes back to a city of your territory."),
    "escape": mark("A captured spy of yours comes to a haven; in answer to a search or a Sanction, too."),
    "papers": mark("In answer to a search: it has no effect."),
    "cover": mark("In answer to a Discovery or a Sanction: it fails."),
    "double-cross": mark("In answer to a chit: that one has no effect; a Sanction then kills the assassin."),
    "intercept": mark("In answer to a Drop, not in your own turn: a piece of yours there takes the secret."),
}


COUSIN_NAMED: Final = "cousin"
_COUSIN: Final = (
    mark("Every power has one cousin, a spy of strength 3; others cannot tell which of its spies it is."),
    mark("No counterspy captures it. Police capture it as they do any other spy."),
    mark("Only another cousin kills it. Any other spy that plays a Sanction on it dies, and no chit helps."),
    mark("A Double-cross on its own Sanction kills it only if the victim is a cousin, too."),
    mark("Captured, it can escape; killed, it is out for good, and no Recruit brings it back."),
)
"""The powers of a cousin, and its dangers."""


def effect(kind: Chit) -> str:
    """The effect of a chit, in a sentence or two."""
    return _(_EFFECTS[CHIT_NAMES[kind]])


_ALSO: Final[Mapping[str, str]] = {
    mark("counterspy"): "Secrets",
    mark("scoring"): "What counts",
    mark("handicap"): "What counts",
    mark("diplomacy"): "Talks and answers",
    mark("trade"): "Talks and answers",
    mark("police"): "A turn",
    mark("search"): "A turn",
    mark("spies"): "A turn",
    mark("moves"): "A turn",
    mark("year"): "A turn",
    mark("points"): "What counts",
    mark("winning"): "What counts",
    mark("bidding"): "Two powers of one player",
    mark("sailing"): "The sea",
}
"""Things without a page of their own, by the heading of the section that tells of them."""


PARTS: Final = mark("parts")
"""What is typed for the list of sections."""


def _sections() -> Iterator[tuple[str, str]]:
    """Each section: its heading in English, and its text, heading and all, as it is shown."""
    kinds = "\n".join(
        f"- {words.chit(kind)} ({chit.copies}), £{chit.pounds}: {_(_EFFECTS[chit.name])}"
        for kind, chit in enumerate(KINDS)
    )
    stars = [f"- {words.tile(face)}: {words.effect(face)}" for face in TILES if words.effect(face)]
    for section in _TEXT:
        heading = section.partition("\n")[0].removeprefix("# ")
        text = _(
            section,
            first=FIRST_YEAR,
            last=LAST_YEAR,
            points=ACTION_POINTS,
            reward=REWARD,
            spaces=SPACES,
            secrets=len(ALL_SECRETS),
            cash=CASH,
            chits=len(ALL_CHITS),
            hand=HAND,
            kinds=kinds,
            stars="\n".join(stars),
            four=EVEN[4, "standard"],
            four_else=EVEN[4, "alternate"],
            three=EVEN[3, "standard"],
            three_else=EVEN[3, "alternate"],
        )
        yield heading, text


def summary(width: int) -> list[str]:
    """The whole game on a page or two, as lines of at most `width` columns."""
    text = "\n\n".join(text for _heading, text in _sections())
    sentence = _(
        "`p2p-stratego rules --game spies NAME` tells more about a chit, a tile, a city, a power or the "
        "cousin."
    )
    return [*prose(text, width), "", *broken(sentence, width)]


def page(topic: str | None, columns: int) -> Page:
    """All about one chit, tile, city or power, the cousin or a part of the rules; None: the rules in short.

    Raises Misunderstood.
    """
    if topic is None:
        return manual.in_short(summary(columns))
    try:
        return manual.about(*about(topic), columns)
    except Unknown as error:
        subject = " ".join(topic.lower().split())
        section = _section(subject)
        if not section:
            if subject not in (PARTS, _(PARTS).lower()):
                raise Unknown(joined(str(error), _("More: `{word}`.", word=_(PARTS).lower()))) from error
            return manual.about(
                _("Parts of the rules"), [_heading(text) for _unused, text in _sections()], columns
            )
        text = section.partition("\n")[2]
        return Page(_heading(section), [styled(line) for line in prose(text, columns)])


def _section(topic: str) -> str:
    """The first section about the typed word, in English or as it is shown; "" if there is none."""
    if len(topic) < CLEAR:
        return ""
    also = next((heading for word, heading in _ALSO.items() if begins((word, _(word)), topic)), None)
    for heading, text in _sections():
        names = (heading.lower(), _heading(text).lower())
        if heading == also or any(name.startswith(topic) for name in (*names, *" ".join(names).split())):
            return text
    return ""


def _heading(section: str) -> str:
    """The heading of a section, as it is shown."""
    return section.partition("\n")[0].removeprefix("# ")


def about(topic: str) -> tuple[str, list[str]]:
    """The name of the thing called `topic`, and all that the tables know of it.  Raises Misunderstood."""
    subject = " ".join(topic.lower().split())
    for word in ("tile", _("tile")):
        subject = subject.removeprefix(f"{word} ")
    if subject.isascii() and subject.isdigit() and len(subject) < 4 and int(subject) in TILES:
        return words.tile(int(subject)), list(_tile_facts(int(subject)))
    if subject in SEA_NAMES:
        sea = SEA_NAMES.index(subject)
        ports = series([words.city(city) for city, seas in enumerate(SEAS_AT) if sea in seas])
        return _("the {sea} sea", sea=words.sea(sea)), [_("Ports: {ports}.", ports=ports)]
    if subject and COUSIN_NAMED.startswith(subject) and len(subject) >= CLEAR:
        return _("the cousin"), [_(line) for line in _COUSIN]
    named = (
        [*starting(subject, CHIT_NAMES), *starting(subject, POWERS), *cities_called(subject)]
        if subject
        else []
    )
    pages = [_named(name) for name in named]
    if not pages and len(subject) >= CLEAR:
        titled = [face for face in TILES if begins((TILES[face].name, words.title(face)), subject)]
        pages = [(words.tile(face), list(_tile_facts(face))) for face in titled]
    if len(pages) == 1:
        return pages[0]
    shown = escape(topic, 40)
    if pages:
        raise Ambiguous(
            _("“{shown}” could be {value}.", shown=shown, value=either([name for name, _unused in pages[:6]]))
        )
    kinds = as_spoken(", ".join(CHIT_NAMES))
    raise Unknown(
        _(
            "“{shown}” is no chit, tile, city or power, nor the cousin. "
            "Chits: {kinds}. Tiles: 1 to {count}. Powers: {powers}.",
            shown=shown,
            kinds=kinds,
            powers=series([words.power(power) for power in range(len(POWERS))]),
            count=len(TILES),
        )
    )


def _named(name: str) -> tuple[str, list[str]]:
    """A chit, a power or a city by its English name: as it is shown, and its facts."""
    if name in CHIT_NAMES:
        kind = CHIT_NAMES.index(name)
        return words.chit(kind), list(_chit_facts(kind))
    if name in POWERS:
        power = POWERS.index(name)
        return words.power(power), list(_power_facts(power))
    return words.city(CITY_NAMED[name]), list(_city_facts(CITY_NAMED[name]))


def _chit_facts(kind: Chit) -> Iterator[str]:
    chit = KINDS[kind]
    yield _(_EFFECTS[chit.name])
    points = (
        _(
            " and {counted} in your own turn",
            counted=n_("{count} action point", "{count} action points", chit.points),
        )
        if chit.points
        else ""
    )
    yield _(
        "It costs £{pounds}{points}; {copies} of the {count} chits are of this kind.",
        pounds=chit.pounds,
        points=points,
        copies=chit.copies,
        count=len(ALL_CHITS),
    )


def _tile_facts(face: int) -> Iterator[str]:
    yield _("It can be played, or discarded, in {years}.", years=words.years(face))
    if words.effect(face):
        yield _("{effect} That is so before its awards.", effect=words.effect(face))
    for award in TILES[face].awards:
        gain = n_("{count} chit", "{count} chits", award.chits) if award.chits else words.pounds(award.pounds)
        yield f"{words.city(award.city)}: {gain}."


def _city_facts(city: City) -> Iterator[str]:
    owner = TERRITORY[city]
    yield (
        _("It belongs to no power.")
        if owner is None
        else _("It is territory of {power}.", power=words.power(owner))
    )
    if owner is not None and city in SIGNED[owner]:
        yield _(
            "A police sign: up to {a_city} police of {power} may stand here.",
            a_city=A_CITY,
            power=words.power(owner),
        )
    for face, (annexed, power) in ANNEXED.items():
        if annexed == city:
            tile, taker = words.tile(face), words.power(power)
            yield _("It becomes territory of {power} when the tile {tile} is played.", power=taker, tile=tile)
    if city in HAVENS:
        yield _("It is a haven of spies: no Discovery, Sanction or Drop there; escaped spies come here.")
    for sentence, links in ((mark("By rail: {near}."), BY_RAIL), (mark("By air: {near}."), BY_AIR)):
        near = [words.city(other) for other in range(len(NAMES)) if (city, other) in links]
        if near:
            yield _(sentence, near=series(near))
    if SEAS_AT[city]:
        yield _("A port of the {value} sea.", value=series([words.sea(sea) for sea in SEAS_AT[city]]))


def _power_facts(power: Power) -> Iterator[str]:
    means = MEANS[power]
    spies = [f"{name} {STRENGTHS[face]}" for face, name in enumerate(spy_names(power))]
    yield _("Its spies: {spies}; at most {abroad} begin abroad.", spies=series(spies), abroad=ABROAD)
    yield _("Its police: {value}.", value=series([str(strength) for strength in means.police]))
    yield _(
        "It begins with £{money}, {secrets} secrets and {chits} chits.",
        money=means.money,
        secrets=means.secrets,
        chits=means.chits,
    )
    years = [f"{FIRST_YEAR + at} {multiple}" for at, multiple in enumerate(means.multiples)]
    yield _("What a value counts, by year: {years}.", years=", ".join(years))
    yield _(
        "Its cities with a police sign: {value}.", value=series([words.city(city) for city in SIGNED[power]])
    )
    others = [c for c, owner in enumerate(TERRITORY) if owner == power and c not in SIGNED[power]]
    if others:
        yield _("Its other cities: {value}.", value=series([words.city(city) for city in others]))
    if power == RUSSIA:
        yield _("With two players, or with bidding, it changes hands; `rules bidding` tells how.")
