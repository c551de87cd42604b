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

MOST_BYTES: Final = 3_200_000


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
    for case in vectors["good"]:
        assert encode(value(case["value"])).hex() == case["hex"]
        assert decode(raw(case["hex"])) == value(case["value"])
    for case in vectors["bad"]:
        with pytest.raises(Malformed):
            decode(raw(case["hex"]))
    assert len(vectors["bad"]) > 50


def test_frames() -> None:
    vectors = load("frames.json")
    for case in vectors["good"]:
        frame = Frame(case["kind"], raw(case["payload"]))
        assert bytes(frame).hex() == case["hex"]
        assert read_frame(raw(case["hex"]), 0) == frame
    assert {case["error"] for case in vectors["bad"]} == {"incomplete", "damaged"}
    for case in vectors["bad"]:
        if case["error"] == "incomplete":
            assert read_frame(raw(case["hex"]), 0) is None
        else:
            with pytest.raises(Malformed):
                list(Deframer().feed(raw(case["hex"])))


def test_keys_and_signatures() -> None:
    vectors = load("keys.json")
    for case in vectors["identities"]:
        identity = Identity(raw(case["seed"]))
        assert identity.key.hex() == case["key"]
        assert fingerprint(identity.key) == case["fingerprint"]
    for key in vectors["good keys"]:
        check_key(raw(key))
    for bad_key in vectors["bad keys"]:
        with pytest.raises(Malformed):
            check_key(raw(bad_key["key"]))
    for signature in vectors["signatures"]:
        valid = verify(
            raw(signature["key"]),
            signature["label"].encode(),
            raw(signature["data"]),
            raw(signature["signature"]),
        )
        assert valid is signature["valid"], signature["why"]
    assert sum(signature["valid"] for signature in vectors["signatures"]) == 2


def test_hashes_and_commitments() -> None:
    for case in load("hashes.json")["hashes"]:
        assert tagged(case["label"].encode())(raw(case["data"])).hex() == case["hash"]
    vectors = load("commitments.json")
    for case in vectors["good"]:
        digest = hide_face(raw(case["game"]), case["seat"], case["slot"], case["face"], raw(case["salt"]))
        assert digest.hex() == case["digest"]
        assert tagged(labels.COMMITMENT)(raw(case["preimage"])) == digest
    for choice in vectors["choices"]:
        digest = hide_choice(
            raw(choice["game"]), choice["seat"], choice["serial"], choice["move"], raw(choice["salt"])
        )
        assert digest.hex() == choice["digest"]
        assert tagged(labels.HIDDEN_CHOICE)(raw(choice["preimage"])) == digest
    for case in vectors["bad"]:
        digest = hide_face(raw(case["game"]), case["seat"], case["slot"], case["face"], raw(case["salt"]))
        assert digest != raw(case["digest"])


def test_chance() -> None:
    vectors = load("chance.json")
    for case in vectors["chains"]:
        links = [link.hex() for link in chain(case["seat"], raw(case["seed"]), len(case["links"]) - 1)]
        assert links == case["links"]
        for previous, link in pairwise(links):
            assert follows(case["seat"], raw(link), raw(previous))
    for bad_link in vectors["bad links"]:
        assert not follows(bad_link["seat"], raw(bad_link["link"]), raw(bad_link["previous"]))
    for case in vectors["results"]:
        shares = [raw(share) for share in case["shares"]]
        assert str(result(raw(case["game"]), case["roll"], shares, int(case["sides"]))) == case["result"]
    assert max(case["attempts"] for case in vectors["results"]) > 1


