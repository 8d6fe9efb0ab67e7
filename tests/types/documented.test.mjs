/** Checks that every public member of the outbox and of the test service has a doc comment. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { installedFile } from '../node/installed.mjs';

const require = createRequire(import.meta.url);
// The newest TypeScript has no stable API.
const ts = require('@typescript/typescript6');

const ENTRIES = ['outbox', 'outbox/conformance', 'outbox/postgres', 'outbox/sqlite', 'outbox/store', 'testing'];
/** Where their declarations are, but for those of errors. */
const OWN = /dist\/esm\/(outbox|testing)\/(?!errors\.d\.ts)/;
const paths = ENTRIES.map((entry) => installedFile(`dist/esm/${entry}/index.d.ts`));
const program = ts.createProgram(paths, {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
  types: [],
});
const checker = program.getTypeChecker();

for (const [index, entry] of ENTRIES.entries()) {
  test(`every member of the exports of ${entry} has a doc comment`, () => {
    const source = program.getSourceFile(paths[index]);
    const module = source && checker.getSymbolAtLocation(source);
    assert.ok(module, paths[index]);
    const exported = checker.getExportsOfModule(module);
    assert.ok(exported.length > 0);
    assert.deepEqual(
      exported.flatMap((symbol) => declarationsOf(symbol).flatMap((at) => undocumented(at, symbol.name))),
      [],
    );
  });
}

/** Returns the declarations of an export that are in its part of the package: others have their own. */
function declarationsOf(symbol) {
  const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return declared.declarations.filter((at) => OWN.test(at.getSourceFile().fileName));
}

/** Returns the names of what has no doc comment: the declaration, and the members of each object type in it. */
function undocumented(at, name) {
  const isMember =
    ts.isTypeElement(at) || (ts.isClassElement(at) && !isPrivate(at) && !ts.isConstructorDeclaration(at));
  const path = isMember ? `${name}.${at.name?.getText() ?? '()'}` : name;
  const lacksComment = (isMember || ts.isStatement(at)) && ts.getJSDocCommentsAndTags(at).length === 0;
  const found = lacksComment ? [path] : [];
  ts.forEachChild(at, (child) => {
    // Parameters are described by the comment of their function.
    if (!ts.isParameter(child) && !ts.isBlock(child)) found.push(...undocumented(child, path));
  });
  return found;
}

function isPrivate(at) {
  return at.name !== undefined && ts.isPrivateIdentifier(at.name);
}
