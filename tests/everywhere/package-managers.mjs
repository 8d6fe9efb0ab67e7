/** Installs the package from a registry of its own, which has the tarball, and runs an order and the command line. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodeOf } from '../../scripts/node.mjs';
import { installedFile, projects } from '../node/installed.mjs';
import { execute } from './execute.mjs';
import { withLoopback } from './loopback.mjs';
import { program } from './projects.mjs';

const NAME = 'sales-order-intake';
const ORDER = {
  Id: '43840e9f-5b7b-4bf8-a331-389f873dd2f7',
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
  Items: [
    { Name: 'Tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 1, SellAtPricePerUnit: '12.50' },
  ],
};

/**
 * @param {{ add: string[], node: string[], exec: string[] }} commands What a user types to add the package, and before `main.mjs` and
 * the arguments of the command line
 */
export function installs({ add, node, exec }) {
  return (folder) =>
    withLoopback({ '/': join(folder, 'registry') }, async ({ base }) => {
      rmSync(join(folder, 'node_modules'), { recursive: true });
      writeRegistry(join(folder, 'registry'), base);
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
      writeFileSync(join(folder, '.npmrc'), `registry=${base}/\naudit=false\n`);
      const yarn = { npmRegistryServer: base, unsafeHttpWhitelist: ['127.0.0.1'], enableImmutableInstalls: false };
      writeFileSync(join(folder, '.yarnrc.yml'), JSON.stringify(yarn));
      // Without a lock file, Yarn takes the folder above for the project.
      writeFileSync(join(folder, 'yarn.lock'), '');
      writeFileSync(join(folder, 'order.json'), JSON.stringify(ORDER));
      const path = [dirname(nodeOf(24)), process.env.PATH].join(delimiter);
      // All caches are in the home directory: another tarball of this version must not come from one.
      const env = { PATH: path, HOME: join(folder, 'home'), CI: '1', NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };
      const run = ([tool = '', ...args]) =>
        execute(tool === 'node' ? nodeOf(24) : program(tool), args, { cwd: folder, env });
      await run([...add, NAME]);
      const check = await run([...exec, 'check', 'order.json']);
      assert.match(check.stdout, /^Checked 1 order for v3\. It is valid\.$/m);
      assert.match((await run([...exec, 'explain', 'missing'])).stdout, /A required member is missing\./);
      const { stdout } = await run([...node, 'main.mjs', base]);
      return JSON.parse(stdout);
    });
}

/** Writes what a registry responds with: the list of versions, and the tarball. */
function writeRegistry(folder, base) {
  mkdirSync(folder);
  cpSync(projects().tarball, join(folder, 'package.tgz'));
  const tarball = readFileSync(projects().tarball);
  const hash = (algorithm, encoding) => createHash(algorithm).update(tarball).digest(encoding);
  const manifest = JSON.parse(readFileSync(installedFile('package.json'), 'utf8'));
  const { version } = manifest;
  const dist = {
    tarball: `${base}/package.tgz`,
    integrity: `sha512-${hash('sha512', 'base64')}`,
    shasum: hash('sha1', 'hex'),
  };
  const document = {
    name: NAME,
    'dist-tags': { latest: version },
    // Some managers install no version of the last day.
    time: { created: '2026-01-01T00:00:00Z', modified: '2026-01-01T00:00:00Z', [version]: '2026-01-01T00:00:00Z' },
    versions: { [version]: { ...manifest, _id: `${NAME}@${version}`, dist } },
  };
  writeFileSync(join(folder, NAME), JSON.stringify(document));
}
