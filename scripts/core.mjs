/** Builds the core: Rust → WebAssembly → wasm-bindgen → wasm-opt. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { bindgen, program, root } from './places.mjs';
import { fail, output, run } from './run.mjs';
import { CODE, DATA, alignmentOf, functionsIn, instructionsIn, sectionsOf, segmentsIn } from './wasm-binary.mjs';

/** The random source is src/wasm/random.rs. */
const RANDOM_SOURCE = '--cfg=getrandom_backend="custom"';
/** Limits inlining, which makes code fast but large: the core is nearly as fast at two thirds of the size. */
const SMALL = [
  '-Cllvm-args=-inline-threshold=60',
  // Turns off the unrolling of loops: 2 KB less after brotli, and at most 2 % slower.
  '-Cllvm-args=-unroll-threshold=0',
  '-Cllvm-args=-unroll-partial-threshold=0',
];
/** What the loader calls (pkg-template/src/instance.ts). */
const EXPORTS = [
  ...['memory', 'call', 'exchange', 'judge_part'],
  ...['__wbindgen_malloc', '__wbindgen_realloc', '__wbindgen_free'],
];
const CARGO_HOME = process.env.CARGO_HOME ?? join(homedir(), '.cargo');

/** Returns the version of the crate and the bytes of the module; `folder` is for files in between. */
export function buildCore(folder, { keepsNames = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const { version, wasm } = compileRust();
  const core = finishWasm(wasm, folder, keepsNames);
  checkImports(core);
  checkPaths(core);
  return { version, core };
}

function compileRust() {
  const options = { cwd: root, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] };
  const metadata = JSON.parse(
    output('cargo', ['metadata', '--locked', '--format-version', '1'], options) ?? fail('cargo metadata failed'),
  );
  const { name, version } = metadata.packages.find(({ id }) => id === metadata.resolve.root);
  run(
    'cargo',
    ['build', '--locked', '--lib', '--features', 'wasm', '--profile', 'wasm', '--target', 'wasm32-unknown-unknown'],
    {
      cwd: root,
      env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: [...remaps(metadata), RANDOM_SOURCE, ...SMALL].join('\x1f') },
    },
  );
  const file = `${name.replaceAll('-', '_')}.wasm`;
  return { version, wasm: join(metadata.target_directory, 'wasm32-unknown-unknown/wasm', file) };
}

