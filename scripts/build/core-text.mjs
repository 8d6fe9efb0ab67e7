/**
 * Writes the core as text for the default entry, because bundlers lose a file beside it.
 *
 * The text has a stream of opcodes, and streams of the integers that follow some of them; pkg-template/src/unpack.ts joins them. Similar
 * bytes are next to each other, so that they take 10 KB less after brotli than hexadecimal digits (docs/contributing/layout.md).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { root } from '../places.mjs';

/** The streams in the order of pkg-template/unpack.wat. */
const STREAMS = ['others', 'opcodes', 'labels', 'locals', 'loads', 'stores'];
/** The opcodes, from the first to the last, that an integer of a stream follows. Loads and stores have an alignment before it. */
const FOLLOWED = [
  [0x02, 0x04, 'opcodes'],
  [0x0c, 0x0d, 'labels'],
  [0x10, 0x10, 'opcodes'],
  [0x20, 0x22, 'locals'],
  [0x23, 0x24, 'opcodes'],
  [0x28, 0x35, 'loads'],
  [0x36, 0x3e, 'stores'],
  [0x41, 0x42, 'opcodes'],
];
/** No opcode: some bytes follow in the stream of others, as many as the next byte says. */
const ESCAPE = 255;

/** Characters that are special neither in strings of JavaScript nor in HTML; the last two are prefixes. */
const CHARACTERS = Array.from({ length: 92 }, (_, index) => String.fromCharCode(35 + index)).filter(
  (character) => character !== '<' && character !== '\\',
);
const PREFIXES = CHARACTERS.slice(-2);
const SINGLES = CHARACTERS.slice(0, -2);

/** Returns the text of a module that exports functions, `coreSource` for example, which return the bytes of compiled modules. */
export function sourceModule(compiled) {
  const sources = Object.entries(compiled).map(
    ([name, bytes]) => `export const ${name} = () => unpack(${JSON.stringify(coreText(bytes))}, unpacker);\n`,
  );
  return `import { unpack } from './unpack.js';\nconst unpacker = [${unpacker()}];\n${sources.join('')}`;
}

/** Returns the core as ASCII: each stream as characters, with spaces between. */
export function coreText(core) {
  return streamsOf(core).map(charactersOf).join(' ');
}

/** Returns the bytes of the module that joins the streams. */
function unpacker() {
  const module = binaryen.parseText(readFileSync(join(root, 'pkg-template/unpack.wat'), 'utf8'));
  module.setFeatures(binaryen.Features.BulkMemory | binaryen.Features.BulkMemoryOpt);
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  module.optimize();
  return module.emitBinary();
}

/**
 * Divides the core into streams. Takes an opcode that is not in FOLLOWED for an instruction of one byte: if more belong to it,
 * they are in streams of others, which costs some bytes; joining the streams gives the same core.
 */
function streamsOf(core) {
  /** @type {Record<string, number[]>} */
  const streams = Object.fromEntries(STREAMS.map((name) => [name, []]));
  let at = 0;
  const take = (stream, end) => {
    while (at < end) stream.push(core[at++]);
  };
  const escapeTo = (end) => {
    while (at < end) {
      const length = Math.min(end - at, 255);
      streams.opcodes.push(ESCAPE, length);
      take(streams.others, at + length);
    }
  };
  for (const { code, end } of functionsOf(core)) {
    escapeTo(code);
    while (at < end) {
      const opcode = core[at];
      const stream = FOLLOWED.find(([first, last]) => opcode >= first && opcode <= last)?.[2];
      if (opcode === ESCAPE) escapeTo(at + 1);
      else take(streams.opcodes, at + 1);
      if (stream === 'loads' || stream === 'stores') take(streams.opcodes, at + 1);
      if (stream) take(streams[stream], integerAt(core, at).end);
    }
  }
  escapeTo(core.length);
  return Object.values(streams);
}

/** Yields the sections of a module: the number, where it starts, where its content starts and ends. */
export function* sectionsOf(module) {
  for (let start = 8; start < module.length; ) {
    const { value: size, end: body } = integerAt(module, start + 1);
    yield { id: module[start], start, body, end: body + size };
    start = body + size;
  }
}

/** Yields the functions of a module: where each starts, where its instructions start and end. */
export function* functionsOf(module) {
  const { body, end: last } = [...sectionsOf(module)].find(({ id }) => id === 10) ?? { body: 0, end: 0 };
  for (let start = integerAt(module, body).end; start < last; ) {
    const size = integerAt(module, start);
    const locals = integerAt(module, size.end);
    let code = locals.end;
    for (let group = 0; group < locals.value; group++) code = integerAt(module, code).end + 1;
    yield { start, code, end: size.end + size.value };
    start = size.end + size.value;
  }
}

/** Returns an unsigned integer of variable length (LEB128), and where it ends. */
export function integerAt(bytes, start) {
  let end = start;
  while (bytes[end++] >= 128);
  const value = bytes.subarray(start, end).reduceRight((higher, byte) => higher * 128 + (byte & 127), 0);
  return { value, end };
}

/** Returns a bitmap of the bytes that are one character, in hexadecimal digits, and the bytes as characters. */
function charactersOf(bytes) {
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
