"""An archive in an object store: a server that speaks S3, on this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from importlib.util import find_spec

import pytest

from cli.archive import intake, local_workers, schema, store
from cli.reports import sources
from cli.shell.exit_codes import Exit, Sorry
from tests.helpers.archives.judged import hashes, judge, rows, taken
from tests.helpers.archives.records import samples, tar

SAMPLES = sorted(sha256(data).hexdigest() for data in samples().values())


SERVER = """
import sys, boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
address = "http://%s:%s" % server.get_host_and_port()
boto3.client("s3", endpoint_url=address, region_name="us-east-1").create_bucket(Bucket="records")
print(address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty bucket.

    Its server is a process of its own: the engine holds this one's threads while it asks.
    """
    if find_spec("moto") is None or find_spec("boto3") is None:
        pytest.skip("no server that speaks S3 is installed (moto[server])")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "archive")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    line = [sys.executable, "-c", SERVER]
    pipe = subprocess.PIPE
    with subprocess.Popen(line, text=True, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.stdout.readline().strip())
        yield "s3://records/club"
        server.kill()


def test_an_archive_in_an_object_store_is_filled_judged_and_added_to(bucket: str) -> None:
    archive = store.made(bucket, 1)
    first = intake.add(archive, taken(["-"], tar(samples())), lambda _taken: None)
    again = intake.add(archive, taken(["-"], tar(samples())), lambda _taken: None)
    done = judge(store.opened(bucket), partial(local_workers.spread, workers=1))
    assert (first.added, again.added, again.known) == (len(SAMPLES), 0, len(SAMPLES))
    assert hashes(archive) == SAMPLES
    assert (done.records, len(rows(archive, schema.VERDICTS))) == (len(SAMPLES), len(SAMPLES))
    assert judge(archive).records == 0
    assert sources.read(f"{bucket}/{SAMPLES[0][:12]}") in samples().values()
    for place in (bucket, bucket.replace("club", "none")):
        with pytest.raises(Sorry) as refused:
            sources.read(f"{place}/{'0' * 12}")
        assert refused.value.code is Exit.IO