/** Returns flags that remove the machine's paths from the source locations of panics. The last flag that matches wins. */
function remaps(metadata) {
  const registries = join(CARGO_HOME, 'registry', 'src');
  const sysroot = output('rustc', ['--print', 'sysroot'], { cwd: root });
  const commit = output('rustc', ['-vV'], { cwd: root })?.match(/^commit-hash: (.*)$/m)?.[1];
  if (!sysroot || !commit) fail('rustc failed');
  const folders = [
    [sysroot, '/rust'],
    // The standard library's paths name its commit, or the component rust-src if it is installed: always use the commit.
    [join(sysroot, 'lib/rustlib/src/rust'), `/rustc/${commit}`],
    [CARGO_HOME, '/cargo'],
    // Each folder is named after its registry. `cargo metadata` has just filled them.
    ...readdirSync(registries).map((name) => [join(registries, name), '/deps']),
    [metadata.workspace_root, '/sales-order-intake'],
  ];
  return folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

function finishWasm(wasm, folder, keepsNames) {
  run(bindgen, [
    ...['--target', 'web', '--no-typescript', '--remove-producers-section'],
    ...['--out-name', 'core', '--out-dir', folder, wasm],
  ]);
  const mute = join(folder, 'mute.wasm');
  writeFileSync(mute, withoutPanicMessages(join(folder, 'core_bg.wasm')));
  const optimised = join(folder, 'core.wasm');
  // Never another version from the PATH: some make modules that do not start.
  run(process.execPath, [
    program('binaryen/bin/wasm-opt'),
    // No valid address is so low that an offset could wrap around.
    '--low-memory-unused',
    '-O3',
    '--converge',
    keepsNames ? '--debuginfo' : '--strip-debug',
    '--strip-target-features',
    mute,
    '-o',
    optimised,
  ]);
  return withNaturalAlignment(readFileSync(optimised));
}

/**
 * Lets every load and store say that its address is aligned as its values usually are. Engines ignore it, and any address
 * is allowed; but what follows from the opcode costs nothing after compression.
 */
function withNaturalAlignment(core) {
  for (const section of sectionsOf(core)) {
    if (section.id !== CODE) continue;
    for (const body of functionsIn(core, section)) {
      for (const { opcode, immediates } of instructionsIn(core, body)) {
        core[immediates] = alignmentOf(opcode) ?? core[immediates];
      }
    }
  }
  return core;
}

/**
 * Replaces functions that panic by a trap. Nobody would read their messages, and the code that formats them takes 11 KB.
 * The panicking functions of the standard library, identified by their names, never return. Formatting functions are still
 * referenced by tables, so they trap too; fails if the core calls one of them for anything else.
 */
function withoutPanicMessages(file) {
  // Names of functions stay until wasm-opt.
  binaryen.setDebugInfo(true);
  const module = binaryen.readBinary(withoutPanicPlaces(readFileSync(file)));
  const names = Array.from(
    { length: module.getNumFunctions() },
    (_, index) => binaryen.getFunctionInfo(module.getFunctionByIndex(index)).name,
  );
  const panics = names.filter((name) =>
    /^(core|std|alloc)\S*::(panicking::(panic|rust_panic)|str::slice_error_fail|slice::index::\w*fail|(option|result)::(unwrap|expect)_failed|raw_vec::(handle_error|capacity_overflow)|alloc::handle_alloc_error)|::rust_begin_unwind$/.test(
      name,
    ),
  );
  if (panics.length < 10)
    fail(`Found only ${panics.length} panicking functions: has the standard library renamed them?`);
  // uuid formats GUIDs with functions of its own.
  const writers = names.filter(
    (name) => /\b(fmt|panicking)::/.test(name) && !name.startsWith('uuid::') && !panics.includes(name),
  );
  const caller = callersOf(file, writers).find((name) => !panics.includes(name) && !writers.includes(name));
  if (caller)
    fail(
      `${caller} uses formatting, which the module has no code for: concatenate the string with concat of src/json.rs`,
    );
  // The types of binaryen lack setBody.
  const { setBody } = /** @type {any} */ (binaryen).Function;
  for (const name of [...panics, ...writers]) setBody(module.getFunction(name), module.unreachable());
  removeExports(module);
  return module.emitBinary();
}

/** Removes what the loader does not use: the table of JavaScript objects, which no function takes or returns, and its start. */
function removeExports(module) {
  const exports = Array.from({ length: module.getNumExports() }, (_, index) =>
    binaryen.getExportInfo(module.getExportByIndex(index)),
  );
  const start = exports.find(({ name }) => name === '__wbindgen_start');
  if (start && binaryen.getFunctionInfo(module.getFunction(start.value)).base !== '__wbindgen_init_externref_table')
    fail('The core has to be started, which the loader does not do');
  for (const { name } of exports.filter(({ name }) => !EXPORTS.includes(name))) module.removeExport(name);
}

/** Blanks the places of panics in the data, which nobody reads either: pointers to the name of a file, and the names. */
function withoutPanicPlaces(bytes) {
  const blanks = [];
  const section = [...sectionsOf(bytes)].find(({ id }) => id === DATA) ?? fail('The core has no data');
  const segments = [...segmentsIn(bytes, section)];
  for (const { address, start, end } of segments) {
    // Pointer, length, line and column.
    for (let at = start + (-address & 3); at + 16 <= end; at += 4) {
      const [pointer, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
      const named = segments.find(
        (segment) => pointer >= segment.address && pointer + length <= segment.address + segment.end - segment.start,
      );
      if (!named || length > 250) continue;
      const name = named.start + pointer - named.address;
      if (/^[\w./-]+\.rs$/.test(bytes.toString('latin1', name, name + length))) blanks.push([at, 16], [name, length]);
    }
  }
  if (blanks.length === 0) fail('No places of panics were found: has their form in memory changed?');
  for (const [start, length] of blanks) bytes.fill(0, start, start + length);
  return bytes;
}

function callersOf(file, names) {
  const graph = output(process.execPath, [program('binaryen/bin/wasm-opt'), file, '--print-call-graph'], {
    maxBuffer: 1 << 28,
  });
  const calls = graph?.matchAll(/^ *"(.+)" -> "(.+)"; \/\/ call$/gm) ?? fail('wasm-opt printed no calls');
  return [...calls].filter(([, , callee]) => names.includes(callee)).map(([, caller]) => caller);
}

/** Checks that the core imports only the two functions that the package's loader provides (pkg-template/src/instance.ts). */
function checkImports(core) {
  const names = WebAssembly.Module.imports(new WebAssembly.Module(core)).map(({ name }) => name);
  const unknown = names.filter((name) => !/^__wbg_fillRandom_[0-9a-f]+$/.test(name));
  if (unknown.length > 0) fail(`The core has imports that the loader does not know: ${unknown.join(', ')}`);
}

function checkPaths(core) {
  const text = core.toString('latin1');
  const known = [root, homedir(), CARGO_HOME].find((path) => path.length > 1 && text.includes(path));
  const leak = known ?? text.match(/\/(home|Users|root)\/[ -~]*|registry\/src\/[ -~]*/)?.[0];
  if (leak) fail(`The core contains a path of this machine: ${leak}`);
}
