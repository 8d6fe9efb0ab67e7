/**
 * Writes what the site takes from elsewhere: the demo page, the Rust documentation, and the pages of the reference that are
 * made from sources. None of it is committed. With names of parts it writes only those.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../../scripts/places.mjs';
import { run } from '../../scripts/run.mjs';
import { writeApi } from './api.mjs';
import { writeHttp } from './http.mjs';
import { writeIssueCodes } from './issue-codes.mjs';
import { writeReasons } from './reasons.mjs';
import { writeSameOrder } from './same-order.mjs';

const docs = join(root, 'docs');

const parts = {
  playground: writePlayground,
  rust: writeRustdoc,
  api: () => writeApi(join(docs, 'reference/api')),
  http: () => writeHttp(join(docs, 'reference/http.md')),
  reasons: () => writeReasons(join(docs, 'reference/reasons.md')),
  vectors: () => writeSameOrder(join(docs, 'public/same-order.json')),
  codes: () => writeIssueCodes(join(docs, 'reference/issue-codes')),
};

const chosen = process.argv.slice(2);
for (const [name, write] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await write();

/** The page asks its server for the companies of a demo service: here there is none. */
function writePlayground() {
  const folder = join(docs, 'public/playground');
  replace(join(root, 'www/demo/dist'), folder);
  writeFileSync(join(folder, 'demo.json'), 'null\n');
}

function writeRustdoc() {
  run('cargo', ['doc', '--locked', '--lib', '--all-features', '--no-deps', '--quiet'], { cwd: root });
  replace(join(target, 'doc'), join(docs, 'public/rust'));
}

function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
