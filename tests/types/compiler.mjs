/** Compiles programs of users with the packed package, as TypeScript's command line does. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { program, root } from '../../scripts/places.mjs';
import { projects } from '../node/installed.mjs';

export const PAGE = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], resolveJsonModule: true };
export const NODE = { module: 'nodenext', lib: ['es2022'], types: ['node'] };

/** The newest version; TYPESCRIPT names others, which are installed for that only. */
const VERSIONS = {
  newest: [program('typescript')],
  oldest: [ofTests('typescript-5.4')],
  between: [ofTests('typescript-5.9'), program('@typescript/typescript6')],
};

/** Returns the versions to compile with, and their compilers. */
export function versions() {
  return VERSIONS[process.env.TYPESCRIPT ?? 'newest'].map((folder) => {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { version, tsc: join(folder, 'bin/tsc') };
  });
}

/**
 * Compiles sources, by the names of their files, and returns what the compiler prints: `''` if there is no error.
 * `what` names the folder of the program.
 */
export function compile(tsc, what, compilerOptions, sources) {
  const folder = join(projects().esmProject, `types-${what.replace(/\W+/g, '-')}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, code] of Object.entries(sources)) writeFileSync(join(folder, name), code);
  const common = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  };
  const typeRoots = [join(root, 'node_modules/@types')];
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...common, typeRoots, ...compilerOptions } }),
  );
  const compiler = spawn(process.execPath, [tsc, '-p', folder], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(compiler.stdout);
}

/** @param {string} name */
function ofTests(name) {
  return join(root, 'tests/node_modules', name);
}
