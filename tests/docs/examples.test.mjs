/**
 * Every example of the READMEs, of the documentation and of the package's doc comments: JavaScript and TypeScript compile,
 * run, and print what they promise; orders in JSON are valid; commands exist. What an example may be tagged with is in
 * fences.mjs, what it may send to in service.mjs. rustdoc runs the examples in Rust.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { program, root, target } from '../../scripts/places.mjs';
import { installed, installedFile } from '../node/installed.mjs';
import { fencesOf, promisedBy } from './fences.mjs';

const SERVICE = new URL('service.mjs', import.meta.url).href;
/** Reference pages are generated, with examples that were run when they were. */
const GENERATED = /^docs\/reference\//;
/** A doc comment, and the function or member that it is about. */
const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*((?:export )?declare function )?(\w+)/g;
/** The types of entries whose every function has an example. */
const ENTRIES = /^dist\/cjs\/((client|outbox|testing)\/)?index\.d\.ts$|\/shared\//;
/** tests/outbox/postgres runs these examples. */
const NEEDS_PG = /^dist\/cjs\/outbox\/postgres\//;
/** The output of examples that depends on the time, or on the number of checks. */
const PATTERNS = {
  'the example of createOutbox': /^waiting\n/,
  'the example of storeChecks': /^(.+ function\n){28}$/,
};
/** Node before 22.18 reads TypeScript only with a flag. */
const TYPESCRIPT =
  'typescript' in process.features && process.features.typescript ? [] : ['--experimental-strip-types'];
const EXTENSIONS = { js: 'mjs', mjs: 'mjs', cjs: 'cjs', ts: 'ts', tsx: 'tsx' };

const { esm } = await installed();
const folder = mkdtempSync(join(target, 'docs-examples-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
const link = (path, name) => symlinkSync(path, join(folder, 'node_modules', name), 'junction');
link(installedFile(''), 'sales-order-intake');
link(installedFile('dist/cli/main.js'), '.bin/sales-order-intake');
link(program('msw'), 'msw');
link(program('@types'), '@types');
link(program('react'), 'react');

/** The doc comments of the installed package, with the name of what they are about. */
const comments = declarationFiles().flatMap((file) =>
  [...readFileSync(installedFile(file), 'utf8').matchAll(COMMENT)].map(([, comment = '', isFunction, name = '']) => ({
    ...{ file, name, isFunction: isFunction !== undefined },
    fences: fencesOf(comment.replaceAll(/^ *\* ?/gm, '')),
  })),
);

/** The examples of all pages and doc comments, with the page and a name for a file. */
const examples = [
  ...pages().flatMap((page) =>
    fencesOf(readFileSync(join(root, page), 'utf8')).map((fence, index) =>
      exampleOf(fence, page, `${page}:${fence.line}`, `${index + 1}`),
    ),
  ),
  // Those of a module can import each other. Overloads have the same name.
  ...comments.flatMap(({ file, name, fences }, at) =>
    fences.map((fence, index) => exampleOf(fence, file, `the example of ${name}`, `${at}-${index + 1}`)),
  ),
];
const programs = examples.filter(({ language }) => language in EXTENSIONS);
const runnable = programs.filter(({ notRun, language }) => notRun === undefined && language !== 'tsx');

const stored = examples.filter(({ language, file }) => !(language in EXTENSIONS) && file !== undefined);
for (const { cwd, path, code } of [...programs.filter(isWhole), ...stored]) {
  mkdirSync(cwd, { recursive: true });
  writeFileSync(path, code);
}

function exampleOf(fence, page, title, number) {
  const cwd = join(folder, page.replaceAll(/\W+/g, '-'));
  const file = fence.file ?? `example-${number}.${EXTENSIONS[fence.language] ?? fence.language}`;
  return { ...fence, page, title, cwd, path: join(cwd, file) };
}

/** Parts of programs do not compile alone. A page runs in a browser, but it must compile. */
function isWhole({ notRun = '', code }) {
  return !notRun.startsWith('part') && !/from 'vite'/.test(code);
}

function pages() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !/node_modules\/|\/\.vitepress\//.test(path) && !GENERATED.test(path));
  return ['README.md', 'pkg-template/README.md', 'CONTRIBUTING.md', 'RELEASING.md', ...docs.sort()];
}

function declarationFiles() {
  return readdirSync(installedFile('dist/cjs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `dist/cjs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.d.ts') && !NEEDS_PG.test(path))
    .sort();
}

describe('programs', { concurrency: availableParallelism() }, () => {
  for (const example of runnable)
    test(`${example.title} runs and prints what it says`, async () => {
      const { stdout, stderr, status } = await execute(example);
      assert.equal(status, 0, stderr);
      const pattern = PATTERNS[example.title];
      if (pattern) assert.match(stdout, pattern, stderr);
      else assert.deepEqual(stdout.split('\n').filter(Boolean), promisedBy(example), stderr);
    });
});

function execute({ path, cwd }) {
  const flags = ['--no-warnings', ...TYPESCRIPT, '--import', SERVICE, path];
  return new Promise((resolve) => {
    const options = { cwd, encoding: /** @type {const} */ ('utf8'), timeout: 120_000 };
    execFile(process.execPath, flags, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr: stderr || String(error ?? ''), status: error ? (error.code ?? -1) : 0 }),
    );
  });
}

