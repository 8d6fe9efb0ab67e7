/**
 * Every example of the package's doc comments is run as it stands, and prints what it promises: see tests/docs, which does
 * the same for the READMEs and the documentation. What the client sends is answered inside the process.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fencesOf, promisedBy } from '../docs/fences.mjs';
import { installedFile, runProgram } from './installed.mjs';

const SERVICE = ['--import', new URL('../client/example-service.mjs', import.meta.url).href];

function runs(title, example) {
  test(title, () => {
    const { stdout, stderr, status } = runProgram(example.code, { flags: SERVICE });
    assert.equal(status, 0, stderr);
    assert.deepEqual(stdout.split('\n').filter(Boolean), promisedBy(example));
  });
}

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
  const examples = fencesOf(comment.replace(/^ \* ?/gm, '')).filter(({ language }) => language === 'js');
  test(`${name} has an example that prints something`, () => {
    assert.ok(examples.length > 0);
    for (const example of examples) assert.ok(example.code.includes(`${name}(`) && promisedBy(example).length > 0);
  });
  for (const example of examples) runs(`the example of ${name} prints what it says`, example);
}
