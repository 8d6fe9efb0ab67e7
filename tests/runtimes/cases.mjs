/** The environments in which the program runs without a bundler. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSERS, versionOf, visit } from '../everywhere/browsers.mjs';
import { ENVIRONMENT, execute } from '../everywhere/execute.mjs';
import { forbidden } from '../everywhere/expected.mjs';
import { withLoopback } from '../everywhere/loopback.mjs';
import { pinnedVersion, program } from '../everywhere/project.mjs';

const FORMATS = { 'ES modules': 'main.mjs', CommonJS: 'main.cjs' };

/** Returns the report that a program prints; asserts that it prints nothing else. */
function printed(folder, runtime, args) {
  return withLoopback({}, async ({ base }) => {
    const { stdout, stderr } = await execute(runtime, [...args, base], { cwd: folder });
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  });
}

const thisNode = Object.entries(FORMATS).map(([format, main]) => ({
  where: 'Node of this machine',
  how: format,
  project: 'runtimes/node-here',
  quick: 'only',
  run: (folder) => printed(folder, process.execPath, [main]),
}));

const nodes = ['node20', 'node22', 'node24', 'node26'].flatMap((name) =>
  Object.entries(FORMATS).map(([format, main]) => ({
    where: `Node ${name.slice(4)}`,
    how: format,
    project: 'runtimes/node',
    tool: name,
    async run(folder) {
      const node = join(folder, 'node_modules', name, 'bin/node');
      const { stdout } = await execute(node, ['--version']);
      assert.equal(
        stdout,
        `v${pinnedVersion('runtimes/node', name)}\n`,
        'its package fetches the program when it is installed',
      );
      return printed(folder, node, [main]);
    },
  })),
);

const deno = {
  where: 'Deno',
  how: 'ES modules',
  project: 'runtimes/deno',
  tool: 'deno',
  quick: true,
  run: (folder) => printed(folder, program(folder, 'deno'), ['run', '--allow-net=127.0.0.1', 'main.mjs']),
};

const buns = Object.entries(FORMATS).map(([format, main]) => ({
  where: 'Bun',
  how: format,
  project: 'runtimes/bun',
  tool: 'bun',
  quick: true,
  run: (folder) => printed(folder, program(folder, 'bun'), ['run', main]),
}));

/** Bundled as for a deployment, by wrangler, which sets the condition `workerd`. */
const workerd = {
  where: 'workerd',
  how: 'bundled by wrangler, served by miniflare',
  project: 'runtimes/workerd',
  tool: 'workerd',
  quick: true,
  async run(folder) {
    await execute(
      program(folder, 'wrangler'),
      [
        'deploy',
        'worker.mjs',
        '--dry-run',
        '--outdir',
        'dist',
        '--name',
        'orders',
        '--compatibility-date',
        '2026-04-01',
      ],
      { cwd: folder },
    );
    const modules = readdirSync(join(folder, 'dist')).filter((file) => file.endsWith('.wasm'));
    assert.equal(modules.length, 1, String(modules));
    assert.doesNotMatch(
      readFileSync(join(folder, 'dist/worker.js'), 'utf8'),
      /0061736d01000000/,
      'the bytes are not there a second time',
    );
    return printed(folder, process.execPath, ['serve.mjs']);
  },
};

/** Runs one test, which writes the report. */
const testRunners = [
  { where: 'Jest', how: 'its default environment', tool: 'jest', args: [] },
  {
    where: 'Jest',
    how: 'environment jsdom',
    tool: 'jest',
    args: ['--env=jsdom'],
    expect: { error: 'CoreInitError', reason: 'no-wasm' },
    instead:
      'pages there have neither TextEncoder nor TextDecoder, and the first call throws `CoreInitError`: let a setup file define both from `node:util`, or run the test in the environment `node`',
  },
  { where: 'Vitest', how: 'its default environment', tool: 'vitest', args: ['run'] },
  { where: 'Vitest', how: 'environment jsdom', tool: 'vitest', args: ['run', '--environment', 'jsdom'] },
  { where: 'Vitest', how: 'environment happy-dom', tool: 'vitest', args: ['run', '--environment', 'happy-dom'] },
].map(({ args, tool, ...rest }) => ({
  ...rest,
  tool,
  project: `runtimes/${tool}`,
  run: (folder) =>
    withLoopback({}, async ({ base }) => {
      await execute(program(folder, tool), args, { cwd: folder, env: { ...ENVIRONMENT, LOOPBACK: base } });
      return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    }),
}));

const PAGES = {
  page: { file: 'page.html' },
  'module worker': { file: 'worker.html' },
  "page, policy with 'wasm-unsafe-eval'": {
    file: 'page.html',
    policy: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  },
  "page, policy without 'wasm-unsafe-eval'": {
    file: 'page.html',
    policy: "default-src 'self'; script-src 'self'",
    expect: forbidden,
    instead:
      "the policy forbids WebAssembly, and the first call throws `CoreInitError` with reason `csp`: add `'wasm-unsafe-eval'` to `script-src`, or use the package on a server of yours",
  },
};

/** Loads the installed package from static files. */
const browsers = Object.keys(BROWSERS).flatMap((browser) =>
  Object.entries(PAGES).map(([kind, { file, policy, expect, instead }]) => ({
    where: browser,
    how: kind,
    project: 'runtimes/page',
    quick: browser === 'Chromium',
    expect,
    instead,
    version: () => versionOf(browser),
    run: (folder) =>
      withLoopback({ '/': folder }, async (loopback) => {
        loopback.headers = policy ? { 'Content-Security-Policy': policy } : {};
        const { result, said } = await visit(browser, `${loopback.base}/${file}?base=${loopback.base}`, loopback);
        assert.deepEqual(said, []);
        return result;
      }),
  })),
);

export const runtimes = [...thisNode, ...nodes, deno, ...buns, workerd, ...browsers, ...testRunners];