test('every function of the package has a doc comment with an example that calls it and prints something', () => {
  const functions = comments.filter(({ file, isFunction }) => isFunction && ENTRIES.test(file));
  const exported = declarationFiles()
    .filter((file) => ENTRIES.test(file))
    .flatMap((file) => [...readFileSync(installedFile(file), 'utf8').matchAll(/^(?:export )?declare function (\w+)/gm)])
    .map(([, name]) => name);
  assert.deepEqual(
    functions.map(({ name }) => name),
    exported,
  );
  const others = comments.filter(({ name }) => ['createClient', 'createOrder', 'createOrders'].includes(name));
  for (const { name, fences } of [...functions, ...others]) {
    const programs = fences.filter(({ language }) => language === 'js');
    assert.ok(programs.length > 0, `${name} has no example`);
    for (const program of programs)
      assert.ok(program.code.includes(`${name}(`) && promisedBy(program).length > 0, name);
  }
  assert.deepEqual(others.map(({ name }) => name).sort(), ['createClient', 'createOrder', 'createOrders']);
});

test('the methods of an outbox that change or list orders have an example that calls them and prints something', () => {
  const methods = comments.filter(
    ({ file, name, fences, isFunction }) =>
      /^dist\/cjs\/(shared\/outbox|outbox\/index)\.d\.ts$/.test(file) &&
      !isFunction &&
      !['declare', 'interface'].includes(name) &&
      fences.length > 0,
  );
  assert.deepEqual(
    methods.map(({ name }) => name),
    ['add', 'replace', 'settled', 'history', 'list', 'page', 'counts', 'retry', 'retryAll', 'cancel', 'forget'],
  );
  for (const { name, fences } of methods) {
    for (const program of fences) assert.ok(program.code.includes(`.${name}(`) && promisedBy(program).length > 0, name);
  }
});

