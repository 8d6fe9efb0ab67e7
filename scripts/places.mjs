import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
export const target = join(root, 'target');
export const pkg = join(root, 'pkg');
/** The folder in which programs of cargo are installed, separate from those of the machine. */
export const tools = join(target, 'tools');
/** Returns the path of a program of a dev dependency; run it with Node, without a shell and the PATH. */
export const program = (path) => join(root, 'node_modules', path);
