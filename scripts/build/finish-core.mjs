/**
 * Makes the core small: removes what no page needs, and optimises the rest with wasm-opt.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { program, root } from '../places.mjs';
import { fail, output, run } from '../run.mjs';
import { EXPORTS, checkCore } from './check-core.mjs';
import { CODE, DATA, alignmentOf, functionsIn, instructionsIn, sectionsOf, segmentsIn } from './wasm-binary.mjs';

/** Returns the bytes of the core from the module that wasm-bindgen wrote; `folder` is for files in between. */
export function finishCore(module, folder, { keepsNames = false } = {}) {
  const mute = join(folder, 'mute.wasm');
  writeFileSync(mute, withoutPanicMessages(module));
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
  const core = withNaturalAlignment(readFileSync(optimised));
  checkCore(core);
  checkPaths(core);
  return core;
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
    fail(`${caller} uses formatting, which the module has no code for: concatenate the string with [a, b].concat()`);
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

function checkPaths(core) {
  const text = core.toString('latin1');
  const known = [root, homedir(), process.env.CARGO_HOME ?? ''].find((path) => path.length > 1 && text.includes(path));
  const leak = known ?? text.match(/\/(home|Users|root)\/[ -~]*|registry\/src\/[ -~]*/)?.[0];
  if (leak) fail(`The core contains a path of this machine: ${leak}`);
}
