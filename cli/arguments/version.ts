import { readFileSync } from 'node:fs';

/** Returns the version of the package that this program is part of. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
