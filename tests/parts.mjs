/**
 * The parts of the tests, in the order in which they run. A part belongs to the smallest command that runs it: `make check`,
 * `make test`, `make test-all` or `make nightly`. tests/runner/ runs them.
 */

import { fieldOfCrate } from '../scripts/build/core.mjs';

/**
 * @typedef {import('./runner/steps.mjs').Step} Step
 * @typedef {object} Part
 * @property {string} name
 * @property {'check' | 'test' | 'all' | 'nightly'} group
 * @property {string[]} [of] the sources that it is about; ONLY selects it by them, too
 * @property {(keyof typeof NEEDS)[]} [needs]
 * @property {Step[]} steps
 */

/** The lowest version of Rust that the crate promises. */
const MSRV = `${fieldOfCrate('rust-version')}.0`;
const CRATE = ['--package', 'sales-order-intake', '--all-features'];
/** The core, and the module of the npm package. */
const CORE = ['--package', 'sales-order-intake', '--package', 'sales-order-intake-wasm', '--all-features'];
const WASM = ['--target', 'wasm32-unknown-unknown'];
const SERVER = ['--package', 'sales-order-intake-server', '--features', 'test-service'];
const SERVICE = [...SERVER, '--test', 'service'];

/** The preparations that several parts need: done once, before the first of them. */
export const NEEDS = {
  package: { steps: [make('build')] },
  /** The server of the tests and they themselves have the same dependencies: one build. */
  server: { steps: [run('cargo', 'build', '--locked', '--bin', 'sales-order-intake-server', ...SERVICE)] },
  'system packages': { steps: [{ ...node('scripts/system.mjs', 'check'), shows: true }] },
  'more system packages': { steps: [{ ...node('scripts/system.mjs', 'check', 'nightly'), shows: true }] },
  /** One after the other: files of tests that run at the same time would fetch the same Node at once. */
  nodes: {
    steps: [
      node('scripts/dependencies.mjs', 'tests'),
      ...[20, 22, 24, 26].map((major) => node('scripts/node.mjs', `${major}`, '--eval', '0')),
    ],
  },
  'databases and terminals': { needs: ['nodes'], steps: [node('tests/cli/terminal/install.mjs')] },
  'wasm runner': { steps: [node('tests/wasm/install-runner.mjs')] },
  page: { needs: ['package'], steps: [make('page')] },
  'page of the shop': { needs: ['package'], steps: [make('shop-page')] },
  site: { needs: ['page'], steps: [make('docs')] },
};

