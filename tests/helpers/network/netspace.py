"""Networks of namespaces that a test makes itself: two homes behind routers, and an outside with a relay.

    python -m tests.helpers.network.netspace SCENARIO FOLDER   in `unshare -Urnm`; prints one line of JSON

        a 10.1.0.2 ── ra 198.51.100.10 ──┐
                                         ├── out 198.51.100.1
        b 10.2.0.2 ── rb 198.51.100.20 ──┘

Both routers translate addresses and let in what was asked for only.  Nothing that is sent here leaves these
namespaces, and they end with the process.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tests.helpers.program.window import Window

SWITCHES: Final = ("P2P_STRATEGO_NO_UPNP", "P2P_STRATEGO_HIDDEN")
"""Keeps other tests from asking a router: here there are only those of the test."""
ROOT: Final = Path(__file__).parents[3]
HANGING: Final = 60
OUTSIDE: Final = "198.51.100.1"
HOMES: Final = {"a": ("10.1.0", "198.51.100.10"), "b": ("10.2.0", "198.51.100.20")}
"""By home: its network, and the address of its router outside."""
_UNSHARE: Final = (
    *("unshare", "--user", "--map-root-user", "--net", "--mount", "--propagation", "private"),
    *("--pid", "--fork", "--kill-child", "--mount-proc"),
)
"""In a process namespace of its own, so that nothing outlives the one that is started here."""
_INSIDE: Final = ("ip", "netns", "exec")
_ROUTER: Final = """
table ip translate {
 chain sources {
  type nat hook postrouting priority 100;
  oifname "outer" masquerade
 }
 chain targets {
  type nat hook prerouting priority -100;
 }
}
table ip guard {
 chain passing {
  type filter hook forward priority 0; policy drop;
  ct state established,related accept
  iifname "inner" accept
  ct status dnat accept
 }
}
"""
_SILENCE: Final = """
table ip silence {
 chain coming {
  type filter hook input priority 0;
  iifname "outer" ct state new drop
 }
}
"""


def missing() -> str:
    """Why this machine cannot make such networks; empty if it can."""
    for tool in ("unshare", "ip", "nft"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    tried = subprocess.run(
        [*_UNSHARE, "sh", "-c", "mount -t tmpfs none /run && nft add table ip x"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"no namespaces here: {tried.stderr.strip()[:200]}" if tried.returncode else ""


class Running:
    """A scenario in networks of its own, under way."""

    def __init__(self, scenario: str, folder: Path) -> None:
        words = [*_UNSHARE, sys.executable, "-m", "tests.helpers.network.netspace", scenario, str(folder)]
        free = {name: value for name, value in os.environ.items() if name not in SWITCHES}
        self._process = subprocess.Popen(
            words, cwd=ROOT, env=free, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def result(self) -> Any:
        """What it printed, once it has ended."""
        out, errors = self._process.communicate(timeout=HANGING)
        assert self._process.returncode == 0, errors[-3000:]
        return json.loads(out.splitlines()[-1])

    def end(self) -> None:
        """End it, with all that it started."""
        self._process.kill()
        self._process.communicate()


def run(scenario: str, folder: Path) -> Any:
    """What a scenario told."""
    running = Running(scenario, folder)
    try:
        return running.result()
    finally:
        running.end()


# Inside


def _do(*words: str, text: str | None = None) -> None:
    done = subprocess.run(words, check=False, input=text, text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{words}: {done.stderr}")


def build() -> None:
    """Make all namespaces, links and routers."""
    _do("mount", "-t", "tmpfs", "none", "/run")
    Path("/run/netns").mkdir()
    _do("ip", "netns", "add", "out")
    _do("ip", "-n", "out", "link", "add", "lan", "type", "bridge")
    _do("ip", "-n", "out", "addr", "add", f"{OUTSIDE}/24", "dev", "lan")
    for home, (net, public) in HOMES.items():
        router = f"r{home}"
        for name in (home, router):
            _do("ip", "netns", "add", name)
            _do("ip", "-n", name, "link", "set", "lo", "up")
        _do(*f"ip -n {router} link add name inner type veth peer name eth netns {home}".split())
        _do(*f"ip -n {router} link add name outer type veth peer name {router} netns out".split())
        _do(*f"ip -n out link set {router} master lan up".split())
        for name, link, address in (
            (home, "eth", f"{net}.2"),
            (router, "inner", f"{net}.1"),
            (router, "outer", public),
        ):
            _do(*f"ip -n {name} addr add {address}/24 dev {link}".split())
            _do(*f"ip -n {name} link set {link} up".split())
        _do(*f"ip -n {home} route add default via {net}.1".split())
        _inside(router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        _inside(router, "nft", "-f", "-", text=_ROUTER)
    _do("ip", "-n", "out", "link", "set", "lo", "up")
    _do("ip", "-n", "out", "link", "set", "lan", "up")


def _inside(name: str, *words: str, text: str | None = None) -> None:
    _do(*_INSIDE, name, *words, text=text)


def forward(home: str, port: int) -> None:
    """Let the router of `home` forward a port to it."""
    to = f"{HOMES[home][0]}.2"
    _inside(
        f"r{home}",
        "nft",
        "add",
        "rule",
        "ip",
        "translate",
        "targets",
        *f"tcp dport {port} dnat to {to}".split(),
    )
    _inside(
        f"r{home}",
        "nft",
        "add",
        "rule",
        "ip",
        "guard",
        "passing",
        *f"ip daddr {to} tcp dport {port} accept".split(),
    )


def be_silent() -> None:
    """Let routers say nothing about calls that they do not let in, as most do (RFC 5382, REQ-4)."""
    for home in HOMES:
        _inside(f"r{home}", "nft", "-f", "-", text=_SILENCE)


def block(home: str, port: int) -> None:
    """Let nothing of that port pass any more, known connections neither."""
    for way in ("dport", "sport"):
        _inside(
            f"r{home}", "nft", "insert", "rule", "ip", "guard", "passing", *f"tcp {way} {port} drop".split()
        )


class Process:
    """A process in one of the namespaces, which prints lines."""

    def __init__(self, name: str, *words: str) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [*_INSIDE, name, sys.executable, *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def until(self, pattern: str) -> str:
        """Read lines up to one with `pattern`; its first group, or all of it."""
        assert self._process.stdout is not None
        began = monotonic()
        while line := self._process.stdout.readline():
            self.lines.append(line)
            if hit := re.search(pattern, line):
                return hit.group(hit.lastindex or 0)
            assert monotonic() < began + HANGING
        raise AssertionError(f"no {pattern} in {self.lines}")

    def tell(self, word: str) -> None:
        """Write a line to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def end(self) -> None:
        """End it, and wait."""
        self._process.terminate()
        self._process.communicate()


