/**
 * The parts of the tests, by the command that runs them: `make check`, `make test` (with `check`), `make test-all` and
 * `make nightly`. Those of `named` run only if ONLY names them. The longest come first, so that none is left for the end.
 *
 * A step is a command of the shell, or a folder with tests of Node. Programs of npm packages are in its PATH.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';

/**
 * @typedef {object} Tests
 * @property {string[]} paths Files of tests, and folders with such files.
 * @property {number} [node] The major version that runs them; by default one with node:sqlite.
 * @property {string} [flags] Flags of Node.
 * @property {number} [atOnce] How many files run at the same time.
 * @property {string} [env] Variables, as the shell has them.
 * @property {boolean} [postgres] Runs on a private PostgreSQL.
 *
 * @typedef {object} Part
 * @property {string[]} needs Names in NEEDS.
 * @property {(string | Tests)[]} steps
 */

/** The lowest version of Rust that the crate promises. */
const [, MSRV] = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^rust-version = "(.*)"$/m) ?? [];
/** The core, and the module of the npm package. */
const CORE = '--package sales-order-intake --package sales-order-intake-wasm --all-features';
const SERVER = '--package sales-order-intake-server --features test-service';
const SERVICE = `${SERVER} --test service`;
const POSTGRES = 'node scripts/with-postgres.mjs';
const SIMULATION = 'node scripts/node.mjs sqlite --no-warnings tests/simulation/simulate.mjs';
const SCHEMATHESIS = 'node service/tests/schemathesis/run.mjs';
const { SECONDS = '' } = process.env;

/** The preparations of parts, each done once, before the first part that needs it. */
export const NEEDS = {
  package: ['make --no-print-directory build'],
  // The server of the tests and they themselves have the same dependencies: one build.
  server: [`cargo build --locked --bin sales-order-intake-server ${SERVICE}`],
  programs: ['node scripts/system.mjs check'],
  'more programs': ['node scripts/system.mjs check nightly'],
  nodes: [
    'node scripts/dependencies.mjs tests',
    ...[20, 22, 24, 26].map((major) => `node scripts/node.mjs ${major} -v`),
  ],
  terminals: ['node scripts/dependencies.mjs tests', 'node tests/cli/terminal/install.mjs'],
  'wasm runner': ['node tests/wasm/install-runner.mjs'],
  page: ['make --no-print-directory page'],
  shop: ['make --no-print-directory build-shop'],
  site: ['make --no-print-directory docs'],
};

