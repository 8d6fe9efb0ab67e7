import { output, run } from './run.mjs';

/** Installs packages of Debian, where there are such and this may install them. */
export function installPackages(...packages) {
  if (!output('apt-get', ['--version'])) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && output('sudo', ['-n', 'true']) === undefined) return;
  const apt = (...args) => (isRoot ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args]));
  console.log(`installing ${packages.join(' and ')}`);
  apt('update', '-q');
  apt('install', '-y', '-q', '--no-install-recommends', ...packages);
}
