/** The shared vectors, read. What one says, bases.json tells. */
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('.', import.meta.url);
const { about: _, ...bases } = read('bases.json');

/** Every file of vectors. */
export const subjects = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && name !== 'bases.json')
  .sort()
  .map((name) => ({ name, vectors: read(name).vectors }));

/**
 * The order of a vector: an object, or text where only text can say it.
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

/** A text in pieces: { times, of } repeats one. */
function joined(pieces) {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.of.repeat(piece.times))).join('');
}

/** A list of issues: { times, of } repeats one, {i} in it is the count from 0. */
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
