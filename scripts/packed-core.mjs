/** Packs the bytes of the core into a text, which pkg-template/src/unpack.ts reads. */

/** Characters that are special neither in strings of JavaScript nor in HTML; the last two are prefixes. */
const CHARACTERS = Array.from({ length: 92 }, (_, index) => String.fromCharCode(35 + index)).filter(
  (character) => character !== '<' && character !== '\\',
);
const PREFIXES = CHARACTERS.slice(-2);
const SINGLES = CHARACTERS.slice(0, -2);

/** Returns a bitmap of the bytes that are one character, in hexadecimal digits, and the text. */
export function packedCore(core) {
  const counts = new Array(256).fill(0);
  for (const byte of core) counts[byte]++;
  const byCount = counts.map((_, byte) => byte).sort((a, b) => counts[b] - counts[a] || a - b);
  const isSingle = new Set(byCount.slice(0, SINGLES.length));

  const singles = SINGLES.values();
  const pairs = PREFIXES.flatMap((prefix) => CHARACTERS.map((character) => prefix + character)).values();
  const characters = counts.map((_, byte) => (isSingle.has(byte) ? singles : pairs).next().value);
  const digits = Array.from({ length: 64 }, (_, index) =>
    [0, 1, 2, 3].reduce((digit, bit) => digit | ((isSingle.has(4 * index + bit) ? 1 : 0) << bit), 0).toString(16),
  );
  return digits.join('') + Array.from(core, (byte) => characters[byte]).join('');
}
