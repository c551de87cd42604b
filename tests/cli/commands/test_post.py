"""`post` and `take`, as two people use them who have nothing but mails."""

from __future__ import annotations

import json
import re
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cli.lines.console import Lines
from cli.shell.exit_codes import Exit
from protocol.post import form
from tests.golden.dialogues import VARYING, assert_said, assert_told
from tests.helpers.program.commands import Call, Called, Input

COUNT = re.compile(r"\d+ records, \d+ bytes")


def assert_posted(situation: str, output: Called | str, *words: str) -> None:
    """As `assert_told`, whatever the size of a post."""
    assert_told("post", situation, output, *words, COUNT=COUNT)


class Two:
    """Ada and Ben, each with a home folder, and the commands that they call."""

    def __init__(self, call: Call, path: Path) -> None:
        self.call = call
        self.homes = {name: path / name for name in ("Ada", "Ben")}

    def __call__(self, name: str, command: str, *arguments: str, stdin: bytes = b"") -> Called:
        """`name` calls a command."""
        return self.call("--home", self.homes[name], command, *arguments, stdin=stdin)

    def document(self, name: str, command: str, *arguments: str, stdin: bytes = b"") -> Any:
        """The same with `--json`; it must go well."""
        called = self(name, command, "--json", *arguments, stdin=stdin)
        assert called.code == Exit.OK, called.err
        return json.loads(called.out)

    def text(self, name: str, *arguments: str) -> bytes:
        """What `name` writes for the other one."""
        called = self(name, "post", *arguments)
        assert called.code == Exit.OK, called.err
        return called.out.encode()

    def begin(self, *options: str) -> str:
        """A game that both have agreed to; its id."""
        offer = self.text("Ada", "--new", "spies-and-lies", "--name", "Ada", *options)
        self.document("Ben", "take", "--yes", "--name", "Ben", stdin=offer)
        [taken] = self.document("Ada", "take", "--yes", stdin=self.text("Ben"))["posts"]
        return str(taken["match"])


@pytest.fixture(name="two")
def _two(call: Call, tmp_path: Path) -> Two:
    return Two(call, tmp_path)


def test_two_begin_and_play_by_mail_and_are_told_each_time_what_to_do(two: Two, call: Call) -> None:
    offer = two("Ada", "post", "--new", "spies-and-lies", "--name", "Ada", "--pace", "week")
    assert offer.out.startswith(form.BEGIN)
    assert_posted("an offer is written", offer.err)
    mail = b"Hello Ben,\nplay?\n\n" + offer.out.replace("\n", "\r\n").encode() + b"\nAda\n"
    unasked = two("Ben", "take", "--name", "Ben", stdin=mail)
    assert_posted("an offer is taken, and nobody says yes", unasked)
    assert not (two.homes["Ben"] / "games").exists()
    agreed = two("Ben", "take", "--yes", "--name", "Ben", stdin=mail)
    assert_posted("an offer is taken with --yes", agreed)
    again = two("Ben", "take", "--yes", "--name", "Ben", stdin=mail)
    assert_posted("the same offer is taken again", again)
    answer = two.text("Ben")
    [taken] = two.document("Ada", "take", "--yes", stdin=answer)["posts"]
    assert (taken["name"], taken["records"], taken["your_turn"]) == ("Ben", 1, False)
    assert taken["to_write"]
    post = two("Ada", "post")
    assert_posted("Ada writes, and Ben is to decide", post.err)
    turn = two("Ben", "take", stdin=post.out.encode())
    assert_posted("Ben takes it", turn)
    left = two("Ben", "resume", "--plain", stdin=b"leave\nyes\n")
    assert_posted("Ben leaves and has decided nothing", left, "by post", "still your")
    assert "not sent" not in left.out, "Ben has done nothing"
    assert two("Ben", "post", stdin=b"").code == Exit.OK
    assert "still your" in two("Ben", "resume", "--plain", stdin=b"leave\nyes\n").out
    assert ", by post" in call("--home", two.homes["Ben"]).out, "in the start menu"


def test_a_post_goes_into_a_file_too_and_out_of_one(two: Two, tmp_path: Path) -> None:
    two.begin()
    path = tmp_path / "one.post"
    line = two.document("Ada", "post", "-o", str(path))
    assert line["posts"][0]["file"] == str(path)
    assert line["posts"][0]["bytes"] == path.stat().st_size
    assert path.stat().st_mode & 0o777 == 0o600
    form.read(path.read_bytes())
    [taken] = two.document("Ben", "take", str(path))["posts"]
    assert taken["records"]
    assert not two.document("Ben", "take", str(path))["posts"][0]["records"]
    assert two("Ada", "post", "-o", str(path)).code == Exit.OK, "written anew"


