/**
 * Short keyed digests of secrets, by which secrets can be compared but not recovered: SipHash-2-4.
 * @module
 * @see Aumasson, Bernstein: SipHash, a fast short-input PRF (2012)
 */

/** Hexadecimal digits of a digest. */
const DIGITS = 4;
/** The initial state: "somepseudorandomlygeneratedbytes", as low and high halves. */
const START = [
  0x70736575,
  0x736f6d65,
  0x6e646f6d,
  0x646f7261,
  0x6e657261,
  0x6c796765,
  0x79746573,
  0x74656462,
];

/** Four words of 64 bits, each as a low and a high half. */
type Words = Uint32Array;

/** Makes the digest of a text; `key` has 16 bytes. */
export function digestOf(text: string, key: Uint8Array): string {
  const [low, high] = hash(new TextEncoder().encode(text), key);
  return ((low ^ high) >>> 0).toString(16).padStart(8, "0").slice(-DIGITS);
}

/** SipHash-2-4 of some bytes: the low and the high half. */
export function hash(bytes: Uint8Array, key: Uint8Array): [low: number, high: number] {
  const words = createWords(key);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = bytes.length & ~7;
  for (let at = 0; at < whole; at += 8) absorb(words, view.getUint32(at, true), view.getUint32(at + 4, true));
  const rest = new DataView(new ArrayBuffer(8));
  for (let at = whole; at < bytes.length; at += 1) rest.setUint8(at - whole, bytes[at] as number);
  rest.setUint8(7, bytes.length & 0xff);
  absorb(words, rest.getUint32(0, true), rest.getUint32(4, true));
  words[4] = at(words, 4) ^ 0xff;
  for (let round = 0; round < 4; round += 1) mix(words);
  return [
    (at(words, 0) ^ at(words, 2) ^ at(words, 4) ^ at(words, 6)) >>> 0,
    (at(words, 1) ^ at(words, 3) ^ at(words, 5) ^ at(words, 7)) >>> 0,
  ];
}

function createWords(key: Uint8Array): Words {
  const view = new DataView(key.buffer, key.byteOffset, 16);
  const words = new Uint32Array(START);
  for (let half = 0; half < 8; half += 1) words[half] = at(words, half) ^ view.getUint32(half % 4 * 4, true);
  return words;
}

function absorb(words: Words, low: number, high: number): void {
  words[6] = at(words, 6) ^ low;
  words[7] = at(words, 7) ^ high;
  mix(words);
  mix(words);
  words[0] = at(words, 0) ^ low;
  words[1] = at(words, 1) ^ high;
}

/** One SipRound. */
function mix(words: Words): void {
  add(words, 0, 2);
  turn(words, 2, 13, 0);
  swap(words, 0);
  add(words, 4, 6);
  turn(words, 6, 16, 4);
  add(words, 0, 6);
  turn(words, 6, 21, 0);
  add(words, 4, 2);
  turn(words, 2, 17, 4);
  swap(words, 4);
}

/** Adds one word to another. */
function add(words: Words, to: number, from: number): void {
  const low = at(words, to) + at(words, from);
  words[to + 1] = at(words, to + 1) + at(words, from + 1) + (low > 0xffffffff ? 1 : 0);
  words[to] = low;
}

/** Rotates a word to the left by fewer than 32 bits, then combines it with another. */
function turn(words: Words, word: number, bits: number, other: number): void {
  const [low, high] = [at(words, word), at(words, word + 1)];
  words[word] = ((low << bits) | (high >>> (32 - bits))) ^ at(words, other);
  words[word + 1] = ((high << bits) | (low >>> (32 - bits))) ^ at(words, other + 1);
}

/** Rotates a word by 32 bits. */
function swap(words: Words, word: number): void {
  const low = at(words, word);
  words[word] = at(words, word + 1);
  words[word + 1] = low;
}

function at(words: Words, index: number): number {
  return words[index] as number;
}