/** @type {Part[]} */
export const PARTS = [
  {
    name: 'format',
    group: 'check',
    needs: ['package'],
    steps: [
      run('node_modules/.bin/biome', 'check', '--error-on-warnings', '.'),
      run('cargo', 'fmt', '--all', '--check'),
      node('scripts/check/modules.mjs'),
      node('docs/generate/marked.mjs'),
    ],
  },
  {
    name: 'typescript',
    group: 'check',
    of: ['pkg-template', 'www', 'outbox', 'testing', 'cli', 'scripts', 'benches'],
    needs: ['package'],
    steps: ['pkg-template', 'www/client', 'testing', 'outbox', 'scripts/build', 'cli', 'examples/recipes', '.'].map(
      (project) => node('node_modules/typescript/bin/tsc', '-p', project, '--noEmit'),
    ),
  },
  {
    name: 'packed',
    group: 'check',
    needs: ['package'],
    steps: [
      node('scripts/pack.mjs'),
      run('node_modules/.bin/publint', 'run', 'target/packed/sales-order-intake.tgz', '--strict'),
      run('node_modules/.bin/attw', 'target/packed/sales-order-intake.tgz', '--profile', 'node16'),
      node('scripts/check/sizes.mjs'),
      node('scripts/check/notices.mjs'),
    ],
  },
  {
    name: 'workflows',
    group: 'check',
    of: ['.github'],
    needs: ['package'],
    steps: [node('scripts/check/workflows.mjs')],
  },
  { name: 'words', group: 'check', steps: [{ ...node('scripts/check/words.mjs'), isHint: true }] },
  {
    name: 'clippy',
    group: 'check',
    of: ['src', 'wasm'],
    steps: [
      clippy('--workspace', '--exclude', 'sales-order-intake-server', '--exclude', 'bindgen', '--all-features'),
      run('cargo', 'clippy', '--locked', '--package', 'sales-order-intake', '--', '-D', 'warnings'),
      clippy(...WASM, '--package', 'sales-order-intake-wasm'),
    ],
  },
  {
    name: 'rust',
    group: 'test',
    of: ['src', 'wasm', 'tests/vectors', 'tests/properties.rs'],
    steps: [
      run('cargo', 'run', '--locked', '--quiet', '--package', 'xtask', '--', 'check'),
      { cargo: [...CORE, '--lib', '--tests'] },
      run('cargo', 'test', '--locked', ...CORE, '--doc'),
    ],
  },
  subject('node', { of: ['pkg-template', 'tests/vectors'] }),
  subject('oracle', { of: ['src/preview'] }),
  subject('schema', { of: ['src/order', 'pkg-template'] }),
  subject('client', { of: ['www/client', 'pkg-template/src'] }),
  subject('testing', { of: ['testing'] }),
  subject('outbox', { of: ['outbox', 'pkg-template/src'] }),
  subject('simulation', {
    of: ['www/client', 'outbox', 'pkg-template/src'],
    steps: [{ folder: 'tests/simulation' }, simulation({ SECONDS: process.env.SECONDS ?? '20' })],
  }),
  subject('traces', { of: ['pkg-template/src/telemetry', 'www/client', 'outbox'] }),
  subject('responses', { of: ['www/client', 'outbox', 'cli'] }),
  subject('cli', { of: ['cli'] }),
  { name: 'relay', group: 'test', of: ['cli'], needs: ['package'], steps: [{ folder: 'tests/cli/relay' }] },
  subject('types', { of: ['pkg-template', 'www', 'outbox', 'testing', 'cli'] }),
  subject('examples', {
    of: ['docs', 'README.md', 'pkg-template/README.md', 'examples/recipes'],
    steps: [
      {
        files: ['examples', 'contributing', 'figures', 'german-issues', 'issue-codes', 'marked'].map(
          (name) => `tests/docs/${name}.test.mjs`,
        ),
      },
    ],
  }),
  subject('build', { of: ['scripts/build'] }),
  subject('checks', { of: ['scripts', 'tests/runner'] }),

  {
    name: 'service',
    group: 'all',
    of: ['service', 'migrations', 'tests/service'],
    needs: ['system packages', 'server'],
    steps: [
      { cargo: [...SERVER, '--package', 'service-rules', '--package', 'service-wasm', '--lib'] },
      { cargo: SERVICE, filter: ['--skip', 'alone::'] },
      { cargo: SERVICE, filter: ['alone::', '--test-threads=1'] },
      { cargo: SERVICE, filter: ['stores::', '--skip', 'alone::'], postgres: true },
      { cargo: SERVICE, filter: ['alone::stores::', '--test-threads=1'], postgres: true },
      run('cargo', 'test', '--locked', ...SERVER, '--package', 'service-rules', '--doc'),
      node('service/tests/schemathesis/run.mjs', '25', '--briefly', '--where-possible'),
    ],
  },
  {
    name: 'service-lints',
    group: 'all',
    of: ['service'],
    steps: [
      clippy(...SERVER),
      {
        ...run('cargo', 'doc', '--locked', '--no-deps', '--workspace', '--exclude', 'bindgen'),
        env: { RUSTDOCFLAGS: '-D warnings' },
      },
    ],
  },
  {
    name: 'wasm',
    group: 'all',
    of: ['wasm', 'tests/wasm'],
    needs: ['system packages', 'wasm runner'],
    steps: [node('tests/wasm/run.mjs')],
  },
  onNode(20, 'all'),
  subject('testing-service', {
    group: 'all',
    of: ['testing', 'service'],
    needs: ['package', 'server'],
    steps: testsIn('tests/testing/service'),
  }),
  {
    name: 'postgres',
    group: 'all',
    of: ['outbox'],
    needs: ['system packages', 'package', 'databases and terminals'],
    steps: [
      { folder: 'tests/outbox/postgres', postgres: true },
      { folder: 'tests/outbox/postgres/alone', postgres: true, atOnce: 1 },
      { folder: 'tests/responses/postgres', postgres: true },
      { folder: 'tests/traces/postgres', postgres: true },
    ],
  },
  {
    name: 'simulation-postgres',
    group: 'all',
    of: ['outbox/postgres'],
    needs: ['system packages', 'package', 'databases and terminals'],
    steps: [
      { files: ['planted', 'recovery'].map((name) => `tests/simulation/postgres/${name}.test.mjs`) },
      simulation({ SECONDS: process.env.SECONDS ?? '30', WORLDS: 'outbox on PostgreSQL' }),
    ],
  },
  {
    name: 'terminal',
    group: 'all',
    of: ['cli'],
    needs: ['system packages', 'package', 'databases and terminals'],
    steps: testsIn('tests/cli/terminal'),
  },
  {
    name: 'mcp',
    group: 'all',
    of: ['cli/commands/mcp.ts'],
    needs: ['package', 'databases and terminals'],
    steps: [{ folder: 'tests/cli/mcp' }],
  },
  {
    name: 'relay-all',
    group: 'all',
    of: ['cli/relay', 'docs/guides/relay.md'],
    needs: ['system packages', 'package', 'databases and terminals'],
    steps: [
      { folder: 'tests/cli/relay/slow' },
      { folder: 'tests/cli/relay/postgres', postgres: true },
      { folder: 'tests/cli/relay/guides' },
      node('service/tests/schemathesis/run.mjs', '25', '--briefly', '--where-possible', '--relay'),
      { folder: 'tests/cli/relay/soak' },
    ],
  },
  subject('types-oldest', {
    group: 'all',
    needs: ['package', 'nodes'],
    steps: testsIn('tests/types', { env: { TYPESCRIPT: 'oldest' } }),
  }),
  subject('benches', { group: 'all', of: ['benches'] }),
  {
    name: 'browser',
    group: 'all',
    of: ['pkg-template', 'examples/recipes', 'outbox/page'],
    needs: ['system packages', 'package'],
    steps: [
      { folder: 'tests/browser' },
      { folder: 'tests/recipes', flags: ['--conditions=browser'] },
      { folder: 'tests/recipes/chromium', flags: ['--conditions=browser'] },
      { folder: 'tests/testing/browser' },
    ],
  },
  {
    name: 'everywhere',
    group: 'all',
    needs: ['system packages', 'package', 'nodes'],
    steps: [{ folder: 'tests/everywhere', env: { EVERYWHERE: 'quick' } }],
  },
  {
    name: 'demo',
    group: 'all',
    of: ['www/demo'],
    needs: ['system packages', 'page'],
    steps: [
      node('node_modules/typescript/bin/tsc', '-p', 'tests/demo'),
      run('node_modules/.bin/playwright', 'test', '--config', 'tests/demo'),
    ],
  },
  {
    name: 'shop',
    group: 'all',
    of: ['examples/shop'],
    needs: ['system packages', 'page of the shop', 'databases and terminals'],
    steps: [{ folder: 'tests/shop', postgres: true }],
  },
  {
    name: 'docs',
    group: 'all',
    of: ['docs'],
    needs: ['system packages', 'site'],
    steps: [
      run('docs/node_modules/.bin/cspell', 'lint', '--config', 'docs/cspell.json', '--no-progress', '--no-summary'),
      run('docs/node_modules/.bin/tsc', '-p', 'docs'),
      { files: ['tests/docs/markdown-links.test.mjs', 'tests/docs/sources.test.mjs'] },
      { folder: 'tests/docs/site' },
    ],
  },

  {
    name: 'properties',
    group: 'nightly',
    steps: [{ cargo: [...CORE, '--lib', '--test', 'properties'], env: { PROPTEST_CASES: '50000' } }],
  },
  {
    name: 'soak-orders',
    group: 'nightly',
    needs: ['package'],
    steps: [
      node('tests/client/alone/soak.mjs'),
      { files: ['tests/node/inputs.test.mjs'], env: { ORDERS: '1000000' } },
      { files: ['tests/cli/alone/export.test.mjs'], env: { ORDERS: '5000' } },
      { files: ['tests/oracle/oracle.test.mjs'], env: { ORACLE_ORDERS: '1000000' } },
    ],
  },
  {
    name: 'soak-outbox',
    group: 'nightly',
    needs: ['more system packages', 'package', 'databases and terminals'],
    steps: [
      { files: ['tests/outbox/alone/crash.test.mjs'], env: { ROUNDS: '100' } },
      { files: ['tests/outbox/alone/retry-all.test.mjs'], env: { ORDERS: '100000' } },
      {
        files: ['tests/outbox/postgres/alone/crash.test.mjs'],
        env: { ROUNDS: '100', ORDERS: '20000' },
        postgres: true,
      },
      { folder: 'tests/soak', env: { SECONDS: process.env.SECONDS ?? '600' }, postgres: true },
    ],
  },
  {
    name: 'soak-relay',
    group: 'nightly',
    needs: ['more system packages', 'package'],
    steps: [{ folder: 'tests/cli/relay/soak', env: { ORDERS: '1000' } }],
  },
  {
    name: 'soak-simulation',
    group: 'nightly',
    needs: ['more system packages', 'package', 'databases and terminals'],
    steps: [
      { folder: 'tests/simulation/postgres', env: { PLANTED: 'all', WAITING: '10000' } },
      { folder: 'tests/simulation/postgres/server', postgres: true },
      simulation({ SECONDS: '1200' }),
      simulation({ SECONDS: '300', WORLDS: 'outbox on PostgreSQL' }),
    ],
  },
  {
    name: 'soak-service',
    group: 'nightly',
    needs: ['more system packages', 'server'],
    steps: [
      { cargo: SERVICE, filter: ['alone::stores::crash', '--test-threads=1'], env: { KILLS: '100' } },
      { cargo: SERVICE, filter: ['alone::stores::crash', '--test-threads=1'], env: { KILLS: '100' }, postgres: true },
      node('service/tests/schemathesis/run.mjs', '200'),
    ],
  },
  {
    name: 'every-environment',
    group: 'nightly',
    needs: ['more system packages', 'package', 'nodes'],
    steps: [{ folder: 'tests/everywhere' }],
  },
  onNode(22, 'nightly'),
  onNode(26, 'nightly'),
  subject('memory', {
    group: 'nightly',
    needs: ['package', 'nodes'],
    steps: [20, 22, 26].flatMap((node) =>
      ['tests/node/alone', 'tests/client/alone'].map((folder) => ({ folder, node, atOnce: 1 })),
    ),
  }),
  subject('types-between', {
    group: 'nightly',
    needs: ['package', 'nodes'],
    steps: testsIn('tests/types', { env: { TYPESCRIPT: 'between' } }),
  }),
  {
    name: 'prisma',
    group: 'nightly',
    needs: ['more system packages', 'package', 'databases and terminals'],
    steps: [{ folder: 'tests/outbox/prisma', postgres: true }],
  },
  {
    name: 'alerts',
    group: 'nightly',
    of: ['docs/guides/metrics'],
    needs: ['more system packages', 'package'],
    steps: [{ files: ['tests/traces/metrics.test.mjs'] }],
  },
  {
    name: 'adding-a-rule',
    group: 'nightly',
    of: ['docs/contributing'],
    steps: [{ files: ['tests/docs/adding-a-rule.test.mjs'] }],
  },
  {
    name: 'bindgen-lints',
    group: 'nightly',
    of: ['scripts/bindgen'],
    steps: [clippy('--package', 'bindgen')],
  },
  {
    name: 'msrv',
    group: 'nightly',
    steps: [
      run('rustup', 'run', '--install', MSRV, 'cargo', 'check', '--locked', ...CRATE, '--target-dir', 'target/msrv'),
    ],
  },
  {
    name: 'reproduce',
    group: 'nightly',
    needs: ['package'],
    steps: [node('scripts/build/reproduce.mjs'), { ...node('scripts/check/dependencies.mjs'), shows: true }],
  },
  {
    name: 'under-load',
    group: 'nightly',
    needs: ['more system packages'],
    steps: [make('test-under-load')],
  },
];

