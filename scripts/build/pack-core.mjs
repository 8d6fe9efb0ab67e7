/**
 * Writes the core as the files of a release, into target/packed: `node scripts/build/pack-core.mjs`, after a build.
 * scripts/build/download-core.mjs reads them.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { target } from '../places.mjs';
import { fail } from '../run.mjs';
import { findCore, hashOfCore } from './core.mjs';
import { sha256 } from './hash.mjs';
import { DIGESTS, fileOf } from './release.mjs';

const folder = join(target, 'packed');
const hash = hashOfCore();
const core = findCore(hash) ?? fail('The core is not built: run `make build` first');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder).filter((name) => /^core-.*\.wasm$/.test(name))) rmSync(join(folder, name));
writeFileSync(join(folder, fileOf(hash)), core);
writeFileSync(join(folder, DIGESTS), `${sha256(core)}  ${fileOf(hash)}\n`);
console.log(`target/packed/${fileOf(hash)} and target/packed/${DIGESTS}`);
