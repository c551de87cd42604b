// spec/decks.md, D1 and D2: the group ristretto255, and hashes to it.

import { createHash } from "node:crypto";
import { RistrettoPoint } from "@noble/curves/ed25519";
import { concat, little, lots, type Bytes } from "../bytes.js";
import { L, label } from "./hashing.js";
import { encode, type Value } from "../encoding.js";
import { Fault } from "../table.js";

export type Point = InstanceType<typeof RistrettoPoint>;

export const G: Point = RistrettoPoint.BASE;
export const ZERO: Point = RistrettoPoint.ZERO;

/** A received point (D1): 32 bytes, not the identity. Null if it is none. */
export function readPoint(bytes: Bytes): Point | null {
  try {
    const point = RistrettoPoint.fromBytes(bytes);
    return point.is0() ? null : point;
  } catch {
    return null;
  }
}

/** Received points or scalars have a length that follows from the Ask (P4). Raises `Fault`. */
export function expectLength(bytes: Bytes, length: number): void {
  if (bytes.length !== length) throw new Fault("not-a-message");
}

/** Received points, joined. Raises `Fault` with `not-a-message`. */
export function readPoints(bytes: Bytes): Point[] {
  return lots(bytes, 32).map((part) => {
    const point = readPoint(part);
    if (point === null) throw new Fault("not-a-message");
    return point;
  });
}

/** A received scalar; null if it is not below L. */
export function readScalar(bytes: Bytes): bigint | null {
  const scalar = little(bytes);
  return scalar < L ? scalar : null;
}

/** Received scalars, joined. Raises `Fault` with `not-a-message`. */
export function readScalars(bytes: Bytes): bigint[] {
  return lots(bytes, 32).map((part) => {
    const scalar = readScalar(part);
    if (scalar === null) throw new Fault("not-a-message");
    return scalar;
  });
}

export function bytesOf(...points: Point[]): Bytes {
  return concat(...points.map((point) => point.toBytes()));
}

/** scalar · point; nothing here is secret. */
export function times(scalar: bigint, point: Point): Point {
  if (scalar === 0n || point.is0()) return ZERO;
  return point === G ? (G.multiply(scalar) as Point) : (point.multiplyUnsafe(scalar) as Point);
}

export function sumOf(points: Point[]): Point {
  return points.reduce((sum, point) => sum.add(point) as Point, ZERO);
}

/** Σ scalar · point. */
export function combine(scalars: bigint[], points: Point[]): Point {
  const parts = points.flatMap((point, i) => (scalars[i] === 0n || point.is0() ? [] : [i]));
  if (parts.length < 8) return sumOf(parts.map((i) => times(scalars[i], points[i])));
  return RistrettoPoint.msm(parts.map((i) => points[i]), parts.map((i) => scalars[i]));
}

function hash512(rest: string, value: Value): Bytes {
  const tag = createHash("sha512").update(label(rest)).digest();
  return new Uint8Array(createHash("sha512").update(tag).update(tag).update(encode(value)).digest());
}

/** scalar(label, v). */
export function hashToScalar(rest: string, value: Value): bigint {
  return little(hash512(rest, value)) % L;
}

/** point(label, v). */
export function hashToPoint(rest: string, value: Value): Point {
  return RistrettoPoint.hashToCurve(hash512(rest, value));
}

/** The first 32 bytes of H512("escrow pad", v). */
export function pad(value: Value): Bytes {
  return hash512("escrow pad", value).subarray(0, 32);
}

export function modulo(value: bigint): bigint {
  const rest = value % L;
  return rest < 0n ? rest + L : rest;
}

/** 1 / value mod L. */
export function inverse(value: bigint): bigint {
  let [a, b, x, y] = [modulo(value), L, 1n, 0n];
  while (a !== 0n) {
    const quotient = b / a;
    [a, b] = [b - quotient * a, a];
    [x, y] = [y - quotient * x, x];
  }
  return modulo(y);
}