@contextmanager
def processes() -> Iterator[list[Process]]:
    """Those that are put into the list end with the block."""
    started: list[Process] = []
    try:
        yield started
    finally:
        for process in started:
            process.end()


PORT: Final = 4000
PATIENCE: Final = 10
"""Seconds for a program to start and show its invite, whatever a router does, on a busy machine."""
PLAYER: Final = ("-m", "tests.helpers.network.netspace_player")


def _meeting(started: list[Process], folder: Path, rate: str) -> tuple[Process, Process]:
    """A relay outside, a host behind one router and a guest behind the other."""
    relay = Process("out", "-m", "cli", "relay", "--port", "4001")
    started.append(relay)
    relay.until("Relay on port")
    ways = (f"{HOMES['a'][1]}:{PORT}", f"{OUTSIDE}:4001")
    host = Process("a", *PLAYER, str(folder / "ann"), rate, "host", str(PORT), *ways)
    started.append(host)
    word = host.until(r"(P2PS\w+)")
    guest = Process("b", *PLAYER, str(folder / "ben"), rate, "join", word)
    started.append(guest)
    return host, guest


def between_routers(folder: Path) -> Any:
    """Nobody can call anybody straight: a whole match goes through the relay."""
    with processes() as started:
        both = _meeting(started, folder, "1")
        ways = [process.until("via (.*)") for process in both]
        for process in both:
            process.tell("go")
        return {"ways": ways, "ends": [process.until("end (.*)") for process in both]}


def taking_over(folder: Path) -> Any:
    """A router forwards a port in the middle of a match, and then no longer."""
    with processes() as started:
        both = _meeting(started, folder, "4")
        ways = [[process.until("via (.*)") for process in both]]
        forward("a", PORT)
        ways.append([process.until("via (direct|nearby)") for process in both])
        block("a", PORT)
        ways.append([process.until("via (relay)") for process in both])
        for process in both:
            process.tell("go")
        return {"ways": ways, "ends": [process.until("end (.*)") for process in both]}


def crossing(folder: Path) -> Any:
    """Nobody forwards a port, and both ends listen: they call at the same moment."""
    be_silent()
    with processes() as started:
        relay = Process("out", "-m", "cli", "relay", "--port", "4001")
        started.append(relay)
        relay.until("Relay on port")
        ways = (f"{HOMES['a'][0]}.2:{PORT}", f"{OUTSIDE}:4001")
        host = Process("a", *PLAYER, str(folder / "ann"), "1", "host", str(PORT), *ways)
        started.append(host)
        word = host.until(r"(P2PS\w+)")
        guest = Process("b", *PLAYER, str(folder / "ben"), "1", "meet", word, str(PORT + 5))
        started.append(guest)
        both = host, guest
        seen = [
            process.until("via (direct)") for process in both
        ]  # that was mostly faster than their first look
        for process in both:
            process.tell("go")
        return {"ways": seen, "ends": [process.until("end (.*)") for process in both]}


