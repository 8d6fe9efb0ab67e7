/**
 * Bundles the package with each bundler, without plugins and configuration. Checks that the core is bundled once, loads in
 * a page, and that a bundle contains nothing that its entry does not use.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedCore } from '../../scripts/build/packed-core.mjs';
import { pkg, root } from '../../scripts/places.mjs';
import { freePort } from '../../scripts/ports.mjs';
import { visit } from '../everywhere/browsers.mjs';
import { answering, background, execute } from '../everywhere/execute.mjs';
import { expected } from '../everywhere/expected.mjs';
import { withLoopback } from '../everywhere/loopback.mjs';
import { program } from '../everywhere/project.mjs';

const ENTRIES = join(root, 'tests/bundlers/entries');

/** The command lines that bundle `<entry>/index.js`, or its page, into a folder. */
const BUNDLERS = [
  { where: 'Vite', name: 'vite', args: (entry, out) => ['build', entry, '--outDir', out, '--base', './'] },
  {
    where: 'webpack',
    name: 'webpack',
    script: 'main.js',
    args: (entry, out) => ['--mode', 'production', '--entry', `./${entry}/index.js`, '-o', out],
  },
  {
    where: 'Rollup',
    how: 'build, with its plugin node-resolve',
    name: 'rollup',
    script: 'index.js',
    args: (entry, out) => [`${entry}/index.js`, '-p', 'node-resolve', '-d', out],
  },
  { where: 'Rolldown', name: 'rolldown', script: 'index.js', args: (entry, out) => [`${entry}/index.js`, '-d', out] },
  {
    where: 'esbuild',
    name: 'esbuild',
    script: 'index.js',
    args: (entry, out) => [`${entry}/index.js`, '--bundle', '--format=esm', `--outdir=${out}`],
  },
  {
    where: 'Parcel',
    name: 'parcel',
    args: (entry, out) => ['build', `${entry}/index.html`, '--dist-dir', out, '--public-url', './'],
  },
  {
    where: 'Rspack',
    name: 'rspack',
    tool: '@rspack/core',
    script: 'main.js',
    args: (entry, out) => ['build', '--mode', 'production', '--entry', `./${entry}/index.js`, '-o', out],
  },
];

/** The beginning of the core as the default entry contains it: 64 characters. */
const CORE = packedCore(readFileSync(join(pkg, 'core.wasm'))).slice(0, 64);

const builds = BUNDLERS.map(({ where, how = 'build', name, tool = name, script, args }) => ({
  where,
  how,
  project: `bundlers/${name}`,
  quick: ['vite', 'esbuild'].includes(name),
  tool,
  async run(folder) {
    cpSync(ENTRIES, folder, { recursive: true });
    const built = {};
    for (const entry of readdirSync(ENTRIES)) {
      const out = join(folder, 'dist', entry);
      const { stdout, stderr } = await execute(program(folder, name), args(entry, out), { cwd: folder });
      assert.deepEqual(remarks(stdout + stderr), []);
      if (script)
        writeFileSync(join(out, 'index.html'), `<!doctype html><script type="module" src="${script}"></script>`);
      built[entry] = codeOfBundle(out);
    }
    assert.deepEqual(uses(built.main), { cores: 1, starts: true, sends: true });
    assert.deepEqual(uses(built.slim), { cores: 0, starts: true, sends: true });
    assert.deepEqual(uses(built.function), { cores: 1, starts: true, sends: false });
    assert.deepEqual(uses(built.id), { cores: 0, starts: false, sends: false });
    assert.deepEqual(uses(built.guard), { cores: 0, starts: false, sends: false });
    assert.deepEqual(await shown(folder, 'slim'), expected);
    return shown(folder, 'main');
  },
}));

