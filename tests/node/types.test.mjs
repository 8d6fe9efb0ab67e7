/** The types as users' programs see them, with library checks on and with every kind of platform types. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program, root } from '../../scripts/places.mjs';
import { projects } from './installed.mjs';

const PROGRAMS = [
  ['a page, through a bundler', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] }, ['consumer', 'platform', 'module', 'client']],
  ['Node, ECMAScript modules', { module: 'nodenext', lib: ['es2022'], types: ['node'] }, ['consumer', 'platform', 'client']],
  ['Node, CommonJS', { module: 'nodenext', lib: ['es2022'], types: ['node'] }, ['consumer', 'platform', 'client'], 'cts'],
  ['no platform types at all', { module: 'nodenext', lib: ['es2022'] }, ['consumer', 'client-anywhere']],
  ['an older language level', { module: 'nodenext', target: 'es2020', lib: ['es2020'] }, ['consumer', 'client-anywhere']],
];

for (const [what, compilerOptions, sources, extension = 'ts'] of PROGRAMS) {
  test(`the types compile in a program for ${what}`, () => {
    const { status, stdout } = compile(what, compilerOptions, sources, extension);
    assert.equal(status, 0, stdout);
  });
}

test('this can fail: without the platform types, their sources are refused', () => {
  const { stdout } = compile('control', { module: 'nodenext', lib: ['es2022'] }, ['platform'], 'ts');
  assert.match(stdout, /Cannot find name 'URL'/);
});

function compile(what, compilerOptions, sources, extension) {
  const folder = join(projects().esmProject, `types-${what.replace(/\W+/g, '-')}`);
  mkdirSync(folder, { recursive: true });
  for (const source of sources) copyFileSync(join(root, 'tests/types', `${source}.ts`), join(folder, `${source}.${extension}`));
  const common = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] };
  const typeRoots = [join(root, 'node_modules/@types')];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...common, typeRoots, ...compilerOptions } }));
  return spawnSync(process.execPath, [program('typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
}
