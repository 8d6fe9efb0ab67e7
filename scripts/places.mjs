import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
export const target = join(root, 'target');
export const pkg = join(root, 'pkg');
/** Where the programs of wasm-bindgen are installed, apart from any the machine has. */
export const tools = join(target, 'tools');
export const bindgen = join(tools, 'bin', 'wasm-bindgen');
/** A program of a dev dependency, to be run by Node: no shell, no PATH. */
export const program = (path) => join(root, 'node_modules', path);
