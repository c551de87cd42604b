"""Games of other packages: found by entry points, left out when they are broken, known by their rules."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from cli.games import packages
from cli.games.options import chosen
from cli.shell import parser
from cli.shell.exit_codes import Exit
from cli.shell.explain import explain
from cli.table.words import lobby_view
from cli.text import language
from p2p_stratego import registry
from p2p_stratego.core.game import Edition, Game, OptionError
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES, GAMES, NotAdded
from protocol.errors import Malformed, Unsupported
from protocol.lobby.handshake import Person, Terms
from protocol.lobby.listing import ListedSeat, Listing, read_listing
from protocol.post.offer import Offer, read_offer
from protocol.record import genesis
from protocol.storage.contacts import Contacts
from protocol.wire.encoding import decode, encode
from tests.helpers.program.commands import Call
from tests.helpers.program.packages import EXAMPLES, install, site
from tests.helpers.seats.pair import Table

GUESS = {"guess": "guess.entry:ENTRY"}
PACKAGE = "P2P-Stratego.Guess"
"""As its author spells it."""
ENTRY = """
from dataclasses import replace
from guess.entry import ENTRY as GUESS
from p2p_stratego.core.entry import Lazy, OptionField, Words
ENTRY = replace(GUESS, {changes})
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with site(tmp_path, monkeypatch) as path:
        yield path


@pytest.fixture
def guess(folder: Path) -> Game[object]:
    """The rules of the example, installed."""
    install(folder, PACKAGE, GUESS)
    assert packages.load() == []
    return GAMES["guess"]


def uninstall(folder: Path) -> None:
    """Take the guessing game away."""
    for info in folder.iterdir():
        (info / "entry_points.txt").unlink()
    packages.remove("guess")


def test_a_game_is_found_by_its_entry_point_behind_those_of_the_program(guess: Game[object]) -> None:
    assert list(ENTRIES)[-1] == "guess"
    assert packages.PACKAGES == {"guess": "p2p-stratego-guess"}
    assert guess.version == Edition(1, "p2p-stratego-guess", packages.digest("guess.rules:GAME"))
    assert (guess.name, guess.seat_counts) == ("guess", (2,))
    assert packages.load() == []  # once more changes nothing


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("raise SystemExit('good bye.')", "good bye"),
        ("1 / 0", "division by zero"),
        ("raise ValueError", "ValueError"),
        ("ENTRY = 7", "its entry point names no GameEntry of this name"),
        ("", "has no attribute 'ENTRY'"),
        (ENTRY.format(changes="name='other'"), "no GameEntry of this name"),
        (ENTRY.format(changes="rules=Lazy('p2p_stratego.stratego.rules.game:GAME')"), "bear another name"),
        (ENTRY.format(changes="rules=Lazy('no_rules:GAME')"), "No module named 'no_rules'"),
        (ENTRY.format(changes="presets=()"), "a preset"),
        (ENTRY.format(changes="options=(OptionField('depth', 7, Words(('a',))),)"), "helps are texts"),
        (
            ENTRY.format(changes="options=(OptionField('seats', '', Words(('a',))),)"),
            "option seats is one of this",
        ),
        (
            ENTRY.format(changes="options=(OptionField('title', '', Words(('a',))),)"),
            "option title is one of this",
        ),
        *(
            (
                ENTRY.format(changes=f"options=(OptionField({name!r}, '', Words(('a',))),)"),
                f"option {name} is one of this",
            )
            for name in ("command", "version", "usual", "trace")
        ),
        *(
            (
                ENTRY.format(changes=f"options=(OptionField({name!r}, '', Words(('a',))),)"),
                "an option's name is",
            )
            for name in ("a_b", "a--b", "a-", "-a", "1st", "A", "two words", "a\n", "", 7)
        ),
    ],
)
def test_row_122_a_broken_package_stops_nothing(folder: Path, call: Call, source: str, why: str) -> None:
    name = f"broken_{crc32(source.encode())}"
    install(folder, "a-broken-one", {"guess": f"{name}:ENTRY"}, **{name: source})
    install(folder, "the-good-one", GUESS)
    run = call("rules", "--game", "guess")
    assert "package a-broken-one" in " ".join(run.err.split())
    assert why in run.err
    assert run.code == Exit.OK
    assert "high card" in call("rules", "--game", "guess").out
    assert packages.PACKAGES == {"guess": "the-good-one"}


