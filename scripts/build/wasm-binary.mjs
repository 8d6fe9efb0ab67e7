/** Reads the binary format of WebAssembly as far as the build needs it: sections, functions, instructions. */

/** @typedef {{ id: number, start: number, body: number, end: number }} Section at which bytes it starts, its content starts, and it ends */
/** @typedef {{ start: number, code: number, end: number }} Body of a function: its size, its first instruction, its end */
/** @typedef {{ opcode: number, start: number, immediates: number, end: number }} Instruction */

const CUSTOM = 0;
const IMPORT = 2;
export const CODE = 10;
export const DATA = 11;

/** The natural alignment of each load and store, from the first to the last of their opcodes, as a power of 2. */
const ALIGNMENTS = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];
const FIRST_ACCESS = 0x28;

const HEADER = 8;
const I32_CONST = 0x41;
/** The part of the section with names that has those of functions. */
const FUNCTION_NAMES = 1;

/** The immediates of each opcode: integers of variable length, or a number of bytes. Other opcodes have none. */
const IMMEDIATES = immediatesByOpcode();

/**
 * Yields the sections of a module.
 *
 * @param {Uint8Array} bytes
 * @returns {Generator<Section>}
 */
export function* sectionsOf(bytes) {
  for (let start = HEADER; start < bytes.length; ) {
    const { value: size, end: body } = integerAt(bytes, start + 1);
    const end = body + size;
    yield { id: bytes[start], start, body, end };
    start = end;
  }
}

/**
 * Yields the functions of a section with code.
 *
 * @param {Uint8Array} bytes
 * @param {Section} section
 * @returns {Generator<Body>}
 */
export function* functionsIn(bytes, { body, end: last }) {
  for (let start = integerAt(bytes, body).end; start < last; ) {
    const size = integerAt(bytes, start);
    const end = size.end + size.value;
    const groups = integerAt(bytes, size.end);
    let code = groups.end;
    for (let group = 0; group < groups.value; group++) code = integerAt(bytes, code).end + 1;
    yield { start, code, end };
    start = end;
  }
}

/**
 * Yields the segments of a section with data: the address of the first byte, and where in the module the bytes are.
 *
 * @param {Uint8Array} bytes
 * @param {Section} section
 * @returns {Generator<{ address: number, start: number, end: number }>}
 */
export function* segmentsIn(bytes, { body, end: last }) {
  for (let at = integerAt(bytes, body).end; at < last; ) {
    if (bytes[at] !== 0 || bytes[at + 1] !== I32_CONST) throw new Error('a segment without a constant address');
    const address = integerAt(bytes, at + 2);
    // The instruction `end` follows.
    const size = integerAt(bytes, address.end + 1);
    at = size.end + size.value;
    yield { address: address.value, start: size.end, end: at };
  }
}

/**
 * Yields the instructions of a function. Throws for an opcode that it doesn't know.
 *
 * @param {Uint8Array} bytes
 * @param {Body} body
 * @returns {Generator<Instruction>}
 */
export function* instructionsIn(bytes, { code, end: last }) {
  for (let start = code; start < last; ) {
    const opcode = bytes[start];
    const immediates = start + 1;
    const end = endOfImmediates(bytes, opcode, immediates);
    yield { opcode, start, immediates, end };
    start = end;
  }
}

/**
 * Returns the names of the functions of a module, in the order of their code, from its section with names.
 *
 * @param {Uint8Array} bytes
 */
export function namesOf(bytes) {
  const names = [];
  const section = [...sectionsOf(bytes)].find(
    ({ id, body }) => id === CUSTOM && stringAt(bytes, body).value === 'name',
  );
  if (!section) return names;
  for (let at = stringAt(bytes, section.body).end; at < section.end; ) {
    const kind = bytes[at];
    const { value: size, end: start } = integerAt(bytes, at + 1);
    at = start + size;
    if (kind !== FUNCTION_NAMES) continue;
    let { value: count, end } = integerAt(bytes, start);
    for (; count > 0; count--) {
      const index = integerAt(bytes, end);
      const name = stringAt(bytes, index.end);
      names[index.value] = name.value;
      end = name.end;
    }
  }
  return names.slice(importedFunctions(bytes));
}

/**
 * Returns a module without some of its sections or functions. It can be read here and packed, but not run.
 *
 * @param {Buffer} bytes
 * @param {{ start: number, end: number }[]} ranges
 */