/** @param {string} program @param {string[]} args @returns {Step} */
function run(program, ...args) {
  return { command: [program, ...args] };
}

/** @param {string[]} args */
function node(...args) {
  return run('node', ...args);
}

/** Prints its seed and figures. @param {Record<string, string>} [env] @returns {Step} */
function simulation(env = {}) {
  const command = node('scripts/node.mjs', 'sqlite', '--no-warnings', 'tests/simulation/simulate.mjs');
  return { ...command, env, shows: true };
}

/** @param {string} recipe */
function make(recipe) {
  return run('make', '--no-print-directory', recipe);
}

/** @param {string[]} args */
function clippy(...args) {
  return run('cargo', 'clippy', '--locked', '--all-targets', ...args, '--', '-D', 'warnings');
}

/**
 * A part with the tests of tests/`name`: its files at the same time, those of its folder `alone` one by one.
 *
 * @param {string} name
 * @param {Partial<Part>} part
 * @returns {Part}
 */
function subject(name, part) {
  return { name, group: 'test', needs: ['package'], steps: testsIn(`tests/${name}`), ...part };
}

/**
 * A part with the tests that may fail on one version of Node and pass on another. Node 20 has no SQLite.
 *
 * @param {number} major
 * @param {Part['group']} group
 */
function onNode(major, group) {
  const folders = ['tests/node', 'tests/client', ...(major > 20 ? ['tests/traces'] : [])];
  const steps = folders.map((folder) => ({ folder, node: major }));
  return subject(`node-${major}`, { group, needs: ['package', 'nodes'], steps });
}

/** @param {string} folder @param {Partial<Step>} [options] @returns {Step[]} */
function testsIn(folder, options) {
  return [
    { folder, ...options },
    { folder: `${folder}/alone`, atOnce: 1, mayBeMissing: true, ...options },
  ];
}