test('all programs compile: TypeScript in strict mode, JavaScript by inference', () => {
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'] },
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'], allowImportingTsExtensions: true },
    jsx: 'react-jsx',
  };
  const files = (...extensions) => extensions.map((extension) => `*/*.${extension}`);
  const scripts = { ...compilerOptions, allowJs: true, checkJs: true, noImplicitAny: false };
  // The types of Node 20 lack the one; the other is installed for tests/everywhere, which run what the guide shows.
  const modules = { 'node:sqlite': 'DatabaseSync', miniflare: 'Miniflare' };
  const declared = Object.entries(modules).map(
    ([name, type]) => `declare module '${name}' { export const ${type}: any; }`,
  );
  writeFileSync(join(folder, 'modules.d.ts'), declared.join('\n'));
  writeConfig('tsconfig.json', { compilerOptions, include: ['modules.d.ts', ...files('ts', 'tsx')] });
  writeConfig('tsconfig.scripts.json', { compilerOptions: scripts, include: ['modules.d.ts', ...files('mjs', 'cjs')] });
  for (const config of ['tsconfig.json', 'tsconfig.scripts.json']) {
    const tsc = [program('typescript/bin/tsc'), '-p', join(folder, config)];
    const { status, stdout } = spawnSync(process.execPath, tsc, { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  }
});

function writeConfig(name, config) {
  writeFileSync(join(folder, name), JSON.stringify(config));
}

test('every example that is not run says why, and they are few', () => {
  const left = examples.filter(({ language, notRun }) => language !== 'sh' && notRun !== undefined);
  for (const { title, notRun } of left) assert.ok(notRun && notRun.length > 10, title);
  assert.ok(left.length * 5 < programs.length, `${left.length} of ${programs.length} programs are not run`);
});

test('every order in JSON is valid, or has the issue that it says', () => {
  let orders = 0;
  for (const { language, code, title, invalid } of examples) {
    if (language !== 'json') continue;
    const value = JSON.parse(code);
    if (value?.Items === undefined && invalid === undefined) continue;
    orders++;
    const { ok, issues } = esm.validateOrder(code);
    const codes = issues.map((issue) => issue.code);
    if (invalid === undefined) assert.ok(ok, `${title}: ${codes}`);
    else assert.ok(codes.includes(invalid), `${title} has ${codes}, not ${invalid}`);
  }
  assert.ok(orders > 0);
});

test('every example that shows an order can be opened in the playground', () => {
  for (const { page, title, language, code, tags } of examples) {
    if (!page.startsWith('docs/') || !['js', 'ts', 'json'].includes(language)) continue;
    if (language === 'json' && JSON.parse(code)?.Items === undefined) continue;
    const showsOrder = /\bItems["']?: \[\s*\{[^\]]*Quantity["']?: ["'\d]/.test(code);
    assert.equal(tags.includes('playground'), showsOrder, `${title}: the tag playground`);
  }
});

test('rustdoc runs every page that has Rust', () => {
  const library = readFileSync(join(root, 'src/lib.rs'), 'utf8');
  const withRust = new Set(examples.filter(({ language }) => language === 'rust').map(({ page }) => page));
  assert.ok(withRust.size > 0);
  for (const page of withRust) assert.ok(library.includes(`include_str!("../${page}")`), `src/lib.rs: ${page}`);
});

describe('commands', () => {
  const recipes = new Set(
    [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name),
  );
  const shell = examples.filter(({ language }) => language === 'sh');

  test('every recipe of make that is shown exists', () => {
    const shown = shell.flatMap(({ code, title }) =>
      [...code.matchAll(/^(?:\w+=\S+ )*make ([a-z-]+)/gm)].map(([, name]) => ({ name, title })),
    );
    assert.ok(shown.length > 0);
    for (const { name, title } of shown) assert.ok(recipes.has(name), `${title}: make ${name}`);
  });

  for (const { title, code, cwd, prints } of shell.filter((example) => isRunnable(example)))
    test(`${title} runs`, () => {
      mkdirSync(cwd, { recursive: true });
      const PATH = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
      const env = { ...process.env, PATH, NO_COLOR: '1', npm_config_offline: 'true' };
      const { status, stdout, stderr } = spawnSync('sh', ['-euc', code], { cwd, env, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      if (prints) assert.deepEqual(stdout.split('\n').filter(Boolean), prints);
    });
});

/** Recipes of make are run by their own tests; npm and cargo would install packages or compile for minutes. */
function isRunnable({ code, notRun }) {
  return notRun === undefined && !/^(?:\w+=\S+ )*(?:make|npm|cargo)\b/m.test(code);
}
