"""Records of an archive, named by a word, in the commands that read transcripts."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from cli.__main__ import main
from cli.archive import record_lookup, schema, store
from cli.archive.store import Archive
from cli.reports import sources
from cli.shell import extras
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import audit
from protocol.storage.home import Home
from tests.helpers.archives.judged import filled, judge
from tests.helpers.archives.records import CHANGED, match
from tests.helpers.program.events import key, played, transcript


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    first, second = match(0)
    made = filled(
        tmp_path_factory.mktemp("kept"),
        {"cut": first[: len(first) // 2], "first": first, "second": second, "other": match(1)[0]},
    )
    judge(made)
    return made


@pytest.fixture
def word(archive: Archive) -> str:
    """The match of which the archive has three copies."""
    return f"{archive.place}/{audit(match(0)[0], GAMES).genesis.id.hex()[:12]}"


def test_a_word_means_the_best_copy_of_a_match_and_a_search_all_of_them(
    archive: Archive, word: str, tmp_path: Path
) -> None:
    assert sources.read(word) == max(match(0), key=lambda data: (len(data), sha256(data).hexdigest()))
    assert sources.changed(word) >= CHANGED
    named = sources.find([word], tmp_path)
    assert len(named) == 3
    assert {sources.read(name) for name in named} >= {*match(0)}
    [first] = [name for name in named if sources.read(name) == sources.read(word)]
    assert named[0] == first
    digest = sha256(match(0)[1]).hexdigest()
    assert sources.read(f"{archive.place}/{digest[:10].upper()}") == match(0)[1]
    assert sources.read(f"{archive.place}/{digest}") == match(0)[1]


def test_commands_take_a_record_of_an_archive(
    word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = ["--home", str(tmp_path / "home")]
    for command in ("replay", "analyse", "export"):
        assert main([*home, command, word, "--json"]) == Exit.OK
        assert json.loads(capsys.readouterr().out)
    assert main([*home, "audit", word, "--json"]) == Exit.INCOMPLETE  # one of them is cut
    assert capsys.readouterr().out.count('"type": "transcript"') == 3
    with Home(tmp_path / "home"):
        pass
    assert main([*home, "stats", "Ada", "--also", word, "--json"]) == Exit.OK
    [game] = json.loads(capsys.readouterr().out)["games"]
    assert game["game"] == "spies-and-lies"


def test_a_tournament_takes_both_copies_from_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    field, event = tmp_path / "field.txt", tmp_path / "cup"
    field.write_text("".join(f"{key(name)} {name}\n" for name in ("Ann", "Ben")), encoding="utf-8")
    named = ["--name", "Cup", "--game", "spies-and-lies", "--players", str(field)]
    assert main(["tournament", "new", str(event), *named]) == Exit.OK
    assert main(["tournament", "pair", str(event)]) == Exit.OK
    document = json.loads((event / "rounds/001.json").read_text(encoding="utf-8"))
    names = [("Ann", "Ben")[seat - 1] for seat in document["pairings"][0]["seats"]]
    table = played(*names, word=document["word"], loser=0)
    archive = filled(tmp_path / "club", {str(seat): transcript(table, seat) for seat in (0, 1)})
    id_ = audit(transcript(table), GAMES).genesis.id.hex()
    assert main(["tournament", "take", str(event), f"{archive.place}/{id_[:8]}"]) == Exit.OK
    assert capsys.readouterr().out.splitlines()[-1].startswith("0 results")
    assert len([*event.rglob("*.p2ps")]) == 2


@pytest.mark.parametrize(
    ("given", "code"),
    [("0000", Exit.IO), ("abc", Exit.USAGE), ("zzzz", Exit.IO)],
)
def test_a_word_that_means_no_record_is_refused(
    archive: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str, code: Exit
) -> None:
    for command in ("replay", "analyse", "audit"):
        words = ["--home", str(tmp_path), command, f"{archive.place}/{given}"]
        assert main(words) == code
    assert main(["--home", str(tmp_path), "replay", f"{tmp_path}/none/{given}"]) == Exit.IO
    capsys.readouterr()


def test_of_several_matches_or_copies_that_begin_alike_none_is_chosen(tmp_path: Path) -> None:
    data = [match(seed)[0] for seed in range(3)]
    ids = ["abcd" + "0" * 60, "abcd" + "1" * 60, "abcd" + "1" * 60]
    rows = [
        {
            "game": "spies-and-lies",
            "shard": "-",
            "match": id_,
            "sha256": sha256(record).hexdigest(),
            "size": len(record),
            "changed": None,
            "bytes": record,
        }
        for id_, record in zip(ids, data, strict=True)
    ]
    archive = store.made(str(tmp_path), 1)
    archive.append(schema.RECORDS, lambda _standing: store.rows_of(schema.RECORDS, rows))
    with pytest.raises(Sorry, match="abcd0000") as refused:
        record_lookup.best(archive.place, "abcd")
    assert refused.value.code is Exit.USAGE
    with pytest.raises(Sorry, match=sha256(data[1]).hexdigest()) as refused:
        record_lookup.only(archive.place, "abcd1")
    assert refused.value.code is Exit.USAGE
    assert record_lookup.only(archive.place, "ABCD0").data == data[0]


def test_of_several_copies_one_without_a_fault_goes_before_longer_ones(tmp_path: Path) -> None:
    first = match(0)[0]
    changed = bytearray(first + first[-400:])  # what was said at the end is said twice
    archive = filled(tmp_path, {"first": first, "changed": bytes(changed)})
    judge(archive)
    id_ = audit(first, GAMES).genesis.id.hex()
    assert audit(bytes(changed), GAMES).exit_code != 0
    assert record_lookup.best(archive.place, id_).data == first


def test_without_the_extra_a_word_of_an_archive_says_which_line_installs_it(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _module: None)
    with pytest.raises(Sorry) as refusal:
        sources.read(word)
    assert refusal.value.code is Exit.CONFIG
