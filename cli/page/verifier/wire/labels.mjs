// The labels of hashes and signatures (SPEC 2): each has one use.

const PREFIX = 'p2p-stratego/2 ';

export const LABEL_GENESIS = `${PREFIX}genesis`;
export const LABEL_ENTRY = `${PREFIX}entry`;
export const LABEL_STATEMENT = `${PREFIX}statement`;
export const LABEL_COMMITMENT = `${PREFIX}commitment`;
export const LABEL_HIDDEN_CHOICE = `${PREFIX}hidden choice`;
export const LABEL_CHANCE_LINK = `${PREFIX}chance link`;
export const LABEL_CHANCE_ROLL = `${PREFIX}chance roll`;
export const LABEL_SEALED_OPENING = `${PREFIX}sealed opening`;
export const LABEL_FINGERPRINT = `${PREFIX}fingerprint`;
export const LABEL_SIGN_ENTRY = `${PREFIX}sign entry`;
export const LABEL_SIGN_STATEMENT = `${PREFIX}sign statement`;
export const LABEL_SIGN_RECEIPT = `${PREFIX}sign receipt`;
export const LABEL_PROOF_KEY = `${PREFIX}proof key`;
export const LABEL_PROOF_SHUFFLE = `${PREFIX}proof shuffle`;
export const LABEL_SHUFFLE_GENERATOR = `${PREFIX}shuffle generator`;
export const LABEL_SHUFFLE_SEED = `${PREFIX}shuffle seed`;
export const LABEL_SHUFFLE_CHALLENGE = `${PREFIX}shuffle challenge`;
export const LABEL_PROOF_OPENING = `${PREFIX}proof opening`;
export const LABEL_PROOF_MOVE = `${PREFIX}proof move`;
export const LABEL_PROOF_MEMBER = `${PREFIX}proof member`;
export const LABEL_TOKEN_WEIGHTS = `${PREFIX}token weights`;
export const LABEL_TOKEN_WEIGHT = `${PREFIX}token weight`;
export const LABEL_PROOF_TOKENS = `${PREFIX}proof tokens`;
export const LABEL_PROOF_ESCROW = `${PREFIX}proof escrow`;
export const LABEL_ESCROW_PAD = `${PREFIX}escrow pad`;
