/**
 * Compiles users' programs with the built types: with library checks, for every module system and platform, with the
 * newest TypeScript; TYPESCRIPT=oldest and TYPESCRIPT=between select older versions.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { installedFile } from '../node/installed.mjs';
import { compile, NODE, PAGE, versions } from './compiler.mjs';

const FOLDER = join(root, 'tests/types');
const ANYWHERE = ['consumer', 'client-anywhere', 'inputs', 'parts', 'results', 'schema', 'core-file'];
const EVERYTHING = ['consumer', 'inputs', 'parts', 'results', 'platform', 'client', 'schema', 'testing', 'core-file'];
/** @type {[what: string, options: object, programs: string[], extension?: string][]} */
const PROGRAMS = [
  ['a page, through a bundler', PAGE, [...EVERYTHING, 'module', 'schema-file', 'unnoticed']],
  ['Node, ECMAScript modules', NODE, [...EVERYTHING, 'outbox', 'opentelemetry', 'unnoticed']],
  ['Node, CommonJS', NODE, [...EVERYTHING, 'outbox', 'opentelemetry'], 'cts'],
  ['no platform types at all', { module: 'nodenext', lib: ['es2022'] }, ANYWHERE],
  ['an older language level', { module: 'nodenext', target: 'es2020', lib: ['es2020'] }, ANYWHERE],
];

for (const { version, tsc } of versions()) {
  describe(`TypeScript ${version}`, () => {
    for (const [what, compilerOptions, names, extension] of PROGRAMS) {
      test(`the types compile in a program for ${what}`, async () => {
        assert.equal(await compile(tsc, `${version} ${what}`, compilerOptions, programs(names, extension)), '');
      });
    }

    test('the examples of the doc comments compile under strict', async () => {
      const sources = exampleSources();
      assert.ok(Object.keys(sources).length > 15, Object.keys(sources).join());
      assert.equal(await compile(tsc, `${version} examples`, NODE, sources), '');
    });

    // TypeScript has the types of ES2023 for Intl since version 5.5.
    const isKnown = !version.startsWith('5.4.');
    test(`Intl.NumberFormat takes amounts without a conversion ${isKnown ? 'only with ES2023' : 'in no library'}`, async () => {
      const errors = (lib) => compile(tsc, `${version} ${lib}`, { module: 'nodenext', lib: [lib] }, programs(['intl']));
      const refused = /intl\.ts\(9,\d+\): error TS2769: No overload matches this call/;
      assert.match(await errors('es2023'), isKnown ? /^$/ : refused);
      assert.match(await errors('es2022'), refused);
    });

    test('without the platform types, sources that need them do not compile', async () => {
      const options = { module: 'nodenext', lib: ['es2022'] };
      assert.match(await compile(tsc, `${version} control`, options, programs(['platform'])), /Cannot find name 'URL'/);
    });
  });
}

/** Reads programs of this folder. */
function programs(names, extension = 'ts') {
  return Object.fromEntries(
    names.map((name) => [`${name}.${extension}`, readFileSync(join(FOLDER, `${name}.ts`), 'utf8')]),
  );
}

/** Returns every example of the built types as a file: its code, or for `@example { … }` the options that it shows. */
function exampleSources() {
  const sources = {};
  const shown = [];
  const ofOutbox = [];
  const folder = installedFile('dist/cjs');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  )) {
    const text = readFileSync(join(folder, path), 'utf8').replace(/^ *\* ?/gm, '');
    for (const [, code] of text.matchAll(/^```js\n(.*?)^```$/gms)) {
      // Others import a file that an example names.
      const [, name] = /^\/\/ (\w+)\.mjs$/m.exec(code) ?? [];
      sources[name ? `${name}.mts` : `example-${Object.keys(sources).length}.ts`] = `${code}export {};\n`;
    }
    for (const [, options] of text.matchAll(/^@example (\{.*\})(?: \*\/)?$/gm))
      (path.startsWith('outbox') ? ofOutbox : shown).push(options);
  }
  assert.ok(shown.length > 10, shown.join());
  sources['options.ts'] =
    "import type { IdentifiedOrder } from 'sales-order-intake';\n" +
    "import type { BatchOptions, ClientOptions, SendOptions } from 'sales-order-intake/client';\n" +
    'type Options = Partial<ClientOptions> & SendOptions & BatchOptions<IdentifiedOrder>;\n' +
    shown.map((options) => `void (${options} satisfies Options);\n`).join('');
  assert.ok(ofOutbox.length > 1, ofOutbox.join());
  sources['options-of-outbox.ts'] =
    "import type { OutboxOptions } from 'sales-order-intake/outbox';\n" +
    "import type { PostgresOptions } from 'sales-order-intake/outbox/postgres';\n" +
    "import { sqliteStore } from 'sales-order-intake/outbox/sqlite';\n" +
    'declare const shop: { mark(orderId: string, state: string): Promise<void> };\n' +
    'type Options = Partial<OutboxOptions> | PostgresOptions;\n' +
    ofOutbox.map((options) => `void (${options} satisfies Options);\n`).join('');
  return sources;
}