export function withoutRanges(bytes, ranges) {
  const kept = (start, end) => {
    const cuts = ranges.filter((range) => range.start >= start && range.end <= end).sort((a, b) => a.start - b.start);
    const ends = [start, ...cuts.map((cut) => cut.end)];
    return Buffer.concat(ends.map((from, index) => bytes.subarray(from, cuts[index]?.start ?? end)));
  };
  const sections = [...sectionsOf(bytes)].filter(({ start }) => !ranges.some((range) => range.start === start));
  return Buffer.concat([
    bytes.subarray(0, HEADER),
    ...sections.flatMap(({ id, start, body, end }) => {
      const content = kept(body, end);
      const isWhole = content.length === end - body;
      return isWhole ? [bytes.subarray(start, end)] : [Buffer.from([id]), unsigned(content.length), content];
    }),
  ]);
}

function unsigned(integer) {
  const bytes = [];
  for (let rest = integer; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

function importedFunctions(bytes) {
  const section = [...sectionsOf(bytes)].find(({ id }) => id === IMPORT);
  if (!section) return 0;
  let { value: count, end } = integerAt(bytes, section.body);
  let functions = 0;
  for (; count > 0; count--) {
    const kind = stringAt(bytes, stringAt(bytes, end).end).end;
    if (bytes[kind] !== 0) throw new Error('scripts/build/wasm-binary.mjs knows only imports that are functions');
    functions++;
    end = integerAt(bytes, kind + 1).end;
  }
  return functions;
}

function stringAt(bytes, start) {
  const { value: length, end } = integerAt(bytes, start);
  return { value: Buffer.from(bytes.subarray(end, end + length)).toString(), end: end + length };
}

/** Returns an unsigned integer of variable length (LEB128) and where it ends. */
export function integerAt(bytes, start) {
  let value = 0;
  let end = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, end };
  }
}

/** Returns the natural alignment of a load or store as a power of 2, `undefined` for another opcode. */
export function alignmentOf(opcode) {
  return ALIGNMENTS[opcode - FIRST_ACCESS];
}

function endOfImmediates(bytes, opcode, start) {
  const immediates = IMMEDIATES[opcode];
  if (immediates === undefined) throw new Error(`scripts/build/wasm-binary.mjs doesn't know the opcode ${opcode}`);
  const integers = (from, count) => {
    let end = from;
    for (let index = 0; index < count; index++) end = integerAt(bytes, end).end;
    return end;
  };
  switch (immediates) {
    case 'table of labels': {
      const { value, end } = integerAt(bytes, start);
      return integers(end, value + 1);
    }
    case 'prefix': {
      const { value, end } = integerAt(bytes, start);
      // Conversions that saturate have no immediates; then come operations on memories and tables.
      const count = value < 8 ? 0 : [2, 1, 2, 1, 2, 1, 2, 1, 1, 1][value - 8];
      if (count === undefined) throw new Error(`scripts/build/wasm-binary.mjs doesn't know the opcode 252 ${value}`);
      return integers(end, count);
    }
    default:
      return immediates < 0 ? start - immediates : integers(start, immediates);
  }
}

/** The number of integers; a negative number is one of bytes. */
function immediatesByOpcode() {
  /** @type {Record<number, number | 'table of labels' | 'prefix'>} */
  const immediates = {};
  const set = (from, to, value) => {
    for (let opcode = from; opcode <= to; opcode++) immediates[opcode] = value;
  };
  set(0x00, 0x01, 0); // unreachable, nop
  set(0x02, 0x04, 1); // block, loop, if
  set(0x05, 0x05, 0); // else
  set(0x0b, 0x0b, 0); // end
  set(0x0c, 0x0d, 1); // br, br_if
  set(0x0e, 0x0e, 'table of labels');
  set(0x0f, 0x0f, 0); // return
  set(0x10, 0x10, 1); // call
  set(0x11, 0x11, 2); // call_indirect
  set(0x1a, 0x1b, 0); // drop, select
  set(0x20, 0x26, 1); // locals, globals, tables
  set(0x28, 0x3e, 2); // loads and stores: alignment and offset
  set(0x3f, 0x42, 1); // memory.size, memory.grow, i32.const, i64.const
  set(0x43, 0x43, -4); // f32.const
  set(0x44, 0x44, -8); // f64.const
  set(0x45, 0xc4, 0); // comparisons, arithmetic, conversions
  set(0xd0, 0xd0, 1); // ref.null
  set(0xd1, 0xd1, 0); // ref.is_null
  set(0xd2, 0xd2, 1); // ref.func
  set(0xfc, 0xfc, 'prefix');
  return immediates;
}
