/** Compiles the core and the reference service for tests: Rust → WebAssembly → wasm-bindgen. Imports nothing that npm installs. */
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, target } from '../places.mjs';
import { fail, output, programOf, run, start } from '../run.mjs';

/**
 * Limits inlining, which makes code fast but large: with a threshold of 60 a page that evaluates is 1.1 KB smaller after brotli, and a
 * call of the core takes up to a tenth more time.
 */
const SMALL = [
  '-Cllvm-args=-inline-threshold=100',
  // Of functions with the attribute `inline`.
  '-Cllvm-args=-inlinehint-threshold=80',
  // Turns off the unrolling of loops: 2 KB less after brotli, and at most 2 % slower.
  '-Cllvm-args=-unroll-threshold=0',
  '-Cllvm-args=-unroll-partial-threshold=0',
];
/** For the service, whose code the profile makes small. */
const SMALLEST = ['--cfg=sha2_backend_soft="compact"'];
const TARGET = 'wasm32-unknown-unknown';
export const CRATES = { core: 'sales-order-intake-wasm', service: 'service-wasm' };
/** The modules: the profile of each, and what cargo is to build. */
const MODULES = {
  core: ['wasm', CRATES.core],
  orders: ['wasm', CRATES.core, '--no-default-features', '--features', 'orders'],
  fates: ['wasm', CRATES.core, '--no-default-features', '--features', 'fates'],
  service: ['service', CRATES.service],
};
/** wasm-bindgen as a program on its library, because its own command takes minutes to install. */
const BINDGEN = ['--locked', '--package', 'bindgen'];
const CARGO_HOME = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
const options = {
  cwd: root,
  // Two progress bars would overwrite each other.
  env: { ...process.env, CARGO_TERM_PROGRESS_WHEN: 'never' },
};

/** Compiles the modules into files of this folder, and returns their paths by name. The JavaScript and the types of each are beside it. */
export async function compileCore(folder) {
  if (!programOf('CARGO', 'cargo')) fail('cargo, which builds the core, is not installed: https://rustup.rs');
  const sysroot = output('rustc', ['--print', 'sysroot'], { cwd: root }) ?? fail('rustc failed');
  if (!existsSync(join(sysroot, 'lib/rustlib', TARGET))) run('rustup', ['target', 'add', TARGET], { cwd: root });
  mkdirSync(folder, { recursive: true });
  const crates = Object.values(CRATES).flatMap((crate) => ['--package', crate]);
  // Downloads the crates, whose folder the flags name.
  await start('cargo', ['tree', '--locked', ...crates, '--target', TARGET, '--edges', 'normal,build'], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Later builds find it compiled.
  if (!existsSync(join(target, 'debug/bindgen'))) await start('cargo', ['build', ...BINDGEN], options);
  const build = ['build', '--locked', '--lib', '--target', TARGET];
  const built = join(targetOfCargo(), TARGET);
  /** @type {Record<string, string>} */
  const modules = {};
  for (const [name, [profile, crate, ...features]] of Object.entries(MODULES)) {
    const flags = [...remaps(sysroot), ...(profile === 'wasm' ? SMALL : SMALLEST)];
    const env = { ...options.env, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') };
    await start('cargo', [...build, '--profile', profile, '--package', crate, ...features], { ...options, env });
    const compiled = join(built, profile, `${crate.replaceAll('-', '_')}.wasm`);
    modules[name] = join(folder, `${name}-bindgen.wasm`);
    run('cargo', ['run', '--quiet', ...BINDGEN, '--', compiled, modules[name]], options);
  }
  return modules;
}

function targetOfCargo() {
  const metadata = output('cargo', ['metadata', '--locked', '--no-deps', '--format-version', '1'], options);
  return JSON.parse(metadata ?? fail('cargo metadata failed')).target_directory;
}

/** Returns flags that remove the machine's paths from the source locations of panics. The last flag that matches wins. */
function remaps(sysroot) {
  const registries = join(CARGO_HOME, 'registry', 'src');
  const commit = output('rustc', ['-vV'], { cwd: root })?.match(/^commit-hash: (.*)$/m)?.[1];
  const folders = [
    [sysroot, '/rust'],
    // The standard library's paths name its commit, or the component rust-src if it is installed: always use the commit.
    [join(sysroot, 'lib/rustlib/src/rust'), `/rustc/${commit ?? fail('rustc failed')}`],
    [CARGO_HOME, '/cargo'],
    // Each folder is named after its registry.
    ...readdirSync(registries).map((name) => [join(registries, name), '/deps']),
    [realpathSync(root), '/sales-order-intake'],
  ];
  return folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}
