/** Packs pkg/ as for publishing; run as a script, into target/packed/sales-order-intake.tgz. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pkg, target } from './places.mjs';
import { fail, output } from './run.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) pack(join(target, 'packed', 'sales-order-intake.tgz'));

export function pack(tarball) {
  const folder = dirname(tarball);
  mkdirSync(folder, { recursive: true });
  rmSync(tarball, { force: true });
  const answer = output('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: pkg });
  if (!answer) fail('npm pack failed: is pkg/ built?');
  const [{ filename }] = Object.values(JSON.parse(answer));
  renameSync(join(folder, filename), tarball);
}
