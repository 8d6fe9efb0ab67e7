/** Makes a module small with wasm-opt. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { program, root } from '../places.mjs';
import { fail, start } from '../run.mjs';
import { checkCore } from './check-core.mjs';
import { glueOf } from './glue.mjs';

/** Exports that the glue doesn't call. */
const UNUSED = ['__abort_handler', '__instance_terminated'];

/**
 * Returns the bytes of a module that wasm-bindgen wrote, made small; the optimised file is written beside it. `partOf` is the module whose
 * glue a part runs with.
 */
export async function finishCore(module, { partOf = module, keepsNames = false, passes = ['-O3'] } = {}) {
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
  const core = readFileSync(optimised);
  checkCore(core, glueOf(partOf).js, { isPart: partOf !== module });
  checkPaths(core);
  return core;
}

function checkPaths(core) {
  const text = core.toString('latin1');
  const known = [root, homedir(), process.env.CARGO_HOME ?? ''].find((path) => path.length > 1 && text.includes(path));
  const leak = known ?? text.match(/\/(home|Users|root)\/[ -~]*|registry\/src\/[ -~]*/)?.[0];
  if (leak) fail(`The core contains a path of this machine: ${leak}`);
}
