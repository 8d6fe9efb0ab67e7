/**
 * Packs the bytes of the core into a text, which pkg-template/src/unpack.ts reads: the opcodes of all instructions, then
 * the integers that follow each kind of opcode, each as a stream of its own. Similar bytes are next to each other, so
 * brotli compresses the streams to 6 KB less than the bytes in their original order.
 */
import { CODE, alignmentOf, functionsIn, instructionsIn, sectionsOf } from './wasm-binary.mjs';

/** Characters that are special neither in strings of JavaScript nor in HTML; the last two are prefixes. */
const CHARACTERS = Array.from({ length: 92 }, (_, index) => String.fromCharCode(35 + index)).filter(
  (character) => character !== '<' && character !== '\\',
);
const PREFIXES = CHARACTERS.slice(-2);
const SINGLES = CHARACTERS.slice(0, -2);

/** The streams in the order of pkg-template/unpack.wat. */
const STREAMS = ['opcodes', 'lengths', 'others', 'types', 'labels', 'indices', 'locals', 'offsets', 'i32', 'i64'];

/** The integer after these opcodes is in a stream. */
const STREAM_OF_OPCODE = {
  types: [0x02, 0x03, 0x04],
  labels: [0x0c, 0x0d],
  indices: [0x10, 0x23, 0x24],
  locals: [0x20, 0x21, 0x22],
  i32: [0x41],
  i64: [0x42],
};
/** No opcode: bytes follow that are not in streams by opcode. */
const ESCAPE = 255;

/** Returns the text: each stream after the characters of its bytes, with spaces between. */
export function packedCore(core) {
  return streamsOf(core).map(packed).join(' ');
}

/** Returns the streams of a module that scripts/build/finish-core.mjs aligned. */
export function streamsOf(core) {
  /** @type {Record<string, number[]>} */
  const streams = Object.fromEntries(STREAMS.map((name) => [name, []]));
  const streamOf = Object.fromEntries(
    Object.entries(STREAM_OF_OPCODE).flatMap(([name, opcodes]) => opcodes.map((opcode) => [opcode, streams[name]])),
  );
  const put = (stream, start, end) => {
    for (let at = start; at < end; at++) stream.push(core[at]);
  };
  /** The first byte that is in no stream yet. */
  let start = 0;
  const escapeTo = (end) => {
    for (; start < end; ) {
      const length = Math.min(end - start, 255);
      streams.opcodes.push(ESCAPE);
      streams.lengths.push(length);
      put(streams.others, start, start + length);
      start += length;
    }
  };
  for (const section of sectionsOf(core)) {
    if (section.id !== CODE) continue;
    for (const body of functionsIn(core, section)) {
      for (const { opcode, start: at, immediates, end } of instructionsIn(core, body)) {
        escapeTo(at);
        streams.opcodes.push(opcode);
        start = immediates;
        // How an access is aligned follows from its opcode.
        if (alignmentOf(opcode) !== undefined) put(streams.offsets, immediates + 1, end);
        else if (streamOf[opcode]) put(streamOf[opcode], immediates, end);
        else escapeTo(end);
        start = end;
      }
    }
  }
  escapeTo(core.length);
  return STREAMS.map((name) => Uint8Array.from(streams[name]));
}

/** Returns a bitmap of the bytes that are one character, in hexadecimal digits, and the bytes as characters. */
function packed(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const byCount = counts.map((_, byte) => byte).sort((a, b) => counts[b] - counts[a] || a - b);
  const isSingle = new Set(byCount.slice(0, SINGLES.length));

  const singles = SINGLES.values();
  const pairs = PREFIXES.flatMap((prefix) => CHARACTERS.map((character) => prefix + character)).values();
  const characters = counts.map((_, byte) => (isSingle.has(byte) ? singles : pairs).next().value);
  const digits = Array.from({ length: 64 }, (_, index) =>
    [0, 1, 2, 3].reduce((digit, bit) => digit | ((isSingle.has(4 * index + bit) ? 1 : 0) << bit), 0).toString(16),
  );
  return digits.join('') + Array.from(bytes, (byte) => characters[byte]).join('');
}
