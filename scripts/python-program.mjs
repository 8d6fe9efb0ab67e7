import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from './places.mjs';
import { output } from './run.mjs';

/**
 * Returns the path of a program of Python. Installs it into target/tools first, in the versions of its requirements.txt, if
 * they are not installed.
 *
 * @param {string} name
 * @param {string} requirements The path of requirements.txt.
 * @param {string[]} options Further options of `pip install`.
 * @throws An Error whose message says why it can't be had, if Python or its module venv is missing or pip fails.
 */
export function pythonProgram(name, requirements, options = []) {
  const environment = join(tools, name);
  const programs = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');
  const program = join(programs, name);
  const stamp = join(environment, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return program;
  rmSync(environment, { recursive: true, force: true });
  if (output('python3', ['-m', 'venv', environment]) === undefined) {
    rmSync(environment, { recursive: true, force: true });
    throw new Error('Python 3 with its module venv is missing (`make setup` installs it on Debian and Ubuntu)');
  }
  const install = ['install', '--quiet', '--disable-pip-version-check', ...options, '--requirement', requirements];
  const { status, stderr } = spawnSync(join(programs, 'pip'), install, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pip can't install it:\n${stderr}`);
  // Written last, so that an interrupted installation starts again.
  writeFileSync(stamp, wanted);
  return program;
}
