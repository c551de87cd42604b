"""The form of posts: whatever a carrier does to one, it is refused whole, or is the same post."""

from __future__ import annotations

import base64
import quopri
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.channel.channel import CARD, HAVE, OFFER, POSTMARK, SEAL, SYNC
from protocol.errors import Forged, Malformed, Refusal, Unsupported
from protocol.limits import MAX_POST
from protocol.post import form
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame
from tests.helpers.forgery.mutate import BLIND, spoilt
from tests.helpers.games.toy import TOY
from tests.helpers.links.by_post import Correspondence


@pytest.fixture(name="posted", scope="module")
def _posted(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A post in the middle of a match, and its writer's key."""
    path: Path = tmp_path_factory.mktemp("posted")
    two = Correspondence(path, TOY, rounds=1)
    two.turn(0, 1)
    return two.sent[1][-1], two.owners[0].identity.key


def test_row_87_every_spoilt_post_is_refused(posted: tuple[bytes, bytes]) -> None:
    data, key = posted
    form.read(data).check(key)
    rng = random.Random(1)
    post = form.read(data)
    frames = [*post.frames, Frame(SEAL, post.signature)]
    changes = BLIND[:7]  # without those that take records out of other matches
    for number in range(600):
        other = spoilt(rng, data)
        if number % 2:
            other = form.MAGIC + b"".join(map(bytes, rng.choice(changes)(rng, [*frames])))
        if other != data:
            with pytest.raises(Refusal):
                form.read(other).check(key)


def test_row_87_every_cut_post_is_refused(posted: tuple[bytes, bytes]) -> None:
    data, _ = posted
    for size in range(0, len(data), 7):
        with pytest.raises(Refusal):
            form.read(data[:size])


def test_row_87_a_frame_that_is_left_out_moved_or_put_in_breaks_the_seal(posted: tuple[bytes, bytes]) -> None:
    data, key = posted
    post = form.read(data)
    seal = Frame(SEAL, post.signature)
    mark, sync, *rest = post.frames
    assert len(rest) > 1
    for frames in ([mark, sync, *rest[1:]], [mark, sync, *rest[::-1]], [mark, sync, *rest, rest[0]]):
        other = form.read(form.MAGIC + b"".join(map(bytes, [*frames, seal])))
        with pytest.raises(Forged):
            other.check(key)


@pytest.mark.parametrize(
    "kinds",
    [
        [],
        [POSTMARK],
        [SYNC],
        [OFFER, SYNC],
        [POSTMARK, OFFER],
        [POSTMARK, ENTRY, SYNC],
        [POSTMARK, SYNC, GENESIS],
        [POSTMARK, SYNC, SYNC],
        [POSTMARK, SYNC, HAVE],
        [POSTMARK, SYNC, POSTMARK],
        [POSTMARK, SYNC, SEAL],
        [SYNC, POSTMARK],
    ],
)
def test_row_87_frames_that_no_post_holds_are_refused(posted: tuple[bytes, bytes], kinds: list[int]) -> None:
    post = form.read(posted[0])
    known = {frame.kind: frame for frame in post.frames}
    frames = [known.get(kind, Frame(kind, b"\xc0")) for kind in kinds]
    with pytest.raises(Malformed):
        form.read(form.MAGIC + b"".join(map(bytes, [*frames, Frame(SEAL, post.signature)])))


def test_what_may_stand_in_a_post_may(posted: tuple[bytes, bytes]) -> None:
    post = form.read(posted[0])
    mark, sync, *_ = post.frames
    records = [Frame(kind, bytes(64)) for kind in (ENTRY, STATEMENT, CARD)]
    frames = [mark, Frame(GENESIS, b"\x90"), sync, *records]
    read = form.read(form.MAGIC + b"".join(map(bytes, [*frames, Frame(SEAL, post.signature)])))
    assert read.genesis == b"\x90"
    assert read.carried == [sync, *frames[3:]]


def test_a_later_version_is_told_from_something_else() -> None:
    with pytest.raises(Unsupported):
        form.read(b"p2p-stratego post 2\nwhatever")
    for data in (b"", b"p2p-stratego transcript 2\n", b"p2p-stratego post 01\n", b"\0" * 50):
        with pytest.raises(form.NotAPost):
            form.read(data)
        with pytest.raises(form.NotAPost):
            list(form.posts_in(data))


def test_row_87_a_post_longer_than_any_match_is_not_looked_at() -> None:
    with pytest.raises(Malformed, match="longer"):
        form.read(form.MAGIC + bytes(MAX_POST))


def test_row_87_small_frames_are_not_heaped_up(posted: tuple[bytes, bytes]) -> None:
    """A million of them take little room in a file, and much in memory; nobody has signed anything yet."""
    mark, sync, *_ = form.read(posted[0]).frames
    data = form.MAGIC + bytes(mark) + bytes(sync) + 10**6 * bytes(Frame(ENTRY, b""))
    tracemalloc.start()
    try:
        with pytest.raises(Malformed, match="signature"):
            form.read(data)
        assert tracemalloc.get_traced_memory()[1] < 10**5
    finally:
        tracemalloc.stop()


def test_row_87_a_text_longer_than_any_post_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "MAX_POST_TEXT", 1000)
    with pytest.raises(Malformed, match="longer"):
        list(form.posts_in(b"a" * 1001))


