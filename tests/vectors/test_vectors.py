"""This program reads the vectors as they say; and they are what it would write."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from cli.reports.describe import come_to
from p2p_stratego.core.game import Commit
from p2p_stratego.registry import GAMES
from protocol.audit import proof
from protocol.audit.comparison import Copies
from protocol.audit.verdict import ProofPolicy, Report, audit
from protocol.channel.channel import RECEIPT, SYNC, Sync, read_receipt, read_sync
from protocol.crypto import sealed_talk
from protocol.crypto.coin_toss import chain, follows, result
from protocol.crypto.commitment import hide_choice, hide_face
from protocol.crypto.keys import Identity, check_key, fingerprint, verify
from protocol.crypto.permutation import permutation
from protocol.crypto.proofs.verification import keeping
from protocol.crypto.sealed import LookContext, is_sound, public_key, seal, unseal
from protocol.errors import RULES, Malformed, Refusal, Unsupported
from protocol.failures import Code, InviteFailure, Refused
from protocol.lobby.handshake import HostSide, JoinerSide, Person, seat_part, watched_frame
from protocol.lobby.listing import found_frame, read_listing, ready_frame
from protocol.record import genesis, receipts
from protocol.record.asks.commit import faces_laid
from protocol.record.asks.registry import CODEC
from protocol.record.pace import Pace
from protocol.record.position import Position, StatementHead
from protocol.record.referee import Referee
from protocol.record.statements import parse_record
from protocol.rendezvous.invite import read, write
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame, decode, encode, read_frame, tagged
from tests.helpers.games.cups import GAMES as CUPS
from tests.helpers.machine.modules import VECTORS
from tests.vectors import generate
from tests.vectors.links import follower

MOST_BYTES: Final = 3_000_000


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def value(stored: Any) -> Any:
    """What stands in JSON as {"hex": …} is bytes."""
    if isinstance(stored, dict):
        return bytes.fromhex(stored["hex"])
    return [value(item) for item in stored] if isinstance(stored, list) else stored


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


def test_the_folder_stays_small_enough_to_be_carried_along() -> None:
    assert sum(path.stat().st_size for path in VECTORS.rglob("*") if path.is_file()) < MOST_BYTES


def test_a_difference_is_told_and_writing_removes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = {"chance.json": b"{}", "keys.json": b"[]", "proofs/one.proof": b"p"}
    monkeypatch.setattr(generate, "VECTORS", tmp_path)
    monkeypatch.setattr(generate, "files", lambda: iter(some.items()))
    assert generate.main(["--check"]) == 1
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    (tmp_path / "keys.json").write_text("spoilt")
    (tmp_path / "proofs" / "stray.proof").write_bytes(b"")
    (tmp_path / "chance.json").unlink()
    assert generate.differences() == [
        "chance.json is missing",
        "proofs/stray.proof is not among the vectors",
        "keys.json would be written otherwise",
    ]
    generate.write()
    assert generate.differences() == []


def test_encoding() -> None:
    vectors = load("encoding.json")
    for one in vectors["good"]:
        assert encode(value(one["value"])).hex() == one["hex"]
        assert decode(raw(one["hex"])) == value(one["value"])
    for one in vectors["bad"]:
        with pytest.raises(Malformed):
            decode(raw(one["hex"]))
    assert len(vectors["bad"]) > 50


def test_frames() -> None:
    vectors = load("frames.json")
    for one in vectors["good"]:
        frame = Frame(one["kind"], raw(one["payload"]))
        assert bytes(frame).hex() == one["hex"]
        assert read_frame(raw(one["hex"]), 0) == frame
    assert {one["error"] for one in vectors["bad"]} == {"incomplete", "damaged"}
    for one in vectors["bad"]:
        if one["error"] == "incomplete":
            assert read_frame(raw(one["hex"]), 0) is None
        else:
            with pytest.raises(Malformed):
                list(Deframer().feed(raw(one["hex"])))


def test_keys_and_signatures() -> None:
    vectors = load("keys.json")
    for one in vectors["identities"]:
        identity = Identity(raw(one["seed"]))
        assert identity.key.hex() == one["key"]
        assert fingerprint(identity.key) == one["fingerprint"]
    for key in vectors["good keys"]:
        check_key(raw(key))
    for one in vectors["bad keys"]:
        with pytest.raises(Malformed):
            check_key(raw(one["key"]))
    for one in vectors["signatures"]:
        valid = verify(raw(one["key"]), one["label"].encode(), raw(one["data"]), raw(one["signature"]))
        assert valid is one["valid"], one["why"]
    assert sum(one["valid"] for one in vectors["signatures"]) == 2


def test_hashes_and_commitments() -> None:
    for one in load("hashes.json")["hashes"]:
        assert tagged(one["label"].encode())(raw(one["data"])).hex() == one["hash"]
    vectors = load("commitments.json")
    for one in vectors["good"]:
        digest = hide_face(raw(one["game"]), one["seat"], one["slot"], one["face"], raw(one["salt"]))
        assert digest.hex() == one["digest"]
        assert tagged(labels.COMMITMENT)(raw(one["preimage"])) == digest
    for one in vectors["choices"]:
        digest = hide_choice(raw(one["game"]), one["seat"], one["serial"], one["move"], raw(one["salt"]))
        assert digest.hex() == one["digest"]
        assert tagged(labels.HIDDEN_CHOICE)(raw(one["preimage"])) == digest
    for one in vectors["bad"]:
        digest = hide_face(raw(one["game"]), one["seat"], one["slot"], one["face"], raw(one["salt"]))
        assert digest != raw(one["digest"])


def test_chance() -> None:
    vectors = load("chance.json")
    for one in vectors["chains"]:
        links = [link.hex() for link in chain(one["seat"], raw(one["seed"]), len(one["links"]) - 1)]
        assert links == one["links"]
        for previous, link in pairwise(links):
            assert follows(one["seat"], raw(link), raw(previous))
    for one in vectors["bad links"]:
        assert not follows(one["seat"], raw(one["link"]), raw(one["previous"]))
    for one in vectors["results"]:
        shares = [raw(share) for share in one["shares"]]
        assert str(result(raw(one["game"]), one["roll"], shares, int(one["sides"]))) == one["result"]
    assert max(one["attempts"] for one in vectors["results"]) > 1


def test_secrets() -> None:
    vectors = load("secrets.json")
    secrets = MatchSecrets(raw(vectors["master"]))
    assert secrets.nonce.hex() == vectors["nonce"]
    links = vectors["chance"]["links"]
    assert [link.hex() for link in secrets.links(vectors["chance"]["seat"], len(links) - 1)] == links
    for one in vectors["salts"]:
        assert secrets.salt(raw(one["game"]), one["seat"], one["slot"]).hex() == one["salt"]
    for one in vectors["choice salts"]:
        assert secrets.choice_salt(raw(one["game"]), one["seat"], one["serial"]).hex() == one["salt"]
    for one in vectors["looks"]:
        where = raw(one["game"]), one["seat"], one["serial"]
        assert secrets.look_secret(*where).hex() == one["look"]
        assert secrets.seal_secret(*where).hex() == one["seal"]
    for one in vectors["talk"]:
        assert secrets.talk_secret(raw(one["game"]), one["seat"]).hex() == one["secret"]
    for one in vectors["mixes"]:
        where = raw(one["game"]), one["seat"], one["serial"]
        assert secrets.mix_order(*where, len(one["order"])) == one["order"]
    for one in vectors["faces"]:
        slots, faces = tuple(range(len(one["faces"]))), one["of"]
        ask = Commit(one["seat"], slots, faces, exactly=one["exactly"], chosen=False)
        assert faces_laid(secrets, raw(one["game"]), one["serial"], ask) == tuple(one["faces"])


def test_sealed_openings() -> None:
    stored = load("sealed.json")
    for vector in stored["good"]:
        where = _place(vector)
        key, viewer = public_key(raw(vector["viewer secret"])), raw(vector["viewer secret"])
        made = seal(where, key, raw(vector["sender secret"]), vector["face"], raw(vector["salt"]))
        assert (key.hex(), made[0].hex(), made[1].hex()) == (
            vector["viewer key"],
            vector["sender key"],
            vector["box"],
        )
        assert unseal(where, viewer, *made) == (vector["face"], raw(vector["salt"]))
    for vector in stored["bad"]:
        spoilt = raw(vector["viewer secret"]), raw(vector["sender key"]), raw(vector["box"])
        assert unseal(_place(vector), *spoilt) is None, vector["why"]
    assert all(is_sound(raw(key)) for key in stored["sound keys"])
    assert not any(is_sound(raw(vector["key"])) for vector in stored["unsound keys"])


def _place(vector: Any) -> LookContext:
    return LookContext(raw(vector["game"]), *(vector[name] for name in LookContext._fields[1:]))


def test_talk_between_two() -> None:
    stored = load("talk.json")
    for vector in stored["good"]:
        secret = raw(vector["reader secret"])
        assert public_key(secret).hex() == vector["reader key"]
        assert sealed_talk.unseal(_where(vector), secret, raw(vector["box"])) == vector["text"].encode()
    for vector in stored["bad"]:
        opened = sealed_talk.unseal(_where(vector), raw(vector["reader secret"]), raw(vector["box"]))
        assert opened is None, vector["why"]


def _where(vector: Any) -> sealed_talk.TalkContext:
    return sealed_talk.TalkContext(raw(vector["game"]), vector["writer"], vector["reader"], vector["index"])


def test_orders() -> None:
    for vector in load("orders.json")["orders"]:
        assert permutation(raw(vector["seed"]), vector["length"]) == vector["order"]


def test_messages() -> None:
    vectors = load("messages.json")
    for one in vectors["good"]:
        message = CODEC.parse(value(one["value"]))
        assert type(message).__name__ == one["kind"]
        assert encode(CODEC.value(message)).hex() == one["hex"]
    for one in vectors["bad"]:
        with pytest.raises(Malformed):
            CODEC.parse(decode(raw(one["hex"])))


def test_geneses() -> None:
    errors = {"malformed": Malformed, "unsupported": Unsupported}
    slow = load("genesis.json")["a week for each decision"]
    begun = genesis.parse(raw(slow["body"]), GAMES)
    assert (begun.id.hex(), begun.pace) == (slow["id"], Pace.WEEK)
    one = load("genesis.json")["takebacks"]
    begun = genesis.parse(raw(one["body"]), GAMES)
    assert (begun.id.hex(), begun.pace, begun.clock, begun.takebacks) == (one["id"], Pace.LIVE, None, True)
    for one in load("genesis.json")["clocks"]:
        begun = genesis.parse(raw(one["body"]), GAMES)
        assert begun.clock is not None
        assert (begun.id.hex(), begun.pace, begun.clock.value) == (one["id"], Pace.LIVE, one["clock"])
    for one in load("genesis.json")["bad"]:
        with pytest.raises(errors[one["error"]]):
            genesis.parse(raw(one["hex"]), GAMES)


def test_records_of_a_match() -> None:
    """The genesis, every entry and statement, what is signed, and the head after each."""
    vectors = load("records.json")
    begun = genesis.parse(raw(vectors["genesis"]["body"]), GAMES)
    assert begun.id.hex() == vectors["genesis"]["id"]
    assert [list(option) for option in begun.options.items()] == vectors["genesis"]["options"]
    for player, one in zip(begun.players, vectors["genesis"]["players"], strict=True):
        assert (player.key.hex(), player.name) == (one["key"], one["name"])
        assert (player.nonce.hex(), player.anchor.hex()) == (one["nonce"], one["anchor"])
    referee = Referee(begun)
    for one in vectors["records"]:
        body, signature = raw(one["body"]), raw(one["signature"])
        assert decode(body) == value(one["value"])
        entry = one["record"] == "entry"
        label = labels.SIGN_ENTRY if entry else labels.SIGN_STATEMENT
        assert raw(one["signed"]) == label + b"\0" + begun.id + body
        seat = value(one["value"])[1 if entry else 0]
        assert verify(begun.players[seat].key, label, begun.id + body, signature)
        referee.admit(parse_record(Frame(ENTRY if entry else STATEMENT, body + signature)))
        head = referee.head if entry else referee.statement_heads[seat][-1]
        assert head.hex() == one["head after it"]
    assert referee.outcome is not None


def test_invites() -> None:
    vectors = load("invites.json")
    for one in vectors["good"]:
        invite = read(one["word"])
        assert write(invite) == one["word"]
        assert list(map(str, invite.addresses)) == one["addresses"]
        assert (invite.certificate.hex(), invite.secret.hex()) == (one["certificate"], one["secret"])
        assert invite.watch is one["watch"]
    before = vectors["of the version before"]
    assert list(map(str, read(before["word"]).addresses)) == before["addresses"]
    assert len(read(vectors["with an address of a kind that is not known"]).addresses) == 1
    for text in vectors["written otherwise"]["as"]:
        assert write(read(text)) == vectors["written otherwise"]["word"]
    for one in vectors["bad"]:
        with pytest.raises(InviteFailure) as refused:
            read(one["word"])
        assert type(refused.value).__name__ == one["error"]


def _stored(frame: dict[str, Any]) -> Frame:
    return Frame(frame["kind"], raw(frame["payload"]))


class Introduced:
    """Both sides of the introductions in the vectors, each with its own keys and nonce."""

    def __init__(self) -> None:
        self.vectors = load("introductions.json")
        self.host, self.joiner = self.vectors["host"], self.vectors["joiner"]
        self.binding = raw(self.vectors["certificate"]) + raw(self.vectors["tls-exporter"])
        self.secret = raw(self.vectors["invite secret"])
        self.challenge, self.join, self.welcome, *self.lobby = map(_stored, self.vectors["new match"])

    def listening(self) -> HostSide:
        side = HostSide(self.binding, raw(self.host["nonce"]))
        assert side.challenge == self.challenge
        return side

    def calling(self) -> JoinerSide:
        joiner, side = self.joiner, JoinerSide(self.binding, self.challenge)
        said = side.join(Identity(raw(joiner["seed"])), joiner["name"], raw(joiner["nonce"]), self.secret)
        assert said == self.join
        return side


def test_introductions() -> None:
    both = Introduced()
    vectors, host, joiner, secret = both.vectors, both.host, both.joiner, both.secret
    masters = {name: MatchSecrets(raw(master)) for name, master in vectors["masters"].items()}
    join, welcome, lobby = both.join, both.welcome, both.lobby
    begun = genesis.parse(raw(vectors["genesis"]), GAMES)
    assert begun.id.hex() == vectors["match"]
    here, there = both.listening(), both.calling()
    guest = here.joined(join, secret)
    assert guest == Person(raw(joiner["key"]), joiner["name"])
    assert here.welcome(Identity(raw(host["seed"])), host["name"]) == welcome
    assert there.welcomed(welcome) == Person(raw(host["key"]), host["name"])
    half, whole = (read_listing(frame.payload, GAMES) for frame in lobby[:2])
    assert [half.frame, whole.frame] == lobby[:2]
    assert (half.full, whole.full) == (False, True)
    assert whole.persons == (there.welcomed(welcome), guest)
    for frame in map(_stored, vectors["a listing with a clock"]):
        clocked = read_listing(frame.payload, GAMES)
        assert (clocked.frame, clocked.clock is None) == (frame, False)
        assert not clocked.same_terms(whole)
    parts = [
        seat_part(one, whole.game, s, masters[w])
        for s, (one, w) in enumerate(zip(whole.persons, masters, strict=True))
        if one
    ]
    assert ready_frame(whole.number, parts[1]) == lobby[2]
    assert ready_frame(whole.number, None) == lobby[3]
    assert genesis.make(whole.game, whole.options, tuple(parts)) == begun
    assert found_frame(whole.number, begun) == lobby[4]
    _, watch, watched = map(_stored, vectors["watching"])
    spectator = JoinerSide(both.binding, both.challenge)
    assert spectator.watch(raw(joiner["nonce"]), secret) == watch
    both.listening().watched(watch, secret)
    assert watched_frame(begun) == watched
    assert spectator.watched(watched) == begun.body
    _, resume, resumed = map(_stored, vectors["old match"])
    again = JoinerSide(both.binding, both.challenge)
    assert again.resume(Identity(raw(joiner["seed"])), begun, 1, 0, raw(joiner["nonce"])) == resume
    assert both.listening().resumed(resume, Identity(raw(host["seed"])), begun) == (resumed, 1)
    again.resumed(resumed, raw(host["key"]))


def test_bad_introductions_are_refused() -> None:
    both = Introduced()
    for one in both.vectors["bad joins"]:
        with pytest.raises((Refusal, Refused)) as refused:
            both.listening().joined(_stored(one), both.secret)
        assert _named(refused.value) == one["error"], one["why"]
    for one in both.vectors["bad welcomes"]:
        with pytest.raises((Refusal, Refused)) as refused:
            both.calling().welcomed(_stored(one))
        assert _named(refused.value) == one["error"], one["why"]
    for one in both.vectors["bad lobbies"]:
        with pytest.raises(Refusal) as wrong:
            read_listing(_stored(one).payload, GAMES)
        assert _named(wrong.value) == one["error"], one["why"]


def _named(error: BaseException) -> str:
    if isinstance(error, Refused):
        return f"refused: {Code(error.code).name}"
    return type(error).__name__.lower()


def test_links() -> None:
    vectors = load("links.json")
    read_back = transcript.read((VECTORS / "transcripts" / vectors["transcript"]).read_bytes())
    begun, records = genesis.parse(read_back.genesis, GAMES), read_back.frames
    whole = follower(begun, records)
    assert (vectors["kinds"]["SYNC"], vectors["kinds"]["RECEIPT"]) == (SYNC, RECEIPT)
    for one in vectors["syncs"]:
        copy, seat = follower(begun, records[: one["records held"]]), one["to seat"]
        held = tuple(StatementHead(count, raw(head)) for count, head in one["statements held"])
        position = Position(one["count"], raw(one["head"]), held)
        said = read_sync(raw(one["payload"]))
        assert said == Sync(begun.id, position, *copy.newest(seat))
        assert copy.position() == position
        assert said.frame.payload == raw(one["payload"])
        given = whole.missing(said.position)
        assert given == [records[at] for at in one["records that the whole copy gives"]]
        assert not whole.lacks(seat, (said.entry, said.statement))
        assert copy.lacks(seat, whole.newest(seat)) is one["an old copy finds itself out"]
    for one in vectors["bad syncs"]:
        with pytest.raises(Malformed):
            read_sync(raw(one["payload"]))
    for one in vectors["shown and not signed by the receiver"]:
        with pytest.raises(Malformed):
            whole.lacks(0, (raw(one["entry"]), raw(one["statement"])))
    for one in vectors["receipts"]:
        match, seat, count, signature = read_receipt(raw(one["payload"]))
        assert (match, seat, count) == (begun.id, one["seat"], one["count"])
        assert signature.hex() == one["signature"]
        signed = labels.SIGN_RECEIPT + b"\0" + begun.id + encode([one["seat"], count, raw(one["head"])])
        assert signed == raw(one["signed"])
        valid = receipts.is_signed(begun, one["seat"], count, raw(one["head"]), signature)
        assert valid is one["valid"], one["why"]
    assert sum(one["valid"] for one in vectors["receipts"]) == 3
    for one in vectors["bad receipt frames"]:
        with pytest.raises(Malformed):
            read_receipt(raw(one["payload"]))


TRANSCRIPTS: Final[dict[str, Any]] = load("transcripts/expected.json")
PROOFS: Final[dict[str, Any]] = load("proofs/expected.json")


DECKS: Final[dict[str, Any]] = load("decks/expected.json")
COPIES: Final[dict[str, Any]] = load("copies/expected.json")


@pytest.mark.parametrize("every_signature", [False, True], ids=["short way", "every signature"])
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts(name: str, every_signature: bool) -> None:
    data, expected = (VECTORS / "transcripts" / name).read_bytes(), TRANSCRIPTS[name]
    refusals: dict[str, type[Refusal]] = {"unsupported": Unsupported, "unreadable": Refusal}
    if expected["verdict"] in refusals:
        with pytest.raises(refusals[expected["verdict"]]):
            audit(data, GAMES, every_signature=every_signature)
        return
    assert_report(audit(data, GAMES, every_signature=every_signature), expected)


@pytest.mark.parametrize("name", [name for name in DECKS if name.endswith(".p2ps")])
def test_matches_with_decks(name: str) -> None:
    """By the quick way, and with every proof; a group of Python's integers would take too long here."""
    data, expected = (VECTORS / "decks" / name).read_bytes(), DECKS[name]
    with keeping():
        assert_report(audit(data, CUPS), expected)
        assert_report(
            audit(data, CUPS, proving=ProofPolicy(every=True)), expected.get("every_proof", expected)
        )


