/**
 * Checks that the whole public contract is tested: each export of the built types, and each member of an exported
 * interface, appears in the programs of this folder, in tests/node or in tests/client.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { installedFile } from '../node/installed.mjs';

const require = createRequire(import.meta.url);
// The newest TypeScript has no stable API.
const ts = require('@typescript/typescript6');

const words = new Set(
  ['tests/types', 'tests/node', 'tests/client']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .filter((path) => /\.(mjs|ts)$/.test(path) && !path.endsWith('names.test.mjs'))
    .flatMap((path) => readFileSync(path, 'utf8').match(/\w+/g)),
);

const ENTRIES = { main: 'dist/esm/index.d.ts', client: 'dist/esm/client/index.d.ts' };
const program = ts.createProgram(Object.values(ENTRIES).map(installedFile), {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
});
const checker = program.getTypeChecker();

for (const [entry, path] of Object.entries(ENTRIES)) {
  const exported = exportsOf(installedFile(path));

  test(`each export of ${entry} appears in a test`, () => {
    assert.ok(exported.length > 20);
    assert.deepEqual(
      exported.map(({ name }) => name).filter((name) => !words.has(name)),
      [],
    );
  });

  test(`each member of an exported type of ${entry} appears in a test`, () => {
    // The vectors have every code, and so every member of IssueParams.
    const types = exported.filter(({ name }) => name !== 'IssueParams');
    const members = types.flatMap((symbol) => membersOf(symbol).map((member) => ({ of: symbol.name, member })));
    assert.ok(members.length > 50);
    assert.deepEqual(
      members.filter(({ member }) => !words.has(member)).map(({ of, member }) => `${of}.${member}`),
      [],
    );
  });
}

function exportsOf(path) {
  const source = program.getSourceFile(path);
  assert.ok(source, path);
  const module = checker.getSymbolAtLocation(source);
  assert.ok(module, path);
  return checker.getExportsOfModule(module);
}

/** Returns the members that the package declares, without those of Error and Promise. */
function membersOf(symbol) {
  const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const type = checker.getDeclaredTypeOfSymbol(declared);
  return type
    .getProperties()
    .filter((property) =>
      property.declarations?.some((at) => at.getSourceFile().fileName.includes('sales-order-intake')),
    )
    .map(({ name }) => name)
    .filter((name) => /^\w+$/.test(name));
}
