// For `node --import`: a signature is verified once a process.  Half of those of the vectors stand in several records,
// which begin alike, and a verification is most of the work.  `make thorough` verifies every one, and so does a Node
// that is too old for these hooks.
import * as loading from 'node:module';

const VERIFIER = new URL('../../cli/page/verifier/crypto/ed25519.mjs', import.meta.url).href;
/** In place of the verifier's module: itself, with answers that are kept by all bytes on which they depend. */
const KEPT = `
import {isSigned as isSignedAnew} from '${VERIFIER}?anew';

export {readKey, SIGNATURE_BYTES} from '${VERIFIER}?anew';

const MOST = 50_000;
const answers = new Map();
const hex = (bytes) => Buffer.from(bytes).toString('hex');

export function isSigned(key, label, data, signature) {
  const asked = [label, hex(key.bytes), hex(signature), hex(data)].join();
  if (!answers.has(asked)) {
    if (answers.size === MOST) {
      answers.clear();
    }
    answers.set(asked, isSignedAnew(key, label, data, signature));
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
