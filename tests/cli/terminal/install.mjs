/**
 * Builds the pseudo-terminals of the tests from their sources, if they are not built: dependencies are installed
 * without scripts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/places.mjs';
import { run } from '../../../scripts/run.mjs';

const BUILT = join(root, 'tests/node_modules/node-pty/build/Release/pty.node');
if (!existsSync(BUILT)) run('npm', ['rebuild', '--prefix', 'tests', '--loglevel=error', 'node-pty'], { cwd: root });
