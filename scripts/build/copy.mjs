import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.mjs';
import { run } from '../run.mjs';

/** Copies the sources, without what is generated, into a folder that uses the npm dependencies installed here. */
export function copySourcesTo(copy) {
  mkdirSync(copy, { recursive: true });
  const listed = 'git ls-files --cached --others --exclude-standard --deduplicate';
  // A file that was deleted but not committed is listed, too.
  const existing = 'while read -r file; do [ -e "$file" ] && echo "$file"; done';
  run('sh', ['-c', `${listed} | ${existing} | tar -cf - -T - | tar -xf - -C "$0"`, copy], { cwd: root });
  const installed = join(root, 'node_modules');
  if (existsSync(installed)) symlinkSync(installed, join(copy, 'node_modules'));
}
