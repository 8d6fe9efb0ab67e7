/** The address of the documentation: `homepage` in Cargo.toml sets it for errors, issue codes, `explain` and the manifest. */
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

for (const [title, homepage, address] of [
  ['a homepage', 'homepage = "https://docs.example.com/orders"', 'https://docs.example.com/orders/'],
  ['a homepage that ends with a slash', 'homepage = "https://docs.example.com/"', 'https://docs.example.com/'],
  ['no homepage', '', undefined],
])
  test(`with ${title} in Cargo.toml, docUrl of codes and errors ${address ? 'is a page below it' : 'is undefined'}`, async (t) => {
    const folder = repositoryWith(t, homepage);
    const { docUrl, documented, errors } = await bundled(folder);
    const page = (path) => address && address + path;
    // The table of `explain`, which prints it.
    assert.equal(documented('not_a_guid').docUrl, page('reference/issue-codes/not_a_guid.html'));
    assert.equal(docUrl('not_a_guid'), page('reference/issue-codes/not_a_guid.html'));
    const api = 'reference/api';
    assert.deepEqual(errors, {
      OrderValidationError: page('reference/issue-codes/index.html'),
      OptionError: page(`${api}/sales-order-intake/classes/OptionError.html`),
      CoreInitError: page(`${api}/sales-order-intake/type-aliases/CoreInitReason.html`),
      InternalError: page(`${api}/sales-order-intake/classes/InternalError.html`),
      ConflictError: page('concepts/order-fates.html#all-errors-of-the-client'),
      OutboxError: page(`${api}/outbox/type-aliases/OutboxErrorReason.html`),
    });
  });

test('the npm package has the addresses that Cargo.toml has', (t) => {
  const homepage = 'https://docs.example.com/orders';
  assert.deepEqual(addresses(repositoryWith(t, `homepage = "${homepage}"`)), { homepage });
  const repository = 'https://github.com/an/owner';
  assert.deepEqual(addresses(repositoryWith(t, `repository = "${repository}"`)), {
    homepage: repository,
    repository: { type: 'git', url: `git+${repository}.git` },
    bugs: `${repository}/issues`,
  });
});

/** Returns a folder with a Cargo.toml that has this line. */
function repositoryWith(t, homepage) {
  const folder = mkdtempSync(join(tmpdir(), 'doc-url-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'Cargo.toml'), `[workspace.package]\nversion = "1.2.3"\n${homepage}\n`);
  return folder;
}

/** Bundles the modules of errors as the build does, and returns the addresses that they have. */
async function bundled(folder) {
  const contents = `
    import { OrderValidationError, OptionError, CoreInitError, InternalError } from './pkg-template/src/errors.js';
    import { ConflictError } from './www/client/errors.js';
    import { OutboxError } from './outbox/errors.js';
    const errors = [new OrderValidationError(null, []), new OptionError('x', ''), new CoreInitError('csp', 'x'),
      new InternalError('x'), new ConflictError('x', {}), new OutboxError('store', 'x')];
    export { docUrl } from './pkg-template/src/doc-url.js';
    export { documented } from './cli/output/issue-code-table.js';
    const urls = Object.fromEntries(errors.map((error) => [error.name, error.docUrl]));
    export { urls as errors };`;
  const outfile = join(folder, 'errors.mjs');
  const stdin = { contents, resolveDir: root };
  const define = constantsOfPackage(folder);
  const external = ['sales-order-intake'];
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile, define, external });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(pkg, join(folder, 'node_modules/sales-order-intake'), 'junction');
  return import(pathToFileURL(outfile).href);
}