@pytest.mark.parametrize("name", [name for name in DECKS if name.endswith(".proof")])
def test_proofs_of_matches_with_decks(name: str) -> None:
    assert _fault(proof.check((VECTORS / "decks" / name).read_bytes(), CUPS)) == DECKS[name]["fault"]


@pytest.mark.parametrize("name", COPIES)
def test_copies(name: str) -> None:
    """In any order; the name begins with the verdict on all of them."""
    expected = COPIES[name]
    assert name.startswith(f"{expected['verdict']}-")
    data = [(VECTORS / "copies" / file).read_bytes() for file in expected["files"]]
    for each, answer in ((False, expected), (True, expected.get("every_signature", expected))):
        for order in (data, data[::-1]):
            together = Copies(GAMES, every_signature=each)
            for copy in order:
                together.add(copy)
            result = together.compare()
            verdict, code = come_to(result)
            assert (verdict, code) == (answer["verdict"], answer["exit_code"])
            assert _fault(result.fault) == answer["fault"]
            whole = result.whole
            assert (whole and whole.verdict.value) == answer["together"]
            assert (whole and whole.outcome and sorted(whole.outcome.winners)) == answer["winners"]


def assert_report(report: Report, expected: dict[str, Any]) -> None:
    assert (report.verdict.value, report.exit_code) == (expected["verdict"], expected["exit_code"])
    assert (report.checks.entries, report.checks.statements) == (expected["entries"], expected["statements"])
    owed = None if report.owed is None else (report.owed.seat, report.owed.message.__name__)
    assert owed == (expected["owed"] and (expected["owed"]["seat"], expected["owed"]["message"]))
    winners = None if report.outcome is None else sorted(report.outcome.winners)
    reason = None if report.outcome is None else report.outcome.reason
    assert (winners, reason) == (expected["winners"], expected["reason"])
    assert list(report.contested) == expected["contested"]
    assert list(report.never_settled) == expected["never_settled"]
    assert list(report.silent) == expected["silent"]
    assert (report.at, report.torn) == (expected["at_record"], expected["torn"])
    assert _fault(report.fault) == expected["fault"]
    assert (report.proof is None) == (report.fault is None)


def _fault(fault: proof.Fault | None) -> dict[str, Any] | None:
    if fault is None:
        return None
    return {"seat": fault.seat, "what": fault.what, "number": fault.number, "rule": fault.rule}


@pytest.mark.parametrize("name", PROOFS)
def test_proofs(name: str) -> None:
    data = (VECTORS / "proofs" / name).read_bytes()
    if PROOFS[name]["verdict"] == "unreadable":
        with pytest.raises(Refusal):
            proof.check(data, GAMES)
    else:
        assert _fault(proof.check(data, GAMES)) == PROOFS[name]["fault"]


def test_there_is_a_transcript_and_a_proof_for_every_rule() -> None:
    rules = {expected["fault"]["rule"] for expected in TRANSCRIPTS.values() if expected.get("fault")}
    proven = {answer["fault"]["rule"] for answer in PROOFS.values() if "fault" in answer}
    assert rules == proven
    decks = {expected["fault"]["rule"] for expected in DECKS.values() if expected.get("fault")}
    assert set(RULES) <= rules | decks
    verdicts = {expected["verdict"] for expected in TRANSCRIPTS.values()}
    assert verdicts >= {"complete", "incomplete", "cheated", "equivocated", "unresponsive", "tampered"}