def test_secrets() -> None:
    vectors = load("secrets.json")
    secrets = MatchSecrets(raw(vectors["master"]))
    assert secrets.nonce.hex() == vectors["nonce"]
    links = vectors["chance"]["links"]
    assert [link.hex() for link in secrets.links(vectors["chance"]["seat"], len(links) - 1)] == links
    for salt in vectors["salts"]:
        assert secrets.salt(raw(salt["game"]), salt["seat"], salt["slot"]).hex() == salt["salt"]
    for choice_salt in vectors["choice salts"]:
        assert (
            secrets.choice_salt(raw(choice_salt["game"]), choice_salt["seat"], choice_salt["serial"]).hex()
            == choice_salt["salt"]
        )
    for look in vectors["looks"]:
        where = raw(look["game"]), look["seat"], look["serial"]
        assert secrets.look_secret(*where).hex() == look["look"]
        assert secrets.seal_secret(*where).hex() == look["seal"]
    for case in vectors["talk"]:
        assert secrets.talk_secret(raw(case["game"]), case["seat"]).hex() == case["secret"]
    for mix in vectors["mixes"]:
        where = raw(mix["game"]), mix["seat"], mix["serial"]
        assert secrets.mix_order(*where, len(mix["order"])) == mix["order"]
    for face in vectors["faces"]:
        slots, faces = tuple(range(len(face["faces"]))), face["of"]
        ask = Commit(face["seat"], slots, faces, exactly=face["exactly"], chosen=False)
        assert faces_laid(secrets, raw(face["game"]), face["serial"], ask) == tuple(face["faces"])


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
    for case in vectors["good"]:
        message = CODEC.parse(value(case["value"]))
        assert type(message).__name__ == case["kind"]
        assert encode(CODEC.value(message)).hex() == case["hex"]
    for case in vectors["bad"]:
        with pytest.raises(Malformed):
            CODEC.parse(decode(raw(case["hex"])))


def test_geneses() -> None:
    errors = {"malformed": Malformed, "unsupported": Unsupported}
    slow = load("genesis.json")["a week for each decision"]
    begun = genesis.parse(raw(slow["body"]), GAMES)
    assert (begun.id.hex(), begun.pace) == (slow["id"], Pace.WEEK)
    case = load("genesis.json")["takebacks"]
    begun = genesis.parse(raw(case["body"]), GAMES)
    assert (begun.id.hex(), begun.pace, begun.clock, begun.takebacks) == (case["id"], Pace.LIVE, None, True)
    for clock in load("genesis.json")["clocks"]:
        begun = genesis.parse(raw(clock["body"]), GAMES)
        assert begun.clock is not None
        assert (begun.id.hex(), begun.pace, begun.clock.value) == (clock["id"], Pace.LIVE, clock["clock"])
    for case in load("genesis.json")["bad"]:
        with pytest.raises(errors[case["error"]]):
            genesis.parse(raw(case["hex"]), GAMES)


def test_records_of_a_match() -> None:
    """The genesis, every entry and statement, what is signed, and the head after each."""
    vectors = load("records.json")
    begun = genesis.parse(raw(vectors["genesis"]["body"]), GAMES)
    assert begun.id.hex() == vectors["genesis"]["id"]
    assert [list(option) for option in begun.options.items()] == vectors["genesis"]["options"]
    for player, fields in zip(begun.players, vectors["genesis"]["players"], strict=True):
        assert (player.key.hex(), player.name) == (fields["key"], fields["name"])
        assert (player.nonce.hex(), player.anchor.hex()) == (fields["nonce"], fields["anchor"])
    referee = Referee(begun)
    for record in vectors["records"]:
        body, signature = raw(record["body"]), raw(record["signature"])
        assert decode(body) == value(record["value"])
        entry = record["record"] == "entry"
        label = labels.SIGN_ENTRY if entry else labels.SIGN_STATEMENT
        assert raw(record["signed"]) == label + b"\0" + begun.id + body
        seat = value(record["value"])[1 if entry else 0]
        assert verify(begun.players[seat].key, label, begun.id + body, signature)
        referee.admit(parse_record(Frame(ENTRY if entry else STATEMENT, body + signature)))
        head = referee.head if entry else referee.statement_heads[seat][-1]
        assert head.hex() == record["head after it"]
    assert referee.outcome is not None


