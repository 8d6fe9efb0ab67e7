/**
 * Compiles users' programs with the built types: with library checks, for every module system and platform, with the
 * newest TypeScript; with TYPESCRIPT=all, with the major version before it too.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { program, root } from '../../scripts/places.mjs';
import { installedFile, projects } from '../node/installed.mjs';

const FOLDER = join(root, 'tests/types');
const ANYWHERE = ['consumer', 'client-anywhere', 'inputs', 'parts', 'results', 'schema', 'core-file'];
const EVERYTHING = ['consumer', 'inputs', 'parts', 'results', 'platform', 'client', 'schema', 'testing', 'core-file'];
const NODE = { lib: ['es2022'], types: ['node'] };
const PROGRAMS = [
  [
    'a page, through a bundler',
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], resolveJsonModule: true },
    [...EVERYTHING, 'module', 'schema-file'],
  ],
  ['Node, ECMAScript modules', { module: 'nodenext', ...NODE }, [...EVERYTHING, 'outbox']],
  ['Node, CommonJS', { module: 'nodenext', ...NODE }, [...EVERYTHING, 'outbox'], 'cts'],
  ['Node 16, ECMAScript modules', { module: 'node16', ...NODE }, EVERYTHING],
  ['Node 16, CommonJS', { module: 'node16', ...NODE }, EVERYTHING, 'cts'],
  ['no platform types at all', { module: 'nodenext', lib: ['es2022'] }, ANYWHERE],
  ['an older language level', { module: 'nodenext', target: 'es2020', lib: ['es2020'] }, ANYWHERE],
];

for (const { version, tsc } of versions()) {
  describe(`TypeScript ${version}`, () => {
    for (const [what, compilerOptions, sources, extension = 'ts'] of PROGRAMS) {
      test(`the types compile in a program for ${what}`, async () => {
        assert.equal(await compile(tsc, `${version} ${what}`, compilerOptions, sources, extension), '');
      });
    }

    test('the examples of the doc comments compile under strict', async () => {
      const sources = exampleSources();
      assert.ok(Object.keys(sources).length > 15, Object.keys(sources).join());
      assert.equal(await compile(tsc, `${version} examples`, { module: 'nodenext', ...NODE }, [], 'ts', sources), '');
    });

    test('Intl.NumberFormat takes amounts without a conversion', async () => {
      const options = { module: 'nodenext', lib: ['es2023'] };
      assert.equal(await compile(tsc, `${version} intl`, options, ['intl'], 'ts'), '');
    });

    test('without the platform types, sources that need them do not compile', async () => {
      assert.match(
        await compile(tsc, `${version} control`, { module: 'nodenext', lib: ['es2022'] }, ['platform'], 'ts'),
        /Cannot find name 'URL'/,
      );
    });
  });
}

/** Returns the versions to compile with, and their compilers. */
function versions() {
  const names = process.env.TYPESCRIPT === 'all' ? ['typescript', 'typescript-6'] : ['typescript'];
  return names.map((name) => {
    const { version } = JSON.parse(readFileSync(program(`${name}/package.json`), 'utf8'));
    return { version, tsc: program(`${name}/bin/tsc`) };
  });
}

/** Returns every example of the built types as a file: its code, or for `@example { … }` the options that it shows. */
function exampleSources() {
  const sources = {};
  const shown = [];
  const ofOutbox = [];
  const folder = installedFile('dist/esm');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  )) {
    const text = readFileSync(join(folder, path), 'utf8').replace(/^ *\* ?/gm, '');
    for (const [, code] of text.matchAll(/^```js\n(.*?)^```$/gms))
      sources[`example-${Object.keys(sources).length}`] = `${code}export {};\n`;
    for (const [, options] of text.matchAll(/^@example (\{.*\})(?: \*\/)?$/gm))
      (path.startsWith('outbox') ? ofOutbox : shown).push(options);
  }
  assert.ok(shown.length > 10, shown.join());
  sources.options =
    "import type { IdentifiedOrder } from 'sales-order-intake';\n" +
    "import type { BatchOptions, ClientOptions, SendOptions } from 'sales-order-intake/client';\n" +
    'type Options = Partial<ClientOptions> & SendOptions & BatchOptions<IdentifiedOrder>;\n' +
    shown.map((options) => `void (${options} satisfies Options);\n`).join('');
  assert.ok(ofOutbox.length > 1, ofOutbox.join());
  sources['options-of-outbox'] =
    "import type { OutboxOptions } from 'sales-order-intake/outbox';\n" +
    "import type { PostgresOptions } from 'sales-order-intake/outbox/postgres';\n" +
    "import { sqliteStore } from 'sales-order-intake/outbox/sqlite';\n" +
    'declare const shop: { mark(orderId: string, state: string): Promise<void> };\n' +
    'type Options = Partial<OutboxOptions> | PostgresOptions;\n' +
    ofOutbox.map((options) => `void (${options} satisfies Options);\n`).join('');
  return sources;
}

/** Compiles and returns the errors, or `''`. `written` has further sources by name. */
async function compile(tsc, what, compilerOptions, sources, extension, written = {}) {
  const folder = join(projects().esmProject, `types-${what.replace(/\W+/g, '-')}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const source of sources) copyFileSync(join(FOLDER, `${source}.ts`), join(folder, `${source}.${extension}`));
  for (const [name, code] of Object.entries(written)) writeFileSync(join(folder, `${name}.${extension}`), code);
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
  return text(spawn(process.execPath, [tsc, '-p', folder], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout);
}
