/** Runs the examples in the doc comments that need pg. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputOfExample } from '../example.mjs';
import { projectWithPostgres } from '../postgres.mjs';

for (const { name, printed } of [
  { name: 'postgresStore', printed: /^$/ },
  { name: 'postgresSchema', printed: /^true\n$/ },
]) {
  test(`the example of ${name} runs`, (t) => {
    assert.match(outputOfExample(t, projectWithPostgres(), 'postgres', name), printed);
  });
}
