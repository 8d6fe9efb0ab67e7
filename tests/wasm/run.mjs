/**
 * Runs the Rust tests as WebAssembly: those for Node, then those for a page in headless Chromium. Needs
 * install-runner.mjs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromedriver, chromium, FLAGS } from '../../scripts/chromium.mjs';
import { root, target } from '../../scripts/places.mjs';
import { run } from '../../scripts/run.mjs';

const file = join(target, 'webdriver.json');
mkdirSync(target, { recursive: true });
writeFileSync(file, JSON.stringify({ 'goog:chromeOptions': { binary: chromium(), args: FLAGS } }));

const env = {
  ...process.env,
  CHROMEDRIVER: chromedriver(),
  // Seconds; only a hang takes as long.
  WASM_BINDGEN_TEST_TIMEOUT: '600',
  WASM_BINDGEN_TEST_WEBDRIVER_JSON: file,
  // Relative to the repository: cargo splits it at spaces.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: 'target/tools/bin/wasm-bindgen-test-runner',
};
// Optimised, because otherwise the vectors of the limits are ten times slower.
const options = ['--locked', '--release', '--package', 'sales-order-intake-wasm', '--target', 'wasm32-unknown-unknown'];
for (const test of ['node', 'browser']) run('cargo', ['test', ...options, '--test', test], { cwd: root, env });