/** @type {Record<'check' | 'test' | 'all' | 'nightly' | 'named', Record<string, Part>>} */
export const PARTS = {
  check: {
    format: part(
      ['package'],
      'biome check --error-on-warnings .',
      'cargo fmt --all --check',
      'node scripts/check/modules.mjs',
      'node docs/generate/marked.mjs',
    ),
    typescript: part(
      ['package'],
      ...['pkg-template', 'www/client', 'testing', 'outbox', 'scripts/build', 'cli', 'examples/recipes', '.'].map(
        (project) => `node node_modules/typescript/bin/tsc -p ${project} --noEmit`,
      ),
    ),
    packed: part(
      ['package'],
      'node scripts/pack.mjs',
      'publint run target/packed/sales-order-intake.tgz --strict',
      'attw target/packed/sales-order-intake.tgz --profile node16',
      'node scripts/check/sizes.mjs',
      'node scripts/check/notices.mjs',
    ),
    workflows: part(['package'], 'node scripts/check/workflows.mjs'),
    clippy: part(
      [],
      clippy('--workspace --exclude sales-order-intake-server --exclude bindgen --all-features'),
      'cargo clippy --locked --package sales-order-intake -- -D warnings',
      clippy('--target wasm32-unknown-unknown --package sales-order-intake-wasm'),
    ),
  },
  test: {
    rust: part(
      [],
      'cargo run --locked --quiet --package xtask -- check',
      `cargo test --locked ${CORE} --lib --tests`,
      `cargo test --locked ${CORE} --doc`,
    ),
    cli: part(['package'], ...tests('cli')),
    outbox: part(['package'], ...tests('outbox')),
    simulation: part(['package'], ...tests('simulation'), `SECONDS=${SECONDS || 20} ${SIMULATION}`),
    relay: part(['package'], ...tests('cli/relay')),
    node: part(['package'], ...tests('node')),
    responses: part(['package'], ...tests('responses')),
    client: part(['package'], ...tests('client')),
    types: part(['package'], ...tests('types')),
    build: part(['package'], ...tests('build'), ...tests('checks')),
    traces: part(['package'], ...tests('traces')),
    testing: part(['package'], ...tests('testing')),
    examples: part(['package'], ...tests('docs')),
    schema: part(['package'], ...tests('schema')),
    oracle: part(['package'], ...tests('oracle')),
  },
  all: {
    service: part(
      ['programs', 'server'],
      `cargo test --locked ${SERVER} --package service-rules --package service-wasm --lib`,
      `cargo test --locked ${SERVICE} -- --skip alone::`,
      `cargo test --locked ${SERVICE} -- alone:: --test-threads=1`,
      `${POSTGRES} cargo test --locked ${SERVICE} -- stores:: --skip alone::`,
      `${POSTGRES} cargo test --locked ${SERVICE} -- alone::stores:: --test-threads=1`,
      `cargo test --locked ${SERVER} --package service-rules --doc`,
      `${SCHEMATHESIS} 25 --briefly --where-possible`,
    ),
    postgres: part(
      ['programs', 'package', 'terminals'],
      ...tests('outbox/postgres', { postgres: true }),
      ...tests('responses/postgres', { postgres: true }),
      ...tests('traces/postgres', { postgres: true }),
    ),
    'relay-all': part(
      ['programs', 'package', 'terminals'],
      ...tests('cli/relay/slow'),
      ...tests('cli/relay/postgres', { postgres: true }),
      ...tests('cli/relay/guides'),
      `${SCHEMATHESIS} 25 --briefly --where-possible --relay`,
      ...tests('cli/relay/soak'),
    ),
    'service-lints': part(
      [],
      clippy(SERVER),
      "RUSTDOCFLAGS='-D warnings' cargo doc --locked --no-deps --workspace --exclude bindgen",
    ),
    demo: part(
      ['programs', 'page'],
      'node node_modules/typescript/bin/tsc -p tests/demo',
      'playwright test --config tests/demo',
    ),
    'simulation-postgres': part(
      ['programs', 'package', 'terminals'],
      ...tests(['simulation/postgres/planted.test.mjs', 'simulation/postgres/recovery.test.mjs']),
      `SECONDS=${SECONDS || 30} WORLDS='outbox on PostgreSQL' ${SIMULATION}`,
    ),
    wasm: part(['programs', 'wasm runner'], 'node tests/wasm/run.mjs'),
    'node-20': onNode(20),
    docs: part(
      ['programs', 'site'],
      'docs/node_modules/.bin/cspell lint --config docs/cspell.json --no-progress --no-summary',
      'docs/node_modules/.bin/tsc -p docs',
      ...tests('docs/site'),
    ),
    shop: part(['programs', 'shop', 'terminals'], ...tests('shop', { postgres: true })),
    everywhere: part(['programs', 'package', 'nodes'], ...tests('everywhere', { env: 'EVERYWHERE=quick' })),
    'types-oldest': part(['package', 'nodes'], ...tests('types', { env: 'TYPESCRIPT=oldest' })),
    terminal: part(['programs', 'package', 'terminals'], ...tests('cli/terminal')),
    browser: part(
      ['programs', 'package'],
      ...tests('browser'),
      ...tests('recipes', { flags: '--conditions=browser' }),
      ...tests('recipes/chromium', { flags: '--conditions=browser' }),
      ...tests('testing/browser'),
    ),
    'testing-service': part(['package', 'server'], ...tests('testing/service')),
    mcp: part(['package', 'terminals'], ...tests('cli/mcp')),
    benches: part(['package'], ...tests('benches')),
  },
  nightly: {
    properties: part([], `PROPTEST_CASES=50000 cargo test --locked ${CORE} --lib --test properties`),
    'soak-orders': part(
      ['package'],
      'node tests/client/alone/soak.mjs',
      ...tests('node/inputs.test.mjs', { env: 'ORDERS=1000000' }),
      ...tests('cli/alone/export.test.mjs', { env: 'ORDERS=5000' }),
      ...tests('oracle/oracle.test.mjs', { env: 'ORACLE_ORDERS=1000000' }),
    ),
    'soak-outbox': part(
      ['more programs', 'package', 'terminals'],
      ...tests('outbox/alone/crash.test.mjs', { env: 'ROUNDS=100' }),
      ...tests('outbox/alone/retry-all.test.mjs', { env: 'ORDERS=100000' }),
      ...tests('outbox/postgres/alone/crash.test.mjs', { env: 'ROUNDS=100 ORDERS=20000', postgres: true }),
      ...tests('outbox/postgres/alone/chaos.test.mjs', { env: 'ORDERS=2000 SECONDS=10 WITHIN=30', postgres: true }),
      ...tests('soak', { env: `SECONDS=${SECONDS || 600}`, postgres: true }),
    ),
    'soak-relay': part(['more programs', 'package'], ...tests('cli/relay/soak', { env: 'ORDERS=1000' })),
    'soak-simulation': part(
      ['more programs', 'package', 'terminals'],
      ...tests('simulation/postgres', { env: 'PLANTED=all WAITING=10000' }),
      ...tests('simulation/postgres/server', { postgres: true }),
      `SECONDS=1200 ${SIMULATION}`,
      `SECONDS=300 WORLDS='outbox on PostgreSQL' ${SIMULATION}`,
    ),
    'soak-service': part(
      ['more programs', 'server'],
      `KILLS=100 cargo test --locked ${SERVICE} -- alone::stores::crash --test-threads=1`,
      `KILLS=100 ${POSTGRES} cargo test --locked ${SERVICE} -- alone::stores::crash --test-threads=1`,
      `${SCHEMATHESIS} 200`,
    ),
    'every-environment': part(['more programs', 'package', 'nodes'], ...tests('everywhere')),
    'node-22': onNode(22),
    'node-26': onNode(26),
    memory: part(
      ['package', 'nodes'],
      ...[20, 22, 26].flatMap((node) => tests(['node/alone', 'client/alone'], { node, atOnce: 1 })),
    ),
    'types-between': part(['package', 'nodes'], ...tests('types', { env: 'TYPESCRIPT=between' })),
    prisma: part(['more programs', 'package', 'terminals'], ...tests('outbox/prisma', { postgres: true })),
    alerts: part(['more programs', 'package'], ...tests('traces/metrics.test.mjs')),
    'adding-a-rule': part([], ...tests('docs/slow')),
    'bindgen-lints': part([], clippy('--package bindgen')),
    msrv: part(
      [],
      `rustup run --install ${MSRV}.0 cargo check --locked --package sales-order-intake --all-features --target-dir target/msrv`,
    ),
    reproduce: part(['package'], 'node scripts/build/reproduce.mjs', 'node scripts/check/dependencies.mjs'),
    'under-load': part(
      ['more programs'],
      'LOAD=2 ONLY=client,testing,outbox,simulation,traces,responses,cli,relay,testing-service,service,postgres,simulation-postgres,terminal,mcp,relay-all,browser,demo,shop node tests/runner/run.mjs',
    ),
  },
  named: {
    load: part(
      ['package'],
      'cargo build --locked --release --package sales-order-intake-server --features test-service --bins --examples',
      `${POSTGRES} node benches/load.mjs`,
    ),
    pictures: part(
      ['site', 'shop', 'terminals'],
      'cargo build --locked --package sales-order-intake-server',
      'playwright test --config tests/demo/screenshots.config.ts',
      'node tests/shop/screenshots.mjs',
      'node tests/docs/screenshots.mjs',
      'node scripts/node.mjs sqlite tests/outbox/operators-pictures.mjs',
      'node docs/generate/diagrams.mjs',
      'node scripts/node.mjs 24 tests/cli/terminal/recordings.mjs --write',
    ),
  },
};

