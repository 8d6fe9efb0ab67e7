/** The shared vectors; what one is, tests/vectors/bases.json says. */
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('../vectors/', import.meta.url);
const { about: _, ...bases } = subject('bases.json');

/** Every subject, with its vectors. */
export function subjects() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'bases.json').sort();
  return names.map((name) => ({ name, vectors: subject(name).vectors }));
}

/** The input of a vector: a text, or an order made from a base. */
export function inputOf({ base, set = {}, remove = [], text }) {
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
  const keys = pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  return { parent: keys.reduce((value, step) => value[step], order), key };
}

/** A text in pieces: { times, of } repeats one. */
function joined(pieces) {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.of.repeat(piece.times))).join('');
}

function subject(name) {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}
