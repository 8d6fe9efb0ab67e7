/**
 * Checks that the doc comments of the built types cover all that is public: each export, each member of an exported
 * type, and an example for each function.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile, projects } from '../node/installed.mjs';

const require = createRequire(import.meta.url);
// The newest TypeScript has no stable API.
const ts = require('@typescript/typescript6');

const manifest = JSON.parse(readFileSync(installedFile('package.json'), 'utf8'));
/** The entries: each name of `exports` that has types of its own. */
const DOCUMENTED = Object.keys(manifest.exports).filter((entry) => manifest.exports[entry].require);
/** A member that every error has. */
const OF_ERRORS = 'name';

const OPTIONS = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
  types: [],
};
const program = ts.createProgram(DOCUMENTED.map(typesOf), OPTIONS);
const checker = program.getTypeChecker();

for (const entry of DOCUMENTED) {
  const exported = exportsOf(entry);

  test(`each export of ${entry} and each member of its types is documented`, () => {
    assert.ok(exported.length > 0);
    assert.deepEqual(
      exported.flatMap((symbol) => undocumented(symbol, symbol.name)),
      [],
    );
  });

  test(`each value of ${entry} that its types have is there when it is imported`, async () => {
    const { href } = pathToFileURL(installedFile(manifest.exports[entry].default.default));
    const values = exported.filter(({ flags }) => flags & ts.SymbolFlags.Value);
    assert.deepEqual(namesOf(values), Object.keys(await import(href)).sort());
  });

  test(`each function of ${entry} has an example`, () => {
    const functions = exported.filter(({ flags }) => flags & ts.SymbolFlags.Function);
    const withExample = functions.filter((symbol) => symbol.getJsDocTags().some(({ name }) => name === 'example'));
    assert.deepEqual(namesOf(functions), namesOf(withExample));
  });
}

/** Returns the file with the types of an entry, as a program finds it. */
function typesOf(entry) {
  const name = join('sales-order-intake', entry);
  const file = join(projects().esmProject, 'program.mts');
  const { resolvedModule } = ts.resolveModuleName(
    name,
    file,
    OPTIONS,
    ts.sys,
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  );
  assert.ok(resolvedModule, `the package has no entry ${entry}`);
  return resolvedModule.resolvedFileName;
}

function exportsOf(entry) {
  const source = program.getSourceFile(typesOf(entry));
  const module = source && checker.getSymbolAtLocation(source);
  assert.ok(module, `${entry} is not a module`);
  return checker.getExportsOfModule(module).map((symbol) => {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  });
}

/** Returns the name of a symbol if it has no documentation, and those of its members, like `Totals.tax.total`. */
function undocumented(symbol, name) {
  const own = symbol.getDocumentationComment(checker).length > 0 ? [] : [name];
  return [...own, ...membersOf(symbol).flatMap((member) => undocumented(member, `${name}.${member.name}`))];
}

/** Returns the members that are declared where the symbol is: those of other types are checked there. */
function membersOf(symbol) {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    if (ts.isFunctionLike(declaration)) return [];
    const types = declaration.type ? literalsIn(declaration.type) : [declaration];
    return types
      .flatMap(({ members }) => [...(members ?? [])])
      .filter(({ name }) => name && !ts.isPrivateIdentifier(name) && !ts.isComputedPropertyName(name))
      .filter(({ name, parent }) => !(ts.isClassDeclaration(parent) && name.text === OF_ERRORS))
      .filter((member) => !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private))
      .map(({ name }) => checker.getSymbolAtLocation(name));
  });
}

/**
 * Returns the object types that a type is written with, such as both of `{ ok: true } | { ok: false }`, but not those
 * within, and not those of parameters and results.
 */
function literalsIn(type) {
  const literals = [];
  const visit = (node) => {
    if (ts.isTypeLiteralNode(node)) literals.push(node);
    else if (!ts.isFunctionTypeNode(node) && !ts.isTypeReferenceNode(node)) ts.forEachChild(node, visit);
  };
  visit(type);
  return literals;
}

function namesOf(symbols) {
  return symbols.map(({ name }) => name);
}
