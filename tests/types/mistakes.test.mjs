/**
 * Compiles the mistakes of mistakes/, a file for each entry, and compares what TypeScript says about each. Comments before a
 * mistake quote the message of its only error: the parts that help, in their order.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { compile, NODE, PAGE, versions } from './compiler.mjs';

/** @type {[platform: string, options: object, entries: string[]][]} */
const PLATFORMS = [
  ['a page', PAGE, ['core', 'client', 'testing']],
  ['Node', NODE, ['core', 'client', 'testing', 'outbox']],
];

for (const { version, tsc } of versions()) {
  for (const [platform, options, entries] of PLATFORMS) {
    describe(`TypeScript ${version} says in a program for ${platform}`, () => {
      const sources = Object.fromEntries(
        entries.map((entry) => [
          `${entry}.ts`,
          readFileSync(join(root, 'tests/types/mistakes', `${entry}.ts`), 'utf8'),
        ]),
      );
      const output = compile(tsc, `mistakes ${version} ${platform}`, options, sources);

      for (const { file, from, to, expected } of Object.entries(sources).flatMap(mistakesIn)) {
        test(`${expected.join(' … ')} (${file}:${from})`, async () => {
          const errors = errorsOf(await output).filter(
            (error) => error.file === file && from < error.line && error.line < to,
          );
          assert.equal(errors.length, 1, JSON.stringify(errors));
          const message = errors[0]?.message ?? '';
          // Only evaluateOrder and createEvaluator have overloads.
          if (file !== 'core.ts') assert.doesNotMatch(message, /No overload/);
          assert.match(message, new RegExp(expected.map(escaped).join('.*'), 's'));
        });
      }

      test('nothing else', async () => {
        const mistakes = Object.entries(sources).flatMap(mistakesIn);
        assert.equal(errorsOf(await output).length, mistakes.length);
      });
    });
  }
}

/** Returns the mistakes of a file: the parts of the message, and the lines between which the error is. */
function mistakesIn([file, source]) {
  const heads = [...source.matchAll(/^(?:\/\/ .+\n)+/gm)];
  const lineAt = (index) => source.slice(0, index).split('\n').length;
  return heads.map(({ 0: head, index }, at) => ({
    ...{ file, from: lineAt(index), to: lineAt(heads[at + 1]?.index ?? source.length) },
    expected: Array.from(head.matchAll(/^\/\/ (.+)$/gm), ([, part]) => part),
  }));
}

/** Returns the file, the line and the message of each error: its first line, and those that are indented below it. */
function errorsOf(output) {
  return Array.from(
    output.matchAll(/^(\S+?)\((\d+),\d+\): error TS\d+: (.*(?:\n +.*)*)$/gm),
    ([, file, line, message]) => ({ file, line: Number(line), message }),
  );
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
