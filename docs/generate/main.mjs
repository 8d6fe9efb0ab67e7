/**
 * Writes what the site takes from elsewhere: the demo page, the Rust documentation, and the pages of the reference that are
 * made from sources. None of it is committed.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../../scripts/places.mjs';
import { run } from '../../scripts/run.mjs';

const docs = join(root, 'docs');

copyPlayground();
writeRustdoc();

function copyPlayground() {
  const from = join(root, 'www/demo/dist');
  replace(from, join(docs, 'public/playground'));
}

function writeRustdoc() {
  run('cargo', ['doc', '--locked', '--lib', '--no-deps', '--quiet'], { cwd: root });
  replace(join(target, 'doc'), join(docs, 'public/rust'));
}

function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