/** @param {string[]} needs @param {Part['steps']} steps @returns {Part} */
function part(needs, ...steps) {
  return { needs, steps };
}

/** @param {string} crates */
function clippy(crates) {
  return `cargo clippy --locked --all-targets ${crates} -- -D warnings`;
}

/**
 * Returns tests in the folder tests/: the files of a folder at the same time, those of its folder `alone` one by one.
 *
 * @param {string | string[]} names
 * @param {Partial<Tests>} [options]
 * @returns {Tests[]}
 */
function tests(names, options) {
  const paths = [names].flat().map((name) => `tests/${name}`);
  const alone = paths.map((path) => `${path}/alone`).filter((path) => existsSync(join(root, path)));
  return [{ paths, ...options }, ...(alone.length > 0 ? [{ paths: alone, atOnce: 1, ...options }] : [])];
}

/** Returns the files of tests that a step runs. @param {Tests} step */
export function filesOf({ paths }) {
  const filesIn = (path) =>
    readdirSync(join(root, path))
      .sort()
      .map((name) => `${path}/${name}`);
  return paths.flatMap((path) =>
    path.endsWith('.mjs') ? path : filesIn(path).filter((file) => file.endsWith('.test.mjs')),
  );
}

/** Tests what one version of Node may do otherwise. Node 20 has no SQLite. @param {number} node */
function onNode(node) {
  return part(['package', 'nodes'], ...tests(['node', 'client', ...(node > 20 ? ['traces'] : [])], { node }));
}
