import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../places.mjs';
import { fail, output } from '../run.mjs';

/** Copies the sources, without what is generated, into a folder that uses the npm dependencies installed here. */
export function copySourcesTo(copy) {
  const listed = output('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 1 << 28,
  });
  for (const file of listed?.split('\0') ?? fail('git ls-files failed')) {
    const source = join(root, file);
    if (!file || !existsSync(source)) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(source, join(copy, file));
  }
  const installed = join(root, 'node_modules');
  if (existsSync(installed)) symlinkSync(installed, join(copy, 'node_modules'));
}
