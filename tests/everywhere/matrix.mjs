/**
 * Every runtime, test runner and bundler in which the package is promised to work. docs/reference/runtimes.md has the same
 * table. The versions are in package.json beside this file, those of Node in tests/package.json.
 *
 * @typedef {object} Environment
 * @property {string} where
 * @property {string} how
 * @property {string} [tool] The npm package whose version the table shows
 * @property {() => string} [version] The version of what npm does not install
 * @property {boolean} [quick] Takes little time, and needs only the `dependencies` of package.json
 * @property {string} [files] The folder in projects/ that the environment's project begins with
 * @property {object} [manifest] Members of the project's package.json; `{ type: 'module' }` if left out
 * @property {object} [expect] What the program reports if it can't work there
 * @property {string} [instead] Why it can't work there, and what to do instead
 * @property {(folder: string) => Promise<unknown>} run Runs the program in this project; returns its report
 */
import { BROWSERS, versionOf } from './browsers.mjs';
import { builds, next, viteServer } from './bundlers.mjs';
import { forbidden } from './expected.mjs';
import { installs } from './package-managers.mjs';
import { inBrowser, inNode, inTestRunner, inWorkerd, prints } from './runtimes.mjs';

const FORMATS = { 'ES modules': 'main.mjs', CommonJS: 'main.cjs' };

const nodes = [20, 22, 24, 26].flatMap((major) =>
  Object.entries(FORMATS).map(([how, main]) => ({
    ...{ where: `Node ${major}`, how, tool: `node${major}`, quick: true },
    run: inNode(major, main),
  })),
);

const runtimes = [
  {
    ...{ where: 'Deno', how: 'ES modules', tool: 'deno', quick: true },
    run: prints('deno', 'run', '--allow-net=127.0.0.1', 'main.mjs'),
  },
  ...Object.entries(FORMATS).map(([how, main]) => ({
    ...{ where: 'Bun', how, tool: 'bun', quick: true },
    run: prints('bun', 'run', main),
  })),
  {
    ...{ where: 'workerd', how: 'bundled by wrangler, served by miniflare', tool: 'workerd', quick: true },
    ...{ files: 'workerd', run: inWorkerd },
  },
];

const PAGES = [
  { how: 'page', run: inBrowser('page.html') },
  { how: 'module worker', run: inBrowser('worker.html') },
  {
    how: "page, policy with 'wasm-unsafe-eval'",
    run: inBrowser('page.html', "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"),
  },
  {
    how: "page, policy without 'wasm-unsafe-eval'",
    run: inBrowser('page.html', "default-src 'self'; script-src 'self'"),
    expect: forbidden,
    instead:
      "the policy forbids WebAssembly, so the first call throws `CoreInitError` with reason `csp`. Add `'wasm-unsafe-eval'` to `script-src`, or use the package on your server",
  },
];

const browsers = Object.keys(BROWSERS).flatMap((where) =>
  PAGES.map(({ run, ...page }) => ({
    ...{ where, ...page, quick: where === 'Chromium', files: 'page' },
    version: () => versionOf(where),
    run: (folder) => run(where, folder),
  })),
);

const YARN_1 = '../yarn/bin/yarn.js';
const YARN_4 = '../@yarnpkg/cli-dist/bin/yarn.js';
/** How users install the package and run its command line. */
const packageManagers = [
  {
    ...{ where: 'npm', how: '`npm install`, `npx`', tool: 'npm' },
    commands: { add: ['npm', 'install'], exec: ['npx', '--no', 'sales-order-intake'], node: ['node'] },
  },
  {
    ...{ where: 'pnpm', how: '`pnpm add`, `pnpm exec`', tool: 'pnpm' },
    commands: { add: ['pnpm', 'add'], exec: ['pnpm', 'exec', 'sales-order-intake'], node: ['node'] },
  },
  {
    ...{ where: 'Yarn 1', how: '`yarn add`, `yarn sales-order-intake`', tool: 'yarn' },
    commands: { add: [YARN_1, 'add'], exec: [YARN_1, '--silent', 'sales-order-intake'], node: ['node'] },
  },
  {
    ...{ where: 'Yarn 4', how: "`yarn add`, `yarn sales-order-intake`, Plug'n'Play", tool: '@yarnpkg/cli-dist' },
    commands: { add: [YARN_4, 'add'], exec: [YARN_4, 'sales-order-intake'], node: [YARN_4, 'node'] },
  },
  {
    ...{ where: 'Bun', how: '`bun add`, `bunx`', tool: 'bun' },
    commands: { add: ['bun', 'add'], exec: ['bun', 'x', '--bun', 'sales-order-intake'], node: ['bun', 'run'] },
  },
  {
    ...{ where: 'Deno', how: '`deno add`, `deno run npm:`', tool: 'deno' },
    commands: {
      ...{ add: ['deno', 'add', '--npm'], exec: ['deno', 'run', '--allow-all', 'npm:sales-order-intake'] },
      node: ['deno', 'run', '--allow-net=127.0.0.1'],
    },
  },
].map(({ commands, ...manager }) => ({ ...manager, quick: true, run: installs(commands) }));

