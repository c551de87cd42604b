// spec/decks.md, D4 to D12: what a verifier checks of proofs about cards. Each check raises `Fault`.

import { bytes32, concat, lots, type Bytes } from "../bytes.js";
import { L } from "./hashing.js";
import {
  bytesOf, combine, G, hashToPoint, hashToScalar, inverse, modulo, pad, readPoints, readScalars, sumOf, times, type Point,
} from "./group.js";
import { Fault } from "../table.js";

export type Card = { a: Point; b: Point };
/** [game id, serial, seat of the prover]. */
export type Context = [Bytes, number, number];

const FACES = 128;
const FACE_POINTS: Point[] = [];
for (let face = 0, point = G; face < FACES; face += 1, point = point.add(G) as Point) FACE_POINTS.push(point);
const FACE_NAMES = new Map(FACE_POINTS.map((point, face) => [String(point.toBytes()), face]));
const GENERATORS: Point[] = [];

/** M(f). */
export function facePoint(face: number): Point {
  return FACE_POINTS[face];
}

/** The face of M(f). */
export function faceOf(point: Point): number {
  const face = FACE_NAMES.get(String(point.toBytes()));
  if (face === undefined) throw new Error("a card without a face");
  return face;
}

/** The card of a face that everybody knows, under a key. */
export function publicCard(face: number, key: Point): Card {
  return { a: G, b: facePoint(face).add(key) as Point };
}

export function readCards(bytes: Bytes): Card[] {
  const points = readPoints(bytes);
  return lots(bytes, 64).map((_, i) => ({ a: points[2 * i], b: points[2 * i + 1] }));
}

function joined(cards: Card[]): Bytes {
  return bytesOf(...cards.flatMap(({ a, b }) => [a, b]));
}

/** D4.3, but for what other keys there are. */
export function checkKey(ctx: Context, key: Point, proof: Bytes): void {
  const [c, z] = readScalars(proof);
  const w = combine([z, modulo(-c)], [G, key]);
  if (hashToScalar("proof key", [ctx, bytesOf(key), bytesOf(w)]) !== c) throw new Fault("wrong-key");
}

function generator(i: number): Point {
  while (GENERATORS.length <= i) GENERATORS.push(hashToPoint("shuffle generator", [GENERATORS.length]));
  return GENERATORS[i];
}

/** D6. */
export function checkShuffle(ctx: Context, key: Point, before: Card[], after: Card[], proof: Bytes): void {
  const m = before.length;
  const parts = [32 * m, 64 * m].map((end, i, ends) => readPoints(proof.subarray(i === 0 ? 0 : ends[0], end)));
  const [c, chain] = parts;
  const scalars = readScalars(proof.subarray(64 * m));
  const [x, s1, s2, s3, s4] = scalars;
  const [hats, primes] = [scalars.slice(5, 5 + m), scalars.slice(5 + m)];
  const h = Array.from({ length: m }, (_, i) => generator(i + 1));
  const h0 = generator(0);
  const statement = [ctx, bytesOf(key), joined(before), joined(after), proof.subarray(0, 32 * m)];
  const root = bytes32(hashToScalar("shuffle seed", statement));
  const u = h.map((_, i) => hashToScalar("shuffle challenge", [root, i + 1]));
  const minus = modulo(-x);
  const product = u.reduce((all, scalar) => (all * scalar) % L, 1n);
  const bar = sumOf(c).subtract(sumOf(h)) as Point;
  const hat = chain[m - 1].subtract(times(product, h0)) as Point;
  const [tilde, a, b] = [c, before.map((card) => card.a), before.map((card) => card.b)].map((points) => combine(u, points));
  const t = [
    combine([s1, minus], [G, bar]),
    combine([s2, minus], [G, hat]),
    combine([s3, minus, ...primes], [G, tilde, ...h]),
    combine([modulo(-s4), minus, ...primes], [G, a, ...after.map((card) => card.a)]),
    combine([modulo(-s4), minus, ...primes], [key, b, ...after.map((card) => card.b)]),
    ...chain.map((point, i) => combine([hats[i], primes[i], minus], [G, i === 0 ? h0 : chain[i - 1], point])),
  ];
  const expected = hashToScalar("proof shuffle", [...statement, proof.subarray(32 * m, 64 * m), bytesOf(...t)]);
  if (expected !== x) throw new Fault("wrong-shuffle");
}

