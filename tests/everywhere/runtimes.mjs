/** Runs the program where no bundler is needed. Each function returns its report. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOf } from '../../scripts/node.mjs';
import { visit } from './browsers.mjs';
import { ENVIRONMENT, execute } from './execute.mjs';
import { withLoopback } from './loopback.mjs';
import { pinnedVersion, program } from './projects.mjs';

/** Returns the report that a program prints; asserts that it prints nothing else. */
function printed(folder, runtime, args) {
  return withLoopback({}, async ({ base }) => {
    const { stdout, stderr } = await execute(runtime, [...args, base], { cwd: folder });
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  });
}

/** A runtime with a command line. */
export function prints(runtime, ...args) {
  return (folder) => printed(folder, program(runtime), args);
}

export function inNode(major, main) {
  return async (folder) => {
    const node = nodeOf(major);
    const { stdout } = await execute(node, ['--version']);
    assert.equal(stdout, `v${pinnedVersion(`node${major}`)}\n`, 'the version that the table shows');
    return printed(folder, node, [main]);
  };
}

/** Bundled as for a deployment, by wrangler, which sets the condition `workerd`. */
export async function inWorkerd(folder) {
  const flags = ['--dry-run', '--outdir', 'dist', '--name', 'orders', '--compatibility-date', '2026-04-01'];
  await execute(program('wrangler'), ['deploy', 'worker.mjs', ...flags], { cwd: folder });
  const modules = readdirSync(join(folder, 'dist')).filter((file) => file.endsWith('.wasm'));
  assert.equal(modules.length, 1, String(modules));
  const bundle = readFileSync(join(folder, 'dist/worker.js'), 'utf8');
  assert.doesNotMatch(bundle, /0061736d01000000/, 'the bytes are not there a second time');
  const { stdout } = await execute(process.execPath, ['serve.mjs'], { cwd: folder });
  assert.equal(stdout, '{"status":201,"orders":1}\n', 'the reference service in Node has the order of the worker');
  return printed(folder, process.execPath, ['serve.mjs']);
}

/** Runs one test, which writes the report. */
export function inTestRunner(runner, ...args) {
  return (folder) =>
    withLoopback({}, async ({ base }) => {
      await execute(program(runner), args, { cwd: folder, env: { ...ENVIRONMENT, LOOPBACK: base } });
      return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    });
}

/** Loads the installed package from static files, if given with a policy. */
export function inBrowser(file, policy) {
  return (browser, folder) =>
    withLoopback({ '/': folder }, async (loopback) => {
      loopback.headers = policy ? { 'Content-Security-Policy': policy } : {};
      const { result, said } = await visit(browser, `${loopback.base}/${file}?base=${loopback.base}`, loopback);
      assert.deepEqual(said, []);
      return result;
    });
}
