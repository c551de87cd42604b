"""The relay as a process."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys

from cli.shell.exit_codes import Exit
from protocol.failures import RelayStatus
from protocol.rendezvous.relay_switchboard import Role, hello, token_of
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import HANGING, ending_within
from tests.helpers.program.window import ROOT

SECRET = b"s" * 16


def test_a_relay_runs_until_it_is_told_to_end_and_carries_what_two_say() -> None:
    command = [sys.executable, "-m", "cli", "relay", "--port", "0", "--metrics", "0", "--max-mib", "1"]
    words = ["sh", "-c", 'ulimit -S -n 100 && ulimit -H -n 200 && exec "$@"', "sh", *command]
    with (
        ending_within(HANGING),
        subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            assert_told("relay", "few connections", process.stdout.readline())
            ports = [int(re.findall(r":(\d+)", process.stdout.readline())[-1]) for _ in range(2)]
            at, counts = (("127.0.0.1", port) for port in ports)
            with socket.create_connection(at) as waiter, socket.create_connection(at) as caller:
                waiter.sendall(hello(Role.WAIT, SECRET))
                assert waiter.recv(1) == bytes((RelayStatus.WAITING,))
                caller.sendall(hello(Role.CALL, token_of(SECRET)))
                assert waiter.recv(1) == caller.recv(1) == bytes((RelayStatus.JOINED,))
                caller.sendall(b"hello")
                assert waiter.recv(5, socket.MSG_WAITALL) == b"hello"
                caller.shutdown(socket.SHUT_WR)
                assert waiter.recv(1) == b""
                waiter.sendall(b"good bye")
                assert caller.recv(8, socket.MSG_WAITALL) == b"good bye", "one may end first"
            with socket.create_connection(counts) as asking:
                asking.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
                text = b"".join(iter(lambda: asking.recv(4096), b"")).decode()
            assert "p2p_stratego_relay_joined_total 1\n" in text
            assert "p2p_stratego_relay_carried_bytes_total 13\n" in text
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait() == Exit.OK
        assert_told("relay", "the end", process.stdout.read())
