/** Runs the examples in the doc comments, and checks that they print what their comments promise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projects } from '../node/installed.mjs';
import { outputOfExample } from './example.mjs';

for (const { file, name, printed } of [
  { file: 'outbox', name: 'createOutbox', printed: /^waiting\n/ },
  { file: 'sqlite/index', name: 'sqliteStore', printed: /^$/ },
  { file: 'conformance/index', name: 'storeChecks', printed: /^(.+ function\n){21}$/ },
]) {
  test(`the example of ${name} runs`, (t) => {
    assert.match(outputOfExample(t, projects().esmProject, file, name), printed);
  });
}
