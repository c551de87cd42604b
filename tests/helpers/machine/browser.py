"""Chromium without a window, driven over WebDriver (W3C) by the few commands that the tests of pages need."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, cast

import pytest

ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
START: Final = "was started successfully on port "
SECONDS: Final = 20.0


class Browser:
    """One window of one browser."""

    def __init__(self, address: str) -> None:
        self._address = address

    def command(self, method: str, path: str, **body: Any) -> Any:
        """The value that a WebDriver command returns."""
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(  # noqa: S310 - loopback only
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            return json.load(answer)["value"]

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a file anew, and wait until its script has shown or refused its game."""
        if self.run("return location.pathname") == str(page.resolve()):
            self.command("POST", "/url", url="about:blank")  # another fragment alone would load nothing
        self.command("POST", "/url", url=page.resolve().as_uri() + fragment)
        self.wait("return document.documentElement.dataset.state !== 'opening'")

    def run(self, script: str, *arguments: Any) -> Any:
        """The value that a script returns in the page."""
        return self.command("POST", "/execute/sync", script=script, args=list(arguments))

    def wait(self, script: str) -> None:
        """Wait until a script returns something true: the page itself looks, at every frame."""
        waits = (
            "const done = arguments[arguments.length - 1]; const test = () => { "
            f"(() => {{ {script} }})() ? done(true) : requestAnimationFrame(test); }}; test();"
        )
        self.command("POST", "/execute/async", script=waits, args=[])

    def keys(self, text: str) -> None:
        """Press and release keys, one after the other; special ones as WebDriver numbers them."""
        presses = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.command("POST", "/actions", actions=[{"type": "key", "id": "keys", "actions": presses}])

    def size(self, columns: int, rows: int, *, dark: bool = False, media: str = "screen") -> None:
        """Let the page see a window of so many pixels, this preference for colours, and this medium."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=columns,
            height=rows,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.devtools("Emulation.setEmulatedMedia", media=media, features=scheme)

    def devtools(self, name: str, **parameters: Any) -> Any:
        """A command of Chromium's own protocol."""
        return self.command("POST", "/goog/cdp/execute", cmd=name, params=parameters)

    def picture(self, *, whole: bool = False, part: dict[str, float] | None = None) -> bytes:
        """The page as PNG: what the window shows, all of it, or a part: x, y, width, height."""
        wanted: dict[str, Any] = {"captureBeyondViewport": whole or part is not None}
        if part is not None:
            wanted["clip"] = part | {"scale": 1}
        return base64.b64decode(self.devtools("Page.captureScreenshot", **wanted)["data"])

    def difference(self, shot: bytes, other: bytes) -> float:
        """How much two pictures differ in small: the mean difference of their channels, 0 to 255."""
        texts = [base64.b64encode(picture).decode() for picture in (shot, other)]
        return float(self.command("POST", "/execute/async", script=_DIFFERENCE, args=texts))

    def log(self) -> list[str]:
        """The messages of the console since the last call: errors, and violations of the policy."""
        return [entry["message"] for entry in self.command("POST", "/se/log", type="browser")]

    def requests(self) -> list[str]:
        """The addresses that were asked for since the last call."""
        addresses = []
        for entry in self.command("POST", "/se/log", type="performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return addresses


_DIFFERENCE: Final = """
const [one, other, done] = arguments;
const pixels = async (text) => {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const small = {resizeWidth: 48, resizeHeight: 48, resizeQuality: 'high'};
  const drawn = await createImageBitmap(new Blob([bytes]), small);
  const canvas = new OffscreenCanvas(48, 48).getContext('2d');
  canvas.drawImage(drawn, 0, 0);
  return canvas.getImageData(0, 0, 48, 48).data;
};
Promise.all([pixels(one), pixels(other)]).then(([now, then]) =>
  done(now.reduce((sum, value, at) => sum + Math.abs(value - then[at]), 0) / now.length));
"""


def commands() -> tuple[str, str] | None:
    """The commands of Chromium and of its driver, if both are there."""
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def running() -> Iterator[Browser]:
    """A browser with a profile of its own; skips the test where there is none."""
    programs = commands()
    if programs is None:
        pytest.skip("there is no Chromium with its chromedriver, so the page was not tested in a browser")
    program, driver = programs
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            assert process.stdout is not None
            line = next(line for line in process.stdout if START in line)
            root = f"http://127.0.0.1:{line.partition(START)[2].strip().rstrip('.')}/session"
            yield from _session(root, program, profile)
        finally:
            process.terminate()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _session(root: str, program: str, profile: str) -> Iterator[Browser]:
    options = {"binary": program, "args": [*ARGUMENTS, f"--user-data-dir={profile}"]}
    wanted = {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    }
    opener = Browser(root)
    made = cast("dict[str, Any]", opener.command("POST", "", capabilities={"alwaysMatch": wanted}))
    window = Browser(f"{root}/{made['sessionId']}")
    try:
        window.command("POST", "/url", url="about:blank")  # the browser's own first page asks for a lot
        yield window
    finally:
        with suppress(OSError):
            window.command("DELETE", "")
