/**
 * Installs the program that runs Rust tests as WebAssembly, in exactly the version of wasm-bindgen in Cargo.lock: it rejects
 * any other. Does nothing if it is installed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, tools } from '../../scripts/places.mjs';
import { fail, output, run } from '../../scripts/run.mjs';

const NAME = 'wasm-bindgen-test-runner';

const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
const version =
  lock.match(/name = "wasm-bindgen"\s+version = "([^"]+)"/)?.[1] ?? fail('Cargo.lock has no wasm-bindgen');
if (output(join(tools, 'bin', NAME), ['--version']) !== `${NAME} ${version}`) {
  console.log(`installing ${NAME} ${version} into target/tools; this takes up to three minutes, only once`);
  const what = ['wasm-bindgen-cli', '--version', version, '--bin', NAME];
  // It compiles faster without what a debugger needs, and without TLS: it talks with a ChromeDriver on this machine.
  const fast = ['--debug', '--config', 'profile.dev.debug=false', '--no-default-features'];
  run('cargo', ['install', '--locked', ...fast, ...what, '--root', tools, '--force'], { cwd: root });
}
