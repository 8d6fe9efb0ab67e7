/**
 * Client, outbox and stores as one module, bundled from their sources: with their functions that take a platform, and
 * with planted bugs.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { constantsOfPackage } from '../../scripts/build/core.mjs';
import { pkg, root, target } from '../../scripts/places.mjs';
import { postgresDisk } from './postgres-disk.mjs';
import { memoryDisk, sqliteDisk } from './simulator/stores.mjs';

const ENTRY = `
export { createClientOn } from './www/client/client.ts';
export { createOutboxOn } from './outbox/outbox.ts';
export { historyOf } from './outbox/history.ts';
export { sqliteStoreOn } from './outbox/sqlite/open.ts';
export { PostgresStore } from './outbox/postgres/store.ts';
export { Delivery } from './cli/sending/delivery.ts';
export { SUSPECT_MS } from './cli/sending/trouble.ts';
export { SendTables } from './cli/sending/send-tables.ts';
`;
/** The core is the one of the built package, and so is what asks it about an order. */
const CORE = pathToFileURL(join(pkg, 'dist/esm/index.js')).href;
const INTERNALS = pathToFileURL(join(pkg, 'dist/esm/internals.js')).href;

const ASKS_CORE = /\/pkg-template\/src\/(core-response|json|order-fate|sending\/request)\.js$/;

/**
 * @typedef {object} Plant a bug
 * @property {string} file
 * @property {string} from occurs once
 * @property {string} to
 */

/**
 * Returns the module, with these bugs. PostgreSQL is PGlite without another database.
 *
 * @param {Plant[]} [plants]
 * @param {Promise<import('./postgres-disk.mjs').Database>} [database]
 */
export async function system(plants = [], database = undefined) {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: root, sourcefile: 'entry.mjs' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    define: constantsOfPackage(),
    sourcemap: 'inline',
    sourceRoot: pathToFileURL(`${root}/`).href,
    plugins: [resolving, planting(plants)],
  });
  const code = outputFiles[0].text;
  const folder = join(target, 'simulation');
  const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
  }
  const [{ prepareRequest }, { DatabaseSync }] = await Promise.all([import(CORE), import('node:sqlite')]);
  const module = await import(pathToFileURL(file).href);
  const stores = {
    memory: memoryDisk,
    sqlite: (scheduler) => sqliteDisk(scheduler, { DatabaseSync, ...module }),
    postgres: (scheduler) => postgresDisk(scheduler, module, database),
  };
  return { ...module, prepareRequest, openDisk: (name, scheduler) => stores[name](scheduler) };
}

const resolving = {
  name: 'resolving',
  setup({ onResolve }) {
    onResolve({ filter: /^sales-order-intake$/ }, () => ({ path: CORE, external: true }));
    onResolve({ filter: /^\.\.\/(api|errors)\.js$/ }, ({ importer }) =>
      importer.includes('/pkg-template/src/') ? { path: CORE, external: true } : undefined,
    );
    onResolve({ filter: ASKS_CORE }, () => ({ path: INTERNALS, external: true }));
    onResolve({ filter: /^sales-order-intake\/.+/ }, ({ path }) => {
      const folder = path.slice('sales-order-intake/'.length);
      return { path: join(root, folder === 'client' ? 'www/client' : folder, 'index.ts') };
    });
  },
};

function planting(plants) {
  return {
    name: 'planting',
    setup({ onLoad, onEnd }) {
      const planted = new Set();
      onLoad({ filter: /\/(pkg-template|www|outbox|cli)\/.*\.ts$/ }, ({ path }) => {
        let contents = readFileSync(path, 'utf8');
        for (const plant of plants.filter(({ file }) => file === relative(root, path))) {
          const parts = contents.split(plant.from);
          if (parts.length !== 2) throw new Error(`${plant.file} has "${plant.from}" ${parts.length - 1} times`);
          contents = parts.join(plant.to);
          planted.add(plant);
        }
        return { contents, loader: 'ts' };
      });
      onEnd(() => {
        if (planted.size < plants.length) throw new Error('a file to plant a bug in was not loaded');
      });
    },
  };
}