def test_row_87_what_is_no_post_or_not_for_us_is_told_in_a_sentence(two: Two, tmp_path: Path) -> None:
    two.begin()
    data = two.text("Ada")
    strange = Two(two.call, tmp_path / "others")
    strange.begin()
    letters = bytearray(data)
    at = data.index(b"\n", 200) + 5
    letters[at] = ord("A") if letters[at] != ord("A") else ord("B")
    for bad, situation in (
        (b"Hello", "no post is taken"),
        (data.replace(form.END.encode(), b""), "a post without its end"),
        (data.replace(b"A", b"\x1b[2J", 1), "a post with a control character"),
        (strange.text("Ada"), "a post of other players"),
        (form.text(b"p2p-stratego post 9\n").encode(), "a post of another version"),
        (bytes(letters), "a post with a letter changed"),
    ):
        called = two("Ben", "take", stdin=bad)
        assert_posted(situation, called)
        assert "\x1b" not in called.err + called.out
    [mine] = two.document("Ada", "take", stdin=data)["posts"]
    assert not mine["for_us"]
    assert_posted("Ada takes her own post", two("Ada", "take", stdin=data))
    assert two.document("Ben", "take", stdin=data)["posts"][0]["records"]


def test_row_87_an_offer_is_good_for_one_answer(two: Two, tmp_path: Path) -> None:
    offer = two.text("Ada", "--new", "stratego", "--name", "Ada")
    two.homes["Cleo"] = tmp_path / "Cleo"
    for name in ("Ben", "Cleo"):
        two.document(name, "take", "--yes", "--name", name, stdin=offer)
    first, second = two.text("Ben"), two.text("Cleo")
    two.document("Ada", "take", "--yes", stdin=first)
    late = two("Ada", "take", "--yes", stdin=second)
    assert_posted("a second answer to an offer", late)
    assert not two.document("Ada", "take", stdin=first)["posts"][0]["records"]
    own = two("Ada", "take", "--yes", stdin=offer)
    assert_posted("Ada takes her own offer", own)


def test_a_slip_on_the_command_line_is_told(two: Two) -> None:
    """In a home folder with a game, and in one that is not there."""
    two.begin()
    two.homes["Cleo"] = two.homes["Ada"].parent / "Cleo"
    assert_said("post", partial(two, "Ada"), **VARYING)
    assert_posted("nothing to write, without a home folder", two("Cleo", "post"))


def test_a_script_in_a_restored_copy_is_obeyed_and_ends(two: Two, tmp_path: Path) -> None:
    two.begin()
    two.homes["Copy"] = tmp_path / "copy"
    shutil.copytree(two.homes["Ada"], two.homes["Copy"])
    for script in (b"moves\n", b"moves\nleave\nyes\n", b"foo\n", b""):
        called = two("Copy", "resume", "--plain", stdin=script)
        assert called.code == Exit.OK
        assert "signs nothing" in called.out
        assert ("> moves" in called.out) is (b"moves" in script)


def test_a_post_without_anything_new_says_so(two: Two) -> None:
    two.begin()
    two.document("Ben", "take", stdin=two.text("Ada"))
    two.document("Ada", "take", stdin=two.text("Ben"))
    idle = two("Ada", "post")
    assert_posted("a post with nothing new", Called(idle.code, "", idle.err))
    assert not two.document("Ben", "take", stdin=idle.out.encode())["posts"][0]["records"]


def test_the_first_post_of_a_restored_copy_says_that_it_carries_no_move(two: Two, tmp_path: Path) -> None:
    two.begin()
    two.document("Ben", "take", stdin=two.text("Ada"))
    two.document("Ada", "take", stdin=two.text("Ben"))
    two.homes["Copy"] = tmp_path / "copy"
    shutil.copytree(two.homes["Ada"], two.homes["Copy"])
    asking = two("Copy", "post").err
    assert_posted("the first post of a restored copy", asking)


def test_an_open_offer_is_listed_and_printed_again(two: Two) -> None:
    offer = two.text("Ada", "--new", "spies-and-lies", "--name", "Ada")
    line = next(row for row in two("Ada", "games").out.splitlines() if row.startswith("Your offer "))
    assert two.text("Ada", line.split()[2]) == offer
    two.document("Ben", "take", "--yes", "--name", "Ben", stdin=offer)
    two.document("Ada", "take", "--yes", stdin=two.text("Ben"))
    assert "Your offer" not in two("Ada", "games").out
    assert "Your offer" not in two("Ben", "games").out


