/**
 * Every example of the READMEs and of the package's doc comments is run as it stands. A line that prints and ends in a
 * comment, `console.log(…); // text`, must print that text. What the client sends is answered inside the process.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { installedFile, runProgram } from './installed.mjs';

const SERVICE = ['--import', new URL('../client/example-service.mjs', import.meta.url).href];
const FORMATS = { js: 'esm', cjs: 'cjs' };

function examplesOf(text) {
  return [...text.matchAll(/^```(js|cjs)\n([\s\S]*?)^```$/gm)].map(([, fence, code]) => ({
    format: FORMATS[fence],
    code,
  }));
}

/** What the comments say is printed, line by line. */
function promised(code) {
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
}

function runs(title, { format, code }) {
  test(title, () => {
    const { stdout, stderr, status } = runProgram(code, { format, flags: SERVICE });
    assert.equal(status, 0, stderr);
    assert.deepEqual(stdout.split('\n').filter(Boolean), promised(code));
  });
}

const readme = examplesOf(readFileSync(installedFile('README.md'), 'utf8'));
for (const [i, example] of readme.entries())
  runs(`README example ${i + 1} (${example.format}) prints what it says`, example);

const repository = examplesOf(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'));
for (const [i, example] of repository.entries())
  runs(`example ${i + 1} of the repository's README prints what it says`, example);

test("the repository's README has examples that run", () => assert.equal(repository.length, 2));

test('the README has examples for Node, CommonJS, errors, schemas, tests, init and slim', () => {
  const all = readme.map(({ code }) => code).join('\n');
  for (const word of [
    'previewOrder(',
    'prepareRequest(',
    'createEvaluator(',
    'evaluateOrder(',
    'require(',
    'isOrderValidationError(',
    'salesOrderSchema(',
    '/schema/order-v3.json',
    'createTestService(',
    'await init()',
    'sales-order-intake/slim',
  ]) {
    assert.ok(all.includes(word), word);
  }
});

const api = ['api', 'evaluator', 'schema', 'testing/service']
  .map((file) => readFileSync(installedFile(`dist/esm/${file}.d.ts`), 'utf8'))
  .join('\n');
const functions = [...api.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export declare function (\w+)/g)];

test('every function has a doc comment', () => {
  const exported = [...api.matchAll(/export declare function (\w+)/g)].map(([, name]) => name);
  assert.deepEqual(
    functions.map(([, , name]) => name),
    exported,
  );
});

for (const [, comment, name] of functions) {
  const examples = examplesOf(comment.replace(/^ \* ?/gm, ''));
  test(`${name} has an example that prints something`, () => {
    assert.ok(examples.length > 0);
    for (const { code } of examples) assert.ok(code.includes(`${name}(`) && promised(code).length > 0);
  });
  for (const example of examples) runs(`the example of ${name} prints what it says`, example);
}
