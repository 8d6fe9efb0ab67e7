import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../places.mjs';

/** Returns a hash of the names and contents of files, and of other strings. The times of files are not reliable. */
export function hashOf(names, ...others) {
  const hash = createHash('sha256');
  for (const path of names.flatMap((name) => filesUnder(join(root, name)))) {
    hash.update(`${relative(root, path)}\0`).update(createHash('sha256').update(readFileSync(path)).digest());
  }
  for (const other of others) hash.update(`\0${other}`);
  return hash.digest('hex');
}

/** The files in a folder, without those that editors and systems hide in it, and without unit tests in Rust. */
function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => (/^(?:node_modules|tests\.rs|\..*)$/.test(name) ? [] : filesUnder(join(path, name))));
}
