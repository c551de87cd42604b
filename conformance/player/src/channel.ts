// SPEC 3.3, 14.10 and 14.16: frames over TLS to the one certificate that the invite names.

import { connect, type TLSSocket } from "node:tls";
import { concat, same, type Bytes } from "../../auditor/build/bytes.js";
import { sha256 } from "../../auditor/build/crypto/hashing.js";
import { crc16, crc32, decode, encode, Malformed, readFrame, type Value } from "../../auditor/build/encoding.js";
import type { Place } from "./addresses.js";
import type { Invite } from "./invite.js";

export const CLOSE = 26;
const [PING, PONG] = [23, 24];
export const LEFT = 9;
export const DECLINED = 5;
export const PROTOCOL = 8;
const CONNECTING = 15_000;
const LOST = 20_000;

export type Frame = { kind: number; payload: Bytes };

/** The fields of an array that bytes stand for; none if they are no array. */
export function fields(bytes: Bytes): Value[] {
  try {
    const value = decode(bytes);
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof Malformed) return [];
    throw error;
  }
}

/** 3.3. */
export function frame(kind: number, payload: Bytes): Bytes {
  const header = Uint8Array.of(kind, payload.length >> 8, payload.length & 255);
  const checks = new DataView(new ArrayBuffer(6));
  checks.setUint16(0, crc16(header));
  checks.setUint32(2, crc32(payload));
  const bytes = new Uint8Array(checks.buffer);
  return concat(header, bytes.subarray(0, 2), payload, bytes.subarray(2));
}

/** The other side, or the way to it, does not do what SPEC says. */
export class Trouble extends Error {}

/** The other side closed, with a code of 14.16. */
export class Closed extends Trouble {
  readonly code: number;

  constructor(code: number) {
    super(`the other side closed with code ${code}`);
    this.code = code;
  }
}

export class Channel {
  readonly binding: Bytes;
  private readonly socket: TLSSocket;
  private unread: Bytes = new Uint8Array(0);
  private readonly frames: Frame[] = [];
  private ended: Trouble | null = null;
  private wake: () => void = () => {};

  constructor(socket: TLSSocket, certificate: Bytes) {
    this.socket = socket;
    const exported = socket.exportKeyingMaterial(32, "EXPORTER-Channel-Binding", Buffer.alloc(0));
    this.binding = concat(certificate, new Uint8Array(exported));
    socket.setTimeout(LOST, () => this.end(new Trouble("silence for 20 s")));
    socket.on("data", (bytes) => this.receive(bytes));
    socket.on("close", () => this.end(new Trouble("the connection ended")));
    socket.on("error", (error) => this.end(new Trouble(error.message)));
  }

  private end(trouble: Trouble): void {
    this.ended ??= trouble;
    this.socket.destroy();
    this.wake();
  }

  private receive(bytes: Bytes): void {
    this.unread = concat(this.unread, bytes);
    for (;;) {
      const next = readFrame(this.unread, 0);
      if (next === "incomplete") break;
      if (next === "damaged") return this.end(new Trouble("a damaged frame"));
      this.unread = this.unread.subarray(next.next);
      if (next.kind === PING) this.send(PONG, next.payload);
      else if (next.kind === CLOSE) return this.end(new Closed(Number(fields(next.payload)[0])));
      else if (next.kind !== PONG) this.frames.push({ kind: next.kind, payload: next.payload.slice() });
    }
    this.wake();
  }

  /** The next frame that is none of PING, PONG and CLOSE. Raises Trouble. */
  async next(): Promise<Frame> {
    for (;;) {
      const next = this.frames.shift();
      if (next !== undefined) return next;
      if (this.ended !== null) throw this.ended;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  send(kind: number, payload: Bytes): void {
    this.socket.write(frame(kind, payload));
  }

  say(kind: number, value: Value): void {
    this.send(kind, encode(value));
  }

  /** Ends the connection for what the other side did. */
  refuse(why: string, code = PROTOCOL): never {
    this.close(code);
    throw new Trouble(why);
  }

  close(code: number): void {
    this.say(CLOSE, [code]);
    this.socket.end();
  }
}

function call({ host, port }: Place, certificate: Bytes): Promise<Channel> {
  return new Promise((resolve, reject) => {
    // The pin is the check: the certificate is self-signed, and names and dates in it mean nothing (14.10.2).
    const socket = connect({ host, port, minVersion: "TLSv1.3", rejectUnauthorized: false }, () => {
      clearTimeout(late);
      const shown = socket.getPeerX509Certificate();
      if (shown !== undefined && same(sha256(shown.raw), certificate)) return resolve(new Channel(socket, certificate));
      socket.destroy();
      reject(new Trouble("somebody else listens there"));
    });
    const late = setTimeout(() => socket.destroy(new Error("nobody answers")), CONNECTING);
    socket.once("error", (error) => {
      clearTimeout(late);
      reject(error);
    });
  });
}

/** 14.1.7: calls all addresses at once, and keeps the first that shows the right certificate. Raises Trouble. */
export async function reach({ places, certificate }: Invite): Promise<Channel> {
  const calls = places.map((place) => call(place, certificate));
  try {
    const first = await Promise.any(calls);
    for (const other of calls) other.then((channel) => channel === first || channel.close(LEFT), () => {});
    return first;
  } catch (error) {
    throw new Trouble(String((error as AggregateError).errors[0]));
  }
}