def test_row_122_a_sign_of_percent_in_the_help_of_a_package_breaks_no_help(folder: Path, call: Call) -> None:
    options = (
        "options=(OptionField('portion', 'win 50 % of it', Words(('a',))),"
        " OptionField('least', '5%d of it', Whole(1, 2, 'a share')),"
        " OptionField('text', '%(prog)s', Text('TEXT', (), Lazy('x:y'))),"
        " OptionField('first', '100 % yours', Words(('red',))))"
    )
    source = f"from p2p_stratego.core.entry import Text, Whole\n{ENTRY.format(changes=options)}"
    install(folder, "a-percentage", {"guess": "percentage:ENTRY"}, percentage=source)
    for command in ("play", "host"):
        run = call(command, "--help")
        assert (run.code, run.err) == (Exit.OK, "")
        for about in ("win 50 % of it", "5%d of it", "%(prog)s", "Guess: 100 % yours"):
            assert about in " ".join(run.out.split())


def test_row_122_a_broken_catalogue_of_a_package_breaks_no_language(folder: Path, call: Call) -> None:
    install(folder, "a-garbler", {"guess": "garbled:ENTRY"}, garbled=ENTRY.format(changes=""))
    catalogue = folder / "locale" / "de" / "LC_MESSAGES" / "guess.mo"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_bytes(b"no catalogue")
    for spoken in ("en", "de"):  # in English nothing is read from it, until a player changes the language
        run = call("--language", spoken, "rules")
        assert "Bad magic number" in run.err
        assert run.code == Exit.OK
        assert ("guess" in ENTRIES, "guess" in packages.PACKAGES, "guess" in packages.MODULES) == (False,) * 3
    assert language.install("de") == "de"


def test_row_122_a_package_that_ends_the_program_is_taken_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave() -> None:
        raise SystemExit("good bye")

    install(folder, PACKAGE, GUESS)
    packages.reserved()
    monkeypatch.setattr(parser, "parser", leave)
    (sentence,) = packages.load()
    assert "good bye" in sentence
    assert ("guess" in ENTRIES, "guess" in packages.PACKAGES) == (False, False)


def test_a_game_that_is_gone_takes_its_catalogue_along(folder: Path) -> None:
    install(folder, "liars-dice", {"liars-dice": "liars_dice.entry:ENTRY"})
    assert packages.load() == []
    sentence = "dice each at the beginning"
    language.install("de")
    german = _(sentence)
    packages.remove("liars-dice")
    language.install("de")
    assert german != sentence
    assert _(sentence) == sentence


def test_an_option_of_two_words_is_read(folder: Path) -> None:
    options = "options=(OptionField('ten-sided', '', Words(('no', 'yes'))),)"
    install(folder, PACKAGE, {"guess": "sided:ENTRY"}, sided=ENTRY.format(changes=options))
    assert packages.load() == []
    arguments = parser.parser().parse_args(["play", "guess", "--ten-sided", "yes"])
    with pytest.raises(OptionError, match="guess has one option"):  # the rules got it
        chosen(arguments)


@pytest.mark.parametrize("metadata", ["", "Name:\n", "Name: x y\n", f"Name: {'x' * 65}\n", "Name: -\n", None])
def test_row_122_a_package_without_a_name_stops_nothing(
    folder: Path, call: Call, metadata: str | None
) -> None:
    install(folder, "nameless", {"guess": "guess.entry:ENTRY"})
    (info,) = folder.iterdir()
    (info / "METADATA").unlink()
    if metadata is not None:
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\n{metadata}")
    install(folder, "the-good-one", GUESS)
    run = call("rules", "--game", "guess")
    assert "is left out: " in " ".join(run.err.split())
    assert run.code == Exit.OK
    assert packages.PACKAGES == {"guess": "the-good-one"}


