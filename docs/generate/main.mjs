/**
 * Writes what the site takes from elsewhere: the demo page, the Rust documentation, and the pages of the reference that are
 * made from sources. None of it is committed. With names of parts it writes only those.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../../scripts/places.mjs';
import { run } from '../../scripts/run.mjs';
import { writeApi } from './api.mjs';
import { writeHttp } from './http.mjs';
import { writeIssueCodes } from './issue-codes.mjs';
import { writeSameOrder } from './same-order.mjs';

const docs = join(root, 'docs');

const parts = {
  playground: () => replace(join(root, 'www/demo/dist'), join(docs, 'public/playground')),
  rust: writeRustdoc,
  api: () => writeApi(join(docs, 'reference/api')),
  http: () => writeHttp(join(docs, 'reference/http.md')),
  vectors: () => writeSameOrder(join(docs, 'public/same-order.json')),
  codes: () => writeIssueCodes(join(docs, 'reference/issue-codes')),
};

const chosen = process.argv.slice(2);
for (const [name, write] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await write();

function writeRustdoc() {
  run('cargo', ['doc', '--locked', '--lib', '--all-features', '--no-deps', '--quiet'], { cwd: root });
  replace(join(target, 'doc'), join(docs, 'public/rust'));
}

function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