def test_invites() -> None:
    vectors = load("invites.json")
    for case in vectors["good"]:
        invite = read(case["word"])
        assert write(invite) == case["word"]
        assert list(map(str, invite.addresses)) == case["addresses"]
        assert (invite.certificate.hex(), invite.secret.hex()) == (case["certificate"], case["secret"])
        assert invite.watch is case["watch"]
    before = vectors["of the version before"]
    assert list(map(str, read(before["word"]).addresses)) == before["addresses"]
    assert len(read(vectors["with an address of a kind that is not known"]).addresses) == 1
    for text in vectors["written otherwise"]["as"]:
        assert write(read(text)) == vectors["written otherwise"]["word"]
    for case in vectors["bad"]:
        with pytest.raises(InviteFailure) as refused:
            read(case["word"])
        assert type(refused.value).__name__ == case["error"]


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
        join = side.join(Identity(raw(joiner["seed"])), joiner["name"], raw(joiner["nonce"]), self.secret)
        assert join == self.join
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
        seat_part(person, whole.game, s, masters[w])
        for s, (person, w) in enumerate(zip(whole.persons, masters, strict=True))
        if person
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
    for bad_join in both.vectors["bad joins"]:
        with pytest.raises((Refusal, Refused)) as refused:
            both.listening().joined(_stored(bad_join), both.secret)
        assert _named(refused.value) == bad_join["error"], bad_join["why"]
    for bad_welcome in both.vectors["bad welcomes"]:
        with pytest.raises((Refusal, Refused)) as refused:
            both.calling().welcomed(_stored(bad_welcome))
        assert _named(refused.value) == bad_welcome["error"], bad_welcome["why"]
    for bad_lobby in both.vectors["bad lobbies"]:
        with pytest.raises(Refusal) as wrong:
            read_listing(_stored(bad_lobby).payload, GAMES)
        assert _named(wrong.value) == bad_lobby["error"], bad_lobby["why"]


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
    for sync in vectors["syncs"]:
        copy, seat = follower(begun, records[: sync["records held"]]), sync["to seat"]
        held = tuple(StatementHead(count, raw(head)) for count, head in sync["statements held"])
        position = Position(sync["count"], raw(sync["head"]), held)
        reading = read_sync(raw(sync["payload"]))
        assert reading == Sync(begun.id, position, *copy.newest(seat))
        assert copy.position() == position
        assert reading.frame.payload == raw(sync["payload"])
        given = whole.missing(reading.position)
        assert given == [records[at] for at in sync["records that the whole copy gives"]]
        assert not whole.lacks(seat, (reading.entry, reading.statement))
        assert copy.lacks(seat, whole.newest(seat)) is sync["an old copy finds itself out"]
    for bad_sync in vectors["bad syncs"]:
        with pytest.raises(Malformed):
            read_sync(raw(bad_sync["payload"]))
    for case in vectors["shown and not signed by the receiver"]:
        with pytest.raises(Malformed):
            whole.lacks(0, (raw(case["entry"]), raw(case["statement"])))
    for receipt in vectors["receipts"]:
        match, seat, count, signature = read_receipt(raw(receipt["payload"]))
        assert (match, seat, count) == (begun.id, receipt["seat"], receipt["count"])
        assert signature.hex() == receipt["signature"]
        signed = (
            labels.SIGN_RECEIPT + b"\0" + begun.id + encode([receipt["seat"], count, raw(receipt["head"])])
        )
        assert signed == raw(receipt["signed"])
        valid = receipts.is_signed(begun, receipt["seat"], count, raw(receipt["head"]), signature)
        assert valid is receipt["valid"], receipt["why"]
    assert sum(receipt["valid"] for receipt in vectors["receipts"]) == 3
    for bad_receipt_frame in vectors["bad receipt frames"]:
        with pytest.raises(Malformed):
            read_receipt(raw(bad_receipt_frame["payload"]))


TRANSCRIPTS: Final[dict[str, Any]] = load("transcripts/expected.json")
PROOFS: Final[dict[str, Any]] = load("proofs/expected.json")


DECKS: Final[dict[str, Any]] = load("decks/expected.json")
COPIES: Final[dict[str, Any]] = load("copies/expected.json")
REFUSALS: Final[dict[str, type[Refusal]]] = {"unsupported": Unsupported, "unreadable": Refusal}


@pytest.mark.parametrize("every_signature", [False, True], ids=["short way", "every signature"])
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts(name: str, every_signature: bool) -> None:
    data, expected = (VECTORS / "transcripts" / name).read_bytes(), TRANSCRIPTS[name]
    if expected["verdict"] in REFUSALS:
        with pytest.raises(REFUSALS[expected["verdict"]]):
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
    for thorough, answer in ((False, expected), (True, expected.get("every_signature", expected))):
        for order in (data, data[::-1]):
            together = Copies(GAMES, every_signature=thorough)
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
    if PROOFS[name]["verdict"] in REFUSALS:
        with pytest.raises(REFUSALS[PROOFS[name]["verdict"]]):
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
