/**
 * Writes what the site takes from elsewhere: the demo page, the Rust documentation, and the pages of the reference that are
 * made from sources. None of it is committed.
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

replace(join(root, 'www/demo/dist'), join(docs, 'public/playground'));
// The page asks its server for the companies of a demo service: here there is none.
writeFileSync(join(docs, 'public/playground/demo.json'), 'null\n');
run('cargo', ['doc', '--locked', '--lib', '--all-features', '--no-deps', '--quiet'], { cwd: root });
replace(join(target, 'doc'), join(docs, 'public/rust'));
await writeApi(join(docs, 'reference/api'));
await writeHttp(join(docs, 'reference/http.md'));
await writeReasons(join(docs, 'reference/reasons.md'));
writeSameOrder(join(docs, 'public/same-order.json'));
await writeIssueCodes(join(docs, 'reference/issue-codes'));

function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
