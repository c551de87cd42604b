"""Engines as real processes: what they get, what they may not, and that nothing of them stays."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cli.play.engines import cage
from cli.play.engines.consultation import LONGEST, Consultation, LossCause, Lost
from cli.play.engines.engine_bot import EngineBot
from cli.play.engines.forms import GameTerms
from cli.play.engines.process import EngineCommand, EngineProcess
from p2p_stratego.core.self_play import play
from p2p_stratego.registry import GAMES, make_bot
from tests.helpers.machine.node import node
from tests.helpers.program.commands import Call
from tests.helpers.program.engines import EXAMPLE, program

PATIENCE = 30.0
"""Seconds for what takes a moment: a watchdog, not a measurement."""
LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="the cage finds children of children on Linux only"
)
LANDLOCK = pytest.mark.skipif(not cage.landlock(), reason="this system has no Landlock")


@contextmanager
def running(command: EngineCommand, *closed: Path) -> Iterator[EngineProcess]:
    engine = EngineProcess(command, closed, time.monotonic)
    try:
        yield engine
    finally:
        engine.close()


def soon() -> float:
    return time.monotonic() + PATIENCE


def first_line(folder: Path, text: str, *closed: Path) -> Any:
    """What a program in Python says in its first line."""
    with running(program(folder, text), *closed) as engine:
        return json.loads(engine.receive(soon()))


def gone(process: int) -> bool:
    """Whether a process has ended, or is about to be reaped."""
    with suppress(ProcessLookupError, FileNotFoundError):  # reaped before the one call, or between the two
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def test_a_whole_game_is_played_by_the_example_and_can_be_repeated() -> None:
    command = EngineCommand((sys.executable, str(EXAMPLE)))
    game = GAMES["spies-and-lies"]
    ends = []
    for _ in range(2):
        engine = EngineBot(
            lambda: EngineProcess(command, [], time.monotonic), {}, time.monotonic, random.Random(1)
        )
        engine.seconds = PATIENCE
        engine.begin(GameTerms(game, game.options({}), 0, ("Anna", "Boris"), 7))
        played = play(game, [engine, make_bot(game.name, "recruit", random.Random(2))], {}, random.Random(3))
        engine.end(played.outcome)
        engine.close()
        ends.append(played)
        assert engine.hello.name == "Random Player"
        assert len(engine.spent) > 5
    assert ends[0] == ends[1]


def test_an_engine_gets_an_empty_folder_and_an_environment_that_names_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2P_STRATEGO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SSH_AUTH_SOCK", "/secret")
    monkeypatch.chdir(tmp_path)
    surroundings = first_line(tmp_path, "say(here=os.listdir(), cwd=os.getcwd(), env=dict(os.environ))")
    assert surroundings["here"] == []
    assert Path(surroundings["cwd"]) != tmp_path
    assert not Path(surroundings["cwd"]).exists()
    assert surroundings["env"].keys() <= {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR"}
    assert surroundings["env"]["HOME"] == surroundings["cwd"]


@LANDLOCK
def test_no_way_leads_an_engine_into_the_home_folder(tmp_path: Path) -> None:
    """Neither by its path, nor by a link, nor by what the kernel shows of processes, nor by a child."""
    home = tmp_path / "data" / "home"
    home.mkdir(parents=True)
    (home / "identity.key").write_text("secret")
    (tmp_path / "link").symlink_to(home)
    (tmp_path / "beside").write_text("open")
    attempts = f'''
        import subprocess
        def tried(attempt):
            try:
                return str(attempt())
            except OSError as error:
                return type(error).__name__
        key = "{home}/identity.key"
        say(
            direct=tried(lambda: open(key).read()),
            listed=tried(lambda: os.listdir("{home}")),
            linked=tried(lambda: open("{tmp_path}/link/identity.key").read()),
            rooted=tried(lambda: open("/proc/self/root" + key).read()),
            parent=tried(lambda: open(f"/proc/{{os.getppid()}}/root" + key).read()),
            memory=tried(lambda: open(f"/proc/{os.getpid()}/mem", "rb").read(1)),
            moved=tried(lambda: os.rename("{home}", "{tmp_path}/taken")),
            written=tried(lambda: open("{home}/new", "w").write("x")),
            child=subprocess.run(["cat", key], capture_output=True).returncode,
            beside=open("{tmp_path}/beside").read(),
            own=open("mine", "w").write("x"),
        )
        '''
    results = first_line(tmp_path, attempts, home)
    assert results.pop("beside") == "open"
    assert results.pop("own") == 1
    assert results.pop("child") == 1
    assert results.keys() == {"direct", "listed", "linked", "rooted", "parent", "memory", "moved", "written"}
    assert "secret" not in results.values()
    assert set(results.values()) <= {"PermissionError", "OSError"}, results
    assert sorted(path.name for path in home.iterdir()) == ["identity.key"]


@LANDLOCK
def test_a_home_folder_is_closed_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a relative path, by a link, beside another one, or within it."""
    for name in ("home", "home/bots/agent", "other"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "identity.key").write_text("secret")
    (tmp_path / "link").symlink_to(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    text = f"""
        def tried(name):
            try:
                return open(f"{tmp_path}/{{name}}/identity.key").read()
            except PermissionError:
                return "closed"
        say(found=[tried(name) for name in ("home", "home/bots/agent", "other")])
        """
    closed = Path("home"), Path("link"), Path("home/bots/agent"), Path("nowhere")
    assert first_line(tmp_path, text, *closed)["found"] == ["closed"] * 3


@LANDLOCK
def test_the_engine_of_a_command_finds_neither_the_home_in_use_nor_the_usual_one(
    tmp_path: Path, home: Path, call: Call
) -> None:
    """`home`: that of the environment."""
    for folder in (home, tmp_path / "mine"):
        folder.mkdir()
        (folder / "identity.key").write_text("secret")
    text = f"""
        def tried(folder):
            try:
                return open(f"{{folder}}/identity.key").read()
            except PermissionError:
                return "closed"
        next(lines)
        say(type="error", text=str([tried(folder) for folder in ("{home}", "{tmp_path}/mine")]))
        """
    command = program(tmp_path, text)
    run = call("--home", tmp_path / "mine", "arena", "--engine", shlex.join(command.words))
    assert "gives up: ['closed', 'closed']" in run.err


@LANDLOCK
@pytest.mark.skipif(cage.landlock() < 6, reason="signals are scoped since Landlock 6")
def test_an_engine_kills_nobody_outside_its_cage(tmp_path: Path) -> None:
    text = f"""
        found = []
        for process in ({os.getpid()}, os.getppid()):
            try:
                os.kill(process, 0)
                found.append("could")
            except PermissionError:
                found.append("could not")
        say(found=found)
        """
    home = tmp_path / "home"
    home.mkdir()
    assert first_line(tmp_path, text, home)["found"] == ["could not"] * 2


@LINUX
def test_an_engine_ends_with_all_its_children(tmp_path: Path) -> None:
    """One in its group, one in a session of its own whose parent has ended; none hears signals."""
    text = """
        import signal
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        def child(detached):
            reads, writes = os.pipe()
            if os.fork() == 0:
                if detached:
                    os.setsid()
                    if os.fork():
                        os._exit(0)
                os.write(writes, str(os.getpid()).encode())
                while True:
                    signal.pause()
            return int(os.read(reads, 20))
        say(processes=[os.getpid(), child(False), child(True)])
        while True:
            signal.pause()
        """
    processes = first_line(tmp_path, text)["processes"]
    assert len(set(processes)) == 3
    assert all(map(gone, processes))


@LINUX
def test_an_engine_that_kills_its_cage_ends_all_the_same(tmp_path: Path) -> None:
    """As it can where signals are not scoped."""
    text = """
        import signal
        if os.fork() == 0:
            while True:
                signal.pause()
        say(process=os.getpid())
        while True:
            signal.pause()
        """
    with running(program(tmp_path, text)) as engine:
        process = json.loads(engine.receive(soon()))["process"]
        os.kill(engine.cage, signal.SIGKILL)
    until = soon()
    while not gone(process) or any(str(tmp_path) in line for line in commands()):
        assert time.monotonic() < until
        os.sched_yield()


def commands() -> Iterator[str]:
    """The command lines of all processes."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield entry.read_text(errors="replace")


@LINUX
def test_an_engine_does_not_outlive_a_program_that_was_killed(tmp_path: Path) -> None:
    command = program(tmp_path, "say(process=os.getpid(), work=os.getcwd())\nwhile True: time.sleep(1000)")
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException):
            engine = EngineProcess(command, [], time.monotonic)
            os.write(writes, engine.receive(soon()))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    document = json.loads(os.read(reads, 200))
    for end in (reads, writes):
        os.close(end)
    until = soon()
    while not gone(document["process"]) or Path(document["work"]).exists():
        assert time.monotonic() < until
        os.sched_yield()


@LINUX
def test_each_process_of_an_engine_has_its_limits(tmp_path: Path) -> None:
    text = """
        import resource
        resource.setrlimit(resource.RLIMIT_DATA, (1 << 28, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        def tried(attempt):
            try:
                return str(attempt())
            except (OSError, MemoryError, ValueError) as error:
                return type(error).__name__
        hard = [resource.getrlimit(which)[1] for which in (
            resource.RLIMIT_CORE, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC)]
        file = open("mine", "wb")
        file.truncate(0)
        say(
            hard=hard,
            memory=tried(lambda: len(bytearray(1 << 29))),
            file=tried(lambda: os.truncate("mine", hard[2] + 1)),
            raised=tried(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (hard[2], hard[2] + 1))),
        )
        """
    answer = first_line(tmp_path, text)
    *others, tasks = answer["hard"]
    assert all(limit <= most for limit, most in zip(others, (0, cage.MEMORY, cage.LARGEST_FILE), strict=True))
    assert 0 < tasks < 2**16  # with those of other programs where no user may make a namespace
    assert (answer["memory"], answer["file"], answer["raised"]) == ("MemoryError", "OSError", "ValueError")


@LINUX
@pytest.mark.parametrize(
    ("release", "apart", "alone"),
    [
        ("5.14.0-70.el9", True, True),
        ("6.8.0", True, True),
        ("5.14.0", False, False),
        ("5.4.0-150-generic", True, False),
        ("5.13", True, False),
    ],
)
def test_tasks_of_other_programs_do_not_use_up_the_bound_where_they_count(
    release: str, apart: bool, alone: bool
) -> None:
    assert (cage.most_tasks(release, apart=apart) == cage.TASKS) == alone
    assert cage.most_tasks(release, apart=apart) >= cage.TASKS


@LANDLOCK
@pytest.mark.skipif(cage.landlock() < 4, reason="TCP is closed since Landlock 4")
def test_an_engine_has_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = f"""
            import socket
            try:
                socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 1)
                say(found="a way out")
            except OSError as error:
                say(found=type(error).__name__)
            """
        assert first_line(tmp_path, text, tmp_path / "home")["found"] != "a way out"


@LINUX
@pytest.mark.parametrize("excess", ["PROCESSES", "MEMORY"])
def test_what_all_processes_take_together_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, excess: str
) -> None:
    """With a bound of one process, and of 40 MiB: the real ones would cost the test too much."""
    source = Path(cage.__file__).read_text()
    for line in ("PROCESSES = 64", "MEMORY = 4 << 30", "_EVERY = 1.0"):
        assert f"\n{line}\n" in source
    small = {"PROCESSES": "PROCESSES = 1", "MEMORY": "MEMORY = 40 << 20"}[excess]
    source = re.sub(rf"(?m)^{excess} = .*$", small, source)
    (tmp_path / "cage.py").write_text(source.replace("_EVERY = 1.0", "_EVERY = 0.01"))
    monkeypatch.setattr(cage, "__file__", str(tmp_path / "cage.py"))
    text = """
        os.fork()
        own = b"x" * (25 << 20)
        time.sleep(1000)
        """
    loss, complaints = lost(tmp_path, text, lambda engine: engine.receive(soon()))
    assert loss.cause is LossCause.GONE
    assert complaints.startswith("ended: more than ")


@LINUX
def test_pages_that_processes_share_count_once() -> None:
    text = """
        import os, signal, sys
        from cli.play.engines import cage
        cage.MEMORY = 60 << 20
        shared, children = bytearray(os.urandom(1 << 20) * 30), []
        for _ in range(3):
            children.append(os.fork())
            if not children[-1]:
                signal.pause()
        both = [cage._excess()]
        cage.MEMORY = 5 << 20
        print(*both, cage._excess(), sep="|")
        for child in children:
            os.kill(child, signal.SIGKILL)
        """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "|more than 5 MiB of memory\n"


@LINUX
def test_a_folder_that_a_killed_cage_leaves_is_removed(tmp_path: Path) -> None:
    with running(
        program(tmp_path, "open('mine', 'w').close(); say(work=os.getcwd()); next(lines)")
    ) as engine:
        work = Path(json.loads(engine.receive(soon()))["work"])
        os.kill(engine.cage, signal.SIGKILL)
    assert not work.exists()


def lost(folder: Path, text: str, act: Callable[[EngineProcess], object]) -> tuple[Lost, str]:
    """How a program in Python is lost, and the end of its complaints."""
    with running(program(folder, text)) as engine:
        with pytest.raises(Lost) as loss:
            act(engine)
        return loss.value, engine.complaints


def test_a_line_without_an_end_is_read_no_further_than_its_limit(tmp_path: Path) -> None:
    text = f"sys.stdout.write('x' * {LONGEST + 1}); sys.stdout.flush(); next(lines)"
    assert lost(tmp_path, text, lambda engine: engine.receive(soon()))[0].cause is LossCause.LONG
    text = f"print('x' * {LONGEST + 1}, flush=True); next(lines)"
    assert lost(tmp_path, text, lambda engine: engine.receive(soon()))[0].cause is LossCause.LONG


def test_the_longest_line_is_read(tmp_path: Path) -> None:
    with running(program(tmp_path, f"print('x' * {LONGEST}, flush=True)")) as engine:
        assert engine.receive(soon()) == b"x" * LONGEST


def test_an_engine_that_ends_is_told_with_what_it_wrote_last(tmp_path: Path) -> None:
    loss, complaints = lost(tmp_path, "1 / 0", lambda engine: engine.receive(soon()))
    assert loss.cause is LossCause.GONE
    assert complaints.endswith("ZeroDivisionError: division by zero\n")


def test_a_flood_of_complaints_takes_no_room_and_is_cut(tmp_path: Path) -> None:
    text = "sys.stderr.write('y' * (1 << 22)); sys.stderr.flush(); say(done=True)"
    loss, complaints = lost(tmp_path, text, lambda engine: engine.receive(soon()))
    assert loss.cause is LossCause.GONE  # its standard error was closed: writing on was its end
    assert complaints == "y" * 2000


def test_an_engine_that_never_reads_is_deaf(tmp_path: Path) -> None:
    def send_on(engine: EngineProcess) -> None:
        while True:
            engine.send(b"x" * 99_999 + b"\n")

    assert lost(tmp_path, "time.sleep(1000)", send_on)[0].cause is LossCause.DEAF


def test_silence_ends_at_the_time_of_the_clock(tmp_path: Path) -> None:
    engine = EngineProcess(program(tmp_path, "time.sleep(1000)"), [], lambda: 7.0)
    with pytest.raises(Lost) as loss:
        engine.receive(7.0)
    engine.close()
    assert loss.value.cause is LossCause.LATE


def test_waiting_can_be_ended(tmp_path: Path) -> None:
    with running(program(tmp_path, "time.sleep(1000)")) as engine:
        engine.interrupt()
        with pytest.raises(Lost):
            engine.receive(soon())


@pytest.mark.parametrize("words", [("/no/such/program",), ("",), (str(Path(__file__).parent),)])
def test_what_is_no_program_is_lost_with_a_reason(words: tuple[str, ...]) -> None:
    with running(EngineCommand(words)) as engine:
        with pytest.raises(Lost) as loss:
            Consultation(engine, time.monotonic).greet({})
        assert loss.value.cause is LossCause.GONE
        assert engine.complaints


def test_files_of_a_command_are_found_from_where_the_player_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    assert EngineCommand.read("python3 mine.py --fast ./mine.py 'a b'").words == (
        *("python3", str(tmp_path / "mine.py"), "--fast"),
        *(str(tmp_path / "mine.py"), "a b"),
    )
    for nothing in ("", "  ", "'"):
        with pytest.raises(ValueError, match=r"quotation|^ *$"):
            EngineCommand.read(nothing)


def test_the_example_in_javascript_plays_as_well(tmp_path: Path) -> None:
    interpreter = node()
    if interpreter is None:
        pytest.skip("there is no Node here, so the example in JavaScript was not tried")
    command = EngineCommand((interpreter, str(EXAMPLE.with_name("random_player.mjs"))))
    game = GAMES["spies-and-lies"]
    home = tmp_path / "home"
    home.mkdir()
    engine = EngineBot(
        lambda: EngineProcess(command, [home], time.monotonic), {}, time.monotonic, random.Random(1)
    )
    engine.seconds = PATIENCE
    engine.begin(GameTerms(game, game.options({}), 1, ("Anna", "Boris"), 7))
    played = play(game, [make_bot(game.name, "recruit", random.Random(2)), engine], {}, random.Random(3))
    engine.close()
    assert played.outcome.reason != "cheated"
    assert engine.hello.name == "Random Player in JavaScript"


def test_an_engine_leaves_no_folder_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with running(program(tmp_path, "open('file', 'w').write('x'); say(done=True); next(lines)")) as engine:
        engine.receive(soon())
        assert list(tmp_path.glob("p2p-stratego-engine-*/file"))
    assert not list(tmp_path.glob("p2p-stratego-engine-*"))


def test_folders_nested_without_end_do_not_stop_the_program(tmp_path: Path) -> None:
    text = """
        for _ in range(1500):
            os.mkdir("d"), os.chdir("d")
        say(done=True)
        next(lines)
        """
    with running(program(tmp_path, text)) as engine:
        assert json.loads(engine.receive(soon())) == {"done": True}


@LINUX
def test_an_engine_that_takes_its_output_back_is_late(tmp_path: Path) -> None:
    text = """
        own = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
        for _ in range(200_000):
            os.write(1, b"x")
            try:
                os.read(own, 1)
            except BlockingIOError:
                pass
        """
    cause = lost(tmp_path, text, lambda engine: engine.receive(time.monotonic() + 0.3))[0].cause
    assert cause in (LossCause.LATE, LossCause.LONG, LossCause.GONE)


@LINUX
def test_a_home_folder_that_is_not_there_yet_cannot_be_made(tmp_path: Path) -> None:
    home = tmp_path / "above" / "home"
    home.parent.mkdir()
    text = f"""
        try:
            os.makedirs({str(home)!r})
        except OSError:
            pass
        say(made=os.path.exists({str(home)!r}))
        """
    assert first_line(tmp_path, text, home) == {"made": False}
