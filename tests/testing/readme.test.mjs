/** The README's example for Mock Service Worker, run as it stands; the others are run in tests/node. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { program, target } from '../../scripts/places.mjs';
import { installedFile } from '../node/installed.mjs';

const folder = mkdtempSync(join(target, 'testing-readme-'));
after(() => rmSync(folder, { recursive: true }));

test('the example for Mock Service Worker prints what it says', () => {
  const examples = [...readFileSync(installedFile('README.md'), 'utf8').matchAll(/^```mjs\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code,
  );
  assert.equal(examples.length, 1);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(installedFile(''), join(folder, 'node_modules/sales-order-intake'), 'junction');
  symlinkSync(program('msw'), join(folder, 'node_modules/msw'), 'junction');
  writeFileSync(join(folder, 'example.mjs'), examples[0]);
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const promised = examples[0].match(/console\.log\(.*\); \/\/ (.*)$/m)?.[1];
  assert.equal(stdout, `${promised}\n`);
});
