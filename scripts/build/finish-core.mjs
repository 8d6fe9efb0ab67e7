/** Makes a module small with wasm-opt. */
import { readFileSync } from 'node:fs';
import { program } from '../places.mjs';
import { start } from '../run.mjs';

/** Exports that the glue doesn't call. */
const UNUSED = ['__abort_handler', '__instance_terminated'];

/** Returns the bytes of a module that wasm-bindgen wrote, made small; the optimised file is written beside it. */
export async function finishCore(module, { keepsNames = false, passes = ['-O3'] } = {}) {
  const optimised = `${module}.optimised`;
  // Never another version from the PATH: some make modules that do not start.
  await start(process.execPath, [
    program('binaryen/bin/wasm-opt'),
    ...UNUSED.map((name) => `--remove-exports=${name}`),
    // No valid address is so low that an offset could wrap around.
    '--low-memory-unused',
    ...passes,
    keepsNames ? '--debuginfo' : '--strip-debug',
    '--strip-producers',
    '--strip-target-features',
    module,
    '-o',
    optimised,
  ]);
  return readFileSync(optimised);
}
