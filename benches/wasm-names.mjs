/** Reads the names of the core's functions, and cuts parts out of the core, for bytes.mjs. */
import { integerAt, sectionsOf } from '../scripts/build/core-text.mjs';

const CUSTOM = 0;
export const DATA = 11;
/** The part of the section with names that has those of functions. */
const FUNCTION_NAMES = 1;
const HEADER = 8;

/** Returns the names of the functions of a module, in the order of their code. */
export function namesOf(module) {
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ kind }) => kind === 'function');
  const names = [];
  const section = [...sectionsOf(module)].find(
    ({ id, body }) => id === CUSTOM && stringAt(module, body).value === 'name',
  );
  if (!section) return [];
  for (let at = stringAt(module, section.body).end; at < section.end; ) {
    const kind = module[at];
    const { value: size, end: start } = integerAt(module, at + 1);
    at = start + size;
    if (kind !== FUNCTION_NAMES) continue;
    let { value: count, end } = integerAt(module, start);
    for (; count > 0; count--) {
      const index = integerAt(module, end);
      const name = stringAt(module, index.end);
      names[index.value] = name.value;
      end = name.end;
    }
  }
  return names.slice(imported.length);
}

/**
 * Returns a module without some of its sections or functions. It can be compressed, but not run.
 *
 * @param {Buffer} module
 * @param {{ start: number, end: number }[]} ranges
 */
export function withoutRanges(module, ranges) {
  const rest = (start, end) => {
    const cuts = ranges.filter((range) => range.start >= start && range.end <= end).sort((a, b) => a.start - b.start);
    const ends = [start, ...cuts.map((cut) => cut.end)];
    return Buffer.concat(ends.map((from, index) => module.subarray(from, cuts[index]?.start ?? end)));
  };
  const sections = [...sectionsOf(module)].filter(({ start }) => !ranges.some((range) => range.start === start));
  return Buffer.concat([
    module.subarray(0, HEADER),
    ...sections.flatMap(({ id, start, body, end }) => {
      const content = rest(body, end);
      const isWhole = content.length === end - body;
      return isWhole ? [module.subarray(start, end)] : [Buffer.from([id]), unsigned(content.length), content];
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

function stringAt(bytes, start) {
  const { value: length, end } = integerAt(bytes, start);
  return { value: Buffer.from(bytes.subarray(end, end + length)).toString(), end: end + length };
}
