/**
 * Writes the core and the reference service for tests as the files of a release, into target/packed: `node scripts/build/pack-core.mjs`, after a build.
 * scripts/build/download-core.mjs reads them.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { target } from '../places.mjs';
import { fail } from '../run.mjs';
import { FILES, findCore, hashOfCore } from './core.mjs';
import { sha256 } from './hash.mjs';
import { DIGESTS, fileOf } from './release.mjs';

const folder = join(target, 'packed');
const hash = hashOfCore();
const modules = findCore(hash) ?? fail('The core is not built: run `make build` first');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder).filter((name) => /^(core|service)-/.test(name))) rmSync(join(folder, name));
for (const file of FILES) writeFileSync(join(folder, fileOf(hash, file)), modules[file]);
writeFileSync(join(folder, DIGESTS), FILES.map((file) => `${sha256(modules[file])}  ${fileOf(hash, file)}\n`).join(''));
console.log(
  readdirSync(folder)
    .map((name) => `target/packed/${name}`)
    .join('\n'),
);
