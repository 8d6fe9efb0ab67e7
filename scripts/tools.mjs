/**
 * What building needs beyond rustup, Node and make: the WebAssembly target, wasm-bindgen's programs in exactly the
 * version of Cargo.lock (they refuse any other), and the npm dev dependencies. Does nothing where all is there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindgen, root, tools } from './places.mjs';
import { output, run } from './run.mjs';

rustTarget();
wasmBindgen();
devDependencies();

function rustTarget() {
  const sysroot = output('rustc', ['--print', 'sysroot'], { cwd: root });
  if (sysroot && existsSync(join(sysroot, 'lib/rustlib/wasm32-unknown-unknown'))) return;
  run('rustup', ['target', 'add', 'wasm32-unknown-unknown'], { cwd: root });
}

function wasmBindgen() {
  const [, version] = readFileSync(join(root, 'Cargo.lock'), 'utf8').match(/name = "wasm-bindgen"\s+version = "([^"]+)"/);
  const runner = `${bindgen}-test-runner`;
  if (existsSync(runner) && output(bindgen, ['--version']) === `wasm-bindgen ${version}`) return;
  console.log(`installing wasm-bindgen ${version} into target/tools; once, it takes a minute or three`);
  const programs = ['--bin', 'wasm-bindgen', '--bin', 'wasm-bindgen-test-runner'];
  run('cargo', ['install', '--locked', '--debug', 'wasm-bindgen-cli', '--version', version, ...programs, '--root', tools, '--force'], {
    cwd: root,
  });
}

function devDependencies() {
  // npm keeps a copy of what it installed, without the root's own entry.
  if (packages('node_modules/.package-lock.json') === packages('package-lock.json')) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root, shell: process.platform === 'win32' });
}

/** Name and version of all that a lock file lists for every platform. */
function packages(lockFile) {
  const path = join(root, lockFile);
  if (!existsSync(path)) return undefined;
  const entries = Object.entries(JSON.parse(readFileSync(path, 'utf8')).packages);
  return JSON.stringify(entries.filter(([name, entry]) => name && !entry.optional).map(([name, { version }]) => [name, version]));
}
