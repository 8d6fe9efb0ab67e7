/**
 * Bundles the package with each bundler, without plugins and configuration. Checks that the core is bundled once, loads in
 * a page, and that a bundle contains nothing that its entry does not use. Each function returns the report of a page.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtModules } from '../../scripts/build/core.mjs';
import { coreText } from '../../scripts/build/core-text.mjs';
import { freePort } from '../../scripts/ports.mjs';
import { visit } from './browsers.mjs';
import { answering, background, execute } from './execute.mjs';
import { expected } from './expected.mjs';
import { withLoopback } from './loopback.mjs';
import { filesOfProject, program } from './projects.mjs';

/** The parts of the package that each entry of projects/bundle uses. */
const USES = {
  main: { cores: 1, fates: 1, starts: true, sends: true },
  slim: { cores: 0, fates: 0, starts: true, sends: true },
  function: { cores: 1, fates: 0, starts: true, sends: false },
  id: { cores: 0, fates: 0, starts: false, sends: false },
  error: { cores: 0, fates: 0, starts: false, sends: false },
};

/** 64 characters of the two parts of the core as the entries contain them. */
const [CORE, FATES] = ['orders.wasm', 'fates.wasm'].map((part) => coreText(builtModules()[part]).slice(1000, 1064));

/**
 * Bundles each entry.
 *
 * @param {string} bundler
 * @param {{ args(entry: string, out: string): string[], script?: string }} how
 */
export function builds(bundler, { args, script }) {
  return async (folder) => {
    for (const entry of filesOfProject('bundle')) {
      const out = join(folder, 'dist', entry);
      const { stdout, stderr } = await execute(program(bundler), args(entry, out), { cwd: folder });
      assert.deepEqual(remarks(stdout + stderr), []);
      if (script)
        writeFileSync(join(out, 'index.html'), `<!doctype html><script type="module" src="${script}"></script>`);
      assert.deepEqual(uses(codeOfBundle(out)), USES[entry], entry);
    }
    assert.deepEqual(await shown(folder, 'slim'), expected);
    return shown(folder, 'main');
  };
}

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

/** Returns how often code contains the parts of the core, and whether it starts the core and sends orders. */
function uses(code) {
  const [cores, fates] = [CORE, FATES].map((part) => code.split(part).length - 1);
  return { cores, fates, starts: code.includes('WebAssembly'), sends: code.includes('Bearer') };
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

/** The development server of Vite: serves modules one by one, and pre-bundles those of the package. */
export async function viteServer(folder) {
  const port = await freePort();
  const vite = background(program('vite'), ['--host', '127.0.0.1', '--port', String(port), '--strictPort'], {
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
}

/** A page, which is prerendered and then runs in the browser, a route handler in Node, and one at the edge. */
export function next(flag) {
  return async (folder) => {
    await execute(program('next'), ['build', flag], { cwd: folder });
    const built = join(folder, '.next');
    assert.deepEqual(filesOf(join(built, 'static'), /\.wasm$/), []);
    assert.equal(uses(codeOf(join(built, 'static'))).cores, 1);
    assert.equal(filesOf(join(built, 'server'), /\.wasm$/).length, 1, 'the module of the edge route');
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const server = background(program('next'), ['start', '--hostname', '127.0.0.1', '--port', String(port)], {
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
  };
}