/** D7. */
export function areTokens(ctx: Context, key: Point, firsts: Point[], tokens: Point[], [c, z]: bigint[]): boolean {
  const statement = [ctx, bytesOf(key), bytesOf(...firsts), bytesOf(...tokens)];
  const root = bytes32(hashToScalar("token weights", statement));
  const weights = firsts.map((_, i) => hashToScalar("token weight", [root, i]));
  const [a, d] = [combine(weights, firsts), combine(weights, tokens)];
  const w = [combine([z, modulo(-c)], [G, key]), combine([z, modulo(-c)], [a, d])];
  return hashToScalar("proof tokens", [...statement, bytesOf(w[0]), bytesOf(w[1])]) === c;
}

export function checkTokens(ctx: Context, key: Point, firsts: Point[], tokens: Point[], proof: Bytes): void {
  if (!areTokens(ctx, key, firsts, tokens, readScalars(proof))) throw new Fault("wrong-token");
}

/** D8. */
export function checkOpening(ctx: Context, key: Point, card: Card, face: number, proof: Bytes): void {
  const [c, z] = readScalars(proof);
  const minus = modulo(-c);
  const w = [combine([z, minus], [G, key]), combine([z, minus], [card.a, card.b.subtract(facePoint(face)) as Point])];
  const expected = hashToScalar("proof opening", [ctx, bytesOf(key), joined([card]), face, bytesOf(w[0]), bytesOf(w[1])]);
  if (expected !== c) throw new Fault("wrong-opening");
}

/** D9. */
export function checkMove(ctx: Context, key: Point, to: Point, card: Card, moved: Card, proof: Bytes): void {
  const [c, z1, z2] = readScalars(proof);
  const minus = modulo(-c);
  const w = [
    combine([z1, minus], [G, key]),
    combine([z2, minus], [G, moved.a]),
    combine([z1, modulo(-z2), minus], [card.a, to, card.b.subtract(moved.b) as Point]),
  ];
  const statement = [ctx, bytesOf(key), bytesOf(to), joined([card]), joined([moved])];
  if (hashToScalar("proof move", [...statement, ...w.map((point) => bytesOf(point))]) !== c) throw new Fault("wrong-move");
}

/** D10; `rule`: that of the claim. */
export function checkMember(ctx: Context, key: Point, cards: Card[], tuples: number[][], proof: Bytes, rule: string): void {
  const scalars = readScalars(proof);
  const points: Point[] = [];
  let sum = 0n;
  tuples.forEach((faces, i) => {
    const [c, z] = [scalars[2 * i], scalars[2 * i + 1]];
    const minus = modulo(-c);
    sum += c;
    points.push(combine([z, minus], [G, key]));
    cards.forEach((card, j) => points.push(combine([z, minus], [card.a, card.b.subtract(facePoint(faces[j])) as Point])));
  });
  const listed = tuples.map((faces) => Uint8Array.from(faces));
  const width = cards.length + 1;
  const joinedPoints = tuples.map((_, i) => bytesOf(...points.slice(i * width, (i + 1) * width)));
  const e = hashToScalar("proof member", [ctx, bytesOf(key), joined(cards), listed, concat(...joinedPoints)]);
  if (modulo(sum) !== e) throw new Fault(rule);
}

export type Deal = { ctx: Context; entry: number; dealer: number; key: Point; commitments: Point[]; ephemeral: Point; pads: Bytes[] };

/** D12.4. */
export function checkDeal(ctx: Context, key: Point, commitments: Bytes, ephemeral: Point, [c, z]: bigint[]): void {
  const w = combine([z, modulo(-c)], [G, ephemeral]);
  const statement = [ctx, bytesOf(key), commitments, bytesOf(ephemeral), bytesOf(w)];
  if (hashToScalar("proof escrow", statement) !== c) throw new Fault("wrong-share");
}

/** D12.5: whether a seat's share fits a deal. */
export function isShare(deal: Deal, seat: number, share: bigint): boolean {
  let expected: Point = deal.key;
  let power = 1n;
  for (const commitment of deal.commitments) {
    power = modulo(power * BigInt(seat + 1));
    expected = expected.add(times(power, commitment)) as Point;
  }
  return times(share, G).equals(expected);
}

/** D12.6: the bytes of a share by what its receiver says of the pad. */
export function unpad(deal: Deal, seat: number, point: Point): Bytes {
  const place = seat < deal.dealer ? seat : seat - 1;
  const mask = pad([deal.ctx, seat, bytesOf(point)]);
  return deal.pads[place].map((byte, i) => byte ^ mask[i]);
}

/** D12.7: f(0) from shares f(seat + 1), by Lagrange. */
export function recover(shares: Map<number, bigint>): bigint {
  let secret = 0n;
  for (const [seat, share] of shares) {
    let weight = 1n;
    for (const other of shares.keys()) {
      if (other === seat) continue;
      weight = modulo(weight * BigInt(other + 1) * inverse(BigInt(other - seat)));
    }
    secret = modulo(secret + share * weight);
  }
  return secret;
}