const jest = { where: 'Jest', tool: 'jest', files: 'jest', manifest: {} };
const vitest = { where: 'Vitest', tool: 'vitest', files: 'vitest' };
const testRunners = [
  // It loads CommonJS.
  { ...jest, how: 'its default environment', quick: true, run: inTestRunner('jest') },
  {
    ...{ ...jest, how: 'environment jsdom', run: inTestRunner('jest', '--env=jsdom') },
    expect: { error: 'CoreInitError', reason: 'no-wasm' },
    instead:
      'this environment has neither TextEncoder nor TextDecoder, so the first call throws `CoreInitError`. Let a setup file define both from `node:util`, or run the test in the environment `node`',
  },
  { ...vitest, how: 'its default environment', run: inTestRunner('vitest', 'run') },
  { ...vitest, how: 'environment jsdom', run: inTestRunner('vitest', 'run', '--environment', 'jsdom') },
  { ...vitest, how: 'environment happy-dom', run: inTestRunner('vitest', 'run', '--environment', 'happy-dom') },
];

/**
 * The command lines that bundle `<entry>/index.js`, or its page, into a folder; `script` is what they write there.
 *
 * @type {{
 *   where: string, tool: string, args: (entry: string, out: string) => string[],
 *   program?: string, how?: string, script?: string, quick?: boolean,
 * }[]}
 */
const BUNDLERS = [
  {
    ...{ where: 'Vite', tool: 'vite', quick: true },
    args: (entry, out) => ['build', entry, '--outDir', out, '--base', './'],
  },
  {
    ...{ where: 'webpack', tool: 'webpack', script: 'main.js' },
    args: (entry, out) => ['--mode', 'production', '--entry', `./${entry}/index.js`, '-o', out],
  },
  {
    ...{ where: 'Rollup', how: 'build, with its plugin node-resolve', tool: 'rollup', script: 'index.js' },
    args: (entry, out) => [`${entry}/index.js`, '-p', 'node-resolve', '-d', out],
  },
  {
    ...{ where: 'Rolldown', tool: 'rolldown', script: 'index.js' },
    args: (entry, out) => [`${entry}/index.js`, '-d', out],
  },
  {
    ...{ where: 'esbuild', tool: 'esbuild', quick: true, script: 'index.js' },
    args: (entry, out) => [`${entry}/index.js`, '--bundle', '--format=esm', `--outdir=${out}`],
  },
  {
    ...{ where: 'Parcel', tool: 'parcel' },
    args: (entry, out) => ['build', `${entry}/index.html`, '--dist-dir', out, '--public-url', './'],
  },
  {
    ...{ where: 'Rspack', tool: '@rspack/core', program: 'rspack', script: 'main.js' },
    args: (entry, out) => ['build', '--mode', 'production', '--entry', `./${entry}/index.js`, '-o', out],
  },
];

const [vite, ...others] = BUNDLERS.map(({ how = 'build', args, script, program, ...bundler }) => ({
  ...{ ...bundler, how, files: 'bundle' },
  run: builds(program ?? bundler.tool, { args, script }),
}));

const bundlers = [
  vite,
  { ...vite, how: 'development server', run: viteServer },
  ...others,
  ...Object.entries({ Turbopack: '--turbopack', webpack: '--webpack' }).map(([bundler, flag]) => ({
    ...{ where: `Next, ${bundler}`, how: 'page, route handler, edge route', tool: 'next', files: 'next' },
    // As create-next-app writes it. With `type` the build by webpack fails: it looks for a file that it did not write.
    ...{ manifest: {}, run: next(flag) },
  })),
];

/** @type {Environment[]} */
export const matrix = [...nodes, ...runtimes, ...packageManagers, ...browsers, ...testRunners, ...bundlers];