@pytest.mark.parametrize("name", ["stratego", "guess"])
def test_row_122_no_package_takes_the_name_of_another_game(
    guess: Game[object], folder: Path, name: str
) -> None:
    taken = ENTRIES[name]
    install(folder, "a-thief", {name: "thief:ENTRY"}, thief=ENTRY.format(changes=f"name='{name}'"))
    (sentence,) = packages.load()
    assert "a-thief" in sentence
    assert ENTRIES[name] is taken
    with pytest.raises(NotAdded, match="there is a game"):
        registry.add(taken)


@pytest.mark.parametrize("name", ["", "Chess", "two words", "-x", "x" * 33, "chess\n", "schäch"])
def test_a_game_is_called_by_a_name_that_can_be_typed(guess: Game[object], name: str) -> None:
    with pytest.raises(NotAdded, match="lower case letters"):
        registry.add(replace(ENTRIES["guess"], name=name))


def versions() -> list[object]:
    name, digest = "p2p-stratego-guess", bytes(32)
    return [
        *([1, bad, digest] for bad in ("", "x" * 65, "-x", "x-", "X", "x --index-url y", "a;b", "ä")),
        *(
            [
                [1, name, bytes(31)],
                [1, name],
                [1, name, digest, 1],
                [digest, name, 1],
            ]
        ),
        *([b"1", "1", [], [1]]),
    ]


@pytest.mark.parametrize("version", versions(), ids=repr)
def test_row_120_what_stands_for_a_package_can_be_nothing_but_a_name(version: object) -> None:
    """A reader is told to install it, and may copy the line into a shell."""
    with pytest.raises(Malformed):
        genesis.find_game("chess", version, {})  # type: ignore[arg-type]  # what a hostile genesis holds


def test_row_120_a_reader_without_the_game_is_told_its_package_and_to_know_who_makes_it(
    guess: Game[object], folder: Path, call: Call, tmp_path: Path
) -> None:
    record = tmp_path / "game.p2ps"
    record.write_bytes(Table(7, game=guess).play().seats[0].transcript)
    run = call("audit", record)
    assert run.code == Exit.OK
    assert isinstance(guess.version, Edition)
    assert f"package {guess.version.package} [{guess.version.digest.hex()[:16]}]" in run.out
    assert '"package": "p2p-stratego-guess"' in call("audit", "--json", record).out
    uninstall(folder)
    run = call("audit", record)
    assert run.code == Exit.UNSUPPORTED
    text = " ".join(run.err.split())
    assert "(pip install p2p-stratego-guess) if you know who makes it" in text
    assert "newest version" not in text


def test_row_120_a_game_that_nobody_has_cannot_speak_to_the_terminal() -> None:
    with pytest.raises(Unsupported) as refused:
        genesis.find_game("\x1b]0;chess\x07", [1, "a-package", bytes(32)], {})
    sentence, _ = explain(refused.value) or ("", 0)
    assert "'<U+001B>]0;chess<U+0007>'" in sentence
    assert sentence.isprintable()


def test_a_home_with_a_game_whose_package_is_gone_is_still_listed(
    guess: Game[object], folder: Path, call: Call
) -> None:
    play = ("play", "--plain", "--name", "Anna")
    assert call(*play, "--game", "guess", "--first", "red", stdin=b"left\nleave\n").code == Exit.OK
    assert call(*play, "--game", "stratego", "--army", "duel", stdin=b"leave\n").code == Exit.OK
    uninstall(folder)
    for name in ("games", "stats", "contacts"):
        run = call(name)
        assert "bug" not in run.err
        assert run.code in (Exit.OK, Exit.UNSUPPORTED)
    run = call("games")
    assert "Stratego" in run.out
    assert "audit" in run.out  # which names the package
    assert "Guess" not in run.out
    for info in folder.iterdir():
        (info / "entry_points.txt").write_text(f"[{packages.GROUP}]\nguess = guess.entry:ENTRY\n")
    assert "Guess" in call("games").out  # nothing of that is kept


