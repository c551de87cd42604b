// What a profile (hashes, or proofs) keeps of the table, and how messages reach it.

import type { Answer, Ask, Commit } from "./asks.js";
import type { Bytes } from "./bytes.js";
import type { Claim } from "./claims.js";
import type { Look } from "./crypto/hashing.js";
import type { Kind, Message } from "./messages.js";

/** A fault of the signer of what is judged (12.1.3). */
export class Fault extends Error {
  readonly rule: string;

  constructor(rule: string) {
    super(rule);
    this.rule = rule;
  }
}

/** `ask`: the number of the answer that this message is for, or a part of. */
export type Owed = { seat: number; kind: Kind; decision: boolean; ask: number };
/** Its seat goes, takes decisions back to before an Ask, or sends the message owed. */
export type Reply = { gone: boolean; takeBack?: number; message?: Message };
export type Steps<T> = Generator<Owed, T, Reply>;

export type SealedLook = Look & { entry: number; box: Bytes };

export interface Table {
  claims: Claim[];
  /** Slots that were opened: the face, and the entry that opened it. */
  faces: Map<number, { face: number; entry: number }>;
  /** By the entry of the SealedOpening. `then`: the table as it stood before the TakeBack that undid it. */
  looks: Map<number, { look: SealedLook; then: Table | null }>;
  /** Whether claims or open slots are new since the last call. */
  claimsChanged(): boolean;
  /** 7.2: what a slot was laid as; undefined under the profile of proofs, and of slots never laid. */
  laid(slot: number): { seat: number; digest: Bytes; faces: Set<number> } | undefined;
  commitTogether(asks: Commit[]): Steps<Answer>;
  answer(ask: Ask): Steps<Answer>;
  /** What is done as soon as a seat is gone (P7). */
  seatGone(): Steps<void>;
  copy(): Table;
  /** With decks alone: the key of a seat that stands before an entry. */
  keyBefore?(seat: number, count: number): Bytes | null;
  isSecretOf?(secret: Bytes, key: Bytes): boolean;
  /** A RESIGN is folded: its secret is public from now on. */
  publish?(seat: number, secret: Bytes | null): void;
  /** P8: the dealer of a share that does not fit; null if the complaint is false. */
  isFalseShare?(deal: number, seat: number, point: Bytes, proof: Bytes): number | null;
  /** Takes over from a later table what a TakeBack leaves as it is. */
  remember(later: Table): void;
}