def test_after_the_end_a_post_without_an_id_takes_the_game_that_still_owes_one(two: Two) -> None:
    two.begin()
    two.document("Ben", "take", stdin=two.text("Ada"))
    resigned = two("Ada", "resume", "--plain", stdin=b"resign\nyes\nleave\nyes\n")
    assert resigned.code == Exit.OK, resigned.out
    ended = []
    for writer, reader in (("Ada", "Ben"), ("Ben", "Ada")) * 2:
        post = two(writer, "post")
        assert post.code == Exit.OK, post.err
        [taken] = two.document(reader, "take", stdin=post.out.encode())["posts"]
        ended.append((taken["finished"], bool(taken["to_write"])))
        if ended[-1] == (True, False):
            break
    assert (True, True) in ended, "else this test shows nothing"
    assert_posted("the last post of a game", post.err, "is over")
    for name in two.homes:
        assert_posted("after the last post", two(name, "post"))


def test_row_103_who_is_in_doubt_is_told_of_the_way_out_and_it_works(two: Two, tmp_path: Path) -> None:
    match = two.begin()
    two.homes["Copy"] = tmp_path / "copy"
    shutil.copytree(two.homes["Ada"], two.homes["Copy"])
    doubt = two("Copy", "post")
    assert_posted("a copy that is in doubt", doubt.err)
    assert match[:8] in doubt.err
    assert "--only-copy" in two("Copy", "resume", "--plain", stdin=b"leave\nyes\n").out
    assert "--only-copy" in two("Copy", "take", stdin=two.text("Ben")).out
    unasked = two("Copy", "post", match[:8], "--only-copy")
    assert_posted("--only-copy without --yes", unasked)
    assert two.document("Copy", "post")["unsure"]
    assert not two.document("Copy", "post", match[:8], "--only-copy", "--yes")["unsure"]
    assert not two.document("Copy", "post")["unsure"]


@pytest.mark.parametrize(("answer", "unsure"), [(b"no\n", True), (b"yes\n", False)])
def test_row_103_a_person_at_a_terminal_is_asked_before_a_restored_copy_signs(
    two: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, unsure: bool
) -> None:
    match = two.begin()
    two.homes["Copy"] = tmp_path / "copy"
    shutil.copytree(two.homes["Ada"], two.homes["Copy"])
    with monkeypatch.context() as terminal:
        terminal.setattr(Input, "isatty", lambda _: True)
        terminal.setattr(Lines, "forget", lambda _: None)  # there is no terminal to ask what was typed before
        terminal.setattr(sys.stdout, "isatty", lambda: True)
        asked = two("Copy", "post", match[:8], "--only-copy", stdin=answer)
    assert asked.code == Exit.OK
    called = Called(asked.code, asked.out.partition("-----")[0], asked.err)
    assert_posted(f"--only-copy, answered with {answer.decode().strip()}", called)
    assert two.document("Copy", "post")["unsure"] is unsure


def test_row_103_an_old_copy_is_told_so_and_has_no_way_out(two: Two, tmp_path: Path) -> None:
    match = two.begin()
    two.document("Ben", "take", stdin=two.text("Ada"))
    two.homes["Copy"] = tmp_path / "copy"
    shutil.copytree(two.homes["Ada"], two.homes["Copy"])
    assert two("Ada", "resume", "--plain", stdin=b"resign\nyes\nleave\nyes\n").code == Exit.OK
    two.document("Ben", "take", stdin=two.text("Ada"))
    taken = two("Copy", "take", stdin=two.text("Ben"))
    assert "--only-copy" not in taken.out
    assert_posted("an old copy takes a post", taken)
    frozen = two("Copy", "post", match[:8], "--only-copy", "--yes")
    assert_posted("--only-copy in an old copy", frozen)
    assert two.document("Copy", "post", match[:8])["unsure"]
    [row] = two.document("Copy", "games")["games"]
    assert (row["resumable"], row["unfinished"]) == (False, False)
    assert_posted("games of an old copy", two("Copy", "games"), "old copy")
    resumed = two("Copy", "resume", match[:8], "--plain", stdin=b"")
    assert (resumed.out + resumed.err).count("an old one") == 1


def test_a_post_that_proves_a_fault_names_the_player_as_the_audit_does(two: Two, tmp_path: Path) -> None:
    match = two.begin()
    two.document("Ben", "take", stdin=two.text("Ada"))
    two.document("Ada", "take", stdin=two.text("Ben"))
    two.homes["Copy"] = tmp_path / "copy"
    shutil.copytree(two.homes["Ada"], two.homes["Copy"])
    two("Ada", "resume", "--plain", stdin=b"1 2 3 5\n6 7 8 9\nleave\nyes\n")  # chance exhausts one soldier
    two.document("Ben", "take", stdin=two.text("Ada"))
    two.text("Copy", match[:8], "--only-copy", "--yes")
    two("Copy", "resume", "--plain", stdin=b"1 2 6 7\n3 5 8 9\nleave\nyes\n")
    taken = two("Ben", "take", stdin=two.text("Copy"))
    assert taken.code == Exit.EQUIVOCATED
    assert_posted("a post proves a fault", taken)
