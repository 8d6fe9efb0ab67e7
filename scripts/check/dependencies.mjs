/**
 * Checks the dependencies: their licences, sources and known vulnerabilities, by cargo-deny and `npm audit`. A check whose
 * registry or database can't be reached is skipped with the reason, which is a failure only with CI=true.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, tools } from '../places.mjs';

const VERSION = '0.20.2';
const DENY = join(tools, 'bin/cargo-deny');
/** The folders with a package-lock.json. */
const LOCKED = ['.', 'docs', 'examples/shop', 'tests', 'tests/everywhere'];

const checks = [...crates(), ...LOCKED.map(packages)];
process.exitCode = checks.every(Boolean) ? 0 : 1;

/** Checks the crates by deny.toml. */
function* crates() {
  const name = `cargo-deny ${VERSION}`;
  const install = ['install', '--locked', '--debug', 'cargo-deny', '--version', VERSION, '--root', tools, '--force'];
  if (execute(DENY, ['--version']).out.trim() !== name) {
    console.log(`installing ${name} into target/tools; this takes some minutes, only once`);
    const { status, out } = execute('cargo', install);
    if (status !== 0) return yield skipped('cargo deny', out);
  }
  yield report('cargo deny: licenses, bans, sources', execute(DENY, ['check', 'licenses', 'bans', 'sources']));
  const fetched = execute(DENY, ['fetch', 'db']);
  if (fetched.status !== 0) yield skipped('cargo deny: advisories', fetched.out);
  else yield report('cargo deny: advisories', execute(DENY, ['check', '--disable-fetch', 'advisories']));
}

/** Checks the packages of a lock file for vulnerabilities that are high or critical. @param {string} folder */
function packages(folder) {
  const { status, out, stdout } = execute('npm', ['audit', '--audit-level=high', '--json', '--prefix', folder]);
  const name = `npm audit: ${folder}`;
  // Without this member it is the report of an error.
  if (!stdout.includes('"auditReportVersion"')) return skipped(name, out);
  return report(name, { status, out: status === 0 ? '' : out });
}

function execute(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout: stdout ?? '', out: error ? error.message : stderr + stdout };
}

function report(name, { status, out }) {
  console.log(status === 0 ? `${name}: no findings` : `${name}:\n${out}`);
  return status === 0;
}

function skipped(name, out) {
  const lines = out.split('\n').map((line) => line.trim());
  const reason = lines.find((line) => /error|failed|ENOENT/i.test(line)) ?? lines.find(Boolean) ?? 'it printed nothing';
  console.log(`skipped: ${name} did not run: ${reason}`);
  return process.env.CI !== 'true';
}
