"""Commands that messages tell to type: they lead to the same home folder."""

from __future__ import annotations

from pathlib import Path

from cli.shell.exit_codes import Exit
from tests.helpers.program.commands import Call


def test_what_is_told_to_be_typed_leads_to_the_same_home(call: Call, tmp_path: Path) -> None:
    other = tmp_path / "my games"
    run = call("--home", other, "play", "--name", "Anna", stdin=b"leave\nyes\n")
    assert run.out.count(f"p2p-stratego --home '{other}' resume") == 2
    assert "p2p-stratego resume" not in run.out
    assert "p2p-stratego resume" in call("play", "--name", "Anna").out


def test_commands_in_errors_and_lists_lead_to_the_same_home(call: Call, tmp_path: Path) -> None:
    other = tmp_path / "my games"
    here = f"`p2p-stratego --home '{other}'"

    def output(*words: str) -> str:
        """The text of both streams; no command in it may lead to another home folder."""
        done = call(*words, "--home", other)
        text = done.out + done.err
        assert "`" in text
        assert text.count("`") == 2 * text.count(here)
        return text

    assert f"{here} play` begins one" in output("games")
    assert f"{here} play` begins one" in output("resume")
    assert not other.exists()
    for _ in range(2):
        call("play", "--name", "Anna", "--home", other)
    assert f"{here} resume GAME`, where" in output("resume")
    assert f"{here} games`" in output("resume", "abcd")
    record = next(other.glob("games/*/transcript.p2ps"))
    record.write_bytes(b"")
    assert "unreadable" in output("games")
    assert f"{here} audit {record.parent.name[:8]}`" in output("games")
    record.write_bytes(b"rubbish")
    assert f"{here} games` lists yours" in output("audit", str(record))


def test_what_the_friend_is_to_run_leads_to_the_friends_own_home(call: Call, tmp_path: Path) -> None:
    run = call("join", "--home", tmp_path / "home too")
    assert run.code == Exit.DATA
    assert "command host" in run.err
    assert "--home" not in run.err