/** Returns the warnings of a bundler, except its advice about sizes, which the inlined bytes cause. */
function remarks(said) {
  const faults = said.split('\n').filter((line) => /warn|unresolved|circular|could not|deprecated/i.test(line));
  return faults.filter(
    (line) => !/size limit|performance recommendations|compiled with \d+ warnings|SizeWarningLimit/.test(line),
  );
}

/** Returns all code of a bundle; asserts that the folder otherwise contains only pages and maps. */
function codeOfBundle(folder) {
  assert.deepEqual(filesOf(folder, /\.(?!(m?js|html|map)$)\w+$/), []);
  return codeOf(folder);
}

function codeOf(folder) {
  return filesOf(folder, /\.m?js$/)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

function filesOf(folder, names) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => names.test(file) && statSync(join(folder, file)).isFile(),
  );
}

/** Returns how often code contains the core, and whether it starts the core and sends orders. */
function uses(code) {
  return { cores: code.split(CORE).length - 1, starts: code.includes('WebAssembly'), sends: code.includes('Bearer') };
}

/** Returns what the page of a bundle reports in Chromium; asserts that the console is empty. */
function shown(folder, entry) {
  const core = join(folder, 'node_modules/sales-order-intake');
  return withLoopback({ '/dist/': join(folder, 'dist'), '/core.wasm': join(core, 'core.wasm') }, async (loopback) => {
    const { result, said } = await visit(
      'Chromium',
      `${loopback.base}/dist/${entry}/index.html?base=${loopback.base}`,
      loopback,
    );
    assert.deepEqual(said, []);
    return result;
  });
}

/** A development server: serves modules one by one, and pre-bundles those of the package. */
const viteDev = {
  where: 'Vite',
  how: 'development server',
  project: 'bundlers/vite',
  tool: 'vite',
  quick: true,
  async run(folder) {
    cpSync(ENTRIES, folder, { recursive: true });
    const port = await freePort();
    const vite = background(program(folder, 'vite'), ['--host', '127.0.0.1', '--port', String(port), '--strictPort'], {
      cwd: folder,
    });
    try {
      await answering(`http://127.0.0.1:${port}/main/`, vite);
      return await withLoopback({}, async (loopback) => {
        const { result, said } = await visit(
          'Chromium',
          `http://127.0.0.1:${port}/main/?base=${loopback.base}`,
          loopback,
        );
        assert.deepEqual(
          said.filter((line) => !line.startsWith('debug: [vite]')),
          [],
        );
        return result;
      });
    } finally {
      await vite.stop();
    }
  },
};

/** A page, which is prerendered and then runs in the browser, a route handler in Node, and one at the edge. */
const nexts = Object.entries({ Turbopack: '--turbopack', webpack: '--webpack' }).map(([bundler, flag]) => ({
  where: `Next, ${bundler}`,
  how: 'page, route handler, edge route',
  project: 'bundlers/next',
  tool: 'next',
  async run(folder) {
    await execute(program(folder, 'next'), ['build', flag], { cwd: folder });
    const built = join(folder, '.next');
    assert.deepEqual(filesOf(join(built, 'static'), /\.wasm$/), []);
    assert.equal(uses(codeOf(join(built, 'static'))).cores, 1);
    assert.equal(filesOf(join(built, 'server'), /\.wasm$/).length, 1, 'the module of the edge route');
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const server = background(program(folder, 'next'), ['start', '--hostname', '127.0.0.1', '--port', String(port)], {
      cwd: folder,
    });
    try {
      await answering(address, server);
      return await withLoopback({}, async (loopback) => {
        for (const route of ['node', 'edge']) {
          const response = await fetch(`${address}/api/${route}?base=${loopback.base}`);
          assert.deepEqual(await response.json(), expected, route);
        }
        const { result, said } = await visit('Chromium', `${address}/?base=${loopback.base}`, loopback);
        assert.deepEqual(said, []);
        return result;
      });
    } finally {
      await server.stop();
    }
  },
}));

const [vite, ...others] = builds;
export const bundlers = [vite, viteDev, ...others, ...nexts];