# Text


@given(st.binary(max_size=300))
def test_text_is_read_as_it_was_written(data: bytes) -> None:
    text = form.text(data)
    assert max(map(len, text.splitlines())) <= form.COLUMNS
    assert list(form.posts_in(text.encode())) == [data]


@given(st.binary(min_size=1, max_size=200), st.sampled_from(["", "> ", "> > ", "\t", "| "]), st.booleans())
def test_text_is_read_out_of_a_mail_however_that_is_quoted(data: bytes, quote: str, dos: bool) -> None:
    lines = ["Hello Ben,", "", *form.text(data).splitlines(), "", *form.text(b"x" + data).splitlines(), "Ada"]
    mail = ("\r\n" if dos else "\n").join(quote + line + " " * dos for line in lines)
    assert list(form.posts_in(mail.encode())) == [data, b"x" + data]


@given(st.binary(max_size=200), st.sampled_from([" ", "", "\n\n", "\n> > "]))
def test_text_is_read_however_a_messenger_joined_its_lines(data: bytes, between: str) -> None:
    letter = f"Hello Ben! {between.join(form.text(data).splitlines())} Ada"
    assert form.posts_in(f"{letter}\n{letter}".encode()) == [data, data]
    begun = form.text(b"x" + data).splitlines()[0]
    assert form.posts_in(f"{begun} {letter}".encode()) == [data], "one that was cut"


@given(st.binary(max_size=200), st.booleans(), st.sampled_from(["", "> "]))
def test_text_is_read_out_of_a_mail_in_quoted_printable(data: bytes, joined: bool, quote: str) -> None:
    text = f"Gr\u00fc\u00dfe = Ben\n{form.text(data)}{form.text(data)}"
    text = " ".join(text.splitlines()) if joined else text.replace("\n", "\n" + quote)
    mail = quopri.encodestring(text.encode())
    assert form.posts_in(mail) == form.posts_in(mail.replace(b"\n", b"\r\n")) == [data, data]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(form.END, ""),
        lambda text: text.replace("A", "\x1b[2J", 1),
        lambda text: text.replace(form.END, "*" + form.END),
        lambda text: text.replace("\n", "\n\u202e", 2),
    ],
)
def test_row_87_text_with_other_characters_or_no_end_is_refused(change: object) -> None:
    text = form.text(b"A" * 100)
    assert callable(change)
    with pytest.raises(Refusal):
        list(form.posts_in(str(change(text)).encode()))


def test_letters_that_are_no_base_64_are_refused() -> None:
    letters = base64.b64encode(b"abcdef").decode()[:-1]
    with pytest.raises(Malformed):
        list(form.posts_in(f"{form.BEGIN}\n{letters}\n{form.END}\n".encode()))
