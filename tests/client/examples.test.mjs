/** The examples in the client's doc comments: each runs. tests/types compiles them, tests/docs runs those of the documentation. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { installedFile, runProgram } from '../node/installed.mjs';

const SERVICE = ['--import', new URL('example-service.mjs', import.meta.url).href];

/** The examples, with the names that they document. */
const examples = ['client', 'types'].flatMap((file) => {
  const text = readFileSync(installedFile(`dist/esm/client/${file}.d.ts`), 'utf8');
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export declare function )?(\w+)[<(]/g)].flatMap(
    ([, comment, name]) => {
      const plain = comment.replaceAll(/^ *\* ?/gm, '');
      return [...plain.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => ({ name, code }));
    },
  );
});

test('createClient, createOrder and createOrders have an example each', () => {
  assert.deepEqual(
    examples.map(({ name }) => name),
    ['createClient', 'createOrder', 'createOrders'],
  );
});

for (const { name, code } of examples) {
  test(`the example of ${name} prints what its comments promise`, () => {
    const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    const { stdout, stderr, status } = runProgram(code, { flags: SERVICE });
    assert.equal(status, 0, stderr);
    assert.ok(promised.length > 0);
    assert.deepEqual(stdout.split('\n').filter(Boolean), promised);
  });
}
