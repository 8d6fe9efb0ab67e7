/**
 * Checks that the crate keeps the API that the next version must keep: `node tests/semver/run.mjs`. Compares it with
 * the last release, at its tag; SEMVER_BASELINE names another revision. A version that may break the last one is not
 * compared. Installs cargo-semver-checks into target/tools; it must know the JSON of rustdoc of the toolchain.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, tools } from '../../scripts/places.mjs';
import { fail, output, run } from '../../scripts/run.mjs';

const NAME = 'cargo-semver-checks';
const VERSION = '0.51.0';

const { SEMVER_BASELINE } = process.env;
const reason = SEMVER_BASELINE ? undefined : reasonNotToRun();
if (reason) console.log(`semver did not run: ${reason}`);
else compareWith(SEMVER_BASELINE ?? `v${releases().last}`);

/** Returns the version that CHANGELOG.md prepares, if there is one, and the last that was released. */
function releases() {
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+)( \(unreleased\))?/gm);
  const [first, second] = headings;
  if (!first || !second) return fail('CHANGELOG.md has fewer than two versions');
  const [, version, isUnreleased] = first;
  return isUnreleased ? { next: version, last: second[1] } : { last: version };
}

function reasonNotToRun() {
  const { next, last } = releases();
  if (!next) return 'CHANGELOG.md prepares no version';
  if (compatibleWith(next) !== compatibleWith(last)) return `${next} may break what ${last} has`;
  if (!output('git', ['rev-parse', '--verify', `v${last}^{commit}`], { cwd: root })) return `there is no tag v${last}`;
}

/** Returns the part of a version that changes if users have to change: `1` of 1.2.3, and `0.2` of 0.2.3. */
function compatibleWith(version) {
  return /^0\.\d+|^\d+/.exec(version)?.[0];
}

function compareWith(revision) {
  const installed = join(tools, 'bin', NAME);
  if (output(installed, ['semver-checks', '--version']) !== `${NAME} ${VERSION}`) {
    console.log(`installing ${NAME} ${VERSION} into target/tools; this takes some minutes, only once`);
    run('cargo', ['install', '--locked', '--debug', NAME, '--version', VERSION, '--root', tools, '--force'], {
      cwd: root,
    });
  }
  const what = [
    '--package',
    'sales-order-intake',
    '--baseline-rev',
    revision,
    '--release-type',
    'minor',
    '--all-features',
  ];
  run(installed, ['semver-checks', ...what], { cwd: root });
}