def _let_in(folder: Path, languages: str) -> Any:
    """A program behind a router that can be asked: its invite, a call from the other home, and the end."""
    public = HOMES["a"][1]
    with processes() as started:
        router = Process(
            "ra", "-m", "tests.helpers.network.router_process", languages, public, f"{HOMES['a'][0]}.1"
        )
        started.append(router)
        router.until("ready")
        home = str(folder / languages)
        host = Process("a", "-m", "cli", "--home", home, "--plain", "host", "stratego", "--name", "Ann")
        started.append(host)
        word = host.until(r"^(P2PS\w+)$")
        lines = [line.strip() for line in host.lines if "router" in line]
        opened = router.until("open (.*)")
        guest = Process("b", *PLAYER, str(folder / f"guest-{languages}"), "1", "call", word)
        started.append(guest)
        called = guest.until("called (.*)")
        host.end()
        closed = router.until("close (.*)")
        return {"ways": called, "said": lines, "ends": [opened, closed]}


def _refused(folder: Path, languages: str) -> Any:
    """A router that pretends: how soon the invite is there all the same, and what is said."""
    with processes() as started:
        inside = f"{HOMES['a'][0]}.1"
        router = Process("ra", "-m", "tests.helpers.network.router_process", languages, HOMES["a"][1], inside)
        started.append(router)
        router.until("ready")
        began = monotonic()
        host = Process(
            "a", "-m", "cli", "--home", str(folder), "--plain", "host", "stratego", "--name", "Ann"
        )
        started.append(host)
        host.until(r"^(P2PS\w+)$")
        waited = monotonic() - began
        lines = [line.strip() for line in host.lines if "router" in line]
        return {"ways": lines, "ends": [waited < PATIENCE]}


def hostile_upnp(folder: Path) -> Any:
    """Routers that describe themselves without an end, and that say nothing."""
    both = [_refused(folder / kind, kind) for kind in ("upnp-endless", "upnp-silent")]
    return {"ways": [result["ways"] for result in both], "ends": [result["ends"][0] for result in both]}


def let_in_by_upnp(folder: Path) -> Any:
    """A router lets callers in, and no longer when the host ends."""
    return _let_in(folder, "upnp")


def let_in_by_pcp(folder: Path) -> Any:
    """The same in the newest language."""
    return _let_in(folder, "pcp")


def let_in_by_nat_pmp(folder: Path) -> Any:
    """The same in the language before that, by a router that knows no newer one."""
    return _let_in(folder, "nat-pmp")


def _at(name: str, home: Path, *words: str) -> Window:
    """The program in a window of its own, in one of the namespaces."""
    hidden = ("--plain", "--no-upnp", "--name", home.name)
    return Window(home, *words, *hidden, prefix=(*_INSIDE, name))


def nearby(folder: Path) -> Any:
    """Two programs in one network find each other without an address, and meet; a third one there sees the
    game come and go.
    """
    with ExitStack() as windows:
        began = {}
        for name, at, words in (
            ("Ann", "out", ("host", "stratego")),
            ("Ben", "ra", ("join",)),
            ("Cleo", "rb", ("join",)),
        ):
            began[name] = _at(at, folder / name, *words)
            windows.callback(began[name].close)
        host, guest, third = began.values()
        for window in (guest, third):
            window.until("Ann: Stratego; 1 seat free")
        guest.type("1\r")
        shown = [window.until("The same six digits?") for window in (host, guest)]
        for window in (host, guest):
            window.type("yes\r")
        host.until("Ben: NEW", "Start? (yes/no)")
        guest.until("Ann: NEW", "Play? (yes/no)")
        third.until("is no longer open")
        codes = []
        for window in (third, guest, host):  # the host last, or a guest would hear of that first
            window.type("\x03")
            codes.append(window.code())
        digits = [re.findall(r"\d{3} \d{3}", text)[-1] for text in shown]
        return {"ways": "nearby", "ends": digits, "codes": codes}


def by_code(folder: Path) -> Any:
    """The same by the code that the host says: without an address, and after words that are wrong."""
    with ExitStack() as windows:
        host = _at("out", folder / "Ann", "host", "stratego")
        windows.callback(host.close)
        code = re.findall(r"10 minutes: (\d+)-(\w+)-(\w+)", host.until("Waiting ..."))[-1]
        number, *words = code
        guest = _at("ra", folder / "Ben", "join", f"{number}-{words[0]}-{words[0]}")
        windows.callback(guest.close)
        guest.until("The words of the code are wrong", "The code:")
        host.until("2 tries are")
        guest.type(f"{number} {words[0][:4]} {words[1][:4]}\r")
        host.until("Ben: NEW", "Start? (yes/no)")
        guest.until("Ann: NEW", "Play? (yes/no)")
        codes = []
        for window in (guest, host):
            window.type("\x03")
            codes.append(window.code())
        return {"ways": "nearby", "ends": ["in", "in"], "codes": codes}


SCENARIOS: Final = {
    "by-code": by_code,
    "nearby": nearby,
    "between-routers": between_routers,
    "taking-over": taking_over,
    "crossing": crossing,
    "hostile-upnp": hostile_upnp,
    "let-in-by-upnp": let_in_by_upnp,
    "let-in-by-pcp": let_in_by_pcp,
    "let-in-by-nat-pmp": let_in_by_nat_pmp,
}

if __name__ == "__main__":
    build()
    print(json.dumps(SCENARIOS[sys.argv[1]](Path(sys.argv[2]))))
