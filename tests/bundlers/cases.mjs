/**
 * What bundlers make of the package, without plugins and without configuration: it is bundled once, whole, loaded in a
 * page, and what an entry doesn't use is not in it.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';
import { visit } from '../everywhere/browsers.mjs';
import { background, answering, execute, freePort } from '../everywhere/execute.mjs';
import { expected } from '../everywhere/expected.mjs';
import { withLoopback } from '../everywhere/loopback.mjs';
import { tool, versionIn } from '../everywhere/project.mjs';

const ENTRIES = join(root, 'tests/bundlers/entries');

/** How each is told on its command line to bundle `<entry>/index.js`, or the page around it, into a folder. */
const BUNDLERS = [
  { what: 'Vite, build', name: 'vite', args: (entry, out) => ['build', entry, '--outDir', out, '--base', './'] },
  { what: 'webpack', name: 'webpack', script: 'main.js', args: (entry, out) => ['--mode', 'production', '--entry', `./${entry}/index.js`, '-o', out] },
  { what: 'Rollup, node-resolve', name: 'rollup', script: 'index.js', args: (entry, out) => [`${entry}/index.js`, '-p', 'node-resolve', '-d', out] },
  { what: 'Rolldown', name: 'rolldown', script: 'index.js', args: (entry, out) => [`${entry}/index.js`, '-d', out] },
  { what: 'esbuild', name: 'esbuild', script: 'index.js', args: (entry, out) => [`${entry}/index.js`, '--bundle', '--format=esm', `--outdir=${out}`] },
  { what: 'Parcel', name: 'parcel', args: (entry, out) => ['build', `${entry}/index.html`, '--dist-dir', out, '--public-url', './'] },
  { what: 'Rspack', name: 'rspack', script: 'main.js', args: (entry, out) => ['build', '--mode', 'production', '--entry', `./${entry}/index.js`, '-o', out] },
];

/** The beginning of every WebAssembly module, as the default entry spells it. */
const CORE = /0061736d01000000/g;

const builds = BUNDLERS.map(({ what, name, script, args }) => ({
  what,
  project: `bundlers/${name}`,
  quick: ['vite', 'esbuild'].includes(name),
  version: (folder) => versionIn(folder, name === 'rspack' ? '@rspack/core' : name),
  async run(folder) {
    cpSync(ENTRIES, folder, { recursive: true });
    const built = {};
    for (const entry of readdirSync(ENTRIES)) {
      const out = join(folder, 'dist', entry);
      await execute(tool(folder, name), args(entry, out), { cwd: folder });
      if (script) writeFileSync(join(out, 'index.html'), `<!doctype html><script type="module" src="${script}"></script>`);
      built[entry] = contentOf(out);
    }
    assert.deepEqual(uses(built.main), { cores: 1, starts: true, sends: true });
    assert.deepEqual(uses(built.slim), { cores: 0, starts: true, sends: true });
    assert.deepEqual(uses(built.id), { cores: 1, starts: true, sends: false });
    assert.deepEqual(uses(built.guard), { cores: 0, starts: false, sends: false });
    assert.deepEqual(await shown(folder, 'slim'), expected);
    return shown(folder, 'main');
  },
}));

/** All code in a folder; there is no other file than code, pages and their maps. */
function contentOf(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.\w+$/.test(file));
  assert.deepEqual(files.filter((file) => !/\.(m?js|html|map)$/.test(file)), []);
  return files.filter((file) => /\.m?js$/.test(file)).map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** How often the core is in some code, and whether that starts it and sends orders. */
function uses(code) {
  return { cores: code.match(CORE)?.length ?? 0, starts: code.includes('WebAssembly'), sends: code.includes('Bearer') };
}

/** What the page of a bundle reports in Chromium, with nothing said on the console. */
function shown(folder, entry) {
  const core = join(folder, 'node_modules/sales-order-intake');
  return withLoopback({ '/dist/': join(folder, 'dist'), '/core.wasm': join(core, 'core.wasm') }, async (loopback) => {
    const { result, said } = await visit('Chromium', `${loopback.base}/dist/${entry}/index.html?base=${loopback.base}`, loopback);
    assert.deepEqual(said, []);
    return result;
  });
}

/** A development server: modules are served one by one, and those of the package bundled ahead. */
const viteDev = {
  what: 'Vite, development server',
  project: 'bundlers/vite',
  quick: true,
  version: (folder) => versionIn(folder, 'vite'),
  async run(folder) {
    cpSync(ENTRIES, folder, { recursive: true });
    const port = await freePort();
    const vite = background(tool(folder, 'vite'), ['--host', '127.0.0.1', '--port', String(port), '--strictPort'], { cwd: folder });
    try {
      await answering(`http://127.0.0.1:${port}/main/`, vite);
      return await withLoopback({}, async (loopback) => {
        const { result, said } = await visit('Chromium', `http://127.0.0.1:${port}/main/?base=${loopback.base}`, loopback);
        assert.deepEqual(said.filter((line) => !line.startsWith('debug: [vite]')), []);
        return result;
      });
    } finally {
      await vite.stop();
    }
  },
};

export const bundlers = [...builds, viteDev];
