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
  const digest = (one: Data) => hex(commitment(unhex(one.game), one.seat, one.slot, unhex(one.salt), one.face));
  for (const one of commitments.good) expect("commitment", digest(one), one.digest);
  for (const one of commitments.choices) {
    const value = [unhex(one.game), one.seat, one.serial, unhex(one.salt), one.move];
    expect("hidden choice", hex(taggedValue("hidden choice", value)), one.digest);
  }
  for (const one of commitments.bad) if ("face" in one) expect(`commitment: ${one.why}`, digest(one) === one.digest, false);
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
  const opened = (one: Data): string => {
    const { viewer, owner, slot, serial } = one;
    const lookKey = unhex(one["viewer key"] ?? sealed.good[0]["viewer key"]);
    const look = { game: unhex(one.game), viewer, owner, slot, serial, lookKey, key: unhex(one["sender key"]) };
    const bytes = unseal(look, unhex(one["viewer secret"]), unhex(one.box));
    return bytes === null ? "shut" : `${bytes[0]} ${hex(bytes.subarray(1))}`;
  };
  for (const one of sealed.good) expect("sealed", opened(one), `${one.face} ${one.salt}`);
  for (const one of sealed.bad) expect(`sealed: ${one.why}`, opened(one), "shut");
  for (const key of sealed["sound keys"]) expect("sound key", isSoundKey(unhex(key)), true);
  for (const { key } of sealed["unsound keys"]) expect("unsound key", isSoundKey(unhex(key)), false);
}


// Proofs about cards: all fields count as received.

function ctxOf(one: Data): Context {
  return [unhex(one.game), one.serial, one.seat];
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

function dealOf(one: Data): Deal {
  const commitments = received(one.commitments, one.threshold - 1);
  const [ephemeral] = received(one.ephemeral.slice(0, 64), 1);
  const scalars = readScalars(sized(one.ephemeral.slice(64), 64));
  const pads = lots(sized(one.pads, 32 * (one.seats - 1)), 32);
  const [key] = received(one.key, 1);
  checkDeal(ctxOf(one), key, unhex(one.commitments), ephemeral, scalars);
  return { ctx: ctxOf(one), entry: 0, dealer: one.seat, key, commitments, ephemeral, pads };
}

const CHECKS: Record<string, (one: Data) => void> = {
  keys: (one) => {
    const [key] = received(one.key, 1);
    const earlier = one.earlier.map((digits: string) => received(digits, 1)[0]);
    checkKey(ctxOf(one), key, sized(one.proof, 64));
    if (earlier.some((other: Point) => other.equals(key)) || sumOf([...earlier, key]).is0()) throw new Fault("wrong-key");
  },
  shuffles: (one) => {
    const m = one.before.length / 128;
    const [before, after] = [one.before, one.after].map((digits) => cardsOf(digits, m));
    checkShuffle(ctxOf(one), received(one.key, 1)[0], before, after, sized(one.proof, 128 * m + 160));
  },
  tokens: (one) => {
    const firsts = one.firsts.map((digits: string) => received(digits, 1)[0]);
    const tokens = received(one.tokens, firsts.length);
    checkTokens(ctxOf(one), received(one.key, 1)[0], firsts, tokens, sized(one.proof, 64));
  },
  openings: (one) => {
    if (one.face > 127) throw new Fault("not-a-message");
    checkOpening(ctxOf(one), received(one.key, 1)[0], cardsOf(one.card, 1)[0], one.face, sized(one.proof, 64));
  },
  moves: (one) => {
    const [card, moved] = [one.card, one.moved].map((digits) => cardsOf(digits, 1)[0]);
    checkMove(ctxOf(one), received(one.key, 1)[0], received(one.to, 1)[0], card, moved, sized(one.proof, 96));
  },
  claims: (one) => {
    const tuples = one.tuples.map((digits: string) => [...unhex(digits)]);
    const proof = sized(one.proof, 64 * tuples.length);
    checkMember(ctxOf(one), received(one.key, 1)[0], cardsOf(one.cards, one.cards.length / 128), tuples, proof, "the rule of the claim");
  },
  deals: (one) => void dealOf(one),
  shares: (one) => {
    const deal = dealOf(one.deal);
    const [share] = readScalars(sized(one.share, 32));
    if (!isShare(deal, one.seat, share)) throw new Fault("wrong-share");
  },
  complaints: (one) => {
    const deal = dealOf(one.deal);
    const token = readPoint(unhex(one.point));
    const scalars = lots(unhex(one.proof), 32).map(readScalar);
    const mine = new Fault("false-complaint");
    if (token === null || scalars.length !== 2 || scalars.includes(null)) throw mine;
    if (!areTokens(ctxOf(one), received(one.key, 1)[0], [deal.ephemeral], [token], scalars as bigint[])) throw mine;
    const share = readScalar(unpad(deal, one.seat, token));
    if (share !== null && isShare(deal, one.seat, share)) throw mine;
  },
  "released keys": (one) => {
    const [scalar] = readScalars(sized(one.secret, 32));
    if (!times(scalar, G).equals(received(one.key, 1)[0])) throw new Fault("wrong-key");
  },
};

function broken(check: (one: Data) => void, one: Data): string {
  try {
    check(one);
    return "right";
  } catch (error) {
    if (error instanceof Fault) return error.rule;
    throw error;
  }
}

function cards(from: string): void {
  for (const [kind, { good, bad }] of Object.entries<Data>(load(from, "cards.json"))) {
    for (const one of good) expect(kind, broken(CHECKS[kind], one), "right");
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
  for (const one of all) {
    const payload = unhex(one.body + one.signature);
    const record = one.record === "entry" ? readEntry(payload, genesis.keys.length) : readStatement(payload, genesis.keys.length);
    expect("record", hex(encode(toValue(one.value))), one.body);
    expect("record", record !== null && isWellSigned(genesis, record), true);
    if (record !== null) expect("record", hex(record.record === "entry" ? record.head : record.behind), one["head after it"]);
  }
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("name the folder of the vectors");
single(folder);
records(folder);
cards(folder);
console.log(`${count} expectations, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
