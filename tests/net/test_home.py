"""The home folder and what it keeps: permissions, links, locks, names (threats 32 and 36)."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from protocol import tls
from protocol.contacts import Contact, Contacts, Standing
from protocol.encoding import Frame
from protocol.failures import Damaged, DiskFailed, DiskFull, InUse, Missing, ReadOnly, StorageFailure, Unsafe
from protocol.files import Folder, failure
from protocol.home import Home
from protocol.keys import Identity
from protocol.outputs import Duty, Output
from protocol.replica import found
from protocol.store import Route
from tests.net.table import GAME, owner, two_stores

ADA = Identity(b"a" * 32).key
BEN = Identity(b"b" * 32).key
HOSTILE = ["../x", "..", ".", "/etc/passwd", "a/b", "a\0b", "", "x" * 65, "UPPER", "-rf", "ä", "a\nb"]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_row_36_everything_created_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        for store in two_stores(tmp_path):
            store.close()
    finally:
        os.umask(old)
    found = list((tmp_path / "ada").rglob("*"))
    assert {mode(path) for path in [tmp_path / "ada", *found] if path.is_dir()} == {0o700}
    assert {mode(path) for path in found if path.is_file()} == {0o600}
    assert {path.name for path in found} >= {
        "identity.key",
        "transcript.p2ps",
        "secrets",
        "lock",
        "peer.json",
    }


@pytest.mark.parametrize("name", HOSTILE)
def test_row_36_no_name_but_our_own_reaches_the_disk(tmp_path: Path, name: str) -> None:
    with Folder.at(tmp_path / "home") as folder:
        for use in (folder.read, folder.folder, folder.tighten, lambda n: folder.create(n, b"")):
            with pytest.raises(ValueError, match="not a name"):
                use(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_row_36_an_id_from_outside_never_becomes_a_path(tmp_path: Path, name: str) -> None:
    with Home(tmp_path) as home:
        with pytest.raises(Missing):
            home.open(name)
        with pytest.raises(Missing):
            home.find(name)


def test_row_36_a_symbolic_link_in_a_files_place_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    home = tmp_path / "home"
    for store in two_stores(tmp_path):
        store.close()
    [game] = (tmp_path / "ada" / "games").iterdir()
    with Home(home) as made:
        for name, use in [
            ("identity.key", made.identity),
            ("contacts.json", made.contacts),
            ("lock", made.identity),
        ]:
            (home / name).unlink(missing_ok=True)
            (home / name).symlink_to(victim)
            with pytest.raises(Unsafe):
                use()
            (home / name).unlink()
    with Home(tmp_path / "ada") as made:
        for name in ("transcript.p2ps", "secrets", "lock"):
            aside = game / "aside"
            (game / name).rename(aside)
            (game / name).symlink_to(aside)
            with pytest.raises(Unsafe):
                made.open(game.name)
            (game / name).unlink()
            aside.rename(game / name)
    assert victim.read_bytes() == b"precious"


def test_row_36_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Home(tmp_path / "home") as home:
        (home.path / "games").symlink_to(elsewhere)
        with pytest.raises(Unsafe):
            home.games()


def test_row_36_a_pipe_or_folder_in_a_files_place_neither_hangs_nor_passes(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        os.mkfifo(tmp_path / "contacts.json")
        with pytest.raises(Unsafe):
            home.contacts()
        (tmp_path / "contacts.json").unlink()
        (tmp_path / "contacts.json").mkdir()
        with pytest.raises(Unsafe):
            home.contacts()


def test_a_home_that_is_a_file_is_told_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(Unsafe, match="is a file, not a folder"):
        Home(tmp_path / "home")


def test_row_38_secrets_that_others_could_read_are_closed_to_them_on_opening(tmp_path: Path) -> None:
    store, other = two_stores(tmp_path)
    other.close()
    folder = Path(store.path).parent
    store.close()
    (folder / "tls.pem").write_bytes(b"pem")
    for name in ("secrets", "tls.pem"):
        (folder / name).chmod(0o644)
    with Home(tmp_path / "ada") as home:
        home.keep_invite("ab", b"record", b"pem")
        invite = tmp_path / "ada" / "invites" / "ab"
        for path in invite.iterdir():
            path.chmod(0o644)
        store = home.open(folder.name)
        assert store.certificate == b"pem"
        store.close()
        assert home.invites() == {"ab": (b"record", b"pem")}
    assert {mode(path) for path in [*invite.iterdir(), folder / "secrets", folder / "tls.pem"]} == {0o600}


def test_row_38_what_is_said_or_kept_is_not_printed() -> None:
    assert "hush" not in repr(Frame(1, b"hush"))
    assert "hush" not in repr(Output(Duty.SECRET, b"hush"))


@pytest.mark.parametrize("loose", [0o777, 0o770, 0o720])
def test_row_36_a_home_that_others_may_change_is_refused(tmp_path: Path, loose: int) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home").chmod(loose)
    with pytest.raises(Unsafe, match="chmod 700"):
        Home(tmp_path / "home")


def test_a_file_larger_than_any_of_ours_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.files.MAX_FILE", 100)
    (tmp_path / "contacts.json").write_bytes(b"x" * 101)
    with Home(tmp_path) as home, pytest.raises(Unsafe):
        home.contacts()


# Who we are


def test_the_key_is_made_once_and_found_again(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        first = home.identity()
    with Home(tmp_path) as home:
        assert home.identity().key == first.key
        assert home.notes == []
    assert b"PRIVATE KEY" in (tmp_path / "identity.key").read_bytes()


def test_a_key_that_others_could_read_is_repaired_and_the_user_is_told(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        first = home.identity()
        (tmp_path / "identity.key").chmod(0o644)
        assert home.identity().key == first.key
        assert len(home.notes) == 1
        assert mode(tmp_path / "identity.key") == 0o600


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"noise",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
    ],
)
def test_a_damaged_key_is_never_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "identity.key").write_bytes(content)
    with Home(tmp_path) as home, pytest.raises(Damaged):
        home.identity()
    assert (tmp_path / "identity.key").read_bytes() == content


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "identity.key").write_bytes(tls.make().pem)
    with Home(tmp_path) as home, pytest.raises(Damaged):
        home.identity()


def test_the_same_entropy_gives_the_same_player(tmp_path: Path) -> None:
    keys = []
    for name in ("one", "two"):
        with Home(tmp_path / name, lambda n: b"\x07" * n) as home:
            keys.append(home.identity().key)
    assert keys[0] == keys[1]


# Whom we met


def same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def test_a_known_name_under_another_key_is_told_from_everything_else() -> None:
    known = Contacts((Contact(ADA, "Ada"),))
    assert known.recognise(ADA, "Ada", same).standing is Standing.KNOWN
    assert known.recognise(BEN, "Ada", same).standing is Standing.CHANGED
    assert known.recognise(BEN, "ada", same).standing is Standing.LOOKALIKE
    assert known.recognise(ADA, "Adele", same).standing is Standing.RENAMED
    assert known.recognise(BEN, "Ben", same).standing is Standing.NEW
    known.remember(BEN, "Ben")
    renamed = known.recognise(ADA, "Ben", same)
    assert (renamed.standing, renamed.contact) == (Standing.CHANGED, Contact(BEN, "Ben"))
    assert known.recognise(BEN, "Nobody", same).contact == Contact(BEN, "Ben")
    assert known.recognise(Identity(b"c" * 32).key, "Cleo", same).contact is None


def test_contacts_survive_a_restart(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        assert home.contacts().all == ()
        home.remember(ADA, "Ada")
        home.remember(BEN, "Ben")
        home.remember(ADA, "Adele")
    with Home(tmp_path) as home:
        assert home.contacts().all == (Contact(ADA, "Adele"), Contact(BEN, "Ben"))


@pytest.mark.parametrize(
    "value",
    [
        "noise",
        "[]",
        "{}",
        '{"version": 2, "contacts": []}',
        '{"version": 1, "contacts": [{"key": "00", "name": "Ada"}]}',
        '{"version": 1, "contacts": [{"key": 7, "name": "Ada"}]}',
        json.dumps({"version": 1, "contacts": [{"key": ADA.hex(), "name": ["Ada"]}]}),
        json.dumps({"version": 1, "contacts": [{"key": ADA.hex(), "name": "\x1b[31m"}]}),
        "[" * 100_000,
    ],
)
def test_damaged_contacts_are_refused_in_a_sentence(tmp_path: Path, value: str) -> None:
    (tmp_path / "contacts.json").write_text(value)
    with Home(tmp_path) as home, pytest.raises(Damaged, match="Move it away"):
        home.contacts()


def test_settings_survive_and_damage_to_them_costs_nothing_else(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        assert home.settings() == {}
        home.save_settings({"name": "Ada"})
        assert home.settings() == {"name": "Ada"}
        for content in ("noise", "[1]", "[" * 100_000):
            (tmp_path / "settings.json").write_text(content)
            assert home.settings() == {}


# Matches


def test_saved_matches_are_listed_and_found_by_the_start_of_their_id(tmp_path: Path) -> None:
    ada = owner(tmp_path / "ada", "Ada")
    assert ada.home.games() == []
    ids = []
    for _ in range(2):
        store, other = two_stores(tmp_path)
        ids.append(Path(store.path).parent.name)
        assert not ada.home.free(ids[-1])
        store.close()
        assert ada.home.free(ids[-1])
        other.close()
    (tmp_path / "ada" / "games" / "not-a-match").mkdir()
    assert [saved.id for saved in ada.home.games()] == sorted(ids)
    assert all(saved.path.is_file() for saved in ada.home.games())
    assert ada.home.find(ids[0].upper()) == ids[0]
    assert ada.home.find(ids[0][:20]) == ids[0]
    with pytest.raises(Missing, match="No saved game"):
        ada.home.find("zz")
    with pytest.raises(Missing):
        ada.home.open("0" * 32)


def test_several_matches_with_one_beginning_are_not_guessed_between(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        (tmp_path / "games").mkdir(mode=0o700)
        for name in ("aa" + "0" * 30, "ab" + "0" * 30):
            (tmp_path / "games" / name).mkdir()
        with pytest.raises(Missing, match="Several"):
            home.find("a")


def test_row_32_a_match_is_open_in_one_place_only(tmp_path: Path) -> None:
    store, other = two_stores(tmp_path)
    name = Path(store.path).parent.name
    with Home(tmp_path / "ada") as again:
        with pytest.raises(InUse, match="another window"):
            again.open(name)
        store.close()
        again.open(name).close()
    other.close()


def test_row_32_of_50_processes_one_gets_the_match(tmp_path: Path) -> None:
    for store in two_stores(tmp_path):
        store.close()
    name = next((tmp_path / "ada" / "games").iterdir()).name
    go, start = os.pipe()
    hold, let_go = os.pipe()
    hear, tell = os.pipe()
    children = []
    for _ in range(50):
        child = os.fork()
        if child == 0:  # pragma: no cover  # in another process
            os.close(start)
            os.close(let_go)
            os.read(go, 1)  # until the parent closes the other end: all start at once
            try:
                Home(tmp_path / "ada").open(name)
                os.write(tell, b"1")
            except InUse:
                os.write(tell, b"0")
            finally:
                os.read(hold, 1)
                os.kill(os.getpid(), 9)
        children.append(child)
    os.close(start)
    os.close(tell)
    said = b""
    while len(said) < 50:
        said += os.read(hear, 50)
    os.close(let_go)
    for child in children:
        os.waitpid(child, 0)
    for end in (go, hold, hear):
        os.close(end)
    assert sorted(said) == sorted(b"1" + b"0" * 49)
    with Home(tmp_path / "ada") as home:
        assert home.free(name), "a killed process must not keep its lock"


def test_a_match_that_a_crash_left_half_made_never_shows_up(tmp_path: Path) -> None:
    for store in two_stores(tmp_path):
        store.close()
    games = tmp_path / "ada" / "games"
    half = games / "new-0123456789abcdef"
    half.mkdir(mode=0o700)
    (half / "secrets").write_bytes(b"half")
    with Home(tmp_path / "ada") as home:
        assert len(home.games()) == 1
    for store in two_stores(tmp_path):
        store.close()
    assert not half.exists()


@pytest.mark.parametrize("broken", ["write", "fdatasync", "fsync", "rename"])
def test_making_a_match_fails_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    ada, ben = owner(tmp_path / "ada", "Ada"), owner(tmp_path / "ben", "Ben")
    real = getattr(os, broken)

    def fail(*args: object, **more: object) -> object:
        if any((tmp_path / "ada" / "games").glob("new-*/transcript.p2ps")):
            raise OSError(28, "no space left")
        return real(*args, **more)

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(DiskFull):
        found(GAME, GAME.options({}), (ada, ben), "bot")
    assert ada.home.games() == []
    monkeypatch.undo()
    for store in two_stores(tmp_path):
        store.close()
    assert [path.name for path in (tmp_path / "ada" / "games").iterdir()] == [ada.home.games()[0].id]


def test_row_33_a_match_does_not_begin_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for store in two_stores(tmp_path):
        store.close()
    name = next((tmp_path / "ada" / "games").iterdir()).name
    monkeypatch.setattr("protocol.store.ROOM", 2**62)
    with pytest.raises(DiskFull, match="Make room"):
        two_stores(tmp_path)
    with Home(tmp_path / "ada") as home, pytest.raises(DiskFull):
        home.open(name)
    monkeypatch.undo()
    with Home(tmp_path / "ada") as home:
        home.open(name).close()


@pytest.mark.parametrize(
    ("number", "kind"),
    [(13, ReadOnly), (30, ReadOnly), (28, DiskFull), (122, DiskFull), (5, DiskFailed), (2, Missing)],
)
def test_errors_of_the_system_become_sentences(number: int, kind: type[StorageFailure]) -> None:
    told = failure(OSError(number, os.strerror(number)), "/some/where")
    assert type(told) is kind
    assert "/some/where" in str(told)
    assert str(told).endswith(".")


def test_a_route_that_cannot_be_read_is_damage(tmp_path: Path) -> None:
    store, other = two_stores(tmp_path)
    route = Route(False, ("192.0.2.1", "example.org"), 4000, b"c" * 32)
    store.set_route(route)
    assert store.route == route
    for content in ("noise", "{}", "[" * 100_000, '{"role": "host"}'):
        Path(store.path).with_name("peer.json").write_text(content)
        with pytest.raises(Damaged):
            _ = store.route
    with pytest.raises(Missing):
        _ = store.certificate
    store.close()
    store.close()
    other.close()


def test_another_lock_of_the_system_fails_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(37, "no locks available")

    monkeypatch.setattr("fcntl.flock", fail)
    with Home(tmp_path) as home, pytest.raises(DiskFailed):
        home.identity()


@pytest.mark.parametrize("broken", ["write", "fdatasync", "rename"])
def test_a_file_that_cannot_be_replaced_keeps_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "no space left")

    with Home(tmp_path) as home:
        home.remember(ADA, "Ada")
        before = sorted(path.name for path in tmp_path.iterdir())
        monkeypatch.setattr(os, broken, fail)
        with pytest.raises(DiskFull):
            home.remember(BEN, "Ben")
        monkeypatch.undo()
        assert home.contacts().all == (Contact(ADA, "Ada"),)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_torn_record_that_cannot_be_cut_off_stops_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = two_stores(tmp_path)
    file = Path(store.path)
    store.close()
    other.close()
    file.write_bytes(file.read_bytes() + b"\x02")

    def fail(*_: object) -> None:
        raise OSError(5, "input/output error")

    monkeypatch.setattr(os, "ftruncate", fail)
    with Home(tmp_path / "ada") as home:
        with pytest.raises(DiskFailed):
            home.open(file.parent.name)
        monkeypatch.undo()
        home.open(file.parent.name).close()


def test_a_file_that_is_there_is_not_created_over(tmp_path: Path) -> None:
    with Folder.at(tmp_path / "home") as folder:
        folder.create("once", b"first")
        with pytest.raises(FileExistsError):
            folder.create("once", b"second")
        assert folder.read("once") == b"first"
        assert not folder.remove("never")
