"""Files and folders of the home: names, links and permissions (rows 36 and 38)."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

from protocol.failures import Hazard, InUse, Missing, StorageFailure, Unsafe
from protocol.storage.files import Folder, require_makeable
from protocol.storage.home import Home
from tests.helpers.links.peers import saved_match
from tests.helpers.machine.disk import mode

HOSTILE = ["../x", "..", ".", "/etc/passwd", "a/b", "a\0b", "", "x" * 65, "UPPER", "-rf", "ä", "a\nb"]


def test_row_36_everything_created_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        saved_match(tmp_path)
    finally:
        os.umask(old)
    paths = list((tmp_path / "ada").rglob("*"))
    assert {mode(path) for path in [tmp_path / "ada", *paths] if path.is_dir()} == {0o700}
    assert {mode(path) for path in paths if path.is_file()} == {0o600}
    assert {path.name for path in paths} >= {
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
    game = saved_match(tmp_path)
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
    with pytest.raises(Unsafe, match=Hazard.FILE_FOR_HOME.value):
        Home(tmp_path / "home")


def test_trying_whether_a_folder_can_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    deep = tmp_path / "one" / "two" / "three"
    require_makeable(deep)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("precious")
    with pytest.raises(StorageFailure):
        require_makeable(tmp_path / "file" / "home")
    assert (tmp_path / "file").read_text() == "precious"


def test_row_38_secrets_that_others_could_read_are_closed_to_them_on_opening(tmp_path: Path) -> None:
    folder = saved_match(tmp_path)
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


@pytest.mark.parametrize("loose", [0o777, 0o770, 0o720])
def test_row_36_a_home_that_others_may_change_is_refused(tmp_path: Path, loose: int) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home").chmod(loose)
    with pytest.raises(Unsafe, match=Hazard.OTHERS_MAY_CHANGE.value):
        Home(tmp_path / "home")


def test_a_file_larger_than_any_of_ours_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.storage.files.MAX_FILE", 100)
    (tmp_path / "contacts.json").write_bytes(b"x" * 101)
    with Home(tmp_path) as home, pytest.raises(Unsafe):
        home.contacts()


def test_a_file_that_is_there_is_not_created_over(tmp_path: Path) -> None:
    with Folder.at(tmp_path / "home") as folder:
        folder.create("once", b"first")
        with pytest.raises(FileExistsError):
            folder.create("once", b"second")
        assert folder.read("once") == b"first"
        assert not folder.remove("never")


def test_a_look_at_a_lock_keeps_nobody_from_taking_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process looks, and is slow to close the file: its share of the lock stands for two waits."""
    with Folder.at(tmp_path) as folder:
        folder.create("lock", b"")
        look, waits = os.open(tmp_path / "lock", os.O_RDONLY), list[float]()
        fcntl.flock(look, fcntl.LOCK_SH)

        def passes(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 2:
                os.close(look)

        monkeypatch.setattr(time, "sleep", passes)
        with folder.lock("lock", wait=False):
            assert len(waits) == 2
            assert folder.held("lock")
            with pytest.raises(InUse):
                folder.lock("lock", wait=False)
            assert len(waits) == 2, "whoever holds it is not waited for"
        assert not folder.held("lock")


def test_a_look_that_never_ends_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder.at(tmp_path) as folder:
        folder.create("lock", b"")
        look, waits = os.open(tmp_path / "lock", os.O_RDONLY), list[float]()
        fcntl.flock(look, fcntl.LOCK_SH)
        monkeypatch.setattr(time, "sleep", waits.append)
        with pytest.raises(InUse):
            folder.lock("lock", wait=False)
        assert 0 < sum(waits) < 1
        os.close(look)
