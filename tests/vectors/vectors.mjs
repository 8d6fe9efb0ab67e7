/** Reads the shared vectors. bases.json documents their format. */
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('.', import.meta.url);
const { about: _, ...bases } = read('bases.json');

/** The name and the vectors of every file. */
export const subjects = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && name !== 'bases.json')
  .sort()
  .map((name) => ({ name, vectors: read(name).vectors }));

/**
 * Returns the order of a vector: an object, or a string if the vector has `text`.
 *
 * @param {{ base?: any, set?: object, remove?: string[], text?: any }} vector
 * @returns {any}
 */
export function input({ base, set = {}, remove = [], text }) {
  if (text !== undefined) return typeof text === 'string' ? text : joined(text);
  const order = structuredClone(bases[base]);
  for (const [pointer, value] of Object.entries(set)) {
    const { parent, key } = place(order, pointer);
    if (key === '-') parent.push(value);
    else parent[key] = value;
  }
  for (const pointer of remove) {
    const { parent, key } = place(order, pointer);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }
  return order;
}

function place(order, pointer) {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  return { parent: keys.reduce((value, step) => value[step], order), key };
}

/** Concatenates the parts of a string; { times, of } repeats a part. */
function joined(pieces) {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.of.repeat(piece.times))).join('');
}

/** Expands a list of issues: { times, of } repeats an issue, in which {i} is the index from 0. */
export function listed(issues) {
  return issues.flatMap((issue) =>
    typeof issue === 'string'
      ? [issue]
      : Array.from({ length: issue.times }, (_, index) => issue.of.replaceAll('{i}', String(index))),
  );
}

function read(name) {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}
