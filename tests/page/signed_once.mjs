// For `node --import`: a key is read and a signature verified once a process, and seven signatures of eight by Node's own
// cryptography, a thirtieth of the work; the page's verifier judges the eighth, and each that Node refuses.  Its own
// tests import it with `?itself`.  `make thorough` leaves all to it, and so does a Node too old for these hooks.
import * as loading from 'node:module';

const VERIFIER = new URL('../../cli/page/verifier/crypto/ed25519.mjs', import.meta.url).href;
/** In place of the verifier's module: itself, with answers that are kept by all bytes on which they depend. */
const KEPT = `
import {createPublicKey, verify} from 'node:crypto';
import {isSigned as isSignedAnew, readKey as readAnew, SIGNATURE_BYTES} from '${VERIFIER}?itself';

export {SIGNATURE_BYTES};

const MOST = 50_000;
const SHARE = 8;
const answers = new Map();
const read = new Map();
const keys = new Map();
const hex = (bytes) => Buffer.from(bytes).toString('hex');

export function readKey(bytes) {
  const asked = hex(bytes);
  if (!read.has(asked)) {
    read.set(asked, readAnew(Uint8Array.from(bytes)));
  }
  return read.get(asked);
}

function keyOf(bytes) {
  const x = Buffer.from(bytes).toString('base64url');
  if (!keys.has(x)) {
    keys.set(x, createPublicKey({key: {kty: 'OKP', crv: 'Ed25519', x}, format: 'jwk'}));
  }
  return keys.get(x);
}

function isSignedByNode(key, label, data, signature) {
  const isOther = signature.length === SIGNATURE_BYTES && signature[0] % SHARE !== 0;
  return isOther && verify(null, Buffer.concat([Buffer.from(label + '\\0'), data]), keyOf(key.bytes), signature);
}

export function isSigned(key, label, data, signature) {
  const asked = [label, hex(key.bytes), hex(signature), hex(data)].join();
  if (!answers.has(asked)) {
    if (answers.size === MOST) {
      answers.clear();
    }
    const given = [key, label, data, signature];
    answers.set(asked, isSignedByNode(...given) || isSignedAnew(...given));
  }
  return answers.get(asked);
}
`;

if (!process.env.THOROUGH) {
  loading.registerHooks?.({
    load: (url, context, next) => (
      url === VERIFIER ? {format: 'module', source: KEPT, shortCircuit: true} : next(url, context)
    ),
  });
}
