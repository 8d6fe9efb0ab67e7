/**
 * Installs what a build needs besides rustup, Node and make: the WebAssembly target, wasm-bindgen's programs in exactly the
 * version of Cargo.lock (they reject any other), and the npm dev dependencies. Does nothing if all of it is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { bindgen, root, tools } from './places.mjs';
import { fail, output, run } from './run.mjs';

rustTarget();
wasmBindgen();
installDependencies('.');

function rustTarget() {
  const sysroot = output('rustc', ['--print', 'sysroot'], { cwd: root });
  if (sysroot && existsSync(join(sysroot, 'lib/rustlib/wasm32-unknown-unknown'))) return;
  run('rustup', ['target', 'add', 'wasm32-unknown-unknown'], { cwd: root });
}

function wasmBindgen() {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
  const version =
    lock.match(/name = "wasm-bindgen"\s+version = "([^"]+)"/)?.[1] ?? fail('Cargo.lock has no wasm-bindgen');
  const runner = `${bindgen}-test-runner`;
  if (existsSync(runner) && output(bindgen, ['--version']) === `wasm-bindgen ${version}`) return;
  console.log(`installing wasm-bindgen ${version} into target/tools; this takes up to three minutes, only once`);
  const programs = ['--bin', 'wasm-bindgen', '--bin', 'wasm-bindgen-test-runner'];
  run(
    'cargo',
    [
      'install',
      '--locked',
      '--debug',
      'wasm-bindgen-cli',
      '--version',
      version,
      ...programs,
      '--root',
      tools,
      '--force',
    ],
    {
      cwd: root,
    },
  );
}
