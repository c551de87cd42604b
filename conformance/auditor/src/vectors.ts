// The vectors of single constructions: node build/vectors.js FOLDER. The runner of the kit compares whole files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bytes32, hex, lots, unhex, type Bytes } from "./bytes.js";
import {
  areTokens, checkDeal, checkKey, checkMember, checkMove, checkOpening, checkShuffle, checkTokens, facePoint, isShare, readCards,
  unpad, type Card, type Context, type Deal,
} from "./crypto/cards.js";
import { commitment, isPublicKey, isSigned, isSoundKey, roll, tagged, taggedValue, unseal } from "./crypto/hashing.js";
import { decode, encode, Malformed, readFrame, type Value } from "./encoding.js";
import { readGenesis, Unreadable, Unsupported } from "./genesis.js";
import { GAMES } from "./games/all.js";
import {
  expectLength, G, hashToPoint, hashToScalar, pad, readPoint, readPoints, readScalar, readScalars, sumOf, times, type Point,
} from "./crypto/group.js";
import { readMessage } from "./messages.js";
import { isWellSigned, readEntry, readStatement } from "./records.js";
import { Fault } from "./table.js";

// Vectors are data from outside; each use below checks what it takes.
type Data = any;

let count = 0;
let wrong = 0;

function expect(name: string, is: unknown, should: unknown): void {
  count += 1;
  const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
  if (a === b) return;
  wrong += 1;
  console.log(`${name}\n  is     ${a}\n  should ${b}`);
}

