/**
 * Tests that the check of the dependencies fails for a finding, and says what it skips. Stubs stand for cargo-deny and
 * npm.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';

const onUnix = process.platform === 'win32' ? test.skip : test;
const CLEAN = `echo '{ "auditReportVersion": 2 }'`;
const VULNERABLE = `${CLEAN}; exit 1`;
const REFUSED = `echo 'npm error 405 Method Not Allowed' >&2; echo '{ "statusCode": 405 }'; exit 1`;
const version = `[ "$1" != --version ] || echo cargo-deny 0.20.2`;
const OFFLINE = `${version}; [ "$1" != fetch ] || { echo 'failed to fetch the advisory database' >&2; exit 1; }`;
const UNLICENSED = `${version}; [ "$2" != licenses ] || { echo 'error: rejected license'; exit 1; }`;

/** @param {import('node:test').TestContext} t @param {{ deny?: string, npm?: string, CI?: string }} options */
function check(t, { deny = version, npm = CLEAN, CI = '' }) {
  const folder = mkdtempSync(join(tmpdir(), 'check-dependencies-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const path of ['scripts/check', 'target/tools/bin']) mkdirSync(join(folder, path), { recursive: true });
  for (const name of ['check/dependencies.mjs', 'places.mjs', 'run.mjs'])
    copyFileSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  for (const [name, script] of Object.entries({ 'cargo-deny': deny, npm }))
    writeFileSync(join(folder, 'target/tools/bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const PATH = join(folder, 'target/tools/bin');
  const script = join(folder, 'scripts/check/dependencies.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8', env: { CI, PATH } });
  return { status, stdout };
}

onUnix('succeeds without findings', (t) => {
  const { status, stdout } = check(t, { CI: 'true' });
  assert.equal(status, 0, stdout);
  assert.doesNotMatch(stdout, /skipped/);
});

onUnix('fails for a licence that is not allowed, and for a vulnerable package', (t) => {
  assert.equal(check(t, { deny: UNLICENSED }).status, 1);
  assert.equal(check(t, { npm: VULNERABLE }).status, 1);
});

onUnix('says what it skips and why, and fails only with CI=true', (t) => {
  const { status, stdout } = check(t, { deny: OFFLINE, npm: REFUSED });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^skipped: cargo deny: advisories did not run: failed to fetch the advisory database$/m);
  assert.match(stdout, /^skipped: npm audit: tests did not run: npm error 405 Method Not Allowed$/m);
  assert.equal(check(t, { deny: OFFLINE, CI: 'true' }).status, 1);
  assert.equal(check(t, { npm: REFUSED, CI: 'true' }).status, 1);
});
