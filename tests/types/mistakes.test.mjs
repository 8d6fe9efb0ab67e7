/**
 * Compiles the mistakes of mistakes/, one in each file, and compares what TypeScript says about each. A file begins with
 * comments that quote the message of its only error: the parts that help, in their order. The files of mistakes/`entry` use that
 * entry of the package; those of the entries below compile in a page too.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { compile, NODE, PAGE, versions } from './compiler.mjs';

const FOLDER = join(root, 'tests/types/mistakes');
const IN_A_PAGE = ['core', 'client', 'testing'];
/** @type {[platform: string, options: object, isOfPlatform: (entry: string) => boolean][]} */
const PLATFORMS = [
  ['a page', PAGE, (entry) => IN_A_PAGE.includes(entry)],
  ['Node', NODE, () => true],
];

/** The mistakes, with the parts of the message. */
const mistakes = readdirSync(FOLDER).flatMap((entry) =>
  readdirSync(join(FOLDER, entry)).map((file) => {
    const source = readFileSync(join(FOLDER, entry, file), 'utf8');
    const [head = ''] = source.match(/^(\/\/ .+\n)+/) ?? [];
    const expected = Array.from(head.matchAll(/^\/\/ (.+)$/gm), ([, part]) => part);
    assert.ok(expected.length > 0, `${entry}/${file} must begin with a comment: a part of the message`);
    return { entry, name: `${entry}-${file}`, source, expected };
  }),
);

for (const { version, tsc } of versions()) {
  for (const [platform, options, isOfPlatform] of PLATFORMS) {
    describe(`TypeScript ${version} says in a program for ${platform}`, () => {
      const made = mistakes.filter(({ entry }) => isOfPlatform(entry));
      const sources = Object.fromEntries(made.map(({ name, source }) => [name, source]));
      const output = compile(tsc, `mistakes ${version} ${platform}`, options, sources);

      for (const { entry, name, expected } of made) {
        test(`${expected.join(' … ')} (${name.replace('-', '/')})`, async () => {
          const errors = errorsOf(await output).filter(({ file }) => file === name);
          assert.equal(errors.length, 1, JSON.stringify(errors));
          const message = errors[0]?.message ?? '';
          // Only evaluateOrder and createEvaluator have overloads.
          if (entry !== 'core') assert.doesNotMatch(message, /No overload/);
          assert.match(message, new RegExp(expected.map(escaped).join('.*'), 's'));
        });
      }

      test('nothing else', async () => {
        assert.deepEqual(
          errorsOf(await output).filter(({ file }) => !(file in sources)),
          [],
        );
      });
    });
  }
}

/** Returns the file and the message of each error: its first line, and those that are indented below it. */
function errorsOf(output) {
  return Array.from(output.matchAll(/^(\S+?)\(\d+,\d+\): error TS\d+: (.*(?:\n +.*)*)$/gm), ([, file, message]) => ({
    file,
    message,
  }));
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
