/**
 * The parts of the tests, in the order in which they run. A part belongs to the smallest command that runs it: `make check`,
 * `make test`, `make test-all` or `make nightly`. tests/runner/ runs them.
 */

/**
 * @typedef {import('./runner/steps.mjs').Step} Step
 * @typedef {object} Part
 * @property {string} name
 * @property {'check' | 'test' | 'all' | 'nightly'} group
 * @property {string[]} [of] the sources that it is about; ONLY selects it by them, too
 * @property {(keyof typeof NEEDS)[]} [needs]
 * @property {Step[]} steps
 */

const WASM = ['--target', 'wasm32-unknown-unknown'];
const TEST_SERVICE = ['--features', 'test-service', '--test', 'service'];

/** What several parts need: done once, before the first of them. */
export const NEEDS = {
  package: { steps: [make('build')] },
  server: { steps: [run('cargo', 'build', '--locked', '--bin', 'sales-order-intake-server', ...TEST_SERVICE)] },
  system: { steps: [node('scripts/system.mjs', 'check')] },
  databases: { needs: ['system'], steps: [node('scripts/dependencies.mjs', 'tests/outbox')] },
  'wasm-runner': { steps: [node('scripts/build/test-runner.mjs')] },
  page: { needs: ['package'], steps: [make('page')] },
  'shop-page': { needs: ['package'], steps: [make('shop-page')] },
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
      node('scripts/check-modules.mjs'),
      node('scripts/response-table.mjs'),
    ],
  },
  {
    name: 'typescript',
    group: 'check',
    of: ['pkg-template', 'www', 'scripts', 'benches'],
    needs: ['package'],
    steps: ['pkg-template', 'www/client', 'www/testing', 'www/outbox', 'www/cli', '.'].map((project) =>
      run('node_modules/.bin/tsc', '-p', project, '--noEmit'),
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
      node('scripts/sizes.mjs'),
      node('scripts/notices.mjs'),
    ],
  },
  { name: 'workflows', group: 'check', of: ['.github'], steps: [node('scripts/check-workflows.mjs')] },
  { name: 'words', group: 'check', steps: [{ ...node('scripts/check-words.mjs'), isHint: true }] },
  {
    name: 'clippy',
    group: 'check',
    of: ['src'],
    steps: [clippy('--workspace'), clippy(...WASM, '--features', 'wasm')],
  },
  {
    name: 'rust',
    group: 'test',
    of: ['src', 'tests/vectors', 'tests/properties.rs', 'tests/vectors.rs'],
    steps: [{ cargo: ['--lib', '--tests'] }, run('cargo', 'test', '--locked', '--doc')],
  },
  subject('node', { of: ['pkg-template', 'tests/vectors'] }),
  subject('oracle', { of: ['src/preview'] }),
  subject('schema', { of: ['src/schema', 'pkg-template'] }),
  subject('client', { of: ['www/client', 'www/order-value'] }),
  subject('testing', { of: ['www/testing'] }),
  subject('outbox', { of: ['www/outbox', 'www/order-value'] }),
  subject('responses', { of: ['www/client', 'www/outbox', 'www/cli'] }),
  subject('cli', { of: ['www/cli'] }),
  subject('types', { of: ['pkg-template', 'www'] }),
  subject('build', { of: ['scripts/build'] }),
  subject('checks', { of: ['scripts', 'tests/runner'] }),
];

/** @param {string} program @param {string[]} args @returns {Step} */
function run(program, ...args) {
  return { command: [program, ...args] };
}

/** @param {string[]} args */
function node(...args) {
  return run('node', ...args);
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

/** @param {string} folder @param {Partial<Step>} [options] @returns {Step[]} */
function testsIn(folder, options) {
  return [
    { folder, ...options },
    { folder: `${folder}/alone`, atOnce: 1, mayBeMissing: true, ...options },
  ];
}