def test_row_121_other_rules_under_one_name_are_another_game_everywhere(guess: Game[object]) -> None:
    """In a transcript, in a lobby and in a letter: one byte of the rules is enough."""
    begun = Table(7, game=guess).begun
    assert isinstance(guess.version, Edition)
    number, package, digest = guess.version
    for other in (
        Edition(number, package, bytes(32)),
        Edition(number, "another", digest),
        Edition(2, package, digest),
        1,
    ):
        foreign = packages.Edited(guess, guess.version)
        foreign.version = other
        games = {"guess": foreign}
        with pytest.raises(Unsupported) as refused:
            genesis.parse(begun.body, games)
        sentence, _ = explain(refused.value) or ("", 0)
        assert "p2p-stratego-guess" in sentence
        offer = Offer(Terms(guess, guess.options({}), 2), begun.players[0])
        with pytest.raises(Unsupported):
            read_offer(offer.payload, games)
        assert read_offer(offer.payload, GAMES).terms.game is guess
    listing = encode(
        [1, "guess", genesis.version_value(guess.version), [["first", "red"]], [[], []], 0, 0, 0, 0, []]
    )
    assert read_listing(listing, GAMES).game is guess
    with pytest.raises(Unsupported):
        read_listing(listing, games)


def test_row_121_who_sits_down_sees_which_rules_are_played(guess: Game[object]) -> None:
    assert isinstance(guess.version, Edition)
    people = [Person(player.key, player.name) for player in Table(7, game=guess).begun.players]
    places = tuple(ListedSeat(person, "", ready=False) for person in people)
    listing = Listing(1, guess, guess.options({}), places)
    shown = lobby_view.view(listing, (people[1].key, people[0].key), Contacts())
    digest = guess.version.digest.hex()[:16]
    assert any(f"package {guess.version.package} [{digest}]" in term for term in shown.terms)


def test_row_121_the_hash_is_of_every_file_of_the_rules(folder: Path) -> None:
    rules = folder / "tiny" / "rules"
    rules.mkdir(parents=True)
    for name in ("__init__", "game", "state"):
        (rules / f"{name}.py").write_text("GAME = 1\n")
    (rules.parent / "bot.py").write_text("")
    before = packages.digest("tiny.rules.game:GAME")
    (rules.parent / "bot.py").write_text("# stronger\n")
    assert packages.digest("tiny.rules.game:GAME") == before
    for change in (rules / "state.py", rules / "more.py"):
        change.write_text("GAME = 2\n")
        after = packages.digest("tiny.rules.game:GAME")
        assert after != before
        before = after


def test_the_digest_is_the_one_that_the_specification_gives() -> None:
    file = EXAMPLES / "guess" / "guess" / "rules.py"
    tag = hashlib.sha256(b"p2p-stratego/2 rules").digest()
    assert (
        packages.digest("guess.rules:GAME")
        == hashlib.sha256(tag + tag + encode([["rules.py", file.read_bytes()]])).digest()
    )


def test_a_genesis_has_the_edition_in_the_place_of_the_number(guess: Game[object]) -> None:
    begun = Table(7, game=guess).begun
    value = decode(begun.body)
    assert isinstance(value, list)
    assert isinstance(guess.version, Edition)
    assert value[2] == [1, "p2p-stratego-guess", guess.version.digest]
    assert genesis.parse(begun.body, GAMES) == begun


def test_a_start_without_packages_reads_no_metadata() -> None:
    loads = "import sys; from cli.games import packages; packages.load()"
    script = f"{loads}; print('importlib.metadata' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert process.stdout == "False\n"


def test_bots_in_processes_of_their_own_play_it(guess: Game[object], call: Call) -> None:
    run = call("demo", "--game", "guess", "--seed", "3", "--fast")
    assert run.code == Exit.OK
    assert "the high card" in run.out