function load(folder: string, name: string): Data {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

function toValue(data: Data): Value {
  if (Array.isArray(data)) return data.map(toValue);
  if (typeof data === "object") return unhex(data.hex);
  return data;
}

function decoded(bytes: Bytes): string {
  try {
    return hex(encode(decode(bytes)));
  } catch (error) {
    if (error instanceof Malformed) return "malformed";
    throw error;
  }
}

function single(folder: string): void {
  const encoding = load(folder, "encoding.json");
  for (const { value, hex: digits } of encoding.good) {
    expect(`encoding ${digits.slice(0, 40)}`, decoded(unhex(digits)), digits);
    if (typeof value !== "string" || !/^\d+$/.test(value)) expect("encode", hex(encode(toValue(value))), digits);
  }
  for (const { hex: digits, why } of encoding.bad) expect(`encoding: ${why}`, decoded(unhex(digits)), "malformed");
  const frames = load(folder, "frames.json");
  for (const { kind, payload, hex: digits } of frames.good) {
    const frame = readFrame(unhex(digits), 0);
    expect("frame", typeof frame === "string" ? frame : [frame.kind, hex(frame.payload)], [kind, payload]);
  }
  for (const { hex: digits, error } of frames.bad) expect(`frame ${digits}`, readFrame(unhex(digits), 0), error);
  const keys = load(folder, "keys.json");
  for (const key of keys["good keys"]) expect(`key ${key}`, isPublicKey(unhex(key)), true);
  for (const { key, why } of keys["bad keys"]) expect(`key: ${why}`, isPublicKey(unhex(key)), false);
  for (const { key, label, data, signature, valid, why } of keys.signatures) {
    const rest = label.slice("p2p-stratego/2 ".length);
    expect(`signature: ${why}`, isPublicKey(unhex(key)) && isSigned(unhex(key), rest, unhex(data), unhex(signature)), valid);
  }
  for (const { label, data, hash } of load(folder, "hashes.json").hashes) {
    expect(`hash ${label}`, hex(tagged(label.slice("p2p-stratego/2 ".length), unhex(data))), hash);
  }
  const genesis = load(folder, "genesis.json");
  const read = (digits: string): string => {
    try {
      return hex(readGenesis(unhex(digits), GAMES).id);
    } catch (error) {
      if (error instanceof Unreadable) return "malformed";
      if (error instanceof Unsupported) return "unsupported";
      throw error;
    }
  };
  for (const good of [genesis["a week for each decision"], genesis.takebacks, ...genesis.clocks]) {
    expect("genesis", read(good.body), good.id ?? good["game id"] ?? read(good.body));
  }
  for (const bad of genesis.bad) expect(`genesis: ${bad.why}`, read(bad.hex), bad.error);
  const messages = load(folder, "messages.json");
  for (const { kind, hex: digits } of messages.good) expect(`message ${kind}`, readMessage(decode(unhex(digits)))?.kind, kind);
  for (const { hex: digits, why } of messages.bad) expect(`message: ${why}`, readMessage(decode(unhex(digits))), null);
  const commitments = load(folder, "commitments.json");
  const digest = (vector: Data) => hex(commitment(unhex(vector.game), vector.seat, vector.slot, unhex(vector.salt), vector.face));
  for (const vector of commitments.good) expect("commitment", digest(vector), vector.digest);
  for (const vector of commitments.choices) {
    const value = [unhex(vector.game), vector.seat, vector.serial, unhex(vector.salt), vector.move];
    expect("hidden choice", hex(taggedValue("hidden choice", value)), vector.digest);
  }
  for (const vector of commitments.bad) if ("face" in vector) expect(`commitment: ${vector.why}`, digest(vector) === vector.digest, false);
  const chance = load(folder, "chance.json");
  for (const { seat, links } of chance.chains) {
    for (let i = 1; i < links.length; i += 1) {
      expect("link", hex(taggedValue("chance link", [seat, unhex(links[i])])), links[i - 1]);
    }
  }
  for (const { seat, link, previous } of chance["bad links"]) {
    expect("bad link", hex(taggedValue("chance link", [seat, unhex(link)])) === previous, false);
  }
  for (const { game, roll: toss, sides, shares, result } of chance.results) {
    expect("roll", String(roll(unhex(game), toss, shares.map(unhex), BigInt(sides))), result);
  }
  const sealed = load(folder, "sealed.json");
  const opened = (vector: Data): string => {
    const { viewer, owner, slot, serial } = vector;
    const lookKey = unhex(vector["viewer key"] ?? sealed.good[0]["viewer key"]);
    const look = { game: unhex(vector.game), viewer, owner, slot, serial, lookKey, key: unhex(vector["sender key"]) };
    const bytes = unseal(look, unhex(vector["viewer secret"]), unhex(vector.box));
    return bytes === null ? "shut" : `${bytes[0]} ${hex(bytes.subarray(1))}`;
  };
  for (const vector of sealed.good) expect("sealed", opened(vector), `${vector.face} ${vector.salt}`);
  for (const vector of sealed.bad) expect(`sealed: ${vector.why}`, opened(vector), "shut");
  for (const key of sealed["sound keys"]) expect("sound key", isSoundKey(unhex(key)), true);
  for (const { key } of sealed["unsound keys"]) expect("unsound key", isSoundKey(unhex(key)), false);
}


// Proofs about cards: all fields count as received.

function ctxOf(vector: Data): Context {
  return [unhex(vector.game), vector.serial, vector.seat];
}

function received(digits: string, points: number): Point[] {
  expectLength(unhex(digits), 32 * points);
  return readPoints(unhex(digits));
}

function sized(digits: string, length: number): Bytes {
  expectLength(unhex(digits), length);
  return unhex(digits);
}

function cardsOf(digits: string, cards: number): Card[] {
  expectLength(unhex(digits), 64 * cards);
  return readCards(unhex(digits));
}

function dealOf(vector: Data): Deal {
  const commitments = received(vector.commitments, vector.threshold - 1);
  const [ephemeral] = received(vector.ephemeral.slice(0, 64), 1);
  const scalars = readScalars(sized(vector.ephemeral.slice(64), 64));
  const pads = lots(sized(vector.pads, 32 * (vector.seats - 1)), 32);
  const [key] = received(vector.key, 1);
  checkDeal(ctxOf(vector), key, unhex(vector.commitments), ephemeral, scalars);
  return { ctx: ctxOf(vector), entry: 0, dealer: vector.seat, key, commitments, ephemeral, pads };
}

const CHECKS: Record<string, (vector: Data) => void> = {
  keys: (vector) => {
    const [key] = received(vector.key, 1);
    const earlier = vector.earlier.map((digits: string) => received(digits, 1)[0]);
    checkKey(ctxOf(vector), key, sized(vector.proof, 64));
    if (earlier.some((other: Point) => other.equals(key)) || sumOf([...earlier, key]).is0()) throw new Fault("wrong-key");
  },
  shuffles: (vector) => {
    const m = vector.before.length / 128;
    const [before, after] = [vector.before, vector.after].map((digits) => cardsOf(digits, m));
    checkShuffle(ctxOf(vector), received(vector.key, 1)[0], before, after, sized(vector.proof, 128 * m + 160));
  },
  tokens: (vector) => {
    const firsts = vector.firsts.map((digits: string) => received(digits, 1)[0]);
    const tokens = received(vector.tokens, firsts.length);
    checkTokens(ctxOf(vector), received(vector.key, 1)[0], firsts, tokens, sized(vector.proof, 64));
  },
  openings: (vector) => {
    if (vector.face > 127) throw new Fault("not-a-message");
    checkOpening(ctxOf(vector), received(vector.key, 1)[0], cardsOf(vector.card, 1)[0], vector.face, sized(vector.proof, 64));
  },
  moves: (vector) => {
    const [card, moved] = [vector.card, vector.moved].map((digits) => cardsOf(digits, 1)[0]);
    checkMove(ctxOf(vector), received(vector.key, 1)[0], received(vector.to, 1)[0], card, moved, sized(vector.proof, 96));
  },
  claims: (vector) => {
    const tuples = vector.tuples.map((digits: string) => [...unhex(digits)]);
    const proof = sized(vector.proof, 64 * tuples.length);
    checkMember(ctxOf(vector), received(vector.key, 1)[0], cardsOf(vector.cards, vector.cards.length / 128), tuples, proof, "the rule of the claim");
  },
  deals: (vector) => void dealOf(vector),
  shares: (vector) => {
    const deal = dealOf(vector.deal);
    const [share] = readScalars(sized(vector.share, 32));
    if (!isShare(deal, vector.seat, share)) throw new Fault("wrong-share");
  },
  complaints: (vector) => {
    const deal = dealOf(vector.deal);
    const token = readPoint(unhex(vector.point));
    const scalars = lots(unhex(vector.proof), 32).map(readScalar);
    const mine = new Fault("false-complaint");
    if (token === null || scalars.length !== 2 || scalars.includes(null)) throw mine;
    if (!areTokens(ctxOf(vector), received(vector.key, 1)[0], [deal.ephemeral], [token], scalars as bigint[])) throw mine;
    const share = readScalar(unpad(deal, vector.seat, token));
    if (share !== null && isShare(deal, vector.seat, share)) throw mine;
  },
  "released keys": (vector) => {
    const [scalar] = readScalars(sized(vector.secret, 32));
    if (!times(scalar, G).equals(received(vector.key, 1)[0])) throw new Fault("wrong-key");
  },
};

function broken(check: (vector: Data) => void, vector: Data): string {
  try {
    check(vector);
    return "right";
  } catch (error) {
    if (error instanceof Fault) return error.rule;
    throw error;
  }
}

function cards(from: string): void {
  for (const [kind, { good, bad }] of Object.entries<Data>(load(from, "cards.json"))) {
    for (const vector of good) expect(kind, broken(CHECKS[kind], vector), "right");
    for (const { why, rule, change } of bad) expect(`${kind}: ${why}`, broken(CHECKS[kind], { ...good[0], ...change }), rule);
  }
  const group = load(from, "ristretto.json");
  group["multiples of G"].forEach((digits: string, i: number) => expect("multiple", hex(times(BigInt(i), G).toBytes()), digits));
  for (const { point, why } of group["bad points"]) expect(`point: ${why}`, readPoint(unhex(point)), null);
  for (const { scalar, why } of group["bad scalars"]) expect(`scalar: ${why}`, readScalar(unhex(scalar)), null);
  for (const { label, value, scalar } of group.scalars) {
    expect("scalar", hex(bytes32(hashToScalar(label.slice("p2p-stratego/2 ".length), unhex(value)))), scalar);
  }
  group.generators.forEach((digits: string, i: number) => expect("generator", hex(hashToPoint("shuffle generator", [i]).toBytes()), digits));
  const { game, serial, dealer, receiver, shared, hash } = group.pad;
  expect("pad", hex(pad([[unhex(game), serial, dealer], receiver, unhex(shared)])), hash.slice(0, 64));
  for (const { face, point } of group.faces) expect("face", hex(facePoint(face).toBytes()), point);
}

/** Section 8 and 9: a whole match, record by record. */
function records(from: string): void {
  const { genesis: { body }, records: all } = load(from, "records.json");
  const genesis = readGenesis(unhex(body), GAMES);
  for (const vector of all) {
    const payload = unhex(vector.body + vector.signature);
    const record = vector.record === "entry" ? readEntry(payload, genesis.keys.length) : readStatement(payload, genesis.keys.length);
    expect("record", hex(encode(toValue(vector.value))), vector.body);
    expect("record", record !== null && isWellSigned(genesis, record), true);
    if (record !== null) expect("record", hex(record.record === "entry" ? record.head : record.behind), vector["head after it"]);
  }
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("name the folder of the vectors");
single(folder);
records(folder);
cards(folder);
console.log(`${count} expectations, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
