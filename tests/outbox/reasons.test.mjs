/** The explanations of reasons and of causes of pauses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installed, installedFile } from '../node/installed.mjs';

const { entryReasons, pauseCauses } = await import(pathToFileURL(installedFile('dist/esm/outbox/index.js')).href);

test('each error of the client, and each reason of the outbox itself, has a sentence and a remedy, and nothing else has', async () => {
  const { client } = await installed();
  const ofClient = Object.keys(client).filter((name) => /\wError$/.test(name) && name !== 'OrderIntakeError');
  const ownReasons = ['OrderValidationError', 'OptionError', 'CoreInitError', 'InternalError', 'Error'];
  const all = [...ofClient, ...ownReasons, 'Deadline', 'AcceptedByRelay', 'ResponseTooLarge', 'restored', 'Unreadable'];
  assert.deepEqual(Object.keys(entryReasons).sort(), [...new Set(all)].sort());
});

test('each cause of a pause has a sentence and a remedy, and nothing else has', () => {
  assert.deepEqual(Object.keys(pauseCauses), ['unreachable', 'token', 'retry-after', 'failures', 'suspect']);
});

test('an explanation is one sentence about what has happened and one about what to do, different from all others', () => {
  const all = [...Object.values(entryReasons), ...Object.values(pauseCauses)];
  for (const { meaning, remedy, ...others } of all) {
    for (const text of [meaning, remedy]) assert.match(text, /^[A-Z](?:[^.]|\.(?=\S))*\.$/);
    assert.deepEqual(others, {});
  }
  assert.equal(new Set(all.map(({ meaning }) => meaning)).size, all.length);
});
