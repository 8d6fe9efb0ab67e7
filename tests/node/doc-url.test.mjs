/** Tests that `homepage` in Cargo.toml, once it is known, is the address of the documentation of errors, and of the manifest. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { constantsOfPackage } from '../../scripts/build/core.mjs';
import { addresses } from '../../scripts/build/write-package.mjs';
import { pkg, root } from '../../scripts/places.mjs';

const HOMEPAGE = 'https://docs.example.com/orders';
const REPOSITORY = 'https://github.com/an/owner';

/** Returns a folder with a Cargo.toml that has this line. */
function repositoryWith(t, line) {
  const folder = mkdtempSync(join(tmpdir(), 'doc-url-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'Cargo.toml'), `[workspace.package]\nversion = "1.2.3"\n${line}\n`);
  return folder;
}

test('errors and issue codes have a page below the homepage, as `explain` prints it', async (t) => {
  const folder = repositoryWith(t, `homepage = "${HOMEPAGE}"`);
  const contents = `
    import { CoreInitError } from './pkg-template/src/errors.js';
    import { ConflictError } from './www/client/errors.js';
    import { OutboxError } from './outbox/errors.js';
    import { docUrl } from './pkg-template/src/doc-url.js';
    import { codeEntries } from './cli/output/explanation.js';
    const errors = [new CoreInitError('csp', 'x'), new ConflictError('x', {}), new OutboxError('store', 'x')];
    export const urls = [docUrl('missing'), codeEntries.find(({ code }) => code === 'missing').docUrl, ...errors.map(({ docUrl }) => docUrl)];`;
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(pkg, join(folder, 'node_modules/sales-order-intake'), 'junction');
  const outfile = join(folder, 'errors.mjs');
  const [define, external] = [constantsOfPackage(folder), ['sales-order-intake']];
  const stdin = { contents, resolveDir: root };
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile, define, external });
  const { urls } = await import(pathToFileURL(outfile).href);
  const pages = [
    ...new Array(2).fill('reference/issue-codes/missing.html'),
    'reference/api/sales-order-intake/type-aliases/CoreInitReason.html',
    'concepts/order-fates.html#all-errors-of-the-client',
    'reference/api/outbox/type-aliases/OutboxErrorReason.html',
  ];
  assert.deepEqual(
    urls,
    pages.map((page) => `${HOMEPAGE}/${page}`),
  );
});

test('the manifest has the addresses that Cargo.toml has', (t) => {
  assert.deepEqual(addresses(repositoryWith(t, '')), {});
  assert.deepEqual(addresses(repositoryWith(t, `repository = "${REPOSITORY}"`)), {
    homepage: REPOSITORY,
    repository: { type: 'git', url: `git+${REPOSITORY}.git` },
    bugs: `${REPOSITORY}/issues`,
  });
});
